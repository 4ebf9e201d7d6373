//! How soon objects in modes die: as something damps them as a whole, and as their losses are set.

use ictus::Engine;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::model::Model;

use super::error::{PlayError, no};
use crate::parameters::is_in_modes;

/// Most that all decay rates of an object are multiplied by.
const MOST: f64 = 1e6;

/// What the decay rates of an object are multiplied by.
#[derive(Clone, Copy, Debug)]
struct Decay {
    /// By a damper, of objects that something damps.
    damper: Option<f64>,
    losses: f64,
    is_in_modes: bool,
    /// Whether the losses were ever set: what was never changed stays as it was built, to the bit.
    is_touched: bool,
}

/// All objects of a model.
#[derive(Clone, Debug)]
pub(crate) struct Decays(Vec<Decay>);

impl Decays {
    pub(crate) fn new(model: &Model) -> Self {
        let decay = |object: &ictus::model::Object| Decay {
            damper: None,
            losses: 1.0,
            is_in_modes: is_in_modes(&object.spec),
            is_touched: false,
        };
        Self(model.objects.iter().map(decay).collect())
    }

    /// Becomes the same as others of the same model; what was touched still was.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = Decay { is_touched: own.is_touched || other.is_touched, ..*other };
        }
    }

    /// Brings an engine to what is kept here.
    pub(crate) fn restore(&self, engine: &mut Engine) -> Result<(), PlayError> {
        let mut changed = self.0.iter().enumerate().filter(|(_, decay)| decay.damper.is_some() || decay.is_touched);
        changed.try_for_each(|(index, decay)| decay.apply(engine, ObjectId::new(index)))
    }

    /// How many times sooner an object dies than it was built to, but for what damps it.
    pub(crate) fn losses(&self, object: ObjectId) -> Option<f64> {
        self.0.get(object.index()).filter(|decay| decay.is_in_modes).map(|decay| decay.losses)
    }

    pub(crate) fn set_losses(&mut self, engine: &mut Engine, object: ObjectId, losses: f64) -> Result<(), PlayError> {
        let decay = self.0.get_mut(object.index()).filter(|decay| decay.is_in_modes);
        let decay = decay.ok_or(no("object in modes", object))?;
        let changed = Decay { losses, is_touched: true, ..*decay };
        changed.apply(engine, object)?;
        *decay = changed;
        Ok(())
    }

    /// Lets an object die so many times sooner than it was built, and set, to.
    pub(crate) fn damp(&mut self, engine: &mut Engine, object: ObjectId, factor: f64) -> Result<(), PlayError> {
        let decay = self.0.get_mut(object.index()).ok_or(no("object", object))?;
        let changed = Decay { damper: Some(factor), ..*decay };
        changed.apply(engine, object)?;
        *decay = changed;
        Ok(())
    }

    /// Makes an object one that something may damp as a whole: it dies so many times sooner from the beginning.
    pub(crate) fn damp_from_the_start(&mut self, object: ObjectId, factor: f64) {
        if let Some(Decay { damper, .. }) = self.0.get_mut(object.index()) {
            *damper = Some(damper.unwrap_or(1.0).max(factor));
        }
    }
}

impl Decay {
    fn apply(&self, engine: &mut Engine, object: ObjectId) -> Result<(), PlayError> {
        let factor = (self.damper.unwrap_or(1.0) * self.losses).min(MOST);
        Ok(engine.change(&Change::Decay { object, factor })?)
    }
}
