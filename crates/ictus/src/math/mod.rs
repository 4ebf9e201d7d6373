//! Arithmetic the physics rests on, kept reproducible from platform to platform.

pub mod lambert;
pub mod power;
pub mod quadrature;
pub mod roots;
