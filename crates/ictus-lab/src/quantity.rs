//! Quantities for reading: numbers with a decimal prefix and a unit.

/// Decimal prefixes, by power of 1000 from 10⁻¹⁵ to 10¹².
const PREFIXES: [&str; 10] = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T"];
const NONE: i32 = 5;
/// How people write a millionth: the sign of that name, the Greek letter, and what is on every keyboard.
const MICRO: &[&str] = &["µ", "μ", "u"];

/// The prefix that brings a magnitude between 1 and 1000, and its factor; no prefix where none fits.
pub fn prefix(magnitude: f64) -> (&'static str, f64) {
    if magnitude == 0.0 || !magnitude.is_finite() {
        return ("", 1.0);
    }
    // A hair up, so that 1e-3 is a milli in spite of rounding.
    let power = ((magnitude.abs().log10() + 1e-12) / 3.0).floor() as i32;
    match usize::try_from(power + NONE).ok().and_then(|index| PREFIXES.get(index)) {
        Some(name) => (name, 1000f64.powi(power)),
        None => ("", 1.0),
    }
}

/// A value with prefix and unit and six significant digits: `43.1219 µm`.
pub fn show(value: f64, unit: &str) -> String {
    let (name, factor) = prefix(value);
    format!("{} {name}{unit}", significant(value / factor, 6))
}

/// Splits `2ms` into its digits and the factor of its prefix, for the unit `s`; `None` if it does not end in the unit. Masses are
/// prefixed by the gram.
pub fn split<'a>(text: &'a str, unit: &str) -> Option<(&'a str, f64)> {
    let (symbol, factor) = if unit == "kg" { ("g", 1e-3) } else { (unit, 1.0) };
    let rest = text.strip_suffix(symbol).filter(|_| !symbol.is_empty())?;
    let digit = |rest: &str| rest.ends_with(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    let places = (0..PREFIXES.len()).rev().filter(|&place| !PREFIXES[place].is_empty());
    let prefixed = places.into_iter().find_map(|place| {
        let written = if PREFIXES[place] == "µ" { MICRO } else { &PREFIXES[place..=place] };
        let rest = written.iter().find_map(|name| rest.strip_suffix(name)).filter(|rest| digit(rest))?;
        Some((rest, 1000f64.powi(place as i32 - NONE)))
    });
    let (digits, prefix) = prefixed.or_else(|| digit(rest).then_some((rest, 1.0)))?;
    Some((digits.trim_end(), prefix * factor))
}

/// The units that [`split`] takes and people use for an SI unit, in words: `µs (or us), ms or s`; `None` for a pure number.
pub fn units(unit: &str) -> Option<String> {
    match unit {
        "" => None,
        "s" => Some("µs (or us), ms or s".to_owned()),
        "kg" => Some("mg, g or kg".to_owned()),
        "Hz" => Some("Hz or kHz".to_owned()),
        unit => Some(format!("m{unit} or {unit}")),
    }
}

/// A number with that many significant digits, without trailing zeros; with an exponent where it would be long.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return "not finite".to_owned();
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-4..=6).contains(&exponent) {
        let text = format!("{value:.*e}", digits.saturating_sub(1));
        return match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
            None => text,
        };
    }
    let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
    trimmed(&format!("{value:.decimals$}")).to_owned()
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_written_the_way_people_read_them() {
        assert_eq!(show(4.312_19e-5, "m"), "43.1219 µm");
        assert_eq!(show(1e-3, "s"), "1 ms");
        assert_eq!(show(-0.747, "m/s"), "-747 mm/s");
        assert_eq!(show(0.0, "N"), "0 N");
        assert_eq!(show(3e-40, "J"), "3e-40 J");
        assert_eq!(significant(1e9, 6), "1e9");
        assert_eq!(significant(44100.0, 6), "44100");
        assert_eq!(significant(0.3, 6), "0.3");
    }
}
