//! A model: everything that is in the room, as plain data in SI units.
//!
//! A model names objects, the interactions between their points, forces from outside, and the pickups that listen. It knows
//! nothing of time steps; [`Model::build`] turns it into an [`Engine`](crate::engine::Engine) that does.

use crate::contact::Rule;
use crate::laws::Law;
pub use crate::objects::ObjectSpec;
use crate::objects::{Place, Profile};
pub use crate::pickups::{PickupInfo, Source, Target};
pub use crate::roughness::Roughness;

/// Everything that moves, touches and is heard.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Model {
    /// Sample rate in Hz, > 0.
    pub rate: f64,
    /// Named objects.
    pub objects: Vec<Object>,
    /// Named interactions between them.
    pub interactions: Vec<Interaction>,
    /// Named forces from outside.
    pub forces: Vec<Force>,
    /// What is heard, in any number of channels.
    pub pickups: Vec<Pickup>,
    /// What a model may cost.
    pub limits: Limits,
}

impl Model {
    /// An empty room at this sample rate in Hz.
    pub fn new(rate: f64) -> Self {
        Self { rate, objects: vec![], interactions: vec![], forces: vec![], pickups: vec![], limits: Limits::default() }
    }

    /// Adds an object and returns the model, for building in one expression.
    pub fn with(mut self, name: &str, spec: impl Into<ObjectSpec>) -> Self {
        self.objects.push(Object { name: name.into(), spec: spec.into(), start: None });
        self
    }

    /// Lets the object added last start with a raised cosine instead of at rest.
    pub fn starting(mut self, start: Start) -> Self {
        if let Some(object) = self.objects.last_mut() {
            object.start = Some(start);
        }
        self
    }

    /// Adds an interaction.
    pub fn join(mut self, interaction: Interaction) -> Self {
        self.interactions.push(interaction);
        self
    }

    /// Adds a force from outside.
    pub fn drive(mut self, force: Force) -> Self {
        self.forces.push(force);
        self
    }

    /// Adds a pickup.
    pub fn listen(mut self, pickup: Pickup) -> Self {
        self.pickups.push(pickup);
        self
    }
}

/// Bounds that keep a slip of the pen from taking all memory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Most grid points of one object. Default 20 000.
    pub grid_points: usize,
    /// Most modes of a string, bar, membrane or plate, up to 4096. Default 4000.
    pub modes: usize,
    /// Most products of two modes and an Airy mode of a [von Kármán](crate::objects::Amplitude::VonKarman) plate, of which a quarter or less is
    /// not 0 and is kept. Default 2²⁴: 35 MB, and half a second to find them.
    pub products: usize,
    /// Most interactions, counting each point of a distributed one. Default 4096.
    pub interactions: usize,
    /// Most contact events remembered between two readings. Default 4096.
    pub contact_events: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { grid_points: 20_000, modes: 4000, products: 1 << 24, interactions: 4096, contact_events: 4096 }
    }
}

/// A named object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Object {
    /// Name, unique among the objects.
    pub name: String,
    /// What it is.
    pub spec: ObjectSpec,
    /// How a string, bar, membrane or plate starts, if not at rest.
    pub start: Option<Start>,
}

/// A raised cosine of displacement and velocity that an object starts with, and returns to when the engine is reset.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Start {
    /// Its centre.
    pub centre: Place,
    /// Its half-width as a fraction of the (first) side, above 0.
    pub half_width: f64,
    /// Displacement at the centre in m.
    pub displacement: f64,
    /// Velocity at the centre in m/s.
    pub velocity: f64,
}

/// A place on a named object.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Point {
    /// Name of the object.
    pub object: String,
    /// Where on it.
    pub place: Place,
}

impl Point {
    /// The whole of a lumped object.
    pub fn of(object: &str) -> Self {
        Self { object: object.into(), place: Place::Whole }
    }

    /// A place on an object.
    pub fn on(object: &str, place: Place) -> Self {
        Self { object: object.into(), place }
    }
}

/// Two points and what they do to each other.
///
/// The compression is `η = x_from - x_to - gap`, and on a rough surface `η = x_from - x_to - gap + height`: `from` comes from below, `to` is above it. A positive force pushes `from` down
/// and `to` up.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interaction {
    /// Name, unique among the interactions.
    pub name: String,
    /// The point below.
    pub from: Point,
    /// The point above.
    pub to: Point,
    /// Distance in m at which they touch when both displacements are 0.
    pub gap: f64,
    /// What acts between them.
    pub law: Law,
    /// Resistance in N s/m in parallel with the law, ≥ 0.
    pub damping: f64,
    /// How the engine chooses g.
    pub rule: Rule,
    /// Largest force in N the contact holds; beyond it, `from` slips off and the contact is off until it is set again.
    pub slips_at: Option<f64>,
    /// Whether it acts at the start.
    pub active: bool,
    /// For strings: one contact at each grid point instead of one at a point. The law's stiffness is then per metre of string.
    pub spread: Option<Spread>,
    /// For contacts at a point: a rough surface that travels through the contact, as in rolling and scraping. The gap becomes `gap -
    /// height(x)`: a bump presses the points together.
    pub roughness: Option<Roughness>,
}

/// How a contact is spread along a string or bar.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Spread {
    /// `from` is a barrier with this profile under the string `to`.
    Profile(Profile),
    /// Two strings of the same number of grid points, point against point.
    Neighbours,
}

impl Interaction {
    /// A contact of two points by a law, with the default rule.
    pub fn new(name: &str, from: Point, to: Point, law: impl Into<Law>) -> Self {
        Self {
            name: name.into(),
            from,
            to,
            gap: 0.0,
            law: law.into(),
            damping: 0.0,
            rule: Rule::default(),
            slips_at: None,
            active: true,
            spread: None,
            roughness: None,
        }
    }
}

/// A force from outside on a point, or on [all of a body](Place::Everywhere): [weight](Force::weight), a signal.
///
/// A constant force begins at the start: the step around it, half a sample before to half a sample after, feels half of it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Force {
    /// Name, unique among the forces.
    pub name: String,
    /// Where it acts.
    pub at: Point,
    /// Force in N, positive in the direction of positive displacement; with a signal, its factor.
    pub level: f64,
    /// Samples to play, if it is not constant. It starts when it is triggered, and ends with the last.
    pub signal: Option<Vec<f64>>,
}

/// Something that listens.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pickup {
    /// What is heard.
    pub source: Source,
    /// Gain of each output channel; as many as the model has channels.
    pub gains: Vec<f64>,
}
