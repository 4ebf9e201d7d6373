//! The step of all nodes but the ends, eight at a time.
//!
//! ```text
//! v⁺ = (keep v + drag A⁻) - (near A - far F),     u⁺ = u + v⁺
//! A = (u - u₋₁) + (u - u₊₁) = -δxx u,     F = (u - u₋₂) + (u - u₊₂),     δxxxx u = 4A - F
//! ```
//!
//! A⁻ is A of the sample before, kept from the last step. Association is fixed and nothing is fused, so every level of
//! vector instructions gives the same bits. Differences of neighbours come first: they lose no digits. Each is worked out once and serves
//! the nodes on both its sides.

use super::super::lanes::{LANES, Lanes, load};
use super::edges::End;
use super::grid::Grid;
use super::pieces::{Row, row_and_lane};
use fearless_simd::{f64x8, prelude::*};
use std::ops::Range;

/// Coefficients of the interior.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stencil {
    keep: f64,
    drag: f64,
    near: f64,
    far: f64,
    height: usize,
    /// Row of the last node that moves.
    last: usize,
    /// Where in a step of two parts the second begins; `None` where a step is not divided.
    middle: Option<usize>,
    /// Whether there is neither stiffness nor σ1.
    is_plain: bool,
    /// 1 in the lanes that move, in the rows up to the last and in those after it; else 0.
    moving: Lanes,
    moving_after: Lanes,
    /// What u next to the first end (in row 1) and the last is multiplied with to be the value beyond the end that its second neighbour is.
    beyond_first: Lanes,
    beyond_last: Lanes,
}

/// A value in some lanes, 0 in the others.
fn in_lanes(value: f64, lanes: Range<usize>) -> Lanes {
    Lanes(std::array::from_fn(|lane| if lanes.contains(&lane) { value } else { 0.0 }))
}

impl Stencil {
    pub(super) fn new(grid: &Grid) -> Self {
        let share = 1.0 / (1.0 + grid.loss);
        let far = grid.stiffness * share;
        let drag = grid.bend_loss * share;
        let pieces = grid.pieces();
        let (last, lane) = row_and_lane(pieces.slot(grid.segments - 1));
        let [first_beyond, last_beyond] = grid.ends.map(End::beyond);
        Self {
            keep: grid.keep,
            drag,
            near: grid.tension * share + 4.0 * far + drag,
            far,
            height: pieces.height,
            last,
            // Neither part begins at an end.
            middle: (last > 2).then(|| (pieces.height / 2).clamp(3, last)),
            is_plain: far == 0.0 && drag == 0.0,
            moving: in_lanes(1.0, 0..lane + 1),
            moving_after: in_lanes(1.0, 0..lane),
            beyond_first: in_lanes(first_beyond, 0..1),
            beyond_last: in_lanes(last_beyond, lane..lane + 1),
        }
    }

    /// Whether a step can be taken in two parts.
    pub(super) fn is_divided(&self) -> bool {
        self.middle.is_some() && !self.is_plain
    }

    /// The step of a node that is not next to an end, from its last step, A of the sample before, A and F.
    #[inline(always)]
    pub(super) fn step_of(&self, step: f64, bend: f64, a: f64, f: f64) -> f64 {
        (self.keep * step + self.drag * bend) - (self.near * a - self.far * f)
    }
}

/// Steps the nodes between the ends, from one of the two samples to the other.
#[inline(always)]
pub(super) fn step<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    if stencil.is_plain {
        step_all::<_, false>(simd, stencil, rows, now);
    } else {
        step_all::<_, true>(simd, stencil, rows, now);
    }
}

/// Without `FULL` there is neither stiffness nor σ1.
#[inline(always)]
fn step_all<S: Simd, const FULL: bool>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    let rows = &mut rows[..stencil.height + 3];
    let last = stencil.last;
    let mut walk = Walk::<_, FULL>::from_head(simd, stencil, rows, now);
    if FULL && last > 1 {
        walk.pass_one(&mut rows[1..4], Some(&stencil.beyond_first));
        walk.pass(&mut rows[2..last + 2]);
        walk.pass_one(&mut rows[last..last + 3], Some(&stencil.beyond_last));
    } else if FULL {
        // Row 1 is next to both ends.
        let both = load(simd, &stencil.beyond_first) + load(simd, &stencil.beyond_last);
        walk.pass_one(&mut rows[1..4], Some(&Lanes(both.to_array())));
    } else {
        walk.pass(&mut rows[1..last + 3]);
    }
    walk.take(stencil, &stencil.moving_after);
    walk.pass(&mut rows[last + 1..]);
}

/// The first part of the step of a line that [is divided](Stencil::is_divided).
#[inline(always)]
pub(super) fn step_first<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    let (rows, Some(middle)) = (&mut rows[..stencil.height + 3], stencil.middle) else { return };
    let mut walk = Walk::<_, true>::from_head(simd, stencil, rows, now);
    walk.pass_one(&mut rows[1..4], Some(&stencil.beyond_first));
    walk.pass(&mut rows[2..middle + 2]);
}

