//! A stretched membrane on a rectangle, fixed on all four edges.
//!
//! ```text
//! ρH utt = T Δu - 2ρHσ0 ut + 2ρHσ1 (Δu)t,     c² = T/ρH
//! ```
//!
//! Source: PHYSICS section 5. Its modes are `f_mn = (c/2)√(m²/Lx² + n²/Ly²)`, each decaying as `e^(-(σ0 + σ1β²)t)`, `β = ω/c`.
//! The grid, the step and the energy are sheet.rs.

use super::modes::{DRUM_HEAD, Surroundings};
use super::sheet::{Beyond, Material, Medium, Sheet};
use super::{Loss, ObjectError, checked};

/// How tight a membrane is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Tension {
    /// T in N per m of edge, above 0. Pitch rises with its square root.
    NewtonsPerMetre(f64),
    /// The frequency in Hz of the lowest mode, above 0; the tension follows. It is the frequency that sounds, whatever the grid
    /// and the rate, and with losses up to a tenth of the angular frequency.
    Fundamental(f64),
}

/// How heavy a membrane is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SurfaceDensity {
    /// ρH in kg/m², above 0.
    KilogramsPerSquareMetre(f64),
    /// From its material.
    Material {
        /// H in m, above 0.
        thickness: f64,
        /// ρ in kg/m³, above 0.
        density: f64,
    },
}

/// The description of a membrane. The default is a square mylar head of 30 cm, tuned to 200 Hz.
#[derive(Clone, Debug, PartialEq)]
pub struct MembraneSpec {
    /// Lx and Ly in m, above 0; default 0.3 and 0.3. At a given tension pitch falls with size; the ratio sets the chord of partials.
    pub sides: [f64; 2],
    /// Default: a fundamental of 200 Hz.
    pub tension: Tension,
    /// Default: mylar of 0.19 mm, 1390 kg/m³. At a given fundamental it does not change the pitch but how hard the membrane is to move.
    pub surface_density: SurfaceDensity,
    /// How fast it dies; default σ0 = 3 1/s and σ1 = 0.01 m²/s: what the air takes from a drum head. σ0 goes up to 1000 times the rate.
    pub loss: Loss,
    /// Segments along the sides, at least 4 each; default `None`, the finest grid that is stable at the rate. A coarser grid costs
    /// less and flattens the high partials.
    pub grid: Option<[usize; 2]>,
}

impl Default for MembraneSpec {
    fn default() -> Self {
        Self {
            sides: [0.3, 0.3],
            tension: Tension::Fundamental(200.0),
            surface_density: SurfaceDensity::Material { thickness: 0.00019, density: 1390.0 },
            loss: DRUM_HEAD,
            grid: None,
        }
    }
}

impl MembraneSpec {
    /// ρH in kg/m².
    pub fn mass_per_area(&self) -> f64 {
        match self.surface_density {
            SurfaceDensity::KilogramsPerSquareMetre(value) => value,
            SurfaceDensity::Material { thickness, density } => thickness * density,
        }
    }

    /// c = √(T/ρH) in m/s; for a membrane tuned to a fundamental that of a continuous one, from which its grid's differs a little.
    pub fn wave_speed(&self) -> f64 {
        match self.tension {
            Tension::NewtonsPerMetre(tension) => (tension / self.mass_per_area()).sqrt(),
            Tension::Fundamental(frequency) => 2.0 * frequency / self.half_waves(1, 1),
        }
    }

    /// Frequency in Hz of the mode with m and n half waves along the sides.
    pub fn frequency(&self, m: u32, n: u32) -> f64 {
        0.5 * self.wave_speed() * self.half_waves(m, n)
    }

    fn half_waves(&self, m: u32, n: u32) -> f64 {
        libm::hypot(f64::from(m) / self.sides[0], f64::from(n) / self.sides[1])
    }
}

/// Builds a membrane at a sample rate in Hz, of at most `most_points` moving grid points.
pub(crate) fn build(spec: &MembraneSpec, rate: f64, most_points: usize) -> Result<Sheet, ObjectError> {
    checked("side x", spec.sides[0], "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v))?;
    checked("side y", spec.sides[1], "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v))?;
    match spec.surface_density {
        SurfaceDensity::KilogramsPerSquareMetre(value) => {
            checked("surface density", value, "from 1e-9 to 1e9 kg/m²", |v| (1e-9..=1e9).contains(&v))?;
        }
        SurfaceDensity::Material { thickness, density } => {
            checked("thickness", thickness, "above 0 m", |v| v > 0.0)?;
            checked("density", density, "above 0 kg/m³", |v| v > 0.0)?;
        }
    }
    let (tension, value) = match spec.tension {
        Tension::NewtonsPerMetre(value) => ("tension", checked("tension", value, "above 0 N/m", |v| v > 0.0)?),
        Tension::Fundamental(value) => ("fundamental", checked("fundamental", value, "above 0 Hz", |v| v > 0.0)?),
    };
    let wave_speed_squared = spec.wave_speed() * spec.wave_speed();
    checked(tension, value, "such that the wave speed can be computed", |_| wave_speed_squared.is_normal())?;
    let material = Material {
        kind: "membrane",
        sides: spec.sides,
        surface_density: spec.mass_per_area(),
        medium: Medium { wave_speed_squared, stiffness_squared: 0.0, sigma0: 0.0, sigma1: 0.0 },
        beyond: Beyond::Odd,
        grid: spec.grid,
        fundamental: if let Tension::Fundamental(frequency) = spec.tension { Some(frequency) } else { None },
    };
    Sheet::new(&material.decaying(&spec.loss, Surroundings::Head, rate, most_points)?, rate, most_points)
}
