//! A bar of uniform section in its modes: supported, clamped or free at either end.
//!
//! ```text
//! thin (Euler and Bernoulli)  ρA utt = -EI uxxxx                          f = (βL)² √(EI/ρA)/2πL²
//!   supported sin βL = 0,  free-free and clamped-clamped cos βL cosh βL = 1,  clamped-free = -1,  one end supported tan βL = tanh βL
//! thick (Timoshenko)          ρA utt = κGA (ux - ψ)x,   ρI ψtt = EI ψxx + κGA (ux - ψ)
//! ```
//!
//! Source: PHYSICS section 11. Roots, shapes and their stable form are those of [`super::waves`] and [`super::spectrum`]. A thick bar is taken for
//! thin where that moves no mode below `highest` by more than 5 cents. Above the cut-off `√(κGA/ρI)` a thick bar has a second family of
//! modes, which mostly shear; they are there, with the large modal mass that says so. The mode in which sections only shear and
//! nothing deflects (two supports, at the cut-off) is left out: no point can move it.
//!
//! **Undercut bars** have the `partials` they are carved for, with the shapes of the uniform bar. Rejected: the modes of the carved profile, which
//! nobody who asks for 1 : 4 : 10 knows.

use std::f64::consts::TAU;

use super::line::{LineModes, Scale};
use super::root::bracketed;
use super::spectrum::Spectrum;
use super::waves::Law;
use super::{Mode, Shapes};
use crate::objects::{End, ObjectError, checked};

/// Thick bars are lower than thin ones; above this ratio of frequencies, 5 cents, it matters.
const THICK: f64 = 1.0028922878693671;

/// Resistance to shear, which only matters to thick bars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shear {
    /// κ, above 0, at most 1: how evenly shear is spread over the section.
    pub coefficient: f64,
    /// G.
    pub rigidity: Rigidity,
}

/// Where the shear modulus G comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rigidity {
    /// G in Pa, above 0: wood, whose grain shears easily.
    Modulus(f64),
    /// Poisson's ratio ν, above -1 and up to 0.5: G = E/2(1 + ν), the same in all directions.
    Poisson(f64),
}

impl Shear {
    /// A rectangle that is alike in all directions: κ = 10(1 + ν)/(12 + 11ν) (Cowper, *J. Appl. Mech.* 33 (1966) 335).
    pub fn rectangle(poissons_ratio: f64) -> Self {
        let coefficient = 10.0 * (1.0 + poissons_ratio) / (12.0 + 11.0 * poissons_ratio);
        Self { coefficient, rigidity: Rigidity::Poisson(poissons_ratio) }
    }

    /// A solid round bar: κ = 6(1 + ν)/(7 + 6ν) (Cowper).
    pub fn round(poissons_ratio: f64) -> Self {
        let coefficient = 6.0 * (1.0 + poissons_ratio) / (7.0 + 6.0 * poissons_ratio);
        Self { coefficient, rigidity: Rigidity::Poisson(poissons_ratio) }
    }

    /// E/κG for Young's modulus E in Pa.
    fn softness(self, youngs_modulus: f64) -> f64 {
        match self.rigidity {
            Rigidity::Modulus(modulus) => youngs_modulus / (self.coefficient * modulus),
            Rigidity::Poisson(ratio) => 2.0 * (1.0 + ratio) / self.coefficient,
        }
    }
}

/// A bar as its modes need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BarBody<'a> {
    /// L in m, above 0 and no less than the radius of gyration √(I/A).
    pub length: f64,
    /// A in m², above 0.
    pub area: f64,
    /// Second moment I of the section in m⁴, above 0.
    pub moment: f64,
    /// ρ in kg/m³, above 0.
    pub density: f64,
    /// E in Pa, above 0.
    pub youngs_modulus: f64,
    /// The ends at fraction 0 and 1.
    pub ends: [End; 2],
    /// Shear and rotary inertia; `None` for a bar that is thin whatever its size.
    pub shear: Option<Shear>,
    /// Frequencies of the lowest modes that bend over that of the first: 1, then ascending. Those beyond the list go on from its last as the
    /// uniform bar's do. Empty for a uniform bar.
    pub partials: &'a [f64],
}

