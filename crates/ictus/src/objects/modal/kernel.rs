//! The passes over all modes, eight at a time.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::{Lanes, fold, load};

/// A row of weights or responses, and what it is scaled by.
#[derive(Clone, Copy)]
pub(super) struct Scaled<'a> {
    pub row: &'a [Lanes],
    pub by: f64,
}

/// Eight modes: all that a pass goes through, side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Octet {
    pub persistence: Lanes,
    pub restoring: Lanes,
    /// The latest sample: u, or u⁺ between `free_step` and `advance`.
    pub displacement: Lanes,
    /// The moves of the latest step and of the one before it, in turns.
    pub moves: [Lanes; 2],
    /// w of the first points, 0 where there are fewer.
    pub weights: [Lanes; INSIDE],
}

/// Points whose weights lie with the modes: where most are struck and heard.
pub(super) const INSIDE: usize = 2;

/// Sums at these points.
pub(super) type Sums<S> = [f64x8<S>; INSIDE];

impl Octet {
    /// d of the step at this time.
    #[inline(always)]
    pub(super) fn last_move(&self, clock: usize) -> &Lanes {
        &self.moves[clock & 1]
    }
}

/// Completes u and d by the forces of the step before the last, makes the free step, and adds it up at the first points: all in one go
/// through memory. The clock says which of the two moves is d; d⁺ becomes the other. The count is a constant so that no loop runs over it.
#[inline(always)]
pub(super) fn step<S: Simd, const FORCES: usize>(
    simd: S,
    octets: &mut [Octet],
    clock: usize,
    forces: [Scaled<'_>; FORCES],
    mut sums: Sums<S>,
) -> Sums<S> {
    let count = octets.len();
    let rows = forces.map(|force| &force.row[..count]);
    let scales = forces.map(|force| f64x8::splat(simd, force.by));
    for index in 0..count {
        let octet = &mut octets[index];
        let mut u = load(simd, &octet.displacement);
        let mut d = load(simd, octet.last_move(clock));
        let r = load(simd, &octet.persistence);
        let c = load(simd, &octet.restoring);
        if FORCES > 0 {
            let mut push = load(simd, &rows[0][index]) * scales[0];
            for force in 1..FORCES {
                push += load(simd, &rows[force][index]) * scales[force];
            }
            let later = later(r, c, push);
            u += push + later;
            d += later;
        }
        let next = r * d - c * u;
        let u = u + next;
        next.store_array(&mut octet.moves[(clock & 1) ^ 1].0);
        u.store_array(&mut octet.displacement.0);
        for (sum, weights) in sums.iter_mut().zip(&octet.weights) {
            *sum += load(simd, weights) * u;
        }
    }
    sums
}

/// The move that follows, one step later, from a push that added as much to u as to d.
#[inline(always)]
pub(super) fn later<S: Simd>(persistence: f64x8<S>, restoring: f64x8<S>, push: f64x8<S>) -> f64x8<S> {
    (persistence - restoring) * push
}

/// Completes u and d by one force of the step before the last.
#[inline(always)]
pub(super) fn complete<S: Simd>(simd: S, force: Scaled<'_>, octets: &mut [Octet], clock: usize) {
    for (octet, row) in octets.iter_mut().zip(force.row) {
        let push = load(simd, row) * force.by;
        let later = later(load(simd, &octet.persistence), load(simd, &octet.restoring), push);
        let (u, d) = (&mut octet.displacement, &mut octet.moves[clock & 1]);
        (load(simd, u) + (push + later)).store_array(&mut u.0);
        (load(simd, d) + later).store_array(&mut d.0);
    }
}

/// Σ over all modes of a term worked out eight at a time.
#[inline(always)]
pub(super) fn sum<S: Simd>(simd: S, count: usize, term: impl Fn(usize) -> f64x8<S>) -> f64 {
    let mut total = f64x8::splat(simd, 0.0);
    for index in 0..count {
        total += term(index);
    }
    fold(total.to_array())
}
