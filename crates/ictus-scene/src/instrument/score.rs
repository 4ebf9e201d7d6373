//! The score: what happens at which sample.

use crate::scene::{Action, Event};

/// Events in order of time, and how far they have been played.
#[derive(Clone, Debug)]
pub(super) struct Score {
    events: Vec<(u64, Action)>,
    next: usize,
}

impl Score {
    /// Events of one sample stay in their order.
    pub(super) fn new(events: &[Event], rate: f64) -> Self {
        let sample = |event: &Event| (event.time * rate).round().max(0.0) as u64;
        let mut events: Vec<(u64, Action)> = events.iter().map(|event| (sample(event), event.action.clone())).collect();
        events.sort_by_key(|(sample, _)| *sample);
        Self { events, next: 0 }
    }

    /// The next event that is due at a sample, once.
    pub(super) fn next_due(&mut self, time: u64) -> Option<&Action> {
        let (due, action) = self.events.get(self.next)?;
        if *due > time {
            return None;
        }
        self.next += 1;
        Some(action)
    }

    /// Samples until the next event; as many as can be counted if there is none.
    pub(super) fn until_next(&self, time: u64) -> u64 {
        self.events.get(self.next).map_or(u64::MAX, |(due, _)| due.saturating_sub(time))
    }

    /// Plays nothing more until it is reset.
    pub(super) fn stop(&mut self) {
        self.next = self.events.len();
    }

    pub(super) fn is_playing(&self) -> bool {
        self.next < self.events.len()
    }

    pub(super) fn reset(&mut self) {
        self.next = 0;
    }
}
