//! What a page is told of an instrument: what there is to draw, to play and to turn.

use ictus::contact::Rule;
use serde::Serialize;

/// The energy account in short.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Whether losses of objects are booked, so that there is a residual.
    pub kept: bool,
    /// What does not close, relative to the energy that went through.
    pub residual: f64,
    /// Energy stored in everything, in J.
    pub stored: f64,
    /// How often it went beyond what numbers can hold and was put back to rest.
    pub breakdowns: u64,
}

/// What an instrument consists of.
#[derive(Clone, Debug, Serialize)]
pub struct Description {
    /// Name of the scene in the list.
    pub scene: String,
    /// Number of this instrument on its connection, which its states carry too; set by whoever plays it.
    pub generation: u16,
    /// What it is called.
    pub title: String,
    /// Its physics in a few sentences.
    pub about: String,
    /// Sample rate in Hz.
    pub rate: f64,
    /// Objects in the order of their states.
    pub objects: Vec<ObjectDescription>,
    /// Contacts in the order of their states.
    pub contacts: Vec<ContactDescription>,
    /// The rules that a contact can be computed by, in the order of their age.
    pub rules: Vec<RuleDescription>,
    /// Controls in the order of their states.
    pub controls: Vec<ControlDescription>,
    /// Lowest and highest key of the keyboard, if it has one.
    pub keys: Option<[u8; 2]>,
    /// The keys that sound unlike each other, from the lowest. Empty where there is a keyboard on which all keys sound alike.
    pub notes: Vec<u8>,
    /// Whether it has a signal `input`, which sound from outside drives.
    pub hears: bool,
    /// Whether a string can be bent: elsewhere nothing follows a pitch wheel.
    pub bends: bool,
    /// Length of the scene's own score in s; 0 if it has none.
    pub score: f64,
}

/// A rule to choose.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RuleDescription {
    /// Its name, as in scenes.
    pub name: &'static str,
    /// Whether it looks half a step ahead, as the published rules do not.
    pub aims: bool,
    /// Whether contacts have it if nothing else is said.
    pub usual: bool,
}

impl From<Rule> for RuleDescription {
    fn from(rule: Rule) -> Self {
        Self { name: rule.info().name, aims: rule.info().aims, usual: rule == Rule::default() }
    }
}

/// An object to draw.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectDescription {
    /// Its name.
    pub name: String,
    /// `string`, `bar`, `membrane`, `plate`, `mass`, `modal` or `barrier`.
    pub kind: &'static str,
    /// Its outline; none for what has no extent.
    pub shape: Option<Shape>,
    /// How it is held: a line at its ends 0 and 1; a rectangle at the ends of its first side, then at those of its second; a circle on its rim.
    pub edges: Vec<Held>,
    /// Points along its two sides that a state holds, at even fractions from 0 to 1. Those of a circle fill the square around it; a point off the
    /// circle moves as the nearest point of the rim.
    pub points: [usize; 2],
    /// Its sides in m, of a circle those of the square around it; 0 where it has none.
    pub sides: [f64; 2],
    /// Height in m that a hand can reasonably pull it to.
    pub reach: f64,
    /// Frequency in Hz of the lowest mode, where it is known.
    pub pitch: Option<f64>,
    /// Force in N of a bow that suits it.
    pub bow_force: f64,
    /// Whether hands can play it.
    pub playable: bool,
    /// Whether it is a part of one of the scene's own hammers, plectra or bows.
    pub tool: bool,
}

/// The outline of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A string or bar.
    Line,
    /// A membrane or plate with two sides.
    Rectangle,
    /// A membrane or plate with a diameter.
    Circle,
}

/// How an end or an edge is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Held {
    /// Not at all: it swings.
    Free,
    /// In place and in direction.
    Clamped,
    /// In place, free to turn.
    Supported,
}

/// A contact to draw and to turn.
#[derive(Clone, Debug, Serialize)]
pub struct ContactDescription {
    /// Its name.
    pub name: String,
    /// The point below.
    pub from: PointDescription,
    /// The point above.
    pub to: PointDescription,
    /// Name of its law.
    pub law: &'static str,
    /// Parameters of its law.
    pub parameters: Vec<ParameterDescription>,
    /// Resistance in N s/m beside the law.
    pub damping: f64,
    /// Path by which it is set; of all contacts of a set together. None if it is not live.
    pub damping_path: Option<String>,
    /// Gap in m.
    pub gap: f64,
    /// How it is computed.
    pub rule: Rule,
    /// Whether it is spread along a string.
    pub spread: bool,
    /// Whether it acts at the start.
    pub active: bool,
}

/// A place on an object.
#[derive(Clone, Debug, Serialize)]
pub struct PointDescription {
    /// Place of the object in the list.
    pub object: usize,
    /// Fractions of the sides, or the number of a point; empty for the whole.
    pub at: Vec<f64>,
}

/// A parameter of a law.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterDescription {
    /// Its name.
    pub name: &'static str,
    /// Its symbol.
    pub symbol: &'static str,
    /// Its unit; `1` for a pure number.
    pub unit: &'static str,
    /// Its value at the start.
    pub value: f64,
    /// Smallest value allowed.
    pub least: f64,
    /// Path by which it is set; of all contacts of a set together. None if it is not live.
    pub path: Option<String>,
}

/// A knob.
#[derive(Clone, Debug, Serialize)]
pub struct ControlDescription {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Lowest and highest value.
    pub range: [f64; 2],
    /// Where it stands.
    pub value: f64,
    /// Whether equal turns are equal ratios.
    pub logarithmic: bool,
    /// The MIDI controller that turns it.
    pub midi: Option<u8>,
}
