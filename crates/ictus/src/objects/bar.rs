//! A bar: stiffness alone, the string without tension.
//!
//! ```text
//! ρA utt = -EI uxxxx - 2ρAσ0 ut + 2ρAσ1 utxx,     f_p = (β_p L)² κ/(2π L²),  κ² = EI/ρA
//! free or clamped at both ends: βL = 4.7300, 7.8532, 10.9956, … : ratios near 3.011² : 5² : 7²
//! ```
//!
//! Thick bars are lower by rotary inertia and shear (Timoshenko), which is taken in wherever it is worth 5 cents. The modes are those of
//! [`super::modes::BarModes`], the grid, which knows thin bars only, is that of [`super::line`].

use super::line::tuning::Tuned;
use super::line::{End, Line, LineSpec};
use super::method::{Family, sounding};
use super::modal::Modal;
use super::modes::{BarBody, BarModes, Damping, Rigidity, Shear, Surroundings};
use super::{AnyBody, Description, Extent, Loss, Material, Method, ObjectError, Site, checked};
use std::f64::consts::PI;
use std::sync::Arc;

/// The cross-section of a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Section {
    /// A = width·thickness, I = width·thickness³/12; it bends along its thickness.
    Rectangular {
        /// Across the direction of motion, in m, above 0. Weight only: the pitch does not depend on it.
        width: f64,
        /// Along the direction of motion, in m, above 0. The pitch is proportional to it.
        thickness: f64,
    },
    /// A = πr², I = πr⁴/4.
    Round {
        /// Radius in m, above 0. The pitch is proportional to it.
        radius: f64,
    },
}

/// What sets a bar's pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum BarPitch {
    /// Young's modulus in Pa, above 0: the pitch goes with its root.
    YoungsModulus(f64),
    /// Frequency in Hz of the lowest mode that bends, above 0: Young's modulus follows.
    ///
    /// It is the frequency that sounds, whatever the ends, the grid and the rate, and with losses up to a tenth of the angular
    /// frequency.
    Fundamental(f64),
}

/// A bar as one describes it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BarSpec {
    /// Length in m, from 1e-4 to 1e4; 0.3 by default. The pitch goes with its inverse square.
    pub length: f64,
    /// Cross-section; 50 mm wide and 20 mm thick by default.
    pub section: Section,
    /// Density in kg/m³, above 0; 740 (rosewood) by default. A denser bar sounds lower and takes a harder blow.
    pub density: f64,
    /// Young's modulus or lowest frequency; 1.25e10 Pa (rosewood, along the grain) by default.
    pub pitch: BarPitch,
    /// Poisson's ratio, above -1 and below 0.5; 0.36 by default. It matters to the shear of thick bars that are alike in all directions.
    pub poissons_ratio: f64,
    /// Shear modulus in Pa, above 0, of what is not alike in all directions: wood shears easily along its grain. By default that which Poisson's
    /// ratio gives.
    pub shear_modulus: Option<f64>,
    /// Frequencies of the lowest modes that bend over that of the first, for bars that are carved: 1, then ascending, at most 64. A marimba's is 1, 4, 10, a
    /// xylophone's 1, 3, 6. Those beyond go on from the last as a uniform bar's do. Empty, a uniform bar, by default; in modes only.
    pub partials: Vec<f64>,
    /// How fast it dies; σ0 = 4 1/s and σ1 = 5e-3 m²/s by default, as a marimba's bar. σ0 goes up to 1e6 1/s, σ1 up to 1e4 m²/s.
    pub loss: Loss,
    /// The ends at fraction 0 and 1; free by default.
    pub ends: [End; 2],
    /// In modes, or on a grid; in modes by default.
    pub method: Method,
    /// Highest frequency in Hz of the modes that are kept, above 0; by default 20 kHz, and always at most 0.45 of the rate. Fewer are cheaper and
    /// duller.
    pub highest: Option<f64>,
    /// Segments of the grid, 3 or more; by default as many as are stable at the rate with half a percent to spare. Fewer are cheaper
    /// and duller; the last one or two that are stable may let hard contacts chatter.
    pub segments: Option<usize>,
}

impl Default for BarSpec {
    fn default() -> Self {
        Self {
            length: 0.3,
            section: Section::Rectangular { width: 0.05, thickness: 0.02 },
            density: 740.0,
            pitch: BarPitch::YoungsModulus(1.25e10),
            poissons_ratio: 0.36,
            shear_modulus: None,
            partials: vec![],
            loss: Loss::sigma(4.0, 5e-3),
            ends: [End::Free; 2],
            method: Method::Modes,
            highest: None,
            segments: None,
        }
    }
}

impl Section {
    /// Area A in m² and second moment I in m⁴.
    fn area_and_moment(self) -> Result<(f64, f64), ObjectError> {
        let positive = |value: f64| value > 0.0;
        match self {
            Self::Rectangular { width, thickness } => {
                checked("width", width, "above 0 m", positive)?;
                checked("thickness", thickness, "above 0 m", positive)?;
                Ok((width * thickness, width * (thickness * thickness * thickness) / 12.0))
            }
            Self::Round { radius } => {
                checked("radius", radius, "above 0 m", positive)?;
                Ok((PI * radius * radius, PI * (radius * radius) * (radius * radius) / 4.0))
            }
        }
    }
}

