//! Scenes that are written read back as the same scenes: as JSON and as text.

mod corpus;
mod json;
mod made;
mod odd;
#[path = "../scenes/mod.rs"]
mod scenes;
mod slips;
mod text;
mod wrong;
