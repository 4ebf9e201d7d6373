//! Instruments played live: a server on this machine's own address, and the page it serves.
//!
//! The page is the loudspeaker, the picture and the hands; the engine runs natively, in one thread per page, and streams audio
//! over a web socket as fast as the page consumes it. [`protocol`] and [`frames`] are what they say to each other; a [`Stage`] plays what the
//! page asks for on an [`Instrument`](ictus_scene::Instrument).

mod assets;
mod builders;
mod catalogue;
mod connection;
mod describe;
pub mod description;
#[cfg(feature = "native-audio")]
mod device;
mod door;
mod drawing;
mod files;
pub mod frames;
mod gallery;
pub mod limiter;
mod pace;
mod performer;
pub mod protocol;
mod server;
mod socket;
mod stage;

#[cfg(feature = "native-audio")]
pub use device::{DeviceError, play_on_device};
pub use gallery::Gallery;
pub use server::{Options, Server, serve};
pub use stage::Stage;
