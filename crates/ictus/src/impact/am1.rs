//! AM1, the trapezoidal rule (P09 (20), A04): implicit, second order, solved by the K-method.
//!
//! `x⁺ = x̃ - (k²/4m) f⁺`, `v⁺ = ṽ - (k/2m) f⁺` with x̃, ṽ from known values; what is left is one scalar equation
//! `f - F(x̃ - (k²/4m) f, ṽ - (k/2m) f) = 0` for the new force. At f = 0 it has the sign opposite to F(x̃, ṽ), and beyond
//! the root the other one, so Newton runs in a bracket and cannot fail.

use super::one_step::{State, wall_force};
use super::{FailureKind, Problem};
use crate::math::roots::{Root, bracketed_newton};

pub(super) fn advance(problem: &Problem, state: &State) -> Result<(State, u32), FailureKind> {
    let k = 1.0 / problem.rate;
    let (position_gain, velocity_gain) = (0.25 * k * k / problem.mass, 0.5 * k / problem.mass);
    let free_velocity = state.velocity + k * problem.acceleration - velocity_gain * state.force;
    let free_displacement = state.displacement + 0.5 * k * (state.velocity + free_velocity);
    let at = |force: f64| (free_displacement - position_gain * force, free_velocity - velocity_gain * force);

    let predicted = wall_force(&problem.law, free_displacement, free_velocity);
    let Root { value: force, iterations } = if predicted == 0.0 {
        Root { value: 0.0, iterations: 0 }
    } else {
        let force_at = |force: f64| {
            let (x, v) = at(force);
            wall_force(&problem.law, x, v)
        };
        let residual = |force: f64| {
            let small = 1e-7 * (force.abs() + predicted.abs());
            let value = force_at(force);
            (force - value, 1.0 + (value - force_at(force + small)) / small)
        };
        let (low, high) = bracket(predicted, &residual);
        bracketed_newton(residual, low, high, state.force).ok_or(FailureKind::NoConvergence)?
    };
    let (displacement, velocity) = at(force);
    Ok((State { displacement, velocity, force }, iterations))
}

/// Two forces between which the residual changes sign: 0 and, doubling from the predicted force, the first beyond the root.
fn bracket(predicted: f64, residual: &impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    let mut end = predicted;
    while end.is_finite() && residual(end).0 * predicted.signum() < 0.0 {
        end *= 2.0;
    }
    (end.min(0.0), end.max(0.0))
}
