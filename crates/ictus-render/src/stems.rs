//! Stems: what each pickup hears, apart, in the same run as all of them together.

use ictus_scene::Scene;

/// Gives each pickup of a scene channels of its own, behind those of the mix, which stays the same to the bit. The names of the pickups, in the
/// order of their channels.
pub fn split(scene: &mut Scene) -> Vec<String> {
    let names = scene.pickup_names();
    for (number, pickup) in scene.model.pickups.iter_mut().enumerate() {
        let own = pickup.gains.clone();
        let channels = own.len();
        pickup.gains.resize((1 + names.len()) * channels, 0.0);
        pickup.gains[(1 + number) * channels..(2 + number) * channels].copy_from_slice(&own);
    }
    names
}
