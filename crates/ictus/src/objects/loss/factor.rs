//! The loss factor of a material: the part of the elastic energy, over 2π, that turns into heat in one cycle.
//!
//! ```text
//! η(f) = η₁ (f/1 kHz)^p,     σ = η ω/2,     T60 = 3 ln 10/σ = 2.2/(η f)
//! ```
//!
//! for what bends and nothing else (Cremer and Heckl, *Structure-Borne Sound*). It hardly depends on frequency in metals and glass, and rises
//! slowly in wood, where shear between the fibres takes part. Rejected: Zener's peaks of thermoelastic loss, which need the thickness of the
//! piece and are drowned by supports and air.

use std::f64::consts::PI;

use super::super::{ObjectError, checked};

/// Internal loss of a material, and how it goes with frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LossFactor {
    /// η at 1 kHz, a pure number from 0 to 1: 2e-4 rings long (steel), 0.01 is wood, 0.04 is a thud. Larger: shorter and duller.
    pub at_1_khz: f64,
    /// p, a pure number from -1 to 1: 0 for the same loss per cycle at all frequencies. Larger: the high partials die sooner.
    pub exponent: f64,
}

impl LossFactor {
    /// The same loss per cycle at all frequencies.
    #[must_use]
    pub const fn constant(factor: f64) -> Self {
        Self { at_1_khz: factor, exponent: 0.0 }
    }

    /// η at a frequency in Hz above 0.
    #[must_use]
    pub fn at(&self, frequency: f64) -> f64 {
        self.at_1_khz * libm::pow(1e-3 * frequency, self.exponent)
    }

    /// Decay rate η ω/2 in 1/s at a frequency in Hz of what only bends; 0 at 0 Hz.
    #[must_use]
    pub fn sigma(&self, frequency: f64) -> f64 {
        if frequency > 0.0 { self.at(frequency) * PI * frequency } else { 0.0 }
    }

    pub(crate) fn check(&self) -> Result<(), ObjectError> {
        checked("loss factor", self.at_1_khz, "from 0 to 1", |v| (0.0..=1.0).contains(&v))?;
        checked("exponent of the loss factor", self.exponent, "from -1 to 1", |v| (-1.0..=1.0).contains(&v))?;
        Ok(())
    }
}
