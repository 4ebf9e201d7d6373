//! Scenes that will be silent, and why: found from the scene and its score, without playing it.
//!
//! What is in motion is followed from where it begins (a start, a force, a moving barrier, an event before the end) through the contacts to the
//! pickups. Where it is doubtful whether something moves, it is taken to: a warning is always right, a silent scene may come without one.

use std::collections::{BTreeMap, BTreeSet};

use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::math::Plain;
use ictus::model::{ObjectSpec, Point, Target};

use crate::ExciterId;
use crate::problem::{Found, Problem, Problems, Span};
use crate::registry::Family;
use crate::scene::{Action, Control, Event, Exciter, NoteMap, Parameter, Scene, Tool};
use crate::source::Source;
use crate::tree::{self, Node, Table};

/// Most reasons that are told.
const MOST_TOLD: usize = 5;

/// Why a render of this scene will be silent; empty if it may sound. The text is where it was read from.
pub fn warnings(scene: &Scene, source: &Source) -> Vec<Problem> {
    let text = tree::parse(&source.text).unwrap_or_default();
    let found = Prospect::new(scene).reasons().into_iter().take(MOST_TOLD);
    let found = found.map(|Reason { about, message, help }| Found::new(about.span(scene, &text), message).help(help));
    Problems::new(source, found.collect()).iter().cloned().collect()
}

/// One reason, and what it is about.
struct Reason {
    about: About,
    message: String,
    help: &'static str,
}

/// What a reason is about.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Scene,
    Events,
    Exciter(ExciterId),
    Pickups,
    Output,
}

impl About {
    /// Where it was written.
    fn span(self, scene: &Scene, text: &Table) -> Span {
        let first = |family: Family| {
            let table = text.get(family.key()).and_then(Node::table)?;
            table.entries.first().map(|(key, _)| key.span)
        };
        let span = match self {
            Self::Scene => None,
            Self::Events => text.get("events").and_then(Node::list).and_then(<[Node]>::first).map(|node| node.span),
            Self::Exciter(exciter) => {
                scene.exciters.get(exciter.index()).and_then(|exciter| exciter_span(text, &exciter.name))
            }
            Self::Pickups => first(Family::Pickups).or_else(|| first(Family::Sets)),
            Self::Output => text.key("output").map(|key| key.span),
        };
        span.unwrap_or(Span::Text { start: 0, end: 0 })
    }
}

/// Where an exciter was written, in the scene or in a set: `bars.mallet.C4`.
fn exciter_span(text: &Table, name: &str) -> Option<Span> {
    let of = |table: &Table, name: &str| Some(table.get(Family::Exciters.key())?.table()?.key(name)?.span);
    let mut parts = name.split('.');
    match (parts.next(), parts.next()) {
        (Some(set), Some(inner)) => of(text.get(Family::Sets.key())?.table()?.get(set)?.table()?, inner),
        _ => of(text, name),
    }
}

/// What will move, as far as a scene tells.
pub(crate) struct Prospect<'a> {
    pub(crate) scene: &'a Scene,
    /// Objects by their names.
    names: BTreeMap<&'a str, usize>,
    /// Objects that move, of themselves or because something that moves touches them.
    moving: BTreeSet<usize>,
    /// Objects that move, but only a tool that does not reach what it plays.
    astray: BTreeSet<usize>,
    /// Contacts of tools that reach what they play.
    engaged: BTreeSet<usize>,
    /// Pickups whose gain is changed.
    opened: BTreeSet<usize>,
    /// Why events that play something do not sound.
    vain: Vec<Reason>,
}

impl<'a> Prospect<'a> {
    fn new(scene: &'a Scene) -> Self {
        let (moving, astray, engaged, opened) = Default::default();
        let names = scene.model.objects.iter().enumerate().map(|(index, object)| (&*object.name, index)).collect();
        let mut prospect = Self { scene, names, moving, astray, engaged, opened, vain: vec![] };
        prospect.start();
        for control in scene.controls.iter().filter(|control| control.is_given) {
            prospect.turn(control, control.value, 0.0);
        }
        for event in &scene.score {
            if event.time < scene.duration {
                prospect.happen(event);
            }
        }
        prospect.spread();
        prospect
    }

