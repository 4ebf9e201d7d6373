//! A body with more modes than are allowed, or none: said in the words of physics, with a number that would do.
//!
//! How many modes lie below a frequency f goes as its root for a bar, as f for a plate, as f² for a membrane (Weyl's law), and of a stiff string the n-th
//! lies at n f0 √(1 + Bn²); so the `highest` which leaves few enough is known from how many there are.

use ictus::model::ObjectSpec;
use ictus::objects::{BarPitch, ObjectError, Outline, PlateEdges, Section, StringPitch, Tension};

use super::notes::fundamental;
use super::physics::grouped;
use crate::problem::{Found, Span};
use crate::registry::whole::MOST_MODES;

/// What is said if it is the number of modes that is refused. `allowed` is the scene's own limit.
pub(super) fn speak(error: &ObjectError, spec: &ObjectSpec, allowed: usize, span: Span) -> Option<Found> {
    match *error {
        ObjectError::TooManyModes { modes, highest, limit } => {
            let message = format!(
                "{} has {} modes below {}; the limit is {}",
                describe(spec),
                grouped(modes),
                frequency(highest),
                grouped(limit)
            );
            let fewer = frequency(fitting(spec, modes, highest, limit));
            let mut help = format!("lower `highest` to {fewer}, or use {}", change(spec));
            if limit < allowed {
                help += "; edges that are not alike allow fewer modes";
            } else if modes <= MOST_MODES {
                help += ", or raise `limits.modes`";
            }
            Some(Found::new(span, message).help(help))
        }
        ObjectError::NoModes { highest } => {
            let message = format!("{} has no mode below {}: it would not sound", describe(spec), frequency(highest));
            Some(Found::new(span, message).help("make it larger or softer, or raise `highest`"))
        }
        _ => None,
    }
}

/// What would have fewer modes.
fn change(spec: &ObjectSpec) -> &'static str {
    match spec {
        ObjectSpec::String(_) => "a shorter or tighter string",
        ObjectSpec::Bar(_) => "a shorter or thicker bar",
        ObjectSpec::Membrane(_) => "a smaller or tighter membrane",
        _ => "a smaller or thicker plate",
    }
}

/// The frequency in Hz below which there are as many modes as allowed, or a few less.
fn fitting(spec: &ObjectSpec, modes: usize, highest: f64, limit: usize) -> f64 {
    let (few, many) = (0.97 * limit as f64, modes as f64);
    let part = few / many;
    match spec {
        ObjectSpec::Bar(_) => highest * part * part,
        ObjectSpec::Membrane(_) => highest * part.sqrt(),
        ObjectSpec::String(string) => {
            let first = fundamental(string);
            let stretch = highest / (many * first);
            let inharmonicity = ((stretch * stretch - 1.0) / (many * many)).max(0.0);
            few * first * (1.0 + inharmonicity * few * few).sqrt()
        }
        _ => highest * part,
    }
}

/// A frequency in Hz as one writes it, rounded down to two digits unless it is round.
fn frequency(hertz: f64) -> String {
    let digit = libm::pow(10.0, libm::floor(libm::log10(hertz)) - 1.0);
    let rounded = if hertz % 1.0 == 0.0 || digit == 0.0 { hertz } else { libm::floor(hertz / digit) * digit };
    // What is left of the division: 9.4 and not 9.400000000000001.
    let tidy = |value: f64| (1e6 * value).round() / 1e6;
    if rounded >= 1000.0 { format!("{} kHz", tidy(rounded / 1000.0)) } else { format!("{} Hz", tidy(rounded)) }
}

/// An object as one would say it.
fn describe(spec: &ObjectSpec) -> String {
    let length = |metres: f64| {
        let (value, unit) = match metres {
            small if small < 0.01 => (1e3 * small, "mm"),
            middle if middle < 2.0 => (1e2 * middle, "cm"),
            large => (large, "m"),
        };
        format!("{} {unit}", (1e6 * value).round() / 1e6)
    };
    let wide = |outline: &Outline| match *outline {
        Outline::Circle(diameter) => format!("{} wide", length(diameter)),
        Outline::Rectangle([x, y]) => format!("{} by {}", length(x), length(y)),
        _ => String::new(),
    };
    let round = |outline: &Outline| if matches!(outline, Outline::Circle(_)) { "circular " } else { "" };
    let at = |pitch: f64| format!(" tuned to {}", frequency(pitch));
    match spec {
        ObjectSpec::Plate(plate) => {
            let held = match plate.edges {
                PlateEdges::Free => "free ",
                PlateEdges::Clamped => "clamped ",
                PlateEdges::SimplySupported => "supported ",
                _ => "",
            };
            let (round, wide, thick) = (round(&plate.outline), wide(&plate.outline), length(plate.thickness));
            let tuned = plate.pitch.map(at).unwrap_or_default();
            format!("a {held}{round}plate {wide} and {thick} thick{tuned}")
        }
        ObjectSpec::Membrane(membrane) => {
            let tuned = if let Tension::Fundamental(pitch) = membrane.tension { at(pitch) } else { String::new() };
            format!("a {}membrane {}{tuned}", round(&membrane.outline), wide(&membrane.outline))
        }
        ObjectSpec::String(string) => {
            let tuned = if let StringPitch::Fundamental(pitch) = string.pitch { at(pitch) } else { String::new() };
            format!("a string {} long{tuned}", length(string.length))
        }
        ObjectSpec::Bar(bar) => {
            let thick = match bar.section {
                Section::Rectangular { thickness, .. } => thickness,
                Section::Round { radius } => 2.0 * radius,
                _ => f64::NAN,
            };
            let tuned = if let BarPitch::Fundamental(pitch) = bar.pitch { at(pitch) } else { String::new() };
            format!("a bar {} long and {} thick{tuned}", length(bar.length), length(thick))
        }
        other => format!("a {}", other.kind()),
    }
}
