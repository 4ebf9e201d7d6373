//! A sound measured as a whole: its partials and how they decay, brightness over time, attack, levels, faults.
//!
//! Frequencies and decays are those of all channels together: powers are added, so that a partial that two pickups hear with opposite signs does
//! not vanish as it does in their mean. Times count from the first sample that is given.

mod clicks;
mod decay;
mod envelope;
mod harmonics;
mod levels;
mod partials;
#[cfg(test)]
mod tests;

use crate::centroid::{CentroidFrame, Weighting, centroid_track};
use crate::error::{AnalysisError, check_rate, check_same_length, check_setting, check_signal, check_size};
use crate::frames::Framing;
pub use clicks::Click;
pub use decay::Decay;
pub use harmonics::Harmonics;
pub use levels::{Levels, Stereo};
pub use partials::MeasuredPartial;

/// Most channels.
const MOST_CHANNELS: usize = 64;

/// The part of its peak at which a sound begins.
const ONSET: f64 = 1e-3;

/// Parts of its peak between which a sound's attack is timed.
const RISE: [f64; 2] = [0.1, 0.9];

/// Frames of the centroid this far below the loudest, in dB, are not told: that is noise, or nothing.
const DIMMEST: f64 = 80.0;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasureSettings {
    /// How many partials at most, the strongest, 1 to 500; default 40.
    pub partials: usize,
    /// How far below the strongest a partial may be, in dB, 1 to 120; default 80.
    pub range: f64,
}

impl Default for MeasureSettings {
    fn default() -> Self {
        Self { partials: 40, range: 80.0 }
    }
}

/// What [`measure`] finds.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    /// Peak, loudness, offset, energy near half the rate, ends.
    pub levels: Levels,
    /// How two channels differ; `None` of one channel, or more than two.
    pub stereo: Option<Stereo>,
    /// Time in s at which the sound first reaches a thousandth of its peak; `None` in silence.
    pub onset: Option<f64>,
    /// Time in s from a tenth to nine tenths of the peak, to a quarter of a period; `None` in silence.
    pub attack: Option<f64>,
    /// Fundamental, harmonic numbers and stiffness; `None` without partials.
    pub harmonics: Option<Harmonics>,
    /// The partials by rising frequency.
    pub partials: Vec<MeasuredPartial>,
    /// Spectral centroid over time from the onset, weighted by amplitude (A04's frames); `None` where it is too quiet.
    pub centroid: Vec<CentroidFrame>,
    /// Isolated jumps, by time.
    pub clicks: Vec<Click>,
}

/// Measures a sound: channels of equal length, 1 being full scale, at `rate` Hz, 8000 to 2 822 400.
///
/// Frequencies of partials that are 8 Hz or more from others are true to 0.5 cent in a sound of half a second, decay times to 3 %,
/// levels to 0.2 dB, also under noise 60 dB below the sound.
pub fn measure(channels: &[&[f64]], rate: f64, settings: MeasureSettings) -> Result<Measures, AnalysisError> {
    check_rate(rate)?;
    check_setting("rate", "8000 to 2822400 Hz", rate, (8000.0..=2_822_400.0).contains(&rate))?;
    check_size("channels", channels.len(), MOST_CHANNELS)?;
    for channel in channels {
        check_signal("channel", channel)?;
        check_same_length("samples of a channel", channels[0].len(), channel.len())?;
    }
    check_size("partials", settings.partials, 500)?;
    check_setting("range", "1 to 120 dB", settings.range, (1.0..=120.0).contains(&settings.range))?;

    let levels = levels::of(channels, rate)?;
    let peak = levels.peak;
    let reached = |part: f64| {
        let threshold = part * peak;
        (0..channels[0].len()).find(|&n| channels.iter().any(|channel| channel[n].abs() >= threshold))
    };
    // Below the smallest normal number nothing has precision: that is silence.
    let first = if peak < f64::MIN_POSITIVE { None } else { reached(ONSET) };
    let Some(first) = first else {
        let (partials, centroid, clicks) = (vec![], vec![], vec![]);
        return Ok(Measures {
            levels,
            stereo: levels::stereo(channels),
            onset: None,
            attack: None,
            harmonics: None,
            partials,
            centroid,
            clicks,
        });
    };
    let sound: Vec<&[f64]> = channels.iter().map(|channel| &channel[first..]).collect();
    let mut partials = partials::find(&sound, rate, settings)?;
    let harmonics = harmonics::of(&sound, rate, &mut partials)?;
    let time = |samples: usize| samples as f64 / rate;
    Ok(Measures {
        levels,
        stereo: levels::stereo(channels),
        onset: Some(time(first)),
        attack: reached(RISE[0]).zip(reached(RISE[1])).map(|(start, end)| time(end - start)),
        harmonics,
        partials,
        centroid: centroids(&sound, rate)?,
        clicks: clicks::of(channels, rate),
    })
}

/// The centroid of each frame of all channels, weighted by their levels.
fn centroids(channels: &[&[f64]], rate: f64) -> Result<Vec<CentroidFrame>, AnalysisError> {
    let framing = Framing::default();
    let mut track: Vec<CentroidFrame> = vec![];
    let mut weights: Vec<f64> = vec![];
    for channel in channels {
        let frames = centroid_track(channel, rate, framing, Weighting::Amplitude)?;
        weights.resize(frames.len(), 0.0);
        for (index, frame) in frames.into_iter().enumerate() {
            let start = index * framing.hop;
            let samples = &channel[start..(start + framing.size).min(channel.len())];
            let weight = samples.iter().map(|x| x * x).sum::<f64>().sqrt();
            if index == track.len() {
                track.push(CentroidFrame { frequency: None, ..frame });
            }
            if let Some(frequency) = frame.frequency {
                let so_far = track[index].frequency.unwrap_or(0.0) * weights[index];
                weights[index] += weight;
                track[index].frequency = Some((so_far + weight * frequency) / weights[index]);
            }
        }
    }
    let loudest = weights.iter().fold(0.0_f64, |most, &weight| most.max(weight));
    let dimmest = loudest * 10f64.powf(-DIMMEST / 20.0);
    for (frame, weight) in track.iter_mut().zip(&weights) {
        frame.frequency = frame.frequency.filter(|frequency| *weight > dimmest && frequency.is_finite());
    }
    Ok(track)
}
