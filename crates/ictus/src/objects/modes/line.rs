//! The shapes of a string or bar, ready to be evaluated anywhere.
//!
//! ```text
//! φ = A cos py + B sin py + C e^(-qs) + D e^(-q(1-s)),     s = x/L,   y = s - ½
//! ```
//!
//! or, above the cut-off of a thick bar, C cos q'y + D sin q'y; as a whole the line moves as `A + By`. ⟨φ²⟩ = 1 for all.

use std::f64::consts::PI;

use super::spectrum::{Spectrum, Swing};
use super::waves::GONE;
use super::{Mode, Shapes};
use crate::objects::{End, ObjectError};

/// A deflection whose share of the kinetic energy is below this is none: sections shear in step and nothing can push or hear it.
const UNMOVED: f64 = 1e-12;

/// A line's size and weight, and the unit of its frequencies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// L in m.
    pub length: f64,
    /// ρAL in kg.
    pub mass: f64,
    /// Hz for b = 1.
    pub unit: f64,
    /// r² = I/AL² where turning sections weigh, else 0.
    pub rotary: f64,
}

/// The modes of a string or bar.
#[derive(Clone, Debug)]
pub(super) struct LineModes {
    modes: Vec<Mode>,
    /// A and B of the modes of frequency 0.
    rigid: Vec<[f64; 2]>,
    /// Those whose second wave decays, then those where it travels.
    decaying: Vec<Shape>,
    travelling: Vec<Shape>,
    /// Ends that cannot move.
    held: [bool; 2],
}

/// How many modes there are, if not more than a number. The estimate is good to a few; it is believed where it is beyond counting.
pub(super) fn count_within(
    most: usize,
    highest: f64,
    estimate: f64,
    count: impl FnOnce() -> usize,
) -> Result<usize, ObjectError> {
    let countable = estimate < 1e9;
    let modes = if countable { count() } else { estimate as usize };
    if countable && modes <= most { Ok(modes) } else { Err(ObjectError::TooManyModes { modes, highest, limit: most }) }
}

/// p, q and the amplitudes of one mode.
#[derive(Clone, Copy, Debug)]
struct Shape {
    wave_numbers: [f64; 2],
    amplitudes: [f64; 4],
}

impl LineModes {
    /// No modes yet, room for a number.
    pub fn with_capacity(ends: [End; 2], count: usize) -> Self {
        Self {
            modes: Vec::with_capacity(count),
            rigid: Vec::new(),
            decaying: Vec::with_capacity(count),
            travelling: Vec::new(),
            held: ends.map(|end| end != End::Free),
        }
    }

    /// The modes of a spectrum below a frequency in Hz, no more than a number; `highest` in Hz is what it is called in an error.
    pub fn below(
        spectrum: &Spectrum,
        scale: Scale,
        frequency: f64,
        highest: f64,
        most: usize,
    ) -> Result<Self, ObjectError> {
        let wave_number = spectrum.law().wave_number(frequency / scale.unit);
        let count = count_within(most, highest, wave_number / PI, || spectrum.count(wave_number))?;
        let ends = spectrum.ends();
        let mut line = Self::with_capacity(ends, count);
        line.push_rigid(ends, spectrum.rigid(), scale);
        for wave_number in spectrum.wave_numbers(wave_number) {
            line.push(&spectrum.swing(wave_number), scale);
        }
        Ok(line)
    }

    /// Moving and turning as a whole: about the middle of a free line, about the support of a supported one.
    pub fn push_rigid(&mut self, ends: [End; 2], count: usize, Scale { length, mass, rotary, .. }: Scale) {
        let three = 3.0_f64.sqrt();
        let all = match ends {
            [End::Free, End::Free] => [[1.0, 0.0], [0.0, 2.0 * three]],
            [_, End::Free] => [[0.5 * three, three]; 2],
            _ => [[0.5 * three, -three]; 2],
        };
        for shape in all.into_iter().take(count) {
            let slope = shape[1] * shape[1];
            self.modes.push(Mode {
                frequency: 0.0,
                mass: mass * (1.0 + rotary * slope),
                slope: slope / (length * length),
            });
            self.rigid.push(shape);
        }
    }

