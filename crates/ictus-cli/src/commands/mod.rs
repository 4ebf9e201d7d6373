//! The subcommands: one module each.

pub mod check;
pub mod design;
pub mod fit;
pub mod impact;
pub mod laws;
pub mod measure;
pub mod new;
pub mod play;
pub mod render;
pub mod repro;
pub mod sample;
pub mod scenes;
pub mod schemes;
pub mod show;
pub mod site;
pub mod study;
pub mod sweep;

use std::path::Path;

use serde::Serialize;

use crate::error::Error;
use crate::figures::Format;
use crate::table;
use ictus::names::nearest;

/// Prints a value as indented JSON; numbers that are not finite become `null`.
fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let mut text = serde_json::to_string_pretty(value).map_err(|error| Error::Output(error.into()))?;
    text.push('\n');
    table::print(&text)
}

/// The format of the file that `--plot` names.
fn picture_format(path: &Path) -> Result<Format, Error> {
    Format::of(path).ok_or_else(|| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let suggestion = ending
            .and_then(|ending| nearest(ending, Format::ENDINGS))
            .map(|ending| path.with_extension(ending).display().to_string());
        Error::Option {
            option: "--plot",
            value: path.display().to_string(),
            allowed: "must be a file name that ends in .svg or .png".to_owned(),
            suggestion,
        }
    })
}
