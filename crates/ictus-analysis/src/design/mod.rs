//! Inverse design: which contact makes an impact that lasts, sounds and rebounds as wanted.
//!
//! A04 maps stiffness K and dissipation μ to contact time τ and average spectral centroid c_av of a struck resonator and
//! inverts a log-linear fit of that map, its (13). Here the map itself is inverted:
//!
//! - [`wall`]: on a rigid wall the restitution fixes μ v_in and the contact time then fixes K, both by closed forms;
//! - [`Map`]: on a resonator, any two of contact time, centroid and restitution, by nested bracketed root-finding on the
//!   integrated strike. [`Map::lines`] is the reachable region, and [`Map::instead`] what can be had where that cannot;
//! - [`Map::design_freely`]: all three at once, with the mass of the hammer or the exponent of the contact free too;
//! - [`LogLinearFit`]: A04's own answer, for comparison.

mod fit;
mod instead;
mod map;
mod release;
mod root;
mod setting;
mod solve;
mod third;
pub mod wall;
mod work;

pub use fit::LogLinearFit;
pub use instead::{Instead, Offer, Refused};
pub use map::{Line, Map};
pub use setting::{Features, Setting};
pub use third::Freedom;
pub use work::Work;

use ictus::impact::strike::StrikeError;

use crate::AnalysisError;

/// What is wanted of an impact; what is `None` may come out as it will.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Targets {
    /// Contact time τ in s, of the first contact.
    pub contact_time: Option<f64>,
    /// A04's average centroid c_av in Hz.
    pub centroid: Option<f64>,
    /// Coefficient of restitution of the first contact.
    pub restitution: Option<f64>,
}

/// A contact that does what was wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    /// Stiffness K in N/m^α.
    pub stiffness: f64,
    /// Dissipation μ in s/m.
    pub dissipation: f64,
    /// What it does.
    pub features: Features,
}

/// Why there is no design.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// A setting or a target is out of its range.
    #[error("{name}: expected {expected}, got {}", ictus::math::Plain(*.actual))]
    Setting {
        /// Which one.
        name: &'static str,
        /// What is accepted, with its unit.
        expected: &'static str,
        /// What was given.
        actual: f64,
    },
    /// The number of targets does not fit the number of unknowns.
    #[error("{0}")]
    Count(&'static str),
    /// No contact of this setting does what was wanted.
    #[error("not reachable with this hammer and resonator")]
    Unreachable,
    /// The search was given up.
    #[error(
        "no answer was found within the time limit; targets that are farther from the edge of what can be had take less"
    )]
    TooLong,
    /// The strike could not be computed.
    #[error(transparent)]
    Strike(#[from] StrikeError),
    /// Its sound could not be analysed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

fn check(name: &'static str, expected: &'static str, actual: f64, accepted: bool) -> Result<f64, DesignError> {
    if accepted { Ok(actual) } else { Err(DesignError::Setting { name, expected, actual }) }
}
