//! The table of parameters at work: found by path or by number, read and set without taking memory.

use super::controls::follow;
use super::error::{PlayError, no};
use super::{Instrument, Mechanism};
use crate::parameters::{ParameterId, ParameterInfo, Targets};
use crate::problem::suggestion;
use crate::scene::{Parameter, Scene};

/// The parameters of an instrument, and their places in the order of their paths.
#[derive(Clone, Debug)]
pub(super) struct Table {
    all: Vec<ParameterInfo>,
    by_path: Vec<usize>,
}

impl Table {
    pub(super) fn new(scene: &Scene) -> Self {
        let all = scene.parameters();
        let mut by_path: Vec<usize> = (0..all.len()).collect();
        by_path.sort_by(|a, b| all[*a].path.cmp(&all[*b].path));
        Self { all, by_path }
    }

    fn find(&self, path: &str) -> Option<ParameterId> {
        match self.by_path.binary_search_by(|index| self.all[*index].path.as_str().cmp(path)) {
            Ok(place) => Some(ParameterId::new(self.by_path[place])),
            Err(_) => self.of_only_set(path),
        }
    }

    /// What only one set has needs no name of the set, as in `--set`: `mallet.mass` for `bars.mallet.mass`.
    fn of_only_set(&self, path: &str) -> Option<ParameterId> {
        let is_meant = |info: &ParameterInfo| info.path.split_once('.').is_some_and(|(_, inner)| inner == path);
        let mut meant = (0..self.all.len()).filter(|index| path.contains('.') && is_meant(&self.all[*index]));
        let (Some(index), None) = (meant.next(), meant.next()) else { return None };
        Some(ParameterId::new(index))
    }

    fn get(&self, id: ParameterId) -> Result<&ParameterInfo, PlayError> {
        self.all.get(id.index()).ok_or(no("parameter", id.index()))
    }
}

impl Instrument {
    /// Every parameter: controls first, then the live ones, then those that only a new reading of the scene can change. A
    /// [`ParameterId`] is a place in this list.
    pub fn parameters(&self) -> &[ParameterInfo] {
        &self.table.all
    }

    /// The parameter of a path, such as `hammer.stiffness`. What only one set has is found without the name of the set.
    pub fn parameter(&self, path: &str) -> Option<ParameterId> {
        self.table.find(path)
    }

    /// What a parameter stands at, in its unit; of several, the first. What is not live stands at its default.
    pub fn value(&self, parameter: ParameterId) -> Option<f64> {
        let info = self.table.get(parameter).ok()?;
        match &info.targets {
            Targets::Control(control) => self.control(*control),
            Targets::Parts(targets) => self.target_value(*targets.first()?),
            Targets::Fixed => Some(info.default),
        }
    }

    /// Brings a parameter to a value at once; a control is turned, and its parameters follow.
    ///
    /// # Errors
    /// The value is out of range, or the parameter is not live.
    pub fn set(&mut self, parameter: ParameterId, value: f64) -> Result<(), PlayError> {
        self.glide(parameter, value, 0.0)
    }

    /// Brings a parameter to a value over a time in s, in a straight line. A control is turned at once.
    ///
    /// # Errors
    /// The value or the time is out of range, or the parameter is not live.
    pub fn glide(&mut self, parameter: ParameterId, value: f64, seconds: f64) -> Result<(), PlayError> {
        match &self.table.get(parameter)?.targets {
            Targets::Control(control) => self.console.turn(*control, value),
            Targets::Parts(targets) => follow(&mut self.console.mechanism, targets, value, seconds, false),
            Targets::Fixed => Err(PlayError::NotLive(parameter)),
        }
    }

    /// What may have been meant by a path that is none, in words. Takes memory: for messages, not for the audio thread.
    pub fn suggest(&self, path: &str) -> String {
        suggestion(path, "parameters", self.table.all.iter().map(|info| info.path.as_str()))
    }

    /// Brings one number of the model or of a tool to a value at once.
    ///
    /// # Errors
    /// There is no such number, or the value is out of range.
    pub fn set_target(&mut self, target: Parameter, value: f64) -> Result<(), PlayError> {
        self.mechanism_mut().set(target, value)
    }

    /// Brings one number of the model or of a tool to a value over a time in s, in a straight line or by equal ratios.
    ///
    /// # Errors
    /// There is no such number, or the value or the time is out of range.
    pub fn glide_target(
        &mut self,
        target: Parameter,
        value: f64,
        seconds: f64,
        logarithmic: bool,
    ) -> Result<(), PlayError> {
        self.mechanism_mut().go_by(target, value, seconds, logarithmic)
    }

    /// What one number of the model or of a tool stands at, in its unit.
    pub fn target_value(&self, target: Parameter) -> Option<f64> {
        self.console.mechanism.value(target)
    }

    fn mechanism_mut(&mut self) -> &mut Mechanism {
        &mut self.console.mechanism
    }
}
