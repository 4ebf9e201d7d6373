//! `kind = "plate"`

use std::f64::consts::PI;

use ictus::model::ObjectSpec;
use ictus::objects::{Amplitude, End, Grain, Material, Method, Outline, Place, PlateEdges, PlateSpec};

use super::{
    Crowd, END_NAMES, Fields, LUMPED, ObjectKind, Words, amplitude, amplitude_field, end, grid, grid_field, loss,
    loss_fields, method, method_fields, one_loss, outline, outline_fields, poisson, refuse_loss, start_field,
};
use crate::instrument::Nature;
use crate::read::crowd::{length, round, tuned, wide};
use crate::registry::field::above;
use crate::registry::{Field, Kind, TableInfo};
use crate::tree::Node;
use crate::units::{DENSITY, FREQUENCY, LENGTH, NUMBER, PRESSURE};
use crate::write::{self, Rows, WriteError};

pub(super) const KIND: ObjectKind = ObjectKind {
    name: "plate",
    sides: 2,
    table: info,
    read,
    write,
    is_in_modes: |spec| matches!(spec, ObjectSpec::Plate(spec) if spec.method == Method::Modes),
    nature,
    words: Words {
        described,
        fewer_modes: "a smaller or thicker plate",
        frequency_of,
        coarser: "use a thicker or smaller plate, set `grid`",
        finer: "use a thinner or larger plate",
        grid: "grid",
        hold: "hold its `edges`, ",
        ..LUMPED
    },
};

