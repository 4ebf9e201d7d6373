//! D17's benchmark oscillators: explicit schemes for springs without a wall.
//!
//! Harmonic (D17 (22)): `x⁺ = (2 - k²K/m) x - x⁻`, stable for `k ≤ 2√(m/K)`. Cubic (D17 (25)):
//! `x⁺ = 2x/(1 + k²Kx²/2m) - x⁻`, always stable. Both conserve a discrete energy exactly.

use super::centred::{self, Centred, Step};
use super::{FailureKind, Problem, Settings, Started};
use crate::laws::Law;

pub(super) fn start_harmonic(problem: &Problem, _: &Settings) -> Started {
    let stiffness = odd_stiffness(problem, 1.0).ok_or(FailureKind::NotApplicable("needs a linear spring"))?;
    centred::start(problem, Harmonic { stiffness })
}

pub(super) fn start_cubic(problem: &Problem, _: &Settings) -> Started {
    let stiffness = odd_stiffness(problem, 3.0).ok_or(FailureKind::NotApplicable("needs a cubic spring"))?;
    centred::start(problem, Cubic { stiffness })
}

fn odd_stiffness(problem: &Problem, exponent: f64) -> Option<f64> {
    match problem.law {
        Law::OddPower(law) if law.exponent() == exponent => Some(law.stiffness_coefficient()),
        _ => None,
    }
}

struct Harmonic {
    stiffness: f64,
}

impl Centred for Harmonic {
    fn solve(&mut self, problem: &Problem, _: f64, now: f64, free_step: f64) -> Result<Step, FailureKind> {
        let force = self.stiffness * now;
        let step = free_step - force / (problem.mass * problem.rate * problem.rate);
        Ok(Step { step, force, dissipated: 0.0, iterations: 0 })
    }

    fn potential(&self, _: &Problem, now: f64, next: f64) -> f64 {
        0.5 * self.stiffness * now * next
    }
}

struct Cubic {
    stiffness: f64,
}

impl Centred for Cubic {
    fn solve(&mut self, problem: &Problem, previous: f64, now: f64, free_step: f64) -> Result<Step, FailureKind> {
        let inertia = problem.mass * problem.rate * problem.rate;
        let coupling = 0.5 * self.stiffness * now * now;
        // m δtt x = -K x² μt·x: the average of the neighbours stands for one of the three factors.
        let step = (inertia * free_step - 2.0 * coupling * previous) / (inertia + coupling);
        Ok(Step { step, force: inertia * (free_step - step), dissipated: 0.0, iterations: 0 })
    }

    fn potential(&self, _: &Problem, now: f64, next: f64) -> f64 {
        0.25 * self.stiffness * now * now * next * next
    }
}
