//! Cutting a signal into overlapping frames and transforming each.
//!
//! Frame `j` holds samples `j·hop … j·hop + size - 1` and is dated at its middle,
//! `t_j = (j·hop + size/2)/rate`. Only whole frames are taken, so no edge is invented; a signal
//! shorter than one frame is extended with zeros to exactly one.

use crate::error::{AnalysisError, LARGEST_FRAME, check_rate, check_signal, check_size};
use crate::transform::Transform;
use crate::window::Window;

/// How a signal is cut into frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Framing {
    /// Frame length in samples, 1 to [`LARGEST_FRAME`]; default 1024 (A04). Longer frames separate
    /// closer frequencies but smear time.
    pub size: usize,
    /// Step from frame to frame in samples, 1 to [`LARGEST_FRAME`]; default 256.
    pub hop: usize,
    /// Weight on the samples of each frame; default Hann.
    pub window: Window,
}

impl Default for Framing {
    fn default() -> Self {
        Self { size: 1024, hop: 256, window: Window::Hann }
    }
}

impl Framing {
    /// Number of frames in a signal of `length` samples.
    pub fn count(&self, length: usize) -> usize {
        if length <= self.size { usize::from(length > 0) } else { 1 + (length - self.size) / self.hop.max(1) }
    }

    /// Number of frequencies per frame: 0 Hz to half the rate.
    pub fn bins(&self) -> usize {
        self.size / 2 + 1
    }

    /// The time of frame `index` in seconds, at its middle.
    pub fn time(&self, index: usize, rate: f64) -> f64 {
        (index as f64 * self.hop as f64 + 0.5 * self.size as f64) / rate
    }

    /// The frequency of bin `index` in hertz.
    pub fn frequency(&self, index: usize, rate: f64) -> f64 {
        index as f64 * rate / self.size as f64
    }

    pub(crate) fn check(&self, signal: &[f64], rate: f64) -> Result<(), AnalysisError> {
        check_rate(rate)?;
        check_signal("signal", signal)?;
        check_size("frame size", self.size, LARGEST_FRAME)?;
        check_size("hop", self.hop, LARGEST_FRAME)
    }

    /// Calls `visit` with the index and the magnitudes `|X_k|/Σw` of every frame, in order.
    pub(crate) fn for_each_frame(
        &self,
        signal: &[f64],
        mut visit: impl FnMut(usize, &[f64]),
    ) -> Result<(), AnalysisError> {
        let mut weights = self.window.weights(self.size);
        let scale = 1.0 / weights.iter().sum::<f64>();
        weights.iter_mut().for_each(|weight| *weight *= scale);

        let mut transform = Transform::new(self.size);
        let mut frame = vec![0.0; self.size];
        let mut magnitudes = vec![0.0; self.bins()];
        for index in 0..self.count(signal.len()) {
            let samples = &signal[index * self.hop..];
            frame.fill(0.0);
            for ((cell, sample), weight) in frame.iter_mut().zip(samples).zip(&weights) {
                *cell = sample * weight;
            }
            let spectrum = transform.forward(&mut frame)?;
            for (magnitude, value) in magnitudes.iter_mut().zip(spectrum) {
                *magnitude = value.norm();
            }
            visit(index, &magnitudes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_frames_are_taken_and_a_short_signal_gives_one() {
        let framing = Framing { size: 4, hop: 2, window: Window::Rectangular };
        let counts = [(0, 0), (1, 1), (4, 1), (5, 1), (6, 2), (7, 2), (8, 3)];
        for (length, expected) in counts {
            assert_eq!(framing.count(length), expected, "length {length}");
        }
        let mut means = Vec::new();
        framing
            .for_each_frame(&[1.0, 1.0, 1.0, 1.0, 3.0, 3.0], |_, magnitudes| {
                means.push(magnitudes[0]);
            })
            .unwrap();
        assert_eq!(means, [1.0, 2.0]);
    }

    #[test]
    fn a_frame_is_dated_at_its_middle() {
        let framing = Framing::default();
        assert_eq!(framing.time(0, 1024.0), 0.5);
        assert_eq!(framing.time(2, 1024.0), 1.0);
        assert_eq!(framing.frequency(512, 44_100.0), 22_050.0);
    }
}
