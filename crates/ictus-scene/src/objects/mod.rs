//! Objects in scenes: one file for each kind, with its keys, how they become a description and are written back, and what is said of it; one line in [`OBJECTS`].

mod bar;
mod barrier;
mod mass;
mod membrane;
mod modal;
mod plate;
mod string;
mod tube;

pub(crate) use modal::mode_info;

use std::sync::LazyLock;

use ictus::limits::{FARTHEST, FASTEST};
use ictus::model::{ObjectSpec, Start};
use ictus::objects::{Amplitude, End, Loss, LossFactor, Material, Method, ObjectError, Outline, Place, T60At};

use crate::instrument::Nature;
use crate::read::Fields;
use crate::read::physics::speak;
use crate::registry::field::{Bounds, above, above_to, between};
use crate::registry::{Field, Kind, TableInfo};
use crate::tree::Node;
use crate::units::{DECAY_RATE, DIFFUSION, FRACTION, FREQUENCY, LENGTH, NUMBER, VELOCITY};
use crate::write::{Rows, WriteError};

/// A kind of object.
pub struct ObjectKind {
    /// Name in scenes; that of its description.
    pub name: &'static str,
    /// By how many fractions a place on it is told: 1 along it, 2 over it, 0 where it is one point or has points of its own.
    pub(crate) sides: usize,
    /// Its keys.
    pub(crate) table: fn() -> TableInfo,
    /// From the keys to the description; what is wrong is reported.
    pub(crate) read: fn(&Fields<'_>) -> Option<ObjectSpec>,
    /// From the description to the keys. Given another kind's description it is not asked.
    pub(crate) write: fn(Rows<'static>, &ObjectSpec) -> Result<Rows<'static>, WriteError>,
    /// Whether a description is one in modes, whose decays can all be changed at once.
    pub(crate) is_in_modes: fn(&ObjectSpec) -> bool,
    /// What a hand feels of it; `None` for what cannot be played.
    pub(crate) nature: fn(&ObjectSpec) -> Option<Nature>,
    /// What is said of it.
    pub(crate) words: Words,
}

/// What is said of a kind of object.
pub(crate) struct Words {
    /// One of them with its size, as one would say it.
    pub(crate) described: fn(&ObjectSpec) -> String,
    /// What would have fewer modes.
    pub(crate) fewer_modes: &'static str,
    /// The frequency in Hz below which it has `few` modes, if it has `many` below `highest`.
    pub(crate) frequency_of: fn(&ObjectSpec, Crowd) -> f64,
    /// What would need fewer grid points.
    pub(crate) coarser: &'static str,
    /// What would have more grid points.
    pub(crate) finer: &'static str,
    /// The key of its grid.
    pub(crate) grid: &'static str,
    /// How it is held against a fall, before other ways; or nothing.
    pub(crate) hold: &'static str,
    /// Why it has no weight, and what to do, given its name.
    pub(crate) weightless: fn(&str) -> (String, &'static str),
}

/// How many modes a body has below a frequency, and how many it may have.
#[derive(Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) few: f64,
    pub(crate) many: f64,
    /// In Hz.
    pub(crate) highest: f64,
}

/// What is said of an object that has neither a grid nor many modes.
const LUMPED: Words = Words {
    described: |spec| format!("a {}", spec.kind()),
    fewer_modes: "fewer modes",
    frequency_of: |_, crowd| crowd.highest * crowd.few / crowd.many,
    coarser: "use fewer modes or points",
    finer: "use more modes or points",
    grid: "grid",
    hold: "",
    weightless: |name| (format!("`{name}` is too heavy or too light to be weighed"), "look at its size and density"),
};

/// Every kind of object.
pub const OBJECTS: &[ObjectKind] =
    &[mass::KIND, modal::KIND, string::KIND, bar::KIND, membrane::KIND, plate::KIND, tube::KIND, barrier::KIND];

/// The kind of a description.
pub(crate) fn kind_of(spec: &ObjectSpec) -> Option<&'static ObjectKind> {
    OBJECTS.iter().find(|kind| kind.name == spec.kind())
}

/// What is said of a kind by its name.
pub(crate) fn words_of(kind: &str) -> &'static Words {
    OBJECTS.iter().find(|known| known.name == kind).map_or(&LUMPED, |known| &known.words)
}

