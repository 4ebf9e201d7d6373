//! How pickups listen: how loud, where on their object, and where between left and right.

use ictus::Engine;
use ictus::control::Change;
use ictus::id::PickupId;
use ictus::model::{Model, Pickup, Target};
use ictus::objects::Place;

use super::error::{PlayError, no};
use super::pan::{Pan, panned};

/// What a pickup was asked to be.
#[derive(Clone, Copy, Debug)]
struct Ear {
    /// Factor on the gains as built.
    gain: f64,
    place: Option<Place>,
    /// Where between left and right it was built to be heard, if it can be elsewhere, and where it was sent.
    built: Option<Pan>,
    pan: Option<f64>,
}

/// All pickups of a model.
#[derive(Clone, Debug)]
pub(super) struct Listening {
    ears: Vec<Ear>,
    /// Gains as built, pickup by pickup.
    gains: Vec<f64>,
    channels: usize,
}

impl Listening {
    pub(super) fn new(model: &Model) -> Self {
        let ear = |built: &Pickup| Ear {
            gain: 1.0,
            place: match built.source.target() {
                Target::Point(point) => Some(point.place),
                _ => None,
            },
            built: Pan::of(&built.gains),
            pan: None,
        };
        Self {
            ears: model.pickups.iter().map(ear).collect(),
            gains: model.pickups.iter().flat_map(|pickup| pickup.gains.iter().copied()).collect(),
            channels: model.pickups.first().map_or(1, |pickup| pickup.gains.len()),
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
        ear.pan.or(ear.built.map(|built| built.place))
    }

    pub(super) fn place(&self, pickup: PickupId) -> Option<Place> {
        self.ears.get(pickup.index())?.place
    }

    pub(super) fn set_gain(&mut self, engine: &mut Engine, pickup: PickupId, gain: f64) -> Result<(), PlayError> {
        self.ears.get_mut(pickup.index()).ok_or(no("pickup", pickup))?.gain = gain;
        self.apply(engine, pickup)
    }

    pub(super) fn set_pan(&mut self, engine: &mut Engine, pickup: PickupId, pan: f64) -> Result<(), PlayError> {
        let ear = self.ears.get_mut(pickup.index()).filter(|ear| ear.built.is_some());
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

    /// Gives an engine the gains of a pickup: those as built, or those of where it was panned.
    fn apply(&self, engine: &mut Engine, pickup: PickupId) -> Result<(), PlayError> {
        let gains = self.gains.chunks_exact(self.channels.max(1)).nth(pickup.index());
        let (Some(gains), Some(ear)) = (gains, self.ears.get(pickup.index())) else { return Err(no("pickup", pickup)) };
        for (channel, built) in gains.iter().enumerate() {
            engine.change(&Change::Gain { pickup, channel, gain: ear.gain * built })?;
        }
        if let (Some(pan), Some(built)) = (ear.pan, ear.built) {
            for first in [Some(0), built.stem].into_iter().flatten() {
                for (side, gain) in panned(built.gain, pan).into_iter().enumerate() {
                    engine.change(&Change::Gain { pickup, channel: first + side, gain: ear.gain * gain })?;
                }
            }
        }
        Ok(())
    }
}
