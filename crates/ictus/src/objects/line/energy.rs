//! The energy account of a line, exact to rounding (see [`super::super`] for the two balances).
//!
//! ```text
//! H = ½ ρAh/k² ( Σ m v² + λ² Σ Δu Δu⁻ + μ² Σ w C C⁻ - ½ s Σ (Δv)² )
//! Q = ρAh/k² ( ½ σ0k Σ m d² + ¼ s Σ (Δd)² ),     d = u⁺ - u⁻
//! ```
//!
//! Δ is along a segment, C and w are those of [`super::edges`]; m is 1, and ½ at a free end; fixed nodes have v = d =
//! 0, so that ½ is right for all ends.

use super::super::lanes::{Lanes, fold, load};
use super::edges::End;
use super::grid::Grid;
use super::pieces::{Pieces, Row, row_and_lane};
use fearless_simd::{dispatch, f64x8, prelude::*};

/// Stored energy in J at the half sample before `now`, from now and the steps v of all nodes, in order.
pub(super) fn stored(grid: &Grid, mut nodes: impl Iterator<Item = (f64, f64)>) -> f64 {
    let last = grid.segments;
    let clamped = |inner: (f64, f64)| 2.0 * inner.0 * (inner.0 - inner.1);
    let [mut kinetic, mut stretched, mut bent, mut lag] = [0.0; 4];
    let (mut slope, mut slope_step, mut ends_bent) = (0.0, 0.0, 0.0);
    let Some(first) = nodes.next() else { return 0.0 };
    let (mut u, mut v) = first;
    for (node, (next_u, next_v)) in nodes.enumerate() {
        kinetic += v * v;
        let (new_slope, new_slope_step) = (next_u - u, next_v - v);
        stretched += new_slope * (new_slope - new_slope_step);
        lag += new_slope_step * new_slope_step;
        if node > 0 {
            let (curvature, curvature_step) = (new_slope - slope, new_slope_step - slope_step);
            bent += curvature * (curvature - curvature_step);
        }
        if node == 0 && grid.ends[0] == End::Clamped {
            ends_bent += clamped((next_u, next_v));
        }
        if node + 1 == last && grid.ends[1] == End::Clamped {
            ends_bent += clamped((u, v));
        }
        (slope, slope_step, u, v) = (new_slope, new_slope_step, next_u, next_v);
    }
    kinetic += 0.5 * (v * v - first.1 * first.1);
    bent += ends_bent;
    0.5 * grid.scale * (kinetic + grid.tension * stretched + grid.stiffness * bent - 0.5 * grid.bend_loss * lag)
}

/// Energy in J that the step from the previous sample, remembered, to the next dissipates.
pub(super) fn dissipated(grid: &Grid, pieces: &Pieces, previous: &[Lanes], rows: &[Row], next: usize) -> f64 {
    if grid.loss == 0.0 && grid.bend_loss == 0.0 {
        return 0.0;
    }
    let inner = 1..pieces.height + 1;
    let (mut squares, mut slopes) =
        dispatch!(crate::simd::level(), simd => squares(simd, &previous[inner.clone()], &rows[inner], next));
    let moved = |node: usize| {
        let (row, lane) = row_and_lane(pieces.slot(node));
        rows[row].samples[next & 1].0[lane] - previous[row].0[lane]
    };
    let [first, second, last] = [0, 1, grid.segments].map(moved);
    // The first node is in no row; beyond the last one lies a slot that does not move (a free end that
    // flies off loses digits of the slopes there); both ends count by half.
    slopes += (second - first) * (second - first) - last * last;
    squares += 0.5 * (first * first - last * last);
    grid.scale * (0.5 * grid.loss * squares + 0.25 * grid.bend_loss * slopes)
}

/// Sums over all slots of the squares of how far they moved, and of how much further the slot after them moved; in m².
///
/// Eight sums side by side, in the same order on every processor. One by one they took as long as the step itself.
#[inline(always)]
fn squares<S: Simd>(simd: S, previous: &[Lanes], rows: &[Row], next: usize) -> (f64, f64) {
    let zero = f64x8::splat(simd, 0.0);
    let (mut squares, mut slopes, mut first, mut last) = (zero, zero, zero, zero);
    for (row, (Row { samples, .. }, previous)) in rows.iter().zip(previous).enumerate() {
        let moved = load(simd, &samples[next & 1]) - load(simd, previous);
        squares += moved * moved;
        if row == 0 {
            first = moved;
        } else {
            let further = moved - last;
            slopes += further * further;
        }
        last = moved;
    }
    let further = first.slide::<1>(zero) - last;
    slopes += further * further;
    (fold(squares), fold(slopes))
}
