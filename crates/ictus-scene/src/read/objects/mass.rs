//! `kind = "mass"`

use ictus::limits::{FARTHEST, FASTEST, FASTEST_DECAY, HEAVIEST, LIGHTEST};
use ictus::model::ObjectSpec;
use ictus::objects::{Decay, MassSpec};

use super::Fields;
use crate::registry::field::{above, at_least, between};
use crate::registry::{Field, TableInfo};
use crate::units::{DECAY_RATE, FREQUENCY, LENGTH, MASS, NUMBER, TIME, VELOCITY};

pub(crate) fn info() -> TableInfo {
    TableInfo::new(
        "a mass",
        "A mass, free or on a spring to the ground.",
        vec![
            Field::quantity("mass", MASS, between(LIGHTEST, HEAVIEST))
                .required()
                .doc("Heavier: longer contact, duller sound."),
            Field::quantity("displacement", LENGTH, between(-FARTHEST, FARTHEST)).default("0").doc("Where it starts."),
            Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST)).default("0").doc("How fast it starts."),
            Field::quantity("frequency", FREQUENCY, at_least(0.0))
                .default("0, a free mass")
                .doc("Frequency on its spring, below half the rate."),
            Field::quantity("t60", TIME, above(0.0)).doc("Time in which the swing falls by 60 dB."),
            Field::quantity("sigma", DECAY_RATE, between(0.0, FASTEST_DECAY))
                .default("0")
                .doc("Decay rate of the swing."),
            Field::quantity("quality", NUMBER, above(0.0)).doc("Quality of the swing, ω/2σ."),
        ],
    )
    .exclusive(&["t60", "sigma", "quality"])
}

pub(crate) fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    // A mass is as it is written, free or on its spring, in sets too: a note does not hang it on one.
    fields.keep_own_pitch();
    let frequency = fields.number_or("frequency", 0.0);
    if fields.has("quality") && frequency == 0.0 {
        fields.report(
            "quality",
            "a free mass has no quality: it does not swing",
            "give it a `frequency`, or a `sigma` instead",
        );
        return None;
    }
    let decay = decay(fields);
    let spec = MassSpec {
        mass: fields.number("mass")?,
        displacement: fields.number_or("displacement", 0.0),
        velocity: fields.number_or("velocity", 0.0),
        frequency,
        decay,
    };
    Some(spec.into())
}

/// The decay of one oscillator: `t60`, `sigma` or `quality`.
pub(super) fn decay(fields: &Fields<'_>) -> Decay {
    let t60 = fields.number("t60").map(Decay::T60);
    let sigma = || fields.number("sigma").map(Decay::Sigma);
    let quality = || fields.number("quality").map(Decay::Quality);
    t60.or_else(sigma).or_else(quality).unwrap_or(Decay::None)
}
