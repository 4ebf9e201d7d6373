//! The keys of contacts, their laws, profiles and roughness; of forces and of pickups.

use std::sync::LazyLock;

use ictus::contact::Rule;
use ictus::laws::{Allowed, Law, LawInfo, ParameterInfo};
use ictus::limits::{FARTHEST, MOST_RESISTANCE, STRONGEST};
use ictus::model::{PickupInfo, Source};

use super::field::{ANY, Bounds, Field, Kind, TableInfo, above, above_to, at_least, between};
use crate::units::{FORCE, FRACTION, GAIN, LENGTH, Measure, NUMBER, RESISTANCE, VELOCITY};

/// Most heights of one roughness.
pub const MOST_HEIGHTS: usize = 1 << 20;

/// The key of a law's parameter: its name with underscores.
pub fn parameter_key(parameter: &ParameterInfo) -> String {
    parameter.name.replace([' ', '-'], "_")
}

/// The keys of a law's parameters.
pub fn law_fields(law: &LawInfo) -> Vec<Field> {
    law.parameters.iter().map(law_field).collect()
}

/// The values that a law accepts of a parameter.
pub fn law_bounds(parameter: &ParameterInfo) -> Bounds {
    match parameter.allowed {
        Allowed::GreaterThan(least) => above(least),
        Allowed::Within { least, most } => between(least, most),
        Allowed::AboveUpTo { above, most } => above_to(above, most),
        Allowed::Between { least, below } => Bounds { least, above: false, most: below, below: true },
        Allowed::OddUpTo(most) => between(1.0, most),
        _ => at_least(1.0),
    }
}

fn law_field(parameter: &ParameterInfo) -> Field {
    let bounds = law_bounds(parameter);
    let field = Field::quantity(parameter_key(parameter), Measure::of_unit(parameter.unit), bounds)
        .doc(format!("{} of the law: {}.", parameter.symbol, parameter.name));
    match parameter.default {
        Some(value) => field.default(value.to_string()),
        None => field.required(),
    }
}

/// A contact by its law.
pub fn contacts() -> &'static [(&'static str, TableInfo)] {
    static INFOS: LazyLock<Vec<(&'static str, TableInfo)>> = LazyLock::new(|| {
        let with_law = |law: &'static LawInfo| {
            let mut fields = contact_fields();
            fields.extend(law_fields(law));
            let title = format!("a contact by the law `{}`", law.name);
            let info = TableInfo::new(title, format!("{}: {}.", law.name, law.summary), fields);
            (law.name, info.exclusive(&["profile", "neighbours"]).exclusive(&["roughness", "profile", "neighbours"]))
        };
        Law::ALL.iter().map(with_law).collect()
    });
    &INFOS
}

/// A contact whose law is not known.
pub fn contact() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> =
        LazyLock::new(|| TableInfo::new("a contact", "Two points and what acts between them.", contact_fields()));
    &INFO
}

/// The keys of every contact, whatever its law.
pub fn contact_fields() -> Vec<Field> {
    vec![
        Field::new("from", Kind::Point).required().doc("The point below, which comes from below."),
        Field::new("to", Kind::Point)
            .required()
            .doc("The point above. The compression is the displacement of `from` minus that of `to` minus `gap`."),
        Field::new("law", Kind::Law).required().doc("What acts between them; its parameters stand beside it."),
        Field::quantity("gap", LENGTH, between(-FARTHEST, FARTHEST))
            .default("0")
            .doc("Distance at which they touch when both are at rest."),
        Field::quantity("damping", RESISTANCE, between(0.0, MOST_RESISTANCE))
            .default("0")
            .doc("Resistance beside the law."),
        Field::choice("rule", Rule::NAMES)
            .default(Rule::default().info().name)
            .doc("How the engine keeps the contact's energy; see docs/physics.md."),
        Field::quantity("slips_at", FORCE, above(0.0)).doc("Force at which `from` slips off, as a plectrum does."),
        Field::new("active", Kind::Truth).default("true").doc("Whether it acts at the start."),
        Field::new("profile", Kind::Table(profile))
            .doc("What lies under the whole string `to`, `from` being a barrier. The stiffness is then per metre."),
        Field::new("neighbours", Kind::Truth)
            .default("false")
            .doc("Two strings of the same grid touch point against point. The stiffness is then per metre."),
        Field::new("roughness", Kind::Table(roughness)).doc("Two rough surfaces that slide or roll over each other."),
        Field::name(),
    ]
}

/// `profile = { … }`
pub fn profile() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        let pair = Kind::Columns(vec![
            Kind::Quantity(FRACTION, between(0.0, 1.0)),
            Kind::Quantity(LENGTH, between(-FARTHEST, FARTHEST)),
        ]);
        let fraction = |key: &'static str| Field::quantity(key, FRACTION, between(0.0, 1.0));
        TableInfo::new(
            "a profile",
            "Heights along a string; 0 is the string at rest, so what lies under it has heights below 0.",
            vec![
                Field::choice("kind", &["flat", "points", "parabola", "frets"]).required().doc(
                    "`flat`: one height everywhere. `points`: straight lines between points. `parabola`: a curved bridge. `frets`: single edges.",
                ),
                Field::quantity("height", LENGTH, between(-FARTHEST, FARTHEST)).default("0").doc("Of `flat`: its height."),
                Field::new("points", Kind::List(Box::new(pair))).doc("Of `points` and `frets`: pairs of a fraction of the length and a height."),
                fraction("start").doc("Of `parabola`: where it begins."),
                fraction("end").doc("Of `parabola`: where it ends."),
                Field::quantity("apex", FRACTION, between(-10.0, 10.0))
                    .doc("Of `parabola`: where it is highest; may lie outside."),
                Field::quantity("apex_height", LENGTH, between(-FARTHEST, FARTHEST)).default("0").doc("Of `parabola`: its height there."),
                Field::quantity("drop", LENGTH, between(0.0, FARTHEST))
                    .doc("Of `parabola`: how far it falls to its farther end. Less: more buzz."),
            ],
        )
    });
    &INFO
}