fn info() -> TableInfo {
    let mut fields = outline_fields("[\"0.4 m\", \"0.3 m\"]").to_vec();
    fields.extend([
        Field::quantity("thickness", LENGTH, above(0.0)).default("1 mm").doc("The pitch is proportional to it."),
        Field::new("material", Kind::Material)
            .default("\"steel\"")
            .doc("Sets density, Young's modulus and Poisson's ratio, and the loss if no other is given."),
        Field::quantity("density", DENSITY, above(0.0)).doc("Instead of the material's."),
        Field::quantity("pitch", FREQUENCY, above(0.0))
            .doc("Its lowest frequency; Young's modulus follows, and of wood all moduli in proportion."),
        Field::quantity("youngs_modulus", PRESSURE, above(0.0)).doc("Instead of the material's; the pitch follows."),
        Field::quantity("poissons_ratio", NUMBER, poisson()).doc("Instead of the material's."),
        Field::quantity("youngs_modulus_across", PRESSURE, above(0.0))
            .doc("Of wood, instead of the material's: across the grain, which runs along the first side. A tenth of that along it."),
        Field::quantity("shear_modulus", PRESSURE, above(0.0)).doc("Of wood, instead of the material's: in the plane of the plate."),
    ]);
    fields.extend(loss_fields("0.5 1/s", "0.002 m²/s"));
    let edge = || Kind::Choice(END_NAMES);
    fields.push(
        Field::new("edges", Kind::Either(vec![edge(), Kind::two(Kind::Either(vec![edge(), Kind::two(edge())]))]))
            .default("\"supported\"")
            .doc("How its edges are held: `supported`, `clamped` or `free`; all alike, or a list of those at the ends of the first side and those at the ends of the second, each one word or two."),
    );
    fields.push(amplitude_field(
        &["small", "large", "von-karman"],
        "`large`: it is stretched as a whole when it swings, so a hard stroke begins sharp and glides down; a rectangle on supports. `von-karman`: its modes drive each other as well, and a hard stroke crashes; a rectangle on supports or a free circle. In modes, and not of wood.",
    ));
    fields.push(
        Field::new("airy_modes", Kind::Whole(1, 512))
            .default("24, or as many as it has modes")
            .doc("With `amplitude = \"von-karman\"`: modes of the stress in its plane. More is truer and dearer."),
    );
    fields.extend(method_fields());
    fields.extend([grid_field(), start_field()]);
    one_loss(
        TableInfo::new(
            "a plate",
            "A thin elastic plate on a rectangle or a circle: a gong, a soundboard, a cymbal.",
            fields,
        )
        .exclusive(&["pitch", "youngs_modulus"]),
    )
}

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let mut spec = PlateSpec::default();
    let material = fields.material("material");
    let loss = loss(fields, material, &spec.loss);
    if let Some(material) = material {
        spec = spec.of(material);
    }
    spec.outline = outline(fields, spec.outline)?;
    spec.thickness = fields.number_or("thickness", spec.thickness);
    spec.density = fields.number_or("density", spec.density);
    spec.youngs_modulus = fields.number_or("youngs_modulus", spec.youngs_modulus);
    spec.poissons_ratio = fields.number_or("poissons_ratio", spec.poissons_ratio);
    spec.grain = grain(fields, spec.grain);
    spec.pitch = fields.pitch("pitch");
    spec.edges = edges(fields)?;
    (spec.method, spec.highest) =
        method(fields, &["pitch", "diameter", "youngs_modulus_across", "shear_modulus"], "grid");
    let airy_modes = fields.whole("airy_modes");
    spec.amplitude = amplitude(fields, spec.method, airy_modes);
    if airy_modes.is_some() && !matches!(spec.amplitude, Amplitude::VonKarman { .. }) && !fields.is_faulty() {
        let help = "add it, or leave `airy_modes` out";
        fields.report("airy_modes", "`airy_modes` needs `amplitude = \"von-karman\"`", help);
    }
    if spec.method == Method::Grid {
        if matches!(spec.edges, PlateEdges::Free | PlateEdges::Each(_)) {
            let message = "on a grid all edges of a plate are `supported`, or all `clamped`";
            fields.report("edges", message, "leave `method` out: modes know every edge");
            return None;
        }
        if fields.note().is_some() {
            fields.report("method", "a plate follows the notes of a set in modes, not on a grid", "leave `method` out");
            return None;
        }
        // A grid knows no grain, not even that of its material.
        spec.grain = None;
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

/// The grain of wood: that of the material, or what is given instead.
fn grain(fields: &Fields<'_>, material: Option<Grain>) -> Option<Grain> {
    let (across, shear) = (fields.number("youngs_modulus_across"), fields.number("shear_modulus"));
    if across.is_none() && shear.is_none() {
        return material;
    }
    let missing = |key: &str, other: &str| {
        let help = format!("add `{key}`, or leave `{other}` out");
        fields.report(other, format!("wood has both, `{other}` and `{key}`"), help);
    };
    match (
        across.or(material.map(|grain| grain.youngs_modulus_across)),
        shear.or(material.map(|grain| grain.shear_modulus)),
    ) {
        (Some(youngs_modulus_across), Some(shear_modulus)) => Some(Grain { youngs_modulus_across, shear_modulus }),
        (Some(_), None) => {
            missing("shear_modulus", "youngs_modulus_across");
            None
        }
        _ => {
            missing("youngs_modulus_across", "shear_modulus");
            None
        }
    }
}

/// How the edges are held.
fn edges(fields: &Fields<'_>) -> Option<PlateEdges> {
    let Some(node) = fields.node("edges") else { return Some(PlateEdges::SimplySupported) };
    if let Some(all) = node.text() {
        return Some(match end(all) {
            End::Clamped => PlateEdges::Clamped,
            End::Free => PlateEdges::Free,
            End::SimplySupported => PlateEdges::SimplySupported,
        });
    }
    let pair = |node: &Node| -> Option<[End; 2]> {
        if let Some(both) = node.text() {
            return Some([end(both); 2]);
        }
        let list = node.list()?;
        Some([end(list.first()?.text()?), end(list.get(1)?.text()?)])
    };
    let list = node.list()?;
    let each = [pair(list.first()?)?, pair(list.get(1)?)?];
    if fields.text("shape") == Some("circle") {
        fields.report("edges", "a circle has one edge", "write `edges = \"free\"`");
        return None;
    }
    Some(PlateEdges::Each(each))
}

fn write(rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::Plate(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    write::fewest(&rows, |rows, material| write_of(rows, spec, material))
}

fn write_of(rows: &mut Rows<'_>, spec: &PlateSpec, material: Option<&Material>) -> Result<(), WriteError> {
    let usual = PlateSpec::default();
    let made = material.map_or_else(|| usual.clone(), |material| usual.clone().of(material));
    let on_grid = spec.method == Method::Grid;
    write::outline(rows, spec.outline, usual.outline, spec.method)?;
    rows.number_unless("thickness", spec.thickness, usual.thickness)?;
    rows.number_unless("density", spec.density, made.density)?;
    let before = rows.count();
    rows.number_unless("youngs_modulus", spec.youngs_modulus, made.youngs_modulus)?;
    if let Some(frequency) = spec.pitch {
        if rows.count() > before {
            return Err(rows.unsayable("both a pitch and a Young's modulus"));
        }
        rows.pitch("pitch", frequency)?;
    }
    rows.number_unless("poissons_ratio", spec.poissons_ratio, made.poissons_ratio)?;
    match (spec.grain, made.grain) {
        (None, None) => {}
        // A grid knows no grain, not even that of its material.
        (None, Some(_)) if on_grid => {}
        (None, Some(_)) => return Err(rows.unsayable("wood without a grain")),
        (Some(grain), made) => {
            let made_across = made.map(|grain| grain.youngs_modulus_across);
            if made_across != Some(grain.youngs_modulus_across) {
                rows.number("youngs_modulus_across", grain.youngs_modulus_across)?;
            }
            if made.map(|grain| grain.shear_modulus) != Some(grain.shear_modulus) {
                rows.number("shear_modulus", grain.shear_modulus)?;
            }
        }
    }
    if on_grid && (spec.pitch.is_some() || spec.grain.is_some()) {
        return Err(rows.unsayable("a pitch or a grain of a plate on a grid"));
    }
    write::loss(rows, &spec.loss, &usual.loss, &made.loss)?;
    write_edges(rows, spec)?;
    write::amplitude(rows, spec.amplitude)?;
    write::method(rows, spec.method, spec.highest)?;
    write::grid(rows, spec.method, spec.grid)
}

fn write_edges(rows: &mut Rows<'_>, spec: &PlateSpec) -> Result<(), WriteError> {
    match spec.edges {
        PlateEdges::SimplySupported => {}
        PlateEdges::Clamped => rows.text("edges", "clamped"),
        PlateEdges::Free if spec.method == Method::Modes => rows.text("edges", "free"),
        PlateEdges::Each(each) if spec.method == Method::Modes && matches!(spec.outline, Outline::Rectangle(_)) => {
            rows.raw("edges", format!("[{}]", each.map(write::pair).join(", ")));
        }
        _ => return Err(rows.unsayable("edges of this kind")),
    }
    Ok(())
}

fn nature(spec: &ObjectSpec) -> Option<Nature> {
    let ObjectSpec::Plate(plate) = spec else { return None };
    let [x, y] = plate.outline.extent();
    let mass = plate.density * plate.thickness * plate.outline.area();
    Some(Nature::new(spec, mass, plate_pitch(plate), x.min(y) / 150.0, Place::On(0.4, 0.4)))
}

fn plate_pitch(plate: &PlateSpec) -> f64 {
    let [x, y] = plate.outline.extent();
    // Half waves along the sides: exact on supports, and of the right size with other edges.
    0.5 * PI * plate.stiffness_squared().sqrt() * (1.0 / (x * x) + 1.0 / (y * y))
}

fn described(spec: &ObjectSpec) -> String {
    let ObjectSpec::Plate(plate) = spec else { return String::new() };
    let held = match plate.edges {
        PlateEdges::Free => "free ",
        PlateEdges::Clamped => "clamped ",
        PlateEdges::SimplySupported => "supported ",
        _ => "",
    };
    let (round, wide, thick) = (round(&plate.outline), wide(&plate.outline), length(plate.thickness));
    format!("a {held}{round}plate {wide} and {thick} thick{}", tuned(plate.pitch))
}

/// How many modes lie below a frequency goes as the frequency.
fn frequency_of(_: &ObjectSpec, crowd: Crowd) -> f64 {
    crowd.highest * (crowd.few / crowd.many)
}
