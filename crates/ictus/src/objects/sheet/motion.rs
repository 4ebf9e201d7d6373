//! How far points have moved, summed over long rows: what losses depend on.

use fearless_simd::{dispatch, f64x8, prelude::*};

const LANES: usize = 8;

type Block = [f64; LANES];

/// Sums over `count` points of the squares of how far they moved, and of how much further the points moved that lie so many elements
/// behind them; in m².
///
/// Eight sums side by side, in the same order on every processor. One by one they took as long as the step itself.
pub(super) fn squares<const N: usize>(
    previous: &[f64],
    next: &[f64],
    count: usize,
    offsets: [usize; N],
) -> (f64, [f64; N]) {
    dispatch!(crate::simd::level(), simd => squares_by_lanes(simd, previous, next, count, offsets))
}

#[inline(always)]
fn squares_by_lanes<S: Simd, const N: usize>(
    simd: S,
    previous: &[f64],
    next: &[f64],
    count: usize,
    offsets: [usize; N],
) -> (f64, [f64; N]) {
    let (from, to) = (blocks(previous, 0, count), blocks(next, 0, count));
    let (mut from_behind, mut to_behind): ([&[Block]; N], [&[Block]; N]) = ([&[]; N], [&[]; N]);
    for (index, offset) in offsets.into_iter().enumerate() {
        (from_behind[index], to_behind[index]) = (blocks(previous, offset, count), blocks(next, offset, count));
    }
    let zero = f64x8::splat(simd, 0.0);
    let (mut squares, mut slopes) = (zero, [zero; N]);
    for block in 0..count / LANES {
        let moved = f64x8::from_slice(simd, &to[block]) - f64x8::from_slice(simd, &from[block]);
        squares += moved * moved;
        for index in 0..N {
            let behind =
                f64x8::from_slice(simd, &to_behind[index][block]) - f64x8::from_slice(simd, &from_behind[index][block]);
            let further = behind - moved;
            slopes[index] += further * further;
        }
    }
    let (mut total, mut totals) = (fold(squares.into()), [0.0; N]);
    for (total, slopes) in totals.iter_mut().zip(slopes) {
        *total = fold(slopes.into());
    }
    for point in count - count % LANES..count {
        let moved = next[point] - previous[point];
        total += moved * moved;
        for (total, offset) in totals.iter_mut().zip(offsets) {
            let further = (next[point + offset] - previous[point + offset]) - moved;
            *total += further * further;
        }
    }
    (total, totals)
}

#[inline(always)]
fn blocks(row: &[f64], from: usize, count: usize) -> &[Block] {
    row[from..from + count].as_chunks().0
}

#[inline(always)]
fn fold([a, b, c, d, e, f, g, h]: Block) -> f64 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
mod tests {
    use super::squares;

    #[test]
    fn rows_of_any_length_are_summed_whole() {
        let previous = [0.0; 60];
        let next: Vec<f64> = (0..60).map(|n| f64::from(n * n % 17)).collect();
        for count in 0..50 {
            let (total, totals) = squares(&previous, &next, count, [1, 9]);
            let sum = |term: &dyn Fn(usize) -> f64| (0..count).map(|n| term(n) * term(n)).sum::<f64>();
            assert_eq!(total, sum(&|n| next[n]));
            assert_eq!(totals, [1, 9].map(|offset| sum(&|n| next[n + offset] - next[n])));
        }
    }
}
