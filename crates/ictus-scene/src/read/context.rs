//! What all of the reading shares: the problems found so far and the numbers everything depends on.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use crate::problem::{Found, Span};

/// Most different problems that are collected: enough for any person, little memory for any text.
const MOST_FOUND: usize = 100;

/// Most numbers of all signals, roughnesses, profiles and modal weights together.
const MOST_NUMBERS: usize = 1 << 19;

/// What all of the reading shares.
pub(crate) struct Context {
    found: RefCell<Vec<Found>>,
    room: Cell<usize>,
    seen: RefCell<HashSet<(usize, usize, String)>>,
    /// Frequency of A4 in Hz.
    pub(crate) tuning: f64,
    /// Samples per second.
    pub(crate) rate: f64,
    /// What noise and roughness are drawn from.
    pub(crate) seed: u64,
    /// Overrides as they were written.
    pub(crate) overrides: Vec<(String, String)>,
}

impl Context {
    pub(crate) fn new(overrides: Vec<(String, String)>) -> Self {
        Self {
            found: RefCell::default(),
            seen: RefCell::default(),
            room: Cell::new(MOST_NUMBERS),
            tuning: 440.0,
            rate: 48_000.0,
            seed: 1,
            overrides,
        }
    }

    /// Notes a problem, once: what a template says wrong is wrong for every note.
    pub(crate) fn report(&self, mut found: Found) {
        let mut list = self.found.borrow_mut();
        let place = match found.span {
            Span::Text { start, end } => (start, end),
            Span::Override(number) => {
                if let Some((name, value)) = self.overrides.get(number) {
                    found.message = format!("--set {name}={value}: {}", found.message);
                }
                (usize::MAX, number)
            }
        };
        if list.len() < MOST_FOUND && self.seen.borrow_mut().insert((place.0, place.1, found.message.clone())) {
            list.push(found);
        }
    }

    /// Whether anything is wrong so far.
    pub(crate) fn has_problems(&self) -> bool {
        !self.found.borrow().is_empty()
    }

    /// How many problems there are so far.
    pub(crate) fn count(&self) -> usize {
        self.found.borrow().len()
    }

    /// Whether enough is wrong, or the scene so large, that looking on is no use.
    pub(crate) fn is_full(&self) -> bool {
        self.count() >= MOST_FOUND || self.room.get() == 0
    }

    /// Takes room for some numbers that are to be kept; a scene that takes too much is refused.
    pub(crate) fn take_room(&self, numbers: usize, span: Span) -> bool {
        let left = self.room.get().checked_sub(numbers).filter(|left| *left > 0);
        if left.is_none() {
            let message =
                format!("with this, signals, surfaces, profiles and modes hold more than {MOST_NUMBERS} numbers");
            self.report(Found::new(span, message).help("use shorter signals and surfaces, or fewer of them"));
        }
        self.room.set(left.unwrap_or(0));
        left.is_some()
    }

    /// All problems found.
    pub(crate) fn take(&self) -> Vec<Found> {
        std::mem::take(&mut *self.found.borrow_mut())
    }
}
