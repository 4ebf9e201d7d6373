//! Sound from outside: a force that follows it, so that a microphone or a line can drive an instrument that is played by hand.
//!
//! It is the scene's own force of the name `input`, with the level and at the place that the scene gives it. A scene without one has it on its
//! first object: at full scale as strong as moves the object's wave impedance Z at 1 m/s, f = Z x. It is added behind all that the scene has,
//! so that no number in the scene changes, and changes no bit of the sound until it is fed.

use ictus::id::{ForceId, ObjectId};
use ictus::model::{Force, Point};

use super::nature::Nature;
use crate::scene::Scene;

/// The force that follows sound from outside.
const NAME: &str = "input";

/// Most samples that it is fed at once.
pub const MOST_FED: usize = 256;

/// Gives a copy of a scene such a force; `None` if it has no object that could be driven.
pub(super) fn lend(scene: &mut Scene) -> Option<ForceId> {
    let forces = &mut scene.model.forces;
    let is_input = |force: &Force| force.name == NAME && force.signal.is_some();
    if let Some(index) = forces.iter().position(is_input) {
        // Its own samples are kept: what is fed lies behind them.
        forces[index].signal.iter_mut().for_each(|own| own.resize(own.len() + MOST_FED, 0.0));
        return Some(ForceId::new(index));
    }
    // A constant force can be called anything.
    let mut name = NAME.to_owned();
    while forces.iter().any(|force| force.name == name) {
        name.push('\'');
    }
    let is_own = |index: &usize| !scene.is_part_of_exciter(ObjectId::new(*index));
    let objects = (0..scene.model.objects.len()).filter(is_own).map(|index| &scene.model.objects[index]);
    let driven = objects.filter_map(|object| Some((Nature::of(object)?, &object.name))).next();
    let force = driven.map(|(nature, object)| Force {
        name,
        at: Point::on(object, nature.rest_place),
        level: nature.impedance(),
        signal: Some(vec![0.0; MOST_FED]),
    })?;
    let id = ForceId::new(scene.model.forces.len());
    scene.model.forces.push(force);
    Some(id)
}
