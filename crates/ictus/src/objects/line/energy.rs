//! The energy account of a line, exact to rounding (see [`super::super`] for the two balances).
//!
//! ```text
//! H = ½ ρAh/k² ( Σ m v² + λ² Σ Δu Δu⁻ + μ² Σ w C C⁻ - ½ s Σ (Δv)² )
//! Q = ρAh/k² ( ½ σ0k Σ m d² + ¼ s Σ (Δd)² ),     d = u⁺ - u⁻
//! ```
//!
//! Δ is along a segment, C and w are those of [`super::edges`]; m is 1, and ½ at a free end; fixed nodes have v = d =
//! 0, so that ½ is right for all ends.

use super::edges::End;
use super::grid::Grid;
use crate::objects::motion;

/// Stored energy in J at the half sample before `now`, the steps v being given.
pub(super) fn stored(grid: &Grid, now: &[f64], step: impl Fn(usize) -> f64) -> f64 {
    let last = grid.segments;
    let [mut kinetic, mut stretched, mut bent, mut lag] = [0.0; 4];
    let (mut slope, mut slope_step) = (0.0, 0.0);
    for node in 0..last {
        let v = step(node);
        kinetic += v * v;
        let (new_slope, new_slope_step) = (now[node + 1] - now[node], step(node + 1) - v);
        stretched += new_slope * (new_slope - new_slope_step);
        lag += new_slope_step * new_slope_step;
        if node > 0 {
            let (curvature, curvature_step) = (new_slope - slope, new_slope_step - slope_step);
            bent += curvature * (curvature - curvature_step);
        }
        (slope, slope_step) = (new_slope, new_slope_step);
    }
    let (first_step, last_step) = (step(0), step(last));
    kinetic += 0.5 * (last_step * last_step - first_step * first_step);
    for (end, inner) in [(grid.ends[0], 1), (grid.ends[1], last - 1)] {
        if end == End::Clamped {
            bent += 2.0 * now[inner] * (now[inner] - step(inner));
        }
    }
    0.5 * grid.scale * (kinetic + grid.tension * stretched + grid.stiffness * bent - 0.5 * grid.bend_loss * lag)
}

/// Energy in J that the step from `previous` to `next` dissipates.
pub(super) fn dissipated(grid: &Grid, previous: &[f64], next: &[f64]) -> f64 {
    if grid.loss == 0.0 && grid.bend_loss == 0.0 {
        return 0.0;
    }
    let (squares, [slopes]) = motion::squares(previous, next, grid.segments, [1]);
    // Both ends count by half.
    let moved = |node: usize| next[node] - previous[node];
    let (first, last) = (moved(0), moved(grid.segments));
    let squares = squares + 0.5 * (last * last - first * first);
    grid.scale * (0.5 * grid.loss * squares + 0.25 * grid.bend_loss * slopes)
}
