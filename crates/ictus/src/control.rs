//! Changes while the engine runs: between two samples, without allocation and without creating energy.
//!
//! A contact keeps its ψ, and so its stored energy, when its law, place or gap changes; what then no longer fits its curve is put
//! right by the rule for g in the steps that follow, out of the energy there is. What a throw, a pluck or a moved barrier
//! brings in is booked as supplied. What a build would refuse is refused (`control/checks.rs`), and changes nothing.

mod change;
mod checks;

use crate::contact::Contact;
use crate::engine::Engine;
use crate::id::{ContactId, ForceId, ObjectId, PickupId};
use crate::laws::Law;
use crate::limits;
use crate::link::Link;
use crate::objects::{At, Barrier, Bodies, BodyId, ObjectError, Place, checked};

pub use change::{Change, End};

/// Why a change could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// There is no such object, interaction, force or pickup, or it is of another kind.
    #[error("no {kind} number {index} that could take this change")]
    NoTarget {
        /// What was looked for.
        kind: &'static str,
        /// The number given.
        index: usize,
    },
    /// A value is not allowed.
    #[error(transparent)]
    Value(#[from] ObjectError),
}

impl Engine {
    /// Makes a change before the next sample.
    pub fn change(&mut self, change: &Change) -> Result<(), ControlError> {
        self.disturb_by(change);
        match *change {
            Change::Law { contact, law } => self.set_law(contact, law),
            Change::Damping { contact, damping } => {
                limits::resistance(damping)?;
                self.check_contacts(contact, |link| *link.contact.law(), Some(damping))?;
                self.for_links(contact, |link| link.contact = link.contact.with_damping(damping))
            }
            Change::Rule { contact, rule } => self.adopt(contact, |link| link.contact.with_rule(rule)),
            Change::Travel { contact, velocity } => self.set_travel(contact, velocity),
            Change::Active { contact, active } => self.set_active(contact, active),
            Change::Gap { contact, gap } => {
                self.check_gap(contact, gap)?;
                let range = self.link_range(contact).ok_or(no("interaction", contact))?;
                for link in &mut self.links[range] {
                    (link.gap, link.shift) = (link.gap_of(gap), 0.0);
                    self.ledger.dissipated.add(link.refresh_or_let_go(&self.bodies));
                }
                Ok(())
            }
            Change::Move { contact, end, place } => self.move_end(contact, end, place),
            Change::Throw { object, displacement, velocity } => self.throw(object, displacement, velocity),
            Change::Velocity { object, velocity } => {
                limits::velocity("velocity", velocity)?;
                self.barrier_mut(object)?.set_velocity(velocity);
                self.bodies.barriers_move = true;
                Ok(())
            }
            Change::Height { object, height } => {
                limits::reach("height", height)?;
                self.set_height(object, height)?;
                self.bodies.barriers_move = true;
                Ok(())
            }
            Change::Level { force, level } => {
                checked("force", level, "finite", |_| true)?;
                self.drive_mut(force)?.level = level;
                Ok(())
            }
            Change::Trigger { force } => {
                self.drive_mut(force)?.position = 0;
                Ok(())
            }
            Change::Bend { object, ratio } => self.bend(object, ratio),
            Change::Decay { object, factor } => self.damp(object, factor),
            Change::Pluck { object, centre, half_width, height } => self.pluck(object, centre, half_width, height),
            Change::MovePickup { pickup, place } => self.move_pickup(pickup, place),
            Change::Gain { pickup, channel, gain } => {
                checked("gain", gain, "finite", |_| true)?;
                if channel >= self.channels {
                    return Err(no("channel", channel));
                }
                let place = pickup.index().checked_mul(self.channels).and_then(|first| first.checked_add(channel));
                *place.and_then(|place| self.gains.get_mut(place)).ok_or(no("pickup", pickup))? = gain;
                Ok(())
            }
        }
    }

    /// Lets a force follow these samples from the next one on, in place of what its signal was doing: the sound of another instrument, block by block.
    /// Each is multiplied by the force's level; what is no number is 0. A signal takes at most as many samples as it was built with. Costs no memory.
    ///
    /// # Errors
    /// There is no such force, or it has no signal, or one shorter than this.
    pub fn feed(&mut self, force: ForceId, samples: &[f64]) -> Result<(), ControlError> {
        let drive = self.drives.get_mut(force.index()).ok_or(no("force", force))?;
        let (body, was_playing) = (drive.at.body, drive.is_playing());
        let signal = drive.signal.as_mut().ok_or(no("force with a signal", force))?;
        let first = signal.len().checked_sub(samples.len()).ok_or(no("force with so long a signal", force))?;
        for (room, sample) in signal[first..].iter_mut().zip(samples) {
            *room = if sample.is_finite() { sample.clamp(-limits::STRONGEST, limits::STRONGEST) } else { 0.0 };
        }
        // In silence what is driven may come to rest.
        drive.position = if signal[first..].iter().any(|sample| *sample != 0.0) { first } else { usize::MAX };
        if drive.is_playing() && !was_playing {
            self.disturb_body(body);
        }
        Ok(())
    }

