//! The envelope of one partial over time.
//!
//! The band around it is cut out of the transform of the whole sound by the transform of a Blackman-Harris window, shifted to 0 Hz and transformed back with as few points as it
//! needs. That is the short-time transform at one frequency under that window: of a damped sine it is exactly proportional to `e^{-σt}`. Beside the band, at its
//! two edges, nothing but noise and what leaks from others is left: where that comes near, the envelope ends.

use std::f64::consts::PI;
use std::sync::Arc;

use realfft::num_complex::Complex;
use rustfft::{Fft, FftPlanner};

use crate::error::AnalysisError;
use crate::transform::Transform;
use crate::window::Window;

/// Time in s at the end of a sound that is left out: renders fade there.
const FADE: f64 = 0.02;

/// How far in dB an envelope stands above what is beside it.
const ABOVE: f64 = 15.0;

/// Fewest points of an envelope.
const FEWEST: usize = 6;

/// Points of an envelope in the length of its window.
const DENSITY: usize = 8;

/// The transform of every channel.
pub(super) struct Bands {
    rate: f64,
    length: usize,
    padded: usize,
    spectra: Vec<Vec<Complex<f64>>>,
}

/// A partial's amplitude over time, from its largest value as far as it can be told.
pub(super) struct Envelope {
    /// Times in s: the middles of windows that lie in the sound.
    pub times: Vec<f64>,
    /// Root mean square of the channels' amplitudes.
    pub amplitudes: Vec<f64>,
    /// What is beside, in parts of these: noise.
    pub noise: Vec<f64>,
    /// Samples of the window, and their rate in Hz.
    pub size: usize,
    pub rate: f64,
    /// Whether it is largest in the first window, as after a stroke.
    pub starts_at_once: bool,
}

impl Bands {
    pub(super) fn of(channels: &[&[f64]], rate: f64) -> Result<Self, AnalysisError> {
        let length = channels[0].len();
        let padded = (length + length / 2).next_power_of_two();
        let mut spectra = Vec::new();
        for channel in channels {
            let mut samples = channel.to_vec();
            samples.resize(padded, 0.0);
            spectra.push(Transform::new(padded).forward(&mut samples)?.to_vec());
        }
        Ok(Self { rate, length, padded, spectra })
    }

    /// The envelope at a frequency, in a band of a half-width in Hz; `None` if the sound is too short for it.
    pub(super) fn envelope(&self, frequency: f64, half_width: f64) -> Option<Envelope> {
        let size = (Window::BlackmanHarris.main_lobe_bins() * self.rate / half_width).ceil();
        let fade = (FADE * self.rate) as usize;
        let last = self.length.checked_sub(fade)? as f64 - 0.5 * size;
        if !size.is_finite() || 2.0 * size > self.length as f64 || size < 16.0 {
            return None;
        }
        let size = size as usize;
        // Bins on either side, and points in time: enough for the band, and for a few in each window.
        let side = (half_width * self.padded as f64 / self.rate).ceil() as usize;
        let points = (2 * side + 2).max(DENSITY * self.padded / size).next_power_of_two();
        let plan = FftPlanner::new().plan_fft_inverse(points);
        let band = |offset: f64| self.band(frequency + offset, size, side, &plan);
        let (amplitudes, below, above) = (band(0.0), band(-half_width), band(half_width));
        let step = self.padded as f64 / points as f64;
        let first = (0.5 * size as f64 / step).ceil() as usize;
        let past = ((last / step).floor() as usize + 1).min(points);
        let range = first..past.max(first);
        // What is beside comes and goes: the mean of a window's length, on the quieter side.
        let width = (size as f64 / step).ceil() as usize;
        let beside = |side: &[f64], n: usize| {
            let around = &side[n.saturating_sub(width).max(range.start)..(n + width + 1).min(range.end)];
            (around.iter().map(|a| a * a).sum::<f64>() / around.len() as f64).sqrt()
        };
        let peak = range.clone().max_by(|&a, &b| amplitudes[a].total_cmp(&amplitudes[b]))?;
        let clear = 10f64.powf(-ABOVE / 20.0);
        let noise = |n: usize| beside(&below, n).min(beside(&above, n)) / amplitudes[n];
        let noise: Vec<f64> = (peak..range.end).map(noise).take_while(|noise| *noise < clear).collect();
        let end = peak + noise.len();
        (noise.len() >= FEWEST).then(|| Envelope {
            noise,
            times: (peak..end).map(|n| n as f64 * step / self.rate).collect(),
            amplitudes: amplitudes[peak..end].to_vec(),
            size,
            rate: self.rate,
            starts_at_once: (peak - range.start) * 4 <= width,
        })
    }

    /// Amplitudes over time around a frequency in Hz.
    fn band(&self, frequency: f64, size: usize, side: usize, plan: &Arc<dyn Fft<f64>>) -> Vec<f64> {
        let points = plan.len();
        let place = frequency * self.padded as f64 / self.rate;
        let centre = place.round() as isize;
        let mut squares = vec![0.0; points];
        let mut cells = vec![Complex::default(); points];
        for spectrum in &self.spectra {
            cells.fill(Complex::default());
            for offset in -(side as isize)..=side as isize {
                let bin = centre + offset;
                // Below 0 Hz the spectrum of real samples goes on as its conjugate.
                let value = match spectrum.get(bin.unsigned_abs()) {
                    Some(value) if bin >= 0 => *value,
                    Some(value) => value.conj(),
                    None => continue,
                };
                let distance = (bin as f64 - place) / self.padded as f64;
                cells[offset.rem_euclid(points as isize) as usize] = value * response(distance, size);
            }
            plan.process(&mut cells);
            squares.iter_mut().zip(&cells).for_each(|(sum, value)| *sum += value.norm_sqr());
        }
        let scale = 2.0 / (self.padded as f64 * (self.spectra.len() as f64).sqrt());
        squares.into_iter().map(|square| scale * square.sqrt()).collect()
    }
}

impl Envelope {
    /// How much larger the window makes the amplitude of `e^{-σt}` at its middle.
    pub(super) fn emphasis(&self, decay_rate: f64) -> f64 {
        let weights = Window::BlackmanHarris.weights(self.size);
        let middle = 0.5 * (self.size as f64 - 1.0);
        let grown = |(n, w): (usize, &f64)| w * (decay_rate * (middle - n as f64) / self.rate).exp();
        weights.iter().enumerate().map(grown).sum::<f64>() / weights.iter().sum::<f64>()
    }
}

/// The transform of a Blackman-Harris window of `size` samples about its middle, 1 at 0; `frequency` in parts of the rate.
fn response(frequency: f64, size: usize) -> f64 {
    let size = size as f64;
    let kernel = |frequency: f64| {
        let sine = (PI * frequency).sin();
        if sine.abs() < 1e-12 { size } else { (PI * frequency * size).sin() / sine }
    };
    let [first, rest @ ..] = Window::BlackmanHarris.cosines();
    let pairs = rest.iter().enumerate().map(|(index, a)| {
        let shift = (index + 1) as f64 / size;
        // Centred on the middle of the window its cosines all begin with a plus.
        0.5 * a * (kernel(frequency - shift) + kernel(frequency + shift))
    });
    (first * kernel(frequency) + pairs.sum::<f64>()) / (first * size)
}
