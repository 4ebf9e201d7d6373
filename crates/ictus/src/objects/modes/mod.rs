//! Bodies in their exact modes (PHYSICS section 11): one file per family, with its characteristic equation and its shapes.
//!
//! A string, bar, membrane or plate is a sum of modes, `u(x, t) = Σ φ_i(x) q_i(t)`. A family knows the frequency, the modal mass and the
//! slope of each, and φ of all of them at any place; the stepping is that of [`super::modal`], written once. Frequencies, decays and
//! shapes are those of the continuous body at any rate.

mod bar;
#[cfg(test)]
mod beam_reference;
mod bessel;
mod bore;
mod circle;
mod curvature;
mod damping;
mod gauss;
mod line;
pub(crate) mod projection;
mod rectangle;
mod retuned;
mod ritz;
mod root;
#[cfg(test)]
mod sampled;
mod spectrum;
mod string;
mod unison;
mod waves;

pub(crate) use bar::{BarBody, BarModes, Rigidity, Shear};
pub(crate) use bore::Bore;
pub(crate) use circle::{MembraneCircle, PlateCircle, Rim};
pub(crate) use curvature::Curvatures;
pub(crate) use damping::{DRUM_HEAD, Damping, Surroundings};
pub(crate) use rectangle::{Edge, MembraneRectangle, PlateRectangle, Stiffness};
pub(crate) use retuned::Retuned;
pub(crate) use string::{StringBody, StringModes};
pub(crate) use unison::Unison;

use super::ObjectError;

/// One mode of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mode {
    /// Frequency in Hz without loss; 0 for moving or turning as a whole.
    pub frequency: f64,
    /// Modal mass `∫ρ φ²` in kg, on the scale of the shape.
    pub mass: f64,
    /// `S = ⟨|∇φ|²⟩/⟨φ²⟩` in 1/m²: with the losses σ0 and σ1 the mode decays at σ0 + σ1 S.
    pub slope: f64,
}

/// The modes of a body, lowest first, and their shapes.
pub(crate) trait Shapes: std::fmt::Debug + Send + Sync {
    /// All modes that are kept, frequencies ascending.
    fn modes(&self) -> &[Mode];

    /// φ of every mode, a pure number each, at a place: the fraction of the length (and 0), or the fractions of the two sides of the
    /// rectangle or of the square around a circle, each from 0 to 1. Takes a bounded time and no memory. `weights` is as long as `modes`, or
    /// holds the first of them.
    fn at(&self, place: [f64; 2], weights: &mut [f64]);

    /// ⟨φ⟩ of every mode, its mean over the mass of the body: `∫ρ φ/∫ρ`, by which a uniform load drives it. As bounded as [`at`](Self::at).
    fn mean(&self, weights: &mut [f64]);

    /// What bending in these modes stretches, with so many Airy modes; `None` of a body for which that is not known.
    ///
    /// # Errors
    /// More Airy modes than can be computed.
    fn curvatures(&self, _airy_modes: usize) -> Result<Option<Box<dyn Curvatures>>, ObjectError> {
        Ok(None)
    }

    /// Whether a place between 0 and 1 is on it.
    fn contains(&self, _place: [f64; 2]) -> bool {
        true
    }

    /// Part of the rectangle around it that it fills.
    fn filling(&self) -> f64 {
        1.0
    }
}

/// ⟨φ⟩ of the modes of a body, exactly 0 where it must be.
///
/// Of shapes with ⟨φ²⟩ = 1, only one that is the same everywhere has ⟨φ⟩² = 1. If the body can move as a whole, that is a mode, and all others are
/// orthogonal to it: their mean is 0, not what rounding leaves.
pub(crate) fn mean(shapes: &dyn Shapes, weights: &mut [f64]) {
    shapes.mean(weights);
    let rigid = shapes.modes().iter().take_while(|mode| mode.frequency == 0.0).count();
    let whole = weights.iter().take(rigid).position(|mean| (mean * mean - 1.0).abs() < 1e-9);
    if let Some(whole) = whole {
        weights.iter_mut().enumerate().filter(|(mode, _)| *mode != whole).for_each(|(_, mean)| *mean = 0.0);
    }
}
