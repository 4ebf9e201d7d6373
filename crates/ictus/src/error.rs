//! What can be wrong with a model, said so that a person can mend it.

use std::fmt;

use crate::objects::ObjectError;

/// Why a model cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The sample rate is not a positive number.
    #[error("the sample rate is {} Hz, must be above 0 and at most 10 MHz", crate::math::Plain(*.0))]
    Rate(f64),
    /// Two things of a kind have one name.
    #[error("two {kind} are called `{name}`")]
    SameName {
        /// Objects, interactions or forces.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// An object cannot be built.
    #[error("object `{name}`: {error}")]
    Object {
        /// Its name.
        name: String,
        /// What is wrong.
        error: ObjectError,
    },
    /// Something names an object that is not there.
    #[error("{user} names `{name}`, which is not an object{}", did_you_mean(.suggestion))]
    NoSuchObject {
        /// What names it.
        user: User,
        /// The name.
        name: String,
        /// The nearest name there is.
        suggestion: Option<String>,
    },
    /// A pickup names an interaction that is not there.
    #[error("a pickup names `{name}`, which is not an interaction{}", did_you_mean(.suggestion))]
    NoSuchInteraction {
        /// The name.
        name: String,
        /// The nearest name there is.
        suggestion: Option<String>,
    },
    /// A point is not on its object, or a value of an interaction, force or pickup is not allowed.
    #[error("{user}: {error}")]
    Value {
        /// What it belongs to.
        user: User,
        /// What is wrong.
        error: ObjectError,
    },
    /// Neither end of an interaction can move.
    #[error("interaction `{0}` joins two points that cannot move")]
    Immovable(String),
    /// A spread interaction needs strings or bars, of the same grid if there are two.
    #[error("interaction `{name}` is spread: {needs}")]
    NotSpreadable {
        /// Its name.
        name: String,
        /// What it needs.
        needs: &'static str,
    },
    /// More interactions than the limit.
    #[error("{count} interactions, counting each point of a spread one; the limit is {limit}")]
    TooManyInteractions {
        /// How many there are.
        count: usize,
        /// The limit in force.
        limit: usize,
    },
    /// Points of bodies in modes take more memory than there is for them.
    #[error(
        "{points} points of `{object}`, which has {modes} modes, are touched, pushed or heard: with those of other bodies that is \
         more than {limit} numbers"
    )]
    TooManyPoints {
        /// The body with which there are too many.
        object: String,
        /// How many of its points were counted.
        points: usize,
        /// How many modes it has.
        modes: usize,
        /// Most numbers that all points together may take.
        limit: usize,
    },
    /// More contacts may come to feel each other than can be solved together.
    #[error("{count} interactions can affect each other; at most {limit} can be solved together")]
    TooTangled {
        /// How many there are.
        count: usize,
        /// The limit.
        limit: usize,
    },
    /// More energy at the start than the account can hold beside what is heard.
    #[error("{0}")]
    TooMuchEnergy(ObjectError),
    /// A pickup has a gain too many or too few.
    #[error("pickup {pickup} has {actual} gains, the first one has {expected}: all need one for each channel")]
    Channels {
        /// Number of the pickup, counted from 0.
        pickup: usize,
        /// Gains of the first pickup.
        expected: usize,
        /// Gains of this one.
        actual: usize,
    },
}

/// What uses a point of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum User {
    /// The interaction of this name.
    Interaction(String),
    /// The force of this name.
    Force(String),
    /// The pickup of this number, counted from 0.
    Pickup(usize),
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            User::Interaction(name) => write!(f, "interaction `{name}`"),
            User::Force(name) => write!(f, "force `{name}`"),
            User::Pickup(number) => write!(f, "pickup {number}"),
        }
    }
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}
