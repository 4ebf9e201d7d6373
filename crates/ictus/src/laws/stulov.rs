//! A piano hammer's felt, which remembers how it was pressed: stiffer when loaded than when unloaded.
//!
//! ```text
//! f = K ([η]+^α - (ε/τ) ∫ e^((ξ-t)/τ) [η(ξ)]+^α dξ),   that is   ż = ([η]+^α - z)/τ,   f = K ([η]+^α - ε z)
//! ```
//!
//! Source: A04 (2)-(3), after Stulov (1995). Its force depends on the past. [`StulovState`] is an integrator for a motion that is known, as in the
//! laboratory.
//!
//! Between two samples `p = [η]+^α` is taken as a straight line, for which the memory equation has an exact
//! solution. With `E = e^(-k/τ)`:
//!
//! ```text
//! z1 = z0 + (1 - E)(p0 - z0) + (1 - (1 - E) τ/k)(p1 - p0)
//! ```
//!
//! It is stable for any ratio of time step to relaxation time, and of second order. Rejected: the trapezoidal
//! rule, which rings when the felt relaxes within a sample.
//!
//! The formula turns negative late in the unloading, when the felt has not yet regained its shape. Felt cannot
//! pull, so there, as out of contact (A04 (2), second line), the force is 0.
//!
//! **Energy.** The felt is passive, which the sources do not say. It holds
//!
//! ```text
//! E(η, z) = K ( η^(α+1)/(α+1) - ε z η + ε α/(α+1) z^((α+1)/α) ) ≥ 0,     ∂E/∂η = f,   -∂E/∂z = Kε (η - ζ),   ζ = z^(1/α)
//! dE/dt = f η̇ - (Kε/τ)(η - ζ)(η^α - z)
//! ```
//!
//! not negative by Young's inequality as ε < 1, and the loss is a product of two numbers of one sign; for α = 1 it is
//! the standard linear solid. Where the felt would pull it is slack: E stays at its least value over η, which it has at
//! `η = ε^(1/α) ζ`, and falls as z fades.
//!
//! In the engine ψ = √(2E); `contact/felt.rs` has the step. As a [`Law`](super::Law) it is what a felt is that has long been left alone and is
//! pressed at once: the power law of stiffness K. With ε = 0 it is that law, and nothing else.

use super::info::{Allowed, EXPONENT, LawInfo, ParameterInfo, STIFFNESS};
use super::numbered::Numbered;
use super::power_potential::PowerPotential;
use super::{ContactLaw, LawError};
use crate::math::relaxation::Relaxation;

/// Largest `[η]+^α` the memory takes in: its sums and differences must not overflow.
const LARGEST_POWER: f64 = f64::MAX / 4.0;

const RELAXATION: ParameterInfo = ParameterInfo {
    name: "relaxation time",
    symbol: "τ",
    unit: "s",
    allowed: Allowed::GreaterThan(0.0),
    default: None,
    scales: false,
};

const TIME_STEP: ParameterInfo = ParameterInfo { name: "time step", symbol: "k", ..RELAXATION };

/// A felt's parameters; [`StulovFelt::relaxed`] makes the felt itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StulovFelt {
    stiffness: f64,
    /// With K = 1: its force is `[η]^α`.
    shape: PowerPotential,
    hysteresis: f64,
    relaxation_time: f64,
    /// `ε^(1/α)`.
    slack_from: f64,
}

