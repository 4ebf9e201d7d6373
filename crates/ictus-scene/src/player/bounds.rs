//! What a live parameter may be: far beyond anything that is played, far below anything that could overflow.

use super::error::{PlayError, no, within};
use super::settings::Settings;
use crate::scene::Parameter;

/// Largest velocity in m/s, of anything.
pub(crate) const FASTEST: f64 = 1e3;
/// Largest displacement, height or gap in m.
pub(super) const FARTHEST: f64 = 1e3;
/// Largest force in N.
pub(crate) const STRONGEST: f64 = 1e6;
/// Largest resistance in N s/m.
pub(crate) const MOST_RESISTANCE: f64 = 1e6;
/// Greatest height of a pluck in m.
pub(crate) const HIGHEST_PLUCK: f64 = 1.0;
/// Largest gain of a pickup.
const LOUDEST: f64 = 1e6;
/// Largest stiffness or other parameter of a law, in its SI unit.
const STIFFEST: f64 = 1e15;
/// Largest exponent of a law.
const STEEPEST: f64 = 10.0;
/// Most semitones a string is bent either way.
pub(crate) const FARTHEST_BEND: f64 = 60.0;

impl Settings {
    /// Checks a value before it is aimed at: what is far out is refused at once, not on the way.
    pub(super) fn check(&self, parameter: Parameter, value: f64) -> Result<f64, PlayError> {
        let either_way = |what, most: f64| within(what, value, -most, most);
        match parameter {
            Parameter::Law(contact, place) => {
                let law = &self.interaction(contact)?.law;
                law.with_parameter(place, value)?;
                let name = law.info().parameters[place].name;
                within(name, value, -STIFFEST, if name == "exponent" { STEEPEST } else { STIFFEST })
            }
            Parameter::Damping(_) => within("damping", value, 0.0, MOST_RESISTANCE),
            Parameter::Gap(_) => either_way("gap", FARTHEST),
            Parameter::Active(_) => either_way("active", 1.0),
            Parameter::Travel(_) => either_way("travel", FASTEST),
            Parameter::Along(..) | Parameter::Across(..) | Parameter::PickupAlong(_) | Parameter::PickupAcross(_) => {
                within("place", value, 0.0, 1.0)
            }
            Parameter::Velocity(_) => either_way("velocity", FASTEST),
            Parameter::Height(_) => either_way("height", FARTHEST),
            Parameter::Bend(_) => either_way("bend", FARTHEST_BEND),
            Parameter::Level(_) => either_way("level", STRONGEST),
            Parameter::Gain(_) => either_way("gain", LOUDEST),
            Parameter::Amount(index) | Parameter::Centre(index) => Err(no("exciter", index)),
        }
    }
}
