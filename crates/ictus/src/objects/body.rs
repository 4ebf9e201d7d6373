//! What the engine asks of an object.

use fearless_simd::Simd;

use super::{Accelerance, At, ObjectError, Place, Support, Use};

/// What the engine asks of an object.
///
/// Order of calls in one sample: `remember` (if an account is kept), `free_step`, any number of `read`s and `push`es and a `feel` between those that reach
/// each other's points, then (if an account is kept)
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

    /// Lets all points feel what was pushed, where that is put off until they are read again.
    fn feel<S: Simd>(&mut self, _simd: S)
    where
        Self: Sized,
    {
    }

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
