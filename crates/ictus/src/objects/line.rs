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
//! 3e-12 (strings of 50 and 100 Hz, bar of 100 Hz), that of the form above by 3e-14 to 1.3e-13. It costs no more: both
//! wait for loads. What remains grows with u itself: a bar that flies away from its blow loses digits as it goes, so
//! hang it on springs.
//!
//! [`grid`] chooses N and the coefficients, [`tuning`] the tension or stiffness of a pitch, [`edges`] holds the ends, [`kernel`]
//! steps the nodes between them and [`energy`] keeps the account.

use super::{At, Body, ObjectError, Place, Support, checked};
use fearless_simd::Simd;

pub(crate) mod edges;
mod energy;
pub(crate) mod grid;
mod handling;
mod kernel;
#[cfg(test)]
mod tests;
pub(crate) mod tuning;

pub use edges::End;
use edges::FreeEnd;
use grid::Grid;
pub(crate) use grid::LineSpec;
use kernel::{LANES, Stencil};
use tuning::Pitch;

/// Where node 0 lies in a buffer: node 1 starts a cache line.
const NODE_0: usize = LANES - 1;

/// Rows of memory: three samples in rotation and the step v; one more with σ1.
const SAMPLES: usize = 3;

/// A string or bar on its grid.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// One allocation, in rows of `stride`: three samples in rotation, v, and with σ1 the bend -δxx u⁻.
    memory: Vec<f64>,
    /// First element used: starts a cache line.
    origin: usize,
    stride: usize,
    /// Which of the three sample rows is current; the next one comes after it, the previous one before.
    current: usize,
    /// Whether v is already that of the next sample.
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
        let stride = LANES * (2 + stencil.blocks());
        let rows = SAMPLES + 1 + usize::from(stencil.has_bend());
        let memory = vec![0.0; stride * rows + LANES];
        // A row that straddles cache lines is slower, never wrong.
        let origin = memory.as_ptr().align_offset(LANES * size_of::<f64>());
        let origin = if origin < LANES { origin } else { 0 };
        let free_end = FreeEnd::new(&grid);
        let (current, stepped, initial) = (0, false, None);
        Ok(Self { memory, origin, stride, current, stepped, stencil, free_end, grid, pitch, initial, kind: spec.kind })
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

    /// Row of memory of a sample.
    #[inline(always)]
    fn row(&self, at: At) -> usize {
        // By sample and current row; there is no fourth, but no bound to check either.
        const ROWS: [[usize; 4]; 3] = [[2, 0, 1, 0], [0, 1, 2, 0], [1, 2, 0, 0]];
        ROWS[at as usize][self.current & 3]
    }

    /// Nodes 0 to N of a sample.
    #[inline(always)]
    fn sample(&self, at: At) -> &[f64] {
        self.nodes_of_row(self.row(at))
    }

    #[inline(always)]
    fn nodes_of_row(&self, row: usize) -> &[f64] {
        let first = self.origin + row * self.stride + NODE_0;
        &self.memory[first..first + self.points()]
    }
}

/// The rows of memory by role; `bend` is empty without σ1.
struct Rows<'a> {
    previous: &'a mut [f64],
    now: &'a mut [f64],
    next: &'a mut [f64],
    step: &'a mut [f64],
    bend: &'a mut [f64],
}

impl<'a> Rows<'a> {
    /// Splits a line's memory, from its origin on.
    #[inline(always)]
    fn split(memory: &'a mut [f64], stride: usize, current: usize, has_bend: bool) -> Self {
        let (first, rest) = memory.split_at_mut(stride);
        let (second, rest) = rest.split_at_mut(stride);
        let (third, rest) = rest.split_at_mut(stride);
        let (step, bend) = rest.split_at_mut(stride);
        let bend = if has_bend { &mut bend[..stride] } else { &mut [] };
        let (previous, now, next) = match current {
            0 => (third, first, second),
            1 => (first, second, third),
            _ => (second, third, first),
        };
        Self { previous, now, next, step, bend }
    }
}

impl Body for Line {
    #[inline(always)]
    fn free_step<S: Simd>(&mut self, simd: S) {
        let Self { stencil, free_end, grid, .. } = self;
        let (ends, last) = (grid.ends, NODE_0 + grid.segments);
        let Rows { now, next, step, bend, .. } =
            Rows::split(&mut self.memory[self.origin..], self.stride, self.current, stencil.has_bend());
        let mut stepped_ends = None;
        if ends.contains(&End::Free) {
            stepped_ends = Some(FreeEnd::nodes(last).map(|nodes| free_end.step(nodes, now, step, bend)));
        }
        kernel::step(simd, stencil, now, next, step, bend);
        if let Some(stepped_ends) = stepped_ends {
            FreeEnd::write(ends, last, stepped_ends, now, next, step, bend);
        }
        self.stepped = true;
    }

    #[inline]
    fn read(&self, support: &Support, at: At) -> f64 {
        let Support::Line { first, weights, .. } = support else { return 0.0 };
        let nodes = &self.sample(at)[*first..*first + 4];
        (weights[0] * nodes[0] + weights[1] * nodes[1]) + (weights[2] * nodes[2] + weights[3] * nodes[3])
    }

    #[inline]
    fn push(&mut self, support: &Support, force: f64) {
        let Support::Line { first, ref pushes, .. } = *support else { return };
        for row in [self.row(At::Next), SAMPLES] {
            let start = self.origin + row * self.stride + NODE_0 + first;
            for (value, push) in self.memory[start..start + 4].iter_mut().zip(pushes) {
                *value += push * force;
            }
        }
    }

    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        let (&Support::Line { first, weights, .. }, &Support::Line { first: other, weights: other_weights, .. }) =
            (here, there)
        else {
            return 0.0;
        };
        let overlap = first.max(other)..(first.min(other) + 4);
        overlap.map(|node| weights[node - first] * other_weights[node - other] * self.grid.mobility_of(node)).sum()
    }

    fn dissipated_in_step(&self) -> f64 {
        energy::dissipated(&self.grid, self.sample(At::Previous), self.sample(At::Next))
    }

    #[inline]
    fn advance(&mut self) {
        self.current = self.row(At::Next);
        self.stepped = false;
    }

    fn stored_energy(&self) -> f64 {
        let (now, previous) = (self.sample(At::Now), self.sample(At::Previous));
        if self.stepped {
            energy::stored(&self.grid, now, |node| now[node] - previous[node])
        } else {
            let step = self.nodes_of_row(SAMPLES);
            energy::stored(&self.grid, now, |node| step[node])
        }
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        let no_such_place =
            ObjectError::NoSuchPlace { place, kind: self.kind, allowed: "a fraction of its length from 0 to 1" };
        match place {
            Place::Along(fraction) if (0.0..=1.0).contains(&fraction) => Ok(self.grid.support(fraction)),
            _ => Err(no_such_place),
        }
    }

    fn reset(&mut self) {
        self.memory.fill(0.0);
        self.current = 0;
        self.stepped = false;
        let Some(initial) = self.initial.take() else { return };
        let points = self.points();
        let rows = Rows::split(&mut self.memory[self.origin..], self.stride, self.current, self.stencil.has_bend());
        for node in 0..points {
            let (displacement, step) = (initial[node], initial[points + node]);
            rows.now[NODE_0 + node] = displacement;
            rows.step[NODE_0 + node] = step;
            rows.previous[NODE_0 + node] = displacement - step;
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
        out.iter_mut().zip(self.sample(At::Now)).for_each(|(out, displacement)| *out = *displacement);
    }

    fn quieten(&mut self) {
        self.quieten_nodes();
    }
}
