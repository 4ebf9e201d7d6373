//! What the sources print, computed anew: one module per source, one [`Item`] per table or figure.
//!
//! A new item is one function that returns an [`Outcome`] and one line in its source's list; a new source is one module
//! and one line in [`SOURCES`]. Running, writing files and the report iterate these lists.

mod a04;
mod c14;
mod check;
mod d17;
mod outcome;
mod p09;
pub mod report;
pub mod run;
mod shoot_out;
mod w19;

pub use check::{Check, Deviation, Provenance, Verdict, largest};
pub use outcome::{Cell, DataTable, Outcome, Picture};

/// What an item's function returns; the error is a sentence that says what could not be computed.
pub type Computed = Result<Outcome, Box<dyn std::error::Error + Send + Sync>>;

/// A document whose tables and figures are computed anew.
pub struct Source {
    /// Short name, `P09`; items' names begin with it.
    pub id: &'static str,
    /// Authors, title, where and when.
    pub title: &'static str,
    /// Its tables and figures, in the document's order.
    pub items: &'static [Item],
}

/// One table or figure of a source.
pub struct Item {
    /// Name on the command line and of its files, `P09-fig-4`.
    pub id: &'static str,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// What the source says about it.
    pub statement: &'static str,
    /// The parameters it was computed with.
    pub parameters: &'static str,
    /// Computes it. The same every time, on any number of threads, unless [`Item::timed`].
    pub compute: fn() -> Computed,
    /// Whether it measures time: it then runs alone, after all others, and its files differ from run to run.
    pub timed: bool,
}

impl Item {
    /// An item that is the same every time.
    const fn new(
        id: &'static str,
        title: &'static str,
        statement: &'static str,
        parameters: &'static str,
        compute: fn() -> Computed,
    ) -> Self {
        Self { id, title, statement, parameters, compute, timed: false }
    }
}

/// Every source, in the order of the report.
pub static SOURCES: &[Source] = &[p09::SOURCE, a04::SOURCE, c14::SOURCE, w19::SOURCE, d17::SOURCE, shoot_out::SOURCE];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_item_has_a_name_of_its_own_that_begins_with_its_source() {
        let mut seen = HashSet::new();
        for source in SOURCES {
            assert!(!source.items.is_empty() && !source.title.is_empty(), "{}", source.id);
            for item in source.items {
                assert!(item.id.starts_with(source.id), "{}", item.id);
                assert!(seen.insert(item.id.to_lowercase()), "{} is there twice", item.id);
                assert!(item.id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{}", item.id);
                assert!(!item.title.is_empty() && !item.statement.is_empty() && !item.parameters.is_empty());
            }
        }
    }
}
