//! Physical modelling of things that hit each other, for sound.
//!
//! All quantities are SI: metres, kilograms, seconds, newtons, joules. A [`Model`] names [`objects`], the [`laws`] by which their
//! points act on each other, and what is heard; it is built into an [`Engine`], which steps it in real time without iteration and
//! without taking memory, and can account for every joule.
//!
//! ```
//! use ictus::Model;
//! use ictus::laws::HuntCrossley;
//! use ictus::model::{Interaction, Pickup, Point, Source};
//! use ictus::objects::{MassSpec, Place, StringPitch, StringSpec};
//!
//! let string = StringSpec { pitch: StringPitch::Fundamental(220.0), ..StringSpec::default() };
//! let hammer = MassSpec { displacement: -1e-3, velocity: 2.0, ..MassSpec::free(5e-3) };
//! let felt = HuntCrossley::new(1e8, 2.3, 0.1)?;
//! let mut engine = Model::new(48_000.0)
//!     .with("string", string)
//!     .with("hammer", hammer)
//!     .join(Interaction::new("felt", Point::of("hammer"), Point::on("string", Place::Along(0.12)), felt))
//!     .listen(Pickup { source: Source::Velocity(Point::on("string", Place::Along(0.9))), gains: vec![1.0] })
//!     .build()?;
//! engine.keep_account_of_energy(true);
//! let mut sound = vec![0.0; 4800];
//! engine.process(&mut sound);
//! assert!(engine.balance().residual() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Objects, contacts, forces and pickups have typed handles ([`ObjectId`], [`ContactId`], [`ForceId`], [`PickupId`]): ask the engine for the handle of a
//! name, read with it, and give it to a [`Change`](control::Change).
//!
//! [`impact`] is the lab: one mass, one wall, every scheme of the literature beside the closed results. [`contact`] is the rule the
//! engine uses, and why.
//!
//! With the feature `serde` (off by default) a [`Model`] and all in it can be serialised. Laws come back through their constructors, which
//! refuse numbers out of range; everything else is checked by [`Model::build`].

mod build;
mod cluster;
pub mod contact;
pub mod control;
mod coupling;
pub mod engine;
mod equilibrium;
mod error;
pub mod id;
pub mod impact;
mod island;
pub mod laws;
pub mod ledger;
#[cfg(test)]
mod levels;
pub mod limits;
mod link;
pub mod math;
pub mod model;
pub mod names;
mod neighbours;
pub mod objects;
mod pickups;
pub mod probe;
pub mod quarantine;
mod reading;
mod rest;
mod room;
mod roughness;
pub mod simd;
mod start;
mod tally;
mod turn;
pub mod weight;

pub use engine::Engine;
pub use error::{BuildError, User};
pub use id::{ContactId, ForceId, ObjectId, PickupId};
pub use model::Model;
