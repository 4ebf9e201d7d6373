//! Symmetric positive definite systems, factorised and solved in vectors.

use fearless_simd::{Simd, f64x8, prelude::*};

use crate::objects::lanes::{LANES, Lanes, load};

/// Rows that are taken from those below them in one go: most of the work is fetching what is below.
const PANEL: usize = 4;

/// Ones in the lanes after each of the eight.
const AFTER: [Lanes; LANES] = {
    let mut after = [Lanes([0.0; LANES]); LANES];
    let mut lane = 0;
    while lane < LANES {
        let mut next = lane + 1;
        while next < LANES {
            after[lane].0[next] = 1.0;
            next += 1;
        }
        lane += 1;
    }
    after
};

/// `A = L D Lᵀ` of a symmetric positive definite matrix, in rows of so many lanes.
pub(super) struct Factor<'a> {
    pub width: usize,
    /// D Lᵀ without its diagonal, L without its diagonal of ones, and the inverses of D.
    pub upper: &'a mut [Lanes],
    pub lower: &'a mut [Lanes],
    pub inverses: &'a mut [f64],
}

impl Factor<'_> {
    /// Factorises the matrix of which `upper` holds the upper triangle. What lies below the diagonal in its lanes is not looked at.
    #[cfg_attr(
        not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))),
        inline(always)
    )]
    pub fn factorise<S: Simd>(&mut self, simd: S) {
        let Self { width, upper, lower, inverses } = self;
        let (width, count) = (*width, inverses.len());
        lower.fill(Lanes::default());
        for first in (0..count).step_by(PANEL) {
            let rows = PANEL.min(count - first);
            let (panel, below) = upper[first * width..].split_at_mut(rows * width);
            for pivot in 0..rows {
                let at = first + pivot;
                let (done, rest) = panel.split_at_mut((pivot + 1) * width);
                let row = &mut done[pivot * width..];
                // The diagonal is at least 1 in exact arithmetic; rounding cannot bring it near 0.
                let inverse = 1.0 / row[at / LANES].0[at % LANES].max(f64::MIN_POSITIVE);
                inverses[at] = inverse;
                let own = &mut row[at / LANES];
                (load(simd, own) * load(simd, &AFTER[at % LANES])).store_array(&mut own.0);
                for (index, other) in rest.chunks_exact_mut(width).enumerate() {
                    let next = at + 1 + index;
                    let factor = row[next / LANES].0[next % LANES] * inverse;
                    lower[next * width + at / LANES].0[at % LANES] = factor;
                    for lanes in next / LANES..width {
                        (load(simd, &other[lanes]) - load(simd, &row[lanes]) * factor).store_array(&mut other[lanes].0);
                    }
                }
            }
            if rows < PANEL {
                break;
            }
            let of = |row: usize| &panel[row * width..][..width];
            let above: [&[Lanes]; PANEL] = [of(0), of(1), of(2), of(3)];
            for (index, other) in below.chunks_exact_mut(width).enumerate() {
                let next = first + PANEL + index;
                let mut factors = [f64x8::splat(simd, 0.0); PANEL];
                for row in 0..PANEL {
                    let (at, factor) = (first + row, above[row][next / LANES].0[next % LANES] * inverses[first + row]);
                    lower[next * width + at / LANES].0[at % LANES] = factor;
                    factors[row] = f64x8::splat(simd, factor);
                }
                for lanes in next / LANES..width {
                    let mut left = load(simd, &other[lanes]);
                    for row in 0..PANEL {
                        left -= load(simd, &above[row][lanes]) * factors[row];
                    }
                    left.store_array(&mut other[lanes].0);
                }
            }
        }
    }

    /// Solves `A x = b` in place. What is found of b or x is taken from the rest, so that no sum has to be folded.
    #[cfg_attr(
        not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))),
        inline(always)
    )]
    pub fn solve<S: Simd>(&self, simd: S, unknown: &mut [Lanes]) {
        let Self { width, upper, lower, inverses } = self;
        let width = *width;
        for ((i, row), inverse) in upper.chunks_exact(width).enumerate().zip(&**inverses) {
            let scaled = unknown[i / LANES].0[i % LANES] * inverse;
            for lanes in i / LANES..width {
                (load(simd, &unknown[lanes]) - load(simd, &row[lanes]) * scaled).store_array(&mut unknown[lanes].0);
            }
        }
        for (i, inverse) in inverses.iter().enumerate() {
            unknown[i / LANES].0[i % LANES] *= inverse;
        }
        for (i, row) in lower.chunks_exact(width).enumerate().rev() {
            let found = unknown[i / LANES].0[i % LANES];
            for lanes in 0..=i / LANES {
                (load(simd, &unknown[lanes]) - load(simd, &row[lanes]) * found).store_array(&mut unknown[lanes].0);
            }
        }
    }
}

/// Replaces a symmetric positive definite matrix by its inverse, both triangles of it.
pub(super) fn invert_positive(matrix: &mut [f64], n: usize) {
    // A⁻¹ by Gauss and Jordan in place: no pivots are needed, and each is at least as large as the smallest eigenvalue.
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot * n + pivot];
        matrix[pivot * n + pivot] = 1.0;
        for column in 0..n {
            matrix[pivot * n + column] *= scale;
        }
        for row in (0..n).filter(|row| *row != pivot) {
            let factor = std::mem::take(&mut matrix[row * n + pivot]);
            for column in 0..n {
                matrix[row * n + column] -= factor * matrix[pivot * n + column];
            }
        }
    }
    for row in 0..n {
        for column in 0..row {
            let mean = 0.5 * (matrix[row * n + column] + matrix[column * n + row]);
            (matrix[row * n + column], matrix[column * n + row]) = (mean, mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};

    use super::*;

    #[test]
    fn the_factor_solves_what_it_was_given() {
        // Of one lane and of several, of whole panels and not.
        for count in [3_usize, 4, 7, 8, 9, 13, 16, 30, 67] {
            let entry = |i: usize, j: usize| {
                let (near, far) = (i.min(j) as f64, i.max(j) as f64);
                libm::cos(near + 0.3 * far) / (1.0 + far - near) + if i == j { 4.0 } else { 0.0 }
            };
            let x: Vec<f64> = (0..count).map(|i| libm::sin(1.7 * i as f64)).collect();
            let width = count.div_ceil(LANES);
            let mut matrix = vec![Lanes::default(); count * width];
            let mut unknown = vec![Lanes::default(); width];
            for i in 0..count {
                (0..count).for_each(|j| matrix[i * width + j / LANES].0[j % LANES] = entry(i, j));
                unknown[i / LANES].0[i % LANES] = (0..count).map(|j| entry(i, j) * x[j]).sum();
            }
            let (mut lower, mut inverses) = (matrix.clone(), vec![0.0; count]);
            dispatch!(Level::new(), simd => {
                let mut factor = Factor { width, upper: &mut matrix, lower: &mut lower, inverses: &mut inverses };
                factor.factorise(simd);
                factor.solve(simd, &mut unknown);
            });
            for (i, x) in x.iter().enumerate() {
                let found = unknown[i / LANES].0[i % LANES];
                assert!((found - x).abs() < 1e-13, "{count}: {found} and {x}");
            }
        }
    }
}
