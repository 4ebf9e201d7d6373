//! How loud a sound is: integrated loudness, sample peak and true peak.
//!
//! Loudness is ITU-R BS.1770 with the gates of EBU R 128: K-weighted mean square `z_i` of each
//! channel in blocks of 400 ms overlapping by 3/4, `L = -0.691 + 10 log10 Σ z_i`, averaged over
//! the blocks above -70 LUFS and then over those at most 10 LU below that average. The filters are
//! redesigned for the given rate. True peak is the largest value of the sound resampled to at
//! least 192 kHz (BS.1770 Annex 2). The `ebur128` crate does both.

use ebur128::{Channel, EbuR128, Mode};

use crate::error::{AnalysisError, check_same_length, check_setting, check_signal, check_size};

/// Most channels of a sound.
pub(crate) const MOST_CHANNELS: usize = 64;

/// Zeros after the sound that let the resampler's 48 taps see its last sample.
const FLUSH: usize = 48;

/// Loudness and peaks of a sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loudness {
    /// Integrated loudness in LUFS; `None` for a sound shorter than 400 ms or quieter than
    /// -70 LUFS throughout. Extend a shorter sound with silence to measure it.
    pub integrated: Option<f64>,
    /// Largest magnitude of any sample of any channel; 1 is full scale.
    pub sample_peak: f64,
    /// Largest magnitude between the samples of any channel; 1 is full scale. Never below
    /// `sample_peak`; equal to it at rates of 192 kHz and above.
    pub true_peak: f64,
}

/// Loudness of 1 to 64 channels (1 is full scale) at `rate` Hz, 8000 to 2 822 400 and taken to
/// the nearest whole number. One channel counts once, as BS.1770 says: played from two speakers
/// it is 3.01 LU louder. Channels are those of a WAV or FLAC file of so many: of up to eight, those
/// at the sides count 1.5 dB more and that for low frequencies not at all (BS.1770-4, table 4); of
/// more, each counts alike.
pub fn loudness(channels: &[&[f64]], rate: f64) -> Result<Loudness, AnalysisError> {
    check_size("channels", channels.len(), MOST_CHANNELS)?;
    for channel in channels {
        check_signal("channel", channel)?;
        check_same_length("samples of a channel", channels[0].len(), channel.len())?;
    }
    check_setting("rate", "8000 to 2822400 Hz", rate, (8000.0..=2_822_400.0).contains(&rate))?;
    let rate = rate.round() as u32;
    let sample_peak =
        channels.iter().flat_map(|channel| channel.iter()).fold(0.0_f64, |peak, sample| peak.max(sample.abs()));
    Ok(Loudness {
        integrated: integrated(channels, rate)?,
        sample_peak,
        true_peak: true_peak(channels, rate, sample_peak)?,
    })
}

/// Integrated loudness of a sound that comes in parts: in memory there is a number for every 100 ms of it.
pub struct LoudnessMeter(EbuR128);

impl LoudnessMeter {
    /// For 1 to 64 channels at `rate` Hz, 8000 to 2 822 400 and taken to the nearest whole number; see [`loudness`].
    pub fn new(channels: usize, rate: f64) -> Result<Self, AnalysisError> {
        check_size("channels", channels, MOST_CHANNELS)?;
        check_setting("rate", "8000 to 2822400 Hz", rate, (8000.0..=2_822_400.0).contains(&rate))?;
        meter(channels, rate.round() as u32, Mode::I).map(Self)
    }

    /// Takes the next samples, interleaved, of which 1 is full scale.
    pub fn add(&mut self, samples: &[f64]) -> Result<(), AnalysisError> {
        check_signal("channel", samples)?;
        self.0.add_frames_f64(samples).map_err(refused)
    }

    /// As [`Loudness::integrated`], of all so far.
    pub fn integrated(&self) -> Result<Option<f64>, AnalysisError> {
        let loudness = self.0.loudness_global().map_err(refused)?;
        Ok(loudness.is_finite().then_some(loudness))
    }
}

fn integrated(channels: &[&[f64]], rate: u32) -> Result<Option<f64>, AnalysisError> {
    let mut meter = meter(channels.len(), rate, Mode::I)?;
    meter.add_frames_planar_f64(channels).map_err(refused)?;
    let loudness = meter.loudness_global().map_err(refused)?;
    Ok(loudness.is_finite().then_some(loudness))
}

