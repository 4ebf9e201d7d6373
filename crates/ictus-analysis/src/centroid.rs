//! Spectral centroid over time: the brightness of a sound.
//!
//! For each frame `c = Σ f_k |X_k| / Σ |X_k|` over the bins from 0 Hz to half the rate.
//!
//! Source: A04, section 4, which takes 1024-point frames at 44.1 kHz and the average `c_av` of
//! the centroid over the first 100 ms. A04 states neither the weighting, the window nor the hop;
//! here the weight is the amplitude, with the power as an alternative, the window is Hann and the
//! hop 256 samples. The bin at 0 Hz counts: A04 finds centroids below the lowest resonance when
//! the contact is long, because the force pulls the object aside while it lasts.

use crate::error::AnalysisError;
use crate::frames::Framing;

/// The part of the sound over which A04 averages the centroid, in seconds.
pub const ATTACK_SECONDS: f64 = 0.1;

/// What each frequency is weighted with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weighting {
    /// The magnitude `|X_k|`.
    #[default]
    Amplitude,
    /// Its square: weak high partials count less, so the centroid is lower.
    Power,
}

/// The centroid of one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CentroidFrame {
    /// Middle of the frame in seconds.
    pub time: f64,
    /// Centroid in Hz; `None` where the frame is silent.
    pub frequency: Option<f64>,
}

/// The centroid of every frame of `signal` at `rate` Hz.
pub fn centroid_track(
    signal: &[f64],
    rate: f64,
    framing: Framing,
    weighting: Weighting,
) -> Result<Vec<CentroidFrame>, AnalysisError> {
    framing.check(signal, rate)?;
    let mut track = Vec::with_capacity(framing.count(signal.len()));
    framing.for_each_frame(signal, |index, magnitudes| {
        track.push(CentroidFrame {
            time: framing.time(index, rate),
            frequency: centroid_bin(magnitudes, weighting).map(|bin| bin * rate / framing.size as f64),
        });
    })?;
    Ok(track)
}

/// A04's `c_av`: the mean centroid in Hz of the frames that lie in the first
/// [`ATTACK_SECONDS`], silent frames left out. `None` if all are silent.
pub fn average_centroid(
    signal: &[f64],
    rate: f64,
    framing: Framing,
    weighting: Weighting,
) -> Result<Option<f64>, AnalysisError> {
    let attack = ((ATTACK_SECONDS * rate).round() as usize).clamp(1, signal.len().max(1));
    let attack = signal.get(..attack).unwrap_or(signal);
    let frequencies: Vec<f64> =
        centroid_track(attack, rate, framing, weighting)?.iter().filter_map(|frame| frame.frequency).collect();
    let mean = frequencies.iter().sum::<f64>() / frequencies.len() as f64;
    Ok((!frequencies.is_empty()).then_some(mean))
}

/// The centroid in bins.
fn centroid_bin(magnitudes: &[f64], weighting: Weighting) -> Option<f64> {
    let (mut weighted, mut total) = (0.0, 0.0);
    for (bin, &magnitude) in magnitudes.iter().enumerate() {
        let weight = match weighting {
            Weighting::Amplitude => magnitude,
            Weighting::Power => magnitude * magnitude,
        };
        weighted += bin as f64 * weight;
        total += weight;
    }
    // Below the smallest normal number the ratio has no precision left: that is silence.
    (total >= f64::MIN_POSITIVE).then(|| weighted / total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_signals::{noise, sine, sum};
    use crate::window::Window;

    const RATE: f64 = 44_100.0;

    fn bin(index: f64) -> f64 {
        index * RATE / 1024.0
    }

    /// Three partials on bins: a window only spreads each symmetrically.
    fn chord() -> Vec<f64> {
        sum(&[
            sine(bin(20.0), 1.0, 0.1, RATE, 8192),
            sine(bin(55.0), 0.5, 1.2, RATE, 8192),
            sine(bin(108.0), 0.25, 2.3, RATE, 8192),
        ])
    }

    #[test]
    fn partials_on_bins_have_the_centroid_of_their_weights() {
        let amplitude = bin((20.0 + 0.5 * 55.0 + 0.25 * 108.0) / 1.75);
        let power = bin((20.0 + 0.25 * 55.0 + 0.0625 * 108.0) / 1.3125);
        for window in [Window::Hann, Window::Rectangular, Window::BlackmanHarris] {
            let framing = Framing { window, ..Framing::default() };
            for (weighting, expected) in [(Weighting::Amplitude, amplitude), (Weighting::Power, power)] {
                let track = centroid_track(&chord(), RATE, framing, weighting).unwrap();
                assert_eq!(track.len(), 29);
                for frame in track {
                    let error = frame.frequency.unwrap() / expected - 1.0;
                    assert!(error.abs() < 1e-9, "{window:?} {weighting:?} {error}");
                }
                let average = average_centroid(&chord(), RATE, framing, weighting).unwrap();
                assert!((average.unwrap() / expected - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn white_noise_has_its_centroid_at_a_quarter_of_the_rate() {
        let framing = Framing::default();
        let track = centroid_track(&noise(200_000), RATE, framing, Weighting::Amplitude).unwrap();
        let mean = track.iter().filter_map(|f| f.frequency).sum::<f64>() / track.len() as f64;
        assert!((mean / (RATE / 4.0) - 1.0).abs() < 0.01, "{mean}");
    }

    #[test]
    fn a_sound_that_grows_dull_has_a_falling_centroid_and_its_average_sees_only_the_attack() {
        let mut signal = sine(bin(100.0), 1.0, 0.0, RATE, 8192);
        signal.extend(sine(bin(10.0), 1.0, 0.0, RATE, 8192));
        let framing = Framing::default();
        let track = centroid_track(&signal, RATE, framing, Weighting::Amplitude).unwrap();
        assert!((track[0].time - 512.0 / RATE).abs() < 1e-12);
        assert!((track[0].frequency.unwrap() - bin(100.0)).abs() < 1e-6);
        assert!((track.last().unwrap().frequency.unwrap() - bin(10.0)).abs() < 1e-6);
        let average = average_centroid(&signal, RATE, framing, Weighting::Amplitude).unwrap();
        assert!((average.unwrap() - bin(100.0)).abs() < 1e-6);
    }

    #[test]
    fn silence_has_no_centroid() {
        let framing = Framing::default();
        for signal in [vec![0.0; 5000], vec![0.0; 3], vec![1e-310; 3]] {
            let track = centroid_track(&signal, RATE, framing, Weighting::Power).unwrap();
            assert!(track.iter().all(|frame| frame.frequency.is_none()));
            let average = average_centroid(&signal, RATE, framing, Weighting::Power).unwrap();
            assert_eq!(average, None);
        }
    }
}
