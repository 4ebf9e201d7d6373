//! A bank of bands: x_b[k] = Σ_m h[m] y[kD + m] e^{-jω_b m}, a spectrogram whose window looks ahead.
//!
//! A damped oscillation c e^{sn} stays one in every band, from the first frame on: x_b[k] = c H(s - jω_b) e^{sDk}, H(s) = Σ h[m] e^{sm}. A window that
//! looks back would lose the attack, where there is most to be heard. Kaiser's window, 80 dB down beyond 3.6 bins, and a hop of an eighth
//! of it: what folds is 80 dB down too.

use realfft::RealFftPlanner;
use realfft::num_complex::Complex;

use super::Pole;

/// Shape of Kaiser's window, for sidelobes 80 dB down.
const BETA: f64 = 10.73;

/// Frames for one window.
const OVERLAP: usize = 8;

/// How far in bins a band reaches to both sides.
pub const REACH: f64 = 3.6;

/// A window, and where it is applied.
pub struct Bank {
    /// Samples of the window.
    pub length: usize,
    /// Samples from a frame to the next.
    pub hop: usize,
    /// Noise of variance 1 has this power in a band.
    pub noise: f64,
    window: Vec<f64>,
}

/// The bands of a sound, band by band.
pub struct Bands {
    /// Frames.
    pub frames: usize,
    values: Vec<Complex<f64>>,
}

impl Bands {
    /// The band b over time.
    pub fn band(&self, band: usize) -> &[Complex<f64>] {
        &self.values[band * self.frames..][..self.frames]
    }
}

/// I_0, by its series.
fn bessel(x: f64) -> f64 {
    let (mut term, mut sum, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-17 * sum {
        term *= (0.5 * x / k) * (0.5 * x / k);
        sum += term;
        k += 1.0;
    }
    sum
}

impl Bank {
    /// `length` is a power of 2, 16 or more. The window's sum is 2: an amplitude is the magnitude in its band.
    pub fn new(length: usize) -> Self {
        let place = |m: usize| 2.0 * (m as f64 + 0.5) / length as f64 - 1.0;
        let mut window: Vec<f64> = (0..length).map(|m| bessel(BETA * (1.0 - place(m).powi(2)).sqrt())).collect();
        let sum: f64 = window.iter().sum();
        window.iter_mut().for_each(|h| *h *= 2.0 / sum);
        let noise = window.iter().map(|h| h * h).sum();
        Self { length, hop: length / OVERLAP, noise, window }
    }

    /// Bands, from 0 to half the rate.
    pub fn count(&self) -> usize {
        self.length / 2 + 1
    }

    /// Centre of a band in radians per sample.
    pub fn centre(&self, band: usize) -> f64 {
        std::f64::consts::TAU * band as f64 / self.length as f64
    }

    /// All bands of a sound; none of one shorter than the window.
    pub fn analyse(&self, samples: &[f64]) -> Bands {
        let frames = (samples.len() + self.hop).saturating_sub(self.length) / self.hop;
        let plan = RealFftPlanner::new().plan_fft_forward(self.length);
        let mut values = vec![Complex::default(); self.count() * frames];
        let (mut input, mut output, mut scratch) =
            (plan.make_input_vec(), plan.make_output_vec(), plan.make_scratch_vec());
        for frame in 0..frames {
            let part = &samples[frame * self.hop..][..self.length];
            input.iter_mut().zip(part.iter().zip(&self.window)).for_each(|(x, (y, h))| *x = y * h);
            // Lengths are those of the plan: it cannot refuse.
            let _ = plan.process_with_scratch(&mut input, &mut output, &mut scratch);
            output.iter().enumerate().for_each(|(band, value)| values[band * frames + frame] = *value);
        }
        Bands { frames, values }
    }

    /// H(s - jω_b).
    pub fn response(&self, s: Pole, band: usize) -> Complex<f64> {
        let turn = s - Complex::new(0.0, self.centre(band));
        let step = turn.exp();
        let mut value = Complex::new(1.0, 0.0);
        let mut sum = Complex::default();
        for h in &self.window {
            sum += value * *h;
            value *= step;
        }
        sum
    }
}
