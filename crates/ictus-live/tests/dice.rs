//! Chance for tests, the same every time.

/// Numbers that look random and are the same every time (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    /// Any 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number from 0, below this.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// From 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
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
