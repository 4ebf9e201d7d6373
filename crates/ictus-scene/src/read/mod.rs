//! From text to scene.
//!
//! The text becomes a tree with places, every table is checked against its list of keys, names are resolved, sets are written out,
//! and the model is built once to see whether physics agrees. All that is wrong is told at once.

mod check;
mod contacts;
mod context;
mod controls;
pub(crate) mod crowd;
mod draft;
mod events;
mod exciters;
mod fields;
mod gravity;
mod keys;
pub(crate) mod notes;
mod occasions;
mod overrides;
mod paths;
pub(crate) mod physics;
mod pickups;
mod points;
mod quantity;
mod sets;
mod showers;
mod variation;

pub(crate) use contacts::{read_law, rule};
pub(crate) use draft::Draft;
pub(crate) use exciters::{Made, Naming, parts_info};
pub(crate) use fields::Fields;
pub(crate) use notes::{can_bend, keys_of};

use std::collections::BTreeMap;

use ictus::math::Plain;
use ictus::model::Limits;

use crate::parameters::Thing;
use context::Context;
use draft::{Scope, SetDraft};
use events::{Knob, Playing};
use paths::Targets;

use crate::parameters::Written;
use crate::problem::{Found, Problems, Span};
use crate::registry::{Family, whole};
use crate::scene::{Action, Event, Output, Scene};
use crate::source::{MOST_BYTES, Source};
use crate::tree::{self, Key, Node, Table};

/// Most objects, contacts, exciters, forces and pickups each, sets written out.
const MOST_THINGS: usize = 10_000;

/// Longest name of a table, in bytes.
const MOST_NAME: usize = 100;

/// What may differ from the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Sample rate in Hz instead of the scene's.
    pub rate: Option<f64>,
    /// Seed instead of the scene's.
    pub seed: Option<u64>,
    /// Duration in s instead of the scene's.
    pub duration: Option<f64>,
    /// Values by name: a control's starting value, or any key by its path (`string.length`, `output.gain`, `bars.object.length`).
    /// Values are TOML, or texts without quotation marks.
    pub overrides: Vec<(String, String)>,
}

/// Reads a scene.
///
/// # Errors
/// All that is wrong with the text, with the places.
pub fn read(source: &Source, options: &Reading) -> Result<Scene, Problems> {
    let refused = |found| Err(Problems::new(source, found));
    if source.text.len() > MOST_BYTES {
        let message = format!("this text is larger than {} MB, the most a scene may have", MOST_BYTES >> 20);
        return refused(vec![Found::new(Span::Text { start: 0, end: 0 }, message)]);
    }
    if let Err(found) = overrides::check_size(&options.overrides) {
        return refused(vec![found]);
    }
    let mut table = match tree::parse(&source.text) {
        Ok(table) => table,
        Err(found) => return refused(found),
    };
    let mut context = Context::new(options.overrides.clone());
    for (number, (name, value)) in options.overrides.iter().enumerate() {
        if context.is_full() {
            break;
        }
        if overrides::only_live(name, value).is_some() {
            continue;
        }
        if let Err(found) = overrides::apply(&mut table, number, name, value) {
            context.report(found);
        }
    }
    variation::mark(&mut table);
    let scene = read_table(&mut context, &table, options);
    match scene {
        Some(scene) if !context.has_problems() => Ok(scene),
        _ => refused(context.take()),
    }
}

