//! The step of a contact that is pressed and stays so: the secant rule of `aiming.rs` in the fewest operations that wait for each other.
//!
//! A step of the rule is a chain: the sample gives ψ', ψ' the predicted step, that the middle, the middle its ψ, that g, and g the step.
//! Written as the rule reads, the chain has three divisions, four square roots (α = 3/2) and some twenty products and sums, and nothing
//! else takes as long. But with `q = x^((α-1)/2)` of the depth x, ψ' = bq, ψ = axq and R = cxq², most of it can be had beside the chain:
//!
//! ```text
//! s/2 = (s0 - Yψb q) · ½/(1 + q² (Yb²/4 + Yc x/2k))             predicted; q² is known before q
//! g   = (a x s/2d) q + (ε ψ' - ψ s/2)/d,    d = s²/4 + ε         1/d is known before the q of the middle (ε a quarter of the rule's)
//! s   = (s0 - Yψ g) / (1 + YR/2k + Y g²/4)
//! ```
//!
//! (Y the admittance). One division, two powers and ten products and sums remain: 126 cycles with α = 3/2, of some 240. What is the same in every
//! sample is worked out once ([`Grip`]); what follows from the depth alone, the first power among it, as soon as the step before has led there,
//! where one step follows another ([`Contact::foresee`]). In the gaps the processor has room for about two hundred other instructions, if they
//! stand between those that wait: `meanwhile` is called where the rest waits for g and for the step. (A third time, for the middle: no gain.
//! Once, or before it all: half the gain, or none.)
//!
//! The steps in which a contact begins, empties, lets go or is released are left to the rule as it reads: then nothing is done here.
//! A test holds the two together.

use super::aiming::RESTING;
use super::{Contact, ContactState, EMPTY, Motion, Solved, loss};
use crate::laws::Curve;

/// What of a pressed step is the same in every sample of a contact: worked out once where many follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grip {
    /// b and c of the curve, and a, stiffened.
    slope: f64,
    resistance: f64,
    root: f64,
    /// Y, Y/4 and Y/2k.
    admittance: f64,
    spring: f64,
    damping: f64,
    /// Of the divisor of the predicted step: what is always there, what goes with q² and what with xq².
    at_rest: f64,
    stiff: f64,
    viscous: f64,
    /// Of the next sample, if its depth was foreseen.
    foreseen: Bite,
}

/// What of a pressed step follows from the depth alone.
#[derive(Clone, Copy, Debug)]
struct Bite {
    /// In m; NaN where nothing is known.
    depth: f64,
    /// q and q².
    power: f64,
    square: f64,
    /// Half of the inverse of the divisor of the predicted step.
    share: f64,
}

impl Bite {
    const UNKNOWN: Self = Self { depth: f64::NAN, power: 0.0, square: 0.0, share: 0.0 };
}

impl Grip {
    /// At a positive depth in m.
    #[inline(always)]
    fn bite(&self, curve: &Curve, depth: f64) -> Bite {
        let (power, square) = curve.power.with_square(depth);
        let divisor = self.at_rest + square * (self.stiff + self.viscous * depth);
        Bite { depth, power, square, share: 0.5 / divisor }
    }
}

impl Contact {
    /// For as long as a contact is not begun anew, and its law and admittance are the same.
    #[inline(always)]
    pub(crate) fn grip(&self, state: &ContactState, admittance: f64, rate: f64) -> Option<Grip> {
        let curve = self.curve.as_ref()?;
        let hardening = state.stiffening * state.stiffening;
        let slope = state.stiffening * curve.slope;
        let resistance = hardening * curve.resistance;
        let (spring, damping) = (0.25 * admittance, 0.5 * rate * admittance);
        Some(Grip {
            slope,
            resistance,
            root: state.stiffening * curve.root,
            admittance,
            spring,
            damping,
            at_rest: 1.0 + damping * self.damping,
            stiff: spring * (slope * slope),
            viscous: damping * resistance,
            foreseen: Bite::UNKNOWN,
        })
    }

    /// Works out what the next step needs of the compression in m that this one has led to: long before it is asked for.
    #[inline(always)]
    pub(crate) fn foresee(&self, grip: &mut Option<Grip>, compression: f64) {
        if let (Some(grip), Some(curve)) = (grip, &self.curve) {
            let depth = self.depth(compression);
            if depth > 0.0 {
                grip.foreseen = grip.bite(curve, depth);
            }
        }
    }

