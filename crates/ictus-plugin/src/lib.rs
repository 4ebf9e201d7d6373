//! ictus in any studio: an instrument, the same with many outputs, and a resonator, as CLAP and VST3 plugins.
//!
//! All that sounds is an [`Instrument`](ictus_scene::Instrument); this crate brings it what a host has to say, and nothing else. Three threads meet:
//!
//! - the audio thread has a [`Player`](player::Player) with the [`Part`](part::Part) it plays. It takes no memory, waits for nobody and asks the system for nothing;
//! - a thread of the host, or that of the [`Crew`](crew::Crew), reads scenes and builds parts, at the [`Desk`](desk::Desk);
//! - the window ([`window`]) draws what the desk is told.
//!
//! Parts go from the desk to the player and, when they are done, back, by queues without locks.

mod bodies;
mod choice;
mod crew;
mod desk;
mod exports;
mod face;
mod fade;
mod fingers;
mod knobs;
mod part;
mod picture;
mod player;
mod plugins;
mod score;
#[cfg(feature = "window")]
mod window;