fn read_table(context: &mut Context, table: &Table, options: &Reading) -> Option<Scene> {
    let start = Span::Text { start: 0, end: 0 };
    // The tuning must be known before notes are read, the rate before anything is.
    {
        let mut quiet = Context::new(vec![]);
        let written = |quiet: &Context| Fields::new(quiet, whole::scene(), table, start, None).whole("seed");
        let seed = options.seed.or_else(|| written(&quiet).map(|seed| seed as u64)).unwrap_or(quiet.seed);
        quiet.seed = seed;
        let first = Fields::new(&quiet, whole::scene(), table, start, None);
        let (tuning, rate) = (first.number_or("tuning", 440.0), first.number_or("rate", 48_000.0));
        context.beat = 60.0 / first.number_or("tempo", 120.0);
        context.tuning = tuning;
        context.cents = first.nested("notes").and_then(|notes| notes.cents()).unwrap_or_default();
        context.rate = options.rate.unwrap_or(rate);
        context.seed = seed;
    }
    let context = &*context;
    if !(1.0..=1e7).contains(&context.rate) {
        context
            .report(Found::new(start, format!("the rate is {} Hz, must be from 1 Hz to 10 MHz", Plain(context.rate))));
        return None;
    }
    let fields = Fields::new(context, whole::scene(), table, start, None);
    let duration = options.duration.unwrap_or_else(|| fields.number_or("duration", 4.0));
    if !(duration > 0.0 && duration <= 3600.0) {
        context.report(Found::new(
            start,
            format!("the duration is {} s, must be above 0 and at most 3600 s", Plain(duration)),
        ));
    }
    // Showers become hammers and events; what the text itself has is listed without them.
    let text = table;
    let expanded = showers::expanded(context, table);
    let table = expanded.as_ref().unwrap_or(table);
    let fields = Fields::of_known_keys(context, whole::scene(), table, start, None);
    let output = fields.nested("output");
    let output = output.as_ref();
    let channels = output.and_then(|output| output.whole("channels")).unwrap_or(2).clamp(1, 64);
    let mut draft = Draft::new(context, channels);
    draft.model.limits = limits(&fields);
    let sets = draft.read_things(table);
    let controls: Vec<_> = family(table, Family::Controls)
        .filter_map(|(key, node)| {
            draft.check_name(key, &mut BTreeMap::new());
            let (control, measure) = draft.read_control(&key.name, key.span, node.table()?)?;
            Some(Knob { key: &key.name, control, measure })
        })
        .collect();
    let notes = fields.nested("notes").and_then(|notes| draft.read_notes(&notes));
    let control_names = family(table, Family::Controls).map(|(key, _)| &*key.name).collect();
    let playing = Playing { controls: &controls, control_names, has_notes: fields.has("notes") };
    let score = fields.node("events").and_then(Node::list).map(|nodes| draft.read_events(nodes, &playing));
    let mut score = score.unwrap_or_default();
    for (number, (name, value)) in options.overrides.iter().enumerate() {
        if let Some(value) = overrides::only_live(name, value)
            && let Some(Targets { parameters: targets, .. }) = draft.targets(name, Span::Override(number))
        {
            score.insert(0, Event { time: 0.0, action: Action::Set { targets, value, over: 0.0 } });
        }
    }
    drop(sets);
    if draft.model.pickups.is_empty() && !context.has_problems() {
        let message = "nothing listens: the scene has no pickup";
        context.report(Found::new(start, message).help("add [pickups.NAME] with at = \"…\""));
    }
    if context.has_problems() {
        draft.check_objects();
        return None;
    }
    draft.check_held();
    draft.check_physics();
    let written = Written {
        names: std::mem::take(&mut draft.things),
        silent: std::mem::take(&mut draft.silent),
        controls: controls.iter().map(|knob| knob.key.to_owned()).collect(),
        keys: keys::of(context, text),
        draws: context.take_draws(),
        is_random: context.is_random(),
        beat: Some(context.beat),
    };
    let or = Output::default();
    let number = |key: &str, default: f64| output.map_or(default, |output| output.number_or(key, default));
    Some(Scene {
        title: fields.text("title")?.to_owned(),
        about: fields.text("about").unwrap_or_default().to_owned(),
        duration,
        seed: context.seed,
        exciters: draft.exciters,
        score,
        controls: controls.into_iter().map(|knob| knob.control).collect(),
        notes,
        output: Output {
            gain: number("gain", or.gain),
            highpass: number("highpass", or.highpass),
            fade: number("fade", or.fade),
        },
        model: draft.model,
        written,
    })
}

