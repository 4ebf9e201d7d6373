//! The pass over all standing waves of a sheet: eight along a row at a time, some rows side by side.
//!
//! A wave is a product of a sine along the rows and one down them, so the weights of a port are a row and a column, not a
//! whole field: they stay in the nearest memory, and are loaded once for all rows that are side by side. On an Intel Xeon
//! (Ice Lake, AVX-512, 2.8 GHz) the 134×17 waves of a tromba marina with one port pushed and two read take 870 ns one row at a time,
//! 760 with two rows and 700 with four; where vectors are half as wide, there are no registers for more than one.
//! Tried and kept out: r of every wave in memory instead of a sum of two (980 instead of 960 with one row); the move of the step before
//! kept beside the last, for the account of energy (1250); every other pass backwards, to meet what is still near (nothing).

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::super::lanes::{LANES, Lanes, fold, load};

/// Eight waves: displacement u of the latest sample, its last move d and the restoring c.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Octet {
    pub displacement: Lanes,
    pub last_move: Lanes,
    pub restoring: Lanes,
}

/// All waves, row by row, and what a step keeps of their moves.
#[derive(Clone, Debug)]
pub(super) struct Waves {
    pub octets: Vec<Octet>,
    /// Octets of one row.
    pub columns: usize,
    /// r of a wave is the sum of one part for its column and one for its row.
    pub persistence_along: Vec<Lanes>,
    pub persistence_down: Vec<f64>,
}

/// How much each wave moves a place: the product of one factor for its column and one for its row.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    pub along: Vec<Lanes>,
    pub down: Vec<f64>,
}

/// Weights, and what they are scaled by.
#[derive(Clone, Copy)]
pub(super) struct Push<'a> {
    pub weights: &'a Weights,
    pub by: f64,
}

/// Most pushes and reads that one pass takes along. Each pair of counts is compiled for each level of vector instructions.
pub(super) const MOST_PUSHES: usize = 3;
pub(super) const MOST_READS: usize = 4;

/// Completes the latest sample by the pushes on it, makes the free step and adds it up: in one go through memory. The counts are constants
/// so that no loop runs over them.
#[inline(always)]
pub(super) fn step<S: Simd, const PUSHES: usize, const READS: usize>(
    simd: S,
    waves: &mut Waves,
    pushes: [Push<'_>; PUSHES],
    reads: [&Weights; READS],
) -> [f64; READS] {
    let mut sums = [f64x8::splat(simd, 0.0); READS];
    let rows = waves.persistence_down.len();
    let mut row = 0;
    if S::f64s::LEN == LANES {
        // As many as there are registers for.
        if PUSHES + READS <= 3 {
            while row + 4 <= rows {
                step_rows::<S, PUSHES, READS, 4>(simd, waves, row, &pushes, &reads, &mut sums);
                row += 4;
            }
        } else {
            while row + 2 <= rows {
                step_rows::<S, PUSHES, READS, 2>(simd, waves, row, &pushes, &reads, &mut sums);
                row += 2;
            }
        }
    }
    while row < rows {
        step_rows::<S, PUSHES, READS, 1>(simd, waves, row, &pushes, &reads, &mut sums);
        row += 1;
    }
    let mut total = [0.0; READS];
    for (total, sum) in total.iter_mut().zip(&sums) {
        *total = fold(*sum);
    }
    total
}

#[inline(always)]
fn step_rows<S: Simd, const PUSHES: usize, const READS: usize, const ROWS: usize>(
    simd: S,
    waves: &mut Waves,
    first: usize,
    pushes: &[Push<'_>; PUSHES],
    reads: &[&Weights; READS],
    sums: &mut [f64x8<S>; READS],
) {
    let zero = f64x8::splat(simd, 0.0);
    let columns = waves.columns;
    let Waves { octets, persistence_along, persistence_down, .. } = waves;
    let mut rows: [&mut [Octet]; ROWS] = std::array::from_fn(|_| Default::default());
    let mut rest = &mut octets[first * columns..];
    for row in &mut rows {
        (*row, rest) = rest.split_at_mut(columns);
    }
    let mut persistence = [zero; ROWS];
    let mut scales = [[zero; PUSHES]; ROWS];
    for row in 0..ROWS {
        persistence[row] = f64x8::splat(simd, persistence_down[first + row]);
        for push in 0..PUSHES {
            scales[row][push] = f64x8::splat(simd, pushes[push].weights.down[first + row] * pushes[push].by);
        }
    }
    let persistence_along = &persistence_along[..columns];
    let mut pushed: [&[Lanes]; PUSHES] = [&[]; PUSHES];
    for push in 0..PUSHES {
        pushed[push] = &pushes[push].weights.along[..columns];
    }
    let mut read: [&[Lanes]; READS] = [&[]; READS];
    for port in 0..READS {
        read[port] = &reads[port].along[..columns];
    }

    let mut row_sums = [[zero; READS]; ROWS];
    for column in 0..columns {
        let mut push_weights = [zero; PUSHES];
        for push in 0..PUSHES {
            push_weights[push] = load(simd, &pushed[push][column]);
        }
        let mut read_weights = [zero; READS];
        for port in 0..READS {
            read_weights[port] = load(simd, &read[port][column]);
        }
        let kept = load(simd, &persistence_along[column]);
        for row in 0..ROWS {
            let octet = &mut rows[row][column];
            let (mut u, mut d) = (load(simd, &octet.displacement), load(simd, &octet.last_move));
            if PUSHES > 0 {
                let mut push = push_weights[0] * scales[row][0];
                for other in 1..PUSHES {
                    push += push_weights[other] * scales[row][other];
                }
                u += push;
                d += push;
            }
            let d = (kept + persistence[row]) * d - load(simd, &octet.restoring) * u;
            let u = u + d;
            d.store_array(&mut octet.last_move.0);
            u.store_array(&mut octet.displacement.0);
            for port in 0..READS {
                row_sums[row][port] += read_weights[port] * u;
            }
        }
    }
    for (row, row_sums) in row_sums.iter().enumerate() {
        for ((sum, row_sum), port) in sums.iter_mut().zip(row_sums).zip(reads) {
            *sum += *row_sum * f64x8::splat(simd, port.down[first + row]);
        }
    }
}

/// Completes the latest sample by one push on it.
#[inline(always)]
pub(super) fn complete<S: Simd>(simd: S, waves: &mut Waves, push: Push<'_>) {
    for (row, down) in waves.octets.chunks_exact_mut(waves.columns).zip(&push.weights.down) {
        let scale = f64x8::splat(simd, down * push.by);
        for (octet, along) in row.iter_mut().zip(&push.weights.along) {
            let push = load(simd, along) * scale;
            (load(simd, &octet.displacement) + push).store_array(&mut octet.displacement.0);
            (load(simd, &octet.last_move) + push).store_array(&mut octet.last_move.0);
        }
    }
}

/// Σ over all waves of a term worked out eight at a time, by its row and column; rows weigh as much as they are told.
#[inline(always)]
pub(super) fn sum<S: Simd>(
    simd: S,
    waves: &Waves,
    down: impl Fn(usize) -> f64,
    term: impl Fn(usize, usize, &Octet) -> f64x8<S>,
) -> f64 {
    let mut total = f64x8::splat(simd, 0.0);
    for (row, octets) in waves.octets.chunks_exact(waves.columns).enumerate() {
        let mut of_row = f64x8::splat(simd, 0.0);
        for (column, octet) in octets.iter().enumerate() {
            of_row += term(row, column, octet);
        }
        total += of_row * f64x8::splat(simd, down(row));
    }
    fold(total)
}
