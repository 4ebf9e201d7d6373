//! Where scenes become parts to be played, off the audio thread; and what the threads know of each other.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use crossbeam_queue::ArrayQueue;
use ictus_scene::{Reading, Scene, Source, read};
use parking_lot::{Mutex, RwLock};

use crate::choice::Choice;
use crate::face::Face;
use crate::knobs::{KNOBS, Knobs, USUAL_POSITION};
use crate::part::Part;
use crate::picture::Picture;

/// Columns of a message.
const MESSAGE_WIDTH: usize = 100;

/// Most pictures under way: two of a scene, and those of scenes before that nobody has looked at.
const PICTURES: usize = 16;

/// Parts on their way to the player, and back.
const ROOM: usize = 4;

/// What the threads of a plugin share.
#[derive(Debug)]
pub struct Desk {
    choice: Mutex<Choice>,
    /// What the window would have played.
    proposed: Mutex<Option<Choice>>,
    /// The number of the scene that the host has picked; 0 for none.
    picked: AtomicUsize,
    /// Whether audio from outside drives every scene.
    is_effect: bool,
    face: RwLock<Arc<Face>>,
    /// Held while a scene is read and built, so that the last one chosen is the last one built.
    building: Mutex<()>,
    /// Counts the choices, to know which one a part was built for.
    chosen: AtomicU64,
    /// The rate in Hz, as bits; 0 while the host does not process.
    rate: AtomicU64,
    /// The host's knobs, once there are any, and where they stood when the scene was chosen: from there on they are turned.
    knobs: OnceLock<Weak<Knobs>>,
    positions: Mutex<[f32; KNOBS]>,
    /// A bit for each knob that has been turned since the scene was chosen.
    turned: AtomicU64,
    /// Built, and not yet taken up: only the newest counts.
    ready: ArrayQueue<Box<Part>>,
    /// No longer played, to be dropped.
    done: ArrayQueue<Box<Part>>,
    /// Whether somebody looks, and the pictures that go to and fro then.
    pub watched: AtomicBool,
    pub blank: ArrayQueue<Picture>,
    pub drawn: ArrayQueue<Picture>,
    /// The largest sample of each side since the last look, as bits.
    peaks: [AtomicU32; 2],
    /// How often the sound broke and was put back.
    breakdowns: AtomicU64,
}

impl Desk {
    /// A desk with a scene on it that nobody plays yet.
    pub fn new(choice: Choice, is_effect: bool) -> Arc<Self> {
        let face = Face { title: choice.name.clone(), ..Face::default() };
        Arc::new(Self {
            is_effect,
            proposed: Mutex::new(None),
            picked: AtomicUsize::new(0),
            face: RwLock::new(Arc::new(face)),
            building: Mutex::new(()),
            chosen: AtomicU64::new(1),
            rate: AtomicU64::new(0),
            knobs: OnceLock::new(),
            positions: Mutex::new([USUAL_POSITION; KNOBS]),
            turned: AtomicU64::new(choice.turned),
            choice: Mutex::new(choice),
            ready: ArrayQueue::new(ROOM),
            done: ArrayQueue::new(ROOM),
            watched: AtomicBool::new(false),
            blank: ArrayQueue::new(PICTURES),
            drawn: ArrayQueue::new(PICTURES),
            peaks: [AtomicU32::new(0), AtomicU32::new(0)],
            breakdowns: AtomicU64::new(0),
        })
    }

    /// The scene that was chosen, with the knobs turned by now.
    pub fn choice(&self) -> Choice {
        Choice { turned: self.turned.load(Ordering::Relaxed), ..self.choice.lock().clone() }
    }

    /// Tells where the host's knobs are to be found.
    pub fn meet(&self, knobs: &Arc<Knobs>) {
        let _ = self.knobs.set(Arc::downgrade(knobs));
    }

    /// What people are told.
    pub fn face(&self) -> Arc<Face> {
        self.face.read().clone()
    }

    /// Chooses a scene. It is built here if somebody plays, and before the host plays if not. Not for the audio thread.
    pub fn choose(&self, choice: Choice) {
        self.turned.store(choice.turned, Ordering::Relaxed);
        if let Some(knobs) = self.knobs.get().and_then(Weak::upgrade) {
            *self.positions.lock() = std::array::from_fn(|knob| knobs.position(knob));
        }
        let title = choice.name.clone();
        *self.choice.lock() = choice;
        self.chosen.fetch_add(1, Ordering::SeqCst);
        if self.rate() > 0.0 {
            self.build();
        } else {
            *self.face.write() = Arc::new(Face { title, ..Face::default() });
        }
    }

    /// Lays out a scene that is to be chosen by another thread.
    #[cfg(feature = "window")]
    pub fn propose(&self, choice: Choice) {
        *self.proposed.lock() = Some(choice);
    }

