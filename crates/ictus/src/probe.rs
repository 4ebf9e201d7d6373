//! What is heard and seen: pickups, and a log of contacts.

use crate::link::Link;
use crate::objects::{At, Bodies, Terminal};

/// What a pickup listens to.
#[derive(Clone, Debug)]
pub(crate) enum Ear {
    Displacement(Terminal),
    Velocity(Terminal),
    /// Sum of the forces of a range of links.
    Force(std::ops::Range<usize>),
}

/// A pickup at work.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    pub ear: Ear,
    pub gains: Vec<f64>,
    pub heard: f64,
}

impl Listener {
    /// Takes the sample of the step under way, before the objects advance.
    #[inline]
    pub(crate) fn listen(&mut self, bodies: &Bodies, links: &[Link], rate: f64) {
        self.heard = match &self.ear {
            Ear::Displacement(at) => bodies.read(at, At::Next),
            Ear::Velocity(at) => (bodies.read(at, At::Next) - bodies.read(at, At::Now)) * rate,
            Ear::Force(range) => links[range.clone()].iter().map(|link| link.force).sum(),
        };
    }

    #[inline]
    pub(crate) fn level(&self, channel: usize) -> f64 {
        self.gains.get(channel).map_or(0.0, |gain| gain * self.heard)
    }
}

/// One contact from touch to release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    /// Place of the interaction in the model.
    pub interaction: usize,
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

/// Remembers contacts of one-sided laws as they end, up to a fixed number.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactLog {
    /// The contact under way of each link, if it is watched and touching.
    open: Vec<Option<ContactEvent>>,
    watched: Vec<bool>,
    ended: Vec<ContactEvent>,
    /// Contacts that ended when there was no room.
    missed: u64,
}

impl ContactLog {
    pub(crate) fn new(links: &[Link], capacity: usize) -> Self {
        Self {
            open: vec![None; links.len()],
            watched: links.iter().map(|link| link.contact.is_one_sided()).collect(),
            ended: Vec::with_capacity(capacity),
            missed: 0,
        }
    }

    /// Looks at a link after its step.
    #[inline]
    pub(crate) fn watch(&mut self, index: usize, link: &Link, rate: f64, time: u64) {
        if (link.force != 0.0 || self.open[index].is_some()) && self.watched[index] {
            self.follow(index, link, rate, time);
        }
    }

    fn follow(&mut self, index: usize, link: &Link, rate: f64, time: u64) {
        let velocity = (link.now - link.previous) * rate;
        match &mut self.open[index] {
            None => {
                self.open[index] = Some(ContactEvent {
                    interaction: link.interaction,
                    start: time,
                    end: time,
                    v_in: link.last_step * rate,
                    v_out: velocity,
                    peak_force: link.force,
                });
            }
            Some(event) if link.force != 0.0 => {
                event.peak_force = event.peak_force.max(link.force);
                event.v_out = velocity;
            }
            Some(event) => {
                let ended = ContactEvent { end: time, v_out: velocity, ..*event };
                self.open[index] = None;
                if self.ended.len() < self.ended.capacity() {
                    self.ended.push(ended);
                } else {
                    self.missed += 1;
                }
            }
        }
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = ContactEvent> + '_ {
        self.ended.drain(..)
    }

    /// Contacts that ended when there was no room to remember them.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    pub(crate) fn clear(&mut self) {
        self.open.fill(None);
        self.ended.clear();
        self.missed = 0;
    }
}
