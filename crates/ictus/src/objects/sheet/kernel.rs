//! The free step of a sheet, one vector of columns at a time from the first row to the last.
//!
//! Each row read adds to the rows it reaches: a bending row j to rows j-2 … j+2, whose sums wait in four registers, so every value
//! of u is loaded once as itself and four times as a neighbour beside, and never again from another row. Edges and
//! spare cells are in the stencil's tables. Sums associate in one fixed order and nothing is fused, so
//! every vector width gives the same bits.
//!
//! Where a vector is as wide as a cache line, a neighbour beside would be a load across two lines; there the lines beside are loaded
//! whole and the neighbours put together from them. On an Intel Xeon (Ice Lake, AVX-512, 2.8 GHz) that takes 32×32 / 64×64 points
//! from 620 / 2710 to 550 / 2090 and the 134×17 of a tromba marina with both losses from 2160 to 1570; of u⁻ too: 1680 (its loads
//! have room, the unit that puts vectors together has not).
//! Tried there and kept out: rows cut into eight pieces side by side, so that neighbours are whole lines and nothing is put together,
//! inner strips two vectors wide. It takes 530 / 1780 / 1350 instead of 580 / 2210 / 1600, but 320 instead of 256 on 20×20 (453 instead of 263
//! with AVX2), nothing less on the 460 to 730 points of instruments, and half as much again for the account of energy, whose neighbours
//! then lie in other rows. The Laplacian twice along the rows (23 operations instead of 26): 1410.
//!
//! Measured on an AMD EPYC (Zen 3, AVX2, 3.1 GHz), ns per sample on 32×32 / 64×64 moving points. This form: 550 / 2290 lossless,
//! 575 / 2400 with σ0, 790 / 3260 with both losses; entering a strip costs about nine rows. Tried and slower, with σ0:
//! - Laplacian twice, row by row through four rolling rows: 760 / 2840.
//! - Laplacian twice, in strips through a whole field: 1005 / 4220 one vector wide, 745 / 3280 two wide.
//! - Laplacian twice, in tiles of 2 or 4 rows: 1110 / 4080.
//! - this form two vectors wide: 890 / 3470 (AVX2 runs out of registers).
//! - rows by advancing slices instead of chunks, which saves the divisions that enter a strip: 2 % either way.
//! - ghost cells refilled in every step instead of tables: 625 / 2530, and 2700 when the width is no multiple of the vector.

use fearless_simd::{Level, Simd, SimdBase, dispatch};

use super::grid::{Grid, LINE};
use super::stencil::{LOSSLESS, Stencil, UNIFORM, VISCOUS};

/// Writes the free step of `now` and `previous` into `next`.
pub(crate) fn free_step(level: Level, grid: &Grid, stencil: &Stencil, now: &[f64], previous: &[f64], next: &mut [f64]) {
    // Rows start with a line of fixed cells before the first that moves, so that all neighbours beside are in the same row.
    let first = grid.index(1, 1) - FIXED;
    let (now, previous, next) = (&now[first..], &previous[first..], &mut next[first..]);
    let rows = grid.along_and_down()[1] - 1;
    let sheet = Rows { now, previous, stride: grid.stride, rows };
    match (stencil.bends, stencil.loss) {
        (true, LOSSLESS) => dispatch!(level, simd => thirteen_points::<_, LOSSLESS>(simd, stencil, sheet, next)),
        (true, UNIFORM) => dispatch!(level, simd => thirteen_points::<_, UNIFORM>(simd, stencil, sheet, next)),
        (true, _) => dispatch!(level, simd => thirteen_points::<_, VISCOUS>(simd, stencil, sheet, next)),
        (false, LOSSLESS) => dispatch!(level, simd => five_points::<_, LOSSLESS>(simd, stencil, sheet, next)),
        (false, UNIFORM) => dispatch!(level, simd => five_points::<_, UNIFORM>(simd, stencil, sheet, next)),
        (false, _) => dispatch!(level, simd => five_points::<_, VISCOUS>(simd, stencil, sheet, next)),
    }
}

/// The moving rows of the two known samples.
#[derive(Clone, Copy)]
struct Rows<'a> {
    now: &'a [f64],
    previous: &'a [f64],
    stride: usize,
    rows: usize,
}

