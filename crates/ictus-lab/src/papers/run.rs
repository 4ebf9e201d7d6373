//! Computing items: chosen by name, side by side.
//!
//! What comes out is the same every time, whatever the number of threads, but for the items that measure time, which run alone at the end.

use ictus::names::nearest;
use rayon::prelude::*;

use super::report::Finished;
use super::{Item, SOURCES, Source};
use crate::Refusal;
use crate::figures::Format;

/// What stands for everything.
const ALL: &str = "all";

/// One item to be computed, and its source.
pub type Chosen = (&'static Source, &'static Item);

/// Why items cannot be computed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ReproError {
    /// A name that is none.
    #[error("{refusal}\n{}", .list.trim_end())]
    Unknown {
        /// What is wrong with it.
        refusal: Refusal,
        /// All items, in lines.
        list: String,
    },
    /// A table or figure could not be computed.
    #[error("{item} could not be computed: {reason}")]
    Compute {
        /// Its name.
        item: &'static str,
        /// Why.
        reason: String,
    },
    /// A picture could not be drawn.
    #[error("the picture could not be drawn: {0}")]
    Draw(String),
}

/// The items of these names, in the order of the registry, each once; all if there are no names.
///
/// # Errors
/// A name is none of a source or an item.
pub fn chosen(names: &[String]) -> Result<Vec<Chosen>, ReproError> {
    let is_named = |name: &str, (source, item): Chosen| {
        [ALL, source.id, item.id].iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    for name in names {
        if !every().any(|entry| is_named(name, entry)) {
            return Err(unknown(name));
        }
    }
    Ok(every().filter(|entry| names.is_empty() || names.iter().any(|name| is_named(name, *entry))).collect())
}

fn unknown(name: &str) -> ReproError {
    let sources: Vec<&str> = SOURCES.iter().map(|source| source.id).collect();
    let items = every().map(|(_, item)| item.id);
    let known: Vec<&str> = sources.iter().copied().chain([ALL]).chain(items).collect();
    let lower: Vec<String> = known.iter().map(|name| name.to_lowercase()).collect();
    let meant = nearest(name, lower.iter().map(String::as_str));
    let meant = meant.and_then(|meant| known.iter().find(|name| name.eq_ignore_ascii_case(meant)));
    let refusal = Refusal {
        option: "NAME",
        value: name.to_owned(),
        allowed: format!("must be one of {}, {ALL}, or an item of the list below", sources.join(", ")),
        suggestion: meant.map(|name| (*name).to_owned()),
    };
    let list = every().map(|(_, item)| format!("  {:<24}{}\n", item.id, item.title)).collect();
    ReproError::Unknown { refusal, list }
}

fn every() -> impl Iterator<Item = Chosen> {
    SOURCES.iter().flat_map(|source| source.items.iter().map(move |item| (source, item)))
}

/// Computes items; `done` is called after each.
///
/// # Errors
/// One of them cannot be computed or drawn.
pub fn compute(chosen: &[Chosen], done: impl Fn() + Sync) -> Result<Vec<Finished>, ReproError> {
    let one = |(source, item): &Chosen| {
        let finished = finish(source, item);
        done();
        finished
    };
    let (timed, steady): (Vec<Chosen>, Vec<Chosen>) = chosen.iter().copied().partition(|(_, item)| item.timed);
    let finished: Result<Vec<Finished>, ReproError> = steady.par_iter().map(one).collect();
    // Alone, so that nothing else takes the processor's time.
    let timed: Result<Vec<Finished>, ReproError> = timed.iter().map(one).collect();
    let mut finished = finished?;
    finished.extend(timed?);
    let place = |item: &Item| chosen.iter().position(|(_, other)| other.id == item.id);
    finished.sort_by_key(|finished| place(finished.item));
    Ok(finished)
}

fn finish(source: &'static Source, item: &'static Item) -> Result<Finished, ReproError> {
    let outcome = (item.compute)().map_err(|error| ReproError::Compute { item: item.id, reason: error.to_string() })?;
    let mut drawings = Vec::new();
    for picture in &outcome.pictures {
        let svg = picture.figure.render(Format::Svg).map_err(ReproError::Draw)?;
        drawings.push(String::from_utf8(svg).map_err(|error| ReproError::Draw(error.to_string()))?);
    }
    Ok(Finished { source, item, outcome, drawings })
}
