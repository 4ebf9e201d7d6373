//! The passes over all modes, eight at a time.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::{Lanes, fold, load};

/// Eight modes: all that a pass goes through, side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Octet {
    pub persistence: Lanes,
    pub restoring: Lanes,
    /// The latest sample: u, or u⁺ between `free_step` and `advance`.
    pub displacement: Lanes,
    /// The move that led to it.
    pub last_move: Lanes,
}

/// What an account remembers of eight modes: their moves of the step before the last, complete, and of the last step, without its own push.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Book {
    pub older: Lanes,
    pub newer: Lanes,
}

impl Octet {
    /// r - c: the move that follows, one step later, from a push that added as much to u as to d.
    #[inline(always)]
    pub(super) fn carry<S: Simd>(&self, simd: S) -> f64x8<S> {
        load(simd, &self.persistence) - load(simd, &self.restoring)
    }
}

/// Completes u and d by the forces of the step before the last, makes the free step, and adds it up at some points: all in one go through
/// memory. How many points are pushed and read are constants, so that no loop runs over them. With books, it also finds what the step before the last has
/// lost, `Σ (1-r)(d + d⁻)²` in quarters of a joule: its moves are complete only now.
#[inline(always)]
pub(super) fn step<S: Simd, const PUSHES: usize, const READS: usize, const BOOKED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    pushes: [(&[Lanes], f64); PUSHES],
    reads: [&[Lanes]; READS],
) -> ([f64; READS], f64) {
    let count = octets.len();
    let books = if BOOKED { &mut books[..count] } else { books };
    let (one, mut loss) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, 0.0));
    let (pushed, scales) = rows_and_scales(simd, &pushes, count);
    let mut read: [&[Lanes]; READS] = [&[]; READS];
    for index in 0..READS {
        read[index] = &reads[index][..count];
    }
    let mut sums = [f64x8::splat(simd, 0.0); READS];
    for (index, octet) in octets.iter_mut().enumerate() {
        let mut u = load(simd, &octet.displacement);
        let mut d = load(simd, &octet.last_move);
        let r = load(simd, &octet.persistence);
        let c = load(simd, &octet.restoring);
        let mut push = f64x8::splat(simd, 0.0);
        if PUSHES > 0 {
            push = load(simd, &pushed[0][index]) * scales[0];
            for other in 1..PUSHES {
                push += load(simd, &pushed[other][index]) * scales[other];
            }
            let later = (r - c) * push;
            u += push + later;
            d += later;
        }
        if BOOKED {
            let book = &mut books[index];
            let complete = load(simd, &book.newer) + push;
            let moves = load(simd, &book.older) + complete;
            loss += (one - r) * (moves * moves);
            complete.store_array(&mut book.older.0);
            d.store_array(&mut book.newer.0);
        }
        let next = r * d - c * u;
        let u = u + next;
        next.store_array(&mut octet.last_move.0);
        u.store_array(&mut octet.displacement.0);
        for (sum, row) in sums.iter_mut().zip(&read) {
            *sum += load(simd, &row[index]) * u;
        }
    }
    let mut folded = [0.0; READS];
    for (folded, sum) in folded.iter_mut().zip(sums) {
        *folded = fold(sum);
    }
    (folded, if BOOKED { fold(loss) } else { 0.0 })
}

/// Completes u and d by some forces of the step before the last, at points of these weights; and the books, if there are any.
#[inline(always)]
pub(super) fn complete<S: Simd, const PUSHES: usize>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    pushes: [(&[Lanes], f64); PUSHES],
) {
    let count = octets.len();
    let booked = books.len() == count;
    let (rows, scales) = rows_and_scales(simd, &pushes, count);
    for (index, octet) in octets.iter_mut().enumerate() {
        let mut push = load(simd, &rows[0][index]) * scales[0];
        for other in 1..PUSHES {
            push += load(simd, &rows[other][index]) * scales[other];
        }
        let later = octet.carry(simd) * push;
        let Octet { displacement, last_move, .. } = octet;
        (load(simd, displacement) + (push + later)).store_array(&mut displacement.0);
        (load(simd, last_move) + later).store_array(&mut last_move.0);
        if booked {
            let newer = &mut books[index].newer;
            (load(simd, newer) + push).store_array(&mut newer.0);
        }
    }
}

/// Weights of as many eights as there are, and forces in every lane.
#[inline(always)]
fn rows_and_scales<'a, S: Simd, const PUSHES: usize>(
    simd: S,
    pushes: &[(&'a [Lanes], f64); PUSHES],
    count: usize,
) -> ([&'a [Lanes]; PUSHES], [f64x8<S>; PUSHES]) {
    let mut scales = [f64x8::splat(simd, 0.0); PUSHES];
    let mut rows: [&[Lanes]; PUSHES] = [&[]; PUSHES];
    for index in 0..PUSHES {
        (rows[index], scales[index]) = (&pushes[index].0[..count], f64x8::splat(simd, pushes[index].1));
    }
    (rows, scales)
}

/// Displacements at some points of these weights. Side by side, so that no sum waits for its last addition.
#[inline(always)]
pub(super) fn sums_at<S: Simd, const READS: usize>(
    simd: S,
    octets: &[Octet],
    mut rows: [&[Lanes]; READS],
) -> [f64; READS] {
    rows.iter_mut().for_each(|row| *row = &row[..octets.len()]);
    let mut sums = [f64x8::splat(simd, 0.0); READS];
    for (index, octet) in octets.iter().enumerate() {
        let u = load(simd, &octet.displacement);
        for read in 0..READS {
            sums[read] += load(simd, &rows[read][index]) * u;
        }
    }
    let mut folded = [0.0; READS];
    for (folded, sum) in folded.iter_mut().zip(sums) {
        *folded = fold(sum);
    }
    folded
}

/// Σ over all modes of a term worked out eight at a time.
#[inline(always)]
pub(super) fn sum<S: Simd>(simd: S, count: usize, term: impl Fn(usize) -> f64x8<S>) -> f64 {
    let mut total = f64x8::splat(simd, 0.0);
    for index in 0..count {
        total += term(index);
    }
    fold(total)
}
