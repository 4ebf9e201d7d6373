//! The discrete Fourier transform of real samples, `X_k = Σ x_n e^{-2πi kn/N}` for `k = 0 … N/2`.
//!
//! A plan with its memory, so that frames of one size share both.

use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, FftError, RealFftPlanner, RealToComplex};

use crate::error::AnalysisError;

/// Forward and inverse transform of one length.
pub(crate) struct Transform {
    forward: Arc<dyn RealToComplex<f64>>,
    inverse: Arc<dyn ComplexToReal<f64>>,
    spectrum: Vec<Complex<f64>>,
}

impl Transform {
    /// `length` is the number of real samples, at least 1.
    pub(crate) fn new(length: usize) -> Self {
        let mut planner = RealFftPlanner::new();
        let forward = planner.plan_fft_forward(length);
        let spectrum = forward.make_output_vec();
        Self { forward, inverse: planner.plan_fft_inverse(length), spectrum }
    }

    /// Transforms `samples`, which must have the planned length and are overwritten.
    pub(crate) fn forward(&mut self, samples: &mut [f64]) -> Result<&[Complex<f64>], AnalysisError> {
        self.forward.process(samples, &mut self.spectrum).map_err(refused)?;
        Ok(&self.spectrum)
    }

    /// The samples of a half spectrum (overwritten), scaled so that `inverse` undoes `forward`.
    pub(crate) fn inverse(&mut self, spectrum: &mut [Complex<f64>]) -> Result<Vec<f64>, AnalysisError> {
        let mut samples = self.inverse.make_output_vec();
        self.inverse.process(spectrum, &mut samples).map_err(refused)?;
        let scale = 1.0 / samples.len() as f64;
        for sample in &mut samples {
            *sample *= scale;
        }
        Ok(samples)
    }
}

fn refused(error: FftError) -> AnalysisError {
    AnalysisError::Library { library: "realfft", message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_forward() {
        for length in [1, 2, 3, 8, 31] {
            let samples: Vec<f64> = (0..length).map(|n| ((n * n) as f64 + 0.3).sin()).collect();
            let mut transform = Transform::new(length);
            let mut spectrum = transform.forward(&mut samples.clone()).unwrap().to_vec();
            let back = transform.inverse(&mut spectrum).unwrap();
            for (a, b) in samples.iter().zip(&back) {
                assert!((a - b).abs() < 1e-14, "length {length}: {a} {b}");
            }
        }
    }
}
