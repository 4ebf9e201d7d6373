//! AM1, the trapezoidal rule (P09 (20), A04): implicit, second order, solved by the K-method.
//!
//! `x⁺ = x̃ - (k²/4m) f⁺`, `v⁺ = ṽ - (k/2m) f⁺` with x̃, ṽ from known values; what is left is one scalar equation
//! `f - F(x̃ - (k²/4m) f, ṽ - (k/2m) f) = 0` for the new force. At f = 0 it has the sign opposite to F(x̃, ṽ), and beyond
//! the root the other one, so Newton runs in a bracket and cannot fail.

use super::one_step::{State, wall_force};
use super::{FailureKind, Problem};
use crate::laws::Law;
use crate::math::roots::{Root, bracketed_newton};

pub(super) fn advance(problem: &Problem, state: &State) -> Result<(State, u32), FailureKind> {
    let k = 1.0 / problem.rate;
    let gains = Gains { displacement: 0.25 * k * k / problem.mass, velocity: 0.5 * k / problem.mass };
    let free_velocity = state.velocity + k * problem.acceleration - gains.velocity * state.force;
    let free_displacement = state.displacement + 0.5 * k * (state.velocity + free_velocity);
    let free = (free_displacement, free_velocity);
    let Root { value: force, iterations } = new_force(&problem.law, free, gains, state.force)?;
    let (displacement, velocity) = gains.apply(free, force);
    Ok((State { displacement, velocity, force }, iterations))
}

/// How far one newton at the end of the step pushes the compression and its velocity back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gains {
    /// In m/N.
    pub displacement: f64,
    /// In m/s per N.
    pub velocity: f64,
}

impl Gains {
    /// Compression and its velocity with this force, from what they would be without.
    pub(super) fn apply(self, free: (f64, f64), force: f64) -> (f64, f64) {
        (free.0 - self.displacement * force, free.1 - self.velocity * force)
    }
}

/// The K-method: the force in N at the end of the step, given compression and velocity without it.
pub(super) fn new_force(law: &Law, free: (f64, f64), gains: Gains, guess: f64) -> Result<Root, FailureKind> {
    let predicted = wall_force(law, free.0, free.1);
    if predicted == 0.0 {
        return Ok(Root { value: 0.0, iterations: 0 });
    }
    let force_at = |force: f64| {
        let (x, v) = gains.apply(free, force);
        wall_force(law, x, v)
    };
    let residual = |force: f64| {
        let small = 1e-7 * (force.abs() + predicted.abs());
        let value = force_at(force);
        (force - value, 1.0 + (value - force_at(force + small)) / small)
    };
    let (low, high) = bracket(predicted, &residual);
    bracketed_newton(residual, low, high, guess).ok_or(FailureKind::NoConvergence)
}

/// Two forces between which the residual changes sign: 0 and, doubling from the predicted force, the first beyond the root.
fn bracket(predicted: f64, residual: &impl Fn(f64) -> (f64, f64)) -> (f64, f64) {
    let mut end = predicted;
    while end.is_finite() && residual(end).0 * predicted.signum() < 0.0 {
        end *= 2.0;
    }
    (end.min(0.0), end.max(0.0))
}
