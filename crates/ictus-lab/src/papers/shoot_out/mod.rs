//! The schemes against each other: all of them on the same 200 impacts with known results.

mod accuracy;
mod contestants;
mod cost;

use super::Source;

/// The comparison and its items.
pub const SOURCE: Source = Source {
    id: "shoot-out",
    title: "All schemes of the impact lab on 200 impacts with known results (ictus)",
    items: &[accuracy::ITEM, cost::ITEM],
};
