//! The step of all nodes but the ends, eight at a time.
//!
//! ```text
//! v⁺ = (keep v + drag A⁻) - (near A - far F),     u⁺ = u + v⁺
//! A = (u - u₋₁) + (u - u₊₁) = -δxx u,     F = (u - u₋₂) + (u - u₊₂),     δxxxx u = 4A - F
//! ```
//!
//! A⁻ is A of the sample before, kept from the last step. Association is fixed and nothing is fused, so every level of
//! vector instructions gives the same bits. Differences of neighbours come first: they lose no digits.

use super::grid::Grid;
use fearless_simd::{f64x8, prelude::*};

/// Nodes in one vector; also the room before the first and after the last block.
pub(super) const LANES: usize = 8;

type Block = [f64; LANES];

/// Which terms there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Terms {
    Near,
    NearFar,
    NearDrag,
    NearFarDrag,
}

/// Coefficients of the interior.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stencil {
    keep: f64,
    drag: f64,
    near: f64,
    far: f64,
    blocks: usize,
    terms: Terms,
    /// What u is multiplied with to be the value beyond the end that its second neighbour is: by lanes, in the first block and the last.
    beyond: [Block; 2],
    /// 1 for the nodes of the last block that are before the end, 0 for all others.
    moving: Block,
}

impl Stencil {
    pub(super) fn new(grid: &Grid) -> Self {
        let share = 1.0 / (1.0 + grid.loss);
        let far = grid.stiffness * share;
        let drag = grid.bend_loss * share;
        let last = (grid.segments - 2) % LANES;
        let mut beyond = [[0.0; LANES]; 2];
        beyond[0][0] = grid.ends[0].beyond();
        beyond[1][last] = grid.ends[1].beyond();
        Self {
            keep: grid.keep,
            drag,
            near: grid.tension * share + 4.0 * far + drag,
            far,
            blocks: (grid.segments - 1).div_ceil(LANES),
            terms: match (far != 0.0, drag != 0.0) {
                (false, false) => Terms::Near,
                (true, false) => Terms::NearFar,
                (false, true) => Terms::NearDrag,
                (true, true) => Terms::NearFarDrag,
            },
            beyond,
            moving: std::array::from_fn(|lane| if lane <= last { 1.0 } else { 0.0 }),
        }
    }

    /// Number of blocks that hold the nodes 1 to N - 1.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Whether the bend A is kept: there is σ1.
    #[inline(always)]
    pub(super) fn has_bend(&self) -> bool {
        matches!(self.terms, Terms::NearDrag | Terms::NearFarDrag)
    }
}

/// Steps the nodes between the ends: rows begin with `LANES` elements, of which the last is node 0, and end with as
/// many. The nodes beyond the last that moves stay at 0.
#[inline(always)]
pub(super) fn step<S: Simd>(
    simd: S,
    stencil: &Stencil,
    now: &[f64],
    next: &mut [f64],
    step: &mut [f64],
    bend: &mut [f64],
) {
    match stencil.terms {
        Terms::Near => blocks::<_, false, false>(simd, stencil, now, next, step, bend),
        Terms::NearFar => blocks::<_, true, false>(simd, stencil, now, next, step, bend),
        Terms::NearDrag => blocks::<_, false, true>(simd, stencil, now, next, step, bend),
        Terms::NearFarDrag => blocks::<_, true, true>(simd, stencil, now, next, step, bend),
    }
}

#[inline(always)]
fn blocks<S: Simd, const FAR: bool, const DRAG: bool>(
    simd: S,
    stencil: &Stencil,
    now: &[f64],
    next: &mut [f64],
    step: &mut [f64],
    bend: &mut [f64],
) {
    let count = stencil.blocks;
    let keep = f64x8::splat(simd, stencil.keep);
    let drag = f64x8::splat(simd, stencil.drag);
    let near = f64x8::splat(simd, stencil.near);
    let far = f64x8::splat(simd, stencil.far);
    // Slices of equal, known length: the loop needs no bounds checks.
    let near_by = Neighbours::new(simd, now, 1, count);
    let far_off = Neighbours::new(simd, now, 2, count);
    let following = shifted(now, 2 * LANES, count);
    let next = shifted_mut(next, count);
    let step = shifted_mut(step, count);
    let bend = if DRAG { shifted_mut(bend, count) } else { &mut [] };
    let mut left = f64x8::from_slice(simd, &now[..LANES]);
    let mut u = f64x8::from_slice(simd, &now[LANES..2 * LANES]);
    for block in 0..count {
        let right = f64x8::from_slice(simd, &following[block]);
        let a = near_by.bend::<_, 1, { LANES - 1 }>(simd, block, [left, u, right]);
        let mut kept = keep * f64x8::from_slice(simd, &step[block]);
        if DRAG {
            kept += drag * f64x8::from_slice(simd, &bend[block]);
            a.store_slice(&mut bend[block]);
        }
        let mut pulled = near * a;
        if FAR {
            let mut far_bend = far_off.bend::<_, 2, { LANES - 2 }>(simd, block, [left, u, right]);
            // Beyond the ends memory holds 0. Values for it, put there, would be waited for in the next load.
            if block == 0 {
                far_bend -= f64x8::from_slice(simd, &stencil.beyond[0]) * u;
            }
            if block + 1 == count {
                far_bend -= f64x8::from_slice(simd, &stencil.beyond[1]) * u;
            }
            pulled -= far * far_bend;
        }
        let mut v = kept - pulled;
        if block + 1 == count {
            v *= f64x8::from_slice(simd, &stencil.moving);
        }
        v.store_slice(&mut step[block]);
        (u + v).store_slice(&mut next[block]);
        (left, u) = (u, right);
    }
}

/// The neighbours of a row's blocks at a distance.
///
/// Where a vector is as wide as a cache line, a neighbour would be a load across two lines: there it is put together from the blocks
/// on either side (a string of 100 points 75 ns instead of 92, Ice Lake). Narrower vectors load it (there the other way costs more).
struct Neighbours<'a> {
    before: &'a [Block],
    after: &'a [Block],
}

impl<'a> Neighbours<'a> {
    #[inline(always)]
    fn new<S: Simd>(_simd: S, row: &'a [f64], distance: usize, count: usize) -> Self {
        if S::f64s::LEN == LANES {
            return Self { before: &[], after: &[] };
        }
        Self { before: shifted(row, LANES - distance, count), after: shifted(row, LANES + distance, count) }
    }

    /// (u - u₋) + (u - u₊): A at the distance 1, F at 2. `LEFT` is a block less the distance.
    #[inline(always)]
    fn bend<S: Simd, const DISTANCE: usize, const LEFT: usize>(
        &self,
        simd: S,
        block: usize,
        [left, u, right]: [f64x8<S>; 3],
    ) -> f64x8<S> {
        let (before, after) = if S::f64s::LEN == LANES {
            (left.slide::<LEFT>(u), u.slide::<DISTANCE>(right))
        } else {
            (f64x8::from_slice(simd, &self.before[block]), f64x8::from_slice(simd, &self.after[block]))
        };
        (u - before) + (u - after)
    }
}

#[inline(always)]
fn shifted(row: &[f64], from: usize, count: usize) -> &[Block] {
    &row[from..].as_chunks().0[..count]
}

#[inline(always)]
fn shifted_mut(row: &mut [f64], count: usize) -> &mut [Block] {
    &mut row[LANES..].as_chunks_mut().0[..count]
}
