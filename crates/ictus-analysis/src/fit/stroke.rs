//! How long the stroke lasted: the contact time, from how free modes begin.
//!
//! While hammer and object touch, the sound is what a force f makes of the modes; afterwards it is Σ Re(c e^{st}). With F(s) = ∫ f e^{-sτ} dτ,
//!
//! ```text
//! y(t) = Σ Re( c/F(s) ∫₀ᵗ f(τ) e^{s(t-τ)} dτ )
//! ```
//!
//! for any weights of the modes and any microphone that hears the object's motion: nothing but the shape of f is assumed, that of a lossless impact on
//! a wall with α = 3/2, near sin^{3/2}. What is searched for is when it begins and how long it lasts: where y from this is nearest to the sound.
//! Modes whose F is near 0 say nothing of f, and are let in by less.

use realfft::num_complex::Complex;

use super::Pole;

/// Shape of the force over its duration: sin^p. With α = 3/2 the exact pulse is within 1 % of p = 1.65.
const SHAPE: f64 = 1.65;

/// Force below this part of its mean effect at 0 Hz counts as this.
const LEAST_RESPONSE: f64 = 0.01;

/// Steps of the pulse at each sample.
const FINE: usize = 4;

/// A stroke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// First touch, in samples of the recording.
    pub start: f64,
    /// Contact time, in samples.
    pub length: f64,
    /// What is left of the sound during the stroke, as a part of its power there.
    pub left: f64,
    /// How far the length may be off, as a part of it, for what is left to double.
    pub spread: f64,
}

/// What is known when the stroke is looked for.
pub struct Free<'a> {
    /// The recording.
    pub samples: &'a [f64],
    /// Poles per sample.
    pub poles: &'a [Pole],
    /// Amplitudes at the sample `origin`.
    pub amplitudes: &'a [Pole],
    /// Where the modes are free.
    pub origin: usize,
    /// Where the impact begins, about.
    pub onset: usize,
    /// Where the stroke is surely over.
    pub end: usize,
    /// Variance of the noise.
    pub noise: f64,
}

/// Finds the stroke, no longer than `longest` samples.
pub fn stroke(free: &Free<'_>, longest: f64) -> Option<Stroke> {
    let span = free.onset.saturating_sub(longest as usize)..free.end.min(free.samples.len());
    let power: f64 = free.samples[span.clone()].iter().map(|y| y * y).sum();
    if free.poles.is_empty() || span.is_empty() || power <= 0.0 {
        return None;
    }
    let left = |start: f64, length: f64| left(free, &span, start, length) / power;
    let last = free.end as f64;
    let mut best = (f64::INFINITY, 0.0, 0.0);
    let mut length = 2.0;
    while length <= longest {
        let stride = (0.12 * length).max(0.5);
        let mut start = free.onset as f64 - 0.6 * length - 1.0;
        while start <= free.onset as f64 + 0.1 * length + 1.0 && start + length <= last {
            let found = left(start, length);
            if found < best.0 {
                best = (found, start, length);
            }
            start += stride;
        }
        length *= 1.15;
    }
    if !best.0.is_finite() {
        return None;
    }
    // A pattern search: start, end, both.
    let mut stride = 0.1 * best.2;
    while stride > 0.002 * best.2 {
        let tries = [(1.0, -1.0), (-1.0, 1.0), (0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)];
        let next = tries
            .iter()
            .map(|(a, b)| (best.1 + a * stride, best.2 + b * stride))
            .filter(|(start, length)| *start >= span.start as f64 && *length >= 1.0 && start + length <= last)
            .map(|(start, length)| (left(start, length), start, length))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        match next {
            Some(next) if next.0 < best.0 => best = next,
            _ => stride *= 0.5,
        }
    }
    let (found, start, length) = best;
    let noise = free.noise * span.len() as f64 / power;
    let off = 0.05;
    let around = [-1.0, 1.0].map(|sign| left(start - sign * 0.5 * off * length, length * (1.0 + sign * off)));
    let bent = (0.5 * (around[0] + around[1]) - found).max(f64::MIN_POSITIVE) / (off * off);
    Some(Stroke { start, length, left: found, spread: (found.max(noise) / bent).sqrt() })
}

/// The square of the difference between the sound and what this stroke makes of the modes.
fn left(free: &Free<'_>, span: &std::ops::Range<usize>, start: f64, length: f64) -> f64 {
    let mut rest = free.samples[span.clone()].to_vec();
    let steps = ((FINE as f64 * length).ceil() as usize).max(16);
    let fine = length / steps as f64;
    let force: Vec<f64> =
        (0..steps).map(|i| (std::f64::consts::PI * (i as f64 + 0.5) / steps as f64).sin().powf(SHAPE)).collect();
    let whole: f64 = force.iter().sum();
    for (s, c) in free.poles.iter().zip(free.amplitudes) {
        // Σ f e^{-sτ}, step by step; the part up to t makes what is heard at t.
        let step = (-s * fine).exp();
        let mut turn = (-s * (0.5 * fine)).exp();
        let mut sums = Vec::with_capacity(steps + 1);
        let mut sum = Complex::new(0.0, 0.0);
        sums.push(sum);
        for f in &force {
            sum += turn * *f;
            turn *= step;
            sums.push(sum);
        }
        let response = sum / whole;
        let held = response.conj() / response.norm_sqr().max(LEAST_RESPONSE * LEAST_RESPONSE);
        let strength = c * (s * (start - free.origin as f64)).exp() * held / whole;
        let first = start.ceil().max(span.start as f64);
        let mut swing = strength * (s * (first - start)).exp();
        let turn = s.exp();
        for (n, y) in rest.iter_mut().enumerate().skip((first as usize).saturating_sub(span.start)) {
            let place = ((n + span.start) as f64 - start) / fine;
            let below = (place.max(0.0) as usize).min(steps);
            let sum = if below >= steps {
                sums[steps]
            } else {
                sums[below] + (sums[below + 1] - sums[below]) * (place - below as f64).clamp(0.0, 1.0)
            };
            *y -= (swing * sum).re;
            swing *= turn;
        }
    }
    rest.iter().map(|y| y * y).sum()
}
