//! Scenes that are written read back as the same scenes: as JSON and as text.

mod corpus;
mod json;
mod made;
mod odd;
mod slips;
mod text;
mod wrong;
