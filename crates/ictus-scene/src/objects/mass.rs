//! `kind = "mass"`

use ictus::limits::{FARTHEST, FASTEST, FASTEST_DECAY, HEAVIEST, LIGHTEST};
use ictus::model::ObjectSpec;
use ictus::objects::{Decay, MassSpec, Place};

use super::{Fields, LUMPED, ObjectKind};
use crate::instrument::Nature;
use crate::registry::field::{above, at_least, between};
use crate::registry::{Field, TableInfo};
use crate::units::{DECAY_RATE, FREQUENCY, LENGTH, MASS, NUMBER, TIME, VELOCITY};
use crate::write::{Rows, WriteError};

pub(super) const KIND: ObjectKind =
    ObjectKind { sides: 0, name: "mass", table: info, read, write, is_in_modes: |_| false, nature, words: LUMPED };

fn info() -> TableInfo {
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

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    // A mass is as it is written, free or on its spring, in sets too: a note does not hang it on one.
    fields.keep_own_pitch();
    let frequency = fields.number_or("frequency", 0.0);
    if fields.has("quality") && frequency == 0.0 {
        fields.report(
            "quality",
            "a free mass has no quality factor: it does not oscillate",
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

fn write(mut rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::Mass(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    rows.number("mass", spec.mass)?;
    rows.number_unless("displacement", spec.displacement, 0.0)?;
    rows.number_unless("velocity", spec.velocity, 0.0)?;
    rows.number_unless("frequency", spec.frequency, 0.0)?;
    write_decay(&mut rows, spec.decay)?;
    Ok(rows)
}

fn nature(spec: &ObjectSpec) -> Option<Nature> {
    let ObjectSpec::Mass(mass) = spec else { return None };
    Some(Nature::new(spec, mass.mass, mass.frequency, 5e-3, Place::Whole))
}

/// How one oscillator dies.
pub(super) fn write_decay(rows: &mut Rows<'_>, decay: Decay) -> Result<(), WriteError> {
    match decay {
        Decay::None => Ok(()),
        Decay::Sigma(sigma) => rows.number("sigma", sigma),
        Decay::T60(seconds) => rows.number("t60", seconds),
        Decay::Quality(quality) => rows.number("quality", quality),
        _ => Err(rows.unsayable("a decay of this kind")),
    }
}