/// The keys of loss that strings, bars, membranes and plates share.
fn loss_fields(sigma0: &'static str, sigma1: &'static str) -> [Field; 5] {
    [
        Field::new("t60", Kind::t60())
            .doc("Time in which the sound falls by 60 dB: one for all frequencies, or up to 64 of [frequency, time]; straight lines between them on logarithmic axes, flat beyond."),
        Field::quantity("sigma0", DECAY_RATE, between(0.0, 1e6))
            .default(sigma0)
            .doc("Decay rate of all frequencies alike; T60 is 6.91 divided by it."),
        Field::quantity("sigma1", DIFFUSION, between(0.0, 1e4))
            .default(sigma1)
            .doc("Loss that grows with frequency; dulls the sound as it dies."),
        Field::new("loss_factor", Kind::Either(vec![Kind::Quantity(NUMBER, between(0.0, 1.0)), Kind::two(Kind::Quantity(NUMBER, between(-1.0, 1.0)))]))
            .doc("Loss factor of what it is made of, instead of the material's: at 1 kHz, or [at 1 kHz, exponent of the frequency]."),
        Field::new("lossless", Kind::Truth).default("false").doc("It rings for ever."),
    ]
}

/// Keys of which only one may stand: the ways to say a loss.
fn one_loss(table: TableInfo) -> TableInfo {
    table.exclusive(&["t60", "sigma0", "loss_factor", "lossless"]).exclusive(&[
        "t60",
        "sigma1",
        "loss_factor",
        "lossless",
    ])
}

/// The loss that a table asks for. Without any of its keys it is that of the material, if one is named, and else `usual`.
fn loss(fields: &Fields<'_>, material: Option<&Material>, usual: &Loss) -> Loss {
    if let Some(seconds) = fields.number("t60") {
        return Loss::t60(seconds);
    }
    if let Some(times) = decay_times(fields) {
        return Loss::T60(times);
    }
    if fields.truth("lossless") == Some(true) {
        return Loss::None;
    }
    if let Some(factor) = fields.number("loss_factor") {
        return Loss::Material(LossFactor::constant(factor));
    }
    if let Some([at_1_khz, exponent]) = fields.pair("loss_factor") {
        return Loss::Material(LossFactor { at_1_khz, exponent });
    }
    match (usual, material) {
        (Loss::Sigma { sigma0, sigma1 }, _) if fields.has("sigma0") || fields.has("sigma1") => {
            Loss::sigma(fields.number_or("sigma0", *sigma0), fields.number_or("sigma1", *sigma1))
        }
        (_, Some(material)) => Loss::Material(material.loss_factor),
        (usual, None) => usual.clone(),
    }
}

/// Decay times at some frequencies.
fn decay_times(fields: &Fields<'_>) -> Option<Vec<T60At>> {
    use crate::units::{FREQUENCY, TIME};
    let at = |row: &Node| {
        let row = row.list()?;
        let frequency = fields.quantity_of(row.first()?, "t60", &FREQUENCY)?;
        Some(T60At { frequency, seconds: fields.quantity_of(row.get(1)?, "t60", &TIME)? })
    };
    fields.node("t60")?.list()?.iter().map(at).collect()
}

/// What physics says against an object's loss, at the key that asked for it.
fn refuse_loss(fields: &Fields<'_>, kind: &'static str, error: &ObjectError) {
    if fields.is_faulty() {
        return;
    }
    let key = if fields.has("t60") { "t60" } else { "sigma0" };
    fields.context.report(speak(error, kind, fields.span_of(key), fields.context.rate));
}

