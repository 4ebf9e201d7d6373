//! The study as text: tables that read well on a terminal and on a page.

use std::fmt::Write as _;

use ictus::impact::struck_string::Difference;

use super::felts::{self, FeltRow};
use super::{Study, cost, decays, levels, partials};
use crate::commands::study::page::table;

/// All tables that are the same on every machine.
pub fn text(study: &Study) -> String {
    let mut text = String::new();
    let mut section = |title: &str, told: &str, columns: &[&str], rows: Vec<Vec<String>>| {
        let _ = write!(text, "### {title}\n\n{told}\n\n{}\n", table(columns, rows));
    };
    let columns: Vec<&str> =
        ["felt"].into_iter().chain(felts::COLUMNS.map(|column| column.0)).chain(["exact to 20 kHz", "truth"]).collect();
    section(
        "A hammer on a string",
        "Error of the velocity below 10 kHz, and of the worst third of an octave, against exact modes up to 480 kHz. *Exact to 20 kHz*: the same exact modes \
         without those above 20 kHz, as a body has them by default. *Truth*: how far the reference moves with half the step and twice the band.",
        &columns,
        study.felts.iter().map(felt_cells).collect(),
    );
    let columns: Vec<&str> =
        ["body", "partial", "expected (Hz)"].into_iter().chain(partials::COLUMNS.map(|column| column.0)).collect();
    section(
        "Partials",
        "Cents from the closed form, measured in a second of sound after a push of one sample. Grids are rectangles: there is none of a circle.",
        &columns,
        study.partials.iter().map(partial_cells).collect(),
    );
    for body in &study.decays {
        let times: Vec<String> =
            decays::ASKED.iter().map(|(hertz, seconds)| format!("{seconds} s at {hertz} Hz")).collect();
        section(
            &format!("Decay: {}", body.name),
            &format!("`t60` asked: {}. Heard in sound at 48 kHz.", times.join(", ")),
            &["mode", "frequency (Hz)", "T60 asked (s)", "T60 heard (s)", "off"],
            body.rows.iter().enumerate().map(decay_cells).collect(),
        );
    }
    section(
        "Levels at the rate and at eight times the rate",
        "The first twenty partials of a struck body at 384 kHz against those at 48 kHz: how much louder they are, and how much higher.",
        &["body", "louder: median", "largest within 40 dB of the loudest", "largest", "higher: largest"],
        study.levels.iter().map(level_summary).collect(),
    );
    for body in study.levels.iter().take(2) {
        section(
            &format!("Levels: {}", body.name),
            "Level at 48 kHz over the loudest, and what 384 kHz adds to it.",
            &["partial", "frequency (Hz)", "level (dB)", "louder at 384 kHz (dB)"],
            body.rows.iter().enumerate().map(level_cells).collect(),
        );
    }
    text
}

/// What differs between machines.
pub fn costs(rows: &[cost::Row]) -> String {
    let columns =
        ["body", "modes", "points", "ns a mode", "ns a point", "sample, modes/grid", "ns a place heard: modes", "grid"];
    let cells = |row: &cost::Row| {
        let each = |which: usize| format!("{:.2}", row.nanoseconds[which] / row.counts[which].max(1) as f64);
        vec![
            row.name.to_owned(),
            row.counts[0].to_string(),
            row.counts[1].to_string(),
            each(0),
            each(1),
            format!("{:.2}", row.nanoseconds[0] / row.nanoseconds[1]),
            format!("{:.1}", row.place[0]),
            format!("{:.1}", row.place[1]),
        ]
    };
    let told = "One sample of the body alone at 48 kHz on this machine, the fastest of many; what is not in the page.";
    format!("### Cost\n\n{told}\n\n{}", table(&columns, rows.iter().map(cells).collect()))
}

fn difference(found: &Difference) -> String {
    let waveform = 100.0 * found.waveform;
    let waveform = if waveform < 0.1 { format!("{waveform:.3} %") } else { format!("{waveform:.1} %") };
    let third = found.worst_third;
    let third = if third < 0.1 { format!("{third:.3} dB") } else { format!("{third:.1} dB") };
    format!("{waveform}, {third}")
}

fn felt_cells(row: &FeltRow) -> Vec<String> {
    let name = format!("α {}, K {:e}, {} m/s", row.felt.exponent, row.felt.stiffness, row.felt.velocity);
    [name].into_iter().chain(row.found.iter().map(difference)).chain([&row.band, &row.truth].map(difference)).collect()
}

fn partial_cells(row: &partials::Row) -> Vec<String> {
    let off = row.off.iter().map(|off| off.map_or("-".to_owned(), cents));
    [row.body.to_owned(), row.partial.clone(), format!("{:.2}", row.expected)].into_iter().chain(off).collect()
}

/// To a tenth, and to a hundredth below one. What rounds to 0 has no sign.
fn cents(off: f64) -> String {
    match off {
        off if off.abs() < 0.005 => "0.00".to_owned(),
        off if off.abs() < 1.0 => format!("{off:+.2}"),
        off => format!("{off:+.1}"),
    }
}

fn decay_cells((index, row): (usize, &decays::Row)) -> Vec<String> {
    vec![
        (index + 1).to_string(),
        format!("{:.2}", row.frequency),
        format!("{:.4}", row.asked),
        format!("{:.4}", row.heard),
        format!("{:.2} %", 100.0 * (row.heard / row.asked - 1.0).abs()),
    ]
}

fn level_summary(body: &levels::Body) -> Vec<String> {
    let mut louder: Vec<f64> = body.rows.iter().map(|row| row.louder.abs()).collect();
    louder.sort_by(f64::total_cmp);
    let higher = body.rows.iter().fold(0.0_f64, |most, row| most.max(row.higher.abs()));
    let decibels = |value: Option<&f64>| value.map_or("-".to_owned(), |value| format!("{value:.2} dB"));
    let median = decibels(louder.get(louder.len() / 2));
    let loud = body.rows.iter().filter(|row| row.level > -40.0).map(|row| row.louder.abs()).fold(0.0, f64::max);
    vec![body.name.to_owned(), median, decibels(Some(&loud)), decibels(louder.last()), format!("{higher:.2} cents")]
}

fn level_cells((index, row): (usize, &levels::Row)) -> Vec<String> {
    let louder = if row.louder.abs() < 0.005 { "0.00".to_owned() } else { format!("{:+.2}", row.louder) };
    vec![(index + 1).to_string(), format!("{:.1}", row.frequency), format!("{:.1}", row.level), louder]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_have_the_digits_that_matter_and_no_sign_at_zero() {
        assert_eq!([-0.001, 0.032, -47.26, 204.0].map(cents), ["0.00", "+0.03", "-47.3", "+204.0"]);
    }
}
