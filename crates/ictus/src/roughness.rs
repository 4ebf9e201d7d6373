//! A rough surface that passes through a contact: what is heard when something rolls or scrapes (P09 section 4.1).
//!
//! ```text
//! η = x_from - x_to - gap + height(x),     x⁺ = x + k v
//! ```
//!
//! A bump (height > 0) takes up room between the two points and so presses them together; a dent lets them apart. Heights are
//! given at equal spacing, repeat, and are joined by cubics with continuous slope (Catmull-Rom): a corner would click. The
//! height at every sample is prescribed, so its work `½ f (height⁺ - height⁻)` on the contact is supplied from outside.

use crate::limits;
use crate::objects::{At, ObjectError, checked};

/// A rough surface, as one describes it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Roughness {
    /// Heights in m, at most 1e3 either way, at least two; after the last comes the first again. A bump presses the points
    /// together.
    pub heights: Vec<f64>,
    /// Distance in m from one height to the next, above 0. Closer heights sound brighter at the same velocity.
    pub spacing: f64,
    /// Velocity in m/s of the travel over them, at most 1e9 either way; 0 stands still. The pitch of a pattern goes with it.
    pub velocity: f64,
}

/// A rough surface at work.
#[derive(Clone, Debug)]
pub(crate) struct Road {
    heights: Box<[f64]>,
    spacing: f64,
    time_step: f64,
    /// Travel per sample, in heights, from 0 to their number: backwards is the long way round.
    stride: f64,
    /// Where the next sample lies, in heights.
    position: f64,
    previous: f64,
    now: f64,
    next: f64,
}

impl Road {
    /// The surface at a sample rate in Hz, the first height under the contact at the first sample.
    pub(crate) fn new(roughness: &Roughness, rate: f64) -> Result<Self, ObjectError> {
        let Roughness { heights, spacing, velocity } = roughness;
        checked("number of heights", heights.len() as f64, "at least 2", |count| count >= 2.0)?;
        for height in heights {
            checked("height", *height, "at most 1e3 m either way", |height| height.abs() <= 1e3)?;
        }
        let mut road = Self {
            heights: heights.clone().into_boxed_slice(),
            spacing: checked("spacing of heights", *spacing, "above 0 m", |spacing| spacing > 0.0)?,
            time_step: 1.0 / rate,
            stride: 0.0,
            position: 0.0,
            previous: 0.0,
            now: 0.0,
            next: 0.0,
        };
        road.set_velocity(*velocity)?;
        road.reset();
        Ok(road)
    }

    /// Travels on at this velocity in m/s, from the next sample.
    pub(crate) fn set_velocity(&mut self, velocity: f64) -> Result<(), ObjectError> {
        limits::velocity("velocity of travel", velocity)?;
        let stride = velocity * self.time_step / self.spacing;
        checked("spacing of heights", self.spacing, "not so small that a sample passes 1e15 of them", |_| {
            stride.abs() <= 1e15
        })?;
        self.stride = wrapped(stride - self.count() * (stride / self.count()).floor(), self.count());
        Ok(())
    }

    /// Goes back to the first height.
    pub(crate) fn reset(&mut self) {
        self.previous = self.height(wrapped(self.count() - self.stride, self.count()));
        self.now = self.height(0.0);
        (self.position, self.next) = (0.0, self.now);
    }

    /// Finds the height of the next sample.
    #[inline]
    pub(crate) fn travel(&mut self) {
        self.position = wrapped(self.position + self.stride, self.count());
        self.next = self.height(self.position);
    }

    /// Makes the next sample current; returns how far the height has moved from the previous to the next one, in m.
    #[inline]
    pub(crate) fn advance(&mut self) -> f64 {
        let step = self.next - self.previous;
        (self.previous, self.now) = (self.now, self.next);
        step
    }

    /// Height in m at one of the three samples.
    #[inline]
    pub(crate) fn at(&self, at: At) -> f64 {
        match at {
            At::Previous => self.previous,
            At::Now => self.now,
            At::Next => self.next,
        }
    }

    fn count(&self) -> f64 {
        self.heights.len() as f64
    }

    /// The cubic through the heights at a position from 0 to their number.
    fn height(&self, position: f64) -> f64 {
        let count = self.heights.len();
        let first = (position as usize).min(count - 1);
        let t = position - first as f64;
        let around = |offset: usize| self.heights[(first + count + offset - 1) % count];
        let [a, b, c, d] = [around(0), around(1), around(2), around(3)];
        let (slope_b, slope_c) = (0.5 * (c - a), 0.5 * (d - b));
        let rise = c - b;
        b + t * (slope_b + t * ((3.0 * rise - 2.0 * slope_b - slope_c) + t * (slope_b + slope_c - 2.0 * rise)))
    }
}

/// A position less than twice round, brought back into the first round.
fn wrapped(position: f64, count: f64) -> f64 {
    let position = if position >= count { position - count } else { position };
    if (0.0..count).contains(&position) { position } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn road(heights: &[f64], spacing: f64, velocity: f64) -> Road {
        Road::new(&Roughness { heights: heights.to_vec(), spacing, velocity }, 1000.0).unwrap()
    }

    #[test]
    fn heights_are_passed_in_turn_and_come_again() {
        let mut road = road(&[0.0, 1.0, 3.0], 2e-3, 2.0);
        let mut seen = vec![road.at(At::Now)];
        for _ in 0..5 {
            road.travel();
            seen.push(road.at(At::Next));
            road.advance();
        }
        assert_eq!(seen, [0.0, 1.0, 3.0, 0.0, 1.0, 3.0]);
        road.set_velocity(-2.0).unwrap();
        road.travel();
        assert_eq!(road.at(At::Next), 1.0);
        road.reset();
        assert_eq!([road.at(At::Previous), road.at(At::Now)], [1.0, 0.0]);
    }

    #[test]
    fn between_heights_a_sine_stays_a_sine() {
        let heights: Vec<f64> = (0..32).map(|i| (std::f64::consts::TAU * f64::from(i) / 32.0).sin()).collect();
        let mut road = road(&heights, 1e-3, 0.137);
        for n in 1..1000 {
            road.travel();
            let exact = (std::f64::consts::TAU * 0.137 * f64::from(n) / 32.0).sin();
            assert!((road.at(At::Next) - exact).abs() < 2e-4);
            road.advance();
        }
    }

    #[test]
    fn what_is_no_surface_is_refused() {
        let refused = |heights: Vec<f64>, spacing, velocity| {
            Road::new(&Roughness { heights, spacing, velocity }, 48_000.0).unwrap_err().to_string()
        };
        assert!(refused(vec![1e-3], 1e-3, 1.0).contains("number of heights is 1"));
        assert!(refused(vec![0.0, f64::NAN], 1e-3, 1.0).contains("height is NaN"));
        assert!(refused(vec![0.0, 1e-3], 0.0, 1.0).contains("spacing of heights is 0"));
        assert!(refused(vec![0.0, 1e-3], 1e-3, f64::INFINITY).contains("velocity of travel is inf"));
        assert!(refused(vec![0.0, 1e-3], 1e-300, 1.0).contains("spacing of heights"));
    }
}
