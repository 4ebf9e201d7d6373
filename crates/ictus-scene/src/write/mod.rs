//! From scene to text: what a scene holds, in the words of the reader.
//!
//! Everything is written out as it was resolved: the notes of sets one by one, random heights and noise as numbers. Reading the text back gives the
//! same scene to the bit. Numbers have units where that does not cost a bit, and what holds anyway is left out.
//!
//! Exciters are written as people write them, with their mass, barrier and contact left unsaid, if these are what the reader would make of them.
//! Else, in scenes made by a program, all parts are written as objects, contacts and forces, and the exciters are `of` them.

mod bodies;
mod contacts;
mod controls;
mod error;
mod events;
mod exciters;
mod keys;
mod material;
mod names;
mod notes;
mod numbers;
mod paths;
mod pickups;
mod points;
mod rows;
mod whole;

pub(crate) use bodies::{amplitude, ends, grid, method, outline, pair, segments};
pub(crate) use contacts::{law as write_law, rule as write_rule};
pub use error::WriteError;
pub(crate) use exciters::Owner;
pub(crate) use material::{fewest, loss};
pub(crate) use numbers::{bare, roundest};
pub(crate) use rows::Rows;

pub(crate) use names::{Tools as MadeParts, made_by_reader as made_parts};

use names::{Names, Tools};
use paths::Paths;

use crate::scene::Scene;
use crate::source::MOST_BYTES;
use crate::tree::too_large;

/// The text of a scene.
///
/// # Errors
/// What the text of a scene cannot say, or what the scene does not have though something names it.
pub fn write(scene: &Scene) -> Result<String, WriteError> {
    names::check(scene)?;
    let text = match names::made_by_reader(scene) {
        // What only a part can be asked for is found among the parts.
        Some(tools) => text(scene, tools).or_else(|error| text(scene, Tools::of_parts()).map_err(|_| error))?,
        None => text(scene, Tools::of_parts())?,
    };
    if text.len() > MOST_BYTES {
        return Err(WriteError::TooLong { bytes: text.len(), most: MOST_BYTES });
    }
    match too_large([&*text]) {
        Some([megabytes, most]) => Err(WriteError::TooLarge { megabytes, most }),
        None => Ok(text),
    }
}

fn text(scene: &Scene, tools: Tools) -> Result<String, WriteError> {
    let names = Names::new(scene, tools);
    let paths = Paths::new(&names);
    let score = events::rows(&names, &paths)?;
    let mut text = whole::head(scene)?;
    // A long score is a list at the top, a short one has a table for each event.
    let is_long = score.len() > events::MOST_TABLES;
    if is_long {
        text += &events::list(&score);
    }
    text += &whole::limits(scene)?;
    for index in names.objects() {
        text += &bodies::object(&names, index)?;
    }
    for index in names.contacts() {
        text += &contacts::contact(&names, index)?;
    }
    for index in 0..scene.exciters.len() {
        text += &exciters::exciter(&names, index)?;
    }
    for index in names.forces() {
        text += &pickups::force(&names, index)?;
    }
    for index in 0..scene.model.pickups.len() {
        text += &pickups::pickup(&names, index)?;
    }
    text += &whole::output(scene)?;
    if !is_long {
        text += &events::tables(&score);
    }
    text += &notes::notes(&names)?;
    for index in 0..scene.controls.len() {
        text += &controls::control(&names, &paths, index)?;
    }
    Ok(text)
}
