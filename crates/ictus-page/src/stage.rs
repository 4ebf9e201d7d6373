//! A scene on stage: an instrument with hands for every object, as the page plays it.
//!
//! All that sounds is the [`Instrument`]'s own: its tools, its keys, its score. The stage turns gestures into calls, keeps what was turned when
//! everything is put to rest, and reads off what is drawn.

use ictus::contact::Rule;
use ictus::id::{ContactId, ObjectId};
use ictus::objects::Place;
use ictus_scene::instrument::Hand;
use ictus_scene::parameters::ParameterId;
use ictus_scene::scene::Action;
use ictus_scene::{ControlId, Instrument, Scene};

use crate::describe;
use crate::description::{Account, Description, Shape};
use crate::drawing::{self, Between};
use crate::frames::{CHANNELS, push_number};
use crate::protocol::{Gesture, Hand as Named, ParameterName};

/// Frames between two looks at the forces.
const CHUNK: usize = 32;

/// Most bytes of a state, its head included: at sixty a second, a stream that a browser still keeps up with.
pub const MOST_STATE_BYTES: usize = 512 << 10;

/// Nearest that a hand comes to an end, an edge or a rim, as a fraction of the side: where they are fixed they cannot move.
const EDGE: f64 = 0.001;

/// A scene being played.
pub struct Stage {
    instrument: Instrument,
    description: Description,
    /// Largest force of every contact and of the hands on every object since the last state, in N.
    contact_peaks: Vec<f64>,
    hand_peaks: Vec<f64>,
    /// Parameters that were set by hand, and where controls stood, to be kept when everything is put to rest.
    settings: Vec<Option<f64>>,
    controls: Vec<Option<f64>>,
    keeps_account: bool,
    /// Whether time stands still since everything was put to rest: what falls by itself waits until something is played.
    is_still: bool,
    mix: Vec<f64>,
    shape: Vec<f64>,
}

impl Stage {
    /// Sets a scene up, its score stopped. `name` is what it is asked for by.
    ///
    /// # Errors
    /// In words, when the model cannot be built, or has so many objects that their states cannot be sent.
    pub fn new(name: &str, scene: &Scene) -> Result<Self, String> {
        let mut instrument = Instrument::with_hands(scene).map_err(said)?;
        instrument.stop_score();
        instrument.keep_account_of_energy(true);
        let engine = instrument.engine();
        let dimensions: Vec<[usize; 2]> = (0..scene.model.objects.len())
            .map(|object| engine.dimensions(ObjectId::new(object)).unwrap_or([1, 1]))
            .collect();
        let largest = dimensions.iter().map(|[columns, rows]| columns * rows).max().unwrap_or(1);
        let beside = scene.model.interactions.len() + scene.controls.len();
        let points = drawing::points(&scene.model, &dimensions, beside).map_err(said)?;
        let description = describe::describe(name, scene, &points, |object| instrument.has_hands(object));
        Ok(Self {
            contact_peaks: vec![0.0; description.contacts.len()],
            hand_peaks: vec![0.0; description.objects.len()],
            description,
            settings: vec![None; instrument.parameters().len()],
            controls: vec![None; scene.controls.len()],
            keeps_account: true,
            is_still: false,
            mix: vec![0.0; CHUNK * instrument.channels()],
            shape: vec![0.0; largest],
            instrument,
        })
    }

    /// The instrument inside.
    pub fn instrument(&self) -> &Instrument {
        &self.instrument
    }

    /// The place that two numbers mean on an object.
    fn place(&self, object: usize, at: &[f64]) -> Result<Place, String> {
        let described = self.description.objects.get(object).ok_or_else(|| format!("there is no object {object}"))?;
        let fraction = |number: usize| -> Result<f64, String> {
            let value = at.get(number).copied().ok_or("the place needs one more number")?;
            if value.is_finite() { Ok(value.clamp(EDGE, 1.0 - EDGE)) } else { Err("the place is not a number".into()) }
        };
        Ok(match described.shape {
            Some(Shape::Line) => Place::Along(fraction(0)?),
            Some(Shape::Rectangle | Shape::Circle) => {
                let [x, y] = [fraction(0)?, fraction(1)?];
                // What is off a circle means the nearest place on it.
                let distance = (x - 0.5).hypot(y - 0.5);
                let inwards = if described.shape == Some(Shape::Circle) { (0.5 - EDGE) / distance } else { 1.0 };
                let [x, y] = [x, y].map(|side| 0.5 + inwards.min(1.0) * (side - 0.5));
                Place::On(x, y)
            }
            None if described.kind == "modal" => {
                let most = described.points[0].saturating_sub(1) as f64;
                Place::Point(at.first().copied().unwrap_or(0.0).clamp(0.0, most) as usize)
            }
            None => Place::Whole,
        })
    }

