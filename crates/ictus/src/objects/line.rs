//! The one-dimensional grid under strings and bars.
//!
//! ```text
//! ρA utt = T uxx - EI uxxxx - 2ρAσ0 ut + 2ρAσ1 utxx                                        (W19 (62a) as corrected)
//! (1 + σ0k) v⁺ = (1 - σ0k) v + λ² δxx u - μ² δxxxx u + s (δxx u - δxx u⁻),     u⁺ = u + v⁺
//! v = u - u⁻,   λ² = c²k²/h²,   μ² = κ²k²/h⁴,   s = 2σ1k/h²,   c² = T/ρA,   κ² = EI/ρA       (δ in units of h)
//! ```
//!
//! This is the three-point scheme with `δt·` for σ0 and `δt₋δxx` for σ1, carried by the steps v beside the samples u.
//! The usual u⁺ = c0 u + c1 (…) + c2 (…) + d0 u⁻ + d1 (…) is the same in exact arithmetic, but rounds every sample at
//! the size of u, which in a low note is a hundred times that of v: over 10 s at 48 kHz its energy wanders by 1e-12 to
//! 3e-12 (strings of 50 and 100 Hz, bar of 100 Hz), that of the form above by 3e-14 to 1.3e-13. It costs no more.
//! What remains grows with u itself: a bar that flies away from its blow loses digits as it goes, so
//! hang it on springs.
//!
//! [`grid`] chooses N and the coefficients, [`tuning`] the tension or stiffness of a pitch, [`decay`] the losses of a T60, [`pieces`] lays the nodes out in memory, [`edges`]
//! holds the ends, [`kernel`] steps the nodes between them and [`energy`] keeps the account.

use super::lanes::Lanes;
use super::{At, Body, ObjectError, Place, Support, checked};
use fearless_simd::Simd;

mod decay;
pub(crate) mod edges;
mod energy;
mod evenly;
pub(crate) mod grid;
mod handling;
mod kernel;
mod pieces;
#[cfg(test)]
mod tests;
pub(crate) mod tuning;

pub use edges::End;
use edges::FreeEnd;
use grid::Grid;
pub(crate) use grid::LineSpec;
use kernel::Stencil;
use pieces::{Pieces, Row, Slot, row_and_lane};
use tuning::Pitch;

/// A string or bar on its grid.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    rows: Vec<Row>,
    /// u⁻ in m of the rows while there is a next sample, where an account is kept.
    previous: Vec<Lanes>,
    pieces: Pieces,
    /// Which of the two samples is current, 0 or 1. The other is the previous, or the next if there is one.
    current: usize,
    /// Whether there is a next sample, and v is already that of it.
    stepped: bool,
    stencil: Stencil,
    free_end: FreeEnd,
    grid: Grid,
    /// The pitch of a string, for bending it.
    pitch: Option<Pitch>,
    /// How the object is built: displacement, then step v, of all nodes.
    initial: Option<Box<[f64]>>,
    kind: &'static str,
}

impl Line {
    /// The line of a description at a sample rate in Hz, at rest, with no more grid points than the limit.
    pub(crate) fn build(spec: &LineSpec, rate: f64, most_points: usize) -> Result<Self, ObjectError> {
        let (grid, pitch) = Grid::new(spec, rate, most_points)?;
        let stencil = Stencil::new(&grid);
        let pieces = grid.pieces();
        let rows = vec![Row::default(); pieces.rows()];
        let previous = vec![Lanes::default(); pieces.rows()];
        let free_end = FreeEnd::new(&grid);
        let (current, stepped, initial) = (0, false, None);
        let kind = spec.kind;
        Ok(Self { rows, previous, pieces, current, stepped, stencil, free_end, grid, pitch, initial, kind })
    }

    /// Number of grid points, both ends included.
    pub(crate) fn points(&self) -> usize {
        self.grid.segments + 1
    }

    /// The grid: spacing and coefficients.
    #[cfg(test)]
    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Starts the line from rest in a shape: displacement in m over the position as a fraction of the length.
    ///
    /// Supported ends stay where they are. Also what [`Body::reset`] returns to. Allocates.
    pub(crate) fn displace(&mut self, shape: impl Fn(f64) -> f64) -> Result<(), ObjectError> {
        self.set_initial(0, "initial displacement", shape)
    }

    /// Starts the line with a velocity in m/s over the position as a fraction of the length.
    ///
    /// It is the velocity of the half sample before the first. Also what [`Body::reset`] returns to. Allocates.
    pub(crate) fn set_velocity(&mut self, velocity: impl Fn(f64) -> f64) -> Result<(), ObjectError> {
        let time_step = self.grid.time_step;
        self.set_initial(self.points(), "initial velocity", |fraction| time_step * velocity(fraction))
    }

    fn set_initial(
        &mut self,
        offset: usize,
        parameter: &'static str,
        value: impl Fn(f64) -> f64,
    ) -> Result<(), ObjectError> {
        let points = self.points();
        let mut initial = self.initial.clone().unwrap_or_else(|| vec![0.0; 2 * points].into_boxed_slice());
        for (node, slot) in initial[offset..offset + points].iter_mut().enumerate() {
            let value = checked(parameter, value(node as f64 / self.grid.segments as f64), "finite", |_| true)?;
            *slot = if self.grid.is_fixed(node) { 0.0 } else { value };
        }
        self.initial = Some(initial);
        self.reset();
        Ok(())
    }

