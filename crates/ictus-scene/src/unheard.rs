//! Changes of a scene that nobody hears: a value that the score says anew wherever it matters, or of what it never plays.
//!
//! Two scenes of one text are compared, before and after a change. What cannot sound is taken from the one into the other; if that makes them
//! the same, the change is not heard. Where it is doubtful, it is taken to be heard: a warning is always right.

use std::collections::BTreeSet;

use ictus::math::Plain;
use ictus::model::Target;

use crate::ExciterId;
use crate::problem::{Found, Problem, Problems, Span};
use crate::read::{Reading, read};
use crate::scene::{Action, Event, Parameter, Parts, Scene};
use crate::source::Source;
use crate::tree::{self, Node, Table};

/// Most values of a reading that are looked at: each is another reading.
const MOST_LOOKED_AT: usize = 8;

/// The values of a reading that are not heard when the score is played, each with why. The text is where the scene was read from.
pub fn unheard_values(scene: &Scene, source: &Source, reading: &Reading) -> Vec<Problem> {
    let mut found = Vec::new();
    let is_for_ears = |(_, (path, _)): &(usize, &(String, String))| !matches!(&**path, "title" | "about");
    for (number, (path, _)) in reading.overrides.iter().enumerate().filter(is_for_ears).take(MOST_LOOKED_AT) {
        let mut without = reading.clone();
        without.overrides.remove(number);
        let Ok(before) = read(source, &without) else { continue };
        if let Some(Problem { message, help, .. }) = unheard(path, &before, scene, source) {
            found.push(Found::new(Span::Override(number), message).help(help));
        }
    }
    Problems::new(source, found).iter().cloned().collect()
}

/// Why nobody hears that a path has another value in one scene than in the other, both read from this text; nothing if it may be heard, or
/// if the scenes are the same.
pub fn unheard(path: &str, one: &Scene, other: &Scene, source: &Source) -> Option<Problem> {
    let (mut one, mut other) = (one.clone(), other.clone());
    if one == other {
        return None;
    }
    let whole = one.whole_path(path);
    let path = whole.as_deref().unwrap_or(path);
    let name = path.rsplit_once('.').map_or(path, |(name, _)| name);
    let end = Plain(one.duration);
    let found = |why: String| Found::new(Span::Override(0), format!("`{path}` is not heard: {why}"));
    let told = |found: Found| Problems::new(source, vec![found]).iter().next().cloned();

    (other.title, other.about) = (one.title.clone(), one.about.clone());
    if one == other {
        return told(found("it is for people to read".to_owned()));
    }
    one.score.retain(|event| event.time < one.duration);
    other.score.retain(|event| event.time < other.duration);
    if one == other {
        return told(found(format!("the scene ends before it happens, at {end} s")));
    }
    if !one.score.iter().chain(&other.score).any(plays_notes) {
        other.notes = one.notes.clone();
        if one == other {
            return told(found(format!("no event before the end at {end} s plays a note")));
        }
    }
    let played: BTreeSet<ExciterId> = played(&one).union(&played(&other)).copied().collect();
    take_amounts(&one, &mut other);
    if one == other {
        return told(match played.iter().any(|exciter| is_called(&one, *exciter, name)) {
            true => {
                let key = path.rsplit('.').next().unwrap_or(path);
                let found = found(format!("each event that plays `{name}` has a `{key}` of its own"));
                match event_with(source, name, key) {
                    Some(number) => found.help(format!("change `events.{number}.{key}`, or take it out of the events")),
                    None => found,
                }
            }
            false => found(format!("nothing plays `{name}` before the end at {end} s")),
        });
    }
    take_idle(&one, &mut other, &played);
    (one == other).then(|| found(format!("nothing plays `{name}` before the end at {end} s"))).and_then(told)
}

fn plays_notes(event: &Event) -> bool {
    matches!(event.action, Action::NoteOn { .. } | Action::NoteOff { .. } | Action::Sustain(_))
}

/// What the score and the controls set: all parameters of events, and of controls that are turned or stand at a given value.
fn set(scene: &Scene) -> Vec<Parameter> {
    let turned = |index: usize| {
        let is_turned =
            |event: &Event| matches!(event.action, Action::Turn { control, .. } if control.index() == index);
        scene.score.iter().any(is_turned)
    };
    let controls = scene.controls.iter().enumerate().filter(|(index, control)| control.is_given || turned(*index));
    let by_events = scene.score.iter().filter_map(|event| match &event.action {
        Action::Set { targets, .. } => Some(targets),
        _ => None,
    });
    controls.map(|(_, control)| &control.targets).chain(by_events).flatten().copied().collect()
}

/// The exciters that may play: events name them, notes may choose them, or something sets a part of them.
fn played(scene: &Scene) -> BTreeSet<ExciterId> {
    let all = || (0..scene.exciters.len()).map(ExciterId::new);
    if scene.score.iter().any(plays_notes) {
        return all().collect();
    }
    let mut played: BTreeSet<ExciterId> = BTreeSet::new();
    for event in &scene.score {
        if let Action::Play { exciter, .. } = event.action {
            played.insert(exciter);
        }
    }
    let set = set(scene);
    played.extend(all().filter(|exciter| set.iter().any(|target| belongs(scene, *target, *exciter))));
    played
}

