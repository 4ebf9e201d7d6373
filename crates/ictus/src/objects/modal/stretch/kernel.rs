//! The pass over all modes of a body that stretches as one, eight at a time: what [`super::super::kernel`] does, with the pull of the stretching.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::super::lanes::{Lanes, fold, load};
use super::super::kernel::{Book, Octet};
use super::super::weights::Row;

/// What a pass adds up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums<const READS: usize> {
    /// At each point: w·u⁺, the stretching left out, and w·g.
    pub at: [[f64; 2]; READS],
    /// g·g and g·u⁺, the stretching left out.
    pub square: f64,
    pub ahead: f64,
    /// `Σ (1-r)(d + d⁻)²` of the step before, in quarters of a joule.
    pub lost: f64,
}

/// Completes u and d by the forces of the last step and its pull `-g τ`, makes the free step but for the pull, and adds up.
#[cfg_attr(not(all(target_arch = "wasm32", not(target_feature = "simd128"))), inline(always))]
pub(super) fn step<S: Simd, const PUSHES: usize, const READS: usize, const BOOKED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    form: &[Lanes],
    mean: f64,
    pushes: [(Row, f64); PUSHES],
    reads: [Row; READS],
) -> Sums<READS> {
    let count = octets.len();
    let form = &form[..count];
    let books = if BOOKED { &mut books[..count] } else { books };
    let zero = f64x8::splat(simd, 0.0);
    let (one, mean) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, mean));
    let mut scales = [zero; PUSHES];
    for index in 0..PUSHES {
        scales[index] = f64x8::splat(simd, pushes[index].1);
    }
    let (mut displaced, mut pulled) = ([zero; READS], [zero; READS]);
    let (mut square, mut ahead, mut loss) = (zero, zero, zero);
    for (index, octet) in octets.iter_mut().enumerate() {
        let mut u = load(simd, &octet.displacement);
        let mut d = load(simd, &octet.last_move);
        let r = load(simd, &octet.persistence);
        let c = load(simd, &octet.restoring);
        let form = load(simd, &form[index]);
        let mut push = (d - u) * form * mean;
        for other in 0..PUSHES {
            push += load(simd, pushes[other].0.octet(index)) * scales[other];
        }
        u += push;
        d += push;
        if BOOKED {
            let older = &mut books[index].older;
            let moves = load(simd, older) + d;
            loss += (one - r) * (moves * moves);
            d.store_array(&mut older.0);
        }
        let g = form * u;
        let next = r * d - c * u;
        let u = u + next;
        next.store_array(&mut octet.last_move.0);
        u.store_array(&mut octet.displacement.0);
        square += g * g;
        ahead += g * u;
        for (other, row) in reads.iter().enumerate() {
            let weight = load(simd, row.octet(index));
            displaced[other] += weight * u;
            pulled[other] += weight * g;
        }
    }
    let mut at = [[0.0; 2]; READS];
    for index in 0..READS {
        at[index] = [fold(displaced[index]), fold(pulled[index])];
    }
    let lost = if BOOKED { fold(loss) } else { 0.0 };
    Sums { at, square: fold(square), ahead: fold(ahead), lost }
}

/// w·u⁺ and w·g at some points, after the step.
#[cfg_attr(not(all(target_arch = "wasm32", not(target_feature = "simd128"))), inline(always))]
pub(super) fn sums_at<S: Simd, const READS: usize>(
    simd: S,
    octets: &[Octet],
    form: &[Lanes],
    rows: [Row; READS],
) -> [[f64; 2]; READS] {
    let zero = f64x8::splat(simd, 0.0);
    let (mut displaced, mut pulled) = ([zero; READS], [zero; READS]);
    for (index, octet) in octets.iter().enumerate() {
        let u = load(simd, &octet.displacement);
        let g = (u - load(simd, &octet.last_move)) * load(simd, &form[index]);
        for read in 0..READS {
            let weight = load(simd, rows[read].octet(index));
            displaced[read] += weight * u;
            pulled[read] += weight * g;
        }
    }
    let mut at = [[0.0; 2]; READS];
    for index in 0..READS {
        at[index] = [fold(displaced[index]), fold(pulled[index])];
    }
    at
}

/// Lets some forces of the last step arrive. What the pull is worked out from, u - d, stays.
#[inline(always)]
pub(super) fn complete<S: Simd>(simd: S, octets: &mut [Octet], row: Row, force: f64) {
    let scale = f64x8::splat(simd, force);
    for (index, octet) in octets.iter_mut().enumerate() {
        let push = load(simd, row.octet(index)) * scale;
        (load(simd, &octet.displacement) + push).store_array(&mut octet.displacement.0);
        (load(simd, &octet.last_move) + push).store_array(&mut octet.last_move.0);
    }
}

/// ψ = ½ u·G(u - d).
#[inline(always)]
pub(super) fn root<S: Simd>(simd: S, octets: &[Octet], form: &[Lanes]) -> f64 {
    let mut sum = f64x8::splat(simd, 0.0);
    for (octet, form) in octets.iter().zip(form) {
        let u = load(simd, &octet.displacement);
        sum += u * load(simd, form) * (u - load(simd, &octet.last_move));
    }
    0.5 * fold(sum)
}
