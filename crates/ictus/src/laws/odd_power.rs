//! A spring that pulls as well as it pushes, linear for α = 1 and hardening for α = 3, 5, …
//!
//! ```text
//! φ(η) = K/(α+1) η^(α+1),   φ'(η) = K η^α,   α odd
//! ```
//!
//! Source: D17 (3a). ψ has the sign of η, and ψ'(0) is √K for α = 1 and 0 above.

use super::info::{Allowed, EXPONENT, LawInfo, ParameterInfo, STIFFNESS};
use super::numbered::Numbered;
use super::power_potential::PowerPotential;
use super::{ContactLaw, LawError};
use crate::limits;

/// Two-sided spring with an odd exponent, `K η^α`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddPower {
    power: PowerPotential,
}

impl OddPower {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "odd-power",
        title: "odd power",
        summary: "lossless spring that pushes and pulls",
        formula: "φ = K/(α+1) η^(α+1)",
        parameters: &[STIFFNESS, ParameterInfo { allowed: Allowed::OddUpTo(limits::STEEPEST), ..EXPONENT }],
        usual: &[1e10, 3.0],
        source: "D17 (3a)",
    };

    /// Stiffness K > 0 in N/m^α, exponent α = 1, 3, 5, … 13.
    ///
    /// With α = 1 the pitch of what hangs on the spring is steady; above, it rises with the amplitude.
    pub fn new(stiffness: f64, exponent: f64) -> Result<Self, LawError> {
        Self::INFO.check([stiffness, exponent])?;
        Ok(Self { power: PowerPotential::new(stiffness, exponent) })
    }

    /// Stiffness K in N/m^α.
    pub fn stiffness_coefficient(&self) -> f64 {
        self.power.stiffness_coefficient()
    }

    /// Exponent α, an odd whole number.
    pub fn exponent(&self) -> f64 {
        self.power.exponent()
    }
}

impl Numbered for OddPower {
    type Numbers = [f64; 2];

    fn from_numbers([stiffness, exponent]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(stiffness, exponent)
    }

    fn numbers(&self) -> Self::Numbers {
        [self.stiffness_coefficient(), self.exponent()]
    }
}

impl ContactLaw for OddPower {
    #[inline]
    fn potential(&self, compression: f64) -> f64 {
        self.power.potential(compression.abs())
    }

    #[inline]
    fn force(&self, compression: f64) -> f64 {
        self.power.force(compression.abs()).copysign(compression)
    }

    #[inline]
    fn stiffness(&self, compression: f64) -> f64 {
        self.power.stiffness(compression.abs())
    }

    #[inline]
    fn root(&self, compression: f64) -> f64 {
        self.power.root(compression.abs()).copysign(compression)
    }

    #[inline]
    fn root_slope(&self, compression: f64) -> f64 {
        self.power.root_slope(compression.abs())
    }

    #[inline]
    fn root_and_slope(&self, compression: f64) -> (f64, f64) {
        let (root, slope) = self.power.root_and_slope(compression.abs());
        (root.copysign(compression), slope)
    }

    fn spring_stiffness(&self) -> Option<f64> {
        (self.exponent() == 1.0).then(|| self.stiffness_coefficient())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_spring_obeys_hooke() -> Result<(), LawError> {
        let law = OddPower::new(400.0, 1.0)?;
        assert_eq!(law.force(-0.5), -200.0);
        assert_eq!(law.potential(-0.5), 50.0);
        assert_eq!(law.root(-0.5), -10.0);
        assert_eq!(law.root_slope(0.0), 20.0);
        Ok(())
    }

    #[test]
    fn a_hardening_spring_is_slack_at_rest() -> Result<(), LawError> {
        let law = OddPower::new(1e3, 3.0)?;
        assert_eq!(law.root_slope(0.0), 0.0);
        assert_eq!(law.stiffness(0.0), 0.0);
        assert_eq!(law.force(-2.0), -8e3);
        Ok(())
    }

    #[test]
    fn even_and_fractional_exponents_are_refused() {
        for exponent in [2.0, 1.5, 0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(OddPower::new(1.0, exponent).is_err(), "exponent {exponent}");
        }
        let message = OddPower::new(1.0, 2.0).map_err(|error| error.to_string());
        let expected = "odd power: exponent is 2, must be an odd whole number (1, 3, 5, … 13)";
        assert_eq!(message, Err(expected.to_owned()));
    }
}
