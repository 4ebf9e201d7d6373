//! How friction with bristles goes through the step: linear in the unknown, and never above its largest force.
//!
//! With `ψ = √σ0 z` bristles are the engine's equation with a leak β beside g = √σ0,
//!
//! ```text
//! ψ̇ = g v - β ψ,     f = g ψ,     ψ²/2 stored,     β ψ² lost
//! ```
//!
//! v being the velocity of the step, `s/2k`. For a constant v and β this is solved exactly. With `x = kβ`, `step = 1 - e^(-x)`, `ramp = 1 - step/x`, f the mean over
//! the step,
//!
//! ```text
//! f = g ψ step/x + (g²/2)(ramp/x) s,     ψ⁺ = (1 - step) ψ + (step/x) g s/2,     f s/2 = Δ(ψ²/2) + ∫ β ψ² dt
//! ```
//!
//! so it is a line `f = D s + o` like any contact, for any β ≥ 0: the balance is exact and the loss a sum of squares (`math/relaxation.rs`). x → 0 gives
//! `D = g²/4` and `o = g ψ`, a spring; a large x the resistance `g²/β`, which is sliding.
//!
//! β is that of the velocity which the step was found to have, twice over. With the very velocity f would lie between the force before and that of sliding, both
//! at most `μ_s F_N`; where it is beyond, the step slides with that force. Then `Δ(ψ²/2)` is that of bristles which are bent as far as they can be, and the rest is lost.
//!
//! Rejected: the mean (ψ + ψ⁺)/2 with β (it swings from sample to sample where x > 2, as when a light body slides fast); β of the velocity of the step before
//! (above the largest force by up to a tenth where a string slips).

use super::{Contact, ContactState, Member};
use crate::laws::{Bristles, ContactLaw};
use crate::math::relaxation::Relaxation;

impl Contact {
    /// x = kβ at the velocity that a step in m has.
    pub(super) fn leak(&self, bristles: &Bristles, state: &ContactState, member: &Member) -> f64 {
        let rate = member.motion.rate;
        let to = 0.5 * (state.root + member.next_root(state.root)) / bristles.stiffness.sqrt();
        bristles.leak(0.5 * member.step * rate, to) / rate
    }

    /// Takes a step that slides with the largest force in N. Returns the energy in J that is lost.
    pub(super) fn slide(&self, state: &mut ContactState, force: f64, step: f64) -> f64 {
        let Some(bristles) = self.law.bristles() else { return 0.5 * force * step };
        let root = bristles.stiffness.sqrt();
        let most = bristles.largest() / root;
        let bent = (state.root + 0.5 * root * step).clamp(-most, most);
        // What there is: it may be less, after the force was made smaller.
        let had = state.energy() + 0.5 * force * step;
        state.root = bent.abs().min((2.0 * had.max(0.0)).sqrt()).copysign(bent);
        had - state.energy()
    }

    /// Lets go of what bristles by this law cannot hold. Returns the energy in J that is lost.
    pub(super) fn straighten(&self, state: &mut ContactState) -> f64 {
        let Some(bristles) = self.law.bristles() else { return 0.0 };
        let (stored, most) = (state.energy(), bristles.largest() / bristles.stiffness.sqrt());
        state.root = state.root.clamp(-most, most);
        stored - state.energy()
    }
}

/// D in N/m and the part of ψ in f, in N, of bristles that leak by x in the step.
pub(super) fn line(slope: f64, leak: f64, root: f64) -> (f64, f64) {
    let relaxation = Relaxation::over(leak);
    (0.5 * slope * slope * relaxation.gained(), slope * root * relaxation.held())
}

/// ψ in √J after the step that gains g s/2.
pub(super) fn next_root(leak: f64, root: f64, gained: f64) -> f64 {
    let relaxation = Relaxation::over(leak);
    root - relaxation.step * root + relaxation.held() * gained
}

/// What leaks away between ψ and the next, in J.
pub(super) fn loss(leak: f64, root: f64, next: f64) -> f64 {
    Relaxation::over(leak).product([root, next], [root, next]).max(0.0)
}
