//! Clusters that stand still under load: a string pressed aside by a damper stores energy for good, and none of it can sound.
//!
//! Let u be the displacements of all modes, K their stiffnesses and V the potential of the linear springs between them. At equilibrium
//! `K u + V' = 0`. Away from it, the energy above that of the equilibrium is
//!
//! ```text
//! E = ½ρᵀ(K + V'')⁻¹ρ + T ≤ ½ρᵀK⁻¹ρ + T,    ρ = K u + V'
//! ```
//!
//! with T the kinetic energy, because springs only add to the stiffness. The bound needs the forces of the springs alone: it is the energy of each mode about the
//! displacement at which those forces hold it, [`Body::unrest`](crate::objects::Body::unrest). Resistance takes from E and nothing adds to it.
//! If no pickup can hear E, the cluster stands still.
//!
//! The forces are those of the last step and the displacements those of its middle, so the bound is taken with a [`MARGIN`], and at [`SETTLED`] looks in a row: what
//! swings shows its full energy at one of them.
//!
//! Only linear springs may be loaded, and only bodies in modes: a contact that is pressed has a force that depends on how it came there, and a mode of 0 Hz is held by nothing.

use crate::cluster::Cluster;
use crate::engine::Engine;
use crate::laws::ContactLaw;
use crate::link::Link;
use crate::pickups::Heard;
use crate::rest::LOOK;

/// Samples between two of them: they take as long as a sample of everything.
pub(crate) const BETWEEN: u64 = 8 * LOOK;

/// Looks in a row at which a cluster must be in equilibrium.
pub(crate) const SETTLED: u32 = 8;

/// Factor on the energy that is left, and on the displacement: it stops somewhere on its way round the equilibrium.
const MARGIN: [f64; 2] = [4.0, 2.0];

impl Engine {
    /// Whether a cluster is so near to an equilibrium that nothing of the difference can be heard.
    pub(crate) fn is_in_equilibrium(&self, cluster: &Cluster) -> bool {
        let is_linear = |link: &Link| {
            let law = link.contact.law();
            let slack = link.state.energy() == 0.0 && !law.is_friction();
            !link.active || link.slipped || slack || law.spring_stiffness().is_some()
        };
        if !cluster.links.iter().all(|&link| is_linear(&self.links[link])) {
            return false;
        }
        let held = cluster.moving.iter().filter(|body| !self.is_free(**body));
        let unrest = MARGIN[0] * held.map(|body| self.bodies.get(*body).unrest()).sum::<f64>();
        // What is no number is heard.
        if !unrest.is_finite() {
            return false;
        }
        let heard = |index: &usize| match self.listeners[*index].heard() {
            Heard::Point(at) => {
                let [displacement, step] = self.bodies.get(at.body).excursion(&at.support, unrest);
                self.listeners[*index].loudest([MARGIN[1] * displacement, step], self.rate)
            }
            Heard::Links(_) => f64::INFINITY,
        };
        let audible = |index: &&usize| self.largest_gain(**index) > 0.0;
        let level: f64 =
            cluster.listeners.iter().filter(audible).map(|index| self.largest_gain(*index) * heard(index)).sum();
        level <= self.inaudible() && !cluster.listeners.is_empty()
    }
}
