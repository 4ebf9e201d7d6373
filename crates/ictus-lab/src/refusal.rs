//! A question that cannot be answered as it was asked.

use std::fmt;

/// The value of an option is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The option as typed, `--mass`.
    pub option: &'static str,
    /// The value as typed.
    pub value: String,
    /// What is allowed: completes "… is …, but …".
    pub allowed: String,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

impl Refusal {
    /// A value that is not allowed, without a suggestion.
    pub fn new(option: &'static str, value: impl fmt::Display, allowed: impl Into<String>) -> Self {
        Self { option, value: value.to_string(), allowed: allowed.into(), suggestion: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { option, value, allowed, suggestion } = self;
        write!(out, "{option} is {}, but {allowed}", shown(value))?;
        match suggestion {
            Some(suggestion) => write!(out, "; did you mean {}?", shown(suggestion)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

/// A value as it was typed; in quotes, with control characters escaped, unless it is a plain word.
pub fn shown(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-._/".contains(c);
    if !value.is_empty() && value.chars().all(plain) { value.to_owned() } else { format!("{value:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_one_sentence_with_option_value_and_what_is_allowed() {
        let refusal = Refusal::new("--mass", "-1", "must be above 0");
        assert_eq!(refusal.to_string(), "--mass is -1, but must be above 0");
        let meant = Refusal { suggestion: Some("1".to_owned()), ..refusal };
        assert_eq!(meant.to_string(), "--mass is -1, but must be above 0; did you mean 1?");
    }

    #[test]
    fn control_characters_of_a_value_do_not_reach_the_terminal() {
        let refusal = Refusal::new("--mass", "\u{1b}[31m", "must be above 0");
        assert!(!refusal.to_string().contains('\u{1b}'));
    }
}
