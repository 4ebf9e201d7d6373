//! Instruments as a page plays them, wherever the engine runs: behind a web socket (`ictus-live`) or inside the page itself
//! (`ictus-wasm`).
//!
//! [`protocol`] and [`frames`] are what page and engine say to each other. A [`Stage`] plays what the page asks for on an
//! [`Instrument`](ictus_scene::Instrument); a [`Playing`] makes blocks of audio and states of it, and [`build`] sets scenes up. Nothing here
//! knows threads, sockets, files or clocks.

mod building;
mod conversation;
mod describe;
pub mod description;
mod drawing;
pub mod frames;
pub mod impact;
mod inlet;
pub mod limiter;
mod playing;
pub mod protocol;
pub mod questions;
mod stage;

pub use building::{Built, build, build_tuned, title};
pub use playing::{BLOCK, Playing};
pub use stage::{MOST_STATE_BYTES, Stage};
