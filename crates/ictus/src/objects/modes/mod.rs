//! Bodies in their exact modes (PHYSICS section 11): one file per family, with its characteristic equation and its shapes.
//!
//! A string, bar, membrane or plate is a sum of modes, `u(x, t) = Σ φ_i(x) q_i(t)`. A family knows the frequency, the modal mass and the
//! slope of each, and φ of all of them at any place; the stepping is that of [`super::modal`], written once. Frequencies, decays and
//! shapes are those of the continuous body at any rate.

mod bar;
mod line;
#[cfg(test)]
mod ritz;
mod root;
#[cfg(test)]
mod sampled;
mod spectrum;
mod string;
mod waves;

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
    /// rectangle or of the square around a circle, each from 0 to 1. Takes a bounded time and no memory. `weights` is as long as `modes`.
    fn at(&self, place: [f64; 2], weights: &mut [f64]);
}
