//! What can be wrong with a model, said so that a person can mend it.

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
    #[error("{user} names `{name}`, which is no object{}", did_you_mean(.suggestion))]
    NoSuchObject {
        /// What names it.
        user: String,
        /// The name.
        name: String,
        /// The nearest name there is.
        suggestion: Option<String>,
    },
    /// A pickup names an interaction that is not there.
    #[error("a pickup names `{name}`, which is no interaction{}", did_you_mean(.suggestion))]
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
        user: String,
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
    #[error("{count} interactions, each point of a spread one counted; the limit is {limit}")]
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
    #[error("{count} interactions may come to feel each other; at most {limit} can be solved together")]
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

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// The nearest of some names, if one is near enough to be a slip of the keyboard.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    names
        .map(|other| (distance(name, other), other))
        .filter(|(distance, other)| *distance <= 1 + other.chars().count() / 4)
        .min()
        .map(|(_, other)| other.to_string())
}

/// Edits between two words (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let kept = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = kept.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_keyboard_are_found_and_other_words_are_not() {
        let names = ["hammer", "string", "bridge"];
        assert_eq!(nearest("hamer", names.into_iter()), Some("hammer".into()));
        assert_eq!(nearest("brigde", names.into_iter()), Some("bridge".into()));
        assert_eq!(nearest("membrane", names.into_iter()), None);
    }
}
