//! Points between the nodes of a sheet: cubic Lagrange interpolation I along both sides, on four by four nodes.
//!
//! It reproduces polynomials up to the third degree, is exact on nodes, and near an edge uses the four nearest nodes that exist.
//! Nodes on the fixed edge always read 0 and cannot be pushed, so their weights are left out.

use super::super::{Place, Support};
use super::grid::Grid;

/// The first of the four nodes and their weights, along a row and down the rows, if it is a place on a sheet.
pub(crate) fn factors_at(grid: &Grid, place: Place) -> Option<[(usize, [f64; 4]); 2]> {
    let Place::On(x, y) = place else { return None };
    if !((0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)) {
        return None;
    }
    let [along, down] = grid.in_memory_order([x, y]);
    let [segments_along, segments_down] = grid.along_and_down();
    Some([four_nodes(along, segments_along), four_nodes(down, segments_down)])
}

/// The support of such a place on the grid.
pub(crate) fn support_of(grid: &Grid, factors: [(usize, [f64; 4]); 2]) -> Support {
    let [(first_along, weights_along), (first_down, weights_down)] = factors;
    Support::Patch {
        first: grid.index(first_along, first_down),
        stride: grid.stride,
        weights: weights_down.map(|down| weights_along.map(|along| down * along)),
    }
}

/// The first of the four nodes nearest to a fraction of a side, and their weights.
fn four_nodes(fraction: f64, segments: usize) -> (usize, [f64; 4]) {
    let exact = fraction * segments as f64;
    let nearest = exact.round();
    let position = if (exact - nearest).abs() < 1e-12 * segments as f64 { nearest } else { exact };
    let first = (position.floor() as usize).saturating_sub(1).min(segments - 3);
    let t = position - first as f64;
    let mut weights = [
        -(t - 1.0) * (t - 2.0) * (t - 3.0) / 6.0,
        t * (t - 2.0) * (t - 3.0) / 2.0,
        -t * (t - 1.0) * (t - 3.0) / 2.0,
        t * (t - 1.0) * (t - 2.0) / 6.0,
    ];
    if first == 0 {
        weights[0] = 0.0;
    }
    if first + 3 == segments {
        weights[3] = 0.0;
    }
    (first, weights)
}

/// Σ I I' over the nodes that two patches share, in the order of the grid, so that it is the same either way round.
pub(crate) fn overlap(grid: &Grid, here: (usize, &[[f64; 4]; 4]), there: (usize, &[[f64; 4]; 4])) -> f64 {
    let [here_along, here_down] = grid.node(here.0);
    let [there_along, there_down] = grid.node(there.0);
    let mut sum = 0.0;
    for down in here_down.max(there_down)..(here_down + 4).min(there_down + 4) {
        for along in here_along.max(there_along)..(here_along + 4).min(there_along + 4) {
            let mine = here.1[down - here_down][along - here_along];
            let other = there.1[down - there_down][along - there_along];
            sum += mine * other;
        }
    }
    sum
}
