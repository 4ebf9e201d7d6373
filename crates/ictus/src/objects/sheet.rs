//! A sheet: the rectangular grid that membranes and plates share.
//!
//! ```text
//! ρH utt = T Δu - D ΔΔu - 2ρHσ0 ut + 2ρHσ1 (Δu)t,     c² = T/ρH,   κ² = D/ρH = EH²/(12ρ(1-ν²))
//! ```
//!
//! u = 0 on all four edges; a membrane has D = 0, a plate T = 0. `Δ` is the five-point Laplacian on cells of hx by hy, `ΔΔ` its square
//! (13 points), time is `δtt`, `δt·` for σ0 and `δt₋` for σ1: explicit and second order (PHYSICS section 5; the plate is
//! W19 (46), the bound W19 (47), here for unequal cells and with tension). The files below it each hold one part:
//! `grid` the bound and the layout, `tuning` the tension of a pitch, `decay` the losses of a T60, `stencil` the coefficients, `kernel` the step, `energy` the
//! balance, `patch` points between nodes.
//!
//! On a simply supported sheet the modes are sampled sines and the discrete frequencies are known in closed form:
//! with `β² = (4/hx²) sin²(mπ/2Nx) + (4/hy²) sin²(nπ/2Ny)`, `sin²(ωk/2) = k²(c²β² + κ²β⁴)/4`.

use fearless_simd::Simd;

use super::{At, Body, ObjectError, Place, Support, checked, quiet};

mod decay;
mod energy;
mod evenly;
mod grid;
mod kernel;
mod motion;
mod patch;
mod stencil;
#[cfg(test)]
mod tests;
mod tuning;

use grid::{Field, Grid};
use stencil::{Constants, Stencil};

pub(crate) use grid::Medium;
pub(crate) use stencil::Beyond;

/// What a sheet is built from; membrane.rs and plate.rs fill it in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    /// "membrane" or "plate", for messages.
    pub kind: &'static str,
    /// Lx and Ly in m.
    pub sides: [f64; 2],
    /// ρH in kg/m².
    pub surface_density: f64,
    /// c², κ², σ0, σ1.
    pub medium: Medium,
    /// What lies beyond the fixed edges.
    pub beyond: Beyond,
    /// Segments along the sides, or the finest stable grid.
    pub grid: Option<[usize; 2]>,
    /// Frequency in Hz of the lowest mode of a membrane on its grid; c² is then a first guess.
    pub fundamental: Option<f64>,
}

impl Material {
    /// The grid at a sample rate in Hz, the medium in tune on it, and the time step in s.
    fn lay(&self, rate: f64, most_points: usize) -> Result<(Grid, Medium, f64), ObjectError> {
        let Self { sides, medium, grid, fundamental, .. } = *self;
        let step = 1.0 / checked("rate", rate, "from 1 Hz to 1e9 Hz", |r| (1.0..=1e9).contains(&r))?;
        // Beyond this, nothing moves by more than a rounding error per sample and the constants lose their digits.
        checked("sigma0", medium.sigma0, "from 0 to 1000 times the rate", |s| s * step <= 1000.0)?;
        let (grid, medium) = match fundamental {
            Some(frequency) => tuning::tune(sides, &medium, frequency, step, grid, most_points)?,
            None => (Grid::new(sides, &medium, step, grid, most_points)?, medium),
        };
        Ok((grid, medium, step))
    }
}

/// A membrane or plate that moves.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    kind: &'static str,
    grid: Grid,
    constants: Constants,
    stencil: Stencil,
    /// Time step k in s.
    step: f64,
    /// M, the mass of a cell in kg.
    cell_mass: f64,
    /// B = k²/(M(1 + σ0k)), displacement over one step per newton on one node, in m/N.
    mobility: f64,
    previous: Field,
    now: Field,
    next: Field,
    /// The first two samples (previous, now), if it does not start flat and at rest.
    initial: Option<[Field; 2]>,
}

impl Sheet {
    /// A sheet flat and at rest, at a sample rate in Hz, of at most `most_points` moving points.
    pub fn new(material: &Material, rate: f64, most_points: usize) -> Result<Self, ObjectError> {
        let Material { kind, surface_density, beyond, .. } = *material;
        let (grid, medium, step) = material.lay(rate, most_points)?;
        let constants = Constants::new(&medium, &grid, beyond, step);
        let cell_mass = surface_density * grid.cell[0] * grid.cell[1];
        let mobility = step * step * constants.g() / cell_mass;
        let sensible = mobility.is_finite() && cell_mass.is_normal() && (cell_mass / (step * step)).is_finite();
        checked("surface density", surface_density, "such that a grid cell has a mass and answers a force", |_| {
            sensible
        })?;
        let field = || Field::zeros(grid.len());
        Ok(Self {
            kind,
            stencil: Stencil::new(&constants, &grid),
            grid,
            constants,
            step,
            cell_mass,
            mobility,
            previous: field(),
            now: field(),
            next: field(),
            initial: None,
        })
    }

    /// Starts from a given displacement in m, a function of the position as fractions of the sides; at rest half a sample before
    /// the first. Values on the edges are ignored.
    pub fn displace(&mut self, displacement: impl Fn(f64, f64) -> f64) {
        self.now = self.sampled(displacement);
        self.previous = Field::zeros(self.grid.len());
        self.previous.all_mut().copy_from_slice(self.now.all());
        self.remember_start();
    }

