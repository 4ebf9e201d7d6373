//! The study as text: tables that read well on a terminal and on a page.

use std::fmt::Write as _;

use ictus::impact::short::ShortContact;

use super::short::{self, ShortRow};
use super::{HardRow, Study};
use crate::commands::study::page::table;
use crate::trials::{Spread, Summary};

const COLUMNS: [&str; 8] = [
    "rule",
    "rebound, damped: median / p95 / max",
    "rebound, lossless: max",
    "contact time: p95 / max",
    "compression: p95 / max",
    "pull",
    "trapped",
    "residual",
];

/// All tables.
pub fn text(study: &Study) -> String {
    let mut text = String::new();
    for group in &study.groups {
        let rows = group.rows.iter().map(|row| cells(&row.variant.name, &row.summary)).collect();
        let _ = write!(text, "### {}\n\n{}\n", group.title, table(&COLUMNS, rows));
    }
    let mut columns = vec!["K (N/m^1.5)", "contact (samples)"];
    columns.extend(study.hard_names.iter().copied());
    let rows = study.hard.iter().map(hard_cells).collect();
    let _ = write!(text, "### Ever harder: largest rebound error of 64 phases\n\n{}\n", table(&columns, rows));
    let lengths = ["a contact so long on the body", "a law so stiff that the contact would be so long on a wall"];
    for (rows, length) in study.short.iter().zip(lengths) {
        let columns: Vec<String> = short::LENGTHS.iter().map(|samples| samples.to_string()).collect();
        let columns: Vec<&str> = ["hammer on, samples"].into_iter().chain(columns.iter().map(String::as_str)).collect();
        let _ = write!(
            text,
            "### Short contacts: {length}\n\nError of the hammer's velocity in parts of the blow's at {} kHz: mean of {} phases (largest).\n\n{}\n",
            short::RATE / 1000.0,
            short::PHASES,
            table(&columns, rows.iter().map(short_cells).collect())
        );
    }
    text
}

fn cells(name: &str, summary: &Summary) -> Vec<String> {
    let Spread { median, p95, max } = summary.damped_rebound;
    let two = |spread: &Spread| format!("{} / {}", error(spread.p95), error(spread.max));
    vec![
        name.to_owned(),
        format!("{} / {} / {}", error(median), error(p95), error(max)),
        error(summary.lossless_rebound.max),
        two(&summary.contact_time),
        two(&summary.compression),
        error(summary.pull),
        error(summary.trapped),
        error(summary.residual),
    ]
}

fn hard_cells(row: &HardRow) -> Vec<String> {
    let mut cells = vec![format!("1e{}", row.decade), format!("{:.2}", row.length)];
    cells.extend(row.errors.iter().map(|value| error(*value)));
    cells
}

fn short_cells(row: &ShortRow) -> Vec<String> {
    let cell = |contact: &Option<ShortContact>| match contact {
        Some(contact) => format!("{:+.1} % ({:.1} %)", 100.0 * contact.mean(), 100.0 * contact.largest()),
        None => "-".to_owned(),
    };
    [row.name.to_owned()].into_iter().chain(row.contacts.iter().map(cell)).collect()
}

/// A relative error: in per cent from 0.01 % on, with an exponent below.
fn error(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value if !value.is_finite() => "none".to_owned(),
        value if value < 1e-4 => format!("{value:.1e}"),
        value if value < 0.1 => format!("{:.2} %", 100.0 * value),
        value => format!("{:.1} %", 100.0 * value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_written_in_per_cent_or_with_an_exponent() {
        let written = [0.0, 2.7e-15, 9.9e-5, 1e-4, 0.0023, 0.079, 0.19, f64::INFINITY].map(error);
        assert_eq!(written, ["0", "2.7e-15", "9.9e-5", "0.01 %", "0.23 %", "7.90 %", "19.0 %", "none"]);
    }
}
