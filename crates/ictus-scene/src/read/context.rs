//! What all of the reading shares: the problems found so far and the numbers everything depends on.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::used::Lineage;
use crate::files::Files;
use crate::parameters::Draw;
use crate::problem::{Found, Span};
use crate::random::Generator;

/// Most different problems that are collected: enough for any person, little memory for any text.
const MOST_FOUND: usize = 100;

/// Most numbers of all roughnesses, profiles and modal weights together.
const MOST_NUMBERS: usize = 1 << 19;

/// Most samples of all signals together: 8 MB in the scene and as much in what plays it, 22 s at 48 kHz.
const MOST_SAMPLES: usize = 1 << 20;

/// Most samples of all sounds that are read from files: 32 MB in the scene and as much in what plays it, 87 s at 48 kHz. More than of other
/// signals, since a text of a few bytes from anywhere cannot ask for them.
const MOST_RECORDED: usize = 1 << 22;

/// Most drawn numbers that are listed.
const MOST_DRAWS: usize = 10_000;

/// What all of the reading shares.
pub(crate) struct Context {
    found: RefCell<Vec<Found>>,
    room: Cell<usize>,
    room_for_signals: Cell<usize>,
    room_for_sounds: Cell<usize>,
    seen: RefCell<HashSet<(usize, usize, String)>>,
    /// Frequency of A4 in Hz.
    pub(crate) tuning: f64,
    /// Length of a beat in s.
    pub(crate) beat: f64,
    /// How far the keys are from equal temperament in cents: 128, or none.
    pub(crate) cents: Vec<f64>,
    /// Samples per second.
    pub(crate) rate: f64,
    /// What noise and roughness are drawn from.
    pub(crate) seed: u64,
    /// Overrides as they were written.
    pub(crate) overrides: Vec<(String, String)>,
    /// Where the files are that the text names.
    pub(crate) files: Option<Arc<dyn Files>>,
    /// The texts of the scenes that use this one.
    pub(super) lineage: Lineage,
    /// Which repeat of an event is being read, from 0: each draws its numbers anew.
    pub(crate) repeat: Cell<Option<usize>>,
    draws: RefCell<BTreeMap<String, Draw>>,
    is_random: Cell<bool>,
}

impl Context {
    pub(crate) fn new(overrides: Vec<(String, String)>) -> Self {
        Self {
            found: RefCell::default(),
            seen: RefCell::default(),
            room: Cell::new(MOST_NUMBERS),
            room_for_signals: Cell::new(MOST_SAMPLES),
            room_for_sounds: Cell::new(MOST_RECORDED),
            files: None,
            lineage: Lineage::default(),
            tuning: 440.0,
            beat: 0.5,
            cents: vec![],
            rate: 48_000.0,
            seed: 1,
            overrides,
            repeat: Cell::new(None),
            draws: RefCell::default(),
            is_random: Cell::new(false),
        }
    }

    /// Begins with a text, for itself or in the room that is left of a scene that uses it.
    pub(super) fn begin(&mut self, text: &Arc<str>, above: Option<&Self>) {
        self.lineage = above.map_or_else(Lineage::default, |above| above.lineage.clone()).with(text);
        if let Some(above) = above {
            self.take_rooms_of(above);
        }
    }

    /// What room another has left.
    pub(super) fn take_rooms_of(&self, other: &Self) {
        self.room.set(other.room.get());
        self.room_for_signals.set(other.room_for_signals.get());
        self.room_for_sounds.set(other.room_for_sounds.get());
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
        self.count() >= MOST_FOUND || self.room.get() == 0 || self.room_for_signals.get() == 0
    }

    /// Takes room for some numbers that are to be kept; a scene that takes too much is refused.
    pub(crate) fn take_room(&self, numbers: usize, span: Span) -> bool {
        let message = || format!("with this, surfaces, profiles and modes hold more than {MOST_NUMBERS} numbers");
        self.take_from(&self.room, numbers, span, message, "use shorter surfaces, or fewer of them")
    }

    /// The same for the samples of a signal.
    pub(crate) fn take_room_for_signal(&self, samples: usize, span: Span) -> bool {
        let message = || {
            let (rate, seconds) = (self.rate, MOST_SAMPLES as f64 / self.rate);
            format!("with this, all signals last longer than {seconds:.1} s: {MOST_SAMPLES} samples at {rate} Hz")
        };
        let help = "make it shorter, or trigger a shorter one again and again";
        self.take_from(&self.room_for_signals, samples, span, message, help)
    }

    /// Samples that sounds from files may still have.
    pub(crate) fn room_for_sound(&self) -> usize {
        self.room_for_sounds.get()
    }

    /// Takes room for a sound that was read.
    pub(crate) fn take_room_for_sound(&self, samples: usize) {
        self.room_for_sounds.set(self.room_for_sounds.get().saturating_sub(samples));
    }

    /// Tells that the sounds of files are too long together.
    pub(crate) fn report_long_sound(&self, file: &str, span: Span) {
        let seconds = MOST_RECORDED as f64 / self.rate;
        let message = format!(
            "with `{file}` the sounds of this scene last longer than {seconds:.1} s: {MOST_RECORDED} samples at {} Hz",
            self.rate
        );
        self.report(Found::new(span, message).help("take a part of it: start = \"1 s\", length = \"2 s\""));
    }

    fn take_from(
        &self,
        room: &Cell<usize>,
        numbers: usize,
        span: Span,
        message: impl Fn() -> String,
        help: &str,
    ) -> bool {
        // None left means that there was not enough (`is_full`).
        let left = room.get().checked_sub(numbers).filter(|left| *left > 0);
        if left.is_none() {
            self.report(Found::new(span, message()).help(help));
        }
        room.set(left.unwrap_or(0));
        left.is_some()
    }

    /// A generator for what has this name; the scene is random from here on.
    pub(crate) fn generator(&self, name: &str) -> Generator {
        self.is_random.set(true);
        Generator::named(self.seed, name)
    }

    /// Whether anything has been drawn from the seed.
    pub(crate) fn is_random(&self) -> bool {
        self.is_random.get()
    }

    /// Notes a number that was drawn, once for each name.
    pub(crate) fn note_draw(&self, path: &str, value: f64, unit: &'static str) {
        let mut draws = self.draws.borrow_mut();
        if draws.len() < MOST_DRAWS && !draws.contains_key(path) {
            draws.insert(path.to_owned(), Draw { path: path.to_owned(), value, unit });
        }
    }

    /// All numbers that were drawn, by their names.
    pub(crate) fn take_draws(&self) -> Vec<Draw> {
        std::mem::take(&mut *self.draws.borrow_mut()).into_values().collect()
    }

    /// All problems found.
    pub(crate) fn take(&self) -> Vec<Found> {
        std::mem::take(&mut *self.found.borrow_mut())
    }
}
