//! One mass, one wall, every scheme, beside the exact result.
//!
//! A [`Question`] is checked into a [`Setup`]; each scheme of it is [`run`](Setup::run) into an [`Outcome`]. The [`Document`] tells all in SI
//! units, [`table`] in words, and a [`Track`] is what is drawn of a motion.

mod document;
pub mod reference;
mod setup;
pub mod table;
mod track;

use ictus::impact::{FailureKind, Run, Sample, Scheme};

pub use document::Document;
pub use setup::Setup;
pub use track::{Extent, Track};

/// An impact as it is asked for: numbers as texts, in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Mass in kg, above 0.
    pub mass: &'a str,
    /// Stiffness K of the wall in N/m^α, above 0.
    pub stiffness: &'a str,
    /// Exponent α of the wall's force, 1 or above.
    pub exponent: &'a str,
    /// Dissipation μ of the wall in s/m, 0 or above.
    pub dissipation: &'a str,
    /// Velocity at the start in m/s, positive towards the wall.
    pub velocity: &'a str,
    /// Sample rate in Hz, above 0.
    pub rate: &'a str,
    /// Schemes to run, or `all`.
    pub scheme: &'a [String],
    /// Start 2 + P samples of flight before the wall, 0 ≤ P < 1, instead of at the wall.
    pub phase: Option<&'a str>,
    /// Distance to the wall at the start in m, 0 or above.
    pub gap: &'a str,
    /// Gravity in m/s², positive towards the wall.
    pub gravity: &'a str,
    /// Time to run in s; until after the impact if none is given, with gravity for ten bounces.
    pub duration: Option<&'a str>,
    /// Parameter s of the quadratic scheme (D17), above 0.
    pub s: &'a str,
}

/// What a scheme made of the impact: the run without its samples.
pub struct Outcome {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// What was measured.
    pub run: Run,
    /// Whether there was a sample to measure on.
    pub started: bool,
}

impl Outcome {
    /// Why the run ended early, if it did.
    pub fn failure(&self) -> Option<String> {
        self.run.failure.map(|failure| match failure.kind {
            FailureKind::NotApplicable(reason) => format!("not applicable: {reason}"),
            _ => format!("failed: {failure}"),
        })
    }
}

impl Setup {
    /// What a scheme makes of the impact, and its samples.
    pub fn run(&self, scheme: &'static Scheme) -> (Outcome, Vec<Sample>) {
        let mut run = ictus::impact::run(scheme, &self.problem, &self.settings, self.samples);
        let samples = std::mem::take(&mut run.samples);
        (Outcome { scheme, run, started: !samples.is_empty() }, samples)
    }
}
