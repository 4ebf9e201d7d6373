//! Scenes that are used become part of the one that uses them: their names get a prefix, their places in lists move.
//!
//! The things of one family come in before the scene's own, and what exciters make stands where the reader puts what it makes itself, so that the
//! whole is written as any other scene is.

use ictus::id::{ContactId, ForceId, ObjectId, PickupId};
use ictus::model::{Interaction, Limits, Pickup, Point, Source, Target};

use super::draft::{Draft, Written};
use super::events::Knob;
use super::used::Used;
use crate::files::Recorded;
use crate::parameters::{Draw, FixedKey, Parts, Thing};
use crate::registry::Family;
use crate::scene::{Action, Control, Event, Exciter, NoteMap, Parameter, Scene, Stop, Voice};
use crate::units::Measure;
use crate::write::{MadeParts, made_parts};
use crate::{ControlId, ExciterId};

/// A scene on its way into another.
pub(super) struct Joined {
    used: Used,
    /// What its exciters make, if all of them make their parts.
    made: Option<MadeParts>,
    /// Where its things have come to stand, by where they stood.
    objects: Vec<usize>,
    contacts: Vec<usize>,
    forces: Vec<usize>,
    /// The first of its exciters, pickups and controls.
    exciters: usize,
    pickups: usize,
    pub(super) controls: usize,
}

const NOWHERE: usize = usize::MAX;

impl Joined {
    pub(super) fn new(used: Used) -> Self {
        let model = &used.scene.model;
        Self {
            made: made_parts(&used.scene),
            objects: vec![NOWHERE; model.objects.len()],
            contacts: vec![NOWHERE; model.interactions.len()],
            forces: vec![NOWHERE; model.forces.len()],
            exciters: 0,
            pickups: 0,
            controls: 0,
            used,
        }
    }

    pub(super) fn prefix(&self) -> &str {
        &self.used.prefix
    }

    pub(super) fn span(&self) -> crate::problem::Span {
        self.used.span
    }

    pub(super) fn scene(&self) -> &Scene {
        &self.used.scene
    }

    /// How many things it has.
    pub(super) fn count(&self) -> usize {
        let Scene { model, exciters, .. } = &self.used.scene;
        model.objects.len() + model.interactions.len() + model.forces.len() + model.pickups.len() + exciters.len()
    }

    /// How long it lasts, from the start of the scene that uses it, in s.
    pub(super) fn end(&self) -> f64 {
        self.used.time + self.used.scene.duration
    }

    /// The highest limits of this scene and of another. Interactions are counted together, by the other's limit.
    pub(super) fn widen(&self, limits: &mut Limits) {
        let own = self.used.scene.model.limits;
        limits.grid_points = limits.grid_points.max(own.grid_points);
        limits.modes = limits.modes.max(own.modes);
    }

    fn named(&self, name: &str) -> String {
        format!("{}.{name}", self.used.prefix)
    }

    fn point(&self, point: &Point) -> Point {
        Point { object: self.named(&point.object), place: point.place }
    }

    fn object(&self, id: ObjectId) -> ObjectId {
        ObjectId::new(self.objects.get(id.index()).copied().unwrap_or(NOWHERE))
    }

    fn contact(&self, id: ContactId) -> ContactId {
        ContactId::new(self.contacts.get(id.index()).copied().unwrap_or(NOWHERE))
    }

    fn force(&self, id: ForceId) -> ForceId {
        ForceId::new(self.forces.get(id.index()).copied().unwrap_or(NOWHERE))
    }

    fn exciter(&self, id: ExciterId) -> ExciterId {
        ExciterId::new(self.exciters + id.index())
    }

    fn pickup(&self, id: PickupId) -> PickupId {
        PickupId::new(self.pickups + id.index())
    }

