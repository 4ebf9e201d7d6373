//! The velocity of a point, centred: `(u⁺ - u⁻)/2k`.
//!
//! With the exact poles of a mode its velocity after a blow is then exact at any frequency. Rejected: the backward difference, which is
//! 1/cos(ωk/2) too loud and half a sample late.

use super::{AtPoint, PickupInfo};
use crate::objects::{At, Bodies, Terminal, Use};

#[derive(Clone, Debug)]
pub(crate) struct Velocity {
    at: Terminal,
    /// Displacement in m one sample ago and now.
    past: [f64; 2],
}

impl AtPoint for Velocity {
    const INFO: PickupInfo =
        PickupInfo { name: "velocity", summary: "velocity of a point", unit: "m/s", hears_rest: false };
    const USE: Use = Use::Velocity;

    fn new(at: Terminal) -> Self {
        Self { at, past: [0.0; 2] }
    }

    fn at(&self) -> &Terminal {
        &self.at
    }

    fn at_mut(&mut self) -> &mut Terminal {
        &mut self.at
    }

    fn prepare(&mut self, bodies: &Bodies) {
        self.past = [At::Previous, At::Now].map(|when| bodies.read_at(&self.at, when));
    }

    #[inline(always)]
    fn hear(&mut self, bodies: &Bodies, rate: f64) -> f64 {
        let next = bodies.read_at(&self.at, At::Next);
        let [before, now] = self.past;
        self.past = [now, next];
        0.5 * rate * (next - before)
    }

    fn hear_still(&self, _bodies: &Bodies) -> f64 {
        0.0
    }

    fn loudest([_, step]: [f64; 2], rate: f64) -> f64 {
        step * rate
    }
}
