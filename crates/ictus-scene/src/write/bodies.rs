//! `[objects.NAME]`: strings, bars, membranes and plates; the others are in [`super::lumped`].

use ictus::model::{ObjectSpec, Start};
use ictus::objects::{
    BarPitch, BarSpec, End, Loss, Material, MembraneSpec, Method, Outline, Place, PlateEdges, PlateSpec, Section,
    StringMass, StringPitch, StringSpec, SurfaceDensity, Tension,
};

use super::WriteError;
use super::material::{fewest, loss};
use super::names::{Names, named};
use super::numbers::{key, quoted, roundest};
use super::rows::{Rows, one_or_list};
use super::{lumped, points};
use crate::read::start_info;
use crate::registry::objects;

/// The table of an object.
pub(super) fn object(names: &Names<'_>, place: usize) -> Result<String, WriteError> {
    let object = &names.scene.model.objects[place];
    let of = format!("the object `{}`", object.name);
    let kind = object.spec.kind();
    let info = objects().iter().find(|info| info.name == kind);
    let info = info.ok_or_else(|| WriteError::unsayable(&*of, format!("the kind `{kind}`")))?;
    let mut empty = Rows::new(&info.table, &*of);
    empty.text("kind", kind);
    let mut rows = match &object.spec {
        ObjectSpec::Mass(spec) => lumped::mass(empty, spec)?,
        ObjectSpec::Modal(spec) => lumped::modal(empty, spec)?,
        ObjectSpec::Barrier(spec) => lumped::barrier(empty, spec)?,
        ObjectSpec::String(spec) => fewest(&empty, |rows, material| string(rows, spec, material))?,
        ObjectSpec::Bar(spec) => fewest(&empty, |rows, material| bar(rows, spec, material))?,
        ObjectSpec::Membrane(spec) => fewest(&empty, |rows, material| membrane(rows, spec, material))?,
        ObjectSpec::Plate(spec) => fewest(&empty, |rows, material| plate(rows, spec, material))?,
        _ => return Err(empty.unsayable("an object of this kind")),
    };
    if let Some(begin) = &object.start {
        start(&mut rows, begin)?;
    }
    let table = names.object(&of, place)?;
    named(&mut rows, table, &object.name);
    Ok(rows.table(&format!("[objects.{}]", key(table))))
}

fn string(rows: &mut Rows<'_>, spec: &StringSpec, material: Option<&Material>) -> Result<(), WriteError> {
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
    loss(rows, &spec.loss, &usual.loss, &made.loss)?;
    ends(rows, spec.ends, usual.ends);
    method(rows, spec.method, spec.highest)?;
    segments(rows, spec.method, spec.segments)?;
    bend(rows, spec.bend)
}

fn bar(rows: &mut Rows<'_>, spec: &BarSpec, material: Option<&Material>) -> Result<(), WriteError> {
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
    loss(rows, &spec.loss, &usual.loss, &made.loss)?;
    ends(rows, spec.ends, usual.ends);
    method(rows, spec.method, spec.highest)?;
    segments(rows, spec.method, spec.segments)
}

fn membrane(rows: &mut Rows<'_>, spec: &MembraneSpec, material: Option<&Material>) -> Result<(), WriteError> {
    let usual = MembraneSpec::default();
    outline(rows, spec.outline, usual.outline, spec.method)?;
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
    // What it is made of says nothing of its loss.
    loss(rows, &spec.loss, &usual.loss, &usual.loss)?;
    method(rows, spec.method, spec.highest)?;
    grid(rows, spec.method, spec.grid)
}

fn plate(rows: &mut Rows<'_>, spec: &PlateSpec, material: Option<&Material>) -> Result<(), WriteError> {
    let usual = PlateSpec::default();
    let made = material.map_or_else(|| usual.clone(), |material| usual.clone().of(material));
    let on_grid = spec.method == Method::Grid;
    outline(rows, spec.outline, usual.outline, spec.method)?;
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
    loss(rows, &spec.loss, &usual.loss, &made.loss)?;
    edges(rows, spec)?;
    method(rows, spec.method, spec.highest)?;
    grid(rows, spec.method, spec.grid)
}

fn end(end: End) -> &'static str {
    match end {
        End::SimplySupported => "supported",
        End::Clamped => "clamped",
        End::Free => "free",
    }
}

fn ends(rows: &mut Rows<'_>, both: [End; 2], usual: [End; 2]) {
    if both != usual {
        rows.raw("ends", pair(both));
    }
}