/// β₁L of the lowest mode that bends: the first positive root of the frequency equation of the ends.
pub(crate) fn lowest_root(ends: [End; 2]) -> f64 {
    match ends {
        [End::SimplySupported, End::SimplySupported] => PI,
        // cos x cosh x = 1
        [End::Free, End::Free] | [End::Clamped, End::Clamped] => 4.730_040_744_862_704,
        // cos x cosh x = -1
        [End::Clamped, End::Free] | [End::Free, End::Clamped] => 1.875_104_068_711_961_1,
        // tan x = tanh x
        [End::SimplySupported, _] | [_, End::SimplySupported] => 3.926_602_312_047_919,
    }
}

impl BarSpec {
    fn shear(&self) -> Result<Shear, ObjectError> {
        checked("Poisson's ratio", self.poissons_ratio, "above -1 and below 0.5", |v| v > -1.0 && v < 0.5)?;
        let isotropic = match self.section {
            Section::Rectangular { .. } => Shear::rectangle(self.poissons_ratio),
            Section::Round { .. } => Shear::round(self.poissons_ratio),
        };
        Ok(match self.shear_modulus {
            None => isotropic,
            Some(modulus) => {
                let modulus = checked("shear modulus", modulus, "above 0 Pa", |v| v > 0.0)?;
                Shear { rigidity: Rigidity::Modulus(modulus), ..isotropic }
            }
        })
    }

    fn in_modes(&self, site: &Site) -> Result<Modal, ObjectError> {
        site.no_grid(self.segments)?;
        let line = self.line()?;
        let highest = site.highest(self.highest)?;
        let (area, moment) = self.section.area_and_moment()?;
        let damping = Damping::new(&self.loss, Surroundings::Solid)?;
        let body = BarBody {
            length: line.length,
            area,
            moment,
            density: self.density,
            youngs_modulus: line.bending_stiffness / moment,
            ends: self.ends,
            shear: Some(self.shear()?),
            partials: &self.partials,
        };
        let build = |body: BarBody<'_>| {
            let family = Family {
                kind: "bar",
                shapes: Arc::new(BarModes::new(&body, highest, site.most_modes)?),
                is_sheet: false,
                mass: line.linear_density * line.length,
                length: line.length,
                bend: None,
                stretch: None,
                highest,
            };
            let sigma = family.lowest_sigma(&damping);
            Ok((family, sigma))
        };
        let family = match self.pitch {
            BarPitch::YoungsModulus(_) => build(body)?.0,
            BarPitch::Fundamental(frequency) => sounding(frequency, |swing| {
                build(BarBody { youngs_modulus: body.youngs_modulus(swing, highest)?, ..body })
            })?
            .swinging()?,
        };
        site.body(family, &damping)
    }

    /// It on its grid at a sample rate in Hz, with no more than a number of grid points.
    pub(super) fn on_grid(&self, rate: f64, most_points: usize) -> Result<Line, ObjectError> {
        if !self.partials.is_empty() {
            return Err(ObjectError::OutOfRange {
                parameter: "partials",
                value: self.partials.len() as f64,
                allowed: "given with the method `modes`: a grid is a uniform bar",
            });
        }
        let line = self.line()?.decaying(&self.loss, Surroundings::Solid, rate, most_points)?;
        Line::build(&line, rate, most_points)
    }

    /// The bar without its loss.
    pub(crate) fn line(&self) -> Result<LineSpec, ObjectError> {
        let positive = |value: f64| value > 0.0;
        let length = checked("length", self.length, "above 0 m", positive)?;
        let density = checked("density", self.density, "above 0 kg/m³", positive)?;
        let (area, moment) = self.section.area_and_moment()?;
        let linear_density = checked("linear density", density * area, "above 0 kg/m", positive)?;
        let (bending_stiffness, tuning) = match self.pitch {
            BarPitch::YoungsModulus(modulus) => {
                (checked("Young's modulus", modulus, "above 0 Pa", positive)? * moment, None)
            }
            BarPitch::Fundamental(frequency) => {
                checked("fundamental frequency", frequency, "above 0 Hz", positive)?;
                let wave_number = lowest_root(self.ends) / length;
                let speed = 2.0 * PI * frequency / (wave_number * wave_number);
                (linear_density * speed * speed, Some((Tuned::Stiffness, frequency)))
            }
        };
        Ok(LineSpec {
            kind: "bar",
            length,
            linear_density,
            tension: 0.0,
            bending_stiffness: checked("bending stiffness", bending_stiffness, "above 0 N m²", positive)?,
            sigma0: 0.0,
            sigma1: 0.0,
            ends: self.ends,
            segments: self.segments,
            tuning,
            bend: 1.0,
        })
    }
}
impl BarSpec {
    /// The same bar of a material: its density, its moduli and so its pitch, and its loss.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        Self {
            density: material.density,
            pitch: BarPitch::YoungsModulus(material.youngs_modulus),
            poissons_ratio: material.poissons_ratio,
            shear_modulus: material.grain.map(|grain| grain.shear_modulus),
            loss: Loss::Material(material.loss_factor),
            ..self
        }
    }

    /// The same bar with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}

impl Description for BarSpec {
    const KIND: &'static str = "bar";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        match self.method {
            Method::Modes => Ok(self.in_modes(site)?.into()),
            Method::Grid => Ok(self.on_grid(site.rate, site.most_points)?.into()),
        }
    }

    fn mass(&self) -> Option<f64> {
        self.line().map(|line| line.linear_density * line.length).ok()
    }

    fn is_held(&self) -> bool {
        !End::let_turn(self.ends)
    }

    fn extent(&self) -> Extent {
        Extent::Line { length: self.length, ends: self.ends }
    }
}
