//! Loss, said in the words of whoever measures it, turned into the decay rates of the equations.
//!
//! A free vibration decays as `e^(-σt)`. One oscillator has one σ; along a string, bar, membrane or plate
//!
//! ```text
//! σ(ω) = σ0 + σ1 S(ω)
//! ```
//!
//! from the terms `-2σ0 ut + 2σ1 utxx` of PHYSICS section 5, with S the mean squared slope of the mode that rings at ω ([`super::slope`]): the
//! squared wave number β² where ends and edges are simply supported. T60 is the time in which the amplitude falls by 60 dB, to a thousandth:
//! `e^(-σ T60) = 10⁻³`, so `σ = 3 ln 10 / T60`.
//!
//! **Decay times at two frequencies** are those of what sounds at these frequencies, on the grid and at the rate of the body. A mode that rings at ω and decays at σ
//! has the pole `z = e^(-σk + iωk)`; put into its step ([`super::ringing`]) that is, exactly,
//!
//! ```text
//! e = (1 + σ0k) |1 - z|²,     σ0k (1 + r) + 2σ1k S(e) = 1 - r,     r = |z|² = e^(-2σk)
//! ```
//!
//! two linear equations for σ0 and σ1. As the grid and S depend a little on both, they are solved anew until they repeat themselves. A frequency that
//! no mode has counts as slope.rs says.

use std::f64::consts::{LN_10, PI, TAU};

use super::{ObjectError, checked};

/// Loss of one oscillator or mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Decay {
    /// It rings for ever.
    #[default]
    None,
    /// Decay rate σ in 1/s, at least 0: the amplitude falls as `e^(-σt)`.
    Sigma(f64),
    /// Time in s in which the amplitude falls by 60 dB, more than 0.
    T60(f64),
    /// Quality q = ω/2σ, more than 0; below ½ it does not swing at all. Needs a frequency above 0.
    Quality(f64),
}

impl Decay {
    /// The decay rate σ in 1/s of an oscillator of this frequency in Hz.
    ///
    /// # Errors
    /// The value is not in the range given at its variant, or a quality is asked of something without a frequency.
    pub fn sigma(self, frequency: f64) -> Result<f64, ObjectError> {
        match self {
            Self::None => Ok(0.0),
            Self::Sigma(sigma) => checked("decay rate", sigma, "at least 0 1/s", |v| v >= 0.0),
            Self::T60(seconds) => sigma_from_t60("T60", seconds),
            Self::Quality(quality) => {
                checked("quality", quality, "more than 0", |v| v > 0.0)?;
                checked("frequency", frequency, "more than 0 Hz where a quality is given", |v| v > 0.0)?;
                checked("quality", quality, "so large that the decay rate is a number", |v| {
                    (TAU * frequency / (2.0 * v)).is_finite()
                })?;
                Ok(TAU * frequency / (2.0 * quality))
            }
        }
    }
}

/// T60 in s at one frequency in Hz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct T60At {
    /// Frequency in Hz, more than 0.
    pub frequency: f64,
    /// Time in s in which the amplitude falls by 60 dB, more than 0.
    pub seconds: f64,
}

/// Loss of a string, bar, membrane or plate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Loss {
    /// It rings for ever.
    #[default]
    None,
    /// The rates of the equation.
    Sigma {
        /// σ0 in 1/s, at least 0: loss at every frequency alike.
        sigma0: f64,
        /// σ1 in m²/s, at least 0: loss that grows with frequency; dulls the sound as it dies.
        sigma1: f64,
    },
    /// Decay times at two different frequencies, in any order: a mode of that frequency decays in that time, however the body is held. The higher
    /// one must not ring longer than the lower one, nor so much shorter that σ0 would be negative.
    T60 {
        /// One of the two.
        first: T60At,
        /// The other.
        second: T60At,
    },
}

/// Decay times at two frequencies, checked, the lower frequency first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecayTimes {
    /// Angular frequencies ω in rad/s.
    frequencies: [f64; 2],
    /// Decay rates σ in 1/s.
    sigmas: [f64; 2],
    /// What was asked at the higher frequency, for messages.
    higher: T60At,
}

/// Times that the two rates are worked out at most; three or four are needed.
const PASSES: usize = 10;
/// Part by which the rates may still change.
const SETTLED: f64 = 1e-6;

impl DecayTimes {
    /// # Errors
    /// A number is out of range, or the higher frequency is to ring longer.
    pub(crate) fn new([first, second]: [T60At; 2]) -> Result<Self, ObjectError> {
        let (low, high) = if first.frequency <= second.frequency { (first, second) } else { (second, first) };
        checked("lower frequency of T60", low.frequency, "more than 0 Hz", |v| v > 0.0)?;
        checked("higher frequency of T60", high.frequency, "above the lower one", |v| v > low.frequency)?;
        let low_sigma = sigma_from_t60("T60 at the lower frequency", low.seconds)?;
        let high_sigma = sigma_from_t60(HIGHER, high.seconds)?;
        checked(HIGHER, high.seconds, "at most T60 at the lower frequency (else sigma1 < 0)", |v| v <= low.seconds)?;
        Ok(Self {
            frequencies: [low, high].map(|at| TAU * at.frequency),
            sigmas: [low_sigma, high_sigma],
            higher: high,
        })
    }

