//! `L Lᵀ = A`, of which halves are solved too.

use fearless_simd::Simd;

/// L of `LLᵀ = A` in place of the lower half of a matrix that is positive and at least 4 times the identity.
#[cfg_attr(not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))), inline(always))]
pub(super) fn factorise<S: Simd>(_simd: S, matrix: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..=row {
            let (above, here) = matrix.split_at_mut(row * size);
            let known = if column == row { None } else { Some(&above[column * size..][..column]) };
            let entry = here[column];
            let rest = entry - product(&here[..column], known.unwrap_or(&here[..column]));
            here[column] = match known {
                Some(_) => rest / above[column * size + column],
                // Rounding cannot take it below what was added; what is no number stays none.
                None => rest.sqrt(),
            };
        }
    }
}

/// Σ of products in four sums at a time.
#[inline(always)]
fn product(here: &[f64], there: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (here, there) = (here.chunks_exact(4), there.chunks_exact(4));
    let mut rest = 0.0;
    for (here, there) in here.remainder().iter().zip(there.remainder()) {
        rest += here * there;
    }
    for (here, there) in here.zip(there) {
        for index in 0..4 {
            sums[index] += here[index] * there[index];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// x of L x = b, in place of b.
pub(super) fn solve_lower(factors: &[f64], vector: &mut [f64]) {
    let size = vector.len();
    for row in 0..size {
        let (known, rest) = vector.split_at_mut(row);
        rest[0] = (rest[0] - product(&factors[row * size..][..row], known)) / factors[row * size + row];
    }
}

/// x of Lᵀx = b, in place of b.
pub(super) fn solve_upper(factors: &[f64], vector: &mut [f64]) {
    let size = vector.len();
    for row in (0..size).rev() {
        vector[row] /= factors[row * size + row];
        let (above, rest) = vector.split_at_mut(row);
        for (value, factor) in above.iter_mut().zip(&factors[row * size..]) {
            *value -= factor * rest[0];
        }
    }
}
