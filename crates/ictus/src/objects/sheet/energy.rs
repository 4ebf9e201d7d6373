//! Energy of a sheet, exactly as its scheme keeps it.
//!
//! The balances of objects/mod.rs, divided by the mass of a cell over k² and written in the stencil's constants
//! (`d = u - u⁻`, `w = u⁺ - u⁻`, ⟨,⟩ the sum over nodes):
//!
//! ```text
//! stored      ½⟨d, d⟩ + (⟨u, X u⁻⟩ - ½⟨d, S d⟩) / 2g,     X = xx δxxxx + 2 xy δxxyy + yy δyyyy - x δxx - y δyy,  S = -sx δxx - sy δyy
//! dissipated  ½ a ⟨w, w⟩ + ⟨w, S w⟩ / 4g
//! ```
//!
//! ⟨u, X u⁻⟩ is summed by parts, as products of differences: the fourth difference of a low mode is a small remainder of large
//! numbers and would cost half of the digits.

use super::grid::Grid;
use super::motion;
use super::stencil::Constants;

/// Stored energy over (mass of a cell / k²).
pub(crate) fn stored(grid: &Grid, constants: &Constants, now: &[f64], previous: &[f64]) -> f64 {
    let change = |i: usize| now[i] - previous[i];
    let kinetic = over_nodes(grid, |i| change(i) * change(i));
    let tension = gradients(grid, [constants.x, constants.y], |i| now[i], |i| previous[i]);
    let lag = gradients(grid, [constants.sx, constants.sy], change, change);
    let bending =
        if constants.xx == 0.0 && constants.yy == 0.0 { 0.0 } else { bending(grid, constants, now, previous) };
    0.5 * kinetic + (bending + tension - 0.5 * lag) / (2.0 * constants.g())
}

/// Energy dissipated in one step over (mass of a cell / k²).
pub(crate) fn dissipated(grid: &Grid, constants: &Constants, previous: &[f64], next: &[f64]) -> f64 {
    if constants.b == 1.0 && constants.sx == 0.0 && constants.sy == 0.0 {
        return 0.0;
    }
    let [along, down] = grid.along_and_down();
    let [mut squares, mut slopes, mut falls] = [0.0; 3];
    for row in 0..down {
        let first = grid.index(0, row);
        let (square, [slope, fall]) = motion::squares(&previous[first..], &next[first..], along, [1, grid.stride]);
        (squares, slopes, falls) = (squares + square, slopes + slope, falls + fall);
    }
    // On the edge nothing moves.
    0.5 * constants.a() * squares + (constants.sx * slopes + constants.sy * falls) / (4.0 * constants.g())
}

/// Σ over the nodes that move; rows are summed apart to keep the rounding small.
fn over_nodes(grid: &Grid, term: impl Fn(usize) -> f64) -> f64 {
    let [along, down] = grid.along_and_down();
    (1..down).map(|row| (1..along).map(|column| term(grid.index(column, row))).sum::<f64>()).sum()
}

/// -⟨u, (cx δxx + cy δyy) v⟩ as Σ cx δx₊u δx₊v + cy δy₊u δy₊v.
fn gradients(grid: &Grid, [cx, cy]: [f64; 2], u: impl Fn(usize) -> f64, v: impl Fn(usize) -> f64) -> f64 {
    if cx == 0.0 && cy == 0.0 {
        return 0.0;
    }
    let [along, down] = grid.along_and_down();
    let row_sum = |row: usize| {
        let mut sum = 0.0;
        for column in 0..along {
            let i = grid.index(column, row);
            let (right, below) = (i + 1, i + grid.stride);
            sum += cx * (u(right) - u(i)) * (v(right) - v(i)) + cy * (u(below) - u(i)) * (v(below) - v(i));
        }
        sum
    };
    (0..down).map(row_sum).sum()
}

/// ⟨u, (xx δxxxx + 2 xy δxxyy + yy δyyyy) v⟩ by parts.
fn bending(grid: &Grid, constants: &Constants, u: &[f64], v: &[f64]) -> f64 {
    let Constants { xx, xy, yy, .. } = *constants;
    let [along, down] = grid.along_and_down();
    let stride = grid.stride;
    let second = |f: &[f64], i: usize, step: usize| (f[i + step] - f[i]) - (f[i] - f[i - step]);
    let curvature =
        over_nodes(grid, |i| xx * second(u, i, 1) * second(v, i, 1) + yy * second(u, i, stride) * second(v, i, stride));
    let twist = |f: &[f64], i: usize| (f[i + stride + 1] - f[i + stride]) - (f[i + 1] - f[i]);
    let twist_row = |row: usize| -> f64 {
        (0..along).map(|column| grid.index(column, row)).map(|i| twist(u, i) * twist(v, i)).sum()
    };
    let twisting: f64 = (0..down).map(twist_row).sum();
    // On the edge itself the odd continuation has no curvature; the even one has 2u of the first node, counted by half.
    let at_edges = if constants.oddness > 0.0 {
        0.0
    } else {
        let pair = |i: usize| u[i] * v[i];
        let beside: f64 = (1..down).map(|row| pair(grid.index(1, row)) + pair(grid.index(along - 1, row))).sum();
        let above: f64 =
            (1..along).map(|column| pair(grid.index(column, 1)) + pair(grid.index(column, down - 1))).sum();
        2.0 * (xx * beside + yy * above)
    };
    curvature + 2.0 * xy * twisting + at_edges
}
