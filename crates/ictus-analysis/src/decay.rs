//! How long a sound rings: the time to fall 60 dB.
//!
//! **Whole sound.** Backward integration `E(t) = ∫_t^∞ x² dt` turns beating and noise-like decay
//! into a smooth curve (M. R. Schroeder, "New method of measuring reverberation time", JASA 37,
//! 1965); a line is fitted to `10 log10 E(t)/E(0)` between two levels, by default -5 and -35 dB,
//! and `T60 = -60/slope`. As in ISO 3382-1 the sound must go on falling 15 dB past the lower
//! level, otherwise its end (or a noise floor) bends the curve: then there is no answer.
//!
//! **One partial.** The short-time transform at one fixed frequency of a damped sine
//! `e^{-σt} cos ωt` is exactly proportional to `e^{-σt}`, whatever the window and even if the
//! frequency is a little off, so the line is fitted to the logarithm of its magnitude.

use std::f64::consts::TAU;

use crate::error::{AnalysisError, check_rate, check_setting, check_signal};
use crate::heterodyne::transform_at;
use crate::spectrum::decibels;
use crate::window::Window;

/// How far below the fitted range the sound must fall, in dB (ISO 3382-1).
const MARGIN: f64 = 15.0;

/// Points of the curve of remaining energy to which the line is fitted at most.
const FITTED_POINTS: usize = 4096;

/// Blocks the sound is divided into to see how far it falls.
const BLOCKS: usize = 64;

/// Frames per window length in the measurement of one partial.
const OVERLAP: usize = 8;

/// The part of a decay to which a line is fitted, in dB below its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitRange {
    /// Where the line begins, 0 or below; default -5 dB, which leaves the attack out.
    pub upper: f64,
    /// Where the line ends, below `upper` and not below -200; default -35 dB.
    pub lower: f64,
}

impl Default for FitRange {
    fn default() -> Self {
        Self { upper: -5.0, lower: -35.0 }
    }
}

impl FitRange {
    pub(crate) fn check(self) -> Result<(), AnalysisError> {
        check_setting("upper level", "at most 0 dB", self.upper, self.upper <= 0.0)?;
        check_setting(
            "lower level",
            "-200 dB or more, and below the upper level",
            self.lower,
            self.lower >= -200.0 && self.lower < self.upper,
        )
    }
}

/// The time in seconds in which `signal` at `rate` Hz falls 60 dB, or `None` if it does not fall
/// far enough for `range`.
///
/// Within 0.5 % for an exponential decay of five periods or more, even where the end of the sound
/// just leaves the margin.
pub fn decay_time(signal: &[f64], rate: f64, range: FitRange) -> Result<Option<f64>, AnalysisError> {
    check_rate(rate)?;
    check_signal("signal", signal)?;
    range.check()?;
    Ok(schroeder_decay_time(signal, rate, range))
}

/// The time in seconds in which the partial at `frequency` Hz falls 60 dB, or `None` if it does
/// not cross `range`. Other partials must be at least `half_width` Hz away; a smaller half-width
/// needs a longer sound, at least `4/half_width` seconds.
pub fn partial_decay_time(
    signal: &[f64],
    rate: f64,
    frequency: f64,
    half_width: f64,
    range: FitRange,
) -> Result<Option<f64>, AnalysisError> {
    check_rate(rate)?;
    check_signal("signal", signal)?;
    range.check()?;
    let below_nyquist = |f: f64| f > 0.0 && f < 0.5 * rate;
    let expected = "more than 0 and less than half the rate, in Hz";
    check_setting("frequency", expected, frequency, below_nyquist(frequency))?;
    check_setting("half-width", expected, half_width, below_nyquist(half_width))?;

    let window = Window::BlackmanHarris;
    let size = (window.main_lobe_bins() * rate / half_width).ceil();
    if size > signal.len() as f64 {
        return Ok(None);
    }
    let size = size as usize;
    let hop = (size / OVERLAP).max(1);
    let weights = window.weights(size);
    let omega = TAU * frequency / rate;
    let mut frame = vec![0.0; size];
    let levels: Vec<f64> = (0..=signal.len() - size)
        .step_by(hop)
        .map(|start| {
            for ((cell, x), w) in frame.iter_mut().zip(&signal[start..]).zip(&weights) {
                *cell = x * w;
            }
            decibels(transform_at(&frame, omega).norm())
        })
        .collect();
    Ok(fitted_decay_time(&levels, hop as f64 / rate, range))
}

