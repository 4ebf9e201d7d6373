//! Friction of bristles that only bend up to a break-away deflection, and slide beyond it.
//!
//! ```text
//! ż = v - a |v| σ0 z/g(v),     a = 0 for z sgn(v) ≤ z_b,   1 for z sgn(v) ≥ g/σ0,   ½ - ½ cos(π (z sgn(v) - z_b)/(g/σ0 - z_b)) between
//! ```
//!
//! with `z_b = e μ_k F_N/σ0`. Source: Dupont, Hayward, Armstrong, Altpeter, Single state elasto-plastic friction models (2002). [`bristle.rs`](super::BristleFriction)
//! has f and g. There a load that swings below break-away creeps on with every swing; here what is below z_b comes back to where it was.

use super::bristle::Bristles;
use super::info::{Allowed, LawInfo, ParameterInfo};
use super::numbered::Numbered;
use super::{ContactLaw, LawError};

/// Friction by bristles that stick up to a part of what makes them slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElastoPlasticFriction(Bristles);

impl ElastoPlasticFriction {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "elasto-plastic-friction",
        title: "elasto-plastic friction",
        summary: "friction that only bends up to a break-away deflection: stick and slip without creep",
        formula: "f = σ0 z, dz/dt = v - a |v| σ0 z/g, a = 0 for σ0 z < e μ_k F_N, g as of bristle-friction",
        parameters: &{
            let [force, at_rest, moving, slowing, stiffness] = Bristles::PARAMETERS;
            let elastic = ParameterInfo {
                name: "elastic",
                symbol: "e",
                unit: "1",
                allowed: Allowed::Between { least: 0.0, below: 1.0 },
                default: Some(0.7),
                scales: false,
            };
            [force, at_rest, moving, slowing, stiffness, elastic]
        },
        usual: &[0.5, 0.8, 0.3, 0.1, 1e5, 0.7],
        source: "Dupont et al. (2002), without σ1",
    };

    /// The numbers of [`BristleFriction`](super::BristleFriction), and the part 0 ≤ e < 1 of kinetic friction up to which nothing slides; with 0 it is
    /// that law.
    pub fn new(
        normal_force: f64,
        static_friction: f64,
        kinetic_friction: f64,
        slowing: f64,
        stiffness: f64,
        elastic: f64,
    ) -> Result<Self, LawError> {
        Self::INFO.check([normal_force, static_friction, kinetic_friction, slowing, stiffness, elastic])?;
        let bristles = Bristles { normal_force, static_friction, kinetic_friction, slowing, stiffness, elastic };
        bristles.check(&Self::INFO)?;
        Ok(Self(bristles))
    }
}

impl Numbered for ElastoPlasticFriction {
    type Numbers = [f64; 6];

    fn from_numbers([force, at_rest, moving, slowing, stiffness, elastic]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(force, at_rest, moving, slowing, stiffness, elastic)
    }

    fn numbers(&self) -> Self::Numbers {
        let Bristles { normal_force, static_friction, kinetic_friction, slowing, stiffness, elastic } = self.0;
        [normal_force, static_friction, kinetic_friction, slowing, stiffness, elastic]
    }
}

/// As of [`BristleFriction`](super::BristleFriction): without memory it is the resistance of what slides for long.
impl ContactLaw for ElastoPlasticFriction {
    fn potential(&self, _compression: f64) -> f64 {
        0.0
    }

    fn force(&self, _compression: f64) -> f64 {
        0.0
    }

    fn stiffness(&self, _compression: f64) -> f64 {
        0.0
    }

    fn root(&self, _compression: f64) -> f64 {
        0.0
    }

    fn root_slope(&self, _compression: f64) -> f64 {
        0.0
    }

    fn resistance(&self, _compression: f64, velocity: f64) -> f64 {
        self.0.resistance(velocity)
    }

    #[inline]
    fn bristles(&self) -> Option<&Bristles> {
        Some(&self.0)
    }
}
