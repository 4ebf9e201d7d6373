//! How far parameters may go: the ranges end where the arithmetic does, far beyond anything that is played.
//!
//! Found by experiment: pairs of bodies with one contact, every number at an end of its range, at a usual value or anywhere between, at 8, 48 and
//! 768 kHz. `tests/corners.rs` draws 100 000 such pairs: by the secant rules, sound and account stay finite and the account closes to 1e-6 of the
//! energy or to a picojoule, or the model is refused. What the search showed:
//!
//! - Without bounds on combinations, stiffness to 1e16 N/m and masses from 1e-9 kg: 3.6 % of 18 819 networks were no numbers, 5.7 % open.
//! - A contact solves `s = (s0 - qψg)/(1 + qD)`. Its `qD` is the square of how many times its vibration fits into a sample; 53 bits tell `s` from
//!   `s0` up to 1e16. Of some 25 000 pairs, one was no number with a bound of 1e16, none with 1e14, 1e12 and 1e10. It is 1e12.
//! - The exponent: 16 left 4 of 47 215 pairs without numbers, 8 none of 46 960. It ends at 13, the steepest of D17, together with the bounds on
//!   forces and on the energy at the start: what drives a steep law for metres is beyond any number.
//! - The published rules take ψ' from where the contact is now: at these ends they break more often than the secant rules.
//!
//! Positions are numbers of metres: 10 m away, steps are rounded to 1e-15 m, and a body that creeps there by 1 mm/s may open its account by more
//! than 1e-6. No range can hold that, so it is told (`ictus render` warns), not refused. Of a million pairs beyond those of the test 526 460 run, and
//! 30 are open by more than 1e-6, the largest by 2e-5; with all positions within 0.1 m, 2 are, by 1.4e-6.

use crate::laws::{ContactLaw, Law};
use crate::objects::{ObjectError, checked};

/// Largest stiffness, in N/m^α.
pub const STIFFEST: f64 = 1e30;
/// Largest exponent of a law.
pub const STEEPEST: f64 = 13.0;
/// Largest dissipation μ in s/m: nothing rebounds faster than 1/μ.
pub const MOST_DISSIPATION: f64 = 1e6;
/// Largest force in N.
pub const STRONGEST: f64 = 1e9;

/// Largest normal force of friction in N: points a few metres away round to 1e-15 m, and a bow does its work on that.
pub const STRONGEST_BOW: f64 = 1e6;
/// Largest coefficient of friction.
pub const ROUGHEST: f64 = 100.0;
/// Largest stiffness of bristles, in N/m.
pub const STIFFEST_BRISTLE: f64 = 1e12;
/// Largest sharpness of a friction curve, in s²/m².
pub const SHARPEST: f64 = 1e12;
/// Largest resistance in N s/m.
pub const MOST_RESISTANCE: f64 = 1e9;
/// Lightest and heaviest mass in kg.
pub const LIGHTEST: f64 = 1e-9;
/// See [`LIGHTEST`].
pub const HEAVIEST: f64 = 1e9;
/// Fastest decay σ of a mass or mode, in 1/s.
pub const FASTEST_DECAY: f64 = 1e9;
/// Farthest from 0 that anything starts, in m; gaps, heights and thresholds too.
pub const FARTHEST: f64 = 10.0;
/// Farthest from 0 that anything is put while the model runs, in m: what nothing holds drifts away, and is struck where it is.
pub const FARTHEST_PLAYED: f64 = 1e3;
/// Fastest that anything starts, in m/s.
pub const FASTEST: f64 = 1e4;
/// Most energy in J at the start: 250 tons of TNT.
pub const MOST_ENERGY: f64 = 1e12;
/// Largest velocity in m/s that a force from outside may give in a sample.
pub const MOST_PUSH: f64 = 1e3;

/// Largest admittance times stiffness.
const MOST_STIFFNESS_PER_STEP: f64 = 1e12;
/// Largest admittance times resistance over two steps.
const MOST_RESISTANCE_PER_STEP: f64 = 1e18;
/// Velocity in m/s and depth in m of a blow that must be within that: a sample of the one, or the other if it is more.
const BLOW: (f64, f64) = (1e3, 0.1);

