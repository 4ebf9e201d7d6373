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
mod bar;
mod barrier;
mod bodies;
mod description;
mod lanes;
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

use description::object_specs;
use fearless_simd::Simd;

pub(crate) use accelerance::Accelerance;
pub use bar::{BarPitch, BarSpec, Section};
pub(crate) use barrier::Barrier;
pub use barrier::BarrierSpec;
pub(crate) use bodies::{AnyBody, Bodies, BodyId, Terminal};
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

object_specs!(
    Mass(MassSpec),
    Modal(ModalSpec),
    String(StringSpec),
    Bar(BarSpec),
    Membrane(MembraneSpec),
    Plate(PlateSpec),
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
}

/// What the engine asks of an object.
///
/// Order of calls in one sample: `remember` (if an account is kept), `free_step`, any number of `read`s and `push`es, then (if an account is kept)
/// `dissipated_in_step`, then `advance`. None of these allocates, locks or panics.
pub(crate) trait Body {
    /// Keeps what `dissipated_in_step` and the previous sample are asked for after the free step, where that takes their place.
    fn remember(&mut self) {}

    /// Opens the books of an object that finds by itself, as it steps, what it loses; before some samples in a row.
    fn open_books(&mut self) {}

    /// Closes them after those samples, and returns in J what was lost in all.
    fn close_books(&mut self) -> f64 {
        0.0
    }

    /// Writes the free step u* into the next sample. The token says which vector instructions there are; whoever calls it is
    /// compiled with them.
    fn free_step<S: Simd>(&mut self, simd: S)
    where
        Self: Sized;

    /// The free step by a level that is known at run time.
    #[cfg(test)]
    fn free_step_at(&mut self, level: fearless_simd::Level)
    where
        Self: Sized,
    {
        fearless_simd::dispatch!(level, simd => self.free_step(simd))
    }

    /// Displacement of a point in m.
    fn read(&self, support: &Support, at: At) -> f64;

    /// Lets a force (N, in the direction of positive displacement) act on the next sample: `u⁺ += B J f`.
    fn push(&mut self, support: &Support, force: f64);

    /// Displacement in m over one step at `here` per newton at `there`: `Jᵀ B J`; symmetric.
    fn admittance(&self, here: &Support, there: &Support) -> f64;

    /// How an attached point gives way to a force that lasts; `None` where that is not known.
    fn accelerance(&self, _support: &Support) -> Option<Accelerance> {
        None
    }

    /// How far from 0 a point can get, in m, within so many samples, with an energy in J; infinite where that is not known.
    fn reach(&self, _support: &Support, _energy: f64, _samples: u64) -> f64 {
        f64::INFINITY
    }

    /// The largest displacement of a point from where it rests, in m, and the largest move in a sample that an energy in J can bring about, ever.
    fn excursion(&self, _support: &Support, energy: f64) -> [f64; 2] {
        if energy == 0.0 { [0.0; 2] } else { [f64::INFINITY; 2] }
    }

    /// The same by the energy that it has, left to itself.
    fn ringing(&self, support: &Support) -> [f64; 2] {
        self.excursion(support, self.stored_energy())
    }

    /// A bound in J of the energy it would give up on its way to where the forces of the last step hold it; infinite where that is not known.
    fn unrest(&self) -> f64 {
        if self.stored_energy() == 0.0 { 0.0 } else { f64::INFINITY }
    }

    /// Energy dissipated by the step from the previous to the next sample, in J; if the previous one was [remembered](Self::remember).
    /// Nothing for one that keeps books.
    fn dissipated_in_step(&self) -> f64 {
        0.0
    }

    /// Makes the next sample current.
    fn advance(&mut self);

    /// Stored energy in J at the half sample before the current one; asked between steps.
    fn stored_energy(&self) -> f64;

    /// The support of a place, or what is wrong with it.
    fn support(&self, place: Place) -> Result<Support, ObjectError>;

    /// Makes room for so many points to be attached.
    fn expect(&mut self, _points: usize) {}

    /// Tells it that a point will be heard or pushed in every sample while it is followed; returns the support to do so by. Takes memory.
    fn attach(&mut self, support: &Support, _use: Use, _followed: bool) -> Support {
        *support
    }

    /// Tells it that an attached point is heard or pushed in every sample from here on, or no longer.
    fn follow(&mut self, _support: &Support, _follow: bool) {}

    /// Moves an attached point to another place on it; returns its support there.
    fn move_point(&mut self, _support: &Support, place: Place) -> Result<Support, ObjectError> {
        self.support(place)
    }

    /// Puts the object back to how it was built.
    fn reset(&mut self);

    /// How far it moves from the previous to the next sample, in m, if it goes where it is told; else 0.
    #[inline]
    fn prescribed_step(&self) -> f64 {
        0.0
    }

    /// What it is, in a word.
    fn kind(&self) -> &'static str;

    /// Points along its two sides, for drawing; 1 by 1 for lumped objects.
    fn dimensions(&self) -> [usize; 2] {
        [1, 1]
    }

    /// Writes the current displacement in m of its points, the first side fastest, as many as `out` holds.
    fn shape(&self, out: &mut [f64]);

    /// Sets displacements below [`SILENCE`] to 0, before they become numbers that processors are slow with.
    fn quieten(&mut self);
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
