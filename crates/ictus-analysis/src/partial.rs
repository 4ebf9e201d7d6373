//! The exact frequency of one partial, for tuning.
//!
//! The partial is where `P(ω) = |Σ w_n x_n e^{-iωn}|²` (Hann weights w over the whole signal) has
//! its maximum. A padded transform finds the right hump, then Newton's method on `P'(ω) = 0`
//! climbs to its top. For a single damped sine of any decay the top is at its frequency, because
//! the envelope is real; other partials disturb it only through the window's side lobes, which
//! fall with the cube of their distance in bins (one bin is `rate/length` Hz).

use std::f64::consts::TAU;

use crate::error::{AnalysisError, check_rate, check_setting, check_signal};
use crate::heterodyne::power_and_derivatives;
use crate::spectrum::Spectrum;
use crate::window::Window;

/// A hump this far below the largest of the spectrum is rounding, not sound.
const RELATIVE_FLOOR: f64 = 1e-12;

/// Variance of time, in signal lengths squared, that no partial's envelope exceeds: 0.033 for a
/// steady partial under the Hann window, 1/12 even without one. A side lobe, half as wide as a
/// main lobe, shows 1/4.
const LARGEST_SPREAD: f64 = 0.1;

/// Newton steps at most; three or four suffice.
const STEPS: usize = 10;

/// Humps tried, largest first, before a search gives up.
const CANDIDATES: usize = 8;

/// One partial of a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Partial {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Amplitude in the unit of the signal, averaged with a Hann weight over its length.
    pub amplitude: f64,
}

/// The interval from `reference` to `frequency` (both in Hz) in cents, 1200 to the octave;
/// positive when `frequency` is higher. NaN if either is not positive.
pub fn cents(reference: f64, frequency: f64) -> f64 {
    1200.0 * (frequency / reference).log2()
}

/// The strongest partial within `search_cents` (0 to 2400) of `expected` Hz, or `None` if the
/// spectrum has no hump there.
///
/// One second of a partial that is ten or more bins (10 Hz) from any other, and rings for at
/// least 0.3 s (T60), is measured to 0.01 cent above 50 Hz. Two partials closer than two bins
/// count as one.
pub fn partial_near(
    signal: &[f64],
    rate: f64,
    expected: f64,
    search_cents: f64,
) -> Result<Option<Partial>, AnalysisError> {
    PartialFinder::new(signal, rate)?.find(expected, search_cents)
}

/// A windowed signal and its spectrum, ready for several searches.
pub(crate) struct PartialFinder {
    windowed: Vec<f64>,
    weight_sum: f64,
    spectrum: Spectrum,
    rate: f64,
}

impl PartialFinder {
    pub(crate) fn new(signal: &[f64], rate: f64) -> Result<Self, AnalysisError> {
        check_rate(rate)?;
        check_signal("signal", signal)?;
        let weights = Window::Hann.weights(signal.len());
        let windowed: Vec<f64> = signal.iter().zip(&weights).map(|(x, w)| x * w).collect();
        let padded = (2 * signal.len()).next_power_of_two();
        let spectrum = Spectrum::weighted(windowed.clone(), &weights, rate, padded)?;
        Ok(Self { windowed, weight_sum: weights.iter().sum(), spectrum, rate })
    }

    /// The largest amplitude in the spectrum.
    pub(crate) fn largest_amplitude(&self) -> f64 {
        self.spectrum.amplitudes().iter().fold(0.0, |largest, &a| a.max(largest))
    }

    pub(crate) fn find(&self, expected: f64, search_cents: f64) -> Result<Option<Partial>, AnalysisError> {
        check_setting(
            "expected frequency",
            "more than 0 and less than half the rate, in Hz",
            expected,
            expected > 0.0 && expected < 0.5 * self.rate,
        )?;
        check_setting(
            "search range",
            "more than 0 and at most 2400 cents",
            search_cents,
            search_cents > 0.0 && search_cents <= 2400.0,
        )?;
        let ratio = (search_cents / 1200.0).exp2();
        let range = (expected / ratio)..=(expected * ratio);
        Ok(self
            .humps_around(*range.start(), *range.end())
            .into_iter()
            .take(CANDIDATES)
            .filter_map(|bin| self.climb(bin))
            .find(|partial| range.contains(&partial.frequency)))
    }

    /// Bins that are the largest within the main lobe's reach, from `low` to `high` Hz, largest
    /// first. Most side lobes fail already: each has a larger neighbour one signal bin away.
    fn humps_around(&self, low: f64, high: f64) -> Vec<usize> {
        let amplitudes = self.spectrum.amplitudes();
        let width = self.spectrum.bin_width();
        let last = amplitudes.len() - 1;
        let first_bin = ((low / width) as usize).max(1);
        let last_bin = (((high / width).ceil()) as usize).min(last.saturating_sub(1));
        let bins_per_signal_bin = self.rate / self.windowed.len() as f64 / width;
        let reach = (Window::Hann.main_lobe_bins() * bins_per_signal_bin) as usize;
        let floor = RELATIVE_FLOOR * self.largest_amplitude();

        let mut humps: Vec<usize> = (first_bin..=last_bin)
            .filter(|&bin| {
                let around = &amplitudes[bin.saturating_sub(reach)..=(bin + reach).min(last)];
                amplitudes[bin] > floor && around.iter().all(|&a| a <= amplitudes[bin])
            })
            .collect();
        humps.sort_by(|&a, &b| amplitudes[b].total_cmp(&amplitudes[a]));
        humps
    }

