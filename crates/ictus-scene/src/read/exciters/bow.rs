//! `kind = "bow"`: friction that grips and lets go.

use ictus::laws::BowFriction;
use ictus::limits::{SHARPEST, STRONGEST_BOW};
use ictus::model::Point;
use ictus::objects::BarrierSpec;

use super::{Draft, Fields, Made, Naming, on_field};
use crate::instrument::bounds::FASTEST;
use crate::registry::field::{Bounds, above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::Tool;
use crate::units::{FORCE, NUMBER, SHARPNESS, VELOCITY};

/// Levels of sliding that the law accepts.
const SLIDING: Bounds = Bounds { least: 0.0, above: false, most: 1.0, below: true };

pub(super) fn info() -> TableInfo {
    TableInfo::new(
        "a bow",
        "A moving surface that grips and lets go. It makes a barrier and a contact of its own name.",
        vec![
            on_field(),
            Field::quantity("force", FORCE, between(0.0, STRONGEST_BOW))
                .default("0.2 N")
                .doc("How hard it is pressed. More: louder, then scratchy."),
            Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST))
                .default("0.1 m/s")
                .doc("How fast it is drawn."),
            Field::quantity("sharpness", SHARPNESS, above_to(0.0, SHARPEST))
                .default("100 s²/m²")
                .doc("a of the friction curve. More: lets go sooner, sounds brighter."),
            Field::quantity("sliding", NUMBER, SLIDING).default("0.3").doc(
                "Friction of a bow that slides fast, as a part of the largest. More: a fast bow pulls more, and wants to be pressed harder.",
            ),
        ],
    )
}

pub(super) fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
    let on = draft.point(fields, "on", naming.scope, false)?;
    let sliding = fields.number_or("sliding", BowFriction::SLIDING);
    let law = BowFriction::new(fields.number_or("force", 0.2), fields.number_or("sharpness", 100.0));
    let law = law.and_then(|law| law.with_sliding(sliding)).ok()?;
    let played = on.object;
    let barrier = draft.tool_object(naming, BarrierSpec::default(), "barrier");
    let contact = draft.tool_contact(naming, Point::of(&naming.full_name), on, law.into());
    Some(Made { tool: Tool::Bow { barrier, contact }, amount: fields.number_or("velocity", 0.1), played })
}
