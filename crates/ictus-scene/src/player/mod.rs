//! The player: a scene that sounds.
//!
//! [`Player::process`] runs the score to the sample, lets parameters go where they were sent, and fills blocks of sound;
//! [`Player::act`] and its shorter forms play live. All memory is taken by [`Player::new`]: after it nothing allocates, locks or
//! panics, and no value given from outside makes a sample that is not a number. Whatever the blocks, the samples are the same.

pub(crate) mod bounds;
mod controls;
mod error;
mod instrument;
mod output;
mod places;
mod ramps;
mod score;
mod settings;
mod tools;
mod voices;

use ictus::Engine;

use crate::scene::{Action, Parameter, Scene};
use controls::{Controls, follow};
pub use error::{BuildError, PlayError};
use instrument::Instrument;
use output::Ear;
use score::Score;
use voices::Voices;

/// Samples between two looks at whether all is well, counted from the start.
const WATCH: u64 = 256;

/// A scene at work.
#[derive(Debug)]
pub struct Player {
    score: Score,
    hands: Hands,
    ear: Ear,
    /// Whether the sound has broken and is silent until the instrument is put back.
    is_broken: bool,
    breakdowns: u64,
}

/// What plays the instrument: a score or a person, it makes no difference.
#[derive(Debug)]
struct Hands {
    instrument: Instrument,
    voices: Option<Voices>,
    controls: Controls,
}

/// A player can be built on one thread and played on another.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Player>();
};

impl Player {
    /// Builds the scene's model and takes all memory that playing it needs.
    pub fn new(scene: &Scene) -> Result<Self, BuildError> {
        let mut instrument = Instrument::new(scene)?;
        let controls = Controls::new(&scene.controls, &mut instrument)?;
        let voices = scene.notes.as_ref().map(Voices::new).transpose()?;
        if !scene.output.gain.is_finite() {
            let (what, value) = ("the gain of the output", scene.output.gain);
            return Err(BuildError::Value { what, value, allowed: "finite" });
        }
        let rate = instrument.engine.rate();
        instrument.begin_here()?;
        Ok(Self {
            score: Score::new(&scene.score, rate),
            ear: Ear::new(&scene.output, rate, instrument.engine.channels()),
            hands: Hands { instrument, voices, controls },
            is_broken: false,
            breakdowns: 0,
        })
    }

    /// Fills a block of interleaved samples, `block.len() / channels` frames. Fit for the audio thread.
    pub fn process(&mut self, block: &mut [f64]) {
        let channels = self.channels();
        let mut rest = block;
        while rest.len() >= channels {
            self.play_what_is_due();
            let frames = self.frames_to_run(rest.len() / channels);
            let (now, later) = rest.split_at_mut(frames * channels);
            self.hands.instrument.engine.process(now);
            self.hands.instrument.time += frames as u64;
            self.listen(now);
            rest = later;
        }
        rest.fill(0.0);
    }

    fn play_what_is_due(&mut self) {
        let time = self.hands.instrument.time;
        while let Some(action) = self.score.next_due(time) {
            // A score that asks for the impossible does not stop the music.
            let _ = self.hands.act(action);
        }
        self.hands.instrument.step_ramps();
    }

    /// Frames until something happens, at most as many as asked for.
    fn frames_to_run(&self, most: usize) -> usize {
        let time = self.hands.instrument.time;
        let until = self.score.until_next(time).min(self.hands.instrument.until_next_step()).min(WATCH - time % WATCH);
        until.min(most as u64) as usize
    }

    /// Sends what the engine made to the ear; what has broken is silent until the next look, and then put back.
    fn listen(&mut self, block: &mut [f64]) {
        if self.is_broken {
            block.fill(0.0);
        } else {
            self.is_broken = !self.ear.process(block);
        }
        if self.hands.instrument.time.is_multiple_of(WATCH) {
            self.ear.quieten();
            // What nobody hears can break too, and then the account has.
            self.is_broken |= !self.hands.instrument.engine.balance().is_finite();
            if self.is_broken {
                self.put_back();
                self.breakdowns += 1;
            }
        }
    }

    /// The instrument as it was at the start, at rest.
    fn put_back(&mut self) {
        self.hands.instrument.return_to_beginning();
        self.hands.controls.reset();
        if let Some(voices) = &mut self.hands.voices {
            voices.reset();
        }
        self.ear.reset();
        self.is_broken = false;
    }

    /// How often the sound or an energy broke, by values beyond what numbers can hold, and was put back to the start in silence.
    pub fn breakdowns(&self) -> u64 {
        self.breakdowns
    }

    /// Fades a block towards the end of a render, as the scene's output says: its first frame is number `position` of `total`.
    pub fn fade(&self, block: &mut [f64], position: u64, total: u64) {
        self.ear.fade(block, position, total);
    }

