//! The secant rule at work on one contact: enter, predict, aim, release. See the module above for what and why.

use super::closed::stiffening;
use super::{Contact, ContactState, EMPTY, Motion, Rule, Solved, Terms, finish, loss};
use crate::impact::exact::output_velocity;
use crate::laws::{ContactLaw, Law};

/// How much of the approach velocity other forces may add before the closed rebound is no longer trusted.
const LARGEST_DRIFT: f64 = 0.1;

/// Longest contact in samples in which extended bodies may meet as local masses, before their waves return.
const LONGEST_LOCAL: f64 = 4.0;

/// Part of the approach energy that the sums over a contact may be off by.
const ROUNDING: f64 = 1e-13;

/// Step, as a fraction of the depth, below which ψ' at the current sample is taken for the slope.
pub(super) const RESTING: f64 = 1e-3;

/// How much steeper than its curve a contact may be to get back on it.
const STEEPEST: f64 = 2.0;

impl Contact {
    pub(super) fn advance_aiming(&self, state: &mut ContactState, motion: &Motion) -> Solved {
        self.enter(state, motion);
        let predictor = self.predictor(state, motion);
        let predicted = motion.step(state.root, predictor.slope, predictor.resistance);
        let mut terms = self.aimed(state, motion, predictor, predicted);
        let mut step = self.step_by(state, motion, &mut terms);
        if self.trusts_release(state) {
            if loss(motion, terms.resistance, step) > state.allowance {
                terms.resistance = 0.0;
                step = self.step_by(state, motion, &mut terms);
            }
            let next_velocity = step * motion.rate - motion.velocity();
            let leaves = motion.previous + step <= self.surface
                || next_velocity <= state.release
                || state.root + 0.5 * terms.slope * step <= EMPTY * state.root;
            if leaves && let Some(solved) = self.release(state, motion) {
                return solved;
            }
        }
        let solved = if self.is_one_sided() {
            self.finish_pushing(state, motion, terms, step)
        } else {
            finish(state, motion, terms, step)
        };
        state.allowance = (state.allowance - solved.dissipated).max(0.0);
        solved
    }

    /// The step that g and R lead to. Where more would be taken of ψ than there is, g becomes the one that empties it.
    fn step_by(&self, state: &ContactState, motion: &Motion, terms: &mut Terms) -> f64 {
        let step = motion.step(state.root, terms.slope, terms.resistance);
        if self.is_one_sided() && state.root + 0.5 * terms.slope * step < 0.0 {
            terms.slope = motion.emptying_slope(state.root, terms.resistance);
            return motion.step(state.root, terms.slope, terms.resistance);
        }
        step
    }

    /// Whether the contact was entered by a free mass, and is still one.
    pub(super) fn trusts_release(&self, state: &ContactState) -> bool {
        self.rule == Rule::Secant && state.approach > 0.0 && state.drift <= state.allowed_drift
    }

    /// Takes down how a contact begins, and how much of its motion is not its own.
    #[inline(always)]
    pub(super) fn enter(&self, state: &mut ContactState, motion: &Motion) {
        if state.root == 0.0 && self.is_one_sided() {
            self.begin(state, motion);
        }
        state.drift += motion.free_change().abs();
    }

    /// The velocity at the surface, and what follows from it.
    #[cold]
    fn begin(&self, state: &mut ContactState, motion: &Motion) {
        *state = ContactState::default();
        let Some(closed) = &self.closed else { return };
        let velocity = motion.velocity();
        let middle = 0.5 * (motion.previous + motion.now);
        let at_surface = velocity * velocity + 2.0 * motion.free_acceleration() * (self.surface - middle);
        if velocity > 0.0 && at_surface > 0.0 {
            let mass = 1.0 / (motion.admittance * motion.rate * motion.rate);
            let approach = at_surface.sqrt();
            let samples = closed.time(mass, approach) * motion.rate;
            // Without loss the rebound is exact as it is; with it, bodies that are extended must be alone with each other.
            if self.extended && (closed.dissipation == 0.0 || samples > LONGEST_LOCAL) {
                return;
            }
            state.approach = approach;
            state.allowed_drift = LARGEST_DRIFT * approach;
            if self.extended {
                // What pulls at an extended body grows with the length of the contact, and acts throughout.
                state.allowed_drift /= (samples * samples).max(1.0);
            }
            state.release = output_velocity(closed.dissipation, state.approach);
            state.allowance = 0.5 * mass * (at_surface - state.release * state.release);
            if self.aiming.stiffening && !self.extended {
                state.stiffening = stiffening(samples);
            }
        }
    }

