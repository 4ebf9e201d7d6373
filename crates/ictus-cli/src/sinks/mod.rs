//! Where results go: files, written whole or not at all.

pub mod csv;
mod whole_file;

pub use whole_file::{WholeFile, destination};
