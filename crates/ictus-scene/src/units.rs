//! Quantities as people write them: a number and a unit, with SI prefixes, turned into SI.
//!
//! A unit is a product of symbols with powers: `kg/m³`, `N s/m`, `m2/s`, `N/m^1.5`. What follows a `/` is divided by, up to the next
//! `/` or the end of the symbol. Dimensions are powers of kilogram, metre and second; a unit of another dimension than the one
//! that is expected is an error that names both.

use std::fmt;

/// Powers of kg, m and s. They may be broken: a contact's stiffness is in N/m^α.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    /// Power of the kilogram.
    pub kilogram: f64,
    /// Power of the metre.
    pub metre: f64,
    /// Power of the second.
    pub second: f64,
}

/// A pure number.
pub const PURE: Dimension = dimension(0.0, 0.0, 0.0);

/// Powers of kg, m and s as a dimension.
pub const fn dimension(kilogram: f64, metre: f64, second: f64) -> Dimension {
    Dimension { kilogram, metre, second }
}

impl Dimension {
    /// This one times another to a power.
    fn times(self, other: Self, power: f64) -> Self {
        Self {
            kilogram: self.kilogram + power * other.kilogram,
            metre: self.metre + power * other.metre,
            second: self.second + power * other.second,
        }
    }

    fn is_near(self, other: Self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        near(self.kilogram, other.kilogram) && near(self.metre, other.metre) && near(self.second, other.second)
    }
}

/// What a number of a scene measures: its SI unit, and how one writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// What it is in words, with its article: "a length".
    pub name: &'static str,
    /// SI unit, as it is shown; empty for a pure number.
    pub unit: &'static str,
    /// Something one could write.
    pub example: &'static str,
    dimension: Dimension,
}

macro_rules! measures {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $unit:literal, $example:literal, [$kg:expr, $m:expr, $s:expr];)*) => {
        $($(#[$doc])* pub const $constant: Measure =
            Measure { name: $name, unit: $unit, example: $example, dimension: dimension($kg as f64, $m as f64, $s as f64) };)*

        /// Every measure there is.
        pub const MEASURES: &[Measure] = &[$($constant),*];
    };
}

measures! {
    /// Neither unit nor prefix.
    NUMBER = "a number", "", "0.5", [0, 0, 0];
    /// A place along something, from 0 to 1.
    FRACTION = "a fraction", "", "0.12", [0, 0, 0];
    /// A factor, or decibels.
    GAIN = "a gain", "", "-6 dB", [0, 0, 0];
    /// Beats per minute.
    TEMPO = "a tempo", "bpm", "120 bpm", [0, 0, 0];
    /// Semitones.
    SEMITONES = "an interval", "semitones", "2 semitones", [0, 0, 0];
    /// m.
    LENGTH = "a length", "m", "0.5 mm", [0, 1, 0];
    /// s.
    TIME = "a time", "s", "20 ms", [0, 0, 1];
    /// Hz, or a note.
    FREQUENCY = "a frequency or a note", "Hz", "82.4 Hz", [0, 0, -1];
    /// 1/s.
    DECAY_RATE = "a decay rate", "1/s", "0.5 1/s", [0, 0, -1];
    /// How many a second, 1/s.
    RATE = "a rate", "1/s", "40 1/s", [0, 0, -1];
    /// m²/s.
    DIFFUSION = "a loss that grows with frequency", "m²/s", "0.001 m²/s", [0, 2, -1];
    /// m/s.
    VELOCITY = "a velocity", "m/s", "1.5 m/s", [0, 1, -1];
    /// kg.
    MASS = "a mass", "kg", "250 g", [1, 0, 0];
    /// N.
    FORCE = "a force", "N", "2 N", [1, 1, -2];
    /// N/m.
    SPRING = "the stiffness of a spring", "N/m", "10 kN/m", [1, 0, -2];
    /// N/m.
    TENSION_PER_METRE = "a tension per metre of edge", "N/m", "2 kN/m", [1, 0, -2];
    /// N/m³.
    CUBIC_SPRING = "a cubic stiffness", "N/m³", "1e9 N/m³", [1, -2, -2];
    /// N/m^α.
    STIFFNESS = "a stiffness", "N/m^α", "1e8 N/m^2.3", [1, 0, -2];
    /// N s/m.
    RESISTANCE = "a resistance", "N s/m", "3 N s/m", [1, 0, -1];
    /// Pa.
    PRESSURE = "a modulus", "Pa", "200 GPa", [1, -1, -2];
    /// kg/m³.
    DENSITY = "a density", "kg/m³", "7850 kg/m³", [1, -3, 0];
    /// kg/m².
    SURFACE_DENSITY = "a mass per area", "kg/m²", "0.26 kg/m²", [1, -2, 0];
    /// kg/m.
    LINEAR_DENSITY = "a mass per length", "kg/m", "5 g/m", [1, -1, 0];
    /// s/m.
    DISSIPATION = "the dissipation of a contact", "s/m", "0.1 s/m", [0, -1, 1];
    /// s²/m².
    SHARPNESS = "the sharpness of a friction curve", "s²/m²", "100 s²/m²", [0, -2, 2];
}

