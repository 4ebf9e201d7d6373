//! How a partial dies away: at one rate, or at two.
//!
//! Three shapes are fitted to its level in dB over time: a line; a line with a knee; and two exponentials, whose amplitudes add (one partial
//! on two bodies) or whose powers do (two strings a little out of tune). The simplest that fits is told.

use std::f64::consts::LN_10;

use super::envelope::Envelope;

/// Root mean square in dB below which a line is the decay, whatever else fits better.
const STRAIGHT: f64 = 0.1;

/// The part of the line's error that a decay in two stages must leave at most, to be told.
const BETTER: f64 = 0.5;

/// Uncertainty in dB of a level without noise.
const CERTAIN: f64 = 0.05;

/// Two stages whose times differ by less than this factor are one.
const LEAST_RATIO: f64 = 1.25;

/// Least fall in dB from which a decay is told.
const LEAST_FALL: f64 = 1.0;

/// Rates tried on each side of a pair, and how often the search is narrowed.
const TRIALS: usize = 14;
const NARROWINGS: usize = 9;

/// Points of an envelope that are fitted at most.
const MOST_POINTS: usize = 400;

/// How a partial dies away. Times are those in which it would fall by 60 dB.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decay {
    /// T60 of the first stage in s.
    pub early: f64,
    /// T60 of the last stage in s; the same if it decays at one rate.
    pub late: f64,
    /// Level in dB, relative to the start, at which the last stage takes over; `None` if it decays at one rate.
    pub knee: Option<f64>,
    /// How far in dB the decay was followed.
    pub fall: f64,
    /// Root mean square in dB of what the decay told here leaves unexplained: beats, and noise.
    pub residual: f64,
}

/// A decay, and the amplitude at its beginning.
pub(super) struct Fitted {
    pub decay: Decay,
    pub amplitude: f64,
}

/// Stages: level at the start in dB, rates in dB/s, level at the knee, error in dB.
#[derive(Clone, Copy)]
struct Stages {
    start: f64,
    rates: [f64; 2],
    knee: Option<f64>,
    error: f64,
}

/// Levels in dB over evenly spaced times in s, and how much each counts.
struct Track {
    times: Vec<f64>,
    levels: Vec<f64>,
    weights: Vec<f64>,
}

/// The decay of an envelope; `None` if it does not fall.
pub(super) fn fitted(envelope: &Envelope) -> Option<Fitted> {
    let every = envelope.times.len().div_ceil(MOST_POINTS);
    let begin = envelope.times[0];
    // Noise makes a level uncertain by so many dB.
    let weight = |noise: &f64| 1.0 / (CERTAIN * CERTAIN + 0.5 * (20.0 / LN_10 * noise).powi(2));
    let track = Track {
        times: envelope.times.iter().step_by(every).map(|time| time - begin).collect(),
        levels: envelope.amplitudes.iter().step_by(every).map(|a| 20.0 * a.log10()).collect(),
        weights: envelope.noise.iter().step_by(every).map(weight).collect(),
    };
    let fall = track.levels[0] - track.levels[track.levels.len() - 1];
    let line = line(&track)?;
    let mut best = line;
    if line.error > STRAIGHT {
        for stages in [knee(&track), pair(&track, 1.0), pair(&track, 2.0)].into_iter().flatten() {
            let ratio = stages.rates[0] / stages.rates[1];
            let differ = stages.rates[1] > 0.0 && !(1.0 / LEAST_RATIO..LEAST_RATIO).contains(&ratio);
            let is_seen = stages.knee.is_some_and(|knee| knee > LEAST_FALL - fall);
            if differ && is_seen && stages.error < best.error && stages.error < BETTER * line.error {
                best = stages;
            }
        }
    }
    if !(best.rates[0] > 0.0 && fall >= LEAST_FALL) {
        return None;
    }
    let time = |rate: f64| 60.0 / rate;
    let decay_rate = best.rates[0] * LN_10 / 20.0;
    // Back to the stroke, if it was struck.
    let since = if envelope.starts_at_once { begin } else { 0.0 };
    let level = best.start + best.rates[0] * since;
    let amplitude = 10f64.powf(level / 20.0) / envelope.emphasis(decay_rate);
    let decay =
        Decay { early: time(best.rates[0]), late: time(best.rates[1]), knee: best.knee, fall, residual: best.error };
    let numbers = [decay.early, decay.late, fall, decay.residual, amplitude];
    numbers.iter().all(|number| number.is_finite()).then_some(Fitted { decay, amplitude })
}

/// One rate.
fn line(track: &Track) -> Option<Stages> {
    let [start, slope] = track.least_squares(|t| [1.0, t])?;
    Some(Stages { start, rates: [-slope; 2], knee: None, error: track.error(|t| start + slope * t) })
}

/// Two rates, the second from a knee on.
fn knee(track: &Track) -> Option<Stages> {
    const LEAST: usize = 3;
    let mut best: Option<Stages> = None;
    for &knee in track.times.get(LEAST..track.times.len().saturating_sub(LEAST))? {
        let bent = |t: f64| (t - knee).max(0.0);
        let Some([start, slope, bend]) = track.least_squares(|t| [1.0, t, bent(t)]) else { continue };
        let error = track.error(|t| start + slope * t + bend * bent(t));
        if best.is_none_or(|best| error < best.error) {
            best = Some(Stages { start, rates: [-slope, -slope - bend], knee: Some(slope * knee), error });
        }
    }
    best
}

