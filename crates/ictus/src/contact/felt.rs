//! How a felt goes through the step: what ψ it aims at, and what its memory loses.
//!
//! With `ψ = √(2E)` a felt is a contact like any other, and never pulls, for `g ≥ 0`. In a step its memory z goes on to the next half sample, and E
//! falls by the loss of the law. So the step aims at the E that the law has there *before* that loss,
//!
//! ```text
//! ψ → √(2 (E(η⁺, z⁺) + L)),    L = ∫ (Kε/τ)(η - ζ)(η^α - z) dt ≥ 0,    then    ψ⁺ = √(ψ² - 2 L)
//! ```
//!
//! and L is booked as lost. Whatever g was, nothing comes from nowhere. What is slack, `f = 0`, keeps its ψ and loses it as z fades.
//!
//! z is solved as in the lab, `η^α` going straight from one half sample to the next, and both factors of L go from their first value to their last as
//! z does (`math/relaxation.rs`). So it holds for a felt that forgets within a sample, as those of pianos do (τ of 2 µs, ε of 0.99): then L is that of a
//! resistance `Kετ αη^(α-1)`. There the last `η - ζ`, taken at the end of the step, is nearer the truth by its `η^α - z` over the slope of the whole step;
//! both are of second order while the two are blended by the square of the ramp's weight.
//!
//! Rejected, with the largest error of the speed of a felt hammer's rebound from a wall at 48 kHz, for ε = 0.5 and τ = 0.5 ms and for Stulov's A4
//! (ε = 0.993, τ = 2 µs), beside 3e-4 and 9e-3 by this: z held in the step and relaxed after it, η taken there (5e-3 and 150 %, first order); the same with
//! z staggered by half a sample, which is Strang's splitting too (1e-4 and 59 %: the lag of half a sample is as a loss); z held at the full sample (9e-5 and
//! 100 %: the step sees 100 times the stiffness); L by the mean of η^α - z alone (3e-4 and 10 %).

use super::{Contact, ContactState, Motion};
use crate::laws::{ContactLaw, StulovFelt};
use crate::math::relaxation::Relaxation;

/// Depth in m of the dent that has not been forgotten, below which it is: a hundredth of an atom.
const FORGOTTEN: f64 = 1e-12;

/// What a step would make of a felt's memory.
#[derive(Clone, Copy, Debug)]
struct Fading {
    /// z in m^α half a sample ahead.
    memory: f64,
    /// L in J.
    lost: f64,
    /// `η^α - z` in m^α in the middle of the step.
    lead: f64,
}

/// Two half samples and the memory at the first.
fn fade(felt: &StulovFelt, memory: f64, [before, after]: [f64; 2], step: f64) -> Fading {
    let relaxation = Relaxation::over(step / felt.relaxation_time());
    let powers = [felt.power(before), felt.power(after)];
    let next = memory + relaxation.step * (powers[0] - memory) + relaxation.ramp * (powers[1] - powers[0]);
    let leads = [powers[0] - memory, powers[1] - next];
    // A slack felt is where its slack ends.
    let ahead = |compression: f64, memory: f64| compression.max(felt.slack(memory)) - felt.depth_of(memory);
    let mut depths = [ahead(before, memory), ahead(after, next)];
    let pressed = before >= felt.slack(memory) && after >= felt.slack(next);
    let slope = (powers[1] - powers[0]) / (after - before);
    if pressed && slope > 0.0 && slope < f64::INFINITY {
        let share = relaxation.ramp * relaxation.ramp;
        depths[1] += share * (leads[1] / slope - depths[1]);
    }
    // Slack all the way, E is at its least before and after.
    let slack = before <= felt.slack(memory) && after <= felt.slack(next);
    let lost = if slack {
        felt.stored_energy(0.0, memory) - felt.stored_energy(0.0, next)
    } else {
        felt.stiffness_coefficient() * felt.hysteresis() * relaxation.product(leads, depths)
    };
    Fading { memory: next, lost: lost.max(0.0), lead: 0.5 * (leads[0] + leads[1]) }
}

