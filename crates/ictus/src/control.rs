//! Changes while the engine runs: at once or at a given sample, without allocation and without creating energy.
//!
//! A contact keeps its ψ, and so its stored energy, when its law, place or gap changes; what then no longer fits its curve is put
//! right by the rule for g in the steps that follow, out of the energy there is. What a throw, a pluck or a moved barrier
//! brings in is booked as supplied. What a build would refuse is refused (`control/checks.rs`), and changes nothing.

mod checks;

use crate::contact::{Contact, Rule};
use crate::engine::Engine;
use crate::laws::Law;
use crate::limits;
use crate::link::Link;
use crate::objects::{At, Barrier, Bodies, BodyId, ObjectError, Place, checked};

/// Which end of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum End {
    /// The point below.
    From,
    /// The point above.
    To,
}

/// A change of something that runs. Objects, interactions and forces are named by their place in the model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// Another law for an interaction. For spread interactions its stiffness is per metre. What is stored stays, unless the law cannot hold it, as
    /// a wall no tension: then it is dissipated.
    Law(usize, Law),
    /// Another resistance in parallel with the law, in N s/m.
    Damping(usize, f64),
    /// Another rule for g. ψ stays, and with it the stored energy, unless the rule cannot hold it: then it is dissipated.
    Rule(usize, Rule),
    /// Velocity in m/s of the travel over an interaction's [`roughness`](crate::model::Interaction::roughness).
    Travel(usize, f64),
    /// Switches an interaction on or off; what it stored when switched off is dissipated.
    Active(usize, bool),
    /// Another gap in m, at most 10 either way.
    Gap(usize, f64),
    /// Another place for one end of an interaction.
    Move(usize, End, Place),
    /// Sets displacement (m, at most 1e3 either way) and velocity (m/s, at most 1e4) of a mass or a barrier. An interaction with it that is on feels the jump.
    Throw(usize, f64, f64),
    /// Velocity of a barrier in m/s, at most 1e4 either way: a bow, a moving surface.
    Velocity(usize, f64),
    /// Height of a barrier in m, at most 1e3 either way, reached at the next sample.
    Height(usize, f64),
    /// Level of a force in N, or the factor of its signal.
    Level(usize, f64),
    /// Starts a force's signal from its beginning.
    Trigger(usize),
    /// Bends the pitch of a string: its lowest mode then rings at this ratio to the frequency it was built with, from 0.25 to the
    /// [`bend`](crate::objects::StringSpec::bend) it was built for; exactly with simply supported ends, within a cent over an octave
    /// with others. The tension changes, the motion does not; the energy that takes is booked as supplied. For a glide, change it a
    /// little every few samples. Like all that was changed, it stays so when the engine is reset.
    Bend(usize, f64),
    /// Multiplies all decay rates that an object in modes was built with by a factor, from 0 to 1e6: 2 halves every T60. The motion does not change;
    /// the little energy that takes is booked as supplied. It stays so when the engine is reset.
    Decay(usize, f64),
    /// Adds a raised cosine to a string or bar at rest: centre and half-width as fractions of the length, height in m.
    Pluck(usize, f64, f64, f64),
    /// Another point for a pickup.
    MovePickup(usize, Place),
    /// Gain of a pickup in a channel.
    Gain(usize, usize, f64),
}

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
    /// Too many changes are waiting.
    #[error("{0} changes are already waiting: the schedule is full")]
    Full(usize),
}

/// Changes that wait for their sample, soonest last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    waiting: Vec<(u64, Change)>,
}

impl Schedule {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { waiting: Vec::with_capacity(capacity) }
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    fn add(&mut self, time: u64, change: Change) -> Result<(), ControlError> {
        if self.waiting.len() == self.waiting.capacity() {
            return Err(ControlError::Full(self.waiting.len()));
        }
        // Among changes of one sample, the one added first comes first.
        let place = self.waiting.partition_point(|(other, _)| *other > time);
        self.waiting.insert(place, (time, change));
        Ok(())
    }

    /// Sample of the next change.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.waiting.last().map(|(due, _)| *due)
    }

    #[inline]
    fn pop_due(&mut self, time: u64) -> Option<Change> {
        match self.waiting.last() {
            Some((due, _)) if *due <= time => self.waiting.pop().map(|(_, change)| change),
            _ => None,
        }
    }
}

