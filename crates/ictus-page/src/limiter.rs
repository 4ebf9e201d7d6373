//! The safety limiter at the very end: nothing louder than full scale, whatever is played.
//!
//! A look-ahead limiter. What leaves is what entered 63 frames earlier, times a gain. The gain each frame needs to stay below
//! the ceiling (-1 dBFS) is held as a minimum over the look-ahead and then averaged over it, so that it has come down before
//! the peak leaves and never moves abruptly. Below the ceiling the gain is exactly 1 and the sound is not touched.

/// Frames a sound is held back so that the gain can come down before a peak.
pub const LOOK_AHEAD: usize = WINDOW - 1;

/// Frames that are looked at together: those held back and the newest.
const WINDOW: usize = 64;

/// Largest level that leaves: -1 dBFS.
pub const CEILING: f64 = 0.891_250_938_133_745_6;

/// Time in s in which the gain recovers to 63 %.
const RECOVERY: f64 = 0.15;

/// A limiter of interleaved frames of two channels.
#[derive(Clone, Debug)]
pub struct Limiter {
    delayed: [[f64; 2]; WINDOW],
    /// Gain needed by each frame in the delay.
    needed: [f64; WINDOW],
    /// Held gains of the last frames.
    held: [f64; WINDOW],
    position: usize,
    gain: f64,
    recovery: f64,
    smallest: f64,
    broken: bool,
}

impl Limiter {
    /// A limiter at a sample rate in Hz.
    pub fn new(rate: f64) -> Self {
        Self {
            delayed: [[0.0; 2]; WINDOW],
            needed: [1.0; WINDOW],
            held: [1.0; WINDOW],
            position: 0,
            gain: 1.0,
            recovery: 1.0 - (-1.0 / (RECOVERY * rate.max(1.0))).exp(),
            smallest: 1.0,
            broken: false,
        }
    }

    /// Takes a frame in and gives the one of [`LOOK_AHEAD`] frames earlier. A sample that is no number counts as silence.
    #[inline]
    pub fn step(&mut self, frame: [f64; 2]) -> [f64; 2] {
        let frame = frame.map(|sample| {
            if sample.is_finite() {
                return sample;
            }
            self.broken = true;
            0.0
        });
        let peak = frame[0].abs().max(frame[1].abs());
        self.delayed[self.position] = frame;
        self.needed[self.position] = if peak > CEILING { CEILING / peak } else { 1.0 };
        let lowest = self.needed.iter().fold(1.0_f64, |least, needed| least.min(*needed));
        // Down at once, up slowly, and up to exactly 1.
        self.gain = if lowest < self.gain { lowest } else { self.gain + self.recovery * (lowest - self.gain) };
        if self.gain > 0.9999 && lowest == 1.0 {
            self.gain = 1.0;
        }
        self.held[self.position] = self.gain;
        self.position = (self.position + 1) % WINDOW;
        // The oldest frame of the window: all gains of the window were held with it in view.
        let leaving = self.delayed[self.position];
        let mean = self.held.iter().sum::<f64>() / WINDOW as f64;
        self.smallest = self.smallest.min(mean);
        leaving.map(|sample| (sample * mean).clamp(-1.0, 1.0))
    }

    /// The smallest gain since the last call, a factor: 1 when nothing was limited.
    pub fn take_smallest_gain(&mut self) -> f64 {
        std::mem::replace(&mut self.smallest, 1.0)
    }

    /// Whether a sample since the last call was no finite number.
    pub fn take_broken(&mut self) -> bool {
        std::mem::take(&mut self.broken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(level: f64, length: usize) -> Vec<[f64; 2]> {
        (0..length).map(|n| [level * (0.05 * n as f64).sin(), level * (0.031 * n as f64).cos()]).collect()
    }

    #[test]
    fn what_stays_below_the_ceiling_leaves_to_the_bit() {
        let mut limiter = Limiter::new(48_000.0);
        let input = sine(0.89, 4000);
        let output: Vec<_> = input.iter().map(|frame| limiter.step(*frame)).collect();
        assert_eq!(output[LOOK_AHEAD..], input[..4000 - LOOK_AHEAD]);
        assert_eq!(limiter.take_smallest_gain(), 1.0);
    }

    #[test]
    fn nothing_leaves_louder_than_the_ceiling() {
        for level in [0.9, 2.0, 50.0, 1e9, 1e300] {
            let mut limiter = Limiter::new(48_000.0);
            for frame in sine(level, 4000) {
                let loudest = limiter.step(frame).iter().fold(0.0_f64, |most, sample| most.max(sample.abs()));
                assert!(loudest <= CEILING * (1.0 + 1e-12), "{level}: {loudest}");
            }
            assert!(limiter.take_smallest_gain() < 1.0);
        }
    }

    #[test]
    fn the_gain_is_back_at_one_after_a_peak() {
        let mut limiter = Limiter::new(48_000.0);
        limiter.step([30.0, 0.0]);
        (0..96_000).for_each(|_| {
            limiter.step([0.0; 2]);
        });
        limiter.take_smallest_gain();
        limiter.step([0.5; 2]);
        assert_eq!(limiter.take_smallest_gain(), 1.0);
    }

    #[test]
    fn what_is_no_number_is_silence_and_is_told() {
        let mut limiter = Limiter::new(48_000.0);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            limiter.step([bad, 0.1]);
        }
        assert!(limiter.take_broken() && !limiter.take_broken());
        assert!((0..200).all(|_| limiter.step([0.0; 2]).iter().all(|sample| sample.is_finite())));
    }
}
