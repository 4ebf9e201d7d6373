//! `ictus repro`: every table and figure of the sources, computed anew and compared with what is printed.
//!
//! Items run side by side; what they write is the same every time, whatever the number of threads, but for the items that
//! measure time, which run alone at the end. Nothing is written before everything is computed.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;

use crate::error::Error;
use crate::figures::Format;
use crate::papers::report::{self, Finished, Tally, file_name};
use crate::papers::run::{self, Chosen, ReproError};
use crate::papers::{Check, DataTable};
use crate::sinks::WholeDirectory;
use crate::table::{self, Align, Table};

/// Compute the tables and figures of the sources anew, and compare
///
/// Writes each figure as SVG and PNG, its data as CSV, index.html with everything in one place, and validation.md with every
/// statement beside what was measured. Files of other names in the directory are left alone.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    ictus repro --list                the sources and items\n  \
    ictus repro -o out                all of it; then open out/index.html\n  \
    ictus repro P09 -o out            one source\n  \
    ictus repro P09-table-1 -o out    one table")]
pub struct Args {
    /// Sources or items to compute [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR", required_unless_present = "list")]
    output: Option<PathBuf>,

    /// List the sources and items instead of computing them
    #[arg(long)]
    list: bool,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The option that names the directory.
const OUTPUT: &str = "--output";
/// Lists or computes.
pub fn execute(args: &Args) -> Result<(), Error> {
    let chosen = run::chosen(&args.names).map_err(told)?;
    match &args.output {
        Some(output) if !args.list => {
            let directory = WholeDirectory::create(OUTPUT, output)?;
            let bar = progress(chosen.len());
            let finished = run::compute(&chosen, || bar.inc(1)).map_err(told)?;
            bar.finish_and_clear();
            write(&directory, &finished)?;
            directory.keep()?;
            if args.json {
                print_checks(&finished)?
            } else {
                print_tallies(&finished)?
            }
            match Tally::of(&finished) {
                tally if tally.failed() == 0 => Ok(()),
                tally => Err(Error::Disagrees { failed: tally.failed(), total: tally.total() }),
            }
        }
        _ => list(&chosen, args.json),
    }
}

/// What went wrong, as the program tells it.
fn told(error: ReproError) -> Error {
    match error {
        ReproError::Unknown { refusal, list } => Error::Listed { error: Box::new(refusal.into()), list },
        ReproError::Compute { item, reason } => Error::Compute { item, reason },
        ReproError::Draw(reason) => Error::Draw(reason),
    }
}

fn progress(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn write(directory: &WholeDirectory, finished: &[Finished]) -> Result<(), Error> {
    finished.par_iter().try_for_each(|Finished { item, outcome, drawings, .. }| {
        for (picture, drawing) in outcome.pictures.iter().zip(drawings) {
            directory.put(&file_name(item, picture.suffix, "svg"), drawing.as_bytes())?;
            let png = picture.figure.render(Format::Png).map_err(Error::Draw)?;
            directory.put(&file_name(item, picture.suffix, "png"), &png)?;
        }
        outcome.tables.iter().try_for_each(|table| {
            let name = file_name(item, table.suffix, "csv");
            let bytes = comma_separated(table).map_err(|error| Error::write(OUTPUT, name.as_ref(), error))?;
            directory.put(&name, &bytes)
        })
    })?;
    directory.put("index.html", report::page(finished).as_bytes())?;
    directory.put("validation.md", report::validation(finished).as_bytes())
}

fn comma_separated(table: &DataTable) -> Result<Vec<u8>, csv::Error> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(&table.columns)?;
    for row in &table.rows {
        rows.write_record(row.iter().map(|cell| cell.written()))?;
    }
    rows.into_inner().map_err(|error| error.into_error().into())
}

fn print_tallies(finished: &[Finished]) -> Result<(), Error> {
    let mut table = Table::new([
        ("item", Align::Left),
        ("hold", Align::Right),
        ("noted", Align::Right),
        ("fail", Align::Right),
        ("own", Align::Right),
        ("fail", Align::Right),
        ("what it shows", Align::Left),
    ]);
    for one in finished {
        let Tally { stated, own } = Tally::of([one]);
        let counts = [stated.passed, stated.noted, stated.failed, own.passed, own.noted + own.failed];
        let counts = counts.map(|count| count.to_string());
        table.row([one.item.id.to_owned()].into_iter().chain(counts).chain([one.item.title.to_owned()]));
    }
    table::print(&format!("{}\n{}\n", table.render(), Tally::of(finished).words()))
}

#[derive(Serialize)]
struct Checked<'a> {
    item: &'static str,
    title: &'static str,
    parameters: &'static str,
    checks: &'a [Check],
    remarks: &'a [String],
}

fn print_checks(finished: &[Finished]) -> Result<(), Error> {
    let checked = finished.iter().map(|Finished { item, outcome, .. }| Checked {
        item: item.id,
        title: item.title,
        parameters: item.parameters,
        checks: &outcome.checks,
        remarks: &outcome.remarks,
    });
    super::print_json(&checked.collect::<Vec<_>>())
}

#[derive(Serialize)]
struct Entry {
    item: &'static str,
    source: &'static str,
    title: &'static str,
    statement: &'static str,
    parameters: &'static str,
}

fn list(chosen: &[Chosen], json: bool) -> Result<(), Error> {
    if json {
        let entries = chosen.iter().map(|(source, item)| Entry {
            item: item.id,
            source: source.title,
            title: item.title,
            statement: item.statement,
            parameters: item.parameters,
        });
        return super::print_json(&entries.collect::<Vec<_>>());
    }
    let mut table = Table::new([("item", Align::Left), ("what it shows", Align::Left)]);
    for (_, item) in chosen {
        table.row([item.id.to_owned(), item.title.to_owned()]);
    }
    table::print(&table.render())
}
