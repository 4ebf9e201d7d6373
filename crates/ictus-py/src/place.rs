//! Points of objects as people write them: `string@0.12`, `plate@0.3,0.4`, `bell#2`, `mass`.

use ictus::id::{ContactId, ObjectId};
use ictus::model::Model;
use ictus::names::nearest;
use ictus::objects::{Extent, Place};
use pyo3::prelude::*;

use crate::problem::problem;

/// The object and the place of a point.
pub fn point(model: &Model, text: &str) -> PyResult<(ObjectId, Place)> {
    let (name, place) = match text.split_once('@') {
        Some((name, place)) => (name.trim(), Some(place)),
        None => (text.trim(), None),
    };
    if let Some(found) = object(model, name) {
        return located(model, found, text, name, place);
    }
    // The number of a modal object's point; the `#` of a note is part of the name.
    if let (None, Some((before, number))) = (place, name.rsplit_once('#'))
        && let (Some(found), Ok(number)) = (object(model, before.trim()), number.trim().parse::<usize>())
    {
        let count = match model.objects[found].spec.extent() {
            Extent::Points(count) => count,
            _ => 0,
        };
        return match number {
            1.. if number <= count => Ok((ObjectId::new(found), Place::Point(number - 1))),
            _ => Err(misplaced(model, found, text, before.trim())),
        };
    }
    Err(unknown("object", name, model.objects.iter().map(|object| object.name.as_str())))
}

fn object(model: &Model, name: &str) -> Option<usize> {
    model.objects.iter().position(|object| object.name == name)
}

fn located(model: &Model, found: usize, text: &str, name: &str, place: Option<&str>) -> PyResult<(ObjectId, Place)> {
    let fractions: Option<Vec<f64>> = place.map_or(Some(vec![]), |place| {
        let fraction = |part: &str| part.trim().parse().ok().filter(|value| (0.0..=1.0).contains(value));
        place.split(',').map(fraction).collect()
    });
    let place = match (model.objects[found].spec.extent(), fractions.as_deref()) {
        (Extent::Whole, Some([])) => Place::Whole,
        (Extent::Points(1), Some([])) => Place::Point(0),
        (Extent::Line { .. }, Some([along])) => Place::Along(*along),
        (Extent::Sheet { .. }, Some([x, y])) => Place::On(*x, *y),
        _ => return Err(misplaced(model, found, text, name)),
    };
    Ok((ObjectId::new(found), place))
}

fn misplaced(model: &Model, found: usize, text: &str, name: &str) -> PyErr {
    let spec = &model.objects[found].spec;
    let written = match spec.extent() {
        Extent::Whole => format!("touched as a whole: write {name:?}"),
        Extent::Line { .. } => format!("touched at a fraction of its length from 0 to 1: write \"{name}@0.12\""),
        Extent::Sheet { .. } => {
            format!("touched at fractions of its two sides from 0 to 1: write \"{name}@0.3,0.4\"")
        }
        Extent::Points(count) => format!("touched at one of its {count} points: write \"{name}#1\""),
        _ => "nowhere to be touched".to_owned(),
    };
    problem(format!("{text:?} is no point: `{name}` is of kind {}, {written}", spec.kind()))
}

/// The contact of a name.
pub fn contact(model: &Model, name: &str) -> PyResult<ContactId> {
    let found = model.interactions.iter().position(|contact| contact.name == name);
    found
        .map(ContactId::new)
        .ok_or_else(|| unknown("contact", name, model.interactions.iter().map(|contact| contact.name.as_str())))
}

/// A name that is none, and what may have been meant.
pub fn unknown<'a>(kind: &str, name: &str, names: impl Iterator<Item = &'a str> + Clone) -> PyErr {
    const MOST_LISTED: usize = 24;
    let help = match nearest(name, names.clone()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => {
            let listed: Vec<&str> = names.clone().take(MOST_LISTED).collect();
            let more = if names.count() > MOST_LISTED { ", …" } else { "" };
            if listed.is_empty() {
                "there are none".to_owned()
            } else {
                format!("there are {}{more}", listed.join(", "))
            }
        }
    };
    problem(format!("there is no {kind} {name:?}; {help}"))
}
