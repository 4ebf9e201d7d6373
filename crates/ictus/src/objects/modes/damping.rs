//! How fast each mode of a body dies.
//!
//! ```text
//! rates:      σ = σ0 + σ1 S
//! T60:        straight lines in log-log through the times given (loss/curve.rs)
//! material:   σ = σ_air + (ω/2) (η b + η_T (1 - b)),     b = 1 - c²S/ω²
//! ```
//!
//! `b` is the share of the elastic energy that is bending: of a mode of shape φ the tension holds `T ∫φ'²/2`, which is `c²S/ω²` of the
//! whole, `c² = T/ρA`, whatever the ends. A bar or plate only bends, b = 1. A string hardly does, so that the loss factor η of its material counts
//! for its high partials alone (Valette; Woodhouse, *Acta Acustica united with Acustica* 90, 2004, his equation for η_n). For a limp string
//! b is a small difference: off by 1e-16, of which the loss takes no notice.
//!
//! What the surroundings take:
//!
//! - **string**: the drag of viscous air on a moving cylinder (Stokes; Fletcher and Rossing, *The Physics of Musical Instruments*, chapter 2),
//!   `σ_air = R/2ρA`, `R = 2πμ + 4πr √(πμρ_a f)`; and η_T = 2e-4, what friction at the ends and in the string takes of the rest (Woodhouse measured
//!   1.4e-4 to 4e-4 on plain nylon strings, less on wound ones). With both, his three plain strings come out within 40 %.
//! - **bar, plate**: σ_air = 0.3 1/s for air and supports together. So a vibraphone's bar of 440 Hz rings for 16 s and not for a minute.
//!   Real supports and resonators differ widely; a large thin plate radiates more.
//! - **air in a tube**: what its walls and its open ends take ([`bore`](super::bore)).
//! - **membrane**: tension alone, so b = 0, and the air takes by far the most: the rates 3 1/s and 0.01 m²/s of a drum head.
//!
//! Moving or turning as a whole (0 Hz) strains nothing and is not slowed, unless σ0 and σ1 say so. Rejected: a share of bending kept with every
//! mode, which is known from S already.

use std::f64::consts::{PI, TAU};

use super::super::ObjectError;
use super::super::loss::{DecayCurve, Loss, LossFactor};
use super::{Bore, Mode};

/// What air and supports take from a bar or plate, in 1/s.
const SUPPORTED: f64 = 0.3;
/// Loss factor of what a string stores in its tension.
const TAUT: f64 = 2e-4;
/// Viscosity μ of air in Pa s and its density ρ_a in kg/m³, at 20 °C.
const AIR_VISCOSITY: f64 = 1.8e-5;
const AIR_DENSITY: f64 = 1.2;
/// What the air takes from a membrane.
pub(crate) const DRUM_HEAD: Loss = Loss::sigma(3.0, 0.01);

/// What a body loses to, beside itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Surroundings {
    /// A bar or plate on its supports.
    Solid,
    /// A string in air.
    Taut {
        /// c = √(T/ρA) in m/s.
        wave_speed: f64,
        /// Radius in m.
        radius: f64,
        /// ρA in kg/m.
        linear_density: f64,
    },
    /// A drum head in air.
    Head,
    /// Air in a tube.
    Bore(Bore),
}

impl Surroundings {
    /// The same loss in the words that such a body has for it.
    pub(crate) fn told(self, loss: &Loss) -> Loss {
        match (loss, self) {
            (Loss::Material(_), Self::Head) => DRUM_HEAD,
            (loss, _) => loss.clone(),
        }
    }
}

/// The law by which the modes of a body die.
#[derive(Clone, Debug)]
pub(crate) struct Damping(Law);

#[derive(Clone, Debug)]
enum Law {
    Rates([f64; 2]),
    Curve(DecayCurve),
    Material(LossFactor, Surroundings),
}

impl Damping {
    /// # Errors
    /// A number of the loss is out of range.
    pub(crate) fn new(loss: &Loss, surroundings: Surroundings) -> Result<Self, ObjectError> {
        loss.check()?;
        Ok(Self(match surroundings.told(loss) {
            Loss::None => Law::Rates([0.0; 2]),
            Loss::Sigma { sigma0, sigma1 } => Law::Rates([sigma0, sigma1]),
            Loss::T60(times) => Law::Curve(DecayCurve::new(&times)?),
            Loss::Material(factor) => Law::Material(factor, surroundings),
        }))
    }

    /// Decay rate σ in 1/s of a mode.
    pub(crate) fn of(&self, mode: &Mode) -> f64 {
        self.sigma(mode.frequency, mode.slope)
    }

    /// Decay rate σ in 1/s of a mode of some frequency in Hz and mean squared slope S in 1/m².
    pub(crate) fn sigma(&self, frequency: f64, slope: f64) -> f64 {
        match &self.0 {
            Law::Rates([sigma0, sigma1]) => sigma0 + sigma1 * slope,
            _ if frequency <= 0.0 => 0.0,
            Law::Curve(curve) => curve.sigma(frequency),
            Law::Material(factor, Surroundings::Taut { wave_speed, radius, linear_density }) => {
                let stretch = wave_speed / (TAU * frequency);
                let bending = (1.0 - stretch * stretch * slope).clamp(0.0, 1.0);
                air_drag(frequency, *radius) / (2.0 * linear_density)
                    + bending * factor.sigma(frequency)
                    + (1.0 - bending) * TAUT * PI * frequency
            }
            Law::Material(_, Surroundings::Bore(bore)) => bore.sigma(frequency),
            Law::Material(factor, _) => SUPPORTED + factor.sigma(frequency),
        }
    }
}

/// Force per velocity and length, in kg/(m s), of air on a cylinder of some radius in m that swings at a frequency in Hz.
fn air_drag(frequency: f64, radius: f64) -> f64 {
    TAU * AIR_VISCOSITY + 2.0 * TAU * radius * libm::sqrt(PI * AIR_VISCOSITY * AIR_DENSITY * frequency)
}

#[cfg(test)]
#[path = "damping_tests.rs"]
mod tests;
