//! `ictus laws`: what two bodies can do to each other.

use ictus::laws::{Law, LawInfo};
use serde::Serialize;

use crate::error::Error;
use crate::table::{self, Align, Table};

/// List the contact laws
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ictus laws\n  ictus laws --json")]
pub struct Args {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    parameters: Vec<Parameter>,
    source: &'static str,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    allowed: String,
}

/// Prints the list.
pub fn execute(args: &Args) -> Result<(), Error> {
    if args.json { super::print_json(&Law::ALL.iter().map(entry).collect::<Vec<_>>()) } else { print_table() }
}

fn entry(law: &LawInfo) -> Entry {
    let parameters = law.parameters.iter().map(|parameter| Parameter {
        name: parameter.name,
        symbol: parameter.symbol,
        unit: parameter.unit,
        allowed: parameter.allowed.to_string(),
    });
    Entry {
        name: law.name,
        summary: law.summary,
        formula: law.formula,
        parameters: parameters.collect(),
        source: law.source,
    }
}

fn print_table() -> Result<(), Error> {
    let mut table = Table::new([
        ("law", Align::Left),
        ("parameters", Align::Left),
        ("what it is", Align::Left),
        ("source", Align::Left),
    ]);
    for law in Law::ALL {
        let symbols: Vec<&str> = law.parameters.iter().map(|parameter| parameter.symbol).collect();
        let cells = [law.name, &symbols.join(" "), law.summary, law.source].map(str::to_owned);
        table.row(cells);
        table.row(["", "", law.formula, ""].map(str::to_owned));
    }
    table::print(&table.render())
}
