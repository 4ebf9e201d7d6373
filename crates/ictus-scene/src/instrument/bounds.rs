//! What a live parameter may be: far beyond anything that is played, far below anything that could overflow.

use ictus::laws::Law;

use super::error::{PlayError, no, within};
use super::settings::Settings;
use crate::registry::contact::law_bounds;
use crate::scene::{Parameter, Scene};
use crate::tools::MOST_DAMPED;

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
        let law = match parameter {
            Parameter::Law(contact, place) => {
                let law = &self.interaction(contact)?.law;
                law.with_parameter(place, value)?;
                Some(law)
            }
            Parameter::Amount(index) | Parameter::Centre(index) => return Err(no("exciter", index)),
            _ => None,
        };
        let (what, [least, most]) = range(parameter, law);
        within(what, value, least, most)
    }
}

/// What a live parameter is called in messages, and its least and largest value. One of a law needs the law.
fn range(parameter: Parameter, law: Option<&Law>) -> (&'static str, [f64; 2]) {
    let either_way = |what, most: f64| (what, [-most, most]);
    match parameter {
        Parameter::Law(_, place) => match law.and_then(|law| law.info().parameters.get(place)) {
            Some(info) => {
                let (bounds, largest) = (law_bounds(info), if info.name == "exponent" { STEEPEST } else { STIFFEST });
                (info.name, [bounds.least.max(-STIFFEST), bounds.most.min(largest)])
            }
            None => either_way("parameter", STIFFEST),
        },
        Parameter::Damping(_) => ("damping", [0.0, MOST_RESISTANCE]),
        Parameter::Gap(_) => either_way("gap", FARTHEST),
        Parameter::Active(_) => either_way("active", 1.0),
        Parameter::Travel(_) => either_way("travel", FASTEST),
        Parameter::Along(..) | Parameter::Across(..) | Parameter::PickupAlong(_) | Parameter::PickupAcross(_) => {
            ("place", [0.0, 1.0])
        }
        Parameter::Velocity(_) => either_way("velocity", FASTEST),
        Parameter::Height(_) => either_way("height", FARTHEST),
        Parameter::Bend(_) => either_way("bend", FARTHEST_BEND),
        Parameter::Level(_) => either_way("level", STRONGEST),
        Parameter::Gain(_) => either_way("gain", LOUDEST),
        Parameter::Pan(_) => either_way("pan", 1.0),
        Parameter::Losses(_) => ("losses", [0.0, MOST_DAMPED]),
        Parameter::Amount(_) | Parameter::Centre(_) => ("place", [0.0, 1.0]),
    }
}

/// Least and largest value of a live parameter of a scene.
pub(crate) fn range_in(scene: &Scene, parameter: Parameter) -> [f64; 2] {
    match parameter {
        Parameter::Amount(exciter) => scene
            .exciters
            .get(exciter.index())
            .map_or([f64::NEG_INFINITY, f64::INFINITY], |exciter| exciter.tool.info().amount.range),
        Parameter::Active(_) => [0.0, 1.0],
        Parameter::Law(contact, _) => {
            range(parameter, scene.model.interactions.get(contact.index()).map(|contact| &contact.law)).1
        }
        _ => range(parameter, None).1,
    }
}
