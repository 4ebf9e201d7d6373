//! The search for modes: bands of three widths in turn, on what is left of the sound, and all modes refined together after each.
//!
//! Wide bands find what dies at once, narrow ones part what beats slowly. In a band where something is left, the modes known there are put back
//! and ESPRIT looks at all of them, so that a pair that was taken for one mode is seen as two. What a pass adds must
//! stand above its own uncertainty, that of the poles around it included; else it is taken out again.

use realfft::num_complex::Complex;

use super::Pole;
use super::bank::{Bands, Bank, REACH};
use super::esprit;
use super::floor::Floor;
use super::refine::{Refined, Take, refine};
use super::sums::subtract;

/// Lengths of the windows, in s, in the order of the passes.
const WINDOWS: [f64; 3] = [0.0427, 0.0053, 0.341];

/// Passes at most.
const MOST_PASSES: usize = 12;

/// Refinements at most when all modes are known.
const MOST_POLISHES: usize = 3;

/// Change of the noise's power below which it counts as known.
const SAME_NOISE: f64 = 0.02;

/// A mode stays if cᵀ Cov⁻¹ c, in all takes together, is above this. By chance one in two hundred thousand is.
pub const STANDS: f64 = 30.0;

/// Power of a band, relative to the strongest left, below which it may be what leaks out of that.
const LEAK: f64 = 1e-6;

/// Noise never counts as less than this part of the sound's mean power, -70 dB: below it, what is left of a sound without noise are errors of the
/// model and of rounding, and no modes.
const LEAST_NOISE: f64 = 1e-7;

/// Frames that overlap count as one.
const OVERLAPPING: f64 = 4.0;

/// Damping ratio above which an oscillation is no mode.
const MOST_DAMPED: f64 = 0.3;

/// Where poles may lie, per sample.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lowest frequency in radians.
    pub lowest: f64,
    /// Highest decay rate: what is gone sooner is part of the stroke.
    pub quickest: f64,
}

impl Bounds {
    /// Whether a mode can be here. Also undamped it lies below half the rate.
    fn hold(&self, s: Pole) -> bool {
        s.im >= self.lowest && -s.re <= self.quickest.min(MOST_DAMPED * s.im) && s.norm() <= 0.98 * std::f64::consts::PI
    }
}

/// Modes, and what they leave.
pub struct Found {
    /// The modes.
    pub modes: Refined,
    /// What is left of each take.
    pub rests: Vec<Vec<f64>>,
    /// The noise in each take.
    pub floors: Vec<Floor>,
}

/// Finds at most so many modes within bounds in takes that begin where modes swing freely.
pub fn search(takes: &[&[f64]], rate: f64, most: usize, bounds: Bounds, start: &[Pole]) -> Found {
    let shortest = takes.iter().map(|take| take.len()).min().unwrap_or(0);
    let length = |seconds: f64| (((seconds * rate).log2().round()) as u32).clamp(4, 30);
    let banks: Vec<Bank> = WINDOWS
        .iter()
        .map(|seconds| length(*seconds).min((shortest as f64 / 2.5).log2().floor().max(4.0) as u32))
        .map(|power| Bank::new(1 << power))
        .collect();
    // At first everything that is heard is noise.
    let weights = takes.iter().map(|take| 1e6 / power(take).max(f64::MIN_POSITIVE)).collect();
    let mut found = known(takes, &banks[0], start.to_vec(), weights, bounds);
    let mut idle = 0;
    for pass in 0..MOST_PASSES {
        let bank = &banks[pass % banks.len()];
        let candidates = candidates(bank, &found, most, bounds);
        let before = found.modes.poles.len();
        if !candidates.is_empty() {
            let mut poles = found.modes.poles.clone();
            for (replaced, with) in candidates {
                poles.retain(|s| !replaced.contains(s));
                poles.extend(with);
            }
            let weights = found.floors.iter().map(|floor| 1.0 / floor.mean()).collect();
            found = known(takes, &banks[0], poles, weights, bounds);
        }
        idle = if found.modes.poles.len() > before { 0 } else { idle + 1 };
        if idle >= banks.len() {
            break;
        }
    }
    settled(takes, &banks[0], found, bounds)
}

/// Once more, with the noise as it is now that all modes are known: it says when steps may end, and how sure modes are.
fn settled(takes: &[&[f64]], bank: &Bank, mut found: Found, bounds: Bounds) -> Found {
    for _ in 0..MOST_POLISHES {
        let before: Vec<f64> = found.floors.iter().map(Floor::mean).collect();
        let weights = before.iter().map(|mean| 1.0 / mean).collect();
        found = known(takes, bank, found.modes.poles.clone(), weights, bounds);
        if found.floors.iter().zip(&before).all(|(floor, before)| (floor.mean() / before).ln().abs() < SAME_NOISE) {
            break;
        }
    }
    found
}

