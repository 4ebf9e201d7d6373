//! The ψ schemes: the engine's one equation with a choice of rules for g (W19 (10)-(18); see [`crate::contact`]).

use super::centred::{self, Centred, Step};
use super::{FailureKind, Problem, Settings, Started};
use crate::contact::{Contact, ContactState, Motion, Rule, Solved};

pub(crate) fn start(problem: &Problem, settings: &Settings, rule: Rule) -> Started {
    let contact = Contact::new(problem.law, rule, settings.secant);
    let state = if problem.acts_at_start() {
        contact.state_at(problem.displacement + 0.5 * problem.velocity / problem.rate)
    } else {
        ContactState::default()
    };
    centred::start(problem, Psi { contact, state })
}

struct Psi {
    contact: Contact,
    state: ContactState,
}

impl Centred for Psi {
    fn solve(&mut self, problem: &Problem, previous: f64, now: f64, free_step: f64) -> Result<Step, FailureKind> {
        let Problem { mass, rate, .. } = *problem;
        let motion = Motion { previous, now, free_step, admittance: 1.0 / (mass * rate * rate), rate };
        let Solved { step, force, dissipated } = self.contact.advance(&mut self.state, &motion);
        Ok(Step { step, force, dissipated, iterations: 0 })
    }

    fn potential(&self, _: &Problem, _: f64, _: f64) -> f64 {
        self.state.energy()
    }
}
