//! Places on a sheet in its standing waves, and those that are heard or pushed in every sample.

use super::kernel::Weights;

/// A place between nodes: the first of four nodes along a row and of four rows, with the weights of the four each way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cross {
    pub first: [usize; 2],
    pub along: [f64; 4],
    pub down: [f64; 4],
}

impl Cross {
    pub(super) fn new([(along, along_weights), (down, down_weights)]: [(usize, [f64; 4]); 2]) -> Self {
        Self { first: [along, down], along: along_weights, down: down_weights }
    }

    /// Σ I I' over the nodes that two places share; the same either way round.
    pub(super) fn overlap(&self, other: &Self) -> f64 {
        let shared = |first: usize, weights: &[f64; 4], other: usize, other_weights: &[f64; 4]| -> f64 {
            let nodes = first.max(other)..(first + 4).min(other + 4);
            nodes.map(|node| weights[node - first] * other_weights[node - other]).sum()
        };
        shared(self.first[0], &self.along, other.first[0], &other.along)
            * shared(self.first[1], &self.down, other.first[1], &other.down)
    }
}

/// A place that is heard or pushed in every sample.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pub cross: Cross,
    pub weights: Weights,
    /// Displacement in m of the previous, the current and the next sample.
    pub displacements: [f64; 3],
    /// What the waves have yet to feel, in N.
    pub force: f64,
}
