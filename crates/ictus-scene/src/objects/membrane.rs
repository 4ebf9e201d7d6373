//! `kind = "membrane"`

use ictus::model::ObjectSpec;
use ictus::objects::{Material, MembraneSpec, Method, Place, SurfaceDensity, Tension};

use super::{
    Crowd, Fields, LUMPED, ObjectKind, Words, amplitude, amplitude_field, grid, grid_field, loss, loss_fields, method,
    method_fields, one_loss, outline, outline_fields, poisson, refuse_loss, start_field,
};
use crate::instrument::Nature;
use crate::read::crowd::{round, tuned, wide};
use crate::registry::field::above;
use crate::registry::{Field, Kind, TableInfo};
use crate::units::{DENSITY, FREQUENCY, LENGTH, NUMBER, PRESSURE, SURFACE_DENSITY, TENSION_PER_METRE};
use crate::write::{self, Rows, WriteError};

pub(super) const KIND: ObjectKind = ObjectKind {
    name: "membrane",
    sides: 2,
    table: info,
    read,
    write,
    is_in_modes: |spec| matches!(spec, ObjectSpec::Membrane(spec) if spec.method == Method::Modes),
    nature,
    words: Words {
        described,
        fewer_modes: "a smaller or tighter membrane",
        frequency_of,
        coarser: "use a smaller or tighter membrane, set `grid`",
        finer: "use a larger or slacker membrane",
        grid: "grid",
        hold: "",
        ..LUMPED
    },
};

fn info() -> TableInfo {
    let mut fields = outline_fields("[\"0.3 m\", \"0.3 m\"]").to_vec();
    fields.extend([
        Field::quantity("pitch", FREQUENCY, above(0.0))
            .default("200 Hz")
            .doc("Its lowest frequency; the tension follows."),
        Field::quantity("tension", TENSION_PER_METRE, above(0.0)).doc("Tension per metre of edge; the pitch follows."),
        Field::new("material", Kind::Material)
            .default("\"mylar\"")
            .doc("Sets the density, and for large amplitudes Young's modulus and Poisson's ratio."),
        Field::quantity("thickness", LENGTH, above(0.0)).default("0.19 mm").doc("With the density, how heavy it is."),
        Field::quantity("density", DENSITY, above(0.0)).doc("Instead of the material's."),
        Field::quantity("surface_density", SURFACE_DENSITY, above(0.0))
            .doc("Mass per area, instead of thickness and density."),
    ]);
    fields.extend(loss_fields("3 1/s", "0.01 m²/s"));
    fields.push(amplitude_field(
        &["small", "large"],
        "`large`: it is stretched when it swings, so a hard stroke begins sharp and glides down; in modes.",
    ));
    fields.extend([
        Field::quantity("youngs_modulus", PRESSURE, above(0.0)).doc("Instead of the material's, for large amplitudes."),
        Field::quantity("poissons_ratio", NUMBER, poisson()).doc("Instead of the material's, for large amplitudes."),
    ]);
    fields.extend(method_fields());
    fields.extend([grid_field(), start_field()]);
    one_loss(
        TableInfo::new("a membrane", "A stretched skin on a rectangle or a circle, fixed all around.", fields)
            .exclusive(&["pitch", "tension"])
            .exclusive(&["surface_density", "thickness"])
            .exclusive(&["surface_density", "density"])
            .exclusive(&["surface_density", "material"]),
    )
}

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let mut spec = MembraneSpec::default();
    if let SurfaceDensity::Material { thickness, density } = spec.surface_density {
        let thickness = fields.number_or("thickness", thickness);
        if let Some(material) = fields.material("material") {
            spec = spec.of(material, thickness);
        }
        let made = if let SurfaceDensity::Material { density, .. } = spec.surface_density { density } else { density };
        let density = fields.number_or("density", made);
        spec.surface_density = SurfaceDensity::Material { thickness, density };
    }
    if let Some(value) = fields.number("surface_density") {
        spec.surface_density = SurfaceDensity::KilogramsPerSquareMetre(value);
    }
    spec.outline = outline(fields, spec.outline)?;
    if let Some(tension) = fields.number("tension") {
        spec.tension = Tension::NewtonsPerMetre(tension);
    }
    if let Some(pitch) = fields.pitch("pitch") {
        spec.tension = Tension::Fundamental(pitch);
    }
    (spec.method, spec.highest) = method(fields, &["diameter"], "grid");
    spec.amplitude = amplitude(fields, spec.method, None);
    spec.youngs_modulus = fields.number_or("youngs_modulus", spec.youngs_modulus);
    spec.poissons_ratio = fields.number_or("poissons_ratio", spec.poissons_ratio);
    spec.grid = grid(fields);
    // What it is made of says nothing of what the air takes.
    let loss = loss(fields, None, &spec.loss);
    match spec.with_loss(loss) {
        Ok(spec) => Some(spec.into()),
        Err(error) => {
            refuse_loss(fields, "membrane", &error);
            None
        }
    }
}

