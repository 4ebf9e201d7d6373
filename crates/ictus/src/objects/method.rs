//! How a body is computed, and what it is built for.

use super::modal::{Bend, Modal, ModalBody, Stretch};
use super::modes::{Damping, Shapes};
use super::{ObjectError, checked};
use std::f64::consts::TAU;
use std::sync::Arc;

/// How a string, bar, membrane or plate is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Method {
    /// In its exact modes: every partial in tune and every decay as asked, at any rate. A point that is touched or heard costs a number per mode
    /// and sample.
    #[default]
    Modes,
    /// On a grid: partials are the flatter the higher they are, but a point costs the same however many there are.
    Grid,
}

/// The outline of a membrane or plate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Outline {
    /// A rectangle of two sides in m, each from 1e-4 to 1e4.
    Rectangle([f64; 2]),
    /// A circle of a diameter in m, from 1e-4 to 1e4; in modes only. A place on it is two fractions of the square around it.
    Circle(f64),
}

impl Outline {
    /// Area in m².
    #[must_use]
    pub fn area(&self) -> f64 {
        match *self {
            Self::Rectangle([x, y]) => x * y,
            Self::Circle(diameter) => 0.25 * std::f64::consts::PI * diameter * diameter,
        }
    }

    /// The sides in m of the rectangle around it.
    #[must_use]
    pub fn extent(&self) -> [f64; 2] {
        match *self {
            Self::Rectangle(sides) => sides,
            Self::Circle(diameter) => [diameter; 2],
        }
    }

    pub(super) fn check(&self) -> Result<(), ObjectError> {
        let size = |name, value| checked(name, value, "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v));
        match *self {
            Self::Rectangle([x, y]) => size("side x", x).and(size("side y", y)).map(drop),
            Self::Circle(diameter) => size("diameter", diameter).map(drop),
        }
    }

    /// Its sides, if it is a rectangle.
    pub(super) fn sides(&self) -> Result<[f64; 2], ObjectError> {
        match *self {
            Self::Rectangle(sides) => Ok(sides),
            Self::Circle(diameter) => Err(ObjectError::OutOfRange {
                parameter: "diameter",
                value: diameter,
                allowed: "given with the method `modes`: grids are rectangles",
            }),
        }
    }
}

/// What a body is built for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// Sample rate in Hz.
    pub rate: f64,
    /// Most grid points.
    pub most_points: usize,
    /// Most modes.
    pub most_modes: usize,
    /// Most products of two modes and an Airy mode.
    pub most_products: usize,
    /// Whether it is touched all along.
    pub touched_along: bool,
}

/// Highest frequency in Hz of the modes that are kept, where nobody says.
const AUDIBLE: f64 = 20e3;
/// Highest frequency of a mode, in parts of the rate.
const BAND: f64 = 0.45;

impl Site {
    /// Highest frequency in Hz of the modes that are kept: what was asked for or what can be heard, and no more than 0.45 of the rate.
    pub fn highest(&self, asked: Option<f64>) -> Result<f64, ObjectError> {
        checked("rate", self.rate, "from 1 Hz to 1e9 Hz", |r| (1.0..=1e9).contains(&r))?;
        let asked = checked("highest", asked.unwrap_or(AUDIBLE), "above 0 Hz", |v| v > 0.0)?;
        Ok(asked.min(BAND * self.rate))
    }

    /// Refuses a grid where there is none.
    pub fn no_grid(&self, segments: Option<usize>) -> Result<(), ObjectError> {
        match segments {
            None => Ok(()),
            Some(segments) => Err(ObjectError::OutOfRange {
                parameter: "segments",
                value: segments as f64,
                allowed: "given with the method `grid` only",
            }),
        }
    }

    /// A body in its modes.
    pub fn body(&self, family: Family, damping: &Damping) -> Result<Modal, ObjectError> {
        let Family { kind, shapes, is_sheet, mass, length, bend, stretch, highest } = family;
        if shapes.modes().is_empty() {
            return Err(ObjectError::NoModes { highest });
        }
        let sigmas = shapes.modes().iter().map(|mode| damping.of(mode)).collect();
        let touched_along = self.touched_along;
        Modal::of(ModalBody { kind, shapes, is_sheet, sigmas, mass, length, bend, stretch, touched_along }, self.rate)
    }
}

/// A body's modes and what else it is.
pub(crate) struct Family {
    pub kind: &'static str,
    pub shapes: Arc<dyn Shapes>,
    pub is_sheet: bool,
    /// Mass of the whole in kg.
    pub mass: f64,
    /// Length in m of a string or bar, else 0.
    pub length: f64,
    pub bend: Option<Bend>,
    /// What it stores by being stretched, if its amplitude may be large.
    pub stretch: Option<Stretch>,
    /// Highest frequency in Hz of the modes.
    pub highest: f64,
}

impl Family {
    /// The same, if any of its modes swings: a body that has a pitch is to sound.
    pub fn swinging(self) -> Result<Self, ObjectError> {
        let swings = self.shapes.modes().iter().any(|mode| mode.frequency > 0.0);
        if swings { Ok(self) } else { Err(ObjectError::NoModes { highest: self.highest }) }
    }

    /// Decay rate in 1/s of the lowest mode that swings.
    pub fn lowest_sigma(&self, damping: &Damping) -> f64 {
        self.shapes.modes().iter().find(|mode| mode.frequency > 0.0).map_or(0.0, |mode| damping.of(mode))
    }
}

/// Builds a body whose lowest mode *sounds* at a frequency in Hz: with its loss σ it swings without it at `√(f² + (σ/2π)²)`.
///
/// `build` makes the body of which the lowest mode swings at a frequency without loss, and says what σ that mode then has.
pub(crate) fn sounding<T>(
    frequency: f64,
    mut build: impl FnMut(f64) -> Result<(T, f64), ObjectError>,
) -> Result<T, ObjectError> {
    let mut swing = frequency;
    for _ in 0..8 {
        let (body, sigma) = build(swing)?;
        let wanted = libm::hypot(frequency, sigma / TAU);
        // A thousandth of a cent.
        if (wanted - swing).abs() < 6e-7 * swing {
            return Ok(body);
        }
        swing = wanted;
    }
    Ok(build(swing)?.0)
}
