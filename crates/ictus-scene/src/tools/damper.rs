//! `kind = "damper"`: a felt that lies along a string or bar and lets all of it die sooner.
//!
//! It multiplies the decay rate of every mode, as Change::Decay does, and touches no point: it quiets all strings of a choir, costs nothing while it lies there,
//! and leaves the pitch alone. A finger instead holds one point, and lets the modes ring that stand still there.

use ictus::Model;
use ictus::id::ObjectId;
use ictus::model::ObjectSpec;
use ictus::objects::{Method, Place};

use super::{Amount, Parts, ToolInfo, ToolKind, on_field};
use crate::ExciterId;
use crate::instrument::{Mechanism, PlayError, no, within};
use crate::read::{Draft, Fields, Made, Naming};
use crate::registry::field::between;
use crate::registry::{Field, Kind, TableInfo};
use crate::scene::{Exciter, Scene};
use crate::silence::Prospect;
use crate::units::NUMBER;
use crate::write::{Owner, Rows, WriteError};

/// Most that decays can be multiplied by.
pub(crate) const MOST_DAMPED: f64 = 1e4;

/// Whether an object can be damped as a whole.
fn is_line_in_modes(spec: &ObjectSpec) -> bool {
    match spec {
        ObjectSpec::String(spec) => spec.method == Method::Modes,
        ObjectSpec::Bar(spec) => spec.method == Method::Modes,
        _ => false,
    }
}

/// A felt along a string or bar. The amount is what it multiplies all decay rates by.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Damper {
    /// The string or bar.
    pub object: ObjectId,
    /// Where it is drawn, a fraction of the length.
    pub centre: f64,
    /// Whether it lies there at the start.
    pub down: bool,
}

impl ToolKind for Damper {
    const INFO: ToolInfo = ToolInfo {
        name: "damper",
        verb: "damp",
        amount: Amount { key: "factor", measure: NUMBER, unit: "", range: [1.0, MOST_DAMPED], usual: 30.0 },
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
            "a damper",
            "A felt along a string or bar in modes: all of it dies sooner, every string of a choir alike. It touches no point, and the pitch stays.",
            vec![
                on_field(),
                Field::quantity("factor", NUMBER, between(1.0, MOST_DAMPED))
                    .default("30")
                    .doc("How many times sooner it dies."),
                Field::new("down", Kind::Truth).default("false").doc("Whether it lies there at the start."),
            ],
        )
    }

    fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
        let on = draft.point(fields, "on", naming.scope, false)?;
        let fits = is_line_in_modes(&draft.model.objects[on.object].spec);
        let (Place::Along(centre), true) = (on.point.place, fits) else {
            fields.report("on", "only strings and bars in modes can be damped like this", "use a finger");
            return None;
        };
        let tool = Self { object: ObjectId::new(on.object), centre, down: fields.truth("down").unwrap_or(false) };
        let amount = fields.number_or("factor", Self::INFO.amount.usual);
        Some(Made { tool: tool.into(), amount, played: on.object })
    }

    fn write(&self, rows: &mut Rows<'_>, _scene: &Scene, exciter: &Exciter) -> Result<(), WriteError> {
        rows.number_unless("factor", exciter.amount, Self::INFO.amount.usual)?;
        if self.down {
            rows.raw("down", "true".into());
        }
        Ok(())
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

    fn lies_at_the_start(&self) -> bool {
        self.down
    }

    fn check(&self, model: &Model) -> Result<(), PlayError> {
        if !model.objects.get(self.object.index()).is_some_and(|object| is_line_in_modes(&object.spec)) {
            return Err(no("string or bar in modes", self.object));
        }
        within("centre", self.centre, 0.0, 1.0).map(drop)
    }

    fn play(&self, mechanism: &mut Mechanism, exciter: ExciterId, amount: f64, _over: f64) -> Result<(), PlayError> {
        mechanism.lay(exciter, self.object, Some(amount))
    }

    fn release(&self, mechanism: &mut Mechanism, exciter: ExciterId, _over: f64) -> Result<(), PlayError> {
        mechanism.lay(exciter, self.object, None)
    }

    /// A damper quiets: it sets nothing in motion.
    fn stir(&self, _prospect: &mut Prospect<'_>, _exciter: ExciterId, _amount: f64, _time: f64) {}
}