/// Fixed cells at least on either side of a row.
const FIXED: usize = LINE;

impl<'a> Rows<'a> {
    /// One row of each sample, counted from the first that moves, with the fixed cells on either side.
    #[inline(always)]
    fn row(&self, row: usize) -> (&'a [f64], &'a [f64]) {
        let range = row * self.stride..(row + 1) * self.stride;
        (&self.now[range.clone()], &self.previous[range])
    }

    /// All rows, as chunks of one length, so that bounds are checked once per strip and not once per row.
    #[inline(always)]
    fn each_row(&self) -> impl Iterator<Item = (&'a [f64], &'a [f64])> {
        self.now.chunks_exact(self.stride).zip(self.previous.chunks_exact(self.stride))
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, from: &[f64], at: usize) -> S::f64s {
    S::f64s::from_slice(simd, &from[at..at + S::f64s::LEN])
}

#[inline(always)]
fn store<S: Simd>(value: S::f64s, to: &mut [f64], at: usize) {
    value.store_slice(&mut to[at..at + S::f64s::LEN]);
}

/// The sum of the two cells that lie so far beside each of a vector; `LEFT` is a line less that distance.
#[inline(always)]
fn beside<S: Simd, const DISTANCE: usize, const LEFT: usize>(
    simd: S,
    row: &[f64],
    at: usize,
    centre: S::f64s,
) -> S::f64s {
    if S::f64s::LEN == LINE {
        let (left, right) = (load(simd, row, at - LINE), load(simd, row, at + LINE));
        left.slide::<LEFT>(centre) + centre.slide::<DISTANCE>(right)
    } else {
        load(simd, row, at - DISTANCE) + load(simd, row, at + DISTANCE)
    }
}

/// What one row adds to itself, to the rows next to it, and to the rows two away.
struct Reach<S: Simd> {
    own: S::f64s,
    near: S::f64s,
    far: S::f64s,
}

#[inline(always)]
fn thirteen_points<S: Simd, const LOSS: u8>(simd: S, stencil: &Stencil, sheet: Rows<'_>, next: &mut [f64]) {
    for column in (0..stencil.columns).step_by(S::f64s::LEN) {
        thirteen_point_strip::<S, LOSS>(simd, stencil, sheet, next, column);
    }
}

#[cfg_attr(not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))), inline(always))]
fn thirteen_point_strip<S: Simd, const LOSS: u8>(
    simd: S,
    stencil: &Stencil,
    sheet: Rows<'_>,
    next: &mut [f64],
    column: usize,
) {
    let Rows { stride, rows, .. } = sheet;
    let table = Tables::<S>::load(simd, stencil, column);
    let at = FIXED + column;

    let (first, first_previous) = sheet.row(0);
    let reach = table.reach::<LOSS>(simd, first, first_previous, at);
    let mut two_above = reach.own + load(simd, first, at) * table.beyond;
    let mut above = reach.near;
    let mut here = reach.far;

    let (second, second_previous) = sheet.row(1);
    let reach = table.reach::<LOSS>(simd, second, second_previous, at);
    two_above += reach.near;
    above += reach.own;
    here += reach.near;
    let mut below = reach.far;

    for ((row, row_previous), result) in sheet.each_row().skip(2).zip(next.chunks_exact_mut(stride)).take(rows - 2) {
        let reach = table.reach::<LOSS>(simd, row, row_previous, at);
        store::<S>(two_above + reach.far, result, at);
        two_above = above + reach.near;
        above = here + reach.own;
        here = below + reach.near;
        below = reach.far;
    }

    let (last, _) = sheet.row(rows - 1);
    store::<S>(two_above, next, (rows - 2) * stride + at);
    store::<S>(above + load(simd, last, at) * table.beyond, next, (rows - 1) * stride + at);
}

/// The coefficients of one vector of columns.
struct Tables<S: Simd> {
    centre: S::f64s,
    beside: S::f64s,
    far_beside: S::f64s,
    above: S::f64s,
    diagonal: S::f64s,
    far_above: S::f64s,
    beyond: S::f64s,
    previous: S::f64s,
    previous_beside: S::f64s,
    previous_above: S::f64s,
}

impl<S: Simd> Tables<S> {
    #[inline(always)]
    fn load(simd: S, stencil: &Stencil, column: usize) -> Self {
        let (line, at) = (&stencil.lines[column / LINE], column % LINE);
        Self {
            centre: load(simd, &line.centre, at),
            beside: load(simd, &line.beside, at),
            far_beside: load(simd, &line.far_beside, at),
            above: load(simd, &line.above, at),
            diagonal: load(simd, &line.diagonal, at),
            far_above: load(simd, &line.far_above, at),
            beyond: load(simd, &line.beyond, at),
            previous: load(simd, &line.previous, at),
            previous_beside: load(simd, &line.previous_beside, at),
            previous_above: load(simd, &line.previous_above, at),
        }
    }

