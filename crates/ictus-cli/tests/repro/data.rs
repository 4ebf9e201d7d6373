//! Reads the tables that were written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A directory with the files of a run.
pub struct Directory {
    /// Where it is.
    pub path: PathBuf,
}

/// One row: cells by heading.
pub struct Row(HashMap<String, String>);

impl Directory {
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// A file's text.
    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The rows of a table, of which there must be some.
    pub fn rows(&self, name: &str) -> Vec<Row> {
        let mut reader = csv::Reader::from_path(self.path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let rows: Vec<Row> =
            reader.deserialize().map(|row| Row(row.unwrap_or_else(|error| panic!("{name}: {error}")))).collect();
        assert!(!rows.is_empty(), "{name} is empty");
        rows
    }

    /// The rows in which the cell under `heading` is `word`.
    pub fn rows_with(&self, name: &str, heading: &str, word: &str) -> Vec<Row> {
        let rows: Vec<Row> = self.rows(name).into_iter().filter(|row| row.word(heading) == word).collect();
        assert!(!rows.is_empty(), "{name}: no row with {heading} = {word}");
        rows
    }
}

impl Row {
    /// The cell under a heading, as it is written.
    pub fn word(&self, heading: &str) -> &str {
        self.0.get(heading).unwrap_or_else(|| panic!("no column {heading}: {:?}", self.0.keys()))
    }

    /// The cell under a heading as a number, `None` if it is empty.
    pub fn maybe(&self, heading: &str) -> Option<f64> {
        let word = self.word(heading);
        (!word.is_empty()).then(|| word.parse().unwrap_or_else(|_| panic!("{heading}: {word} is no number")))
    }

    /// The cell under a heading as a number.
    pub fn number(&self, heading: &str) -> f64 {
        self.maybe(heading).unwrap_or_else(|| panic!("{heading} is empty"))
    }
}

/// A column as numbers.
pub fn column(rows: &[Row], heading: &str) -> Vec<f64> {
    rows.iter().map(|row| row.number(heading)).collect()
}

pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

pub fn smallest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::INFINITY, f64::min)
}

/// Panics unless two numbers agree within a part `tolerance` of the second.
#[track_caller]
pub fn assert_near(measured: f64, expected: f64, tolerance: f64, about: &str) {
    assert!((measured - expected).abs() <= tolerance * expected.abs(), "{about}: {measured} is not {expected}");
}

/// The root of an increasing or decreasing function between two places, by bisection.
pub fn bisected(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let sign = function(low).signum();
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if function(middle).signum() == sign { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
