//! The pass over all modes of a body that stretches as one, eight at a time: what [`super::super::kernel`] does, with the pull of the stretching.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::super::lanes::{Lanes, fold, load};
use super::super::kernel::{Book, Octet};
use super::super::weights::{Row, WIDTH, Weights};

/// What is pushed and read in a pass over the modes.
pub(super) struct Pass<'a> {
    pub weights: &'a Weights,
    /// G of all modes, and τ of the last step.
    pub form: &'a [Lanes],
    pub mean: f64,
    /// Forces in N of the last step, by point: those that are not 0.
    pub pushes: &'a [(usize, f64)],
    /// Points that are read; what is found there, in lanes: w·u⁺, the stretching left out, and w·g.
    pub followed: &'a [usize],
    pub displaced: &'a mut [Lanes],
    pub pulled: &'a mut [Lanes],
}

/// What a pass adds up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums<T> {
    /// g·g and g·u⁺, the stretching left out.
    pub square: T,
    pub ahead: T,
    /// `Σ (1-r)(d + d⁻)²` of the step before, in quarters of a joule.
    pub lost: T,
}

/// Completes u and d by the forces of the last step and its pull `-g τ`, makes the free step but for the pull, and adds up: all in one go through
/// memory.
#[inline(always)]
pub(super) fn step<S: Simd, const BOOKED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    mut pass: Pass,
) -> Sums<f64> {
    pass.displaced.fill(Lanes::default());
    pass.pulled.fill(Lanes::default());
    let Sums { square, ahead, lost } = if pass.pushes.is_empty() {
        step_all::<S, BOOKED, false>(simd, octets, books, &mut pass)
    } else {
        step_all::<S, BOOKED, true>(simd, octets, books, &mut pass)
    };
    Sums { square: fold(square), ahead: fold(ahead), lost: if BOOKED { fold(lost) } else { 0.0 } }
}

#[inline(always)]
fn step_all<S: Simd, const BOOKED: bool, const PUSHED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    pass: &mut Pass,
) -> Sums<f64x8<S>> {
    let zero = f64x8::splat(simd, 0.0);
    let mut sums = Sums { square: zero, ahead: zero, lost: zero };
    let (whole, rest) = octets.as_chunks_mut::<WIDTH>();
    let (booked, rest_booked) = books.split_at_mut(if BOOKED { whole.len() * WIDTH } else { 0 });
    let (booked, _) = booked.as_chunks_mut::<WIDTH>();
    let last = whole.len();
    for (index, octets) in whole.iter_mut().enumerate() {
        let books = if BOOKED { &mut booked[index][..] } else { &mut [] };
        sums = step_some::<S, WIDTH, BOOKED, PUSHED>(simd, octets, books, index, pass, sums);
    }
    // The number of those that are left is a constant too, so that no loop runs over them.
    let books = rest_booked;
    match rest {
        [a] => step_some::<S, 1, BOOKED, PUSHED>(simd, std::array::from_mut(a), books, last, pass, sums),
        [_, _] => step_some::<S, 2, BOOKED, PUSHED>(simd, &mut rest.as_chunks_mut().0[0], books, last, pass, sums),
        [_, _, _] => step_some::<S, 3, BOOKED, PUSHED>(simd, &mut rest.as_chunks_mut().0[0], books, last, pass, sums),
        _ => sums,
    }
}

/// The same of some eights of modes, of which the weights are those of one block. Returns the sums with theirs.
#[cfg_attr(not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))), inline(always))]
fn step_some<S: Simd, const COUNT: usize, const BOOKED: bool, const PUSHED: bool>(
    simd: S,
    octets: &mut [Octet; COUNT],
    books: &mut [Book],
    block: usize,
    pass: &mut Pass,
    mut sums: Sums<f64x8<S>>,
) -> Sums<f64x8<S>> {
    let zero = f64x8::splat(simd, 0.0);
    let (one, mean) = (f64x8::splat(simd, 1.0), f64x8::splat(simd, pass.mean));
    let weights = pass.weights.block(block);
    let form = &pass.form[block * WIDTH..][..COUNT];
    let mut pushed = [zero; COUNT];
    for index in 0..COUNT {
        let octet = &octets[index];
        pushed[index] =
            (load(simd, &octet.last_move) - load(simd, &octet.displacement)) * load(simd, &form[index]) * mean;
    }
    if PUSHED {
        for &(point, force) in pass.pushes {
            let (row, force) = (&weights[point], f64x8::splat(simd, force));
            for index in 0..COUNT {
                pushed[index] += load(simd, &row[index]) * force;
            }
        }
    }
    let (mut displacements, mut pulls) = ([zero; COUNT], [zero; COUNT]);
    for index in 0..COUNT {
        let octet = &mut octets[index];
        let u = load(simd, &octet.displacement) + pushed[index];
        let d = load(simd, &octet.last_move) + pushed[index];
        let r = load(simd, &octet.persistence);
        let c = load(simd, &octet.restoring);
        if BOOKED {
            let older = &mut books[index].older;
            let moves = load(simd, older) + d;
            sums.lost += (one - r) * (moves * moves);
            d.store_array(&mut older.0);
        }
        let g = load(simd, &form[index]) * u;
        let next = r * d - c * u;
        let u = u + next;
        next.store_array(&mut octet.last_move.0);
        u.store_array(&mut octet.displacement.0);
        sums.square += g * g;
        sums.ahead += g * u;
        (displacements[index], pulls[index]) = (u, g);
    }
    for (&point, (displaced, pulled)) in pass.followed.iter().zip(pass.displaced.iter_mut().zip(&mut *pass.pulled)) {
        let row = &weights[point];
        let (mut by_motion, mut by_pull) = (load(simd, displaced), load(simd, pulled));
        for index in 0..COUNT {
            let weight = load(simd, &row[index]);
            by_motion += weight * displacements[index];
            by_pull += weight * pulls[index];
        }
        by_motion.store_array(&mut displaced.0);
        by_pull.store_array(&mut pulled.0);
    }
    sums
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
