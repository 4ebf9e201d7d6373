//! Contact laws: what two bodies do to each other as a function of how far they are pressed together.
//!
//! A law is a potential φ(η) ≥ 0 and a resistance R(η, η̇) ≥ 0; its force is `φ'(η) + R(η, η̇) η̇`. η is the
//! compression in metres, positive when the bodies overlap. A law never sees the time step.
//!
//! The engine does not step φ but its signed root `ψ = sgn(φ') √(2φ)`, which makes the stored energy a
//! square, `ψ²/2`. A new law is one file here, one variant of [`Law`] and one line in [`LAWS`].

mod centre_limited;
mod friction;
mod hunt_crossley;
mod one_sided_power;
mod odd_power;
mod spring;
mod stulov;

pub use centre_limited::CentreLimited;
pub use friction::BowFriction;
pub use hunt_crossley::HuntCrossley;
pub use odd_power::OddPower;
pub use one_sided_power::OneSidedPower;
pub use spring::LinearCubicSpring;
pub use stulov::StulovFelt;

/// What every law with a potential can tell. Compressions in m, velocities in m/s.
pub trait ContactLaw {
    /// Stored energy φ(η), in J; never negative.
    fn potential(&self, compression: f64) -> f64;

    /// Elastic force φ'(η), in N.
    fn force(&self, compression: f64) -> f64;

    /// Slope of the elastic force φ''(η), in N/m.
    fn stiffness(&self, compression: f64) -> f64;

    /// Signed root ψ(η) = sgn(φ') √(2φ), in √J; nondecreasing in η.
    fn root(&self, compression: f64) -> f64;

    /// Slope of the signed root ψ'(η) = φ'/ψ, in √J/m; never negative.
    fn root_slope(&self, compression: f64) -> f64;

    /// Resistance R(η, η̇) in N s/m; never negative. Most laws have none.
    fn resistance(&self, _compression: f64, _velocity: f64) -> f64 {
        0.0
    }

    /// True when the law only pushes: φ' ≥ 0, and 0 for small η.
    fn is_one_sided(&self) -> bool;
}

macro_rules! laws {
    ($($variant:ident),* $(,)?) => {
        /// Any law with a potential, as plain data.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Law {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant),)*
        }

        $(impl From<$variant> for Law {
            fn from(law: $variant) -> Self {
                Law::$variant(law)
            }
        })*

        impl ContactLaw for Law {
            fn potential(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.potential(compression),)* }
            }
            fn force(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.force(compression),)* }
            }
            fn stiffness(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.stiffness(compression),)* }
            }
            fn root(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.root(compression),)* }
            }
            fn root_slope(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.root_slope(compression),)* }
            }
            fn resistance(&self, compression: f64, velocity: f64) -> f64 {
                match self { $(Law::$variant(law) => law.resistance(compression, velocity),)* }
            }
            fn is_one_sided(&self) -> bool {
                match self { $(Law::$variant(law) => law.is_one_sided(),)* }
            }
        }
    };
}

laws!(OneSidedPower, OddPower, CentreLimited, LinearCubicSpring, HuntCrossley, BowFriction);
