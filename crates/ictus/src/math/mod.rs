//! Arithmetic the physics rests on, kept reproducible from platform to platform.

mod fast_power;
pub(crate) mod lambert;
mod plain;
pub mod power;
pub(crate) mod quadrature;
pub mod random;
pub(crate) mod relaxation;
pub(crate) mod roots;

pub use plain::Plain;
