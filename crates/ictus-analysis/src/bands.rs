//! Decay times in octave or third-octave bands.
//!
//! Bands are centred on `1000·G^{k/b}` Hz with `G = 10^{3/10}` and b = 1 or 3 bands per octave
//! (IEC 61260-1), with edges at `G^{±1/2b}`. Each band is cut out of the spectrum with zero phase.
//! Around an edge the gain crosses over as `cos(π/2 · sin²(π/2 · s))`, `s` from 0 to 1 over a half
//! of the band's width in log frequency; its mirror image completes it to 1 in power, so the
//! bands' energies add up to the sound's, and a partial beyond the crossover leaks nothing.
//!
//! A band of width B rings by itself for a while. Decay times under `16/B` are not told apart from
//! that ringing and are left out (the same product as in ISO 3382-1).

use std::f64::consts::FRAC_PI_2;

use realfft::num_complex::Complex;

use crate::decay::{FitRange, schroeder_decay_time};
use crate::error::{AnalysisError, check_rate, check_signal};
use crate::transform::Transform;

/// Ratio of an octave in IEC 61260-1: `10^{3/10}`.
const OCTAVE: f64 = 1.995_262_314_968_879_5;

/// The lowest band has its lower edge above this frequency, in Hz.
const LOWEST_EDGE: f64 = 20.0;

/// Shortest decay time times bandwidth that a band can show.
const LEAST_TIME_BANDWIDTH: f64 = 16.0;

/// A band with less than this share of the sound's energy holds only rounding.
const LEAST_SHARE: f64 = 1e-20;

/// How wide each band is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bandwidth {
    /// One band per octave: 31.5, 63, 125 Hz …
    #[default]
    Octave,
    /// Three bands per octave: 25, 31.5, 40, 50 Hz …
    ThirdOctave,
}

impl Bandwidth {
    fn per_octave(self) -> f64 {
        match self {
            Bandwidth::Octave => 1.0,
            Bandwidth::ThirdOctave => 3.0,
        }
    }
}

/// One band of a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandDecay {
    /// Exact centre in Hz (the band called 31.5 Hz is centred on 31.62).
    pub centre: f64,
    /// Lower edge in Hz, where the power is halved.
    pub low: f64,
    /// Upper edge in Hz, where the power is halved.
    pub high: f64,
    /// Energy `∫x² dt` of the band, in the unit of the signal squared times seconds.
    pub energy: f64,
    /// Time to fall 60 dB in seconds; `None` where the band is empty, does not fall far enough,
    /// or falls faster than the band can show.
    pub decay_time: Option<f64>,
}

/// Decay times of all bands that fit between 20 Hz and half the rate, from low to high.
/// The list is empty if the rate leaves no room for a band.
pub fn band_decay_times(
    signal: &[f64],
    rate: f64,
    bandwidth: Bandwidth,
    range: FitRange,
) -> Result<Vec<BandDecay>, AnalysisError> {
    check_rate(rate)?;
    check_signal("signal", signal)?;
    range.check()?;

    // The second half stays empty to hold what rings before the first sample.
    let length = (2 * signal.len()).next_power_of_two();
    let mut padded = signal.to_vec();
    padded.resize(length, 0.0);
    let mut transform = Transform::new(length);
    let spectrum = transform.forward(&mut padded)?.to_vec();
    let total: f64 = signal.iter().map(|x| x * x).sum();

    let mut bands = Vec::new();
    for (centre, low, high) in edges(rate, bandwidth) {
        let mut part = band_spectrum(&spectrum, rate / length as f64, centre, bandwidth);
        let samples = transform.inverse(&mut part)?;
        let energy: f64 = samples.iter().map(|x| x * x).sum();
        let sounding = energy > LEAST_SHARE * total;
        let decay_time = sounding
            .then(|| schroeder_decay_time(&samples[..signal.len()], rate, range))
            .flatten()
            .filter(|time| time * (high - low) >= LEAST_TIME_BANDWIDTH);
        bands.push(BandDecay { centre, low, high, energy: energy / rate, decay_time });
    }
    Ok(bands)
}

/// Centre, lower and upper edge of every band whose crossovers fit below half the rate.
fn edges(rate: f64, bandwidth: Bandwidth) -> Vec<(f64, f64, f64)> {
    let per_octave = bandwidth.per_octave();
    let half = OCTAVE.powf(0.5 / per_octave);
    let crossover = OCTAVE.powf(0.25 / per_octave);
    let first = (per_octave * (LOWEST_EDGE * half / 1000.0).ln() / OCTAVE.ln()).ceil() as i32;
    (first..)
        .map(|number| 1000.0 * OCTAVE.powf(f64::from(number) / per_octave))
        .map(|centre| (centre, centre / half, centre * half))
        .take_while(|&(_, _, high)| high * crossover <= 0.5 * rate)
        .collect()
}

/// The part of a spectrum (bins `width` Hz apart) that belongs to the band around `centre`.
fn band_spectrum(spectrum: &[Complex<f64>], width: f64, centre: f64, bandwidth: Bandwidth) -> Vec<Complex<f64>> {
    spectrum
        .iter()
        .enumerate()
        .map(|(bin, value)| {
            let octaves = (bin as f64 * width / centre).ln().abs() / OCTAVE.ln();
            value * band_gain(octaves * bandwidth.per_octave())
        })
        .collect()
}

