//! Aligned tables for the terminal.
//!
//! A table is text with colour codes in it; printing through [`print()`] takes the codes out where the output is
//! no terminal or `NO_COLOR` is set.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};

use crate::error::Error;

/// Headings.
pub const HEADING: Style = Style::new().bold();
/// What went wrong.
pub const ALERT: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));
/// Explanations.
pub const NOTE: Style = Style::new().dimmed();

/// Text in a style.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// On which side a column's cells are flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

enum Row {
    /// One cell per column.
    Cells(Vec<String>),
    /// A first cell, and a remark in place of the others.
    Remark(String, String),
}

/// Rows of cells under headings, each column as wide as its widest cell.
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Row>,
}

impl Table {
    /// A table with these column headings; a line break stacks a heading on two lines.
    pub fn new<const N: usize>(columns: [(&str, Align); N]) -> Self {
        let columns = columns.into_iter().map(|(heading, align)| (heading.to_owned(), align)).collect();
        Self { columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(Row::Cells(cells.into_iter().collect()));
    }

    /// Adds a row that has only a first cell and a remark.
    pub fn remark(&mut self, first: &str, remark: &str) {
        self.rows.push(Row::Remark(first.to_owned(), remark.to_owned()));
    }

    /// The table as lines, headings first.
    pub fn render(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        let height = self.columns.iter().map(|(heading, _)| heading.lines().count()).max().unwrap_or(0);
        for line in 0..height {
            let cells = self.columns.iter().map(|(heading, _)| {
                // Headings shorter than the tallest stand on the bottom line.
                let skip = height - heading.lines().count();
                line.checked_sub(skip).and_then(|line| heading.lines().nth(line)).unwrap_or("")
            });
            let _ = writeln!(text, "{}", styled(HEADING, &self.line(cells, &widths)));
        }
        for row in &self.rows {
            let _ = match row {
                Row::Cells(cells) => writeln!(text, "{}", self.line(cells.iter().map(String::as_str), &widths)),
                Row::Remark(first, remark) => {
                    let first = pad(first, widths.first().copied().unwrap_or(0), Align::Left);
                    writeln!(text, "{first}  {}", styled(ALERT, remark))
                }
            };
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let heading_width = |heading: &str| heading.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        let mut widths: Vec<usize> = self.columns.iter().map(|(heading, _)| heading_width(heading)).collect();
        for row in &self.rows {
            match row {
                Row::Cells(cells) => {
                    for (width, cell) in widths.iter_mut().zip(cells) {
                        *width = (*width).max(cell.chars().count());
                    }
                }
                Row::Remark(first, _) => {
                    if let Some(width) = widths.first_mut() {
                        *width = (*width).max(first.chars().count());
                    }
                }
            }
        }
        widths
    }

    fn line<'a>(&self, cells: impl Iterator<Item = &'a str>, widths: &[usize]) -> String {
        let cells = cells.zip(widths).zip(&self.columns);
        let padded: Vec<String> = cells.map(|((cell, width), (_, align))| pad(cell, *width, *align)).collect();
        padded.join("  ").trim_end().to_owned()
    }
}

fn pad(text: &str, width: usize, align: Align) -> String {
    match align {
        Align::Left => format!("{text:<width$}"),
        Align::Right => format!("{text:>width$}"),
    }
}

/// Writes styled text to standard output. A reader that has gone away ends the output, not the program.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Output(error)),
        _ => Ok(()),
    }
}

/// Writes styled text to standard error, where standard output has something else.
pub fn print_aside(text: &str) {
    // Nothing is left to be done when standard error is gone too.
    let _ = anstream::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new([("name", Align::Left), ("error\n%", Align::Right)]);
        table.row(["verlet".to_owned(), "+1.660".to_owned()]);
        table.remark("quadratic", "no real root");
        let plain = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(plain, "            error\nname            %\nverlet     +1.660\nquadratic  no real root\n");
    }
}
