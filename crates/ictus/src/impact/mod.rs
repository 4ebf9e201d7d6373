//! The impact lab: one mass, one wall, every scheme.
//!
//! `m ẍ = -φ'(x) - R(x, ẋ) ẋ + m a`: a mass at displacement x (positive inside the wall, so x is the
//! compression) with a law of the wall and a constant acceleration a (gravity, positive towards the wall).
//! [`exact`] gives the closed results for a Hunt-Crossley wall; [`SCHEMES`] lists the ways to step it; [`run`]
//! steps one and measures what came out. A new scheme is one file here and one line in [`SCHEMES`]. [`strike`] puts modes
//! in the wall's place: A04's hammer and resonator.

mod am1;
mod centred;
pub mod exact;
mod heun;
mod measure;
mod one_step;
mod oscillators;
mod psi;
mod quadratic;
mod rk4;
pub mod short;
pub mod strike;
pub mod struck_string;
mod three_point;
mod two_point;
mod verlet;

use crate::contact::{Aiming, Rule};
use crate::laws::{ContactLaw, Law};
use exact::WallImpact;
use one_step::OneStep;

pub(crate) use psi::start as start_with_rule;

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

impl Problem {
    /// Whether the law already pushes at sample 0.
    fn acts_at_start(&self) -> bool {
        self.law.potential(self.displacement) > 0.0
    }

    /// The closed results for this wall and the problem's velocity, if the wall is one they exist for.
    pub fn exact(&self) -> Option<WallImpact> {
        let (stiffness, exponent, dissipation) = self.law.power_law()?;
        Some(WallImpact { mass: self.mass, stiffness, exponent, dissipation, velocity: self.velocity })
    }
}

/// Free parameters of schemes that have one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// D17's s: weight of the Taylor terms in the quadratic scheme, > 0.
    pub quadratic_s: f64,
    /// What the secant rule may use.
    pub secant: Aiming,
}

impl Default for Settings {
    fn default() -> Self {
        Self { quadratic_s: 1.0, secant: Aiming::default() }
    }
}

/// State of the mass at one sample, as the scheme sees it.
///
/// Displacement, velocity and force belong to the sample. So do the energies of one-step schemes; three-point and ψ schemes
/// give theirs half a sample after it, where their balance is exact.
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

/// A stepper ready at sample 0, or why this scheme cannot take the problem.
pub type Started = Result<Box<dyn Stepper>, FailureKind>;

/// One line of the registry.
#[derive(Clone, Copy)]
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
    pub start: fn(&Problem, &Settings) -> Started,
}

macro_rules! scheme {
    ($name:literal, $summary:literal, $order:literal, $kind:ident, $source:literal, $start:expr) => {
        Scheme {
            name: $name,
            summary: $summary,
            order: $order,
            implicit: is_implicit!($kind),
            source: $source,
            start: $start,
        }
    };
}

macro_rules! is_implicit {
    (implicit) => {
        true
    };
    (explicit) => {
        false
    };
}

/// The schemes for a mass and a wall that are no rule for g.
#[rustfmt::skip]
const OTHERS: &[Scheme] = &[
    scheme!("am1", "trapezoidal rule, K-method and Newton", 2, implicit, "P09 (20), A04", |p, _| Ok(OneStep::start(p, am1::advance))),
    scheme!("verlet", "velocity Verlet (first order when damped)", 2, explicit, "P09 (21)", |p, _| Ok(OneStep::start(p, verlet::advance))),
    scheme!("heun", "Euler predictor, trapezoidal corrector", 2, explicit, "P09 (22)", |p, _| Ok(OneStep::start(p, heun::advance))),
    scheme!("rk4", "fourth-order Runge-Kutta", 4, explicit, "P09 (23)", |p, _| Ok(OneStep::start(p, rk4::advance))),
    scheme!("am1+corrected", "am1, x clipped to x_max, released with v_out", 2, implicit, "P09 4.2", |p, _| OneStep::start_corrected(p, am1::advance)),
    scheme!("verlet+corrected", "verlet, x clipped to x_max, released with v_out", 2, explicit, "P09 4.2", |p, _| OneStep::start_corrected(p, verlet::advance)),
    scheme!("heun+corrected", "heun, x clipped to x_max, released with v_out", 2, explicit, "P09 4.2", |p, _| OneStep::start_corrected(p, heun::advance)),
    scheme!("rk4+corrected", "rk4, x clipped to x_max, released with v_out", 4, explicit, "P09 4.2", |p, _| OneStep::start_corrected(p, rk4::advance)),
    scheme!("three-point", "energy conserving, three samples, Newton", 2, implicit, "C14 (7), D17 (23)", three_point::start),
    scheme!("two-point", "energy conserving, position and momentum, Newton", 2, implicit, "C14 (8)", two_point::start),
    scheme!("three-point-exact", "three-point with the exact contact time of a linear wall", 2, implicit, "C14 (16)", three_point::start_exact),
    scheme!("two-point-exact", "two-point with the exact contact time of a linear wall", 2, implicit, "C14 (15)", two_point::start_exact),
    scheme!("quadratic", "Taylor potential, root of a quadratic (second order at --s 0.5)", 1, explicit, "D17 (16)-(19)", quadratic::start),
];

/// Every scheme for a mass and a wall, in the order they are listed: the rules for g come last.
pub static SCHEMES: &[Scheme] = &{
    let mut all = [OTHERS[0]; OTHERS.len() + Rule::SCHEMES.len()];
    let mut place = 1;
    while place < all.len() {
        all[place] = if place < OTHERS.len() { OTHERS[place] } else { Rule::SCHEMES[place - OTHERS.len()] };
        place += 1;
    }
    all
};

/// D17's benchmark oscillators: schemes for springs without a wall.
pub static OSCILLATORS: &[Scheme] = &[
    scheme!("harmonic", "explicit linear oscillator", 2, explicit, "D17 (22)", oscillators::start_harmonic),
    scheme!("cubic", "explicit cubic oscillator", 2, explicit, "D17 (25)", oscillators::start_cubic),
];

/// The scheme of that name, if there is one.
pub fn scheme(name: &str) -> Option<&'static Scheme> {
    SCHEMES.iter().find(|scheme| scheme.name == name)
}
