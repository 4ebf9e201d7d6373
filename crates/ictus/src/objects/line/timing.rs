//! Lines to time from outside the crate; not for use.

use super::super::{Body, string::StringSpec};
use super::Line;
use fearless_simd::Level;

/// Strings of 100 points with nothing touching them.
pub struct TimedStrings {
    strings: Vec<Line>,
    level: Level,
}

impl TimedStrings {
    /// A number of equal strings of 100 points at 48 kHz, plucked, stepped at the best level of this machine.
    ///
    /// Their losses are too small to bring a long run down to subnormal numbers.
    pub fn new(count: usize, stiff: bool, sigma1: bool) -> Self {
        let spec = StringSpec {
            youngs_modulus: if stiff { 2e11 } else { 0.0 },
            sigma0: 0.01,
            sigma1: if sigma1 { 1e-6 } else { 0.0 },
            segments: Some(99),
            ..StringSpec::default()
        };
        let strings = (0..count).filter_map(|_| {
            let mut string = spec.build(48_000.0, 1000).ok()?;
            string.displace(|fraction| 1e-3 * fraction.min(4.0 * (1.0 - fraction))).ok()?;
            Some(string)
        });
        Self { strings: strings.collect(), level: Level::new() }
    }

    /// Steps every string by some samples, one string after the other.
    pub fn step(&mut self, samples: usize) {
        for string in &mut self.strings {
            for _ in 0..samples {
                string.free_step(self.level);
                string.advance();
            }
        }
    }

    /// Number of strings.
    pub fn count(&self) -> usize {
        self.strings.len()
    }

    /// A displacement, so that the steps are not optimised away.
    pub fn sound(&self) -> f64 {
        self.strings.first().map_or(0.0, |string| string.shape()[30])
    }
}
