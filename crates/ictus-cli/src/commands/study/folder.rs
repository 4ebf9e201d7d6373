//! A study of a page and pictures: `NAME.md` with its tables, and the pictures in `NAME/`.

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use super::page;
use crate::error::Error;
use crate::figures::{Figure, Format};
use crate::sinks::{WholeDirectory, WholeFile, together};
use crate::table;

/// The option that names the directory.
const OUTPUT: &str = "--output";

/// What a study found.
pub struct Found {
    /// The part of the page that is generated.
    pub tables: String,
    /// Names of picture files, without the ending, and what they show.
    pub pictures: Vec<(&'static str, Figure)>,
}

/// How far a study has come.
pub struct Progress(ProgressBar);

impl Progress {
    /// Of so many steps.
    pub fn new(steps: usize) -> Self {
        let bar = ProgressBar::new(steps as u64);
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
        Self(match ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        })
    }

    /// All is done.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }

    /// Does one step of the study.
    pub fn step<T>(&self, name: &'static str, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.0.set_message(name);
        let done = work();
        self.0.inc(1);
        done
    }
}

/// Where a study is written to.
#[derive(clap::Args)]
pub struct Output {
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Output {
    /// Computes a study in so many steps, writes its page and its pictures, and prints its tables.
    pub fn write(
        &self,
        name: &str,
        steps: usize,
        compute: impl FnOnce(&Progress) -> Result<Found, Error>,
    ) -> Result<(), Error> {
        let directory: &Path = &self.output;
        fs::create_dir_all(directory).map_err(|source| Error::write(OUTPUT, directory, source))?;
        // Opened before the work, so that what cannot be written is told at once.
        let page_path = directory.join(format!("{name}.md"));
        let mut page_file = WholeFile::create(OUTPUT, &page_path)?;
        let pictures = WholeDirectory::create(OUTPUT, &directory.join(name))?;
        let progress = Progress::new(steps);
        let found = compute(&progress)?;
        for (picture, figure) in &found.pictures {
            let drawn = figure.render(Format::Png).map_err(Error::Draw)?;
            pictures.put(&format!("{picture}.png"), &drawn)?;
        }
        progress.finish();
        let part = page::generated(&format!("ictus study {name}"), &found.tables);
        page_file.put(page::with_part(fs::read_to_string(&page_path).ok().as_deref(), &part).as_bytes())?;
        together::keep(vec![page_file], Some(pictures))?;
        table::print(&found.tables)
    }
}
