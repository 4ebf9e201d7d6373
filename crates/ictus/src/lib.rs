//! Physical modelling of things that hit each other, for sound.
//!
//! All quantities are SI: metres, kilograms, seconds, newtons, joules.

mod build;
mod cluster;
pub mod contact;
pub mod control;
mod coupling;
pub mod engine;
mod error;
pub mod impact;
mod joint;
pub mod laws;
pub mod ledger;
mod link;
pub mod math;
pub mod model;
pub mod objects;
pub mod probe;

pub use engine::Engine;
pub use error::BuildError;
pub use model::Model;