/// The modes of a bar, lowest first; ⟨φ²⟩ = 1.
///
/// The modal mass is the bar's, in thick bars more by what the turning sections add: `∫ρA φ² + ρI ψ²`.
#[derive(Clone, Debug)]
pub(crate) struct BarModes(LineModes);

impl BarModes {
    /// The modes below a frequency in Hz, no more than a number.
    pub fn new(body: &BarBody<'_>, highest: f64, most: usize) -> Result<Self, ObjectError> {
        body.check()?;
        checked("Young's modulus", body.youngs_modulus, "above 0 Pa", |v| v > 0.0)?;
        checked("highest frequency", highest, "above 0 Hz", |v| v > 0.0)?;
        let unit = body.unit(body.youngs_modulus)?;
        let law = body.law(body.youngs_modulus, highest / unit);
        let spectrum = Spectrum::new(law, body.ends);
        let rotary = if let Law::Thick { rotary, .. } = law { rotary } else { 0.0 };
        let scale = Scale { length: body.length, mass: body.density * body.area * body.length, unit, rotary };
        let carved = Carved::new(body.partials, &spectrum, unit)?;
        let uniform_highest = carved.uniform_highest(highest);
        let mut line = LineModes::below(&spectrum, scale, uniform_highest, highest, most)?;
        if !body.partials.is_empty() {
            line.retune(highest, carved.retuned());
        }
        Ok(Self(line))
    }
}

impl Shapes for BarModes {
    fn modes(&self) -> &[Mode] {
        self.0.modes()
    }

    fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        self.0.at(place, weights);
    }

    fn mean(&self, weights: &mut [f64]) {
        self.0.mean(weights);
    }
}

impl BarBody<'_> {
    /// Young's modulus in Pa with which the lowest mode that bends is at a frequency in Hz, if the modes are taken up to `highest` in Hz.
    /// The body's own is not looked at.
    pub fn youngs_modulus(&self, fundamental: f64, highest: f64) -> Result<f64, ObjectError> {
        self.check()?;
        checked("fundamental frequency", fundamental, "above 0 Hz", |v| v > 0.0)?;
        checked("highest frequency", highest, "above 0 Hz", |v| v > 0.0)?;
        let of = |law: Law| {
            let frequency = law.waves(Spectrum::new(law, self.ends).lowest()).frequency;
            let unit = fundamental / frequency / self.unit(1.0)?;
            checked("fundamental frequency", fundamental, "such that Young's modulus can be computed", |_| {
                (unit * unit).is_normal()
            })?;
            Ok(unit * unit)
        };
        let thin = of(Law::THIN)?;
        let Some(shear) = self.shear else { return Ok(thin) };
        let thick = match shear.rigidity {
            Rigidity::Poisson(_) => of(self.thick_law(shear, thin))?,
            Rigidity::Modulus(_) => {
                // What is missing, as a ratio: above 1 the modulus is too low.
                let missing =
                    |modulus: f64| of(self.thick_law(shear, modulus)).map_or(f64::NAN, |asked| asked / modulus);
                let mut high = thin;
                while missing(high) > 1.0 && high < 1e6 * thin {
                    high *= 4.0;
                }
                let modulus = bracketed(libm::log(thin), libm::log(high), |log| libm::log(missing(libm::exp(log))));
                libm::exp(modulus.ok_or(ObjectError::OutOfRange {
                    parameter: "fundamental frequency",
                    value: fundamental,
                    allowed: "below what shear alone gives",
                })?)
            }
        };
        let is_thick = |modulus: f64| Ok(self.law(modulus, highest / self.unit(modulus)?) != Law::THIN);
        Ok(if is_thick(thick)? { thick } else { thin })
    }

    fn check(&self) -> Result<(), ObjectError> {
        let positive = |value: f64| value > 0.0;
        checked("length", self.length, "above 0 m", positive)?;
        checked("area", self.area, "above 0 m²", positive)?;
        checked("second moment of area", self.moment, "above 0 m⁴", positive)?;
        checked("density", self.density, "above 0 kg/m³", positive)?;
        checked("length", self.length, "no less than the radius of gyration √(I/A)", |_| {
            self.rotary() <= 1.0 && (self.density * self.area * self.length).is_normal()
        })?;
        if let Some(Shear { coefficient, rigidity }) = self.shear {
            checked("shear coefficient", coefficient, "above 0, at most 1", |v| v > 0.0 && v <= 1.0)?;
            match rigidity {
                Rigidity::Modulus(modulus) => checked("shear modulus", modulus, "above 0 Pa", positive)?,
                Rigidity::Poisson(ratio) => {
                    checked("Poisson's ratio", ratio, "above -1, at most 0.5", |v| v > -1.0 && v <= 0.5)?
                }
            };
        }
        Ok(())
    }

    /// r² = I/AL².
    fn rotary(&self) -> f64 {
        self.moment / (self.area * self.length) / self.length
    }

    /// Hz for b = 1: √(EI/ρA)/2πL².
    fn unit(&self, youngs_modulus: f64) -> Result<f64, ObjectError> {
        let unit = (youngs_modulus / self.density).sqrt() * self.rotary().sqrt() / (TAU * self.length);
        checked("Young's modulus", youngs_modulus, "such that √(EI/ρA) can be computed", |_| unit.is_normal())?;
        Ok(unit)
    }

    fn thick_law(&self, shear: Shear, youngs_modulus: f64) -> Law {
        let rotary = self.rotary();
        Law::Thick { rotary, shear: rotary * shear.softness(youngs_modulus) }
    }

    /// The thick bar's law if it moves the highest mode below the frequency b by more than 5 cents, and with it the most.
    fn law(&self, youngs_modulus: f64, highest: f64) -> Law {
        let Some(shear) = self.shear else { return Law::THIN };
        let law = self.thick_law(shear, youngs_modulus);
        let (thick, thin) = (Spectrum::new(law, self.ends), Spectrum::new(Law::THIN, self.ends));
        let count = thick.count(law.wave_number(highest).min(1e6));
        if count <= thick.rigid() {
            return Law::THIN;
        }
        let frequency = Law::THIN.waves(thin.nth(count - 1)).frequency;
        if thick.count(law.wave_number(frequency / THICK)) >= count { law } else { Law::THIN }
    }
}

