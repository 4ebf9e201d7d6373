//! The passes over all modes, eight at a time.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::{Lanes, fold, load};

/// Eight modes: all that a pass goes through, side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Octet {
    pub persistence: Lanes,
    pub restoring: Lanes,
    /// r - c: the move that follows, one step later, from a push that added as much to u as to d.
    pub carry: Lanes,
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
/// through memory. The clock says which of the two moves is d; d⁺ becomes the other. Which points are pushed is a constant, by its bits, so
/// that no loop runs over them and weights are loaded once for pushing and adding up.
#[inline(always)]
pub(super) fn step<S: Simd, const PUSHED: usize>(
    simd: S,
    octets: &mut [Octet],
    clock: usize,
    forces: [f64; INSIDE],
    mut sums: Sums<S>,
) -> Sums<S> {
    let mut scales = [f64x8::splat(simd, 0.0); INSIDE];
    for (scale, force) in scales.iter_mut().zip(forces) {
        *scale = f64x8::splat(simd, force);
    }
    for octet in octets {
        let mut u = load(simd, &octet.displacement);
        let mut d = load(simd, octet.last_move(clock));
        let r = load(simd, &octet.persistence);
        let c = load(simd, &octet.restoring);
        if PUSHED != 0 {
            let first = PUSHED.trailing_zeros() as usize;
            let mut push = load(simd, &octet.weights[first]) * scales[first];
            if PUSHED == 0b11 {
                push += load(simd, &octet.weights[1]) * scales[1];
            }
            let later = load(simd, &octet.carry) * push;
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

/// Completes u and d by one force of the step before the last, at a point of these weights.
#[inline(always)]
pub(super) fn complete<S: Simd>(simd: S, weights: &[Lanes], force: f64, octets: &mut [Octet], clock: usize) {
    for (octet, weights) in octets.iter_mut().zip(weights) {
        let push = load(simd, weights) * force;
        let later = load(simd, &octet.carry) * push;
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
    fold(total)
}
