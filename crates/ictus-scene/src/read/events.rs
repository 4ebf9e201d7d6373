//! Events: one verb at a time, with what belongs to it, once or repeated.

use ictus::math::Plain;

use super::draft::Draft;
use super::fields::Fields;
use super::occasions::{self, Occasion, weaker};
use super::paths::Targets;
use super::quantity::shortened;
use super::variation;
use crate::notes;
use crate::parameters::Thing;
use crate::problem::{Found, Span, suggestion};
use crate::registry::Family;
use crate::registry::played::{VERBS, Verb, event};
use crate::scene::{Action, Control, Event, Parameter};
use crate::tree::Node;
use crate::units::{FRACTION, Measure};
use crate::{ControlId, ExciterId};

/// Most events of a scene, repeats counted.
pub(crate) const MOST_EVENTS: usize = 100_000;

/// Most parameters that all events set together.
const MOST_TARGETS: usize = 1_000_000;

/// A control and what its values measure.
pub(crate) struct Knob<'a> {
    /// Name of its table.
    pub(crate) key: &'a str,
    pub(crate) control: Control,
    pub(crate) measure: Measure,
}

/// What the events are read against, besides the draft.
pub(crate) struct Playing<'a> {
    pub(crate) controls: &'a [Knob<'a>],
    /// All that the text has, those that could not be read too.
    pub(crate) control_names: Vec<&'a str>,
    pub(crate) has_notes: bool,
}

