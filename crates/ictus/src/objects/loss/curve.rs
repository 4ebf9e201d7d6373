//! Decay times over frequency, as one reads them off a measurement.
//!
//! Between two frequencies at which T60 is known the decay rate σ = 3 ln 10/T60 is a power of the frequency, a straight line when both
//! axes are logarithmic; beyond the first and the last it is what it is there:
//!
//! ```text
//! σ(f) = σ_a (f/f_a)^p,     p = ln(σ_b/σ_a)/ln(f_b/f_a),     f_a ≤ f ≤ f_b
//! ```
//!
//! Nothing has to fall or rise: a mode is free to ring longer than a lower one. Rejected: splines, which overshoot between
//! measurements that scatter.

use super::super::{ObjectError, checked};
use super::{T60At, sigma_from_t60};

/// Most decay times of one curve.
pub(crate) const MOST_TIMES: usize = 64;

/// Decay rate over frequency through any number of decay times.
///
/// ```
/// # use ictus::objects::{DecayCurve, T60At};
/// let curve = DecayCurve::new(&[T60At { frequency: 100.0, seconds: 4.0 }, T60At { frequency: 1600.0, seconds: 1.0 }])?;
/// assert!((curve.t60(400.0) - 2.0).abs() < 1e-12);
/// assert_eq!(curve.t60(50.0), curve.t60(100.0));
/// # Ok::<(), ictus::objects::ObjectError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DecayCurve {
    /// Frequencies in Hz, ascending, and the decay rates in 1/s there; at least one.
    points: Vec<[f64; 2]>,
}

impl DecayCurve {
    /// The curve through decay times in any order; through a single one it is flat.
    ///
    /// # Errors
    /// There are none or more than 64, a frequency or time is not above 0, or a frequency is given twice.
    pub fn new(times: &[T60At]) -> Result<Self, ObjectError> {
        checked("number of decay times", times.len() as f64, "from 1 to 64", |_| {
            (1..=MOST_TIMES).contains(&times.len())
        })?;
        let mut points = Vec::with_capacity(times.len());
        for at in times {
            checked("frequency of T60", at.frequency, "more than 0 Hz", |v| v > 0.0)?;
            points.push([at.frequency, sigma_from_t60("T60", at.seconds)?]);
        }
        points.sort_by(|[a, _], [b, _]| a.total_cmp(b));
        for pair in points.windows(2) {
            checked("frequency of T60", pair[1][0], "given only once", |v| v > pair[0][0])?;
        }
        Ok(Self { points })
    }

    /// Decay rate σ in 1/s of what sounds at a frequency in Hz.
    #[must_use]
    pub fn sigma(&self, frequency: f64) -> f64 {
        let after = self.points.partition_point(|[known, _]| *known <= frequency);
        let Some([low, start]) = after.checked_sub(1).map(|before| self.points[before]) else {
            return self.points[0][1];
        };
        let Some([high, end]) = self.points.get(after).copied() else { return start };
        // Frequencies that differ by a rounding may have the same logarithm.
        let octaves = libm::log(high) - libm::log(low);
        let power = if octaves > 0.0 { (libm::log(end) - libm::log(start)) / octaves } else { 0.0 };
        (start * libm::exp(power * (libm::log(frequency) - libm::log(low)))).clamp(start.min(end), start.max(end))
    }

    /// Time in s in which what sounds at a frequency in Hz falls by 60 dB.
    #[must_use]
    pub fn t60(&self, frequency: f64) -> f64 {
        super::t60_from_sigma(self.sigma(frequency))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn curve(times: &[(f64, f64)]) -> DecayCurve {
        let times: Vec<T60At> = times.iter().map(|&(frequency, seconds)| T60At { frequency, seconds }).collect();
        DecayCurve::new(&times).unwrap()
    }

    #[test]
    fn at_every_frequency_given_t60_is_the_time_given_whatever_the_order() {
        let times = [(900.0, 3.0), (100.0, 2.0), (4000.0, 0.25), (250.0, 5.0)];
        let curve = curve(&times);
        for (frequency, seconds) in times {
            assert!((curve.t60(frequency) / seconds - 1.0).abs() < 1e-15, "{frequency} Hz");
        }
    }

    #[test]
    fn halfway_between_two_frequencies_on_the_keyboard_t60_is_the_geometric_mean() {
        let curve = curve(&[(220.0, 8.0), (880.0, 0.5), (3520.0, 4.5)]);
        assert!((curve.t60(440.0) - 2.0).abs() < 1e-14);
        assert!((curve.t60(1760.0) - 1.5).abs() < 1e-14, "a higher frequency may ring longer");
    }

    #[test]
    fn beyond_the_first_and_the_last_frequency_t60_stays() {
        let curve = curve(&[(220.0, 8.0), (880.0, 0.5)]);
        for (frequency, seconds) in [(1e-300, 8.0), (0.0, 8.0), (219.0, 8.0), (881.0, 0.5), (1e300, 0.5)] {
            assert!((curve.t60(frequency) / seconds - 1.0).abs() < 1e-15, "{frequency} Hz");
        }
        assert_eq!(self::curve(&[(1000.0, 1.5)]).t60(20.0), self::curve(&[(1000.0, 1.5)]).t60(2e4));
    }

    #[test]
    fn lists_that_are_no_curve_are_refused_by_name() {
        let refused = |times: &[(f64, f64)]| {
            let times: Vec<T60At> = times.iter().map(|&(frequency, seconds)| T60At { frequency, seconds }).collect();
            DecayCurve::new(&times).unwrap_err().to_string()
        };
        assert!(refused(&[]).contains("number of decay times is 0"));
        assert!(refused(&[(100.0, 1.0); 65]).contains("number of decay times is 65"));
        assert!(refused(&[(200.0, 1.0), (100.0, 2.0), (200.0, 3.0)]).contains("frequency of T60 is 200"));
        assert!(refused(&[(0.0, 1.0)]).contains("frequency of T60 is 0"));
        assert!(refused(&[(100.0, -2.0)]).contains("T60 is -2"));
        assert!(refused(&[(100.0, f64::NAN)]).contains("T60 is NaN"));
    }

    proptest! {
        #[test]
        fn any_list_gives_rates_between_its_own_or_an_error(times: Vec<(f64, f64)>, frequency: f64) {
            let times: Vec<T60At> = times.into_iter().map(|(frequency, seconds)| T60At { frequency, seconds }).collect();
            if let Ok(curve) = DecayCurve::new(&times) {
                let sigmas = times.iter().map(|at| 3.0 * std::f64::consts::LN_10 / at.seconds);
                let (least, most) = sigmas.fold((f64::INFINITY, 0.0_f64), |(least, most), v| (least.min(v), most.max(v)));
                prop_assert!((least..=most).contains(&curve.sigma(frequency)));
            }
        }
    }
}
