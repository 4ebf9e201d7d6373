//! Things that move: each one file, with its equation, stability bound, energy and tests.
//!
//! Every object is linear and steps in three-point form. In the mass matrix M, stiffness matrix K and loss matrices of
//! its grid or modes,
//!
//! ```text
//! M δtt u = -K u - 2M σ0 δt·u - 2σ1 L δt₋u + J f
//! ```
//!
//! with L the (weighted, positive) Laplacian where there is one. What the engine needs of it is the free step u* (f = 0) and
//! the admittance of its points; it never looks inside. An object never sees a law. All balances are exact:
//!
//! - stored energy at the half sample before the current one:
//!   `½ δt₋uᵀ M δt₋u + ½ uᵀ K u⁻ - ½ σ1 k δt₋uᵀ L δt₋u`,
//! - dissipated in one step: `k (2σ0 δt·uᵀ M δt·u + 2σ1 δt·uᵀ L δt·u)`,
//! - work of a force f at a point: `f (η⁺ - η⁻)/2`, η the displacement of the point.

mod accelerance;
mod amplitude;
mod bar;
mod barrier;
mod bodies;
mod body;
mod description;
pub(crate) mod lanes;
mod line;
mod loss;
#[cfg(test)]
mod lumped_tests;
mod mass;
mod material;
mod membrane;
mod method;
mod modal;
mod modes;
mod plate;
mod poles;
mod profile;
mod ringing;
mod sheet;
mod slope;
mod string;
mod tube;

use description::object_specs;

pub(crate) use accelerance::Accelerance;
pub use amplitude::Amplitude;
pub use bar::{BarPitch, BarSpec, Section};
pub(crate) use barrier::Barrier;
pub use barrier::BarrierSpec;
pub(crate) use bodies::{AnyBody, Bodies, BodyId, Terminal};
pub(crate) use body::Body;
pub(crate) use description::Description;
pub use description::Extent;
pub use line::End;
pub(crate) use line::Line;
pub use loss::{Decay, DecayCurve, Loss, LossFactor, T60At, t60_from_sigma, wave_number_squared};
pub(crate) use mass::Mass;
pub use mass::MassSpec;
pub use material::{MATERIALS, Material, material};
pub use membrane::{MembraneSpec, SurfaceDensity, Tension};
pub(crate) use method::Site;
pub use method::{Method, Outline};
pub(crate) use modal::Modal;
pub use modal::{BodyMode, ModalSpec, ModeSpec, free_bar_fundamental};
pub use plate::{Grain, PlateEdges, PlateSpec};
pub use profile::{Profile, ProfilePoint};
pub(crate) use sheet::Sheet;
pub use string::{StringMass, StringPitch, StringSpec};
pub use tube::{TubeEnd, TubePitch, TubeSpec};

object_specs!(
    Mass(MassSpec),
    Modal(ModalSpec),
    String(StringSpec),
    Bar(BarSpec),
    Membrane(MembraneSpec),
    Plate(PlateSpec),
    Tube(TubeSpec),
    Barrier(BarrierSpec),
);

/// Which of three samples of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// u⁻, the sample before the current one. After the free step only if it was [remembered](Body::remember).
    Previous,
    /// u, the current sample.
    Now,
    /// u⁺: the free step after [`Body::free_step`], the full step once all forces are pushed.
    Next,
}

/// Where on an object something touches or listens.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Place {
    /// The whole of a lumped object: mass, oscillator, barrier.
    Whole,
    /// A position along a string or bar, as a fraction of its length from 0 to 1.
    Along(f64),
    /// A position on a membrane or plate, as fractions of its two sides, each from 0 to 1.
    On(f64, f64),
    /// A numbered point of a modal object, counted from 0.
    Point(usize),
    /// All of a body, every part by its mass: its centre of mass. A force here is a uniform load, as weight is. A modal object has it if one of
    /// its modes of 0 Hz moves all its points alike; a barrier has none.
    Everywhere,
}

/// A place worked out for one object: which degrees of freedom, with which weights I (they interpolate, Σ I = 1 on grids).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Support {
    /// The only degree of freedom.
    Whole,
    /// Four neighbours in a row, from node `first` on, and where they lie in memory; `pushes` is B I, the displacement of each over one
    /// step per newton at the point.
    Line { first: usize, slots: [usize; 4], weights: [f64; 4], pushes: [f64; 4] },
    /// Four by four neighbours: row r holds indices `first + r * stride ..`.
    Patch { first: usize, stride: usize, weights: [[f64; 4]; 4] },
    /// A place on an object in its modes that is only looked at while a model is built.
    Seen(Place),
    /// A point of an object in its modes, by number.
    Modes { point: usize },
    /// All nodes of a grid, by their mass.
    Everywhere,
}

