//! Values that grow beyond what numbers can hold: caught here, named, and kept from everything else.
//!
//! After every turn the engine looks at what the pickups of a cluster have heard, and now and then at the energy of everything in it. If one is no
//! number, the turn of the cluster is silent, the [`Breakdown`] tells which object or contact it was, and the cluster goes back to how it
//! was built. Other clusters go on: nothing passes between them. The energy account starts anew, since what has left the numbers cannot be counted.

use crate::cluster::Cluster;
use crate::engine::Engine;
use crate::id::{ContactId, ObjectId};
use crate::objects::BodyId;

/// Samples between two looks at the energy of what nobody hears.
const LOOK: u64 = 256;

/// What left the numbers, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breakdown {
    /// Sample before which it happened, by at most 256 samples.
    pub time: u64,
    /// What it was.
    pub culprit: Culprit,
}

/// What left the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Culprit {
    /// The energy of an object.
    Object(ObjectId),
    /// The energy or force of an interaction, all objects being sound.
    Contact(ContactId),
    /// What a pickup makes of objects and interactions that are sound.
    Pickup,
}

impl Engine {
    /// The last breakdown since the last call, if there was one.
    pub fn take_breakdown(&mut self) -> Option<Breakdown> {
        self.breakdown.take()
    }

    /// The name of what broke down.
    pub fn culprit_name(&self, culprit: Culprit) -> Option<&str> {
        match culprit {
            Culprit::Object(object) => self.object_names().nth(object.index()),
            Culprit::Contact(contact) => self.interaction_names().nth(contact.index()),
            Culprit::Pickup => None,
        }
    }

    /// Looks at a cluster after its turn; `sounds` if all that its pickups have heard were numbers.
    #[inline]
    pub(crate) fn guard(&mut self, cluster: &Cluster, samples: usize, sounds: bool) {
        let end = self.time + samples as u64;
        if sounds && !end.is_multiple_of(LOOK) {
            return;
        }
        let culprit = self.culprit_in(cluster);
        if let Some(culprit) = culprit.or((!sounds).then_some(Culprit::Pickup)) {
            self.put_back(cluster);
            self.breakdown = Some(Breakdown { time: end, culprit });
        }
    }

    fn culprit_in(&self, cluster: &Cluster) -> Option<Culprit> {
        let is_broken = |body: &&BodyId| !self.bodies.get(**body).stored_energy().is_finite();
        let object_of = |body: &BodyId| self.bodies.ids().iter().position(|other| other == body);
        let object = cluster.moving.iter().find(is_broken).and_then(object_of);
        let contact = || {
            let links = cluster.links.iter().map(|&link| &self.links[link]);
            links.clone().find(|link| !(link.state.energy() + link.force).is_finite()).map(|link| link.interaction)
        };
        let object = object.map(|object| Culprit::Object(ObjectId::new(object)));
        object.or_else(|| contact().map(|contact| Culprit::Contact(ContactId::new(contact))))
    }

    /// Puts the objects and contacts of a cluster back to how they were built; not barriers, which other clusters may touch.
    #[cold]
    fn put_back(&mut self, cluster: &Cluster) {
        for &body in &cluster.bodies {
            if !self.bodies.is_prescribed(body) {
                self.bodies.get_mut(body).reset();
            }
        }
        for &link in &cluster.links {
            self.links[link].reset(&self.bodies);
        }
        self.restart_account();
    }
}
