//! The transform of samples at any one frequency, on a bin or between bins.
//!
//! `X(ω) = Σ x_n e^{-iω(n - c)}` about a centre `c`, and its derivatives in ω. The rotating phasor
//! is renewed every few hundred samples, which keeps its error near rounding however long the
//! signal is.

use realfft::num_complex::Complex;

const RENEWAL: usize = 512;

/// Phasors that turn side by side: each waits for its own last product only.
const LANES: usize = 4;

/// Calls `visit(n - centre, x_n e^{-iω(n - centre)})` for every sample; ω in radians per sample.
fn rotate(samples: &[f64], omega: f64, centre: f64, mut visit: impl FnMut(f64, Complex<f64>)) {
    let step = Complex::cis(-omega * LANES as f64);
    for (block, chunk) in samples.chunks(RENEWAL).enumerate() {
        let start = (block * RENEWAL) as f64 - centre;
        let mut phasors: [Complex<f64>; LANES] =
            std::array::from_fn(|lane| Complex::cis(-omega * (start + lane as f64)));
        for (group, few) in chunk.chunks(LANES).enumerate() {
            let first = start + (group * LANES) as f64;
            for (lane, &sample) in few.iter().enumerate() {
                visit(first + lane as f64, phasors[lane] * sample);
            }
            phasors.iter_mut().for_each(|phasor| *phasor *= step);
        }
    }
}

/// `X(ω)` about the first sample.
pub(crate) fn transform_at(samples: &[f64], omega: f64) -> Complex<f64> {
    let mut sum = Complex::new(0.0, 0.0);
    rotate(samples, omega, 0.0, |_, value| sum += value);
    sum
}

/// `|X(ω)|²` and its first two derivatives in ω, about the middle of the samples.
pub(crate) fn power_and_derivatives(samples: &[f64], omega: f64) -> [f64; 3] {
    let centre = 0.5 * (samples.len() as f64 - 1.0);
    let zero = Complex::new(0.0, 0.0);
    let (mut sum, mut first, mut second) = (zero, zero, zero);
    rotate(samples, omega, centre, |time, value| {
        sum += value;
        first += value * time;
        second += value * (time * time);
    });
    // X' = -i·first and X'' = -second.
    let slope = 2.0 * (sum.conj() * first).im;
    let curvature = 2.0 * (first.norm_sqr() - (sum.conj() * second).re);
    [sum.norm_sqr(), slope, curvature]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_signals::noise;

    #[test]
    fn derivatives_match_finite_differences() {
        let samples = noise(700);
        let (omega, h) = (0.3, 1e-6);
        let [power, slope, curvature] = power_and_derivatives(&samples, omega);
        let [above, slope_above, _] = power_and_derivatives(&samples, omega + h);
        let [below, slope_below, _] = power_and_derivatives(&samples, omega - h);
        assert!((transform_at(&samples, omega).norm_sqr() / power - 1.0).abs() < 1e-12);
        assert!(((above - below) / (2.0 * h) / slope - 1.0).abs() < 1e-5);
        assert!(((slope_above - slope_below) / (2.0 * h) / curvature - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_long_signal_loses_no_accuracy() {
        // Σ 1 · e^{-iωn} is a geometric sum.
        let (length, omega) = (1_000_000, 0.123_456);
        let sum = transform_at(&vec![1.0; length], omega);
        let one = Complex::new(1.0, 0.0);
        let exact = (one - Complex::cis(-omega * length as f64)) / (one - Complex::cis(-omega));
        assert!((sum - exact).norm() < 1e-8, "{}", (sum - exact).norm());
    }
}
