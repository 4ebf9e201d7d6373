//! A string in its modes: tension and, if it is stiff, bending; supported, clamped or free at either end.
//!
//! ```text
//! ρA utt = T uxx - EI uxxxx
//! supported  u = 0, uxx = 0       clamped  u = 0, ux = 0       free  uxx = 0, EI uxxx = T ux       (EI = 0: u = 0, u = 0, ux = 0)
//! both supported: f_n = (n/2L) √(T/ρA) √(1 + n²π²EI/TL²);   EI = 0: n/2L √(T/ρA), (n - ½)/2L √(T/ρA) with one end free
//! ```
//!
//! Source: PHYSICS section 11. Stiff strings have two wave numbers, `q² - p² = T/EI`; roots and shapes are those of [`super::waves`] and
//! [`super::spectrum`], which hold from qL = 10¹⁴ down to a bar. Both ends free, the string moves as a whole at frequency 0; turning it costs
//! tension, so that is a mode like the others. Rejected: the known series in √(EI/T)/L for clamped ends, good for thin strings only.

use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2, TAU};

use super::line::{LineModes, Scale, count_within};
use super::root::bracketed;
use super::spectrum::Spectrum;
use super::waves::Law;
use super::{Mode, Shapes};
use crate::objects::{End, ObjectError, checked};

/// From this τ = TL²/EI on, bending moves no mode by a rounding.
const LIMP: f64 = 1e30;

/// A string as its modes need it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StringBody {
    /// L in m, above 0.
    pub length: f64,
    /// ρA in kg/m, above 0.
    pub linear_density: f64,
    /// T in N, above 0.
    pub tension: f64,
    /// EI in N m², 0 or more.
    pub bending_stiffness: f64,
    /// The ends at fraction 0 and 1.
    pub ends: [End; 2],
}

/// The modes of a string, lowest first; ⟨φ²⟩ = 1, so that every modal mass is the string's.
#[derive(Clone, Debug)]
pub(crate) struct StringModes(LineModes);

impl StringModes {
    /// The modes below a frequency in Hz, no more than a number.
    pub fn new(body: &StringBody, highest: f64, most: usize) -> Result<Self, ObjectError> {
        body.check()?;
        checked("tension", body.tension, "above 0 N", |v| v > 0.0)?;
        checked("highest frequency", highest, "above 0 Hz", |v| v > 0.0)?;
        match body.spectrum() {
            Some(spectrum) => {
                let scale = body.scale(body.stiff_unit())?;
                LineModes::below(&spectrum, scale, highest, highest, most).map(Self)
            }
            None => body.limp(highest, most).map(Self),
        }
    }
}

impl Shapes for StringModes {
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

impl StringBody {
    /// Tension in N with which the lowest mode that swings is at a frequency in Hz. The body's own is not looked at.
    pub fn tension(&self, fundamental: f64) -> Result<f64, ObjectError> {
        self.check()?;
        checked("fundamental frequency", fundamental, "above 0 Hz", |v| v > 0.0)?;
        let too_stiff = || ObjectError::OutOfRange {
            parameter: "fundamental frequency",
            value: fundamental,
            allowed: "above what stiffness alone gives",
        };
        // Without stiffness: a stiff string needs less.
        let speed = TAU * fundamental * self.length / self.limp_root(0);
        let most = self.linear_density * speed * speed;
        checked("fundamental frequency", fundamental, "such that the tension can be computed", |_| most.is_normal())?;
        if self.bending_stiffness == 0.0 {
            return Ok(most);
        }
        if self.ends == [End::SimplySupported; 2] {
            let wave_number = PI / self.length;
            let tension = most - self.bending_stiffness * wave_number * wave_number;
            return if tension > 0.0 { Ok(tension) } else { Err(too_stiff()) };
        }
        let excess = |tension: f64| Self { tension, ..*self }.lowest() - fundamental;
        if excess(most) <= 0.0 {
            return Ok(most);
        }
        bracketed(0.0, most, excess).filter(|tension| *tension > 0.0).ok_or_else(too_stiff)
    }

