//! `kind = "string"`

use std::f64::consts::PI;

use ictus::model::ObjectSpec;
use ictus::objects::{Material, Method, Place, StringMass, StringPitch, StringSpec};

use super::{
    Crowd, Fields, LUMPED, ObjectKind, Words, amplitude, amplitude_field, ends, ends_field, loss, loss_fields, method,
    method_fields, one_loss, radius, radius_fields, refuse_loss, segments_field, start_field,
};
use crate::instrument::Nature;
use crate::read::crowd::{length, tuned};
use crate::read::notes::fundamental;
use crate::registry::field::{above, above_to, at_least, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::units::{DENSITY, FORCE, FREQUENCY, LENGTH, LINEAR_DENSITY, NUMBER, PRESSURE, SEMITONES};
use crate::write::{self, Rows, WriteError};

pub(super) const KIND: ObjectKind = ObjectKind {
    name: "string",
    sides: 1,
    table: info,
    read,
    write,
    is_in_modes: |spec| matches!(spec, ObjectSpec::String(spec) if spec.method == Method::Modes),
    nature,
    words: Words {
        described,
        fewer_modes: "a shorter or tighter string",
        frequency_of,
        coarser: "use a shorter, thicker or tighter string, set `segments`",
        finer: "use a longer or slacker string",
        grid: "segments",
        hold: "hold its `ends`, ",
        ..LUMPED
    },
};

fn info() -> TableInfo {
    let mut fields = vec![
        Field::quantity("length", LENGTH, between(1e-4, 1e4)).default("0.65 m").doc("Length between its ends."),
        Field::quantity("pitch", FREQUENCY, above(0.0))
            .default("196 Hz")
            .doc("Its lowest frequency; the tension follows."),
        Field::quantity("tension", FORCE, above_to(0.0, 1e9)).doc("Tension; the pitch follows."),
    ];
    fields.extend(radius_fields("0.2 mm"));
    fields.extend([
        Field::new("material", Kind::Material)
            .default("\"steel\"")
            .doc("Sets density and Young's modulus, and the loss if no other is given."),
        Field::quantity("density", DENSITY, above(0.0)).doc("Instead of the material's."),
        Field::quantity("linear_density", LINEAR_DENSITY, between(1e-9, 1e6))
            .doc("Instead of the density: for wound strings, whose core alone is stiff."),
        Field::quantity("youngs_modulus", PRESSURE, at_least(0.0))
            .doc("Instead of the material's. Stretches the partials; 0 makes them harmonic."),
    ]);
    fields.extend(loss_fields("0.5 1/s", "2e-4 m²/s"));
    fields.push(ends_field("\"supported\""));
    fields.push(
        Field::new("unison", Kind::List(Box::new(Kind::Quantity(NUMBER, between(-100.0, 100.0))))).doc(
            "One to eight strings side by side, as many as there are numbers: how far each is out of tune, in cents. They end at one pin, at place 1, which a contact has to hold: a bridge. Hammer, damper and pickups meet their mean. In modes, between supported ends, not touched all along.",
        ),
    );
    fields.push(amplitude_field(
        &["small", "large"],
        "`large`: it is stretched when it swings, so a hard stroke begins sharp and glides down; in modes and between supported ends.",
    ));
    fields.extend(method_fields());
    fields.extend([
        segments_field(),
        Field::quantity("bend", SEMITONES, between(0.0, 48.0))
            .default("0")
            .doc("How far it can be bent upwards while it sounds. The farther, the fewer of its partials are kept."),
        Field::quantity("bend_ratio", NUMBER, between(1.0, 16.0))
            .doc("The same as a ratio of frequencies, instead of `bend`."),
        start_field(),
    ]);
    one_loss(
        TableInfo::new("a string", "Tension, a little stiffness, and losses.", fields)
            .exclusive(&["pitch", "tension"])
            .exclusive(&["radius", "diameter"])
            .exclusive(&["bend", "bend_ratio"])
            .exclusive(&["density", "linear_density"]),
    )
}

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let mut spec = StringSpec::default();
    let material = fields.material("material");
    let loss = loss(fields, material, &spec.loss);
    if let Some(material) = material {
        spec = spec.of(material);
    }
    if let Some(density) = fields.number("density") {
        spec.mass = StringMass::Density(density);
    }
    if let Some(linear_density) = fields.number("linear_density") {
        spec.mass = StringMass::PerLength(linear_density);
    }
    spec.length = fields.number_or("length", spec.length);
    spec.radius = radius(fields).unwrap_or(spec.radius);
    spec.youngs_modulus = fields.number_or("youngs_modulus", spec.youngs_modulus);
    if let Some(tension) = fields.number("tension") {
        spec.pitch = StringPitch::Tension(tension);
    }
    if let Some(pitch) = fields.pitch("pitch") {
        spec.pitch = StringPitch::Fundamental(pitch);
    }
    spec.ends = ends(fields, spec.ends);
    spec.unison = unison(fields)?;
    (spec.method, spec.highest) = method(fields, &["unison"], "segments");
    spec.amplitude = amplitude(fields, spec.method, None);
    spec.segments = fields.whole("segments");
    spec.bend = fields.number("bend_ratio").unwrap_or_else(|| libm::exp2(fields.number_or("bend", 0.0) / 12.0));
    match spec.with_loss(loss) {
        Ok(spec) => Some(spec.into()),
        Err(error) => {
            refuse_loss(fields, "string", &error);
            None
        }
    }
}

