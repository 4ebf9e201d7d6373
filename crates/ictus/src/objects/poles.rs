//! One oscillator with exact poles: the stuff of masses and modes.
//!
//! `m utt = -m ω² u - 2mσ ut + f`, stepped so that frequency and decay are those of the continuous oscillator at any rate
//! (PHYSICS section 5):
//!
//! ```text
//! (1+a) u⁺ = b u - (1-a) u⁻ + k² f/m,    a = tanh(σk),    b = 2 cos(k√(ω²-σ²)) / cosh(σk)
//! ```
//!
//! with cosh(k√(σ²-ω²)) when overdamped; a free mass has a = 0, b = 2. It is the house's three-point form with stiffness
//! `m(2-b)/k²` and decay rate `a/k`: the mass stays m.
//!
//! What is stored is not u and u⁻ but u and the last move `d = u - u⁻`. Divided by 1+a, and with the poles z₁, z₂,
//!
//! ```text
//! d⁺ = r d - c u + B f,    u⁺ = u + d⁺,    r = z₁z₂ = e^(-2σk),    c = (1-z₁)(1-z₂),    B = k²(1+r)/2m
//! ```
//!
//! which says the same but rounds far better: u⁺ = 2u - u⁻ - … loses 1/(ωk)² digits of a low frequency and makes the energy
//! drift by rounding of u against the much smaller u - u⁻. Multiplying by the centred move s = u⁺ - u⁻ = d⁺ + d gives the
//! balance, exact for any r, c, B:
//!
//! ```text
//! H = ( (2(1+r) - c) d² + c (2u - d)² ) / 8B,    H⁺ - H = -(1-r) s²/4B + f s/2
//! ```
//!
//! Both squares have positive weights because |z₁|, |z₂| ≤ 1: H is never negative, up to Nyquist.

use std::f64::consts::TAU;

use super::{ObjectError, checked};
use crate::limits;

/// The step of one oscillator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Poles {
    /// r: what is left of the last move after one step.
    pub persistence: f64,
    /// c: how much of the displacement one step takes back.
    pub restoring: f64,
    /// r - c: the move that follows a move from 0.
    pub carry: f64,
    /// B: displacement over one step per newton, in m/N.
    pub response: f64,
}

/// An oscillator in continuous time, checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oscillator {
    mass: f64,
    /// σk.
    damping: f64,
    /// k√|ω²-σ²|.
    angle: f64,
    overdamped: bool,
    /// (ωk)².
    stiffness: f64,
    step: f64,
}

impl Oscillator {
    /// Mass in kg, frequency in Hz (0 = no spring), decay rate σ in 1/s, sample rate in Hz.
    pub fn new(mass: f64, frequency: f64, sigma: f64, sample_rate: f64) -> Result<Self, ObjectError> {
        checked("sample rate", sample_rate, "from 0.001 to 1e9 Hz", |v| (1e-3..=1e9).contains(&v))?;
        checked("mass", mass, "from 1e-9 to 1e9 kg", |v| (limits::LIGHTEST..=limits::HEAVIEST).contains(&v))?;
        let below_nyquist = "at least 0 Hz and below half the sample rate (Nyquist)";
        checked("frequency", frequency, below_nyquist, |v| v >= 0.0 && v < 0.5 * sample_rate)?;
        checked("decay rate", sigma, "from 0 to 1e9 1/s", |v| (0.0..=limits::FASTEST_DECAY).contains(&v))?;
        let step = 1.0 / sample_rate;
        let swing = TAU * frequency * step;
        let damping = sigma * step;
        let overdamped = damping > swing;
        let angle = ((swing - damping).abs() * (swing + damping)).sqrt();
        Ok(Self { mass, damping, angle, overdamped, stiffness: swing * swing, step })
    }

    /// The step of this oscillator.
    pub fn poles(&self) -> Poles {
        let persistence = libm::exp(-2.0 * self.damping);
        let restoring = if self.overdamped {
            // Poles e^-(x-y), e^-(x+y); x-y = (ωk)²/(x+y) without cancellation.
            let fast = self.damping + self.angle;
            libm::expm1(-self.stiffness / fast) * libm::expm1(-fast)
        } else {
            let shrink = libm::expm1(-self.damping);
            let half = libm::sin(0.5 * self.angle);
            shrink * shrink + 4.0 * libm::exp(-self.damping) * half * half
        };
        let response = self.step * self.step * (1.0 + persistence) / (2.0 * self.mass);
        Poles { persistence, restoring, carry: persistence - restoring, response }
    }