impl StulovFelt {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "stulov-felt",
        title: "Stulov felt",
        summary: "felt with a memory, stiffer when loaded than when unloaded",
        formula: "f = K([η]+^α - ε z), dz/dt = ([η]+^α - z)/τ",
        parameters: &[
            STIFFNESS,
            EXPONENT,
            ParameterInfo {
                name: "hysteresis",
                symbol: "ε",
                unit: "1",
                allowed: Allowed::Between { least: 0.0, below: 1.0 },
                default: None,
                scales: false,
            },
            RELAXATION,
        ],
        usual: &[1e8, 2.5, 0.2, 1e-4],
        source: "A04 (2)-(3)",
    };

    /// Stiffness K > 0 in N/m^α of a sudden blow, exponent α ≥ 1, hysteresis 0 ≤ ε < 1, relaxation time τ > 0
    /// in s.
    ///
    /// A slow press meets the stiffness K(1-ε) only: a larger ε makes soft blows duller. The loss is greatest
    /// when the contact lasts about as long as τ.
    pub fn new(stiffness: f64, exponent: f64, hysteresis: f64, relaxation_time: f64) -> Result<Self, LawError> {
        Self::INFO.check([stiffness, exponent, hysteresis, relaxation_time])?;
        let slack_from = libm::pow(hysteresis, 1.0 / exponent);
        Ok(Self { stiffness, shape: PowerPotential::new(1.0, exponent), hysteresis, relaxation_time, slack_from })
    }

    /// Stiffness K in N/m^α.
    pub fn stiffness_coefficient(&self) -> f64 {
        self.stiffness
    }

    /// Exponent α.
    pub fn exponent(&self) -> f64 {
        self.shape.exponent()
    }

    /// Hysteresis ε.
    pub fn hysteresis(&self) -> f64 {
        self.hysteresis
    }

    /// Relaxation time τ in s.
    pub fn relaxation_time(&self) -> f64 {
        self.relaxation_time
    }

    /// A felt of this kind that has long been left alone, to be stepped every `time_step` > 0 seconds.
    pub fn relaxed(&self, time_step: f64) -> Result<StulovState, LawError> {
        if !TIME_STEP.allowed.contains(time_step) {
            return Err(Self::INFO.out_of_range(&TIME_STEP, time_step));
        }
        let relaxation = Relaxation::over(time_step / self.relaxation_time);
        Ok(StulovState { felt: *self, relaxation, power: 0.0, memory: 0.0 })
    }

    /// Energy E in J held at a compression in m and a memory z ≥ 0 in m^α; never negative.
    pub fn stored_energy(&self, compression: f64, memory: f64) -> f64 {
        let (order, memorised) = (self.exponent() + 1.0, self.depth_of(memory));
        let pushed = compression.max(self.slack_from * memorised);
        let kept = self.hysteresis * memory * ((order - 1.0) / order * memorised - pushed);
        (self.stiffness * (pushed * self.power(pushed) / order + kept)).max(0.0)
    }

    /// Force in N at a compression in m and a memory z in m^α; never negative.
    #[inline]
    pub fn held_force(&self, compression: f64, memory: f64) -> f64 {
        (self.stiffness * (self.power(compression) - self.hysteresis * memory)).max(0.0)
    }

    /// How far in m it keeps being pressed in by a memory z in m^α when nothing touches it: `ε^(1/α) ζ`.
    #[inline]
    pub fn slack(&self, memory: f64) -> f64 {
        self.slack_from * self.depth_of(memory)
    }

    /// ζ in m: the compression that a memory z in m^α is the memory of.
    #[inline]
    pub fn depth_of(&self, memory: f64) -> f64 {
        libm::pow(memory, 1.0 / self.exponent())
    }

    /// `[η]+^α` in m^α, which the memory goes to.
    #[inline]
    pub fn power(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.shape.force(compression).min(LARGEST_POWER) } else { 0.0 }
    }
}

/// One felt with its memory, at one time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StulovState {
    felt: StulovFelt,
    relaxation: Relaxation,
    /// `[η]+^α` at the last sample.
    power: f64,
    /// z at the last sample.
    memory: f64,
}

impl StulovState {
    /// Moves on by one time step, to this compression in m, and returns the felt's force in N, never negative.
    #[inline]
    pub fn step(&mut self, compression: f64) -> f64 {
        let power = self.felt.power(compression);
        let Relaxation { step, ramp, .. } = self.relaxation;
        self.memory += step * (self.power - self.memory) + ramp * (power - self.power);
        self.power = power;
        (self.felt.stiffness * (power - self.felt.hysteresis * self.memory)).max(0.0)
    }

    /// The felt's parameters.
    pub fn felt(&self) -> &StulovFelt {
        &self.felt
    }

    /// The memory z in m^α: the fading average of `[η]+^α`.
    pub fn memory(&self) -> f64 {
        self.memory
    }

    /// Back to a felt that has long been left alone.
    pub fn reset(&mut self) {
        self.power = 0.0;
        self.memory = 0.0;
    }
}

impl Numbered for StulovFelt {
    type Numbers = [f64; 4];

    fn from_numbers([stiffness, exponent, hysteresis, relaxation_time]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(stiffness, exponent, hysteresis, relaxation_time)
    }

    fn numbers(&self) -> Self::Numbers {
        [self.stiffness, self.exponent(), self.hysteresis, self.relaxation_time]
    }
}

