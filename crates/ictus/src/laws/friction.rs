//! A bow pressed on a string: friction that grips at low and lets go at high sliding velocity.
//!
//! ```text
//! φ = 0,   R(v) = F_N λ(v),   λ(v) = √(2a) e^(1/2 - a v²),   f = F_N λ(v) v
//! ```
//!
//! v is the velocity relative to the bow, F_N the bow's pressing force. Source: the smooth friction
//! curve for the bow in Bilbao, Numerical Sound Synthesis (2009). The force grows to F_N at
//! `v = 1/√(2a)` (the string sticks, nearly) and falls beyond it (the string slips).

use std::f64::consts::{E, SQRT_2};

use super::info::{Allowed, LawInfo, ParameterInfo};
use super::{ContactLaw, LawError};
use crate::limits;

/// Smooth bow friction, `F_N √(2a) e^(1/2 - a v²) v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BowFriction {
    normal_force: f64,
    sharpness: f64,
    /// `√(2a) e^(1/2)`, the slope of the friction curve at rest in s/m.
    slope_at_rest: f64,
}

impl BowFriction {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "bow-friction",
        title: "bow friction",
        summary: "friction of a bow that grips and lets go",
        formula: "φ = 0, R = F_N √(2a) e^(1/2 - a v²)",
        parameters: &[
            ParameterInfo {
                name: "normal force",
                symbol: "F_N",
                unit: "N",
                allowed: Allowed::Within { least: 0.0, most: limits::STRONGEST },
            },
            ParameterInfo {
                name: "sharpness",
                symbol: "a",
                unit: "s²/m²",
                allowed: Allowed::AboveUpTo { above: 0.0, most: limits::SHARPEST },
            },
        ],
        source: "Bilbao, Numerical Sound Synthesis (2009); needed to play W19's tromba marina",
    };

    /// Normal force F_N ≥ 0 in N, sharpness a > 0 in s²/m² (about 100 for a bow).
    ///
    /// More force makes the tone louder, then scratchy; a sharper curve lets go sooner and sounds brighter.
    pub fn new(normal_force: f64, sharpness: f64) -> Result<Self, LawError> {
        Self::INFO.check([normal_force, sharpness])?;
        Ok(Self { normal_force, sharpness, slope_at_rest: SQRT_2 * E.sqrt() * sharpness.sqrt() })
    }

    /// Normal force F_N in N.
    pub fn normal_force(&self) -> f64 {
        self.normal_force
    }

    /// Sharpness a in s²/m².
    pub fn sharpness(&self) -> f64 {
        self.sharpness
    }
}

impl ContactLaw for BowFriction {
    #[inline]
    fn potential(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn force(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn stiffness(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn root(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn root_slope(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn resistance(&self, _compression: f64, velocity: f64) -> f64 {
        let falling = libm::exp(-(self.sharpness * velocity * velocity));
        self.normal_force * (self.slope_at_rest * falling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_friction_force_is_the_normal_force() -> Result<(), LawError> {
        let (normal_force, sharpness) = (3.0, 100.0_f64);
        let law = BowFriction::new(normal_force, sharpness)?;
        let friction = |velocity: f64| law.resistance(0.0, velocity) * velocity;
        let peak = 1.0 / (2.0 * sharpness).sqrt();
        assert!((friction(peak) / normal_force - 1.0).abs() < 1e-14);
        assert!((friction(-peak) / -normal_force - 1.0).abs() < 1e-14);
        for factor in [0.1, 0.9, 1.1, 10.0] {
            assert!(friction(factor * peak) < normal_force);
        }
        Ok(())
    }

    #[test]
    fn a_bow_that_slides_fast_has_let_go() -> Result<(), LawError> {
        let law = BowFriction::new(3.0, 100.0)?;
        assert_eq!(law.resistance(0.0, 1e200), 0.0);
        assert!(law.resistance(0.0, 1.0) < 1e-40);
        Ok(())
    }
}
