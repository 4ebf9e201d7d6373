//! Closed results for one Hunt-Crossley impact on a rigid wall.
//!
//! `m ẍ = -K x^α (1 + μ ẋ)`, `x(0) = 0`, `ẋ(0) = v_in` (P09 (1)-(2)). The mass dives in, turns at `x_max` and leaves
//! with `v_out < 0`. Dividing by ẋ and integrating once gives the orbit, P09 (3), here as an energy:
//!
//! ```text
//! K x^(α+1)/(α+1) = m/2 [ v_in² g(μ v_in) - v² g(μ v) ],    g(u) = 2 (u - ln(1 + u))/u²,  g(0) = 1
//! ```
//!
//! which needs no separate case for μ = 0. From it, with the effective speed `S = v_in √g(w)`, `w = μ v_in`, `s = μ S`
//! and u(t) the root of `u - ln(1 + u) = t²/2` that has the sign of t:
//!
//! - largest compression, P09 (4): `x_max = [ (α+1) m S²/(2K) ]^(1/(α+1))`;
//! - output velocity, the second root of P09 (6): `v_out = u(-s)/μ`, in terms of Lambert's W
//!   `1 + μ v_out = -W0(-(1+w) e^(-(1+w)))`;
//! - contact time: P09 (9) integrates over v and is singular with order α/(α+1) at both ends. Integrated over the
//!   compression `x = x_max ξ` instead it is `τ = ∫ dx/v_compressing + ∫ dx/|v_expanding|`, or
//!   `τ = (x_max/S) ∫₀¹ [ t/u(t) - t/u(-t) ] dξ/σ`, `t = sσ`, `σ = √(1 - ξ^(α+1))`.
//!   Only a `1/√` is left, at the turning point, for any exponent; and where a strongly damped mass creeps out at
//!   `v_lim = -1/μ` the integrand is constant. For μ = 0 it is a quotient of Γ functions.

use crate::math::lambert::{gap_ratio, gap_root_ratio};
use crate::math::quadrature::integrate_unit;
use libm::{exp, expm1, log1p, pow, sqrt, tgamma};

/// One impact of a point mass on a rigid Hunt-Crossley wall: plain data, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallImpact {
    /// Mass m in kg, > 0. Heavier stays longer in contact and sounds duller; the rebound velocity does not change.
    pub mass: f64,
    /// Contact stiffness K in N/m^α, > 0. Stiffer is shorter and brighter; the rebound velocity does not change.
    pub stiffness: f64,
    /// Exponent α of the force, ≥ 1: 1 is a linear spring, 1.5 two spheres. Larger hardens more with velocity.
    pub exponent: f64,
    /// Dissipation μ in s/m, ≥ 0; 0 is a lossless impact. The rebound never exceeds 1/μ.
    pub dissipation: f64,
    /// Approach velocity v_in in m/s, > 0. At 0 or below there is no impact and every result is 0.
    pub velocity: f64,
}

impl WallImpact {
    /// Displacement x in m at which the mass has this velocity (m/s): the orbit, P09 (3).
    ///
    /// 0 for velocities the impact never has, including NaN. Near `v_out` the displacement of a strongly damped
    /// impact (μ v_in > 10) changes faster than a velocity can be written in an f64; the result is then that of
    /// the velocity as rounded.
    pub fn displacement_at(&self, velocity: f64) -> f64 {
        let v_out = self.output_velocity();
        if !(velocity > v_out && velocity < self.velocity) {
            return 0.0;
        }
        let (mu, v) = (self.dissipation, velocity);
        // Each end of the orbit is measured from itself, as a sum of positive terms.
        let y = 1.0 + mu * v;
        let stored = if v >= 0.0 {
            let d = (self.velocity - v) / y;
            d * (2.0 * v + d * gap_ratio(mu * d))
        } else {
            let d = (v - v_out) / y;
            if mu * d <= 0.5 {
                d * (d * gap_ratio(-mu * d) - 2.0 * v)
            } else {
                // Far from v_out, where d would amplify its rounding; at y ≤ 0, pure rounding, the maximum gives 0.
                let speed = self.effective_speed();
                (speed * speed - v * v * gap_ratio(mu * v)).max(0.0)
            }
        };
        self.compression(stored)
    }

    /// Largest compression x_max in m, where the velocity is 0: P09 (4).
    pub fn max_compression(&self) -> f64 {
        let speed = self.effective_speed();
        self.compression(speed * speed)
    }

    /// Velocity v_out in m/s at which the mass leaves the wall; negative.
    pub fn output_velocity(&self) -> f64 {
        output_velocity(self.dissipation, self.velocity)
    }

