//! How long the stroke lasted: the contact time, from how free modes begin.
//!
//! While hammer and object touch, the sound is what a force f makes of the modes; afterwards it is Σ Re(c e^{st}). With F(s) = ∫ f e^{-sτ} dτ,
//!
//! ```text
//! y(t) = Σ Re( c/F(s) ∫₀ᵗ f(τ) e^{s(t-τ)} dτ )
//! ```
//!
//! for any weights of the modes and any microphone that hears the object's motion: nothing but the shape of f is assumed, that of a blow with
//! an exponent and a restitution ([`Pulse`]). What is searched for is when it begins, how long it lasts, and both of these: where y from this is
//! nearest to the sound. At first on a grid with one shape; other shapes of the same centre and width follow from it; the best of
//! them are refined by least squares (Levenberg and Marquardt). Exponent and restitution are known a little before anything is heard, which counts
//! where noise leaves them open; what they leave open of the duration is part of its uncertainty.
//! Modes whose F is near 0 say nothing of f, and are let in by less.

use realfft::num_complex::Complex;

use super::Pole;
use super::dense::{Cholesky, Square, dot};
use super::pulse::Pulse;

/// The shape of the first search: exponent and restitution.
const USUAL: [f64; 2] = [1.8, 0.85];

/// What is known of exponent and restitution before anything is heard: one standard deviation around the usual.
const UNKNOWN: [f64; 2] = [0.7, 0.25];

/// Least and most exponent and restitution.
const RANGES: [[f64; 2]; 2] = [[1.0, 3.5], [0.3, 1.0]];

/// From one length of the first search to the next.
const LONGER: f64 = 1.15;

/// How many lengths of the first search are followed.
const LENGTHS: usize = 3;

/// Shapes that are tried where the first search ended.
const EXPONENTS: [f64; 4] = [1.1, 1.6, 2.1, 2.7];
/// With each of them.
const RESTITUTIONS: [f64; 4] = [1.0, 0.85, 0.7, 0.5];
/// And durations beside the one of the same width.
const STRETCHES: [f64; 3] = [0.93, 1.0, 1.08];

/// How many of the shapes are refined.
const REFINED: usize = 5;

/// Steps of the refinement at most.
const MOST_STEPS: usize = 25;

/// F of a mode, beside that at 0 Hz, never counts as less than this, however well its amplitude is known.
const LEAST_RESPONSE: f64 = 2e-4;

/// Times what noise leaves, above which what is left is not noise.
const UNEXPLAINED: f64 = 1.5;

/// Independent parts of what a wrong shape leaves over a contact.
const PARTS: f64 = 6.0;

/// Steps of the pulse at each sample.
const FINE: usize = 2;

/// A stroke, and one standard deviation of what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// First touch, in samples of the recording.
    pub start: f64,
    /// Contact time, in samples.
    pub length: f64,
    /// Exponent of the contact.
    pub exponent: f64,
    /// Restitution on a wall.
    pub restitution: f64,
    /// What is left of the sound during the stroke, as a part of its power there.
    pub left: f64,
    /// The same in units of what noise leaves.
    pub excess: f64,
    /// Uncertainties of the length, as a part of it, of the exponent and of the restitution.
    pub spreads: [f64; 3],
}

/// What is known when the stroke is looked for.
#[derive(Clone, Copy)]
pub struct Free<'a> {
    /// The recording.
    pub samples: &'a [f64],
    /// Poles per sample.
    pub poles: &'a [Pole],
    /// Amplitudes at the sample `origin`.
    pub amplitudes: &'a [Pole],
    /// Their deviations.
    pub deviations: &'a [f64],
    /// Where the modes are free.
    pub origin: usize,
    /// Where the impact begins, about.
    pub onset: usize,
    /// Where the stroke is surely over.
    pub end: usize,
    /// Variance of the noise.
    pub noise: f64,
    /// Whether there may be modes that are not heard after the stroke, and follow the force while it lasts: v ~ ḟ.
    pub slow: bool,
}

/// A stroke that is tried: logarithm of its length, its centre, exponent, restitution; in samples.
type Trial = [f64; 4];

/// Finds the stroke, no longer than `longest` samples: by the modes that are heard, and if these do not explain it, by those that are not, too.
pub fn stroke(free: &Free<'_>, longest: f64) -> Option<Stroke> {
    let heard = found(&Free { slow: false, ..*free }, longest)?;
    if heard.excess <= UNEXPLAINED {
        return Some(heard);
    }
    let slow = found(&Free { slow: true, ..*free }, longest);
    slow.filter(|slow| slow.excess < 0.5 * heard.excess).or(Some(heard))
}

