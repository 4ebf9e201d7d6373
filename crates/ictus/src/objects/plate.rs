//! A thin elastic plate (Kirchhoff), on a rectangle or a circle, its edges supported, clamped or free.
//!
//! ```text
//! ρH utt = -D ΔΔu - 2ρHσ0 ut + 2ρHσ1 (Δu)t,     D = EH³/(12(1-ν²)),   κ² = D/ρH
//! ```
//!
//! Source: PHYSICS section 5, W19 (46). Simply supported, its modes are `ω_mn = κπ²(m²/Lx² + n²/Ly²)`, each decaying as
//! `e^(-(σ0 + σ1β²)t)`, `β² = ω/κ`. Those of other edges, of circles and of wood are in [`super::modes`]. Grid, step and energy of the other method
//! are sheet.rs.

mod solved;

use std::sync::Arc;

use super::amplitude::{self, Amplitude, in_plane, stretched};
use super::method::Family;
use super::modal::{Coupled, Modal, Stretch};
use super::modes::{Damping, Edge, Mode, PlateCircle, Retuned, Rim, Shapes, Stiffness, Surroundings};
use super::sheet::{Beyond, Material, Medium, Sheet};
use super::{AnyBody, Description, End, Extent, Loss, Method, ObjectError, Outline, Site, checked};
use solved::rectangle;

/// How a plate is held on its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PlateEdges {
    /// Held in place, free to turn: u = 0 and no bending moment. The lower pitch.
    #[default]
    SimplySupported,
    /// Held in place and in direction: u = 0 and no slope. A square rings 1.82 times higher than simply supported.
    Clamped,
    /// Not held at all: a gong, a cymbal, a plate on strings. It can also move and turn as a whole. In modes only.
    Free,
    /// Each edge of a rectangle by itself: at x = 0 and x = 1, then at y = 0 and y = 1. In modes only.
    Each([[End; 2]; 2]),
}

/// What makes wood other than metal: how stiff it is across its grain.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grain {
    /// Young's modulus in Pa across the grain, in the plane of the plate, above 0: a tenth of that along it.
    pub youngs_modulus_across: f64,
    /// Shear modulus in Pa in the plane of the plate, above 0.
    pub shear_modulus: f64,
}

/// The description of a plate. The default is a steel sheet of 40 by 30 cm and 1 mm.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlateSpec {
    /// A rectangle or a circle; default a rectangle of 0.4 by 0.3 m. Pitch falls with the square of the size; the shape sets the chord of partials.
    pub outline: Outline,
    /// H in m, above 0; default 0.001. Pitch rises in proportion; a thicker plate is also heavier to move.
    pub thickness: f64,
    /// ρ in kg/m³, above 0; default 7850 (steel). A denser plate is lower and harder to move.
    pub density: f64,
    /// Young's modulus E in Pa, above 0; default 2e11 (steel). Pitch rises with its square root. Of wood, that along the grain.
    pub youngs_modulus: f64,
    /// Frequency in Hz of the lowest mode that bends, above 0: all moduli follow in proportion, and those given only say how they compare. It is the
    /// frequency that sounds, with losses up to a tenth of the angular frequency. Default none: the moduli set the pitch. In modes only.
    pub pitch: Option<f64>,
    /// Poisson's ratio ν, above -1 and below 0.5; default 0.3. Raises the pitch slightly, by 1/√(1-ν²). Of wood, how much it thins across the grain
    /// when stretched along it.
    pub poissons_ratio: f64,
    /// The grain of wood, along the first side; default none, a material alike in all directions. A circle of wood is computed as alike in all
    /// directions, with the mean stiffness √(D₁D₂). In modes only.
    pub grain: Option<Grain>,
    /// How fast it dies; default σ0 = 0.5 1/s and σ1 = 0.002 m²/s. σ0 goes up to 1000 times the rate.
    pub loss: Loss,
    /// How the edges are held; default simply supported.
    pub edges: PlateEdges,
    /// How far it may swing; default small. Large, it is stretched as a whole when it swings: struck hard it begins sharp and glides down; rectangles with
    /// supported edges only. By von Kármán its modes drive each other as well, and struck hard it crashes. In modes, and of what has no grain, only.
    pub amplitude: Amplitude,
    /// In modes, or on a grid; default in modes.
    pub method: Method,
    /// Highest frequency in Hz of the modes that are kept, above 0; default 20 kHz, and always at most 0.45 of the rate. Fewer are cheaper and
    /// duller.
    pub highest: Option<f64>,
    /// Segments along the sides, at least 4 each; default `None`, the finest grid that is stable at the rate. A coarser grid costs
    /// less and flattens the high partials.
    pub grid: Option<[usize; 2]>,
}