/// Gain at a distance from the centre, in bandwidths: the edge is at 1/2, the crossover from 1/4
/// to 3/4.
fn band_gain(distance: f64) -> f64 {
    let s = (2.0 * distance - 0.5).clamp(0.0, 1.0);
    if s >= 1.0 {
        return 0.0;
    }
    (FRAC_PI_2 * (FRAC_PI_2 * s).sin().powi(2)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_signals::{noise, ringing, sine, sum};
    use crate::window::Window;

    const RATE: f64 = 48_000.0;

    #[test]
    fn bands_are_those_of_the_standard() {
        let octaves = edges(RATE, Bandwidth::Octave);
        let nominal = [31.5, 63.0, 125.0, 250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0];
        assert_eq!(octaves.len(), nominal.len());
        for ((centre, low, high), name) in octaves.iter().zip(nominal) {
            assert!((centre / name - 1.0).abs() < 0.02, "{centre} {name}");
            assert!((high / low - OCTAVE).abs() < 1e-9);
        }
        let thirds = edges(RATE, Bandwidth::ThirdOctave);
        assert!((thirds[0].0 - 25.12).abs() < 0.01 && thirds.len() == 30);
        for pair in thirds.windows(2) {
            assert!((pair[0].2 / pair[1].1 - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn neighbouring_gains_complete_each_other_in_power() {
        for step in 0..=100 {
            let distance = step as f64 / 100.0;
            let total = band_gain(distance).powi(2) + band_gain(1.0 - distance).powi(2);
            assert!((total - 1.0).abs() < 1e-12, "{distance} {total}");
        }
        assert!((band_gain(0.5).powi(2) - 0.5).abs() < 1e-12);
        assert_eq!(band_gain(f64::INFINITY), 0.0);
    }

    #[test]
    fn energies_of_the_bands_add_up_to_the_energy_of_the_sound() {
        // Smooth ends: nothing outside the bands.
        let envelope = Window::Hann.weights(48_000);
        let chord = sum(&[100.0, 708.0, 3000.0].map(|f| sine(f, 0.5, f, RATE, 48_000)));
        let signal: Vec<f64> = chord.iter().zip(&envelope).map(|(x, w)| x * w).collect();
        let energy = signal.iter().map(|x| x * x).sum::<f64>() / RATE;
        for bandwidth in [Bandwidth::Octave, Bandwidth::ThirdOctave] {
            let bands = band_decay_times(&signal, RATE, bandwidth, FitRange::default()).unwrap();
            let total: f64 = bands.iter().map(|band| band.energy).sum();
            assert!((total / energy - 1.0).abs() < 1e-9, "{}", total / energy);
        }
    }

    /// Partials with different decays, one per band, and the worst relative error over them.
    fn worst_error(bandwidth: Bandwidth, partials: &[(f64, f64)]) -> f64 {
        let signals: Vec<Vec<f64>> = partials.iter().map(|&(f, t60)| ringing(f, 1.0, t60, RATE, 96_000)).collect();
        let bands = band_decay_times(&sum(&signals), RATE, bandwidth, FitRange::default()).unwrap();
        partials
            .iter()
            .map(|&(f, t60)| {
                let band = bands.iter().find(|b| b.low < f && f < b.high).unwrap();
                let time = band.decay_time.unwrap_or_else(|| panic!("{f} Hz: none"));
                (time / t60 - 1.0).abs()
            })
            .fold(0.0, f64::max)
    }

    #[test]
    fn every_octave_shows_its_own_decay_within_a_tenth_of_a_percent() {
        let partials =
            [(125.0, 2.0), (260.0, 1.5), (500.0, 1.1), (1000.0, 0.7), (2100.0, 0.4), (4000.0, 0.2), (8000.0, 0.1)];
        let error = worst_error(Bandwidth::Octave, &partials);
        assert!(error < 0.001, "{error}");
    }

    #[test]
    fn every_third_octave_shows_its_own_decay_within_a_tenth_of_a_percent() {
        let partials = [(200.0, 2.0), (400.0, 1.0), (500.0, 2.0), (1000.0, 0.5), (5000.0, 0.3)];
        let error = worst_error(Bandwidth::ThirdOctave, &partials);
        assert!(error < 0.001, "{error}");
    }

    #[test]
    fn bands_without_a_decay_to_show_have_no_time() {
        let range = FitRange::default();
        let ring = ringing(1000.0, 1.0, 0.5, RATE, 48_000);
        for band in band_decay_times(&ring, RATE, Bandwidth::Octave, range).unwrap() {
            let expected = (band.centre - 1000.0).abs() < 1.0;
            assert_eq!(band.decay_time.is_some(), expected, "{band:?}");
        }
        for signal in [noise(48_000), vec![0.0; 48_000], vec![1.0]] {
            let bands = band_decay_times(&signal, RATE, Bandwidth::Octave, range).unwrap();
            assert!(bands.iter().all(|band| band.decay_time.is_none()));
        }
        let mut click = vec![0.0; 48_000];
        click[20_000] = 1.0;
        for bandwidth in [Bandwidth::Octave, Bandwidth::ThirdOctave] {
            for band in band_decay_times(&click, RATE, bandwidth, range).unwrap() {
                assert_eq!(band.decay_time, None, "{band:?}");
            }
        }
        let bands = band_decay_times(&ring, 10.0, Bandwidth::Octave, range).unwrap();
        assert!(bands.is_empty());
    }
}
