//! What the one-step schemes (AM1, Verlet, Heun, RK4, two-point) share: a state (x, v), the force at it, and P09's corrections.
//!
//! P09 section 4.2 repairs a scheme with what is known exactly: the compression never exceeds x_max (P09 (26)),
//! and the velocity at release is v_out. Both depend only on the velocity at which the mass entered.

use super::exact::WallImpact;
use super::{FailureKind, Problem, Sample, Started, Stepper};
use crate::laws::{ContactLaw, Law};

/// Displacement, velocity and wall force at one sample.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub displacement: f64,
    pub velocity: f64,
    pub force: f64,
}

/// A scheme's own part: from one state to the next, and the Newton iterations it took.
pub(super) type Advance = fn(&Problem, &State) -> Result<(State, u32), FailureKind>;

/// Force of the wall on the mass, `φ'(x) + R(x, v) v`, in N.
pub(super) fn wall_force(law: &Law, displacement: f64, velocity: f64) -> f64 {
    law.force(displacement) + law.resistance(displacement, velocity) * velocity
}

pub(super) struct OneStep {
    problem: Problem,
    advance: Advance,
    corrections: Option<Corrections>,
    state: State,
    iterations: u32,
}

impl OneStep {
    pub(super) fn start(problem: &Problem, advance: Advance) -> Box<dyn Stepper> {
        Box::new(Self::new(problem, advance, None))
    }

    /// The same scheme with P09's corrections; they need the closed results of a Hunt-Crossley wall.
    pub(super) fn start_corrected(problem: &Problem, advance: Advance) -> Started {
        let corrections = Corrections::new(problem)?;
        Ok(Box::new(Self::new(problem, advance, Some(corrections))))
    }

    fn new(problem: &Problem, advance: Advance, corrections: Option<Corrections>) -> Self {
        let (displacement, velocity) = (problem.displacement, problem.velocity);
        let force = wall_force(&problem.law, displacement, velocity);
        let state = State { displacement, velocity, force };
        Self { problem: *problem, advance, corrections, state, iterations: 0 }
    }
}

impl Stepper for OneStep {
    fn sample(&self) -> Sample {
        let State { displacement, velocity, force } = self.state;
        Sample {
            displacement,
            velocity,
            force,
            kinetic: 0.5 * self.problem.mass * velocity * velocity,
            potential: self.problem.law.potential(displacement),
            iterations: self.iterations,
        }
    }

    fn step(&mut self) -> Result<(), FailureKind> {
        let (mut next, iterations) = (self.advance)(&self.problem, &self.state)?;
        if let Some(corrections) = &mut self.corrections {
            corrections.apply(&self.problem.law, self.problem.acceleration, &self.state, &mut next);
        }
        if !(next.displacement.is_finite() && next.velocity.is_finite() && next.force.is_finite()) {
            return Err(FailureKind::NotFinite);
        }
        self.state = next;
        self.iterations = iterations;
        Ok(())
    }
}

/// P09's corrections: what is known of the impact under way.
struct Corrections {
    impact: WallImpact,
    max_compression: f64,
    surface: f64,
}

impl Corrections {
    fn new(problem: &Problem) -> Result<Self, FailureKind> {
        let impact = problem.exact().ok_or(FailureKind::NotApplicable("needs a Hunt-Crossley wall"))?;
        let surface = problem.law.surface().unwrap_or(0.0);
        Ok(Self { max_compression: impact.max_compression(), impact, surface })
    }

    fn apply(&mut self, law: &Law, acceleration: f64, from: &State, to: &mut State) {
        let (before, after) = (from.displacement - self.surface, to.displacement - self.surface);
        if before <= 0.0 && after > 0.0 {
            self.impact.velocity = (from.velocity * from.velocity - 2.0 * acceleration * before).max(0.0).sqrt();
            self.max_compression = self.impact.max_compression();
        }
        if after > self.max_compression {
            to.displacement = self.surface + self.max_compression;
            to.force = wall_force(law, to.displacement, to.velocity);
        }
        if before > 0.0 && after <= 0.0 {
            let released = self.impact.output_velocity();
            to.velocity = -(released * released + 2.0 * acceleration * after).max(0.0).sqrt();
        }
    }
}