    fn object(&self, point: &Point) -> Option<usize> {
        self.names.get(&*point.object).copied()
    }

    fn is_barrier(&self, object: usize) -> bool {
        matches!(self.scene.model.objects[object].spec, ObjectSpec::Barrier(_))
    }

    /// Both ends of a contact.
    fn ends(&self, contact: usize) -> Vec<usize> {
        let contact = self.scene.model.interactions.get(contact);
        contact.into_iter().flat_map(|contact| [&contact.from, &contact.to]).filter_map(|at| self.object(at)).collect()
    }

    fn shake(&mut self, contact: usize) {
        let ends = self.ends(contact);
        self.moving.extend(ends);
    }

    /// What moves, is pressed or is pushed from the start.
    fn start(&mut self) {
        let model = &self.scene.model;
        for (index, object) in model.objects.iter().enumerate() {
            let moves = match &object.spec {
                ObjectSpec::Mass(mass) => mass.velocity != 0.0 || mass.displacement != 0.0 && mass.frequency > 0.0,
                ObjectSpec::Barrier(barrier) => barrier.velocity != 0.0,
                _ => object.start.is_some_and(|start| start.displacement != 0.0 || start.velocity != 0.0),
            };
            if moves {
                self.moving.insert(index);
            }
        }
        for force in model.forces.iter().filter(|force| force.signal.is_none() && force.level != 0.0) {
            self.moving.extend(self.object(&force.at));
        }
        // What is pressed is known once it is built; a scene that was read can be.
        let engine = model.build().ok();
        let pressed = |index| {
            engine.as_ref().is_none_or(|engine| {
                engine.interaction_energy(ContactId::new(index)).is_some_and(|energy| energy > 0.0)
            })
        };
        for (index, contact) in model.interactions.iter().enumerate() {
            let travels = contact.roughness.as_ref().is_some_and(|roughness| roughness.velocity != 0.0);
            if contact.active && (travels || pressed(index)) {
                self.shake(index);
            }
        }
    }

    fn happen(&mut self, event: &Event) {
        let scene = self.scene;
        match &event.action {
            Action::Play { exciter, amount, .. } => self.play(*exciter, *amount, event.time),
            Action::NoteOn { key, velocity } => {
                let Some(map) = &scene.notes else { return };
                let voices = map.voices.iter().filter(|voice| voice.plays(*key));
                voices.for_each(|voice| self.play(voice.exciter, amount(map, *velocity), event.time));
            }
            Action::Set { targets, value, .. } => {
                targets.iter().for_each(|target| self.set(*target, *value, event.time));
            }
            Action::Turn { control, value, .. } => {
                if let Some(control) = scene.controls.get(control.index()) {
                    self.turn(control, *value, event.time);
                }
            }
            _ => {}
        }
    }

    fn turn(&mut self, control: &Control, value: f64, time: f64) {
        control.targets.iter().for_each(|target| self.set(*target, value, time));
    }

    /// What setting a parameter moves.
    fn set(&mut self, parameter: Parameter, value: f64, time: f64) {
        match parameter {
            Parameter::Velocity(barrier) | Parameter::Height(barrier) => {
                self.moving.insert(barrier.index());
            }
            Parameter::Gap(contact) | Parameter::Active(contact) | Parameter::Travel(contact) => {
                self.shake(contact.index())
            }
            // A bow may have been set on before it was pressed.
            Parameter::Law(contact, _) if self.is_bow(contact) => self.engage(contact),
            Parameter::Level(force) if value != 0.0 => {
                self.push(force);
            }
            // Other tools have played with what they had.
            Parameter::Amount(exciter) if self.goes_on(exciter) => self.play(exciter, value, time),
            Parameter::Gain(pickup) => {
                self.opened.insert(pickup.index());
            }
            _ => {}
        }
    }

