//! A scene on stage: the [`Instrument`] that a native engine plays.
//!
//! It is a scene's player with hands for every object (hands.rs), the score kept apart so that it sounds only when asked for,
//! and what is drawn read off as it goes.

use ictus::Engine;
use ictus::contact::Rule;
use ictus::control::Change;
use ictus::id::{ContactId, ObjectId};
use ictus::objects::Place;
use ictus_scene::Scene;
use ictus_scene::scene::{Action, Event, Parameter};

use crate::describe;
use crate::frames::{CHANNELS, push_number};
use crate::hands::Hands;
use crate::instrument::{Account, Description, Instrument, Shape};
use crate::protocol::{ContactParameter, Gesture, Hand, RuleName};
use ictus_scene::Instrument as Player;

/// Frames between two looks at hands, score and forces.
const CHUNK: usize = 32;

/// Most points of a line and of each side of a sheet that are drawn.
const MOST_DRAWN: [usize; 2] = [96, 33];

/// Nearest that a hand comes to an end, an edge or a rim, as a fraction of the side: where they are fixed they cannot move.
const EDGE: f64 = 0.001;

/// A scene being played.
pub struct Stage {
    player: Player,
    description: Description,
    hands: Vec<Option<Hands>>,
    score: Vec<Event>,
    /// Next event of the score and time in s since it began; `None` when it does not play.
    playing: Option<(usize, f64)>,
    /// Largest force of every contact and of the hands on every object since the last state, in N.
    contact_peaks: Vec<f64>,
    hand_peaks: Vec<f64>,
    /// Parameters of contacts that were set by hand, and where controls stood, to be kept when everything is put to rest.
    settings: Vec<(Parameter, f64)>,
    controls: Vec<Option<f64>>,
    keeps_account: bool,
    breakdowns: u64,
    mix: Vec<f64>,
    shape: Vec<f64>,
}

impl Stage {
    /// Sets a scene up. `name` is what it is asked for by.
    ///
    /// # Errors
    /// In words, when the model cannot be built.
    pub fn new(name: &str, scene: &Scene) -> Result<Self, String> {
        let mut staged = scene.clone();
        let score = std::mem::take(&mut staged.score);
        let mut hands = Vec::with_capacity(scene.model.objects.len());
        for object in 0..scene.model.objects.len() {
            let playable = !describe::belongs_to_exciter(scene, object);
            let added = if playable { Hands::add(scene, &mut staged.model, object) } else { Ok(None) };
            hands.push(added.map_err(|error| error.to_string())?);
        }
        let mut player = Player::new(&staged).map_err(|error| error.to_string())?;
        player.engine_mut().keep_account_of_energy(true);
        let engine = player.engine();
        let dimensions: Vec<[usize; 2]> = (0..scene.model.objects.len())
            .map(|object| engine.dimensions(ObjectId::new(object)).unwrap_or([1, 1]))
            .collect();
        let largest = dimensions.iter().map(|[columns, rows]| columns * rows).max().unwrap_or(1);
        let description = describe::describe(name, scene, &dimensions, MOST_DRAWN);
        let channels = engine.channels().max(1);
        Ok(Self {
            contact_peaks: vec![0.0; description.contacts.len()],
            hand_peaks: vec![0.0; description.objects.len()],
            player,
            description,
            hands,
            score,
            playing: None,
            settings: Vec::new(),
            controls: vec![None; scene.controls.len()],
            keeps_account: true,
            breakdowns: 0,
            mix: vec![0.0; CHUNK * channels],
            shape: vec![0.0; largest],
        })
    }

    /// The player inside.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// The place that two numbers mean on an object.
    fn place(&self, object: usize, at: &[f64]) -> Result<Place, String> {
        let described = self.description.objects.get(object).ok_or_else(|| format!("there is no object {object}"))?;
        let fraction = |number: usize| -> Result<f64, String> {
            let value = at.get(number).copied().ok_or("the place needs another number")?;
            if value.is_finite() { Ok(value.clamp(EDGE, 1.0 - EDGE)) } else { Err("the place is no number".into()) }
        };
        Ok(match described.kind {
            "string" | "bar" => Place::Along(fraction(0)?),
            "membrane" | "plate" => {
                let [x, y] = [fraction(0)?, fraction(1)?];
                // What is off a circle means the nearest place on it.
                let distance = (x - 0.5).hypot(y - 0.5);
                let inwards = if described.shape == Some(Shape::Circle) { (0.5 - EDGE) / distance } else { 1.0 };
                let [x, y] = [x, y].map(|side| 0.5 + inwards.min(1.0) * (side - 0.5));
                Place::On(x, y)
            }
            "modal" => {
                let most = described.points[0].saturating_sub(1) as f64;
                Place::Point(at.first().copied().unwrap_or(0.0).clamp(0.0, most) as usize)
            }
            _ => Place::Whole,
        })
    }

