//! What every live parameter stands at, and how it gets there.
//!
//! The engine knows what acts; here is kept what was asked for, so that a tool can come and go (its presence scales what it does)
//! and a bend of the pitch can be the sum of a key, a wheel and a hand.

use ictus::Engine;
use ictus::control::{Change, End};
use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::laws::Law;
use ictus::model::ObjectSpec;
use ictus::objects::{BarrierSpec, Place};

use super::bounds::FARTHEST_BEND;
use super::decays::Decays;
use super::error::{PlayError, no, within};
use super::listening::Listening;
use super::places::{across, along, moved_across, moved_along};
use crate::scene::{Parameter, Scene};

/// Lowest ratio to its built frequency that a string can be bent to.
const LOWEST_BEND: f64 = 0.25;

/// What an interaction was asked to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InteractionSettings {
    pub law: Law,
    /// Factor on everything it does, from 0 to 1: how far a bow or a finger has come.
    pub presence: f64,
    pub damping: f64,
    gap: f64,
    pub active: bool,
    travel: f64,
    places: [Place; 2],
    is_spread: bool,
    is_rough: bool,
}

/// What an object was asked to do.
#[derive(Clone, Copy, Debug)]
enum ObjectSettings {
    Barrier {
        /// Height in m it was last sent to, and velocity in m/s.
        sent: BarrierSpec,
        built: BarrierSpec,
    },
    String {
        /// Semitones by hand and by the key that is played.
        hand: f64,
        key: f64,
        /// Largest ratio to the built frequency.
        highest: f64,
    },
    Other,
}

/// All live parameters of a model.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub interactions: Vec<InteractionSettings>,
    objects: Vec<ObjectSettings>,
    pub decays: Decays,
    levels: Vec<f64>,
    listening: Listening,
    /// Semitones by the pitch wheel, on every string that can bend.
    wheel: f64,
}

impl Settings {
    pub(crate) fn new(scene: &Scene) -> Self {
        let model = &scene.model;
        let interaction = |built: &ictus::model::Interaction| InteractionSettings {
            law: built.law,
            presence: 1.0,
            damping: built.damping,
            gap: built.gap,
            active: built.active,
            travel: built.roughness.as_ref().map_or(0.0, |roughness| roughness.velocity),
            is_rough: built.roughness.is_some(),
            places: [built.from.place, built.to.place],
            is_spread: built.spread.is_some(),
        };
        let object = |built: &ictus::model::Object| match &built.spec {
            ObjectSpec::Barrier(spec) => ObjectSettings::Barrier { sent: *spec, built: *spec },
            ObjectSpec::String(spec) => ObjectSettings::String { hand: 0.0, key: 0.0, highest: spec.bend },
            _ => ObjectSettings::Other,
        };
        Self {
            interactions: model.interactions.iter().map(interaction).collect(),
            objects: model.objects.iter().map(object).collect(),
            decays: Decays::new(model),
            levels: model.forces.iter().map(|force| force.level).collect(),
            listening: Listening::new(scene),
            wheel: 0.0,
        }
    }

