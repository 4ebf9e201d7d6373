//! `ictus schemes`: the ways to step one mass against one wall.

use ictus::impact::SCHEMES;
use serde::Serialize;

use crate::error::Error;
use crate::table::{self, Align, Table};

/// List the schemes of the impact lab
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ictus schemes\n  ictus schemes --json\n  ictus impact --scheme rk4,secant")]
pub struct Args {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    summary: &'static str,
    order: u32,
    implicit: bool,
    source: &'static str,
}

/// Prints the list.
pub fn execute(args: &Args) -> Result<(), Error> {
    let entries = SCHEMES.iter().map(|scheme| Entry {
        name: scheme.name,
        summary: scheme.summary,
        order: scheme.order,
        implicit: scheme.implicit,
        source: scheme.source,
    });
    if args.json {
        return super::print_json(&entries.collect::<Vec<_>>());
    }
    let mut table = Table::new([
        ("scheme", Align::Left),
        ("order", Align::Right),
        ("step", Align::Left),
        ("source", Align::Left),
        ("what it is", Align::Left),
    ]);
    for entry in entries {
        table.row([
            entry.name.to_owned(),
            entry.order.to_string(),
            if entry.implicit { "iterates" } else { "direct" }.to_owned(),
            entry.source.to_owned(),
            entry.summary.to_owned(),
        ]);
    }
    table::print(&table.render())
}