    /// The sample that is not current. (What is indexed by it needs no check: it is 0 or 1 to the compiler too.)
    #[inline(always)]
    fn other(&self) -> usize {
        (self.current & 1) ^ 1
    }

    /// Displacement of a node in m.
    #[inline(always)]
    fn displacement(&self, slot: Slot, at: At) -> f64 {
        let (row, lane) = row_and_lane(slot);
        let sample = match at {
            At::Now => &self.rows[row].samples[self.current & 1],
            At::Previous if self.stepped => &self.previous[row],
            At::Previous | At::Next => &self.rows[row].samples[self.other()],
        };
        sample.0[lane]
    }

    /// Nodes 0 to N of a sample.
    fn nodes(&self, at: At) -> impl Iterator<Item = f64> + '_ {
        self.pieces.slots().map(move |slot| self.displacement(slot, at))
    }
}

impl Body for Line {
    fn remember(&mut self) {
        let other = self.other();
        self.previous.iter_mut().zip(&self.rows).for_each(|(previous, row)| *previous = row.samples[other]);
    }

    #[inline(always)]
    fn free_step<S: Simd>(&mut self, simd: S) {
        let Self { rows, stencil, free_end, grid, current: now, .. } = self;
        let mut stepped_ends = None;
        if grid.ends.contains(&End::Free) {
            stepped_ends = Some(free_end.step(rows, *now));
        }
        kernel::step(simd, stencil, rows, *now);
        if let Some(stepped_ends) = stepped_ends {
            free_end.write(grid.ends, stepped_ends, rows, *now);
        }
        self.stepped = true;
    }

    #[inline(always)]
    fn read(&self, support: &Support, at: At) -> f64 {
        let Support::Line { slots, weights, .. } = support else { return self.mean(support, at) };
        let node = |offset: usize| weights[offset] * self.displacement(slots[offset], at);
        (node(0) + node(1)) + (node(2) + node(3))
    }

    #[inline(always)]
    fn push(&mut self, support: &Support, force: f64) {
        let Support::Line { slots, pushes, .. } = support else { return self.push_evenly(support, force) };
        let next = self.other();
        for (slot, push) in slots.iter().zip(pushes) {
            let (row, lane) = row_and_lane(*slot);
            let row = &mut self.rows[row];
            row.samples[next].0[lane] += push * force;
            row.step.0[lane] += push * force;
        }
    }

    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        let (&Support::Line { first, weights, .. }, &Support::Line { first: other, weights: other_weights, .. }) =
            (here, there)
        else {
            return self.even_admittance(here, there);
        };
        let overlap = first.max(other)..(first.min(other) + 4);
        overlap.map(|node| weights[node - first] * other_weights[node - other] * self.grid.mobility_of(node)).sum()
    }

    fn dissipated_in_step(&self) -> f64 {
        energy::dissipated(&self.grid, &self.pieces, &self.previous, &self.rows, self.other())
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.current = self.other();
        self.stepped = false;
    }

    fn stored_energy(&self) -> f64 {
        let now = self.nodes(At::Now);
        if self.stepped {
            let step = self.nodes(At::Now).zip(self.nodes(At::Previous)).map(|(now, previous)| now - previous);
            energy::stored(&self.grid, now.zip(step))
        } else {
            let step = self.pieces.slots().map(|slot| {
                let (row, lane) = row_and_lane(slot);
                self.rows[row].step.0[lane]
            });
            energy::stored(&self.grid, now.zip(step))
        }
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        let no_such_place =
            ObjectError::NoSuchPlace { place, kind: self.kind, allowed: "a fraction of its length from 0 to 1" };
        match place {
            Place::Along(fraction) if (0.0..=1.0).contains(&fraction) => Ok(self.grid.support(fraction)),
            Place::Everywhere => Ok(Support::Everywhere),
            _ => Err(no_such_place),
        }
    }

    fn reset(&mut self) {
        self.rows.fill(Row::default());
        self.previous.fill(Lanes::default());
        self.current = 0;
        self.stepped = false;
        let Some(initial) = self.initial.take() else { return };
        let points = self.points();
        for node in 0..points {
            let (displacement, step) = (initial[node], initial[points + node]);
            let (row, lane) = row_and_lane(self.pieces.slot(node));
            let Row { samples: [now, previous], step: steps, .. } = &mut self.rows[row];
            (now.0[lane], previous.0[lane], steps.0[lane]) = (displacement, displacement - step, step);
        }
        self.initial = Some(initial);
        self.refresh_bend();
    }

    fn dimensions(&self) -> [usize; 2] {
        [self.points(), 1]
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn shape(&self, out: &mut [f64]) {
        out.iter_mut().zip(self.nodes(At::Now)).for_each(|(out, displacement)| *out = displacement);
    }

    fn quieten(&mut self) {
        self.quieten_nodes();
    }
}
