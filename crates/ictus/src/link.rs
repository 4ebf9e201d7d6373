//! An interaction at work: two points, a contact between them, and what is remembered of both.

use crate::contact::{Contact, ContactState, Motion, Solved};
use crate::laws::ContactLaw;
use crate::objects::{At, Bodies, BodyId, Terminal};
use crate::roughness::Road;

/// A built interaction.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub from: Terminal,
    pub to: Terminal,
    /// Distance in m at which it touches, the height of a profile taken off.
    pub gap: f64,
    /// By how much of that the surface has been moved in until the contact opens, in m.
    pub shift: f64,
    /// Height in m of the profile here; 0 for a contact at a point.
    pub height: f64,
    /// The rough surface that passes through it, if it is not smooth.
    pub road: Option<Box<Road>>,
    pub contact: Contact,
    pub state: ContactState,
    /// Compression one sample ago and now, in m.
    pub previous: f64,
    pub now: f64,
    /// Change of η over the step before the last, in m: how a contact that begins is met.
    pub last_step: f64,
    /// Force of the last step in N.
    pub force: f64,
    /// Displacement of η over one step per newton, in m/N; of bodies that are stretched, before that holds them back.
    pub admittance: f64,
    /// Whether it touches a body whose admittance changes as that is stretched.
    pub stretches: bool,
    pub active: bool,
    /// Whether its points are so far apart that nobody need look at it.
    pub out_of_reach: bool,
    /// Whether it has slipped off, until it is switched on again.
    pub slipped: bool,
    /// Whether the log has it in contact.
    pub touching: bool,
    /// Force in N at which it slips off; infinite if it never does.
    pub slips_at: f64,
    /// Which interaction of the model it belongs to.
    pub interaction: usize,
    /// Length of string in m that a spread contact stands for; 1 for a contact at a point.
    pub spacing: f64,
}

impl Link {
    /// Compression at one of the three samples, in m.
    #[inline]
    pub(crate) fn compression(&self, bodies: &Bodies, at: At) -> f64 {
        self.compression_between(&self.from, &self.to, bodies, at)
    }

    /// The same between other points, in m.
    #[inline]
    pub(crate) fn compression_between(&self, from: &Terminal, to: &Terminal, bodies: &Bodies, at: At) -> f64 {
        let compression = bodies.read_at(from, at) - bodies.read_at(to, at) - self.gap;
        match &self.road {
            None => compression,
            Some(road) => compression + road.at(at),
        }
    }

    /// What the gap of its interaction, in m, is to it: friction knows no place, and its velocities would be rounded at the size of the gap.
    pub(crate) fn gap_of(&self, gap: f64) -> f64 {
        if self.contact.law().is_friction() { 0.0 } else { gap - self.height }
    }

    /// How the contact would move in this step, the free step of both objects being known.
    #[inline]
    pub(crate) fn motion(&self, bodies: &Bodies, rate: f64) -> Motion {
        let free_step = self.compression(bodies, At::Next) - self.previous;
        let held_back = if self.stretches { self.held_back(self, bodies) } else { 0.0 };
        let admittance = self.admittance - held_back;
        Motion { previous: self.previous, now: self.now, free_step, admittance, rate }
    }

    /// How much η of this link moves over one step per newton in the other, in m/N.
    pub(crate) fn coupling(&self, other: &Link, bodies: &Bodies) -> f64 {
        bodies.admittance(&self.from, &other.from) + bodies.admittance(&self.to, &other.to)
            - bodies.admittance(&self.from, &other.to)
            - bodies.admittance(&self.to, &other.from)
    }

    /// What is to be taken off that in this step, the free steps being known: bodies that are stretched give way less.
    pub(crate) fn held_back(&self, other: &Link, bodies: &Bodies) -> f64 {
        bodies.held_back(&self.from, &other.from) + bodies.held_back(&self.to, &other.to)
            - bodies.held_back(&self.from, &other.to)
            - bodies.held_back(&self.to, &other.from)
    }

    /// Whether a force in the other moves η of this one within the step, or may when a body they share is stretched.
    pub(crate) fn feels(&self, other: &Link, bodies: &Bodies) -> bool {
        let ends = [self.from.body, self.to.body];
        let shared = |body: &BodyId| bodies.is_stretched(*body) && (other.from.body == *body || other.to.body == *body);
        ends.iter().any(shared) || self.coupling(other, bodies) != 0.0
    }

