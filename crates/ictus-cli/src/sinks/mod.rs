//! Where results go: files, written whole or not at all.

pub mod csv;
pub mod flac;
mod quantise;
pub mod sound;
pub mod wav;
mod whole_directory;
mod whole_file;

pub use whole_directory::WholeDirectory;
pub use whole_file::{WholeFile, destination};
