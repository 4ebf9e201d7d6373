//! `kind = "hammer"`: a mass that is thrown at a point.

use ictus::contact::Rule;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{HuntCrossley, law};
use ictus::limits::{HEAVIEST, LIGHTEST, MOST_RESISTANCE};
use ictus::model::{Interaction, ObjectSpec, Point};
use ictus::objects::MassSpec;

use super::{Amount, CLEARANCE, Held, Moved, Part, Parts, ToolInfo, ToolKind, on_field};
use crate::ExciterId;
use crate::instrument::bounds::FASTEST;
use crate::instrument::{Mechanism, PlayError};
use crate::read::{Draft, Fields, Made, Naming, read_law, rule};
use crate::registry::field::{above_to, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::scene::{Exciter, Scene};
use crate::silence::Prospect;
use crate::units::{LENGTH, MASS, RESISTANCE, VELOCITY};
use crate::write::{Owner, Rows, WriteError, write_law, write_rule};

/// A mass that is thrown at a point. The amount is its velocity in m/s.

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hammer {
    /// The mass.
    pub mass: ObjectId,
    /// Its contact: as `from`, or as `to` if it comes from above.
    pub contact: ContactId,
    /// Distance in m from which it is thrown, above 0.
    pub clearance: f64,
    /// Whether it comes from above and not from below.
    pub above: bool,
}

/// A mass in kg that waits at a clearance in m from what is at rest at 0.
fn waiting(mass: f64, clearance: f64, above: bool) -> MassSpec {
    MassSpec { displacement: if above { clearance } else { -clearance }, ..MassSpec::free(mass) }
}

impl ToolKind for Hammer {
    const INFO: ToolInfo = ToolInfo {
        name: "hammer",
        verb: "strike",
        amount: Amount { key: "velocity", measure: VELOCITY, unit: "m/s", range: [-FASTEST, FASTEST], usual: 1.0 },
        takes_time: false,
        goes_on: false,
        moves: Some(Moved::Mass),
        law: Some(HuntCrossley::INFO.name),
        damping: true,
        clearance: true,
        of: Some(Part::Contact),
    };

    fn table() -> TableInfo {
        TableInfo::new(
            "a hammer",
            "A mass that is thrown at a point from below or from above. It makes a mass and a contact of its own name.",
            vec![
                on_field(),
                Field::quantity("mass", MASS, between(LIGHTEST, HEAVIEST))
                    .required()
                    .doc("Heavier: longer contact, duller sound."),
                Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST))
                    .default("1 m/s")
                    .doc("How fast it is thrown."),
                Field::quantity("clearance", LENGTH, above_to(0.0, 10.0))
                    .default("1 mm")
                    .doc("From how far it is thrown."),
                Field::choice("from", &["below", "above"])
                    .default("\"below\"")
                    .doc("Where it comes from. A velocity above 0 always goes towards what it plays."),
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

    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
        let info = law(fields.text("law").or(Self::INFO.law)?)?;
        let (on, law) = (draft.point(fields, "on", naming.scope, false), read_law(fields, info));
        let (on, law, mass) = (on?, law?, fields.number("mass")?);
        let clearance = fields.number_or("clearance", CLEARANCE);
        let played = on.object;
        let above = fields.text("from") == Some("above");
        let mass = draft.tool_object(naming, waiting(mass, clearance, above), "mass");
        let (tool, played_point) = (Point::of(&naming.full_name), on.point);
        let (from, to) = if above { (played_point, tool) } else { (tool, played_point) };
        let contact = Interaction {
            damping: fields.number_or("damping", 0.0),
            rule: rule(fields),
            active: false,
            ..Interaction::new(&naming.full_name, from, to, law)
        };
        let contact = ContactId::new(draft.add_contact(contact, naming.span));
        let amount = fields.number_or("velocity", Self::INFO.amount.usual);
        Some(Made { tool: Self { mass, contact, clearance, above }.into(), amount, played })
    }

    fn of(held: Held) -> Option<Self> {
        let Held::Contact { body, contact, clearance } = held else { return None };
        Some(Self { mass: body, contact, clearance, above: false })
    }

    fn write(&self, rows: &mut Rows<'_>, scene: &Scene, exciter: &Exciter) -> Result<(), WriteError> {
        let contact = &scene.model.interactions[self.contact.index()];
        if let Some(ObjectSpec::Mass(spec)) = scene.model.objects.get(self.mass.index()).map(|object| &object.spec) {
            rows.number("mass", spec.mass)?;
        }
        if self.above {
            rows.text("from", "above");
        }
        if Some(contact.law.info().name) != Self::INFO.law {
            rows.text("law", contact.law.info().name);
        }
        write_law(rows, &contact.law)?;
        rows.number_unless("velocity", exciter.amount, Self::INFO.amount.usual)?;
        rows.number_unless("clearance", self.clearance, CLEARANCE)?;
        rows.number_unless("damping", contact.damping, 0.0)?;
        write_rule(rows, contact.rule);
        Ok(())
    }

    fn is_as_read(&self, owner: &Owner<'_>, _exciter: &Exciter) -> Option<()> {
        let ObjectSpec::Mass(MassSpec { mass, .. }) = owner.model.objects.get(self.mass.index())?.spec else {
            return None;
        };
        let spec = waiting(mass, self.clearance, self.above);
        owner.has_contact(self.contact, |contact, made| {
            (made.rule, made.damping) = (contact.rule, contact.damping);
            if self.above {
                made.to = std::mem::replace(&mut made.from, contact.from.clone());
            }
        })?;
        owner.has_object(self.mass, spec)
    }

    fn parts(&self) -> Parts {
        Parts { body: Some(self.mass), contact: Some(self.contact), ..Parts::default() }
    }

    fn with_parts(self, parts: Parts) -> Self {
        Self { mass: parts.body.unwrap_or(self.mass), contact: parts.contact.unwrap_or(self.contact), ..self }
    }

    fn clearance(&self) -> Option<f64> {
        Some(self.clearance)
    }

    fn play(&self, mechanism: &mut Mechanism, _exciter: ExciterId, amount: f64, _over: f64) -> Result<(), PlayError> {
        mechanism.throw_hammer(
            self.mass,
            self.contact,
            if self.above { -self.clearance } else { self.clearance },
            amount,
        )
    }

    fn stir(&self, prospect: &mut Prospect<'_>, exciter: ExciterId, amount: f64, time: f64) {
        prospect.approach(exciter, self.mass, self.contact, self.clearance, amount, time);
    }
}