    /// Whether an exciter goes on when it plays, and follows what it is set to.
    fn goes_on(&self, exciter: ExciterId) -> bool {
        self.scene.exciters.get(exciter.index()).is_some_and(|exciter| exciter.tool.info().goes_on)
    }

    /// Whether this is the contact of a tool that goes on.
    fn is_bow(&self, contact: ContactId) -> bool {
        let bows = |tool: &Tool| tool.info().goes_on && tool.parts().contact == Some(contact);
        self.scene.exciters.iter().any(|exciter| bows(&exciter.tool))
    }

    /// What an exciter moves that plays this hard at a time in s.
    fn play(&mut self, exciter: ExciterId, amount: f64, time: f64) {
        if let Some(Exciter { tool, .. }) = self.scene.exciters.get(exciter.index()) {
            tool.stir(self, exciter, amount, time);
        }
    }

    /// An object moves.
    pub(crate) fn move_object(&mut self, object: usize) {
        self.moving.insert(object);
    }

    /// A force acts on its object.
    pub(crate) fn push(&mut self, force: ForceId) {
        let at = self.scene.model.forces.get(force.index()).and_then(|force| self.object(&force.at));
        self.moving.extend(at);
    }

    /// A tool reaches what it plays.
    pub(crate) fn engage(&mut self, contact: ContactId) {
        self.engaged.insert(contact.index());
        self.shake(contact.index());
    }

    /// A tool sets out from a clearance in m at a velocity in m/s, at a time in s.
    pub(crate) fn approach(
        &mut self,
        exciter: ExciterId,
        tool: ObjectId,
        contact: ContactId,
        clearance: f64,
        velocity: f64,
        time: f64,
    ) {
        if velocity != 0.0 {
            self.astray.insert(tool.index());
        }
        let (arrives, end) = (time + clearance / velocity, self.scene.duration);
        if velocity > 0.0 && arrives < end {
            return self.engage(contact);
        }
        let message = if velocity > 0.0 {
            format!(
                "reaches what it plays after {} s, but the scene ends at {} s",
                Plain((1e3 * arrives).round() / 1e3),
                Plain(end)
            )
        } else if velocity < 0.0 {
            format!("moves away from what it plays, at {} m/s", Plain(velocity))
        } else {
            "has no speed".to_owned()
        };
        let upper = self.ends(contact.index()).last() == Some(&tool.index());
        let help = if upper {
            "it comes from above: its velocity is above 0 when it goes down"
        } else {
            "it comes from below: its velocity is above 0"
        };
        self.blame(exciter, &message, help);
    }

    /// Takes down why an exciter that is played does not sound: `message` is what it does.
    pub(crate) fn blame(&mut self, exciter: ExciterId, message: &str, help: &'static str) {
        let Some(Exciter { name, .. }) = self.scene.exciters.get(exciter.index()) else { return };
        if !self.vain.iter().any(|reason| reason.about == About::Exciter(exciter)) {
            let message = format!("`{name}` {message}");
            self.vain.push(Reason { about: About::Exciter(exciter), message, help });
        }
    }

