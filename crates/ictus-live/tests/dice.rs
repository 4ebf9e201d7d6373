//! Chance for tests, the same every time.

use ictus::math::random::SplitMix64;

/// Numbers that look random and are the same every time.
pub struct Dice(SplitMix64);

impl Dice {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64(seed))
    }

    /// Any 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// A whole number from 0, below this.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// From 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        self.0.unit()
    }

    /// Extremes of every kind.
    pub fn value(&mut self) -> f64 {
        match self.below(8) {
            0 => 0.0,
            1 => -1e30,
            2 => 1e300,
            3 => f64::MIN_POSITIVE,
            4 => 1e12 * self.fraction(),
            5 => -self.fraction(),
            6 => 10f64.powf(40.0 * self.fraction() - 20.0),
            _ => self.fraction(),
        }
    }

    /// One of several.
    pub fn one_of<'a, T>(&mut self, many: &'a [T]) -> &'a T {
        &many[self.below(many.len())]
    }
}
