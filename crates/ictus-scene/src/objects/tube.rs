//! `kind = "tube"`

use ictus::model::ObjectSpec;
use ictus::objects::{Loss, Place, TubeEnd, TubePitch, TubeSpec};

use super::{Crowd, Fields, LUMPED, ObjectKind, Words, loss, method_fields, refuse_loss, start_field};
use crate::instrument::Nature;
use crate::read::crowd::{length, tuned};
use crate::registry::field::{above, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::units::{FREQUENCY, LENGTH};
use crate::write::{self, Rows, WriteError};

pub(super) const KIND: ObjectKind = ObjectKind {
    name: "tube",
    sides: 1,
    table: info,
    read,
    write,
    is_in_modes: |_| true,
    nature,
    words: Words {
        described,
        fewer_modes: "a shorter tube",
        frequency_of: |_, crowd: Crowd| crowd.highest * crowd.few / crowd.many,
        hold: "close one of its `ends`, ",
        ..LUMPED
    },
};

const ENDS: &[&str] = &["open", "closed"];

fn info() -> TableInfo {
    let [_, highest] = method_fields();
    let table = TableInfo::new(
        "a tube",
        "A column of air: the resonator under a marimba's bar, a bottle, a pipe. Its places lie along it, and its displacement is that of the air.",
        vec![
            Field::quantity("length", LENGTH, between(1e-3, 1e4)).doc("Length from edge to edge; the pitch follows."),
            Field::quantity("pitch", FREQUENCY, above(0.0))
                .default("220 Hz")
                .doc("Its lowest frequency, of sound in air at 20 °C; the length follows."),
            Field::quantity("diameter", LENGTH, between(1e-3, 100.0))
                .default("40 mm")
                .doc("Inner diameter. A wider tube loses less to its walls and more through its open ends, and more air has to be moved."),
            Field::new("ends", Kind::Either(vec![Kind::Choice(ENDS), Kind::two(Kind::Choice(ENDS))]))
                .default("[\"closed\", \"open\"]")
                .doc("What its ends are, both alike or one by one: `closed` or `open`. With one end closed it is an octave lower and has odd partials only."),
            Field::new("t60", Kind::t60()).doc(
                "Time in which the sound falls by 60 dB, instead of what walls and open ends take: one for all frequencies, or up to 64 of [frequency, time].",
            ),
            Field::new("lossless", Kind::Truth).default("false").doc("It rings for ever."),
            highest,
            start_field(),
        ],
    );
    table.exclusive(&["length", "pitch"]).exclusive(&["t60", "lossless"])
}

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let mut spec = TubeSpec::default();
    if let Some(length) = fields.number("length") {
        spec.pitch = TubePitch::Length(length);
    }
    if let Some(pitch) = fields.pitch("pitch") {
        spec.pitch = TubePitch::Fundamental(pitch);
    }
    spec.diameter = fields.number_or("diameter", spec.diameter);
    spec.ends = match fields.texts("ends")[..] {
        [(both, _)] => [end(both); 2],
        [(first, _), (second, _)] => [end(first), end(second)],
        _ => spec.ends,
    };
    spec.highest = fields.number("highest");
    let loss = loss(fields, None, &spec.loss);
    match spec.with_loss(loss) {
        Ok(spec) => Some(spec.into()),
        Err(error) => {
            refuse_loss(fields, "tube", &error);
            None
        }
    }
}

fn end(name: &str) -> TubeEnd {
    if name == "open" { TubeEnd::Open } else { TubeEnd::Closed }
}

fn write(mut rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::Tube(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    let usual = TubeSpec::default();
    match spec.pitch {
        pitch if pitch == usual.pitch => {}
        TubePitch::Fundamental(frequency) => rows.pitch("pitch", frequency)?,
        TubePitch::Length(length) => rows.number("length", length)?,
        _ => return Err(rows.unsayable("what sets its pitch")),
    }
    rows.number_unless("diameter", spec.diameter, usual.diameter)?;
    if spec.ends != usual.ends {
        rows.texts("ends", &spec.ends.map(|end| if end == TubeEnd::Open { "open" } else { "closed" }));
    }
    if !matches!(spec.loss, Loss::None | Loss::T60(_)) && spec.loss != usual.loss {
        return Err(rows.unsayable("what it loses"));
    }
    write::loss(&mut rows, &spec.loss, &usual.loss, &usual.loss)?;
    if let Some(highest) = spec.highest {
        rows.number("highest", highest)?;
    }
    Ok(rows)
}

fn nature(spec: &ObjectSpec) -> Option<Nature> {
    let ObjectSpec::Tube(tube) = spec else { return None };
    Some(Nature::new(spec, spec.mass()?, tube.fundamental(), tube.length() / 150.0, Place::Along(0.9)))
}

fn described(spec: &ObjectSpec) -> String {
    let ObjectSpec::Tube(tube) = spec else { return String::new() };
    match tube.pitch {
        TubePitch::Length(metres) => format!("a tube {} long", length(metres)),
        TubePitch::Fundamental(pitch) => format!("a tube{}", tuned(Some(pitch))),
        _ => "a tube".to_owned(),
    }
}
