//! The partials of a sound.
//!
//! Spectra of several lengths, each half of the one before and all from the onset, find partials that ring for seconds and others that are gone
//! at once. The longest that shows a partial tells its frequency, as in [`partial_near`](crate::partial_near): the top of
//! `Σ_c |Σ w_n x_n e^{-iωn}|²` over the channels c, by Newton's method. A peak counts if it stands out of the middle level around it by more than noise does.

use std::f64::consts::TAU;

use super::MeasureSettings;
use super::decay::{self, Decay};
use super::envelope::Bands;
use crate::error::AnalysisError;
use crate::heterodyne::power_and_derivatives;
use crate::spectrum::Spectrum;
use crate::window::Window;

/// Longest and shortest spectrum in s.
const LONGEST: f64 = 2.0;
const SHORTEST: f64 = 0.03;

/// Least number of samples of a spectrum.
const FEWEST: usize = 256;

/// How far in dB a peak must stand out of the middle level around it: of a hundred thousand bins of noise none does.
const OUTSTANDING: f64 = 16.0;

/// Width of the band whose middle level a peak is compared with, in bins of the unpadded spectrum, and in Hz at least.
const BAND: (usize, f64) = (48, 200.0);

/// Bins of the unpadded spectrum around a peak that must be lower.
const REACH: f64 = 2.5;

/// Variance of time, in lengths of the spectrum squared, that no envelope under the window exceeds. A side lobe has more.
const LARGEST_SPREAD: f64 = 0.1;

/// Newton steps at most.
const STEPS: usize = 10;

/// A neighbour this far below a partial, in dB, does not disturb its envelope.
const HARMLESS: f64 = 60.0;

/// Distance in Hz within which what is that far below a partial is its skirt: a decay that bends has one.
const SKIRT: f64 = 20.0;

/// Half-width in Hz of the band in which an envelope is measured, at most.
const WIDEST: f64 = 150.0;

/// One partial of a measured sound.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredPartial {
    /// Frequency in Hz.
    pub frequency: f64,
    /// Amplitude where its decay begins, the root mean square of the channels; 1 is full scale. Without a decay, its mean over the spectrum that shows it.
    pub amplitude: f64,
    /// Number of the harmonic that it is, or is nearest to; `None` in a sound without pitch.
    pub harmonic: Option<u32>,
    /// Interval in cents from that multiple of the first partial.
    pub deviation: Option<f64>,
    /// How it dies away; `None` if it does not, or too near to another partial, or too briefly to be measured.
    pub decay: Option<Decay>,
}

/// A peak: frequency in Hz and amplitude.
#[derive(Clone, Copy)]
struct Line {
    frequency: f64,
    amplitude: f64,
    /// How exactly its spectrum tells the frequency: its height above the middle level around it, times the length of the spectrum.
    precision: f64,
}

pub(super) fn find(
    channels: &[&[f64]],
    rate: f64,
    settings: MeasureSettings,
) -> Result<Vec<MeasuredPartial>, AnalysisError> {
    let lines = lines(channels, rate, settings)?;
    let bands = Bands::of(channels, rate)?;
    let mut partials = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let loud = |other: &&Line| other.amplitude > line.amplitude * 10f64.powf(-HARMLESS / 20.0);
        let neighbours = lines[..index].iter().rev().find(loud).into_iter().chain(lines[index + 1..].iter().find(loud));
        let distance = neighbours.map(|other| (other.frequency - line.frequency).abs()).fold(f64::INFINITY, f64::min);
        // Half way to the next, where nothing but noise should be.
        let half_width = (0.5 * distance).min(WIDEST).min(line.frequency).min(0.5 * rate - line.frequency);
        let fitted = bands.envelope(line.frequency, half_width).and_then(|envelope| decay::fitted(&envelope));
        partials.push(MeasuredPartial {
            frequency: line.frequency,
            amplitude: fitted.as_ref().map_or(line.amplitude, |fitted| fitted.amplitude),
            harmonic: None,
            deviation: None,
            decay: fitted.map(|fitted| fitted.decay),
        });
    }
    partials.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    partials.truncate(settings.partials);
    partials.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    Ok(partials)
}

/// The peaks of all spectra, each once, by rising frequency.
fn lines(channels: &[&[f64]], rate: f64, settings: MeasureSettings) -> Result<Vec<Line>, AnalysisError> {
    let length = channels[0].len();
    let mut size = length.min((LONGEST * rate) as usize).max(1);
    let mut found: Vec<Line> = Vec::new();
    loop {
        let resolution = Window::BlackmanHarris.main_lobe_bins() * rate / size as f64;
        let known = found.clone();
        for line in peaks(channels, rate, size, settings.range)? {
            let beside = |other: &&mut Line| (other.frequency - line.frequency).abs() < resolution;
            // In a short spectrum several are one: it is the loudest that is seen.
            match found.iter_mut().filter(beside).max_by(|a, b| a.amplitude.total_cmp(&b.amplitude)) {
                None => found.push(line),
                Some(same) => {
                    // A short spectrum tells more of what dies away fast, if it keeps neighbours apart as the longer one does.
                    let is_apart = known
                        .iter()
                        .filter(|other| (other.frequency - line.frequency).abs() < 2.0 * resolution)
                        .count()
                        == 1;
                    if is_apart && line.precision > same.precision {
                        same.frequency = line.frequency;
                        same.precision = line.precision;
                    }
                    same.amplitude = same.amplitude.max(line.amplitude);
                }
            }
        }
        size /= 2;
        if size < FEWEST || (size as f64) < SHORTEST * rate {
            break;
        }
    }
    let strongest = found.iter().fold(0.0_f64, |most, line| most.max(line.amplitude));
    let all = found.clone();
    let is_skirt = |line: &Line| {
        let near = all.iter().filter(|other| (other.frequency - line.frequency).abs() < SKIRT);
        near.into_iter().any(|other| line.amplitude < other.amplitude * 10f64.powf(-HARMLESS / 20.0))
    };
    found.retain(|line| line.amplitude >= strongest * 10f64.powf(-settings.range / 20.0) && !is_skirt(line));
    found.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    // Some decay so fast that their first level is higher than it seems.
    found.truncate(2 * settings.partials);
    found.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    Ok(found)
}