impl Default for PlateSpec {
    fn default() -> Self {
        Self {
            outline: Outline::Rectangle([0.4, 0.3]),
            thickness: 0.001,
            density: 7850.0,
            youngs_modulus: 2e11,
            pitch: None,
            poissons_ratio: 0.3,
            grain: None,
            loss: Loss::sigma(0.5, 0.002),
            edges: PlateEdges::SimplySupported,
            amplitude: Amplitude::Small,
            method: Method::Modes,
            highest: None,
            grid: None,
        }
    }
}

impl PlateSpec {
    /// κ² = EH²/(12ρ(1-ν²)) in m⁴/s², of wood along the grain without regard to that across it, and to a pitch.
    pub fn stiffness_squared(&self) -> f64 {
        let Self { thickness, density, youngs_modulus, poissons_ratio, .. } = *self;
        youngs_modulus * thickness * thickness / (12.0 * density * (1.0 - poissons_ratio * poissons_ratio))
    }

    fn check(&self) -> Result<(), ObjectError> {
        self.outline.check()?;
        checked("thickness", self.thickness, "above 0 m", |v| v > 0.0)?;
        checked("density", self.density, "above 0 kg/m³", |v| v > 0.0)?;
        checked("Young's modulus", self.youngs_modulus, "above 0 Pa", |v| v > 0.0)?;
        checked("Poisson's ratio", self.poissons_ratio, "above -1 and below 0.5", |v| v > -1.0 && v < 0.5)?;
        let stiffness_squared = self.stiffness_squared();
        checked("Young's modulus", self.youngs_modulus, "such that EH²/(12ρ(1-ν²)) can be computed", |_| {
            stiffness_squared.is_normal()
        })?;
        if let Some(Grain { youngs_modulus_across, shear_modulus }) = self.grain {
            checked("Young's modulus across the grain", youngs_modulus_across, "above 0 Pa", |v| v > 0.0)?;
            checked("shear modulus", shear_modulus, "above 0 Pa", |v| v > 0.0)?;
            let thinning = self.poissons_ratio * self.poissons_ratio * youngs_modulus_across / self.youngs_modulus;
            checked("Poisson's ratio", self.poissons_ratio, "below the root of the two moduli's ratio", |_| {
                thinning < 1.0
            })?;
        }
        Ok(())
    }

    /// Bending stiffnesses in N m.
    fn stiffness(&self) -> Stiffness {
        let cube = self.thickness * self.thickness * self.thickness / 12.0;
        let (modulus, ratio) = (self.youngs_modulus, self.poissons_ratio);
        match self.grain {
            None => Stiffness::isotropic(modulus * cube / (1.0 - ratio * ratio), ratio),
            Some(Grain { youngs_modulus_across, shear_modulus }) => {
                let rest = 1.0 - ratio * ratio * youngs_modulus_across / modulus;
                let across = youngs_modulus_across * cube / rest;
                Stiffness {
                    along: modulus * cube / rest,
                    across,
                    coupling: ratio * across,
                    twisting: shear_modulus * cube,
                }
            }
        }
    }

    fn in_modes(&self, site: &Site) -> Result<Modal, ObjectError> {
        self.check()?;
        site.no_grid(self.grid.map(|[x, _]| x))?;
        let highest = site.highest(self.highest)?;
        let damping = Damping::new(&self.loss, Surroundings::Solid)?;
        let (shapes, factor) = match self.pitch {
            None => (self.shapes(1.0, highest, site.most_modes)?, 1.0),
            Some(pitch) => self.tuned(pitch, &damping, highest, site.most_modes)?,
        };
        let mass = self.density * self.thickness * self.outline.area();
        let stretch = self.stretch(&*shapes, factor, site.most_products)?;
        let family = Family { kind: "plate", shapes, is_sheet: true, mass, length: 0.0, bend: None, stretch, highest };
        site.body(family, &damping)
    }