fn power(samples: &[f64]) -> f64 {
    samples.iter().map(|y| y * y).sum::<f64>() / samples.len().max(1) as f64
}

/// Refines, and takes out what does not stand, until all do.
fn known(takes: &[&[f64]], bank: &Bank, mut poles: Vec<Pole>, mut weights: Vec<f64>, bounds: Bounds) -> Found {
    let mut found: Option<Found> = None;
    loop {
        let weighed: Vec<Take<'_>> =
            takes.iter().zip(&weights).map(|(samples, weight)| Take { samples, weight: *weight }).collect();
        let modes = refine(&weighed, &poles);
        let rests: Vec<Vec<f64>> = takes.iter().enumerate().map(|(r, take)| rest(take, &modes, r)).collect();
        let floors: Vec<Floor> = rests
            .iter()
            .zip(takes)
            .map(|(rest, take)| Floor::of(bank, &bank.analyse(rest), LEAST_NOISE * power(take) + f64::MIN_POSITIVE))
            .collect();
        weights = floors.iter().map(|floor| 1.0 / floor.mean()).collect();
        let weak = weak(&modes, &weighed, &floors, bounds);
        let done = weak.is_empty();
        poles = modes.poles.clone();
        let mut index = 0;
        poles.retain(|_| {
            index += 1;
            !weak.contains(&(index - 1))
        });
        found.replace(Found { modes, rests, floors });
        if let (true, Some(found)) = (done, found.take()) {
            return found;
        }
    }
}

/// What the modes leave of a take.
fn rest(take: &[f64], modes: &Refined, index: usize) -> Vec<f64> {
    let mut rest = take.to_vec();
    for (s, c) in modes.poles.iter().zip(&modes.amplitudes[index]) {
        subtract(&mut rest, *s, *c, 0);
    }
    rest
}

/// How far each mode stands above its uncertainty, in all takes.
pub fn standing(modes: &Refined, weights: &[f64], floors: &[Floor]) -> Vec<f64> {
    let one = |k: usize| -> f64 {
        let sure = |stands: f64| if stands.is_finite() { stands } else { 0.0 };
        let of_take = |r: usize| modes.amplitude_variances[r][k][1] / (weights[r] * floors[r].at(modes.poles[k].im));
        (0..floors.len()).map(of_take).map(sure).sum()
    };
    (0..modes.poles.len()).map(one).collect()
}

