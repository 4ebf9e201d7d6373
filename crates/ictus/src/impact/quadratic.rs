//! The quadratic scheme (D17 (16)-(19)): explicit but for a square root, second order, energy exact.
//!
//! The potential between two samples is replaced by its Taylor polynomial
//! `P(a, b) = φ(a) + s(b-a)φ'(a) + s(b-a)²φ''(a)/2`, so that conserving energy is a quadratic in `y = x⁺ - x⁻`. The root
//! is taken on the side opposite to B's sign, which is the one that continues free flight. Large s makes real
//! roots more likely and the sound less accurate; s = ½ is closest to the three-point scheme. A negative
//! discriminant is reported, never turned into a NaN. Resistance and gravity are ours.

use super::centred::{self, Centred, Step};
use super::{FailureKind, Problem, Settings, Started};
use crate::laws::{ContactLaw, Law};

pub(super) fn start(problem: &Problem, settings: &Settings) -> Started {
    centred::start(problem, Quadratic { s: settings.quadratic_s })
}

struct Quadratic {
    s: f64,
}

impl Centred for Quadratic {
    fn solve(&mut self, problem: &Problem, previous: f64, now: f64, free_step: f64) -> Result<Step, FailureKind> {
        let Problem { mass, law, rate, .. } = problem;
        let (s, back) = (self.s, previous - now);
        let inertia = mass * rate * rate;
        let (slope, curvature) = (law.force(now), law.stiffness(now));
        let damping = 0.5 * rate * law.resistance(now, -back * rate);

        let a = inertia + s * curvature + damping;
        let b = -inertia * free_step + 2.0 * s * slope + 2.0 * s * back * curvature;
        let c = 2.0 * (expanded(law, s, now, previous) - expanded(law, s, previous, now));
        if slope == 0.0 && curvature == 0.0 && damping == 0.0 && c == 0.0 {
            return Ok(Step { step: free_step, force: 0.0, dissipated: 0.0, iterations: 0 });
        }
        let discriminant = b * b - 4.0 * a * c;
        if discriminant < 0.0 {
            return Err(FailureKind::ComplexRoot);
        }
        let step = -(b + discriminant.sqrt().copysign(b)) / (2.0 * a);
        let force = inertia * (free_step - step);
        Ok(Step { step, force, dissipated: 0.5 * damping * step * step, iterations: 0 })
    }

    fn potential(&self, problem: &Problem, now: f64, next: f64) -> f64 {
        expanded(&problem.law, self.s, now, next)
    }
}

/// D17 (6): the potential at `to`, expanded around `from`.
fn expanded(law: &Law, s: f64, from: f64, to: f64) -> f64 {
    let step = to - from;
    law.potential(from) + s * step * (law.force(from) + 0.5 * step * law.stiffness(from))
}
