//! `ictus study bodies`: how true strings, bars, membranes and plates are, in modes and on grids, and what their shapes look like.
//!
//! Every number of docs/bodies.md comes from here but those of cost, which differ between machines and are printed only. The
//! same command line gives the same numbers, whatever the number of threads.

mod cost;
mod curves;
mod decays;
mod felts;
mod levels;
mod lines;
mod partials;
mod sheets;
mod sound;
mod tables;

use std::fs;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};

use super::page;
use crate::error::Error;
use crate::figures::Format;
use crate::sinks::{WholeDirectory, WholeFile, together};
use crate::table;

/// Measure the bodies: a struck string, partials, decay times, levels, cost; and draw their modes
///
/// A hammer on a string under four felts against exact modes; partials of bars, strings and plates against closed forms; decay times asked
/// and heard; levels of partials at 48 and 384 kHz; what a sample costs in modes and on a grid. Writes bodies.md (tables; prose that is there already
/// stays) and the pictures in bodies/. What a sample costs is printed only, since machines differ.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ictus study bodies -o out\n  ictus study bodies -o docs     the page of this project"
)]
pub struct Args {
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

/// The option that names the directory.
const OUTPUT: &str = "--output";

/// All that was measured and is the same on every machine.
struct Study {
    felts: Vec<felts::FeltRow>,
    partials: Vec<partials::Row>,
    decays: Vec<decays::Body>,
    levels: Vec<levels::Body>,
}

/// Draws one picture.
type Drawing = fn() -> Result<Vec<u8>, Error>;

/// The pictures: name of the file, without its ending, and how it is drawn.
const PICTURES: [(&str, Drawing); 7] = [
    ("bar-ends", || drawn(lines::bars()?.render(Format::Png))),
    ("string-ends", || drawn(lines::strings()?.render(Format::Png))),
    ("circles", || drawn(sheets::circles()?.render(Format::Png))),
    ("plates", || drawn(sheets::plates()?.render(Format::Png))),
    ("wood", || drawn(sheets::wood()?.render(Format::Png))),
    ("partials", || drawn(curves::carved()?.render(Format::Png))),
    ("materials", || drawn(curves::materials()?.render(Format::Png))),
];

fn drawn(picture: Result<Vec<u8>, String>) -> Result<Vec<u8>, Error> {
    picture.map_err(Error::Draw)
}

/// Computes the study and writes it.
pub fn execute(args: &Args) -> Result<(), Error> {
    let directory = &args.output;
    fs::create_dir_all(directory).map_err(|source| Error::write(OUTPUT, directory, source))?;
    // Opened before the work, so that what cannot be written is told at once.
    let page_path = directory.join("bodies.md");
    let mut page_file = WholeFile::create(OUTPUT, &page_path)?;
    let pictures = WholeDirectory::create(OUTPUT, &directory.join("bodies"))?;

    let bar = progress(5 + PICTURES.len());
    let costs = step(&bar, "cost", cost::measure)?;
    let study = Study::compute(&bar)?;
    for (name, draw) in PICTURES {
        pictures.put(&format!("{name}.png"), &step(&bar, name, draw)?)?;
    }
    bar.finish_and_clear();
    let tables = tables::text(&study);
    let part = page::generated("ictus study bodies", &tables);
    page_file.put(page::with_part(fs::read_to_string(&page_path).ok().as_deref(), &part).as_bytes())?;
    together::keep(vec![page_file], Some(pictures))?;
    table::print(&tables)?;
    table::print(&format!("\n{}", tables::costs(&costs)))
}

impl Study {
    fn compute(bar: &ProgressBar) -> Result<Self, Error> {
        Ok(Self {
            felts: step(bar, "a hammer on a string", felts::measure)?,
            partials: step(bar, "partials", partials::measure)?,
            decays: step(bar, "decay", decays::measure)?,
            levels: step(bar, "levels", levels::measure)?,
        })
    }
}

fn step<T>(bar: &ProgressBar, name: &'static str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    bar.set_message(name);
    let done = work();
    bar.inc(1);
    done
}

fn progress(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
