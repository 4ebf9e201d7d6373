//! Loss, said in the words of whoever measures it, turned into the decay rates of the equations.
//!
//! A free vibration decays as `e^(-σt)`. T60 is the time in which the amplitude falls by 60 dB, to a thousandth: `e^(-σ T60) = 10⁻³`, so
//! `σ = 3 ln 10 / T60`. One oscillator has one σ. A string, bar, membrane or plate has one for each mode, and there are three ways to say them:
//!
//! - the rates σ0 and σ1 of the terms `-2σ0 ut + 2σ1 utxx` of PHYSICS section 5: `σ = σ0 + σ1 S`, with S the mean squared slope of the mode
//!   ([`super::slope`]), the squared wave number β² where ends and edges are simply supported;
//! - decay times at some frequencies ([`curve`]);
//! - the loss factor of the material ([`factor`]), to which [`damping`](super::modes) adds what air and supports take.
//!
//! A body in its modes has exactly these. A grid knows σ0 and σ1 only: it gets those that come nearest ([`rates`]).

mod curve;
mod factor;
mod rates;

use std::f64::consts::{LN_10, TAU};

pub use curve::DecayCurve;
pub use factor::LossFactor;
pub(crate) use rates::GridLoss;

use super::{ObjectError, checked};

/// Loss of one oscillator or mode.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct T60At {
    /// Frequency in Hz, more than 0.
    pub frequency: f64,
    /// Time in s in which the amplitude falls by 60 dB, more than 0.
    pub seconds: f64,
}

/// Loss of a string, bar, membrane or plate.
///
/// ```
/// # use ictus::objects::{Loss, material};
/// let even = Loss::t60(2.0);
/// let measured = Loss::t60_at(&[(100.0, 8.0), (800.0, 3.0), (5000.0, 0.4)]);
/// let rates = Loss::sigma(0.5, 2e-4);
/// let glass = Loss::Material(material("glass").ok_or("no glass")?.loss_factor);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Decay times at 1 to 64 different frequencies, in any order: a mode of that frequency decays in that time, however the body is held.
    /// Between them the lines are straight on logarithmic axes, beyond them flat. What moves as a whole, at 0 Hz, is not slowed.
    ///
    /// A grid has but two rates. Of several times it meets that at the lowest and that at the highest frequency, which then must not ring longer
    /// than the lowest, nor so much shorter that σ0 would be negative.
    T60(Vec<T60At>),
    /// What its material loses in bending, and what the air and its supports take: 0.3 1/s from a bar or plate, the drag of its
    /// thickness and a loss factor of 2e-4 from a string, which hardly bends. A membrane does not bend at all: it loses to
    /// the air, at 3 1/s and 0.01 m²/s, whatever it is made of. What moves as a whole, at 0 Hz, is not slowed.
    ///
    /// A grid has but two rates: its lowest mode loses as it should, and its high ones nearly so.
    Material(LossFactor),
}

impl Loss {
    /// The rates of the equation, σ0 in 1/s and σ1 in m²/s.
    #[must_use]
    pub const fn sigma(sigma0: f64, sigma1: f64) -> Self {
        Self::Sigma { sigma0, sigma1 }
    }

    /// The same T60 in s at all frequencies.
    #[must_use]
    pub fn t60(seconds: f64) -> Self {
        Self::t60_at(&[(1000.0, seconds)])
    }

    /// T60 at some frequencies: pairs of Hz and s.
    #[must_use]
    pub fn t60_at(times: &[(f64, f64)]) -> Self {
        Self::T60(times.iter().map(|&(frequency, seconds)| T60At { frequency, seconds }).collect())
    }

    /// Whether the numbers are in their ranges. Whether a grid can have such a loss shows when the body is built.
    pub(crate) fn check(&self) -> Result<(), ObjectError> {
        match self {
            Self::None => Ok(()),
            Self::Sigma { sigma0, sigma1 } => {
                checked("sigma0", *sigma0, "at least 0 1/s", |v| v >= 0.0)?;
                checked("sigma1", *sigma1, "at least 0 m²/s", |v| v >= 0.0)?;
                Ok(())
            }
            Self::T60(times) => DecayCurve::new(times).map(|_| ()),
            Self::Material(factor) => factor.check(),
        }
    }
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

    /// Cremer and Heckl: T60 = 2.2/(η f).
    #[test]
    fn a_loss_factor_is_the_inverse_of_the_quality_of_what_only_bends() {
        let factor = LossFactor { at_1_khz: 0.01, exponent: 0.25 };
        assert!((factor.at(1000.0) - 0.01).abs() < 1e-17 && (factor.at(16_000.0) - 0.02).abs() < 1e-16);
        let quality = Decay::Quality(1.0 / factor.at(300.0)).sigma(300.0).unwrap();
        assert!((factor.sigma(300.0) / quality - 1.0).abs() < 1e-14);
        assert!((t60_from_sigma(factor.sigma(1000.0)) - 0.2199).abs() < 1e-4);
        assert_eq!(factor.sigma(0.0), 0.0);
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
    fn numbers_out_of_range_are_named() {
        let named = |loss: Loss| loss.check().unwrap_err().to_string();
        assert!(named(Loss::sigma(-1.0, 0.0)).contains("sigma0"));
        assert!(named(Loss::sigma(1.0, f64::NAN)).contains("sigma1"));
        assert!(named(Loss::t60(0.0)).contains("T60"));
        assert!(named(Loss::Material(LossFactor::constant(1.5))).contains("loss factor"));
        assert!(named(Loss::Material(LossFactor { at_1_khz: 0.1, exponent: 2.0 })).contains("exponent"));
        assert_eq!(Loss::None.check(), Ok(()));
    }

    proptest::proptest! {
        #[test]
        fn any_number_gives_a_rate_or_an_error(value: f64, frequency: f64) {
            for decay in [Decay::None, Decay::Sigma(value), Decay::T60(value), Decay::Quality(value)] {
                if let Ok(sigma) = decay.sigma(frequency) {
                    proptest::prop_assert!(sigma.is_finite() && sigma >= 0.0);
                }
            }
        }
    }
}
