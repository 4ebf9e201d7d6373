//! The same modes, all frequencies by one factor: what a stiffer or softer body of the same shape and weight has.
//!
//! Where bending alone restores, `ω² ∝ D`, and shapes, masses and slopes stay as they are.

use std::sync::Arc;

use super::{Mode, Shapes};

/// Modes with other frequencies.
#[derive(Clone, Debug)]
pub(crate) struct Retuned {
    modes: Vec<Mode>,
    shapes: Arc<dyn Shapes>,
}

impl Retuned {
    /// All frequencies times a factor.
    pub fn new(shapes: Arc<dyn Shapes>, factor: f64) -> Self {
        let retuned = |mode: &Mode| Mode { frequency: factor * mode.frequency, ..*mode };
        Self { modes: shapes.modes().iter().map(retuned).collect(), shapes }
    }
}

impl Shapes for Retuned {
    fn modes(&self) -> &[Mode] {
        &self.modes
    }

    fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        self.shapes.at(place, weights);
    }

    fn mean(&self, weights: &mut [f64]) {
        self.shapes.mean(weights);
    }

    fn contains(&self, place: [f64; 2]) -> bool {
        self.shapes.contains(place)
    }

    fn filling(&self) -> f64 {
        self.shapes.filling()
    }
}
