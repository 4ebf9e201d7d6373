//! What was measured as a document: frequencies in Hz, times in s, levels in dB.

use ictus_analysis::{MeasuredPartial, Measures, cents};
use serde::Serialize;

use super::Answer;

/// Points of the centroid over time at most.
const MOST_POINTS: usize = 500;

/// The names of the twelve notes.
const NOTES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];

/// Frequency in Hz of A4.
const A4: f64 = 440.0;

/// The whole document, keys in the order they are printed. What the sound does not have is null; so is the level of nothing.
#[derive(Serialize)]
pub struct Document {
    rate: f64,
    channels: usize,
    duration: f64,
    level: Level,
    stereo: Option<Stereo>,
    onset: Option<f64>,
    attack: Option<f64>,
    pitch: Option<f64>,
    note: Option<Note>,
    reference: Option<f64>,
    inharmonicity: Option<f64>,
    inharmonicity_error_cents: Option<f64>,
    partials: Vec<Partial>,
    centroid: Centroid,
    clicks: Vec<Click>,
}

#[derive(Serialize)]
struct Level {
    peak: Option<f64>,
    true_peak: Option<f64>,
    rms: Option<f64>,
    lufs: Option<f64>,
    offset: Vec<Option<f64>>,
    near_nyquist: Option<f64>,
    above_20_khz: Option<f64>,
    start: Option<f64>,
    end: Option<f64>,
    clipped_samples: usize,
}

#[derive(Serialize)]
struct Stereo {
    correlation: Option<f64>,
    left_over_right: Option<f64>,
    is_mono: bool,
}

/// The note nearest to a frequency.
#[derive(Serialize)]
pub struct Note {
    /// As `A4`, `C#5`.
    pub name: String,
    /// How far the frequency is above it.
    pub cents: f64,
}

#[derive(Serialize)]
struct Partial {
    frequency: f64,
    level: Option<f64>,
    below_strongest: Option<f64>,
    ratio: f64,
    harmonic: Option<u32>,
    deviation_cents: Option<f64>,
    decay: Option<Decay>,
}

#[derive(Serialize)]
struct Decay {
    t60_early: f64,
    t60_late: f64,
    knee: Option<f64>,
    fall: f64,
    residual: f64,
}

#[derive(Serialize)]
struct Centroid {
    time: Vec<f64>,
    frequency: Vec<f64>,
}

#[derive(Serialize)]
struct Click {
    time: f64,
    channel: usize,
    level: Option<f64>,
}

/// Level in dB of an amplitude; none of 0.
pub fn decibels(amplitude: f64) -> Option<f64> {
    Some(ictus_analysis::decibels(amplitude)).filter(|level| level.is_finite())
}

/// The note nearest to a frequency in Hz, if there is one.
pub fn note(frequency: f64) -> Option<Note> {
    let key = 69.0 + 12.0 * (frequency / A4).log2();
    let nearest = key.round();
    (0.0..=135.0).contains(&nearest).then(|| Note {
        name: format!("{}{}", NOTES[nearest as usize % 12], nearest as i64 / 12 - 1),
        cents: cents(A4 * ((nearest - 69.0) / 12.0).exp2(), frequency),
    })
}

impl Document {
    /// Of what was measured of a file.
    pub fn of(answer: &Answer) -> Self {
        let frames = answer.sound.channels.first().map_or(0, Vec::len);
        Self::of_samples(&answer.measures, f64::from(answer.sound.rate), frames)
    }

    /// Of a sound of so many frames, at a rate in Hz.
    pub fn of_samples(measures: &Measures, rate: f64, frames: usize) -> Self {
        let Measures { levels, stereo, onset, attack, harmonics, partials, centroid, clicks } = measures;
        let power = |share: f64| decibels(share.sqrt());
        let strongest = partials.iter().fold(0.0_f64, |most, partial| most.max(partial.amplitude));
        let reference = harmonics.as_ref().map(|harmonics| harmonics.reference);
        let partial = |partial: &MeasuredPartial| Partial {
            frequency: partial.frequency,
            level: decibels(partial.amplitude),
            below_strongest: decibels(partial.amplitude / strongest).map(|level| level + 0.0),
            ratio: partial.frequency / reference.unwrap_or(partial.frequency),
            harmonic: partial.harmonic,
            deviation_cents: partial.deviation,
            decay: partial.decay.map(|decay| Decay {
                t60_early: decay.early,
                t60_late: decay.late,
                knee: decay.knee,
                fall: decay.fall,
                residual: decay.residual,
            }),
        };
        let first = onset.unwrap_or(0.0);
        let heard = centroid.iter().filter_map(|frame| Some((first + frame.time, frame.frequency?)));
        let every = centroid.len().div_ceil(MOST_POINTS).max(1);
        let (time, frequency) = heard.step_by(every).unzip();
        let pitch = harmonics.as_ref().and_then(|harmonics| harmonics.pitch);
        Self {
            rate,
            channels: levels.offsets.len(),
            duration: frames as f64 / rate,
            level: Level {
                peak: decibels(levels.peak),
                true_peak: decibels(levels.true_peak),
                rms: decibels(levels.rms),
                lufs: levels.loudness,
                offset: levels.offsets.iter().map(|offset| decibels(*offset)).collect(),
                near_nyquist: power(levels.near_nyquist),
                above_20_khz: levels.above_20_khz.and_then(power),
                start: decibels(levels.start),
                end: decibels(levels.end),
                clipped_samples: levels.clipped,
            },
            stereo: stereo.as_ref().map(|stereo| Stereo {
                correlation: stereo.correlation,
                left_over_right: stereo.balance.and_then(decibels),
                is_mono: stereo.is_mono,
            }),
            onset: *onset,
            attack: *attack,
            pitch,
            note: pitch.and_then(note),
            reference,
            inharmonicity: harmonics.as_ref().and_then(|harmonics| harmonics.inharmonicity),
            inharmonicity_error_cents: harmonics.as_ref().and_then(|harmonics| harmonics.error),
            partials: partials.iter().map(partial).collect(),
            centroid: Centroid { time, frequency },
            clicks: clicks
                .iter()
                .map(|click| Click { time: click.time, channel: click.channel, level: decibels(click.size) })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_named_by_their_nearest_key() {
        let told = |frequency: f64| note(frequency).map(|note| (note.name, note.cents.round()));
        assert_eq!(told(440.0), Some(("A4".to_owned(), 0.0)));
        assert_eq!(told(261.63 * 1.01), Some(("C4".to_owned(), 17.0)));
        assert_eq!(told(27.5), Some(("A0".to_owned(), 0.0)));
        assert_eq!(told(1.0), None);
    }
}
