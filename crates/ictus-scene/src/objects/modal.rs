//! `kind = "modal"`

use std::sync::LazyLock;

use ictus::limits::{FASTEST_DECAY, HEAVIEST, LIGHTEST};
use ictus::model::ObjectSpec;
use ictus::objects::{Decay, DecayCurve, ModalSpec, ModeSpec, Place};

use super::mass::{decay, write_decay};
use super::{Fields, LUMPED, ObjectKind, Words, decay_times, refuse_loss};
use crate::instrument::Nature;
use crate::problem::Found;
use crate::registry::field::{above, at_least, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::tree::Node;
use crate::units::{DECAY_RATE, FRACTION, FREQUENCY, MASS, NUMBER, TIME};
use crate::write::{Rows, WriteError, bare};

const PRESETS: &[&str] = &["free-bar", "string", "three-mode-bar"];

/// Most numbers in the table of weights.
const MOST_WEIGHTS: usize = 1 << 20;

pub(super) const KIND: ObjectKind = ObjectKind {
    sides: 0,
    name: "modal",
    table: info,
    read,
    write,
    is_in_modes: |_| true,
    nature,
    words: Words {
        weightless: |name| {
            (
                format!("how heavy `{name}` is does not follow from its modes"),
                "give it one mode of 0 Hz with the same weight at all points: it moves the whole, and its modal mass over that weight squared is the mass",
            )
        },
        ..LUMPED
    },
};

fn info() -> TableInfo {
    let number = || Kind::Quantity(NUMBER, between(-1e6, 1e6));
    let list = |kind: Kind| Kind::List(Box::new(kind));
    TableInfo::new(
        "a modal object",
        "An object given by its modes of vibration, and by how much each moves at each point of interest. Its points are called \
         `NAME#1`, `NAME#2`, …",
        vec![
            Field::choice("preset", PRESETS).doc("Modes from a closed form instead of a list."),
            Field::quantity("pitch", FREQUENCY, above(0.0))
                .doc("Of a preset: its lowest frequency. Of a list of modes in a set: the frequency among them that becomes the note; by default the lowest."),
            Field::quantity("mass", MASS, between(LIGHTEST, HEAVIEST)).doc("Of a preset: mass of the whole object."),
            Field::new("modes", Kind::Either(vec![Kind::Whole(1, 65_536), list(Kind::Table(mode_info))]))
                .default("20")
                .doc("Of a preset: how many, those above 0.49 times the rate left out. Else the list of modes."),
            Field::new("points", Kind::Either(vec![list(Kind::Quantity(FRACTION, between(0.0, 1.0))), list(list(number()))]))
                .default("[0.5]")
                .doc("Of a preset: positions along it. Else for every point the weights of all modes there."),
            Field::new("t60", Kind::t60()).doc("Of a preset: decay time, one or at some frequencies."),
            Field::quantity("quality", NUMBER, above(0.0)).doc("Of a preset: quality of all modes, ω/2σ."),
            Field::quantity("inharmonicity", NUMBER, between(0.0, 1.0))
                .default("0")
                .doc("Of the preset `string`: B in f = p f0 √(1 + B p²)."),
        ],
    )
    .exclusive(&["t60", "quality"])
}

pub(crate) fn mode_info() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        TableInfo::new(
            "a mode",
            "One mode of vibration.",
            vec![
                Field::quantity("frequency", FREQUENCY, at_least(0.0))
                    .required()
                    .doc("Its frequency, below half the rate."),
                Field::quantity("mass", MASS, between(LIGHTEST, HEAVIEST))
                    .required()
                    .doc("Modal mass, on the scale of the weights."),
                Field::quantity("t60", TIME, above(0.0)).doc("Time in which it falls by 60 dB."),
                Field::quantity("sigma", DECAY_RATE, between(0.0, FASTEST_DECAY)).default("0").doc("Decay rate."),
                Field::quantity("quality", NUMBER, above(0.0)).doc("Quality, ω/2σ."),
            ],
        )
        .exclusive(&["t60", "sigma", "quality"])
    });
    &INFO
}

