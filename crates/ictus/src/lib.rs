//! Physical modelling of things that hit each other, for sound.
//!
//! All quantities are SI: metres, kilograms, seconds, newtons, joules.

pub mod contact;
pub mod impact;
pub mod laws;
pub mod math;
pub mod objects;
