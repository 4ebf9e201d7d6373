//! A log of contacts: when two bodies touched, how hard, and how fast they parted.

use crate::id::ContactId;
use crate::link::Link;
use crate::room::Room;

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
    /// Time of the first touch in samples, where the compression rises through zero on a line through the samples beside it.
    pub touch: f64,
    /// Time of the release in samples, where the compression falls through zero on such a line.
    pub release: f64,
    /// Velocity of compression when it began, in m/s.
    pub v_in: f64,
    /// Velocity of compression when it ended, in m/s; negative when the bodies part.
    pub v_out: f64,
    /// Largest force in N.
    pub peak_force: f64,
}

impl ContactEvent {
    fn of(contact: ContactId) -> Self {
        Self { contact, start: 0, end: 0, touch: 0.0, release: 0.0, v_in: 0.0, v_out: 0.0, peak_force: 0.0 }
    }

    /// Contact time in samples, from touch to release.
    pub fn duration(&self) -> f64 {
        self.release - self.touch
    }
}

/// Remembers contacts of one-sided laws as they end, up to a fixed number.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactLog {
    /// The contact under way of each link, or its last.
    open: Vec<ContactEvent>,
    ended: Room<ContactEvent>,
    /// Contacts that ended when there was no room.
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
            *event = ContactEvent {
                start: time,
                touch: crossing(link, time),
                v_in: link.last_step * rate,
                peak_force: link.force.max(0.0),
                ..*event
            };
        } else {
            event.end = time;
            event.release = crossing(link, time).max(event.touch);
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

    /// Contacts that ended when there was no room to remember them.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    pub(crate) fn clear(&mut self) {
        self.ended.clear();
        self.missed = 0;
    }
}

/// When in samples the compression crosses zero, of a link that has just been stepped from the sample `time` on. The step to that sample
/// is straight: a contact has not begun to press, or has ceased to. What does not cross zero near it, as a contact that is switched off,
/// turns over at the sample.
#[cold]
fn crossing(link: &Link, time: u64) -> f64 {
    let later = -link.previous / link.last_step;
    time as f64 + if (-2.0..=1.0).contains(&later) { later } else { 0.0 }
}
