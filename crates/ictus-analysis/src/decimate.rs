//! From an oversampled render to the rate that is heard.
//!
//! A render at a multiple of the rate has sound above half the rate. A linear-phase filter takes it away before samples
//! are left out (`rubato`'s synchronous resampler: the product of spectra of blocks, with the square of a
//! Blackman-Harris window of 1024 samples of the lower rate on the sinc). The delay of half that filter is taken off,
//! so that what happens at time 0 is heard at time 0.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Resampler, WindowFunction};

use crate::error::{AnalysisError, check_size};

/// Frames that come out at a time, and length of the filter in frames of the lower rate. A longer filter is steeper.
const BLOCK: usize = 1024;

/// Largest factor.
const LARGEST_FACTOR: usize = 64;

/// Keeps one frame of `factor`, without what could not be told apart afterwards.
pub struct Decimator {
    resampler: Fft<f64>,
    channels: usize,
    input: Vec<f64>,
    output: Vec<f64>,
    /// Frames of the filter's delay that are still to be left out.
    delay: usize,
}

impl Decimator {
    /// For interleaved frames of so many channels (1 to 65535); `factor` is how many times higher the rate is that
    /// comes in (1 to 64).
    pub fn new(factor: usize, channels: usize) -> Result<Self, AnalysisError> {
        check_size("factor", factor, LARGEST_FACTOR)?;
        check_size("channels", channels, u16::MAX.into())?;
        let window = WindowFunction::BlackmanHarris2;
        let resampler =
            Fft::new_custom(factor, 1, BLOCK * factor, 1, channels, window, FixedSync::Both).map_err(refused)?;
        Ok(Self {
            input: vec![0.0; resampler.input_frames_next() * channels],
            output: vec![0.0; resampler.output_frames_next() * channels],
            delay: resampler.output_delay(),
            resampler,
            channels,
        })
    }

    /// Lets `fill` write the next frames of the higher rate, and appends those of the lower rate to `sound`.
    pub fn pull(&mut self, fill: impl FnOnce(&mut [f64]), sound: &mut Vec<f64>) -> Result<(), AnalysisError> {
        fill(&mut self.input);
        self.decimate(sound)
    }

    /// Apart from [`pull`](Self::pull), so that the resampler is compiled here and not in every crate that pulls.
    fn decimate(&mut self, sound: &mut Vec<f64>) -> Result<(), AnalysisError> {
        let (channels, frames) = (self.channels, self.output.len() / self.channels);
        let input = InterleavedSlice::new(&self.input, channels, self.input.len() / channels).map_err(refused)?;
        let mut output = InterleavedSlice::new_mut(&mut self.output, channels, frames).map_err(refused)?;
        let (_, frames) = self.resampler.process_into_buffer(&input, &mut output, None).map_err(refused)?;
        let early = self.delay.min(frames);
        self.delay -= early;
        sound.extend_from_slice(&self.output[early * channels..frames * channels]);
        Ok(())
    }
}

fn refused(error: impl ToString) -> AnalysisError {
    AnalysisError::Library { library: "rubato", message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    const RATE: f64 = 48_000.0;

    /// The second half of a second of a decimated cosine, where the filter has settled.
    fn tone(factor: usize, frequency: f64) -> Vec<f64> {
        let mut decimator = Decimator::new(factor, 1).expect("can be built");
        let (mut sound, mut n) = (Vec::new(), 0u32);
        while sound.len() < 48_000 {
            let cosine = |block: &mut [f64]| {
                for sample in block {
                    *sample = (TAU * frequency * f64::from(n) / (RATE * factor as f64)).cos();
                    n += 1;
                }
            };
            decimator.pull(cosine, &mut sound).expect("is decimated");
        }
        sound[24_000..48_000].to_vec()
    }

    fn level(sound: &[f64]) -> f64 {
        let power = sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64;
        10.0 * (2.0 * power).log10()
    }

    #[test]
    fn what_is_above_half_the_rate_is_taken_down_by_more_than_110_db() {
        let mut loudest = f64::NEG_INFINITY;
        for factor in [2, 4, 8] {
            let highest = RATE * factor as f64 / 2.0;
            for frequency in [24_000.0, 24_500.0, 26_000.0, 28_000.0, 33_000.0, 47_000.0, 71_000.0, 95_000.0, 180_000.0]
            {
                if frequency < highest {
                    loudest = loudest.max(level(&tone(factor, frequency)));
                }
            }
        }
        assert!(loudest < -110.0, "{loudest} dB");
    }

    #[test]
    fn what_is_heard_keeps_its_level_and_its_place_in_time() {
        for factor in [2, 4, 8] {
            for frequency in [10.0, 1000.0, 12_345.0, 20_000.0, 23_000.0] {
                let sound = tone(factor, frequency);
                let error = sound
                    .iter()
                    .enumerate()
                    .map(|(n, x)| (x - (TAU * frequency * (24_000 + n) as f64 / RATE).cos()).abs())
                    .fold(0.0, f64::max);
                // 0.1 dB would be 0.0115.
                assert!(error < 1e-4, "{factor} {frequency}: {error}");
            }
        }
    }

    #[test]
    fn an_impulse_at_the_start_comes_out_at_the_start() {
        for factor in [2, 4, 8] {
            let mut decimator = Decimator::new(factor, 2).expect("can be built");
            let (mut sound, mut first) = (Vec::new(), true);
            decimator
                .pull(
                    |block| {
                        block.fill(0.0);
                        // In the right channel only.
                        block[1] = if std::mem::take(&mut first) { factor as f64 } else { 0.0 };
                    },
                    &mut sound,
                )
                .expect("is decimated");
            let loudest = (0..sound.len()).max_by(|&a, &b| sound[a].abs().total_cmp(&sound[b].abs()));
            assert_eq!(loudest, Some(1));
            assert!(sound[1] > 0.95 && sound.iter().step_by(2).all(|&left| left == 0.0), "{}", sound[1]);
        }
    }
}
