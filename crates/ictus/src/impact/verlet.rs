//! Velocity Verlet (P09 (21)): explicit, second order; the force sees a half-step velocity.

use super::one_step::{State, wall_force};
use super::{FailureKind, Problem};

pub(super) fn advance(problem: &Problem, state: &State) -> Result<(State, u32), FailureKind> {
    let k = 1.0 / problem.rate;
    let acceleration = problem.acceleration - state.force / problem.mass;
    let displacement = state.displacement + k * state.velocity + 0.5 * k * k * acceleration;
    let half_velocity = state.velocity + 0.5 * k * acceleration;
    let force = wall_force(&problem.law, displacement, half_velocity);
    let velocity = half_velocity + 0.5 * k * (problem.acceleration - force / problem.mass);
    Ok((State { displacement, velocity, force }, 0))
}