    fn touch(&mut self, object: usize, at: &[f64], what: Touch) -> Result<(), String> {
        let place = self.place(object, at)?;
        let engine = self.player.engine_mut();
        let surface = |engine: &Engine| engine.displacement(ObjectId::new(object), place).unwrap_or(0.0);
        let hands = self.hands.get_mut(object).and_then(Option::as_mut);
        let hands = hands.ok_or_else(|| format!("object {object} cannot be played by hand"))?;
        match what {
            Touch::Strike { velocity } => {
                let surface = surface(engine);
                hands.strike(engine, place, velocity, surface)
            }
            Touch::Bow { velocity, force } => hands.bow(engine, place, velocity, force),
            Touch::Pull { height } => {
                let surface = surface(engine);
                hands.pull(engine, place, height, surface)
            }
            Touch::Damp => hands.damp(engine, place),
        }
        .map_err(|error| error.to_string())
    }

    fn act(&mut self, action: &Action) -> Result<(), String> {
        self.player.act(action).map_err(|error| error.to_string())
    }

    fn release(&mut self, object: usize, hand: Hand) -> Result<(), String> {
        let engine = self.player.engine_mut();
        let hands = self.hands.get_mut(object).and_then(Option::as_mut);
        let hands = hands.ok_or_else(|| format!("object {object} cannot be played by hand"))?;
        match hand {
            Hand::Bow => {
                hands.release_bow();
                Ok(())
            }
            Hand::Pull => hands.release_grip(engine),
            Hand::Damp => hands.release_finger(engine),
        }
        .map_err(|error| error.to_string())
    }

    fn set(&mut self, contacts: &[usize], parameter: ContactParameter, value: f64) -> Result<(), String> {
        for &contact in contacts {
            if contact >= self.description.contacts.len() {
                return Err(format!("there is no contact {contact}"));
            }
            let contact = ContactId::new(contact);
            let parameter = match parameter {
                ContactParameter::Law(number) => Parameter::Law(contact, number),
                ContactParameter::Damping => Parameter::Damping(contact),
                ContactParameter::Gap => Parameter::Gap(contact),
                ContactParameter::Active => Parameter::Active(contact),
            };
            self.player.set_target(parameter, value).map_err(|error| error.to_string())?;
            match self.settings.iter_mut().find(|(known, _)| *known == parameter) {
                Some((_, known)) => *known = value,
                None => self.settings.push((parameter, value)),
            }
        }
        Ok(())
    }

