//! Knobs: a position from 0 to 1, a value in a range, and the parameters that follow it.

use super::error::{BuildError, PlayError, no};
use super::mechanism::Mechanism;
use crate::scene::{Control, Parameter};
use crate::{ControlId, ExciterId};

/// Time in s over which the parameters of a turned control follow: too short to feel, long enough not to be heard as steps.
pub(super) const FOLLOWING: f64 = 0.01;

impl Control {
    /// The value at a position from 0 (lowest) to 1 (highest), as a knob or a MIDI controller gives it.
    pub fn value_at(&self, position: f64) -> f64 {
        let position = if position.is_nan() { 0.0 } else { position.clamp(0.0, 1.0) };
        let [low, high] = self.range;
        let value =
            if self.logarithmic { low * libm::pow(high / low, position) } else { low + position * (high - low) };
        self.within_range(value)
    }

    /// The position from 0 to 1 of a value.
    pub fn position_of(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        let value = self.within_range(value);
        let position = if self.logarithmic {
            libm::log(value / low) / libm::log(high / low)
        } else {
            (value - low) / (high - low)
        };
        if position.is_nan() { 0.0 } else { position.clamp(0.0, 1.0) }
    }

    fn within_range(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        value.max(low.min(high)).min(high.max(low))
    }
}

/// All controls of a scene.
#[derive(Clone, Debug)]
pub(super) struct Controls {
    controls: Vec<Control>,
    values: Vec<f64>,
    /// Which have been turned since the start.
    turned: Vec<bool>,
    /// Where parameters stood that a single note has turned, to go back there; as many places as there are targets.
    before: Vec<Option<(Parameter, f64)>>,
}

impl Controls {
    /// Checks the controls and brings the parameters of those whose start was given to it. The others are left alone: one value
    /// would make all notes of a set alike.
    pub(super) fn new(controls: &[Control], mechanism: &mut Mechanism) -> Result<Self, BuildError> {
        for control in controls {
            let [low, high] = control.range;
            if !(low.is_finite() && high.is_finite()) || control.logarithmic && low.min(high) <= 0.0 {
                let value = if low.is_finite() { high } else { low };
                let allowed = "finite, and above 0 where equal turns are equal ratios";
                return Err(BuildError::Value { what: "an end of a control's range", value, allowed });
            }
            let value = control.within_range(control.value);
            for &target in control.targets.iter().filter(|_| control.is_given) {
                let named = |error| BuildError::Control { name: control.name.clone(), error };
                mechanism.set(target, value).map_err(named)?;
            }
        }
        let values = controls.iter().map(|control| control.within_range(control.value)).collect();
        let targets = controls.iter().map(|control| control.targets.len()).sum();
        Ok(Self {
            controls: controls.to_vec(),
            values,
            turned: vec![false; controls.len()],
            before: vec![None; targets],
        })
    }

    pub(super) fn reset(&mut self) {
        for (value, control) in self.values.iter_mut().zip(&self.controls) {
            *value = control.within_range(control.value);
        }
        self.turned.fill(false);
        self.before.fill(None);
    }

    /// The value a control has been turned to since the start, if it has been.
    pub(super) fn turned(&self, control: ControlId) -> Option<f64> {
        self.value(control).filter(|_| self.turned[control.index()])
    }

    /// Where a control stands, in its unit.
    pub(super) fn value(&self, control: ControlId) -> Option<f64> {
        self.values.get(control.index()).copied()
    }

    /// A value brought into the range of a control.
    fn within(&self, control: ControlId, value: f64) -> Result<f64, PlayError> {
        let index = control.index();
        let control = self.controls.get(index).ok_or(no("control", index))?;
        if value.is_nan() {
            let [least, most] = control.range;
            return Err(PlayError::OutOfRange { what: "control", value, least, most });
        }
        Ok(control.within_range(value))
    }