    #[inline(always)]
    fn reach<const LOSS: u8>(&self, simd: S, row: &[f64], row_previous: &[f64], at: usize) -> Reach<S> {
        let [row, row_previous] = [row, row_previous].map(|row| &row[at - FIXED..at + S::f64s::LEN + FIXED]);
        let at = FIXED;
        let centre = load(simd, row, at);
        let near_beside = beside::<S, 1, { LINE - 1 }>(simd, row, at, centre);
        let far_beside = beside::<S, 2, { LINE - 2 }>(simd, row, at, centre);
        let previous = load(simd, row_previous, at);
        let far = far_beside * self.far_beside;
        let old = if LOSS == LOSSLESS { far - previous } else { far + previous * self.previous };
        let mut own = (centre * self.centre + near_beside * self.beside) + old;
        let mut near = centre * self.above + near_beside * self.diagonal;
        if LOSS == VISCOUS {
            let previous_beside = load(simd, row_previous, at - 1) + load(simd, row_previous, at + 1);
            own += previous_beside * self.previous_beside;
            near += previous * self.previous_above;
        }
        Reach { own, near, far: centre * self.far_above }
    }

    /// The same without second neighbours: what a row adds to itself and to the rows next to it.
    #[inline(always)]
    fn short_reach<const LOSS: u8>(&self, simd: S, row: &[f64], row_previous: &[f64], at: usize) -> (S::f64s, S::f64s) {
        let [row, row_previous] = [row, row_previous].map(|row| &row[at - FIXED..at + S::f64s::LEN + FIXED]);
        let at = FIXED;
        let centre = load(simd, row, at);
        let near_beside = beside::<S, 1, { LINE - 1 }>(simd, row, at, centre);
        let previous = load(simd, row_previous, at);
        let nearest = centre * self.centre + near_beside * self.beside;
        let mut own = if LOSS == LOSSLESS { nearest - previous } else { nearest + previous * self.previous };
        let mut near = centre * self.above;
        if LOSS == VISCOUS {
            let previous_beside = load(simd, row_previous, at - 1) + load(simd, row_previous, at + 1);
            own += previous_beside * self.previous_beside;
            near += previous * self.previous_above;
        }
        (own, near)
    }
}

#[inline(always)]
fn five_points<S: Simd, const LOSS: u8>(simd: S, stencil: &Stencil, sheet: Rows<'_>, next: &mut [f64]) {
    for column in (0..stencil.columns).step_by(S::f64s::LEN) {
        five_point_strip::<S, LOSS>(simd, stencil, sheet, next, column);
    }
}

#[cfg_attr(not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))), inline(always))]
fn five_point_strip<S: Simd, const LOSS: u8>(
    simd: S,
    stencil: &Stencil,
    sheet: Rows<'_>,
    next: &mut [f64],
    column: usize,
) {
    let Rows { stride, rows, .. } = sheet;
    let table = Tables::<S>::load(simd, stencil, column);
    let at = FIXED + column;
    let (first, first_previous) = sheet.row(0);
    let (mut above, mut here) = table.short_reach::<LOSS>(simd, first, first_previous, at);
    for ((row, row_previous), result) in sheet.each_row().skip(1).zip(next.chunks_exact_mut(stride)).take(rows - 1) {
        let (own, near) = table.short_reach::<LOSS>(simd, row, row_previous, at);
        store::<S>(above + near, result, at);
        above = here + own;
        here = near;
    }
    store::<S>(above, next, (rows - 1) * stride + at);
}