    /// σ0 in 1/s and σ1 in m²/s with which a body decays in these times at a sample rate in Hz.
    ///
    /// `plane_wave` is S in 1/m² of an endless medium over ω, for a start; `lay` gives S over e of the body with some σ0 and σ1 on its grid.
    ///
    /// # Errors
    /// What `lay` has against the body, or that σ0 would be negative.
    pub(crate) fn rates<S: Fn(f64) -> f64>(
        &self,
        rate: f64,
        plane_wave: impl Fn(f64) -> f64,
        mut lay: impl FnMut([f64; 2]) -> Result<S, ObjectError>,
    ) -> Result<[f64; 2], ObjectError> {
        let k = 1.0 / rate;
        let [low, high] = self.sigmas;
        let [gentle, steep] = self.frequencies.map(plane_wave);
        let viscous = if high > low { (high - low) / (steep - gentle) } else { 0.0 };
        let mut rates = [(low - viscous * gentle).max(0.0), viscous];
        for _ in 0..PASSES {
            let slope = lay(rates)?;
            let slopes = [0, 1].map(|at| slope((1.0 + rates[0] * k) * self.eigenvalue(at, k)));
            let last = std::mem::replace(&mut rates, self.solve(slopes, k)?);
            let settled = |at: usize| (rates[at] - last[at]).abs() <= SETTLED * rates[at];
            if settled(0) && settled(1) {
                break;
            }
        }
        Ok(rates)
    }

    /// |1 - z|². A frequency beyond Nyquist, which no mode has, goes on as in the continuous body.
    fn eigenvalue(&self, at: usize, k: f64) -> f64 {
        let (phase, radius) = (self.frequencies[at] * k, libm::exp(-self.sigmas[at] * k));
        let (within, beyond) = (phase.min(PI), (phase / PI).max(1.0));
        let (sine, lost) = (libm::sin(0.5 * within), 1.0 - radius);
        (lost * lost + 4.0 * radius * sine * sine) * beyond * beyond
    }

    /// σ0 and σ1 from S at the two frequencies.
    fn solve(&self, [gentle, steep]: [f64; 2], k: f64) -> Result<[f64; 2], ObjectError> {
        // 1 - r, which does not cancel.
        let [low, high] = self.sigmas.map(|sigma| -libm::expm1(-2.0 * sigma * k));
        let sigma1 = if high > low {
            checked("higher frequency of T60", self.higher.frequency, STEEPER, |_| steep > gentle)?;
            (high - low) / (k * (steep * (2.0 - low) - gentle * (2.0 - high)))
        } else {
            0.0
        };
        let sigma0 = (low / k - 2.0 * sigma1 * gentle) / (2.0 - low);
        let fits = sigma1.is_finite() && sigma1 >= 0.0 && sigma0 >= -NOTHING * self.sigmas[0];
        checked(HIGHER, self.higher.seconds, LEAST_HIGHER, |_| fits)?;
        Ok([sigma0.max(0.0), sigma1])
    }
}

const HIGHER: &str = "T60 at the higher frequency";
const LEAST_HIGHER: &str = "at least T60 at the lower frequency times the ratio of the modes' mean squared slopes, low over high \
                            (else sigma0 < 0)";
const STEEPER: &str = "so far above the lower one that the modes there are steeper";
/// A loss that is all σ1 is fine, and σ0 may then come out a rounding below 0.
const NOTHING: f64 = 1e-9;

fn sigma_from_t60(parameter: &'static str, seconds: f64) -> Result<f64, ObjectError> {
    checked(parameter, seconds, "more than 0 s", |v| v > 0.0 && (3.0 * LN_10 / v).is_finite())?;
    Ok(3.0 * LN_10 / seconds)
}

/// Time in s in which a decay rate in 1/s takes 60 dB off the amplitude; infinite without loss.
#[must_use]
pub fn t60_from_sigma(sigma: f64) -> f64 {
    3.0 * LN_10 / sigma
}