    fn check(&self) -> Result<(), ObjectError> {
        let positive = |value: f64| value > 0.0;
        checked("length", self.length, "above 0 m", positive)?;
        checked("linear density", self.linear_density, "above 0 kg/m", positive)?;
        checked("bending stiffness", self.bending_stiffness, "0 N m² or more", |v| v >= 0.0)?;
        Ok(())
    }

    fn scale(&self, unit: f64) -> Result<Scale, ObjectError> {
        let mass = self.linear_density * self.length;
        checked("length", self.length, "such that the mass can be computed", |_| mass.is_normal())?;
        checked("tension", self.tension, "such that frequencies can be computed", |_| unit.is_normal())?;
        Ok(Scale { length: self.length, mass, unit, rotary: 0.0 })
    }

    /// Hz for b = 1: √(EI/ρA)/2πL².
    fn stiff_unit(&self) -> f64 {
        (self.bending_stiffness / self.linear_density).sqrt() / (TAU * self.length * self.length)
    }

    /// Hz for a wave number of 1/L without bending: √(T/ρA)/2πL.
    fn limp_unit(&self) -> f64 {
        (self.tension / self.linear_density).sqrt() / (TAU * self.length)
    }

    /// The modes of a string that is stiff.
    fn spectrum(&self) -> Option<Spectrum> {
        let tension = self.tension * self.length * self.length / self.bending_stiffness;
        (tension < LIMP).then(|| Spectrum::new(Law::Stretched { tension }, self.ends))
    }

    /// The lowest mode that swings, in Hz.
    fn lowest(&self) -> f64 {
        let turns = self.ends.contains(&End::Free) && !self.ends.contains(&End::Clamped);
        if self.tension == 0.0 && turns {
            return 0.0;
        }
        self.spectrum().map_or_else(
            || self.limp_unit() * self.limp_root(0),
            |spectrum| self.stiff_unit() * spectrum.law().waves(spectrum.lowest()).frequency,
        )
    }

    /// Quarters of a half wave of a mode without bending, counted from 0: p = kπ/2.
    fn limp_quarters(&self, number: usize) -> usize {
        let one_free = (self.ends[0] == End::Free) != (self.ends[1] == End::Free);
        if one_free { 2 * number + 1 } else { 2 * number + 2 }
    }

    /// Wave number in 1/L of a mode without bending, counted from 0.
    fn limp_root(&self, number: usize) -> f64 {
        self.limp_quarters(number) as f64 * 0.5 * PI
    }

    /// Without bending: `√2 sin ps` from an end that is held, `√2 cos ps` from a free one.
    fn limp(&self, highest: f64, most: usize) -> Result<LineModes, ObjectError> {
        let scale = self.scale(self.limp_unit())?;
        let wave_number = highest / scale.unit;
        let rigid = usize::from(self.ends == [End::Free; 2]);
        let first = self.limp_root(0);
        let swinging = || if wave_number > first { ((wave_number - first) / PI).ceil() as usize } else { 0 };
        let count = count_within(most, highest, wave_number / PI, || rigid + swinging())?;
        let mut line = LineModes::with_capacity(self.ends, count);
        line.push_rigid(self.ends, rigid, scale);
        // sin(kπ/4), exactly where it is a whole number.
        let eighths = [0.0, FRAC_1_SQRT_2, 1.0, FRAC_1_SQRT_2, 0.0, -FRAC_1_SQRT_2, -1.0, -FRAC_1_SQRT_2];
        for number in 0..count - rigid {
            let quarters = self.limp_quarters(number);
            let (sine, cosine) = (SQRT_2 * eighths[quarters % 8], SQRT_2 * eighths[(quarters + 2) % 8]);
            let amplitudes = if self.ends[0] == End::Free { [cosine, -sine] } else { [sine, cosine] };
            let wave_number = self.limp_root(number);
            line.push_plain(scale.unit * wave_number, wave_number, amplitudes, scale);
        }
        Ok(line)
    }
}

#[cfg(test)]
#[path = "string_tests.rs"]
mod tests;