    /// Turns a control to a value, brought into its range; its parameters follow over a time in s.
    pub(super) fn turn(
        &mut self,
        mechanism: &mut Mechanism,
        control: ControlId,
        value: f64,
        over: f64,
        logarithmic: bool,
    ) -> Result<(), PlayError> {
        let index = control.index();
        let value = self.within(control, value)?;
        (self.values[index], self.turned[index]) = (value, true);
        let targets = &self.controls[index].targets;
        // From here on they stand where the control does.
        for place in self.before.iter_mut().filter(|place| place.is_some_and(|(target, _)| targets.contains(&target))) {
            *place = None;
        }
        // Written so that a time that is no number stays one, and is refused.
        let over = if over < FOLLOWING { FOLLOWING } else { over };
        follow(mechanism, targets, value, over, logarithmic)
    }

    /// Turns a control for a single note: of its parameters those that belong to one of these tools follow; at once where the tool's key has gone down
    /// at this sample, so that the note begins with it.
    pub(super) fn express(
        &mut self,
        mechanism: &mut Mechanism,
        control: ControlId,
        value: f64,
        tools: impl Iterator<Item = (ExciterId, bool)> + Clone,
    ) -> Result<(), PlayError> {
        let value = self.within(control, value)?;
        let mut outcome = Ok(());
        for &target in &self.controls[control.index()].targets {
            if let Some((_, begins)) = tools.clone().find(|(tool, _)| mechanism.belongs(target, *tool)) {
                let is_known = self.before.iter().flatten().any(|(known, _)| *known == target);
                if let (false, Some(stood), Some(place)) =
                    (is_known, mechanism.goal(target), self.before.iter_mut().find(|place| place.is_none()))
                {
                    *place = Some((target, stood));
                }
                outcome = outcome.and(mechanism.go(target, value, if begins { 0.0 } else { FOLLOWING }));
            }
        }
        outcome
    }

    /// A tool plays another note: what the last one has turned of it goes back over a time in s.
    pub(super) fn forget(&mut self, mechanism: &mut Mechanism, tool: ExciterId, over: f64) {
        for place in &mut self.before {
            if let Some((target, stood)) = place.take_if(|(target, _)| mechanism.belongs(*target, tool)) {
                let _ = mechanism.go(target, stood, over);
            }
        }
    }
}

/// Sends parameters to a value over a time in s: all that can go there do, the first that cannot is the error.
pub(super) fn follow(
    mechanism: &mut Mechanism,
    targets: &[Parameter],
    value: f64,
    over: f64,
    logarithmic: bool,
) -> Result<(), PlayError> {
    let mut outcome = Ok(());
    for &target in targets {
        outcome = outcome.and(mechanism.go_by(target, value, over, logarithmic));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(range: [f64; 2], logarithmic: bool) -> Control {
        Control {
            name: "force".into(),
            targets: vec![],
            range,
            value: range[0],
            is_given: true,
            logarithmic,
            unit: "N".into(),
            midi: None,
        }
    }

    #[test]
    fn equal_turns_are_equal_steps_or_equal_ratios() {
        let linear = control([2.0, 6.0], false);
        assert_eq!([-1.0, 0.0, 0.25, 1.0, 7.0].map(|at| linear.value_at(at)), [2.0, 2.0, 3.0, 6.0, 6.0]);
        let ratios = control([0.1, 10.0], true);
        assert!((ratios.value_at(0.5) - 1.0).abs() < 1e-12);
        for at in [0.0, 0.2, 0.9, 1.0] {
            assert!((linear.position_of(linear.value_at(at)) - at).abs() < 1e-12);
            assert!((ratios.position_of(ratios.value_at(at)) - at).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_no_number_leaves_no_range() {
        for logarithmic in [false, true] {
            let control = control([1.0, 5.0], logarithmic);
            for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
                assert!((1.0..=5.0).contains(&control.value_at(wild)));
                assert!((0.0..=1.0).contains(&control.position_of(wild)));
            }
        }
    }
}
