//! Every number of a scene by its path: `hammer.stiffness`, `bars.mallet.velocity`, `events.0.time`.
//!
//! Live parameters can change while the instrument sounds; the others only by reading the scene anew (`--set` on the command line). Both
//! have the same paths. [`Scene::parameters`] lists them; an [`Instrument`](crate::Instrument) keeps the list and plays on it.

mod live;
mod table;

pub(crate) use live::{Live, Parts, Thing, is_in_modes};
pub use table::{Draw, ParameterId, ParameterInfo, Scale, Written};
pub(crate) use table::{FixedKey, Targets};

use crate::scene::Scene;

impl Scene {
    /// Every number that can be set, controls first, then the live ones and those that only a new reading can change.
    pub fn parameters(&self) -> Vec<ParameterInfo> {
        table::of(self)
    }

    /// The whole path of one that leaves out the name of the only set that has it, as `--set` takes it: `bars.mallet.mass` for
    /// `mallet.mass`. Nothing if the path is whole, or if no set or several have it.
    pub fn whole_path(&self, path: &str) -> Option<String> {
        let (thing, _) = path.split_once('.')?;
        let names = || self.written.names.keys().map(String::as_str);
        let begins = |name: &str| name == thing || name.split_once('.').is_some_and(|(set, _)| set == thing);
        if names().any(begins) {
            return None;
        }
        let mut sets = names().filter_map(|name| name.split_once('.').filter(|(_, inner)| *inner == thing));
        let (Some((set, _)), None) = (sets.next(), sets.next()) else { return None };
        Some(format!("{set}.{path}"))
    }

    /// The numbers that were drawn from the seed when this scene was read, by their paths; of very many the first 10000.
    pub fn draws(&self) -> &[Draw] {
        &self.written.draws
    }

    /// Whether anything of this scene was drawn from its seed when it was read: numbers, noise, rough surfaces. Another seed then makes
    /// another scene. A scene that was not read from a text is what it is.
    pub fn is_random(&self) -> bool {
        self.written.is_random
    }

    /// Length in s of the beat that the times of the scene's text are counted in: that of its `tempo`, or half a second.
    pub fn beat(&self) -> f64 {
        self.written.beat.unwrap_or(0.5)
    }
}
