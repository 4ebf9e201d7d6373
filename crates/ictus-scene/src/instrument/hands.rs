//! A player's hands: for every object a hammer, a bow, a grip that pulls and a finger that damps, at any place on it.
//!
//! They are tools like any other, added behind all that the scene has, so that no number in the scene changes; they do nothing, and change
//! no bit of the sound, until they are used. Where the scene has a hammer or a bow for an object, the hand takes one like it; otherwise its
//! weight, hardness and force follow from the object's mass and pitch. What a hand asks for is reached along straight lines in steps that
//! are counted from the start, as everything is that goes somewhere.

use std::collections::HashSet;

use ictus::Model;
use ictus::control::End;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{BowFriction, ContactLaw, Law, LawError, LinearCubicSpring};
use ictus::model::{Interaction, Object, ObjectSpec, Point};
use ictus::objects::{BarrierSpec, MassSpec, Place};

use super::Instrument;
use super::bounds::MOST_RESISTANCE;
use super::error::{BuildError, PlayError, no};
use super::mechanism::Mechanism;
use super::nature::Nature;
use super::ramps::Target;
use crate::ExciterId;
use crate::registry::whole::MOST_INTERACTIONS;
use crate::scene::{Exciter, Moved, Parameter, Parts, Scene, Tool};
use crate::tools::{Bow, Finger, Hammer};

/// Time in s in which bow and grip follow the player's hand: longer than between two events of a pointer, so that the steps between them
/// are not heard.
const FOLLOWING: f64 = 0.025;

/// Distance in m from which a hammer is thrown.
const CLEARANCE: f64 = 2e-4;

/// Time in s after which a hammer that was thrown is taken away.
const THROW_LASTS: f64 = 0.25;

/// Slowest and fastest throw in m/s.
const THROWS: [f64; 2] = [0.01, 30.0];

/// Fastest stroke of a bow in m/s, and its largest force in N.
const FASTEST_STROKE: f64 = 5.0;
const STRONGEST_STROKE: f64 = 1000.0;

/// Farthest that a grip pulls, in m.
const FARTHEST_PULL: f64 = 1.0;

/// Contacts that the hands for one object have.
const CONTACTS: usize = 4;

/// A hand that holds on until it is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// The one that bows.
    Bow,
    /// The one that pulls.
    Pull,
    /// The one that damps.
    Damp,
}

/// The hands for one object, by the places of their exciters.
#[derive(Clone, Debug)]
pub(super) struct Hands {
    object: ObjectId,
    hammer: Part,
    bow: Part,
    grip: Part,
    finger: Part,
    /// Sample at which the hammer that was thrown is taken away.
    hammer_leaves: Option<u64>,
    /// Sample at which a grip that plucks lets go.
    grip_leaves: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    exciter: ExciterId,
    object: ObjectId,
    contact: ContactId,
}

/// What is added to a scene for one object.
struct Adding<'a> {
    scene: &'a mut Scene,
    /// Of all objects and contacts so far.
    names: &'a mut HashSet<String>,
    target: Point,
}

impl Adding<'_> {
    fn add(&mut self, tool: &str, spec: ObjectSpec, law: Law, damping: f64) -> Part {
        let damping = damping.min(MOST_RESISTANCE);
        let mut name = format!("{tool} on {}", self.target.object);
        // A scene can call its things anything.
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        let Model { objects, interactions, .. } = &mut self.scene.model;
        let part = Part {
            exciter: ExciterId::new(self.scene.exciters.len()),
            object: ObjectId::new(objects.len()),
            contact: ContactId::new(interactions.len()),
        };
        objects.push(Object { name: name.clone(), spec, start: None });
        let contact = Interaction::new(&name, Point::of(&name), self.target.clone(), law);
        interactions.push(Interaction { damping, active: false, ..contact });
        let Part { object, contact, .. } = part;
        let tool = match tool {
            "hammer" => Hammer { mass: object, contact, clearance: CLEARANCE, above: false }.into(),
            "bow" => Bow { barrier: object, contact }.into(),
            _ => Finger { contact }.into(),
        };
        self.scene.exciters.push(Exciter { name, tool, amount: damping });
        part
    }
}

