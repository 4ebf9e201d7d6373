//! The acceleration of a point, `(u⁺ - 2u + u⁻)/k²`.
//!
//! In the distance r a small surface S that moves is heard as the pressure `ρS ü/4πr`: its acceleration, a moment later. Rejected: the difference of two
//! velocities, half a sample late.

use super::{AtPoint, PickupInfo};
use crate::objects::{At, Bodies, Terminal, Use};

#[derive(Clone, Debug)]
pub(crate) struct Acceleration {
    at: Terminal,
    /// Displacement in m one sample ago and now.
    past: [f64; 2],
}

impl AtPoint for Acceleration {
    const INFO: PickupInfo =
        PickupInfo { name: "acceleration", summary: "acceleration of a point", unit: "m/s²", hears_rest: false };
    const USE: Use = Use::Acceleration;

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
        // By the two steps, which are small beside where the point is.
        rate * rate * ((next - now) - (now - before))
    }

    fn hear_still(&self, _bodies: &Bodies) -> f64 {
        0.0
    }

    fn loudest([_, step]: [f64; 2], rate: f64) -> f64 {
        2.0 * step * rate * rate
    }
}
