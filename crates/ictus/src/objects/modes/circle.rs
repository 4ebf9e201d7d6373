//! Circular membranes and plates in their exact modes: drum heads, gongs, cymbals.
//!
//! ```text
//! membrane, fixed rim:  σ utt = T Δu        φ = J_m(λ r/a) {cos, sin}(mθ)                        f = λ/(2πa) √(T/σ)
//! plate (Kirchhoff):    ρh utt = -D ΔΔu     φ = (J_m(λ r/a) + C I_m(λ r/a)) {cos, sin}(mθ)       f = λ²/(2πa²) √(D/ρh)
//! ```
//!
//! a is the radius. Every m > 0 has two modes of one frequency, cos first. λ and C follow from the rim ([`rim`]); a free plate also moves and turns as a whole: three modes at 0 Hz. Shapes have the mean square 1
//! over the circle, so every modal mass is the mass of the body. How they are stored and read: [`radial`].
//!
//! Rejected: one mode of each pair. A stroke fixes the direction of the nodal lines only for what it excites itself, and two points at different angles need both.

mod products;
mod radial;
mod rim;
#[cfg(test)]
mod tests;

use super::{Curvatures, Mode, Shapes};
use crate::objects::{ObjectError, checked};
use products::Products;
use radial::{Sequences, most_terms};
use rim::{Condition, LEAST_ROOT};
use std::f64::consts::PI;

/// Most modes of one circle, whatever else is allowed; it bounds memory (50 MB) and the time of a build.
const MOST_MODES: usize = 1 << 16;

/// λ above which every circle has more modes than that: `λ²/4 - 0.9λ` are there at least.
const LARGEST_ROOT: f64 = 520.0;

/// Room for the Chebyshev polynomials of one parity up to that λ.
const MOST_TERMS: usize = 320;

/// How a circular plate is held on its rim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rim {
    /// Not at all.
    #[default]
    Free,
    /// Held in place and in direction.
    Clamped,
    /// Held in place, free to turn.
    Supported,
}

/// The modes of a circular membrane with a fixed rim.
#[derive(Clone, Debug)]
pub(crate) struct MembraneCircle {
    disc: Disc,
}

impl MembraneCircle {
    /// All modes below `highest` in Hz, no more than `most` and 65536, of a membrane given by its diameter in m, its tension T in N/m and its
    /// surface density σ in kg/m². There may be none.
    ///
    /// # Errors
    /// A value out of its range, or more modes than allowed.
    pub(crate) fn new(
        diameter: f64,
        tension: f64,
        surface_density: f64,
        highest: f64,
        most: usize,
    ) -> Result<Self, ObjectError> {
        let body = Circle::new(diameter, surface_density, highest)?;
        checked("tension", tension, "above 0 N/m", |v| v > 0.0)?;
        let unit = (tension / surface_density).sqrt() / (2.0 * PI * body.radius);
        checked("tension", tension, "such that the frequencies can be computed", |_| unit.is_normal())?;
        let disc = Disc::new(&body, Condition::Fixed, highest / unit, most, |root| unit * root)?;
        Ok(Self { disc })
    }
}

impl Shapes for MembraneCircle {
    fn modes(&self) -> &[Mode] {
        &self.disc.modes
    }

    fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        self.disc.at(place, weights);
    }

    fn mean(&self, weights: &mut [f64]) {
        self.disc.mean(weights);
    }

    fn contains(&self, place: [f64; 2]) -> bool {
        contains(place)
    }

    fn filling(&self) -> f64 {
        0.25 * PI
    }
}

/// The modes of a circular plate.
#[derive(Clone, Debug)]
pub(crate) struct PlateCircle {
    disc: Disc,
    /// In m.
    radius: f64,
    rim: Rim,
}

