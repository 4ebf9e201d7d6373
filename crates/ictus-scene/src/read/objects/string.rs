//! `kind = "string"`

use ictus::model::ObjectSpec;
use ictus::objects::{StringMass, StringPitch, StringSpec};

use super::{
    Fields, ends, ends_field, loss, loss_fields, method, method_fields, one_loss, radius, radius_fields, refuse_loss,
    segments_field, start_field,
};
use crate::registry::field::{above, above_to, at_least, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::units::{DENSITY, FORCE, FREQUENCY, LENGTH, LINEAR_DENSITY, NUMBER, PRESSURE, SEMITONES};

pub(crate) fn info() -> TableInfo {
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

pub(crate) fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
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
    (spec.method, spec.highest) = method(fields, &[], "segments");
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
