//! What every live parameter stands at, and how it gets there.
//!
//! The engine knows what acts; here is kept what was asked for, so that a tool can come and go (its presence scales what it does)
//! and a bend of the pitch can be the sum of a key, a wheel and a hand.

use ictus::Engine;
use ictus::control::{Change, End};
use ictus::laws::Law;
use ictus::model::{Model, ObjectSpec, Source};
use ictus::objects::{BarrierSpec, Place};

use super::bounds::FARTHEST_BEND;
use super::error::{PlayError, no, within};
use super::places::{across, along, moved_across, moved_along};
use crate::scene::Parameter;

/// Lowest ratio to its built frequency that a string can be bent to.
const LOWEST_BEND: f64 = 0.25;

/// What an interaction was asked to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct InteractionSettings {
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

/// What a pickup was asked to be.
#[derive(Clone, Copy, Debug)]
struct PickupSettings {
    gain: f64,
    place: Option<Place>,
}

/// All live parameters of a model.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub interactions: Vec<InteractionSettings>,
    objects: Vec<ObjectSettings>,
    levels: Vec<f64>,
    pickups: Vec<PickupSettings>,
    /// Gains as built, pickup by pickup.
    gains: Vec<f64>,
    channels: usize,
    /// Semitones by the pitch wheel, on every string that can bend.
    wheel: f64,
}

impl Settings {
    pub(super) fn new(model: &Model) -> Self {
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
        let pickup = |built: &ictus::model::Pickup| PickupSettings {
            gain: 1.0,
            place: match &built.source {
                Source::Displacement(point) | Source::Velocity(point) => Some(point.place),
                Source::Force(_) => None,
            },
        };
        Self {
            interactions: model.interactions.iter().map(interaction).collect(),
            objects: model.objects.iter().map(object).collect(),
            levels: model.forces.iter().map(|force| force.level).collect(),
            pickups: model.pickups.iter().map(pickup).collect(),
            gains: model.pickups.iter().flat_map(|pickup| pickup.gains.iter().copied()).collect(),
            channels: model.pickups.first().map_or(1, |pickup| pickup.gains.len()),
            wheel: 0.0,
        }
    }