/// How far the strings of a choir are out of tune.
fn unison(fields: &Fields<'_>) -> Option<Vec<f64>> {
    let Some(node) = fields.node("unison") else { return Some(vec![]) };
    let cents: Vec<f64> =
        node.list()?.iter().map(|node| fields.quantity_of(node, "unison", &NUMBER)).collect::<Option<_>>()?;
    if (1..=8).contains(&cents.len()) {
        return Some(cents);
    }
    let message = format!("`unison` is a list of {}, must have 1 to 8: one for every string", cents.len());
    fields.report("unison", message, "write `unison = [-0.8, 0.2, 0.9]`");
    None
}

fn write(rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::String(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    write::fewest(&rows, |rows, material| write_of(rows, spec, material))
}

fn write_of(rows: &mut Rows<'_>, spec: &StringSpec, material: Option<&Material>) -> Result<(), WriteError> {
    let usual = StringSpec::default();
    let made = material.map_or_else(|| usual.clone(), |material| usual.clone().of(material));
    match spec.pitch {
        pitch if pitch == usual.pitch => {}
        StringPitch::Fundamental(frequency) => rows.pitch("pitch", frequency)?,
        StringPitch::Tension(tension) => rows.number("tension", tension)?,
        _ => return Err(rows.unsayable("what sets its pitch")),
    }
    rows.number_unless("length", spec.length, usual.length)?;
    rows.number_unless("radius", spec.radius, usual.radius)?;
    match spec.mass {
        mass if mass == made.mass => {}
        StringMass::Density(density) => rows.number("density", density)?,
        StringMass::PerLength(density) => rows.number("linear_density", density)?,
        _ => return Err(rows.unsayable("what it weighs")),
    }
    rows.number_unless("youngs_modulus", spec.youngs_modulus, made.youngs_modulus)?;
    write::loss(rows, &spec.loss, &usual.loss, &made.loss)?;
    write::ends(rows, spec.ends, usual.ends);
    if !spec.unison.is_empty() {
        rows.list("unison", &spec.unison)?;
    }
    write::amplitude(rows, spec.amplitude)?;
    write::method(rows, spec.method, spec.highest)?;
    write::segments(rows, spec.method, spec.segments)?;
    write_bend(rows, spec.bend)
}

/// How far a string can be bent: in semitones if they give the same ratio.
fn write_bend(rows: &mut Rows<'_>, ratio: f64) -> Result<(), WriteError> {
    if ratio == 1.0 {
        return Ok(());
    }
    let gives =
        |semitones: f64| (0.0..=48.0).contains(&semitones) && libm::exp2(semitones / 12.0).to_bits() == ratio.to_bits();
    match write::roundest(12.0 * libm::log2(ratio), gives) {
        Some(semitones) => rows.number("bend", semitones),
        None => rows.number("bend_ratio", ratio),
    }
}

fn nature(spec: &ObjectSpec) -> Option<Nature> {
    let ObjectSpec::String(string) = spec else { return None };
    let (mass, pitch) = (string_mass(string), string_pitch(string));
    let mass = mass * string.unison.len().max(1) as f64;
    Some(Nature::new(spec, mass, pitch, string.length / 150.0, Place::Along(0.12)))
}

fn string_mass(string: &StringSpec) -> f64 {
    string.length
        * match string.mass {
            StringMass::Density(density) => density * PI * string.radius * string.radius,
            StringMass::PerLength(linear_density) => linear_density,
            _ => 1e-3,
        }
}

fn string_pitch(string: &StringSpec) -> f64 {
    match string.pitch {
        StringPitch::Fundamental(frequency) => frequency,
        StringPitch::Tension(tension) => (tension * string.length / string_mass(string)).sqrt() / (2.0 * string.length),
        _ => 0.0,
    }
}

fn described(spec: &ObjectSpec) -> String {
    let ObjectSpec::String(string) = spec else { return String::new() };
    let pitch = if let StringPitch::Fundamental(pitch) = string.pitch { Some(pitch) } else { None };
    format!("a string {} long{}", length(string.length), tuned(pitch))
}

/// Of a stiff string the n-th mode lies at n f0 √(1 + Bn²).
fn frequency_of(spec: &ObjectSpec, crowd: Crowd) -> f64 {
    let ObjectSpec::String(string) = spec else { return crowd.highest };
    let Crowd { few, many, highest } = crowd;
    let first = fundamental(string);
    let stretch = highest / (many * first);
    let inharmonicity = ((stretch * stretch - 1.0) / (many * many)).max(0.0);
    few * first * (1.0 + inharmonicity * few * few).sqrt()
}
