//! `kind = "pluck"`: a raised cosine that is let go at once.

use ictus::id::ObjectId;
use ictus::model::ObjectSpec;
use ictus::objects::Place;

use super::{Draft, Fields, Made, Naming, on_field};
use crate::instrument::bounds::HIGHEST_PLUCK;
use crate::registry::field::{above_to, between};
use crate::registry::{Field, TableInfo};
use crate::scene::Tool;
use crate::units::{FRACTION, LENGTH};

pub(super) fn info() -> TableInfo {
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

pub(super) fn read(fields: &Fields<'_>, draft: &mut Draft<'_>, naming: &Naming<'_>) -> Option<Made> {
    let on = draft.point(fields, "on", naming.scope, false)?;
    let is_line = matches!(draft.model.objects[on.object].spec, ObjectSpec::String(_) | ObjectSpec::Bar(_));
    let (Place::Along(centre), true) = (on.point.place, is_line) else {
        fields.report("on", "only strings and bars can be plucked like this", "use a plectrum, or a hammer");
        return None;
    };
    let half_width = fields.number_or("width", 0.1);
    let tool = Tool::Pluck { object: ObjectId::new(on.object), centre, half_width };
    Some(Made { tool, amount: fields.number_or("height", 1e-3), played: on.object })
}