    /// How it is stretched, all moduli times a factor. As a whole: `V = EH/(8(1-ν²)S) (∫|∇w|²)²`, so `h = √(EH/(1-ν²)S) ∫|∇φ|²`.
    fn stretch(&self, shapes: &dyn Shapes, factor: f64, most_products: usize) -> Result<Option<Stretch>, ObjectError> {
        if self.grain.is_some() {
            self.amplitude.takes("a material without grain")?;
        }
        let (modulus, supported) = (factor * self.youngs_modulus, self.edges == PlateEdges::SimplySupported);
        match self.amplitude {
            Amplitude::Small => Ok(None),
            Amplitude::Large => {
                if !(supported && matches!(self.outline, Outline::Rectangle(_))) {
                    self.amplitude.takes("a rectangle with supported edges")?;
                }
                let area = self.outline.area();
                let stiffness = in_plane(modulus, self.poissons_ratio, self.thickness)?;
                stretched(stiffness / area, shapes.modes().iter().map(|mode| mode.slope * area)).map(Some)
            }
            Amplitude::VonKarman { .. } => {
                let airy_modes = self.amplitude.airy_modes(shapes.modes().len(), most_products)?;
                let Some(products) = shapes.curvatures(airy_modes)? else {
                    let needs = "a rectangle with supported edges or a circle with a free one";
                    return Err(ObjectError::Amplitude { amplitude: self.amplitude, needs });
                };
                let allowed = "such that stretching it can be computed";
                let factor = checked("Young's modulus", modulus * self.thickness, allowed, |v| v.is_normal())?.sqrt();
                Ok(Some(Stretch::Coupled(Box::new(Coupled::new(&*products, factor)))))
            }
        }
    }

    /// Its modes below a frequency in Hz, all moduli times a factor.
    fn shapes(&self, factor: f64, highest: f64, most: usize) -> Result<Arc<dyn Shapes>, ObjectError> {
        let Stiffness { along, across, coupling, twisting } = self.stiffness();
        let [along, across, coupling, twisting] = [along, across, coupling, twisting].map(|value| factor * value);
        let (surface_density, stiffness) =
            (self.density * self.thickness, Stiffness { along, across, coupling, twisting });
        Ok(match self.outline {
            Outline::Rectangle(sides) => {
                rectangle(sides, surface_density, stiffness, self.edges.each(), highest, most)?
            }
            Outline::Circle(diameter) => {
                let mean = (stiffness.along * stiffness.across).sqrt();
                let ratio = stiffness.coupling / mean;
                Arc::new(PlateCircle::new(diameter, mean, surface_density, ratio, self.edges.rim()?, highest, most)?)
            }
        })
    }

    /// Its modes below a frequency in Hz with the lowest that bends sounding at a pitch in Hz, and what that makes of all moduli.
    fn tuned(
        &self,
        pitch: f64,
        damping: &Damping,
        highest: f64,
        most: usize,
    ) -> Result<(Arc<dyn Shapes>, f64), ObjectError> {
        checked("pitch", pitch, "above 0 Hz", |v| v > 0.0)?;
        let as_given = self.lowest()?;
        // With its loss σ it swings, without it, at √(f² + (σ/2π)²); the shape, and so the slope, does not depend on the moduli.
        let mut swing = pitch;
        for _ in 0..8 {
            swing = libm::hypot(pitch, damping.sigma(swing, as_given.slope) / std::f64::consts::TAU);
        }
        let ratio = swing / as_given.frequency;
        let factor = checked("pitch", ratio * ratio, "such that the moduli can be computed", |v| v.is_normal())?;
        let shapes = self.shapes(factor, highest, most)?;
        // By Ritz's method few functions find the lowest mode a little too high, by up to 3e-4; all of them put it right.
        let found = shapes.modes().iter().find(|mode| mode.frequency > 0.0).ok_or(ObjectError::NoModes { highest })?;
        let correction = swing / found.frequency;
        if correction == 1.0 {
            return Ok((shapes, factor));
        }
        Ok((Arc::new(Retuned::new(shapes, correction)), factor * correction * correction))
    }

    /// Its lowest mode that bends, with its moduli as given.
    fn lowest(&self) -> Result<Mode, ObjectError> {
        let [x, y] = self.outline.extent();
        let Stiffness { along, across, .. } = self.stiffness();
        let stiffness = (along.max(across) / (self.density * self.thickness)).sqrt();
        // That of a plate clamped all around is no higher than this.
        let mut highest = 8.0 * stiffness * (1.0 / (x * x) + 1.0 / (y * y));
        let mut lowest = None;
        // Wood, and long strips, have many more modes below it, of which a few are enough.
        for _ in 0..64 {
            match self.shapes(1.0, highest, LOWEST_OF) {
                Ok(shapes) => match shapes.modes().iter().find(|mode| mode.frequency > 0.0) {
                    Some(mode) => {
                        lowest = Some(*mode);
                        break;
                    }
                    None => highest *= 2.0,
                },
                Err(ObjectError::TooManyModes { .. }) => highest *= 0.5,
                Err(error) => return Err(error),
            }
        }
        lowest.ok_or(ObjectError::NoModes { highest })
    }

