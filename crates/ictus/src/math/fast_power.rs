//! `x^p` as `2^(p log₂ x)`, in products, sums and one division: fast enough for every sample, the same bits everywhere.
//!
//! A general `pow` is right to the last bit and costs four times as much. A contact law needs neither: its energy balance is
//! exact whatever the power, and its parameters are known to a few digits. The error here is that of rounding the exponent,
//! `|p log₂ x| 2⁻⁵³`: below 2e-14 of the result for results from 1e-50 to 1e50.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// `x^p` for x ≥ 0 and p > 0.
#[inline]
pub(crate) fn power(x: f64, p: f64) -> f64 {
    if x > 0.0 && x < f64::INFINITY { exp2(p * log2(x)) } else { x * p }
}

/// log₂ x for a positive finite x: exponent, and `2 artanh r` of the mantissa with `r = (m-1)/(m+1)`, |r| ≤ 0.172.
#[inline]
fn log2(x: f64) -> f64 {
    const SUBNORMAL_SHIFT: f64 = 18_014_398_509_481_984.0; // 2^54
    let (x, shift) = if x < f64::MIN_POSITIVE { (x * SUBNORMAL_SHIFT, 54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i32 - 1023 - shift;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    let (mantissa, exponent) = if mantissa > SQRT_2 { (0.5 * mantissa, exponent + 1) } else { (mantissa, exponent) };
    let r = (mantissa - 1.0) / (mantissa + 1.0);
    let s = r * r;
    const C: [f64; 11] = {
        let mut c = [0.0; 11];
        let mut n = 0;
        while n < 11 {
            c[n] = 2.0 * LOG2_E / (2 * n + 1) as f64;
            n += 1;
        }
        c
    };
    let s2 = s * s;
    let s4 = s2 * s2;
    let low = (C[0] + C[1] * s) + (C[2] + C[3] * s) * s2;
    let middle = (C[4] + C[5] * s) + (C[6] + C[7] * s) * s2;
    let high = (C[8] + C[9] * s) + C[10] * s2;
    f64::from(exponent) + r * (low + (middle + high * s4) * s4)
}

/// 2^y, by the nearest whole power and a Taylor polynomial on ±½.
#[inline]
fn exp2(y: f64) -> f64 {
    let y = y.clamp(-1100.0, 1100.0);
    let whole = y.round_ties_even();
    let f = (y - whole) * LN_2;
    const C: [f64; 14] = {
        let mut c = [1.0; 14];
        let mut n = 1;
        while n < 14 {
            c[n] = c[n - 1] / n as f64;
            n += 1;
        }
        c
    };
    let f2 = f * f;
    let f4 = f2 * f2;
    let f8 = f4 * f4;
    let low = ((C[0] + C[1] * f) + (C[2] + C[3] * f) * f2) + ((C[4] + C[5] * f) + (C[6] + C[7] * f) * f2) * f4;
    let high = ((C[8] + C[9] * f) + (C[10] + C[11] * f) * f2) + (C[12] + C[13] * f) * f4;
    // Twice half the power: 2^1024 is no number, and 2^-1074 has no exponent.
    let half = (whole as i64) >> 1;
    let scale = |n: i64| f64::from_bits(((n + 1023) as u64) << 52);
    (low + high * f8) * scale(half) * scale(whole as i64 - half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn agrees_with_the_library_power(log in -280.0..280.0_f64, p in 1.0..12.0_f64, root in any::<bool>()) {
            let (x, p) = if root { (10f64.powf(log), 1.0 / p) } else { (10f64.powf(log / p), p) };
            let truth = libm::pow(x, p);
            let allowed = 4e-16 + 2.0 * f64::EPSILON * (p * log2(x)).abs();
            let relative = power(x, p) / truth - 1.0;
            prop_assert!(relative.abs() < allowed, "{x}^{p} off by {relative:e}");
        }
    }

    #[test]
    fn the_ends_of_the_range_are_0_and_infinity() {
        assert_eq!(power(0.0, 1.3), 0.0);
        assert_eq!(power(f64::INFINITY, 0.3), f64::INFINITY);
        assert_eq!(power(1e300, 2.1), f64::INFINITY);
        assert_eq!(power(1e-300, 2.1), 0.0);
        assert!(power(f64::NAN, 0.3).is_nan());
        let tiny = f64::from_bits(12_345);
        assert!((power(tiny, 0.3) / libm::pow(tiny, 0.3) - 1.0).abs() < 1e-13);
        assert_eq!(power(1.0, 0.77), 1.0);
    }
}
