//! `x^p` for an exponent that is known beforehand, in products and sums: fast enough for every sample, the same bits everywhere.
//!
//! With `x = 2^e c (1 + r)`, c the nearest of 64 steps from 1 to 2 and |r| < 1/128,
//!
//! ```text
//! x^p = 2^(p (e + log₂ c)) · (1 + p r + p(p-1)/2 r² + …)
//! ```
//!
//! The two factors do not wait for each other. The first is again `2^k · 2^(f/32)`, f at most ½ either way; the second takes the
//! binomial coefficients of p, worked out once.
//!
//! A general `pow` is right to the last bit and costs several times as much. A contact law needs neither: its energy balance is
//! exact whatever the power, and its parameters are known to a few digits. The error here is that of rounding the exponent,
//! `p (½ + |log₂ x|) 2⁻⁵³`, and of the last products, 9e-16 at most: below 2e-14 of the result for results from 1e-50 to 1e50.

use std::f64::consts::{LN_2, LOG2_E};

/// Largest exponent for which eight terms of the binomial series are enough.
const LARGEST: f64 = 16.0;

/// Steps from 1 to 2 of which c is the nearest.
const STEPS: usize = 64;

/// Pieces of an octave to which 2^y is reduced.
const PIECES: usize = 32;

/// Largest exponent of the result: beyond, and for numbers that are not normal, the general power answers.
const LARGEST_RESULT: f64 = 1000.0;

/// An exponent and its binomial coefficients from the first on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FastPower {
    exponent: f64,
    binomials: [f64; 8],
}

impl FastPower {
    /// For an exponent above 0.
    pub(crate) fn new(exponent: f64) -> Self {
        let mut binomials = [exponent; 8];
        for n in 1..8 {
            binomials[n] = binomials[n - 1] * (exponent - n as f64) / (n + 1) as f64;
        }
        Self { exponent, binomials }
    }

    /// `x^p` for x ≥ 0; overflow stops at `f64::MAX`.
    #[inline(always)]
    pub(crate) fn of(&self, x: f64) -> f64 {
        let bits = x.to_bits();
        let exponent = (bits >> MANTISSA) as i64 - BIAS;
        let cell = (((bits >> (MANTISSA - 7)) & 127) as usize).div_ceil(2);
        let mantissa = f64::from_bits((bits & ((1 << MANTISSA) - 1)) | ((BIAS as u64) << MANTISSA));
        let Some(&[step, inverse, log]) = CELLS.get(cell) else { return general(x, self.exponent) };
        let z = (PIECES as f64 * self.exponent) * (exponent as f64 + log);
        let normal = (f64::MIN_POSITIVE..=f64::MAX).contains(&x);
        let moderate = z.abs() < PIECES as f64 * LARGEST_RESULT;
        if !(normal && moderate && self.exponent <= LARGEST) {
            return general(x, self.exponent);
        }
        let r = (mantissa - step) * inverse;
        // The nearest whole number appears in the last bits of a sum with a number so large that nothing smaller has room there.
        let shifted = z + WHOLE;
        let whole = shifted.to_bits() as i64 - WHOLE.to_bits() as i64;
        let f = z - (shifted - WHOLE);
        let octaves = whole.div_euclid(PIECES as i64);
        let piece = whole.rem_euclid(PIECES as i64) as usize;
        let power_of_two = f64::from_bits(ROOTS[piece].to_bits().wrapping_add((octaves << MANTISSA) as u64));

        // By threes and by twos: alike, they would be worked out side by side in one vector, and the first would wait for the second.
        let b = &self.binomials;
        let r2 = r * r;
        let r3 = r2 * r;
        let low = (1.0 + b[0] * r) + b[1] * r2;
        let middle = (b[2] + b[3] * r) + b[4] * r2;
        let high = (b[5] + b[6] * r) + b[7] * r2;
        let grown = low + r3 * (middle + r3 * high);
        let e = &EXPONENTIAL;
        let f2 = f * f;
        let fraction = ((1.0 + e[1] * f) + (e[2] + e[3] * f) * f2) + ((e[4] + e[5] * f) + e[6] * f2) * (f2 * f2);
        (power_of_two * grown) * fraction
    }
}

/// Bits of the mantissa, and the exponent that is stored for 1.
const MANTISSA: u32 = 52;
const BIAS: i64 = 1023;