    fn for_links(&mut self, contact: ContactId, change: impl Fn(&mut Link)) -> Result<(), ControlError> {
        let range = self.link_range(contact).ok_or(no("interaction", contact))?;
        self.links[range].iter_mut().for_each(change);
        Ok(())
    }

    /// Gives the links of an interaction other contacts, and books what these cannot hold.
    fn adopt(&mut self, contact: ContactId, renewed: impl Fn(&Link) -> Contact) -> Result<(), ControlError> {
        let range = self.link_range(contact).ok_or(no("interaction", contact))?;
        for link in &mut self.links[range] {
            self.ledger.dissipated.add(link.adopt(renewed(link)));
        }
        Ok(())
    }

    fn set_law(&mut self, contact: ContactId, law: Law) -> Result<(), ControlError> {
        let law = |link: &Link| if link.spacing != 1.0 { law.scaled(link.spacing) } else { law };
        self.check_contacts(contact, law, None)?;
        self.adopt(contact, |link| link.contact.with_law(law(link)))?;
        self.for_links(contact, Link::fit_surface)?;
        self.surfaces_shifted = true;
        Ok(())
    }

    fn set_travel(&mut self, contact: ContactId, velocity: f64) -> Result<(), ControlError> {
        let range = self.link_range(contact).ok_or(no("interaction", contact))?;
        let road = self.links[range].first_mut().and_then(|link| link.road.as_mut());
        Ok(road.ok_or(no("rough interaction", contact))?.set_velocity(velocity)?)
    }

    fn set_active(&mut self, contact: ContactId, active: bool) -> Result<(), ControlError> {
        let range = self.link_range(contact).ok_or(no("interaction", contact))?;
        for index in range {
            let link = &mut self.links[index];
            if !active && link.active {
                self.ledger.dissipated.add(link.let_go());
                link.force = 0.0;
                self.contacts.watch(index, link, self.rate, self.time);
            }
            let watched = active || link.road.is_some();
            [&link.from, &link.to].into_iter().for_each(|at| self.bodies.follow(at, watched));
            if active && (!link.active || link.slipped) {
                // While it was off, or had slipped off, nobody looked at it.
                link.refresh(&self.bodies);
                link.last_step = link.now - link.previous;
            }
            self.islands_stale |= link.active != active;
            (link.active, link.slipped) = (active, false);
        }
        Ok(())
    }

    fn move_end(&mut self, contact: ContactId, end: End, place: Place) -> Result<(), ControlError> {
        let range = self.link_range(contact).ok_or(no("interaction", contact))?;
        if range.len() != 1 {
            return Err(no("single-point interaction", contact));
        }
        let link = &self.links[range.start];
        match end {
            End::From => self.check_ends(link, &self.bodies.terminal(link.from.body, place)?, &link.to)?,
            End::To => self.check_ends(link, &link.from, &self.bodies.terminal(link.to.body, place)?)?,
        }
        let link = &mut self.links[range.start];
        let terminal = if end == End::From { &mut link.from } else { &mut link.to };
        self.bodies.move_point(terminal, place)?;
        self.ledger.dissipated.add(link.refresh_or_let_go(&self.bodies));
        self.islands_stale = true;
        Ok(())
    }

    /// Sets a state, books the energy it brings and reads every compression anew.
    fn disturb(&mut self, body: BodyId, set: impl FnOnce(&mut Bodies)) {
        let before = self.bodies.get(body).stored_energy();
        set(&mut self.bodies);
        self.ledger.supply(self.bodies.get(body).stored_energy() - before);
        // Those that nobody looks at hold nothing, and are read when they are looked at again.
        let moved = |link: &&mut Link| link.is_watched() && (link.from.body == body || link.to.body == body);
        for link in self.links.iter_mut().filter(moved) {
            self.ledger.dissipated.add(link.refresh_or_let_go(&self.bodies));
        }
    }

