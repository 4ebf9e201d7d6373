//! A04's exciter and resonator: a hammer, a free mass, strikes an object given by its modes.
//!
//! ```text
//! m_h ẍ_h = -f,    m_j (ẍ_j + 2σ_j ẋ_j + ω_j² x_j) = t_j f,    f = K [η]+^α (1 + μ η̇),    η = x_h - Σ t_j x_j
//! ```
//!
//! A04 (8) with (4)-(5); t_j are the weights of the modes at the struck point. Three ways to compute it: [`Strike::integrated`] follows the differential equations to rounding
//! while the two touch and in closed form while they do not; [`Strike::by_am1`] is the source's own scheme; [`Strike::by_engine`]
//! is the engine. All start at the first touch, with the resonator at rest.

mod am1;
mod engine;
mod integrated;

use super::FailureKind;
use super::exact::WallImpact;
use crate::laws::{HuntCrossley, LawError};
use crate::objects::{ModalSpec, ObjectError};

/// A hammer about to strike: plain data, SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Strike {
    /// Mass of the hammer in kg, stiffness, exponent and dissipation of the contact, and the hammer's velocity in m/s.
    pub hammer: WallImpact,
    /// What is struck, at its first point.
    pub resonator: ModalSpec,
    /// Sample rate in Hz.
    pub rate: f64,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struck {
    /// Displacement in m of the struck point, from the first touch, which is sample 0.
    pub displacement: Vec<f64>,
    /// Compression η in m; negative while they are apart.
    pub compression: Vec<f64>,
    /// Force between hammer and resonator in N.
    pub force: Vec<f64>,
    /// Contacts that have ended, the first one first.
    pub contacts: Vec<Touch>,
}

/// One contact of hammer and resonator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Time of touching in s after the first.
    pub start: f64,
    /// Time of release in s.
    pub end: f64,
    /// Velocity of compression when it began, in m/s.
    pub v_in: f64,
    /// Velocity of compression when it ended, in m/s; negative.
    pub v_out: f64,
}

impl Struck {
    /// Time in s from the first touch to the first release, if there was one.
    pub fn contact_time(&self) -> Option<f64> {
        self.contacts.first().map(|touch| touch.end - touch.start)
    }

    /// Coefficient of restitution of the first contact: how fast the two part, over how fast they met.
    pub fn restitution(&self) -> Option<f64> {
        self.contacts.first().map(|touch| -touch.v_out / touch.v_in)
    }

    /// Reads the contacts from the sampled compression: ends interpolated, velocities from the samples around them.
    fn find_contacts(&mut self, first_velocity: f64, rate: f64) {
        let x = &self.compression;
        let slope = |n: usize| (x[n + 1] - x[n]) * rate;
        let mut began = Some((0.0, first_velocity));
        for n in 1..x.len().saturating_sub(1) {
            let crossing = (n as f64 - x[n] / (x[n + 1] - x[n])) / rate;
            match began {
                Some((start, v_in)) if x[n] > 0.0 && x[n + 1] <= 0.0 => {
                    self.contacts.push(Touch { start, end: crossing, v_in, v_out: slope(n) });
                    began = None;
                }
                None if x[n] <= 0.0 && x[n + 1] > 0.0 => began = Some((crossing, slope(n))),
                _ => {}
            }
        }
    }
}

/// Why a strike cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StrikeError {
    /// The contact law is not one.
    #[error(transparent)]
    Law(#[from] LawError),
    /// The resonator, or the hammer, is not one.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The engine refused the model.
    #[error("{0}")]
    Build(String),
    /// The computation failed.
    #[error("{0}")]
    Failure(#[from] FailureKind),
}

/// One mode as the equation of motion needs it.
#[derive(Clone, Copy, Debug)]
struct Mode {
    /// t at the struck point.
    weight: f64,
    /// t/m in 1/kg.
    response: f64,
    /// ω² in 1/s².
    stiffness: f64,
    /// σ in 1/s.
    sigma: f64,
}

impl Strike {
    fn law(&self) -> Result<HuntCrossley, LawError> {
        HuntCrossley::new(self.hammer.stiffness, self.hammer.exponent, self.hammer.dissipation)
    }

    /// The modes that move at the struck point.
    fn modes(&self) -> Result<Vec<Mode>, ObjectError> {
        let weights = self.resonator.points.first().map_or(&[][..], Vec::as_slice);
        let mode = |(spec, &weight): (&crate::objects::ModeSpec, &f64)| {
            let omega = std::f64::consts::TAU * spec.frequency;
            let sigma = spec.decay.sigma(spec.frequency)?;
            Ok(Mode { weight, response: weight / spec.mass, stiffness: omega * omega, sigma })
        };
        self.resonator.modes.iter().zip(weights).map(mode).collect()
    }
}
