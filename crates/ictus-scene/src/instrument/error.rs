//! What can go wrong before and while a scene is played.

use ictus::control::ControlError;
use ictus::laws::LawError;
use ictus::math::Plain;

use crate::parameters::ParameterId;

/// Why a scene cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Its model cannot be built.
    #[error(transparent)]
    Model(#[from] ictus::BuildError),
    /// A parameter of the model is beyond what is played.
    #[error(transparent)]
    Parameter(#[from] PlayError),
    /// An exciter names a part of the model that is not there, or of another kind.
    #[error("exciter `{name}`: {error}")]
    Exciter {
        /// Its name.
        name: String,
        /// What is wrong.
        error: PlayError,
    },
    /// A control cannot be set to where it starts.
    #[error("control `{name}`: {error}")]
    Control {
        /// Its name.
        name: String,
        /// What is wrong.
        error: PlayError,
    },
    /// The range of a control, or an amount or a curve of the notes, makes no sense.
    #[error("{what} is {}, must be {allowed}", Plain(*.value))]
    Value {
        /// What it is.
        what: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed, in words.
        allowed: &'static str,
    },
}

/// Why something could not be done while it sounds; nothing has changed then. Costs no memory.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// There is no such thing, or it is of another kind.
    #[error("no {kind} number {index} that could take this")]
    NoTarget {
        /// What was looked for.
        kind: &'static str,
        /// The number given, counted from 0.
        index: usize,
    },
    /// A value is not a number, or beyond anything that is played.
    #[error("{what} is {}, must be from {} to {}", Plain(*.value), Plain(*.least), Plain(*.most))]
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// The value given.
        value: f64,
        /// Least value, in the same unit.
        least: f64,
        /// Largest value.
        most: f64,
    },
    /// A parameter of the table that only a new reading of the scene can change.
    #[error("parameter number {} is not live: only reading the scene anew can change it", .0.index())]
    NotLive(ParameterId),
    /// A law cannot have this parameter.
    #[error(transparent)]
    Law(#[from] LawError),
    /// The engine refuses the change.
    #[error(transparent)]
    Engine(#[from] ControlError),
}

pub(crate) fn no(kind: &'static str, index: impl Into<usize>) -> PlayError {
    PlayError::NoTarget { kind, index: index.into() }
}

/// Checks that a value is a number within a range.
pub(crate) fn within(what: &'static str, value: f64, least: f64, most: f64) -> Result<f64, PlayError> {
    if value >= least && value <= most { Ok(value) } else { Err(PlayError::OutOfRange { what, value, least, most }) }
}