/// `roughness = { … }`
pub fn roughness() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a roughness",
            "Heights between the two that pass by at a velocity: random ones, drawn from the seed, or a list.",
            vec![
                Field::quantity("height", LENGTH, above_to(0.0, 1.0)).doc("Root mean square of random heights."),
                Field::quantity("length", LENGTH, above_to(0.0, 1e3))
                    .doc("Correlation length of random heights: how wide the bumps are."),
                Field::quantity("path", LENGTH, above_to(0.0, 1e6))
                    .default("0.4 m")
                    .doc("Length after which random heights repeat."),
                Field::new("heights", Kind::List(Box::new(Kind::Quantity(LENGTH, between(-1e3, 1e3)))))
                    .doc("The heights themselves, at least two; after the last comes the first again."),
                Field::quantity("spacing", LENGTH, above(0.0)).doc("Of `heights`: the distance from one to the next."),
                Field::quantity("velocity", VELOCITY, between(-1e4, 1e4)).default("0").doc("How fast it passes by."),
            ],
        )
        .exactly_one(&["height", "heights"])
        .exclusive(&["length", "heights"])
        .exclusive(&["path", "heights"])
        .exclusive(&["height", "spacing"])
    });
    &INFO
}

/// `samples = [ … ]`
pub(crate) fn samples_field() -> Field {
    Field::new("samples", Kind::List(Box::new(Kind::Quantity(NUMBER, ANY))))
}

/// `[forces.NAME]`
pub fn force() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a force",
            "A constant force on a point, or the weight of an object.",
            vec![
                Field::new("at", Kind::Point)
                    .required()
                    .doc("Where it acts; the weight of an object on all of it, by its name alone."),
                Field::quantity("level", FORCE, between(-STRONGEST, STRONGEST)).doc("The force; positive is upwards."),
                Field::new("gravity", Kind::Truth)
                    .default("false")
                    .doc("The weight of the object: 9.81 m/s² times its mass, downwards, on every part of it alike."),
                samples_field().doc("What a signal `of` this force plays, sample by sample; `level` is its factor."),
                Field::name(),
            ],
        )
        .exactly_one(&["level", "gravity"])
        .exclusive(&["samples", "gravity"])
    });
    &INFO
}

/// The kind of pickup that is meant where none is named.
pub(crate) fn usual(kinds: &'static [PickupInfo]) -> &'static str {
    kinds.first().map_or("", |kind| kind.name)
}

/// `[pickups.NAME]`
pub fn pickup() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a pickup",
            "Something that listens.",
            vec![
                Field::choice("listen", Source::NAMES)
                    .default(format!(
                        "{} at a point, {} at a contact",
                        usual(Source::AT_POINTS),
                        usual(Source::AT_INTERACTIONS)
                    ))
                    .doc(format!(
                        "What it hears: {}.",
                        Source::AT_POINTS
                            .iter()
                            .chain(Source::AT_INTERACTIONS)
                            .map(|kind| format!("`{}` ({})", kind.name, kind.unit))
                            .collect::<Vec<_>>()
                            .join(", ")
                    )),
                Field::new("at", Kind::Point).doc("Where it listens."),
                Field::new("contact", Kind::Name("contacts"))
                    .doc("The contact or exciter it listens to, instead of a point."),
                Field::quantity("gain", GAIN, between(-1e12, 1e12)).default("1").doc("Factor, or decibels."),
                Field::quantity("pan", FRACTION, between(-1.0, 1.0))
                    .default("0")
                    .doc("From left (-1) to right (1), at equal power. For the first two channels."),
                Field::new("channel", Kind::Whole(1, 64)).doc("The one channel it is heard in, from 1."),
                Field::new("gains", Kind::List(Box::new(Kind::Quantity(GAIN, between(-1e12, 1e12)))))
                    .doc("The gain of every channel, instead of `gain`, `pan` and `channel`."),
            ],
        )
        .exactly_one(&["at", "contact"])
        .exclusive(&["pan", "channel", "gains"])
        .exclusive(&["gain", "gains"])
    });
    &INFO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_a_scene_can_use_is_made_from_its_parameters() {
        for law in Law::ALL {
            let inside = |allowed: Allowed| if allowed.contains(1.0) { 1.0 } else { 0.5 };
            let values: Vec<f64> = law.parameters.iter().map(|parameter| inside(parameter.allowed)).collect();
            assert!(Law::of(law.name, &values).unwrap().is_ok(), "{}", law.name);
        }
    }
}
