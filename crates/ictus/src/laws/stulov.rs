//! A piano hammer's felt, which remembers how it was pressed: stiffer when loaded than when unloaded.
//!
//! ```text
//! f = K ([η]+^α - (ε/τ) ∫ e^((ξ-t)/τ) [η(ξ)]+^α dξ),   that is   ż = ([η]+^α - z)/τ,   f = K ([η]+^α - ε z)
//! ```
//!
//! Source: A04 (2)-(3), after Stulov (1995). Its force depends on the past, so it has no potential φ(η) and
//! stands outside [`Law`](super::Law), with its own integrator.
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
//! E(η, z) = K ( η^(α+1)/(α+1) - ε z η + ε α/(α+1) z^((α+1)/α) ) ≥ 0,     ∂E/∂η = f
//! dE/dt = f η̇ - (Kε/τ)(η - z^(1/α))(η^α - z)
//! ```
//!
//! not negative by Young's inequality as ε < 1, and the loss is a product of two numbers of one sign; for α = 1 it is
//! the standard linear solid. Where the felt would pull, E stays at its least value over η, and falls as z fades.
//!
//! In the engine it would be a contact whose potential `E(η, z) - min E` changes under it as z moves, ψ being scaled with
//! it in every sample and the rest of E kept beside ψ. It is left out because ψ and its slope are then no function of η
//! that can be prepared, but need four general powers and the sum near the least value taken as a series, in every sample
//! and in every joint solve; [`HuntCrossley`](super::HuntCrossley) has the loss and the shape of the force at a tenth of that.

use super::LawError;
use super::info::{Allowed, EXPONENT, LawInfo, ParameterInfo, STIFFNESS};
use super::power_potential::PowerPotential;

/// Largest `[η]+^α` the memory takes in: its sums and differences must not overflow.
const LARGEST_POWER: f64 = f64::MAX / 4.0;

/// Below this ratio of time step to relaxation time, [`ramp_weight`] is summed as a series.
const SMALL_RATIO: f64 = 0.5;

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
        Ok(Self { stiffness, shape: PowerPotential::new(1.0, exponent), hysteresis, relaxation_time })
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
        let ratio = time_step / self.relaxation_time;
        Ok(StulovState {
            felt: *self,
            step_weight: -libm::expm1(-ratio),
            ramp_weight: ramp_weight(ratio),
            power: 0.0,
            memory: 0.0,
        })
    }

    /// Energy in J held at a compression in m and a memory z ≥ 0 in m^α; never negative.
    pub fn stored_energy(&self, compression: f64, memory: f64) -> f64 {
        let order = self.exponent() + 1.0;
        let root = |value: f64| libm::pow(value, 1.0 / self.exponent());
        let pushed = compression.max(root(self.hysteresis * memory));
        let kept = self.hysteresis * memory * ((order - 1.0) / order * root(memory) - pushed);
        (self.stiffness * (pushed * self.power(pushed) / order + kept)).max(0.0)
    }

    /// `[η]+^α` in m^α.
    #[inline]
    fn power(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.shape.force(compression).min(LARGEST_POWER) } else { 0.0 }
    }
}

/// One felt with its memory, at one time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StulovState {
    felt: StulovFelt,
    /// `1 - E`: what the memory takes over of a constant within one step.
    step_weight: f64,
    /// `1 - (1 - E) τ/k`: what it takes over of a rise spread over the step.
    ramp_weight: f64,
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
        self.memory += self.step_weight * (self.power - self.memory) + self.ramp_weight * (power - self.power);
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

/// `1 - (1 - e^-x)/x`, which for small x is `x/2 (1 - x/3 (1 - x/4 (1 - …)))`.
fn ramp_weight(x: f64) -> f64 {
    if x < SMALL_RATIO {
        let series = (3..=18).rev().fold(1.0, |rest, n| 1.0 - x / f64::from(n) * rest);
        0.5 * x * series
    } else {
        1.0 + libm::expm1(-x) / x
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
    fn the_ramp_weight_is_continuous_where_its_series_ends() {
        for x in [1e-3_f64, 0.1, 0.3, 0.499] {
            let direct = 1.0 + libm::expm1(-x) / x;
            assert!((ramp_weight(x) / direct - 1.0).abs() < 1e-15 / x);
        }
        assert!((ramp_weight(1e-12) / 5e-13 - 1.0).abs() < 1e-11);
        assert_eq!(ramp_weight(f64::INFINITY), 1.0);
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