/// The second.
#[inline(always)]
pub(super) fn step_second<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    let (rows, Some(middle)) = (&mut rows[..stencil.height + 3], stencil.middle) else { return };
    let last = stencil.last;
    let mut walk = Walk::<_, true>::from_row(simd, stencil, rows, now, middle);
    walk.pass(&mut rows[middle..last + 2]);
    walk.pass_one(&mut rows[last..last + 3], Some(&stencil.beyond_last));
    walk.take(stencil, &stencil.moving_after);
    walk.pass(&mut rows[last + 1..]);
}

/// Displacements of a row.
#[inline(always)]
fn displacements<S: Simd>(simd: S, rows: &[Row], now: usize, row: usize) -> f64x8<S> {
    load(simd, &rows[row].samples[now])
}

/// On the way from row to row.
struct Walk<S: Simd, const FULL: bool> {
    simd: S,
    now: usize,
    keep: f64x8<S>,
    drag: f64x8<S>,
    near: f64x8<S>,
    far: f64x8<S>,
    /// u of this row and the one after it.
    u: f64x8<S>,
    after: f64x8<S>,
    /// u - u₋₁ of this row; u - u₋₂ of this row and the one after it.
    slope: f64x8<S>,
    rise: f64x8<S>,
    rise_after: f64x8<S>,
}

impl<S: Simd, const FULL: bool> Walk<S, FULL> {
    /// Before row 1. Puts into the tail what it repeats.
    #[inline(always)]
    fn from_head(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) -> Self {
        let (height, now, zero) = (stencil.height, now & 1, f64x8::splat(simd, 0.0));
        let (u, after) = (displacements(simd, rows, now, 1), displacements(simd, rows, now, 2));
        u.slide::<1>(zero).store_array(&mut rows[height + 1].samples[now].0);
        after.slide::<1>(zero).store_array(&mut rows[height + 2].samples[now].0);
        // The piece before, one lane on.
        let before = displacements(simd, rows, now, 0).slide::<{ LANES - 1 }>(displacements(simd, rows, now, height));
        let second = zero.slide::<{ LANES - 1 }>(displacements(simd, rows, now, height - 1));
        Self::between(simd, stencil, now, [second, before, u, after])
    }

    /// Before a row from the third on, up to the last that moves.
    #[inline(always)]
    fn from_row(simd: S, stencil: &Stencil, rows: &[Row], now: usize, row: usize) -> Self {
        let (now, rows) = (now & 1, &rows[row - 2..row + 2]);
        // Not by a map: its closure would not be compiled for wide vectors.
        let around = [
            displacements(simd, rows, now, 0),
            displacements(simd, rows, now, 1),
            displacements(simd, rows, now, 2),
            displacements(simd, rows, now, 3),
        ];
        Self::between(simd, stencil, now, around)
    }

    /// Before the third of four rows.
    #[inline(always)]
    fn between(simd: S, stencil: &Stencil, now: usize, [second, before, u, after]: [f64x8<S>; 4]) -> Self {
        let zero = f64x8::splat(simd, 0.0);
        let (slope, rise, rise_after) = (u - before, u - second, after - before);
        let mut walk =
            Self { simd, now, keep: zero, drag: zero, near: zero, far: zero, u, after, slope, rise, rise_after };
        walk.take(stencil, &stencil.moving);
        walk
    }

    /// The coefficients, in lanes that move.
    #[inline(always)]
    fn take(&mut self, stencil: &Stencil, moving: &Lanes) {
        let moving = load(self.simd, moving);
        (self.keep, self.near) = (moving * stencil.keep, moving * stencil.near);
        (self.drag, self.far) = (moving * stencil.drag, moving * stencil.far);
    }

    /// All rows but the last two, two at a time: then fewer numbers have to change places.
    #[inline(always)]
    fn pass(&mut self, mut rows: &mut [Row]) {
        while rows.len() >= 4 {
            self.pass_one(&mut rows[..3], None);
            self.pass_one(&mut rows[1..4], None);
            rows = &mut rows[2..];
        }
        if rows.len() >= 3 {
            self.pass_one(&mut rows[..3], None);
        }
    }

    /// The first of three rows.
    #[inline(always)]
    fn pass_one(&mut self, rows: &mut [Row], beyond: Option<&Lanes>) {
        let [row, _, ahead] = rows else { return };
        let (simd, u) = (self.simd, self.u);
        let ahead = load(simd, &ahead.samples[self.now]);
        let slope_after = self.after - u;
        let a = self.slope - slope_after;
        let mut kept = self.keep * load(simd, &row.step);
        if FULL {
            kept += self.drag * load(simd, &row.bend);
            a.store_array(&mut row.bend.0);
        }
        let mut pulled = self.near * a;
        if FULL {
            let rise_ahead = ahead - u;
            let mut f = self.rise - rise_ahead;
            if let Some(beyond) = beyond {
                f -= load(simd, beyond) * u;
            }
            pulled -= self.far * f;
            (self.rise, self.rise_after) = (self.rise_after, rise_ahead);
        }
        let v = kept - pulled;
        v.store_array(&mut row.step.0);
        (u + v).store_array(&mut row.samples[self.now ^ 1].0);
        (self.slope, self.u, self.after) = (slope_after, self.after, ahead);
    }
}
