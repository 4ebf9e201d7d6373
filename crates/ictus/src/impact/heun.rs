//! Heun (P09 (22)): Euler predicts the velocity, the trapezoidal rule corrects it; explicit, second order.

use super::one_step::{State, wall_force};
use super::{FailureKind, Problem};

pub(super) fn advance(problem: &Problem, state: &State) -> Result<(State, u32), FailureKind> {
    let k = 1.0 / problem.rate;
    let acceleration = problem.acceleration - state.force / problem.mass;
    let predicted = state.velocity + k * acceleration;
    let displacement = state.displacement + 0.5 * k * (state.velocity + predicted);
    let force = wall_force(&problem.law, displacement, predicted);
    let velocity = state.velocity + 0.5 * k * (acceleration + problem.acceleration - force / problem.mass);
    Ok((State { displacement, velocity, force }, 0))
}