    /// Becomes the same as others of the same model, without taking memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.interactions.copy_from_slice(&other.interactions);
        self.objects.copy_from_slice(&other.objects);
        self.levels.copy_from_slice(&other.levels);
        self.pickups.copy_from_slice(&other.pickups);
        self.wheel = other.wheel;
    }

    /// How many parameters can be on their way at once.
    pub(super) fn count(&self) -> usize {
        let laws: usize = self.interactions.iter().map(|interaction| interaction.law.parameters().count()).sum();
        // Beside the law: damping, gap, active, travel, presence and two places of two ends.
        laws + 9 * self.interactions.len() + 2 * self.objects.len() + self.levels.len() + 3 * self.pickups.len()
    }

    /// Brings an engine to what is kept here, at rest and as it was built.
    pub(super) fn restore(&self, engine: &mut Engine) -> Result<(), PlayError> {
        // Changes are checked against where things are: at rest, not where they have flown to.
        engine.reset();
        for (index, settings) in self.interactions.iter().enumerate() {
            self.apply_law(engine, index, settings)?;
            engine.change(&Change::Damping(index, settings.presence * settings.damping))?;
            engine.change(&Change::Gap(index, settings.gap))?;
            engine.change(&Change::Active(index, settings.active))?;
            if settings.is_rough {
                engine.change(&Change::Travel(index, settings.travel))?;
            }
            if !settings.is_spread {
                engine.change(&Change::Move(index, End::From, settings.places[0]))?;
                engine.change(&Change::Move(index, End::To, settings.places[1]))?;
            }
        }
        for (index, level) in self.levels.iter().enumerate() {
            engine.change(&Change::Level(index, *level))?;
        }
        for (index, pickup) in self.pickups.iter().enumerate() {
            self.apply_gain(engine, index, pickup.gain)?;
            if let Some(place) = pickup.place {
                engine.change(&Change::MovePickup(index, place))?;
            }
        }
        for (index, object) in self.objects.iter().enumerate() {
            if let ObjectSettings::String { .. } = object {
                self.apply_bend(engine, index)?;
            }
        }
        engine.reset();
        for (index, object) in self.objects.iter().enumerate() {
            if let ObjectSettings::Barrier { sent, built } = object
                && sent != built
            {
                engine.change(&Change::Throw(index, sent.height, sent.velocity))?;
            }
        }
        Ok(())
    }

    pub(super) fn interaction(&self, index: usize) -> Result<&InteractionSettings, PlayError> {
        self.interactions.get(index).ok_or(no("interaction", index))
    }

    /// What a parameter stands at. What belongs to exciters is not known here.
    pub(super) fn value(&self, engine: &Engine, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::Law(index, place) => self.interactions.get(index)?.law.parameter(place),
            Parameter::Damping(index) => Some(self.interactions.get(index)?.damping),
            Parameter::Gap(index) => Some(self.interactions.get(index)?.gap),
            Parameter::Active(index) => Some(f64::from(u8::from(self.interactions.get(index)?.active))),
            Parameter::Travel(index) => {
                self.interactions.get(index).filter(|interaction| interaction.is_rough).map(|rough| rough.travel)
            }
            Parameter::Along(index, end) => along(self.interactions.get(index)?.place(end)),
            Parameter::Across(index, end) => across(self.interactions.get(index)?.place(end)),
            Parameter::Velocity(index) => match *self.objects.get(index)? {
                ObjectSettings::Barrier { sent, .. } => Some(sent.velocity),
                _ => None,
            },
            Parameter::Height(index) => match self.objects.get(index)? {
                ObjectSettings::Barrier { .. } => engine.displacement(index, Place::Whole),
                _ => None,
            },
            Parameter::Bend(index) => match *self.objects.get(index)? {
                ObjectSettings::String { hand, .. } => Some(hand),
                _ => None,
            },
            Parameter::Level(index) => self.levels.get(index).copied(),
            Parameter::Gain(index) => Some(self.pickups.get(index)?.gain),
            Parameter::PickupAlong(index) => along(self.pickups.get(index)?.place?),
            Parameter::PickupAcross(index) => across(self.pickups.get(index)?.place?),
            Parameter::Amount(_) | Parameter::Centre(_) => None,
        }
    }

    /// Brings a parameter to a value at once.
    pub(super) fn set(&mut self, engine: &mut Engine, parameter: Parameter, value: f64) -> Result<(), PlayError> {
        self.check(parameter, value)?;
        match parameter {
            Parameter::Law(index, place) => {
                let settings = *self.interaction(index)?;
                let settings = InteractionSettings { law: settings.law.with_parameter(place, value)?, ..settings };
                self.apply_law(engine, index, &settings)?;
                self.interactions[index] = settings;
            }
            Parameter::Damping(index) => {
                engine.change(&Change::Damping(index, self.interaction(index)?.presence * value))?;
                self.interactions[index].damping = value;
            }
            Parameter::Gap(index) => {
                self.interaction(index)?;
                engine.change(&Change::Gap(index, value))?;
                self.interactions[index].gap = value;
            }
            Parameter::Active(index) => self.activate(engine, index, value > 0.5)?,
            Parameter::Travel(index) => {
                self.interaction(index)?;
                engine.change(&Change::Travel(index, value))?;
                self.interactions[index].travel = value;
            }
            Parameter::Along(index, end) => self.move_end(engine, index, end, |place| moved_along(place, value))?,
            Parameter::Across(index, end) => self.move_end(engine, index, end, |place| moved_across(place, value))?,
            Parameter::Velocity(index) => {
                let sent = self.barrier_mut(index)?;
                engine.change(&Change::Velocity(index, value))?;
                sent.velocity = value;
            }
            Parameter::Height(index) => {
                let sent = self.barrier_mut(index)?;
                engine.change(&Change::Height(index, value))?;
                *sent = BarrierSpec { height: value, velocity: 0.0 };
            }
            Parameter::Bend(index) => {
                let Some(ObjectSettings::String { hand, .. }) = self.objects.get_mut(index) else {
                    return Err(no("string", index));
                };
                *hand = value;
                self.apply_bend(engine, index)?;
            }
            Parameter::Level(index) => {
                let level = self.levels.get_mut(index).ok_or(no("force", index))?;
                engine.change(&Change::Level(index, value))?;
                *level = value;
            }
            Parameter::Gain(index) => {
                self.apply_gain(engine, index, value)?;
                self.pickups[index].gain = value;
            }
            Parameter::PickupAlong(index) => self.move_pickup(engine, index, |place| moved_along(place, value))?,
            Parameter::PickupAcross(index) => self.move_pickup(engine, index, |place| moved_across(place, value))?,
            Parameter::Amount(index) | Parameter::Centre(index) => return Err(no("exciter", index)),
        }
        Ok(())
    }

    /// How much of an interaction is there, from 0 to 1.
    pub(super) fn set_presence(&mut self, engine: &mut Engine, index: usize, presence: f64) -> Result<(), PlayError> {
        let settings = InteractionSettings { presence, ..*self.interaction(index)? };
        self.apply_law(engine, index, &settings)?;
        engine.change(&Change::Damping(index, presence * settings.damping))?;
        self.interactions[index] = settings;
        Ok(())
    }

    /// Switches an interaction on or off.
    pub(super) fn activate(&mut self, engine: &mut Engine, index: usize, active: bool) -> Result<(), PlayError> {
        self.interaction(index)?;
        engine.change(&Change::Active(index, active))?;
        self.interactions[index].active = active;
        Ok(())
    }

    /// Puts a barrier somewhere else, moving on at a velocity.
    pub(super) fn place_barrier(
        &mut self,
        engine: &mut Engine,
        index: usize,
        height: f64,
        velocity: f64,
    ) -> Result<(), PlayError> {
        let sent = self.barrier_mut(index)?;
        engine.change(&Change::Throw(index, height, velocity))?;
        *sent = BarrierSpec { height, velocity };
        Ok(())
    }

    fn barrier_mut(&mut self, index: usize) -> Result<&mut BarrierSpec, PlayError> {
        match self.objects.get_mut(index) {
            Some(ObjectSettings::Barrier { sent, .. }) => Ok(sent),
            _ => Err(no("barrier", index)),
        }
    }

    /// Bends a string by the semitones of a key above the lowest it plays.
    pub(super) fn set_key(&mut self, engine: &mut Engine, index: usize, semitones: f64) -> Result<(), PlayError> {
        let Some(ObjectSettings::String { key, .. }) = self.objects.get_mut(index) else {
            return Err(no("string", index));
        };
        *key = semitones;
        self.apply_bend(engine, index)
    }

    /// Bends every string that can be bent by the semitones of a pitch wheel.
    pub(super) fn set_wheel(&mut self, engine: &mut Engine, semitones: f64) -> Result<(), PlayError> {
        self.wheel = within("pitch bend", semitones, -FARTHEST_BEND, FARTHEST_BEND)?;
        for index in 0..self.objects.len() {
            if let ObjectSettings::String { .. } = self.objects[index] {
                self.apply_bend(engine, index)?;
            }
        }
        Ok(())
    }

    fn apply_law(&self, engine: &mut Engine, index: usize, settings: &InteractionSettings) -> Result<(), PlayError> {
        let InteractionSettings { law, presence, .. } = *settings;
        Ok(engine.change(&Change::Law(index, if presence == 1.0 { law } else { law.scaled(presence) }))?)
    }

    fn apply_gain(&self, engine: &mut Engine, index: usize, gain: f64) -> Result<(), PlayError> {
        let built = self.gains.chunks_exact(self.channels.max(1)).nth(index).ok_or(no("pickup", index))?;
        for (channel, built) in built.iter().enumerate() {
            engine.change(&Change::Gain(index, channel, gain * built))?;
        }
        Ok(())
    }

    /// Bends a string by hand, key and wheel together, as far as it goes. The wheel leaves strings alone that are not made for it.
    fn apply_bend(&self, engine: &mut Engine, index: usize) -> Result<(), PlayError> {
        let Some(&ObjectSettings::String { hand, key, highest }) = self.objects.get(index) else {
            return Err(no("string", index));
        };
        let wheel = if highest > 1.0 { self.wheel } else { 0.0 };
        let ratio = libm::exp2((hand + key + wheel) / 12.0).clamp(LOWEST_BEND, highest);
        Ok(engine.change(&Change::Bend(index, ratio))?)
    }

    fn move_end(
        &mut self,
        engine: &mut Engine,
        index: usize,
        end: End,
        moved: impl Fn(Place) -> Option<Place>,
    ) -> Result<(), PlayError> {
        let place = moved(self.interaction(index)?.place(end)).ok_or(no("movable interaction", index))?;
        engine.change(&Change::Move(index, end, place))?;
        self.interactions[index].places[usize::from(end == End::To)] = place;
        Ok(())
    }

    fn move_pickup(
        &mut self,
        engine: &mut Engine,
        index: usize,
        moved: impl Fn(Place) -> Option<Place>,
    ) -> Result<(), PlayError> {
        let pickup = self.pickups.get_mut(index).ok_or(no("pickup", index))?;
        let place = pickup.place.and_then(moved).ok_or(no("movable pickup", index))?;
        engine.change(&Change::MovePickup(index, place))?;
        pickup.place = Some(place);
        Ok(())
    }
}

impl InteractionSettings {
    fn place(&self, end: End) -> Place {
        self.places[usize::from(end == End::To)]
    }
}