    /// Becomes the same as others of the same model, without taking memory.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.interactions.copy_from_slice(&other.interactions);
        self.objects.copy_from_slice(&other.objects);
        self.decays.copy_from(&other.decays);
        self.levels.copy_from_slice(&other.levels);
        self.listening.copy_from(&other.listening);
        self.wheel = other.wheel;
    }

    /// How many parameters can be on their way at once.
    pub(crate) fn count(&self) -> usize {
        let laws: usize = self.interactions.iter().map(|interaction| interaction.law.parameters().count()).sum();
        // Beside the law: damping, gap, active, travel, presence and two places of two ends.
        laws + 9 * self.interactions.len() + 3 * self.objects.len() + self.levels.len() + self.listening.count()
    }

    /// Brings an engine to what is kept here, at rest and as it was built.
    pub(crate) fn restore(&self, engine: &mut Engine) -> Result<(), PlayError> {
        // Changes are checked against where things are: at rest, not where they have flown to.
        engine.reset();
        for (index, settings) in self.interactions.iter().enumerate() {
            let contact = ContactId::new(index);
            self.apply_law(engine, contact, settings)?;
            engine.change(&Change::Damping { contact, damping: settings.presence * settings.damping })?;
            engine.change(&Change::Gap { contact, gap: settings.gap })?;
            engine.change(&Change::Active { contact, active: settings.active })?;
            if settings.is_rough {
                engine.change(&Change::Travel { contact, velocity: settings.travel })?;
            }
            if !settings.is_spread {
                engine.change(&Change::Move { contact, end: End::From, place: settings.places[0] })?;
                engine.change(&Change::Move { contact, end: End::To, place: settings.places[1] })?;
            }
        }
        self.decays.restore(engine)?;
        for (index, level) in self.levels.iter().enumerate() {
            engine.change(&Change::Level { force: ForceId::new(index), level: *level })?;
        }
        self.listening.restore(engine)?;
        for (index, object) in self.objects.iter().enumerate() {
            if let ObjectSettings::String { .. } = object {
                self.apply_bend(engine, ObjectId::new(index))?;
            }
        }
        engine.reset();
        for (index, object) in self.objects.iter().enumerate() {
            if let ObjectSettings::Barrier { sent, built } = object
                && sent != built
            {
                engine.change(&Change::Throw {
                    object: ObjectId::new(index),
                    displacement: sent.height,
                    velocity: sent.velocity,
                })?;
            }
        }
        Ok(())
    }

    pub(crate) fn interaction(&self, contact: ContactId) -> Result<&InteractionSettings, PlayError> {
        self.interactions.get(contact.index()).ok_or(no("interaction", contact))
    }

    /// What a parameter stands at. What belongs to exciters is not known here.
    pub(crate) fn value(&self, engine: &Engine, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::Law(contact, place) => self.interactions.get(contact.index())?.law.parameter(place),
            Parameter::Damping(contact) => Some(self.interactions.get(contact.index())?.damping),
            Parameter::Gap(contact) => Some(self.interactions.get(contact.index())?.gap),
            Parameter::Active(contact) => Some(f64::from(u8::from(self.interactions.get(contact.index())?.active))),
            Parameter::Travel(contact) => self
                .interactions
                .get(contact.index())
                .filter(|interaction| interaction.is_rough)
                .map(|rough| rough.travel),
            Parameter::Along(contact, end) => along(self.interactions.get(contact.index())?.place(end)),
            Parameter::Across(contact, end) => across(self.interactions.get(contact.index())?.place(end)),
            Parameter::Velocity(barrier) => match *self.objects.get(barrier.index())? {
                ObjectSettings::Barrier { sent, .. } => Some(sent.velocity),
                _ => None,
            },
            Parameter::Height(barrier) => match self.objects.get(barrier.index())? {
                ObjectSettings::Barrier { .. } => engine.displacement(barrier, Place::Whole),
                _ => None,
            },
            Parameter::Bend(string) => match *self.objects.get(string.index())? {
                ObjectSettings::String { hand, .. } => Some(hand),
                _ => None,
            },
            Parameter::Losses(object) => self.decays.losses(object),
            Parameter::Level(force) => self.levels.get(force.index()).copied(),
            Parameter::Gain(pickup) => self.listening.gain(pickup),
            Parameter::Pan(pickup) => self.listening.pan(pickup),
            Parameter::PickupAlong(pickup) => along(self.listening.place(pickup)?),
            Parameter::PickupAcross(pickup) => across(self.listening.place(pickup)?),
            Parameter::Amount(_) | Parameter::Centre(_) => None,
        }
    }

    /// Brings a parameter to a value at once.
    pub(crate) fn set(&mut self, engine: &mut Engine, parameter: Parameter, value: f64) -> Result<(), PlayError> {
        self.check(parameter, value)?;
        match parameter {
            Parameter::Law(contact, place) => {
                let settings = *self.interaction(contact)?;
                let settings = InteractionSettings { law: settings.law.with_parameter(place, value)?, ..settings };
                self.apply_law(engine, contact, &settings)?;
                self.interactions[contact.index()] = settings;
            }
            Parameter::Damping(contact) => {
                engine.change(&Change::Damping { contact, damping: self.interaction(contact)?.presence * value })?;
                self.interactions[contact.index()].damping = value;
            }
            Parameter::Gap(contact) => {
                self.interaction(contact)?;
                engine.change(&Change::Gap { contact, gap: value })?;
                self.interactions[contact.index()].gap = value;
            }
            Parameter::Active(contact) => self.activate(engine, contact, value > 0.5)?,
            Parameter::Travel(contact) => {
                self.interaction(contact)?;
                engine.change(&Change::Travel { contact, velocity: value })?;
                self.interactions[contact.index()].travel = value;
            }
            Parameter::Along(contact, end) => self.move_end(engine, contact, end, |place| moved_along(place, value))?,
            Parameter::Across(contact, end) => {
                self.move_end(engine, contact, end, |place| moved_across(place, value))?
            }
            Parameter::Velocity(barrier) => {
                let sent = self.barrier_mut(barrier)?;
                engine.change(&Change::Velocity { object: barrier, velocity: value })?;
                sent.velocity = value;
            }
            Parameter::Height(barrier) => {
                let sent = self.barrier_mut(barrier)?;
                engine.change(&Change::Height { object: barrier, height: value })?;
                *sent = BarrierSpec { height: value, velocity: 0.0 };
            }
            Parameter::Bend(string) => {
                let Some(ObjectSettings::String { hand, .. }) = self.objects.get_mut(string.index()) else {
                    return Err(no("string", string));
                };
                *hand = value;
                self.apply_bend(engine, string)?;
            }
            Parameter::Losses(object) => self.decays.set_losses(engine, object, value)?,
            Parameter::Level(force) => {
                let level = self.levels.get_mut(force.index()).ok_or(no("force", force))?;
                engine.change(&Change::Level { force, level: value })?;
                *level = value;
            }
            Parameter::Gain(pickup) => self.listening.set_gain(engine, pickup, value)?,
            Parameter::Pan(pickup) => self.listening.set_pan(engine, pickup, value)?,
            Parameter::PickupAlong(pickup) => {
                self.listening.move_to(engine, pickup, |place| moved_along(place, value))?;
            }
            Parameter::PickupAcross(pickup) => {
                self.listening.move_to(engine, pickup, |place| moved_across(place, value))?;
            }
            Parameter::Amount(index) | Parameter::Centre(index) => return Err(no("exciter", index)),
        }
        Ok(())
    }

    /// How much of an interaction is there, from 0 to 1.
    pub(crate) fn set_presence(
        &mut self,
        engine: &mut Engine,
        contact: ContactId,
        presence: f64,
    ) -> Result<(), PlayError> {
        let settings = InteractionSettings { presence, ..*self.interaction(contact)? };
        self.apply_law(engine, contact, &settings)?;
        engine.change(&Change::Damping { contact, damping: presence * settings.damping })?;
        self.interactions[contact.index()] = settings;
        Ok(())
    }

    /// Switches an interaction on or off.
    pub(crate) fn activate(&mut self, engine: &mut Engine, contact: ContactId, active: bool) -> Result<(), PlayError> {
        self.interaction(contact)?;
        engine.change(&Change::Active { contact, active })?;
        self.interactions[contact.index()].active = active;
        Ok(())
    }

    /// Puts a barrier somewhere else, moving on at a velocity.
    pub(crate) fn place_barrier(
        &mut self,
        engine: &mut Engine,
        barrier: ObjectId,
        height: f64,
        velocity: f64,
    ) -> Result<(), PlayError> {
        let sent = self.barrier_mut(barrier)?;
        engine.change(&Change::Throw { object: barrier, displacement: height, velocity })?;
        *sent = BarrierSpec { height, velocity };
        Ok(())
    }

    fn barrier_mut(&mut self, barrier: ObjectId) -> Result<&mut BarrierSpec, PlayError> {
        match self.objects.get_mut(barrier.index()) {
            Some(ObjectSettings::Barrier { sent, .. }) => Ok(sent),
            _ => Err(no("barrier", barrier)),
        }
    }

    /// Bends a string by the semitones of a key above the lowest it plays.
    pub(crate) fn set_key(&mut self, engine: &mut Engine, string: ObjectId, semitones: f64) -> Result<(), PlayError> {
        let Some(ObjectSettings::String { key, .. }) = self.objects.get_mut(string.index()) else {
            return Err(no("string", string));
        };
        *key = semitones;
        self.apply_bend(engine, string)
    }

    /// Bends every string that can be bent by the semitones of a pitch wheel.
    pub(crate) fn set_wheel(&mut self, engine: &mut Engine, semitones: f64) -> Result<(), PlayError> {
        self.wheel = within("pitch bend", semitones, -FARTHEST_BEND, FARTHEST_BEND)?;
        for index in 0..self.objects.len() {
            if let ObjectSettings::String { .. } = self.objects[index] {
                self.apply_bend(engine, ObjectId::new(index))?;
            }
        }
        Ok(())
    }

    fn apply_law(
        &self,
        engine: &mut Engine,
        contact: ContactId,
        settings: &InteractionSettings,
    ) -> Result<(), PlayError> {
        let InteractionSettings { law, presence, .. } = *settings;
        Ok(engine.change(&Change::Law { contact, law: if presence == 1.0 { law } else { law.scaled(presence) } })?)
    }

    /// Bends a string by hand, key and wheel together, as far as it goes. The wheel leaves strings alone that are not made for it.
    fn apply_bend(&self, engine: &mut Engine, string: ObjectId) -> Result<(), PlayError> {
        let Some(&ObjectSettings::String { hand, key, highest }) = self.objects.get(string.index()) else {
            return Err(no("string", string));
        };
        let wheel = if highest > 1.0 { self.wheel } else { 0.0 };
        let ratio = libm::exp2((hand + key + wheel) / 12.0).clamp(LOWEST_BEND, highest);
        Ok(engine.change(&Change::Bend { object: string, ratio })?)
    }

    pub(crate) fn move_end(
        &mut self,
        engine: &mut Engine,
        contact: ContactId,
        end: End,
        moved: impl Fn(Place) -> Option<Place>,
    ) -> Result<(), PlayError> {
        let place = moved(self.interaction(contact)?.place(end)).ok_or(no("movable interaction", contact))?;
        engine.change(&Change::Move { contact, end, place })?;
        self.interactions[contact.index()].places[usize::from(end == End::To)] = place;
        Ok(())
    }
}

impl InteractionSettings {
    fn place(&self, end: End) -> Place {
        self.places[usize::from(end == End::To)]
    }
}
