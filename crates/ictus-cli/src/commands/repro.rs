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
use crate::papers::{Check, DataTable, Item, SOURCES, Source};
use crate::sinks::WholeDirectory;
use crate::table::{self, Align, Table};
use ictus::names::nearest;

/// Compute the tables and figures of the sources anew, and compare
///
/// Writes each figure as SVG and PNG, its data as CSV, index.html with everything in one place, and validation.md with every
/// statement beside what was measured. Files of other names in the directory are left alone.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    ictus repro --list                what there is\n  \
    ictus repro -o out                all of it; then open out/index.html\n  \
    ictus repro P09 -o out            one source\n  \
    ictus repro P09-table-1 -o out    one table")]
pub struct Args {
    /// Sources or items to compute; all if none is named
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Directory to write to; made if it is missing
    #[arg(short, long, value_name = "DIR", required_unless_present = "list")]
    output: Option<PathBuf>,

    /// List what there is instead of computing it
    #[arg(long)]
    list: bool,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The option that names the directory.
const OUTPUT: &str = "--output";
/// What stands for everything.
const ALL: &str = "all";

/// One item to be computed, and its source.
type Chosen = (&'static Source, &'static Item);

/// Lists or computes.
pub fn execute(args: &Args) -> Result<(), Error> {
    let chosen = chosen(&args.names)?;
    match &args.output {
        Some(output) if !args.list => {
            let directory = WholeDirectory::create(OUTPUT, output)?;
            let finished = compute(&chosen)?;
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

/// The items of these names, in the order of the registry, each once.
fn chosen(names: &[String]) -> Result<Vec<Chosen>, Error> {
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

fn unknown(name: &str) -> Error {
    let sources: Vec<&str> = SOURCES.iter().map(|source| source.id).collect();
    let items = every().map(|(_, item)| item.id);
    let known: Vec<&str> = sources.iter().copied().chain([ALL]).chain(items).collect();
    let lower: Vec<String> = known.iter().map(|name| name.to_lowercase()).collect();
    let meant = nearest(name, lower.iter().map(String::as_str));
    let meant = meant.and_then(|meant| known.iter().find(|name| name.eq_ignore_ascii_case(meant)));
    let error = Error::Option {
        option: "NAME",
        value: name.to_owned(),
        allowed: format!("must be one of {}, {ALL}, or an item of the list below", sources.join(", ")),
        suggestion: meant.map(|name| (*name).to_owned()),
    };
    let list = every().map(|(_, item)| format!("  {:<24}{}\n", item.id, item.title)).collect();
    Error::Listed { error: Box::new(error), list }
}

fn every() -> impl Iterator<Item = Chosen> {
    SOURCES.iter().flat_map(|source| source.items.iter().map(move |item| (source, item)))
}

fn compute(chosen: &[Chosen]) -> Result<Vec<Finished>, Error> {
    let bar = progress(chosen.len());
    let one = |(source, item): &Chosen| {
        let finished = finish(source, item);
        bar.inc(1);
        finished
    };
    let (timed, steady): (Vec<Chosen>, Vec<Chosen>) = chosen.iter().copied().partition(|(_, item)| item.timed);
    let finished: Result<Vec<Finished>, Error> = steady.par_iter().map(one).collect();
    // Alone, so that nothing else takes the processor's time.
    let timed: Result<Vec<Finished>, Error> = timed.iter().map(one).collect();
    bar.finish_and_clear();
    let mut finished = finished?;
    finished.extend(timed?);
    let place = |item: &Item| chosen.iter().position(|(_, other)| other.id == item.id);
    finished.sort_by_key(|finished| place(finished.item));
    Ok(finished)
}

fn finish(source: &'static Source, item: &'static Item) -> Result<Finished, Error> {
    let outcome = (item.compute)().map_err(|error| Error::Compute { item: item.id, reason: error.to_string() })?;
    let mut drawings = Vec::new();
    for picture in &outcome.pictures {
        let svg = picture.figure.render(Format::Svg).map_err(Error::Draw)?;
        drawings.push(String::from_utf8(svg).map_err(|error| Error::Draw(error.to_string()))?);
    }
    Ok(Finished { source, item, outcome, drawings })
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