    /// Leaves with the closed form's velocity and an empty ψ, `s = k v + (η - η⁻)`; what energy is left over is dissipated.
    /// Not where that would take energy from nowhere, or pull.
    #[cold]
    fn release(&self, state: &mut ContactState, motion: &Motion) -> Option<Solved> {
        let middle = motion.now + 0.5 * state.release / motion.rate;
        let beyond_surface = 2.0 * motion.free_acceleration() * (middle - self.surface);
        let velocity = -(state.release * state.release + beyond_surface).max(0.0).sqrt();
        let step = velocity / motion.rate + (motion.now - motion.previous);
        let force = (motion.free_step - step) / motion.admittance;
        let dissipated = 0.5 * force * step + state.energy();
        let kinetic = 0.5 * state.approach * state.approach / (motion.admittance * motion.rate * motion.rate);
        if force < 0.0 || dissipated < -ROUNDING * kinetic {
            return None;
        }
        state.root = 0.0;
        Some(Solved { step, force, dissipated })
    }

    /// Takes the step of a body that only pushes: where the resistance would pull it back, it lets go, and ψ loses what it would
    /// have done; all of it if the body is out.
    #[inline]
    fn finish_pushing(&self, state: &mut ContactState, motion: &Motion, terms: Terms, step: f64) -> Solved {
        let (root, stored) = (state.root, state.energy());
        let solved = finish(state, motion, terms, step);
        if state.root <= EMPTY * root {
            state.root = 0.0;
        }
        if solved.force >= 0.0 {
            return solved;
        }
        let step = motion.free_step;
        let out = motion.previous + step <= self.surface;
        state.root = if out { 0.0 } else { (root + 0.5 * terms.slope * step).min(root).max(0.0) };
        Solved { step, force: 0.0, dissipated: stored - state.energy() }
    }

    /// g = ψ' and R at the current sample.
    #[inline(always)]
    pub(super) fn predictor(&self, state: &ContactState, motion: &Motion) -> Terms {
        let (slope, resistance) = self.law.root_slope_and_resistance(motion.now, motion.velocity());
        let hardening = state.stiffening * state.stiffening;
        Terms { slope: state.stiffening * slope, resistance: hardening * resistance + self.damping }
    }

