//! The report as a page of the repository: every statement beside what was measured.

use std::fmt::Write as _;

use super::{Finished, Tally, by_source};
use crate::papers::{Cell, Check, DataTable, Verdict};
use crate::quantity::significant;

const OPENING: &str = "# Validation\n\n\
    Every table and figure of the sources, computed from the library and compared with what the sources print. This page\n\
    is generated: `ictus repro all -o DIR` computes it all anew (no stored curves), writes this page as\n\
    `DIR/validation.md`, and beside it the figures as SVG and PNG, their data as CSV, and a report with everything in one\n\
    place, `DIR/index.html`.\n\n\
    The column `source` holds what the source prints or says; `so stated` is a relation that it states without a number, and\n\
    `our own` a check of ours on something that it does not speak of. A bound that only we set is in the column `tolerance`.\n\
    A statement that does not hold here for a known reason is `noted`, with the deviation that is expected: when that is gone,\n\
    or is another one, the check fails.\n";

/// Tables with more rows are left to their files.
const MOST_ROWS: usize = 24;

/// The page on these items.
pub fn validation(finished: &[Finished]) -> String {
    let mut text = OPENING.to_owned();
    let _ = write!(text, "\n{}.\n", Tally::of(finished).words());
    text.push_str("\n| source | | checks |\n| --- | --- | --- |\n");
    for (source, items) in by_source(finished) {
        let _ = writeln!(text, "| {} | {} | {} |", source.id, escaped(source.title), Tally::of(items).words());
    }
    for (source, items) in by_source(finished) {
        let _ = write!(text, "\n## {}: {}\n", source.id, source.title);
        for finished in items {
            section(&mut text, finished);
        }
    }
    text
}

fn section(text: &mut String, Finished { item, outcome, .. }: &Finished) {
    let _ =
        write!(text, "\n### {}: {}\n\n{}\n\nParameters: {}.\n", item.id, item.title, item.statement, item.parameters);
    if !outcome.checks.is_empty() {
        text.push_str("\n| statement | source | ours | tolerance | |\n| --- | --- | --- | --- | --- |\n");
        for check in &outcome.checks {
            let Check { statement, printed, measured, tolerance, verdict, .. } = check;
            let cells = [statement, printed, measured, tolerance].map(|cell| escaped(cell));
            let _ = writeln!(text, "| {} | {} |", cells.join(" | "), badge(*verdict));
        }
        for check in outcome.checks.iter() {
            if let Some(reason) = &check.reason {
                let word = if check.verdict == Verdict::Noted { "Noted" } else { "Fails" };
                let _ = write!(text, "\n{word}, {}: {reason}\n", check.statement);
            }
        }
    }
    for remark in &outcome.remarks {
        let _ = write!(text, "\n{remark}\n");
    }
    let shown = |table: &&DataTable| table.shown && !item.timed && table.rows.len() <= MOST_ROWS;
    for table in outcome.tables.iter().filter(shown) {
        rows(text, table);
    }
}

fn rows(text: &mut String, table: &DataTable) {
    let headings: Vec<String> = table.columns.iter().map(|heading| escaped(&heading.replace('_', " "))).collect();
    let _ = write!(text, "\n| {} |\n|{}\n", headings.join(" | "), " --- |".repeat(headings.len()));
    for row in &table.rows {
        let cells = row.iter().map(|cell| match cell {
            Cell::Text(word) => escaped(word),
            Cell::Number(value) if !value.is_finite() => "–".to_owned(),
            Cell::Number(value) => significant(*value, 4),
        });
        let _ = writeln!(text, "| {} |", cells.collect::<Vec<_>>().join(" | "));
    }
}

fn badge(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "holds",
        Verdict::Noted => "noted",
        Verdict::Fail => "**fails**",
    }
}

fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|")
}