/// Backward integration of samples already known to be finite.
pub(crate) fn schroeder_decay_time(signal: &[f64], rate: f64, range: FitRange) -> Option<f64> {
    if fall(signal)? < MARGIN - range.lower {
        return None;
    }
    let mut remaining = 0.0;
    let mut energies: Vec<f64> = signal
        .iter()
        .rev()
        .map(|x| {
            remaining += x * x;
            remaining
        })
        .collect();
    energies.reverse();
    // They only fall, so the ends of the fitted range are found without a logarithm of every sample.
    let top = energies[0];
    let above = |decibels: f64| {
        let level = top * 10f64.powf(0.1 * decibels);
        energies.partition_point(|energy| *energy > level)
    };
    let fitted = energies.get(above(range.upper)..above(range.lower)).unwrap_or(&[]);
    // The curve is smooth: more points than these only cost logarithms.
    let every = fitted.len().div_ceil(FITTED_POINTS).max(1);
    let levels: Vec<f64> = fitted.iter().step_by(every).map(|energy| 10.0 * energy.log10()).collect();
    time_of_slope(slope_per_step(&levels)?, every as f64 / rate)
}

/// By how many dB the last of [`BLOCKS`] blocks is weaker than the strongest.
fn fall(signal: &[f64]) -> Option<f64> {
    let block = signal.len() / BLOCKS;
    if block == 0 {
        return None;
    }
    let energies: Vec<f64> = signal.rchunks_exact(block).map(|samples| samples.iter().map(|x| x * x).sum()).collect();
    let largest = energies.iter().fold(0.0_f64, |a, &b| a.max(b));
    // Too small to divide by: silence.
    (largest >= f64::MIN_POSITIVE).then(|| 10.0 * (largest / energies[0]).log10())
}

/// Fits a line to the levels (dB, `step` seconds apart) from where they last leave
/// `range.upper` to where they then first reach `range.lower`, both below the largest level.
fn fitted_decay_time(levels: &[f64], step: f64, range: FitRange) -> Option<f64> {
    let top = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !top.is_finite() {
        return None;
    }
    let peak = levels.iter().position(|&level| level == top)?;
    let first = peak + levels[peak..].iter().position(|&l| l - top <= range.upper)?;
    let last = first + levels[first..].iter().position(|&l| l - top <= range.lower)?;
    // The sample that crosses the lower level may already be silence.
    time_of_slope(slope_per_step(&levels[first..last])?, step)
}

/// The time in which levels that fall by `slope` dB in `step` seconds fall by 60 dB.
fn time_of_slope(slope: f64, step: f64) -> Option<f64> {
    let time = -60.0 * step / slope;
    (slope < 0.0 && time.is_finite()).then_some(time)
}