    /// One more mode, above those there are.
    fn push(&mut self, swing: &Swing, Scale { length, mass, unit, rotary }: Scale) {
        let squares = swing.squares;
        let turning = rotary * squares.rotation;
        let deflects = squares.deflection > UNMOVED * (squares.deflection + turning);
        if !deflects {
            return;
        }
        self.modes.push(Mode {
            frequency: swing.waves.frequency * unit,
            mass: mass * (1.0 + turning / squares.deflection),
            slope: squares.slope / (squares.deflection * length * length),
        });
        let size = 1.0 / squares.deflection.sqrt();
        let wave_numbers = [swing.waves.wave_number, swing.waves.decay_squared.abs().sqrt()];
        let shape = Shape { wave_numbers, amplitudes: swing.amplitudes.map(|amplitude| amplitude * size) };
        if swing.waves.decay_squared < 0.0 {
            self.travelling.push(shape);
        } else {
            self.decaying.push(shape);
        }
    }

    /// One more mode, of one wave alone, of frequency f in Hz: `A cos py + B sin py` with A² + B² = 2 and a mean square of 1.
    pub fn push_plain(&mut self, frequency: f64, wave_number: f64, [cos, sin]: [f64; 2], scale: Scale) {
        let slope = wave_number * wave_number / (scale.length * scale.length);
        self.modes.push(Mode { frequency, mass: scale.mass, slope });
        // The second wave is gone at once.
        let wave_numbers = [wave_number, f64::MAX];
        self.decaying.push(Shape { wave_numbers, amplitudes: [cos, sin, 0.0, 0.0] });
    }

    /// The frequencies of the modes that swing, in Hz, to be set anew; what comes to lie at or above a frequency is dropped.
    pub fn retune(&mut self, highest: f64, retuned: impl Fn(usize, f64) -> f64) {
        let rigid = self.rigid.len();
        for (number, mode) in self.modes.iter_mut().skip(rigid).enumerate() {
            mode.frequency = retuned(number, mode.frequency);
        }
        let kept = self.modes.partition_point(|mode| mode.frequency < highest);
        self.modes.truncate(kept);
        self.decaying.truncate(kept.saturating_sub(rigid));
        self.travelling.truncate(kept.saturating_sub(rigid + self.decaying.len()));
    }
}

impl Shapes for LineModes {
    fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// `⟨φ⟩ = A sin(p/2)/(p/2) + (C + D) (1 - e^(-q))/q`, above the cut-off with the second wave as the first; the odd parts have none.
    fn mean(&self, weights: &mut [f64]) {
        let travelled = |amplitude: f64, wave_number: f64| amplitude * libm::sin(0.5 * wave_number) * 2.0 / wave_number;
        let rigid = self.rigid.iter().map(|[level, _]| *level);
        let decaying = self.decaying.iter().map(|Shape { wave_numbers: [p, q], amplitudes: [a, _, c, d] }| {
            travelled(*a, *p) - (c + d) * libm::expm1(-q) / q
        });
        let travelling = self
            .travelling
            .iter()
            .map(|Shape { wave_numbers: [p, q], amplitudes: [a, _, c, _] }| travelled(*a, *p) + travelled(*c, *q));
        weights.iter_mut().zip(rigid.chain(decaying).chain(travelling)).for_each(|(weight, mean)| *weight = mean);
    }

    fn at(&self, [along, _]: [f64; 2], weights: &mut [f64]) {
        let along = along.clamp(0.0, 1.0);
        if (along == 0.0 && self.held[0]) || (along == 1.0 && self.held[1]) {
            weights.fill(0.0);
            return;
        }
        let (middle, rest) = (along - 0.5, 1.0 - along);
        let mut weights = weights.iter_mut();
        for ([level, tilt], weight) in self.rigid.iter().zip(weights.by_ref()) {
            *weight = level + tilt * middle;
        }
        let decayed = |amplitude: f64, exponent: f64| {
            if exponent < GONE { amplitude * libm::exp(-exponent) } else { 0.0 }
        };
        let turned = |cos: f64, sin: f64, angle: f64| {
            let (sine, cosine) = libm::sincos(angle);
            cos * cosine + sin * sine
        };
        for (Shape { wave_numbers: [p, q], amplitudes: [a, b, c, d] }, weight) in
            self.decaying.iter().zip(weights.by_ref())
        {
            *weight = turned(*a, *b, p * middle) + decayed(*c, q * along) + decayed(*d, q * rest);
        }
        for (Shape { wave_numbers: [p, q], amplitudes: [a, b, c, d] }, weight) in self.travelling.iter().zip(weights) {
            *weight = turned(*a, *b, p * middle) + turned(*c, *d, q * middle);
        }
    }
}