fn found(free: &Free<'_>, longest: f64) -> Option<Stroke> {
    let span = free.onset.saturating_sub(longest as usize)..free.end.min(free.samples.len());
    let power: f64 = free.samples[span.clone()].iter().map(|y| y * y).sum();
    if free.poles.is_empty() || span.is_empty() || power <= 0.0 {
        return None;
    }
    let usual = Pulse::of(USUAL[0], USUAL[1]);
    let mut shapes: Vec<(f64, Trial)> = Vec::new();
    for (start, length) in on_a_grid(free, &span, longest) {
        let (middle, width) = (start + usual.centre * length, usual.width * length);
        for exponent in EXPONENTS {
            let mut best: Option<(f64, Trial)> = None;
            for restitution in RESTITUTIONS {
                let pulse = Pulse::of(exponent, restitution);
                for stretch in STRETCHES {
                    let length = width / pulse.width * stretch;
                    let rest = left(free, &span, (middle - pulse.centre * length, length), &pulse);
                    let found = dot(&rest, &rest);
                    if length <= longest && best.is_none_or(|best| found < best.0) {
                        best = Some((found, [length.ln(), middle, exponent, restitution]));
                    }
                }
            }
            shapes.extend(best);
        }
    }
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let width = usual.width * shapes.first()?.1[0].exp();
    // What noise leaves, or what no stroke explains.
    let count = (6.0 * width).max(8.0);
    let variance =
        shapes.first().map_or(1.0, |best| (best.0 / count).clamp(free.noise, f64::MAX).max(f64::MIN_POSITIVE));
    let mut best: Option<(f64, Trial)> = None;
    for (_, trial) in shapes.iter().take(REFINED) {
        let problem = Problem { free, span: &span, variance: free.noise.max(0.01 * variance), longest };
        let found = problem.refined(*trial);
        if best.is_none_or(|best| found.0 < best.0) {
            best = Some(found);
        }
    }
    let (_, trial) = best?;
    let pulse = Pulse::of(trial[2], trial[3]);
    let length = trial[0].exp();
    let start = trial[1] - pulse.centre * length;
    let rest = left(free, &span, (start, length), &pulse);
    let found = dot(&rest, &rest);
    let expected = (free.noise * span.len() as f64).max(f64::MIN_POSITIVE);
    // What is left beside noise is no noise, but a shape: neighbouring samples say the same.
    let variance = free.noise.max(f64::MIN_POSITIVE) + (found - expected).max(0.0) / PARTS;
    let spreads = Problem { free, span: &span, variance, longest }.spreads(&trial);
    Some(Stroke {
        start,
        length,
        exponent: trial[2],
        restitution: trial[3],
        left: found / power,
        excess: found / expected,
        spreads,
    })
}

/// Where strokes of the usual shape explain most: start and length, of the best lengths around.
fn on_a_grid(free: &Free<'_>, span: &std::ops::Range<usize>, longest: f64) -> Vec<(f64, f64)> {
    let usual = Pulse::of(USUAL[0], USUAL[1]);
    let last = free.end as f64;
    let mut all: Vec<(f64, f64, f64)> = Vec::new();
    let mut length = 2.0;
    while length <= longest {
        let stride = (0.12 * length).max(0.5);
        let mut start = free.onset as f64 - 0.6 * length - 1.0;
        let mut best: Option<(f64, f64, f64)> = None;
        while start <= free.onset as f64 + 0.1 * length + 1.0 && start + length <= last {
            let rest = left(free, span, (start, length), &usual);
            let found = dot(&rest, &rest);
            if best.is_none_or(|best| found < best.0) {
                best = Some((found, start, length));
            }
            start += stride;
        }
        all.extend(best);
        length *= LONGER;
    }
    let is_least = |i: usize| {
        let around = i.saturating_sub(2)..(i + 3).min(all.len());
        all[around].iter().all(|other| other.0 >= all[i].0)
    };
    let mut least: Vec<(f64, f64, f64)> = (0..all.len()).filter(|&i| is_least(i)).map(|i| all[i]).collect();
    least.sort_by(|a, b| a.0.total_cmp(&b.0));
    least.iter().take(LENGTHS).map(|(_, start, length)| (*start, *length)).collect()
}

/// Least squares over what is left of the sound and what is known of the shape.
struct Problem<'a> {
    free: &'a Free<'a>,
    span: &'a std::ops::Range<usize>,
    /// Of what is left at each sample.
    variance: f64,
    longest: f64,
}

