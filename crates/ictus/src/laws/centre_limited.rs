//! A rattle: free play of half-width h around the centre, and a wall on each side.
//!
//! ```text
//! φ(η) = K/(α+1) [|η|-h]+^(α+1),   φ'(η) = sgn(η) K [|η|-h]+^α
//! ```
//!
//! Source: D17 (3c); h = 0 is the connection by a two-sided collision of W19 (66)-(69). With h = 0 there is no
//! play: ψ'(0) is √K for α = 1 and 0 above. With h > 0 it is 0 throughout the play, its edges included.

use super::info::{EXPONENT, LawInfo, ParameterInfo, STIFFNESS, THRESHOLD};
use super::numbered::Numbered;
use super::power_potential::PowerPotential;
use super::{ContactLaw, LawError};

/// Lossless contact on both sides of a free play, `sgn(η) K [|η|-h]+^α`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CentreLimited {
    power: PowerPotential,
    half_width: f64,
}

impl CentreLimited {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "centre-limited",
        title: "centre-limited",
        summary: "lossless contact on both sides of a free play",
        formula: "φ = K/(α+1) [|η|-h]+^(α+1)",
        parameters: &[STIFFNESS, EXPONENT, ParameterInfo { name: "half-width", default: None, ..THRESHOLD }],
        usual: &[1e7, 1.5, 1e-4],
        source: "D17 (3c); W19 (66)-(69) for h = 0",
    };

    /// Stiffness K > 0 in N/m^α, exponent α ≥ 1, half-width of the free play h ≥ 0 in m.
    ///
    /// The play is what rattles: the wider, the later and the rarer the blows.
    pub fn new(stiffness: f64, exponent: f64, half_width: f64) -> Result<Self, LawError> {
        Self::INFO.check([stiffness, exponent, half_width])?;
        Ok(Self { power: PowerPotential::new(stiffness, exponent), half_width })
    }

    /// Stiffness K in N/m^α.
    pub fn stiffness_coefficient(&self) -> f64 {
        self.power.stiffness_coefficient()
    }

    /// Exponent α.
    pub fn exponent(&self) -> f64 {
        self.power.exponent()
    }

    /// Half-width h of the free play in m.
    pub fn half_width(&self) -> f64 {
        self.half_width
    }

    /// How far either wall is pressed, if one is; without play, one always is.
    #[inline]
    fn depth(&self, compression: f64) -> Option<f64> {
        let depth = compression.abs() - self.half_width;
        (depth > 0.0 || self.half_width == 0.0).then_some(depth)
    }
}

impl Numbered for CentreLimited {
    type Numbers = [f64; 3];

    fn from_numbers([stiffness, exponent, half_width]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(stiffness, exponent, half_width)
    }

    fn numbers(&self) -> Self::Numbers {
        [self.stiffness_coefficient(), self.exponent(), self.half_width]
    }
}

impl ContactLaw for CentreLimited {
    #[inline]
    fn potential(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.potential(depth))
    }

    #[inline]
    fn force(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.force(depth).copysign(compression))
    }

    #[inline]
    fn stiffness(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.stiffness(depth))
    }

    #[inline]
    fn root(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.root(depth).copysign(compression))
    }

    #[inline]
    fn root_slope(&self, compression: f64) -> f64 {
        self.depth(compression).map_or(0.0, |depth| self.power.root_slope(depth))
    }

    #[inline]
    fn root_and_slope(&self, compression: f64) -> (f64, f64) {
        self.depth(compression).map_or((0.0, 0.0), |depth| {
            let (root, slope) = self.power.root_and_slope(depth);
            (root.copysign(compression), slope)
        })
    }

    fn play(&self) -> f64 {
        self.half_width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_walls_push_towards_the_centre() -> Result<(), LawError> {
        let law = CentreLimited::new(1e6, 2.0, 1e-3)?;
        assert!((law.force(3e-3) / 4.0 - 1.0).abs() < 1e-14);
        assert_eq!(law.force(-3e-3), -law.force(3e-3));
        assert_eq!(law.root(-3e-3), -law.root(3e-3));
        assert_eq!(law.potential(-3e-3), law.potential(3e-3));
        Ok(())
    }

    #[test]
    fn nothing_happens_within_the_play() -> Result<(), LawError> {
        let law = CentreLimited::new(1e6, 1.0, 1e-3)?;
        for compression in [-1e-3, -5e-4, 0.0, 5e-4, 1e-3] {
            assert_eq!(law.potential(compression), 0.0);
            assert_eq!(law.force(compression), 0.0);
            assert_eq!(law.root_and_slope(compression), (0.0, 0.0));
        }
        Ok(())
    }

    #[test]
    fn without_play_a_linear_limiter_is_a_spring() -> Result<(), LawError> {
        let law = CentreLimited::new(400.0, 1.0, 0.0)?;
        assert_eq!(law.root_slope(0.0), 20.0);
        assert_eq!(law.root(-0.5), -10.0);
        assert_eq!(CentreLimited::new(400.0, 1.3, 0.0)?.root_slope(0.0), 0.0);
        Ok(())
    }
}
