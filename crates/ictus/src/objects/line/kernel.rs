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
use fearless_simd::{f64x4, f64x8, prelude::*};
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
    /// Row where the second part of a step begins; anywhere near the half does as well.
    middle: usize,
    /// Whether there is neither stiffness nor σ1.
    is_plain: bool,
    /// 1 in the lanes that move, in the rows up to the last and in those after it; else 0.
    moving: Lanes,
    moving_after: Lanes,
    /// What u next to an end is multiplied with to be the value beyond the end that its second neighbour is: in row 1, and in the last row that
    /// moves if that is another.
    beyond_first: Lanes,
    beyond_last: Lanes,
}

/// A walk can begin at row 1, or where there are two rows before it.
const LEAST_MIDDLE: usize = 3;

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
        let (mut beyond_first, beyond_last) = (in_lanes(first_beyond, 0..1), in_lanes(last_beyond, lane..lane + 1));
        if last == 1 {
            beyond_first.0[lane] += last_beyond;
        }
        Self {
            keep: grid.keep,
            drag,
            near: grid.tension * share + 4.0 * far + drag,
            far,
            height: pieces.height,
            last,
            middle: (pieces.height / 2).max(LEAST_MIDDLE),
            is_plain: far == 0.0 && drag == 0.0,
            moving: in_lanes(1.0, 0..lane + 1),
            moving_after: in_lanes(1.0, 0..lane),
            beyond_first,
            beyond_last,
        }
    }

    /// Whether a step can be taken in two parts.
    pub(super) fn is_divided(&self) -> bool {
        self.height > LEAST_MIDDLE && !self.is_plain
    }

    /// The step of nodes that are not next to an end, from their last step, A of the sample before, A and F.
    #[inline(always)]
    pub(super) fn step_of<S: Simd>(&self, [step, bend, a, f]: [f64x4<S>; 4]) -> f64x4<S> {
        (step * self.keep + bend * self.drag) - (a * self.near - f * self.far)
    }
}

/// Steps the nodes between the ends, from one of the two samples to the other.
#[inline(always)]
pub(super) fn step<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    if stencil.is_plain {
        step_rows::<_, false>(simd, stencil, rows, now, 1..stencil.height + 1);
    } else {
        step_rows::<_, true>(simd, stencil, rows, now, 1..stencil.height + 1);
    }
}

/// The first part of a step that [is divided](Stencil::is_divided).
#[inline(always)]
pub(super) fn step_first<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    step_rows::<_, true>(simd, stencil, rows, now, 1..stencil.middle);
}

/// The second part.
#[inline(always)]
pub(super) fn step_second<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    step_rows::<_, true>(simd, stencil, rows, now, stencil.middle..stencil.height + 1);
}

/// Steps rows that follow each other; those from 1 on before all others, because they fill the tail that the others read. Without `FULL` there is
/// neither stiffness nor σ1.
#[inline(always)]
fn step_rows<S: Simd, const FULL: bool>(
    simd: S,
    stencil: &Stencil,
    rows: &mut [Row],
    now: usize,
    Range { start, end }: Range<usize>,
) {
    let (last, mut row) = (stencil.last, start);
    let walk = if start == 1 {
        Walk::<_, FULL>::from_head(simd, stencil, rows, now)
    } else {
        Walk::from_row(simd, stencil, rows, now, start)
    };
    // A line has at least two rows, a head and a tail of two.
    let Some(mut walk) = walk else { return };
    if start == 1 {
        walk.pass_one(&mut rows[1..4], Some(&stencil.beyond_first));
        row = 2;
    }
    if row <= last {
        walk.pass(&mut rows[row..end.min(last) + 2]);
        if end <= last {
            return;
        }
        walk.pass_one(&mut rows[last..last + 3], Some(&stencil.beyond_last));
        row = last + 1;
    }
    walk.take(stencil, &stencil.moving_after);
    walk.pass(&mut rows[row..end + 2]);
}

/// Displacements of a row.
#[inline(always)]
fn at<S: Simd>(simd: S, row: &Row, now: usize) -> f64x8<S> {
    load(simd, &row.samples[now])
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
    fn from_head(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) -> Option<Self> {
        let (now, zero) = (now & 1, f64x8::splat(simd, 0.0));
        let [head, first, second] = rows.first_chunk()?;
        let (head, u, after) = (at(simd, head, now), at(simd, first, now), at(simd, second, now));
        let [end_before, end, tail, tail_after] = rows.last_chunk_mut()?;
        u.slide::<1>(zero).store_array(&mut tail.samples[now].0);
        after.slide::<1>(zero).store_array(&mut tail_after.samples[now].0);
        // The piece before, one lane on.
        let before = head.slide::<{ LANES - 1 }>(at(simd, end, now));
        let second = zero.slide::<{ LANES - 1 }>(at(simd, end_before, now));
        Some(Self::between(simd, stencil, now, [second, before, u, after]))
    }

    /// Before a row that has two before it.
    #[inline(always)]
    fn from_row(simd: S, stencil: &Stencil, rows: &[Row], now: usize, row: usize) -> Option<Self> {
        let now = now & 1;
        let [second, before, here, after] = rows.get(row - 2..)?.first_chunk()?;
        let around = [at(simd, second, now), at(simd, before, now), at(simd, here, now), at(simd, after, now)];
        Some(Self::between(simd, stencil, now, around))
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
