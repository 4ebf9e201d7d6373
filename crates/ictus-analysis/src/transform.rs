//! The discrete Fourier transform of real samples, `X_k = Σ x_n e^{-2πi kn/N}` for `k = 0 … N/2`.
//!
//! A plan with its memory, so that frames of one size share both. Plans of the last lengths are kept for each thread: making one takes
//! longer than using it, and measures of many sounds use the same few.

use std::cell::RefCell;
use std::sync::Arc;

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, FftError, RealFftPlanner, RealToComplex};

use crate::error::AnalysisError;

/// Lengths whose plans are kept.
const KEPT_LENGTHS: usize = 8;

/// Longest transform whose plan is kept: 32 MB.
const LONGEST_KEPT: usize = 1 << 20;

thread_local! {
    /// The planner, which keeps its plans, and the lengths that it has planned.
    static PLANNER: RefCell<(RealFftPlanner<f64>, Vec<usize>)> = RefCell::new((RealFftPlanner::new(), Vec::new()));
}

/// Makes a plan, or takes one that is kept.
fn planned<T>(length: usize, plan: impl Fn(&mut RealFftPlanner<f64>) -> T) -> T {
    if length > LONGEST_KEPT {
        return plan(&mut RealFftPlanner::new());
    }
    PLANNER.with_borrow_mut(|(planner, lengths)| {
        if !lengths.contains(&length) {
            if lengths.len() == KEPT_LENGTHS {
                *planner = RealFftPlanner::new();
                lengths.clear();
            }
            lengths.push(length);
        }
        plan(planner)
    })
}

/// Forward and inverse transform of one length, each planned when it is first used.
pub(crate) struct Transform {
    length: usize,
    forward: Option<Arc<dyn RealToComplex<f64>>>,
    inverse: Option<Arc<dyn ComplexToReal<f64>>>,
    spectrum: Vec<Complex<f64>>,
}

impl Transform {
    /// `length` is the number of real samples, at least 1.
    pub(crate) fn new(length: usize) -> Self {
        Self { length, forward: None, inverse: None, spectrum: Vec::new() }
    }

    /// Transforms `samples`, which must have the planned length and are overwritten.
    pub(crate) fn forward(&mut self, samples: &mut [f64]) -> Result<&[Complex<f64>], AnalysisError> {
        let length = self.length;
        let plan = || planned(length, |planner| planner.plan_fft_forward(length));
        let forward = self.forward.get_or_insert_with(plan);
        self.spectrum.resize(forward.complex_len(), Complex::default());
        forward.process(samples, &mut self.spectrum).map_err(refused)?;
        Ok(&self.spectrum)
    }

    /// The samples of a half spectrum (overwritten), scaled so that `inverse` undoes `forward`.
    pub(crate) fn inverse(&mut self, spectrum: &mut [Complex<f64>]) -> Result<Vec<f64>, AnalysisError> {
        let length = self.length;
        let plan = || planned(length, |planner| planner.plan_fft_inverse(length));
        let inverse = self.inverse.get_or_insert_with(plan);
        let mut samples = inverse.make_output_vec();
        inverse.process(spectrum, &mut samples).map_err(refused)?;
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
    fn a_kept_plan_gives_the_same_bits() {
        let samples: Vec<f64> = (0..60).map(|n| ((n * n) as f64 + 0.3).sin()).collect();
        let spectrum = || Transform::new(60).forward(&mut samples.clone()).unwrap().to_vec();
        let first = spectrum();
        // More lengths than are kept.
        for length in 1..3 * KEPT_LENGTHS {
            Transform::new(length);
            assert_eq!(spectrum(), first);
        }
    }

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