fn limits(fields: &Fields<'_>) -> Limits {
    let default = Limits::default();
    let Some(limits) = fields.nested("limits") else { return default };
    Limits {
        grid_points: limits.whole("grid_points").unwrap_or(default.grid_points),
        modes: limits.whole("modes").unwrap_or(default.modes),
        products: limits.whole("products").unwrap_or(default.products),
        interactions: limits.whole("interactions").unwrap_or(default.interactions),
        contact_events: limits.whole("contact_events").unwrap_or(default.contact_events),
    }
}

/// Whether a table can be called so. Sets make names such as `bars.C#4+10c`: written out, they stand in quotation marks.
pub(crate) fn can_be_name(name: &str) -> bool {
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '#' | '+');
    let parts_are_whole = name.split('.').all(|part| !part.is_empty() && part != "each");
    name.len() <= MOST_NAME && parts_are_whole && name.chars().all(good)
}

/// The tables of a family, in the order of the text.
fn family(table: &Table, family: Family) -> impl Iterator<Item = &(Key, Node)> {
    table.get(family.key()).and_then(Node::table).map(|table| &*table.entries).unwrap_or_default().iter()
}

/// The families whose names are the scene's, in the order in which they can refer to each other.
const THINGS: [Family; 5] = [Family::Objects, Family::Exciters, Family::Contacts, Family::Forces, Family::Pickups];