    /// Does something before the next sample. What cannot be done is left, and the error says why.
    pub fn act(&mut self, action: &Action) -> Result<(), PlayError> {
        self.hands.act(action)
    }

    /// A key goes down: 69 is A4, the velocity from 0 to 1. Without a note map, nothing happens.
    pub fn note_on(&mut self, key: u8, velocity: f64) {
        self.hands.note_on(key, velocity);
    }

    /// A key comes up.
    pub fn note_off(&mut self, key: u8) {
        self.hands.note_off(key);
    }

    /// Every key comes up, and the pedal.
    pub fn all_notes_off(&mut self) {
        self.hands.sustain(false);
        (0..128).for_each(|key| self.hands.note_off(key));
    }

    /// The pedal that holds the notes goes down or up.
    pub fn sustain(&mut self, down: bool) {
        self.hands.sustain(down);
    }

    /// Turns the pitch wheel, from -1 to 1: as many semitones as the note map says, 2 without one.
    pub fn pitch_bend(&mut self, wheel: f64) {
        let range = self.hands.voices.as_ref().map_or(2.0, Voices::bend_range);
        if !wheel.is_nan() {
            let _ = self.hands.instrument.bend_all(range * wheel.clamp(-1.0, 1.0));
        }
    }

    /// Turns a control to a value in its unit, brought into its range.
    pub fn turn(&mut self, control: usize, value: f64) -> Result<(), PlayError> {
        self.hands.turn(control, value)
    }

    /// Where a control stands, in its unit.
    pub fn control(&self, control: usize) -> Option<f64> {
        self.hands.controls.value(control)
    }

    /// The value a control has been turned to since the start, if it has been.
    pub fn turned(&self, control: usize) -> Option<f64> {
        self.hands.controls.turned(control)
    }

    /// Brings a parameter to a value at once.
    pub fn set(&mut self, parameter: Parameter, value: f64) -> Result<(), PlayError> {
        self.hands.instrument.set(parameter, value)
    }

    /// What a parameter stands at, in its unit.
    pub fn value(&self, parameter: Parameter) -> Option<f64> {
        self.hands.instrument.value(parameter)
    }

    /// Keys that are down or held by the pedal.
    pub fn keys(&self) -> impl Iterator<Item = u8> + '_ {
        self.hands.voices.iter().flat_map(Voices::keys)
    }

    /// Number of output channels.
    pub fn channels(&self) -> usize {
        self.ear.channels()
    }

    /// Sample rate in Hz.
    pub fn rate(&self) -> f64 {
        self.hands.instrument.engine.rate()
    }

    /// Time in s since the start.
    pub fn time(&self) -> f64 {
        self.position() as f64 / self.rate()
    }

    /// Frames since the start.
    pub fn position(&self) -> u64 {
        self.hands.instrument.time
    }

    /// The engine, to look at.
    pub fn engine(&self) -> &Engine {
        &self.hands.instrument.engine
    }

    /// The engine, for its energy account and its contacts. Step it and change it through the player only.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.hands.instrument.engine
    }

    /// Everything back to the start, the score too.
    pub fn reset(&mut self) {
        self.put_back();
        self.score.reset();
        self.hands.instrument.time = 0;
        self.breakdowns = 0;
    }
}

impl Hands {
    fn act(&mut self, action: &Action) -> Result<(), PlayError> {
        match *action {
            Action::Play { exciter, amount, over } => self.instrument.play(exciter, amount, over)?,
            Action::Release { exciter, over } => self.instrument.release(exciter, over)?,
            Action::Set { ref targets, value, over } => follow(&mut self.instrument, targets, value, over)?,
            Action::NoteOn { key, velocity } => self.note_on(key, velocity),
            Action::NoteOff { key } => self.note_off(key),
            Action::Sustain(down) => self.sustain(down),
            Action::PitchBend(semitones) => self.instrument.bend_all(semitones)?,
            Action::Turn { control, value } => self.turn(control, value)?,
        }
        Ok(())
    }

    fn note_on(&mut self, key: u8, velocity: f64) {
        if let Some(voices) = &mut self.voices
            && !velocity.is_nan()
        {
            voices.strike(&mut self.instrument, key, velocity);
        }
    }

    fn note_off(&mut self, key: u8) {
        if let Some(voices) = &mut self.voices {
            voices.lift(&mut self.instrument, key);
        }
    }

    fn sustain(&mut self, down: bool) {
        if let Some(voices) = &mut self.voices {
            voices.sustain(&mut self.instrument, down);
        }
    }

    fn turn(&mut self, control: usize, value: f64) -> Result<(), PlayError> {
        self.controls.turn(&mut self.instrument, control, value)
    }
}
