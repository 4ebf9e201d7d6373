//! A string: tension, a little stiffness, and two losses (W19 (62a), corrected).
//!
//! ```text
//! ρA utt = T uxx - EI uxxxx - 2ρAσ0 ut + 2ρAσ1 utxx,     I = π r⁴/4
//! f_p = (p c/2L) √(1 + p² π² κ²/(c² L²)),  c² = T/ρA,  κ² = EI/ρA      (simply supported)
//! ```
//!
//! The modes are those of [`super::modes::StringModes`], the grid is that of [`super::line`].

use super::amplitude::{self, Amplitude, stretched};
use super::line::tuning::Tuned;
use super::line::{End, Line, LineSpec};
use super::method::{Family, sounding};
use super::modal::{Bend, Modal, Stretch};
use super::modes::{Damping, Shapes, StringBody, StringModes, Surroundings, Unison};
use super::{AnyBody, Description, Extent, Loss, Material, Method, ObjectError, Site, checked};
use std::f64::consts::PI;
use std::sync::Arc;

/// Highest frequency of a mode of a choir, in parts of the rate: its pin adds one above those of the strings.
const BAND_OF_PINS: f64 = 0.47;

/// What sets a string's pitch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StringPitch {
    /// Tension in N, above 0 and up to 1e9: the pitch goes with its root.
    Tension(f64),
    /// Frequency in Hz of the lowest mode, above 0: the tension follows.
    ///
    /// It is the frequency that sounds, whatever the ends, the stiffness, the grid and the rate, and with losses up to a tenth of
    /// the angular frequency.
    Fundamental(f64),
}

/// What a string weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StringMass {
    /// Density in kg/m³ of a solid round string: 7850 for steel, 1140 for nylon.
    Density(f64),
    /// Linear density in kg/m, from 1e-9 to 1e6: for wound strings, whose core alone is stiff.
    PerLength(f64),
}

/// A string as one describes it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StringSpec {
    /// Length in m, from 1e-4 to 1e4; 0.65 by default. At the same tension a longer string sounds lower.
    pub length: f64,
    /// Tension or lowest frequency; 196 Hz by default.
    pub pitch: StringPitch,
    /// Radius in m of the (core of the) string, above 0; 0.2 mm by default. Stiffness grows with its fourth power.
    pub radius: f64,
    /// Density or linear density; 7850 kg/m³ (steel) by default. A heavier string of the same pitch takes a harder
    /// blow.
    pub mass: StringMass,
    /// Young's modulus in Pa, 0 or more; 2e11 (steel) by default. Stretches the partials, as in a piano's bass; 0 makes
    /// them harmonic.
    pub youngs_modulus: f64,
    /// How fast it dies; σ0 = 0.5 1/s and σ1 = 2e-4 m²/s by default: the fundamental in 13 s, higher partials sooner. σ0 goes up to 1e6 1/s, σ1 up to
    /// 1e4 m²/s.
    pub loss: Loss,
    /// The ends at fraction 0 and 1; simply supported by default.
    pub ends: [End; 2],
    /// How many strings there are side by side, and how far each is out of tune, in cents from -100 to 100; up to 8, none for one string with two ends
    /// that are held. They end at one pin, at place 1, which something has to hold; the pitch is that of strings that are held. All else meets their mean. In modes
    /// only, between supported ends, and not touched all along.
    pub unison: Vec<f64>,
    /// How far it may swing; small by default. Large, it is stretched when it swings: struck or plucked hard it begins sharp and glides down, the more
    /// the slacker it is. In modes and between supported ends only.
    pub amplitude: Amplitude,
    /// In modes, or on a grid; in modes by default.
    pub method: Method,
    /// Highest frequency in Hz of the modes that are kept, above 0; by default 20 kHz, and always at most 0.45 of the rate. Fewer are cheaper and
    /// duller.
    pub highest: Option<f64>,
    /// Segments of the grid, 3 or more; by default as many as are stable at the rate with half a percent to spare. Fewer are cheaper
    /// and duller; the last one or two that are stable may let hard contacts chatter.
    pub segments: Option<usize>,
    /// Largest ratio of frequency above the built pitch that [`Change::Bend`](crate::control::Change::Bend) can reach, from 1 to
    /// 16; 1 by default. The grid is laid for the highest pitch: the higher, the fewer points and the duller the string.
    pub bend: f64,
}

