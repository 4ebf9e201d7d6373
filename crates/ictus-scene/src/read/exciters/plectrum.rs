//! `kind = "plectrum"`: an edge that lifts a point until it slips off.

use ictus::id::ContactId;
use ictus::laws::{Law, OneSidedPower};
use ictus::limits::{MOST_RESISTANCE, STIFFEST, STRONGEST};
use ictus::model::{Interaction, Point};
use ictus::objects::BarrierSpec;

use super::{Draft, Fields, Made, Naming, on_field};
use crate::instrument::bounds::FASTEST;
use crate::registry::field::{above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::Tool;
use crate::units::{FORCE, LENGTH, RESISTANCE, SPRING, VELOCITY};

pub(super) fn info() -> TableInfo {
    TableInfo::new(
        "a plectrum",
        "An edge that lifts a point at constant velocity until it slips off. It makes a barrier and a contact of its own name.",
        vec![
            on_field(),
            Field::quantity("stiffness", SPRING, above_to(0.0, STIFFEST))
                .default("1e5 N/m")
                .doc("Softer: rounder attack."),
            Field::quantity("force", FORCE, above_to(0.0, STRONGEST))
                .default("1 N")
                .doc("Force at which it slips off. More: louder."),
            Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST))
                .default("0.3 m/s")
                .doc("How fast it lifts."),
            Field::quantity("clearance", LENGTH, above_to(0.0, 10.0)).default("1 mm").doc("From how far it comes."),
            Field::quantity("damping", RESISTANCE, between(0.0, MOST_RESISTANCE))
                .default("0")
                .doc("Resistance beside the spring."),
        ],
    )
}

pub(super) fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
    let on = draft.point(fields, "on", naming.scope, false)?;
    let clearance = fields.number_or("clearance", 1e-3);
    let law = Law::from(OneSidedPower::new(fields.number_or("stiffness", 1e5), 1.0, 0.0).ok()?);
    let played = on.object;
    let barrier = draft.tool_object(naming, BarrierSpec { height: -clearance, velocity: 0.0 }, "barrier");
    let contact = Interaction {
        slips_at: Some(fields.number_or("force", 1.0)),
        damping: fields.number_or("damping", 0.0),
        active: false,
        ..Interaction::new(&naming.full_name, Point::of(&naming.full_name), on.point, law)
    };
    let contact = ContactId::new(draft.add_contact(contact, naming.span));
    Some(Made {
        tool: Tool::Plectrum { barrier, contact, clearance },
        amount: fields.number_or("velocity", 0.3),
        played,
    })
}
