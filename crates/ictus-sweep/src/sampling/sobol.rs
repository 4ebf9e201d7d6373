//! The Sobol sequence by index, moved by a random digital shift.
//!
//! Point i in dimension d is the exclusive or of the direction numbers `v_j` over the ones of the Gray code `i ^ (i >> 1)`. They follow
//! from a primitive polynomial of degree s, `x^s + a_1 x^(s-1) + … + 1`, by
//! `m_j = 2 a_1 m_(j-1) ⊕ … ⊕ 2^s m_(j-s) ⊕ m_(j-s)`, `v_j = m_j / 2^j`.
//! Sources: I. M. Sobol' (1967); I. A. Antonov and V. M. Saleev (1979) for the Gray code; S. Joe and F. Y. Kuo (2008) for the numbers.
//!
//! The shift is one random number of 64 bits for each dimension: every interval of length 2^-k still holds one of every 2^k successive
//! points from a multiple of 2^k on, and no coordinate is exactly 0.

use super::random_bits;
use super::sobol_table::DIMENSIONS;

/// Most dimensions.
pub const MOST_DIMENSIONS: usize = DIMENSIONS.len() + 1;

/// Binary digits of a coordinate before the shift; also the most points, as a power of 2.
const DIGITS: usize = 32;

/// The sequence in one dimension.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sobol {
    directions: [u32; DIGITS],
    shift: u64,
}

impl Sobol {
    /// Dimension `dimension`, below [`MOST_DIMENSIONS`], shifted by a number that the seed draws.
    pub(super) fn new(dimension: usize, seed: u64) -> Self {
        Self { directions: directions(dimension), shift: random_bits(seed, 0x5060_b01d, dimension as u64) }
    }

    /// The coordinate of a point, from 0, included, to 1, excluded.
    pub(super) fn unit(&self, index: u64) -> f64 {
        let shifted = (u64::from(self.digits(index as u32)) << 32) ^ self.shift;
        (shifted >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The binary digits of the coordinate before the shift.
    fn digits(&self, index: u32) -> u32 {
        let gray = index ^ (index >> 1);
        let set = self.directions.iter().enumerate().filter(|(digit, _)| gray >> digit & 1 == 1);
        set.fold(0, |digits, (_, direction)| digits ^ direction)
    }
}

/// The direction numbers of a dimension, the first in the highest bit.
fn directions(dimension: usize) -> [u32; DIGITS] {
    let Some(rest) = dimension.checked_sub(1).and_then(|index| DIMENSIONS.get(index)) else {
        return std::array::from_fn(|digit| 1 << (DIGITS - 1 - digit));
    };
    let degree = rest.1.len();
    let mut m = [0u64; DIGITS];
    for digit in 0..DIGITS {
        m[digit] = match rest.1.get(digit) {
            Some(given) => u64::from(*given),
            None => (1..=degree).fold(m[digit - degree], |sum, back| {
                let coefficient = u64::from(rest.0 >> (degree - back) & 1);
                sum ^ (coefficient * (m[digit - back] << back))
            }),
        };
    }
    std::array::from_fn(|digit| (m[digit] << (DIGITS - 1 - digit)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(dimension: usize, index: u32) -> f64 {
        f64::from(Sobol::new(dimension, 0).digits(index)) / 2f64.powi(32)
    }

    #[test]
    fn the_first_points_are_those_of_the_published_sequence() {
        // Joe and Kuo's program, in Gray code order, dimensions 1 to 3.
        let expected = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
        ];
        for (index, point) in expected.into_iter().enumerate() {
            assert_eq!([0, 1, 2].map(|dimension| plain(dimension, index as u32)), point);
        }
    }

    #[test]
    fn every_dimension_fills_every_interval_once_whatever_the_shift() {
        for dimension in 0..MOST_DIMENSIONS {
            let sequence = Sobol::new(dimension, 99);
            let mut seen = vec![false; 1024];
            for index in 2048..3072 {
                let unit = sequence.unit(index);
                assert!((0.0..1.0).contains(&unit));
                let cell = (unit * 1024.0) as usize;
                assert!(!std::mem::replace(&mut seen[cell], true), "dimension {dimension}");
            }
        }
    }

    #[test]
    fn the_first_two_dimensions_fill_every_rectangle_of_equal_area_once() {
        let (a, b) = (Sobol::new(0, 5), Sobol::new(1, 5));
        for rows in 0..=10u32 {
            let mut seen = vec![false; 1024];
            for index in 0..1024 {
                let row = (a.unit(index) * f64::from(1 << rows)) as usize;
                let column = (b.unit(index) * f64::from(1 << (10 - rows))) as usize;
                assert!(!std::mem::replace(&mut seen[row << (10 - rows) | column], true), "{rows}");
            }
        }
    }
}