/// The felt that has long been left alone.
impl ContactLaw for StulovFelt {
    #[inline]
    fn potential(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.stiffness * self.shape.potential(compression) } else { 0.0 }
    }

    #[inline]
    fn force(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.stiffness * self.shape.force(compression) } else { 0.0 }
    }

    #[inline]
    fn stiffness(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.stiffness * self.shape.stiffness(compression) } else { 0.0 }
    }

    #[inline]
    fn root(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.stiffness.sqrt() * self.shape.root(compression) } else { 0.0 }
    }

    #[inline]
    fn root_slope(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.stiffness.sqrt() * self.shape.root_slope(compression) } else { 0.0 }
    }

    fn surface(&self) -> Option<f64> {
        Some(0.0)
    }

    fn power_law(&self) -> Option<(f64, f64, f64)> {
        (self.hysteresis == 0.0).then(|| (self.stiffness, self.exponent(), 0.0))
    }

    #[inline]
    fn felt(&self) -> Option<&StulovFelt> {
        (self.hysteresis > 0.0).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_rise_is_integrated_exactly_at_any_step() -> Result<(), LawError> {
        let (stiffness, hysteresis, tau, speed) = (1e4, 0.7, 1e-3, 0.5);
        let felt = StulovFelt::new(stiffness, 1.0, hysteresis, tau)?;
        for time_step in [1e-8, 1e-6, 4.9e-4, 5.1e-4, 1e-3, 0.1] {
            let mut state = felt.relaxed(time_step)?;
            for n in 1..=100 {
                let time = f64::from(n) * time_step;
                let force = state.step(speed * time);
                let memory = speed * (time + tau * libm::expm1(-time / tau));
                let exact = stiffness * (speed * time - hysteresis * memory);
                assert!((force / exact - 1.0).abs() < 1e-12, "step {time_step}, sample {n}");
                assert!((state.memory() / memory - 1.0).abs() < 1e-7, "step {time_step}");
            }
        }
        Ok(())
    }

    #[test]
    fn a_felt_held_still_relaxes_to_its_slow_stiffness() -> Result<(), LawError> {
        let felt = StulovFelt::new(1e9, 2.5, 0.6, 1e-4)?;
        let mut state = felt.relaxed(1e-5)?;
        let eta = 1e-3;
        let first = state.step(eta);
        let last = (0..1000).fold(first, |_, _| state.step(eta));
        let slow = 1e9 * 0.4 * libm::pow(eta, 2.5);
        assert!(first > last);
        assert!((last / slow - 1.0).abs() < 1e-12);
        Ok(())
    }

    #[test]
    fn felt_gives_back_no_more_than_it_was_given() -> Result<(), LawError> {
        for (exponent, hysteresis, tau) in [(1.0, 0.5, 1e-3), (2.5, 0.9, 1e-3), (1.5, 0.99, 1e-4), (3.0, 0.3, 1e-2)] {
            let felt = StulovFelt::new(1e9, exponent, hysteresis, tau)?;
            let time_step = 1e-7;
            let mut state = felt.relaxed(time_step)?;
            let (mut eta, mut force, mut lost, mut most) = (0.0, 0.0, 0.0_f64, 0.0_f64);
            for n in 1..=40_000 {
                let time = f64::from(n) * time_step;
                let next = 1e-3 * libm::sin(3000.0 * time) * libm::cos(1100.0 * time);
                let before = felt.stored_energy(eta, state.memory());
                let next_force = state.step(next);
                let after = felt.stored_energy(next, state.memory());
                let step = 0.5 * (force + next_force) * (next - eta) - (after - before);
                (eta, force, lost, most) = (next, next_force, lost + step, most.max(after));
                assert!(step > -1e-7 * most, "{felt:?} at {time}: {step} of {most}");
            }
            assert!(lost > 0.01 * most, "{felt:?}: {lost} of {most}");
        }
        Ok(())
    }

    #[test]
    fn felt_released_at_once_does_not_pull_and_forgets() -> Result<(), LawError> {
        let felt = StulovFelt::new(1e9, 2.5, 0.99, 1e-3)?;
        let mut state = felt.relaxed(1e-5)?;
        for _ in 0..1000 {
            state.step(1e-3);
        }
        // Still pressed, but less than the felt remembers.
        assert_eq!(state.step(5e-4), 0.0);
        assert_eq!(state.step(-1e-3), 0.0);
        assert!(state.memory() > 0.0);
        state.reset();
        assert_eq!(state, felt.relaxed(1e-5)?);
        Ok(())
    }

    #[test]
    fn no_compression_however_large_makes_a_nan() -> Result<(), LawError> {
        let mut state = StulovFelt::new(1e9, 5.0, 0.9, 1e-4)?.relaxed(1e-5)?;
        for compression in [0.0, 5e-324, 1e300, f64::MAX, f64::MAX, -f64::MAX, 0.0, 1e-3] {
            let force = state.step(compression);
            assert!(force >= 0.0, "force {force} at {compression}");
            assert!(state.memory().is_finite());
        }
        Ok(())
    }

    #[test]
    fn a_time_step_of_zero_is_refused() -> Result<(), LawError> {
        let felt = StulovFelt::new(1e9, 2.5, 0.6, 1e-4)?;
        let message = felt.relaxed(0.0).map_err(|error| error.to_string());
        let expected = "Stulov felt: time step is 0, must be greater than 0";
        assert_eq!(message, Err(expected.to_owned()));
        Ok(())
    }
}