impl Default for StringSpec {
    fn default() -> Self {
        Self {
            length: 0.65,
            pitch: StringPitch::Fundamental(196.0),
            radius: 2e-4,
            mass: StringMass::Density(7850.0),
            youngs_modulus: 2e11,
            loss: Loss::sigma(0.5, 2e-4),
            ends: [End::SimplySupported; 2],
            unison: vec![],
            amplitude: Amplitude::Small,
            method: Method::Modes,
            highest: None,
            segments: None,
            bend: 1.0,
        }
    }
}

impl StringSpec {
    /// What is around it: air.
    fn surroundings(&self, line: &LineSpec) -> Surroundings {
        let (wave_speed, _) = line.speeds();
        Surroundings::Taut { wave_speed, radius: self.radius, linear_density: line.linear_density }
    }

    fn in_modes(&self, site: &Site) -> Result<Modal, ObjectError> {
        site.no_grid(self.segments)?;
        self.check_unison(site)?;
        let line = self.line()?;
        let largest = line.bend;
        // Bent as far as it goes, no mode may reach Nyquist.
        let highest = site.highest(self.highest)?.min(0.49 * site.rate / largest);
        let body = StringBody {
            length: line.length,
            linear_density: line.linear_density,
            tension: line.tension,
            bending_stiffness: line.bending_stiffness,
            ends: self.ends,
        };
        let build = |body: StringBody| {
            let wave_speed_squared = body.tension / body.linear_density;
            let damping = Damping::new(&self.loss, self.surroundings(&LineSpec { tension: body.tension, ..line }))?;
            let family = Family {
                kind: "string",
                shapes: Arc::new(StringModes::new(&body, highest, site.most_modes)?),
                is_sheet: false,
                mass: body.linear_density * body.length,
                length: body.length,
                bend: Some(Bend { largest, wave_speed_squared, ratio: 1.0 }),
                stretch: None,
                highest,
            };
            let sigma = family.lowest_sigma(&damping);
            Ok(((family, damping), sigma))
        };
        let (family, damping) = match self.pitch {
            StringPitch::Tension(_) => build(body)?.0,
            StringPitch::Fundamental(frequency) => {
                let (family, damping) =
                    sounding(frequency, |swing| build(StringBody { tension: body.tension(swing)?, ..body }))?;
                (family.swinging()?, damping)
            }
        };
        let stretch = self.stretch(&*family.shapes)?;
        let family = Family { stretch, ..family };
        if self.unison.is_empty() {
            return site.body(family, &damping);
        }
        let tension = match (self.pitch, family.bend) {
            (StringPitch::Tension(tension), _) => tension,
            (_, bend) => bend.map_or(0.0, |bend| bend.wave_speed_squared) * body.linear_density,
        };
        let body = StringBody { tension, ..body };
        let most = (BAND_OF_PINS * site.rate / largest).max(highest);
        let shapes = Arc::new(Unison::new(&body, family.shapes.modes(), &self.unison, [site.rate, most]));
        site.body(Family { shapes, mass: family.mass * self.strings(), ..family }, &damping)
    }

    /// How many strings there are.
    fn strings(&self) -> f64 {
        self.unison.len().max(1) as f64
    }

