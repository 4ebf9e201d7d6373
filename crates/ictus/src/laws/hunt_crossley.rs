//! The impact of two solids that lose energy in proportion to their compression and its speed.
//!
//! ```text
//! φ(η) = K/(α+1) [η]+^(α+1),   R(η) = μK [η]+^α,   f = K [η]+^α (1 + μ η̇)
//! ```
//!
//! Source: P09 (1), A04 (4)-(5), after Hunt and Crossley (1975). Since R is μ times the elastic force, it
//! vanishes at the edges of the contact, and its power comes out of the one that ψ' needs.

use super::info::{Allowed, EXPONENT, LawInfo, ParameterInfo, STIFFNESS};
use super::numbered::Numbered;
use super::power_potential::PowerPotential;
use super::{ContactLaw, LawError};
use crate::limits;

/// One-sided contact with a loss, `K [η]+^α (1 + μ η̇)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    power: PowerPotential,
    dissipation: f64,
}

impl HuntCrossley {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "hunt-crossley",
        title: "Hunt-Crossley",
        summary: "contact that only pushes and loses energy while it lasts",
        formula: "φ = K/(α+1) [η]+^(α+1), R = μK [η]+^α",
        parameters: &[
            STIFFNESS,
            ParameterInfo { default: Some(1.5), ..EXPONENT },
            ParameterInfo {
                name: "dissipation",
                symbol: "μ",
                unit: "s/m",
                allowed: Allowed::Within { least: 0.0, most: limits::MOST_DISSIPATION },
                default: Some(0.0),
                scales: false,
            },
        ],
        usual: &[1e7, 1.7, 0.4],
        source: "P09 (1), A04 (4)-(5)",
    };

    /// Stiffness K > 0 in N/m^α, exponent α ≥ 1, dissipation μ ≥ 0 in s/m.
    ///
    /// A larger K makes a shorter, brighter contact; a larger μ a duller one with a weaker rebound, which is
    /// never faster than 1/μ.
    pub fn new(stiffness: f64, exponent: f64, dissipation: f64) -> Result<Self, LawError> {
        Self::INFO.check([stiffness, exponent, dissipation])?;
        Ok(Self { power: PowerPotential::new(stiffness, exponent), dissipation })
    }

    /// Stiffness K in N/m^α.
    pub fn stiffness_coefficient(&self) -> f64 {
        self.power.stiffness_coefficient()
    }

    /// Exponent α.
    pub fn exponent(&self) -> f64 {
        self.power.exponent()
    }

    /// Dissipation μ in s/m.
    pub fn dissipation(&self) -> f64 {
        self.dissipation
    }

    /// R from the elastic force, stopped short of infinity: with μ = 0 it would make a NaN.
    #[inline]
    fn resistance_from(&self, force: f64) -> f64 {
        self.dissipation * force.min(f64::MAX)
    }
}

impl Numbered for HuntCrossley {
    type Numbers = [f64; 3];

    fn from_numbers([stiffness, exponent, dissipation]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(stiffness, exponent, dissipation)
    }

    fn numbers(&self) -> Self::Numbers {
        [self.stiffness_coefficient(), self.exponent(), self.dissipation]
    }
}

impl ContactLaw for HuntCrossley {
    #[inline]
    fn potential(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.power.potential(compression) } else { 0.0 }
    }

    #[inline]
    fn force(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.power.force(compression) } else { 0.0 }
    }

    #[inline]
    fn stiffness(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.power.stiffness(compression) } else { 0.0 }
    }

    #[inline]
    fn root(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.power.root(compression) } else { 0.0 }
    }

    #[inline]
    fn root_slope(&self, compression: f64) -> f64 {
        if compression > 0.0 { self.power.root_slope(compression) } else { 0.0 }
    }

    #[inline]
    fn root_and_slope(&self, compression: f64) -> (f64, f64) {
        if compression > 0.0 { self.power.root_and_slope(compression) } else { (0.0, 0.0) }
    }

    #[inline]
    fn resistance(&self, compression: f64, _velocity: f64) -> f64 {
        self.resistance_from(self.force(compression))
    }

    #[inline]
    fn root_slope_and_resistance(&self, compression: f64, _velocity: f64) -> (f64, f64) {
        if compression > 0.0 {
            let (slope, force) = self.power.root_slope_and_force(compression);
            (slope, self.resistance_from(force))
        } else {
            (0.0, 0.0)
        }
    }

    #[inline]
    fn root_and_resistance(&self, compression: f64, _velocity: f64) -> (f64, f64) {
        if compression > 0.0 {
            // ψ' ψ = φ' = K η^α, and R = μ φ'.
            let (root, slope) = self.power.root_and_slope(compression);
            (root, self.resistance_from(root * slope))
        } else {
            (0.0, 0.0)
        }
    }

    fn surface(&self) -> Option<f64> {
        Some(0.0)
    }

    fn power_law(&self) -> Option<(f64, f64, f64)> {
        Some((self.stiffness_coefficient(), self.exponent(), self.dissipation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resistance_is_dissipation_times_elastic_force() -> Result<(), LawError> {
        // A04 figure 1: the power is general here.
        let law = HuntCrossley::new(1.5e11, 2.8, 0.6)?;
        let eta = 3e-4;
        let expected = 0.6 * 1.5e11 * libm::pow(eta, 2.8);
        assert!((law.resistance(eta, -2.0) / expected - 1.0).abs() < 1e-13);
        Ok(())
    }

    #[test]
    fn at_the_limit_velocity_the_force_vanishes() -> Result<(), LawError> {
        let law = HuntCrossley::new(1e9, 1.5, 0.5)?;
        let (eta, limit) = (1e-3, -1.0 / 0.5);
        let force = law.force(eta) + law.resistance(eta, limit) * limit;
        assert!(force.abs() < 1e-12 * law.force(eta));
        Ok(())
    }

    #[test]
    fn nothing_resists_out_of_contact() -> Result<(), LawError> {
        let law = HuntCrossley::new(1e9, 1.0, 0.5)?;
        for eta in [-1.0, -1e-9, 0.0] {
            assert_eq!(law.root_slope_and_resistance(eta, 1.0), (0.0, 0.0));
            assert_eq!(law.resistance(eta, 1.0), 0.0);
        }
        Ok(())
    }
}
