//! Why a law could not be made.

use super::Allowed;
use crate::math::Plain;

/// A law's parameter makes no physical sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LawError {
    /// One parameter lies outside its range.
    #[error("{law}: {parameter} is {}, must be {}{allowed}", Plain(*.value), finite_and(*.value))]
    OutOfRange {
        /// The law, in words.
        law: &'static str,
        /// The parameter, in words.
        parameter: &'static str,
        /// The value that was given, in the parameter's SI unit.
        value: f64,
        /// What would have been accepted.
        allowed: Allowed,
    },

    /// Two stiffnesses may each be zero, but not both.
    #[error("{law}: {first} and {second} are both 0, one of them must be greater than 0")]
    BothZero {
        /// The law, in words.
        law: &'static str,
        /// The first parameter, in words.
        first: &'static str,
        /// The second parameter, in words.
        second: &'static str,
    },

    /// A parameter was named by a place that the law does not have.
    #[error("{law}: no parameter number {index}, there are {count}")]
    NoSuchParameter {
        /// The law, in words.
        law: &'static str,
        /// The place given, counted from 0.
        index: usize,
        /// How many parameters the law has.
        count: usize,
    },
}

impl LawError {
    /// The parameter to change, in words; the first where two are to blame.
    pub fn parameter(&self) -> Option<&'static str> {
        match self {
            LawError::OutOfRange { parameter, .. } => Some(parameter),
            LawError::BothZero { first, .. } => Some(first),
            LawError::NoSuchParameter { .. } => None,
        }
    }
}

/// Every parameter must be finite; say so only to those who need to hear it.
fn finite_and(value: f64) -> &'static str {
    if value.is_finite() { "" } else { "finite and " }
}
