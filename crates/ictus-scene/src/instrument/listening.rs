//! How pickups listen: how loud, where on their object, and where between left and right.

use ictus::Engine;
use ictus::control::Change;
use ictus::id::PickupId;
use ictus::model::Target;
use ictus::objects::Place;

use super::error::{PlayError, no};
use super::pan::Pan;
use crate::gains::directions_of;
use crate::scene::Scene;

/// What a pickup was asked to be.
#[derive(Clone, Copy, Debug)]
struct Ear {
    /// As in a text, and as built.
    gain: f64,
    built: f64,
    place: Option<Place>,
    /// Where between left and right it was built to be heard with a gain of 1, if it can be elsewhere, and where it was sent.
    middle: Option<Pan>,
    pan: Option<f64>,
}

/// All pickups of a model.
#[derive(Clone, Debug)]
pub(super) struct Listening {
    ears: Vec<Ear>,
    /// Gains in the channels as built, pickup by pickup; and for a gain of 1.
    gains: Vec<f64>,
    directions: Vec<f64>,
    channels: usize,
}

impl Listening {
    pub(super) fn new(scene: &Scene) -> Self {
        let pickups = &scene.model.pickups;
        let (mut ears, mut directions) = (Vec::new(), Vec::new());
        for (index, pickup) in pickups.iter().enumerate() {
            let (gain, direction) = scene.written.heard.of(index, &pickup.gains);
            let place = match pickup.source.target() {
                Target::Point(point) => Some(point.place),
                _ => None,
            };
            ears.push(Ear { gain, built: gain, place, middle: Pan::of(&direction), pan: None });
            directions.extend(direction);
        }
        Self {
            ears,
            directions,
            gains: pickups.iter().flat_map(|pickup| pickup.gains.iter().copied()).collect(),
            channels: pickups.first().map_or(1, |pickup| pickup.gains.len()),
        }
    }

    /// How many parameters can be on their way at once.
    pub(super) fn count(&self) -> usize {
        4 * self.ears.len()
    }

    /// Becomes the same as others of the same model, without taking memory.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.ears.copy_from_slice(&other.ears);
    }

    /// Brings an engine to what is kept here.
    pub(super) fn restore(&self, engine: &mut Engine) -> Result<(), PlayError> {
        for (index, ear) in self.ears.iter().enumerate() {
            let pickup = PickupId::new(index);
            self.apply(engine, pickup)?;
            if let Some(place) = ear.place {
                engine.change(&Change::MovePickup { pickup, place })?;
            }
        }
        Ok(())
    }

    pub(super) fn gain(&self, pickup: PickupId) -> Option<f64> {
        Some(self.ears.get(pickup.index())?.gain)
    }

    pub(super) fn pan(&self, pickup: PickupId) -> Option<f64> {
        let ear = self.ears.get(pickup.index())?;
        ear.pan.or(ear.middle.map(|middle| middle.place))
    }

    pub(super) fn place(&self, pickup: PickupId) -> Option<Place> {
        self.ears.get(pickup.index())?.place
    }

    pub(super) fn set_gain(&mut self, engine: &mut Engine, pickup: PickupId, gain: f64) -> Result<(), PlayError> {
        self.ears.get_mut(pickup.index()).ok_or(no("pickup", pickup))?.gain = gain;
        self.apply(engine, pickup)
    }

    pub(super) fn set_pan(&mut self, engine: &mut Engine, pickup: PickupId, pan: f64) -> Result<(), PlayError> {
        let ear = self.ears.get_mut(pickup.index()).filter(|ear| ear.middle.is_some());
        ear.ok_or(no("pickup that is heard left and right", pickup))?.pan = Some(pan);
        self.apply(engine, pickup)
    }

    pub(super) fn move_to(
        &mut self,
        engine: &mut Engine,
        pickup: PickupId,
        moved: impl Fn(Place) -> Option<Place>,
    ) -> Result<(), PlayError> {
        let ear = self.ears.get_mut(pickup.index()).ok_or(no("pickup", pickup))?;
        let place = ear.place.and_then(moved).ok_or(no("movable pickup", pickup))?;
        engine.change(&Change::MovePickup { pickup, place })?;
        ear.place = Some(place);
        Ok(())
    }

    /// Gives an engine the gains of a pickup, to the bit as built if it stands as it was built.
    fn apply(&self, engine: &mut Engine, pickup: PickupId) -> Result<(), PlayError> {
        let ear = self.ears.get(pickup.index()).ok_or(no("pickup", pickup))?;
        let (from, factor) = if ear.gain == ear.built { (&self.gains, 1.0) } else { (&self.directions, ear.gain) };
        let first = pickup.index() * self.channels;
        for (channel, gain) in from[first..][..self.channels].iter().enumerate() {
            engine.change(&Change::Gain { pickup, channel, gain: factor * gain })?;
        }
        if let (Some(pan), Some(middle)) = (ear.pan, ear.middle) {
            for first in [Some(0), middle.stem].into_iter().flatten() {
                for (side, direction) in directions_of(pan).into_iter().enumerate() {
                    let gain = ear.gain * middle.gain * direction;
                    engine.change(&Change::Gain { pickup, channel: first + side, gain })?;
                }
            }
        }
        Ok(())
    }
}
