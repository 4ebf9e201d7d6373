//! Exciters at work: how a hammer is thrown, a plectrum brought up, a bow set on and lifted.
//!
//! A hammer is put below the point it strikes, as that is now, and thrown; a plectrum is put there and lifts the point until it
//! slips. A bow or a finger comes and goes: its presence, a factor on everything its contact does, goes from 0 to 1 and back, and
//! a contact without presence is switched off, so that neither end is heard. A bow is lifted while it moves: the string rings on.

use ictus::control::{Change, End};
use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::model::Model;
use ictus::objects::Place;

use super::bounds::FARTHEST;
use super::error::{PlayError, no, within};
use super::mechanism::{LONGEST, Mechanism};
use super::ramps::Target;

use crate::ExciterId;
use crate::scene::{Amount, Exciter, Parameter, Parts, Tool};

/// An exciter, and what it does now.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToolState {
    pub tool: Tool,
    /// How hard it plays when nothing else is said.
    pub amount: f64,
    /// Whether a bow, a finger or a signal was started and not released.
    pub plays: bool,
    /// Tool and amount it starts with, and whether it plays then.
    first: (Tool, f64, bool),
}

impl ToolState {
    pub(super) fn new(exciter: &Exciter) -> Self {
        Self { tool: exciter.tool, amount: exciter.amount, plays: false, first: (exciter.tool, exciter.amount, false) }
    }

    /// Makes this how it starts.
    pub(super) fn begin_here(&mut self) {
        self.first = (self.tool, self.amount, self.first.2);
    }

    pub(super) fn reset(&mut self) {
        (self.tool, self.amount, self.plays) = self.first;
    }

    /// Whether it plays from the beginning.
    pub(super) fn lie(&mut self, plays: bool) {
        (self.plays, self.first.2) = (plays, plays);
    }
}

impl Mechanism {
    fn tool(&self, exciter: ExciterId) -> Result<ToolState, PlayError> {
        self.tools.get(exciter.index()).copied().ok_or(no("exciter", exciter))
    }

    /// Whether the parts of a tool are there and what they should be.
    pub(super) fn check_tool(&self, exciter: ExciterId, model: &Model) -> Result<(), PlayError> {
        let ToolState { tool, amount, .. } = self.tool(exciter)?;
        let Parts { body, contact, force, .. } = tool.parts();
        let spec = |object: ObjectId| model.objects.get(object.index()).map(|object| &object.spec);
        if let (Some(moved), Some(body)) = (tool.info().moves, body)
            && !spec(body).is_some_and(|spec| moved.is(spec))
        {
            return Err(no(moved.kind(), body));
        }
        if let Some(contact) = contact {
            self.settings.interaction(contact)?;
        }
        if let Some(force) = force.filter(|force| force.index() >= model.forces.len()) {
            return Err(no("force", force));
        }
        if let Some(clearance) = tool.clearance() {
            within("clearance", clearance, 0.0, FARTHEST)?;
        }
        tool.check(model)?;
        self.check_amount(exciter, amount).map(|_| ())
    }

    /// Whether an exciter can play this hard.
    pub(super) fn check_amount(&self, exciter: ExciterId, amount: f64) -> Result<f64, PlayError> {
        let Amount { key, range: [least, most], .. } = self.tool(exciter)?.tool.info().amount;
        within(key, amount, least, most)
    }

    /// What follows the amount of an exciter while it plays.
    fn followed(&self, exciter: ExciterId) -> Option<Parameter> {
        self.tools.get(exciter.index()).filter(|state| state.plays)?.tool.followed()
    }

    /// How hard an exciter plays, or would.
    pub(super) fn amount(&self, exciter: ExciterId) -> Option<f64> {
        match self.followed(exciter) {
            Some(parameter) => self.settings.value(&self.engine, parameter),
            None => Some(self.tools.get(exciter.index())?.amount),
        }
    }

    /// Centre of a pluck, a fraction of the length.
    pub(super) fn centre(&self, exciter: ExciterId) -> Option<f64> {
        self.tools.get(exciter.index())?.tool.centre()
    }

    pub(super) fn set_centre(&mut self, exciter: ExciterId, place: f64) -> Result<(), PlayError> {
        within("place", place, 0.0, 1.0)?;
        let centre = self.tools.get_mut(exciter.index()).and_then(|state| state.tool.centre_mut());
        *centre.ok_or(no("pluck", exciter))? = place;
        Ok(())
    }