    /// Lets motion pass through contacts until it is everywhere it can get. It does not pass through a barrier that stands still.
    fn spread(&mut self) {
        let tool = |contact: usize, body: Option<ObjectId>| {
            body.map(ObjectId::index).or_else(|| self.ends(contact).first().copied())
        };
        let parts = self.scene.exciters.iter().map(|exciter| exciter.tool.parts());
        let tools = parts.filter_map(|parts| {
            let contact = parts.contact?.index();
            Some((contact, tool(contact, parts.body)))
        });
        // A tool that something else moves may get to what it plays by itself.
        let is_moved = |tool: Option<usize>| tool.is_some_and(|tool| self.moving.contains(&tool));
        let idle = tools.filter(|(contact, tool)| !self.engaged.contains(contact) && !is_moved(*tool));
        let idle: BTreeSet<usize> = idle.map(|(contact, _)| contact).collect();
        let passes = |contact: &usize| !idle.contains(contact);
        let contacts: Vec<Vec<usize>> =
            (0..self.scene.model.interactions.len()).filter(passes).map(|contact| self.ends(contact)).collect();
        // A tool that other contacts hold on to shakes those.
        let held: Vec<usize> =
            self.astray.iter().copied().filter(|tool| contacts.iter().flatten().any(|end| end == tool)).collect();
        self.moving.extend(held);
        loop {
            let before = self.moving.len();
            for ends in &contacts {
                if ends.iter().any(|end| self.moving.contains(end)) {
                    let shaken: Vec<usize> = ends.iter().copied().filter(|end| !self.is_barrier(*end)).collect();
                    self.moving.extend(shaken);
                }
            }
            if self.moving.len() == before {
                return;
            }
        }
    }

    /// Whether a pickup hears anything.
    fn hears(&self, index: usize) -> bool {
        let pickup = &self.scene.model.pickups[index];
        if pickup.gains.iter().all(|gain| *gain == 0.0) && !self.opened.contains(&index) {
            return false;
        }
        let moves = |object: usize| self.moving.contains(&object) || self.astray.contains(&object);
        match pickup.source.target() {
            Target::Point(point) => {
                let hears = |object| moves(object) || pickup.source.info().hears_rest && self.is_off(object);
                self.object(point).is_none_or(hears)
            }
            Target::Interaction(name) => {
                let contact = self.scene.model.interactions.iter().position(|contact| contact.name == *name);
                contact.is_none_or(|contact| self.ends(contact).iter().any(|end| self.moving.contains(end)))
            }
            // What is not known here is not blamed.
            _ => true,
        }
    }

    /// Whether it stands elsewhere than at 0, which a displacement pickup hears.
    fn is_off(&self, object: usize) -> bool {
        match &self.scene.model.objects[object].spec {
            ObjectSpec::Mass(mass) => mass.displacement != 0.0,
            ObjectSpec::Barrier(barrier) => barrier.height != 0.0,
            _ => false,
        }
    }

    fn reasons(mut self) -> Vec<Reason> {
        let scene = self.scene;
        if scene.output.gain == 0.0 {
            let message = "the output has a gain of 0, so nothing is heard".to_owned();
            return vec![Reason { about: About::Output, message, help: "" }];
        }
        if (0..scene.model.pickups.len()).any(|pickup| self.hears(pickup)) {
            return vec![];
        }
        if !self.moving.is_empty() {
            let names = self.moving.iter().map(|object| format!("`{}`", scene.model.objects[*object].name));
            let names: Vec<String> = names.take(3).collect();
            let message = format!("no pickup hears anything that moves: what moves is {}", names.join(", "));
            return vec![Reason { about: About::Pickups, message, help: "listen at one of them, at a gain above 0" }];
        }
        if !self.vain.is_empty() {
            return std::mem::take(&mut self.vain);
        }
        let end = scene.duration;
        let (about, message, help) = match scene.score.first() {
            None if scene.notes.is_some() => (
                About::Scene,
                "nothing is played: the scene has no events".to_owned(),
                "give a MIDI file, or play it live",
            ),
            None => (About::Scene, "nothing is played: the scene has no events".to_owned(), "add [[events]]"),
            Some(first) if first.time >= end => {
                let message =
                    format!("the first event is at {} s, but the scene ends at {} s", Plain(first.time), Plain(end));
                (About::Events, message, "raise `duration`, or play it earlier")
            }
            Some(_) => (About::Events, "no event before the end sets anything in motion".to_owned(), ""),
        };
        vec![Reason { about, message, help }]
    }
}

/// Amount of the exciter for a key stroke.
fn amount(map: &NoteMap, velocity: f64) -> f64 {
    let [soft, hard] = map.amounts;
    soft + (hard - soft) * libm::pow(velocity.clamp(0.0, 1.0), map.curve)
}
