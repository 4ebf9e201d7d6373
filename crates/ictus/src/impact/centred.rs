//! What the three-point schemes share: three samples in a row, the middle one current.
//!
//! A scheme solves for the step `s = x⁺ - x⁻`; velocity and force belong to the current sample, energies to the half
//! sample after it, where the discrete balance `T + V + dissipated - supplied = const` is exact.

use crate::ledger::Sum;

use super::{FailureKind, Problem, Sample, Started, Stepper};

/// What a centred scheme found for one step.
pub(super) struct Step {
    /// `x⁺ - x⁻` in m.
    pub step: f64,
    /// Force of the wall on the mass in N.
    pub force: f64,
    /// Energy dissipated in the step in J.
    pub dissipated: f64,
    /// Newton iterations.
    pub iterations: u32,
}

/// A scheme's own part.
pub(super) trait Centred {
    /// Solves for the step from `previous` over `now`; `free_step` is what it would be without the wall.
    fn solve(&mut self, problem: &Problem, previous: f64, now: f64, free_step: f64) -> Result<Step, FailureKind>;

    /// Energy stored in the contact between `now` and `next`, in J.
    fn potential(&self, problem: &Problem, now: f64, next: f64) -> f64;
}

struct ThreeSamples<C> {
    problem: Problem,
    scheme: C,
    now: f64,
    /// `x - x⁻` and `x⁺ - x`: kept beside x, since they round at their own size and not at that of x.
    last_move: f64,
    next_move: f64,
    force: f64,
    iterations: u32,
    dissipated: Sum,
    supplied: Sum,
}

/// Sets a centred scheme up so that sample 0 has the problem's displacement.
///
/// Free flight is continued from the sample before, so that the velocity is that of the half sample before sample 0. Where a law already acts at sample 0, the velocity is that of the
/// half sample after it instead, as D17 starts its oscillators.
pub(super) fn start<C: Centred + 'static>(problem: &Problem, scheme: C) -> Started {
    let Problem { displacement, velocity, acceleration, rate, .. } = *problem;
    let fall = 0.5 * acceleration / (rate * rate);
    let mut stepper = ThreeSamples {
        problem: *problem,
        scheme,
        now: displacement,
        last_move: velocity / rate - fall,
        next_move: velocity / rate + fall,
        force: 0.0,
        iterations: 0,
        dissipated: Sum::default(),
        supplied: Sum::default(),
    };
    if !problem.acts_at_start() {
        stepper.solve()?;
    }
    Ok(Box::new(stepper))
}

impl<C: Centred> ThreeSamples<C> {
    fn solve(&mut self) -> Result<(), FailureKind> {
        let Problem { mass, acceleration, rate, .. } = self.problem;
        let free_step = 2.0 * self.last_move + acceleration / (rate * rate);
        let found = self.scheme.solve(&self.problem, self.now - self.last_move, self.now, free_step)?;
        self.next_move = found.step - self.last_move;
        self.force = found.force;
        self.iterations = found.iterations;
        self.dissipated.add(found.dissipated);
        self.supplied.add(0.5 * mass * acceleration * found.step);
        if (self.now + self.next_move).is_finite() && self.force.is_finite() {
            Ok(())
        } else {
            Err(FailureKind::NotFinite)
        }
    }
}

impl<C: Centred> Stepper for ThreeSamples<C> {
    fn sample(&self) -> Sample {
        let Problem { mass, rate, .. } = self.problem;
        let half_velocity = self.next_move * rate;
        Sample {
            displacement: self.now,
            velocity: 0.5 * (self.last_move + self.next_move) * rate,
            force: self.force,
            kinetic: 0.5 * mass * half_velocity * half_velocity,
            potential: self.scheme.potential(&self.problem, self.now, self.now + self.next_move),
            iterations: self.iterations,
        }
    }

    fn step(&mut self) -> Result<(), FailureKind> {
        self.now += self.next_move;
        self.last_move = self.next_move;
        self.solve()
    }

    fn dissipated(&self) -> Option<f64> {
        Some(self.dissipated.value())
    }

    fn supplied(&self) -> f64 {
        self.supplied.value()
    }
}