impl Contact {
    /// ψ in √J half a sample ahead at a compression in m, before the loss of this step; ψ' in √J/m at `centre`; and the largest ψ' on the way.
    pub(super) fn felt_target(
        &self,
        felt: &StulovFelt,
        state: &ContactState,
        motion: &Motion,
        [centre, after]: [f64; 2],
    ) -> (f64, f64, f64) {
        let before = 0.5 * (motion.previous + motion.now);
        let fading = fade(felt, state.memory, [before, after], 1.0 / motion.rate);
        // Where it is slack all the way nothing pushes, wherever ψ is.
        if before.max(centre).max(after) <= felt.slack(fading.memory.min(state.memory)) {
            return (state.root, 0.0, 0.0);
        }
        let energy = felt.stored_energy(after, fading.memory) + fading.lost;
        // From the lead, which hardly changes in a step: η^α and z do, and cancel in a felt of large ε.
        let memory = (felt.power(centre) - fading.lead).max(0.0);
        let slope = |compression: f64, memory: f64| {
            let stored = felt.stored_energy(compression, memory);
            if stored > 0.0 { felt.held_force(compression, memory) / (2.0 * stored).sqrt() } else { 0.0 }
        };
        let at_centre = slope(centre, memory);
        let steepest = at_centre.max(slope(before, state.memory)).max(slope(after, fading.memory));
        ((2.0 * energy).sqrt(), at_centre, steepest)
    }

    /// Lets the memory of a felt go on through a step in m that was taken. Returns the energy in J that is lost.
    pub(super) fn fade(&self, state: &mut ContactState, motion: &Motion, step: f64) -> f64 {
        let Some(felt) = self.law.felt() else { return 0.0 };
        let before = 0.5 * (motion.previous + motion.now);
        let after = 0.5 * (motion.previous + step + motion.now);
        let Fading { memory, lost, .. } = fade(felt, state.memory, [before, after], 1.0 / motion.rate);
        let stored = state.energy();
        state.root = (state.root * state.root - 2.0 * lost).max(0.0).sqrt();
        state.memory = memory;
        // What it gave back too little when it became slack, it no longer can.
        if before.max(after) <= felt.slack(memory) {
            state.root = state.root.min((2.0 * self.withheld(state)).sqrt());
        }
        if state.root == 0.0 || felt.slack(memory).max(after) < FORGOTTEN {
            (state.root, state.memory) = (0.0, 0.0);
        }
        stored - state.energy()
    }

    /// The energy in J that a felt holds whatever presses it, until it has forgotten.
    pub(super) fn withheld(&self, state: &ContactState) -> f64 {
        self.law.felt().map_or(0.0, |felt| felt.stored_energy(0.0, state.memory))
    }

    /// Whether nothing touches and something is remembered.
    pub(crate) fn is_fading(&self, state: &ContactState, compression: f64) -> bool {
        self.law.felt().is_some_and(|felt| state.memory > 0.0 && compression <= felt.slack(state.memory))
    }

    /// What a felt that nothing touches any more keeps: what it withholds. Returns the energy in J that is lost.
    pub(crate) fn let_apart(&self, state: &mut ContactState) -> f64 {
        let stored = state.energy();
        let withheld = self.withheld(state).min(stored);
        *state = ContactState { root: (2.0 * withheld).sqrt(), memory: state.memory, ..ContactState::default() };
        if withheld == 0.0 {
            state.memory = 0.0;
        }
        stored - state.energy()
    }

    /// Takes over what a contact by another law has stored, and what it remembers as far as that can be paid for. Returns the energy in J that is lost.
    pub(crate) fn inherit(&self, former: &Contact, state: &mut ContactState) -> f64 {
        let stored = state.energy();
        let given = stored - former.withheld(state);
        match (former.law.felt(), self.law.felt()) {
            _ if former.law == self.law => {}
            (Some(former), Some(felt)) => {
                state.memory = felt.power(former.depth_of(state.memory));
                let withheld = self.withheld(state);
                if withheld > stored {
                    // E at its least goes with z^((α+1)/α).
                    let exponent = felt.exponent() / (felt.exponent() + 1.0);
                    state.memory *= libm::pow(stored / withheld, exponent);
                }
                let pressed = given > 1e-9 * stored;
                if !pressed {
                    state.root = (2.0 * withheld.min(stored)).sqrt();
                }
            }
            (Some(_), None) => {
                state.memory = 0.0;
                state.root = (2.0 * given.max(0.0)).sqrt();
            }
            (None, _) => state.memory = 0.0,
        }
        self.straighten(state);
        stored - state.energy()
    }
}
