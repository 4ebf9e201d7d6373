//! Modes of sines along both sides, and how many modes a rectangle has.
//!
//! Whoever counts half waves along x and y counts the points of a lattice inside the line ω(U, V) = const. U falls where V grows, so each column m has its
//! rows from 1 to the largest V of
//!
//! ```text
//! D2 V² + 2B V + C = 0,   B = T/2 + H U,   C = T U + D1 U² - ω²:     V = -C/(B + √(B² - D2 C))
//! ```
//!
//! (all over the surface density, H = D12 + 2 D66), the form that does not cancel. The sines come from a rotation by one half wave, column by column: no table,
//! so any number of half waves. Its rounding grows by one part in 10¹⁶ a step.

use super::{Edge, Mode};
use crate::objects::ObjectError;
use std::f64::consts::PI;

/// Most modes of one rectangle in sines; it bounds memory and the time of a build.
pub(super) const MOST_MODES: usize = 1 << 16;

/// ω² = T(U + V) + D1 U² + 2 H U V + D2 V² of a wave with the squared wave numbers U and V.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Dispersion {
    /// T in m²/s².
    pub tension: f64,
    /// D1 in m⁴/s².
    pub along: f64,
    /// H in m⁴/s², 0 or more.
    pub both: f64,
    /// D2 in m⁴/s².
    pub across: f64,
}

impl Dispersion {
    /// ω² in 1/s², from U and V in 1/m².
    pub(in super::super) fn squared(&self, [u, v]: [f64; 2]) -> f64 {
        self.tension * (u + v) + self.along * u * u + 2.0 * self.both * u * v + self.across * v * v
    }

    /// The V that has this ω² beside U; 0 if there is none.
    fn largest(&self, squared: f64, u: f64) -> f64 {
        let b = 0.5 * self.tension + self.both * u;
        let c = self.tension * u + self.along * u * u - squared;
        if c < 0.0 { -c / (b + (b * b - self.across * c).sqrt()) } else { 0.0 }
    }

    /// The same body with x and y exchanged.
    fn turned(&self) -> Self {
        Self { along: self.across, across: self.along, ..*self }
    }

    /// Most half waves along a side of a wave below ω² that has at least so many along the other.
    pub(in super::super) fn half_waves(&self, squared: f64, sides: [f64; 2], side: usize, least: f64) -> f64 {
        let wave = least * PI / sides[1 - side];
        let seen = if side == 0 { self.turned() } else { *self };
        seen.largest(squared, wave * wave).sqrt() * sides[side] / PI
    }

    /// How many modes below ω² stand on the ladders of two sides in m. Takes a bounded time: beyond 65536 columns it reckons.
    pub(in super::super) fn count(&self, squared: f64, sides: [f64; 2], ladders: [Ladder; 2]) -> f64 {
        let [across, down] = ladders;
        let square = |half_waves: f64, side: f64| (half_waves * PI / side) * (half_waves * PI / side);
        let columns = across.below(self.half_waves(squared, sides, 0, down.at(0.0)));
        let stride = (columns / MOST_MODES as f64).ceil().max(1.0);
        let mut count = 0.0;
        let mut column = 0.0;
        while column < columns {
            let u = square(across.at(column), sides[0]);
            count += stride * down.below(self.largest(squared, u).sqrt() * sides[1] / PI);
            column += stride;
        }
        count
    }
}

/// Numbers of half waves along a side: so many of none, then 1, 2, … and a part. Exact between supports, else what bars tend to.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Ladder {
    still: f64,
    part: f64,
}

impl Ladder {
    /// Of a side between two ends.
    pub(in super::super) fn new(ends: [Edge; 2]) -> Self {
        let (still, part) = match ends {
            [Edge::Free, Edge::Free] => (2.0, 0.5),
            [Edge::Free, Edge::Supported] | [Edge::Supported, Edge::Free] => (1.0, 0.25),
            [Edge::Free, Edge::Clamped] | [Edge::Clamped, Edge::Free] => (0.0, -0.5),
            [Edge::Supported, Edge::Supported] => (0.0, 0.0),
            [Edge::Supported, Edge::Clamped] | [Edge::Clamped, Edge::Supported] => (0.0, 0.25),
            [Edge::Clamped, Edge::Clamped] => (0.0, 0.5),
        };
        Self { still, part }
    }

