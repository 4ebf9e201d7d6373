//! Contact laws: what two bodies do to each other as a function of how far they are pressed together.
//!
//! A law is a potential φ(η) ≥ 0 and a resistance R(η, η̇) ≥ 0; its force is `φ'(η) + R(η, η̇) η̇`. η is the
//! compression in metres, positive when the bodies overlap. A law never sees the time step.
//!
//! The engine does not step φ but its signed root `ψ = sgn(φ') √(2φ)`, which makes the stored energy a
//! square, `ψ²/2`. A new law is one file here and its name in `laws!` below.
//!
//! No finite compression and velocity make a NaN, whatever the parameters; values too large for a number are
//! infinite.

mod bristle;
mod centre_limited;
mod elasto_plastic;
mod error;
mod friction;
mod hunt_crossley;
mod info;
mod numbered;
mod odd_power;
mod one_sided_power;
mod power_potential;
#[cfg(feature = "serde")]
mod serialised;
mod spring;
mod stulov;

pub use bristle::{BristleFriction, Bristles};
pub use centre_limited::CentreLimited;
pub use elasto_plastic::ElastoPlasticFriction;
pub use error::LawError;
pub use friction::BowFriction;
pub use hunt_crossley::HuntCrossley;
pub use info::{Allowed, LawInfo, ParameterInfo};
pub use odd_power::OddPower;
pub use one_sided_power::OneSidedPower;
pub use spring::LinearCubicSpring;
pub use stulov::{StulovFelt, StulovState};

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

    /// [`root`](Self::root) and [`root_slope`](Self::root_slope) in one evaluation, to the same bits.
    #[inline]
    fn root_and_slope(&self, compression: f64) -> (f64, f64) {
        (self.root(compression), self.root_slope(compression))
    }

    /// [`root_slope`](Self::root_slope) and [`resistance`](Self::resistance) in one evaluation, to the same
    /// bits.
    #[inline]
    fn root_slope_and_resistance(&self, compression: f64, velocity: f64) -> (f64, f64) {
        (self.root_slope(compression), self.resistance(compression, velocity))
    }

    /// [`root`](Self::root) and [`resistance`](Self::resistance) in one evaluation.
    #[inline]
    fn root_and_resistance(&self, compression: f64, velocity: f64) -> (f64, f64) {
        (self.root(compression), self.resistance(compression, velocity))
    }

    /// For a law that only pushes, the compression in m at which it begins to; `None` for laws that always act.
    fn surface(&self) -> Option<f64> {
        None
    }

    /// How far in m it can be compressed, either way, before it does anything.
    fn play(&self) -> f64 {
        self.surface().unwrap_or(0.0)
    }

    /// Stiffness K, exponent α and dissipation μ of a one-sided power law, the kind closed results exist for.
    fn power_law(&self) -> Option<(f64, f64, f64)> {
        None
    }

    /// Stiffness in N/m of a law that is a linear spring, pushing and pulling.
    fn spring_stiffness(&self) -> Option<f64> {
        None
    }

    /// The felt of a law that remembers how it was pressed. As a potential it is what it is without its memory.
    fn felt(&self) -> Option<&StulovFelt> {
        None
    }

    /// The friction curve of a law that is friction without memory: a resistance to sliding, whatever the compression.
    fn friction(&self) -> Option<&BowFriction> {
        None
    }

    /// The bristles of a law that is friction with a memory.
    fn bristles(&self) -> Option<&Bristles> {
        None
    }

    /// Whether it is friction, which knows no place.
    #[inline]
    fn is_friction(&self) -> bool {
        self.friction().is_some() || self.bristles().is_some()
    }
}

macro_rules! laws {
    ($($variant:ident),* $(,)?) => {
        /// Any law, as plain data.
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
            #[inline]
            fn potential(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.potential(compression),)* }
            }
            #[inline]
            fn force(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.force(compression),)* }
            }
            #[inline]
            fn stiffness(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.stiffness(compression),)* }
            }
            #[inline]
            fn root(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.root(compression),)* }
            }
            #[inline]
            fn root_slope(&self, compression: f64) -> f64 {
                match self { $(Law::$variant(law) => law.root_slope(compression),)* }
            }
            #[inline]
            fn resistance(&self, compression: f64, velocity: f64) -> f64 {
                match self { $(Law::$variant(law) => law.resistance(compression, velocity),)* }
            }
            #[inline]
            fn root_and_slope(&self, compression: f64) -> (f64, f64) {
                match self { $(Law::$variant(law) => law.root_and_slope(compression),)* }
            }
            #[inline]
            fn root_slope_and_resistance(&self, compression: f64, velocity: f64) -> (f64, f64) {
                match self {
                    $(Law::$variant(law) => law.root_slope_and_resistance(compression, velocity),)*
                }
            }
            #[inline]
            fn root_and_resistance(&self, compression: f64, velocity: f64) -> (f64, f64) {
                match self {
                    $(Law::$variant(law) => law.root_and_resistance(compression, velocity),)*
                }
            }
            fn surface(&self) -> Option<f64> {
                match self { $(Law::$variant(law) => law.surface(),)* }
            }
            fn play(&self) -> f64 {
                match self { $(Law::$variant(law) => law.play(),)* }
            }
            fn power_law(&self) -> Option<(f64, f64, f64)> {
                match self { $(Law::$variant(law) => law.power_law(),)* }
            }
            fn spring_stiffness(&self) -> Option<f64> {
                match self { $(Law::$variant(law) => law.spring_stiffness(),)* }
            }
            #[inline]
            fn felt(&self) -> Option<&StulovFelt> {
                match self { $(Law::$variant(law) => law.felt(),)* }
            }
            #[inline]
            fn friction(&self) -> Option<&BowFriction> {
                match self { $(Law::$variant(law) => law.friction(),)* }
            }
            #[inline]
            fn bristles(&self) -> Option<&Bristles> {
                match self { $(Law::$variant(law) => law.bristles(),)* }
            }
        }

        impl Law {
            /// The laws, in the order they are listed.
            pub const ALL: &'static [LawInfo] = &[$($variant::INFO),*];

            /// What it is called, its formula and its parameters.
            pub fn info(&self) -> &'static LawInfo {
                match self { $(Law::$variant(_) => &$variant::INFO,)* }
            }

            /// The law of a name with its numbers, in SI units, in the order of [`LawInfo::parameters`]; `None` for a name that is no
            /// law, or another number of numbers.
            ///
            /// # Errors
            /// A number is outside its range.
            pub fn of(name: &str, numbers: &[f64]) -> Option<Result<Law, LawError>> {
                match name {
                    $(name if name == $variant::INFO.name => numbered::from_slice::<$variant>(numbers),)*
                    _ => None,
                }
            }

            /// Its numbers, and zeros up to the most that any law has.
            fn numbers(&self) -> [f64; numbered::MOST] {
                match self { $(Law::$variant(law) => numbered::padded(law),)* }
            }
        }

    };
}

laws!(
    OneSidedPower,
    OddPower,
    CentreLimited,
    LinearCubicSpring,
    HuntCrossley,
    StulovFelt,
    BowFriction,
    BristleFriction,
    ElastoPlasticFriction,
);

/// The law of that name, if there is one.
pub fn law(name: &str) -> Option<&'static LawInfo> {
    Law::ALL.iter().find(|law| law.name == name)
}
