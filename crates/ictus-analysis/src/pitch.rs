//! The fundamental frequency of a tone.
//!
//! First a period: the normalised square difference
//! `n(τ) = 2 Σ x_j x_{j+τ} / Σ (x_j² + x_{j+τ}²)` is 1 where the sound repeats; the first hump
//! nearly as high as the highest is the period (P. McLeod and G. Wyvill, "A smarter way to find
//! pitch", ICMC 2005). It is taken from the loudest stretch of the sound.
//!
//! Then a frequency: the partial near that pitch is measured as in [`partial_near`]. If it is
//! missing, the partials above it are fitted with the stiff string's law
//! `(f_p/p)² = f0² (1 + B p²)` and the law's value at p = 1 is the answer.
//!
//! [`partial_near`]: crate::partial_near

use crate::error::{AnalysisError, check_setting};
use crate::partial::{Partial, PartialFinder};
use crate::transform::Transform;

/// A hump counts as the period if it reaches this part of the highest (McLeod's k).
const HUMP_SHARE: f64 = 0.9;

/// Below this clarity a sound has no pitch.
const LEAST_CLARITY: f64 = 0.5;

/// Periods of the lowest pitch compared with each other.
const PERIODS: f64 = 8.0;

/// Lags compared per sample.
const OVERSAMPLING: usize = 4;

/// How far a partial may lie from its multiple of the period's pitch.
const SEARCH_CENTS: f64 = 80.0;

/// A partial weaker than this share of the strongest is not trusted.
const LEAST_SHARE: f64 = 1e-3;

/// Partials tried when the fundamental is missing.
const PARTIALS: usize = 10;

/// Where to look for a fundamental.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PitchRange {
    /// Lowest pitch in Hz, above 0; default 20. The sound must hold two of its periods.
    pub lowest: f64,
    /// Highest pitch in Hz, above `lowest`; default 5000. Never above a quarter of the rate.
    pub highest: f64,
}

impl Default for PitchRange {
    fn default() -> Self {
        Self { lowest: 20.0, highest: 5000.0 }
    }
}

/// The pitch of a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pitch {
    /// Fundamental frequency in Hz.
    pub frequency: f64,
    /// How well the sound repeats, 0.5 to 1: a steady harmonic tone is 1.
    pub clarity: f64,
}

/// The fundamental of `signal` at `rate` Hz, or `None` where nothing repeats (silence, noise, or
/// fewer than two periods).
///
/// Half a second of a harmonic tone is measured within 0.2 cents, steady or decaying, stiff or
/// not, and even with a weak or missing fundamental. Where partials follow no harmonic law at all
/// (bars, plates) and all ring equally, the period found may belong to no mode: measure such
/// partials with [`partial_near`](crate::partial_near).
pub fn fundamental(signal: &[f64], rate: f64, range: PitchRange) -> Result<Option<Pitch>, AnalysisError> {
    let finder = PartialFinder::new(signal, rate)?;
    check_setting(
        "lowest pitch",
        "a finite frequency above 0 Hz",
        range.lowest,
        range.lowest > 0.0 && range.lowest.is_finite(),
    )?;
    check_setting(
        "highest pitch",
        "a finite frequency above the lowest",
        range.highest,
        range.highest > range.lowest && range.highest.is_finite(),
    )?;
    let stretch = loudest_stretch(signal, (PERIODS * rate / range.lowest) as usize);
    let longest = ((rate / range.lowest) as usize).saturating_add(2);
    let similarity = normalised_square_difference(stretch, longest)?;
    let shortest = (rate / range.highest).max(4.0);
    let Some((period, clarity)) = first_high_hump(&similarity, shortest, rate / range.lowest) else {
        return Ok(None);
    };
    Ok(Some(Pitch { frequency: refined(&finder, rate / period, rate)?, clarity: clarity.min(1.0) }))
}

/// The stretch of `length` samples (all, if fewer) with the most energy, in steps of half of it.
fn loudest_stretch(signal: &[f64], length: usize) -> &[f64] {
    let length = length.clamp(1, signal.len());
    let energy = |start: usize| -> f64 { signal[start..start + length].iter().map(|x| x * x).sum() };
    let start = (0..=signal.len() - length)
        .step_by((length / 2).max(1))
        .max_by(|&a, &b| energy(a).total_cmp(&energy(b)).then(b.cmp(&a)))
        .unwrap_or(0);
    &signal[start..start + length]
}

