//! `kind = "finger"`: a spring and a damper that rest on a point.

use ictus::laws::LinearCubicSpring;
use ictus::limits::STIFFEST;
use ictus::model::Point;
use ictus::objects::BarrierSpec;

use super::{Draft, Fields, Made, Naming, on_field};
use crate::instrument::bounds::MOST_RESISTANCE;
use crate::registry::field::{above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::Tool;
use crate::units::{RESISTANCE, SPRING};

pub(super) fn info() -> TableInfo {
    TableInfo::new(
        "a finger",
        "A finger or a felt that rests on a point and quiets it. It makes a contact of its own name, with the ground.",
        vec![
            on_field(),
            Field::quantity("stiffness", SPRING, above_to(0.0, STIFFEST))
                .default("1000 N/m")
                .doc("Of its spring to the ground."),
            Field::quantity("damping", RESISTANCE, between(0.0, MOST_RESISTANCE))
                .default("1 N s/m")
                .doc("Its resistance."),
        ],
    )
}

pub(super) fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
    let on = draft.point(fields, "on", naming.scope, false)?;
    let law = LinearCubicSpring::new(fields.number_or("stiffness", 1000.0), 0.0).ok()?;
    let damping = fields.number_or("damping", 1.0);
    let played = on.object;
    draft.tool_object(naming, BarrierSpec::default(), "barrier");
    let contact = draft.tool_contact(naming, Point::of(&naming.full_name), on, law.into());
    if let Some(contact) = draft.model.interactions.get_mut(contact.index()) {
        contact.damping = damping;
    }
    Some(Made { tool: Tool::Finger { contact }, amount: damping, played })
}