/// 1.5 · 2^52.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// `x^p`, at most `f64::MAX`.
#[cold]
#[inline(never)]
fn general(x: f64, p: f64) -> f64 {
    let power = libm::pow(x, p);
    if power > f64::MAX { f64::MAX } else { power }
}

/// c, 1/c and log₂ c.
static CELLS: [[f64; 3]; STEPS + 1] = {
    let mut cells = [[1.0, 1.0, 0.0]; STEPS + 1];
    let mut cell = 1;
    while cell <= STEPS {
        let step = 1.0 + cell as f64 / STEPS as f64;
        cells[cell] = [step, 1.0 / step, log2(step)];
        cell += 1;
    }
    cells[STEPS] = [2.0, 0.5, 1.0];
    cells
};

/// 2^(n/32).
static ROOTS: [f64; PIECES] = {
    let mut roots = [1.0; PIECES];
    let mut piece = 1;
    while piece < PIECES {
        roots[piece] = exp(piece as f64 * (LN_2 / PIECES as f64));
        piece += 1;
    }
    roots
};

/// Of 2^(f/32).
const EXPONENTIAL: [f64; 7] = {
    let mut c = [1.0; 7];
    let mut n = 1;
    while n < 7 {
        c[n] = c[n - 1] * (LN_2 / PIECES as f64) / n as f64;
        n += 1;
    }
    c
};

/// log₂ of a number from 1 to 2, by `2 artanh r` with `r = (x-1)/(x+1)`, smallest terms first.
const fn log2(x: f64) -> f64 {
    let r = (x - 1.0) / (x + 1.0);
    let (mut sum, mut n) = (0.0, 20);
    while n > 0 {
        n -= 1;
        sum = 1.0 / (2 * n + 1) as f64 + r * r * sum;
    }
    2.0 * LOG2_E * r * sum
}

/// e^x of a number from 0 to 1, smallest terms first.
const fn exp(x: f64) -> f64 {
    let (mut sum, mut n) = (1.0, 24);
    while n > 0 {
        sum = 1.0 + x * sum / n as f64;
        n -= 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn power(x: f64, p: f64) -> f64 {
        FastPower::new(p).of(x)
    }

    /// Twice the rounding of the exponent, and four times that of the last products.
    fn allowed(x: f64, p: f64) -> f64 {
        9e-16 + f64::EPSILON * p * (1.0 + 2.0 * libm::log2(x).abs())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn agrees_with_the_library_power(
            log in prop_oneof![-280.0..280.0_f64, -1.0..1.0_f64],
            p in 1.0..16.0_f64,
            root in any::<bool>(),
        ) {
            let (x, p) = if root { (10f64.powf(log), 1.0 / p) } else { (10f64.powf(log / p), p) };
            let truth = libm::pow(x, p);
            let relative = power(x, p) / truth - 1.0;
            prop_assert!(relative.abs() < allowed(x, p), "{x}^{p} off by {relative:e}");
        }

        /// Between two steps c, where r is largest, as anywhere.
        #[test]
        fn nothing_shows_where_one_step_meets_the_next(cell in 0..64_u32, p in 0.01..16.0_f64, exponent in -40..10_i32) {
            let edge = libm::ldexp(1.0 + (f64::from(cell) + 0.5) / 64.0, exponent);
            for x in [edge, f64::from_bits(edge.to_bits() - 1)] {
                let relative = power(x, p) / libm::pow(x, p) - 1.0;
                prop_assert!(relative.abs() < allowed(x, p), "{x}^{p} off by {relative:e}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_range_are_0_and_the_largest_number() {
        assert_eq!(power(0.0, 1.3), 0.0);
        assert_eq!(power(f64::INFINITY, 0.3), f64::MAX);
        assert_eq!(power(1e300, 2.1), f64::MAX);
        assert_eq!(power(1e-300, 2.1), 0.0);
        assert!(power(f64::NAN, 0.3).is_nan());
        let tiny = f64::from_bits(12_345);
        assert!((power(tiny, 0.3) / libm::pow(tiny, 0.3) - 1.0).abs() < 1e-13);
        assert_eq!(power(1.0, 0.77), 1.0);
        assert!((power(1.5, 20.0) / libm::pow(1.5, 20.0) - 1.0).abs() < 1e-14);
    }
}