/// What a point is attached for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// To be touched: pushed, and read by contacts.
    Touch,
    /// To be heard by its displacement.
    Displacement,
    /// To be heard by its velocity `(u⁺ - u⁻)/2k`.
    Velocity,
    /// To be heard by its acceleration `(u⁺ - 2u + u⁻)/k²`.
    Acceleration,
}

/// Least spacing of the grids of strings, bars, membranes and plates, over the stability bound.
///
/// On the bound the waves of the highest frequency, which alternate from sample to sample, stand still: what a contact pushes into
/// them stays under it. A flexible string on a hard flat barrier then does not converge to anything, whatever the rate
/// (`tests/flat_barrier.rs`); half a percent above the bound it converges as k². Whoever asks for a number of segments may have it up to
/// the bound itself.
pub(crate) const GRID_MARGIN: f64 = 1.005;

/// Displacement, in m or in the units in which an object keeps it, below which it is at rest: far below a quantum of anything, far above the
/// smallest number.
pub(crate) const SILENCE: f64 = 1e-200;

/// 0 for what is below [`SILENCE`].
#[inline]
pub(crate) fn quiet(displacement: f64) -> f64 {
    if displacement.abs() < SILENCE { 0.0 } else { displacement }
}

/// What is wrong with the description of an object.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// A parameter is out of its range.
    #[error("{parameter} is {}, must be {allowed}", crate::math::Plain(*.value))]
    OutOfRange {
        /// Name of the parameter.
        parameter: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed, in words.
        allowed: &'static str,
    },
    /// A place that this kind of object does not have.
    #[error("{place:?} is not a place on a {kind}: {allowed}")]
    NoSuchPlace {
        /// The place asked for.
        place: Place,
        /// The kind of object.
        kind: &'static str,
        /// What is allowed, in words.
        allowed: &'static str,
    },
    /// The grid spacing asked for is below the stability bound.
    #[error("a grid of {points} points is too fine at this rate: the stability bound allows {most}")]
    Unstable {
        /// Points asked for.
        points: usize,
        /// Most points allowed.
        most: usize,
    },
    /// The grid would need more points than the limit.
    #[error("needs {points} grid points at this rate; the limit is {limit}")]
    TooLarge {
        /// Points needed.
        points: usize,
        /// The limit in force.
        limit: usize,
    },
    /// A body that cannot swing far as it is described.
    #[error("amplitude is {amplitude}, which takes {needs}")]
    Amplitude {
        /// The amplitude asked for.
        amplitude: Amplitude,
        /// What it takes, in words.
        needs: &'static str,
    },
    /// A plate with more Airy modes than modes.
    #[error("has {airy_modes} Airy modes, and only {modes} modes: ask for fewer Airy modes, or raise `highest`")]
    TooManyAiryModes {
        /// Airy modes asked for.
        airy_modes: usize,
        /// Modes there are.
        modes: usize,
    },
    /// A plate whose modes have too many products.
    #[error(
        "{modes} modes and {airy_modes} Airy modes have {products} products; the limit is {limit}: lower `highest`, or ask for fewer Airy modes"
    )]
    TooManyProducts {
        /// Modes there are.
        modes: usize,
        /// Airy modes asked for.
        airy_modes: usize,
        /// Products there would be.
        products: usize,
        /// The limit in force.
        limit: usize,
    },
    /// No mode lies in the band.
    #[error("has no mode below {} Hz: make it larger or softer, or raise `highest`", crate::math::Plain(*.highest))]
    NoModes {
        /// Highest frequency of the band in Hz.
        highest: f64,
    },
    /// The grid would have too few points to be the object.
    #[error(
        "has only {points} grid points at this rate, needs at least {least}: raise the rate or make it larger or softer"
    )]
    TooSmall {
        /// Points there would be.
        points: usize,
        /// Least points needed.
        least: usize,
    },
    /// More modes lie below the highest frequency than are allowed.
    #[error(
        "has {modes} modes below {highest} Hz; the limit is {limit}: lower `highest`, or make it smaller or thicker"
    )]
    TooManyModes {
        /// Modes there would be.
        modes: usize,
        /// The highest frequency asked for, in Hz.
        highest: f64,
        /// The limit in force.
        limit: usize,
    },
}

/// Highest frequency, in parts of the sample rate, of what moves smoothly from sample to sample.
pub(crate) const SMOOTHEST: f64 = 0.1;

/// Checks that a parameter is finite and passes a test.
pub(crate) fn checked(
    parameter: &'static str,
    value: f64,
    allowed: &'static str,
    is_allowed: impl Fn(f64) -> bool,
) -> Result<f64, ObjectError> {
    if value.is_finite() && is_allowed(value) {
        Ok(value)
    } else {
        Err(ObjectError::OutOfRange { parameter, value, allowed })
    }
}
