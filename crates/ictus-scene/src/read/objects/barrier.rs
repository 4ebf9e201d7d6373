//! `kind = "barrier"`

use ictus::limits::{FARTHEST, FASTEST};
use ictus::model::ObjectSpec;
use ictus::objects::BarrierSpec;

use super::Fields;
use crate::registry::field::between;
use crate::registry::{Field, TableInfo};
use crate::units::{LENGTH, VELOCITY};

pub(crate) fn info() -> TableInfo {
    TableInfo::new(
        "a barrier",
        "A surface that goes where it is told, whatever pushes it: a wall, a table, a fingerboard.",
        vec![
            Field::quantity("height", LENGTH, between(-FARTHEST, FARTHEST))
                .default("0")
                .doc("Where its surface is at the start."),
            Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST)).default("0").doc("How fast it moves."),
        ],
    )
}

pub(crate) fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    Some(BarrierSpec { height: fields.number_or("height", 0.0), velocity: fields.number_or("velocity", 0.0) }.into())
}
