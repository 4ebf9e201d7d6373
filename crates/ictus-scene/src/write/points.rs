//! Points of objects as texts, or as tables where a text would be taken for something else.

use ictus::model::Point;
use ictus::objects::Place;

use super::WriteError;
use super::names::Names;
use super::numbers::{bare, quoted};

/// A point as a value of TOML. `of` is what it belongs to, for messages.
pub(super) fn point(names: &Names<'_>, of: &str, point: &Point) -> Result<String, WriteError> {
    let place = names.object_place(of, &point.object)?;
    let object = names.object(of, place)?;
    let name = quoted(object);
    let inside = |fraction: f64| inside(of, fraction);
    Ok(match point.place {
        Place::Whole if object.contains('#') => format!("{{ object = {name} }}"),
        Place::Whole => name,
        Place::Along(x) => quoted(&format!("{object}@{}", inside(x)?)),
        Place::On(x, y) => quoted(&format!("{object}@{},{}", inside(x)?, inside(y)?)),
        Place::Point(number) => {
            let number = number.checked_add(1).filter(|number| i64::try_from(*number).is_ok());
            let number = number.ok_or_else(|| WriteError::unsayable(of, "a point of this number"))?;
            format!("{{ object = {name}, point = {number} }}")
        }
        Place::Everywhere => format!("{{ object = {name}, everywhere = true }}"),
        other => return Err(WriteError::unsayable(of, format!("the place {other:?}"))),
    })
}

/// A fraction of a length or a side, which lies inside.
pub(super) fn inside(of: &str, fraction: f64) -> Result<String, WriteError> {
    let (of, key, allowed) = (of.to_owned(), "at".to_owned(), "from 0 to 1".to_owned());
    let refused = WriteError::OutOfRange { of, key, value: fraction, allowed };
    if (0.0..=1.0).contains(&fraction) { Ok(bare(fraction)) } else { Err(refused) }
}
