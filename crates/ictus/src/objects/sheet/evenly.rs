//! A sheet as a whole: its centre of mass, and a load on every node by its mass.
//!
//! Every node that moves stands for one cell of Nx Ny. What the rest of the sheet would bear, along the edges, goes into their supports.

use super::{At, Sheet, Support};

impl Sheet {
    /// The part of the sheet's mass that a node has.
    fn share(&self) -> f64 {
        1.0 / (self.grid.segments[0] as f64 * self.grid.segments[1] as f64)
    }

    /// Array elements of the rows of nodes that move.
    fn moving_rows(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let (grid, [along, down]) = (self.grid, self.grid.along_and_down());
        (1..down).map(move |row| grid.index(1, row)..grid.index(along, row))
    }

    /// Displacement of the centre of mass in m; 0 for other supports.
    pub(super) fn mean(&self, support: &Support, at: At) -> f64 {
        let Support::Everywhere = support else { return 0.0 };
        let sample = self.sample(at);
        self.share() * self.moving_rows().map(|row| sample[row].iter().sum::<f64>()).sum::<f64>()
    }

    /// Lets a force in N act on all nodes.
    pub(super) fn push_evenly(&mut self, support: &Support, force: f64) {
        let Support::Everywhere = support else { return };
        let push = self.mobility * self.share() * force;
        let rows = self.moving_rows();
        let next = self.next.all_mut();
        rows.for_each(|row| next[row].iter_mut().for_each(|node| *node += push));
    }

    /// Displacement in m over one step at one support per newton at the other, one of them all nodes.
    pub(super) fn even_admittance(&self, here: &Support, there: &Support) -> f64 {
        let nodes = |support: &Support| match support {
            Support::Patch { weights, .. } => weights.iter().flatten().sum(),
            Support::Everywhere => 1.0,
            _ => 0.0,
        };
        let moving = self.moving_rows().map(|row| row.len() as f64).sum::<f64>() * self.share();
        match (here, there) {
            (Support::Everywhere, Support::Everywhere) => self.mobility * self.share() * moving,
            (Support::Everywhere, point) | (point, Support::Everywhere) => self.mobility * self.share() * nodes(point),
            _ => 0.0,
        }
    }
}