/// Checks where something starts, in m.
pub(crate) fn position(parameter: &'static str, value: f64) -> Result<f64, ObjectError> {
    checked(parameter, value, "at most 10 m either way", |value| value.abs() <= FARTHEST)
}

/// Checks where something is put while the model runs, in m.
pub(crate) fn reach(parameter: &'static str, value: f64) -> Result<f64, ObjectError> {
    checked(parameter, value, "at most 1e3 m either way", |value| value.abs() <= FARTHEST_PLAYED)
}

/// Checks how fast something starts, in m/s.
pub(crate) fn velocity(parameter: &'static str, value: f64) -> Result<f64, ObjectError> {
    checked(parameter, value, "at most 1e4 m/s either way", |value| value.abs() <= FASTEST)
}

/// Checks a resistance in N s/m.
pub(crate) fn resistance(value: f64) -> Result<f64, ObjectError> {
    checked("damping", value, "from 0 to 1e9 N s/m", |value| (0.0..=MOST_RESISTANCE).contains(&value))
}

/// Checks the mass that a blow meets at a point of a modal object, given its inverse in 1/kg: light modes or large weights.
pub(crate) fn mass_at_point(inverse: f64) -> Result<(), ObjectError> {
    let allowed = "at least 1e-9 kg: use smaller weights or larger modal masses";
    // A point where nothing moves meets a wall.
    let mass = if inverse > 0.0 { 1.0 / inverse } else { HEAVIEST };
    checked("mass that a blow meets at a point", mass, allowed, |mass| mass >= LIGHTEST * (1.0 - 1e-9))?;
    Ok(())
}

/// Checks the energy at the start, in J.
pub(crate) fn energy(value: f64) -> Result<f64, ObjectError> {
    checked("energy at the start", value, "at most 1e12 J: displace or compress it less", |value| value <= MOST_ENERGY)
}

/// Checks the energy that a change would store, in J.
pub(crate) fn stored(value: f64) -> Result<f64, ObjectError> {
    checked("energy that this would store", value, "at most 1e12 J: move it less", |value| value <= MOST_ENERGY)
}

/// Checks what a force in N does at a point of this admittance (m/N over one step) at a rate in Hz.
pub(crate) fn push(force: f64, admittance: f64, rate: f64) -> Result<f64, ObjectError> {
    let allowed = "at most 1e3 m/s: use less force, or push something heavier";
    let value = force.abs() * admittance * rate;
    checked("velocity that the force gives in a sample", value, allowed, |value| value <= MOST_PUSH)
}

/// Checks a law and a resistance (N s/m) between points of this admittance (m/N over one step), at a rate in Hz. A compression in m where the
/// contact starts is looked at too; one that is apart is only asked what a blow would meet.
pub(crate) fn contact(
    law: &Law,
    damping: f64,
    admittance: f64,
    rate: f64,
    compression: f64,
) -> Result<(), ObjectError> {
    let (fast, deep) = BLOW;
    let blow = law.play() + deep.max(fast / rate);
    let bristles = law.bristles().map_or(0.0, |bristles| bristles.stiffness);
    let stiffness = law.stiffness(blow).max(law.stiffness(compression)).max(bristles);
    let per_step = admittance * stiffness;
    // A linear contact lasts half a period.
    let length = std::f64::consts::PI / per_step.sqrt();
    let allowed = "at least 3e-6 samples: use a softer law, a heavier object or a higher rate";
    checked("length of a hard blow", length.min(f64::MAX), allowed, |_| per_step <= MOST_STIFFNESS_PER_STEP)?;
    let resistance = damping + law.resistance(blow, 0.0).max(law.resistance(compression, 0.0));
    let per_step = 0.5 * admittance * resistance * rate;
    let allowed =
        "at least 5e-19 samples: use less damping, dissipation or bow force, a heavier object or a higher rate";
    checked("time constant of the damping", (0.5 / per_step).min(f64::MAX), allowed, |_| {
        per_step <= MOST_RESISTANCE_PER_STEP
    })?;
    Ok(())
}
