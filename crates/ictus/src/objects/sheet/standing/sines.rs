//! Sines sampled on the nodes of one side: `√(2/N) sin(mπi/N)`, m the wave and i the node, both from 1 to N-1.
//!
//! They are orthonormal, vanish on both edges, and δxx takes each to `-4 sin²(mπ/2N)` times itself.

use std::f64::consts::PI;

/// The sines of a side of so many segments.
#[derive(Clone, Debug)]
pub(super) struct Sines {
    /// `√(2/N) sin(πi/N)` over a whole period, i from 0 to 2N-1.
    period: Vec<f64>,
}

impl Sines {
    pub(super) fn new(segments: usize) -> Self {
        let scale = (2.0 / segments as f64).sqrt();
        let sine = |i: usize| {
            // By symmetry from the first quarter, so that what is 0 is 0 and what is equal has equal bits.
            let half = i % segments;
            let quarter = half.min(segments - half);
            let sine = scale * libm::sin(PI * quarter as f64 / segments as f64);
            if i < segments { sine } else { -sine }
        };
        Self { period: (0..2 * segments).map(sine).collect() }
    }

    /// Waves of the side.
    pub(super) fn count(&self) -> usize {
        self.period.len() / 2 - 1
    }

    /// `4 sin²(mπ/2N)` of a wave.
    pub(super) fn eigenvalue(&self, wave: usize) -> f64 {
        let half = libm::sin(PI * wave as f64 / self.period.len() as f64);
        4.0 * half * half
    }

    /// One sine by its wave and its node, either way round: node by node of a wave or wave by wave at a node, from the first.
    pub(super) fn along(&self, of: usize) -> impl Iterator<Item = f64> + '_ {
        let period = self.period.len();
        let mut at = 0;
        (0..self.count()).map(move |_| {
            at += of;
            if at >= period {
                at -= period;
            }
            self.period[at]
        })
    }

    /// Writes how much each wave, from the first, moves a place between four nodes.
    pub(super) fn weigh<'a>(&self, first: usize, weights: &[f64; 4], out: impl Iterator<Item = &'a mut f64>) {
        let [a, b, c, d] = std::array::from_fn(|i| self.along(first + i));
        for (out, (((a, b), c), d)) in out.zip(a.zip(b).zip(c).zip(d)) {
            *out = (a * weights[0] + b * weights[1]) + (c * weights[2] + d * weights[3]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sines;

    #[test]
    fn they_are_orthonormal_and_their_second_differences_are_themselves() {
        for segments in [4, 5, 18, 135] {
            let sines = Sines::new(segments);
            let all: Vec<Vec<f64>> = (1..segments).map(|wave| sines.along(wave).collect()).collect();
            for (m, wave) in all.iter().enumerate() {
                for (n, other) in all.iter().enumerate() {
                    let product: f64 = wave.iter().zip(other).map(|(a, b)| a * b).sum();
                    let expected = if m == n { 1.0 } else { 0.0 };
                    assert!((product - expected).abs() < 1e-14, "{segments}: {m}, {n}: {product}");
                }
                let at = |i: usize| if i == 0 || i == segments { 0.0 } else { wave[i - 1] };
                for i in 1..segments {
                    let second = at(i + 1) - 2.0 * at(i) + at(i - 1);
                    assert!((second + sines.eigenvalue(m + 1) * at(i)).abs() < 1e-14);
                }
            }
        }
    }
}
