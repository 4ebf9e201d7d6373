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

/// Coefficients of the interior.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stencil {
    keep: f64,
    drag: f64,
    near: f64,
    far: f64,
    height: usize,
    /// Row and lane of the last node that moves.
    last: (usize, usize),
    /// Whether there is neither stiffness nor σ1.
    is_plain: bool,
    /// What u next to the first end and the last is multiplied with to be the value beyond the end that its second neighbour is.
    beyond: [f64; 2],
}

/// 1 in the first so many lanes, 0 in the others.
static FIRST: [Lanes; LANES + 1] = {
    let mut first = [Lanes([0.0; LANES]); LANES + 1];
    let mut lane = 0;
    while lane < LANES {
        first[lane + 1] = first[lane];
        first[lane + 1].0[lane] = 1.0;
        lane += 1;
    }
    first
};

impl Stencil {
    pub(super) fn new(grid: &Grid) -> Self {
        let share = 1.0 / (1.0 + grid.loss);
        let far = grid.stiffness * share;
        let drag = grid.bend_loss * share;
        let pieces = grid.pieces();
        Self {
            keep: grid.keep,
            drag,
            near: grid.tension * share + 4.0 * far + drag,
            far,
            height: pieces.height,
            last: row_and_lane(pieces.slot(grid.segments - 1)),
            is_plain: far == 0.0 && drag == 0.0,
            beyond: grid.ends.map(End::beyond),
        }
    }
}

/// Steps the nodes between the ends, from one of the two samples to the other.
#[inline(always)]
pub(super) fn step<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    if stencil.is_plain {
        step_rows::<_, false>(simd, stencil, rows, now);
    } else {
        step_rows::<_, true>(simd, stencil, rows, now);
    }
}

/// Without `FULL` there is neither stiffness nor σ1.
#[inline(always)]
fn step_rows<S: Simd, const FULL: bool>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize) {
    let (height, (last, lane), now) = (stencil.height, stencil.last, now & 1);
    let rows = &mut rows[..height + 3];
    let zero = f64x8::splat(simd, 0.0);
    let (u, after) = (load(simd, &rows[1].samples[now]), load(simd, &rows[2].samples[now]));
    // The piece before, one lane on; the piece after, for the last rows.
    let before = load(simd, &rows[0].samples[now]).slide::<{ LANES - 1 }>(load(simd, &rows[height].samples[now]));
    let second = zero.slide::<{ LANES - 1 }>(load(simd, &rows[height - 1].samples[now]));
    u.slide::<1>(zero).store_array(&mut rows[height + 1].samples[now].0);
    after.slide::<1>(zero).store_array(&mut rows[height + 2].samples[now].0);
    let mut walk = Walk::<_, FULL> {
        simd,
        now,
        keep: zero,
        drag: zero,
        near: zero,
        far: zero,
        u,
        after,
        slope: u - before,
        rise: u - second,
        rise_after: after - before,
    };
    // Slots beyond the last node that moves have coefficients of 0 and stay at 0: lanes behind its own, and behind its row its own too.
    let [moving, moving_after] = [lane + 1, lane].map(|lanes| load(simd, &FIRST[lanes.min(LANES)]));
    walk.take(stencil, moving);
    if FULL {
        let at_first = load(simd, &FIRST[1]) * stencil.beyond[0];
        let at_last = (moving - moving_after) * stencil.beyond[1];
        // In short lines row 1 is next to both ends.
        let in_row_1 = if last == 1 { at_first + at_last } else { at_first };
        walk.pass_one(&mut rows[1..4], Some(in_row_1));
        if last > 1 {
            walk.pass(&mut rows[2..last + 2]);
            walk.pass_one(&mut rows[last..last + 3], Some(at_last));
        }
    } else {
        walk.pass(&mut rows[1..last + 3]);
    }
    walk.take(stencil, moving_after);
    walk.pass(&mut rows[last + 1..]);
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
    #[inline(always)]
    fn take(&mut self, stencil: &Stencil, moving: f64x8<S>) {
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
    fn pass_one(&mut self, rows: &mut [Row], beyond: Option<f64x8<S>>) {
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
                f -= beyond * u;
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
