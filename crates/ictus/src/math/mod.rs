//! Arithmetic the physics rests on, kept reproducible from platform to platform.

pub(crate) mod lambert;
pub mod power;
pub(crate) mod quadrature;
pub(crate) mod roots;
