//! `kind = "bar"`

use std::f64::consts::{PI, TAU};

use ictus::model::ObjectSpec;
use ictus::objects::{BarPitch, BarSpec, End, Material, Method, Place, Section};

use super::{
    Crowd, Fields, LUMPED, ObjectKind, Words, ends, ends_field, loss, loss_fields, method, method_fields, one_loss,
    poisson, radius, refuse_loss, segments_field, start_field,
};
use crate::instrument::Nature;
use crate::problem::Found;
use crate::read::crowd::{length, tuned};
use crate::registry::field::{above, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::tree::Node;
use crate::units::{DENSITY, FREQUENCY, LENGTH, NUMBER, PRESSURE};
use crate::write::{self, Rows, WriteError};

pub(super) const KIND: ObjectKind = ObjectKind {
    name: "bar",
    sides: 1,
    table: info,
    read,
    write,
    is_in_modes: |spec| matches!(spec, ObjectSpec::Bar(spec) if spec.method == Method::Modes),
    nature,
    words: Words {
        described,
        fewer_modes: "a shorter or thicker bar",
        frequency_of,
        coarser: "use a shorter or thicker bar, set `segments`",
        finer: "use a longer or thinner bar",
        grid: "segments",
        hold: "hold its `ends`, ",
        ..LUMPED
    },
};

fn info() -> TableInfo {
    let mut fields = vec![
        Field::quantity("length", LENGTH, between(1e-4, 1e4))
            .default("0.3 m")
            .doc("Length. The pitch goes with its inverse square."),
        Field::quantity("width", LENGTH, above(0.0))
            .default("50 mm")
            .doc("Across the motion. Weight only: the pitch does not depend on it."),
        Field::quantity("thickness", LENGTH, above(0.0))
            .default("20 mm")
            .doc("Along the motion. The pitch is proportional to it."),
        Field::quantity("radius", LENGTH, above(0.0)).doc("Of a round bar, instead of width and thickness."),
        Field::quantity("diameter", LENGTH, above(0.0)).doc("Twice the radius."),
        Field::new("material", Kind::Material)
            .default("a rosewood")
            .doc("Sets density and Young's modulus, and so the pitch; and the loss if no other is given."),
        Field::quantity("density", DENSITY, above(0.0)).default("740 kg/m³").doc("Instead of the material's."),
        Field::quantity("pitch", FREQUENCY, above(0.0)).doc("Its lowest frequency; Young's modulus follows."),
        Field::quantity("youngs_modulus", PRESSURE, above(0.0))
            .default("12.5 GPa")
            .doc("Instead of the material's; the pitch follows."),
        Field::quantity("poissons_ratio", NUMBER, poisson())
            .default("0.36")
            .doc("Instead of the material's. It matters to thick bars, which shear."),
        Field::quantity("shear_modulus", PRESSURE, above(0.0))
            .doc("Instead of the material's, or of what Poisson's ratio gives: wood shears easily along its grain."),
        Field::new("partials", Kind::List(Box::new(Kind::Quantity(NUMBER, between(1.0, 1e6)))))
            .default("those of a uniform bar")
            .doc("Of a bar that is carved underneath: its lowest frequencies over the first, as [1, 4, 10] of a marimba."),
    ];
    fields.extend(loss_fields("4 1/s", "5e-3 m²/s"));
    fields.push(ends_field("\"free\""));
    fields.extend(method_fields());
    fields.extend([segments_field(), start_field()]);
    one_loss(
        TableInfo::new("a bar", "Stiffness alone: a marimba's bar, a tine, a rod.", fields)
            .exclusive(&["pitch", "youngs_modulus"])
            .exclusive(&["radius", "diameter", "width"])
            .exclusive(&["radius", "diameter", "thickness"]),
    )
}

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let mut spec = BarSpec::default();
    let material = fields.material("material");
    let loss = loss(fields, material, &spec.loss);
    if let Some(material) = material {
        spec = spec.of(material);
    }
    spec.length = fields.number_or("length", spec.length);
    spec.density = fields.number_or("density", spec.density);
    if let Section::Rectangular { width, thickness } = spec.section {
        let (width, thickness) = (fields.number_or("width", width), fields.number_or("thickness", thickness));
        spec.section = match radius(fields) {
            Some(radius) => Section::Round { radius },
            None => Section::Rectangular { width, thickness },
        };
    }
    if let Some(modulus) = fields.number("youngs_modulus") {
        spec.pitch = BarPitch::YoungsModulus(modulus);
    }
    if let Some(pitch) = fields.pitch("pitch") {
        spec.pitch = BarPitch::Fundamental(pitch);
    }
    spec.ends = ends(fields, spec.ends);
    spec.poissons_ratio = fields.number_or("poissons_ratio", spec.poissons_ratio);
    spec.shear_modulus = fields.number("shear_modulus").or(spec.shear_modulus);
    spec.partials = partials(fields)?;
    (spec.method, spec.highest) = method(fields, &["partials", "shear_modulus", "poissons_ratio"], "segments");
    spec.segments = fields.whole("segments");
    match spec.with_loss(loss) {
        Ok(spec) => Some(spec.into()),
        Err(error) => {
            refuse_loss(fields, "bar", &error);
            None
        }
    }
}

