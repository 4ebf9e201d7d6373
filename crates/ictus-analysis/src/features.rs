//! What a sound is like, in a few numbers: brightness, pitch, decay, loudness, peak.
//!
//! For tables of many sounds. Each number is the measure of the same name with its usual settings: the centroid is A04's `c_av` over the
//! first 100 ms ([`average_centroid`]), the pitch is [`fundamental`], the decay is the Schroeder [`decay_time`], the loudness
//! is BS.1770 ([`LoudnessMeter`]). Centroid, pitch and decay are those of the mean of all channels.
//!
//! A sound begins where it first reaches a thousandth of its peak (-60 dB): silence before a strike does not count as its attack.

use crate::centroid::{Weighting, average_centroid};
use crate::decay::{FitRange, decay_time};
use crate::error::{AnalysisError, check_rate, check_same_length, check_signal, check_size};
use crate::frames::Framing;
use crate::loudness::LoudnessMeter;
use crate::pitch::{PitchRange, fundamental};

/// The part of its peak at which a sound begins.
const ONSET: f64 = 1e-3;

/// Time in s from the onset in which the pitch is measured: enough for a hundredth of a cent, and no more work for a longer sound.
const PITCH_SECONDS: f64 = 1.0;

/// Length in s below which loudness is not defined; shorter sounds are followed by silence.
const LOUDNESS_BLOCK: f64 = 0.4;

/// Most channels.
const MOST_CHANNELS: usize = 65_535;

/// Measures of one sound; `None` where the sound does not have the quantity.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Features {
    /// Mean spectral centroid of the first 100 ms from the onset, in Hz; `None` for silence.
    pub centroid: Option<f64>,
    /// Fundamental frequency in Hz of the first second from the onset, from 20 to 5000; `None` where nothing repeats.
    pub pitch: Option<f64>,
    /// Time in s in which the sound falls 60 dB; `None` unless it falls by 50 dB before it ends.
    pub t60: Option<f64>,
    /// Integrated loudness in LUFS; `None` below -70. Of more than 64 channels it is that of their mean.
    pub loudness: Option<f64>,
    /// Largest magnitude of any sample; 1 is full scale.
    pub peak: f64,
}

