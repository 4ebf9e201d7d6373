//! What becomes of the pickups' sum: a gain, a filter that keeps drift out of the loudspeaker, and a fade at the end.
//!
//! The filter is a Butterworth highpass of second order by the bilinear transform, its corner exact:
//!
//! ```text
//! H(z) = b (1 - z⁻¹)² / (1 + a1 z⁻¹ + a2 z⁻²),    w = tan(π f/fs),    n = 1/(1 + √2 w + w²),
//! b = n,    a1 = 2n (w² - 1),    a2 = n (1 - √2 w + w²)
//! ```
//!
//! in transposed form, which adds least rounding at low corners.

use std::f64::consts::{PI, SQRT_2};

use crate::scene::Output;

/// Beyond this many times full scale, a sample is no sound but a sign that something has gone wrong.
const LARGEST_SAMPLE: f64 = 1e9;

/// Filter states below this are 0: some processors are slow with smaller numbers still.
const SILENCE: f64 = 1e-30;

/// The highpass: coefficients, and two states per channel.
#[derive(Clone, Debug)]
struct Highpass {
    gain: f64,
    feedback: [f64; 2],
    states: Vec<[f64; 2]>,
}

impl Highpass {
    fn new(corner: f64, rate: f64, channels: usize) -> Self {
        let w = libm::tan(PI * corner / rate);
        let gain = 1.0 / (1.0 + SQRT_2 * w + w * w);
        let feedback = [2.0 * gain * (w * w - 1.0), gain * (1.0 - SQRT_2 * w + w * w)];
        Self { gain, feedback, states: vec![[0.0; 2]; channels] }
    }

    #[inline]
    fn process(&mut self, channel: usize, sample: f64) -> f64 {
        let [first, second] = &mut self.states[channel];
        let driven = self.gain * sample;
        let out = driven + *first;
        *first = -2.0 * driven - self.feedback[0] * out + *second;
        *second = driven - self.feedback[1] * out;
        out
    }
}

/// The way from the pickups to the ear.
#[derive(Clone, Debug)]
pub(super) struct Ear {
    output: Output,
    rate: f64,
    highpass: Option<Highpass>,
    channels: usize,
}

impl Ear {
    pub(super) fn new(output: &Output, rate: f64, channels: usize) -> Self {
        let audible = output.highpass > 0.0 && output.highpass < 0.5 * rate;
        Self {
            output: *output,
            rate,
            highpass: audible.then(|| Highpass::new(output.highpass, rate, channels)),
            channels,
        }
    }

    pub(super) fn channels(&self) -> usize {
        self.channels
    }

    pub(super) fn reset(&mut self) {
        if let Some(highpass) = &mut self.highpass {
            highpass.states.fill([0.0; 2]);
        }
    }

    fn is_at_rest(&self) -> bool {
        self.highpass.as_ref().is_none_or(|highpass| highpass.states.as_flattened().iter().all(|state| *state == 0.0))
    }

    /// Sets what is below notice to 0.
    pub(super) fn quieten(&mut self) {
        if let Some(highpass) = &mut self.highpass {
            for state in highpass.states.as_flattened_mut() {
                if state.abs() < SILENCE {
                    *state = 0.0;
                }
            }
        }
    }

    /// Filters a block of interleaved samples. From the first frame on that is no sound, everything is 0, and the answer false.
    pub(super) fn process(&mut self, block: &mut [f64]) -> bool {
        // Silence in a filter that is at rest stays silence.
        if self.is_at_rest() && block.iter().all(|sample| *sample == 0.0) {
            return true;
        }
        for frame in 0..block.len() / self.channels {
            let range = frame * self.channels..(frame + 1) * self.channels;
            for (channel, sample) in block[range.clone()].iter_mut().enumerate() {
                let louder = self.output.gain * *sample;
                *sample = self.highpass.as_mut().map_or(louder, |highpass| highpass.process(channel, louder));
            }
            // Written so that what is no number fails too.
            if !block[range.clone()].iter().all(|sample| sample.abs() <= LARGEST_SAMPLE) {
                block[range.start..].fill(0.0);
                return false;
            }
        }
        true
    }

