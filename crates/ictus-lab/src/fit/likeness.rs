//! How like a recording a resynthesis is: levels of both in third-octaves over time.
//!
//! Power in windows of 80 ms (Hann) every 20 ms, in third-octave bands from 100 Hz to 16 kHz or 0.45 of the rate. A cell counts if the recording is there
//! within 50 dB of its loudest cell and twice as strong as the noise that was there before the stroke. What is told is how far the levels of the two are apart.

use ictus_analysis::{Spectrum, Window};

/// Length of a window in s.
const WINDOW: f64 = 0.08;

/// From one window to the next, in s.
const HOP: f64 = 0.02;

/// Centre of the lowest band in Hz.
const LOWEST: f64 = 100.0;

/// Centre of the highest in Hz.
const HIGHEST: f64 = 16_000.0;

/// How far below the loudest a cell counts, as a part of its power.
const DEEP: f64 = 1e-5;

/// Difference in dB that is like enough.
pub const LIKE: f64 = 3.0;

/// How far apart two sounds are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likeness {
    /// Bands times windows that count.
    pub cells: usize,
    /// Part of them that differ by no more than [`LIKE`].
    pub within: f64,
    /// The middle of the differences in dB.
    pub median: f64,
    /// Nineteen of twenty are below this, in dB.
    pub p95: f64,
}

/// Of a resynthesis and a recording that begin together, with what was heard before the recording's stroke.
pub fn likeness(recording: &[f64], again: &[f64], before: &[f64], rate: f64) -> Likeness {
    let length = ((WINDOW * rate) as usize).max(64);
    let hop = ((HOP * rate) as usize).max(16);
    let end = recording.len().min(again.len());
    let bands = |sound: &[f64], start: usize| -> Vec<f64> {
        let mut part = vec![0.0; length];
        let there = &sound[start.min(sound.len())..(start + length).min(sound.len())];
        part[..there.len()].copy_from_slice(there);
        powers(&part, rate)
    };
    let quiet = if before.len() >= length { bands(before, before.len() - length) } else { vec![] };
    let starts: Vec<usize> =
        (0..end.max(1)).step_by(hop).filter(|start| *start == 0 || start + length <= end).collect();
    let cells: Vec<(Vec<f64>, Vec<f64>)> =
        starts.iter().map(|&start| (bands(&recording[..end], start), bands(&again[..end], start))).collect();
    let loudest = cells.iter().flat_map(|(one, _)| one).fold(0.0_f64, |most, power| most.max(*power));
    let mut apart: Vec<f64> = Vec::new();
    for (one, other) in &cells {
        for (band, (a, b)) in one.iter().zip(other).enumerate() {
            let noise = quiet.get(band).copied().unwrap_or(0.0);
            if *a > (DEEP * loudest).max(2.0 * noise) && *a > 0.0 {
                apart.push((10.0 * (b.max(1e-30) / a).log10()).abs());
            }
        }
    }
    apart.sort_by(f64::total_cmp);
    let at = |part: f64| apart.get((part * apart.len() as f64) as usize).copied().unwrap_or(0.0);
    let within = apart.iter().filter(|apart| **apart <= LIKE).count() as f64 / apart.len().max(1) as f64;
    Likeness { cells: apart.len(), within, median: at(0.5), p95: at(0.95) }
}

/// Power in each band.
fn powers(part: &[f64], rate: f64) -> Vec<f64> {
    // Samples were checked by the fit.
    let Ok(spectrum) = Spectrum::new(part, rate, Window::Hann) else { return vec![] };
    let amplitudes = spectrum.amplitudes();
    let mut bands = Vec::new();
    let mut centre = LOWEST;
    while centre <= HIGHEST.min(0.45 * rate) {
        let bin = |frequency: f64| ((frequency / spectrum.bin_width()).round() as usize).min(amplitudes.len());
        let range = bin(centre * 2f64.powf(-1.0 / 6.0))..bin(centre * 2f64.powf(1.0 / 6.0));
        bands.push(amplitudes[range].iter().map(|amplitude| amplitude * amplitude).sum());
        centre *= 2f64.powf(1.0 / 3.0);
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sound_is_like_itself_and_a_louder_one_is_as_far_off_as_it_is_louder() {
        let sound: Vec<f64> = (0..48_000)
            .map(|n| (0.05 * f64::from(n)).sin() * (-f64::from(n) / 9000.0).exp() + 0.1 * (0.9 * f64::from(n)).sin())
            .collect();
        let same = likeness(&sound, &sound, &[], 48_000.0);
        assert!(same.cells > 50 && same.within == 1.0 && same.p95 == 0.0, "{same:?}");
        let louder: Vec<f64> = sound.iter().map(|y| y * 10f64.powf(0.2)).collect();
        let other = likeness(&sound, &louder, &[], 48_000.0);
        assert!(
            other.within == 0.0 && (other.median - 4.0).abs() < 1e-9 && (other.p95 - 4.0).abs() < 1e-9,
            "{other:?}"
        );
        // What was as loud before the stroke is not its sound.
        let after_itself = likeness(&sound, &louder, &sound, 48_000.0);
        assert!(after_itself.cells < same.cells, "{after_itself:?}");
    }
}