    /// Half waves of a step, counted from 0.
    fn at(self, step: f64) -> f64 {
        if step < self.still { 0.0 } else { step - self.still + 1.0 + self.part }
    }

    /// How many steps there are up to so many half waves.
    fn below(self, half_waves: f64) -> f64 {
        self.still + (half_waves - self.part).floor().max(0.0)
    }
}

/// The modes of a body in sines.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    modes: Vec<Mode>,
    /// How many modes each column m = 1, 2, … has.
    columns: Vec<u32>,
    /// The place of each mode among `modes`, column by column.
    places: Vec<u32>,
}

impl Lattice {
    /// All modes below `highest` in Hz of a body of a mass in kg with sides in m.
    pub(super) fn new(
        dispersion: &Dispersion,
        sides: [f64; 2],
        mass: f64,
        highest: f64,
        most: usize,
    ) -> Result<Self, ObjectError> {
        let limit = most.min(MOST_MODES);
        let squared = (2.0 * PI * highest) * (2.0 * PI * highest);
        let count = dispersion.count(squared, sides, [Ladder::new([Edge::Supported; 2]); 2]);
        if count > limit as f64 {
            return Err(ObjectError::TooManyModes { modes: count as usize, highest, limit });
        }
        let mut columns = Vec::new();
        let mut unsorted = Vec::with_capacity(count as usize + 1);
        for m in 1..=limit {
            let row = |n: usize| {
                let waves = [m as f64 * PI / sides[0], n as f64 * PI / sides[1]].map(|wave| wave * wave);
                Mode { frequency: dispersion.squared(waves).sqrt() / (2.0 * PI), mass, slope: waves[0] + waves[1] }
            };
            let before = unsorted.len();
            unsorted.extend((1..=limit).map(row).take_while(|mode| mode.frequency < highest));
            let rows = unsorted.len() - before;
            if rows == 0 {
                break;
            }
            columns.push(rows as u32);
        }
        let mut order: Vec<usize> = (0..unsorted.len()).collect();
        // Stable: of two modes of one frequency the one with fewer half waves along x comes first.
        order.sort_by(|&a, &b| unsorted[a].frequency.total_cmp(&unsorted[b].frequency));
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &mode)| places[mode] = place as u32);
        Ok(Self { modes: order.iter().map(|&mode| unsorted[mode]).collect(), columns, places })
    }

    pub(super) fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// Half waves along both sides of every mode.
    pub(super) fn half_waves(&self) -> Vec<[u32; 2]> {
        let mut half_waves = vec![[0; 2]; self.modes.len()];
        let mut places = self.places.iter();
        for (column, &rows) in self.columns.iter().enumerate() {
            for (row, &place) in places.by_ref().take(rows as usize).enumerate() {
                half_waves[place as usize] = [column as u32 + 1, row as u32 + 1];
            }
        }
        half_waves
    }

    pub(super) fn at(&self, place: [f64; 2], weights: &mut [f64]) {
        let [step_x, step_y] = place.map(|fraction| libm::sincos(PI * fraction));
        let mut places = self.places.iter();
        let mut x = step_x;
        for &rows in &self.columns {
            let mut y = step_y;
            for &place in places.by_ref().take(rows as usize) {
                if let Some(weight) = weights.get_mut(place as usize) {
                    *weight = 2.0 * x.0 * y.0;
                }
                y = turned(y, step_y);
            }
            x = turned(x, step_x);
        }
    }

    /// ⟨2 sin(mπx) sin(nπy)⟩ = 8/mnπ² for odd m and n, else 0.
    pub(super) fn mean(&self, weights: &mut [f64]) {
        let side = |number: usize| if number % 2 == 1 { 2.0 / (number as f64 * PI) } else { 0.0 };
        let mut places = self.places.iter();
        for (column, &rows) in self.columns.iter().enumerate() {
            for (row, &place) in places.by_ref().take(rows as usize).enumerate() {
                if let Some(weight) = weights.get_mut(place as usize) {
                    *weight = 2.0 * side(column + 1) * side(row + 1);
                }
            }
        }
    }
}

/// Sine and cosine of the sum of two angles.
fn turned((sine, cosine): (f64, f64), (sine_more, cosine_more): (f64, f64)) -> (f64, f64) {
    (sine * cosine_more + cosine * sine_more, cosine * cosine_more - sine * sine_more)
}
