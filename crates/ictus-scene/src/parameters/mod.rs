//! Every number of a scene by its path: `hammer.stiffness`, `bars.mallet.velocity`, `events.0.time`.
//!
//! Live parameters can change while the instrument sounds; the others only by reading the scene anew (`--set` on the command line). Both
//! have the same paths. [`Scene::parameters`] lists them; an [`Instrument`](crate::Instrument) keeps the list and plays on it.

mod live;
mod table;

pub(crate) use live::{Live, Parts, Thing};
pub(crate) use table::{FixedKey, Targets};
pub use table::{ParameterId, ParameterInfo, Scale, Written};

use crate::scene::Scene;

impl Scene {
    /// Every number that can be set, controls first, then the live ones and those that only a new reading can change.
    pub fn parameters(&self) -> Vec<ParameterInfo> {
        table::of(self)
    }
}
