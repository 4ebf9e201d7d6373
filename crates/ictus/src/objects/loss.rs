//! Loss, said in the words of whoever measures it, turned into the decay rates of the equations.
//!
//! A free vibration decays as `e^(-σt)`. One oscillator has one σ; along a string, bar, membrane or plate
//!
//! ```text
//! σ(ω) = σ0 + σ1 β²(ω)
//! ```
//!
//! with β the wave number, from the terms `-2σ0 ut + 2σ1 utxx` of PHYSICS section 5. T60 is the time in which the
//! amplitude falls by 60 dB, to a thousandth: `e^(-σ T60) = 10⁻³`, so `σ = 3 ln 10 / T60`.

use std::f64::consts::{LN_10, TAU};

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
    /// Decay times at two different frequencies, in any order. The higher one must not ring longer than the lower one, nor
    /// so much shorter that σ0 would be negative.
    T60 {
        /// One of the two.
        first: T60At,
        /// The other.
        second: T60At,
    },
}

impl Loss {
    /// σ0 in 1/s and σ1 in m²/s, given the squared wave number β² in 1/m² as a function of the angular frequency ω in rad/s.
    ///
    /// # Errors
    /// A value is out of range, or the two decay times would need a negative rate.
    pub fn resolve(&self, beta_squared: impl Fn(f64) -> f64) -> Result<(f64, f64), ObjectError> {
        match *self {
            Self::None => Ok((0.0, 0.0)),
            Self::Sigma { sigma0, sigma1 } => Ok((
                checked("sigma0", sigma0, "at least 0 1/s", |v| v >= 0.0)?,
                checked("sigma1", sigma1, "at least 0 m²/s", |v| v >= 0.0)?,
            )),
            Self::T60 { first, second } if first.frequency <= second.frequency => {
                rates_from_t60(first, second, beta_squared)
            }
            Self::T60 { first, second } => rates_from_t60(second, first, beta_squared),
        }
    }
}

fn rates_from_t60(low: T60At, high: T60At, beta_squared: impl Fn(f64) -> f64) -> Result<(f64, f64), ObjectError> {
    checked("lower frequency of T60", low.frequency, "more than 0 Hz", |v| v > 0.0)?;
    checked("higher frequency of T60", high.frequency, "above the lower one", |v| v > low.frequency)?;
    let low_sigma = sigma_from_t60("T60 at the lower frequency", low.seconds)?;
    let high_sigma = sigma_from_t60("T60 at the higher frequency", high.seconds)?;
    let low_beta = beta_squared(TAU * low.frequency);
    let high_beta = beta_squared(TAU * high.frequency);
    checked("wave number squared at the lower frequency", low_beta, "at least 0 1/m²", |v| v >= 0.0)?;
    checked("wave number squared at the higher frequency", high_beta, "above that at the lower one", |v| v > low_beta)?;

    let span = high_beta - low_beta;
    let sigma1 = (high_sigma - low_sigma) / span;
    checked(
        "T60 at the higher frequency",
        high.seconds,
        "at most T60 at the lower frequency (else sigma1 < 0)",
        |_| sigma1 >= 0.0 && sigma1.is_finite(),
    )?;
    let sigma0 = low_sigma - sigma1 * low_beta;
    checked(
        "T60 at the higher frequency",
        high.seconds,
        "at least T60 at the lower frequency times the ratio of their squared wave numbers, low over high (else sigma0 < 0)",
        // A loss that is all σ1 is fine, and may come out a rounding below 0.
        |_| sigma0 >= -1e-12 * low_sigma,
    )?;
    Ok((sigma0.max(0.0), sigma1))
}

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

    #[test]
    fn decay_times_that_need_a_negative_rate_say_so() {
        let at = |frequency, seconds| T60At { frequency, seconds };
        let string = |omega: f64| wave_number_squared(omega, 200.0, 0.5);
        let longer_above = Loss::T60 { first: at(100.0, 2.0), second: at(1000.0, 3.0) }.resolve(string).unwrap_err();
        assert!(longer_above.to_string().contains("T60 at the higher frequency is 3"), "{longer_above}");
        assert!(longer_above.to_string().contains("sigma1"), "{longer_above}");
        let too_short = Loss::T60 { first: at(100.0, 2.0), second: at(1000.0, 0.001) }.resolve(string).unwrap_err();
        assert!(too_short.to_string().contains("sigma0"), "{too_short}");
        let equal = Loss::T60 { first: at(100.0, 2.0), second: at(100.0, 2.0) }.resolve(string).unwrap_err();
        assert!(equal.to_string().contains("above the lower one"), "{equal}");
    }

    proptest! {
        #[test]
        fn the_rates_give_back_the_decay_times(
            low in 20.0..500.0_f64, ratio in 1.5..20.0_f64, seconds in 0.05..20.0_f64, share in 0.0..1.0_f64,
            speed in 0.0..500.0_f64, stiffness in 0.1..20.0_f64, swap: bool,
        ) {
            let beta = |omega: f64| wave_number_squared(omega, speed, stiffness);
            let least = beta(TAU * low) / beta(TAU * low * ratio);
            let first = T60At { frequency: low, seconds };
            let second = T60At { frequency: low * ratio, seconds: seconds * (least + share * (1.0 - least)) };
            let loss = if swap { Loss::T60 { first: second, second: first } } else { Loss::T60 { first, second } };
            let (sigma0, sigma1) = loss.resolve(beta).unwrap();
            prop_assert!(sigma0 >= 0.0 && sigma1 >= 0.0);
            for point in [first, second] {
                let t60 = t60_from_sigma(sigma0 + sigma1 * beta(TAU * point.frequency));
                prop_assert!((t60 / point.seconds - 1.0).abs() < 1e-10);
            }
        }

        #[test]
        fn any_number_gives_rates_or_an_error(values: [f64; 4], rates: [f64; 2], frequency: f64) {
            let [f1, t1, f2, t2] = values;
            let loss = Loss::T60 {
                first: T60At { frequency: f1, seconds: t1 },
                second: T60At { frequency: f2, seconds: t2 },
            };
            for loss in [loss, Loss::Sigma { sigma0: rates[0], sigma1: rates[1] }] {
                if let Ok((sigma0, sigma1)) = loss.resolve(|omega| omega * omega) {
                    prop_assert!(sigma0.is_finite() && sigma0 >= 0.0 && sigma1.is_finite() && sigma1 >= 0.0);
                }
            }
            for decay in [Decay::None, Decay::Sigma(t1), Decay::T60(t1), Decay::Quality(t1)] {
                if let Ok(sigma) = decay.sigma(frequency) {
                    prop_assert!(sigma.is_finite() && sigma >= 0.0);
                }
            }
        }
    }
}
