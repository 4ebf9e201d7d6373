//! Live parameters by the paths that the reader knows them by.

use std::collections::HashMap;

use super::WriteError;
use super::names::Names;
use crate::ExciterId;
use crate::parameters::{Live, Parts, Thing};
use crate::scene::Parameter;
use crate::units::Measure;

/// Where a live parameter is found.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) path: String,
    pub(super) measure: Measure,
    /// Its value at the start, in SI units.
    pub(super) value: f64,
}

/// All live parameters that have a path.
pub(super) struct Paths {
    paths: HashMap<Parameter, Path>,
}

impl Paths {
    pub(super) fn new(names: &Names<'_>) -> Self {
        let scene = names.scene;
        let parts = Parts { model: &scene.model, exciters: &scene.exciters, heard: &scene.written.heard };
        let mut paths = HashMap::new();
        let mut add = |thing: Thing, key: &str| {
            for Live { key: parameter_key, parameter, measure, value } in parts.live(thing) {
                let path = format!("{key}.{parameter_key}");
                paths.entry(parameter).or_insert(Path { path, measure, value });
            }
        };
        for (place, key) in names.exciters.iter().enumerate() {
            add(Thing::Exciter(ExciterId::new(place)), key);
        }
        for (place, key) in names.objects().filter_map(|place| Some((place, names.object("", place).ok()?))) {
            add(Thing::Object(place), key);
        }
        for (place, key) in names.contacts().filter_map(|place| Some((place, names.contact_at(place)?))) {
            add(Thing::Contact(place), key);
        }
        for (place, key) in names.forces().filter_map(|place| Some((place, names.force_at(place)?))) {
            add(Thing::Force(place), key);
        }
        for (place, key) in names.pickups.iter().enumerate() {
            add(Thing::Pickup(place), key);
        }
        Self { paths }
    }

    /// The paths of some parameters.
    pub(super) fn of(&self, of: &str, parameters: &[Parameter]) -> Result<Vec<&Path>, WriteError> {
        let find = |parameter: &Parameter| {
            let unknown = || WriteError::unsayable(of, format!("a change of {parameter:?}"));
            self.paths.get(parameter).ok_or_else(unknown)
        };
        let found = parameters.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        if found.is_empty() { Err(WriteError::unsayable(of, "a change of nothing")) } else { Ok(found) }
    }
}