/// The meter works in single precision, so it is given the sound at full scale.
pub(crate) fn true_peak(channels: &[&[f64]], rate: u32, sample_peak: f64) -> Result<f64, AnalysisError> {
    if sample_peak < f64::MIN_POSITIVE {
        return Ok(sample_peak);
    }
    let mut ratio = 1.0_f64;
    for channel in channels {
        let mut scaled: Vec<f64> = channel.iter().map(|x| x / sample_peak).collect();
        scaled.resize(channel.len() + FLUSH, 0.0);
        let mut meter = meter(1, rate, Mode::TRUE_PEAK)?;
        meter.add_frames_f64(&scaled).map_err(refused)?;
        ratio = ratio.max(meter.true_peak(0).map_err(refused)?);
    }
    Ok(ratio * sample_peak)
}

fn meter(channels: usize, rate: u32, mode: Mode) -> Result<EbuR128, AnalysisError> {
    let mut meter = EbuR128::new(channels as u32, rate, mode).map_err(refused)?;
    for (number, channel) in places(channels).into_iter().enumerate() {
        meter.set_channel(number as u32, channel).map_err(refused)?;
    }
    Ok(meter)
}

/// Where the channels of so many are heard from: the loudspeakers of WAV and FLAC files.
fn places(channels: usize) -> Vec<Channel> {
    use Channel::{Center, Left, LeftSurround, Mm090, Mm135, Mp090, Mp135, Mp180, Right, RightSurround, Unused};
    match channels {
        3 => vec![Left, Right, Center],
        4 => vec![Left, Right, LeftSurround, RightSurround],
        5 => vec![Left, Right, Center, LeftSurround, RightSurround],
        6 => vec![Left, Right, Center, Unused, LeftSurround, RightSurround],
        7 => vec![Left, Right, Center, Unused, Mp180, Mp090, Mm090],
        8 => vec![Left, Right, Center, Unused, Mp135, Mm135, Mp090, Mm090],
        _ => vec![Left; channels],
    }
}

