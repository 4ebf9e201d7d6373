//! Rectangular membranes and plates in their exact modes: drum heads, sheets of metal, soundboards.
//!
//! ```text
//! membrane, fixed edges:  σ utt = T Δu
//! plate (Kirchhoff):     ρh utt = -(D1 uxxxx + 2(D12 + 2 D66) uxxyy + D2 uyyyy)
//! ```
//!
//! The membrane, and the plate supported on all edges, move in sines ([`lattice`]):
//!
//! ```text
//! φ = 2 sin(mπx/a) sin(nπy/b),     ω² = T/σ (U + V)     or     (D1 U² + 2(D12 + 2 D66) U V + D2 V²)/ρh,     U = (mπ/a)²,  V = (nπ/b)²
//! ```
//!
//! Plates with other edges are solved when they are built ([`super::ritz`]). Shapes have the mean square 1, so every modal mass is the mass of the
//! body. Source: Leissa, Vibration of Plates, NASA SP-160 (1969), chapters 4 and 9.
//!
//! Rejected: plates with D12 + 2 D66 below 0. No material in sight has it, and U would no longer fall where V grows.

mod lattice;
mod products;
#[cfg(test)]
mod tests;

use super::ritz::Ritz;
use super::{Curvatures, Mode, Shapes};
use crate::objects::{ObjectError, checked};
pub(super) use lattice::{Dispersion, Ladder};
use lattice::{Lattice, MOST_MODES};
use products::Products;

/// How a plate is held on one edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Edge {
    /// Not at all.
    #[default]
    Free,
    /// Held in place, free to turn: u = 0.
    Supported,
    /// Held in place and in direction: u = 0 and no slope.
    Clamped,
}

impl Edge {
    /// How many conditions it sets to the shape.
    pub(super) fn conditions(self) -> usize {
        match self {
            Self::Free => 0,
            Self::Supported => 1,
            Self::Clamped => 2,
        }
    }
}

/// Bending stiffnesses of a plate in N m. Its energy is `½ ∫ D1 uxx² + 2 D12 uxx uyy + D2 uyy² + 4 D66 uxy²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stiffness {
    /// D1, of bending along x, above 0. Wood: `E_L h³/(12(1 - ν_LR ν_RL))` with the grain along x.
    pub along: f64,
    /// D2, of bending along y, above 0.
    pub across: f64,
    /// D12, of one bending by the other, below √(D1 D2) either way: `ν_LR D2 = ν_RL D1`.
    pub coupling: f64,
    /// D66, of twisting, above 0: `G h³/12`.
    pub twisting: f64,
}

impl Stiffness {
    /// The same in all directions: `D = Eh³/(12(1-ν²))` in N m and Poisson's ratio ν.
    #[must_use]
    pub(crate) fn isotropic(stiffness: f64, poissons_ratio: f64) -> Self {
        Self {
            along: stiffness,
            across: stiffness,
            coupling: poissons_ratio * stiffness,
            twisting: 0.5 * (1.0 - poissons_ratio) * stiffness,
        }
    }

    fn check(&self) -> Result<(), ObjectError> {
        checked("stiffness along", self.along, "from 1e-15 to 1e15 N m", |v| (1e-15..=1e15).contains(&v))?;
        checked("stiffness across", self.across, "from 1e-15 to 1e15 N m", |v| (1e-15..=1e15).contains(&v))?;
        let most = (self.along * self.across).sqrt();
        checked("stiffness of coupling", self.coupling, "below √(along across) either way", |v| v.abs() < most)?;
        checked("stiffness of twisting", self.twisting, "above 0 N m", |v| v > 0.0 && v <= 1e15)?;
        checked("stiffness of coupling", self.coupling, "-2 times that of twisting, or more", |v| {
            v + 2.0 * self.twisting >= 0.0
        })?;
        Ok(())
    }

    /// For a surface density in kg/m².
    fn dispersion(&self, surface_density: f64) -> Dispersion {
        Dispersion {
            tension: 0.0,
            along: self.along / surface_density,
            both: (self.coupling + 2.0 * self.twisting) / surface_density,
            across: self.across / surface_density,
        }
    }
}

/// The modes of a rectangular membrane with fixed edges.
#[derive(Clone, Debug)]
pub(crate) struct MembraneRectangle {
    lattice: Lattice,
}

