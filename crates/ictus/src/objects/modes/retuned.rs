//! The same modes at other frequencies.
//!
//! All by one factor is what a stiffer or softer body of the same shape and weight has: where bending alone restores, `ω² ∝ D`, and shapes, masses
//! and slopes stay as they are. Each by its own is what a load gives that hardly changes the shapes.

use std::sync::Arc;

use super::{Curvatures, Mode, Shapes};
use crate::objects::ObjectError;

/// Modes with other frequencies.
#[derive(Clone, Debug)]
pub(crate) struct Retuned {
    modes: Vec<Mode>,
    shapes: Arc<dyn Shapes>,
}

impl Retuned {
    /// All frequencies times a factor.
    pub fn new(shapes: Arc<dyn Shapes>, factor: f64) -> Self {
        Self::each(shapes, |_| factor)
    }

    /// Each frequency in Hz times its own factor, which leaves them in their order.
    pub fn each(shapes: Arc<dyn Shapes>, factor: impl Fn(f64) -> f64) -> Self {
        let retuned = |mode: &Mode| Mode { frequency: factor(mode.frequency) * mode.frequency, ..*mode };
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

    fn curvatures(&self, airy_modes: usize) -> Result<Option<Box<dyn Curvatures>>, ObjectError> {
        self.shapes.curvatures(airy_modes)
    }

    fn contains(&self, place: [f64; 2]) -> bool {
        self.shapes.contains(place)
    }

    fn filling(&self) -> f64 {
        self.shapes.filling()
    }
}
