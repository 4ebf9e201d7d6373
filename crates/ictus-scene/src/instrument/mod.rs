//! The instrument: a scene that sounds.
//!
//! It owns the engine, the tools, the keys and their voices, the score and one table of parameters. [`Instrument::process`] runs the score to
//! the sample, lets parameters go where they were sent, and fills blocks of sound; [`Instrument::set`], [`Instrument::act`] and its
//! shorter forms play live. All memory is taken by [`Instrument::new`]: after it nothing allocates, locks or panics, and no value given
//! from outside makes a sample that is not a number. Whatever the blocks, the samples are the same. A clone goes on like the original.

pub(crate) mod bounds;
mod console;
mod controls;
mod decays;
mod error;
mod hands;
mod input;
mod listening;
mod mechanism;
mod nature;
mod output;
pub(crate) mod pan;
mod parameters;
mod places;
mod process;
mod ramps;
mod score;
mod settings;
mod tools;
mod voices;

use ictus::Engine;
use ictus::contact::Rule;
use ictus::control::Change;
use ictus::id::{ContactId, ForceId};
use ictus::probe::ContactEvent;
use ictus::quarantine::Culprit;

use crate::ControlId;
use crate::scene::{Action, Scene};
use bounds::FARTHEST_BEND;
use console::Console;
use controls::Controls;
pub use error::{BuildError, PlayError};
pub(crate) use error::{no, within};
pub use hands::Hand;
use hands::Hands;
pub use input::{MOST_FED, input};
pub(crate) use mechanism::Mechanism;
pub use nature::Nature;
use output::Ear;
use parameters::Table;
use process::MOST_MIXED;
use score::Score;
use voices::Voices;

/// Samples between two looks at whether all is well, counted from the start.
const WATCH: u64 = 256;

/// Level, in parts of full scale, below which what dies away stands still: -160 dB.
const INAUDIBLE: f64 = 1e-8;

/// What left the numbers.
#[derive(Clone, Copy, Debug)]
enum Broken {
    /// Something in the engine.
    Within(Culprit),
    /// What the gain of the output makes of it.
    Output,
}

/// A scene at work.
#[derive(Clone, Debug)]
pub struct Instrument {
    table: Table,
    score: Score,
    console: Console,
    hands: Vec<Hands>,
    input: Option<ForceId>,
    ear: Ear,
    /// What was heard in the turn under way, interleaved, for hosts that want it otherwise.
    mix: Vec<f64>,
    /// Whether the sound has broken and is silent until the instrument is put back.
    is_broken: bool,
    breakdowns: u64,
    culprit: Option<Broken>,
}

/// An instrument can be built on one thread and played on another.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Instrument>();
};

impl Instrument {
    /// Builds the scene's model and takes all memory that playing it needs. It begins with the score.
    ///
    /// # Errors
    /// The model cannot be built, or something that plays it does not fit it.
    pub fn new(scene: &Scene) -> Result<Self, BuildError> {
        Self::build(scene, scene, vec![], None)
    }

    /// The same with hands for every object: [`Instrument::strike`], [`Instrument::bow`], [`Instrument::pull`], [`Instrument::damp`], and its signal
    /// `input` follows sound from outside: [`Instrument::hear`]. Until they are used, it sounds the same to the bit. Where hands for all objects are more than the engine can solve, only the first ones
    /// have some ([`Instrument::has_hands`]): whatever can be rendered can be played.
    ///
    /// # Errors
    /// As of [`Instrument::new`].
    pub fn with_hands(scene: &Scene) -> Result<Self, BuildError> {
        use ictus::BuildError::{TooManyInteractions, TooTangled};
        let mut most = usize::MAX;
        loop {
            let (mut handled, hands) = Hands::added_to(scene, most)?;
            let input = input::lend(&mut handled);
            let count = hands.len();
            match Self::build(scene, &handled, hands, input) {
                Err(BuildError::Model(TooManyInteractions { .. } | TooTangled { .. })) if count > 0 => most = count / 2,
                built => return built,
            }
        }
    }