    /// It on its grid at a sample rate in Hz, with no more than a number of grid points.
    pub(super) fn on_grid(&self, rate: f64, most_points: usize) -> Result<Sheet, ObjectError> {
        self.check()?;
        self.amplitude.takes(amplitude::MODES)?;
        let refuse = |parameter, value| {
            Err(ObjectError::OutOfRange { parameter, value, allowed: "given with the method `modes`: grids have none" })
        };
        if let Some(pitch) = self.pitch {
            return refuse("pitch", pitch);
        }
        if let Some(grain) = self.grain {
            return refuse("Young's modulus across the grain", grain.youngs_modulus_across);
        }
        let beyond = match self.edges {
            PlateEdges::SimplySupported => Beyond::Odd,
            PlateEdges::Clamped => Beyond::Even,
            PlateEdges::Free | PlateEdges::Each(_) => return refuse("number of free edges", 4.0),
        };
        let material = Material {
            kind: "plate",
            sides: self.outline.sides()?,
            surface_density: self.density * self.thickness,
            medium: Medium {
                wave_speed_squared: 0.0,
                stiffness_squared: self.stiffness_squared(),
                sigma0: 0.0,
                sigma1: 0.0,
            },
            beyond,
            grid: self.grid,
            fundamental: None,
        };
        let material = material.decaying(&self.loss, Surroundings::Solid, rate, most_points)?;
        Sheet::new(&material, rate, most_points)
    }
}

impl PlateEdges {
    fn each(self) -> [[Edge; 2]; 2] {
        let edge = |end: End| match end {
            End::SimplySupported => Edge::Supported,
            End::Clamped => Edge::Clamped,
            End::Free => Edge::Free,
        };
        match self {
            Self::SimplySupported => [[Edge::Supported; 2]; 2],
            Self::Clamped => [[Edge::Clamped; 2]; 2],
            Self::Free => [[Edge::Free; 2]; 2],
            Self::Each(ends) => ends.map(|pair| pair.map(edge)),
        }
    }

    fn rim(self) -> Result<Rim, ObjectError> {
        match self {
            Self::SimplySupported => Ok(Rim::Supported),
            Self::Clamped => Ok(Rim::Clamped),
            Self::Free => Ok(Rim::Free),
            Self::Each(_) => Err(ObjectError::OutOfRange {
                parameter: "number of edges",
                value: 4.0,
                allowed: "1: a circle has one edge, supported, clamped or free",
            }),
        }
    }
}

/// Most modes among which the lowest is looked for.
const LOWEST_OF: usize = 200;

impl PlateSpec {
    /// The same plate of a material: its density, moduli, Poisson's ratio, grain and loss.
    #[must_use]
    pub fn of(self, material: &super::Material) -> Self {
        let super::Material { density, youngs_modulus, poissons_ratio, grain, loss_factor, .. } = *material;
        Self { density, youngs_modulus, poissons_ratio, grain, loss: Loss::Material(loss_factor), ..self }
    }

    /// The same plate with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}

impl Description for PlateSpec {
    const KIND: &'static str = "plate";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        match self.method {
            Method::Modes => Ok(self.in_modes(site)?.into()),
            Method::Grid => Ok(self.on_grid(site.rate, site.most_points)?.into()),
        }
    }

    fn mass(&self) -> Option<f64> {
        Some(self.density * self.thickness * self.outline.area())
    }

    fn is_held(&self) -> bool {
        match (self.edges, self.outline) {
            (PlateEdges::Free, _) => false,
            // About one edge that is only supported a plate can turn, the other three being free.
            (PlateEdges::Each([across, down]), Outline::Rectangle(_)) => {
                let free = |ends: [End; 2]| ends == [End::Free; 2];
                !(free(across) && End::let_turn(down) || free(down) && End::let_turn(across))
            }
            _ => true,
        }
    }

    fn extent(&self) -> Extent {
        Extent::Sheet { outline: self.outline, edges: self.edges }
    }
}

#[cfg(test)]
#[path = "plate_tests.rs"]
mod tests;
