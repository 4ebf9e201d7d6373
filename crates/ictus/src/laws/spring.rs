//! A spring that is linear for small and cubic for large compressions, and pulls as well as it pushes.
//!
//! ```text
//! φ(η) = K1 η²/2 + K3 η⁴/4,   ψ(η) = η √(K1 + K3 η²/2),   ψ'(η) = (K1 + K3 η²)/√(K1 + K3 η²/2)
//! ```
//!
//! Source: W19 (32f), the connection between the tromba marina's string and bridge.
//!
//! With `q = √(K1 + K3 η²/2)` the slope is `ψ' = 2q - K1/q`, which overflows to infinity where the quotient of
//! the formula would be infinity by infinity. Its limit at η = 0 is √K1. Products with K3 are taken as
//! `(K3 η) η`, since η² alone may overflow, and zero times infinity is no number.

use super::info::{Allowed, LawInfo, ParameterInfo};
use super::numbered::Numbered;
use super::{ContactLaw, LawError};
use crate::limits;

/// Two-sided spring with a linear and a cubic part, `K1 η + K3 η³`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearCubicSpring {
    linear: f64,
    cubic: f64,
}

const LINEAR: ParameterInfo = ParameterInfo {
    name: "linear stiffness",
    symbol: "K1",
    unit: "N/m",
    allowed: Allowed::Within { least: 0.0, most: limits::STIFFEST },
    default: Some(0.0),
    scales: true,
};

const CUBIC: ParameterInfo = ParameterInfo {
    name: "cubic stiffness",
    symbol: "K3",
    unit: "N/m³",
    allowed: Allowed::Within { least: 0.0, most: limits::STIFFEST },
    default: Some(0.0),
    scales: true,
};

impl LinearCubicSpring {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "linear-cubic-spring",
        title: "linear-cubic spring",
        summary: "lossless spring, linear when small and cubic when large",
        formula: "φ = K1 η²/2 + K3 η⁴/4",
        parameters: &[LINEAR, CUBIC],
        usual: &[1e4, 1e10],
        source: "W19 (32f)",
    };

    /// Linear stiffness K1 ≥ 0 in N/m, cubic stiffness K3 ≥ 0 in N/m³, not both zero.
    ///
    /// K3 makes the pitch rise with the amplitude.
    pub fn new(linear: f64, cubic: f64) -> Result<Self, LawError> {
        Self::INFO.check([linear, cubic])?;
        if linear == 0.0 && cubic == 0.0 {
            return Err(LawError::BothZero { law: Self::INFO.title, first: LINEAR.name, second: CUBIC.name });
        }
        Ok(Self { linear, cubic })
    }

    /// Linear stiffness K1 in N/m.
    pub fn linear_coefficient(&self) -> f64 {
        self.linear
    }

    /// Cubic stiffness K3 in N/m³.
    pub fn cubic_coefficient(&self) -> f64 {
        self.cubic
    }

    /// `K3 η²`, in N/m.
    #[inline]
    fn hardening(&self, compression: f64) -> f64 {
        self.cubic * compression * compression
    }

    /// `q = √(K1 + K3 η²/2)`, so that ψ = η q.
    #[inline]
    fn root_per_compression(&self, compression: f64) -> f64 {
        (self.linear + 0.5 * self.hardening(compression)).sqrt()
    }

    /// `2q - K1/q`, and 0 at q = 0, where a purely cubic spring is slack.
    #[inline]
    fn slope_from(&self, q: f64) -> f64 {
        if q > 0.0 { 2.0 * q - self.linear / q } else { 0.0 }
    }
}

impl Numbered for LinearCubicSpring {
    type Numbers = [f64; 2];

    fn from_numbers([linear, cubic]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(linear, cubic)
    }

    fn numbers(&self) -> Self::Numbers {
        [self.linear, self.cubic]
    }
}

impl ContactLaw for LinearCubicSpring {
    #[inline]
    fn potential(&self, compression: f64) -> f64 {
        let mean_stiffness = 0.5 * self.linear + 0.25 * self.hardening(compression);
        mean_stiffness * compression * compression
    }

    #[inline]
    fn force(&self, compression: f64) -> f64 {
        (self.linear + self.hardening(compression)) * compression
    }

    #[inline]
    fn stiffness(&self, compression: f64) -> f64 {
        self.linear + 3.0 * self.hardening(compression)
    }

    #[inline]
    fn root(&self, compression: f64) -> f64 {
        compression * self.root_per_compression(compression)
    }

    #[inline]
    fn root_slope(&self, compression: f64) -> f64 {
        self.slope_from(self.root_per_compression(compression))
    }

    #[inline]
    fn root_and_slope(&self, compression: f64) -> (f64, f64) {
        let q = self.root_per_compression(compression);
        (compression * q, self.slope_from(q))
    }

    fn spring_stiffness(&self) -> Option<f64> {
        (self.cubic == 0.0).then_some(self.linear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_rest_the_root_slope_is_that_of_the_linear_part() -> Result<(), LawError> {
        assert_eq!(LinearCubicSpring::new(400.0, 1e6)?.root_slope(0.0), 20.0);
        assert_eq!(LinearCubicSpring::new(400.0, 0.0)?.root_slope(0.0), 20.0);
        assert_eq!(LinearCubicSpring::new(0.0, 1e6)?.root_slope(0.0), 0.0);
        Ok(())
    }

    #[test]
    fn the_root_slope_is_the_quotient_of_the_source() -> Result<(), LawError> {
        let (linear, cubic) = (1e4_f64, 1e9_f64);
        let law = LinearCubicSpring::new(linear, cubic)?;
        for eta in [-1e-2_f64, -1e-4, 1e-7, 1e-3, 1.0] {
            let quotient = (linear + cubic * eta * eta) / (linear + 0.5 * cubic * eta * eta).sqrt();
            assert!((law.root_slope(eta) / quotient - 1.0).abs() < 1e-14);
        }
        Ok(())
    }

    #[test]
    fn without_a_cubic_part_even_a_huge_compression_stays_linear() -> Result<(), LawError> {
        let law = LinearCubicSpring::new(400.0, 0.0)?;
        assert_eq!(law.root(1e300), 20.0 * 1e300);
        assert_eq!(law.root_slope(1e300), 20.0);
        Ok(())
    }

    #[test]
    fn a_spring_without_any_stiffness_is_refused() {
        let message = LinearCubicSpring::new(0.0, 0.0).map_err(|error| error.to_string());
        let expected = "linear-cubic spring: linear stiffness and cubic stiffness are both 0, \
                        one of them must be greater than 0";
        assert_eq!(message, Err(expected.to_owned()));
    }
}
