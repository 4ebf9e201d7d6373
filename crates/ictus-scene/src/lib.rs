//! Scenes: an instrument in a text file, and how it is played.
//!
//! A [`Scene`] is what the text says, validated and in SI units: a [`Model`](ictus::Model) and, beside it, what is done with it over
//! time. Nothing after the reader knows that there was a text.

pub mod player;
pub mod scene;

pub use player::Player;
pub use scene::Scene;
