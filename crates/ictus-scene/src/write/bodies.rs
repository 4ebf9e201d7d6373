//! `[objects.NAME]`: what every kind of object has. Each kind writes its own keys.

use ictus::model::Start;
use ictus::objects::{Amplitude, End, Loss, Method, Outline, Place};

use super::WriteError;
use super::names::{Names, named};
use super::numbers::{key, quoted};
use super::points;
use super::rows::{Rows, one_or_list};
use crate::objects::{kind_of, start_info};
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
    let mut rows = match kind_of(&object.spec) {
        Some(kind) => (kind.write)(empty, &object.spec)?,
        None => return Err(empty.unsayable("an object of this kind")),
    };
    if let Some(begin) = &object.start {
        start(&mut rows, begin)?;
    }
    let table = names.object(&of, place)?;
    named(&mut rows, table, &object.name);
    Ok(rows.table(&format!("[objects.{}]", key(table))))
}

fn end(end: End) -> &'static str {
    match end {
        End::SimplySupported => "supported",
        End::Clamped => "clamped",
        End::Free => "free",
    }
}

pub(crate) fn ends(rows: &mut Rows<'_>, both: [End; 2], usual: [End; 2]) {
    if both != usual {
        rows.raw("ends", pair(both));
    }
}

pub(crate) fn pair(both: [End; 2]) -> String {
    let [first, second] = both.map(|one| quoted(end(one)));
    if first == second { first } else { format!("[{first}, {second}]") }
}

pub(crate) fn outline(rows: &mut Rows<'_>, outline: Outline, usual: Outline, method: Method) -> Result<(), WriteError> {
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

pub(crate) fn method(rows: &mut Rows<'_>, method: Method, highest: Option<f64>) -> Result<(), WriteError> {
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

pub(crate) fn amplitude(rows: &mut Rows<'_>, amplitude: Amplitude) -> Result<(), WriteError> {
    if amplitude != Amplitude::Small {
        rows.text("amplitude", amplitude.name());
    }
    match amplitude {
        Amplitude::VonKarman { airy_modes: Some(count) } => rows.whole("airy_modes", count),
        _ => Ok(()),
    }
}

pub(crate) fn segments(rows: &mut Rows<'_>, method: Method, segments: Option<usize>) -> Result<(), WriteError> {
    match (method, segments) {
        (_, None) => Ok(()),
        (Method::Grid, Some(segments)) => rows.whole("segments", segments),
        _ => Err(rows.unsayable("segments of something in modes")),
    }
}

pub(crate) fn grid(rows: &mut Rows<'_>, method: Method, grid: Option<[usize; 2]>) -> Result<(), WriteError> {
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
