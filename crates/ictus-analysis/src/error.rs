//! What can be wrong with the input of an analysis, and the checks that find it.
//!
//! Every public function passes its input through these checks first, so the mathematics after
//! them only ever sees finite samples, a positive rate and sizes that fit in memory.

use ictus::math::Plain;

/// Largest magnitude accepted for one sample (any unit): its square still sums without overflow.
pub const LARGEST_SAMPLE: f64 = 1e100;

/// Largest frame or transform length accepted as a setting, in samples.
pub const LARGEST_FRAME: usize = 1 << 24;

/// Input that cannot be analysed, with what was expected and what came instead.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A rate, frequency or other setting is outside its range.
    #[error("{name}: expected {expected}, got {}", Plain(*.actual))]
    Setting {
        /// Which setting.
        name: &'static str,
        /// The accepted range, with its unit.
        expected: &'static str,
        /// The value that was given.
        actual: f64,
    },
    /// A sample is not a finite number of sensible size.
    #[error("sample {index} of {signal}: expected a finite value of magnitude at most 1e100, got {}", Plain(*.actual))]
    Sample {
        /// Which signal.
        signal: &'static str,
        /// Position of the first bad sample.
        index: usize,
        /// Its value.
        actual: f64,
    },
    /// A count (samples, channels, cells) is too small or too large.
    #[error("{name}: expected {expected} {limit}, got {actual}")]
    Count {
        /// What is counted.
        name: &'static str,
        /// The relation to the limit: "at least", "at most" or "exactly".
        expected: &'static str,
        /// The limit.
        limit: usize,
        /// The count that was given.
        actual: usize,
    },
    /// A library under this one refused its input.
    #[error("{library} refused its input: {message}")]
    Library {
        /// The library's name.
        library: &'static str,
        /// What it said.
        message: String,
    },
}

/// Rate in hertz: finite, between 1 mHz and 1 GHz.
pub(crate) fn check_rate(rate: f64) -> Result<(), AnalysisError> {
    check_setting("rate", "1e-3 to 1e9 Hz", rate, (1e-3..=1e9).contains(&rate))
}

/// `accepted` is the range check; the rest says what to report when it fails.
pub(crate) fn check_setting(
    name: &'static str,
    expected: &'static str,
    actual: f64,
    accepted: bool,
) -> Result<(), AnalysisError> {
    if accepted { Ok(()) } else { Err(AnalysisError::Setting { name, expected, actual }) }
}

/// At least one sample, and every sample finite.
pub(crate) fn check_signal(name: &'static str, signal: &[f64]) -> Result<(), AnalysisError> {
    if signal.is_empty() {
        return Err(AnalysisError::Count { name, expected: "at least", limit: 1, actual: 0 });
    }
    match signal.iter().position(|sample| sample.is_nan() || sample.abs() > LARGEST_SAMPLE) {
        None => Ok(()),
        Some(index) => Err(AnalysisError::Sample { signal: name, index, actual: signal[index] }),
    }
}

/// Two signals that must run side by side.
pub(crate) fn check_same_length(name: &'static str, expected: usize, actual: usize) -> Result<(), AnalysisError> {
    if expected == actual {
        Ok(())
    } else {
        Err(AnalysisError::Count { name, expected: "exactly", limit: expected, actual })
    }
}

/// A size setting between 1 and `limit`.
pub(crate) fn check_size(name: &'static str, actual: usize, limit: usize) -> Result<(), AnalysisError> {
    let (expected, bound) = match actual {
        0 => ("at least", 1),
        _ if actual > limit => ("at most", limit),
        _ => return Ok(()),
    };
    Err(AnalysisError::Count { name, expected, limit: bound, actual })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_expected_and_actual() {
        let text = check_rate(0.0).unwrap_err().to_string();
        assert_eq!(text, "rate: expected 1e-3 to 1e9 Hz, got 0");
        let text = check_signal("force", &[0.0, f64::NAN]).unwrap_err().to_string();
        assert!(text.starts_with("sample 1 of force: expected a finite value"));
        assert!(text.ends_with("got NaN"));
        let text = check_size("hop", 0, 8).unwrap_err().to_string();
        assert_eq!(text, "hop: expected at least 1, got 0");
    }

    #[test]
    fn nothing_but_usable_numbers_passes() {
        for rate in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e10] {
            assert!(check_rate(rate).is_err(), "{rate}");
        }
        for sample in [f64::NAN, f64::NEG_INFINITY, 1e101] {
            assert!(check_signal("signal", &[sample]).is_err(), "{sample}");
        }
        assert!(check_signal("signal", &[]).is_err());
        assert!(check_signal("signal", &[-1e100, 5e-324]).is_ok());
        assert!(check_rate(44_100.0).is_ok());
    }
}
