//! How loud a sound is, where its energy lies at the edges of the band, and what is wrong with its samples.

use crate::error::AnalysisError;
use crate::features::padded_loudness;
use crate::frames::Framing;
use crate::loudness::true_peak;
use crate::window::Window;

/// Samples in a row at the largest magnitude that make a clipped run.
const CLIPPED_RUN: usize = 3;

/// A run is clipped only near full scale.
const NEARLY_FULL: f64 = 0.98;

/// Length of the two ends, in s.
const END: f64 = 1e-3;

/// Frequency in Hz above which nobody hears.
const INAUDIBLE: f64 = 20_000.0;

/// The part of half the rate above which energy is near it.
const NEAR_NYQUIST: f64 = 0.9;

/// Levels of a sound; 1 is full scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Levels {
    /// Largest magnitude of any sample.
    pub peak: f64,
    /// Largest magnitude between samples, resampled to 192 kHz or more.
    pub true_peak: f64,
    /// Root mean square of all samples of all channels.
    pub rms: f64,
    /// Integrated loudness in LUFS (EBU R 128); `None` below -70. Of more than 64 channels it is that of their mean; sounds shorter than
    /// 0.4 s are followed by silence.
    pub loudness: Option<f64>,
    /// Offset of each channel: the mean under a Hann window, to which no partial adds.
    pub offsets: Vec<f64>,
    /// Energy above 0.9 of half the rate in parts of all energy.
    pub near_nyquist: f64,
    /// Energy above 20 kHz in parts of all energy; `None` at rates of 40 kHz and below.
    pub above_20_khz: Option<f64>,
    /// Largest magnitude in the first millisecond.
    pub start: f64,
    /// Largest magnitude in the last millisecond.
    pub end: f64,
    /// Number of samples in runs of three or more at one largest magnitude near full scale, or beyond it.
    pub clipped: usize,
}

/// How two channels differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stereo {
    /// Their correlation, -1 to 1: 1 if they are alike but for their level; `None` if one is silent.
    pub correlation: Option<f64>,
    /// Level of the left over that of the right, as a ratio of root mean squares; `None` if one is silent.
    pub balance: Option<f64>,
    /// Whether they are the same, sample by sample.
    pub is_mono: bool,
}

pub(super) fn of(channels: &[&[f64]], rate: f64) -> Result<Levels, AnalysisError> {
    let length = channels[0].len();
    let largest = |samples: &mut dyn Iterator<Item = f64>| samples.fold(0.0_f64, |most, x| most.max(x.abs()));
    let all =
        |range: std::ops::Range<usize>| channels.iter().flat_map(move |channel| channel[range.clone()].iter().copied());
    let peak = largest(&mut all(0..length));
    // Scaled, so that no square leaves the numbers.
    let scale = if peak > 0.0 { peak } else { 1.0 };
    let mean_square = all(0..length).map(|x| (x / scale).powi(2)).sum::<f64>() / (length * channels.len()) as f64;
    let end = ((END * rate).ceil() as usize).min(length);
    let weights = Window::Hann.weights(length);
    let sum: f64 = weights.iter().sum();
    let offset = |channel: &&[f64]| channel.iter().zip(&weights).map(|(x, w)| x * w).sum::<f64>() / sum;
    let [near_nyquist, above_20_khz] = shares(channels, rate, [NEAR_NYQUIST * 0.5 * rate, INAUDIBLE])?;
    Ok(Levels {
        peak,
        true_peak: true_peak(channels, rate.round() as u32, peak)?,
        rms: scale * mean_square.sqrt(),
        loudness: padded_loudness(channels, rate)?,
        offsets: channels.iter().map(offset).collect(),
        near_nyquist,
        above_20_khz: (0.5 * rate > INAUDIBLE).then_some(above_20_khz),
        start: largest(&mut all(0..end)),
        end: largest(&mut all(length - end..length)),
        clipped: channels.iter().map(|channel| clipped(channel, peak)).sum(),
    })
}

/// Energies above two frequencies in Hz, in parts of all energy. Frames overlap by three quarters and reach beyond both ends, so that every sample counts alike.
fn shares(channels: &[&[f64]], rate: f64, above: [f64; 2]) -> Result<[f64; 2], AnalysisError> {
    let framing = Framing { size: 1024, hop: 256, window: Window::Hann };
    let (mut total, mut shares) = (0.0, [0.0; 2]);
    for channel in channels {
        let mut padded = vec![0.0; framing.size];
        padded.extend_from_slice(channel);
        padded.resize(padded.len() + framing.size, 0.0);
        framing.for_each_frame(&padded, |_, magnitudes| {
            for (bin, magnitude) in magnitudes.iter().enumerate() {
                let energy = magnitude * magnitude;
                total += energy;
                for (share, above) in shares.iter_mut().zip(above) {
                    if framing.frequency(bin, rate) >= above {
                        *share += energy;
                    }
                }
            }
        })?;
    }
    Ok(shares.map(|share| if total >= f64::MIN_POSITIVE { share / total } else { 0.0 }))
}

fn clipped(channel: &[f64], peak: f64) -> usize {
    if peak < NEARLY_FULL {
        return 0;
    }
    let over = |x: f64| x.abs() > 1.0;
    let runs = channel.chunk_by(|a, b| a == b).filter(|run| run[0].abs() >= NEARLY_FULL.max(0.999 * peak.min(1.0)));
    runs.filter(|run| run.len() >= CLIPPED_RUN || over(run[0])).map(<[f64]>::len).sum()
}

/// Of two channels.
pub(super) fn stereo(channels: &[&[f64]]) -> Option<Stereo> {
    let [left, right] = channels else { return None };
    let peak = |channel: &[f64]| channel.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let (l, r) = (peak(left), peak(right));
    let is_mono = left == right;
    if l < f64::MIN_POSITIVE || r < f64::MIN_POSITIVE {
        return Some(Stereo { correlation: None, balance: None, is_mono });
    }
    let product = |a: &[f64], b: &[f64], scale: f64| a.iter().zip(b).map(|(a, b)| a * b / scale).sum::<f64>();
    let (ll, rr, lr) = (product(left, left, l * l), product(right, right, r * r), product(left, right, l * r));
    Some(Stereo {
        correlation: Some((lr / (ll * rr).sqrt()).clamp(-1.0, 1.0)).filter(|c| c.is_finite()),
        balance: Some((ll / rr).sqrt() * (l / r)).filter(|b| b.is_finite()),
        is_mono,
    })
}