fn pair(both: [End; 2]) -> String {
    let [first, second] = both.map(|one| quoted(end(one)));
    if first == second { first } else { format!("[{first}, {second}]") }
}

fn edges(rows: &mut Rows<'_>, spec: &PlateSpec) -> Result<(), WriteError> {
    match spec.edges {
        PlateEdges::SimplySupported => {}
        PlateEdges::Clamped => rows.text("edges", "clamped"),
        PlateEdges::Free if spec.method == Method::Modes => rows.text("edges", "free"),
        PlateEdges::Each(each) if spec.method == Method::Modes && matches!(spec.outline, Outline::Rectangle(_)) => {
            rows.raw("edges", format!("[{}]", each.map(pair).join(", ")));
        }
        _ => return Err(rows.unsayable("edges of this kind")),
    }
    Ok(())
}

fn outline(rows: &mut Rows<'_>, outline: Outline, usual: Outline, method: Method) -> Result<(), WriteError> {
    match outline {
        outline if outline == usual => Ok(()),
        Outline::Rectangle(sides) => rows.list("sides", &sides),
        Outline::Circle(diameter) if method == Method::Modes => {
            rows.text("shape", "circle");
            rows.number("diameter", diameter)
        }
        _ => Err(rows.unsayable("an outline of this kind")),
    }
}

fn method(rows: &mut Rows<'_>, method: Method, highest: Option<f64>) -> Result<(), WriteError> {
    match (method, highest) {
        (Method::Modes, None) => Ok(()),
        (Method::Modes, Some(frequency)) => rows.number("highest", frequency),
        (Method::Grid, None) => {
            rows.text("method", "grid");
            Ok(())
        }
        _ => Err(rows.unsayable("a highest frequency of something on a grid")),
    }
}

fn segments(rows: &mut Rows<'_>, method: Method, segments: Option<usize>) -> Result<(), WriteError> {
    match (method, segments) {
        (_, None) => Ok(()),
        (Method::Grid, Some(segments)) => rows.whole("segments", segments),
        _ => Err(rows.unsayable("segments of something in modes")),
    }
}

fn grid(rows: &mut Rows<'_>, method: Method, grid: Option<[usize; 2]>) -> Result<(), WriteError> {
    match (method, grid) {
        (_, None) => Ok(()),
        (Method::Grid, Some(sides)) if sides.iter().all(|side| (4..=100_000).contains(side)) => {
            rows.raw("grid", format!("[{}, {}]", sides[0], sides[1]));
            Ok(())
        }
        (Method::Grid, Some(_)) => Err(rows.unsayable("a grid with a side below 4 or above 100000")),
        _ => Err(rows.unsayable("a grid of something in modes")),
    }
}

/// How far a string can be bent: in semitones if they give the same ratio.
fn bend(rows: &mut Rows<'_>, ratio: f64) -> Result<(), WriteError> {
    if ratio == 1.0 {
        return Ok(());
    }
    let gives =
        |semitones: f64| (0.0..=48.0).contains(&semitones) && libm::exp2(semitones / 12.0).to_bits() == ratio.to_bits();
    match roundest(12.0 * libm::log2(ratio), gives) {
        Some(semitones) => rows.number("bend", semitones),
        None => rows.number("bend_ratio", ratio),
    }
}

fn start(rows: &mut Rows<'_>, start: &Start) -> Result<(), WriteError> {
    if !rows.knows("start") {
        return Err(rows.unsayable("a start of this kind of object"));
    }
    let mut inner = Rows::new(start_info(), &*rows.of);
    let centre = match start.centre {
        Place::Along(x) => vec![x],
        Place::On(x, y) => vec![x, y],
        _ => return Err(rows.unsayable("a start around this place")),
    };
    let centre = centre.into_iter().map(|fraction| points::inside(&rows.of, fraction));
    inner.raw("at", one_or_list(centre.collect::<Result<Vec<_>, _>>()?.into_iter()));
    inner.number_unless("width", start.half_width, 0.1)?;
    inner.number_unless("displacement", start.displacement, 0.0)?;
    inner.number_unless("velocity", start.velocity, 0.0)?;
    rows.raw("start", inner.inline());
    Ok(())
}

/// Whether a loss is that of a material, which a text without any key of loss has.
pub(super) fn is_of_material(loss: &Loss) -> bool {
    matches!(loss, Loss::Material(_))
}