    fn set(&mut self, parameter: &ParameterName, value: f64) -> Result<(), String> {
        let id = match parameter {
            ParameterName::Number(number) => ParameterId::new(*number),
            ParameterName::Path(path) => {
                let unknown = || format!("there is no parameter `{path}`: {}", self.instrument.suggest(path));
                self.instrument.parameter(path).ok_or_else(unknown)?
            }
        };
        self.instrument.set(id, value).map_err(|error| match self.instrument.parameters().get(id.index()) {
            Some(info) => format!("`{}`: {error}", info.path),
            None => said(error),
        })?;
        self.settings[id.index()] = Some(value);
        Ok(())
    }

    fn set_rule(&mut self, contacts: &[usize], rule: Rule) -> Result<(), String> {
        for &contact in contacts {
            if contact >= self.description.contacts.len() {
                return Err(format!("there is no contact {contact}"));
            }
            self.instrument.set_rule(ContactId::new(contact), rule).map_err(said)?;
        }
        Ok(())
    }

    fn watch_forces(&mut self) {
        let engine = self.instrument.engine();
        for (contact, peak) in self.contact_peaks.iter_mut().enumerate() {
            *peak = peak.max(engine.interaction_force(ContactId::new(contact)).unwrap_or(0.0).abs());
        }
        for (object, peak) in self.hand_peaks.iter_mut().enumerate() {
            *peak = peak.max(self.instrument.hand_force(ObjectId::new(object)));
        }
    }

    fn write_shape(&mut self, object: usize, out: &mut Vec<u8>) {
        let engine = self.instrument.engine();
        let [columns, rows] = engine.dimensions(ObjectId::new(object)).unwrap_or([1, 1]);
        let _ = engine.shape(ObjectId::new(object), &mut self.shape);
        let [across, down] = self.description.objects[object].points;
        for row in 0..down {
            let y = Between::new(row, down, rows);
            for column in 0..across {
                let x = Between::new(column, across, columns);
                push_number(out, y.of(|row| x.of(|column| self.shape[row * columns + column])) as f32);
            }
        }
    }
}

impl Stage {
    /// What there is to draw, to play and to turn. It does not change while the stage lives.
    pub fn describe(&self) -> Description {
        self.description.clone()
    }

    /// Does what a player does, before the next frame.
    ///
    /// # Errors
    /// A refusal in words; nothing has changed then.
    pub fn play(&mut self, gesture: &Gesture) -> Result<(), String> {
        let id = ObjectId::new;
        let stood_still = self.is_still;
        self.is_still = stood_still && !sets_in_motion(gesture);
        let done = match gesture {
            Gesture::Strike { object, at, velocity } => {
                let place = self.place(*object, at)?;
                self.instrument.strike(id(*object), place, *velocity)
            }
            Gesture::Bow { object, at, velocity, force } => {
                let place = self.place(*object, at)?;
                self.instrument.bow(id(*object), place, *velocity, *force)
            }
            Gesture::Pull { object, at, height } => {
                let place = self.place(*object, at)?;
                self.instrument.pull(id(*object), place, *height)
            }
            Gesture::Pluck { object, at, height } => {
                let place = self.place(*object, at)?;
                self.instrument.pluck(id(*object), place, *height)
            }
            Gesture::Damp { object, at } => {
                let place = self.place(*object, at)?;
                self.instrument.damp(id(*object), place)
            }
            Gesture::Release { object, hand } => self.instrument.release(id(*object), (*hand).into()),
            Gesture::NoteOn { key, velocity } => {
                self.instrument.act(&Action::NoteOn { key: *key, velocity: velocity.clamp(0.0, 1.0) })
            }
            Gesture::NoteOff { key } => self.instrument.act(&Action::NoteOff { key: *key }),
            Gesture::Sustain { on } => self.instrument.act(&Action::Sustain(*on)),
            Gesture::Bend { amount } => {
                self.instrument.pitch_bend(amount.clamp(-1.0, 1.0));
                Ok(())
            }
            Gesture::BendNote { key, semitones } => self.instrument.bend_note(*key, *semitones),
            Gesture::Express { key, control, value } => self.instrument.express(*key, ControlId::new(*control), *value),
            Gesture::Turn { control, value } => self.instrument.turn(ControlId::new(*control), *value),
            Gesture::Set { parameter, value } => return self.set(parameter, *value),
            Gesture::Rule { contacts, rule } => return self.set_rule(contacts, *rule),
            Gesture::Account { keep } => {
                self.keeps_account = *keep;
                self.instrument.keep_account_of_energy(*keep);
                Ok(())
            }
            Gesture::Score { play } => {
                if *play {
                    self.begin();
                } else {
                    self.instrument.stop_score();
                }
                Ok(())
            }
            Gesture::Reset {} => {
                self.rest();
                Ok(())
            }
        };
        if done.is_err() {
            self.is_still = stood_still;
        }
        done.map_err(said)
    }

