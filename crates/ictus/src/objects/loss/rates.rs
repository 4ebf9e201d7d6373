//! The two rates of a grid, σ0 and σ1, for a loss that is said in other words.
//!
//! **Decay times at two frequencies** are those of what sounds at these frequencies, on the grid and at the rate of the body. A mode that rings at ω and decays at σ
//! has the pole `z = e^(-σk + iωk)`; put into its step ([`super::super::ringing`]) that is, exactly,
//!
//! ```text
//! e = (1 + σ0k) |1 - z|²,     σ0k (1 + r) + 2σ1k S(e) = 1 - r,     r = |z|² = e^(-2σk)
//! ```
//!
//! two linear equations for σ0 and σ1. As the grid and S depend a little on both, they are solved anew until they repeat themselves. A frequency that
//! no mode has counts as slope.rs says. Of more than two times the first and the last are met.
//!
//! **A material** is met at the lowest frequency of the body and at 5 kHz, or ten times the lowest if that is more. Where its loss rises faster than σ1 can make
//! it, as in wood and in bars whose free ends lend the lowest mode a large S, σ0 would be negative: then it is 0, the lowest frequency
//! is met, and at 5 kHz it rings longer than it should, 3.5 times as long in a free bar of spruce. Rejected: missing both by the same
//! factor, for the decay of the lowest mode is what one hears as that of the body.

use std::f64::consts::{PI, TAU};

use super::super::modes::{Damping, Surroundings};
use super::super::{ObjectError, checked};
use super::{Loss, T60At, sigma_from_t60, t60_from_sigma};

/// The higher frequency in Hz at which a grid loses as its material does, and the least ratio of it to the lower one.
const BRIGHT: f64 = 5000.0;
const APART: f64 = 10.0;

/// What is known of the rates before there is a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GridLoss {
    /// σ0 in 1/s and σ1 in m²/s themselves.
    Rates([f64; 2]),
    /// They follow from the grid.
    Times(DecayTimes),
}

/// Decay at two frequencies, the lower one first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecayTimes {
    /// Angular frequencies ω in rad/s.
    frequencies: [f64; 2],
    /// Decay rates σ in 1/s.
    sigmas: [f64; 2],
    /// What was asked at the higher frequency, for messages.
    higher: T60At,
    /// Whether the nearest rates will do where no rates are right.
    nearest: bool,
}

/// Times that the two rates are worked out at most; three or four are needed.
const PASSES: usize = 10;
/// Part by which the rates may still change.
const SETTLED: f64 = 1e-6;

impl GridLoss {
    /// `lowest` is about the lowest frequency of the body in Hz, `plane_wave` is S in 1/m² of an endless medium over ω.
    ///
    /// # Errors
    /// A number is out of range, or the highest frequency is to ring longer than the lowest.
    pub(crate) fn new(
        loss: &Loss,
        surroundings: Surroundings,
        lowest: f64,
        plane_wave: impl Fn(f64) -> f64,
    ) -> Result<Self, ObjectError> {
        loss.check()?;
        Ok(match surroundings.told(loss) {
            Loss::None => Self::Rates([0.0; 2]),
            Loss::Sigma { sigma0, sigma1 } => Self::Rates([sigma0, sigma1]),
            Loss::T60(times) => match lowest_and_highest(&times) {
                [low, high] if low.frequency < high.frequency => Self::Times(DecayTimes::new([low, high])?),
                [only, _] => Self::Rates([sigma_from_t60("T60", only.seconds)?, 0.0]),
            },
            material @ Loss::Material(_) => {
                let damping = Damping::new(&material, surroundings)?;
                let frequencies = [lowest, BRIGHT.max(APART * lowest)];
                let sigmas = frequencies.map(|frequency| damping.sigma(frequency, plane_wave(TAU * frequency)));
                Self::Times(DecayTimes::near(frequencies, sigmas))
            }
        })
    }

    /// σ0 in 1/s and σ1 in m²/s with which a body loses that much at a sample rate in Hz.
    ///
    /// `plane_wave` is S in 1/m² of an endless medium over ω, for a start; `lay` gives S over e of the body with some σ0 and σ1 on its grid.
    ///
    /// # Errors
    /// What `lay` has against the body, or that σ0 would be negative.
    pub(crate) fn rates<S: Fn(f64) -> f64>(
        &self,
        rate: f64,
        plane_wave: impl Fn(f64) -> f64,
        lay: impl FnMut([f64; 2]) -> Result<S, ObjectError>,
    ) -> Result<[f64; 2], ObjectError> {
        match self {
            Self::Rates(rates) => Ok(*rates),
            Self::Times(times) => times.rates(rate, plane_wave, lay),
        }
    }
}

