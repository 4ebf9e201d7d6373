//! `kind = "barrier"`

use ictus::limits::{FARTHEST, FASTEST};
use ictus::model::ObjectSpec;
use ictus::objects::BarrierSpec;

use super::{Fields, LUMPED, ObjectKind, Words};
use crate::instrument::Nature;
use crate::registry::field::between;
use crate::registry::{Field, TableInfo};
use crate::units::{LENGTH, VELOCITY};
use crate::write::{Rows, WriteError};

pub(super) const KIND: ObjectKind = ObjectKind {
    sides: 0,
    name: "barrier",
    table: info,
    read,
    write,
    is_in_modes: |_| false,
    nature,
    words: Words {
        weightless: |name| {
            (format!("`{name}` is a barrier: it goes where it is told and has no weight"), "leave it out")
        },
        ..LUMPED
    },
};

fn info() -> TableInfo {
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

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    Some(BarrierSpec { height: fields.number_or("height", 0.0), velocity: fields.number_or("velocity", 0.0) }.into())
}

fn write(mut rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::Barrier(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    rows.number_unless("height", spec.height, 0.0)?;
    rows.number_unless("velocity", spec.velocity, 0.0)?;
    Ok(rows)
}

fn nature(_: &ObjectSpec) -> Option<Nature> {
    None
}
