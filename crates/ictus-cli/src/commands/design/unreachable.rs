//! What to say when no contact does what was wanted: what can be had instead.

use ictus_analysis::design::{Features, Freedom, Map, Targets};

use super::Args;
use super::setup::Struck;
use crate::error::Error;
use crate::quantity::{show, significant};

/// The sentence: which target, what is reachable, and the nearest contact.
pub fn explained(wanted: &Struck, map: &Map, args: &Args) -> Error {
    let targets = wanted.targets;
    // With a third target, the other two alone may be out of reach already.
    let pair = if wanted.freedom.is_some() { Targets { centroid: None, ..targets } } else { targets };
    let (option, value, mut allowed) = match (wanted.freedom, map.design(&pair), map.range_of_second(&pair)) {
        (Some(freedom), Ok(found), _) => third(freedom, &found.features, args),
        (_, _, Ok(Some((low, high)))) => second(&pair, low, high, args),
        _ => first(&pair, map, args),
    };
    if let Some(nearest) = map.nearest(&targets) {
        let Features { contact_time, centroid, restitution, .. } = nearest.features;
        let mut had = Vec::new();
        had.extend(targets.contact_time.map(|_| time(contact_time)));
        had.extend(targets.centroid.map(|_| hertz(centroid)));
        had.extend(targets.restitution.map(|_| format!("a restitution of {}", significant(restitution, 4))));
        allowed.push_str(&format!(
            "; the nearest that can be had is {}, with K = {} N/m^α and μ = {} s/m",
            had.join(" and "),
            significant(nearest.stiffness, 4),
            significant(nearest.dissipation, 4),
        ));
    }
    Error::option(option, value, allowed)
}

/// Reads a feature, and writes it down.
type Feature = fn(&Features) -> f64;
type Shown = fn(f64) -> String;

/// Option, value and what is allowed.
type Told<'a> = (&'static str, &'a str, String);

/// Contact time and restitution can be met, but nothing that is free brings the centroid along.
fn third<'a>(freedom: Freedom, found: &Features, args: &'a Args) -> Told<'a> {
    let free = match freedom {
        Freedom::Mass => "no mass within a factor of ten of --mass",
        Freedom::Exponent => "no --exponent from 1 to 4",
    };
    let allowed = format!(
        "with this contact time and restitution it is {}, and {free} leads from there to the wanted one",
        hertz(found.centroid)
    );
    ("--centroid", args.centroid.as_deref().unwrap_or(""), allowed)
}

/// The first target can be met, but not together with the second.
fn second<'a>(targets: &Targets, low: f64, high: f64, args: &'a Args) -> Told<'a> {
    let text = |option: &'a Option<String>| option.as_deref().unwrap_or("");
    let met = match (targets.contact_time, targets.centroid) {
        (Some(contact_time), _) => format!("at a contact time of {}", time(contact_time)),
        (_, centroid) => format!("at a centroid of {}", hertz(centroid.unwrap_or(0.0))),
    };
    match (targets.contact_time, targets.centroid) {
        (Some(_), Some(_)) => {
            let range = format!("{met} it can only be {} to {}", hertz(low), hertz(high));
            ("--centroid", text(&args.centroid), range)
        }
        _ => {
            let range = format!("{met} it can only be {} to {}", significant(low, 4), significant(high, 4));
            ("--restitution", text(&args.restitution), range)
        }
    }
}

/// Not even the first target can be met alone.
fn first<'a>(targets: &Targets, map: &Map, args: &'a Args) -> Told<'a> {
    let points = || map.lines().iter().flat_map(|line| &line.points);
    let (option, text, wanted, feature, shown): (_, _, f64, Feature, Shown) =
        match (targets.contact_time, targets.centroid) {
            (Some(wanted), _) => ("--contact-time", &args.contact_time, wanted, |f| f.contact_time, time),
            (_, wanted) => ("--centroid", &args.centroid, wanted.unwrap_or(0.0), |f| f.centroid, hertz),
        };
    let values = || points().map(|point| feature(&point.features));
    let below = values().filter(|value| *value < wanted).fold(f64::NEG_INFINITY, f64::max);
    let above = values().filter(|value| *value > wanted).fold(f64::INFINITY, f64::min);
    let allowed = match (below.is_finite(), above.is_finite()) {
        (true, true) => format!(
            "this hammer and resonator jump from {} to {}, where one contact becomes two",
            shown(below),
            shown(above)
        ),
        (true, false) => format!("with this hammer and resonator it can only be up to {}", shown(below)),
        (false, true) => format!("with this hammer and resonator it can only be from {} up", shown(above)),
        (false, false) => "this hammer never comes off this resonator".to_owned(),
    };
    (option, text.as_deref().unwrap_or(""), allowed)
}

fn time(seconds: f64) -> String {
    let (digits, unit) = split(&show(seconds, "s"));
    format!("{digits} {unit}")
}

fn hertz(frequency: f64) -> String {
    format!("{} Hz", significant(frequency, 4))
}

/// Four digits are enough for a sentence.
fn split(quantity: &str) -> (String, String) {
    let (digits, unit) = quantity.split_once(' ').unwrap_or((quantity, ""));
    (digits.parse().map_or_else(|_| digits.to_owned(), |value: f64| significant(value, 4)), unit.to_owned())
}