    /// How far a compression in m is beyond the surface.
    #[inline(always)]
    fn depth(&self, compression: f64) -> f64 {
        if self.surface == 0.0 { compression } else { beyond(compression, self.surface) }
    }

    /// The step of a one-sided contact by a power law that was and stays pressed; `None`, and nothing changed, if it is not so simple.
    #[inline(always)]
    pub(super) fn advance_pressed(
        &self,
        state: &mut ContactState,
        motion: &Motion,
        grip: &Grip,
        mut meanwhile: impl FnMut(usize),
    ) -> Option<Solved> {
        let curve = self.curve.as_ref()?;
        let Motion { previous, now, free_step, rate, .. } = *motion;
        let root = state.root;
        let depth = self.depth(now);
        if !(depth > 0.0 && root > 0.0) {
            return None;
        }
        let pull = grip.admittance * root;
        let Bite { power, square, share, .. } =
            if grip.foreseen.depth == depth { grip.foreseen } else { grip.bite(curve, depth) };
        let slope_now = grip.slope * power;
        // Half of the predicted step.
        let half = (free_step - (pull * grip.slope) * power) * share;

        let before = 0.5 * (now - previous);
        let middle = (depth - before) + half;
        let goes_on = middle > 0.0;
        if !goes_on {
            return None;
        }
        // ε/4 = c² (d1² + d2²)/4 + …, d1/2 = `before`, d2/2 = `after`.
        let after = half - before;
        let trust = self.aiming.trust;
        let rest = trust * (before * before) + (0.25 * RESTING * RESTING) * (depth * depth);
        let doubt = trust * (after * after) + rest;
        let certainty = 1.0 / (half * half + doubt);
        let target = ((grip.root * half) * middle) * certainty;
        let held = (doubt * slope_now - root * half) * certainty;

        let (power, middle_square) = curve.power.with_square(middle);
        let slope = target * power + held;
        let pushes = slope >= 0.0;
        if !pushes {
            return None;
        }
        meanwhile(0);
        let resistance_now = (grip.resistance * depth) * square + self.damping;
        let middle_resistance = (grip.resistance * middle) * middle_square + self.damping;
        let resistance = 0.25 * ((state.resistance + middle_resistance) + (resistance_now + resistance_now));
        let squared = slope * slope;
        let step = (free_step - pull * slope) / ((1.0 + grip.damping * resistance) + grip.spring * squared);

        let next_root = root + (0.5 * slope) * step;
        let force = (0.25 * squared + 0.5 * resistance * rate) * step + root * slope;
        let dissipated = loss(motion, resistance, step);
        let stays = next_root > EMPTY * root && force >= 0.0;
        if !stays || force > f64::MAX || next_root < super::SMALLEST_ROOT {
            return None;
        }
        meanwhile(1);
        if state.approach > 0.0 {
            let drift = state.drift + motion.free_change().abs();
            if self.rule == super::Rule::Secant && drift <= state.allowed_drift {
                let leaves = dissipated > state.allowance
                    || previous + step <= self.surface
                    || step * rate - motion.velocity() <= state.release;
                if leaves {
                    return None;
                }
                state.drift = drift;
                state.allowance = (state.allowance - dissipated).max(0.0);
            } else {
                // The release is not trusted again before the contact begins anew: how it began is forgotten.
                state.approach = 0.0;
            }
        }
        state.resistance = middle_resistance;
        state.root = next_root;
        Some(Solved { step, force, dissipated })
    }
}

