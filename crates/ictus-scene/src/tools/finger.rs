//! `kind = "finger"`: a spring and a damper that rest on a point.

use ictus::Model;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{ContactLaw, Law, LinearCubicSpring};
use ictus::limits::STIFFEST;
use ictus::model::Point;
use ictus::objects::BarrierSpec;

use super::{Amount, Held, Part, Parts, ToolInfo, ToolKind, on_field};
use crate::ExciterId;
use crate::instrument::bounds::MOST_RESISTANCE;
use crate::instrument::{Mechanism, PlayError};
use crate::read::{Draft, Fields, Made, Naming};
use crate::registry::field::{above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::{Exciter, Parameter, Scene};
use crate::silence::Prospect;
use crate::units::{RESISTANCE, SPRING};
use crate::write::{Owner, Rows, WriteError};

/// A finger or a felt that rests on a point. The amount is its resistance in N s/m.

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Finger {
    /// The spring and damper to a fixed barrier; off until it plays.
    pub contact: ContactId,
}

impl ToolKind for Finger {
    const INFO: ToolInfo = ToolInfo {
        name: "finger",
        verb: "damp",
        amount: Amount {
            key: "damping",
            measure: RESISTANCE,
            unit: "N s/m",
            range: [0.0, MOST_RESISTANCE],
            usual: 1.0,
        },
        takes_time: true,
        goes_on: false,
        moves: None,
        law: None,
        damping: false,
        clearance: false,
        of: Some(Part::Contact),
    };

    fn table() -> TableInfo {
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

    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
        let on = draft.point(fields, "on", naming.scope, false)?;
        let law = LinearCubicSpring::new(fields.number_or("stiffness", 1000.0), 0.0).ok()?;
        let damping = fields.number_or("damping", Self::INFO.amount.usual);
        let played = on.object;
        draft.tool_object(naming, BarrierSpec::default(), "barrier");
        let contact = draft.tool_contact(naming, Point::of(&naming.full_name), on, law.into());
        if let Some(contact) = draft.model.interactions.get_mut(contact.index()) {
            contact.damping = damping;
        }
        Some(Made { tool: Self { contact }.into(), amount: damping, played })
    }

    fn of(held: Held) -> Option<Self> {
        let Held::Contact { contact, .. } = held else { return None };
        Some(Self { contact })
    }

    fn write(&self, rows: &mut Rows<'_>, scene: &Scene, exciter: &Exciter) -> Result<(), WriteError> {
        let contact = &scene.model.interactions[self.contact.index()];
        rows.number_unless("stiffness", contact.law.parameter(0).unwrap_or(f64::NAN), 1000.0)?;
        rows.number_unless("damping", exciter.amount, Self::INFO.amount.usual)
    }

    fn is_as_read(&self, owner: &Owner<'_>, exciter: &Exciter) -> Option<()> {
        let stiffness = owner.model.interactions.get(self.contact.index())?.law.spring_stiffness()?;
        let skin = Law::from(LinearCubicSpring::new(stiffness, 0.0).ok()?);
        owner.has_contact(self.contact, |_, made| (made.law, made.damping) = (skin, exciter.amount))?;
        owner.has_object(ObjectId::new(owner.object_of_its_name()?), BarrierSpec::default())
    }

    fn parts(&self) -> Parts {
        Parts { contact: Some(self.contact), ..Parts::default() }
    }

    fn with_parts(self, parts: Parts) -> Self {
        Self { contact: parts.contact.unwrap_or(self.contact) }
    }

    fn usual_of(&self, model: &Model) -> f64 {
        model.interactions.get(self.contact.index()).map_or(f64::NAN, |contact| contact.damping)
    }

    fn followed(&self) -> Option<Parameter> {
        Some(Parameter::Damping(self.contact))
    }

    fn law_key<'k>(&self, key: &'k str) -> Option<&'k str> {
        match key {
            "linear_stiffness" => Some("stiffness"),
            "cubic_stiffness" => None,
            _ => Some(key),
        }
    }

    fn play(&self, mechanism: &mut Mechanism, exciter: ExciterId, amount: f64, over: f64) -> Result<(), PlayError> {
        mechanism.arrive(exciter, self.contact, amount, over)
    }

    fn release(&self, mechanism: &mut Mechanism, exciter: ExciterId, over: f64) -> Result<(), PlayError> {
        mechanism.depart(exciter, self.contact, over)
    }

    /// A finger quiets: it sets nothing in motion.
    fn stir(&self, _prospect: &mut Prospect<'_>, _exciter: ExciterId, _amount: f64, _time: f64) {}
}