fn read(fields: &Fields<'_>) -> Option<ObjectSpec> {
    let spec = match fields.text("preset") {
        Some(preset) if PRESETS.contains(&preset) => read_preset(fields, preset)?,
        Some(_) => return None,
        None => read_modes(fields)?,
    };
    Some(spec.into())
}

fn read_preset(fields: &Fields<'_>, preset: &str) -> Option<ModalSpec> {
    let missing =
        |key: &str| fields.context.report(Found::new(fields.span, format!("the preset `{preset}` needs `{key}`")));
    let (pitch, mass) = (fields.pitch("pitch"), fields.number("mass"));
    for (key, value) in [("pitch", pitch), ("mass", mass)] {
        if value.is_none() && fields.lacks(key) {
            missing(key);
        }
    }
    let (pitch, mass) = (pitch?, mass?);
    if fields.node("modes").is_some_and(|node| node.list().is_some()) {
        fields.report("modes", "a preset brings its own modes", "write how many, as in `modes = 20`");
        return None;
    }
    if preset == "three-mode-bar" {
        return Some(ModalSpec::three_mode_bar(pitch, fields.number_or("quality", 50.0), mass));
    }
    let count = fields.whole("modes").unwrap_or(20);
    let positions = match fields.node("points") {
        None => vec![0.5],
        Some(node) => node.list()?.iter().map(|node| fraction(fields, node)).collect::<Option<_>>()?,
    };
    if !has_room(fields, count, positions.len()) {
        return None;
    }
    let decay = decay_by_frequency(fields)?;
    let made = match preset {
        "string" => ModalSpec::string(pitch, fields.number_or("inharmonicity", 0.0), mass, count, &positions, decay),
        _ => ModalSpec::free_bar(pitch, mass, count, &positions, decay),
    };
    match made {
        Ok(spec) => Some(spec.below(0.49 * fields.context.rate)),
        Err(error) => {
            fields.report("points", format!("the modal object cannot be: {error}"), "");
            None
        }
    }
}

/// A position along a preset; one that is not from 0 to 1 has been reported.
fn fraction(fields: &Fields<'_>, node: &Node) -> Option<f64> {
    fields.quantity_of(node, "points", &FRACTION).filter(|position| (0.0..=1.0).contains(position))
}

/// The decay of a preset's mode by its frequency in Hz: one time, one quality, or a curve through times at some frequencies.
fn decay_by_frequency(fields: &Fields<'_>) -> Option<impl Fn(f64) -> Decay> {
    let single = fields.number("t60").map(Decay::T60).or_else(|| fields.number("quality").map(Decay::Quality));
    let curve = match decay_times(fields).map(|times| DecayCurve::new(&times)) {
        None => None,
        Some(Ok(curve)) => Some(curve),
        Some(Err(error)) => {
            refuse_loss(fields, "modal object", &error);
            return None;
        }
    };
    Some(move |frequency: f64| match (&curve, single) {
        (Some(curve), _) => Decay::Sigma(curve.sigma(frequency)),
        (None, Some(decay)) => decay,
        (None, None) => Decay::None,
    })
}