const END_NAMES: &[&str] = &["supported", "clamped", "free"];

fn ends_field(default: &'static str) -> Field {
    Field::new("ends", Kind::Either(vec![Kind::Choice(END_NAMES), Kind::two(Kind::Choice(END_NAMES))]))
        .default(default)
        .doc("How the ends are held, both alike or one by one: `supported`, `clamped` or `free`.")
}

/// How an end or an edge is held, by its name.
fn end(name: &str) -> End {
    match name {
        "clamped" => End::Clamped,
        "free" => End::Free,
        _ => End::SimplySupported,
    }
}

/// What Poisson's ratio can be.
fn poisson() -> Bounds {
    Bounds { least: -1.0, above: true, most: 0.5, below: true }
}

fn ends(fields: &Fields<'_>, default: [End; 2]) -> [End; 2] {
    match fields.texts("ends")[..] {
        [(both, _)] => [end(both); 2],
        [(first, _), (second, _)] => [end(first), end(second)],
        _ => default,
    }
}

fn segments_field() -> Field {
    Field::new("segments", Kind::Whole(3, 1_000_000))
        .default("as many as are stable")
        .doc("With `method = \"grid\"`: segments of the grid. Fewer are cheaper and duller.")
}

fn grid_field() -> Field {
    Field::new("grid", Kind::two(Kind::Whole(4, 100_000)))
        .default("the finest that is stable")
        .doc("With `method = \"grid\"`: segments along the two sides. Fewer are cheaper and duller.")
}

/// The keys of how a body is computed.
fn method_fields() -> [Field; 2] {
    [
        Field::choice("method", &["modes", "grid"]).default("\"modes\"").doc(
            "In its exact modes: every partial in tune at any rate. On a grid high partials are flat, but contacts all along it are cheap.",
        ),
        Field::quantity("highest", FREQUENCY, above(0.0))
            .default("20 kHz")
            .doc("Highest frequency of the modes, at most 0.45 of the rate. Fewer are cheaper and duller."),
    ]
}

/// How a body is computed, and the highest frequency in Hz of its modes. Keys that do not go with it are reported.
fn method(fields: &Fields<'_>, of_modes: &[&str], of_grid: &str) -> (Method, Option<f64>) {
    let method = if fields.text("method") == Some("grid") { Method::Grid } else { Method::Modes };
    if fields.is_faulty() {
        return (method, fields.number("highest"));
    }
    if method == Method::Modes && fields.has(of_grid) {
        let help = format!("add `method = \"grid\"`, or leave `{of_grid}` out: a body in modes has no grid");
        fields.report(of_grid, format!("`{of_grid}` needs `method = \"grid\"`"), help);
    }
    for key in of_modes.iter().chain(&["highest"]).filter(|key| method == Method::Grid && fields.has(key)) {
        let help = format!("leave `method` out, or `{key}`");
        fields.report(key, format!("`{key}` is for objects in modes, and this one is on a grid"), help);
    }
    (method, fields.number("highest"))
}

/// How far a string, membrane or plate may swing.
fn amplitude_field(names: &'static [&'static str], large: &'static str) -> Field {
    Field::choice("amplitude", names).default("\"small\"").doc(large)
}

/// How far it may swing, by von Kármán with so many Airy modes. Large amplitudes on a grid are reported.
fn amplitude(fields: &Fields<'_>, method: Method, airy_modes: Option<usize>) -> Amplitude {
    let amplitude = match fields.text("amplitude") {
        Some("large") => Amplitude::Large,
        Some("von-karman") => Amplitude::VonKarman { airy_modes },
        _ => return Amplitude::Small,
    };
    if method == Method::Grid && !fields.is_faulty() {
        let message = format!("`amplitude = \"{amplitude}\"` is for objects in modes, and this one is on a grid");
        fields.report("amplitude", message, "leave `method` out, or `amplitude`");
    }
    amplitude
}