    /// See [`Output::fade_out`].
    pub(super) fn fade(&self, block: &mut [f64], position: u64, total: u64) {
        self.output.fade_out(block, self.channels, self.rate, position, total);
    }
}

impl Output {
    /// Lets the end of a sound of `total` frames go to silence along half a cosine; the last frame is 0. The block holds the frames
    /// from number `position` on, of so many channels, at a rate in Hz.
    pub fn fade_out(&self, block: &mut [f64], channels: usize, rate: f64, position: u64, total: u64) {
        // A cast makes 0 of what is negative or no number.
        let length = ((self.fade * rate).round() as u64).min(total);
        for (frame, samples) in block.chunks_mut(channels.max(1)).enumerate() {
            let from_end = total.saturating_sub(position.saturating_add(frame as u64)).saturating_sub(1);
            if from_end < length {
                let factor = 0.5 - 0.5 * libm::cos(PI * from_end as f64 / length as f64);
                samples.iter_mut().for_each(|sample| *sample *= factor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48_000.0;

    /// Level of a sine after the filter has settled, as a factor.
    fn response(corner: f64, frequency: f64) -> f64 {
        let mut ear = Ear::new(&Output { highpass: corner, ..Output::default() }, RATE, 1);
        let mut block: Vec<f64> = (0..96_000).map(|n| libm::sin(2.0 * PI * frequency * f64::from(n) / RATE)).collect();
        assert!(ear.process(&mut block));
        let settled = &block[48_000..];
        (2.0 * settled.iter().map(|sample| sample * sample).sum::<f64>() / settled.len() as f64).sqrt()
    }

    #[test]
    fn the_highpass_is_a_butterworth_of_second_order() {
        for (corner, frequency) in [(20.0, 20.0), (20.0, 5.0), (20.0, 440.0), (100.0, 30.0)] {
            let ratio = libm::tan(PI * corner / RATE) / libm::tan(PI * frequency / RATE);
            let expected = 1.0 / (1.0 + ratio.powi(4)).sqrt();
            assert!((response(corner, frequency) - expected).abs() < 1e-6, "{corner} {frequency}");
        }
    }

    #[test]
    fn a_constant_is_kept_out_of_the_loudspeaker() {
        let mut ear = Ear::new(&Output::default(), RATE, 1);
        let mut block = vec![1.0; 96_000];
        assert!(ear.process(&mut block));
        assert!(block[0] > 0.9 && block[95_999].abs() < 1e-12);
    }

    #[test]
    fn a_fade_ends_in_silence_whatever_the_blocks() {
        let ear = Ear::new(&Output { fade: 0.001, ..Output::default() }, RATE, 2);
        let whole = |blocks: usize| {
            let mut sound = vec![1.0; 2 * 4800];
            for (index, block) in sound.chunks_mut(2 * blocks).enumerate() {
                ear.fade(block, (index * blocks) as u64, 4800);
            }
            sound
        };
        let sound = whole(4800);
        assert_eq!(sound, whole(7));
        assert!(sound[..2 * 4752].iter().all(|sample| *sample == 1.0));
        assert!(sound[2 * 4752..].windows(3).all(|pair| pair[2] <= pair[0]));
        assert_eq!(sound[2 * 4799..], [0.0, 0.0]);
    }

    #[test]
    fn what_is_no_sound_is_silenced_and_told() {
        for wild in [f64::NAN, f64::INFINITY, 1e30] {
            let mut ear = Ear::new(&Output::default(), RATE, 2);
            let mut block = [0.5; 20];
            block[11] = wild;
            assert!(!ear.process(&mut block));
            assert!(block[10..].iter().all(|sample| *sample == 0.0) && block[9] != 0.0);
        }
    }
}
