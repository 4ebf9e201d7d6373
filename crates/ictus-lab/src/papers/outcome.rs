//! What computing an item yields: pictures, tables of data, checks against the source, remarks.

use super::Check;
use crate::figures::Figure;

/// All that was computed for one item.
#[derive(Default)]
pub struct Outcome {
    /// Pictures, each written as SVG and PNG.
    pub pictures: Vec<Picture>,
    /// Tables, each written as CSV.
    pub tables: Vec<DataTable>,
    /// Statements of the source beside what was measured.
    pub checks: Vec<Check>,
    /// What a reader should know beyond the checks; one paragraph each.
    pub remarks: Vec<String>,
}

/// A picture and its name.
pub struct Picture {
    /// What follows the item's name in the file's name; empty for an item's only picture.
    pub suffix: &'static str,
    /// The picture.
    pub figure: Figure,
}

/// Rows of numbers and words, in SI units unless a heading says otherwise.
pub struct DataTable {
    /// What follows the item's name in the file's name; empty for an item's only table.
    pub suffix: &'static str,
    /// Headings: words joined by underscores, the unit last.
    pub columns: Vec<String>,
    /// One cell per heading.
    pub rows: Vec<Vec<Cell>>,
    /// Whether the report shows the rows; long tables are only linked.
    pub shown: bool,
}

/// One value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A word.
    Text(String),
    /// A number; one that is not finite is written as an empty cell.
    Number(f64),
}

impl Cell {
    /// As it stands in a CSV file: the shortest text that reads back as the same number.
    pub fn written(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value) if !value.is_finite() => String::new(),
            Self::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value}"),
            Self::Number(value) => format!("{value:e}"),
        }
    }
}

impl DataTable {
    /// An empty table that the report only links to.
    pub fn new(suffix: &'static str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|heading| (*heading).to_owned()).collect();
        Self { suffix, columns, rows: Vec::new(), shown: false }
    }

    /// The same table, its rows shown in the report.
    pub fn shown(self) -> Self {
        Self { shown: true, ..self }
    }

    /// Adds a row of numbers.
    pub fn row(&mut self, numbers: impl IntoIterator<Item = f64>) {
        self.rows.push(numbers.into_iter().map(Cell::Number).collect());
    }

    /// Adds a row that begins with words and goes on with numbers.
    pub fn labelled(
        &mut self,
        words: impl IntoIterator<Item = impl Into<String>>,
        numbers: impl IntoIterator<Item = f64>,
    ) {
        let words = words.into_iter().map(|word| Cell::Text(word.into()));
        self.rows.push(words.chain(numbers.into_iter().map(Cell::Number)).collect());
    }
}

impl Outcome {
    /// With one more picture.
    pub fn picture(mut self, suffix: &'static str, figure: Figure) -> Self {
        self.pictures.push(Picture { suffix, figure });
        self
    }

    /// With one more table.
    pub fn table(mut self, table: DataTable) -> Self {
        self.tables.push(table);
        self
    }

    /// With more checks.
    pub fn checks(mut self, checks: impl IntoIterator<Item = Check>) -> Self {
        self.checks.extend(checks);
        self
    }

    /// With one more remark.
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_so_that_they_read_back_as_the_same_number() {
        for value in [0.1, -2.5e-17, 3.0, 44_100.0, 1e300] {
            assert_eq!(Cell::Number(value).written().parse::<f64>(), Ok(value));
        }
        assert_eq!(Cell::Number(f64::NAN).written(), "");
    }
}
