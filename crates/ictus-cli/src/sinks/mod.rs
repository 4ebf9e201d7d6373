//! Where results go: files, written whole or not at all.

pub mod csv;
pub mod flac;
mod folders;
mod identity;
mod quantise;
pub mod sound;
mod spool;
mod temporary;
pub mod together;
pub mod wav;
mod whole_directory;
mod whole_file;

pub use folders::Folders;
pub use identity::{Named, all_distinct};
pub use spool::Spool;
pub use temporary::remove_at_signals;
pub use whole_directory::WholeDirectory;
pub use whole_file::{WholeFile, is_standard_output};