impl Features {
    /// Name, unit and meaning of each, in the order of [`Features::values`].
    pub const ALL: [(&'static str, &'static str, &'static str); 5] = [
        ("centroid", "Hz", "mean spectral centroid of the first 100 ms"),
        ("pitch", "Hz", "fundamental frequency"),
        ("t60", "s", "time to fall 60 dB"),
        ("loudness", "LUFS", "integrated loudness"),
        ("peak", "", "largest magnitude; 1 is full scale"),
    ];

    /// Of one sound: channels of equal length, 1 being full scale, at `rate` Hz, 8000 to 1e9.
    pub fn of(channels: &[&[f64]], rate: f64) -> Result<Self, AnalysisError> {
        check_rate(rate)?;
        check(channels)?;
        let peak = channels.iter().flat_map(|channel| channel.iter()).fold(0.0_f64, |peak, x| peak.max(x.abs()));
        let sound = &mean_from_onset(channels)?[..];
        let tone = (PITCH_SECONDS * rate).ceil() as usize;
        Ok(Self {
            centroid: average_centroid(sound, rate, Framing::default(), Weighting::default())?,
            pitch: fundamental(&sound[..sound.len().min(tone)], rate, PitchRange::default())?
                .map(|pitch| pitch.frequency),
            t60: decay_time(sound, rate, FitRange::default())?,
            loudness: padded_loudness(channels, rate)?,
            peak,
        })
    }

    /// The numbers in the order of [`Features::ALL`].
    pub fn values(&self) -> [Option<f64>; 5] {
        [self.centroid, self.pitch, self.t60, self.loudness, Some(self.peak)]
    }
}

fn check(channels: &[&[f64]]) -> Result<(), AnalysisError> {
    check_size("channels", channels.len(), MOST_CHANNELS)?;
    for channel in channels {
        check_signal("channel", channel)?;
        check_same_length("samples of a channel", channels[0].len(), channel.len())?;
    }
    Ok(())
}

/// What [`Features`] measure brightness, pitch and decay of: the mean of the channels, from where it first reaches a thousandth of its peak.
pub fn mean_from_onset(channels: &[&[f64]]) -> Result<Vec<f64>, AnalysisError> {
    check(channels)?;
    let mut mean = mean(channels);
    let onset = mean.len() - from_onset(&mean).len();
    mean.drain(..onset);
    Ok(mean)
}

/// The mean of the channels, sample by sample.
fn mean(channels: &[&[f64]]) -> Vec<f64> {
    let share = 1.0 / channels.len() as f64;
    let mut mean = vec![0.0; channels[0].len()];
    for channel in channels {
        mean.iter_mut().zip(*channel).for_each(|(cell, sample)| *cell += share * sample);
    }
    mean
}

/// The sound from where it first reaches a thousandth of its peak; all of it if it is silent.
fn from_onset(signal: &[f64]) -> &[f64] {
    let peak = signal.iter().fold(0.0_f64, |peak, sample| peak.max(sample.abs()));
    let onset = signal.iter().position(|sample| sample.abs() >= ONSET * peak).unwrap_or(0);
    &signal[onset..]
}

/// Loudness in LUFS, of a sound that is followed by silence if it is too short to have one; of more than 64 channels that of their mean.
pub(crate) fn padded_loudness(channels: &[&[f64]], rate: f64) -> Result<Option<f64>, AnalysisError> {
    if channels.len() > crate::loudness::MOST_CHANNELS {
        return padded_loudness(&[&mean(channels)], rate);
    }
    let mut meter = LoudnessMeter::new(channels.len(), rate)?;
    let frames = channels[0].len();
    let least = (LOUDNESS_BLOCK * rate.round()).ceil() as usize;
    let mut block = Vec::new();
    for first in (0..frames.max(least)).step_by(4096) {
        let past = (first + 4096).min(frames.max(least));
        block.clear();
        for frame in first..past {
            block.extend(channels.iter().map(|channel| channel.get(frame).copied().unwrap_or(0.0)));
        }
        meter.add(&block)?;
    }
    meter.integrated()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partial::cents;
    use crate::test_signals::{ringing, sine};

    const RATE: f64 = 48_000.0;

    #[test]
    fn a_ringing_sine_has_its_own_pitch_decay_and_centroid() {
        for (frequency, t60) in [(220.0, 0.8), (441.3, 1.1), (1234.5, 0.5)] {
            let tone = ringing(frequency, 0.5, t60, RATE, 72_000);
            let features = Features::of(&[&tone], RATE).unwrap();
            assert!(cents(frequency, features.pitch.unwrap()).abs() < 0.2, "{features:?}");
            assert!((features.t60.unwrap() / t60 - 1.0).abs() < 0.005, "{features:?}");
            // The line is spread by the window over four bins, evenly but for the bins below 0 Hz.
            assert!((features.centroid.unwrap() / frequency - 1.0).abs() < 0.02, "{features:?}");
            assert!((features.peak - 0.5).abs() < 0.03);
        }
    }

    #[test]
    fn silence_before_the_strike_changes_nothing() {
        let tone = ringing(330.0, 0.5, 0.7, RATE, 60_000);
        let late = [vec![0.0; 14_400], tone.clone()].concat();
        let [now, later] = [&tone, &late].map(|sound| Features::of(&[sound], RATE).unwrap());
        assert_eq!((now.centroid, now.pitch, now.t60), (later.centroid, later.pitch, later.t60));
    }

    #[test]
    fn loudness_is_that_of_the_standard_also_for_a_short_sound() {
        // BS.1770: a full-scale sine of 997 Hz in one channel is -3.01 LUFS. Half of a block of 400 ms is 3.01 dB less.
        let tone = sine(997.0, 1.0, 0.0, RATE, 96_000);
        let of = |sound: &[f64]| Features::of(&[sound], RATE).unwrap().loudness.unwrap();
        assert!((of(&tone) + 3.01).abs() < 0.02);
        assert!((of(&tone[..9600]) + 6.02).abs() < 0.1, "{}", of(&tone[..9600]));
    }

    #[test]
    fn channels_are_averaged_and_stereo_is_louder() {
        let tone = ringing(500.0, 0.5, 0.6, RATE, 60_000);
        let mono = Features::of(&[&tone], RATE).unwrap();
        let stereo = Features::of(&[&tone, &tone], RATE).unwrap();
        assert_eq!((mono.pitch, mono.t60, mono.centroid), (stereo.pitch, stereo.t60, stereo.centroid));
        assert!((stereo.loudness.unwrap() - mono.loudness.unwrap() - 3.01).abs() < 0.01);
        let many: Vec<&[f64]> = vec![&tone; 5];
        assert!(Features::of(&many, RATE).unwrap().loudness.is_some());
    }

    #[test]
    fn silence_has_no_features_and_bad_input_is_refused() {
        let silence = Features::of(&[&[0.0; 4800]], RATE).unwrap();
        assert_eq!(silence, Features::default());
        assert_eq!(silence.values().iter().flatten().count(), 1, "only the peak, which is 0");
        assert!(Features::of(&[], RATE).is_err());
        assert!(Features::of(&[&[]], RATE).is_err());
        assert!(Features::of(&[&[0.0], &[0.0, 0.0]], RATE).is_err());
        assert!(Features::of(&[&[f64::NAN]], RATE).is_err());
        assert!(Features::of(&[&[0.0]], 0.0).is_err());
    }
}
