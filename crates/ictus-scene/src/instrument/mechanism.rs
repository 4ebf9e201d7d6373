//! The instrument in the player's hands: an engine, what its parameters stand at, and those on their way.

use ictus::Engine;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::objects::Place;

use super::error::{BuildError, PlayError, no, within};
use super::ramps::{LONG_STEP, Ramp, Ramps, STEP, Target};
use super::settings::Settings;
use super::tools::ToolState;
use crate::ExciterId;
use crate::scene::{Parameter, Scene};

/// Longest time in s that anything takes to get somewhere.
pub(crate) const LONGEST: f64 = 86_400.0;

/// An engine and everything that can be done with it.
#[derive(Clone, Debug)]
pub(crate) struct Mechanism {
    pub engine: Engine,
    pub settings: Settings,
    pub(super) ramps: Ramps,
    pub(super) tools: Vec<ToolState>,
    /// Samples since the start of the scene.
    pub time: u64,
    /// What is returned to on a reset.
    beginning: Settings,
}

impl Mechanism {
    pub(crate) fn new(scene: &Scene) -> Result<Self, BuildError> {
        let mut settings = Settings::new(scene);
        let mut tools: Vec<ToolState> = scene.exciters.iter().map(ToolState::new).collect();
        for state in tools.iter_mut().filter(|state| state.tool.damps()) {
            if let Some(object) = state.tool.parts().plucked {
                state.lie(state.tool.lies_at_the_start());
                settings.decays.damp_from_the_start(object, if state.plays { state.amount } else { 1.0 });
            }
        }
        let mechanism = Self {
            engine: scene.model.build()?,
            ramps: Ramps::new(settings.count() + 2 * tools.len()),
            tools,
            time: 0,
            beginning: settings.clone(),
            settings,
        };
        for (index, exciter) in scene.exciters.iter().enumerate() {
            let named = |error| BuildError::Exciter { name: exciter.name.clone(), error };
            mechanism.check_tool(ExciterId::new(index), &scene.model).map_err(named)?;
        }
        Ok(mechanism)
    }

    /// Makes what everything stands at now the beginning.
    pub(crate) fn begin_here(&mut self) -> Result<(), PlayError> {
        self.beginning.copy_from(&self.settings);
        self.tools.iter_mut().for_each(ToolState::begin_here);
        self.settings.restore(&mut self.engine)
    }

    /// Everything as it was at the beginning; the time is left as it is.
    pub(crate) fn return_to_beginning(&mut self) {
        self.ramps.clear();
        self.settings.copy_from(&self.beginning);
        self.tools.iter_mut().for_each(ToolState::reset);
        // What could be set once can be set again.
        let _ = self.settings.restore(&mut self.engine);
    }

    /// What a parameter stands at.
    pub(crate) fn value(&self, parameter: Parameter) -> Option<f64> {
        match parameter {
            Parameter::Amount(exciter) => self.amount(exciter),
            Parameter::Centre(exciter) => self.centre(exciter),
            _ => self.settings.value(&self.engine, parameter),
        }
    }

    /// What a parameter will stand at when it has got there.
    pub(super) fn goal(&self, parameter: Parameter) -> Option<f64> {
        self.ramps.goal(Target::Parameter(parameter)).or_else(|| self.value(parameter))
    }

    /// Brings a parameter to a value at once.
    pub(crate) fn set(&mut self, parameter: Parameter, value: f64) -> Result<(), PlayError> {
        self.apply(parameter, value)?;
        self.ramps.stop(Target::Parameter(parameter));
        if let Parameter::Amount(exciter) = parameter {
            self.take_in_hand(exciter);
        }
        Ok(())
    }

    /// Brings a parameter to a value over a time in s, in a straight line.
    pub(crate) fn go(&mut self, parameter: Parameter, value: f64, over: f64) -> Result<(), PlayError> {
        self.go_by(parameter, value, over, false)
    }

