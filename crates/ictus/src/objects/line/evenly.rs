//! A line as a whole: its centre of mass, and a load on every node by its mass.
//!
//! A node stands for the part w/N of the line, w = 1, and ½ at an end. What an end that is held would bear goes into its support.

use super::pieces::row_and_lane;
use super::{At, Line, Support};

impl Line {
    /// The part of the line's mass that a node has.
    fn share(&self, node: usize) -> f64 {
        let whole = if node == 0 || node == self.grid.segments { 0.5 } else { 1.0 };
        whole / self.grid.segments as f64
    }

    /// Displacement of the centre of mass in m; 0 for other supports.
    #[inline(never)]
    pub(super) fn mean(&self, support: &Support, at: At) -> f64 {
        let Support::Everywhere = support else { return 0.0 };
        self.nodes(at).enumerate().map(|(node, displacement)| self.share(node) * displacement).sum()
    }

    /// Lets a force in N act on all nodes.
    #[inline(never)]
    pub(super) fn push_evenly(&mut self, support: &Support, force: f64) {
        let Support::Everywhere = support else { return };
        let next = self.other();
        for (node, slot) in self.pieces.slots().enumerate() {
            let push = self.grid.mobility_of(node) * self.share(node) * force;
            let (row, lane) = row_and_lane(slot);
            let row = &mut self.rows[row];
            row.samples[next].0[lane] += push;
            row.step.0[lane] += push;
        }
    }

    /// Displacement in m over one step at one support per newton at the other, one of them all nodes.
    pub(super) fn even_admittance(&self, here: &Support, there: &Support) -> f64 {
        let answer = |node: usize| self.share(node) * self.grid.mobility_of(node);
        match (here, there) {
            (Support::Everywhere, Support::Everywhere) => {
                (0..=self.grid.segments).map(|node| self.share(node) * answer(node)).sum()
            }
            (Support::Everywhere, Support::Line { first, weights, .. })
            | (Support::Line { first, weights, .. }, Support::Everywhere) => {
                weights.iter().enumerate().map(|(offset, weight)| weight * answer(first + offset)).sum()
            }
            _ => 0.0,
        }
    }
}