    /// Starts with a given velocity in m/s half a sample before the first, keeping the displacement.
    pub fn set_velocity(&mut self, velocity: impl Fn(f64, f64) -> f64) {
        let velocity = self.sampled(velocity);
        let values = self.now.all().iter().zip(velocity.all());
        for (previous, (now, velocity)) in self.previous.all_mut().iter_mut().zip(values) {
            *previous = now - self.step * velocity;
        }
        self.remember_start();
    }

    /// Points that move.
    #[cfg(test)]
    pub fn points(&self) -> usize {
        self.grid.points()
    }

    /// A function of the position on all nodes that move.
    fn sampled(&self, value: impl Fn(f64, f64) -> f64) -> Field {
        let mut field = Field::zeros(self.grid.len());
        let [nx, ny] = self.grid.segments;
        for x in 1..nx {
            for y in 1..ny {
                let [along, down] = self.grid.in_memory_order([x, y]);
                field.all_mut()[self.grid.index(along, down)] = value(x as f64 / nx as f64, y as f64 / ny as f64);
            }
        }
        field
    }

    fn remember_start(&mut self) {
        self.initial = Some([&self.previous, &self.now].map(|field| {
            let mut copy = Field::zeros(self.grid.len());
            copy.all_mut().copy_from_slice(field.all());
            copy
        }));
    }

    fn sample(&self, at: At) -> &[f64] {
        match at {
            At::Previous => self.previous.all(),
            At::Now => self.now.all(),
            At::Next => self.next.all(),
        }
    }

    /// M/k² in kg/s², the unit of the energies.
    fn energy_unit(&self) -> f64 {
        self.cell_mass / (self.step * self.step)
    }
}

fn no_such_place(kind: &'static str, place: Place) -> ObjectError {
    ObjectError::NoSuchPlace {
        place,
        kind,
        allowed: "a position on it is two fractions of its sides, each from 0 to 1",
    }
}

impl Body for Sheet {
    fn free_step<S: Simd>(&mut self, simd: S) {
        let Self { grid, stencil, now, previous, next, .. } = self;
        kernel::free_step(simd.level(), grid, stencil, now.all(), previous.all(), next.all_mut());
    }

    fn read(&self, support: &Support, at: At) -> f64 {
        let Support::Patch { first, stride, weights } = support else { return self.mean(support, at) };
        let sample = self.sample(at);
        let mut sum = 0.0;
        for (row, weights) in weights.iter().enumerate() {
            let nodes = &sample[first + row * stride..][..4];
            sum += (nodes[0] * weights[0] + nodes[1] * weights[1]) + (nodes[2] * weights[2] + nodes[3] * weights[3]);
        }
        sum
    }

    fn push(&mut self, support: &Support, force: f64) {
        let Support::Patch { first, stride, weights } = support else { return self.push_evenly(support, force) };
        let change = self.mobility * force;
        let next = self.next.all_mut();
        for (row, weights) in weights.iter().enumerate() {
            for (node, weight) in next[first + row * stride..][..4].iter_mut().zip(weights) {
                *node += change * weight;
            }
        }
    }

    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        match (here, there) {
            (
                Support::Patch { first: here_first, weights: here_weights, .. },
                Support::Patch { first: there_first, weights: there_weights, .. },
            ) => self.mobility * patch::overlap(&self.grid, (*here_first, here_weights), (*there_first, there_weights)),
            _ => self.even_admittance(here, there),
        }
    }

    fn dissipated_in_step(&self) -> f64 {
        self.energy_unit() * energy::dissipated(&self.grid, &self.constants, self.previous.all(), self.next.all())
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.previous, &mut self.now);
        std::mem::swap(&mut self.now, &mut self.next);
    }

    fn stored_energy(&self) -> f64 {
        self.energy_unit() * energy::stored(&self.grid, &self.constants, self.now.all(), self.previous.all())
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        if place == Place::Everywhere {
            return Ok(Support::Everywhere);
        }
        let factors = patch::factors_at(&self.grid, place).ok_or_else(|| no_such_place(self.kind, place))?;
        Ok(patch::support_of(&self.grid, factors))
    }

    fn reset(&mut self) {
        self.next.all_mut().fill(0.0);
        match &self.initial {
            Some([previous, now]) => {
                self.previous.all_mut().copy_from_slice(previous.all());
                self.now.all_mut().copy_from_slice(now.all());
            }
            None => {
                self.previous.all_mut().fill(0.0);
                self.now.all_mut().fill(0.0);
            }
        }
    }

    fn dimensions(&self) -> [usize; 2] {
        self.grid.segments.map(|n| n + 1)
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn shape(&self, out: &mut [f64]) {
        let [columns, rows] = self.dimensions();
        for (y, row) in out.chunks_mut(columns).take(rows).enumerate() {
            for (x, value) in row.iter_mut().enumerate() {
                let [along, down] = self.grid.in_memory_order([x, y]);
                *value = self.now.all()[self.grid.index(along, down)];
            }
        }
    }

    fn quieten(&mut self) {
        for field in [&mut self.previous, &mut self.now] {
            field.all_mut().iter_mut().for_each(|value| *value = quiet(*value));
        }
    }
}