/// How far a compression is beyond a surface, both in m. A branch and not a select, so that where the surface is at 0, as in most contacts,
/// nothing waits for a subtraction.
#[cold]
#[inline(never)]
fn beyond(compression: f64, surface: f64) -> f64 {
    compression - surface
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Aiming, Rule};
    use super::*;
    use crate::laws::{ContactLaw, HuntCrossley, Law, OneSidedPower};

    fn law(exponent: f64, stiffness: f64, dissipation: f64, threshold: f64) -> Law {
        if threshold > 0.0 {
            OneSidedPower::new(stiffness, exponent, threshold).unwrap().into()
        } else {
            HuntCrossley::new(stiffness, exponent, dissipation).unwrap().into()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        /// Whatever this step does, the rule as it reads does too, to rounding.
        #[test]
        fn it_is_the_rule_as_it_reads(
            exponent in prop_oneof![Just(1.0), Just(1.5), Just(2.0), Just(2.5), Just(3.0), 1.0..4.0_f64],
            stiffness in (3.0..12.0_f64).prop_map(|log| 10f64.powf(log)),
            dissipation in prop_oneof![Just(0.0), 0.0..2.0_f64],
            threshold in prop_oneof![Just(0.0), Just(3e-4)],
            damping in prop_oneof![Just(0.0), 0.0..10.0_f64],
            mass in (-4.0..0.0_f64).prop_map(|log| 10f64.powf(log)),
            (depth, off_curve) in ((-7.0..-3.0_f64).prop_map(|log| 10f64.powf(log)), 0.9..1.1_f64),
            (before, free) in (-0.5..0.5_f64, -1.5..1.5_f64),
            (stiffening, resistance) in (1.0..1.5_f64, 0.0..1.0_f64),
            (approach, allowance) in (prop_oneof![Just(0.0), 0.01..10.0_f64], prop_oneof![Just(0.0), Just(1.0)]),
            rule in prop_oneof![Just(Rule::Secant), Just(Rule::SecantPlain)],
        ) {
            let rate = 44_100.0;
            let contact = Contact::new(law(exponent, stiffness, dissipation, threshold), rule, Aiming::default());
            let contact = contact.with_damping(damping);
            let now = contact.surface + depth;
            let motion = Motion {
                previous: now - before * depth,
                now,
                free_step: free * depth,
                admittance: 1.0 / (mass * rate * rate),
                rate,
            };
            let state = ContactState {
                root: off_curve * stiffening * contact.state_at(now - 0.5 * before * depth).root,
                stiffening,
                approach,
                release: -0.5 * approach,
                allowed_drift: 0.1 * approach,
                resistance,
                allowance,
                ..ContactState::default()
            };
            let (mut pressed, mut read) = (state, state);
            let grip = contact.grip(&state, motion.admittance, rate).unwrap();
            match contact.advance_pressed(&mut pressed, &motion, &grip, |_| ()) {
                None => prop_assert_eq!(pressed, state),
                Some(solved) => {
                    let expected = contact.advance_aiming(&mut read, &motion);
                    let near = |a: f64, b: f64, size: f64| (a - b).abs() <= 1e-11 * size;
                    prop_assert!(near(solved.step, expected.step, depth), "{solved:?}, {expected:?}");
                    // The spring and the resistance may cancel in it.
                    let terms = state.root * contact.law.root_slope(now) + (resistance + read.resistance) * depth * rate;
                    prop_assert!(near(solved.force, expected.force, terms), "{solved:?}, {expected:?}");
                    prop_assert!(near(pressed.root, read.root, state.root + read.root), "{pressed:?}, {read:?}");
                    prop_assert!(near(pressed.resistance, read.resistance, read.resistance));
                    prop_assert_eq!(contact.trusts_release(&pressed), contact.trusts_release(&read));
                    if contact.trusts_release(&read) {
                        prop_assert!(near(pressed.allowance, read.allowance, state.allowance));
                        prop_assert!(near(pressed.drift, read.drift, read.drift));
                    }
                    let balance = 0.5 * solved.force * solved.step - solved.dissipated;
                    let size = pressed.energy() + state.energy() + solved.dissipated;
                    prop_assert!(near(pressed.energy() - state.energy(), balance, size));
                }
            }
        }

        /// And it does most steps of contacts that are pressed.
        #[test]
        fn a_mass_at_rest_on_a_wall_is_stepped_by_it(exponent in 1.0..4.0_f64, compression in 1e-6..1e-3_f64) {
            let contact = Contact::new(law(exponent, 1e7, 0.1, 0.0), Rule::Secant, Aiming::default());
            let mut state = contact.state_at(compression);
            let admittance = 1.0 / (0.01 * 44_100.0 * 44_100.0);
            // Under its weight.
            let free_step = admittance * contact.law.force(compression);
            let motion = Motion { previous: compression, now: compression, free_step, admittance, rate: 44_100.0 };
            let grip = contact.grip(&state, admittance, 44_100.0).unwrap();
            let solved = contact.advance_pressed(&mut state, &motion, &grip, |_| ());
            prop_assert!(solved.is_some_and(|solved| solved.step.abs() < 1e-9 * compression), "{solved:?}");
        }
    }
}