    /// What follows the amount goes nowhere by itself any more: the amount was taken in hand.
    pub(super) fn take_in_hand(&mut self, exciter: ExciterId) {
        if let Some(parameter) = self.followed(exciter) {
            self.ramps.stop(Target::Parameter(parameter));
        }
    }

    /// How hard an exciter plays from now on; one that plays follows.
    pub(super) fn set_amount(&mut self, exciter: ExciterId, amount: f64) -> Result<(), PlayError> {
        self.check_amount(exciter, amount)?;
        if let Some(parameter) = self.followed(exciter) {
            self.settings.set(&mut self.engine, parameter, amount)?;
        }
        self.tools[exciter.index()].amount = amount;
        let state = self.tools[exciter.index()];
        match state.tool.parts().plucked {
            Some(object) if state.plays && state.tool.damps() => {
                self.settings.decays.damp(&mut self.engine, object, amount)
            }
            _ => Ok(()),
        }
    }

    /// An exciter strikes, plucks, bows, damps or sounds, this hard; a bow or finger comes over a time in s.
    pub(super) fn play(&mut self, exciter: ExciterId, amount: f64, over: f64) -> Result<(), PlayError> {
        self.check_amount(exciter, amount)?;
        self.tool(exciter)?.tool.play(self, exciter, amount, over)
    }

    /// A signal starts, with this factor in N.
    pub(crate) fn trigger(&mut self, exciter: ExciterId, force: ForceId, amount: f64) -> Result<(), PlayError> {
        self.set(Parameter::Level(force), amount)?;
        self.tools[exciter.index()] = ToolState { amount, plays: true, ..self.tools[exciter.index()] };
        Ok(self.engine.change(&Change::Trigger { force })?)
    }

    /// A barrier is put below the point it plays, and goes up at a velocity in m/s.
    pub(crate) fn bring_up(
        &mut self,
        barrier: ObjectId,
        contact: ContactId,
        clearance: f64,
        velocity: f64,
    ) -> Result<(), PlayError> {
        let height = self.below_contact(barrier, contact, clearance)?;
        self.settings.activate(&mut self.engine, contact, false)?;
        self.settings.place_barrier(&mut self.engine, barrier, height, velocity)?;
        self.settings.activate(&mut self.engine, contact, true)
    }

    /// A mass is put below the point it strikes, and thrown at it at a velocity in m/s; above it, if the clearance is below 0.
    pub(crate) fn throw_hammer(
        &mut self,
        mass: ObjectId,
        contact: ContactId,
        clearance: f64,
        velocity: f64,
    ) -> Result<(), PlayError> {
        let displacement = self.below_contact(mass, contact, clearance)?;
        let velocity = if clearance < 0.0 { -velocity } else { velocity };
        // A hammer that is still pressed on is taken away: what its felt holds is lost, not kept for the next blow.
        self.settings.activate(&mut self.engine, contact, false)?;
        self.engine.change(&Change::Throw { object: mass, displacement, velocity })?;
        self.settings.activate(&mut self.engine, contact, true)
    }

    /// Displacement in m at which a body is a clearance below touching, the other end of its contact being where it is now; above it, if the clearance is
    /// below 0.
    fn below_contact(&self, body: ObjectId, contact: ContactId, clearance: f64) -> Result<f64, PlayError> {
        let compression = self.engine.compression(contact).ok_or(no("interaction", contact))?;
        let here = self.engine.displacement(body, Place::Whole).ok_or(no("object", body))?;
        // From above a contact is compressed downwards.
        Ok(if clearance < 0.0 { here + compression - clearance } else { here - compression - clearance })
    }

    /// A damper is laid on an object, which then dies so many times sooner, or lifted.
    pub(crate) fn lay(&mut self, exciter: ExciterId, object: ObjectId, factor: Option<f64>) -> Result<(), PlayError> {
        self.settings.decays.damp(&mut self.engine, object, factor.unwrap_or(1.0))?;
        if let Some(state) = self.tools.get_mut(exciter.index()) {
            (state.amount, state.plays) = (factor.unwrap_or(state.amount), factor.is_some());
        }
        Ok(())
    }