impl Hands {
    /// Adds hands for an object to a scene that is a copy of `scene`, or more of one. `None` for what cannot be played: a barrier, or a part
    /// of an exciter.
    fn add(
        scene: &Scene,
        handled: &mut Scene,
        names: &mut HashSet<String>,
        index: usize,
    ) -> Result<Option<Self>, LawError> {
        let object = ObjectId::new(index);
        let Some(described) = scene.model.objects.get(index) else { return Ok(None) };
        let Some(nature) = Nature::of(described).filter(|_| !scene.is_part_of_exciter(object)) else { return Ok(None) };
        let (mut hammer_mass, mut felt) = (nature.hammer_mass(), nature.felt()?);
        let mut friction = BowFriction::new(0.0, 100.0)?;
        for exciter in &scene.exciters {
            let (contact, mass) = match exciter.tool {
                Tool::Hammer(Hammer { mass, contact, .. }) => (contact, Some(mass)),
                Tool::Bow(Bow { contact, .. }) => (contact, None),
                _ => continue,
            };
            let Some(contact) = scene.model.interactions.get(contact.index()) else { continue };
            if contact.to.object != described.name {
                continue;
            }
            let mass = mass.and_then(|mass| scene.model.objects.get(mass.index()));
            if let (Some(mass), true) = (mass, contact.spread.is_none()) {
                if let ObjectSpec::Mass(mass) = &mass.spec {
                    (hammer_mass, felt) = (mass.mass, contact.law);
                }
            } else if let Some(law) = contact.law.friction() {
                friction = law.with_normal_force(0.0)?;
            }
        }
        let mut adding = Adding { scene: handled, names, target: Point::on(&described.name, nature.rest_place) };
        let spring = |stiffness: f64| LinearCubicSpring::new(stiffness, 0.0).map(Law::from);
        let still = || ObjectSpec::from(BarrierSpec::default());
        Ok(Some(Self {
            object,
            hammer: adding.add("hammer", MassSpec::free(hammer_mass).into(), felt, 0.0),
            bow: adding.add("bow", still(), friction.into(), 0.0),
            grip: adding.add("grip", still(), spring(nature.grip_stiffness())?, nature.grip_damping()),
            finger: adding.add("finger", still(), spring(0.05 * nature.grip_stiffness())?, 2.0 * nature.impedance()),
            hammer_leaves: None,
            grip_leaves: None,
        }))
    }

    /// A scene with hands for its objects that can be played, at most `most` of them, and the hands in the order of the objects.
    ///
    /// Hands do not count against the scene's own limit of interactions.
    pub(super) fn added_to(scene: &Scene, most: usize) -> Result<(Scene, Vec<Self>), BuildError> {
        let mut handled = scene.clone();
        let objects = scene.model.objects.iter().map(|object| object.name.clone());
        let mut names = objects.chain(scene.model.interactions.iter().map(|one| one.name.clone())).collect();
        let mut all = Vec::new();
        for index in 0..scene.model.objects.len() {
            if all.len() < most {
                all.extend(Self::add(scene, &mut handled, &mut names, index).map_err(PlayError::from)?);
            }
        }
        let limit = scene.model.limits.interactions;
        handled.model.limits.interactions = (limit + CONTACTS * all.len()).min(limit.max(MOST_INTERACTIONS));
        Ok((handled, all))
    }

    /// Takes the hammer away, and lets a pluck go, when its time has come.
    pub(super) fn leave(&mut self, mechanism: &mut Mechanism) {
        if self.grip_leaves.is_some_and(|leaves| leaves <= mechanism.time) {
            let _ = self.release(mechanism, Hand::Pull);
        }
        if self.hammer_leaves.is_some_and(|leaves| leaves <= mechanism.time) {
            self.hammer_leaves = None;
            let _ = mechanism.settings.activate(&mut mechanism.engine, self.hammer.contact, false);
        }
    }

    /// Samples until it has to be looked at.
    pub(super) fn until_next(&self, time: u64) -> u64 {
        let leaves = [self.hammer_leaves, self.grip_leaves].into_iter().flatten().min();
        leaves.map_or(u64::MAX, |leaves| leaves.saturating_sub(time))
    }

