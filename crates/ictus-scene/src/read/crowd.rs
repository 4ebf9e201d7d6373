//! A body with more modes than are allowed, or none: said in the words of physics, with a number that would do.
//!
//! Each kind of object knows how many modes lie below a frequency; so the `highest` which leaves few enough is known from how many there are.

use ictus::model::ObjectSpec;
use ictus::objects::{ObjectError, Outline};

use super::physics::grouped;
use crate::objects::{Crowd, words_of};
use crate::problem::{Found, Span};
use crate::registry::whole::MOST_MODES;

/// What is said if it is the number of modes that is refused. `allowed` is the scene's own limit.
pub(super) fn speak(error: &ObjectError, spec: &ObjectSpec, allowed: usize, span: Span) -> Option<Found> {
    let words = words_of(spec.kind());
    match *error {
        ObjectError::TooManyModes { modes, highest, limit } => {
            let message = format!(
                "{} has {} modes below {}; the limit is {}",
                (words.described)(spec),
                grouped(modes),
                frequency(highest),
                grouped(limit)
            );
            // As many modes as allowed, or a few less.
            let crowd = Crowd { few: 0.97 * limit as f64, many: modes as f64, highest };
            let fewer = frequency((words.frequency_of)(spec, crowd));
            let mut help = format!("lower `highest` to {fewer}, or use {}", words.fewer_modes);
            if limit < allowed {
                help += "; edges that are not alike allow fewer modes";
            } else if modes <= MOST_MODES {
                help += ", or raise `limits.modes`";
            }
            Some(Found::new(span, message).help(help))
        }
        ObjectError::NoModes { highest } => {
            let message =
                format!("{} has no mode below {}: it would not sound", (words.described)(spec), frequency(highest));
            Some(Found::new(span, message).help("make it larger or softer, or raise `highest`"))
        }
        _ => None,
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

/// A length in m as one writes it.
pub(crate) fn length(metres: f64) -> String {
    let (value, unit) = match metres {
        small if small < 0.01 => (1e3 * small, "mm"),
        middle if middle < 2.0 => (1e2 * middle, "cm"),
        large => (large, "m"),
    };
    format!("{} {unit}", (1e6 * value).round() / 1e6)
}

/// How wide an outline is.
pub(crate) fn wide(outline: &Outline) -> String {
    match *outline {
        Outline::Circle(diameter) => format!("{} wide", length(diameter)),
        Outline::Rectangle([x, y]) => format!("{} by {}", length(x), length(y)),
        _ => String::new(),
    }
}

/// The word before the kind that an outline asks for.
pub(crate) fn round(outline: &Outline) -> &'static str {
    if matches!(outline, Outline::Circle(_)) { "circular " } else { "" }
}

/// What is said of a pitch in Hz that was asked for.
pub(crate) fn tuned(pitch: Option<f64>) -> String {
    pitch.map(|pitch| format!(" tuned to {}", frequency(pitch))).unwrap_or_default()
}