    fn set_rule(&mut self, contacts: &[usize], rule: RuleName) -> Result<(), String> {
        for &contact in contacts {
            if contact >= self.description.contacts.len() {
                return Err(format!("there is no contact {contact}"));
            }
            self.player
                .engine_mut()
                .change(&Change::Rule { contact: ContactId::new(contact), rule: rule.into() })
                .map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Plays the events of the score that are due, and moves its time on by this many seconds.
    fn follow_score(&mut self, seconds: f64) {
        let Some((mut next, time)) = self.playing else { return };
        while let Some(event) = self.score.get(next).filter(|event| event.time <= time) {
            // An event that cannot be played is left out, as in a render.
            let _ = self.player.act(&event.action);
            next += 1;
        }
        self.playing = if next < self.score.len() { Some((next, time + seconds)) } else { None };
    }

    fn watch_forces(&mut self) {
        let engine = self.player.engine();
        for (contact, peak) in self.contact_peaks.iter_mut().enumerate() {
            *peak = peak.max(engine.interaction_force(ContactId::new(contact)).unwrap_or(0.0).abs());
        }
        for (hands, peak) in self.hands.iter().zip(&mut self.hand_peaks) {
            if let Some(hands) = hands {
                *peak = peak.max(hands.force(engine));
            }
        }
    }

    fn write_shape(&mut self, object: usize, out: &mut Vec<u8>) {
        let engine = self.player.engine();
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

/// Where one of the drawn points lies among those of the object, which may be more: between two of them.
#[derive(Clone, Copy)]
struct Between {
    first: usize,
    share: f64,
}

impl Between {
    fn new(index: usize, drawn: usize, count: usize) -> Self {
        let intervals = drawn.saturating_sub(1).max(1);
        let along = index * (count - 1);
        Self { first: along / intervals, share: (along % intervals) as f64 / intervals as f64 }
    }

    fn of(self, value: impl Fn(usize) -> f64) -> f64 {
        let first = value(self.first);
        if self.share == 0.0 { first } else { first + self.share * (value(self.first + 1) - first) }
    }
}

enum Touch {
    Strike { velocity: f64 },
    Bow { velocity: f64, force: f64 },
    Pull { height: f64 },
    Damp,
}

impl Instrument for Stage {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn play(&mut self, gesture: &Gesture) -> Result<(), String> {
        match gesture {
            Gesture::Strike { object, at, velocity } => self.touch(*object, at, Touch::Strike { velocity: *velocity }),
            Gesture::Bow { object, at, velocity, force } => {
                self.touch(*object, at, Touch::Bow { velocity: *velocity, force: *force })
            }
            Gesture::Pull { object, at, height } => self.touch(*object, at, Touch::Pull { height: *height }),
            Gesture::Damp { object, at } => self.touch(*object, at, Touch::Damp),
            Gesture::Release { object, hand } => self.release(*object, *hand),
            Gesture::NoteOn { key, velocity } => {
                self.act(&Action::NoteOn { key: *key, velocity: velocity.clamp(0.0, 1.0) })
            }
            Gesture::NoteOff { key } => self.act(&Action::NoteOff { key: *key }),
            Gesture::Sustain { on } => self.act(&Action::Sustain(*on)),
            Gesture::Bend { amount } => {
                self.player.pitch_bend(amount.clamp(-1.0, 1.0));
                Ok(())
            }
            Gesture::Turn { control, value } => {
                if *control >= self.description.controls.len() {
                    return Err(format!("there is no control {control}"));
                }
                self.act(&Action::Turn { control: *control, value: *value })
            }
            Gesture::Set { contacts, parameter, value } => self.set(contacts, *parameter, *value),
            Gesture::Rule { contacts, rule } => self.set_rule(contacts, *rule),
            Gesture::Account { keep } => {
                self.keeps_account = *keep;
                self.player.engine_mut().keep_account_of_energy(*keep);
                Ok(())
            }
            Gesture::Score { play } => {
                self.playing = play.then_some((0, 0.0));
                Ok(())
            }
            Gesture::Reset {} => {
                self.rest();
                Ok(())
            }
        }
    }

    fn process(&mut self, block: &mut [f64]) {
        let channels = self.player.engine().channels().max(1);
        let rate = self.player.engine().rate();
        for chunk in block.chunks_mut(CHUNK * CHANNELS) {
            let frames = chunk.len() / CHANNELS;
            self.follow_score(frames as f64 / rate);
            for hands in self.hands.iter_mut().flatten().filter(|hands| hands.at_work()) {
                hands.follow(self.player.engine_mut(), frames);
            }
            let mix = &mut self.mix[..frames * channels];
            self.player.process(mix);
            if self.player.breakdowns() != self.breakdowns {
                // It has put itself back; the hands let go too.
                self.breakdowns = self.player.breakdowns();
                for hands in self.hands.iter_mut().flatten() {
                    hands.rest(self.player.engine_mut());
                }
            }
            // One channel goes to both sides; of more than two, every second one to each.
            for (out, heard) in chunk.chunks_exact_mut(CHANNELS).zip(mix.chunks_exact(channels)) {
                out[0] = heard.iter().step_by(2).sum();
                out[1] = if channels == 1 { heard[0] } else { heard.iter().skip(1).step_by(2).sum() };
            }
            self.watch_forces();
        }
        for contact in self.player.engine_mut().drain_contacts() {
            if let Some(peak) = self.contact_peaks.get_mut(contact.contact.index()) {
                *peak = peak.max(contact.peak_force);
            }
        }
    }

    fn write_state(&mut self, out: &mut Vec<u8>) {
        for object in 0..self.description.objects.len() {
            push_number(out, self.player.engine().object_energy(ObjectId::new(object)).unwrap_or(0.0) as f32);
            push_number(out, std::mem::take(&mut self.hand_peaks[object]) as f32);
            self.write_shape(object, out);
        }
        for peak in &mut self.contact_peaks {
            push_number(out, std::mem::take(peak) as f32);
        }
        for control in 0..self.description.controls.len() {
            push_number(out, self.player.control(control).unwrap_or(f64::NAN) as f32);
        }
    }

    fn account(&self) -> Account {
        let engine = self.player.engine();
        let stored = engine.stored_energy();
        let residual = if self.keeps_account { engine.balance().residual() } else { f64::NAN };
        Account { kept: self.keeps_account, residual, stored, breakdowns: self.player.breakdowns() }
    }

    fn rest(&mut self) {
        self.playing = None;
        // The player goes back to the scene's own settings; what the page has turned stays turned.
        for (value, control) in self.controls.iter_mut().zip(0..) {
            *value = self.player.turned(control);
        }
        self.player.reset();
        for (value, control) in self.controls.iter().zip(0..) {
            if let Some(value) = value {
                let _ = self.player.turn(control, *value);
            }
        }
        for (parameter, value) in &self.settings {
            let _ = self.player.set_target(*parameter, *value);
        }
        for hands in self.hands.iter_mut().flatten() {
            hands.rest(self.player.engine_mut());
        }
        self.player.engine_mut().keep_account_of_energy(self.keeps_account);
    }
}

impl From<RuleName> for Rule {
    fn from(name: RuleName) -> Self {
        match name {
            RuleName::Basic => Rule::Basic,
            RuleName::Release => Rule::Release,
            RuleName::NonAdhesive => Rule::NonAdhesive,
            RuleName::SecantPlain => Rule::SecantPlain,
            RuleName::Secant => Rule::Secant,
        }
    }
}

impl From<Rule> for RuleName {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Basic => RuleName::Basic,
            Rule::Release => RuleName::Release,
            Rule::NonAdhesive => RuleName::NonAdhesive,
            Rule::SecantPlain => RuleName::SecantPlain,
            Rule::Secant => RuleName::Secant,
        }
    }
}
