//! How many points of each body in modes are touched, pushed or heard: counted before memory is taken for them.
//!
//! A point of such a body has a weight for each mode, and two numbers for every other point of the body (what a push at the one does at
//! the other). Ten thousand pickups on one plate would take 1.6 GB, for a text of a few kilobytes.

use crate::error::BuildError;
use crate::model::Model;
use crate::objects::{Bodies, BodyId};

/// Most numbers that all points together may take: 128 MB.
pub(crate) const MOST_NUMBERS: usize = 1 << 24;

/// The points of every body of a model, as they are counted.
pub(crate) struct Tally<'a> {
    model: &'a Model,
    /// By the body's place among those in modes: its points.
    points: Vec<usize>,
    numbers: usize,
}

impl<'a> Tally<'a> {
    /// Nothing is touched yet.
    pub(crate) fn new(model: &'a Model) -> Self {
        Self { model, points: Vec::new(), numbers: 0 }
    }

    /// Counts points of a body; an error if there is no room for them.
    pub(crate) fn add(&mut self, body: BodyId, points: usize, bodies: &Bodies) -> Result<(), BuildError> {
        let (BodyId::Modal(place), Some(modes)) = (body, bodies.mode_count(body)) else { return Ok(()) };
        if self.points.len() <= place {
            self.points.resize(place + 1, 0);
        }
        let before = self.points[place];
        let after = before.saturating_add(points);
        let others = self.numbers - numbers(before, modes);
        let all = others.saturating_add(numbers(after, modes));
        if all > MOST_NUMBERS {
            let place = bodies.ids().iter().position(|id| *id == body);
            let object = place.and_then(|place| self.model.objects.get(place)).map(|object| object.name.clone());
            let object = object.unwrap_or_default();
            return Err(BuildError::TooManyPoints { object, points: after, modes, limit: MOST_NUMBERS });
        }
        (self.points[place], self.numbers) = (after, all);
        Ok(())
    }

    /// Makes room for all that were counted.
    pub(crate) fn expect(&self, bodies: &mut Bodies) {
        for (place, points) in self.points.iter().enumerate() {
            bodies.expect(BodyId::Modal(place), *points);
        }
    }
}

/// Numbers that so many points of a body of so many modes take.
fn numbers(points: usize, modes: usize) -> usize {
    points.saturating_mul(modes.saturating_add(points.saturating_mul(2)))
}