/// `n(τ)` of the samples less their mean, for lags `0, 1/OVERSAMPLING, 2/OVERSAMPLING …` up to
/// `longest` samples or half of what there is. Whole lags alone would miss the humps of a high,
/// bright tone; the extra lags come from the same spectrum, extended with zeros.
fn normalised_square_difference(samples: &[f64], longest: usize) -> Result<Vec<f64>, AnalysisError> {
    let length = samples.len();
    let longest = longest.min(length / 2);
    let mean = samples.iter().sum::<f64>() / length as f64;
    let mut padded: Vec<f64> = samples.iter().map(|x| x - mean).collect();
    let squares: Vec<f64> = padded.iter().map(|x| x * x).collect();
    padded.resize((length + longest + 1).next_power_of_two(), 0.0);

    let size = padded.len();
    let mut power = Transform::new(size).forward(&mut padded)?.to_vec();
    for value in &mut power {
        *value = value.norm_sqr().into();
    }
    power.resize(OVERSAMPLING * size / 2 + 1, 0.0.into());
    let correlation = Transform::new(OVERSAMPLING * size).inverse(&mut power)?;

    let total = 2.0 * squares.iter().sum::<f64>();
    let mut energy = total;
    let mut similarity = Vec::with_capacity(OVERSAMPLING * longest);
    for lag in 0..longest {
        let step = (squares[lag] + squares[length - 1 - lag]) / OVERSAMPLING as f64;
        for part in 0..OVERSAMPLING {
            let product = OVERSAMPLING as f64 * correlation[OVERSAMPLING * lag + part];
            // Below rounding of the whole there is nothing left to compare.
            let comparable = energy > 1e-12 * total;
            similarity.push(if comparable { 2.0 * product / energy } else { 0.0 });
            energy -= step;
        }
    }
    Ok(similarity)
}

/// The lag in samples and the height of the first hump that is nearly as high as the highest,
/// with the lag between `shortest` and `longest` samples.
fn first_high_hump(similarity: &[f64], shortest: f64, longest: f64) -> Option<(f64, f64)> {
    // The hump around lag 0 ends where the curve first turns negative.
    let first_dip = similarity.iter().position(|&n| n < 0.0)?;
    let humps: Vec<(f64, f64)> = similarity[first_dip..]
        .windows(3)
        .enumerate()
        .filter(|(_, around)| around[1] > 0.0 && around[1] > around[0] && around[1] >= around[2])
        .map(|(index, around)| {
            let (a, b, c) = (around[0], around[1], around[2]);
            let offset = 0.5 * (a - c) / (a - 2.0 * b + c);
            let lag = ((first_dip + index + 1) as f64 + offset) / OVERSAMPLING as f64;
            (lag, b - 0.25 * (a - c) * offset)
        })
        .filter(|(lag, _)| (shortest..=longest).contains(lag))
        .collect();
    let highest = humps.iter().fold(0.0_f64, |top, hump| top.max(hump.1));
    humps.into_iter().find(|hump| hump.1 >= LEAST_CLARITY && hump.1 >= HUMP_SHARE * highest)
}

/// The exact fundamental of a tone whose period says `pitch` Hz.
fn refined(finder: &PartialFinder, pitch: f64, rate: f64) -> Result<f64, AnalysisError> {
    let floor = LEAST_SHARE * finder.largest_amplitude();
    let measure = |number: usize| -> Result<Option<Partial>, AnalysisError> {
        let expected = number as f64 * pitch;
        if expected >= 0.49 * rate {
            return Ok(None);
        }
        let partial = finder.find(expected, SEARCH_CENTS)?;
        Ok(partial.filter(|partial| partial.amplitude >= floor))
    };
    if let Some(first) = measure(1)? {
        return Ok(first.frequency);
    }
    let mut partials = Vec::new();
    for number in 2..=PARTIALS {
        if let Some(partial) = measure(number)? {
            partials.push((number as f64, partial));
        }
    }
    Ok(stiff_string_fundamental(&partials).unwrap_or(pitch))
}

