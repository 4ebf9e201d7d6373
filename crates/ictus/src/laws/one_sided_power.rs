//! A body that pushes back once it is pressed further than a threshold, and never pulls.
//!
//! ```text
//! φ(η) = K/(α+1) [η-h]+^(α+1),   φ'(η) = K [η-h]+^α
//! ```
//!
//! α = 1 is a linear contact, 3/2 Hertz's two spheres, 2 to 4 a felt. Source: D17 (3b); without dissipation it
//! is also P09 (1) and A04 (1). For α = 1, ψ' jumps from 0 to √K at the threshold, where it counts as 0.

use super::info::{EXPONENT, LawInfo, STIFFNESS, THRESHOLD};
use super::numbered::Numbered;
use super::power_potential::PowerPotential;
use super::{ContactLaw, LawError};

/// Lossless one-sided contact, `K [η-h]+^α`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneSidedPower {
    power: PowerPotential,
    threshold: f64,
}

impl OneSidedPower {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "one-sided-power",
        title: "one-sided power",
        summary: "lossless contact that only pushes",
        formula: "φ = K/(α+1) [η-h]+^(α+1)",
        parameters: &[STIFFNESS, EXPONENT, THRESHOLD],
        usual: &[1e7, 1.4, 0.0],
        source: "D17 (3b)",
    };

    /// Stiffness K > 0 in N/m^α, exponent α ≥ 1, threshold h ≥ 0 in m.
    ///
    /// A larger K makes a shorter, brighter contact; a larger α one that brightens with the speed of the blow.
    pub fn new(stiffness: f64, exponent: f64, threshold: f64) -> Result<Self, LawError> {
        Self::INFO.check([stiffness, exponent, threshold])?;
        Ok(Self { power: PowerPotential::new(stiffness, exponent), threshold })
    }

    /// Stiffness K in N/m^α.
    pub fn stiffness_coefficient(&self) -> f64 {
        self.power.stiffness_coefficient()
    }

    /// Exponent α.
    pub fn exponent(&self) -> f64 {
        self.power.exponent()
    }

    /// Threshold h in m: the compression at which contact begins.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// How far the contact is pressed beyond its threshold, if it is.
    #[inline]
    fn depth(&self, compression: f64) -> Option<f64> {
        let depth = compression - self.threshold;
        (depth > 0.0).then_some(depth)
    }
}

impl Numbered for OneSidedPower {
    type Numbers = [f64; 3];

    fn from_numbers([stiffness, exponent, threshold]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(stiffness, exponent, threshold)
    }

    fn numbers(&self) -> Self::Numbers {
        [self.stiffness_coefficient(), self.exponent(), self.threshold]
    }
}

impl ContactLaw for OneSidedPower {
    #[inline]
    fn potential(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.potential(depth))
    }

    #[inline]
    fn force(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.force(depth))
    }

    #[inline]
    fn stiffness(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.stiffness(depth))
    }

    #[inline]
    fn root(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.root(depth))
    }

    #[inline]
    fn root_slope(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.root_slope(depth))
    }

    #[inline]
    fn root_and_slope(&self, compression: f64) -> (f64, f64) {
        self.depth(compression).map_or((0.0, 0.0), |depth| self.power.root_and_slope(depth))
    }

    fn surface(&self) -> Option<f64> {
        Some(self.threshold())
    }

    fn power_law(&self) -> Option<(f64, f64, f64)> {
        Some((self.stiffness_coefficient(), self.exponent(), 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hertz_contact_has_the_textbook_force_and_energy() -> Result<(), LawError> {
        let law = OneSidedPower::new(2e9, 1.5, 0.0)?;
        // 2e9 · (1e-4)^(3/2) = 2e9 · 1e-6, and φ = 2/5 η φ'.
        assert!((law.force(1e-4) / 2e3 - 1.0).abs() < 1e-14);
        assert!((law.potential(1e-4) / 0.08 - 1.0).abs() < 1e-14);
        Ok(())
    }

    #[test]
    fn linear_contact_has_a_root_slope_that_jumps_to_the_root_of_the_stiffness() -> Result<(), LawError> {
        let law = OneSidedPower::new(1e6, 1.0, 0.0)?;
        assert_eq!(law.root_slope(-1e-3), 0.0);
        assert_eq!(law.root_slope(0.0), 0.0);
        assert_eq!(law.root_slope(5e-324), 1e3);
        assert_eq!(law.root_slope(1e-3), 1e3);
        assert_eq!(law.root(2e-3), 2.0);
        Ok(())
    }

    #[test]
    fn contact_begins_at_the_threshold() -> Result<(), LawError> {
        let law = OneSidedPower::new(1e6, 2.0, 1e-3)?;
        let without = OneSidedPower::new(1e6, 2.0, 0.0)?;
        assert_eq!(law.potential(1e-3), 0.0);
        assert_eq!(law.force(1e-3), 0.0);
        assert_eq!(law.force(3e-3), without.force(3e-3 - 1e-3));
        Ok(())
    }

    #[test]
    fn an_exponent_below_one_is_refused_in_one_clear_sentence() {
        let message = OneSidedPower::new(1e6, 0.5, 0.0).map_err(|error| error.to_string());
        assert_eq!(message, Err("one-sided power: exponent is 0.5, must be from 1 to 13".to_owned()));
    }
}