/// Whether a parameter is one of a tool: of its contact, of what it moves, or its own.
fn belongs(scene: &Scene, target: Parameter, tool: ExciterId) -> bool {
    let Parts { body, contact, force, .. } = scene.exciters[tool.index()].tool.parts();
    match target {
        Parameter::Law(id, _)
        | Parameter::Damping(id)
        | Parameter::Gap(id)
        | Parameter::Active(id)
        | Parameter::Travel(id)
        | Parameter::Along(id, _)
        | Parameter::Across(id, _) => contact == Some(id),
        Parameter::Velocity(id) | Parameter::Height(id) => body == Some(id),
        Parameter::Level(id) => force == Some(id),
        Parameter::Amount(id) | Parameter::Centre(id) => id == tool,
        Parameter::Bend(_)
        | Parameter::Losses(_)
        | Parameter::Gain(_)
        | Parameter::Pan(_)
        | Parameter::PickupAlong(_)
        | Parameter::PickupAcross(_) => false,
    }
}

/// Whether an exciter is what a path calls so: itself, or one of a group of that name.
fn is_called(scene: &Scene, exciter: ExciterId, name: &str) -> bool {
    is_of(&scene.exciters[exciter.index()].name, name)
}

/// Whether a name is another one, or that of one of its group: `bars.mallet.C4` of `bars.mallet`.
fn is_of(own: &str, name: &str) -> bool {
    own == name || own.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))
}

/// How hard exciters play when nothing else is said: all events of a scene that was read say it. A finger that a note lets go of plays with its own,
/// and what is set over a time starts from it.
fn take_amounts(one: &Scene, other: &mut Scene) {
    if one.exciters.len() != other.exciters.len() {
        return;
    }
    let has_notes = one.score.iter().chain(&other.score).any(plays_notes);
    let set: Vec<Parameter> = set(one).into_iter().chain(set(other)).collect();
    for (index, (from, to)) in one.exciters.iter().zip(&mut other.exciters).enumerate() {
        let is_set = set.contains(&Parameter::Amount(ExciterId::new(index)));
        if !(is_set || has_notes && from.tool.info().goes_on) {
            to.amount = from.amount;
        }
    }
}

/// The tools that never play: themselves, their contacts, which are open, and the masses that wait for them.
fn take_idle(one: &Scene, other: &mut Scene, played: &BTreeSet<ExciterId>) {
    let sizes = |scene: &Scene| {
        let model = &scene.model;
        (scene.exciters.len(), model.objects.len(), model.interactions.len(), model.pickups.len(), model.forces.len())
    };
    if sizes(one) != sizes(other) {
        return;
    }
    for index in (0..one.exciters.len()).filter(|index| !played.contains(&ExciterId::new(*index))) {
        let Parts { body, contact, force, .. } = one.exciters[index].tool.parts();
        let (false, Some(contact)) = (force.is_some(), contact) else { continue };
        let contact = contact.index();
        let is_open = |scene: &Scene| scene.model.interactions.get(contact).is_some_and(|contact| !contact.active);
        if other.exciters[index].tool.parts() != one.exciters[index].tool.parts() || !is_open(one) || !is_open(other) {
            continue;
        }
        let body = body.map(|body| body.index()).filter(|body| *body < one.model.objects.len());
        if body.is_some_and(|body| is_used_elsewhere(one, body, contact) || is_used_elsewhere(other, body, contact)) {
            continue;
        }
        other.exciters[index] = one.exciters[index].clone();
        other.model.interactions[contact] = one.model.interactions[contact].clone();
        if let Some(body) = body {
            other.model.objects[body] = one.model.objects[body].clone();
        }
    }
}

/// Whether something else than this contact touches, pushes or hears an object.
fn is_used_elsewhere(scene: &Scene, object: usize, contact: usize) -> bool {
    let model = &scene.model;
    let name = &model.objects[object].name;
    let mut others = model.interactions.iter().enumerate().filter(|(index, _)| *index != contact);
    let is_heard = model.pickups.iter().any(|pickup| match pickup.source.target() {
        Target::Point(point) => point.object == *name,
        Target::Interaction(heard) => model.interactions.get(contact).is_some_and(|contact| contact.name == *heard),
        _ => true,
    });
    is_heard
        || others.any(|(_, other)| other.from.object == *name || other.to.object == *name)
        || model.forces.iter().any(|force| force.at.object == *name)
}

/// The first event of the text that plays what has this name and says how hard, by its number from 0.
fn event_with(source: &Source, name: &str, key: &str) -> Option<usize> {
    let text = tree::parse(&source.text).ok()?;
    let names = |node: &Node| node.text().is_some_and(|text| is_of(text, name));
    let names = |node: &Node| names(node) || node.list().is_some_and(|list| list.iter().any(names));
    let says = |table: &Table| table.get(key).is_some() && table.entries.iter().any(|(_, node)| names(node));
    text.get("events")?.list()?.iter().position(|event| event.table().is_some_and(says))
}