/// Squared wave number β² in 1/m² of a wave of angular frequency ω on a medium of wave speed c = √(T/ρA) in m/s and stiffness
/// κ = √(EI/ρA) in m²/s: the positive root of `ω² = c²β² + κ²β⁴`. κ = 0 is the ideal string or membrane, c = 0 the bar or plate.
#[must_use]
pub fn wave_number_squared(angular_frequency: f64, wave_speed: f64, stiffness: f64) -> f64 {
    let c_squared = wave_speed * wave_speed;
    // The root in the form that does not cancel when κ is small.
    2.0 * angular_frequency * angular_frequency
        / (c_squared + libm::hypot(c_squared, 2.0 * stiffness * angular_frequency))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sixty_decibels_are_a_thousandth_of_the_amplitude() {
        let sigma = Decay::T60(0.7).sigma(440.0).unwrap();
        assert!(((-sigma * 0.7).exp() - 1e-3).abs() < 1e-17);
        assert!((t60_from_sigma(sigma) - 0.7).abs() < 1e-15);
    }

    #[test]
    fn quality_is_the_angular_frequency_over_twice_the_decay_rate() {
        assert_eq!(Decay::Quality(50.0).sigma(100.0).unwrap(), TAU * 100.0 / 100.0);
        assert!(Decay::Quality(50.0).sigma(0.0).is_err());
    }

    #[test]
    fn wave_number_has_its_two_limits_and_solves_the_dispersion_relation() {
        let omega = TAU * 440.0;
        assert!((wave_number_squared(omega, 200.0, 0.0) / (omega / 200.0).powi(2) - 1.0).abs() < 1e-15);
        assert!((wave_number_squared(omega, 0.0, 3.0) / (omega / 3.0) - 1.0).abs() < 1e-15);
        let beta = wave_number_squared(omega, 200.0, 3.0);
        assert!(((200.0_f64.powi(2) * beta + 9.0 * beta * beta) / omega.powi(2) - 1.0).abs() < 1e-14);
    }

    /// The rates of a string whose modes are plane waves, at 48 kHz.
    fn rates_of_a_string(first: T60At, second: T60At, speed: f64, stiffness: f64) -> Result<[f64; 2], ObjectError> {
        let (k, wave) = (1.0 / 48_000.0, |omega: f64| wave_number_squared(omega, speed, stiffness));
        DecayTimes::new([first, second])?.rates(48_000.0, wave, |_| Ok(|e: f64| wave(e.sqrt() / k)))
    }

    #[test]
    fn decay_times_that_need_a_negative_rate_say_so() {
        let at = |frequency, seconds| T60At { frequency, seconds };
        let refused = |first, second| rates_of_a_string(first, second, 200.0, 0.5).unwrap_err().to_string();
        let longer_above = refused(at(100.0, 2.0), at(1000.0, 3.0));
        assert!(longer_above.contains("T60 at the higher frequency is 3"), "{longer_above}");
        assert!(longer_above.contains("sigma1"), "{longer_above}");
        let too_short = refused(at(100.0, 2.0), at(1000.0, 0.001));
        assert!(too_short.contains("sigma0"), "{too_short}");
        let equal = refused(at(100.0, 2.0), at(100.0, 2.0));
        assert!(equal.contains("above the lower one"), "{equal}");
    }

    proptest! {
        #[test]
        fn the_rates_give_back_the_decay_times(
            low in 20.0..500.0_f64, ratio in 1.5..20.0_f64, seconds in 0.05..20.0_f64, share in 0.05..1.0_f64,
            speed in 0.0..500.0_f64, stiffness in 0.1..20.0_f64, swap: bool,
        ) {
            let beta = |omega: f64| wave_number_squared(omega, speed, stiffness);
            let least = beta(TAU * low) / beta(TAU * low * ratio);
            let first = T60At { frequency: low, seconds };
            let second = T60At { frequency: low * ratio, seconds: seconds * (least + share * (1.0 - least)) };
            let [sigma0, sigma1] =
                if swap { rates_of_a_string(second, first, speed, stiffness) } else { rates_of_a_string(first, second, speed, stiffness) }.unwrap();
            prop_assert!(sigma0 >= 0.0 && sigma1 >= 0.0);
            for point in [first, second] {
                // The pole z of the step of a mode (ringing.rs): its size and angle for the decay and frequency.
                let k = 1.0 / 48_000.0;
                let radius = (-3.0 * LN_10 / point.seconds * k).exp();
                let (sine, cosine) = (TAU * point.frequency * k).sin_cos();
                let a = sigma0 * k;
                let e = (1.0 + a) * ((1.0 - radius * cosine).powi(2) + (radius * sine).powi(2));
                let s = sigma1 * k * beta(e.sqrt() / k);
                prop_assert!(((1.0 - a - 2.0 * s) / (1.0 + a) / (radius * radius) - 1.0).abs() < 1e-8);
                prop_assert!(((2.0 - e - 2.0 * s) / (1.0 + a) - 2.0 * radius * cosine).abs() < 1e-8);
            }
        }

        #[test]
        fn any_number_gives_rates_or_an_error(values: [f64; 4], frequency: f64) {
            let [f1, t1, f2, t2] = values;
            let (first, second) = (T60At { frequency: f1, seconds: t1 }, T60At { frequency: f2, seconds: t2 });
            if let Ok([sigma0, sigma1]) = rates_of_a_string(first, second, 200.0, 0.5) {
                prop_assert!(sigma0.is_finite() && sigma0 >= 0.0 && sigma1.is_finite() && sigma1 >= 0.0);
            }
            for decay in [Decay::None, Decay::Sigma(t1), Decay::T60(t1), Decay::Quality(t1)] {
                if let Ok(sigma) = decay.sigma(frequency) {
                    prop_assert!(sigma.is_finite() && sigma >= 0.0);
                }
            }
        }
    }
}