/// Two exponentials side by side; of the sum of amplitudes the power is 1, of powers 2. The times are evenly spaced.
fn pair(track: &Track, power: f64) -> Option<Stages> {
    let Track { times, levels, weights } = track;
    let [begin, next, ..] = times[..] else { return None };
    let (step, length) = (next - begin, times.last()? - begin);
    let fall = levels[0] - levels[levels.len() - 1];
    // In nepers of amplitude per dB, times the power.
    let nepers = power * LN_10 / 20.0;
    // Relative to what was measured: an error in dB counts alike at every level.
    let wanted = weights.iter().map(|weight| weight.sqrt());
    let wanted: Vec<(f64, f64)> = wanted.zip(levels).map(|(w, y)| (w, w * (nepers * (levels[0] - y)).exp())).collect();
    let total: f64 = weights.iter().sum();
    let mut centres = [(fall / length); 2];
    let mut reach = 50.0_f64;
    // Rates, factors, and the sum of squares.
    let mut best: Option<([f64; 2], [f64; 2], f64)> = None;
    for _ in 0..NARROWINGS {
        let place = |n: usize| reach.powf(2.0 * n as f64 / (TRIALS - 1) as f64 - 1.0);
        let pairs = (0..TRIALS * TRIALS).map(|n| [centres[0] * place(n / TRIALS), centres[1] * place(n % TRIALS)]);
        for rates in pairs.filter(|[fast, slow]| slow < fast) {
            let falls = rates.map(|rate| (-nepers * rate * step).exp());
            let (mut a, mut b) = (1.0, 1.0);
            let (mut aa, mut ab, mut bb, mut a1, mut b1) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for (weight, scale) in &wanted {
                let (one, two) = (a * scale, b * scale);
                (aa, ab, bb) = (aa + one * one, ab + one * two, bb + two * two);
                (a1, b1) = (a1 + weight * one, b1 + weight * two);
                (a, b) = (a * falls[0], b * falls[1]);
            }
            let determinant = aa * bb - ab * ab;
            let factors = [(a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant];
            if !(factors[0] > 0.0 && factors[1] > 0.0 && determinant > 1e-12 * aa * bb) {
                continue;
            }
            let left = total - factors[0] * a1 - factors[1] * b1;
            if best.is_none_or(|best| left < best.2) {
                best = Some((rates, factors, left));
            }
        }
        centres = best?.0;
        // A little beyond the neighbours of the best.
        reach = reach.powf(5.0 / (TRIALS - 1) as f64);
    }
    let ([fast, slow], [a, b], _) = best?;
    let shape = |rate: f64, t: f64| (-nepers * rate * (t - begin)).exp();
    let model = |t: f64| levels[0] + (a * shape(fast, t) + b * shape(slow, t)).ln() / nepers;
    // The two are alike where the faster has fallen to the slower.
    let knee = -(a / b).ln() / nepers * fast / (fast - slow);
    Some(Stages { start: model(begin), rates: [fast, slow], knee: Some(knee.min(0.0)), error: track.error(model) })
}

impl Track {
    /// The factors of shapes whose sum is nearest to the levels.
    fn least_squares<const N: usize>(&self, shapes: impl Fn(f64) -> [f64; N]) -> Option<[f64; N]> {
        let mut matrix = [[0.0; N]; N];
        let mut right = [0.0; N];
        for ((&t, &y), &weight) in self.times.iter().zip(&self.levels).zip(&self.weights) {
            let values = shapes(t);
            for i in 0..N {
                for j in 0..N {
                    matrix[i][j] += weight * values[i] * values[j];
                }
                right[i] += weight * values[i] * y;
            }
        }
        let diagonal: [f64; N] = std::array::from_fn(|i| matrix[i][i]);
        for i in 0..N {
            // The matrix is positive definite: no pivoting.
            if matrix[i][i] <= 1e-12 * diagonal[i] {
                return None;
            }
            for j in i + 1..N {
                let factor = matrix[j][i] / matrix[i][i];
                let row = matrix[i];
                matrix[j].iter_mut().zip(row).skip(i).for_each(|(cell, above)| *cell -= factor * above);
                right[j] -= factor * right[i];
            }
        }
        for i in (0..N).rev() {
            let known: f64 = (i + 1..N).map(|k| matrix[i][k] * right[k]).sum();
            right[i] = (right[i] - known) / matrix[i][i];
        }
        Some(right)
    }

    /// Root mean square in dB of what a model leaves.
    fn error(&self, model: impl Fn(f64) -> f64) -> f64 {
        let points = self.times.iter().zip(&self.levels).zip(&self.weights);
        let squares: f64 = points.map(|((&t, &y), weight)| weight * (y - model(t)).powi(2)).sum();
        (squares / self.weights.iter().sum::<f64>()).sqrt()
    }
}