    pub(super) fn reset(&mut self) {
        (self.hammer_leaves, self.grip_leaves) = (None, None);
    }

    fn strike(&mut self, mechanism: &mut Mechanism, place: Place, velocity: f64) -> Result<(), PlayError> {
        mechanism.place_tool(self.hammer.contact, place)?;
        mechanism.play(self.hammer.exciter, velocity.clamp(THROWS[0], THROWS[1]), 0.0)?;
        self.hammer_leaves = Some(mechanism.time + (THROW_LASTS * mechanism.engine.rate()) as u64);
        Ok(())
    }

    fn bow(&self, mechanism: &mut Mechanism, place: Place, velocity: f64, force: f64) -> Result<(), PlayError> {
        let Part { exciter, contact, .. } = self.bow;
        let (velocity, force) = (velocity.clamp(-FASTEST_STROKE, FASTEST_STROKE), force.clamp(0.0, STRONGEST_STROKE));
        let pressing = Parameter::Law(contact, 0);
        if mechanism.is_playing(exciter) {
            mechanism.go(pressing, force, FOLLOWING)?;
        } else {
            mechanism.place_tool(contact, place)?;
            mechanism.set(pressing, force)?;
        }
        mechanism.play(exciter, velocity, FOLLOWING)
    }

    fn pluck(&mut self, mechanism: &mut Mechanism, place: Place, height: f64) -> Result<(), PlayError> {
        // A grip that pulls already is somebody's, and stays.
        if mechanism.is_playing(self.grip.exciter) && self.grip_leaves.is_none() {
            return Ok(());
        }
        let _ = self.release(mechanism, Hand::Pull);
        let pulled = self.pull(mechanism, place, height);
        self.grip_leaves = Some(mechanism.time + (FOLLOWING * mechanism.engine.rate()).ceil() as u64 + 1);
        pulled
    }

    fn pull(&mut self, mechanism: &mut Mechanism, place: Place, height: f64) -> Result<(), PlayError> {
        self.grip_leaves = None;
        let Part { exciter, object, contact } = self.grip;
        if !mechanism.is_playing(exciter) {
            mechanism.place_tool(contact, place)?;
            let surface = mechanism.engine.displacement(self.object, place).ok_or(no("place", 0usize))?;
            mechanism.set(Parameter::Height(object), surface)?;
            let damping = mechanism.amount(exciter).unwrap_or(0.0);
            mechanism.play(exciter, damping, 0.0)?;
        }
        mechanism.go(Parameter::Height(object), height.clamp(-FARTHEST_PULL, FARTHEST_PULL), FOLLOWING)
    }

    fn damp(&self, mechanism: &mut Mechanism, place: Place) -> Result<(), PlayError> {
        mechanism.place_tool(self.finger.contact, place)?;
        let damping = mechanism.amount(self.finger.exciter).unwrap_or(0.0);
        mechanism.play(self.finger.exciter, damping, 0.0)
    }

    fn release(&mut self, mechanism: &mut Mechanism, hand: Hand) -> Result<(), PlayError> {
        match hand {
            Hand::Bow => mechanism.release(self.bow.exciter, FOLLOWING),
            Hand::Damp => mechanism.release(self.finger.exciter, 0.0),
            Hand::Pull => {
                self.grip_leaves = None;
                mechanism.release(self.grip.exciter, 0.0)?;
                mechanism.ramps.stop(Target::Parameter(Parameter::Height(self.grip.object)));
                mechanism.set(Parameter::Velocity(self.grip.object), 0.0)
            }
        }
    }
}

impl Mechanism {
    fn is_playing(&self, exciter: ExciterId) -> bool {
        self.tools.get(exciter.index()).is_some_and(|state| state.plays)
    }

    /// Puts a tool's contact to a place on what it plays.
    fn place_tool(&mut self, contact: ContactId, place: Place) -> Result<(), PlayError> {
        self.settings.move_end(&mut self.engine, contact, End::To, |_| Some(place))
    }
}