/// The times of the lowest and of the highest frequency of a list that is not empty.
fn lowest_and_highest(times: &[T60At]) -> [T60At; 2] {
    let mut ends = [times[0]; 2];
    for at in times {
        if at.frequency < ends[0].frequency {
            ends[0] = *at;
        }
        if at.frequency > ends[1].frequency {
            ends[1] = *at;
        }
    }
    ends
}

impl DecayTimes {
    /// # Errors
    /// The higher frequency is to ring longer.
    fn new([low, high]: [T60At; 2]) -> Result<Self, ObjectError> {
        let low_sigma = sigma_from_t60("T60 at the lower frequency", low.seconds)?;
        let high_sigma = sigma_from_t60(HIGHER, high.seconds)?;
        checked(HIGHER, high.seconds, "at most T60 at the lower frequency (else sigma1 < 0)", |v| v <= low.seconds)?;
        Ok(Self {
            frequencies: [low, high].map(|at| TAU * at.frequency),
            sigmas: [low_sigma, high_sigma],
            higher: high,
            nearest: false,
        })
    }

    /// As near as can be to decay rates in 1/s at two frequencies in Hz.
    fn near(frequencies: [f64; 2], sigmas: [f64; 2]) -> Self {
        let higher = T60At { frequency: frequencies[1], seconds: t60_from_sigma(sigmas[1]) };
        Self { frequencies: frequencies.map(|frequency| TAU * frequency), sigmas, higher, nearest: true }
    }