impl Problem<'_> {
    /// What is left in units of its deviation; the shape's distance from the usual one at the end.
    fn rest(&self, trial: &Trial) -> Vec<f64> {
        let pulse = Pulse::of(trial[2], trial[3]);
        let length = trial[0].exp();
        let mut rest = left(self.free, self.span, (trial[1] - pulse.centre * length, length), &pulse);
        let scale = 1.0 / self.variance.sqrt();
        rest.iter_mut().for_each(|y| *y *= scale);
        rest.extend((0..2).map(|i| (trial[2 + i] - USUAL[i]) / UNKNOWN[i]));
        rest
    }

    fn within(&self, mut trial: Trial) -> Trial {
        trial[0] = trial[0].clamp(0.0, self.longest.ln());
        (0..2).for_each(|i| trial[2 + i] = trial[2 + i].clamp(RANGES[i][0], RANGES[i][1]));
        trial
    }

    /// Products of the derivatives with each other and with what is left. Of one that is held at its range, none.
    fn normal(&self, trial: &Trial, rest: &[f64]) -> (Square, [f64; 4]) {
        let steps = [1e-4, 1e-4 * trial[0].exp(), 1e-3, -1e-3];
        let slopes: Vec<Vec<f64>> = (0..4)
            .map(|i| {
                let mut moved = *trial;
                // Inwards from where it may not go further.
                let step =
                    if i == 2 && trial[2] + steps[2] > RANGES[0][1] || i == 3 && trial[3] + steps[3] < RANGES[1][0] {
                        -steps[i]
                    } else {
                        steps[i]
                    };
                moved[i] += step;
                self.rest(&moved).iter().zip(rest).map(|(a, b)| (a - b) / step).collect()
            })
            .collect();
        let mut matrix = Square::zero(4);
        for i in 0..4 {
            for j in 0..4 {
                *matrix.at_mut(i, j) = dot(&slopes[i], &slopes[j]);
            }
        }
        (matrix, [0, 1, 2, 3].map(|i| -dot(&slopes[i], rest)))
    }

    /// The nearest that fits best.
    fn refined(&self, trial: Trial) -> (f64, Trial) {
        let mut here = self.within(trial);
        let mut rest = self.rest(&here);
        let mut found = dot(&rest, &rest);
        let mut damping = 1e-3;
        for _ in 0..MOST_STEPS {
            let (matrix, gradient) = self.normal(&here, &rest);
            let before = found;
            while damping < 1e8 {
                let mut damped = matrix.clone();
                (0..4).for_each(|i| *damped.at_mut(i, i) *= 1.0 + damping);
                let mut step = gradient;
                Cholesky::new(&damped).solve(&mut step);
                let mut next = here;
                next.iter_mut().zip(step).for_each(|(x, step)| *x += step);
                let next = self.within(next);
                let tried = self.rest(&next);
                let power = dot(&tried, &tried);
                if power < found {
                    (here, rest, found) = (next, tried, power);
                    damping *= 0.1;
                    break;
                }
                damping = (damping * 8.0).max(1e-6);
            }
            if before - found < 1e-3 + 1e-6 * found {
                break;
            }
        }
        (found, here)
    }

    fn spreads(&self, trial: &Trial) -> [f64; 3] {
        let (matrix, _) = self.normal(trial, &self.rest(trial));
        let covariance = Cholesky::new(&matrix).inverse();
        [0, 2, 3].map(|i| covariance.at(i, i).max(0.0).sqrt())
    }
}

/// The difference between the sound and what this stroke makes of the modes.
fn left(free: &Free<'_>, span: &std::ops::Range<usize>, (start, length): (f64, f64), pulse: &Pulse) -> Vec<f64> {
    let mut rest = free.samples[span.clone()].to_vec();
    let steps = ((FINE as f64 * length).ceil() as usize).max(64);
    let fine = length / steps as f64;
    let force = pulse.over(steps);
    let first = start.ceil().max(span.start as f64);
    let skipped = (first as usize).saturating_sub(span.start);
    let mut sums = Vec::with_capacity(steps + 1);
    let loudest = free.amplitudes.iter().map(|c| c.norm()).fold(f64::MIN_POSITIVE, f64::max);
    for ((s, c), deviation) in free.poles.iter().zip(free.amplitudes).zip(free.deviations) {
        // Σ f e^{-sτ}, step by step; the part up to t makes what is heard at t.
        let step = (-s * fine).exp();
        let mut turn = (-s * (0.5 * fine)).exp();
        let mut sum = Complex::new(0.0, 0.0);
        sums.clear();
        sums.push(sum);
        for f in &force {
            sum += turn * *f;
            turn *= step;
            sums.push(sum);
        }
        // As much as is likely, if the strokes that modes have had were of one size.
        let least = (deviation / loudest).clamp(LEAST_RESPONSE, 0.1);
        let held = sum.conj() / (sum.norm_sqr() + least * least);
        let strength = c * (s * (start - free.origin as f64)).exp() * held;
        let mut swing = strength * (s * (first - start)).exp();
        let turn = s.exp();
        for (n, y) in rest.iter_mut().enumerate().skip(skipped) {
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
    if free.slow {
        let at = |t: f64| {
            let place = t / fine - 0.5;
            let below = place.floor();
            let value = |k: f64| if k < 0.0 { 0.0 } else { force.get(k as usize).copied().unwrap_or(0.0) };
            value(below) + (value(below + 1.0) - value(below)) * (place - below)
        };
        let time = |n: usize| (n + span.start) as f64 - start;
        let slope: Vec<f64> = (0..rest.len()).map(|n| at(time(n) + 0.5) - at(time(n) - 0.5)).collect();
        let part = dot(&slope, &rest) / dot(&slope, &slope).max(f64::MIN_POSITIVE);
        rest.iter_mut().zip(&slope).for_each(|(y, slope)| *y -= part * slope);
    }
    rest
}
