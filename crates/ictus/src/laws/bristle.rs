//! Friction of a surface of bristles: they bend before they slide, so friction has a memory.
//!
//! ```text
//! f = σ0 z,     ż = v - β z,     β = a |v| σ0/g(v),     g(v) = F_N (μ_k + (μ_s - μ_k) e^(-(v/v_s)²))
//! ```
//!
//! z is how far the bristles are bent, v the velocity of sliding. Slowly pressed they are a spring of stiffness σ0; drawn on, they slide at z = g/σ0, with
//! the force g. Source: Canudas de Wit, Olsson, Åström, Lischinsky, A new model for control of systems with friction (1995), with a = 1: that is
//! [`BristleFriction`]. With a = 0 below a break-away deflection nothing slides there, and a load that swings does not creep:
//! [`ElastoPlasticFriction`](super::ElastoPlasticFriction).
//!
//! It stores σ0 z²/2 and loses `σ0 β z²`, whatever β ≥ 0. `|z|` never grows beyond the largest g/σ0, so friction is never above μ_s F_N. A resistance
//! beside it, σ2 v, is the `damping` of the contact. Left out: the term σ1 ż, which may create energy unless σ1 falls with the velocity.

use super::info::{Allowed, LawInfo, ParameterInfo};
use super::numbered::Numbered;
use super::{ContactLaw, LawError};
use crate::limits;

/// Part of v_s below which the resistance of [`Bristles`] that slide for long is that at this velocity.
const SLOWEST: f64 = 1e-3;

/// Bristles under a normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bristles {
    /// Normal force F_N in N.
    pub normal_force: f64,
    /// Coefficient of static friction μ_s.
    pub static_friction: f64,
    /// Coefficient of kinetic friction μ_k.
    pub kinetic_friction: f64,
    /// Velocity v_s in m/s at which the one has given way to the other.
    pub slowing: f64,
    /// Stiffness σ0 in N/m.
    pub stiffness: f64,
    /// Part of the kinetic deflection μ_k F_N/σ0 up to which they only bend.
    pub elastic: f64,
}

impl Bristles {
    /// The parameters all laws of bristles begin with.
    pub(super) const PARAMETERS: [ParameterInfo; 5] = [
        ParameterInfo {
            name: "normal force",
            symbol: "F_N",
            unit: "N",
            allowed: Allowed::Within { least: 0.0, most: limits::STRONGEST_BOW },
            default: None,
            scales: true,
        },
        coefficient("static friction", "μ_s", 0.8),
        coefficient("kinetic friction", "μ_k", 0.3),
        ParameterInfo {
            name: "slowing",
            symbol: "v_s",
            unit: "m/s",
            allowed: Allowed::AboveUpTo { above: 0.0, most: limits::FASTEST },
            default: Some(0.1),
            scales: false,
        },
        ParameterInfo {
            name: "bristle stiffness",
            symbol: "σ0",
            unit: "N/m",
            allowed: Allowed::AboveUpTo { above: 0.0, most: limits::STIFFEST_BRISTLE },
            default: Some(1e5),
            scales: true,
        },
    ];

    /// What no table of ranges shows: kinetic friction is not above static.
    pub(super) fn check(&self, info: &'static LawInfo) -> Result<(), LawError> {
        if self.kinetic_friction <= self.static_friction {
            return Ok(());
        }
        let allowed = Allowed::Within { least: 0.0, most: self.static_friction };
        Err(info.out_of_range(&ParameterInfo { allowed, ..Self::PARAMETERS[2] }, self.kinetic_friction))
    }

    /// Largest friction in N: μ_s F_N.
    #[inline]
    pub fn largest(&self) -> f64 {
        self.static_friction * self.normal_force
    }

    /// Friction g in N that they come to when they slide for long at a velocity in m/s.
    #[inline]
    pub fn sliding(&self, velocity: f64) -> f64 {
        let ratio = velocity / self.slowing;
        let rest = (self.static_friction - self.kinetic_friction) * libm::exp(-ratio * ratio);
        self.normal_force * (self.kinetic_friction + rest)
    }

