//! Reading numbers from options: what is allowed is told in our own words.
//!
//! Options arrive as text, so that `nan`, `inf`, `1,5` and `heavy` all get the same kind of sentence.

use crate::Refusal;
use crate::quantity::{significant, split, units};

/// Which finite numbers an option takes.
#[derive(Clone, Copy, Debug)]
pub enum Allowed {
    /// Any.
    Finite,
    /// Above 0.
    Positive,
    /// 0 or above.
    NonNegative,
    /// 0 or above, below 1.
    Fraction,
    /// From the one number to the other.
    Between(f64, f64),
}

impl Allowed {
    fn contains(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Self::Finite => true,
                Self::Positive => number > 0.0,
                Self::NonNegative => number >= 0.0,
                Self::Fraction => (0.0..1.0).contains(&number),
                Self::Between(low, high) => (low..=high).contains(&number),
            }
    }

    fn describe(self) -> String {
        match self {
            Self::Finite => "a finite number".to_owned(),
            Self::Positive => "a finite number above 0".to_owned(),
            Self::NonNegative => "a finite number, 0 or above".to_owned(),
            Self::Fraction => "a number from 0 to below 1".to_owned(),
            Self::Between(low, high) => format!("a number from {} to {}", significant(low, 6), significant(high, 6)),
        }
    }
}

/// The number an option was given, if it is an allowed one. `unit` may be empty.
///
/// # Errors
/// It is no number, or not allowed.
pub fn number(option: &'static str, text: &str, allowed: Allowed, unit: &str) -> Result<f64, Refusal> {
    match text.parse::<f64>() {
        // Adding 0 turns -0 into 0.
        Ok(number) if allowed.contains(number) => Ok(number + 0.0),
        parsed => {
            let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
            let with_point = text.replacen(',', ".", 1);
            let suggestion = (parsed.is_err() && with_point.parse::<f64>().is_ok()).then_some(with_point);
            Err(Refusal {
                option,
                value: text.to_owned(),
                allowed: format!("must be {}{unit}", allowed.describe()),
                suggestion,
            })
        }
    }
}

/// The quantity an option was given in SI units, if it is an allowed one: a number in SI units, or one with a decimal prefix
/// and the unit, `2ms`, `10 g`, `1.8kHz`.
///
/// # Errors
/// It is no such quantity, or not allowed.
pub fn quantity(option: &'static str, text: &str, allowed: Allowed, unit: &str) -> Result<f64, Refusal> {
    let (digits, factor) = match split(text, unit) {
        Some(parts) => parts,
        // No unit: a number, or what should have been one.
        None if !text.ends_with(char::is_alphabetic) || text.parse::<f64>().is_ok() => {
            return number(option, text, allowed, unit);
        }
        None => ("", 1.0),
    };
    match digits.parse::<f64>() {
        Ok(value) if allowed.contains(value * factor) => Ok(value * factor),
        _ => {
            let allowed = match units(unit) {
                Some(units) => format!("must be {} ({unit}), or one with a unit: {units}", allowed.describe()),
                None => format!("must be {}, without a unit", allowed.describe()),
            };
            Err(Refusal { option, value: text.to_owned(), allowed, suggestion: None })
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

    #[test]
    fn a_wrong_unit_is_answered_with_the_units_there_are() {
        let message = |text: &str, unit: &str| {
            let error = quantity("--x", text, Allowed::Positive, unit).expect_err("is refused");
            error.to_string()
        };
        let above = "--x is 2kg, but must be a finite number above 0";
        assert_eq!(message("2kg", "s"), format!("{above} (s), or one with a unit: µs (or us), ms or s"));
        assert_eq!(message("2kg", ""), format!("{above}, without a unit"));
        assert!(message("2lb", "kg").ends_with("with a unit: mg, g or kg"));
        assert!(message("2cm/s", "m/s").ends_with("with a unit: mm/s or m/s"));
        assert_eq!(message("-2", "s"), "--x is -2, but must be a finite number above 0 (s)");
        assert!(message("1,5", "s").ends_with("did you mean 1.5?"));
    }

    #[test]
    fn quantities_are_read_with_and_without_a_unit() {
        let read = |text: &str, unit: &str| quantity("--x", text, Allowed::Positive, unit).ok();
        assert_eq!(read("2ms", "s"), Some(2e-3));
        assert_eq!(read("0.002", "s"), Some(2e-3));
        assert_eq!(read("10 g", "kg"), Some(0.01));
        for micro in ["500us", "500µs", "500μs", "500 us"] {
            assert!(read(micro, "s").is_some_and(|time| (time / 5e-4 - 1.0).abs() < 1e-15), "{micro}");
        }
        assert_eq!(read("0.5kg", "kg"), Some(0.5));
        assert_eq!(read("1.8kHz", "Hz"), Some(1800.0));
        assert_eq!(read("50cm/s", "m/s"), None);
        assert_eq!(read("500mm/s", "m/s"), Some(0.5));
        for wrong in ["2mm", "ms", "-2ms", "infs", "nans", "2 m s", "1e999ms", "2ss"] {
            assert_eq!(read(wrong, "s"), None, "{wrong}");
        }
    }
}