    /// The same, in equal ratios if that is wanted and can be.
    pub(super) fn go_by(
        &mut self,
        parameter: Parameter,
        value: f64,
        over: f64,
        logarithmic: bool,
    ) -> Result<(), PlayError> {
        let over = within("time", over, 0.0, LONGEST)?;
        if over == 0.0 {
            return self.set(parameter, value);
        }
        match parameter {
            Parameter::Amount(exciter) => self.check_amount(exciter, value)?,
            Parameter::Centre(_) => within("place", value, 0.0, 1.0)?,
            _ => self.settings.check(parameter, value)?,
        };
        let from = self.value(parameter).ok_or(no("parameter", 0usize))?;
        if let Parameter::Amount(exciter) = parameter {
            self.take_in_hand(exciter);
        }
        self.start_ramp(Target::Parameter(parameter), from, value, over, logarithmic);
        Ok(())
    }

    pub(super) fn start_ramp(&mut self, target: Target, from: f64, to: f64, over: f64, logarithmic: bool) {
        let logarithmic = logarithmic && from * to > 0.0;
        let length = ((over * self.engine.rate()).round() as u64).max(1);
        self.ramps.start(Ramp { target, from, to, start: self.time, length, logarithmic });
    }

    /// Bends a string by the semitones of a key above the lowest it plays.
    pub(crate) fn bend_to_key(&mut self, string: ObjectId, semitones: f64) -> Result<(), PlayError> {
        self.settings.set_key(&mut self.engine, string, semitones)
    }

    /// Bends every string that can be bent by the semitones of a pitch wheel.
    pub(crate) fn bend_all(&mut self, semitones: f64) -> Result<(), PlayError> {
        self.settings.set_wheel(&mut self.engine, semitones)
    }

    fn apply(&mut self, parameter: Parameter, value: f64) -> Result<(), PlayError> {
        match parameter {
            Parameter::Amount(exciter) => self.set_amount(exciter, value),
            Parameter::Centre(exciter) => self.set_centre(exciter, value),
            _ => self.settings.set(&mut self.engine, parameter, value),
        }
    }

    /// Samples until a ramp takes its next step; as many as can be counted if there is none.
    pub(crate) fn until_next_step(&self) -> u64 {
        if self.ramps.is_empty() { u64::MAX } else { STEP - self.time % STEP }
    }

    /// Lets every ramp take its step, if this is the sample for it.
    pub(crate) fn step_ramps(&mut self) {
        if !self.time.is_multiple_of(STEP) {
            return;
        }
        let mut number = 0;
        while let Some(ramp) = self.ramps.get(number) {
            let over = ramp.is_over(self.time);
            if over {
                self.ramps.remove(number);
            } else {
                number += 1;
            }
            // All modes of an object are worked out anew, and a decay that changes in steps is not heard.
            if let Target::Parameter(Parameter::Losses(_)) = ramp.target
                && !over
                && !self.time.is_multiple_of(LONG_STEP)
            {
                continue;
            }
            // What is refused on the way stays where it was: an exponent between two whole numbers.
            let _ = match ramp.target {
                Target::Parameter(Parameter::Height(barrier)) if !over => self.glide(barrier, &ramp),
                Target::Parameter(parameter) => self.apply(parameter, ramp.at(self.time)),
                Target::Presence(contact) => self.come_or_go(contact, ramp.at(self.time), over),
            };
        }
    }

    /// Lets a barrier move so that it is on its line at the next step.
    fn glide(&mut self, barrier: ObjectId, ramp: &Ramp) -> Result<(), PlayError> {
        let height = self.engine.displacement(barrier, Place::Whole).ok_or(no("barrier", barrier))?;
        let velocity = (ramp.at(self.time + STEP) - height) * self.engine.rate() / STEP as f64;
        Ok(self.engine.change(&Change::Velocity { object: barrier, velocity })?)
    }
}