impl Engine {
    /// Makes a change before the next sample.
    pub fn change(&mut self, change: &Change) -> Result<(), ControlError> {
        match *change {
            Change::Law(index, law) => self.set_law(index, law),
            Change::Damping(index, damping) => {
                limits::resistance(damping)?;
                self.check_contacts(index, |link| *link.contact.law(), Some(damping))?;
                self.for_links(index, |link| link.contact = link.contact.with_damping(damping))
            }
            Change::Rule(index, rule) => self.adopt(index, |link| link.contact.with_rule(rule)),
            Change::Travel(index, velocity) => self.set_travel(index, velocity),
            Change::Active(index, active) => self.set_active(index, active),
            Change::Gap(index, gap) => {
                self.check_gap(index, gap)?;
                let range = self.link_range(index).ok_or(no("interaction", index))?;
                for link in &mut self.links[range] {
                    (link.gap, link.shift) = (link.gap_of(gap), 0.0);
                    self.ledger.dissipated.add(link.refresh_or_let_go(&self.bodies));
                }
                Ok(())
            }
            Change::Move(index, end, place) => self.move_end(index, end, place),
            Change::Throw(index, displacement, velocity) => self.throw(index, displacement, velocity),
            Change::Velocity(index, velocity) => {
                limits::velocity("velocity", velocity)?;
                self.barrier_mut(index)?.set_velocity(velocity);
                self.bodies.barriers_move = true;
                Ok(())
            }
            Change::Height(index, height) => {
                limits::reach("height", height)?;
                self.set_height(index, height)?;
                self.bodies.barriers_move = true;
                Ok(())
            }
            Change::Level(index, level) => {
                checked("force", level, "finite", |_| true)?;
                self.drive_mut(index)?.level = level;
                Ok(())
            }
            Change::Trigger(index) => {
                self.drive_mut(index)?.position = 0;
                Ok(())
            }
            Change::Bend(index, ratio) => self.bend(index, ratio),
            Change::Decay(index, factor) => self.damp(index, factor),
            Change::Pluck(index, centre, half_width, height) => self.pluck(index, centre, half_width, height),
            Change::MovePickup(index, place) => self.move_pickup(index, place),
            Change::Gain(index, channel, gain) => {
                checked("gain", gain, "finite", |_| true)?;
                if channel >= self.channels {
                    return Err(no("channel", channel));
                }
                let place = index.checked_mul(self.channels).and_then(|first| first.checked_add(channel));
                *place.and_then(|place| self.gains.get_mut(place)).ok_or(no("pickup", index))? = gain;
                Ok(())
            }
        }
    }

    /// Makes a change at a sample, counted from the start; at once if that has passed.
    pub fn schedule(&mut self, time: u64, change: Change) -> Result<(), ControlError> {
        self.schedule.add(time, change)
    }

    /// Changes that fall due; one that cannot be made is dropped.
    #[inline]
    pub(crate) fn apply_due_changes(&mut self) {
        while let Some(change) = self.schedule.pop_due(self.time) {
            let _ = self.change(&change);
        }
    }

    fn for_links(&mut self, index: usize, change: impl Fn(&mut Link)) -> Result<(), ControlError> {
        let range = self.link_range(index).ok_or(no("interaction", index))?;
        self.links[range].iter_mut().for_each(change);
        Ok(())
    }

    /// Gives the links of an interaction other contacts, and books what these cannot hold.
    fn adopt(&mut self, index: usize, contact: impl Fn(&Link) -> Contact) -> Result<(), ControlError> {
        let range = self.link_range(index).ok_or(no("interaction", index))?;
        for link in &mut self.links[range] {
            let contact = contact(link);
            self.ledger.dissipated.add(link.adopt(contact));
        }
        Ok(())
    }

    fn set_law(&mut self, index: usize, law: Law) -> Result<(), ControlError> {
        let law = |link: &Link| if link.spacing != 1.0 { law.scaled(link.spacing) } else { law };
        self.check_contacts(index, law, None)?;
        self.adopt(index, |link| link.contact.with_law(law(link)))?;
        self.for_links(index, Link::fit_surface)?;
        self.surfaces_shifted = true;
        Ok(())
    }

    fn set_travel(&mut self, index: usize, velocity: f64) -> Result<(), ControlError> {
        let range = self.link_range(index).ok_or(no("interaction", index))?;
        let road = self.links[range].first_mut().and_then(|link| link.road.as_mut());
        Ok(road.ok_or(no("rough interaction", index))?.set_velocity(velocity)?)
    }

