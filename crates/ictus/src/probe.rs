//! What is heard and seen: pickups, and a log of contacts.

use crate::id::ContactId;
use crate::link::Link;
use crate::objects::{At, Bodies, Terminal};
use crate::room::Room;

/// What a pickup listens to.
#[derive(Clone, Debug)]
pub(crate) enum Ear {
    Displacement(Terminal),
    Velocity(Terminal),
    /// Sum of the forces of a range of links.
    Force(std::ops::Range<usize>),
}

/// A pickup at work.
///
/// All three are heard at the same instant, the sample at which the force acts. Velocity is heard centred, `(u⁺ - u⁻)/2k`: with the exact poles of a mode its velocity after a blow is then
/// exact at any frequency, where the backward difference is 1/cos(ωk/2) too loud and half a sample late.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    pub ear: Ear,
    /// Displacement in m one sample ago and now, of a pickup that hears velocity.
    past: [f64; 2],
}

impl Listener {
    pub(crate) fn new(ear: Ear) -> Self {
        Self { ear, past: [0.0; 2] }
    }

    /// Looks up where its point is and was, before some samples in a row: it may have been moved since.
    pub(crate) fn prepare(&mut self, bodies: &Bodies) {
        if let Ear::Velocity(at) = &self.ear {
            self.past = [At::Previous, At::Now].map(|when| bodies.read_at(at, when));
        }
    }

    /// The place it listens at, if it is one.
    pub(crate) fn place_mut(&mut self) -> Option<&mut Terminal> {
        match &mut self.ear {
            Ear::Displacement(at) | Ear::Velocity(at) => Some(at),
            Ear::Force(_) => None,
        }
    }

    /// What it hears of things that stand still.
    pub(crate) fn still(&self, bodies: &Bodies, links: &[Link]) -> f64 {
        match &self.ear {
            Ear::Displacement(at) => bodies.read_at(at, At::Now),
            Ear::Velocity(_) => 0.0,
            Ear::Force(range) => links[range.clone()].iter().map(|link| link.force).sum(),
        }
    }

    /// The sample of the step under way, before the objects advance. Inlined always: else it is a call out of code that is
    /// compiled for vectors.
    #[inline(always)]
    pub(crate) fn hear(&mut self, bodies: &Bodies, links: &[Link], rate: f64) -> f64 {
        match &self.ear {
            Ear::Displacement(at) => bodies.read_at(at, At::Now),
            Ear::Velocity(at) => {
                let next = bodies.read_at(at, At::Next);
                let [before, now] = self.past;
                self.past = [now, next];
                0.5 * rate * (next - before)
            }
            Ear::Force(range) => links[range.clone()].iter().map(|link| link.force).sum(),
        }
    }
}

/// One contact from touch to release.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactEvent {
    /// The interaction that touched.
    pub contact: ContactId,
    /// First sample with a force.
    pub start: u64,
    /// First sample without one again.
    pub end: u64,
    /// Velocity of compression when it began, in m/s.
    pub v_in: f64,
    /// Velocity of compression when it ended, in m/s; negative when the bodies part.
    pub v_out: f64,
    /// Largest force in N.
    pub peak_force: f64,
}

impl ContactEvent {
    fn of(contact: ContactId) -> Self {
        Self { contact, start: 0, end: 0, v_in: 0.0, v_out: 0.0, peak_force: 0.0 }
    }
}

/// Remembers contacts of one-sided laws as they end, up to a fixed number.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactLog {
    /// The contact under way of each link, or its last.
    open: Vec<ContactEvent>,
    ended: Room<ContactEvent>,
    /// Contacts that ended when there was no bodies.
    missed: u64,
}

impl ContactLog {
    pub(crate) fn new(links: &[Link], capacity: usize) -> Self {
        Self {
            open: links.iter().map(|link| ContactEvent::of(ContactId::new(link.interaction))).collect(),
            ended: Room::new(capacity),
            missed: 0,
        }
    }

    /// Looks at a link after its step.
    #[inline(always)]
    pub(crate) fn watch(&mut self, index: usize, link: &mut Link, rate: f64, time: u64) {
        let touches = link.force != 0.0;
        if touches != link.touching && link.contact.is_one_sided() {
            self.turn_over(index, link, rate, time);
        } else if link.touching {
            self.press(index, link.force);
        }
    }

    /// Takes down the force in N of a contact under way.
    #[inline(always)]
    pub(crate) fn press(&mut self, index: usize, force: f64) {
        let peak = &mut self.open[index].peak_force;
        *peak = peak.max(force);
    }

    /// Takes down that a contact begins or ends.
    #[cold]
    pub(crate) fn turn_over(&mut self, index: usize, link: &mut Link, rate: f64, time: u64) {
        let event = &mut self.open[index];
        link.touching = !link.touching;
        if link.touching {
            *event =
                ContactEvent { start: time, v_in: link.last_step * rate, peak_force: link.force.max(0.0), ..*event };
        } else {
            event.end = time;
            event.v_out = (link.now - link.previous) * rate;
            if self.ended.len() < self.ended.capacity() {
                self.ended.push(*event);
            } else {
                self.missed += 1;
            }
        }
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = ContactEvent> + '_ {
        self.ended.drain(..)
    }

    /// Contacts that ended when there was no bodies to remember them.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    pub(crate) fn clear(&mut self) {
        self.ended.clear();
        self.missed = 0;
    }
}