    /// A bow or a finger comes, from nothing if it is not there.
    pub(crate) fn arrive(
        &mut self,
        exciter: ExciterId,
        contact: ContactId,
        amount: f64,
        over: f64,
    ) -> Result<(), PlayError> {
        let over = within("time", over, 0.0, LONGEST)?;
        let is_away = !self.settings.interaction(contact)?.active;
        self.ramps.stop(Target::Parameter(Parameter::Amount(exciter)));
        self.tools[exciter.index()] = ToolState { amount, plays: true, ..self.tools[exciter.index()] };
        let Some(followed) = self.followed(exciter) else { return Err(no("bow or finger", exciter)) };
        if is_away {
            self.settings.set_presence(&mut self.engine, contact, 0.0)?;
            // A bow starts from rest; a finger's resistance grows with its presence alone.
            let first = if let Parameter::Velocity(_) = followed { 0.0 } else { amount };
            self.set(followed, first)?;
        }
        self.go(followed, amount, over)?;
        self.change_presence(contact, 1.0, over)
    }

    /// A bow or finger leaves, a signal ends, over a time in s. Hammers and plectra have left by themselves.
    pub(super) fn release(&mut self, exciter: ExciterId, over: f64) -> Result<(), PlayError> {
        let over = within("time", over, 0.0, LONGEST)?;
        self.tool(exciter)?.tool.release(self, exciter, over)?;
        self.tools[exciter.index()].plays = false;
        Ok(())
    }

    /// Whether a parameter is one of a tool: of its contact, of what it moves, or its own.
    pub(super) fn belongs(&self, target: Parameter, tool: ExciterId) -> bool {
        let Ok(state) = self.tool(tool) else { return false };
        let Parts { body, contact, force, .. } = state.tool.parts();
        match target {
            Parameter::Law(id, _)
            | Parameter::Damping(id)
            | Parameter::Gap(id)
            | Parameter::Active(id)
            | Parameter::Travel(id)
            | Parameter::Along(id, _)
            | Parameter::Across(id, _) => contact == Some(id),
            Parameter::Velocity(id) | Parameter::Height(id) => body == Some(id),
            Parameter::Level(id) => force == Some(id),
            Parameter::Amount(id) | Parameter::Centre(id) => id == tool,
            Parameter::Bend(_) | Parameter::Losses(_) | Parameter::Gain(_) | Parameter::Pan(_) => false,
            Parameter::PickupAlong(_) | Parameter::PickupAcross(_) => false,
        }
    }

    /// A finger goes to a place along a string and lies there, or lifts.
    pub(super) fn stop_string(&mut self, finger: ExciterId, place: Option<f64>) -> Result<(), PlayError> {
        let Some(along) = place else { return self.release(finger, 0.0) };
        let contact = self.tool(finger)?.tool.parts().contact.ok_or(no("bow or finger", finger))?;
        self.settings.move_end(&mut self.engine, contact, End::To, |_| Some(Place::Along(along)))?;
        let damping = self.amount(finger).unwrap_or(0.0);
        self.play(finger, damping, 0.0)
    }

    /// A bow or finger leaves over a time in s, if it is there.
    pub(crate) fn depart(&mut self, exciter: ExciterId, contact: ContactId, over: f64) -> Result<(), PlayError> {
        if !self.tool(exciter)?.plays && !self.settings.interaction(contact)?.active {
            return Ok(());
        }
        self.take_in_hand(exciter);
        self.change_presence(contact, 0.0, over)
    }

    fn change_presence(&mut self, contact: ContactId, presence: f64, over: f64) -> Result<(), PlayError> {
        let target = Target::Presence(contact);
        if over == 0.0 {
            self.ramps.stop(target);
            return self.come_or_go(contact, presence, true);
        }
        let from = self.settings.interaction(contact)?.presence;
        self.start_ramp(target, from, presence, over, false);
        Ok(())
    }

    /// A bow or finger is there to a part; at the end of its way without any, it is gone.
    pub(super) fn come_or_go(&mut self, contact: ContactId, presence: f64, over: bool) -> Result<(), PlayError> {
        if presence > 0.0 {
            self.settings.set_presence(&mut self.engine, contact, presence)?;
            return match self.settings.interaction(contact)?.active {
                true => Ok(()),
                false => self.settings.activate(&mut self.engine, contact, true),
            };
        }
        if over {
            self.settings.activate(&mut self.engine, contact, false)?;
            let own = |state: &&ToolState| state.tool.parts().contact == Some(contact);
            if let Some(stops) = self.tools.iter().filter(own).find_map(|state| state.tool.stops()) {
                self.set(stops, 0.0)?;
            }
        }
        Ok(())
    }
}
