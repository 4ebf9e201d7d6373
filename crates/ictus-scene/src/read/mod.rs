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
mod joined;
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
mod things;
mod used;
mod variation;

pub(crate) use contacts::{read_law, rule};
pub(crate) use draft::Draft;
pub(crate) use exciters::{Made, Naming, parts_info};
pub(crate) use fields::Fields;
pub(crate) use notes::{can_bend, keys_of};
pub(crate) use quantity::shortened;
pub(crate) use things::can_be_name;

use std::collections::BTreeMap;

use ictus::math::Plain;
use ictus::model::Limits;

use context::Context;
use events::{Knob, MOST_EVENTS, Playing};
use joined::Joined;
use paths::Targets;
use things::{THINGS, family};

use crate::parameters::Written;
use crate::problem::{Found, Problems, Span};
use crate::registry::{Family, whole};
use crate::scene::{Action, Event, Output, Scene};
use crate::source::{MOST_BYTES, Source};
use crate::tree::{self, Node, Table};

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
    read_within(source, options, None)
}

/// Reads a scene, for another that uses it or for itself.
fn read_within(source: &Source, options: &Reading, above: Option<&Context>) -> Result<Scene, Problems> {
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
    context.files.clone_from(&source.files);
    context.begin(&source.text, above);
    for (number, (name, value)) in options.overrides.iter().enumerate() {
        if context.is_full() {
            break;
        }
        if overrides::only_live(name, value).is_some() || used::split(&context, &table, name).is_some() {
            continue;
        }
        if let Err(found) = overrides::apply(&mut table, number, name, value) {
            context.report(found);
        }
    }
    variation::mark(&mut table);
    let scene = read_table(&mut context, &table, options);
    if let Some(above) = above {
        above.take_rooms_of(&context);
    }
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
    let used::Reads { all, broken } = used::read(context, &fields, options);
    let mut joined: Vec<Joined> = all.into_iter().map(Joined::new).collect();
    // What it uses is heard to its end.
    let own = |fields: &Fields<'_>| match joined.iter().map(Joined::end).reduce(f64::max) {
        Some(end) if !fields.has("duration") => end,
        _ => fields.number_or("duration", 4.0),
    };
    let duration = options.duration.unwrap_or_else(|| own(&fields));
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
    draft.broken.extend(broken.into_iter().map(|prefix| (prefix, Family::Objects)));
    joined.iter().for_each(|each| each.widen(&mut draft.model.limits));
    let sets = draft.read_things(table, &mut joined);
    let used_controls: Vec<String> = joined.iter().flat_map(Joined::control_names).collect();
    let mut controls = draft.join_controls(&mut joined, &used_controls);
    let own_controls = family(table, Family::Controls).filter_map(|(key, node)| {
        draft.check_name(key, &mut BTreeMap::new());
        let (control, measure) = draft.read_control(&key.name, key.span, node.table()?)?;
        Some(Knob { key: &key.name, control, measure })
    });
    controls.extend(own_controls);
    let own_notes = fields.nested("notes").and_then(|notes| draft.read_notes(&notes));
    // One that is used lends its keyboard where it is the only one.
    let mut keyboards = joined.iter().filter_map(Joined::notes);
    let notes = if fields.has("notes") { own_notes } else { keyboards.next().filter(|_| keyboards.next().is_none()) };
    let own_names = family(table, Family::Controls).map(|(key, _)| &*key.name);
    let control_names = used_controls.iter().map(String::as_str).chain(own_names).collect();
    let playing = Playing { controls: &controls, control_names, has_notes: fields.has("notes") || notes.is_some() };
    let score = fields.node("events").and_then(Node::list).map(|nodes| draft.read_events(nodes, &playing));
    let mut score = score.unwrap_or_default();
    if !joined.is_empty() {
        score.extend(joined.iter().flat_map(Joined::events));
        score.sort_by(|a, b| a.time.total_cmp(&b.time));
        if score.len() > MOST_EVENTS {
            let message = format!("with those of the scenes that it uses the scene has more than {MOST_EVENTS} events");
            fields.report("use", message, "");
        }
    }
    for (number, (name, value)) in options.overrides.iter().enumerate() {
        if let Some(value) = overrides::only_live(name, value)
            && used::split(context, table, name).is_none()
            && let Some(Targets { parameters: targets, .. }) = draft.targets(name, Span::Override(number))
        {
            let action = Action::Set { targets, value, over: 0.0, logarithmic: false };
            score.insert(0, Event { time: 0.0, action });
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
        heard: std::mem::take(&mut draft.heard),
        recordings: std::mem::take(&mut draft.recordings),
        controls: controls.iter().map(|knob| knob.key.to_owned()).collect(),
        keys: keys::of(context, text).into_iter().chain(joined.iter().flat_map(Joined::keys)).collect(),
        draws: context.take_draws().into_iter().chain(joined.iter().flat_map(Joined::draws)).collect(),
        is_random: context.is_random() || joined.iter().any(|each| each.scene().is_random()),
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