    /// How much η would move over one step per newton between other points, in m/N.
    pub(crate) fn admittance_between(&self, from: &Terminal, to: &Terminal, bodies: &Bodies) -> f64 {
        bodies.admittance(from, from) + bodies.admittance(to, to) - 2.0 * bodies.admittance(from, to)
    }

    /// D in N/m, if it is a linear spring or damper in this step; not one that slips off, is rough, or holds its points nearly fast.
    #[inline]
    pub(crate) fn spring_conductance(&self, rate: f64) -> Option<f64> {
        let conductance = self.contact.spring_conductance(&self.state, self.previous, self.now, rate)?;
        let plain = self.acts() && self.slips_at == f64::INFINITY && self.road.is_none();
        (plain && conductance * self.admittance <= 100.0).then_some(conductance)
    }

    /// Whether it can act at all: it is on, and something on it can move.
    #[inline]
    pub(crate) fn acts(&self) -> bool {
        self.active && !self.slipped && self.admittance > 0.0
    }

    /// Whether it is looked at in every step: it is on, or a rough surface moves on in it.
    pub(crate) fn is_watched(&self) -> bool {
        (self.active || self.road.is_some()) && !self.out_of_reach
    }

    /// Whether it acts and only pushes, but its points are apart and nothing is stored. One whose surface was moved is watched until it is back.
    pub(crate) fn is_apart(&self) -> bool {
        self.active
            && !self.slipped
            && self.shift == 0.0
            && self.road.is_none()
            && self.contact.is_one_sided()
            && self.state.root() == 0.0
            && self.force == 0.0
            && !self.touching
    }

    /// Reads both compressions anew, after a point has moved or a state was set: how a contact began then no longer says how it ends.
    pub(crate) fn refresh(&mut self, bodies: &Bodies) {
        self.state = self.state.begun_unknown();
        self.previous = self.compression(bodies, At::Previous);
        self.now = self.compression(bodies, At::Now);
        self.meet(bodies);
    }

    /// Reads both compressions anew where nothing is stored, after nobody has looked at it for a while.
    pub(crate) fn read(&mut self, bodies: &Bodies) {
        self.previous = self.compression(bodies, At::Previous);
        self.now = self.compression(bodies, At::Now);
        self.last_step = self.now - self.previous;
    }

    /// Works out anew how its two points give way to each other.
    pub(crate) fn meet(&mut self, bodies: &Bodies) {
        self.admittance = self.coupling(self, bodies);
        // Beside contacts all along the body a point moves on its own, whatever the body does.
        let alone = self.spacing == 1.0;
        let accelerance = if alone { bodies.accelerance(&self.from, &self.to) } else { None };
        self.contact = self.contact.meeting_at(self.admittance, accelerance);
        let [from, to] = [self.from.body, self.to.body];
        let walls = bodies.is_prescribed(from) && bodies.carries_waves(to)
            || bodies.is_prescribed(to) && bodies.carries_waves(from);
        if let Some(samples) = accelerance.filter(|_| walls).and_then(|accelerance| accelerance.half_life()) {
            self.contact = self.contact.pressed(samples);
        }
    }

    /// The same for a contact at work: if that has taken it apart, it is empty. Returns the energy in J that is lost with it.
    pub(crate) fn refresh_or_let_go(&mut self, bodies: &Bodies) -> f64 {
        self.refresh(bodies);
        if self.contact.is_apart(self.previous.max(self.now)) { self.contact.let_apart(&mut self.state) } else { 0.0 }
    }

    /// Moves the surface to where the energy that is stored belongs by a law that is new.
    ///
    /// A stiffer law would store more at this depth, but a change must not create energy; and a ψ that stays off its curve makes
    /// what rests on it rest too deep, or sink. So the new surface begins where it fits, until the contact has opened.
    pub(crate) fn fit_surface(&mut self) {
        if let Some(compression) = self.contact.compression_of(&self.state) {
            self.shift_surface(0.5 * (self.previous + self.now) - compression);
        }
    }

    /// Puts a surface that was moved back to its place if the contact is open there; returns whether it still is elsewhere.
    pub(crate) fn restore_surface(&mut self) -> bool {
        if self.shift != 0.0 && self.state.energy() == 0.0 && self.contact.is_apart(self.now.max(self.now + self.shift))
        {
            self.shift_surface(-self.shift);
        }
        self.shift != 0.0
    }

