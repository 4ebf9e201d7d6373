//! Whether a change may be made: what a build would refuse is refused while the model runs too, before anything has changed.
//!
//! A contact that is on is looked at as deep as the change would press or stretch it: its stiffness per step, its resistance per step and
//! what its law would store there. One that is off is asked only what a blow would meet, as in a build. What presses a contact no deeper than it
//! is may always be done: whatever has happened to the bodies, a hand may take them back.

use super::{ControlError, no};
use crate::engine::Engine;
use crate::id::ContactId;
use crate::laws::{ContactLaw, Law};
use crate::limits;
use crate::link::Link;
use crate::objects::{At, Body, BodyId, Support, Terminal};

impl Engine {
    /// Checks a law and a resistance in N s/m against what the links of an interaction touch; its own resistance if none is given.
    pub(super) fn check_contacts(
        &self,
        contact: ContactId,
        law: impl Fn(&Link) -> Law,
        damping: Option<f64>,
    ) -> Result<(), ControlError> {
        for link in self.links_of(contact).ok_or(no("interaction", contact))? {
            let law = law(link);
            // What only pushes is fitted to where it is pressed; what also pulls has to bear it.
            let pressed = if link.active && law.surface().is_none() { link.now } else { 0.0 };
            let damping = damping.unwrap_or(link.contact.damping());
            limits::contact(&law, damping, link.admittance, self.rate, pressed)?;
        }
        Ok(())
    }

    /// Checks another gap in m.
    pub(super) fn check_gap(&self, contact: ContactId, gap: f64) -> Result<(), ControlError> {
        limits::position("gap", gap)?;
        for link in self.links_of(contact).ok_or(no("interaction", contact))? {
            let nearer = link.gap - link.gap_of(gap);
            self.check_pressed(link, link.admittance, |at| link.compression(&self.bodies, at) + nearer)?;
        }
        Ok(())
    }

    /// Checks a link between other points.
    pub(super) fn check_ends(&self, link: &Link, from: &Terminal, to: &Terminal) -> Result<(), ControlError> {
        let admittance = link.admittance_between(from, to, &self.bodies);
        self.check_pressed(link, admittance, |at| link.compression_between(from, to, &self.bodies, at))
    }

    /// Checks the contacts of a body that would be at other displacements, in m.
    pub(super) fn check_displacement(&self, body: BodyId, at: impl Fn(At) -> f64) -> Result<(), ControlError> {
        for link in self.links.iter().filter(|link| link.from.body == body || link.to.body == body) {
            let end = if link.from.body == body { &link.from } else { &link.to };
            let direction = if link.from.body == body { 1.0 } else { -1.0 };
            self.check_pressed(link, link.admittance, |when| {
                let moved = at(when) - self.bodies.read_at(end, when);
                link.compression(&self.bodies, when) + direction * moved
            })?;
        }
        Ok(())
    }

    /// Checks a mass that is put at a displacement in m with a velocity in m/s.
    pub(super) fn check_throw(&self, mass: usize, displacement: f64, velocity: f64) -> Result<(), ControlError> {
        let mut thrown = self.bodies.masses[mass].clone();
        thrown.launch(displacement, velocity);
        limits::stored(thrown.stored_energy())?;
        self.check_displacement(BodyId::Mass(mass), |at| thrown.read(&Support::Whole, at))
    }

    /// Checks a link at other compressions in m between points of an admittance in m/N; if that is harder on it than what is.
    fn check_pressed(&self, link: &Link, admittance: f64, compression: impl Fn(At) -> f64) -> Result<(), ControlError> {
        let deepest = |compression: &dyn Fn(At) -> f64| {
            if link.active { compression(At::Now).max(compression(At::Previous)) } else { 0.0 }
        };
        let law = link.contact.law();
        let pressed = deepest(&compression);
        let stored = law.potential(pressed);
        let stores = law.potential(deepest(&|at| link.compression(&self.bodies, at)));
        // Nor is anything harder than what is no number.
        let harder = stored > stores || admittance > link.admittance;
        if !harder {
            return Ok(());
        }
        limits::contact(law, link.contact.damping(), admittance, self.rate, pressed)?;
        limits::stored(stored)?;
        Ok(())
    }
}