fn write(rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::Membrane(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    write::fewest(&rows, |rows, material| write_of(rows, spec, material))
}

fn write_of(rows: &mut Rows<'_>, spec: &MembraneSpec, material: Option<&Material>) -> Result<(), WriteError> {
    let usual = MembraneSpec::default();
    write::outline(rows, spec.outline, usual.outline, spec.method)?;
    match spec.tension {
        tension if tension == usual.tension => {}
        Tension::Fundamental(frequency) => rows.pitch("pitch", frequency)?,
        Tension::NewtonsPerMetre(tension) => rows.number("tension", tension)?,
        _ => return Err(rows.unsayable("what sets its pitch")),
    }
    match (spec.surface_density, usual.surface_density) {
        (
            SurfaceDensity::Material { thickness, density },
            SurfaceDensity::Material { thickness: usual_thickness, density: usual_density },
        ) => {
            rows.number_unless("thickness", thickness, usual_thickness)?;
            let made = material.map_or(usual_density, |material| material.density);
            rows.number_unless("density", density, made)?;
        }
        (SurfaceDensity::KilogramsPerSquareMetre(density), _) if material.is_none() => {
            rows.number("surface_density", density)?;
        }
        _ => return Err(rows.unsayable("what it weighs")),
    }
    let [modulus, ratio] = material.map_or([usual.youngs_modulus, usual.poissons_ratio], |material| {
        [material.youngs_modulus, material.poissons_ratio]
    });
    rows.number_unless("youngs_modulus", spec.youngs_modulus, modulus)?;
    rows.number_unless("poissons_ratio", spec.poissons_ratio, ratio)?;
    write::amplitude(rows, spec.amplitude)?;
    // What it is made of says nothing of its loss.
    write::loss(rows, &spec.loss, &usual.loss, &usual.loss)?;
    write::method(rows, spec.method, spec.highest)?;
    write::grid(rows, spec.method, spec.grid)
}

fn nature(spec: &ObjectSpec) -> Option<Nature> {
    let ObjectSpec::Membrane(membrane) = spec else { return None };
    let [x, y] = membrane.outline.extent();
    let mass = membrane.mass_per_area() * membrane.outline.area();
    Some(Nature::new(spec, mass, membrane.fundamental(), x.min(y) / 60.0, Place::On(0.4, 0.4)))
}

fn described(spec: &ObjectSpec) -> String {
    let ObjectSpec::Membrane(membrane) = spec else { return String::new() };
    let pitch = if let Tension::Fundamental(pitch) = membrane.tension { Some(pitch) } else { None };
    let (round, wide) = (round(&membrane.outline), wide(&membrane.outline));
    format!("a {round}membrane {wide}{}", tuned(pitch))
}

/// How many modes lie below a frequency goes as its square (Weyl's law).
fn frequency_of(_: &ObjectSpec, crowd: Crowd) -> f64 {
    crowd.highest * (crowd.few / crowd.many).sqrt()
}