    fn rates<S: Fn(f64) -> f64>(
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
        let sigma1 = if high > low && (steep > gentle || !self.nearest) {
            checked("higher frequency of T60", self.higher.frequency, STEEPER, |_| steep > gentle)?;
            (high - low) / (k * (steep * (2.0 - low) - gentle * (2.0 - high)))
        } else {
            0.0
        };
        let sigma0 = (low / k - 2.0 * sigma1 * gentle) / (2.0 - low);
        let fits = sigma1.is_finite() && sigma1 >= 0.0 && sigma0 >= -NOTHING * self.sigmas[0];
        if self.nearest && !fits {
            let viscous = low / (2.0 * k * gentle);
            return Ok([0.0, if viscous.is_finite() { viscous } else { 0.0 }]);
        }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use std::f64::consts::LN_10;

    use super::super::super::material;
    use super::super::wave_number_squared;
    use super::*;

    const K: f64 = 1.0 / 48_000.0;

    /// The rates at 48 kHz of a body whose modes are plane waves.
    fn rates(loss: &Loss, speed: f64, stiffness: f64) -> Result<[f64; 2], ObjectError> {
        let wave = |omega: f64| wave_number_squared(omega, speed, stiffness);
        GridLoss::new(loss, Surroundings::Solid, 200.0, wave)?
            .rates(48_000.0, wave, |_| Ok(|e: f64| wave(e.sqrt() / K)))
    }

    #[test]
    fn decay_times_that_need_a_negative_rate_say_so() {
        let refused = |times: &[(f64, f64)]| rates(&Loss::t60_at(times), 200.0, 0.5).unwrap_err().to_string();
        let longer_above = refused(&[(100.0, 2.0), (1000.0, 3.0)]);
        assert!(longer_above.contains("T60 at the higher frequency is 3"), "{longer_above}");
        assert!(longer_above.contains("sigma1"), "{longer_above}");
        let too_short = refused(&[(100.0, 2.0), (1000.0, 0.001)]);
        assert!(too_short.contains("sigma0"), "{too_short}");
        let equal = refused(&[(100.0, 2.0), (100.0, 2.0)]);
        assert!(equal.contains("only once"), "{equal}");
    }

    #[test]
    fn one_time_is_all_sigma0_and_of_many_the_first_and_the_last_count() {
        assert_eq!(rates(&Loss::t60(2.0), 200.0, 0.5), Ok([1.5 * LN_10, 0.0]));
        let two = rates(&Loss::t60_at(&[(4000.0, 0.5), (100.0, 2.0)]), 200.0, 0.5).unwrap();
        let many = rates(&Loss::t60_at(&[(900.0, 9.0), (4000.0, 0.5), (300.0, 0.1), (100.0, 2.0)]), 200.0, 0.5);
        assert_eq!(many, Ok(two));
        assert_eq!(rates(&Loss::None, 200.0, 0.5), Ok([0.0; 2]));
        assert_eq!(rates(&Loss::sigma(3.0, 0.1), 200.0, 0.5), Ok([3.0, 0.1]));
    }

    /// In a bar S = ω/κ, so that ηω/2 is σ1 S with σ1 = ηκ/2.
    #[test]
    fn a_bar_of_metal_on_a_grid_loses_as_its_material_at_all_frequencies() {
        let (stiffness, steel) = (5.0, material("steel").unwrap().loss_factor);
        let [sigma0, sigma1] = rates(&Loss::Material(steel), 0.0, stiffness).unwrap();
        assert!((sigma0 - 0.3).abs() < 0.01, "{sigma0}");
        assert!((sigma1 / (0.5 * steel.at_1_khz * stiffness) - 1.0).abs() < 0.04, "{sigma1}");
    }

    #[test]
    fn a_bar_of_any_material_on_a_grid_has_the_loss_of_its_lowest_mode_and_about_that_of_the_others() {
        for material in super::super::super::MATERIALS {
            for stiffness in [0.5, 5.0, 50.0] {
                let [sigma0, sigma1] = rates(&Loss::Material(material.loss_factor), 0.0, stiffness).unwrap();
                let ratio = |frequency: f64| {
                    let sigma = sigma0 + sigma1 * TAU * frequency / stiffness;
                    sigma / (0.3 + material.loss_factor.sigma(frequency))
                };
                assert!((ratio(200.0) - 1.0).abs() < 0.03, "{}: {}", material.name, ratio(200.0));
                for frequency in [440.0, 2000.0, 5000.0] {
                    // η grows with its exponent, σ1 S/ω stays.
                    let least = 0.97 * (frequency / 200.0_f64).powf(-material.loss_factor.exponent);
                    let ratio = ratio(frequency);
                    assert!((least..1.06).contains(&ratio), "{} at {frequency} Hz: {ratio}", material.name);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_rates_give_back_the_decay_times(
            low in 20.0..500.0_f64, ratio in 1.5..20.0_f64, seconds in 0.05..20.0_f64, share in 0.05..1.0_f64,
            speed in 0.0..500.0_f64, stiffness in 0.1..20.0_f64, swap: bool,
        ) {
            let beta = |omega: f64| wave_number_squared(omega, speed, stiffness);
            let least = beta(TAU * low) / beta(TAU * low * ratio);
            let first = (low, seconds);
            let second = (low * ratio, seconds * (least + share * (1.0 - least)));
            let times = if swap { [second, first] } else { [first, second] };
            let [sigma0, sigma1] = rates(&Loss::t60_at(&times), speed, stiffness).unwrap();
            prop_assert!(sigma0 >= 0.0 && sigma1 >= 0.0);
            for (frequency, seconds) in times {
                // The pole z of the step of a mode (ringing.rs): its size and angle for the decay and frequency.
                let radius = (-3.0 * LN_10 / seconds * K).exp();
                let (sine, cosine) = (TAU * frequency * K).sin_cos();
                let a = sigma0 * K;
                let e = (1.0 + a) * ((1.0 - radius * cosine).powi(2) + (radius * sine).powi(2));
                let s = sigma1 * K * beta(e.sqrt() / K);
                prop_assert!(((1.0 - a - 2.0 * s) / (1.0 + a) / (radius * radius) - 1.0).abs() < 1e-8);
                prop_assert!(((2.0 - e - 2.0 * s) / (1.0 + a) - 2.0 * radius * cosine).abs() < 1e-8);
            }
        }

        #[test]
        fn any_number_gives_rates_or_an_error(times: [(f64, f64); 3], factor: f64, exponent: f64) {
            let material = Loss::Material(super::super::LossFactor { at_1_khz: factor, exponent });
            for loss in [Loss::t60_at(&times[..2]), Loss::t60_at(&times), material, Loss::sigma(factor, exponent)] {
                if let Ok([sigma0, sigma1]) = rates(&loss, 200.0, 0.5) {
                    prop_assert!(sigma0.is_finite() && sigma0 >= 0.0 && sigma1.is_finite() && sigma1 >= 0.0);
                }
            }
        }
    }
}