/// The peaks of one spectrum of the first `size` samples.
fn peaks(channels: &[&[f64]], rate: f64, size: usize, range: f64) -> Result<Vec<Line>, AnalysisError> {
    let weights = Window::BlackmanHarris.weights(size);
    let sum: f64 = weights.iter().sum();
    let padded = (2 * size).next_power_of_two();
    let mut powers = vec![0.0; padded / 2 + 1];
    let mut windowed = Vec::new();
    for channel in channels {
        let samples: Vec<f64> = channel[..size].iter().zip(&weights).map(|(x, w)| x * w).collect();
        let spectrum = Spectrum::weighted(samples.clone(), &weights, rate, padded)?;
        for (power, amplitude) in powers.iter_mut().zip(spectrum.amplitudes()) {
            *power += amplitude * amplitude / channels.len() as f64;
        }
        windowed.push(samples);
    }
    let finer = padded as f64 / size as f64;
    let bin_width = rate / padded as f64;
    let middles = Middles::of(&powers, ((BAND.0 as f64 * finer) as usize).max((BAND.1 / bin_width) as usize));
    let least = powers.iter().fold(0.0_f64, |most, &power| most.max(power)) * 10f64.powf(-range / 10.0);
    let reach = ((REACH * finer) as usize).max(1);
    let outstanding = 10f64.powf(OUTSTANDING / 10.0);
    // Nothing below one whole period in the spectrum is a partial.
    let first = (Window::BlackmanHarris.main_lobe_bins() * finer) as usize;
    let is_peak = |bin: &usize| {
        let power = powers[*bin];
        let around = &powers[bin.saturating_sub(reach)..(bin + reach + 1).min(powers.len())];
        power > least && power > outstanding * middles.at(*bin) && around.iter().all(|&other| other <= power)
    };
    let last = powers.len().saturating_sub(2);
    let scale = 2.0 / (sum * (channels.len() as f64).sqrt());
    let line = |bin: usize| {
        let (frequency, power) = climb(&windowed, rate, bin as f64 * bin_width, bin_width)?;
        let height = (powers[bin] / middles.at(bin).max(f64::MIN_POSITIVE)).sqrt();
        Some(Line { frequency, amplitude: scale * power.sqrt(), precision: height * size as f64 })
    };
    Ok((first..last).filter(is_peak).filter_map(line).collect())
}

/// From a bin to the top of its hump: frequency in Hz and the power there; `None` if it is a side lobe.
fn climb(windowed: &[Vec<f64>], rate: f64, start: f64, bin_width: f64) -> Option<(f64, f64)> {
    let at = |omega: f64| {
        windowed
            .iter()
            .map(|samples| power_and_derivatives(samples, omega))
            .fold([0.0; 3], |sum, one| [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]])
    };
    let start = TAU * start / rate;
    let width = TAU * bin_width / rate;
    let mut omega = start;
    for _ in 0..STEPS {
        let [_, slope, curvature] = at(omega);
        if curvature >= 0.0 {
            return None;
        }
        let step = (-slope / curvature).clamp(-width, width);
        omega += step;
        if (omega - start).abs() > 2.0 * width {
            return None;
        }
        if step.abs() < 1e-6 * width {
            break;
        }
    }
    let [power, _, curvature] = at(omega);
    let spread = -0.5 * curvature / power / (windowed[0].len() as f64).powi(2);
    (spread < LARGEST_SPREAD && power.is_finite()).then_some((omega * rate / TAU, power))
}

/// The middle power of bands of bins, between whose centres it is interpolated.
struct Middles {
    width: usize,
    middles: Vec<f64>,
}

impl Middles {
    fn of(powers: &[f64], width: usize) -> Self {
        let middle = |band: &[f64]| {
            let mut sorted = band.to_vec();
            let half = sorted.len() / 2;
            *sorted.select_nth_unstable_by(half, f64::total_cmp).1
        };
        let width = width.clamp(8, powers.len().max(8));
        Self { width, middles: powers.chunks(width).map(middle).collect() }
    }

    fn at(&self, bin: usize) -> f64 {
        let place = (bin as f64 / self.width as f64 - 0.5).clamp(0.0, (self.middles.len() - 1) as f64);
        let (low, part) = (place as usize, place.fract());
        let [a, b] = [self.middles[low], self.middles[(low + 1).min(self.middles.len() - 1)]];
        // In decibels, since levels fall by many of them from band to band.
        if a > 0.0 && b > 0.0 { a * (b / a).powf(part) } else { a.max(b) }
    }
}