    /// β in 1/s at a velocity in m/s and a deflection in m.
    #[inline]
    pub fn leak(&self, velocity: f64, deflection: f64) -> f64 {
        let sliding = self.sliding(velocity);
        if sliding == 0.0 {
            return f64::INFINITY;
        }
        let share = self.share_that_slides(velocity, deflection, sliding / self.stiffness);
        if share == 0.0 { 0.0 } else { share * velocity.abs() * self.stiffness / sliding }
    }

    /// a, from 0 where they only bend to 1 where they slide, at `most` the deflection in m of sliding.
    #[inline]
    fn share_that_slides(&self, velocity: f64, deflection: f64, most: f64) -> f64 {
        if self.elastic == 0.0 {
            return 1.0;
        }
        // Bent the other way they are let go of.
        let bent = deflection * velocity.signum();
        let least = self.elastic * self.kinetic_friction * self.normal_force / self.stiffness;
        if bent <= least {
            0.0
        } else if bent >= most {
            1.0
        } else {
            0.5 - 0.5 * libm::cos(std::f64::consts::PI * (bent - least) / (most - least))
        }
    }

    /// Resistance in N s/m of sliding for long.
    #[inline]
    pub(super) fn resistance(&self, velocity: f64) -> f64 {
        self.sliding(velocity) / velocity.abs().max(SLOWEST * self.slowing)
    }
}

const fn coefficient(name: &'static str, symbol: &'static str, usual: f64) -> ParameterInfo {
    ParameterInfo {
        name,
        symbol,
        unit: "1",
        allowed: Allowed::Within { least: 0.0, most: limits::ROUGHEST },
        default: Some(usual),
        scales: false,
    }
}

/// Friction by bristles that always slide a little (LuGre).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BristleFriction(Bristles);

impl BristleFriction {
    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "bristle-friction",
        title: "bristle friction",
        summary: "friction that bends before it slides: stick and slip, squeaks, bows",
        formula: "f = σ0 z, dz/dt = v - |v| σ0 z/g, g = F_N (μ_k + (μ_s - μ_k) e^(-(v/v_s)²))",
        parameters: &Bristles::PARAMETERS,
        usual: &[0.5, 0.8, 0.3, 0.1, 1e5],
        source: "Canudas de Wit et al. (1995), without σ1",
    };

    /// Normal force F_N ≥ 0 in N, static and kinetic friction μ_s ≥ μ_k ≥ 0, velocity v_s > 0 in m/s, stiffness σ0 > 0 in N/m.
    ///
    /// More force makes it louder and slower to let go; a smaller μ_k or v_s makes it squeak more readily; a softer surface bends farther before it slides.
    pub fn new(
        normal_force: f64,
        static_friction: f64,
        kinetic_friction: f64,
        slowing: f64,
        stiffness: f64,
    ) -> Result<Self, LawError> {
        Self::INFO.check([normal_force, static_friction, kinetic_friction, slowing, stiffness])?;
        let bristles = Bristles { normal_force, static_friction, kinetic_friction, slowing, stiffness, elastic: 0.0 };
        bristles.check(&Self::INFO)?;
        Ok(Self(bristles))
    }
}

impl Numbered for BristleFriction {
    type Numbers = [f64; 5];

    fn from_numbers([force, at_rest, moving, slowing, stiffness]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(force, at_rest, moving, slowing, stiffness)
    }

    fn numbers(&self) -> Self::Numbers {
        let Bristles { normal_force, static_friction, kinetic_friction, slowing, stiffness, .. } = self.0;
        [normal_force, static_friction, kinetic_friction, slowing, stiffness]
    }
}

/// What it stores is no function of the compression: as a law without memory it is the resistance of what slides for long.
impl ContactLaw for BristleFriction {
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
