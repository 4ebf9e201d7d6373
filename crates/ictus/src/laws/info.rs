//! What a law tells about itself: its name, formula, parameters and source.
//!
//! Constructors check their arguments against the same table that is shown to the user, so the ranges
//! printed and the ranges enforced cannot differ.

use std::fmt;

use super::LawError;
use crate::limits;

/// One law in the registry [`super::Law::ALL`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawInfo {
    /// Name on the command line and in scenes, in kebab-case.
    pub name: &'static str,
    /// Name in words, as errors print it.
    pub title: &'static str,
    /// What it models, in one line.
    pub summary: &'static str,
    /// The potential φ(η), or what takes its place, and the resistance if there is one.
    pub formula: &'static str,
    /// Parameters, in the order the constructor takes them.
    pub parameters: &'static [ParameterInfo],
    /// A usual contact: one value per parameter, in SI units. The tests put every law to work with these.
    pub usual: &'static [f64],
    /// Source and equation number.
    pub source: &'static str,
}

/// One parameter of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterInfo {
    /// Name in words.
    pub name: &'static str,
    /// Symbol in the formula.
    pub symbol: &'static str,
    /// SI unit; `1` for a pure number.
    pub unit: &'static str,
    /// Values accepted.
    pub allowed: Allowed,
    /// Value of a law that does not state this parameter, in SI units; `None` for one that must be stated.
    pub default: Option<f64>,
    /// Whether the law's force grows in proportion to it.
    pub scales: bool,
}

/// The values a parameter may take. Every range holds finite numbers only.
///
/// Those of contacts end where the arithmetic does: `limits.rs` has how they were found, and what is refused in combination.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Allowed {
    /// More than this number.
    GreaterThan(f64),
    /// From one number to the other, both included.
    Within {
        /// Smallest value accepted.
        least: f64,
        /// Largest value accepted.
        most: f64,
    },
    /// More than one number, up to the other.
    AboveUpTo {
        /// Last value too small.
        above: f64,
        /// Largest value accepted.
        most: f64,
    },
    /// From `least`, included, up to `below`, excluded.
    Between {
        /// Smallest value accepted.
        least: f64,
        /// First value too large.
        below: f64,
    },
    /// 1, 3, 5, … up to this number.
    OddUpTo(f64),
}

impl Allowed {
    /// Whether this value is accepted.
    pub fn contains(&self, value: f64) -> bool {
        value.is_finite()
            && match *self {
                Allowed::GreaterThan(bound) => value > bound,
                Allowed::Within { least, most } => least <= value && value <= most,
                Allowed::AboveUpTo { above, most } => above < value && value <= most,
                Allowed::Between { least, below } => least <= value && value < below,
                Allowed::OddUpTo(most) => value >= 1.0 && value % 2.0 == 1.0 && value <= most,
            }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Allowed::GreaterThan(bound) => write!(f, "greater than {bound}"),
            Allowed::Within { least, most } => write!(f, "from {least} to {}", Short(most)),
            Allowed::AboveUpTo { above, most } => write!(f, "greater than {above} and at most {}", Short(most)),
            Allowed::Between { least, below } => write!(f, "at least {least} and below {below}"),
            Allowed::OddUpTo(most) => write!(f, "an odd whole number (1, 3, 5, … {most})"),
        }
    }
}

/// A number as people write it: 1e30 instead of thirty zeros.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 1e6 { write!(f, "{:e}", self.0) } else { write!(f, "{}", self.0) }
    }
}

impl LawInfo {
    /// Checks one value per parameter, in order; the first one outside its range is the error.
    pub(super) fn check<const N: usize>(&self, values: [f64; N]) -> Result<(), LawError> {
        debug_assert_eq!(self.parameters.len(), N);
        let outside =
            std::iter::zip(self.parameters, values).find(|(parameter, value)| !parameter.allowed.contains(*value));
        match outside {
            None => Ok(()),
            Some((parameter, value)) => Err(self.out_of_range(parameter, value)),
        }
    }

    /// The error for a value outside a parameter's range.
    pub(super) fn out_of_range(&self, parameter: &ParameterInfo, value: f64) -> LawError {
        LawError::OutOfRange { law: self.title, parameter: parameter.name, value, allowed: parameter.allowed }
    }
}

/// K of the power laws. Steel presses back with 1e9 N/m at 0.1 mm, which is 1e25 N/m^5 by a law of exponent 5.
pub(super) const STIFFNESS: ParameterInfo = ParameterInfo {
    name: "stiffness",
    symbol: "K",
    unit: "N/m^α",
    allowed: Allowed::AboveUpTo { above: 0.0, most: limits::STIFFEST },
    default: None,
    scales: true,
};

/// α of the power laws.
pub(super) const EXPONENT: ParameterInfo = ParameterInfo {
    name: "exponent",
    symbol: "α",
    unit: "1",
    allowed: Allowed::Within { least: 1.0, most: limits::STEEPEST },
    default: Some(1.0),
    scales: false,
};

/// h of the power laws that start at a distance.
pub(super) const THRESHOLD: ParameterInfo = ParameterInfo {
    name: "threshold",
    symbol: "h",
    unit: "m",
    allowed: Allowed::Within { least: 0.0, most: limits::FARTHEST },
    default: Some(0.0),
    scales: false,
};
