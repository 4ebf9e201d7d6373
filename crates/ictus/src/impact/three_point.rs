//! The three-point energy scheme (C14 (7), D17 (23)): implicit, second order, energy exact.
//!
//! `x⁺ - 2x + x⁻ = k² a - (k²/m) [ (φ(x⁺) - φ(x⁻))/(x⁺ - x⁻) + R(x) (x⁺ - x⁻)/2k ]`; the resistance is ours. With
//! `s = x⁺ - x⁻` the residual grows with s for every convex potential, so its root is unique and bracketed.
//! The exact-duration variant (C14 (16), α = 1) replaces K by the value that gives the true half period, while
//! the contact is longer than two samples.

use std::f64::consts::FRAC_PI_2;

use super::centred::{self, Centred, Step};
use super::{FailureKind, Problem, Settings, Started};
use crate::laws::{ContactLaw, Law};
use crate::math::roots::bracketed_newton;

pub(super) fn start(problem: &Problem, _: &Settings) -> Started {
    centred::start(problem, ThreePoint)
}

pub(super) fn start_exact(problem: &Problem, settings: &Settings) -> Started {
    let exact = with_exact_duration(problem, FRAC_PI_2, "needs a contact longer than two samples", |angle| {
        2.0 * (1.0 - libm::cos(angle)) / libm::cos(angle)
    })?;
    start(&exact, settings)
}

/// The same problem with the stiffness `K' = (m/k²) β(ωk)`, which makes the contact of a linear wall last π/ω.
pub(super) fn with_exact_duration(
    problem: &Problem,
    largest_angle: f64,
    too_short: &'static str,
    coefficient: impl Fn(f64) -> f64,
) -> Result<Problem, FailureKind> {
    let not_linear = FailureKind::NotApplicable("needs exponent 1");
    let parameters = problem.law.info().parameters;
    let place = parameters.iter().position(|parameter| parameter.scales).ok_or(not_linear)?;
    let (stiffness, exponent, _) = problem.law.power_law().ok_or(not_linear)?;
    let angle = (stiffness / problem.mass).sqrt() / problem.rate;
    if exponent != 1.0 {
        return Err(not_linear);
    } else if angle >= largest_angle {
        return Err(FailureKind::NotApplicable(too_short));
    }
    let stiffness = problem.mass * problem.rate * problem.rate * coefficient(angle);
    let law = problem.law.with_parameter(place, stiffness).map_err(|_| FailureKind::NotFinite)?;
    Ok(Problem { law, ..*problem })
}

/// Slope of the chord of φ from `from` to `from + step`: the force that conserves energy; and its derivative by `step`.
pub(super) fn chord_force(law: &Law, from: f64, step: f64) -> (f64, f64) {
    let to = from + step;
    if step.abs() <= 1e-6 * from.abs().max(to.abs()) {
        let middle = from + 0.5 * step;
        return (law.force(middle), 0.5 * law.stiffness(middle));
    }
    let slope = (law.potential(to) - law.potential(from)) / step;
    (slope, (law.force(to) - slope) / step)
}

struct ThreePoint;

impl Centred for ThreePoint {
    fn solve(&mut self, problem: &Problem, previous: f64, now: f64, free_step: f64) -> Result<Step, FailureKind> {
        let Problem { mass, law, rate, .. } = problem;
        let admittance = 1.0 / (mass * rate * rate);
        let damping = 0.5 * rate * law.resistance(now, (now - previous) * rate);
        let residual = |step: f64| {
            let (force, slope) = chord_force(law, previous, step);
            (step - free_step + admittance * (force + damping * step), 1.0 + admittance * (slope + damping))
        };
        let overshoot = residual(free_step).0;
        let (low, high) = (free_step - overshoot.max(0.0), free_step - overshoot.min(0.0));
        let root = bracketed_newton(residual, low, high, free_step).ok_or(FailureKind::NoConvergence)?;
        let step = root.value;
        let force = chord_force(law, previous, step).0 + damping * step;
        Ok(Step { step, force, dissipated: 0.5 * damping * step * step, iterations: root.iterations })
    }

    fn potential(&self, problem: &Problem, now: f64, next: f64) -> f64 {
        0.5 * (problem.law.potential(now) + problem.law.potential(next))
    }
}