    /// The g that brings ψ to its curve in the middle of the next half step, given where the predictor would lead; and the mean
    /// resistance `¼ (R⁻ + 2R + R⁺)` of the current sample and the half samples beside it: the loss of a step in which the
    /// contact begins or ends is in none of the three alone.
    #[inline(always)]
    pub(super) fn aimed(&self, state: &mut ContactState, motion: &Motion, predictor: Terms, step: f64) -> Terms {
        if let Law::BowFriction(law) = &self.law {
            // Without it, but with the others of its island at work, the step would be this.
            let free_step = step * (1.0 + 0.5 * motion.admittance * predictor.resistance * motion.rate);
            return Terms { slope: 0.0, resistance: self.sliding_resistance(law, state, motion, free_step) };
        }
        let before = motion.now - motion.previous;
        let after = step - before;
        let (target, middle_resistance) = self.law.root_and_resistance(motion.now + 0.5 * after, after * motion.rate);
        let middle_resistance = state.stiffening * state.stiffening * middle_resistance + self.damping;
        let resistance = 0.25 * (state.resistance + 2.0 * predictor.resistance + middle_resistance);
        state.resistance = middle_resistance;
        if self.is_one_sided() && state.root > 0.0 && motion.now <= self.surface && motion.free_step < 0.0 {
            return Terms { slope: motion.emptying_slope(state.root, resistance), resistance };
        }

        let depth = if self.is_one_sided() { motion.now - self.surface } else { motion.now };
        // A step far below the depth cannot tell the slope from what rounding has done to ψ: a body coming to rest.
        let doubt = self.aiming.trust * (before * before + after * after) + RESTING * RESTING * depth * depth;
        let aim = state.stiffening * target - state.root;
        let slope = (2.0 * aim * step + doubt * predictor.slope) / (step * step + doubt);
        let slope = if slope.is_finite() { slope } else { predictor.slope };
        let slope = slope.max(0.0);
        if self.is_one_sided() || slope <= STEEPEST * predictor.slope {
            return Terms { slope, resistance };
        }
        // No secant of the curve is steeper than the curve. One that is comes of a ψ far off it, after the law or the place was
        // changed or the contact switched on; taken, it would hold the point where it is.
        let ends = [motion.now + 0.5 * after, 0.5 * (motion.previous + motion.now)];
        let steepest = ends.map(|end| self.law.root_slope(end)).into_iter().fold(predictor.slope, f64::max);
        Terms { slope: slope.min(STEEPEST * steepest), resistance }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Aiming;
    use super::*;
    use crate::laws::HuntCrossley;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        /// However a step ends - pressed on, let go, emptied, released - what the bodies give is stored or dissipated, and nothing pulls.
        #[test]
        fn every_step_balances(
            exponent in prop_oneof![Just(1.0), Just(1.5), Just(2.0), 1.0..4.0_f64],
            stiffness in (3.0..12.0_f64).prop_map(|log| 10f64.powf(log)),
            dissipation in prop_oneof![Just(0.0), 0.0..2.0_f64],
            mass in (-4.0..0.0_f64).prop_map(|log| 10f64.powf(log)),
            (depth, off_curve) in ((-7.0..-3.0_f64).prop_map(|log| 10f64.powf(log)), 0.5..2.0_f64),
            (before, free) in (-3.0..3.0_f64, -6.0..3.0_f64),
            (approach, resistance) in (0.01..10.0_f64, 0.0..1.0_f64),
            (allowed, trusted) in (prop_oneof![Just(0.0), 0.0..2.0_f64], prop_oneof![Just(0.0), Just(f64::MAX)]),
            (damping, stiffening) in (prop_oneof![Just(0.0), 0.0..10.0_f64], 1.0..1.5_f64),
            (begins, rule) in (prop::bool::weighted(0.2), prop_oneof![Just(Rule::Secant), Just(Rule::SecantPlain)]),
        ) {
            let rate = 44_100.0;
            let law = HuntCrossley::new(stiffness, exponent, dissipation).unwrap();
            let contact = Contact::new(law.into(), rule, Aiming::default()).with_damping(damping);
            let previous = depth * (1.0 - before);
            let motion =
                Motion { previous, now: depth, free_step: free * depth, admittance: 1.0 / (mass * rate * rate), rate };
            let mut state = ContactState {
                root: if begins { 0.0 } else { off_curve * contact.state_at(depth).root },
                stiffening,
                approach,
                release: output_velocity(dissipation, approach),
                allowed_drift: trusted,
                resistance,
                // Of the loss that this step would have.
                allowance: allowed * loss(&motion, law.resistance(depth, 0.0), free * depth),
                ..ContactState::default()
            };
            let stored = state.energy();
            let solved = contact.advance_aiming(&mut state, &motion);
            let work = 0.5 * solved.force * solved.step;
            let imbalance = state.energy() - stored - (work - solved.dissipated);
            let size = stored + state.energy() + work.abs() + solved.dissipated;
            prop_assert!(imbalance.abs() <= 1e-13 * size, "{imbalance:e} of {size:e}: {solved:?}, {state:?}");
            prop_assert!(solved.force >= 0.0, "{solved:?}");
            prop_assert!(state.root >= 0.0, "{state:?}");
        }
    }
}
