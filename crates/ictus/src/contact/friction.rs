//! How much a sliding contact resists in a step, so that its friction lies on the law's curve and never above its largest.
//!
//! Friction stores nothing: of the engine's equation only `f = R v` is left, v being the velocity over the step, `s/2k`. The step being
//! linear in the force,
//!
//! ```text
//! v = v0 - Z f,     v0 = s0/2k,     Z = q/2k,     so    v = v0/(1 + Z R),   f = R v
//! ```
//!
//! and the v to be found is where this line meets the curve f = F(v): the root of `g(v) = v + Z F(v) - v0`. Everything is
//! odd, so let v0 > 0. All roots lie between `max(v0/(1 + Z R(0)), v0 - Z F_N)` and v0, and one beyond the top of the curve not above
//! `v0 - Z d F_N`, since R is largest at rest and F falls from F_N to d F_N beyond its top.
//!
//! **Which root.** Where the curve falls more steeply than the line there are three (Friedlander 1953): sticking, sliding, and one between
//! that no contact can hold. A small mass at the contact would let v follow `-g(v)` from where it was. So the root is the next one
//! in that direction: a point that sticks does so until the line has passed the top of the curve, one that slides does so until the line
//! has left its foot. This is the hysteresis of McIntyre and Woodhouse (1979), without a state but the velocity over the step before.
//!
//! **How it is found.** F is concave where it grips and convex where it slides, so Newton's steps towards the root from below, or from above,
//! do not pass it; where the tangent points away from all roots of this side, the bound of that side is the next place. Three steps from
//! the velocity before are taken at most, on average one or two: bowed strings from 8 to 192 kHz have `f - F(v)` below 1e-6 F_N on average,
//! and above 1e-3 F_N in one sample of 1e4, where the string lets go.
//!
//! **The bound.** Whatever v that gave, R is the law's there, and no more than `F_N/(v0 - Z F_N)`, where `f = R v0/(1 + Z R)`
//! is F_N. Any R ≥ 0 keeps the energy balance, so neither bound nor balance hang on how near the root was.
//!
//! Rejected: R at the velocity that R at the last half step predicts, as before (friction up to 2.1 F_N on a string at 48 kHz,
//! 1.2 F_N at 192 kHz; thousands of slips a second where it should be the string's frequency); the root from the velocity of the last half step, which
//! needs no memory (it holds the grid's alternation, which lets a string slip that should stick).

use crate::laws::BowFriction;

/// Most corrections of the velocity.
const CORRECTIONS: usize = 3;

/// Change of the velocity, as a part of it, below which it needs no more.
const NEAR: f64 = 1e-6;

/// The resistance R in N s/m for one step of a contact that would move by `free_step` (m, over two samples) without it and yields by
/// `admittance` (m/N, over one step), at a sample rate in Hz; `before` is its velocity (m/s) over the step before.
///
/// In an island, free step and admittance are those with all other contacts at work. With R the contact moves at
/// `v = v0/(1 + Z R)` and its friction `R v` is at most the law's [`normal_force`](BowFriction::normal_force).
#[inline]
pub(crate) fn resistance(law: &BowFriction, free_step: f64, admittance: f64, rate: f64, before: f64) -> f64 {
    let (free, yielding) = (0.5 * free_step.abs() * rate, 0.5 * admittance * rate);
    let before = if free_step < 0.0 { -before } else { before };
    let largest = law.normal_force();
    let stuck = free / (1.0 + yielding * law.resistance_at_rest());
    let least = stuck.max(free - yielding * largest);
    let most_sliding = free - yielding * law.sliding() * largest;
    let top = law.gripping_velocity();
    let within = |v: f64| (if v > top { v.min(most_sliding) } else { v }).max(least).min(free);

    let mut velocity = within(before);
    let mut correction = 0;
    let resistance = loop {
        let (resistance, slope) = law.resistance_and_slope(velocity);
        if correction == CORRECTIONS {
            break resistance;
        }
        let excess = velocity * (1.0 + yielding * resistance) - free;
        let steepness = 1.0 + yielding * slope;
        let towards = if excess > 0.0 { least } else { free };
        let next = within(if steepness > 0.0 { velocity - excess / steepness } else { towards });
        if (next - velocity).abs() <= NEAR * velocity {
            break resistance;
        }
        velocity = next;
        correction += 1;
    };
    if free > yielding * largest { resistance.min(largest / (free - yielding * largest)) } else { resistance }
}