    /// The move u(0) - u(-k) that starts a displacement in m and a velocity in m/s at sample 0, so that every later sample is
    /// on the continuous solution. Where the loss is so strong that the past would be astronomically large (σk > 1), the
    /// move is k times the velocity.
    pub fn first_move(&self, displacement: f64, velocity: f64) -> f64 {
        if self.damping > 1.0 {
            return self.step * velocity;
        }
        let (one_less_cosine, sine_over_angle) = match (self.overdamped, self.angle) {
            (_, 0.0) => (0.0, 1.0),
            (true, angle) => (-2.0 * squared(libm::sinh(0.5 * angle)), libm::sinh(angle) / angle),
            (false, angle) => (2.0 * squared(libm::sin(0.5 * angle)), libm::sin(angle) / angle),
        };
        let growth = libm::exp(self.damping);
        let from_displacement = one_less_cosine - (1.0 - one_less_cosine) * libm::expm1(self.damping)
            + growth * self.damping * sine_over_angle;
        displacement * from_displacement + growth * self.step * velocity * sine_over_angle
    }
}

impl Poles {
    /// The next move without a force: `r d - c u`, from the last move d and the displacement u⁻ before it, so that nothing waits for
    /// their sum. (Not `(r - c) d - c u⁻`: where c is small, r - c rounds it, and the energy of 3 Hz drifts by 4e-12 in 10 s.)
    #[inline]
    pub fn free_move(&self, before: f64, last_move: f64) -> f64 {
        (self.persistence * last_move - self.restoring * before) - self.restoring * last_move
    }

    /// The largest displacement and move, over √B, that an energy in J allows: `√(H (2/c + 2/(2(1+r) - c)))` and `√(8 H/(2(1+r) - c))`.
    pub fn largest(&self, energy: f64) -> [f64; 2] {
        if energy == 0.0 {
            return [0.0; 2];
        }
        let inertia = (2.0 * (1.0 + self.persistence) - self.restoring).max(f64::MIN_POSITIVE);
        [2.0 / self.restoring + 2.0 / inertia, 8.0 / inertia].map(|squared| (energy * squared).sqrt())
    }

    /// Weight of d² in 8BH; clipped because rounding can leave it a hair below 0 at Nyquist.
    #[inline]
    pub fn move_weight(&self) -> f64 {
        (2.0 * (1.0 + self.persistence) - self.restoring).max(0.0)
    }

    /// Stored energy in J at the half sample before u.
    #[inline]
    pub fn stored(&self, displacement: f64, last_move: f64) -> f64 {
        let sum = 2.0 * displacement - last_move;
        (self.move_weight() * (last_move * last_move) + self.restoring * (sum * sum)) / (8.0 * self.response)
    }

    /// (1-r)/4B.
    #[inline]
    pub fn loss_weight(&self) -> f64 {
        (1.0 - self.persistence) / (4.0 * self.response)
    }

    /// Energy in J lost by a step whose two moves add up to s = u⁺ - u⁻.
    #[inline]
    pub fn dissipated(&self, two_moves: f64) -> f64 {
        self.loss_weight() * (two_moves * two_moves)
    }
}

/// Not `powi`, whose bits may differ between platforms.
fn squared(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_form_is_the_three_point_form_of_the_equation() {
        let step = 1.0 / 48_000.0;
        for (frequency, sigma) in [(440.0, 3.0), (23_000.0, 100.0), (50.0, 2000.0), (0.0, 12.0), (0.0, 0.0)] {
            let poles = Oscillator::new(0.02, frequency, sigma, 48_000.0).unwrap().poles();
            let omega = TAU * frequency;
            let a = (sigma * step).tanh();
            let cosine = if sigma > omega {
                (step * (sigma * sigma - omega * omega).sqrt()).cosh()
            } else {
                (step * (omega * omega - sigma * sigma).sqrt()).cos()
            };
            let b = 2.0 * cosine / (sigma * step).cosh();
            let (before, now, force) = (0.3, -0.7, 2000.0);
            let expected = (b * now - (1.0 - a) * before + step * step * force / 0.02) / (1.0 + a);
            let next = now + poles.free_move(before, now - before) + poles.response * force;
            assert!((next - expected).abs() < 1e-14, "{frequency} Hz, {sigma} 1/s: {next} and {expected}");
        }
    }
}