impl Measure {
    /// The measure that has this SI unit; a pure number if none has.
    pub fn of_unit(unit: &str) -> Measure {
        match unit {
            "" | "1" => NUMBER,
            "N/m^α" => STIFFNESS,
            _ => MEASURES.iter().copied().find(|measure| measure.unit == unit).unwrap_or(NUMBER),
        }
    }

    fn accepts(&self, dimension: Dimension) -> bool {
        if self.unit == STIFFNESS.unit {
            // The exponent is a parameter of its own, and a spread contact counts per metre: any power of the metre will do.
            return Dimension { metre: 0.0, ..dimension }.is_near(STIFFNESS.dimension);
        }
        self.dimension.is_near(dimension)
    }
}

/// Why a text is no quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum UnitError {
    /// It does not begin with a number.
    NoNumber,
    /// It looks like a note, and is none of the keyboard: what helps.
    NoNote(String),
    /// A number that no number of the machine holds.
    NotFinite,
    /// A symbol that is not a unit.
    UnknownUnit(String),
    /// A unit of another dimension: what it measures, if that has a name here.
    WrongDimension {
        /// The unit as it was written.
        unit: String,
        /// What it measures, if that has a name here.
        measures: Option<&'static str>,
    },
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber => write!(f, "this does not begin with a number"),
            Self::NoNote(advice) => write!(f, "this is not a note of the keyboard: {advice}"),
            Self::NotFinite => write!(f, "this number is not finite"),
            Self::UnknownUnit(symbol) => write!(f, "`{symbol}` is not a unit"),
            Self::WrongDimension { unit, measures: Some(name) } => write!(f, "`{unit}` is the unit of {name}"),
            Self::WrongDimension { unit, measures: None } => write!(f, "`{unit}` does not fit here"),
        }
    }
}

/// The SI value of a text, for what it is to measure. A number without a unit is SI.
pub fn parse(text: &str, measure: &Measure) -> Result<f64, UnitError> {
    let text = text.trim().replace('\u{2212}', "-");
    let (number, unit) = split_number(&text).ok_or(UnitError::NoNumber)?;
    let value = match (unit, measure.name) {
        ("", _) => number,
        ("dB", name) if name == GAIN.name => libm::pow(10.0, number / 20.0),
        ("bpm", name) if name == TEMPO.name => number,
        ("semitones" | "semitone" | "st", name) if name == SEMITONES.name => number,
        ("cents" | "cent" | "c", name) if name == SEMITONES.name => number / 100.0,
        ("octaves" | "octave", name) if name == SEMITONES.name => number * 12.0,
        ("dB", _) => return Err(UnitError::WrongDimension { unit: "dB".into(), measures: Some(GAIN.name) }),
        ("%", _) if measure.dimension == PURE => number / 100.0,
        // A decay is so much a second, not so many periods.
        ("Hz", _) if measure.unit == DECAY_RATE.unit => {
            return Err(UnitError::WrongDimension { unit: "Hz".into(), measures: Some(FREQUENCY.name) });
        }
        _ => {
            let (factor, dimension) = parse_unit(unit)?;
            if !measure.accepts(dimension) || measure.name == SEMITONES.name {
                let measures = MEASURES.iter().find(|other| other.accepts(dimension)).map(|other| other.name);
                return Err(UnitError::WrongDimension { unit: unit.to_owned(), measures });
            }
            number * factor
        }
    };
    if value.is_finite() { Ok(value) } else { Err(UnitError::NotFinite) }
}

/// The number a text begins with, and the rest without spaces around it.
pub(crate) fn split_number(text: &str) -> Option<(f64, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    // An `e` may begin a unit: take the longest beginning that is a number.
    (1..=end).rev().find_map(|end| Some((text.get(..end)?.parse().ok()?, text.get(end..)?.trim())))
}

/// Factor to SI and dimension of a unit.
fn parse_unit(text: &str) -> Result<(f64, Dimension), UnitError> {
    let (mut factor, mut dimension) = (1.0, PURE);
    let mut sign = 1.0;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', '·', '*', '⋅']);
        if rest.is_empty() {
            return Ok((factor, dimension));
        }
        if let Some(after) = rest.strip_prefix('/') {
            sign = -1.0;
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix('1').filter(|after| after.trim_start().starts_with('/')) {
            rest = after;
            continue;
        }
        let end = rest.find(|c: char| !(c.is_alphabetic() || c == '%' || c == '°')).unwrap_or(rest.len());
        let (symbol, after) = rest.split_at(end);
        let (power, after) = split_power(after);
        let (unit_factor, unit_dimension) = symbol_value(symbol).ok_or_else(|| {
            UnitError::UnknownUnit(if symbol.is_empty() { rest.to_owned() } else { symbol.to_owned() })
        })?;
        factor *= libm::pow(unit_factor, sign * power);
        dimension = dimension.times(unit_dimension, sign * power);
        sign = 1.0;
        rest = after;
    }
}

