//! The step of all nodes but the ends, as many at a time as fit into a register.
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
            is_plain: far == 0.0 && drag == 0.0,
            moving: in_lanes(1.0, 0..lane + 1),
            moving_after: in_lanes(1.0, 0..lane),
            beyond_first,
            beyond_last,
        }
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

/// Steps rows that follow each other; those from 1 on before all others, because they fill the tail that the others read. Without `FULL` there is
/// neither stiffness nor σ1.
#[cfg_attr(not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))), inline(always))]
fn step_rows<S: Simd, const FULL: bool>(
    simd: S,
    stencil: &Stencil,
    rows: &mut [Row],
    now: usize,
    Range { start, end }: Range<usize>,
) {
    let now = now & 1;
    let Some([second, before]) = (if start == 1 { wrap(simd, rows, now) } else { before_row(rows, now, start) }) else {
        return;
    };
    // One register of lanes at a time: of rows as a whole the numbers at hand would be more than there are registers (a string of 100 points by
    // AVX2: 46 ns instead of 62).
    let mut lanes = 0;
    loop {
        let mut walk = Walk::<_, FULL>::from(simd, stencil, rows, now, lanes, start, [&second, &before]);
        walk.go(stencil, rows, start, end);
        lanes += S::f64s::LEN;
        // Asked at the end, so that where it is once round this is no loop to the compiler.
        if lanes >= LANES {
            break;
        }
    }
}

/// Puts into the tail what it repeats. Returns u₋₂ and u₋₁ of row 1: the piece before, one lane on.
#[inline(always)]
fn wrap<S: Simd>(simd: S, rows: &mut [Row], now: usize) -> Option<[Lanes; 2]> {
    let zero = f64x8::splat(simd, 0.0);
    let [head, first, second] = rows.first_chunk()?;
    let [head, first, second] =
        [load(simd, &head.samples[now]), load(simd, &first.samples[now]), load(simd, &second.samples[now])];
    let [end_before, end, tail, tail_after] = rows.last_chunk_mut()?;
    first.slide::<1>(zero).store_array(&mut tail.samples[now].0);
    second.slide::<1>(zero).store_array(&mut tail_after.samples[now].0);
    let before = head.slide::<{ LANES - 1 }>(load(simd, &end.samples[now]));
    let second = zero.slide::<{ LANES - 1 }>(load(simd, &end_before.samples[now]));
    Some([Lanes(second.to_array()), Lanes(before.to_array())])
}

/// u₋₂ and u₋₁ of a row that has two before it.
#[inline(always)]
fn before_row(rows: &[Row], now: usize, row: usize) -> Option<[Lanes; 2]> {
    let [second, before] = rows.get(row - 2..)?.first_chunk()?;
    Some([second.samples[now], before.samples[now]])
}

/// A register of lanes, from a number on.
#[inline(always)]
fn load_part<S: Simd>(simd: S, lanes: &Lanes, first: usize) -> S::f64s {
    // In range, as the compiler can see.
    let first = first & (LANES - S::f64s::LEN);
    S::f64s::from_slice(simd, &lanes.0[first..first + S::f64s::LEN])
}

#[inline(always)]
fn store_part<S: Simd>(part: S::f64s, lanes: &mut Lanes, first: usize) {
    let first = first & (LANES - S::f64s::LEN);
    part.store_slice(&mut lanes.0[first..first + S::f64s::LEN]);
}

/// On the way from row to row, in some lanes.
struct Walk<S: Simd, const FULL: bool> {
    simd: S,
    now: usize,
    /// The first of the lanes.
    lanes: usize,
    keep: S::f64s,
    drag: S::f64s,
    near: S::f64s,
    far: S::f64s,
    /// u of this row and the one after it.
    u: S::f64s,
    after: S::f64s,
    /// u - u₋₁ of this row; u - u₋₂ of this row and the one after it.
    slope: S::f64s,
    rise: S::f64s,
    rise_after: S::f64s,
}

impl<S: Simd, const FULL: bool> Walk<S, FULL> {
    /// Before a row, given the two before it.
    #[inline(always)]
    fn from(
        simd: S,
        stencil: &Stencil,
        rows: &[Row],
        now: usize,
        lanes: usize,
        row: usize,
        [second, before]: [&Lanes; 2],
    ) -> Self {
        let zero = S::f64s::splat(simd, 0.0);
        let (second, before) = (load_part(simd, second, lanes), load_part(simd, before, lanes));
        let u: S::f64s = load_part(simd, &rows[row].samples[now], lanes);
        let after: S::f64s = load_part(simd, &rows[row + 1].samples[now], lanes);
        let (slope, rise, rise_after) = (u - before, u - second, after - before);
        let (keep, drag, near, far) = (zero, zero, zero, zero);
        let mut walk = Self { simd, now, lanes, keep, drag, near, far, u, after, slope, rise, rise_after };
        walk.take(stencil, &stencil.moving);
        walk
    }

    /// From the first of some rows to the last.
    #[inline(always)]
    fn go(&mut self, stencil: &Stencil, rows: &mut [Row], start: usize, end: usize) {
        let (last, mut row) = (stencil.last, start);
        if row == 1 {
            self.pass_one(&mut rows[1..4], Some(&stencil.beyond_first));
            row = 2;
        }
        if row <= last {
            self.pass(&mut rows[row..end.min(last) + 2]);
            if end <= last {
                return;
            }
            self.pass_one(&mut rows[last..last + 3], Some(&stencil.beyond_last));
            row = last + 1;
        }
        self.take(stencil, &stencil.moving_after);
        self.pass(&mut rows[row..end + 2]);
    }

    /// The coefficients, in lanes that move.
    #[inline(always)]
    fn take(&mut self, stencil: &Stencil, moving: &Lanes) {
        let moving: S::f64s = load_part(self.simd, moving, self.lanes);
        let of = |coefficient: f64| S::f64s::splat(self.simd, coefficient);
        (self.keep, self.near) = (moving * of(stencil.keep), moving * of(stencil.near));
        (self.drag, self.far) = (moving * of(stencil.drag), moving * of(stencil.far));
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
        let (simd, lanes, u) = (self.simd, self.lanes, self.u);
        let ahead: S::f64s = load_part(simd, &ahead.samples[self.now & 1], lanes);
        let slope_after = self.after - u;
        let a = self.slope - slope_after;
        let step: S::f64s = load_part(simd, &row.step, lanes);
        let mut kept = self.keep * step;
        if FULL {
            let bend: S::f64s = load_part(simd, &row.bend, lanes);
            kept += self.drag * bend;
            store_part::<S>(a, &mut row.bend, lanes);
        }
        let mut pulled = self.near * a;
        if FULL {
            let rise_ahead = ahead - u;
            let mut f = self.rise - rise_ahead;
            if let Some(beyond) = beyond {
                let beyond: S::f64s = load_part(simd, beyond, lanes);
                f -= beyond * u;
            }
            pulled -= self.far * f;
            (self.rise, self.rise_after) = (self.rise_after, rise_ahead);
        }
        let v = kept - pulled;
        store_part::<S>(v, &mut row.step, lanes);
        store_part::<S>(u + v, &mut row.samples[(self.now & 1) ^ 1], lanes);
        (self.slope, self.u, self.after) = (slope_after, self.after, ahead);
    }
}