/// Those that do not stand, each the weakest around.
fn weak(modes: &Refined, takes: &[Take<'_>], floors: &[Floor], bounds: Bounds) -> Vec<usize> {
    let weights: Vec<f64> = takes.iter().map(|take| take.weight).collect();
    let stands = standing(modes, &weights, floors);
    let near = |i: usize, j: usize| {
        let (a, b) = (modes.poles[i], modes.poles[j]);
        (a.im - b.im).abs() < 4.0 * (a.re.abs() + b.re.abs())
    };
    let limit = STANDS + 4.0 * (takes.len() as f64 - 1.0);
    let is_out = |k: usize| !bounds.hold(modes.poles[k]);
    let is_weak = |k: usize| is_out(k) || stands[k] < limit;
    (0..stands.len())
        .filter(|&k| is_weak(k))
        .filter(|&k| {
            is_out(k)
                || (0..stands.len())
                    .all(|j| j == k || !near(j, k) || stands[j] > stands[k] || (stands[j] == stands[k] && j > k))
        })
        .collect()
}

/// For each band where there is more than is known: the poles to leave out, and those to take instead.
fn candidates(bank: &Bank, found: &Found, most: usize, bounds: Bounds) -> Vec<(Vec<Pole>, Vec<Pole>)> {
    let bands: Vec<Bands> = found.rests.iter().map(|rest| bank.analyse(rest)).collect();
    let strongest: Vec<f64> =
        bands.iter().map(|bands| (0..bank.count()).map(|b| loudest(bands.band(b))).fold(0.0, f64::max)).collect();
    let bin = bank.centre(1);
    let mut all: Vec<(f64, Vec<Pole>, Vec<Pole>)> = Vec::new();
    for band in (2..bank.count().saturating_sub(2)).step_by(2) {
        let centre = bank.centre(band);
        let noise: Vec<f64> = found.floors.iter().map(|floor| floor.at(centre) * bank.noise).collect();
        let excess = (0..bands.len())
            .map(|r| excess(bands[r].band(band), noise[r].max(LEAK * strongest[r])))
            .fold(0.0, f64::max);
        if excess <= 0.0 || centre + bin < bounds.lowest {
            continue;
        }
        let sequences: Vec<Vec<Complex<f64>>> =
            (0..bands.len()).map(|r| put_back(bank, bands[r].band(band), band, found, r)).collect();
        let core = |s: &Pole| (s.im - centre).abs() <= 1.05 * bin && bounds.hold(*s);
        let seen = |sequences: &[Vec<Complex<f64>>]| -> Vec<Pole> {
            let poles = esprit::poles(sequences, &noise);
            poles.into_iter().filter_map(|z| unfolded(z, bank, band)).filter(core).collect()
        };
        let all_seen = seen(&sequences);
        let already: Vec<Pole> = found.modes.poles.iter().copied().filter(core).collect();
        let resolved = bank.length as f64 * already.iter().fold(0.0_f64, |most, s| most.max(-s.re)) < 6.0;
        let (replaced, with) = if all_seen.len() <= already.len() {
            // This bank may not part what is known: then what is left speaks for itself.
            let left: Vec<Vec<Complex<f64>>> = bands.iter().map(|bands| bands.band(band).to_vec()).collect();
            (vec![], seen(&left))
        } else if resolved {
            (already, all_seen)
        } else {
            (vec![], unmatched(all_seen, &already))
        };
        all.push((excess, replaced, with));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut room = most.saturating_sub(found.modes.poles.len());
    let mut taken: Vec<Pole> = Vec::new();
    let mut kept = Vec::new();
    for (_, replaced, mut with) in all {
        // Neighbouring bands see what lies between them both.
        with.retain(|s| taken.iter().all(|t| (t - s).norm() > 0.06 * bin));
        if with.len() <= room && !with.is_empty() {
            room -= with.len();
            taken.extend(&with);
            kept.push((replaced, with));
        }
    }
    kept
}

fn loudest(band: &[Complex<f64>]) -> f64 {
    band.iter().map(Complex::norm_sqr).fold(0.0, f64::max)
}

/// By how much the mean power of the first frames, however many, is above that of noise and its spread.
fn excess(band: &[Complex<f64>], noise: f64) -> f64 {
    let (mut sum, mut most, mut next) = (0.0, 0.0_f64, 2);
    for (k, x) in band.iter().enumerate() {
        sum += x.norm_sqr();
        if k + 1 == next || k + 1 == band.len() {
            let n = (k + 1) as f64;
            most = most.max(sum / (n * noise) - 1.0 - 6.0 * (OVERLAPPING / n).sqrt());
            next *= 2;
        }
    }
    most
}

/// A band with the modes that are known there.
fn put_back(bank: &Bank, band: &[Complex<f64>], index: usize, found: &Found, take: usize) -> Vec<Complex<f64>> {
    let mut sequence = band.to_vec();
    let reach = REACH * bank.centre(1);
    for (s, c) in found.modes.poles.iter().zip(&found.modes.amplitudes[take]) {
        if (s.im - bank.centre(index)).abs() > reach {
            continue;
        }
        let mut value = 0.5 * c * bank.response(*s, index);
        let step = (s * bank.hop as f64).exp();
        for x in &mut sequence {
            *x += value;
            value *= step;
        }
    }
    sequence
}

/// The pole per sample of a pole per frame, in this band; none that grows.
fn unfolded(z: Complex<f64>, bank: &Bank, band: usize) -> Option<Pole> {
    let hop = bank.hop as f64;
    let centre = bank.centre(band);
    let turn = (z * Complex::from_polar(1.0, -centre * hop)).ln();
    let s = Complex::new(turn.re / hop, centre + turn.im / hop);
    // A window sees no decay that is over in a twentieth of it.
    (turn.re < 0.05 && s.re > -20.0 / bank.length as f64 && s.im > 0.0).then_some(s)
}

/// Those that are left when each known pole has taken the one nearest to it.
fn unmatched(mut seen: Vec<Pole>, already: &[Pole]) -> Vec<Pole> {
    for known in already {
        let distance = |s: &Pole| (s - known).norm();
        if let Some(nearest) = (0..seen.len()).min_by(|&i, &j| distance(&seen[i]).total_cmp(&distance(&seen[j]))) {
            seen.swap_remove(nearest);
        }
    }
    seen
}
