//! Trajectories as comma-separated values: one row per scheme and sample, in SI units.

use std::path::Path;

use ictus::impact::Sample;

use super::WholeFile;
use crate::error::Error;

/// The columns, in order.
pub const COLUMNS: [&str; 9] =
    ["scheme", "sample", "time", "displacement", "velocity", "force", "kinetic", "potential", "total"];

/// A table of trajectories being written.
pub struct Trajectories {
    option: &'static str,
    rows: csv::Writer<WholeFile>,
    path: std::path::PathBuf,
}

impl Trajectories {
    /// Opens the table at `path`, which the user gave with `option`, and writes its heading.
    pub fn create(option: &'static str, path: &Path) -> Result<Self, Error> {
        let rows = csv::Writer::from_writer(WholeFile::create(option, path)?);
        let mut table = Self { option, rows, path: path.to_owned() };
        table.record(&COLUMNS)?;
        Ok(table)
    }

    /// Adds one scheme's trajectory, sampled at `rate` Hz.
    pub fn append(&mut self, scheme: &str, samples: &[Sample], rate: f64) -> Result<(), Error> {
        for (index, sample) in samples.iter().enumerate() {
            let numbers = [
                index as f64 / rate,
                sample.displacement,
                sample.velocity,
                sample.force,
                sample.kinetic,
                sample.potential,
                sample.kinetic + sample.potential,
            ];
            let index = index.to_string();
            // The shortest text that reads back as the same number.
            let numbers = numbers.map(|number| format!("{number:e}"));
            let row = [scheme, &index].into_iter().chain(numbers.iter().map(String::as_str));
            self.rows.write_record(row).map_err(|source| Error::write(self.option, &self.path, source))?;
        }
        Ok(())
    }

    /// The finished table, which has no name yet.
    pub fn finished(self) -> Result<WholeFile, Error> {
        let Self { option, rows, path } = self;
        rows.into_inner().map_err(|error| Error::write(option, &path, error.into_error()))
    }

    fn record(&mut self, cells: &[&str]) -> Result<(), Error> {
        self.rows.write_record(cells).map_err(|source| Error::write(self.option, &self.path, source))
    }
}