    /// Newton's method from the interpolated top of a hump, or `None` if it is a side lobe. The
    /// method never leaves the bins beside the hump: where the curve is too weak for it the
    /// interpolation stands.
    fn climb(&self, bin: usize) -> Option<Partial> {
        let start = self.spectrum.interpolated(bin);
        let interpolated = Some(Partial { frequency: start.frequency, amplitude: start.amplitude });
        let reach = TAU * self.spectrum.bin_width() / self.rate;
        let start_omega = TAU * start.frequency / self.rate;
        let length = self.windowed.len() as f64;
        let mut omega = start_omega;
        for _ in 0..STEPS {
            let [_, slope, curvature] = power_and_derivatives(&self.windowed, omega);
            if curvature >= 0.0 {
                return interpolated;
            }
            let step = -slope / curvature;
            omega += step;
            if (omega - start_omega).abs() > reach {
                return interpolated;
            }
            if step.abs() < 1e-6 * reach {
                break;
            }
        }
        // At the top -P''/2P is the variance of time under the partial's envelope.
        let [power, _, curvature] = power_and_derivatives(&self.windowed, omega);
        let spread = -0.5 * curvature / power / (length * length);
        (spread < LARGEST_SPREAD)
            .then(|| Partial { frequency: omega * self.rate / TAU, amplitude: 2.0 * power.sqrt() / self.weight_sum })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_signals::{noise, ringing, sine, sum};

    const RATE: f64 = 44_100.0;

    fn error_in_cents(signal: &[f64], frequency: f64, expected: f64) -> f64 {
        let partial = partial_near(signal, RATE, expected, 60.0).unwrap().unwrap();
        cents(frequency, partial.frequency).abs()
    }

    #[test]
    fn an_octave_is_1200_cents() {
        assert_eq!(cents(220.0, 440.0), 1200.0);
        assert_eq!(cents(440.0, 220.0), -1200.0);
        assert!((cents(440.0, 466.163_761_518_089_9) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_steady_sine_of_one_second_is_measured_to_a_thousandth_of_a_cent() {
        for frequency in [82.407, 440.0, 441.37, 1234.567, 9876.5] {
            for phase in [0.0, 1.0, 2.5] {
                let signal = sine(frequency, 0.2, phase, RATE, 44_100);
                let error = error_in_cents(&signal, frequency, frequency * 1.02);
                assert!(error < 1e-3, "{frequency} Hz: {error} cents");
                let partial = partial_near(&signal, RATE, frequency, 20.0).unwrap().unwrap();
                assert!((partial.amplitude / 0.2 - 1.0).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn a_decaying_sine_of_one_second_is_measured_to_a_hundredth_of_a_cent() {
        for t60 in [0.3, 1.0, 5.0] {
            for frequency in [110.3, 440.7, 3000.1] {
                let signal = ringing(frequency, 1.0, t60, RATE, 44_100);
                let error = error_in_cents(&signal, frequency, frequency / 1.01);
                assert!(error < 0.01, "{frequency} Hz, T60 {t60} s: {error} cents");
            }
        }
    }

    #[test]
    fn partials_of_a_stiff_string_are_each_measured_to_a_thousandth_of_a_cent() {
        // f_p = p f0 √(1 + B p²), decays shorter for higher partials, in one second.
        let (f0, inharmonicity) = (130.8, 4e-4);
        let frequency = |p: f64| p * f0 * (1.0 + inharmonicity * p * p).sqrt();
        let partials: Vec<Vec<f64>> =
            (1..=20).map(f64::from).map(|p| ringing(frequency(p), 1.0 / p, 4.0 / p.sqrt(), RATE, 44_100)).collect();
        let signal = sum(&partials);
        for p in (1..=20).map(f64::from) {
            let error = error_in_cents(&signal, frequency(p), frequency(p) * 1.01);
            assert!(error < 1e-3, "partial {p}: {error} cents");
        }
    }

    #[test]
    fn a_neighbour_outside_the_search_is_not_taken_for_the_partial() {
        let strong = sine(440.3, 1.0, 0.0, RATE, 44_100);
        assert_eq!(partial_near(&strong, RATE, 500.0, 50.0).unwrap(), None);
        assert_eq!(partial_near(&strong, RATE, 1000.0, 50.0).unwrap(), None);
        let weak = sine(500.0, 1e-4, 0.0, RATE, 44_100);
        let error = error_in_cents(&sum(&[strong, weak]), 500.0, 500.0);
        assert!(error < 0.05, "{error} cents");
    }

    #[test]
    fn noise_40_db_down_costs_less_than_a_hundredth_of_a_cent() {
        let hiss: Vec<f64> = noise(44_100).iter().map(|x| 0.01 * x).collect();
        let signal = sum(&[sine(440.2, 1.0, 0.0, RATE, 44_100), hiss]);
        let error = error_in_cents(&signal, 440.2, 440.0);
        assert!(error < 0.01, "{error} cents");
    }

    #[test]
    fn silence_has_no_partial() {
        assert_eq!(partial_near(&[0.0; 1000], RATE, 440.0, 50.0).unwrap(), None);
        assert!(partial_near(&[0.0; 1000], RATE, 30_000.0, 50.0).is_err());
        assert!(partial_near(&[0.0; 1000], RATE, 440.0, 0.0).is_err());
    }
}