fn refused(error: ebur128::Error) -> AnalysisError {
    AnalysisError::Library { library: "ebur128", message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectrum::decibels;
    use crate::test_signals::{noise, sine};

    fn integrated_of(channels: &[&[f64]], rate: f64) -> f64 {
        loudness(channels, rate).unwrap().integrated.unwrap()
    }

    #[test]
    fn a_full_scale_sine_of_997_hz_is_minus_3_01_lufs_at_every_rate() {
        for rate in [32_000.0, 44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            // The standard's filters are given at 48 kHz; elsewhere the curve shifts slightly.
            let tolerance = if rate == 48_000.0 { 0.005 } else { 0.03 };
            let tone = sine(997.0, 1.0, 0.0, rate, (5.0 * rate) as usize);
            let silence = vec![0.0; tone.len()];
            let mono = integrated_of(&[&tone], rate);
            let left = integrated_of(&[&tone, &silence], rate);
            let both = integrated_of(&[&tone, &tone], rate);
            assert!((mono + 3.01).abs() < tolerance, "{rate} Hz mono: {mono}");
            assert!((left + 3.01).abs() < tolerance, "{rate} Hz left: {left}");
            assert!((both - 0.0).abs() < tolerance, "{rate} Hz stereo: {both}");
        }
    }

    #[test]
    fn every_channel_of_many_counts_as_its_loudspeaker_does() {
        let rate = 48_000.0;
        let tone = sine(997.0, 1.0, 0.0, rate, (2.0 * rate) as usize);
        let silence = vec![0.0; tone.len()];
        // BS.1770-4, table 4: 1.41 for 60° to 120°, 1 elsewhere; without the channel for low frequencies.
        let side = 10.0 * 1.41f64.log10();
        for (count, number, expected) in [
            (3, 2, Some(0.0)),
            (4, 3, Some(side)),
            (5, 1, Some(0.0)),
            (5, 4, Some(side)),
            (6, 3, None),
            (6, 5, Some(side)),
            (7, 4, Some(0.0)),
            (8, 4, Some(0.0)),
            (8, 6, Some(side)),
            (9, 3, Some(0.0)),
            (64, 63, Some(0.0)),
        ] {
            let channels: Vec<&[f64]> = (0..count).map(|n| if n == number { &*tone } else { &*silence }).collect();
            let measured = loudness(&channels, rate).unwrap().integrated;
            match (measured, expected) {
                (None, None) => {}
                (Some(measured), Some(gain)) => {
                    assert!((measured + 3.01 - gain).abs() < 0.01, "{number} of {count}: {measured}");
                }
                _ => panic!("{number} of {count}: {measured:?}"),
            }
        }
        assert!(loudness(&vec![&*silence; 65], rate).is_err());
    }

    #[test]
    fn ebu_tech_3341_cases_1_to_3_read_as_printed() {
        // Stereo sine of 1 kHz; levels in dBFS per channel and seconds; tolerance 0.1 LU.
        let rate = 48_000.0;
        let cases: [(&[(f64, f64)], f64); 3] = [
            (&[(-23.0, 20.0)], -23.0),
            (&[(-33.0, 20.0)], -33.0),
            (&[(-36.0, 10.0), (-23.0, 60.0), (-36.0, 10.0)], -23.0),
        ];
        for (parts, expected) in cases {
            let tone: Vec<f64> = parts
                .iter()
                .flat_map(|&(level, seconds)| {
                    let amplitude = 10.0_f64.powf(level / 20.0);
                    sine(1000.0, amplitude, 0.0, rate, (seconds * rate) as usize)
                })
                .collect();
            let measured = integrated_of(&[&tone, &tone], rate);
            assert!((measured - expected).abs() < 0.1, "{parts:?}: {measured}");
        }
    }

    #[test]
    fn low_and_high_tones_are_weighted_as_the_standard_draws_them() {
        // The K curve is a shelf of 4.0 dB times a high-pass r²/(1 + r²), r = f/38.135 Hz; at
        // 997 Hz it is 0.691 dB.
        let rate = 48_000.0;
        let at = |frequency| integrated_of(&[&sine(frequency, 1.0, 0.0, rate, 480_000)], rate);
        let reference = at(997.0) - 0.691;
        assert!((at(10_000.0) - reference - 4.0).abs() < 0.1);
        let square = (20.0_f64 / 38.135).powi(2);
        let expected = decibels(square / (1.0 + square));
        assert!((at(20.0) - reference - expected).abs() < 0.1, "{expected}");
    }

    #[test]
    fn true_peak_finds_what_lies_between_samples() {
        // A quarter of the rate at 45 degrees: every sample is 0.707 of the amplitude.
        let rate = 48_000.0;
        let tone = sine(12_000.0, 0.8, std::f64::consts::FRAC_PI_4, rate, 4800);
        let measured = loudness(&[&tone], rate).unwrap();
        assert!((measured.sample_peak - 0.8 * 0.5_f64.sqrt()).abs() < 1e-9);
        let error = decibels(measured.true_peak) - decibels(0.8);
        assert!(error > -0.4 && error < 0.3, "{error} dB");
    }

    #[test]
    fn peaks_scale_with_the_sound_and_its_last_samples_count() {
        // Halfway between two equal samples the sound is 4/π times as high.
        let mut click = vec![0.0; 100];
        click[98..].fill(-0.5);
        let small = loudness(&[&click], 48_000.0).unwrap();
        assert_eq!(small.sample_peak, 0.5);
        let between = 0.5 * 4.0 / std::f64::consts::PI;
        assert!((small.true_peak / between - 1.0).abs() < 0.02, "{small:?}");
        click[98..].fill(-0.5e60);
        let large = loudness(&[&click], 48_000.0).unwrap();
        assert!((large.true_peak / small.true_peak / 1e60 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn short_or_silent_sounds_have_no_loudness() {
        for signal in [vec![0.0; 96_000], noise(4000)] {
            assert_eq!(loudness(&[&signal], 48_000.0).unwrap().integrated, None);
        }
        assert!(loudness(&[], 48_000.0).is_err());
        assert!(loudness(&[&[0.0], &[0.0, 0.0]], 48_000.0).is_err());
        assert!(loudness(&[&[0.0]], 100.0).is_err());
    }
}