/// Least squares for `(f_p/p)² = a + b p²` weighted by amplitude; the law at p = 1 is `√(a + b)`.
fn stiff_string_fundamental(partials: &[(f64, Partial)]) -> Option<f64> {
    let weight: f64 = partials.iter().map(|(_, partial)| partial.amplitude).sum();
    if partials.is_empty() || weight < f64::MIN_POSITIVE {
        return None;
    }
    let mean = |quantity: &dyn Fn(f64, f64) -> f64| -> f64 {
        let terms = partials.iter().map(|&(number, partial)| {
            let square = (partial.frequency / number).powi(2);
            partial.amplitude / weight * quantity(number * number, square)
        });
        terms.sum()
    };
    let x = mean(&|x, _| x);
    let y = mean(&|_, y| y);
    let variance = mean(&|other, _| (other - x).powi(2));
    let covariance = mean(&|other, square| (other - x) * (square - y));
    // A string cannot be less stiff than a perfectly flexible one.
    let slope = if variance > 0.0 { (covariance / variance).max(0.0) } else { 0.0 };
    let square = y + slope * (1.0 - x);
    (square > 0.0).then(|| square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial::cents;
    use crate::test_signals::{noise, ringing, sine, sum};

    const RATE: f64 = 44_100.0;

    fn error_in_cents(signal: &[f64], frequency: f64) -> f64 {
        let pitch = fundamental(signal, RATE, PitchRange::default()).unwrap();
        cents(frequency, pitch.expect("a pitch").frequency).abs()
    }

    fn harmonics(frequency: f64, amplitudes: &[f64], length: usize) -> Vec<f64> {
        let partials: Vec<Vec<f64>> = amplitudes
            .iter()
            .enumerate()
            .filter(|(p, _)| (*p as f64 + 1.0) * frequency < 0.45 * RATE)
            .map(|(p, &a)| sine((p + 1) as f64 * frequency, a, p as f64, RATE, length))
            .collect();
        sum(&partials)
    }

    #[test]
    fn steady_harmonic_tones_are_measured_within_a_fifth_of_a_cent() {
        let saw: Vec<f64> = (1..=12).map(|p| 1.0 / f64::from(p)).collect();
        let hollow = [1.0, 0.0, 0.3, 0.0, 0.2];
        let weak_first = [0.02, 1.0, 0.8, 0.5, 0.3];
        for frequency in [41.2, 82.407, 261.626, 440.0, 987.77, 2093.0, 4186.01] {
            for amplitudes in [&saw[..], &hollow, &weak_first] {
                let signal = harmonics(frequency, amplitudes, 22_050);
                let error = error_in_cents(&signal, frequency);
                assert!(error < 0.2, "{frequency} Hz, {amplitudes:?}: {error} cents");
            }
        }
    }

    #[test]
    fn a_missing_fundamental_is_heard_within_a_cent() {
        let signal = harmonics(196.3, &[0.0, 1.0, 0.7, 0.5, 0.4], 22_050);
        assert!(error_in_cents(&signal, 196.3) < 1.0);
    }

    #[test]
    fn stiff_decaying_strings_are_measured_within_a_hundredth_of_a_cent() {
        for inharmonicity in [1e-5, 1e-4, 1e-3] {
            for f0 in [55.0, 130.8, 440.0] {
                let frequency = |p: f64| p * f0 * (1.0 + inharmonicity * p * p).sqrt();
                let partials: Vec<Vec<f64>> =
                    (1..=12).map(f64::from).map(|p| ringing(frequency(p), 1.0 / p, 3.0 / p, RATE, 44_100)).collect();
                let error = error_in_cents(&sum(&partials), frequency(1.0));
                assert!(error < 0.01, "{f0} Hz, B {inharmonicity}: {error} cents");
            }
        }
    }

    #[test]
    fn a_free_bar_whose_overtones_die_first_has_the_pitch_of_its_first_mode() {
        let f0 = 261.6;
        let ratios = [1.0, (5.0_f64 / 3.011).powi(2), (7.0_f64 / 3.011).powi(2)];
        let partials: Vec<Vec<f64>> =
            ratios.iter().map(|r| ringing(f0 * r, 1.0 / r, 1.5 / (r * r), RATE, 44_100)).collect();
        let error = error_in_cents(&sum(&partials), f0);
        assert!(error < 5.0, "{error} cents");
    }

    #[test]
    fn a_short_note_after_silence_is_found() {
        let mut signal = vec![0.0; 30_000];
        signal.extend(harmonics(330.0, &[1.0, 0.5, 0.2], 8820));
        assert!(error_in_cents(&signal, 330.0) < 1.0);
    }

    #[test]
    fn what_does_not_repeat_has_no_pitch() {
        let range = PitchRange::default();
        for signal in [vec![0.0; 9000], vec![0.3; 9000], noise(20_000), vec![1.0]] {
            assert_eq!(fundamental(&signal, RATE, range).unwrap(), None);
        }
        let upside_down = PitchRange { lowest: 100.0, highest: 50.0 };
        assert!(fundamental(&[0.0; 100], RATE, upside_down).is_err());
    }
}
