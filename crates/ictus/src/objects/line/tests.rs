//! What a line promises, on grids of every kind.

mod bad_input;
mod contract;
mod energies;
mod modes;
mod pitch;

use super::super::Body;
use super::{End, Line, LineSpec};
use crate::levels::reference;
use crate::math::random::SplitMix64;
use fearless_simd::Level;

const ENDS: [End; 3] = [End::SimplySupported, End::Clamped, End::Free];

/// Tension alone, stiffness alone, both: c² in m²/s² and κ² in m⁴/s².
const KINDS: [(f64, f64); 3] = [(150.0 * 150.0, 0.0), (0.0, 9.0), (150.0 * 150.0, 1.0)];

/// A line of 1 m and 0.01 kg/m.
pub(super) fn spec((wave, bending): (f64, f64), ends: [End; 2], [sigma0, sigma1]: [f64; 2]) -> LineSpec {
    LineSpec {
        kind: "line",
        length: 1.0,
        linear_density: 0.01,
        tension: 0.01 * wave,
        bending_stiffness: 0.01 * bending,
        sigma0,
        sigma1,
        ends,
        segments: None,
        tuning: None,
        bend: 1.0,
    }
}

fn line(spec: &LineSpec, rate: f64) -> Line {
    Line::build(spec, rate, 10_000).unwrap()
}

fn all_pairs_of_ends() -> impl Iterator<Item = [End; 2]> {
    ENDS.into_iter().flat_map(|left| ENDS.into_iter().map(move |right| [left, right]))
}

fn step(line: &mut Line, level: Level) {
    line.free_step_at(level);
    line.advance();
}

/// The levels of vector instructions that this processor has, the best first.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best, Level::baseline(), reference()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(best.as_sse2().map(Level::Sse2));
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_avx512().map(Level::Avx512));
    }
    levels
}

/// Numbers from 0 to 1 that are the same in every run.
struct Random(SplitMix64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0.unit()
    }

    /// From -1 to 1.
    fn signed(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }

    /// From 10^low to 10^high, evenly in the exponent.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(low + (high - low) * self.next())
    }
}

/// Gives a line a rough random displacement and velocity.
fn shake(line: &mut Line, random: &mut Random) {
    let points = line.points();
    let mut values = |size: f64| -> Vec<f64> { (0..points).map(|_| size * random.signed()).collect() };
    let (shape, velocity) = (values(1e-3), values(1.0));
    let node = |fraction: f64| (fraction * (points - 1) as f64).round() as usize;
    line.displace(|fraction| shape[node(fraction)]).unwrap();
    line.set_velocity(|fraction| velocity[node(fraction)]).unwrap();
}

/// Displacement of all nodes in m.
fn shape(line: &Line) -> Vec<f64> {
    let mut shape = vec![0.0; line.points()];
    line.shape(&mut shape);
    shape
}
