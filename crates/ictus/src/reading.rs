//! What can be read from an engine while it runs, for drawing and for reports. Nothing here allocates.

use crate::contact::Rule;
use crate::engine::Engine;
use crate::id::{ContactId, ForceId, ObjectId};
use crate::laws::Law;
use crate::objects::{At, BodyId, BodyMode, Modal, Place};
use crate::probe::ContactEvent;

impl Engine {
    /// Names of the objects, in the order of the model.
    pub fn object_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.objects.iter().map(String::as_str)
    }

    /// Names of the interactions, in the order of the model.
    pub fn interaction_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.interactions.iter().map(String::as_str)
    }

    /// Names of the forces, in the order of the model.
    pub fn force_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.forces.iter().map(String::as_str)
    }

    /// The object of that name.
    pub fn object(&self, name: &str) -> Option<ObjectId> {
        self.names.objects.iter().position(|other| other == name).map(ObjectId::new)
    }

    /// The interaction of that name.
    pub fn interaction(&self, name: &str) -> Option<ContactId> {
        self.names.interactions.iter().position(|other| other == name).map(ContactId::new)
    }

    /// The force of that name.
    pub fn force(&self, name: &str) -> Option<ForceId> {
        self.names.forces.iter().position(|other| other == name).map(ForceId::new)
    }

    /// What an object is: "mass", "modal object", "string", "bar", "membrane", "plate", "tube" or "barrier".
    pub fn object_kind(&self, object: ObjectId) -> Option<&'static str> {
        Some(self.bodies.get(self.bodies.id(object.index())?).kind())
    }

    /// Points along the two sides of an object: what [`shape`](Self::shape) writes.
    pub fn dimensions(&self, object: ObjectId) -> Option<[usize; 2]> {
        Some(self.bodies.get(self.bodies.id(object.index())?).dimensions())
    }

    /// Writes the displacement in m of an object's points, the first side fastest, as many as `out` holds. For drawing.
    pub fn shape(&self, object: ObjectId, out: &mut [f64]) -> Option<()> {
        self.bodies.get(self.bodies.id(object.index())?).shape(out);
        Some(())
    }

    /// The modes of an object that is computed in its modes, lowest first; none of one that is not.
    pub fn modes(&self, object: ObjectId) -> Option<impl ExactSizeIterator<Item = BodyMode> + '_> {
        Some(self.in_modes(object)?.modes())
    }

    /// Writes φ, the shapes of an object's modes at a place on it, of as many modes as `shapes` holds; none if it is not computed in its
    /// modes or has no such place. The displacement there is the sum of φ times the modes' amplitudes.
    pub fn mode_shapes_at(&self, object: ObjectId, place: Place, shapes: &mut [f64]) -> Option<()> {
        self.in_modes(object)?.shapes_at(place, shapes).ok()
    }

    fn in_modes(&self, object: ObjectId) -> Option<&Modal> {
        match self.bodies.id(object.index())? {
            BodyId::Modal(index) => self.bodies.modals.get(index),
            _ => None,
        }
    }

    /// Displacement in m of a place on an object; none if it has no such place.
    pub fn displacement(&self, object: ObjectId, place: Place) -> Option<f64> {
        let body = self.bodies.id(object.index())?;
        let at = self.bodies.terminal(body, place).ok()?;
        Some(self.bodies.read_at(&at, At::Now) + self.coasted(body))
    }

    /// Energy stored in an object, in J.
    pub fn object_energy(&self, object: ObjectId) -> Option<f64> {
        Some(self.bodies.get(self.bodies.id(object.index())?).stored_energy())
    }

    /// Energy stored in an interaction, in J.
    pub fn interaction_energy(&self, contact: ContactId) -> Option<f64> {
        Some(self.links_of(contact)?.iter().map(|link| link.state.energy()).sum())
    }

    /// Force of an interaction in N; the sum, if it is spread.
    pub fn interaction_force(&self, contact: ContactId) -> Option<f64> {
        Some(self.links_of(contact)?.iter().map(|link| link.force).sum())
    }

    /// The law of an interaction, as it is now; of a spread one per metre, as it was given.
    pub fn interaction_law(&self, contact: ContactId) -> Option<Law> {
        let link = self.links_of(contact)?.first()?;
        let law = *link.contact.law();
        Some(if link.spacing == 1.0 { law } else { law.scaled(1.0 / link.spacing) })
    }

    /// The rule by which an interaction is stepped.
    pub fn interaction_rule(&self, contact: ContactId) -> Option<Rule> {
        Some(self.links_of(contact)?.first()?.contact.rule())
    }

    /// Whether an interaction is switched on and has not slipped off.
    pub fn is_active(&self, contact: ContactId) -> Option<bool> {
        Some(self.links_of(contact)?.iter().any(|link| link.active && !link.slipped))
    }

    /// Whether an interaction pushed or pulled in the last sample; for a spread one, at any of its points.
    pub fn is_touching(&self, contact: ContactId) -> Option<bool> {
        Some(self.links_of(contact)?.iter().any(|link| link.force != 0.0))
    }

    /// Compression of an interaction in m, negative when its points are apart; of a spread one the largest.
    pub fn compression(&self, contact: ContactId) -> Option<f64> {
        let now = |index: usize| {
            let link = &self.links[index];
            if self.is_followed(index) {
                return link.now;
            }
            link.compression(&self.bodies, At::Now) + self.coasted(link.from.body) - self.coasted(link.to.body)
        };
        self.link_range(contact)?.map(now).reduce(f64::max)
    }

    /// Contacts that ended when there was no room to remember them.
    pub fn missed_contacts(&self) -> u64 {
        self.contacts.missed()
    }

    /// Hands over the contacts that have ended since the last call, oldest first.
    pub fn drain_contacts(&mut self) -> impl Iterator<Item = ContactEvent> + '_ {
        self.contacts.drain()
    }
}
