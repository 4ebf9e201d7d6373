//! What is known in closed form of a free mass on a power-law contact: how long it stays, for stiffening short contacts.

use std::f64::consts::PI;

use libm::{sqrt, tgamma};

use crate::impact::exact::lossless_duration;
use crate::laws::{ContactLaw, Law};
use crate::math::lambert::gap_ratio;

/// Closed results of a power-law contact, with the constants that do not depend on the impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosedForm {
    stiffness: f64,
    order: f64,
    /// μ in s/m.
    pub(super) dissipation: f64,
    /// Contact time of a lossless impact in units of x_max/v.
    duration: f64,
    /// c(α): root mean square of the local frequency times the contact time.
    angle: f64,
}

/// Largest half angle θ/2 the stiffening is taken to: contacts shorter than about one and a half samples.
const LARGEST_HALF_ANGLE: f64 = 1.0;

impl ClosedForm {
    pub(super) fn of(law: &Law) -> Option<Self> {
        let (stiffness, exponent, dissipation) = law.power_law()?;
        let order = exponent + 1.0;
        let duration = lossless_duration(order);
        // The mean of φ''/m over the contact is α duration B(α/(α+1), ½)/τ²; for α = 1 the angle is π.
        let part = exponent / order;
        let beta = tgamma(part) * sqrt(PI) / tgamma(part + 0.5);
        Some(Self { stiffness, order, dissipation, duration, angle: sqrt(exponent * duration * beta) })
    }

    /// Contact time in s of an impact of `mass` (kg) at `velocity` (m/s): the closed one expanded to second order in μv, which is
    /// within 1 % up to μv = 3.
    pub(super) fn time(&self, mass: f64, velocity: f64) -> f64 {
        let speed = velocity * gap_ratio(self.dissipation * velocity).sqrt();
        let compression = libm::pow(0.5 * self.order * mass * speed * speed / self.stiffness, 1.0 / self.order);
        let damping = self.dissipation * speed;
        let lengthening = 1.0 + damping * damping * self.order / (12.0 * (self.order + 2.0));
        self.duration * lengthening * compression / speed
    }

    /// The factor on ψ that makes a contact of so many samples as long as it should be: `(tan(θ/2)/(θ/2))^((α+1)/2)`, θ = c/samples.
    /// The time goes with K^(-1/(α+1)), and K with ψ².
    pub(super) fn stiffening(&self, samples: f64) -> f64 {
        let half_angle = 0.5 * self.angle / samples;
        if half_angle > 1e-4 {
            // below, the ratio is 1 to rounding
            let half_angle = half_angle.min(LARGEST_HALF_ANGLE);
            libm::pow(libm::tan(half_angle) / half_angle, 0.5 * self.order)
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::OneSidedPower;

    #[test]
    fn the_angle_of_a_linear_contact_is_half_a_turn() {
        let linear = ClosedForm::of(&OneSidedPower::new(1e6, 1.0, 0.0).unwrap().into()).unwrap();
        assert!((linear.angle / PI - 1.0).abs() < 1e-14, "{}", linear.angle);
        // So its stiffening is C14 (15).
        let half = 0.5 * PI / 7.0;
        assert!((linear.stiffening(7.0) / (half.tan() / half) - 1.0).abs() < 1e-14);
    }
}
