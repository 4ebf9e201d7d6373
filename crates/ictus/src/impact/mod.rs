//! The impact lab: one mass, one wall, every scheme.
//!
//! `m ẍ = -φ'(x) - R(x, ẋ) ẋ + m a`: a mass at displacement x (positive inside the wall, so x is the
//! compression) with a law of the wall and a constant acceleration a (gravity, positive towards the wall).
//! [`exact`] gives the closed results for a Hunt-Crossley wall; [`SCHEMES`] lists the ways to step it; [`run`]
//! steps one and measures what came out. A new scheme is one file here and one line in [`SCHEMES`].

mod am1;
mod corrected;
pub mod exact;
mod heun;
mod measure;
mod psi;
mod quadratic;
mod rk4;
mod three_point;
mod two_point;
mod verlet;

use crate::laws::Law;

pub use measure::{Contact, Run, run};

/// One mass in front of one wall, in SI units: plain data, already checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// Mass in kg.
    pub mass: f64,
    /// The wall's law; its compression is the mass's displacement.
    pub law: Law,
    /// Constant acceleration in m/s², positive towards the wall.
    pub acceleration: f64,
    /// Displacement at sample 0 in m; negative is outside the wall.
    pub displacement: f64,
    /// Velocity at sample 0 in m/s; positive is towards the wall.
    pub velocity: f64,
    /// Sample rate in Hz.
    pub rate: f64,
}

/// Free parameters of schemes that have one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// D17's s: weight of the Taylor terms in the quadratic scheme, > 0.
    pub quadratic_s: f64,
    /// c² of the secant rule, dimensionless, > 0: how far the predictor is trusted when the step is short.
    pub secant_c2: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { quadratic_s: 1.0, secant_c2: 0.25 }
    }
}

/// State of the mass at one sample, as the scheme sees it.
///
/// One-step schemes give velocity and energy at the sample; three-point and ψ schemes give them half a
/// sample before it, where their energy is defined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Displacement in m; positive inside the wall.
    pub displacement: f64,
    /// Velocity in m/s; positive into the wall.
    pub velocity: f64,
    /// Force of the wall on the mass in N; positive pushes out.
    pub force: f64,
    /// Kinetic energy in J.
    pub kinetic: f64,
    /// Energy stored in the contact in J.
    pub potential: f64,
    /// Newton iterations spent on this sample; 0 for explicit schemes.
    pub iterations: u32,
}

/// Why a scheme could not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FailureKind {
    /// The quadratic scheme's discriminant is negative.
    #[error("no real root")]
    ComplexRoot,
    /// The implicit equation was not solved within the iteration limit.
    #[error("no convergence")]
    NoConvergence,
    /// A value overflowed or is not a number.
    #[error("not finite")]
    NotFinite,
    /// The scheme does not exist for this problem.
    #[error("{0}")]
    NotApplicable(&'static str),
}

/// A scheme's failure and the sample it happened at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at sample {sample}")]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// Sample number, counted from the start of the run.
    pub sample: usize,
}

/// A scheme set up on one problem: steps from sample to sample.
pub trait Stepper {
    /// The sample the stepper stands at; before the first [`Stepper::step`], sample 0.
    fn sample(&self) -> Sample;

    /// Advances by one sample.
    fn step(&mut self) -> Result<(), FailureKind>;

    /// Energy dissipated since sample 0 in J, for schemes whose discrete balance is exact.
    fn dissipated(&self) -> Option<f64> {
        None
    }

    /// Work supplied by the constant acceleration since sample 0 in J, in the scheme's own discrete balance.
    fn supplied(&self) -> f64 {
        0.0
    }
}

/// One line of the registry.
pub struct Scheme {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Order of accuracy while the contact is smooth.
    pub order: u32,
    /// Whether each step iterates on an implicit equation.
    pub implicit: bool,
    /// Source and equation number.
    pub source: &'static str,
    /// Sets the scheme up on a problem.
    pub start: fn(&Problem, &Settings) -> Result<Box<dyn Stepper>, FailureKind>,
}

/// Every scheme, in the order they are listed.
pub static SCHEMES: &[Scheme] = &[];

/// The scheme of that name, if there is one.
pub fn scheme(name: &str) -> Option<&'static Scheme> {
    SCHEMES.iter().find(|scheme| scheme.name == name)
}
