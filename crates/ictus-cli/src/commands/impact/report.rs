//! The impact as a table: exact values on top, then each scheme with its errors.

use std::fmt::Write as _;

use ictus_lab::impact::table::{self, legend, speed};

use super::{Outcome, Setup};
use crate::quantity::{show, significant};
use crate::table::{Align, HEADING, NOTE, Table, styled};

/// The whole report.
pub fn text(setup: &Setup, outcomes: &[Outcome]) -> String {
    let mut text = heading(setup);
    text.push_str(&exact(setup));
    text.push('\n');
    text.push_str(&schemes(setup, outcomes));
    text.push('\n');
    text.push_str(&styled(NOTE, &legend(setup, outcomes)));
    text.push('\n');
    text
}

fn heading(setup: &Setup) -> String {
    let exact = &setup.exact;
    let exponent = significant(exact.exponent, 6);
    let wall = format!(
        "m = {}, K = {} N/m^{exponent}, α = {exponent}, μ = {} s/m",
        show(exact.mass * 1e3, "g"),
        significant(exact.stiffness, 6),
        significant(exact.dissipation, 6),
    );
    let mut start = format!("v = {}", speed(setup.problem.velocity));
    if setup.distance > 0.0 {
        let _ = write!(start, ", {} before the wall", show(setup.distance, "m"));
    }
    if setup.problem.acceleration != 0.0 {
        let _ = write!(start, ", gravity {} m/s²", significant(setup.problem.acceleration, 6));
    }
    let samples = setup.samples;
    let plural = if samples == 1 { "" } else { "s" };
    let _ = write!(start, ", {samples} step{plural} at {} Hz", significant(setup.problem.rate, 9));
    format!("{}  {wall}\n        {start}\n\n", styled(HEADING, "impact"))
}

fn exact(setup: &Setup) -> String {
    let mut text = String::new();
    for (index, (name, value)) in table::exact(setup).iter().enumerate() {
        let margin = if index == 0 { "exact" } else { "" };
        let _ = writeln!(text, "{}  {name:<20}  {value}", styled(HEADING, &format!("{margin:<6}")));
    }
    text
}

fn schemes(setup: &Setup, outcomes: &[Outcome]) -> String {
    let align = |column: usize| if column == 0 { Align::Left } else { Align::Right };
    let mut number = 0;
    let mut rows = Table::new(table::COLUMNS.map(|heading| {
        number += 1;
        (heading, align(number - 1))
    }));
    for outcome in outcomes {
        match outcome.failure() {
            Some(reason) => rows.remark(outcome.scheme.name, &reason),
            None => rows.row(table::cells(setup, outcome.scheme.name, &outcome.run)),
        }
    }
    rows.render()
}
