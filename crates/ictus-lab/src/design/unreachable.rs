//! What to say when no contact does what was wanted: what can be had instead.

use ictus_analysis::design::{Features, Freedom, Instead, Map, Offer, Refused, Targets};

use super::Question;
use super::setup::{Struck, refused as refusal};
use crate::Refusal;
use crate::quantity::{show, significant};

/// Digits of the numbers in the sentence.
const DIGITS: usize = 4;

/// The sentence: which target, what is reachable, and the nearest contact.
pub fn explained(wanted: &Struck, map: &Map, question: &Question<'_>) -> Refusal {
    let Instead { refused, below, above, nearest } = match map.instead(&wanted.targets, wanted.freedom, DIGITS) {
        Ok(instead) => instead,
        Err(error) => return refusal(&error, question),
    };
    let asked = Asked::of(wanted, refused);
    let mut allowed = match refused {
        Refused::First => first(&asked, below, above, wanted),
        Refused::Second => {
            let met = match (wanted.targets.contact_time, wanted.targets.centroid) {
                (Some(contact_time), _) => format!("at a contact time of {}", time(contact_time)),
                (_, centroid) => format!("at a centroid of {}", hertz(centroid.unwrap_or(0.0))),
            };
            match sides(&asked, below, above) {
                Some(sides) => format!("{met} it can only be {sides}"),
                None => format!("{met} nothing can be had"),
            }
        }
        Refused::Third(found) => third(wanted.freedom, &found),
    };
    if let Some(Offer { targets, setting, design }) = nearest {
        let mut had = Vec::new();
        had.extend(targets.contact_time.map(time));
        had.extend(targets.centroid.map(hertz));
        had.extend(targets.restitution.map(|e| format!("a restitution of {}", significant(e, DIGITS))));
        let mut with = vec![
            format!("K = {} N/m^α", significant(design.stiffness, DIGITS)),
            format!("μ = {} s/m", significant(design.dissipation, DIGITS)),
        ];
        match wanted.freedom {
            Some(Freedom::Mass) => with.push(format!("m = {}", show(setting.mass * 1e3, "g"))),
            Some(Freedom::Exponent) => with.push(format!("α = {}", significant(setting.exponent, DIGITS))),
            None => {}
        }
        allowed.push_str(&format!("; the nearest that can be had is {}, with {}", listed(&had), listed(&with)));
    }
    let text = match asked.option {
        "--contact-time" => question.contact_time,
        "--centroid" => question.centroid,
        _ => question.restitution,
    };
    Refusal::new(asked.option, text.unwrap_or(""), allowed)
}

/// The target that fails.
struct Asked {
    option: &'static str,
    shown: fn(f64) -> String,
}

impl Asked {
    fn of(wanted: &Struck, refused: Refused) -> Self {
        let Targets { contact_time, centroid, .. } = wanted.targets;
        let mut given = Vec::with_capacity(3);
        given.extend(contact_time.map(|_| Self { option: "--contact-time", shown: time }));
        // With something free, contact time and restitution come first.
        if wanted.freedom.is_none() || matches!(refused, Refused::Third(_)) {
            given.extend(centroid.map(|_| Self { option: "--centroid", shown: hertz }));
        }
        given.push(Self { option: "--restitution", shown: |e| significant(e, DIGITS) });
        given.swap_remove(if refused == Refused::First { 0 } else { 1 })
    }
}

/// Contact time and restitution can be met, but nothing that is free brings the centroid along.
fn third(freedom: Option<Freedom>, found: &Features) -> String {
    let free = match freedom {
        Some(Freedom::Exponent) => "no --exponent from 1 to 4",
        _ => "no mass within a factor of ten of --mass",
    };
    format!(
        "with this contact time and restitution it is {}, and {free} leads from there to the wanted one",
        hertz(found.centroid)
    )
}

/// Not even the first target can be met alone.
fn first(asked: &Asked, below: Option<f64>, above: Option<f64>, wanted: &Struck) -> String {
    match (below, above) {
        (Some(below), Some(above)) => format!(
            "this hammer and resonator jump from {} to {}, where one contact becomes two",
            (asked.shown)(below),
            (asked.shown)(above)
        ),
        _ => match sides(asked, below, above) {
            Some(sides) => {
                let [hardest, softest] = wanted.setting.searched().map(time);
                format!(
                    "with this hammer and resonator it can only be {sides} (searched are contacts that would last {hardest} to \
                     {softest} on a rigid wall)"
                )
            }
            None => "this hammer never comes off this resonator".to_owned(),
        },
    }
}

/// Reachable region, next to what cannot.
fn sides(asked: &Asked, below: Option<f64>, above: Option<f64>) -> Option<String> {
    match (below.map(asked.shown), above.map(asked.shown)) {
        (Some(below), Some(above)) => Some(format!("up to {below}, or from {above} up")),
        (Some(below), None) => Some(format!("up to {below}")),
        (None, Some(above)) => Some(format!("from {above} up")),
        (None, None) => None,
    }
}

/// `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => words.concat(),
    }
}

fn time(seconds: f64) -> String {
    let (digits, unit) = split(&show(seconds, "s"));
    format!("{digits} {unit}")
}

fn hertz(frequency: f64) -> String {
    format!("{} Hz", significant(frequency, DIGITS))
}

/// Four digits are enough for a sentence.
fn split(quantity: &str) -> (String, String) {
    let (digits, unit) = quantity.split_once(' ').unwrap_or((quantity, ""));
    (digits.parse().map_or_else(|_| digits.to_owned(), |value: f64| significant(value, DIGITS)), unit.to_owned())
}
