//! Sound from outside: the scene's signal of the name `input` follows it, so that a microphone or a line drives an instrument that is played by
//! hand. Its place and its level are the scene's; a sample of 1 is the level. Until it is fed it plays what the scene says.

use ictus::id::ForceId;
use ictus::model::Force;

use crate::scene::Scene;

/// Most samples that it is fed at once.
pub const MOST_FED: usize = 128;

/// The force that follows sound from outside, if the scene has one.
pub fn input(scene: &Scene) -> Option<ForceId> {
    let is_input = |force: &Force| force.name == "input" && force.signal.is_some();
    scene.model.forces.iter().position(is_input).map(ForceId::new)
}

/// Gives it room for what it is fed; its own samples make way then.
pub(super) fn lend(scene: &mut Scene) -> Option<ForceId> {
    let input = input(scene)?;
    if let Some(signal) = &mut scene.model.forces[input.index()].signal {
        signal.resize(signal.len().max(MOST_FED), 0.0);
    }
    Some(input)
}
