//! Where a modal object can be touched and heard, and by how much its modes move there.

use std::sync::Arc;

use super::super::modes::{Shapes, mean};
use super::super::{ObjectError, Place};

/// The places of a modal object.
#[derive(Clone, Debug)]
pub(super) enum Places {
    /// Numbered points: φ of all modes at each; and the mode that moves it as a whole, if one does.
    Numbered(Vec<Vec<f64>>, Option<usize>),
    /// Anywhere along a string or bar.
    Line(Arc<dyn Shapes>),
    /// Anywhere on a membrane or plate.
    Sheet(Arc<dyn Shapes>),
}

/// Points at which a line is drawn.
const DRAWN_ALONG: usize = 65;
/// Points along each side at which a sheet is drawn.
const DRAWN_ACROSS: usize = 33;
/// Most modes that are drawn of a line and of a sheet: the others are too fine to be seen.
const DRAWN_MODES: [usize; 2] = [48, 160];

impl Places {
    /// Points that are drawn along its two sides.
    pub(super) fn dimensions(&self) -> [usize; 2] {
        match self {
            Self::Numbered(points, _) => [points.len(), 1],
            Self::Line(_) => [DRAWN_ALONG, 1],
            Self::Sheet(_) => [DRAWN_ACROSS; 2],
        }
    }

    /// Checks a place.
    pub(super) fn check(&self, kind: &'static str, place: Place) -> Result<(), ObjectError> {
        let fraction = |x: f64| (0.0..=1.0).contains(&x);
        let (good, allowed) = match (self, place) {
            (Self::Numbered(_, whole), Place::Everywhere) => {
                (whole.is_some(), "all of it only where one mode of 0 Hz, and no other, moves all its points alike")
            }
            (Self::Line(_) | Self::Sheet(_), Place::Everywhere) => (true, ""),
            (Self::Numbered(points, _), _) => {
                (matches!(place, Place::Point(point) if point < points.len()), "one of its points, numbered from 0")
            }
            (Self::Line(_), _) => (
                matches!(place, Place::Along(x) if fraction(x)),
                "a position on it is a fraction of its length, from 0 to 1",
            ),
            (Self::Sheet(shapes), Place::On(x, y)) if fraction(x) && fraction(y) => (
                shapes.contains([x, y]),
                "a position on it is two fractions of its diameter, from 0 to 1, inside the circle around 0.5, 0.5",
            ),
            (Self::Sheet(_), _) => (false, "a position on it is two fractions of its sides, each from 0 to 1"),
        };
        if good { Ok(()) } else { Err(ObjectError::NoSuchPlace { place, kind, allowed }) }
    }

    /// φ of as many modes as `weights` holds at a place that was checked.
    pub(super) fn weigh(&self, place: Place, weights: &mut [f64]) {
        match (self, place) {
            (Self::Numbered(points, _), Place::Point(point)) => {
                let row = points.get(point).into_iter().flatten();
                weights.iter_mut().zip(row).for_each(|(weight, given)| *weight = *given);
            }
            (Self::Numbered(points, Some(whole)), Place::Everywhere) => {
                weights.fill(0.0);
                let moved = points.first().and_then(|row| row.get(*whole)).copied();
                weights.iter_mut().skip(*whole).zip(moved).for_each(|(weight, moved)| *weight = moved);
            }
            (Self::Line(shapes), Place::Along(x)) => shapes.at([x, 0.0], weights),
            (Self::Sheet(shapes), Place::On(x, y)) => shapes.at([x, y], weights),
            (Self::Line(shapes) | Self::Sheet(shapes), Place::Everywhere) => mean(&**shapes, weights),
            _ => weights.fill(0.0),
        }
    }

    /// φ of the modes that are drawn, at all points that are, mode by mode: of the lowest modes, as many as `room` numbers hold, but one at least.
    pub(super) fn drawing(&self, modes: usize, room: usize) -> Vec<Vec<f64>> {
        let [across, down] = self.dimensions();
        let seen = match self {
            Self::Numbered(..) => modes,
            Self::Line(_) => modes.min(DRAWN_MODES[0]),
            Self::Sheet(_) => modes.min(DRAWN_MODES[1]),
        };
        let drawn = seen.min((room / (across * down).max(1)).max(1));
        let mut drawing: Vec<Vec<f64>> = (0..drawn).map(|_| Vec::with_capacity(across * down)).collect();
        let mut weights = vec![0.0; drawn];
        let fraction = |index: usize, count: usize| index as f64 / (count.max(2) - 1) as f64;
        for y in 0..down {
            for x in 0..across {
                let place = match self {
                    Self::Numbered(..) => Place::Point(x),
                    Self::Line(_) => Place::Along(fraction(x, across)),
                    Self::Sheet(_) => Place::On(fraction(x, across), fraction(y, down)),
                };
                // A point of the square around a circle that is off it moves as the nearest of its rim, so that a free rim is drawn as it moves.
                self.weigh(place, &mut weights);
                drawing.iter_mut().zip(&weights).for_each(|(mode, weight)| mode.push(*weight));
            }
        }
        drawing
    }
}
