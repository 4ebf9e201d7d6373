//! A stretched membrane on a rectangle or a circle, fixed all around.
//!
//! ```text
//! ρH utt = T Δu - 2ρHσ0 ut + 2ρHσ1 (Δu)t,     c² = T/ρH
//! ```
//!
//! Source: PHYSICS section 5. The modes of a rectangle are `f_mn = (c/2)√(m²/Lx² + n²/Ly²)`, those of a circle `f_mn = c j_mn/πd`, each decaying as
//! `e^(-(σ0 + σ1β²)t)`, `β = ω/c`. The shapes are in [`super::modes`]; grid, step and energy of the other method are sheet.rs.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use super::amplitude::{self, Amplitude, in_plane, stretched};
use super::method::{Family, sounding};
use super::modal::{Modal, Stretch};
use super::modes::{DRUM_HEAD, Damping, MembraneCircle, MembraneRectangle, Shapes, Surroundings};
use super::sheet::{Beyond, Material, Medium, Sheet};
use super::{AnyBody, Description, Extent, Loss, Method, ObjectError, Outline, PlateEdges, Site, checked};

/// Modes that a membrane has where nobody says how many.
const CROWD: f64 = 2000.0;
/// j₀₁, the lowest zero of J₀.
const LOWEST_ZERO: f64 = 2.404_825_557_695_773;

/// How tight a membrane is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MembraneSpec {
    /// A rectangle or a circle; default a square of 0.3 m. At a given tension pitch falls with size; the shape sets the chord of partials.
    pub outline: Outline,
    /// Default: a fundamental of 200 Hz.
    pub tension: Tension,
    /// Default: mylar of 0.19 mm, 1390 kg/m³. At a given fundamental it does not change the pitch but how hard the membrane is to move.
    pub surface_density: SurfaceDensity,
    /// How far it may swing; default small. Large, it is stretched when it swings: a tom struck hard begins sharp and glides down. In modes only.
    pub amplitude: Amplitude,
    /// Young's modulus in Pa, above 0; default 4e9 (mylar). Matters to large amplitudes only: the stiffer, the sharper a hard stroke begins.
    pub youngs_modulus: f64,
    /// Poisson's ratio, above -1 and below 0.5; default 0.38 (mylar). Matters to large amplitudes only.
    pub poissons_ratio: f64,
    /// How fast it dies; default σ0 = 3 1/s and σ1 = 0.01 m²/s: what the air takes from a drum head. σ0 goes up to 1000 times the rate.
    pub loss: Loss,
    /// In modes, or on a grid; default in modes.
    pub method: Method,
    /// Highest frequency in Hz of the modes that are kept, above 0; default 20 kHz or that of about the 2000th mode, whichever is lower, and always
    /// at most 0.45 of the rate. Fewer are cheaper and duller.
    pub highest: Option<f64>,
    /// Segments along the sides, at least 4 each; default `None`, the finest grid that is stable at the rate. A coarser grid costs
    /// less and flattens the high partials.
    pub grid: Option<[usize; 2]>,
}