    /// Asks for a scene of the gallery by the number of its parameter. For the audio thread.
    pub fn pick(&self, number: usize) {
        self.picked.store(number, Ordering::SeqCst);
    }

    /// Does what was asked for, and drops what is no longer played. Not for the audio thread.
    pub fn work(&self) {
        self.tidy();
        let number = self.picked.swap(0, Ordering::SeqCst);
        let proposed = self.proposed.lock().take();
        // What is played already goes on.
        let is_other = |choice: &Choice| {
            let current = self.choice.lock();
            choice.name != current.name || choice.text != current.text
        };
        let picked = || number.checked_sub(1).and_then(Choice::of_number).filter(is_other);
        if let Some(choice) = proposed.or_else(picked) {
            self.choose(choice);
        }
    }

    /// The host is about to process at a rate in Hz, or has ended if it is 0.
    pub fn set_rate(&self, rate: f64) {
        self.rate.store(rate.to_bits(), Ordering::SeqCst);
    }

    /// The rate in Hz; 0 while the host does not process.
    pub fn rate(&self) -> f64 {
        f64::from_bits(self.rate.load(Ordering::SeqCst))
    }

    /// The number of the last choice.
    pub fn last_choice(&self) -> u64 {
        self.chosen.load(Ordering::SeqCst)
    }

    /// Reads and builds what was chosen last, and lays it out for the player. What cannot be read or built plays silence and says so.
    pub fn build(&self) {
        self.tidy();
        let _alone = self.building.lock();
        let (number, choice, rate) = (self.last_choice(), self.choice(), self.rate());
        let (mut part, face) = made(&choice, rate, self.is_effect);
        if let Some(message) = &face.message {
            nice_plug::nice_error!("{} is silent: {message}", choice.name);
        }
        *self.face.write() = Arc::new(Face { choice: number, ..face });
        (part.choice, part.turned, part.positions) = (number, choice.turned, *self.positions.lock());
        // One that was never taken up makes room.
        drop(self.ready.force_push(Box::new(part)));
        self.turned.store(choice.turned, Ordering::Relaxed);
    }

    /// The newest part, if there is one that has not been taken up. For the audio thread; parts in between go back.
    pub fn take(&self) -> Option<Box<Part>> {
        let mut newest = self.ready.pop()?;
        while self.done.len() < ROOM {
            let Some(newer) = self.ready.pop() else { break };
            let _ = self.done.push(std::mem::replace(&mut newest, newer));
        }
        Some(newest)
    }

    /// Takes a part back that is no longer played; gives it back where there is no room. For the audio thread.
    pub fn return_part(&self, part: Box<Part>) -> Result<(), Box<Part>> {
        self.done.push(part)
    }

    /// Drops what was played. Not for the audio thread.
    fn tidy(&self) {
        while self.done.pop().is_some() {}
    }

    /// A knob has been turned. For the audio thread.
    pub fn turn(&self, knob: usize) {
        self.turned.fetch_or(1 << knob, Ordering::Relaxed);
    }

    /// Tells how loud it was, and how often it broke. For the audio thread.
    pub fn hear(&self, peaks: [f32; 2], breakdowns: u64) {
        for (peak, heard) in self.peaks.iter().zip(peaks) {
            // Numbers that are not negative are in the order of their bits.
            peak.fetch_max(heard.max(0.0).to_bits(), Ordering::Relaxed);
        }
        if breakdowns > 0 {
            self.breakdowns.fetch_add(breakdowns, Ordering::Relaxed);
        }
    }

    /// The largest sample of each side since the last call.
    #[cfg(feature = "window")]
    pub fn take_peaks(&self) -> [f32; 2] {
        [0, 1].map(|side| f32::from_bits(self.peaks[side].swap(0, Ordering::Relaxed)))
    }

    /// How often the sound broke, by values beyond what numbers can hold.
    #[cfg(feature = "window")]
    pub fn breakdowns(&self) -> u64 {
        self.breakdowns.load(Ordering::Relaxed)
    }
}

/// A part for a scene, and what is told of it.
fn made(choice: &Choice, rate: f64, is_effect: bool) -> (Part, Face) {
    let failed = |message: String| {
        let face = Face { title: choice.name.clone(), message: Some(message), ..Face::default() };
        (Part::silent(), face)
    };
    let source = Source::new(choice.name.clone(), choice.text.clone());
    let mut scene = match read(&source, &Reading { rate: Some(rate), ..Reading::default() }) {
        Ok(scene) => scene,
        Err(problems) => return failed(problems.render(MESSAGE_WIDTH, false)),
    };
    match Part::new(&mut scene, is_effect) {
        Ok((part, drawing)) => {
            let Scene { title, about, controls, .. } = scene;
            (part, Face { choice: 0, title, about, message: None, controls, drawing })
        }
        Err(error) => failed(format!("{}: {error}", choice.name)),
    }
}
