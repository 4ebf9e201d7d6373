//! A barrier: a surface that goes where it is told, whatever pushes it. A wall, a fret, a table, a bow.
//!
//! `u(t)` is prescribed: `u⁺ = u + k v`. Its admittance is 0, it stores and loses nothing; the work `f (u⁺ - u⁻)/2` of a
//! force on it is work done by whoever moves it (PHYSICS section 5).

use fearless_simd::Simd;

use super::{Accelerance, AnyBody, At, Body, Description, Extent, ObjectError, Place, Site, Support, checked};
use crate::limits;

/// A wall, fixed or moving.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BarrierSpec {
    /// Displacement of the surface at the start in m, at most 10 either way.
    pub height: f64,
    /// Velocity in m/s, at most 1e4 either way; 0 for a fixed barrier.
    pub velocity: f64,
}

/// How a barrier moves from here on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Motion {
    /// By this much in every step.
    Steady(f64),
    /// To a height, in so many equal steps; then it stands still.
    Glide { height: f64, steps: u32 },
}

/// Where a barrier is and where it is going.
#[derive(Clone, Copy, Debug)]
struct Course {
    motion: Motion,
    previous: f64,
    now: f64,
    next: f64,
}

/// A [`BarrierSpec`] built for one sample rate.
///
/// It feels nothing, so that what touches it on one side does not feel what touches it on the other: each cluster takes its turn
/// with the barrier from where it was at the start of the turn.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    start: BarrierSpec,
    step: f64,
    course: Course,
    /// Its course at the start of the turn, and whether any cluster has taken it along since.
    marked: Course,
    taken_along: bool,
}

impl Barrier {
    /// Sample rate in Hz.
    pub fn new(spec: &BarrierSpec, sample_rate: f64) -> Result<Self, ObjectError> {
        checked("sample rate", sample_rate, "from 0.001 to 1e9 Hz", |v| (1e-3..=1e9).contains(&v))?;
        limits::position("height", spec.height)?;
        limits::velocity("velocity", spec.velocity)?;
        let course = Course { motion: Motion::Steady(0.0), previous: 0.0, now: 0.0, next: 0.0 };
        let mut barrier = Self { start: *spec, step: 1.0 / sample_rate, course, marked: course, taken_along: false };
        barrier.reset();
        Ok(barrier)
    }

    /// Whether it is on its way somewhere.
    pub fn is_moving(&self) -> bool {
        self.course.motion != Motion::Steady(0.0)
    }

    /// Remembers its course, at the start of a turn.
    pub fn mark(&mut self) {
        self.marked = self.course;
        self.taken_along = false;
    }

    /// Moves on by the samples of a turn if all that could touch it stood still.
    pub fn catch_up(&mut self, samples: usize) {
        if !self.taken_along && self.is_moving() {
            for _ in 0..samples {
                self.next_step();
                self.advance();
            }
        }
    }

    fn next_step(&mut self) {
        let course = &mut self.course;
        course.next = match course.motion {
            Motion::Steady(step) => course.now + step,
            Motion::Glide { height, steps: 1 } => {
                course.motion = Motion::Steady(0.0);
                height
            }
            Motion::Glide { height, steps } => {
                course.motion = Motion::Glide { height, steps: steps - 1 };
                course.now + (height - course.now) / f64::from(steps)
            }
        };
    }

    /// Goes back to the start of the turn.
    pub fn rewind(&mut self) {
        self.course = self.marked;
    }

    /// Moves on at this velocity in m/s, from the next step.
    pub fn set_velocity(&mut self, velocity: f64) {
        self.course.motion = Motion::Steady(self.step * velocity);
    }

    /// Puts it at a height in m, moving on at a velocity in m/s: whatever was pressed against it must be let go first.
    pub fn place(&mut self, height: f64, velocity: f64) {
        let step = self.step * velocity;
        self.course.motion = Motion::Steady(step);
        (self.course.previous, self.course.now) = (height - step, height);
    }

    /// Goes to a height in m within the next step, and stays. Whatever it is pressed against feels the jump as a blow.
    pub fn set_height(&mut self, height: f64) {
        self.glide_to(height, 1);
    }

    /// Goes to a height in m at constant velocity in so many steps (at least 1), and stays.
    pub fn glide_to(&mut self, height: f64, steps: u32) {
        self.course.motion = Motion::Glide { height, steps: steps.max(1) };
    }
}

impl Body for Barrier {
    #[inline(always)]
    fn free_step<S: Simd>(&mut self, _simd: S) {
        self.taken_along = true;
        self.next_step();
    }

    #[inline]
    fn read(&self, _support: &Support, at: At) -> f64 {
        match at {
            At::Previous => self.course.previous,
            At::Now => self.course.now,
            At::Next => self.course.next,
        }
    }

    fn accelerance(&self, _support: &Support) -> Option<Accelerance> {
        Some(Accelerance::default())
    }

    #[inline]
    fn prescribed_step(&self) -> f64 {
        self.course.next - self.course.previous
    }

    #[inline]
    fn push(&mut self, _support: &Support, _force: f64) {}

    #[inline]
    fn admittance(&self, _here: &Support, _there: &Support) -> f64 {
        0.0
    }

    #[inline]
    fn dissipated_in_step(&self) -> f64 {
        0.0
    }

    #[inline]
    fn advance(&mut self) {
        self.course.previous = self.course.now;
        self.course.now = self.course.next;
    }

    #[inline]
    fn stored_energy(&self) -> f64 {
        0.0
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        match place {
            Place::Whole => Ok(Support::Whole),
            _ => Err(ObjectError::NoSuchPlace { place, kind: "barrier", allowed: "it is touched as a whole" }),
        }
    }

    fn reset(&mut self) {
        let move_per_step = self.step * self.start.velocity;
        let height = self.start.height;
        self.course = Course {
            motion: Motion::Steady(move_per_step),
            previous: height - move_per_step,
            now: height,
            next: height,
        };
    }

    fn kind(&self) -> &'static str {
        "barrier"
    }

    fn shape(&self, out: &mut [f64]) {
        if let Some(out) = out.first_mut() {
            *out = self.read(&Support::Whole, At::Now);
        }
    }

    fn quieten(&mut self) {}
}
impl Description for BarrierSpec {
    const KIND: &'static str = "barrier";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        Ok(Barrier::new(self, site.rate)?.into())
    }

    fn mass(&self) -> Option<f64> {
        None
    }

    fn is_held(&self) -> bool {
        true
    }

    fn extent(&self) -> Extent {
        Extent::Whole
    }
}
