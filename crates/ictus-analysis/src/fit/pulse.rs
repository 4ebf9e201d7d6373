//! The shape of a blow's force over its duration: that of a mass on a wall with f = x^α (1 + μẋ), whatever its stiffness, mass and velocity.
//!
//! In units where m = K = v_in = 1 the motion ẍ = -x^α (1 + wẋ) depends on α and on w = μ v_in alone, and w on the restitution. Steps of Runge
//! and Kutta over the closed contact time. α makes the pulse narrow in the middle, loss puts its middle early: contacts of one duration have
//! widths that differ by a fifth, so a duration cannot be told without both.

use ictus::impact::exact::WallImpact;

use crate::design::wall::damping;

/// Steps over the contact.
pub const STEPS: usize = 128;

/// A force over its duration.
#[derive(Clone, Debug)]
pub struct Pulse {
    /// In the middle of each step; the sum is 1.
    force: Vec<f64>,
    /// Where its centre lies, as a part of the duration.
    pub centre: f64,
    /// Its standard deviation, as a part of the duration.
    pub width: f64,
}

impl Pulse {
    /// Of this exponent, 1 or above, and this restitution, above 0 and at most 1.
    pub fn of(exponent: f64, restitution: f64) -> Self {
        let loss = damping(restitution).unwrap_or(0.0);
        let wall = WallImpact { mass: 1.0, stiffness: 1.0, exponent, dissipation: loss, velocity: 1.0 };
        let step = wall.contact_time() / STEPS as f64;
        let acceleration = |x: f64, v: f64| -x.max(0.0).powf(exponent) * (1.0 + loss * v);
        let advance = |(x, v): (f64, f64), step: f64| {
            let half = 0.5 * step;
            let a1 = acceleration(x, v);
            let (v2, a2) = (v + half * a1, acceleration(x + half * v, v + half * a1));
            let (v3, a3) = (v + half * a2, acceleration(x + half * v2, v + half * a2));
            let (v4, a4) = (v + step * a3, acceleration(x + step * v3, v + step * a3));
            (x + step / 6.0 * (v + 2.0 * (v2 + v3) + v4), v + step / 6.0 * (a1 + 2.0 * (a2 + a3) + a4))
        };
        let mut state = advance((0.0, 1.0), 0.5 * step);
        let mut force = Vec::with_capacity(STEPS);
        for _ in 0..STEPS {
            force.push(-acceleration(state.0, state.1));
            state = advance(state, step);
        }
        let whole: f64 = force.iter().sum();
        force.iter_mut().for_each(|f| *f /= whole);
        let place = |i: usize| (i as f64 + 0.5) / STEPS as f64;
        let centre: f64 = force.iter().enumerate().map(|(i, f)| f * place(i)).sum();
        let width = force.iter().enumerate().map(|(i, f)| f * (place(i) - centre).powi(2)).sum::<f64>().sqrt();
        Self { force, centre, width }
    }

    /// In the middle of each of so many steps over the duration; the sum is 1.
    pub fn over(&self, steps: usize) -> Vec<f64> {
        let at = |i: usize| {
            let place = (i as f64 + 0.5) / steps as f64 * STEPS as f64 - 0.5;
            let below = place.floor();
            let value = |k: f64| if k < 0.0 { 0.0 } else { self.force.get(k as usize).copied().unwrap_or(0.0) };
            value(below) + (value(below + 1.0) - value(below)) * (place - below)
        };
        let mut force: Vec<f64> = (0..steps).map(at).collect();
        let whole: f64 = force.iter().sum();
        force.iter_mut().for_each(|f| *f /= whole);
        force
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spring_without_loss_pushes_as_half_a_sine_and_a_lossy_blow_is_early() {
        let sine = Pulse::of(1.0, 1.0);
        for (i, f) in sine.over(STEPS).iter().enumerate() {
            let angle = std::f64::consts::PI * (i as f64 + 0.5) / STEPS as f64;
            assert!((f - angle.sin() * std::f64::consts::FRAC_PI_2 / STEPS as f64).abs() < 1e-6, "{i}: {f}");
        }
        assert!((sine.centre - 0.5).abs() < 1e-6, "{}", sine.centre);
        let lossy = Pulse::of(2.5, 0.6);
        assert!(lossy.centre < 0.4 && lossy.width < 0.8 * sine.width, "{lossy:?}");
    }
}