/// The partials of a carved bar: 1, then ascending.
fn partials(fields: &Fields<'_>) -> Option<Vec<f64>> {
    let Some(list) = fields.node("partials").and_then(Node::list) else { return Some(vec![]) };
    let partials: Vec<f64> =
        list.iter().map(|node| fields.quantity_of(node, "partials", &NUMBER)).collect::<Option<_>>()?;
    let complain = |node: &Node, message: String| {
        fields.context.report(Found::new(node.span, message).help("write `partials = [1, 4, 10]`"));
    };
    if partials.first().is_some_and(|first| *first != 1.0) {
        complain(&list[0], format!("the first partial must be 1, the pitch itself, not {}", partials[0]));
        return None;
    }
    if let Some(index) = partials.windows(2).position(|pair| pair[1] <= pair[0]) {
        let message = format!("partials must ascend, but {} comes after {}", partials[index + 1], partials[index]);
        complain(&list[index + 1], message);
        return None;
    }
    Some(partials)
}

fn write(rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::Bar(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    write::fewest(&rows, |rows, material| write_of(rows, spec, material))
}

fn write_of(rows: &mut Rows<'_>, spec: &BarSpec, material: Option<&Material>) -> Result<(), WriteError> {
    let usual = BarSpec::default();
    let made = material.map_or_else(|| usual.clone(), |material| usual.clone().of(material));
    rows.number_unless("length", spec.length, usual.length)?;
    match spec.section {
        section if section == usual.section => {}
        Section::Rectangular { width, thickness } => {
            rows.number_unless("width", width, 0.05)?;
            rows.number_unless("thickness", thickness, 0.02)?;
        }
        Section::Round { radius } => rows.number("radius", radius)?,
        _ => return Err(rows.unsayable("its cross-section")),
    }
    rows.number_unless("density", spec.density, made.density)?;
    match spec.pitch {
        pitch if pitch == made.pitch => {}
        BarPitch::Fundamental(frequency) => rows.pitch("pitch", frequency)?,
        BarPitch::YoungsModulus(modulus) => rows.number("youngs_modulus", modulus)?,
        _ => return Err(rows.unsayable("what sets its pitch")),
    }
    let before = rows.count();
    rows.number_unless("poissons_ratio", spec.poissons_ratio, made.poissons_ratio)?;
    match (spec.shear_modulus, made.shear_modulus) {
        (Some(modulus), usual) if usual != Some(modulus) => rows.number("shear_modulus", modulus)?,
        (None, Some(_)) => return Err(rows.unsayable("wood without a shear modulus")),
        _ => {}
    }
    if !spec.partials.is_empty() {
        rows.list("partials", &spec.partials)?;
    }
    if spec.method == Method::Grid && rows.count() > before {
        return Err(rows.unsayable("partials, Poisson's ratio or a shear modulus of a bar on a grid"));
    }
    write::loss(rows, &spec.loss, &usual.loss, &made.loss)?;
    write::ends(rows, spec.ends, usual.ends);
    write::method(rows, spec.method, spec.highest)?;
    write::segments(rows, spec.method, spec.segments)
}

fn nature(spec: &ObjectSpec) -> Option<Nature> {
    let ObjectSpec::Bar(bar) = spec else { return None };
    Some(Nature::new(spec, bar_mass(bar), bar_pitch(bar), bar.length / 300.0, Place::Along(0.4)))
}

fn bar_mass(bar: &BarSpec) -> f64 {
    let area = match bar.section {
        Section::Rectangular { width, thickness } => width * thickness,
        Section::Round { radius } => PI * radius * radius,
        _ => 1e-4,
    };
    area * bar.density * bar.length
}

fn bar_pitch(bar: &BarSpec) -> f64 {
    match bar.pitch {
        BarPitch::Fundamental(frequency) => frequency,
        BarPitch::YoungsModulus(modulus) => {
            // Radius of gyration, and (βL)² of the lowest mode that bends.
            let gyration = match bar.section {
                Section::Rectangular { thickness, .. } => thickness / 12.0_f64.sqrt(),
                Section::Round { radius } => radius / 2.0,
                _ => 0.0,
            };
            let root = match bar.ends {
                [End::SimplySupported, End::SimplySupported] => PI * PI,
                [End::Clamped, End::Free] | [End::Free, End::Clamped] => 3.516,
                [End::Clamped, End::SimplySupported] | [End::SimplySupported, End::Clamped] => 15.418,
                _ => 22.373,
            };
            root * gyration * (modulus / bar.density).sqrt() / (TAU * bar.length * bar.length)
        }
        _ => 0.0,
    }
}

fn described(spec: &ObjectSpec) -> String {
    let ObjectSpec::Bar(bar) = spec else { return String::new() };
    let thick = match bar.section {
        Section::Rectangular { thickness, .. } => thickness,
        Section::Round { radius } => 2.0 * radius,
        _ => f64::NAN,
    };
    let pitch = if let BarPitch::Fundamental(pitch) = bar.pitch { Some(pitch) } else { None };
    format!("a bar {} long and {} thick{}", length(bar.length), length(thick), tuned(pitch))
}

/// How many modes lie below a frequency goes as its root.
fn frequency_of(_: &ObjectSpec, crowd: Crowd) -> f64 {
    let part = crowd.few / crowd.many;
    crowd.highest * part * part
}
