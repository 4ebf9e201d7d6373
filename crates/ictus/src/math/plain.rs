//! Numbers in sentences.

use std::fmt;

/// A number as people write it: the shortest digits that read back as the same number, with an exponent where there would be many
/// zeros. `1e308` by itself prints 309 digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plain(pub f64);

impl fmt::Display for Plain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        let long = value != 0.0 && value.is_finite() && !(1e-4..1e7).contains(&value.abs());
        if long { write!(out, "{value:e}") } else { write!(out, "{value}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_long() {
        let shown = |value: f64| Plain(value).to_string();
        let written = [1e308, -5e-324, 44_100.5, 0.0, 2e-4, 1e-5, 1e7, f64::NAN].map(shown);
        assert_eq!(written, ["1e308", "-5e-324", "44100.5", "0", "0.0002", "1e-5", "1e7", "NaN"]);
    }
}