/// The frequencies of an undercut bar beside those of the uniform one, in Hz; modes that bend are counted from 0.
struct Carved<'a> {
    partials: &'a [f64],
    spectrum: &'a Spectrum,
    unit: f64,
}

impl<'a> Carved<'a> {
    fn new(partials: &'a [f64], spectrum: &'a Spectrum, unit: f64) -> Result<Self, ObjectError> {
        for (number, &ratio) in partials.iter().enumerate() {
            if number == 0 {
                checked("first partial", ratio, "1", |v| v == 1.0)?;
            } else {
                checked("partial", ratio, "above the one before", |v| v > partials[number - 1])?;
            }
        }
        Ok(Self { partials, spectrum, unit })
    }

    fn uniform(&self, number: usize) -> f64 {
        let wave_number = self.spectrum.nth(self.spectrum.rigid() + number);
        self.spectrum.law().waves(wave_number).frequency * self.unit
    }

    /// The last partial over what the uniform bar has in its place.
    fn stretch(&self) -> f64 {
        match self.partials {
            [] => 1.0,
            [.., last] => self.uniform(0) * last / self.uniform(self.partials.len() - 1),
        }
    }

    /// The frequency below which the uniform bar has the modes that this one has below `highest`.
    fn uniform_highest(&self, highest: f64) -> f64 {
        let first = self.uniform(0);
        match self.partials.iter().filter(|ratio| **ratio * first < highest).count() {
            all if all == self.partials.len() => highest / self.stretch(),
            0 => 0.5 * first,
            given => (self.uniform(given - 1) * self.uniform(given)).sqrt(),
        }
    }

    /// Frequencies from mode numbers and those of the uniform bar.
    fn retuned(&self) -> impl Fn(usize, f64) -> f64 {
        let (first, stretch) = (self.uniform(0), self.stretch());
        move |number, uniform| self.partials.get(number).map_or(uniform * stretch, |ratio| first * ratio)
    }
}

#[cfg(test)]
#[path = "bar_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "bar_thick_tests.rs"]
mod thick_tests;