/// Least-squares slope of at least three equally spaced values.
fn slope_per_step(values: &[f64]) -> Option<f64> {
    if values.len() < 3 {
        return None;
    }
    let count = values.len() as f64;
    let middle = 0.5 * (count - 1.0);
    let mean = values.iter().sum::<f64>() / count;
    let covariance: f64 = values.iter().enumerate().map(|(n, value)| (n as f64 - middle) * (value - mean)).sum();
    Some(covariance / (count * (count * count - 1.0) / 12.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_signals::{noise, ringing, sine, sum};

    const RATE: f64 = 44_100.0;

    fn relative_error(measured: Option<f64>, expected: f64) -> f64 {
        (measured.expect("a decay time") / expected - 1.0).abs()
    }

    #[test]
    fn an_exponential_decay_is_measured_within_half_a_percent() {
        for t60 in [0.05, 0.3, 1.0, 1.15] {
            for frequency in [110.0, 441.0, 5000.0] {
                let signal = ringing(frequency, 0.3, t60, RATE, 44_100);
                let time = decay_time(&signal, RATE, FitRange::default()).unwrap();
                let error = relative_error(time, t60);
                assert!(error < 0.005, "{frequency} Hz, {t60} s: {error}");
            }
        }
    }

    #[test]
    fn silence_before_the_attack_does_not_matter() {
        let mut signal = vec![0.0; 10_000];
        signal.extend(ringing(500.0, 1.0, 0.5, RATE, 44_100));
        let time = decay_time(&signal, RATE, FitRange::default()).unwrap();
        assert!(relative_error(time, 0.5) < 0.005);
    }

    #[test]
    fn decaying_noise_is_measured_within_three_percent() {
        let envelope = ringing(0.0, 1.0 / 0.4_f64.sin(), 0.8, RATE, 44_100);
        let signal: Vec<f64> = noise(44_100).iter().zip(&envelope).map(|(x, e)| x * e).collect();
        let time = decay_time(&signal, RATE, FitRange::default()).unwrap();
        assert!(relative_error(time, 0.8) < 0.03, "{time:?}");
    }

    #[test]
    fn a_decay_without_enough_range_has_no_time() {
        let range = FitRange::default();
        // 30 dB only; then a noise floor 40 dB down; then no decay, growth and silence.
        let slow = ringing(500.0, 1.0, 2.0, RATE, 44_100);
        assert_eq!(decay_time(&slow, RATE, range).unwrap(), None);
        let narrow = FitRange { upper: -1.0, lower: -11.0 };
        let time = decay_time(&slow, RATE, narrow).unwrap();
        assert!(relative_error(time, 2.0) < 0.02, "{time:?}");
        let floor: Vec<f64> = noise(44_100).iter().map(|x| 0.01 * x).collect();
        let noisy = sum(&[ringing(500.0, 1.0, 0.3, RATE, 44_100), floor]);
        assert_eq!(decay_time(&noisy, RATE, range).unwrap(), None);
        let mut growing = ringing(500.0, 1.0, 0.5, RATE, 44_100);
        growing.reverse();
        for signal in [sine(500.0, 1.0, 0.0, RATE, 44_100), growing, vec![0.0; 9000]] {
            assert_eq!(decay_time(&signal, RATE, range).unwrap(), None);
            let partial = partial_decay_time(&signal, RATE, 500.0, 50.0, range).unwrap();
            assert_eq!(partial, None);
        }
    }

    #[test]
    fn each_partial_of_a_chord_has_its_own_decay_time() {
        let partials = [(200.0, 1.0, 3.0), (431.0, 0.5, 0.9), (880.0, 1.0, 0.4), (1700.0, 0.1, 0.2)];
        let signals: Vec<Vec<f64>> = partials.iter().map(|&(f, a, t60)| ringing(f, a, t60, RATE, 132_300)).collect();
        let signal = sum(&signals);
        for (frequency, _, t60) in partials {
            // Half a hertz off, as an estimate may be.
            let time = partial_decay_time(&signal, RATE, frequency + 0.5, 150.0, FitRange::default());
            let error = relative_error(time.unwrap(), t60);
            assert!(error < 1e-4, "{frequency} Hz: {error}");
        }
    }

    #[test]
    fn a_partial_needs_no_margin_below_its_range() {
        let slow = ringing(440.0, 1.0, 8.0, RATE, 44_100);
        let range = FitRange { upper: 0.0, lower: -5.0 };
        let time = partial_decay_time(&slow, RATE, 440.0, 100.0, range).unwrap();
        assert!(relative_error(time, 8.0) < 1e-6, "{time:?}");
    }

    #[test]
    fn an_impossible_range_is_refused() {
        for (upper, lower) in [(1.0, -5.0), (-5.0, -5.0), (f64::NAN, -5.0), (0.0, f64::NAN)] {
            let range = FitRange { upper, lower };
            assert!(decay_time(&[0.0; 100], RATE, range).is_err(), "{range:?}");
        }
    }
}
