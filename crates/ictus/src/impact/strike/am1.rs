//! A04's own scheme: every mode by the trapezoidal rule (AM1, the bilinear transformation), the contact by the K-method.
//!
//! For one mode, `Δ = 1 + σk + ω²k²/4`:
//!
//! ```text
//! Δ v⁺ = (2 - Δ) v - kω² x + (k t/2m)(f + f⁺),    x⁺ = x + (k/2)(v + v⁺)
//! ```
//!
//! so η⁺ and η̇⁺ are known but for multiples of f⁺, and one scalar equation is left, the one of [`super::super::am1`].

use super::super::am1::{Gains, new_force};
use super::{Mode, Strike, StrikeError, Struck};
use crate::impact::FailureKind;
use crate::laws::Law;

impl Strike {
    /// The strike by AM1 and the K-method, for `samples` samples after the first touch.
    ///
    /// # Errors
    /// A parameter is out of range, or a sample is not finite.
    pub fn by_am1(&self, samples: usize) -> Result<Struck, StrikeError> {
        let law = Law::from(self.law()?);
        let modes = self.modes()?;
        let k = 1.0 / self.rate;
        // The hammer is a mode without spring or loss that the force pushes back.
        let hammer = Mode { weight: -1.0, response: -1.0 / self.hammer.mass, stiffness: 0.0, sigma: 0.0 };
        let steps: Vec<Step> = modes.iter().chain([&hammer]).map(|mode| Step::of(mode, k)).collect();
        let mut states = vec![State::default(); steps.len()];
        if let Some(hammer) = states.last_mut() {
            hammer.velocity = self.hammer.velocity;
        }
        let gains = Gains {
            displacement: steps.iter().map(|step| step.weight * 0.5 * k * step.gain).sum(),
            velocity: steps.iter().map(|step| step.weight * step.gain).sum(),
        };
        let mut struck = Struck::default();
        let mut force = 0.0;
        for sample in 0..=samples {
            if sample > 0 {
                for (state, step) in states.iter_mut().zip(&steps) {
                    *state = step.free(state, force, k);
                }
                let free = (-sum(&steps, &states, |s| s.displacement), -sum(&steps, &states, |s| s.velocity));
                force = new_force(&law, free, gains, force)?.value;
                for (state, step) in states.iter_mut().zip(&steps) {
                    state.velocity += step.gain * force;
                    state.displacement += 0.5 * k * step.gain * force;
                }
            }
            let compression = -sum(&steps, &states, |s| s.displacement);
            let hammer = states.last().map_or(0.0, |state| state.displacement);
            if !(compression.is_finite() && force.is_finite()) {
                return Err(FailureKind::NotFinite.into());
            }
            struck.displacement.push(hammer - compression);
            struck.compression.push(compression);
            struck.force.push(force);
        }
        struck.find_contacts(self.hammer.velocity, self.rate);
        Ok(struck)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    displacement: f64,
    velocity: f64,
}

/// The trapezoidal step of one mode.
struct Step {
    weight: f64,
    /// v⁺ per newton of f⁺, in m/s.
    gain: f64,
    /// (2 - Δ)/Δ.
    persistence: f64,
    /// kω²/Δ in 1/s.
    restoring: f64,
}

impl Step {
    fn of(mode: &Mode, k: f64) -> Self {
        let divisor = 1.0 + mode.sigma * k + 0.25 * mode.stiffness * k * k;
        Self {
            weight: mode.weight,
            gain: 0.5 * k * mode.response / divisor,
            persistence: (2.0 - divisor) / divisor,
            restoring: k * mode.stiffness / divisor,
        }
    }

    /// The next state with no force at the end of the step.
    fn free(&self, from: &State, force: f64, k: f64) -> State {
        let velocity = self.persistence * from.velocity - self.restoring * from.displacement + self.gain * force;
        State { displacement: from.displacement + 0.5 * k * (from.velocity + velocity), velocity }
    }
}

fn sum(steps: &[Step], states: &[State], part: impl Fn(&State) -> f64) -> f64 {
    steps.iter().zip(states).map(|(step, state)| step.weight * part(state)).sum()
}