    fn throw(&mut self, object: ObjectId, displacement: f64, velocity: f64) -> Result<(), ControlError> {
        limits::reach("displacement", displacement)?;
        limits::velocity("velocity", velocity)?;
        let Some(body) = self.bodies.id(object.index()) else { return Err(no("mass", object)) };
        match body {
            BodyId::Mass(mass) => {
                self.check_throw(mass, displacement, velocity)?;
                self.disturb(body, |bodies| bodies.masses[mass].launch(displacement, velocity));
            }
            BodyId::Barrier(barrier) => {
                let step = velocity / self.rate;
                self.check_displacement(body, |at| if at == At::Now { displacement } else { displacement - step })?;
                self.disturb(body, |bodies| bodies.barriers[barrier].place(displacement, velocity));
                self.bodies.barriers_move = true;
            }
            _ => return Err(no("mass", object)),
        }
        Ok(())
    }

    fn set_height(&mut self, object: ObjectId, height: f64) -> Result<(), ControlError> {
        let Some(body @ BodyId::Barrier(barrier)) = self.bodies.id(object.index()) else {
            return Err(no("barrier", object));
        };
        self.check_displacement(body, |_| height)?;
        self.bodies.barriers[barrier].set_height(height);
        Ok(())
    }

    fn pluck(&mut self, object: ObjectId, centre: f64, half_width: f64, height: f64) -> Result<(), ControlError> {
        checked("centre", centre, "from 0 to 1", |value| (0.0..=1.0).contains(&value))?;
        checked("half-width", half_width, "above 0, at most 1", |value| value > 0.0 && value <= 1.0)?;
        checked("height", height, "at most 1e3 m either way", |value| value.abs() <= 1e3)?;
        let body = self.bodies.id(object.index()).filter(|body| self.bodies.segments(*body).is_some());
        let body = body.ok_or(no("string or bar", object))?;
        self.disturb(body, |bodies| match body {
            BodyId::Line(line) => bodies.lines[line].pluck(centre, half_width, height),
            BodyId::Modal(modal) => bodies.modals[modal].pluck(Place::Along(centre), half_width, height),
            _ => {}
        });
        Ok(())
    }

    fn bend(&mut self, object: ObjectId, ratio: f64) -> Result<(), ControlError> {
        self.retune("string", object, |bodies, body| match body {
            BodyId::Line(line) => bodies.lines[line].bend(ratio),
            BodyId::Modal(modal) => bodies.modals[modal].bend(ratio),
            _ => None,
        })
    }

    fn damp(&mut self, object: ObjectId, factor: f64) -> Result<(), ControlError> {
        self.retune("object in modes", object, |bodies, body| match body {
            BodyId::Modal(modal) => Some(bodies.modals[modal].damp(factor)),
            _ => None,
        })?;
        // What a push does has changed with the loss, by less than it sounds.
        self.links.iter_mut().for_each(|link| link.meet(&self.bodies));
        self.islands_stale = true;
        Ok(())
    }

    /// Changes how an object moves and books the energy that takes.
    fn retune(
        &mut self,
        kind: &'static str,
        object: ObjectId,
        change: impl FnOnce(&mut Bodies, BodyId) -> Option<Result<(), ObjectError>>,
    ) -> Result<(), ControlError> {
        let body = self.bodies.id(object.index()).ok_or(no(kind, object))?;
        let before = self.bodies.get(body).stored_energy();
        change(&mut self.bodies, body).ok_or(no(kind, object))??;
        self.ledger.supply(self.bodies.get(body).stored_energy() - before);
        Ok(())
    }

    fn barrier_mut(&mut self, object: ObjectId) -> Result<&mut Barrier, ControlError> {
        match self.bodies.id(object.index()) {
            Some(BodyId::Barrier(barrier)) => Ok(&mut self.bodies.barriers[barrier]),
            _ => Err(no("barrier", object)),
        }
    }

    fn drive_mut(&mut self, force: ForceId) -> Result<&mut crate::engine::Drive, ControlError> {
        self.drives.get_mut(force.index()).ok_or(no("force", force))
    }

    fn move_pickup(&mut self, pickup: PickupId, place: Place) -> Result<(), ControlError> {
        let Self { listeners, bodies, .. } = self;
        let listener = listeners.get_mut(pickup.index()).ok_or(no("pickup", pickup))?;
        let (at, _) = listener.place_mut().ok_or(no("pickup with a place", pickup))?;
        Ok(bodies.move_point(at, place)?)
    }
}

fn no(kind: &'static str, index: impl Into<usize>) -> ControlError {
    ControlError::NoTarget { kind, index: index.into() }
}
