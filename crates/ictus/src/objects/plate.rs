//! A thin elastic plate (Kirchhoff), on a rectangle, simply supported or clamped on all four edges.
//!
//! ```text
//! ρH utt = -D ΔΔu - 2ρHσ0 ut + 2ρHσ1 (Δu)t,     D = EH³/(12(1-ν²)),   κ² = D/ρH
//! ```
//!
//! Source: PHYSICS section 5, W19 (46). Simply supported, its modes are `ω_mn = κπ²(m²/Lx² + n²/Ly²)`, each decaying as
//! `e^(-(σ0 + σ1β²)t)`, `β² = ω/κ`. The grid, the step and the energy are sheet.rs.

use super::modes::Surroundings;
use super::sheet::{Beyond, Material, Medium, Sheet};
use super::{Loss, ObjectError, checked};

/// How a plate is held on its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlateEdges {
    /// Held in place, free to turn: u = 0 and no bending moment. The lower pitch.
    #[default]
    SimplySupported,
    /// Held in place and in direction: u = 0 and no slope. A square rings 1.82 times higher than simply supported.
    Clamped,
}

/// The description of a plate. The default is a steel sheet of 40 by 30 cm and 1 mm.
#[derive(Clone, Debug, PartialEq)]
pub struct PlateSpec {
    /// Lx and Ly in m, above 0; default 0.4 and 0.3. Pitch falls with the square of the size; the ratio sets the chord of partials.
    pub sides: [f64; 2],
    /// H in m, above 0; default 0.001. Pitch rises in proportion; a thicker plate is also heavier to move.
    pub thickness: f64,
    /// ρ in kg/m³, above 0; default 7850 (steel). A denser plate is lower and harder to move.
    pub density: f64,
    /// Young's modulus E in Pa, above 0; default 2e11 (steel). Pitch rises with its square root.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν, above -1 and below 0.5; default 0.3. Raises the pitch slightly, by 1/√(1-ν²).
    pub poissons_ratio: f64,
    /// How fast it dies; default σ0 = 0.5 1/s and σ1 = 0.002 m²/s. σ0 goes up to 1000 times the rate.
    pub loss: Loss,
    /// How the edges are held; default simply supported.
    pub edges: PlateEdges,
    /// Segments along the sides, at least 4 each; default `None`, the finest grid that is stable at the rate. A coarser grid costs
    /// less and flattens the high partials.
    pub grid: Option<[usize; 2]>,
}

impl Default for PlateSpec {
    fn default() -> Self {
        Self {
            sides: [0.4, 0.3],
            thickness: 0.001,
            density: 7850.0,
            youngs_modulus: 2e11,
            poissons_ratio: 0.3,
            loss: Loss::sigma(0.5, 0.002),
            edges: PlateEdges::SimplySupported,
            grid: None,
        }
    }
}

impl PlateSpec {
    /// κ² = EH²/(12ρ(1-ν²)) in m⁴/s².
    pub fn stiffness_squared(&self) -> f64 {
        let Self { thickness, density, youngs_modulus, poissons_ratio, .. } = *self;
        youngs_modulus * thickness * thickness / (12.0 * density * (1.0 - poissons_ratio * poissons_ratio))
    }

    /// Frequency in Hz of the mode with m and n half waves along the sides, simply supported.
    pub fn frequency(&self, m: u32, n: u32) -> f64 {
        let [x, y] = [f64::from(m) / self.sides[0], f64::from(n) / self.sides[1]];
        0.5 * std::f64::consts::PI * self.stiffness_squared().sqrt() * (x * x + y * y)
    }
}

/// Builds a plate at a sample rate in Hz, of at most `most_points` moving grid points.
pub(crate) fn build(spec: &PlateSpec, rate: f64, most_points: usize) -> Result<Sheet, ObjectError> {
    checked("side x", spec.sides[0], "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v))?;
    checked("side y", spec.sides[1], "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v))?;
    checked("thickness", spec.thickness, "above 0 m", |v| v > 0.0)?;
    checked("density", spec.density, "above 0 kg/m³", |v| v > 0.0)?;
    checked("Young's modulus", spec.youngs_modulus, "above 0 Pa", |v| v > 0.0)?;
    checked("Poisson's ratio", spec.poissons_ratio, "above -1 and below 0.5", |v| v > -1.0 && v < 0.5)?;
    let stiffness_squared = spec.stiffness_squared();
    checked("Young's modulus", spec.youngs_modulus, "such that EH²/(12ρ(1-ν²)) can be computed", |_| {
        stiffness_squared.is_normal()
    })?;
    let material = Material {
        kind: "plate",
        sides: spec.sides,
        surface_density: spec.density * spec.thickness,
        medium: Medium { wave_speed_squared: 0.0, stiffness_squared, sigma0: 0.0, sigma1: 0.0 },
        beyond: match spec.edges {
            PlateEdges::SimplySupported => Beyond::Odd,
            PlateEdges::Clamped => Beyond::Even,
        },
        grid: spec.grid,
        fundamental: None,
    };
    Sheet::new(&material.decaying(&spec.loss, Surroundings::Solid, rate, most_points)?, rate, most_points)
}
