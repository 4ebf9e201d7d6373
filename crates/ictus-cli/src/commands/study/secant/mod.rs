//! `ictus study secant`: how true each rule for g is, on 200 impacts with known results and on ever harder ones.
//!
//! Every number of docs/secant.md comes from here. The same command line gives the same numbers, whatever the number
//! of threads.

mod picture;
mod short;
mod tables;
mod variants;

use std::fs;
use std::path::{Path, PathBuf};

use ictus::contact::Aiming;
use ictus::impact::short::Length;
use indicatif::{ProgressBar, ProgressStyle};

use self::short::ShortRow;
use self::variants::{Group, Variant, variant};
use super::page;
use crate::error::Error;
use crate::figures::Format;
use crate::sinks::{WholeFile, together};
use crate::table;
use crate::trials::{self, Case, Errors, HARD_DECADES, Spread, Summary};

/// Measure the rules for g: rebound, contact time, compression, pull and trapped energy
///
/// 200 impacts with known results at 44.1 kHz, each started at 8 phases 2 to 3 samples before the wall, and P09's case (b) with
/// K = 1e8 to 1e14 at 64 phases each; and hammers on bars and a plate, for contacts of 1 to 6 samples at 48 kHz. Writes secant.md (tables; prose that is there already stays), secant.svg, secant.png
/// and secant.csv (every single error).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ictus study secant -o out\n  ictus study secant -o docs     the page of this project"
)]
pub struct Args {
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

/// The option that names the directory.
const OUTPUT: &str = "--output";
/// The rules that are put to ever harder impacts.
const HARD_NAMES: [&str; 3] = ["psi-nonadhesive", "secant-plain", "secant"];

/// All that was measured.
struct Study {
    cases: Vec<Case>,
    groups: Vec<Measured>,
    hard_names: [&'static str; 3],
    hard: Vec<HardRow>,
    /// By the length on the body, then by that on a wall.
    short: [Vec<ShortRow>; 2],
}

/// One table, measured.
struct Measured {
    title: &'static str,
    rows: Vec<Row>,
}

/// One variant, measured.
struct Row {
    variant: Variant,
    errors: Vec<Errors>,
    summary: Summary,
}

/// One stiffness: the largest rebound error of each rule.
struct HardRow {
    decade: i32,
    /// Exact contact time in samples.
    length: f64,
    errors: Vec<f64>,
}

/// Computes the study and writes it.
pub fn execute(args: &Args) -> Result<(), Error> {
    let directory = &args.output;
    fs::create_dir_all(directory).map_err(|source| Error::write(OUTPUT, directory, source))?;
    // Opened before the work, so that what cannot be written is told at once.
    let page_path = directory.join("secant.md");
    let mut page_file = create(&page_path)?;
    let mut svg = create(&directory.join("secant.svg"))?;
    let mut png = create(&directory.join("secant.png"))?;
    let csv = create(&directory.join("secant.csv"))?;

    let study = Study::compute()?;
    let tables = tables::text(&study);
    let part = page::generated("ictus study secant", &tables);
    page_file.put(page::with_part(fs::read_to_string(&page_path).ok().as_deref(), &part).as_bytes())?;
    let figure = picture::figure(&study);
    svg.put(&figure.render(Format::Svg).map_err(Error::Draw)?)?;
    png.put(&figure.render(Format::Png).map_err(Error::Draw)?)?;
    let csv = write_errors(csv, &directory.join("secant.csv"), &study)?;
    together::keep(vec![csv, page_file, svg, png], None)?;
    table::print(&tables)
}

fn create(path: &Path) -> Result<WholeFile, Error> {
    WholeFile::create(OUTPUT, path)
}

impl Study {
    fn compute() -> Result<Self, Error> {
        let cases = trials::reference();
        let groups = [
            variants::rules(),
            variants::ablations(),
            variants::trusts("c² without the release", "secant-plain"),
            variants::trusts("c² with the release", "secant"),
        ];
        let runs: usize = groups.iter().map(|group| group.variants.len()).sum();
        let bar = progress(runs + HARD_DECADES.count());
        let groups = groups.into_iter().map(|group| Measured::of(group, &cases, &bar)).collect();
        let hard = HARD_DECADES.map(|decade| HardRow::of(decade, &bar)).collect();
        bar.finish_and_clear();
        let short = [short::measure(Length::OnBody)?, short::measure(Length::OnWall)?];
        Ok(Self { cases, groups, hard_names: HARD_NAMES, hard, short })
    }

    /// The errors of a rule as it is, with its cases.
    fn rule(&self, name: &str) -> impl Iterator<Item = (&Case, &Errors)> {
        let rows = self.groups.iter().flat_map(|group| &group.rows);
        let row = rows.into_iter().find(|row| row.variant.name == name);
        row.into_iter().flat_map(|row| self.cases.iter().zip(&row.errors))
    }

    /// The summaries of a scheme over c², with c².
    fn over_trust(&self, name: &str) -> impl Iterator<Item = (f64, &Summary)> {
        let rows = self.groups.iter().skip(2).flat_map(|group| &group.rows);
        rows.filter(move |row| row.variant.scheme.name == name)
            .map(|row| (row.variant.settings.secant.trust, &row.summary))
    }
}

impl Measured {
    fn of(group: Group, cases: &[Case], bar: &ProgressBar) -> Self {
        let rows = group.variants.into_iter().map(|variant| {
            bar.set_message(variant.name.clone());
            let errors = variant.measure(cases);
            let summary = Summary::of(&errors, cases);
            bar.inc(1);
            Row { variant, errors, summary }
        });
        Self { title: group.title, rows: rows.collect() }
    }
}

impl HardRow {
    fn of(decade: i32, bar: &ProgressBar) -> Self {
        bar.set_message(format!("K = 1e{decade}"));
        let cases = trials::hard(decade);
        let largest = |name: &'static str| {
            let errors = variant(name, name, Aiming::default()).measure(&cases);
            Spread::of(errors.iter().map(|errors| errors.rebound)).max
        };
        let errors = HARD_NAMES.into_iter().map(largest).collect();
        bar.inc(1);
        Self { decade, length: cases.first().map_or(0.0, Case::length), errors }
    }
}

fn progress(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Every error of every variant in every case.
fn write_errors(file: WholeFile, path: &Path, study: &Study) -> Result<WholeFile, Error> {
    let failed = |source: csv::Error| Error::write(OUTPUT, path, source);
    let mut rows = csv::Writer::from_writer(file);
    rows.write_record([
        "variant",
        "impact",
        "damped",
        "approach_samples",
        "contact_samples",
        "rebound_error",
        "contact_time_error",
        "compression_error",
        "pull",
        "trapped",
        "residual",
    ])
    .map_err(failed)?;
    for row in study.groups.iter().flat_map(|group| &group.rows) {
        for (case, errors) in study.cases.iter().zip(&row.errors) {
            let Errors { rebound, contact_time, compression, pull, trapped, residual } = *errors;
            let numbers = [case.approach, case.length(), rebound, contact_time, compression, pull, trapped, residual];
            let names = [row.variant.name.clone(), case.impact.to_string(), case.is_damped().to_string()];
            rows.write_record(names.into_iter().chain(numbers.map(|value| format!("{value:.5e}")))).map_err(failed)?;
        }
    }
    rows.into_inner().map_err(|error| Error::write(OUTPUT, path, error.into_error()))
}
