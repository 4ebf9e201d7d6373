//! `kind = "membrane"`

use ictus::model::ObjectSpec;
use ictus::objects::{MembraneSpec, SurfaceDensity, Tension};

use super::{
    Fields, grid, grid_field, loss, loss_fields, method, method_fields, one_loss, outline, outline_fields, refuse_loss,
    start_field,
};
use crate::registry::field::above;
use crate::registry::{Field, Kind, TableInfo};
use crate::units::{DENSITY, FREQUENCY, LENGTH, SURFACE_DENSITY, TENSION_PER_METRE};

pub(crate) fn info() -> TableInfo {
    let mut fields = outline_fields("[\"0.3 m\", \"0.3 m\"]").to_vec();
    fields.extend([
        Field::quantity("pitch", FREQUENCY, above(0.0))
            .default("200 Hz")
            .doc("Its lowest frequency; the tension follows."),
        Field::quantity("tension", TENSION_PER_METRE, above(0.0)).doc("Tension per metre of edge; the pitch follows."),
        Field::new("material", Kind::Material).default("\"mylar\"").doc("Sets the density."),
        Field::quantity("thickness", LENGTH, above(0.0)).default("0.19 mm").doc("With the density, how heavy it is."),
        Field::quantity("density", DENSITY, above(0.0)).doc("Instead of the material's."),
        Field::quantity("surface_density", SURFACE_DENSITY, above(0.0))
            .doc("Mass per area, instead of thickness and density."),
    ]);
    fields.extend(loss_fields("3 1/s", "0.01 m²/s"));
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

pub(crate) fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let mut spec = MembraneSpec::default();
    if let SurfaceDensity::Material { thickness, density } = spec.surface_density {
        let thickness = fields.number_or("thickness", thickness);
        let density = fields.material("material").map_or(density, |material| material.density);
        let density = fields.number_or("density", density);
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