impl Draft<'_> {
    /// `[[events]]`, in order of time.
    pub(crate) fn read_events(&self, nodes: &[Node], playing: &Playing<'_>) -> Vec<Event> {
        let mut score = Vec::new();
        let mut all_targets = 0;
        for (number, node) in nodes.iter().enumerate() {
            let Some(table) = node.table() else {
                self.report(node.span, format!("an event is a table, not {}", node.kind()), "write [[events]]");
                continue;
            };
            if self.context.is_full() {
                break;
            }
            let repeats = occasions::repeats(table);
            self.context.repeat.set(repeats.then_some(0));
            let fields = Fields::new(self.context, event(), table, node.span, None);
            let Some(verb) = VERBS.iter().find(|verb| fields.has(verb.key)) else { continue };
            self.check_company(&fields, verb);
            let actions = self.actions(&fields, verb, playing);
            let Some(occasions) = self.occasions(&fields, number) else { continue };
            let targets: usize = actions.iter().map(|(_, action)| targets_of(action)).sum();
            all_targets += occasions.len() * targets;
            if score.len() + occasions.len() * actions.len() > MOST_EVENTS || all_targets > MOST_TARGETS {
                self.report(node.span, format!("with this event the scene has more than {MOST_EVENTS} events"), "");
                break;
            }
            let is_drawn_anew = repeats && variation::varies(node);
            let before = self.context.count();
            for Occasion { repeat, time, strength } in occasions {
                let anew;
                let mut actions = &actions;
                if is_drawn_anew {
                    self.context.repeat.set(Some(repeat));
                    anew = self.actions(&fields, verb, playing);
                    actions = &anew;
                    if self.context.count() > before {
                        break;
                    }
                }
                let event =
                    |(later, action): &(f64, Action)| Event { time: time + later, action: weaker(action, strength) };
                score.extend(actions.iter().map(event));
            }
        }
        self.context.repeat.set(None);
        score.sort_by(|a, b| a.time.total_cmp(&b.time));
        score
    }

    /// Keys that do not belong to the verb.
    fn check_company(&self, fields: &Fields<'_>, verb: &Verb) {
        let always = ["time", "every", "times", "pattern", "probability", verb.key];
        for (key, _) in &fields.table.entries {
            let name = &*key.name;
            let is_verb = VERBS.iter().any(|verb| verb.key == name);
            if !always.contains(&name) && !verb.with.contains(&name) && !is_verb && fields.info.field(name).is_some() {
                let message = format!("`{}` does not take `{name}`", verb.key);
                self.context.report(Found::new(key.span, message).help(format!("it takes: {}", verb.with.join(", "))));
            }
        }
    }

    /// What a verb comes to, each with how much later it happens in s.
    fn actions(&self, fields: &Fields<'_>, verb: &Verb, playing: &Playing<'_>) -> Vec<(f64, Action)> {
        match verb.key {
            "note" => self.note(fields, playing),
            "press" | "lift" => self.keys(fields, verb.key, playing),
            "sustain" => fields.truth("sustain").map(|down| (0.0, Action::Sustain(down))).into_iter().collect(),
            "wheel" => fields.number("wheel").map(|bend| (0.0, Action::PitchBend(bend))).into_iter().collect(),
            "turn" => self.turn(fields, playing).into_iter().map(|action| (0.0, action)).collect(),
            "set" => self.set(fields).into_iter().map(|action| (0.0, action)).collect(),
            "move" => {
                let named = fields.texts("move");
                let actions = named.iter().flat_map(|(name, span)| self.go(fields, name, *span, "to"));
                actions.map(|action| (0.0, action)).collect()
            }
            _ => self.play(fields, verb).into_iter().map(|action| (0.0, action)).collect(),
        }
    }

    fn note(&self, fields: &Fields<'_>, playing: &Playing<'_>) -> Vec<(f64, Action)> {
        let (keys, velocity) = self.played_keys(fields, "note", playing);
        let length = fields.number_or("length", 1.0);
        let down_and_up = |key| [(0.0, Action::NoteOn { key, velocity }), (length, Action::NoteOff { key })];
        keys.into_iter().flat_map(down_and_up).collect()
    }

    /// Keys that go down, or up.
    fn keys(&self, fields: &Fields<'_>, verb: &str, playing: &Playing<'_>) -> Vec<(f64, Action)> {
        let (keys, velocity) = self.played_keys(fields, verb, playing);
        let action = |key| if verb == "press" { Action::NoteOn { key, velocity } } else { Action::NoteOff { key } };
        keys.into_iter().map(|key| (0.0, action(key))).collect()
    }

    /// The keys of an event, and how hard they are struck.
    fn played_keys(&self, fields: &Fields<'_>, verb: &str, playing: &Playing<'_>) -> (Vec<u8>, f64) {
        if !playing.has_notes {
            fields.report(verb, "this scene does not say what a note plays", "add a table [notes] with `play = …`");
        }
        let velocity = fields.number_or("velocity", 0.8);
        if !(0.0..=1.0).contains(&velocity) {
            fields.report(
                "velocity",
                format!("the velocity of a note is {}, must be from 0 to 1", Plain(velocity)),
                "",
            );
        }
        let keys = fields.texts(verb).into_iter().filter_map(|(text, _)| Some(notes::parse(text)?.key));
        (keys.collect(), velocity)
    }

    fn turn(&self, fields: &Fields<'_>, playing: &Playing<'_>) -> Option<Action> {
        let name = fields.text("turn")?;
        let Some(control) = playing.controls.iter().position(|knob| knob.key == name) else {
            if !playing.control_names.contains(&name) {
                let message = format!("there is no control `{}`", shortened(name));
                fields.report("turn", message, suggestion(name, "controls", playing.control_names.iter().copied()));
            }
            return None;
        };
        self.needs(fields, "to")?;
        let Knob { measure, control: Control { logarithmic: by_ratios, .. }, .. } = playing.controls[control];
        let value = fields.value("to", &measure)?;
        let logarithmic = self.scale(fields, by_ratios, value)?;
        Some(Action::Turn { control: ControlId::new(control), value, over: fields.number_or("over", 0.0), logarithmic })
    }

    /// Whether equal times are equal ratios on the way to a value, which is the usual way or not. A way by ratios to 0 is reported.
    fn scale(&self, fields: &Fields<'_>, usual: bool, to: f64) -> Option<bool> {
        match fields.text("scale") {
            Some("log") if to == 0.0 => {
                let help = "go to a small value, or write `scale = \"linear\"`";
                fields.report("scale", "equal ratios never reach 0", help);
                None
            }
            Some(scale) => Some(scale == "log"),
            None => Some(usual),
        }
    }

    fn set(&self, fields: &Fields<'_>) -> Vec<Action> {
        if self.needs(fields, "to").is_none() {
            return vec![];
        }
        let over = fields.number_or("over", 0.0);
        let aim = |(path, span): (&str, Span)| {
            let Targets { parameters, measure, .. } = self.targets(path, span)?;
            let value = match fields.node("to")?.value {
                crate::tree::Value::Truth(truth) => f64::from(u8::from(truth)),
                _ => fields.value("to", &measure)?,
            };
            Some((parameters, value))
        };
        // What goes to one value goes there together.
        let mut together: Vec<(Vec<Parameter>, f64)> = Vec::new();
        let scaled = |(_, value): &(Vec<Parameter>, f64)| self.scale(fields, false, *value);
        for (parameters, value) in fields.texts("set").into_iter().filter_map(aim) {
            match together.last_mut().filter(|(_, last)| last.to_bits() == value.to_bits()) {
                Some((targets, _)) => targets.extend(parameters),
                None => together.push((parameters, value)),
            }
        }
        let action = |all: (Vec<Parameter>, f64)| {
            let logarithmic = scaled(&all)?;
            Some(Action::Set { targets: all.0, value: all.1, over, logarithmic })
        };
        together.into_iter().filter_map(action).collect()
    }

    fn needs(&self, fields: &Fields<'_>, key: &str) -> Option<()> {
        if fields.lacks(key) {
            self.report(fields.span, format!("this event needs `{key}`"), "");
        }
        fields.has(key).then_some(())
    }

    /// Moves what has a name to the place that a key gives.
    fn go(&self, fields: &Fields<'_>, name: &str, span: Span, key: &str) -> Vec<Action> {
        let Some(node) = fields.node(key) else {
            self.needs(fields, key);
            return vec![];
        };
        let place: Option<Vec<f64>> = match node.list() {
            Some(list) => list.iter().map(|node| fields.quantity_of(node, key, &FRACTION)).collect(),
            None => fields.quantity_of(node, key, &FRACTION).map(|x| vec![x]),
        };
        let Some(place) = place else { return vec![] };
        if place.iter().any(|part| !(0.0..=1.0).contains(part)) {
            if key == "at" {
                return vec![];
            }
            self.report(node.span, "this place lies outside the object", "places are fractions from 0 to 1");
            return vec![];
        }
        if self.is_broken(name) {
            return vec![];
        }
        let Some(things) = self.things.get(name) else {
            let message = format!("there is nothing called `{}`", shortened(name));
            self.report(span, message, suggestion(name, "names", self.names_of(None, |_| true)));
            return vec![];
        };
        let over = if key == "to" { fields.number_or("over", 0.0) } else { 0.0 };
        let mut actions = Vec::new();
        for part in 0..place.len() {
            let mut targets = Vec::new();
            for thing in things {
                let movable: Vec<Parameter> = self.place_of(*thing);
                if movable.len() != place.len() {
                    let message = match movable.len() {
                        0 => format!("`{name}` cannot be moved"),
                        1 => format!("`{name}` is moved along one direction: give one fraction"),
                        _ => format!("`{name}` is moved over a surface: give two fractions"),
                    };
                    let has_two_ends = self.live(*thing).iter().any(|live| live.key == "to_at");
                    let help = if has_two_ends {
                        format!("set \"{name}.from_at\" or \"{name}.to_at\"")
                    } else {
                        String::new()
                    };
                    self.report(span, message, help);
                    return vec![];
                }
                targets.push(movable[part]);
            }
            actions.push(Action::Set { targets, value: place[part], over, logarithmic: false });
        }
        actions
    }

    /// The parameters of a thing's place.
    fn place_of(&self, thing: Thing) -> Vec<Parameter> {
        let is_place = |key: &str| matches!(key, "at" | "across");
        self.live(thing).into_iter().filter(|live| is_place(&live.key)).map(|live| live.parameter).collect()
    }

    /// `strike`, `pluck`, `bow`, `damp`, `trigger`, `release`.
    fn play(&self, fields: &Fields<'_>, verb: &Verb) -> Vec<Action> {
        let over = fields.number_or("over", 0.0);
        let mut actions = Vec::new();
        for (name, span) in fields.texts(verb.key) {
            let Some(exciters) = self.find_exciters(name, span, "exciters") else { continue };
            if fields.has("at") {
                actions.extend(self.go(fields, name, span, "at"));
            }
            for exciter in exciters {
                let tool = &self.exciters[exciter.index()].tool;
                let info = tool.info();
                if verb.key != "release" && verb.key != info.verb {
                    let (kind, right) = (info.name, info.verb);
                    let help = format!("write `{right} = \"{name}\"`");
                    self.report(span, format!("`{name}` is a {kind}: `{}` does not play it", verb.key), help);
                    break;
                }
                if verb.key == "release" {
                    actions.push(Action::Release { exciter, over });
                    continue;
                }
                if let (Some(force), Some(pressed)) = (fields.number("force"), tool.pressed()) {
                    actions.push(Action::Set { targets: vec![pressed], value: force, over, logarithmic: false });
                }
                let Some(amount) = self.amount(fields, exciter) else { continue };
                actions.push(Action::Play { exciter, amount, over });
            }
        }
        actions
    }

    /// How hard an event plays an exciter.
    fn amount(&self, fields: &Fields<'_>, exciter: ExciterId) -> Option<f64> {
        let own = self.exciters[exciter.index()].tool.info().amount.key;
        if let Some(other) = ["velocity", "height", "factor"].into_iter().find(|key| *key != own && fields.has(key)) {
            let name = &self.exciters[exciter.index()].name;
            fields.report(other, format!("`{name}` is played with a `{own}`, not a `{other}`"), "");
            return None;
        }
        if fields.has(own) { fields.number(own) } else { Some(self.exciters[exciter.index()].amount) }
    }

    /// The exciters of a name, alone or in a group; what is wrong is reported.
    pub(crate) fn find_exciters(&self, name: &str, span: Span, what: &str) -> Option<Vec<ExciterId>> {
        if self.is_broken(name) {
            return None;
        }
        let exciter = |thing: &Thing| if let Thing::Exciter(index) = thing { Some(*index) } else { None };
        let found: Option<Vec<ExciterId>> =
            self.things.get(name).and_then(|things| things.iter().map(exciter).collect());
        if found.is_none() {
            let is_exciter = |things: &[Thing]| things.iter().all(|thing| exciter(thing).is_some());
            let names = self.names_of(Some(Family::Exciters), is_exciter);
            let message = match self.things.get(name) {
                Some(_) => format!("`{}` is not an exciter", shortened(name)),
                None => format!("there is no exciter `{}`", shortened(name)),
            };
            self.report(span, message, suggestion(name, what, names));
        }
        found
    }
}

fn targets_of(action: &Action) -> usize {
    if let Action::Set { targets, .. } = action { targets.len() } else { 1 }
}
