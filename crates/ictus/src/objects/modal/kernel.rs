//! The passes over all modes, eight at a time.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::{Lanes, fold, load};
use super::weights::{WIDTH, Weights};

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

/// What is pushed and read in a pass over the modes.
pub(super) struct Pass<'a> {
    pub weights: &'a Weights,
    /// Forces in N of the step before the last, by point: those that are not 0.
    pub pushes: &'a [(usize, f64)],
    /// Points that are read, and their sums in lanes.
    pub followed: &'a [usize],
    pub sums: &'a mut [Lanes],
}

/// Completes u and d by the forces of the step before the last, makes the free step, and adds it up at the points that are followed: all in one go
/// through memory. With books, it also finds what the step before the last has lost, `Σ (1-r)(d + d⁻)²` in quarters of a joule: its moves
/// are complete only now.
#[inline(always)]
pub(super) fn step<S: Simd, const BOOKED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    mut pass: Pass,
) -> f64 {
    for sum in &mut *pass.sums {
        *sum = Lanes::default();
    }
    if pass.pushes.is_empty() {
        step_all::<S, BOOKED, false>(simd, octets, books, &mut pass)
    } else {
        step_all::<S, BOOKED, true>(simd, octets, books, &mut pass)
    }
}

#[inline(always)]
fn step_all<S: Simd, const BOOKED: bool, const PUSHED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    pass: &mut Pass,
) -> f64 {
    let mut loss = f64x8::splat(simd, 0.0);
    let (whole, rest) = octets.as_chunks_mut::<WIDTH>();
    let (booked, rest_booked) = books.split_at_mut(if BOOKED { whole.len() * WIDTH } else { 0 });
    let (booked, _) = booked.as_chunks_mut::<WIDTH>();
    let last = whole.len();
    for (index, octets) in whole.iter_mut().enumerate() {
        let books = if BOOKED { &mut booked[index][..] } else { &mut [] };
        loss = step_some::<S, WIDTH, BOOKED, PUSHED>(simd, octets, books, index, pass, loss);
    }
    // The number of those that are left is a constant too, so that no loop runs over them.
    let books = rest_booked;
    loss = match rest {
        [a] => step_some::<S, 1, BOOKED, PUSHED>(simd, std::array::from_mut(a), books, last, pass, loss),
        [_, _] => step_some::<S, 2, BOOKED, PUSHED>(simd, &mut rest.as_chunks_mut().0[0], books, last, pass, loss),
        [_, _, _] => step_some::<S, 3, BOOKED, PUSHED>(simd, &mut rest.as_chunks_mut().0[0], books, last, pass, loss),
        _ => loss,
    };
    if BOOKED { fold(loss) } else { 0.0 }
}

/// The same of some eights of modes, of which the weights are those of one block. Returns the loss with theirs.
#[cfg_attr(not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))), inline(always))]
fn step_some<S: Simd, const COUNT: usize, const BOOKED: bool, const PUSHED: bool>(
    simd: S,
    octets: &mut [Octet; COUNT],
    books: &mut [Book],
    block: usize,
    pass: &mut Pass,
    mut loss: f64x8<S>,
) -> f64x8<S> {
    let zero = f64x8::splat(simd, 0.0);
    let one = f64x8::splat(simd, 1.0);
    let weights = pass.weights.block(block);
    let mut pushed = [zero; COUNT];
    if PUSHED {
        for &(point, force) in pass.pushes {
            let (row, force) = (&weights[point], f64x8::splat(simd, force));
            for index in 0..COUNT {
                pushed[index] += load(simd, &row[index]) * force;
            }
        }
    }
    let mut displacements = [zero; COUNT];
    for index in 0..COUNT {
        let octet = &mut octets[index];
        let mut u = load(simd, &octet.displacement);
        let mut d = load(simd, &octet.last_move);
        let r = load(simd, &octet.persistence);
        let c = load(simd, &octet.restoring);
        let push = pushed[index];
        if PUSHED {
            let later = (r - c) * push;
            u += push + later;
            d += later;
        }
        if BOOKED {
            let book = &mut books[index];
            let complete = if PUSHED { load(simd, &book.newer) + push } else { load(simd, &book.newer) };
            let moves = load(simd, &book.older) + complete;
            loss += (one - r) * (moves * moves);
            complete.store_array(&mut book.older.0);
            d.store_array(&mut book.newer.0);
        }
        let next = r * d - c * u;
        let u = u + next;
        next.store_array(&mut octet.last_move.0);
        u.store_array(&mut octet.displacement.0);
        displacements[index] = u;
    }
    for (&point, sum) in pass.followed.iter().zip(&mut *pass.sums) {
        let row = &weights[point];
        let mut total = load(simd, sum);
        for index in 0..COUNT {
            total += load(simd, &row[index]) * displacements[index];
        }
        total.store_array(&mut sum.0);
    }
    loss
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
