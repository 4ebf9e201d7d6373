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
//! 1.4 F_N at 192 kHz; thousands of slips a second where it should be the string's frequency); the root from the velocity of the last half step, which
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws::ContactLaw;

    const RATE: f64 = 48_000.0;

    /// The root that v comes to from `before` along `-g(v)`, for v0 > 0: the first change of sign on a fine grid, then bisection.
    fn followed(law: &BowFriction, free: f64, yielding: f64, before: f64) -> f64 {
        let excess = |v: f64| v * (1.0 + yielding * law.resistance(0.0, v)) - free;
        let before = before.clamp(0.0, free);
        let rises = excess(before) < 0.0;
        let end = if rises { free } else { 0.0 };
        let at = |n: u32| before + (end - before) * f64::from(n) / 4000.0;
        let crossed = (1..=4000).find(|&n| (excess(at(n)) < 0.0) != rises).unwrap_or(4000);
        let (mut near, mut far) = (at(crossed - 1), at(crossed));
        for _ in 0..60 {
            let middle = 0.5 * (near + far);
            *(if (excess(middle) < 0.0) == rises { &mut near } else { &mut far }) = middle;
        }
        0.5 * (near + far)
    }

    /// What the function makes of v0 and Z.
    fn moves(law: &BowFriction, free: f64, yielding: f64, before: f64) -> f64 {
        let resistance = resistance(law, 2.0 * free / RATE, 2.0 * yielding / RATE, RATE, before);
        free / (1.0 + yielding * resistance)
    }

    #[test]
    fn friction_is_where_the_line_meets_the_curve_on_the_side_where_it_was() {
        let law = BowFriction::new(1.0, 200.0).unwrap();
        let mut far = 0;
        for yielding in [0.01_f64, 0.05, 0.3, 1.0, 10.0] {
            for step in 1..100 {
                let free = 0.04 * f64::from(step) * yielding.max(0.1);
                for before in [-1.0, 0.0, 0.5 * free, free] {
                    let expected = followed(&law, free, yielding, before);
                    let got = moves(&law, free, yielding, before);
                    assert_eq!(moves(&law, -free, yielding, -before), -got);
                    let off = (got - expected).abs() / yielding;
                    far += usize::from(off > 1e-3);
                }
            }
        }
        // Of 1980; where a root is about to vanish, three corrections do not reach the next.
        assert!(far <= 10, "{far} are off by more than a thousandth of the normal force");
    }

    #[test]
    fn what_sticks_goes_on_sticking_and_what_slides_sliding() {
        let (law, yielding) = (BowFriction::new(1.0, 200.0).unwrap(), 1.0);
        let top = law.gripping_velocity();
        // Between the foot and the top of the curve both are possible.
        let free = 0.7;
        let (mut stuck, mut sliding) = (0.0, free);
        for _ in 0..10 {
            stuck = moves(&law, free, yielding, stuck);
            sliding = moves(&law, free, yielding, sliding);
        }
        assert!(stuck < top && sliding > 4.0 * top, "{stuck} and {sliding} m/s");
        // Beyond the top it lets go, and before the foot it is caught.
        assert!(moves(&law, 1.2, yielding, stuck) > 4.0 * top);
        assert!(moves(&law, 0.3, yielding, sliding) < top);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn friction_is_within_its_bound_whatever_it_acts_on(
            (force, sharpness) in ((-6.0..6.0_f64).prop_map(|log| 10f64.powf(log)), (-6.0..12.0_f64).prop_map(|log| 10f64.powf(log))),
            sliding in prop_oneof![Just(0.0), 0.0..1.0_f64],
            (free, before) in (-10.0..10.0_f64, -10.0..10.0_f64),
            yielding in (-12.0..8.0_f64).prop_map(|log| 10f64.powf(log)),
            rate in (3.0..6.0_f64).prop_map(|log| 10f64.powf(log)),
        ) {
            let law = BowFriction::new(force, sharpness).unwrap().with_sliding(sliding).unwrap();
            let (free_step, admittance) = (2.0 * free / rate, 2.0 * yielding / rate);
            let resistance = resistance(&law, free_step, admittance, rate, before);
            prop_assert!(resistance >= 0.0 && resistance.is_finite());
            prop_assert!(resistance <= law.resistance_at_rest() * (1.0 + 1e-15));
            let step = free_step / (1.0 + 0.5 * admittance * resistance * rate);
            let friction = 0.5 * resistance * rate * step;
            prop_assert!(friction.abs() <= force * (1.0 + 1e-13), "{friction} of {force}");
        }
    }
}
