//! `kind = "hammer"`: a mass that is thrown at a point.

use ictus::contact::Rule;
use ictus::id::ContactId;
use ictus::laws::law;
use ictus::limits::{HEAVIEST, LIGHTEST, MOST_RESISTANCE};
use ictus::model::{Interaction, Point};
use ictus::objects::MassSpec;

use super::super::contacts::{read_law, rule};
use super::{Draft, Fields, Made, Naming, on_field};
use crate::instrument::bounds::FASTEST;
use crate::registry::field::{above_to, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::scene::Tool;
use crate::units::{LENGTH, MASS, RESISTANCE, VELOCITY};

pub(super) fn info() -> TableInfo {
    TableInfo::new(
        "a hammer",
        "A mass that is thrown at a point from below. It makes a mass and a contact of its own name.",
        vec![
            on_field(),
            Field::quantity("mass", MASS, between(LIGHTEST, HEAVIEST))
                .required()
                .doc("Heavier: longer contact, duller sound."),
            Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST))
                .default("1 m/s")
                .doc("How fast it is thrown."),
            Field::quantity("clearance", LENGTH, above_to(0.0, 10.0)).default("1 mm").doc("From how far it is thrown."),
            Field::new("law", Kind::Law)
                .default("\"hunt-crossley\"")
                .doc("Law of its felt or tip; its parameters stand beside it."),
            Field::quantity("damping", RESISTANCE, between(0.0, MOST_RESISTANCE))
                .default("0")
                .doc("Resistance beside the law."),
            Field::choice("rule", Rule::NAMES)
                .default(Rule::default().info().name)
                .doc("How the engine keeps the contact's energy."),
        ],
    )
}

pub(super) fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
    let info = law(fields.text("law").unwrap_or("hunt-crossley"))?;
    let (on, law) = (draft.point(fields, "on", naming.scope, false), read_law(fields, info));
    let (on, law, mass) = (on?, law?, fields.number("mass")?);
    let clearance = fields.number_or("clearance", 1e-3);
    let played = on.object;
    let mass = draft.tool_object(naming, MassSpec { displacement: -clearance, ..MassSpec::free(mass) }, "mass");
    let contact = Interaction {
        damping: fields.number_or("damping", 0.0),
        rule: rule(fields),
        active: false,
        ..Interaction::new(&naming.full_name, Point::of(&naming.full_name), on.point, law)
    };
    let contact = ContactId::new(draft.add_contact(contact, naming.span));
    Some(Made { tool: Tool::Hammer { mass, contact, clearance }, amount: fields.number_or("velocity", 1.0), played })
}