    /// Lets sound from outside drive the instrument from the next frame on: at most a block, 1 being full scale. Silence sets nothing in motion.
    pub fn hear(&mut self, samples: &[f64]) {
        self.is_still &= samples.iter().all(|sample| *sample == 0.0);
        self.instrument.hear(samples);
    }

    /// Fills a block of interleaved frames of two channels. Neither allocates, locks nor panics.
    pub fn process(&mut self, block: &mut [f64]) {
        if self.is_still {
            block.fill(0.0);
            return;
        }
        let channels = self.instrument.channels();
        // Forces are looked at often, so that no peak is missed; whatever the blocks, the samples are the same.
        for chunk in block.chunks_mut(CHUNK * CHANNELS) {
            let frames = chunk.len() / CHANNELS;
            let mix = &mut self.mix[..frames * channels];
            self.instrument.process(mix);
            // One channel goes to both sides; of more than two, every second one to each.
            for (out, heard) in chunk.chunks_exact_mut(CHANNELS).zip(mix.chunks_exact(channels)) {
                out[0] = heard.iter().step_by(2).sum();
                out[1] = if channels == 1 { heard[0] } else { heard.iter().skip(1).step_by(2).sum() };
            }
            self.watch_forces();
        }
        for event in self.instrument.drain_contacts() {
            if let Some(peak) = self.contact_peaks.get_mut(event.contact.index()) {
                *peak = peak.max(event.peak_force);
            }
        }
    }

    /// Appends how everything stands, in the layout of frames.rs: objects, contacts, controls.
    pub fn write_state(&mut self, out: &mut Vec<u8>) {
        for object in 0..self.description.objects.len() {
            push_number(out, self.instrument.engine().object_energy(ObjectId::new(object)).unwrap_or(0.0) as f32);
            push_number(out, std::mem::take(&mut self.hand_peaks[object]) as f32);
            self.write_shape(object, out);
        }
        for peak in &mut self.contact_peaks {
            push_number(out, std::mem::take(peak) as f32);
        }
        for control in 0..self.description.controls.len() {
            push_number(out, self.instrument.control(ControlId::new(control)).unwrap_or(f64::NAN) as f32);
        }
    }

    /// Bytes that [`Stage::write_state`] appends.
    pub fn state_bytes(&self) -> usize {
        let Description { objects, contacts, controls, .. } = &self.description;
        let points: usize = objects.iter().map(|object| 2 + object.points[0] * object.points[1]).sum();
        4 * (points + contacts.len() + controls.len())
    }

    /// Whether the energy account is kept, the residual relative to the energy that went through, and the energy in J.
    pub fn account(&self) -> Account {
        let engine = self.instrument.engine();
        let stored = engine.stored_energy();
        let residual = if self.keeps_account { engine.balance().residual() } else { f64::NAN };
        Account { kept: self.keeps_account, residual, stored, breakdowns: self.instrument.breakdowns() }
    }

    /// Puts everything back to rest, the score stopped. There it stays until something is played: a ball in the air does not fall.
    pub fn rest(&mut self) {
        self.begin();
        self.instrument.stop_score();
        self.is_still = true;
        // What was before is over, and may have been beyond what numbers can hold.
        self.contact_peaks.fill(0.0);
        self.hand_peaks.fill(0.0);
    }

    /// Puts the instrument to its beginning, from where its score plays. What the page has turned stays turned.
    fn begin(&mut self) {
        for (value, control) in self.controls.iter_mut().zip(0..) {
            *value = self.instrument.turned(ControlId::new(control));
        }
        self.instrument.reset();
        for (value, control) in self.controls.iter().zip(0..) {
            if let Some(value) = value {
                let _ = self.instrument.turn(ControlId::new(control), *value);
            }
        }
        for (value, id) in self.settings.iter().zip((0..).map(ParameterId::new)) {
            if let Some(value) = value {
                let _ = self.instrument.set(id, *value);
            }
        }
        self.instrument.keep_account_of_energy(self.keeps_account);
    }
}

/// Whether a gesture makes time go on after a rest: what is played does, what is turned or let go does not.
fn sets_in_motion(gesture: &Gesture) -> bool {
    use Gesture::{Bow, NoteOn, Pluck, Pull, Score, Strike};
    matches!(gesture, Strike { .. } | Bow { .. } | Pull { .. } | Pluck { .. } | NoteOn { .. } | Score { play: true })
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl From<Named> for Hand {
    fn from(hand: Named) -> Self {
        match hand {
            Named::Bow => Hand::Bow,
            Named::Pull => Hand::Pull,
            Named::Damp => Hand::Damp,
        }
    }
}
