//! What several tests share.

#![allow(dead_code, reason = "each test uses a part of it")]

use ictus::math::random::SplitMix64;

/// Random choices: the models of a seed are the same on every machine.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// From 0 to 1, which it never is.
    pub fn unit(&mut self) -> f64 {
        self.0.unit()
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Spread evenly over decades.
    pub fn decades(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}