/// The keys of the outline of a membrane or plate.
fn outline_fields(sides: &'static str) -> [Field; 3] {
    [
        Field::choice("shape", &["rectangle", "circle"]).default("\"rectangle\"").doc("Its outline."),
        Field::new("sides", Kind::pair(LENGTH, above(0.0))).default(sides).doc("The two sides of a rectangle."),
        Field::quantity("diameter", LENGTH, above(0.0))
            .doc("The diameter of a circle. A place on it is two fractions of the square around it."),
    ]
}

/// The outline of a membrane or plate.
fn outline(fields: &Fields<'_>, usual: Outline) -> Option<Outline> {
    let is_circle = match fields.text("shape") {
        Some("circle") => true,
        Some("rectangle") => false,
        None if !fields.has("shape") => false,
        // That this is no shape has been reported.
        _ => return None,
    };
    let (other, message, help) = if is_circle {
        ("sides", "a circle has no `sides`", "give its `diameter`")
    } else {
        ("diameter", "a rectangle has no `diameter`", "give its `sides`, or write `shape = \"circle\"`")
    };
    if fields.has(other) {
        fields.report(other, message, help);
        return None;
    }
    if !is_circle {
        return Some(fields.pair("sides").map_or(usual, Outline::Rectangle));
    }
    if fields.lacks("diameter") {
        fields.report("shape", "a circle needs a `diameter`", "add `diameter = \"40 cm\"`");
    }
    fields.number("diameter").map(Outline::Circle)
}

fn grid(fields: &Fields<'_>) -> Option<[usize; 2]> {
    let list = fields.node("grid")?.list()?;
    let side = |index: usize| usize::try_from(fields.whole_of(list.get(index)?, "grid", (0, i64::MAX))?).ok();
    Some([side(0)?, side(1)?])
}

fn start_field() -> Field {
    Field::new("start", Kind::Table(start_info)).doc("How it starts, if not at rest.")
}

pub(crate) fn start_info() -> &'static TableInfo {
    static INFO: LazyLock<TableInfo> = LazyLock::new(|| {
        let at = || Kind::Quantity(FRACTION, between(0.0, 1.0));
        TableInfo::new(
            "a start",
            "A raised cosine of displacement and velocity.",
            vec![
                Field::new("at", Kind::Either(vec![at(), Kind::two(at())]))
                    .required()
                    .doc("Its centre, as fractions of the length or of the two sides."),
                Field::quantity("width", FRACTION, above_to(0.0, 1.0))
                    .default("0.1")
                    .doc("Its half-width as a fraction of the (first) side."),
                Field::quantity("displacement", LENGTH, between(-FARTHEST, FARTHEST))
                    .default("0")
                    .doc("Displacement at the centre."),
                Field::quantity("velocity", VELOCITY, between(-FASTEST, FASTEST))
                    .default("0")
                    .doc("Velocity at the centre."),
            ],
        )
    });
    &INFO
}

/// How an object starts, if the table says so.
pub(crate) fn start(fields: &Fields<'_>) -> Option<Start> {
    let start = fields.nested("start")?;
    let centre = match (start.number("at"), start.pair("at")) {
        (Some(along), _) => Place::Along(along),
        (None, Some([x, y])) => Place::On(x, y),
        _ => return None,
    };
    Some(Start {
        centre,
        half_width: start.number_or("width", 0.1),
        displacement: start.number_or("displacement", 0.0),
        velocity: start.number_or("velocity", 0.0),
    })
}

fn radius_fields(default: &'static str) -> [Field; 2] {
    [
        Field::quantity("radius", LENGTH, above(0.0))
            .default(default)
            .doc("Radius. Stiffness grows with its fourth power."),
        Field::quantity("diameter", LENGTH, above(0.0)).doc("Twice the radius."),
    ]
}

fn radius(fields: &Fields<'_>) -> Option<f64> {
    fields.number("radius").or_else(|| Some(0.5 * fields.number("diameter")?))
}
