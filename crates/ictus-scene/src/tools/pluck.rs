//! `kind = "pluck"`: a raised cosine that is let go at once.

use ictus::Model;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::model::ObjectSpec;
use ictus::objects::Place;

use super::{Amount, Parts, ToolInfo, ToolKind, on_field};
use crate::ExciterId;
use crate::instrument::bounds::HIGHEST_PLUCK;
use crate::instrument::{Mechanism, PlayError, no, within};
use crate::read::{Draft, Fields, Made, Naming};
use crate::registry::field::{above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::{Exciter, Scene};
use crate::silence::Prospect;
use crate::units::{FRACTION, LENGTH};
use crate::write::{Owner, Rows, WriteError};

/// Whether an object can be plucked without a contact.
fn is_line(spec: &ObjectSpec) -> bool {
    matches!(spec, ObjectSpec::String(_) | ObjectSpec::Bar(_))
}

/// A raised cosine added to a string or bar, let go at once. The amount is its height in m.

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pluck {
    /// The string or bar.
    pub object: ObjectId,
    /// Centre, a fraction of the length.
    pub centre: f64,
    /// Half-width, a fraction of the length.
    pub half_width: f64,
}

impl ToolKind for Pluck {
    const INFO: ToolInfo = ToolInfo {
        name: "pluck",
        verb: "pluck",
        amount: Amount {
            key: "height",
            measure: LENGTH,
            unit: "m",
            range: [-HIGHEST_PLUCK, HIGHEST_PLUCK],
            usual: 1e-3,
        },
        takes_time: false,
        goes_on: false,
        moves: None,
        law: None,
        damping: false,
        clearance: false,
        of: None,
    };

    fn table() -> TableInfo {
        TableInfo::new(
            "a pluck",
            "A raised cosine added to a string or bar, let go at once: the ideal pluck.",
            vec![
                on_field(),
                Field::quantity("width", FRACTION, above_to(0.0, 1.0))
                    .default("0.1")
                    .doc("Its half-width as a fraction of the length. Narrower: brighter."),
                Field::quantity("height", LENGTH, between(-HIGHEST_PLUCK, HIGHEST_PLUCK))
                    .default("1 mm")
                    .doc("Its height."),
            ],
        )
    }

    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
        let on = draft.point(fields, "on", naming.scope, false)?;
        let is_line = is_line(&draft.model.objects[on.object].spec);
        let (Place::Along(centre), true) = (on.point.place, is_line) else {
            fields.report("on", "only strings and bars can be plucked like this", "use a plectrum, or a hammer");
            return None;
        };
        let half_width = fields.number_or("width", 0.1);
        let tool = Self { object: ObjectId::new(on.object), centre, half_width }.into();
        Some(Made { tool, amount: fields.number_or("height", Self::INFO.amount.usual), played: on.object })
    }

    fn write(&self, rows: &mut Rows<'_>, _scene: &Scene, exciter: &Exciter) -> Result<(), WriteError> {
        rows.number_unless("width", self.half_width, 0.1)?;
        rows.number_unless("height", exciter.amount, Self::INFO.amount.usual)
    }

    fn is_as_read(&self, _owner: &Owner<'_>, _exciter: &Exciter) -> Option<()> {
        Some(())
    }

    fn parts(&self) -> Parts {
        Parts { plucked: Some(self.object), ..Parts::default() }
    }

    fn with_parts(self, parts: Parts) -> Self {
        Self { object: parts.plucked.unwrap_or(self.object), ..self }
    }

    fn centre(&self) -> Option<f64> {
        Some(self.centre)
    }

    fn centre_mut(&mut self) -> Option<&mut f64> {
        Some(&mut self.centre)
    }

    fn check(&self, model: &Model) -> Result<(), PlayError> {
        let is_line = model.objects.get(self.object.index()).is_some_and(|object| is_line(&object.spec));
        if !is_line {
            return Err(no("string or bar", self.object));
        }
        within("centre", self.centre, 0.0, 1.0)?;
        within("half-width", self.half_width, f64::MIN_POSITIVE, 1.0).map(drop)
    }

    fn play(&self, mechanism: &mut Mechanism, _exciter: ExciterId, amount: f64, _over: f64) -> Result<(), PlayError> {
        let Self { object, centre, half_width } = *self;
        Ok(mechanism.engine.change(&Change::Pluck { object, centre, half_width, height: amount })?)
    }

    fn stir(&self, prospect: &mut Prospect<'_>, exciter: ExciterId, amount: f64, _time: f64) {
        if amount != 0.0 {
            prospect.move_object(self.object.index());
        } else {
            prospect.blame(exciter, "has a height of 0 m", "");
        }
    }
}
