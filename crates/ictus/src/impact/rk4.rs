//! Fourth-order Runge-Kutta (P09 (23)): four force evaluations a sample.

use super::one_step::{State, wall_force};
use super::{FailureKind, Problem};

pub(super) fn advance(problem: &Problem, state: &State) -> Result<(State, u32), FailureKind> {
    let k = 1.0 / problem.rate;
    let slope = |x: f64, v: f64| (v, problem.acceleration - wall_force(&problem.law, x, v) / problem.mass);
    let (x, v) = (state.displacement, state.velocity);
    let (x1, v1) = slope(x, v);
    let (x2, v2) = slope(x + 0.5 * k * x1, v + 0.5 * k * v1);
    let (x3, v3) = slope(x + 0.5 * k * x2, v + 0.5 * k * v2);
    let (x4, v4) = slope(x + k * x3, v + k * v3);
    let displacement = x + k / 6.0 * (x1 + 2.0 * (x2 + x3) + x4);
    let velocity = v + k / 6.0 * (v1 + 2.0 * (v2 + v3) + v4);
    let force = wall_force(&problem.law, displacement, velocity);
    Ok((State { displacement, velocity, force }, 0))
}