impl Default for MembraneSpec {
    fn default() -> Self {
        Self {
            outline: Outline::Rectangle([0.3, 0.3]),
            tension: Tension::Fundamental(200.0),
            surface_density: SurfaceDensity::Material { thickness: 0.00019, density: 1390.0 },
            amplitude: Amplitude::Small,
            youngs_modulus: 4e9,
            poissons_ratio: 0.38,
            loss: DRUM_HEAD,
            method: Method::Modes,
            highest: None,
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

    /// c = √(T/ρH) in m/s; for a membrane tuned to a fundamental that without loss, from which a grid's differs a little.
    pub fn wave_speed(&self) -> f64 {
        match self.tension {
            Tension::NewtonsPerMetre(tension) => (tension / self.mass_per_area()).sqrt(),
            Tension::Fundamental(frequency) => TAU * frequency / self.lowest_wave_number(),
        }
    }

    /// Frequency in Hz of the lowest mode without loss.
    pub fn fundamental(&self) -> f64 {
        self.wave_speed() * self.lowest_wave_number() / TAU
    }

    /// β of the lowest mode in 1/m.
    fn lowest_wave_number(&self) -> f64 {
        match self.outline {
            Outline::Rectangle([x, y]) => PI * libm::hypot(1.0 / x, 1.0 / y),
            Outline::Circle(diameter) => 2.0 * LOWEST_ZERO / diameter,
        }
    }

    /// Frequency in Hz below which there are about 2000 modes (Weyl), ten times as many as stand out.
    fn crowded(&self) -> f64 {
        self.wave_speed() * (CROWD / (PI * self.outline.area())).sqrt()
    }

    fn check(&self) -> Result<(), ObjectError> {
        self.outline.check()?;
        match self.surface_density {
            SurfaceDensity::KilogramsPerSquareMetre(value) => {
                checked("surface density", value, "from 1e-9 to 1e9 kg/m²", |v| (1e-9..=1e9).contains(&v))?;
            }
            SurfaceDensity::Material { thickness, density } => {
                checked("thickness", thickness, "above 0 m", |v| v > 0.0)?;
                checked("density", density, "above 0 kg/m³", |v| v > 0.0)?;
            }
        }
        let (tension, value) = match self.tension {
            Tension::NewtonsPerMetre(value) => ("tension", checked("tension", value, "above 0 N/m", |v| v > 0.0)?),
            Tension::Fundamental(value) => ("fundamental", checked("fundamental", value, "above 0 Hz", |v| v > 0.0)?),
        };
        let wave_speed_squared = self.wave_speed() * self.wave_speed();
        checked(tension, value, "such that the wave speed can be computed", |_| wave_speed_squared.is_normal())?;
        Ok(())
    }

    fn in_modes(&self, site: &Site) -> Result<Modal, ObjectError> {
        self.check()?;
        site.no_grid(self.grid.map(|[x, _]| x))?;
        let highest = site.highest(self.highest)?.min(if self.highest.is_some() { f64::MAX } else { self.crowded() });
        let damping = Damping::new(&self.loss, Surroundings::Head)?;
        let surface_density = self.mass_per_area();
        let build = |wave_speed: f64| {
            let tension = surface_density * wave_speed * wave_speed;
            let most = site.most_modes;
            let shapes: Arc<dyn Shapes> = match self.outline {
                Outline::Rectangle(sides) => {
                    Arc::new(MembraneRectangle::new(sides, tension, surface_density, highest, most)?)
                }
                Outline::Circle(diameter) => {
                    Arc::new(MembraneCircle::new(diameter, tension, surface_density, highest, most)?)
                }
            };
            let mass = surface_density * self.outline.area();
            let family = Family {
                kind: "membrane",
                shapes,
                is_sheet: true,
                mass,
                length: 0.0,
                bend: None,
                stretch: None,
                highest,
            };
            let sigma = family.lowest_sigma(&damping);
            Ok((family, sigma))
        };
        let family = match self.tension {
            Tension::NewtonsPerMetre(_) => build(self.wave_speed())?.0,
            Tension::Fundamental(frequency) => {
                sounding(frequency, |swing| build(TAU * swing / self.lowest_wave_number()))?
            }
        };
        let stretch = self.stretch(&*family.shapes)?;
        site.body(Family { stretch, ..family }, &damping)
    }

    /// How it is stretched: `V = EH/(8(1-ν²)S) (∫|∇w|²)²`, so `h = √(EH/(1-ν²)S) ∫|∇φ|²`; by its modes' own stiffness, the gradients of two are orthogonal.
    fn stretch(&self, shapes: &dyn Shapes) -> Result<Option<Stretch>, ObjectError> {
        match self.amplitude {
            Amplitude::Small => return Ok(None),
            Amplitude::Large => {}
            Amplitude::VonKarman { .. } => self.amplitude.takes("a plate")?,
        }
        let SurfaceDensity::Material { thickness, .. } = self.surface_density else {
            return Err(ObjectError::Amplitude {
                amplitude: self.amplitude,
                needs: "a thickness and a density instead of a surface density",
            });
        };
        let area = self.outline.area();
        let slopes = shapes.modes().iter().map(|mode| mode.slope * area);
        stretched(in_plane(self.youngs_modulus, self.poissons_ratio, thickness)? / area, slopes).map(Some)
    }

    /// It on its grid at a sample rate in Hz, with no more than a number of grid points.
    pub(super) fn on_grid(&self, rate: f64, most_points: usize) -> Result<Sheet, ObjectError> {
        self.check()?;
        self.amplitude.takes(amplitude::MODES)?;
        let wave_speed = self.wave_speed();
        let material = Material {
            kind: "membrane",
            sides: self.outline.sides()?,
            surface_density: self.mass_per_area(),
            medium: Medium {
                wave_speed_squared: wave_speed * wave_speed,
                stiffness_squared: 0.0,
                sigma0: 0.0,
                sigma1: 0.0,
            },
            beyond: Beyond::Odd,
            grid: self.grid,
            fundamental: if let Tension::Fundamental(frequency) = self.tension { Some(frequency) } else { None },
        };
        let material = material.decaying(&self.loss, Surroundings::Head, rate, most_points)?;
        Sheet::new(&material, rate, most_points)
    }
}
impl MembraneSpec {
    /// The same membrane of a material, of some thickness in m. Its loss stays: what a membrane loses is taken by the air.
    #[must_use]
    pub fn of(self, material: &super::Material, thickness: f64) -> Self {
        let super::Material { density, youngs_modulus, poissons_ratio, .. } = *material;
        let surface_density = SurfaceDensity::Material { thickness, density };
        Self { surface_density, youngs_modulus, poissons_ratio, ..self }
    }

    /// The same membrane with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}

impl Description for MembraneSpec {
    const KIND: &'static str = "membrane";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        match self.method {
            Method::Modes => Ok(self.in_modes(site)?.into()),
            Method::Grid => Ok(self.on_grid(site.rate, site.most_points)?.into()),
        }
    }

    fn mass(&self) -> Option<f64> {
        Some(self.mass_per_area() * self.outline.area())
    }

    fn is_held(&self) -> bool {
        true
    }

    fn extent(&self) -> Extent {
        Extent::Sheet { outline: self.outline, edges: PlateEdges::SimplySupported }
    }
}