    fn parameter(&self, parameter: Parameter) -> Parameter {
        match parameter {
            Parameter::Law(contact, place) => Parameter::Law(self.contact(contact), place),
            Parameter::Damping(contact) => Parameter::Damping(self.contact(contact)),
            Parameter::Gap(contact) => Parameter::Gap(self.contact(contact)),
            Parameter::Active(contact) => Parameter::Active(self.contact(contact)),
            Parameter::Travel(contact) => Parameter::Travel(self.contact(contact)),
            Parameter::Along(contact, end) => Parameter::Along(self.contact(contact), end),
            Parameter::Across(contact, end) => Parameter::Across(self.contact(contact), end),
            Parameter::Velocity(object) => Parameter::Velocity(self.object(object)),
            Parameter::Height(object) => Parameter::Height(self.object(object)),
            Parameter::Bend(object) => Parameter::Bend(self.object(object)),
            Parameter::Losses(object) => Parameter::Losses(self.object(object)),
            Parameter::Level(force) => Parameter::Level(self.force(force)),
            Parameter::Gain(pickup) => Parameter::Gain(self.pickup(pickup)),
            Parameter::Pan(pickup) => Parameter::Pan(self.pickup(pickup)),
            Parameter::PickupAlong(pickup) => Parameter::PickupAlong(self.pickup(pickup)),
            Parameter::PickupAcross(pickup) => Parameter::PickupAcross(self.pickup(pickup)),
            Parameter::Amount(exciter) => Parameter::Amount(self.exciter(exciter)),
            Parameter::Centre(exciter) => Parameter::Centre(self.exciter(exciter)),
        }
    }

    fn parameters(&self, all: &[Parameter]) -> Vec<Parameter> {
        all.iter().map(|parameter| self.parameter(*parameter)).collect()
    }

    fn thing(&self, thing: Thing) -> Thing {
        match thing {
            Thing::Object(index) => Thing::Object(self.objects[index]),
            Thing::Contact(index) => Thing::Contact(self.contacts[index]),
            Thing::Force(index) => Thing::Force(self.forces[index]),
            Thing::Exciter(exciter) => Thing::Exciter(self.exciter(exciter)),
            Thing::Pickup(index) => Thing::Pickup(self.pickups + index),
        }
    }

    fn action(&self, action: &Action) -> Action {
        let mut action = action.clone();
        match &mut action {
            Action::Play { exciter, .. } | Action::Release { exciter, .. } => *exciter = self.exciter(*exciter),
            Action::Set { targets, value, .. } => {
                *value *= self.factor_of(targets);
                *targets = self.parameters(targets);
            }
            Action::Turn { control, value, .. } => {
                let turned = self.used.scene.controls.get(control.index());
                *value *= turned.map_or(1.0, |turned| self.factor_of(&turned.targets));
                *control = ControlId::new(self.controls + control.index());
            }
            Action::NoteOn { .. } | Action::NoteOff { .. } | Action::Sustain(_) | Action::PitchBend(_) => {}
        }
        action
    }

    /// Its events, at the times of the scene that uses it.
    pub(super) fn events(&self) -> impl Iterator<Item = Event> {
        let event = |Event { time, action }: &Event| Event { time: self.used.time + time, action: self.action(action) };
        self.used.scene.score.iter().map(event)
    }

    /// Its keyboard.
    pub(super) fn notes(&self) -> Option<NoteMap> {
        let voice = |voice: &Voice| Voice {
            keys: voice.keys,
            exciter: self.exciter(voice.exciter),
            damper: voice.damper.map(|damper| self.exciter(damper)),
            string: voice.string.map(|string| self.object(string)),
            stop: voice
                .stop
                .as_ref()
                .map(|stop| Stop { finger: self.exciter(stop.finger), places: stop.places.clone() }),
        };
        let notes = self.used.scene.notes.as_ref()?;
        Some(NoteMap { voices: notes.voices.iter().map(voice).collect(), ..notes.clone() })
    }

    /// The numbers of its text by their paths, for the table of parameters.
    pub(super) fn keys(&self) -> impl Iterator<Item = FixedKey> {
        let key = |key: &FixedKey| FixedKey { path: self.named(&key.path), ..key.clone() };
        self.used.scene.written.keys.iter().map(key)
    }

    /// What was drawn in it.
    pub(super) fn draws(&self) -> impl Iterator<Item = Draw> {
        self.used.scene.written.draws.iter().map(|draw| Draw { path: self.named(&draw.path), ..draw.clone() })
    }

    /// Names of its controls.
    pub(super) fn control_names(&self) -> impl Iterator<Item = String> {
        self.used.scene.written.controls.iter().map(|name| self.named(name))
    }

    /// What its gains are multiplied by.
    fn factor(&self) -> f64 {
        self.used.gain * self.used.scene.output.gain
    }

