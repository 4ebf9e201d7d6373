//! The potential the power laws share, as a function of how deep they are pressed, `x ≥ 0`:
//!
//! ```text
//! φ = K/(α+1) x^(α+1),   ψ = √(2K/(α+1)) x^((α+1)/2),   ψ' = √(K(α+1)/2) x^((α-1)/2)
//! ```
//!
//! Source: D17 (3) for φ; ψ is the √(2φ) of W19, signed. A law adds its own depth (`[η]+`, `|η|`, `[|η|-h]+`) and sign.
//!
//! Everything follows from the one power `q = x^((α-1)/2)`: `ψ' ∝ q`, `ψ ∝ x q`, `φ' = K x q²`,
//! `φ'' = K α q²`. One evaluation gives whatever a caller needs, and `ψ²/2 = φ` and `ψψ' = φ'` hold to a few
//! roundings. The order of the products matters: none of them can meet zero times infinity.

use crate::math::power::Power;

/// Coefficients of one power potential, derived once from K and α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PowerPotential {
    stiffness: f64,
    exponent: f64,
    /// `x^((α-1)/2)`.
    slope_power: Power,
    /// `√(2K/(α+1))`.
    root_coefficient: f64,
    /// `√(K(α+1)/2)`.
    slope_coefficient: f64,
}

impl PowerPotential {
    /// From K > 0 and α ≥ 1, already checked.
    pub(super) fn new(stiffness: f64, exponent: f64) -> Self {
        let mean_exponent = 0.5 * exponent + 0.5;
        Self {
            stiffness,
            exponent,
            slope_power: Power::new(0.5 * (exponent - 1.0)),
            // Root by root: 2K or K(α+1) may overflow where these cannot.
            root_coefficient: stiffness.sqrt() / mean_exponent.sqrt(),
            slope_coefficient: stiffness.sqrt() * mean_exponent.sqrt(),
        }
    }

    pub(super) fn stiffness_coefficient(&self) -> f64 {
        self.stiffness
    }

    pub(super) fn exponent(&self) -> f64 {
        self.exponent
    }

    #[inline]
    pub(super) fn potential(&self, depth: f64) -> f64 {
        let root = depth * self.slope_power.of(depth);
        self.stiffness * root * root / (self.exponent + 1.0)
    }

    #[inline]
    pub(super) fn force(&self, depth: f64) -> f64 {
        let slope = self.slope_power.of(depth);
        self.stiffness * depth * slope * slope
    }

    #[inline]
    pub(super) fn stiffness(&self, depth: f64) -> f64 {
        let slope = self.slope_power.of(depth);
        self.stiffness * slope * slope * self.exponent
    }

    #[inline]
    pub(super) fn root(&self, depth: f64) -> f64 {
        self.root_coefficient * (depth * self.slope_power.of(depth))
    }

    #[inline]
    pub(super) fn root_slope(&self, depth: f64) -> f64 {
        self.slope_coefficient * self.slope_power.of(depth)
    }

    #[inline]
    pub(super) fn root_and_slope(&self, depth: f64) -> (f64, f64) {
        let slope = self.slope_power.of(depth);
        (self.root_coefficient * (depth * slope), self.slope_coefficient * slope)
    }

    /// ψ' and the elastic force, which is what a resistance in proportion to it needs.
    #[inline]
    pub(super) fn root_slope_and_force(&self, depth: f64) -> (f64, f64) {
        let slope = self.slope_power.of(depth);
        (self.slope_coefficient * slope, self.stiffness * depth * slope * slope)
    }
}