/// A power written behind a symbol: `²`, `^-1.5`, `2`; 1 if there is none.
fn split_power(text: &str) -> (f64, &str) {
    for (sign, power) in [("²", 2.0), ("³", 3.0), ("⁴", 4.0), ("⁻¹", -1.0), ("⁻²", -2.0), ("⁻³", -3.0)] {
        if let Some(rest) = text.strip_prefix(sign) {
            return (power, rest);
        }
    }
    if let Some(rest) = text.strip_prefix("^α") {
        return (1.0, rest);
    }
    let after = text.strip_prefix('^').unwrap_or(text);
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let end = after.find(|c| !is_part(c)).unwrap_or(after.len());
    match after[..end].parse::<f64>() {
        Ok(power) if power.abs() <= 16.0 => (power, &after[end..]),
        _ => (1.0, text),
    }
}

/// Symbols without their prefixes.
const SYMBOLS: &[(&str, f64, Dimension)] = &[
    ("m", 1.0, dimension(0.0, 1.0, 0.0)),
    ("g", 1e-3, dimension(1.0, 0.0, 0.0)),
    ("s", 1.0, dimension(0.0, 0.0, 1.0)),
    ("N", 1.0, dimension(1.0, 1.0, -2.0)),
    ("Pa", 1.0, dimension(1.0, -1.0, -2.0)),
    ("Hz", 1.0, dimension(0.0, 0.0, -1.0)),
    ("J", 1.0, dimension(1.0, 2.0, -2.0)),
];

const PREFIXES: &[(&str, f64)] = &[
    ("p", 1e-12),
    ("n", 1e-9),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("u", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("h", 1e2),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
];

fn symbol_value(symbol: &str) -> Option<(f64, Dimension)> {
    let find = |name: &str| SYMBOLS.iter().find(|(symbol, ..)| *symbol == name).map(|&(_, factor, dim)| (factor, dim));
    find(symbol).or_else(|| {
        PREFIXES.iter().find_map(|(prefix, scale)| {
            let (factor, dimension) = find(symbol.strip_prefix(prefix)?)?;
            // A kilogram is exactly 1, not 1000 times a rounded thousandth.
            let value = if symbol == "kg" { 1.0 } else { scale * factor };
            Some((value, dimension))
        })
    })
}

/// A value with its SI unit, for messages.
pub fn show(value: f64, measure: &Measure) -> String {
    let number = ictus::math::Plain(value).to_string();
    if measure.unit.is_empty() { number } else { format!("{number} {}", measure.unit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_come_out_in_si() {
        let cases = [
            ("0.5 mm", LENGTH, 0.5e-3),
            ("20um", LENGTH, 20e-6),
            ("20 µm", LENGTH, 20e-6),
            ("30 cm", LENGTH, 0.3),
            ("82.4 Hz", FREQUENCY, 82.4),
            ("48 kHz", FREQUENCY, 48e3),
            ("200 GPa", PRESSURE, 200e9),
            ("250 g", MASS, 0.25),
            ("3 kg", MASS, 3.0),
            ("2 ms", TIME, 2e-3),
            ("10 kN/m", SPRING, 1e4),
            ("3 N s/m", RESISTANCE, 3.0),
            ("3 N·s/m", RESISTANCE, 3.0),
            ("3 kg/s", RESISTANCE, 3.0),
            ("7850 kg/m³", DENSITY, 7850.0),
            ("7.85 g/cm3", DENSITY, 7850.0),
            ("0.002 m2/s", DIFFUSION, 0.002),
            ("0.5 1/s", DECAY_RATE, 0.5),
            ("100 s²/m²", SHARPNESS, 100.0),
            ("1e8 N/m^2.3", STIFFNESS, 1e8),
            ("1e8 N/m^α", STIFFNESS, 1e8),
            ("4 N/mm", STIFFNESS, 4e3),
            ("-6 dB", GAIN, 0.501_187_233_627_272_2),
            ("2 semitones", SEMITONES, 2.0),
            ("50 cents", SEMITONES, 0.5),
            ("12 %", FRACTION, 0.12),
            ("1e3", FORCE, 1e3),
            ("−2 N", FORCE, -2.0),
        ];
        for (text, measure, expected) in cases {
            let value = parse(text, &measure).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!((value / expected - 1.0).abs() < 1e-12, "{text}: {value}");
        }
    }

    #[test]
    fn a_wrong_unit_says_what_it_measures() {
        let wrong = |text, measure| parse(text, &measure).unwrap_err().to_string();
        assert_eq!(wrong("2 kg", LENGTH), "`kg` is the unit of a mass");
        assert_eq!(wrong("2 N s", LENGTH), "`N s` does not fit here");
        assert_eq!(wrong("2 furlongs", LENGTH), "`furlongs` is not a unit");
        assert_eq!(wrong("long", LENGTH), "this does not begin with a number");
        assert_eq!(wrong("1e999 m", LENGTH), "this number is not finite");
        assert_eq!(wrong("-6 dB", FORCE), "`dB` is the unit of a gain");
    }

    #[test]
    fn every_example_can_be_read() {
        for measure in MEASURES {
            assert!(parse(measure.example, measure).is_ok(), "{measure:?}");
        }
    }
}