    /// What a value of these parameters is multiplied by: gains are those that are heard here.
    fn factor_of(&self, targets: &[Parameter]) -> f64 {
        let is_gain = |target: &Parameter| matches!(target, Parameter::Gain(_));
        let factor = self.factor();
        if factor > 0.0 && !targets.is_empty() && targets.iter().all(is_gain) { factor } else { 1.0 }
    }

    /// Its gains in a scene of so many channels; none if it has more. One channel is heard from the middle.
    fn gains(&self, own: &[f64], channels: usize) -> Option<Vec<f64>> {
        let factor = self.factor();
        let mut gains: Vec<f64> = own.iter().map(|gain| factor * gain).collect();
        if let (&[only], 2..) = (&gains[..], channels) {
            let half = only * std::f64::consts::FRAC_1_SQRT_2;
            gains = vec![half, half];
        }
        gains.resize(channels.max(gains.len()), 0.0);
        (gains.len() == channels).then_some(gains)
    }
}

impl Draft<'_> {
    /// Takes in what scenes that are used have of a family.
    pub(super) fn join(&mut self, joined: &mut [Joined], family: Family) {
        for each in joined {
            match family {
                Family::Objects => self.join_objects(each),
                Family::Exciters => self.join_exciters(each),
                Family::Contacts => self.join_contacts(each),
                Family::Forces => self.join_forces(each),
                Family::Pickups => self.join_pickups(each),
                Family::Sets | Family::Showers | Family::Controls => continue,
            }
            let is_of_family = |thing: &Thing| {
                matches!(
                    (thing, family),
                    (Thing::Object(_), Family::Objects)
                        | (Thing::Exciter(_), Family::Exciters)
                        | (Thing::Contact(_), Family::Contacts)
                        | (Thing::Force(_), Family::Forces)
                        | (Thing::Pickup(_), Family::Pickups)
                )
            };
            for (name, things) in &each.used.scene.written.names {
                if things.iter().all(is_of_family) {
                    let things = things.iter().map(|thing| each.thing(*thing)).collect();
                    self.things.insert(each.named(name), things);
                }
            }
        }
    }

    fn join_object(&mut self, joined: &mut Joined, index: usize) {
        let object = &joined.used.scene.model.objects[index];
        let written =
            Written { span: joined.used.span, grid: None, t60: None, kind: object.spec.kind(), is_faulty: false };
        joined.objects[index] = self.add_object(joined.named(&object.name), object.spec.clone(), written);
        self.model.objects[joined.objects[index]].start = object.start;
    }

    fn join_contact(&mut self, joined: &mut Joined, index: usize) {
        let contact = &joined.used.scene.model.interactions[index];
        let moved = Interaction {
            name: joined.named(&contact.name),
            from: joined.point(&contact.from),
            to: joined.point(&contact.to),
            ..contact.clone()
        };
        joined.contacts[index] = self.add_contact(moved, joined.used.span);
    }

    fn join_force(&mut self, joined: &mut Joined, index: usize) {
        let force = &joined.used.scene.model.forces[index];
        let place = self.model.forces.len();
        let (name, at) = (joined.named(&force.name), joined.point(&force.at));
        self.model.forces.push(ictus::model::Force { name, at, ..force.clone() });
        self.forces.push(joined.used.span);
        joined.forces[index] = place;
        let recorded = joined.used.scene.written.recordings.iter().filter(|recorded| recorded.force == index);
        self.recordings.extend(recorded.map(|recorded| Recorded {
            force: place,
            file: format!("{}{}", joined.used.folder, recorded.file),
            ..recorded.clone()
        }));
    }

    fn join_objects(&mut self, joined: &mut Joined) {
        let made = joined.made.as_ref().map_or(0, |made| made.objects.len());
        (0..joined.objects.len() - made).for_each(|index| self.join_object(joined, index));
    }

    /// Exciters with what they make. Where some are of contacts and forces that have their own tables, these come with them.
    fn join_exciters(&mut self, joined: &mut Joined) {
        let all = |count: usize| (0..count).collect::<Vec<_>>();
        let made = joined.made.clone().unwrap_or_else(|| MadeParts {
            contacts: all(joined.contacts.len()),
            forces: all(joined.forces.len()),
            ..MadeParts::of_parts()
        });
        made.objects.iter().for_each(|index| self.join_object(joined, *index));
        made.contacts.iter().for_each(|index| self.join_contact(joined, *index));
        made.forces.iter().for_each(|index| self.join_force(joined, *index));
        joined.exciters = self.exciters.len();
        let scene = &joined.used.scene;
        for Exciter { name, tool, amount } in &scene.exciters {
            let played = tool
                .point(&scene.model)
                .and_then(|point| scene.model.objects.iter().position(|object| object.name == point.object));
            let mut parts = tool.parts();
            parts.body = parts.body.map(|body| joined.object(body));
            parts.contact = parts.contact.map(|contact| joined.contact(contact));
            parts.force = parts.force.map(|force| joined.force(force));
            parts.plucked = parts.plucked.map(|object| joined.object(object));
            let exciter = Exciter { name: joined.named(name), tool: tool.with_parts(parts), amount: *amount };
            self.add_exciter(exciter, played.map_or(NOWHERE, |played| joined.objects[played]));
        }
        let voices = scene.notes.iter().flat_map(|notes| &notes.voices).filter(|voice| voice.keys != [0, 127]);
        for voice in voices {
            let exciter = self.played[joined.exciter(voice.exciter).index()];
            self.keys.insert(exciter, voice.keys);
        }
    }

    fn join_contacts(&mut self, joined: &mut Joined) {
        for index in 0..joined.contacts.len() {
            if joined.contacts[index] == NOWHERE {
                self.join_contact(joined, index);
            }
        }
    }

    fn join_forces(&mut self, joined: &mut Joined) {
        for index in 0..joined.forces.len() {
            if joined.forces[index] == NOWHERE {
                self.join_force(joined, index);
            }
        }
    }

    fn join_pickups(&mut self, joined: &mut Joined) {
        joined.pickups = self.model.pickups.len();
        for (index, Pickup { source, gains }) in joined.used.scene.model.pickups.iter().enumerate() {
            let (own, channels) = (gains.len(), self.channels);
            let (gain, direction) = joined.used.scene.written.heard.of(index, gains);
            // Where it would be heard, which its gains cannot tell if they are 0.
            let direction = joined.gains(&direction, channels).filter(|_| gain == 0.0 && joined.factor() != 0.0);
            let gains = joined.gains(gains, channels).unwrap_or_else(|| {
                let message = format!("`{}` has {own} channels, this scene {channels}", joined.used.prefix);
                self.report(joined.used.span, message, format!("write [output] with channels = {own}"));
                vec![0.0; channels]
            });
            let kind = source.info().name;
            let source = match source.target() {
                Target::Point(point) => Source::at_point(kind, joined.point(point)),
                Target::Interaction(name) => Source::at_interaction(kind, joined.named(name)),
                _ => None,
            };
            if let Some(source) = source {
                if let Some(direction) = direction {
                    let factor = joined.factor();
                    self.heard.note(
                        self.model.pickups.len(),
                        0.0,
                        direction.iter().map(|gain| gain / factor).collect(),
                    );
                }
                self.model.pickups.push(Pickup { source, gains });
                self.pickups.push(joined.used.span);
            }
        }
    }

    /// The controls of scenes that are used, by the names that they have here.
    pub(super) fn join_controls<'k>(&self, joined: &mut [Joined], names: &'k [String]) -> Vec<Knob<'k>> {
        let parts = Parts { model: &self.model, exciters: &self.exciters, heard: &self.heard };
        let measure_of = |parameter: &Parameter| -> Option<Measure> {
            let all = self.things.values().flatten().flat_map(|thing| parts.live(*thing));
            all.into_iter().find(|live| live.parameter == *parameter).map(|live| live.measure)
        };
        let mut knobs: Vec<Knob<'k>> = Vec::new();
        for each in joined {
            each.controls = knobs.len();
            for control in &each.used.scene.controls {
                let targets = each.parameters(&control.targets);
                let measure = targets.first().and_then(measure_of).unwrap_or(crate::units::NUMBER);
                let factor = each.factor_of(&control.targets);
                let (range, value) = (control.range.map(|end| factor * end), factor * control.value);
                let control = Control { name: each.named(&control.name), targets, range, value, ..control.clone() };
                if let Some(key) = names.get(knobs.len()) {
                    knobs.push(Knob { key, control, measure });
                }
            }
        }
        knobs
    }
}