fn read_modes(fields: &Fields<'_>) -> Option<ModalSpec> {
    let note = fields.note();
    for key in ["pitch", "mass", "t60", "quality", "inharmonicity"] {
        if fields.has(key) && (key != "pitch" || note.is_none()) {
            let or = if key == "pitch" { " or, for a list of modes, a set" } else { "" };
            fields.report(key, format!("`{key}` needs a `preset`{or}"), "add a `preset`, or say it of each mode");
        }
    }
    let list = |key: &str| match fields.node(key).map(|node| (node, node.list())) {
        Some((_, Some(list))) => Some(list),
        Some((node, None)) => {
            fields.context.report(Found::new(node.span, format!("without a `preset`, `{key}` is a list")));
            None
        }
        None if !fields.lacks(key) => None,
        None => {
            let message = format!("a modal object without a `preset` needs `{key}`");
            fields
                .context
                .report(Found::new(fields.span, message).help("or choose a preset, such as `preset = \"free-bar\"`"));
            None
        }
    };
    let (modes, points) = (list("modes")?, list("points")?);
    if !has_room(fields, modes.len(), points.len()) {
        return None;
    }
    let mode = |node: &Node| {
        let fields = Fields::new(fields.context, mode_info(), node.table()?, node.span, fields.share);
        Some(ModeSpec { frequency: fields.number("frequency")?, decay: decay(&fields), mass: fields.number("mass")? })
    };
    let weights = |node: &Node| {
        let Some(list) = node.list().filter(|list| list.len() == modes.len()) else {
            let message = format!("a point needs a weight for each of the {} modes", modes.len());
            fields.context.report(Found::new(node.span, message));
            return None;
        };
        list.iter().map(|node| fields.quantity_of(node, "points", &NUMBER)).collect()
    };
    let modes_read: Option<Vec<_>> = modes.iter().map(mode).collect();
    let points_read: Option<Vec<_>> = points.iter().map(weights).collect();
    let spec = ModalSpec { modes: modes_read?, points: points_read? };
    match note {
        Some(note) => transposed(fields, spec, note),
        None => Some(spec),
    }
}

/// The same object with all frequencies in proportion, so that its lowest, or the one that is its `pitch`, is a note in Hz. Modes that come to lie
/// above 0.49 of the rate are left out.
fn transposed(fields: &Fields<'_>, mut spec: ModalSpec, note: f64) -> Option<ModalSpec> {
    let swinging = spec.modes.iter().map(|mode| mode.frequency).filter(|frequency| *frequency > 0.0);
    let Some(pitch) = fields.number("pitch").or_else(|| swinging.reduce(f64::min)) else {
        fields.report(
            "modes",
            "none of these modes oscillates, so none can follow the note of a set",
            "give one a `frequency`",
        );
        return None;
    };
    spec.modes.iter_mut().for_each(|mode| mode.frequency *= note / pitch);
    let highest = 0.49 * fields.context.rate;
    let spec = spec.below(highest);
    if spec.modes.iter().all(|mode| mode.frequency == 0.0) {
        let message = format!("at {note:.1} Hz no mode of it is below {highest} Hz, 0.49 of the rate");
        fields.report("modes", message, "leave out the highest notes, or raise the rate");
        return None;
    }
    Some(spec)
}

fn has_room(fields: &Fields<'_>, modes: usize, points: usize) -> bool {
    let fits = modes.saturating_mul(points) <= MOST_WEIGHTS && points <= 256;
    if !fits {
        let message = format!("{modes} modes at {points} points are too many");
        fields.report("points", message, format!("at most 256 points, and {MOST_WEIGHTS} weights in all"));
        return false;
    }
    fields.context.take_room(modes * (points + 3), fields.span)
}

fn write(mut rows: Rows<'static>, spec: &ObjectSpec) -> Result<Rows<'static>, WriteError> {
    let ObjectSpec::Modal(spec) = spec else { return Err(rows.unsayable("another kind of object")) };
    let mut modes = Vec::new();
    for mode in &spec.modes {
        let mut inner = Rows::new(mode_info(), &*rows.of);
        inner.number("frequency", mode.frequency)?;
        inner.number("mass", mode.mass)?;
        write_decay(&mut inner, mode.decay)?;
        modes.push(format!("  {},\n", inner.inline()));
    }
    rows.raw("modes", format!("[\n{}]", modes.concat()));
    let mut points = Vec::new();
    for weights in &spec.points {
        if !weights.iter().all(|weight| weight.abs() <= 1e6) {
            return Err(rows.unsayable("weights that are not numbers up to 1e6"));
        }
        let weights: Vec<String> = weights.iter().map(|weight| bare(*weight)).collect();
        points.push(format!("  [{}],\n", weights.join(", ")));
    }
    rows.raw("points", format!("[\n{}]", points.concat()));
    Ok(rows)
}

fn nature(spec: &ObjectSpec) -> Option<Nature> {
    let ObjectSpec::Modal(modal) = spec else { return None };
    let first = modal.modes.first()?;
    Some(Nature::new(spec, first.mass, first.frequency, 1e-3, Place::Point(0)))
}