    fn check_unison(&self, site: &Site) -> Result<(), ObjectError> {
        if self.unison.is_empty() {
            return Ok(());
        }
        let count = self.unison.len();
        checked("number of strings in unison", count as f64, "at most 8", |_| count <= 8)?;
        for cents in &self.unison {
            checked("cents of a string in unison", *cents, "from -100 to 100", |cents| cents.abs() <= 100.0)?;
        }
        let alone = |allowed: &'static str, holds: bool| {
            checked("number of strings in unison", count as f64, allowed, |_| holds).map(drop)
        };
        alone("none where the ends are not supported", self.ends == [End::SimplySupported; 2])?;
        alone("none where the amplitude is large", self.amplitude == Amplitude::Small)?;
        alone("none where a string is touched all along", !site.touched_along)
    }

    /// How it is stretched: `V = EA/8L (∫u_x²)²`, so `h = √(EA/L) ∫φ_x²`.
    fn stretch(&self, shapes: &dyn Shapes) -> Result<Option<Stretch>, ObjectError> {
        match self.amplitude {
            Amplitude::Small => return Ok(None),
            Amplitude::Large => {}
            Amplitude::VonKarman { .. } => self.amplitude.takes("a plate")?,
        }
        if self.ends != [End::SimplySupported; 2] {
            self.amplitude.takes("supported ends")?;
        }
        let stiffness = self.youngs_modulus * PI * self.radius * self.radius / self.length;
        let slopes = shapes.modes().iter().map(|mode| mode.slope * self.length);
        stretched(stiffness, slopes).map(Some)
    }

    /// It on its grid at a sample rate in Hz, with no more than a number of grid points.
    pub(super) fn on_grid(&self, rate: f64, most_points: usize) -> Result<Line, ObjectError> {
        self.amplitude.takes(amplitude::MODES)?;
        checked("number of strings in unison", self.unison.len() as f64, "none on a grid", |_| self.unison.is_empty())?;
        let line = self.line()?;
        let surroundings = self.surroundings(&line);
        Line::build(&line.decaying(&self.loss, surroundings, rate, most_points)?, rate, most_points)
    }

    /// The string without its loss.
    pub(crate) fn line(&self) -> Result<LineSpec, ObjectError> {
        let positive = |value: f64| value > 0.0;
        let length = checked("length", self.length, "above 0 m", positive)?;
        let radius = checked("radius", self.radius, "above 0 m", positive)?;
        let youngs_modulus = checked("Young's modulus", self.youngs_modulus, "0 Pa or more", |modulus| modulus >= 0.0)?;
        let linear_density = match self.mass {
            StringMass::Density(density) => {
                checked("density", density, "above 0 kg/m³", positive)? * PI * radius * radius
            }
            StringMass::PerLength(linear_density) => linear_density,
        };
        let linear_density = checked("linear density", linear_density, "above 0 kg/m", positive)?;
        let bending_stiffness = youngs_modulus * PI * (radius * radius) * (radius * radius) / 4.0;
        let bend = checked("bend", self.bend, "from 1 to 16", |ratio| (1.0..=16.0).contains(&ratio))?;
        let (tension, tuning) = match self.pitch {
            StringPitch::Tension(tension) => (checked("tension", tension, "above 0 N", positive)?, None),
            StringPitch::Fundamental(frequency) => {
                checked("fundamental frequency", frequency, "above 0 Hz", positive)?;
                let one_free = (self.ends[0] == End::Free) != (self.ends[1] == End::Free);
                let wave_number = if one_free { 0.5 * PI / length } else { PI / length };
                let speed = 2.0 * PI * frequency / wave_number;
                let flexible = linear_density * speed * speed;
                let tension = flexible - bending_stiffness * wave_number * wave_number;
                // A first guess: with a free end, stiffness raises the pitch by less.
                let tension = if self.ends.contains(&End::Free) { tension.max(1e-3 * flexible) } else { tension };
                if !positive(tension) {
                    return Err(ObjectError::OutOfRange {
                        parameter: "fundamental frequency",
                        value: frequency,
                        allowed: "above what stiffness alone gives",
                    });
                }
                (tension, Some((Tuned::Tension, frequency)))
            }
        };
        Ok(LineSpec {
            kind: "string",
            length,
            linear_density,
            tension,
            bending_stiffness,
            sigma0: 0.0,
            sigma1: 0.0,
            ends: self.ends,
            segments: self.segments,
            tuning,
            bend,
        })
    }
}
impl StringSpec {
    /// The same string of a material: its density, Young's modulus and loss.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        Self {
            mass: StringMass::Density(material.density),
            youngs_modulus: material.youngs_modulus,
            loss: Loss::Material(material.loss_factor),
            ..self
        }
    }

    /// The same string with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}

impl Description for StringSpec {
    const KIND: &'static str = "string";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        match self.method {
            Method::Modes => Ok(self.in_modes(site)?.into()),
            Method::Grid => Ok(self.on_grid(site.rate, site.most_points)?.into()),
        }
    }

    fn mass(&self) -> Option<f64> {
        self.line().map(|line| line.linear_density * line.length * self.strings()).ok()
    }

    fn is_held(&self) -> bool {
        // Tension keeps a string from turning about one support.
        self.ends != [End::Free; 2]
    }

    fn extent(&self) -> Extent {
        Extent::Line { length: self.length, ends: self.ends }
    }
}