    pub(crate) fn shift_surface(&mut self, by: f64) {
        self.gap += by;
        self.previous -= by;
        self.now -= by;
        // Back where it was is exactly there.
        self.shift = if by == -self.shift { 0.0 } else { self.shift + by };
    }

    /// Puts it back to how it was built, its bodies being so.
    pub(crate) fn reset(&mut self, bodies: &Bodies) {
        self.state = ContactState::default();
        self.shift_surface(-self.shift);
        self.road.iter_mut().for_each(|road| road.reset());
        (self.force, self.last_step) = (0.0, 0.0);
        (self.touching, self.slipped) = (false, false);
        self.refresh(bodies);
        self.settle();
    }

    /// Gives a contact that is compressed from the start the energy that belongs to it.
    pub(crate) fn settle(&mut self) {
        if self.active {
            self.state = self.contact.state_at(self.now);
        }
    }

    /// Ends a step whose outcome is known: pushes both objects and moves on.
    ///
    /// Returns the energy dissipated in it and the work that prescribed motion has put in, in J.
    #[inline(always)]
    pub(crate) fn finish(&mut self, solved: Solved, bodies: &mut Bodies) -> (f64, f64) {
        let Solved { step, force, dissipated } = solved;
        let mut supplied = 0.0;
        if force != 0.0 {
            supplied = self.push(force, bodies);
        }
        if let Some(road) = &mut self.road {
            supplied += 0.5 * force * road.advance();
        }
        self.move_on(step, force);
        if force > self.slips_at {
            self.slipped = true;
            return (dissipated + self.let_go(), supplied);
        }
        (dissipated, supplied)
    }

    /// The force in N left of this step's, if it reaches the limit at which the contact slips off: from half a sample before to half a sample after
    /// this one, and only so long does it act. (Slipping at the next sample instead, how loud a pluck is would depend on the rate.)
    #[inline]
    pub(crate) fn slip_force(&self, force: f64) -> Option<f64> {
        let rise = force - self.force;
        let reaches = self.slips_at - force < 0.5 * rise && force > 0.0;
        reaches.then(|| (0.5 + (self.slips_at - force) / rise).clamp(0.0, 1.0) * force)
    }

    /// The step of a contact alone, cut short if it slips off in it. What it stored, in J, is lost; not where that would make energy.
    #[inline]
    pub(crate) fn slip_in(&mut self, solved: Solved, motion: &Motion, stored: f64) -> Solved {
        let Some(force) = self.slip_force(solved.force) else { return solved };
        let step = motion.free_step - motion.admittance * force;
        let dissipated = 0.5 * force * step + stored;
        if dissipated < 0.0 {
            return solved;
        }
        self.slip();
        Solved { step, force, dissipated }
    }

    /// Slips off, empty.
    pub(crate) fn slip(&mut self) {
        self.slipped = true;
        self.state = ContactState::default();
    }

    /// Ends a step in which nothing touches.
    #[inline]
    pub(crate) fn pass(&mut self, step: f64) {
        if let Some(road) = &mut self.road {
            road.advance();
        }
        self.move_on(step, 0.0);
    }

    #[inline]
    fn move_on(&mut self, step: f64, force: f64) {
        self.force = force;
        let next = self.previous + step;
        self.last_step = self.now - self.previous;
        self.previous = self.now;
        self.now = next;
    }

    /// Lets the force act on both objects; returns the work of those whose motion is prescribed.
    #[inline(always)]
    fn push(&self, force: f64, bodies: &mut Bodies) -> f64 {
        bodies.push_at(&self.from, -force);
        bodies.push_at(&self.to, force);
        0.5 * force * (bodies.prescribed_step(&self.from) - bodies.prescribed_step(&self.to))
    }

    /// Takes a contact by another law or rule. Of what is stored it keeps what that can hold; returns the energy in J that is lost.
    pub(crate) fn adopt(&mut self, contact: Contact) -> f64 {
        self.state = self.state.begun_unknown();
        let lost = contact.inherit(&self.contact, &mut self.state);
        self.contact = contact;
        if contact.holds(&self.state) { lost } else { lost + self.let_go() }
    }

    /// Empties the contact; what it stored is lost. Returns that energy in J.
    pub(crate) fn let_go(&mut self) -> f64 {
        let stored = self.state.energy();
        self.state = ContactState::default();
        stored
    }
}
