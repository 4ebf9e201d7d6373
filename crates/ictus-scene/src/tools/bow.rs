//! `kind = "bow"`: friction that grips and lets go.

use ictus::id::{ContactId, ObjectId};
use ictus::laws::{BowFriction, ContactLaw};
use ictus::limits::{SHARPEST, STRONGEST_BOW};
use ictus::model::Point;
use ictus::objects::BarrierSpec;

use super::{Amount, Held, Moved, Part, Parts, ToolInfo, ToolKind, on_field};
use crate::ExciterId;
use crate::instrument::bounds::FASTEST;
use crate::instrument::{Mechanism, PlayError};
use crate::read::{Draft, Fields, Made, Naming};
use crate::registry::field::{Bounds, above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::{Exciter, Parameter, Scene};
use crate::silence::Prospect;
use crate::units::{FORCE, NUMBER, SHARPNESS, VELOCITY};
use crate::write::{Owner, Rows, WriteError};

/// Levels of sliding that the law accepts.
const SLIDING: Bounds = Bounds { least: 0.0, above: false, most: 1.0, below: true };

/// A bow. The amount is its velocity in m/s; its force is the contact's normal force.

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bow {
    /// The moving barrier.
    pub barrier: ObjectId,
    /// The friction contact, as `from`; off until it plays.
    pub contact: ContactId,
}

impl ToolKind for Bow {
    const INFO: ToolInfo = ToolInfo {
        name: "bow",
        verb: "bow",
        amount: Amount { key: "velocity", measure: VELOCITY, unit: "m/s", range: [-FASTEST, FASTEST], usual: 0.1 },
        takes_time: true,
        goes_on: true,
        moves: Some(Moved::Barrier),
        law: None,
        damping: false,
        clearance: false,
        of: Some(Part::Contact),
    };

    fn table() -> TableInfo {
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

    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
        let on = draft.point(fields, "on", naming.scope, false)?;
        let sliding = fields.number_or("sliding", BowFriction::SLIDING);
        let law = BowFriction::new(fields.number_or("force", 0.2), fields.number_or("sharpness", 100.0));
        let law = law.and_then(|law| law.with_sliding(sliding)).ok()?;
        let played = on.object;
        let barrier = draft.tool_object(naming, BarrierSpec::default(), "barrier");
        let contact = draft.tool_contact(naming, Point::of(&naming.full_name), on, law.into());
        let amount = fields.number_or("velocity", Self::INFO.amount.usual);
        Some(Made { tool: Self { barrier, contact }.into(), amount, played })
    }

    fn of(held: Held) -> Option<Self> {
        let Held::Contact { body, contact, .. } = held else { return None };
        Some(Self { barrier: body, contact })
    }

    fn write(&self, rows: &mut Rows<'_>, scene: &Scene, exciter: &Exciter) -> Result<(), WriteError> {
        let mut numbers = scene.model.interactions[self.contact.index()].law.parameters();
        let mut next = || numbers.next().unwrap_or(f64::NAN);
        rows.number_unless("force", next(), 0.2)?;
        rows.number_unless("sharpness", next(), 100.0)?;
        rows.number_unless("sliding", next(), BowFriction::SLIDING)?;
        rows.number_unless("velocity", exciter.amount, Self::INFO.amount.usual)
    }

    fn is_as_read(&self, owner: &Owner<'_>, _exciter: &Exciter) -> Option<()> {
        owner.model.interactions.get(self.contact.index())?.law.friction()?;
        owner.has_contact(self.contact, |_, _| {})?;
        owner.has_object(self.barrier, BarrierSpec::default())
    }

    fn parts(&self) -> Parts {
        Parts { body: Some(self.barrier), contact: Some(self.contact), ..Parts::default() }
    }

    fn with_parts(self, parts: Parts) -> Self {
        Self { barrier: parts.body.unwrap_or(self.barrier), contact: parts.contact.unwrap_or(self.contact) }
    }

    fn followed(&self) -> Option<Parameter> {
        Some(Parameter::Velocity(self.barrier))
    }

    fn stops(&self) -> Option<Parameter> {
        Some(Parameter::Velocity(self.barrier))
    }

    fn pressed(&self) -> Option<Parameter> {
        Some(Parameter::Law(self.contact, 0))
    }

    fn play(&self, mechanism: &mut Mechanism, exciter: ExciterId, amount: f64, over: f64) -> Result<(), PlayError> {
        mechanism.arrive(exciter, self.contact, amount, over)
    }

    fn release(&self, mechanism: &mut Mechanism, exciter: ExciterId, over: f64) -> Result<(), PlayError> {
        mechanism.depart(exciter, self.contact, over)
    }

    fn stir(&self, prospect: &mut Prospect<'_>, exciter: ExciterId, amount: f64, _time: f64) {
        let bow = prospect.scene.model.interactions.get(self.contact.index());
        let is_pressed = bow.and_then(|bow| bow.law.parameter(0)) != Some(0.0);
        match (amount != 0.0, is_pressed) {
            (true, true) => {
                prospect.move_object(self.barrier.index());
                prospect.engage(self.contact);
            }
            (false, _) => prospect.blame(exciter, "is drawn at 0 m/s", ""),
            (true, false) => prospect.blame(exciter, "is not pressed: its force is 0 N", ""),
        }
    }
}
