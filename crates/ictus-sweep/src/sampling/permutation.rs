//! A random order of the numbers 0 to n - 1 that is computed number by number, without a list.
//!
//! A Feistel network of four rounds permutes the numbers of 2k bits, 4^k ≥ n (M. Luby and C. Rackoff, 1988). Whoever lands at n or above
//! goes on from there until he lands below (J. Black and P. Rogaway, "Ciphers with arbitrary finite domains", 2002): below four
//! rounds on average, and still a permutation.

use super::random_bits;

const ROUNDS: u64 = 4;

/// An order of the numbers below `count`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Permutation {
    count: u64,
    /// Bits of half a number.
    half: u32,
    seed: u64,
}

impl Permutation {
    pub(super) fn new(count: u64, seed: u64) -> Self {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Self { count, half: bits.div_ceil(2).max(1), seed }
    }

    /// Where `index`, below the count, stands in the order.
    pub(super) fn place(&self, index: u64) -> u64 {
        let mut place = self.network(index);
        while place >= self.count {
            place = self.network(place);
        }
        place
    }

    fn network(&self, number: u64) -> u64 {
        let mask = (1u64 << self.half) - 1;
        let (mut left, mut right) = (number >> self.half, number & mask);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ (random_bits(self.seed, round, right) & mask));
        }
        left << self.half | right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_own_place() {
        for count in (1..300).chain([1000, 4096, 4097, 65_537]) {
            let order = Permutation::new(count, count);
            let mut seen = vec![false; count as usize];
            for index in 0..count {
                let place = order.place(index) as usize;
                assert!(!std::mem::replace(&mut seen[place], true), "{count}");
            }
        }
    }

    #[test]
    fn the_order_is_random() {
        let count = 10_000u64;
        let order = Permutation::new(count, 3);
        let places: Vec<f64> = (0..count).map(|index| order.place(index) as f64).collect();
        // The correlation of neighbours and that with the index are below four standard deviations of independent numbers.
        let mean = 0.5 * (count - 1) as f64;
        let variance = ((count * count - 1) as f64) / 12.0;
        let neighbours: f64 = places.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
        let with_index: f64 = places.iter().enumerate().map(|(n, place)| (n as f64 - mean) * (place - mean)).sum();
        for sum in [neighbours, with_index] {
            assert!((sum / variance / count as f64).abs() < 4.0 / (count as f64).sqrt(), "{sum}");
        }
        let other = Permutation::new(count, 4);
        assert!((0..count).filter(|index| order.place(*index) == other.place(*index)).count() < 10);
    }
}
