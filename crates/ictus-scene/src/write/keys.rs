//! Keys that go down and up: one `note` with a length where the reader makes the same of it, else `press` and `lift`.
//!
//! The reader sorts events by time and keeps the order of the text among those of one time. A note's end stands in the text where its beginning does,
//! so of two things that happen at once the order may come out otherwise; such notes are taken apart.

use std::collections::VecDeque;

use super::numbers::roundest;
use crate::scene::{Action, Event};

/// An event of the text: what of the score it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// Its place in the score.
    pub(super) event: usize,
    /// Of a note: how long its key is down, in s.
    pub(super) length: Option<f64>,
}

/// How often notes are taken apart one by one before all are.
const MOST_REPAIRS: usize = 64;

/// The events of the text for a score that is in order of time, as few as can be.
pub(super) fn entries(score: &[Event]) -> Vec<Entry> {
    let [last, first] = [true, false].map(|last| in_order(score, pairs(score, last)));
    if first.len() < last.len() { first } else { last }
}

/// The events of the text for some notes, those taken apart that would change the order.
fn in_order(score: &[Event], mut pairs: Vec<Role>) -> Vec<Entry> {
    for _ in 0..MOST_REPAIRS {
        match misplaced(score, &pairs) {
            None => return texts(&pairs),
            Some(note) => pairs[note] = Role::Alone,
        }
        for event in 0..pairs.len() {
            if let Role::End(begin) = pairs[event]
                && pairs[begin] == Role::Alone
            {
                pairs[event] = Role::Alone;
            }
        }
    }
    texts(&vec![Role::Alone; score.len()])
}

/// What an event of the score is in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Alone,
    /// A key that goes down, for how long, and where it comes up.
    Begin(f64, usize),
    /// A key that comes up, and where it went down.
    End(usize),
}

/// Every key that goes down with one of its comings up, where a length leads from the one to the other. A key that went down twice comes up first from
/// the last time, or from the first.
fn pairs(score: &[Event], last: bool) -> Vec<Role> {
    let mut roles = vec![Role::Alone; score.len()];
    let mut down: Vec<VecDeque<usize>> = vec![VecDeque::new(); 256];
    for (place, event) in score.iter().enumerate() {
        match event.action {
            Action::NoteOn { key, .. } => down[usize::from(key)].push_back(place),
            Action::NoteOff { key } => {
                let down = &mut down[usize::from(key)];
                let Some(begin) = (if last { down.pop_back() } else { down.pop_front() }) else { continue };
                let (from, to) = (score[begin].time, event.time);
                let leads = |length: f64| length > 0.0 && length <= 1e6 && (from + length).to_bits() == to.to_bits();
                if let Some(length) = roundest(to - from, leads) {
                    roles[begin] = Role::Begin(length, place);
                    roles[place] = Role::End(begin);
                }
            }
            _ => {}
        }
    }
    roles
}

/// A note whose beginning or end the reader would put elsewhere.
fn misplaced(score: &[Event], roles: &[Role]) -> Option<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(score.len());
    for (place, role) in roles.iter().enumerate() {
        match role {
            Role::Alone => order.push(place),
            Role::Begin(_, end) => order.extend([place, *end]),
            Role::End(_) => {}
        }
    }
    order.sort_by(|a, b| score[*a].time.total_cmp(&score[*b].time));
    let wrong = order.iter().enumerate().find(|(place, event)| place != *event)?;
    // Of the two that have changed places one is the end of a note.
    [*wrong.1, wrong.0].into_iter().find_map(|place| match roles[place] {
        Role::End(begin) => Some(begin),
        _ => None,
    })
}

fn texts(roles: &[Role]) -> Vec<Entry> {
    let entry = |(event, role): (usize, &Role)| match role {
        Role::Alone => Some(Entry { event, length: None }),
        Role::Begin(length, _) => Some(Entry { event, length: Some(*length) }),
        Role::End(_) => None,
    };
    roles.iter().enumerate().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(time: f64, key: u8) -> Event {
        Event { time, action: Action::NoteOn { key, velocity: 0.8 } }
    }

    fn off(time: f64, key: u8) -> Event {
        Event { time, action: Action::NoteOff { key } }
    }

    #[test]
    fn notes_have_round_lengths() {
        let score = [on(0.1, 60), off(0.1 + 0.2, 60)];
        assert_eq!(entries(&score), [Entry { event: 0, length: Some(0.2) }]);
    }

    #[test]
    fn a_key_that_comes_up_after_the_next_went_down_at_the_same_time_is_lifted_by_itself() {
        let lengths = |score: &[Event]| entries(score).iter().map(|entry| entry.length).collect::<Vec<_>>();
        let in_order = [on(0.0, 60), off(1.0, 60), on(1.0, 62), off(2.0, 62)];
        assert_eq!(lengths(&in_order), [Some(1.0), Some(1.0)]);
        let crossed = [on(0.0, 60), on(1.0, 62), off(1.0, 60), off(2.0, 62)];
        assert_eq!(lengths(&crossed), [None, Some(1.0), None]);
        assert_eq!(lengths(&[off(0.0, 60), on(1.0, 60)]), [None, None]);
        let within = [on(0.0, 60), on(1.0, 60), off(2.0, 60), off(4.0, 60)];
        assert_eq!(lengths(&within), [Some(4.0), Some(1.0)]);
    }
}