impl PlateCircle {
    /// All modes below `highest` in Hz, no more than `most` and 65536, of a plate given by its diameter in m, its bending stiffness D in N m, its surface
    /// density ρh in kg/m², Poisson's ratio ν and its rim. A clamped or supported plate may have none.
    ///
    /// # Errors
    /// A value out of its range, or more modes than allowed.
    pub(crate) fn new(
        diameter: f64,
        stiffness: f64,
        surface_density: f64,
        poissons_ratio: f64,
        rim: Rim,
        highest: f64,
        most: usize,
    ) -> Result<Self, ObjectError> {
        let body = Circle::new(diameter, surface_density, highest)?;
        checked("stiffness", stiffness, "above 0 N m", |v| v > 0.0)?;
        checked("Poisson's ratio", poissons_ratio, "above -1 and below 0.5", |v| v > -1.0 && v < 0.5)?;
        let unit = (stiffness / surface_density).sqrt() / (2.0 * PI * body.radius * body.radius);
        checked("stiffness", stiffness, "such that the frequencies can be computed", |_| unit.is_normal())?;
        let bend = 1.0 - poissons_ratio;
        let condition = match rim {
            Rim::Free => Condition::Free { bend },
            Rim::Clamped => Condition::Clamped,
            Rim::Supported => Condition::Supported { bend },
        };
        let disc = Disc::new(&body, condition, (highest / unit).sqrt(), most, |root| unit * root * root)?;
        Ok(Self { disc, radius: body.radius, rim })
    }
}

impl Shapes for PlateCircle {
    fn modes(&self) -> &[Mode] {
        &self.disc.modes
    }

    fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        self.disc.at(place, weights);
    }

    fn mean(&self, weights: &mut [f64]) {
        self.disc.mean(weights);
    }

    fn curvatures(&self, airy_modes: usize) -> Result<Option<Box<dyn Curvatures>>, ObjectError> {
        Ok(match self.rim {
            Rim::Free => Some(Box::new(Products::new(&self.disc, self.radius, airy_modes)?)),
            Rim::Clamped | Rim::Supported => None,
        })
    }

    fn contains(&self, place: [f64; 2]) -> bool {
        contains(place)
    }

    fn filling(&self) -> f64 {
        0.25 * PI
    }
}

/// Whether a place, as fractions of the sides of the square around the circle, lies on it. The rim does.
fn contains(place: [f64; 2]) -> bool {
    let [x, y] = place.map(|fraction| 2.0 * fraction - 1.0);
    // A point on the rim may be rounded off it.
    libm::hypot(x, y) <= 1.0 + 1e-9
}

/// Size and weight.
struct Circle {
    radius: f64,
    mass: f64,
    highest: f64,
}

impl Circle {
    fn new(diameter: f64, surface_density: f64, highest: f64) -> Result<Self, ObjectError> {
        checked("diameter", diameter, "from 1e-4 to 1e4 m", |v| (1e-4..=1e4).contains(&v))?;
        checked("surface density", surface_density, "from 1e-9 to 1e9 kg/m²", |v| (1e-9..=1e9).contains(&v))?;
        checked("highest", highest, "above 0 Hz", |v| v > 0.0)?;
        let radius = 0.5 * diameter;
        Ok(Self { radius, mass: surface_density * PI * radius * radius, highest })
    }
}

/// One radial shape: where its series lies, and its first mode.
#[derive(Clone, Copy, Debug)]
struct Radial {
    order: usize,
    first: usize,
    start: usize,
    terms: usize,
}

/// The modes and their shapes.
#[derive(Clone, Debug)]
struct Disc {
    modes: Vec<Mode>,
    /// Ascending in order.
    radials: Vec<Radial>,
    /// Chebyshev series of all radial shapes.
    series: Vec<f64>,
    /// Terms of the longest of them.
    terms: usize,
}

