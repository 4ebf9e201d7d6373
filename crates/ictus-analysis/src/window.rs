//! Window functions for spectra.
//!
//! All are sampled at the centres of their cells, `x_n = (n + 1/2)/N`, so they are symmetric,
//! never zero, and need no special case for short frames. Being sums of whole cosine periods they
//! still vanish at every bin outside their main lobe. Source: F. J. Harris, "On the use of windows
//! for harmonic analysis with the discrete Fourier transform", Proc. IEEE 66 (1978).

use std::cell::RefCell;
use std::f64::consts::TAU;

/// Windows whose weights each thread keeps, and the longest of them: 4 MB.
const KEPT_WINDOWS: usize = 4;
const LONGEST_KEPT: usize = 1 << 17;

thread_local! {
    static KEPT: RefCell<Vec<(Window, Vec<f64>)>> = const { RefCell::new(Vec::new()) };
}

/// The weight given to each sample of a frame before it is transformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Window {
    /// `1/2 - 1/2 cos 2πx`. Main lobe ±2 bins, side lobes from -31 dB falling 18 dB per octave.
    #[default]
    Hann,
    /// `1`. Main lobe ±1 bin, side lobes from -13 dB: exact only for whole periods.
    Rectangular,
    /// Four-term Blackman-Harris. Main lobe ±4 bins, side lobes below -92 dB: for weak partials
    /// beside strong ones.
    BlackmanHarris,
}

impl Window {
    /// The cosine coefficients `a_0 - a_1 cos 2πx + a_2 cos 4πx - a_3 cos 6πx`.
    pub(crate) fn cosines(self) -> [f64; 4] {
        match self {
            Window::Hann => [0.5, 0.5, 0.0, 0.0],
            Window::Rectangular => [1.0, 0.0, 0.0, 0.0],
            Window::BlackmanHarris => [0.35875, 0.48829, 0.14128, 0.01168],
        }
    }

    /// The weights of a frame of `length` samples. Each thread keeps the last ones: many sounds of one length are measured in a row, and
    /// cosines take longer than most that is done with them.
    pub fn weights(self, length: usize) -> Vec<f64> {
        if length > LONGEST_KEPT {
            return self.computed(length);
        }
        KEPT.with_borrow_mut(|kept| {
            if let Some((_, weights)) = kept.iter().find(|(window, weights)| *window == self && weights.len() == length)
            {
                return weights.clone();
            }
            let weights = self.computed(length);
            if kept.len() == KEPT_WINDOWS {
                kept.remove(0);
            }
            kept.push((self, weights.clone()));
            weights
        })
    }

    fn computed(self, length: usize) -> Vec<f64> {
        let [a0, a1, a2, a3] = self.cosines();
        (0..length)
            .map(|n| {
                let angle = TAU * (n as f64 + 0.5) / length as f64;
                // A cosine takes longer than all the rest: only those there are.
                let cosine = |a: f64, angle: f64| if a == 0.0 { 0.0 } else { a * angle.cos() };
                a0 - cosine(a1, angle) + cosine(a2, 2.0 * angle) - cosine(a3, 3.0 * angle)
            })
            .collect()
    }

    /// Distance from the centre of the main lobe to its first zero, in bins of the frame.
    pub fn main_lobe_bins(self) -> f64 {
        match self {
            Window::Hann => 2.0,
            Window::Rectangular => 1.0,
            Window::BlackmanHarris => 4.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_symmetric_and_positive_with_the_mean_of_their_first_coefficient() {
        for window in [Window::Hann, Window::Rectangular, Window::BlackmanHarris] {
            for length in [4, 7, 1024] {
                let weights = window.weights(length);
                let mean = weights.iter().sum::<f64>() / length as f64;
                assert!((mean - window.cosines()[0]).abs() < 1e-14);
                for n in 0..length {
                    assert!(weights[n] > 0.0);
                    assert!((weights[n] - weights[length - 1 - n]).abs() < 1e-14);
                }
            }
            assert!((window.weights(1)[0] - 1.0).abs() < 1e-14);
            assert!(window.weights(0).is_empty());
            // Kept ones are the same.
            assert_eq!(window.weights(777), window.computed(777));
            assert_eq!(window.weights(777), window.computed(777));
        }
    }
}
