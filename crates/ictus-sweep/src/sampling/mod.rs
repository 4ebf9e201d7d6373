//! Where the points of a sweep lie: coordinates from 0 to 1 in every dimension, by the point's number alone.
//!
//! No list of points is ever made: any machine can compute any point at any time.

mod permutation;
mod sobol;
mod sobol_table;

use ictus::math::random::SplitMix64;

use permutation::Permutation;
use sobol::Sobol;

pub use sobol::MOST_DIMENSIONS;

/// How points are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Every combination of values.
    Grid,
    /// Every point by itself.
    Random,
    /// Each of n equal intervals of every parameter holds one point (M. D. McKay and others, Technometrics 21, 1979).
    LatinHypercube,
    /// The Sobol sequence: the most even, best with n a power of 2.
    Sobol,
}

impl Kind {
    /// All of them with their names in plans.
    pub const ALL: [(&'static str, Self); 4] = [
        ("grid", Self::Grid),
        ("random", Self::Random),
        ("latin-hypercube", Self::LatinHypercube),
        ("sobol", Self::Sobol),
    ];

    /// Its name in plans.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// The coordinates of all points in one dimension.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Coordinates {
    /// Number `index / stride` modulo `count`, in the middle of its interval.
    Grid { count: u64, stride: u64 },
    /// Independent numbers.
    Random { seed: u64 },
    /// One in each of `order.count` intervals.
    LatinHypercube(Strata),
    /// A Sobol sequence.
    Sobol(Box<SobolSequence>),
}

/// Intervals in a random order, and a random place within each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strata {
    order: Permutation,
    count: u64,
    seed: u64,
}

/// A dimension of a Sobol sequence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SobolSequence(Sobol);

impl Coordinates {
    /// Independent numbers for a parameter of this name: other parameters do not change them.
    pub(crate) fn random(seed: u64, name: &str) -> Self {
        Self::Random { seed: named(seed, name) }
    }

    /// A Latin hypercube of `count` points for a parameter of this name.
    pub(crate) fn latin_hypercube(count: u64, seed: u64, name: &str) -> Self {
        let seed = named(seed, name);
        Self::LatinHypercube(Strata { order: Permutation::new(count, seed), count, seed })
    }

    /// Dimension number `dimension`, below [`MOST_DIMENSIONS`], of a Sobol sequence.
    pub(crate) fn sobol(dimension: usize, seed: u64) -> Self {
        Self::Sobol(Box::new(SobolSequence(Sobol::new(dimension, seed))))
    }

    /// The coordinate of a point, from 0, included, to 1, excluded.
    pub(crate) fn unit(&self, index: u64) -> f64 {
        match self {
            Self::Grid { count, stride } => ((index / stride % count) as f64 + 0.5) / *count as f64,
            Self::Random { seed } => unit(random_bits(*seed, UNIT, index)),
            Self::LatinHypercube(Strata { order, count, seed }) => {
                let within = unit(random_bits(*seed, UNIT, index));
                // Rounding may bring the last of many intervals to 1.
                ((order.place(index) as f64 + within) / *count as f64).min(1.0 - f64::EPSILON)
            }
            Self::Sobol(sequence) => sequence.0.unit(index),
        }
    }

    /// Which of `count` equal intervals a point lies in.
    pub(crate) fn cell(&self, index: u64, count: u64) -> u64 {
        match self {
            Self::Grid { count, stride } => index / stride % count,
            _ => ((self.unit(index) * count as f64) as u64).min(count - 1),
        }
    }
}

/// The stream of coordinates.
const UNIT: u64 = 0x756e_6974;

/// The stream of seeds.
const SEED: u64 = 0x7365_6564;

/// The seed of a point's own random numbers, below 2^53: every table and every language holds it exactly.
pub(crate) fn seed_of_point(seed: u64, index: u64) -> u64 {
    random_bits(seed, SEED, index) >> 11
}

/// 64 random bits of a number in a stream.
fn random_bits(seed: u64, stream: u64, number: u64) -> u64 {
    let stream = SplitMix64(SplitMix64(seed).bits() ^ stream).bits();
    SplitMix64(stream ^ number).bits()
}

/// A seed for something with a name: FNV-1a of the name beside the seed.
fn named(seed: u64, name: &str) -> u64 {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    random_bits(seed, hash, 0)
}

fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_interval_of_every_parameter() {
        for (count, name) in [(1, "a"), (7, "b"), (1000, "a"), (1000, "b")] {
            let dimension = Coordinates::latin_hypercube(count, 11, name);
            let mut seen = vec![false; count as usize];
            for index in 0..count {
                let unit = dimension.unit(index);
                assert!((0.0..1.0).contains(&unit));
                assert!(!std::mem::replace(&mut seen[(unit * count as f64) as usize], true));
            }
        }
    }

    #[test]
    fn random_coordinates_are_uniform_and_independent() {
        let (a, b) = (Coordinates::random(1, "a"), Coordinates::random(1, "b"));
        let count = 100_000;
        let pairs: Vec<(f64, f64)> = (0..count).map(|index| (a.unit(index) - 0.5, b.unit(index) - 0.5)).collect();
        let mean = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / count as f64;
        assert!(mean(&|pair| pair.0).abs() < 4e-3);
        assert!((mean(&|pair| pair.0 * pair.0) - 1.0 / 12.0).abs() < 1e-3);
        assert!(mean(&|pair| pair.0 * pair.1).abs() < 1.1e-3, "{}", mean(&|pair| pair.0 * pair.1));
    }

    #[test]
    fn a_grid_visits_every_combination_once() {
        let axes = [(3, 8), (4, 2), (2, 1)].map(|(count, stride)| Coordinates::Grid { count, stride });
        let cells: std::collections::BTreeSet<[u64; 3]> =
            (0..24).map(|index| [0, 1, 2].map(|axis| axes[axis].cell(index, 0))).collect();
        assert_eq!(cells.len(), 24);
    }

    #[test]
    fn seeds_of_points_differ_and_fit_into_a_float() {
        let seeds: std::collections::BTreeSet<u64> = (0..100_000).map(|index| seed_of_point(5, index)).collect();
        assert_eq!(seeds.len(), 100_000);
        assert!(seeds.iter().all(|seed| (*seed as f64) as u64 == *seed && *seed < 1 << 53));
    }
}
