//! Instruments played live: a server on this machine's own address, and the page it serves.
//!
//! The page is the loudspeaker, the picture and the hands; the engine runs natively, in one thread per page, and streams audio
//! over a web socket as fast as the page consumes it. [`protocol`] and [`frames`] are what they say to each other; a [`Stage`] plays what the
//! page asks for on an [`Instrument`](ictus_scene::Instrument).

mod assets;
mod builders;
mod catalogue;
mod connection;
#[cfg(feature = "native-audio")]
mod device;
mod door;
mod files;
mod gallery;
mod inflow;
mod lan;
mod pace;
mod performer;
mod questions;
mod server;
mod socket;

pub use assets::static_page;
#[cfg(feature = "native-audio")]
pub use device::{DeviceError, play_on_device};
pub use gallery::Gallery;
/// What this server shares with the engine that runs inside a page.
pub use ictus_page::{Stage, description, frames, limiter, protocol};
pub use server::{Options, Server, serve};