impl Draft<'_> {
    /// Objects, exciters, contacts, forces and pickups of the scene and of its sets.
    fn read_things(&mut self, table: &Table) -> Vec<(SetDraft, Table)> {
        let mut names = BTreeMap::new();
        for each in THINGS.into_iter().chain([Family::Sets]) {
            for (key, node) in family(table, each) {
                self.check_name(key, &mut names);
                if node.table().is_none() {
                    self.report(node.span, format!("`{}` is {}, must be a table", key.name, node.kind()), "");
                }
            }
        }
        self.check_foreign_names(table);
        let mut sets = Vec::new();
        for (key, node) in family(table, Family::Sets) {
            let Some(inner) = node.table() else { continue };
            let mut names = BTreeMap::new();
            for (key, _) in THINGS.iter().flat_map(|each| family(inner, *each)) {
                self.check_name(key, &mut names);
                if key.name.contains('.') {
                    self.report(
                        key.span,
                        format!("in a set `{}` cannot be a name", quantity::shortened(&key.name)),
                        "",
                    );
                }
            }
            match self.read_set(&key.name, key.span, inner) {
                Some(set) => {
                    self.check_suffixes(&set, inner);
                    sets.push((set, inner.clone()));
                }
                None => {
                    self.broken.insert(key.name.clone(), Family::Objects);
                    for each in THINGS {
                        let names = family(inner, each).map(|(inner, _)| format!("{}.{}", key.name, inner.name));
                        self.broken.extend(names.map(|name| (name, each)));
                    }
                }
            }
        }
        if !self.has_room(table, &sets) {
            return sets;
        }
        for (set, inner) in &sets {
            self.read_each(set, inner);
            for suffix in &set.suffixes {
                let each = format!("{}.{suffix}", set.name);
                if !self.things.contains_key(&each) {
                    self.broken.insert(each, Family::Objects);
                }
            }
            if !self.things.contains_key(&set.name) {
                self.broken.insert(set.name.clone(), Family::Objects);
            }
        }
        let mut of_parts = Vec::new();
        for each in THINGS {
            if each == Family::Pickups {
                for (place, key, table) in of_parts.drain(..) {
                    let (key, table): (&Key, &Table) = (key, table);
                    self.read_parts(place, &key.name, key.span, table);
                    if !self.things.contains_key(&key.name) {
                        self.break_name(Family::Exciters, Scope::SCENE, &key.name);
                    }
                }
            }
            for (key, node) in family(table, each) {
                match node.table().filter(|inner| each == Family::Exciters && inner.get("of").is_some()) {
                    Some(inner) => of_parts.push((self.reserve_exciter(&key.name), key, inner)),
                    None => self.read_thing(each, key, node, Scope::SCENE),
                }
            }
            for (set, inner) in &sets {
                for (key, node) in family(inner, each) {
                    let before = self.context.count();
                    for index in 0..set.count() {
                        self.read_thing(each, key, node, Scope { set: Some((set, index)) });
                        if self.context.count() > before {
                            // What is wrong for one note is wrong for the others.
                            self.broken.insert(format!("{}.{}", set.name, key.name), each);
                            break;
                        }
                    }
                }
            }
        }
        sets
    }

    fn read_thing(&mut self, family: Family, key: &Key, node: &Node, scope: Scope<'_>) {
        let Some(table) = node.table() else { return };
        if self.context.is_full() {
            return;
        }
        let full_name = scope.full_name(&key.name);
        match family {
            Family::Objects => {
                if let Some(object) = self.read_object(&full_name, key.span, table, scope, None) {
                    self.name(scope, &key.name, Thing::Object(object));
                }
            }
            Family::Contacts => self.read_contact(&key.name, key.span, table, scope),
            Family::Exciters => self.read_exciter(&key.name, key.span, table, scope),
            Family::Forces => self.read_force(&key.name, key.span, table, scope),
            Family::Pickups => self.read_pickup(&key.name, key.span, table, scope),
            Family::Sets | Family::Showers | Family::Controls => {}
        }
        if !self.things.contains_key(&full_name) {
            self.break_name(family, scope, &key.name);
        }
    }

    /// Names are letters, digits, `-` and `_`, and in quotation marks what sets make of them too; each stands once.
    fn check_name(&self, key: &Key, names: &mut BTreeMap<String, ()>) {
        if !can_be_name(&key.name) {
            let message = format!("`{}` cannot be a name", quantity::shortened(&key.name));
            self.report(key.span, message, "names are letters, digits, - and _, and not `each`");
        }
        if names.insert(key.name.clone(), ()).is_some() {
            let message = format!("the name `{}` is used twice", quantity::shortened(&key.name));
            self.report(key.span, message, "objects, contacts, exciters, forces, pickups and sets share their names");
        }
    }

    /// What is called like a thing of a set, in quotation marks, must not be in a scene that has the set.
    fn check_foreign_names(&self, table: &Table) {
        let is_set = |name: &str| family(table, Family::Sets).any(|(key, _)| key.name == name);
        for (key, _) in THINGS.iter().flat_map(|each| family(table, *each)) {
            if let Some((set, _)) = key.name.split_once('.').filter(|(set, _)| is_set(set)) {
                let message = format!("`{}` is a name of the set `{set}`", quantity::shortened(&key.name));
                self.report(key.span, message, "give it another name, or write it into the set");
            }
        }
        for (key, _) in family(table, Family::Sets).filter(|(key, _)| key.name.contains('.')) {
            self.report(key.span, format!("`{}` cannot be the name of a set", quantity::shortened(&key.name)), "");
        }
    }

    /// What a set calls its things must not be what it calls its notes: `bars.C4` is a bar.
    fn check_suffixes(&self, set: &SetDraft, inner: &Table) {
        for (key, _) in THINGS.iter().flat_map(|each| family(inner, *each)) {
            if set.suffixes.contains(&key.name) {
                let message = format!("`{}` is the name of a note of this set", key.name);
                self.report(key.span, message, "give it another name");
            }
        }
    }

    /// Whether the scene, its sets written out, is not too large to look at.
    fn has_room(&self, table: &Table, sets: &[(SetDraft, Table)]) -> bool {
        let own: usize = THINGS.iter().map(|each| family(table, *each).count()).sum();
        let copies = |(set, inner): &(SetDraft, Table)| {
            set.count() * (1 + THINGS.iter().map(|each| family(inner, *each).count()).sum::<usize>())
        };
        let count = own + sets.iter().map(copies).sum::<usize>();
        if count > MOST_THINGS {
            let message =
                format!("the scene has {count} objects, contacts, exciters, forces and pickups; at most {MOST_THINGS}");
            self.report(Span::Text { start: 0, end: 0 }, message, "use fewer notes in its sets");
        }
        count <= MOST_THINGS
    }
}