    /// Builds a scene, `handled` with its hands and its force from outside.
    fn build(scene: &Scene, handled: &Scene, hands: Vec<Hands>, input: Option<ForceId>) -> Result<Self, BuildError> {
        let mut mechanism = Mechanism::new(handled)?;
        let controls = Controls::new(&scene.controls, &mut mechanism)?;
        let voices = scene.notes.as_ref().map(Voices::new).transpose()?;
        if !scene.output.gain.is_finite() {
            let (what, value) = ("the gain of the output", scene.output.gain);
            return Err(BuildError::Value { what, value, allowed: "finite" });
        }
        let rate = mechanism.engine.rate();
        mechanism.engine.set_inaudible(INAUDIBLE / scene.output.gain.abs());
        mechanism.begin_here()?;
        Ok(Self {
            table: Table::new(scene),
            mix: vec![0.0; MOST_MIXED * mechanism.engine.channels()],
            score: Score::new(&scene.score, rate),
            ear: Ear::new(&scene.output, rate, mechanism.engine.channels()),
            console: Console { mechanism, voices, controls },
            hands,
            input,
            is_broken: false,
            breakdowns: 0,
            culprit: None,
        })
    }

    fn play_what_is_due(&mut self) {
        let time = self.console.mechanism.time;
        while let Some(action) = self.score.next_due(time) {
            // A score that asks for the impossible does not stop the music.
            let _ = self.console.act(action);
        }
        self.hands.iter_mut().for_each(|hands| hands.leave(&mut self.console.mechanism));
        self.console.mechanism.step_ramps();
    }

    /// Frames until something happens, at most as many as asked for.
    fn frames_to_run(&self, most: usize) -> usize {
        let time = self.console.mechanism.time;
        let hands = self.hands.iter().map(|hands| hands.until_next(time)).min().unwrap_or(u64::MAX);
        let until = self.score.until_next(time).min(self.console.mechanism.until_next_step()).min(hands);
        until.min(WATCH - time % WATCH).min(most as u64) as usize
    }

    /// Sends what the engine made to the ear; what has broken is silent until the next look, and then put back.
    fn listen(&mut self, block: &mut [f64]) {
        if self.is_broken {
            block.fill(0.0);
        } else {
            self.is_broken = !self.ear.process(block);
            if self.is_broken {
                self.culprit = Some(Broken::Output);
            }
        }
        if self.console.mechanism.time.is_multiple_of(WATCH) {
            self.ear.quieten();
            if let Some(breakdown) = self.console.mechanism.engine.take_breakdown() {
                self.is_broken = true;
                self.culprit = Some(Broken::Within(breakdown.culprit));
            }
            if self.is_broken {
                self.put_back();
                self.breakdowns += 1;
            }
        }
    }

    /// The instrument as it was at the start, at rest.
    fn put_back(&mut self) {
        self.console.mechanism.return_to_beginning();
        self.hands.iter_mut().for_each(Hands::reset);
        self.console.controls.reset();
        if let Some(voices) = &mut self.console.voices {
            voices.reset();
        }
        self.ear.reset();
        self.is_broken = false;
    }

    /// How often the sound or an energy broke, by values beyond what numbers can hold, and was put back to the start in silence.
    pub fn breakdowns(&self) -> u64 {
        self.breakdowns
    }

    /// The name of the object or contact that broke last, or `output` if they were sound and the gain of the output was too much.
    pub fn culprit(&self) -> Option<&str> {
        match self.culprit? {
            Broken::Within(culprit) => self.engine().culprit_name(culprit),
            Broken::Output => Some("output"),
        }
    }

    /// Fades a block towards the end of a render, as the scene's output says: its first frame is number `position` of `total`.
    pub fn fade(&self, block: &mut [f64], position: u64, total: u64) {
        self.ear.fade(block, position, total);
    }

    /// Does something before the next sample. What cannot be done is left, and the error says why.
    pub fn act(&mut self, action: &Action) -> Result<(), PlayError> {
        self.console.act(action)
    }

    /// A key goes down: 69 is A4, the velocity from 0 to 1. Without a note map, nothing happens.
    pub fn note_on(&mut self, key: u8, velocity: f64) {
        self.console.note_on(key, velocity);
    }

    /// A key comes up.
    pub fn note_off(&mut self, key: u8) {
        self.console.note_off(key);
    }

