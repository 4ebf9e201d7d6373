//! The subcommands: one module each.

pub mod check;
pub mod impact;
pub mod laws;
pub mod new;
pub mod render;
pub mod repro;
pub mod scenes;
pub mod schemes;
pub mod show;
pub mod study;

use serde::Serialize;

use crate::error::Error;
use crate::table;

/// Prints a value as indented JSON; numbers that are not finite become `null`.
fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Error::Output(error.into()))?;
    text.push('\n');
    table::print(&text)
}
