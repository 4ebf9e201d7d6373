//! The two-point, two-variable energy scheme (C14 (8)): implicit, second order, energy exact.
//!
//! `x⁺ - x = k (v⁺ + v)/2`, `v⁺ - v = k a - (k/m) [ (φ(x⁺) - φ(x))/(x⁺ - x) + R((x⁺ + x)/2) (x⁺ - x)/k ]`; C14's q is `k v/2`,
//! the resistance is ours. It can hold contacts of one sample, half the three-point scheme's shortest. The
//! exact-duration variant (C14 (15), α = 1) holds while the contact is longer than one sample.

use std::f64::consts::PI;

use super::three_point::{chord_force, with_exact_duration};
use super::{FailureKind, Problem, Sample, Settings, Started, Stepper};
use crate::laws::ContactLaw;
use crate::math::roots::bracketed_newton;

pub(super) fn start(problem: &Problem, _: &Settings) -> Started {
    let (displacement, velocity) = (problem.displacement, problem.velocity);
    let (dissipated, supplied, iterations) = (0.0, 0.0, 0);
    Ok(Box::new(TwoPoint { problem: *problem, displacement, velocity, dissipated, supplied, iterations }))
}

pub(super) fn start_exact(problem: &Problem, settings: &Settings) -> Started {
    let exact = with_exact_duration(problem, PI, "needs a contact longer than one sample", |angle| {
        4.0 * (1.0 - libm::cos(angle)) / (1.0 + libm::cos(angle))
    })?;
    start(&exact, settings)
}

struct TwoPoint {
    problem: Problem,
    displacement: f64,
    velocity: f64,
    dissipated: f64,
    supplied: f64,
    iterations: u32,
}

impl Stepper for TwoPoint {
    fn sample(&self) -> Sample {
        let Problem { mass, law, .. } = &self.problem;
        Sample {
            displacement: self.displacement,
            velocity: self.velocity,
            force: super::one_step::wall_force(law, self.displacement, self.velocity),
            kinetic: 0.5 * mass * self.velocity * self.velocity,
            potential: law.potential(self.displacement),
            iterations: self.iterations,
        }
    }

    fn step(&mut self) -> Result<(), FailureKind> {
        let Problem { mass, law, acceleration, rate, .. } = &self.problem;
        let (k, gain) = (1.0 / rate, 0.5 / (mass * rate * rate));
        let x = self.displacement;
        let free_step = k * self.velocity + 0.5 * k * k * acceleration;
        let resistance_at = |step: f64| law.resistance(x + 0.5 * step, step * rate);
        let value_at =
            |step: f64| step - free_step + gain * (chord_force(law, x, step).0 + resistance_at(step) * step * rate);
        let scale = free_step.abs() + x.abs() + f64::MIN_POSITIVE;
        let residual = |step: f64| {
            let small = 1e-7 * scale;
            let value = value_at(step);
            (value, (value_at(step + small) - value) / small)
        };
        let (low, high) = bracket(free_step, scale, value_at);
        let root = bracketed_newton(residual, low, high, free_step).ok_or(FailureKind::NoConvergence)?;
        let step = root.value;
        self.iterations = root.iterations;
        self.dissipated += resistance_at(step) * step * step * rate;
        self.supplied += mass * acceleration * step;
        self.displacement = x + step;
        self.velocity = 2.0 * step * rate - self.velocity;
        let finite = self.displacement.is_finite() && self.velocity.is_finite();
        if finite { Ok(()) } else { Err(FailureKind::NotFinite) }
    }

    fn dissipated(&self) -> Option<f64> {
        Some(self.dissipated)
    }

    fn supplied(&self) -> f64 {
        self.supplied
    }
}

/// Two steps between which the residual changes sign, widened around the free step. Far out the step itself
/// outgrows the forces, so the widening ends.
fn bracket(free_step: f64, scale: f64, value_at: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut low, mut high) = (free_step, free_step);
    let mut width = scale;
    while value_at(low) > 0.0 && low.is_finite() {
        low -= width;
        width *= 2.0;
    }
    while value_at(high) < 0.0 && high.is_finite() {
        high += width;
        width *= 2.0;
    }
    (low, high)
}