impl Scene {
    /// Whether an object is only a part of one of the scene's own exciters.
    pub fn is_part_of_exciter(&self, object: ObjectId) -> bool {
        let Some(one) = self.model.objects.get(object.index()) else { return false };
        self.exciters.iter().any(|exciter| match exciter.tool.parts() {
            Parts { body: Some(body), .. } => body == object,
            // What a tool without a body of its own rests on.
            Parts { contact: Some(contact), .. } => {
                self.model.interactions.get(contact.index()).is_some_and(|contact| {
                    let is_end = contact.from.object == one.name || contact.to.object == one.name;
                    is_end && Moved::Barrier.is(&one.spec)
                })
            }
            _ => false,
        })
    }
}

impl Instrument {
    fn with_hand<T>(
        &mut self,
        object: ObjectId,
        act: impl FnOnce(&mut Hands, &mut Mechanism) -> Result<T, PlayError>,
    ) -> Result<T, PlayError> {
        let place = self.hands_of(object).ok_or(no("object for hands", object))?;
        act(&mut self.hands[place], &mut self.console.mechanism)
    }

    /// Where the hands for an object are in the list, which is in the order of objects.
    fn hands_of(&self, object: ObjectId) -> Option<usize> {
        self.hands.binary_search_by_key(&object, |hands| hands.object).ok()
    }

    /// Whether there are hands for an object: those of [`Instrument::with_hands`].
    pub fn has_hands(&self, object: ObjectId) -> bool {
        self.hands_of(object).is_some()
    }

    /// A hand throws a hammer at a place, at a velocity in m/s brought into 0.01 to 30.
    ///
    /// # Errors
    /// There are no hands for the object, or it has no such place.
    pub fn strike(&mut self, object: ObjectId, place: Place, velocity: f64) -> Result<(), PlayError> {
        self.with_hand(object, |hands, mechanism| hands.strike(mechanism, place, velocity))
    }

    /// A hand draws a bow over a place; one that plays goes on where it is, at another velocity in m/s and force in N.
    ///
    /// # Errors
    /// As of [`Instrument::strike`].
    pub fn bow(&mut self, object: ObjectId, place: Place, velocity: f64, force: f64) -> Result<(), PlayError> {
        self.with_hand(object, |hands, mechanism| hands.bow(mechanism, place, velocity, force))
    }

    /// A hand holds a place and pulls it to a height in m.
    ///
    /// # Errors
    /// As of [`Instrument::strike`].
    pub fn pull(&mut self, object: ObjectId, place: Place, height: f64) -> Result<(), PlayError> {
        self.with_hand(object, |hands, mechanism| hands.pull(mechanism, place, height))
    }

    /// A hand plucks a place: pulls it to a height in m within 25 ms, and lets go. One that is pulled already is left to its hand.
    ///
    /// # Errors
    /// As of [`Instrument::strike`].
    pub fn pluck(&mut self, object: ObjectId, place: Place, height: f64) -> Result<(), PlayError> {
        self.with_hand(object, |hands, mechanism| hands.pluck(mechanism, place, height))
    }

    /// A finger of a hand rests on a place.
    ///
    /// # Errors
    /// As of [`Instrument::strike`].
    pub fn damp(&mut self, object: ObjectId, place: Place) -> Result<(), PlayError> {
        self.with_hand(object, |hands, mechanism| hands.damp(mechanism, place))
    }

    /// A hand lets go.
    ///
    /// # Errors
    /// There are no hands for the object.
    pub fn release(&mut self, object: ObjectId, hand: Hand) -> Result<(), PlayError> {
        self.with_hand(object, |hands, mechanism| hands.release(mechanism, hand))
    }

    /// Largest force in N of the hands on an object in the last sample.
    pub fn hand_force(&self, object: ObjectId) -> f64 {
        let Some(place) = self.hands_of(object) else { return 0.0 };
        let Hands { hammer, bow, grip, finger, .. } = &self.hands[place];
        let engine = &self.console.mechanism.engine;
        let forces = [hammer, bow, grip, finger].map(|part| engine.interaction_force(part.contact).unwrap_or(0.0));
        forces.into_iter().fold(0.0, |most: f64, force| most.max(force.abs()))
    }
}