impl Disc {
    fn new(
        body: &Circle,
        condition: Condition,
        highest: f64,
        most: usize,
        frequency: impl Fn(f64) -> f64,
    ) -> Result<Self, ObjectError> {
        let limit = most.min(MOST_MODES);
        let highest = highest.max(LEAST_ROOT);
        // Beyond the largest root Weyl's law is a good enough number to tell.
        let count =
            if highest <= LARGEST_ROOT { condition.count(highest) } else { (0.25 * highest * highest) as usize };
        if count > limit || highest > LARGEST_ROOT {
            return Err(ObjectError::TooManyModes { modes: count, highest: body.highest, limit });
        }
        let mut disc = Self {
            modes: Vec::with_capacity(count),
            radials: Vec::with_capacity(count / 2 + most_terms(highest)),
            series: Vec::new(),
            terms: 0,
        };
        let mut sequences = Sequences::default();
        let area = body.radius * body.radius;
        for shape in condition.roots(highest) {
            let start = disc.series.len();
            let profile = sequences.append(condition, shape, &mut disc.series);
            let first = disc.modes.len();
            disc.radials.push(Radial { order: shape.order, first, start, terms: profile.terms });
            disc.terms = disc.terms.max(profile.terms);
            let mode = Mode { frequency: frequency(shape.root), mass: body.mass, slope: profile.slope / area };
            disc.modes.extend((0..if shape.order == 0 { 1 } else { 2 }).map(|_| mode));
        }
        disc.radials.sort_by_key(|radial| radial.order);
        Ok(disc)
    }

    /// The Chebyshev series of a radial shape.
    fn series_of(&self, radial: &Radial) -> &[f64] {
        &self.series[radial.start..][..radial.terms]
    }

    /// φ of all modes at a place; off the circle that of the nearest point of the rim, and nowhere that of the centre.
    fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        let [x, y] = place.map(|fraction| 2.0 * fraction - 1.0);
        let distance = libm::hypot(x, y);
        let direction = if distance > 0.0 && distance.is_finite() { [x / distance, y / distance] } else { [1.0, 0.0] };
        let radius = if distance.is_finite() { distance.min(1.0) } else { 0.0 };
        let (mut even, mut odd) = ([0.0; MOST_TERMS], [0.0; MOST_TERMS]);
        chebyshev(radius, &mut even[..self.terms.min(MOST_TERMS)], &mut odd[..self.terms.min(MOST_TERMS)]);
        // cos mθ and sin mθ by turning on.
        let (mut order, mut turn) = (0, [1.0, 0.0]);
        for radial in &self.radials {
            while order < radial.order {
                turn = product(turn, direction);
                order += 1;
            }
            let polynomials = if order % 2 == 0 { &even } else { &odd };
            let shape = dot(&self.series[radial.start..radial.start + radial.terms], polynomials);
            for (weight, angular) in weights.iter_mut().skip(radial.first).zip(&turn[..if order == 0 { 1 } else { 2 }])
            {
                *weight = shape * angular;
            }
        }
    }

    /// ⟨φ⟩: 0 but for shapes without nodal diameters, whose series has `∫ T_2k(s) 2s ds = 1/(1 - k²)` for even k and 0 for odd.
    fn mean(&self, weights: &mut [f64]) {
        weights.fill(0.0);
        for radial in self.radials.iter().take_while(|radial| radial.order == 0) {
            let series = &self.series[radial.start..radial.start + radial.terms];
            let term = |(k, factor): (usize, &f64)| factor / (1.0 - (k * k) as f64);
            if let Some(weight) = weights.get_mut(radial.first) {
                *weight = series.iter().enumerate().step_by(2).map(term).sum();
            }
        }
    }
}

/// T_0, T_2, … and T_1, T_3, … at s from 0 to 1: real parts of powers of `s + i√(1-s²)`, which do not grow.
fn chebyshev(s: f64, even: &mut [f64], odd: &mut [f64]) {
    let base = [s, ((1.0 - s) * (1.0 + s)).sqrt()];
    let square = product(base, base);
    let mut power = [1.0, 0.0];
    for (even, odd) in even.iter_mut().zip(odd) {
        *even = power[0];
        *odd = product(power, base)[0];
        power = product(power, square);
    }
}

/// Product of two complex numbers.
#[inline]
fn product(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

/// Sum of products over the shorter of two, in four sums at a time.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let length = a.len().min(b.len());
    let (a, b) = (a[..length].chunks_exact(4), b[..length].chunks_exact(4));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a.zip(b) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