    /// Lets a force follow these samples from the next frame on, times its level: [`Engine::feed`]. For audio from outside, before each block.
    ///
    /// # Errors
    /// There is no such force, or it has no signal, or one shorter than this.
    pub fn feed(&mut self, force: ForceId, samples: &[f64]) -> Result<(), PlayError> {
        Ok(self.console.mechanism.engine.feed(force, samples)?)
    }

    /// Lets sound from outside drive an instrument [with hands](Instrument::with_hands): these samples, at most [`MOST_FED`], 1 being full scale,
    /// are what its [signal `input`](input()) plays from the next frame on. Without such a signal nothing happens.
    pub fn hear(&mut self, samples: &[f64]) {
        if let Some(force) = self.input {
            let _ = self.feed(force, &samples[..samples.len().min(MOST_FED)]);
        }
    }

    /// Every key comes up, and the pedal.
    pub fn all_notes_off(&mut self) {
        self.console.sustain(false);
        (0..128).for_each(|key| self.console.note_off(key));
    }

    /// The pedal that holds the notes goes down or up.
    pub fn sustain(&mut self, down: bool) {
        self.console.sustain(down);
    }

    /// Turns the pitch wheel, from -1 to 1: as many semitones as the note map says, 2 without one.
    pub fn pitch_bend(&mut self, wheel: f64) {
        let range = self.console.voices.as_ref().map_or(2.0, Voices::bend_range);
        if !wheel.is_nan() {
            let _ = self.console.mechanism.bend_all(range * wheel.clamp(-1.0, 1.0));
        }
    }

    /// Bends the string of a key that sounds by so many semitones, and no other: polyphonic expression. Nothing happens without such a string.
    ///
    /// # Errors
    /// The bend is out of range.
    pub fn bend_note(&mut self, key: u8, semitones: f64) -> Result<(), PlayError> {
        let Console { mechanism, voices, .. } = &mut self.console;
        let semitones = within("bend of a note", semitones, -FARTHEST_BEND, FARTHEST_BEND)?;
        voices.as_ref().map_or(Ok(()), |voices| voices.bend(mechanism, key, semitones))
    }

    /// Turns a control for one key that sounds: of its parameters those that belong to what plays that key follow, until the control is turned
    /// or they play another note.
    ///
    /// # Errors
    /// There is no such control, or the value is no number.
    pub fn express(&mut self, key: u8, control: ControlId, value: f64) -> Result<(), PlayError> {
        let Console { mechanism, voices, controls } = &mut self.console;
        let Some(voices) = voices else { return Ok(()) };
        let tools = voices.tools_of(key, mechanism.time);
        controls.express(mechanism, control, value, tools)
    }

    /// Turns a control to a value in its unit, brought into its range.
    pub fn turn(&mut self, control: ControlId, value: f64) -> Result<(), PlayError> {
        self.console.turn(control, value)
    }

    /// Where a control stands, in its unit.
    pub fn control(&self, control: ControlId) -> Option<f64> {
        self.console.controls.value(control)
    }

    /// The value a control has been turned to since the start, if it has been.
    pub fn turned(&self, control: ControlId) -> Option<f64> {
        self.console.controls.turned(control)
    }

