//! Reading numbers from options: what is allowed is told in our own words.
//!
//! Options arrive as text, so that `nan`, `inf`, `1,5` and `heavy` all get the same kind of sentence.

use crate::error::Error;

/// Which finite numbers an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Allowed {
    /// Any.
    Finite,
    /// Above 0.
    Positive,
    /// 0 or above.
    NonNegative,
    /// The given number or above.
    AtLeast(f64),
    /// 0 or above, below 1.
    Fraction,
}

impl Allowed {
    fn contains(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Self::Finite => true,
                Self::Positive => number > 0.0,
                Self::NonNegative => number >= 0.0,
                Self::AtLeast(least) => number >= least,
                Self::Fraction => (0.0..1.0).contains(&number),
            }
    }

    fn describe(self) -> String {
        match self {
            Self::Finite => "a finite number".to_owned(),
            Self::Positive => "a finite number above 0".to_owned(),
            Self::NonNegative => "a finite number, 0 or above".to_owned(),
            Self::AtLeast(least) => format!("a finite number, {least} or above"),
            Self::Fraction => "a number from 0 to below 1".to_owned(),
        }
    }
}

/// The number an option was given, if it is an allowed one. `unit` may be empty.
pub fn number(option: &'static str, text: &str, allowed: Allowed, unit: &str) -> Result<f64, Error> {
    match text.parse::<f64>() {
        // Adding 0 turns -0 into 0.
        Ok(number) if allowed.contains(number) => Ok(number + 0.0),
        parsed => {
            let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
            let with_point = text.replacen(',', ".", 1);
            let suggestion = (parsed.is_err() && with_point.parse::<f64>().is_ok()).then_some(with_point);
            Err(Error::Option {
                option,
                value: text.to_owned(),
                allowed: format!("must be {}{unit}", allowed.describe()),
                suggestion,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_scientific_numbers_are_read() {
        assert_eq!(number("--x", "1e9", Allowed::Positive, "").ok(), Some(1e9));
        assert_eq!(number("--x", "-0", Allowed::NonNegative, "").ok().map(f64::to_bits), Some(0));
        assert_eq!(number("--x", ".5", Allowed::Fraction, "").ok(), Some(0.5));
    }

    #[test]
    fn what_is_not_a_finite_number_is_refused_whatever_the_range() {
        for text in ["nan", "inf", "-inf", "1e999", "", "heavy", "0x10"] {
            assert!(number("--x", text, Allowed::Finite, "").is_err(), "{text}");
        }
    }

    #[test]
    fn a_decimal_comma_is_pointed_out() {
        let message = number("--x", "1,5", Allowed::Finite, "m").map_err(|error| error.to_string());
        assert_eq!(message, Err("--x is \"1,5\", but must be a finite number (m); did you mean 1.5?".to_owned()));
    }
}