impl MembraneRectangle {
    /// All modes below `highest` in Hz, no more than `most` and 65536, of a membrane given by its two sides in m, its tension T in N/m
    /// and its surface density σ in kg/m². There may be none.
    ///
    /// # Errors
    /// A value out of its range, or more modes than allowed.
    pub(crate) fn new(
        sides: [f64; 2],
        tension: f64,
        surface_density: f64,
        highest: f64,
        most: usize,
    ) -> Result<Self, ObjectError> {
        check(sides, surface_density, highest)?;
        checked("tension", tension, "from 1e-15 to 1e15 N/m", |v| (1e-15..=1e15).contains(&v))?;
        let dispersion = Dispersion { tension: tension / surface_density, along: 0.0, both: 0.0, across: 0.0 };
        let mass = surface_density * sides[0] * sides[1];
        Ok(Self { lattice: Lattice::new(&dispersion, sides, mass, highest, most)? })
    }
}

impl Shapes for MembraneRectangle {
    fn modes(&self) -> &[Mode] {
        self.lattice.modes()
    }

    fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        self.lattice.at(place, weights);
    }

    fn mean(&self, weights: &mut [f64]) {
        self.lattice.mean(weights);
    }
}

/// The modes of a rectangular plate.
#[derive(Clone, Debug)]
pub(crate) struct PlateRectangle {
    /// In m.
    sides: [f64; 2],
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    Sines(Lattice),
    Solved(Ritz),
}

impl PlateRectangle {
    /// All modes below `highest` in Hz, no more than `most`, of a plate given by its two sides in m, its surface density ρh in kg/m², its stiffness, and
    /// its edges: those at x = 0 and x = 1, and those at y = 0 and y = 1. There may be none.
    ///
    /// With all edges supported there may be 65536 modes. With others 4096 where opposite edges are alike, 2048 where only those of one pair are, else
    /// 1024; a thousand modes with alike edges take 0.3 s to build, and twice as many five times that.
    ///
    /// # Errors
    /// A value out of its range, or more modes than allowed.
    pub(crate) fn new(
        sides: [f64; 2],
        surface_density: f64,
        stiffness: Stiffness,
        edges: [[Edge; 2]; 2],
        highest: f64,
        most: usize,
    ) -> Result<Self, ObjectError> {
        check(sides, surface_density, highest)?;
        stiffness.check()?;
        let dispersion = stiffness.dispersion(surface_density);
        let mass = surface_density * sides[0] * sides[1];
        let form = if edges == [[Edge::Supported; 2]; 2] {
            Form::Sines(Lattice::new(&dispersion, sides, mass, highest, most.min(MOST_MODES))?)
        } else {
            Form::Solved(Ritz::new(
                &dispersion,
                stiffness.twisting / surface_density,
                sides,
                mass,
                edges,
                highest,
                most,
            )?)
        };
        Ok(Self { sides, form })
    }
}

impl Shapes for PlateRectangle {
    fn modes(&self) -> &[Mode] {
        match &self.form {
            Form::Sines(lattice) => lattice.modes(),
            Form::Solved(ritz) => ritz.modes(),
        }
    }

    fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        match &self.form {
            Form::Sines(lattice) => lattice.at(place, weights),
            Form::Solved(ritz) => ritz.at(place, weights),
        }
    }

    fn curvatures(&self, airy_modes: usize) -> Result<Option<Box<dyn Curvatures>>, ObjectError> {
        Ok(match &self.form {
            Form::Sines(lattice) => Some(Box::new(Products::new(self.sides, lattice.half_waves(), airy_modes))),
            Form::Solved(_) => None,
        })
    }

    fn mean(&self, weights: &mut [f64]) {
        match &self.form {
            Form::Sines(lattice) => lattice.mean(weights),
            Form::Solved(ritz) => ritz.mean(weights),
        }
    }
}

fn check(sides: [f64; 2], surface_density: f64, highest: f64) -> Result<(), ObjectError> {
    checked("side x", sides[0], "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v))?;
    checked("side y", sides[1], "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v))?;
    checked("surface density", surface_density, "from 1e-9 to 1e9 kg/m²", |v| (1e-9..=1e9).contains(&v))?;
    checked("highest", highest, "from 1e-6 to 1e9 Hz", |v| (1e-6..=1e9).contains(&v))?;
    Ok(())
}
