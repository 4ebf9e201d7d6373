//! The same step for contacts that feel each other: one linear system for all of them instead of one division.
//!
//! With W the admittances between the contacts of an island, `s = s0 - W f` and `f = D s + ψ g` give
//! `(I + W D) s = s0 - W ψ g`. The rules run as for one contact, all of them between the same two solves. What one contact can
//! know in advance, that it would pull or overshoot an empty ψ, shows here only in the solution: such a contact lets go, or empties,
//! and the system is solved again, at most twice. What is still asked of it then, it does: among contacts that pull at each other
//! within one sample a little pull may remain.

use super::{Contact, ContactState, EMPTY, Motion, Rule, Solved, Terms};

/// One contact of an island in the step under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub motion: Motion,
    pub terms: Terms,
    /// Lets go: takes no part in the rest of the step.
    pub free: bool,
    pub step: f64,
    pub force: f64,
}

impl Member {
    pub(crate) fn new(motion: Motion) -> Self {
        Self { motion, terms: Terms::default(), free: false, step: motion.free_step, force: 0.0 }
    }
}

impl Contact {
    /// Whether this contact can be left out of the step.
    #[inline]
    pub(crate) fn rests(&self, state: &ContactState, motion: &Motion) -> bool {
        self.is_idle(state, motion)
    }

    /// Chooses g and R for the first solve.
    pub(crate) fn choose(&self, state: &mut ContactState, motion: &Motion) -> Terms {
        if self.rule.aims() {
            self.enter(state, motion);
        }
        let Terms { slope, resistance } = self.predictor(state, motion);
        let slope = if self.rule.aims() { slope } else { self.published_slope(state.root, slope, resistance, motion) };
        Terms { slope, resistance }
    }

    /// Chooses g and R for the second solve; `None` for rules that need none.
    pub(crate) fn choose_again(&self, state: &mut ContactState, member: &Member) -> Option<Terms> {
        self.rule.aims().then(|| self.aimed(state, &member.motion, member.terms, member.step))
    }

    /// Whether the solution asks this contact to pull or to empty more than it holds; if so, what it does instead.
    pub(crate) fn mend(&self, state: &ContactState, member: &mut Member) -> bool {
        if !self.is_one_sided() || member.free || matches!(self.rule, Rule::Basic | Rule::Release) {
            return false;
        }
        let emptied = state.root + 0.5 * member.terms.slope * member.step;
        if member.force < 0.0 {
            member.free = true;
        } else if emptied < -f64::EPSILON * state.root && member.step < 0.0 {
            member.terms.slope = -2.0 * state.root / member.step;
        } else {
            return false;
        }
        true
    }

    /// Takes the step the island found.
    pub(crate) fn take(&self, state: &mut ContactState, member: &Member) -> Solved {
        let Member { motion, terms, step, force, .. } = *member;
        let before = state.energy();
        let root = super::audible(state.root + 0.5 * terms.slope * step);
        let one_sided = self.is_one_sided() && !matches!(self.rule, Rule::Basic | Rule::Release);
        state.root = match (member.free, one_sided) {
            (true, _) if motion.previous + step <= self.surface => 0.0,
            (true, _) => root.min(state.root).max(0.0),
            (false, true) if root <= EMPTY * state.root => 0.0,
            _ => root,
        };
        // What the bodies gave, less what is stored now: the loss in the resistance, and in a ψ that was let go.
        let dissipated = if member.free || state.root != root {
            0.5 * force * step + before - state.energy()
        } else {
            super::loss(&motion, terms.resistance, step)
        };
        Solved { step, force, dissipated }
    }
}
