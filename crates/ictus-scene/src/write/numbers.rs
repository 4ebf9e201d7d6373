//! Numbers as people write them: the shortest text that reads back to the same number, with a unit where that does not change a bit.

use crate::notes::{Note, key_name, nearest_key};
use crate::units::{self, GAIN, Measure};

/// A number without a unit.
pub(crate) fn bare(value: f64) -> String {
    let (plain, short) = (format!("{value}"), format!("{value:e}"));
    let is_handy = (1e-3..1e5).contains(&value.abs());
    if short.len() < plain.len() && !is_handy { short } else { plain }
}

/// Units that people use, by the name of what is measured; the SI unit for all others.
fn units_of(measure: &Measure) -> Vec<&'static str> {
    match measure.unit {
        "m" => vec!["mm", "cm", "m", "um"],
        "s" => vec!["s", "ms"],
        "Hz" => vec!["Hz", "kHz"],
        "kg" => vec!["g", "kg"],
        "Pa" => vec!["GPa", "MPa", "Pa"],
        "N/m" => vec!["N/m", "kN/m", "MN/m"],
        "kg/m" => vec!["g/m", "kg/m"],
        // The exponent would have to be known.
        "N/m^α" | "" => vec![],
        unit => vec![unit],
    }
}

/// A quantity as a value of TOML.
pub(super) fn quantity(value: f64, measure: &Measure) -> String {
    if measure.name == GAIN.name {
        return gain(value);
    }
    if value == 0.0 {
        return bare(value);
    }
    let mut best: Option<(usize, String)> = None;
    for unit in units_of(measure) {
        let Ok(factor) = units::parse(&format!("1 {unit}"), measure) else { continue };
        let scaled = value / factor;
        let rounded = [14, 15, 16].map(|digits| format!("{scaled:.digits$e}").parse().unwrap_or(scaled));
        for number in rounded.into_iter().chain([scaled]).map(bare) {
            let text = format!("{number} {unit}");
            let is_same = units::parse(&text, measure).is_ok_and(|back| back.to_bits() == value.to_bits());
            // Thousands of a small unit are few of a larger one.
            let length = number.len() + usize::from(scaled.abs() >= 1000.0);
            if is_same && best.as_ref().is_none_or(|(shortest, _)| length < *shortest) {
                best = Some((length, text));
            }
        }
    }
    best.map_or_else(|| bare(value), |(_, text)| quoted(&text))
}

/// A gain: a factor, or decibels where they are rounder.
fn gain(value: f64) -> String {
    let plain = bare(value);
    let decibels = (2000.0 * libm::log10(value)).round() / 100.0;
    let text = format!("{} dB", bare(decibels));
    let is_same = units::parse(&text, &GAIN).is_ok_and(|back| back.to_bits() == value.to_bits());
    if plain.len() > 6 && is_same { quoted(&text) } else { plain }
}

/// A frequency in Hz that is the pitch of something: a note where it is one.
pub(super) fn pitch(value: f64, measure: &Measure) -> String {
    match nearest_key(value, 440.0).filter(|key| Note::of_key(*key).frequency(440.0).to_bits() == value.to_bits()) {
        Some(key) => quoted(&key_name(key)),
        None => quantity(value, measure),
    }
}

/// The roundest number that satisfies, from a few digits to all, near one that may.
pub(crate) fn roundest(near: f64, satisfies: impl Fn(f64) -> bool) -> Option<f64> {
    let rounded = (0..17).map(|digits: usize| format!("{near:.digits$e}").parse().unwrap_or(near));
    let [mut up, mut down] = [near; 2];
    let around = (0..8).flat_map(move |_| {
        (up, down) = (up.next_up(), down.next_down());
        [up, down]
    });
    rounded.chain([near]).chain(around).find(|number| number.is_finite() && satisfies(*number))
}

/// A text between quotation marks.
pub(super) fn quoted(text: &str) -> String {
    let mut all = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => all.push_str("\\\""),
            '\\' => all.push_str("\\\\"),
            '\n' => all.push_str("\\n"),
            '\t' => all.push_str("\\t"),
            control if control.is_control() => all.push_str(&format!("\\U{:08X}", u32::from(control))),
            other => all.push(other),
        }
    }
    all.push('"');
    all
}

/// A key of TOML.
pub(super) fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{FREQUENCY, LENGTH, MASS, MEASURES, PRESSURE, STIFFNESS, TIME, VELOCITY};
    use proptest::prelude::*;

    #[test]
    fn quantities_are_written_as_people_do() {
        let cases = [
            (0.65, LENGTH, "\"65 cm\""),
            (2e-4, LENGTH, "\"0.2 mm\""),
            (0.0053, LENGTH, "\"5.3 mm\""),
            (0.02, TIME, "\"20 ms\""),
            (0.1, TIME, "\"0.1 s\""),
            (48e3, FREQUENCY, "\"48 kHz\""),
            (5e-3, MASS, "\"5 g\""),
            (2e11, PRESSURE, "\"200 GPa\""),
            (0.0, VELOCITY, "0"),
            (-1.5, VELOCITY, "\"-1.5 m/s\""),
            (1e8, STIFFNESS, "1e8"),
            (1.0, GAIN, "1"),
            (0.501_187_233_627_272_2, GAIN, "\"-6 dB\""),
        ];
        for (value, measure, expected) in cases {
            assert_eq!(quantity(value, &measure), expected);
        }
        assert_eq!(pitch(110.0, &FREQUENCY), "\"A2\"");
        assert_eq!(pitch(110.1, &FREQUENCY), "\"110.1 Hz\"");
        assert_eq!(quoted("a \"b\"\\\n\u{7f}"), "\"a \\\"b\\\"\\\\\\n\\U0000007F\"");
    }

    proptest! {
        #[test]
        fn any_finite_number_reads_back_to_the_bit(bits in any::<u64>(), measure in 0..MEASURES.len()) {
            let (value, measure) = (f64::from_bits(bits), &MEASURES[measure]);
            prop_assume!(value.is_finite());
            let text = quantity(value, measure);
            let text = text.trim_matches('"');
            prop_assert_eq!(units::parse(text, measure).unwrap().to_bits(), value.to_bits(), "{}", text);
        }
    }
}
