//! `kind = "plectrum"`: an edge that lifts a point until it slips off.

use ictus::id::{ContactId, ObjectId};
use ictus::laws::{ContactLaw, Law, OneSidedPower};
use ictus::limits::{MOST_RESISTANCE, STIFFEST, STRONGEST};
use ictus::model::{Interaction, Point};
use ictus::objects::BarrierSpec;

use super::{Amount, CLEARANCE, Held, Moved, Part, Parts, ToolInfo, ToolKind, on_field};
use crate::ExciterId;
use crate::instrument::bounds::FASTEST;
use crate::instrument::{Mechanism, PlayError};
use crate::read::{Draft, Fields, Made, Naming};
use crate::registry::field::{above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::{Exciter, Scene};
use crate::silence::Prospect;
use crate::units::{FORCE, LENGTH, RESISTANCE, SPRING, VELOCITY};
use crate::write::{Owner, Rows, WriteError};

/// An edge that lifts a point at constant velocity until it slips off. The amount is that velocity in m/s.

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plectrum {
    /// The moving barrier.
    pub barrier: ObjectId,
    /// Its contact, as `from`, with a force at which it slips off.
    pub contact: ContactId,
    /// Distance in m from which it comes, above 0.
    pub clearance: f64,
}

impl ToolKind for Plectrum {
    const INFO: ToolInfo = ToolInfo {
        name: "plectrum",
        verb: "pluck",
        amount: Amount { key: "velocity", measure: VELOCITY, unit: "m/s", range: [-FASTEST, FASTEST], usual: 0.3 },
        takes_time: false,
        goes_on: false,
        moves: Some(Moved::Barrier),
        law: None,
        damping: true,
        clearance: true,
        of: Some(Part::Contact),
    };

    fn table() -> TableInfo {
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

    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
        let on = draft.point(fields, "on", naming.scope, false)?;
        let clearance = fields.number_or("clearance", CLEARANCE);
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
        let amount = fields.number_or("velocity", Self::INFO.amount.usual);
        Some(Made { tool: Self { barrier, contact, clearance }.into(), amount, played })
    }

    fn of(held: Held) -> Option<Self> {
        let Held::Contact { body, contact, clearance } = held else { return None };
        Some(Self { barrier: body, contact, clearance })
    }

    fn write(&self, rows: &mut Rows<'_>, scene: &Scene, exciter: &Exciter) -> Result<(), WriteError> {
        let contact = &scene.model.interactions[self.contact.index()];
        rows.number_unless("stiffness", contact.law.parameter(0).unwrap_or(f64::NAN), 1e5)?;
        rows.number_unless("force", contact.slips_at.unwrap_or(f64::NAN), 1.0)?;
        rows.number_unless("velocity", exciter.amount, Self::INFO.amount.usual)?;
        rows.number_unless("clearance", self.clearance, CLEARANCE)?;
        rows.number_unless("damping", contact.damping, 0.0)
    }

    fn is_as_read(&self, owner: &Owner<'_>, _exciter: &Exciter) -> Option<()> {
        let contact = owner.model.interactions.get(self.contact.index())?;
        contact.slips_at?;
        let (stiffness, ..) = contact.law.power_law()?;
        let edge = Law::from(OneSidedPower::new(stiffness, 1.0, 0.0).ok()?);
        owner.has_contact(self.contact, |contact, made| {
            made.law = edge;
            (made.slips_at, made.damping) = (contact.slips_at, contact.damping);
        })?;
        owner.has_object(self.barrier, BarrierSpec { height: -self.clearance, velocity: 0.0 })
    }

    fn parts(&self) -> Parts {
        Parts { body: Some(self.barrier), contact: Some(self.contact), ..Parts::default() }
    }

    fn with_parts(self, parts: Parts) -> Self {
        Self { barrier: parts.body.unwrap_or(self.barrier), contact: parts.contact.unwrap_or(self.contact), ..self }
    }

    fn clearance(&self) -> Option<f64> {
        Some(self.clearance)
    }

    /// Its edge is a spring that only pushes: of its law there is nothing else to say.
    fn law_key<'k>(&self, key: &'k str) -> Option<&'k str> {
        (key == "stiffness").then_some(key)
    }

    fn play(&self, mechanism: &mut Mechanism, _exciter: ExciterId, amount: f64, _over: f64) -> Result<(), PlayError> {
        mechanism.bring_up(self.barrier, self.contact, self.clearance, amount)
    }

    fn stir(&self, prospect: &mut Prospect<'_>, exciter: ExciterId, amount: f64, time: f64) {
        prospect.approach(exciter, self.barrier, self.contact, self.clearance, amount, time);
    }
}