    /// P09's approximation of v_out in m/s, P09 (7)-(8):
    /// `-(1/μ) [ 1 - (1 + w + 2/3 w² + 2/9 w³ + 14/135 w⁴) e^(-2w) ]`, `w = μ v_in`. At most 2 % off, at w = 3.
    pub fn output_velocity_approx(&self) -> f64 {
        let (mu, v_in) = (self.dissipation, self.velocity.max(0.0));
        let w = mu * v_in;
        if w < f64::MIN_POSITIVE {
            return -v_in;
        }
        if w > CREEP {
            return -1.0 / mu;
        }
        let rest = w * (1.0 + w * (2.0 / 3.0 + w * (2.0 / 9.0 + w * (14.0 / 135.0))));
        (expm1(-2.0 * w) + rest * exp(-2.0 * w)) / mu
    }

    /// Time τ in s from touching the wall to leaving it: P09 (9).
    ///
    /// Costs about 0.1 ms when damped: not for the audio thread.
    pub fn contact_time(&self) -> f64 {
        let speed = self.effective_speed();
        if speed == 0.0 {
            return 0.0;
        }
        let order = self.exponent + 1.0;
        let s = self.dissipation * speed;
        let integral = if s == 0.0 {
            lossless_duration(order)
        } else {
            integrate_unit(|xi, rest| {
                let potential = if xi < 0.5 { 1.0 - pow(xi, order) } else { -expm1(order * log1p(-rest)) };
                let sigma = sqrt(potential);
                (1.0 / gap_root_ratio(s * sigma) + 1.0 / gap_root_ratio(-s * sigma)) / sigma
            })
        };
        self.max_compression() / speed * integral
    }

    /// The velocity v_lim = -1/μ in m/s that no orbit from x = 0 crosses; None for a lossless impact.
    pub fn limit_velocity(&self) -> Option<f64> {
        (self.dissipation > 0.0).then(|| -1.0 / self.dissipation)
    }

    /// Energy K x^(α+1)/(α+1) in J stored in the contact at displacement x (m); 0 outside the wall.
    pub fn potential_energy(&self, displacement: f64) -> f64 {
        let order = self.exponent + 1.0;
        self.stiffness * pow(displacement.max(0.0), order) / order
    }

    /// Kinetic energy m v²/2 in J at a velocity in m/s.
    pub fn kinetic_energy(&self, velocity: f64) -> f64 {
        0.5 * self.mass * velocity * velocity
    }

    /// Energy in J when the mass touches the wall.
    pub fn initial_energy(&self) -> f64 {
        self.kinetic_energy(self.velocity.max(0.0))
    }

    /// Energy in J left when the mass leaves the wall; the rest was dissipated.
    pub fn final_energy(&self) -> f64 {
        self.kinetic_energy(self.output_velocity())
    }

    fn effective_speed(&self) -> f64 {
        effective_speed(self.dissipation, self.velocity)
    }

    /// x with `K x^(α+1)/(α+1) = m/2 · stored`, stored in m²/s².
    fn compression(&self, stored: f64) -> f64 {
        let order = self.exponent + 1.0;
        pow(0.5 * order * (self.mass / self.stiffness) * stored, 1.0 / order)
    }
}

/// Velocity v_out in m/s (negative) at which a mass leaves a Hunt-Crossley wall of dissipation μ (s/m, ≥ 0) that it
/// met at v_in (m/s, > 0). Mass, stiffness and exponent do not matter.
///
/// Accurate to a few units in the last place for every μ v_in. Fit for the audio thread: bounded work, no allocation,
/// no panic. An approach velocity that is not positive gives 0, a dissipation that is not positive counts as 0.
pub fn output_velocity(dissipation: f64, velocity: f64) -> f64 {
    let (mu, v_in) = (dissipation.max(0.0), velocity.max(0.0));
    if mu * v_in > CREEP {
        return -1.0 / mu;
    }
    let speed = effective_speed(mu, v_in);
    // The bounds hold in exact arithmetic; keep them when the last place is rounded.
    (-speed * gap_root_ratio(-mu * speed)).max(-1.0 / mu).max(-v_in)
}

/// Contact time of a lossless impact in units of x_max/v_in, `2√π Γ(1 + 1/(α+1))/Γ(1/2 + 1/(α+1))`, given α + 1.
pub(crate) fn lossless_duration(order: f64) -> f64 {
    2.0 * sqrt(std::f64::consts::PI) * tgamma(1.0 + 1.0 / order) / tgamma(0.5 + 1.0 / order)
}

/// μ v_in beyond which 1 + μ v_out < e^-60 is far below rounding: the mass leaves at v_lim.
const CREEP: f64 = 64.0;

/// S = v_in √g(μ v_in): the speed of a lossless impact that would compress the wall as far.
fn effective_speed(dissipation: f64, velocity: f64) -> f64 {
    let v_in = velocity.max(0.0);
    v_in * sqrt(gap_ratio(dissipation * v_in))
}