    fn set_active(&mut self, index: usize, active: bool) -> Result<(), ControlError> {
        let range = self.link_range(index).ok_or(no("interaction", index))?;
        for index in range {
            let link = &mut self.links[index];
            if !active && link.active {
                self.ledger.dissipated.add(link.let_go());
                link.force = 0.0;
                self.contacts.watch(index, link, self.rate, self.time);
            }
            let watched = active || link.road.is_some();
            [&link.from, &link.to].into_iter().for_each(|at| self.bodies.follow(at, watched));
            if active && !link.active {
                // While it was off nobody looked at it.
                link.refresh(&self.bodies);
                link.last_step = link.now - link.previous;
            }
            self.islands_stale |= link.active != active;
            (link.active, link.slipped) = (active, false);
        }
        Ok(())
    }

    fn move_end(&mut self, index: usize, end: End, place: Place) -> Result<(), ControlError> {
        let range = self.link_range(index).ok_or(no("interaction", index))?;
        if range.len() != 1 {
            return Err(no("single-point interaction", index));
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
        for link in self.links.iter_mut().filter(|link| link.from.body == body || link.to.body == body) {
            self.ledger.dissipated.add(link.refresh_or_let_go(&self.bodies));
        }
    }

    fn throw(&mut self, index: usize, displacement: f64, velocity: f64) -> Result<(), ControlError> {
        limits::reach("displacement", displacement)?;
        limits::velocity("velocity", velocity)?;
        let Some(body) = self.bodies.id(index) else { return Err(no("mass", index)) };
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
            _ => return Err(no("mass", index)),
        }
        Ok(())
    }

    fn set_height(&mut self, index: usize, height: f64) -> Result<(), ControlError> {
        let Some(body @ BodyId::Barrier(barrier)) = self.bodies.id(index) else { return Err(no("barrier", index)) };
        self.check_displacement(body, |_| height)?;
        self.bodies.barriers[barrier].set_height(height);
        Ok(())
    }

    fn pluck(&mut self, index: usize, centre: f64, half_width: f64, height: f64) -> Result<(), ControlError> {
        checked("centre", centre, "from 0 to 1", |value| (0.0..=1.0).contains(&value))?;
        checked("half-width", half_width, "above 0, at most 1", |value| value > 0.0 && value <= 1.0)?;
        checked("height", height, "at most 1e3 m either way", |value| value.abs() <= 1e3)?;
        let body = self.bodies.id(index).filter(|body| self.bodies.segments(*body).is_some());
        let body = body.ok_or(no("string or bar", index))?;
        self.disturb(body, |bodies| match body {
            BodyId::Line(line) => bodies.lines[line].pluck(centre, half_width, height),
            BodyId::Modal(modal) => bodies.modals[modal].pluck(Place::Along(centre), half_width, height),
            _ => {}
        });
        Ok(())
    }

    fn bend(&mut self, index: usize, ratio: f64) -> Result<(), ControlError> {
        self.retune("string", index, |bodies, body| match body {
            BodyId::Line(line) => bodies.lines[line].bend(ratio),
            BodyId::Modal(modal) => bodies.modals[modal].bend(ratio),
            _ => None,
        })
    }

    fn damp(&mut self, index: usize, factor: f64) -> Result<(), ControlError> {
        self.retune("object in modes", index, |bodies, body| match body {
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
        index: usize,
        change: impl FnOnce(&mut Bodies, BodyId) -> Option<Result<(), ObjectError>>,
    ) -> Result<(), ControlError> {
        let body = self.bodies.id(index).ok_or(no(kind, index))?;
        let before = self.bodies.get(body).stored_energy();
        change(&mut self.bodies, body).ok_or(no(kind, index))??;
        self.ledger.supply(self.bodies.get(body).stored_energy() - before);
        Ok(())
    }

    fn barrier_mut(&mut self, index: usize) -> Result<&mut Barrier, ControlError> {
        match self.bodies.id(index) {
            Some(BodyId::Barrier(barrier)) => Ok(&mut self.bodies.barriers[barrier]),
            _ => Err(no("barrier", index)),
        }
    }

    fn drive_mut(&mut self, index: usize) -> Result<&mut crate::engine::Drive, ControlError> {
        self.drives.get_mut(index).ok_or(no("force", index))
    }

    fn move_pickup(&mut self, index: usize, place: Place) -> Result<(), ControlError> {
        let Self { listeners, bodies, .. } = self;
        let listener = listeners.get_mut(index).ok_or(no("pickup", index))?;
        let at = listener.place_mut().ok_or(no("pickup with a place", index))?;
        Ok(bodies.move_point(at, place)?)
    }
}

fn no(kind: &'static str, index: usize) -> ControlError {
    ControlError::NoTarget { kind, index }
}