    /// Keys that are down or held by the pedal.
    pub fn keys(&self) -> impl Iterator<Item = u8> + '_ {
        self.console.voices.iter().flat_map(Voices::keys)
    }

    /// Number of output channels.
    pub fn channels(&self) -> usize {
        self.ear.channels()
    }

    /// Sample rate in Hz.
    pub fn rate(&self) -> f64 {
        self.console.mechanism.engine.rate()
    }

    /// Time in s since the start.
    pub fn time(&self) -> f64 {
        self.position() as f64 / self.rate()
    }

    /// Frames since the start.
    pub fn position(&self) -> u64 {
        self.console.mechanism.time
    }

    /// The engine, to look at.
    pub fn engine(&self) -> &Engine {
        &self.console.mechanism.engine
    }

    /// Keeps the energy account from here on, or not: [`Engine::keep_account_of_energy`].
    pub fn keep_account_of_energy(&mut self, keep: bool) {
        self.console.mechanism.engine.keep_account_of_energy(keep);
    }

    /// Hands over the contacts that have ended since the last call, oldest first.
    pub fn drain_contacts(&mut self) -> impl Iterator<Item = ContactEvent> + '_ {
        self.console.mechanism.engine.drain_contacts()
    }

    /// Another rule for g of a contact, to compare them. It stays so when the instrument is reset.
    ///
    /// # Errors
    /// There is no such contact.
    pub fn set_rule(&mut self, contact: ContactId, rule: Rule) -> Result<(), PlayError> {
        Ok(self.console.mechanism.engine.change(&Change::Rule { contact, rule })?)
    }

    /// Stops the score where it is: what sounds rings on, and can be played live.
    pub fn stop_score(&mut self) {
        self.score.stop();
    }

    /// Whether the score has events to come.
    pub fn is_playing_score(&self) -> bool {
        self.score.is_playing()
    }

    /// Everything back to the start, from where the score plays again.
    pub fn reset(&mut self) {
        self.put_back();
        self.score.reset();
        self.console.mechanism.time = 0;
        self.breakdowns = 0;
    }
}

#[cfg(test)]
mod tests {
    use ictus::Model;
    use ictus::model::{Force, Interaction, Pickup, Point, Source};
    use ictus::objects::{BarrierSpec, MassSpec};

    use super::*;

    impl Scene {
        /// Nothing at all.
        fn silent() -> Self {
            Self {
                title: String::new(),
                about: String::new(),
                duration: 1.0,
                seed: 1,
                model: Model::new(48_000.0),
                exciters: vec![],
                score: vec![],
                controls: vec![],
                notes: None,
                output: crate::scene::Output::default(),
                written: crate::parameters::Written::default(),
            }
        }
    }

    #[test]
    fn an_energy_that_is_no_number_is_a_breakdown_even_where_nobody_listens() {
        let heard = MassSpec { velocity: 0.1, ..MassSpec::oscillator(0.01, 440.0, ictus::objects::Decay::None) };
        let spring = ictus::laws::LinearCubicSpring::new(1e3, 1e9).unwrap();
        let model = Model::new(48_000.0)
            .with("heard", heard)
            .with("unheard", MassSpec::free(0.01))
            .with("wall", BarrierSpec::default())
            .join(Interaction::new("spring", Point::of("unheard"), Point::of("wall"), spring))
            .drive(Force { name: "push".into(), at: Point::of("unheard"), level: 0.0, signal: Some(vec![1.0]) })
            .listen(Pickup { source: Source::Velocity(Point::of("heard")), gains: vec![1.0] });
        let scene = Scene { model, ..Scene::silent() };
        let mut instrument = Instrument::new(&scene).unwrap();
        let mut block = vec![0.0; 1024];
        instrument.process(&mut block);
        assert_eq!(instrument.breakdowns(), 0);
        for change in [
            ictus::control::Change::Level { force: ForceId::new(0), level: 1e300 },
            ictus::control::Change::Trigger { force: ForceId::new(0) },
        ] {
            instrument.console.mechanism.engine.change(&change).unwrap();
        }
        instrument.process(&mut block);
        assert!(block.iter().all(|sample| sample.is_finite()));
        assert_eq!((instrument.breakdowns(), instrument.culprit()), (1, Some("unheard")));
    }

    #[test]
    fn a_gain_beyond_numbers_is_a_breakdown_of_the_output() {
        let heard = MassSpec { velocity: 0.1, ..MassSpec::oscillator(0.01, 440.0, ictus::objects::Decay::None) };
        let pickup = Pickup { source: Source::Velocity(Point::of("heard")), gains: vec![1e12] };
        let mut scene = Scene { model: Model::new(48_000.0).with("heard", heard).listen(pickup), ..Scene::silent() };
        scene.output.gain = 1e308;
        let mut instrument = Instrument::new(&scene).unwrap();
        let mut block = vec![0.0; 1024];
        instrument.process(&mut block);
        assert!(block.iter().all(|sample| sample.is_finite()));
        assert!(instrument.breakdowns() > 0 && instrument.culprit() == Some("output"));
    }
}
