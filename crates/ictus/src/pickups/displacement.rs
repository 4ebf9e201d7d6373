//! The displacement of a point, u at the start of the step.

use super::{AtPoint, PickupInfo};
use crate::objects::{At, Bodies, Terminal, Use};

#[derive(Clone, Debug)]
pub(crate) struct Displacement {
    at: Terminal,
}

impl AtPoint for Displacement {
    const INFO: PickupInfo =
        PickupInfo { name: "displacement", summary: "displacement of a point", unit: "m", hears_rest: true };
    const USE: Use = Use::Displacement;

    fn new(at: Terminal) -> Self {
        Self { at }
    }

    fn at(&self) -> &Terminal {
        &self.at
    }

    fn at_mut(&mut self) -> &mut Terminal {
        &mut self.at
    }

    #[inline(always)]
    fn hear(&mut self, bodies: &Bodies, _rate: f64) -> f64 {
        bodies.read_at(&self.at, At::Now)
    }

    fn hear_still(&self, bodies: &Bodies) -> f64 {
        bodies.read_at(&self.at, At::Now)
    }

    fn loudest([displacement, _]: [f64; 2], _rate: f64) -> f64 {
        displacement
    }
}
