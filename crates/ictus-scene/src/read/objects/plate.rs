//! `kind = "plate"`

use ictus::model::ObjectSpec;
use ictus::objects::{PlateEdges, PlateSpec};

use super::{Fields, grid, grid_field, loss, loss_fields, refuse_loss, start_field};
use crate::registry::field::{Bounds, above};
use crate::registry::{Field, Kind, TableInfo};
use crate::units::{DENSITY, LENGTH, NUMBER, PRESSURE};

pub(crate) fn info() -> TableInfo {
    let poisson = Bounds { least: -1.0, above: true, most: 0.5, below: true };
    let mut fields = vec![
        Field::new("sides", Kind::pair(LENGTH, above(0.0)))
            .default("[\"0.4 m\", \"0.3 m\"]")
            .doc("The two sides of the rectangle."),
        Field::quantity("thickness", LENGTH, above(0.0)).default("1 mm").doc("The pitch is proportional to it."),
        Field::new("material", Kind::Material)
            .default("\"steel\"")
            .doc("Sets density, Young's modulus and Poisson's ratio, and the loss if no other is given."),
        Field::quantity("density", DENSITY, above(0.0)).doc("Instead of the material's."),
        Field::quantity("youngs_modulus", PRESSURE, above(0.0)).doc("Instead of the material's."),
        Field::quantity("poissons_ratio", NUMBER, poisson).doc("Instead of the material's."),
    ];
    fields.extend(loss_fields("0.5 1/s", "0.002 m²/s"));
    fields.extend([
        Field::choice("edges", &["supported", "clamped"]).default("\"supported\"").doc("How the four edges are held."),
        grid_field(),
        start_field(),
    ]);
    TableInfo::new("a plate", "A thin elastic plate on a rectangle: a gong, a soundboard.", fields)
        .exclusive(&["t60", "sigma0"])
        .exclusive(&["t60", "sigma1"])
}

pub(crate) fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let mut spec = PlateSpec::default();
    let material = fields.material("material");
    let loss = loss(fields, material, &spec.loss);
    if let Some(material) = material {
        spec = spec.of(material);
    }
    spec.sides = fields.pair("sides").unwrap_or(spec.sides);
    spec.thickness = fields.number_or("thickness", spec.thickness);
    spec.density = fields.number_or("density", spec.density);
    spec.youngs_modulus = fields.number_or("youngs_modulus", spec.youngs_modulus);
    spec.poissons_ratio = fields.number_or("poissons_ratio", spec.poissons_ratio);
    if fields.text("edges") == Some("clamped") {
        spec.edges = PlateEdges::Clamped;
    }
    spec.grid = grid(fields);
    match spec.with_loss(loss) {
        Ok(spec) => Some(spec.into()),
        Err(error) => {
            refuse_loss(fields, "plate", &error);
            None
        }
    }
}
