//! Powers `x^p` of a non-negative number with an exponent that is fixed long before x is known.
//!
//! Contact laws raise a compression to the same power at every sample. [`Power::new`] looks at the exponent
//! once: a multiple of a quarter up to 8 needs only products and square roots, which IEEE 754 rounds the same
//! way everywhere; anything else goes through a table and polynomials, in products and sums. So results are
//! bit-identical across platforms. Quarters and not only halves, because Hertz's contact (α = 3/2) takes
//! compressions to the power (α - 1)/2 = 1/4. `f64::powi` and `f64::powf` are not used: their results may
//! differ between platforms and compiler versions.

use super::fast_power::FastPower;

/// Largest exponent computed by products and square roots.
const LARGEST_BY_PRODUCTS: f64 = 8.0;

/// A fixed exponent, ready to raise numbers to it.
///
/// ```
/// use ictus::math::power::Power;
///
/// let hertz = Power::new(1.5);
/// assert_eq!(hertz.of(4.0), 8.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    exponent: f64,
    method: Method,
}

/// How the power is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    /// The powers that the most used laws need (α = 1, 3/2, 2), each for itself.
    One,
    FourthRoot,
    Root,
    /// `x^whole` times a quarter, a half or three quarters.
    Products {
        whole: u8,
        fraction: Fraction,
    },
    /// By table and polynomial.
    General(FastPower),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fraction {
    None,
    Quarter,
    Half,
    ThreeQuarters,
}

impl Power {
    /// Prepares the power with this exponent, which must be finite and not negative.
    pub fn new(exponent: f64) -> Self {
        debug_assert!(exponent.is_finite() && exponent >= 0.0);
        let quarters = 4.0 * exponent;
        let by_products = (0.0..=LARGEST_BY_PRODUCTS).contains(&exponent) && quarters == quarters.trunc();
        let method = match quarters as u8 {
            _ if !by_products => Method::General(FastPower::new(exponent)),
            0 => Method::One,
            1 => Method::FourthRoot,
            2 => Method::Root,
            quarters => {
                let fraction = match quarters % 4 {
                    0 => Fraction::None,
                    1 => Fraction::Quarter,
                    2 => Fraction::Half,
                    _ => Fraction::ThreeQuarters,
                };
                Method::Products { whole: quarters / 4, fraction }
            }
        };
        Self { exponent, method }
    }

    /// The exponent.
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// `x^p` for x ≥ 0, with 0⁰ = 1.
    ///
    /// Rounded once or not at all for p = 0, 1/2, 1 and 2; for other multiples of a quarter up to 8 off by less than 1.3e-15 of its
    /// value (eleven roundings at worst, for p = 7.75); else by less than 1e-15 and twice the rounding of p log₂ x. Overflow stops
    /// at `f64::MAX`, so that a finite x gives a finite power and a zero factor times it is zero; underflow goes to zero. A NaN
    /// stays a NaN.
    #[inline(always)]
    pub fn of(&self, x: f64) -> f64 {
        match &self.method {
            Method::One => 1.0,
            Method::FourthRoot => x.sqrt().sqrt(),
            Method::Root => x.sqrt(),
            Method::Products { whole, fraction } => {
                let power = whole_power(x, *whole) * fraction.of(x);
                // Not `min`, which would turn a NaN into a number.
                if power > f64::MAX { f64::MAX } else { power }
            }
            Method::General(power) => power.of(x),
        }
    }
}

impl Fraction {
    #[inline]
    fn of(self, x: f64) -> f64 {
        match self {
            Fraction::None => 1.0,
            Fraction::Quarter => x.sqrt().sqrt(),
            Fraction::Half => x.sqrt(),
            Fraction::ThreeQuarters => {
                let root = x.sqrt();
                root * root.sqrt()
            }
        }
    }
}

/// `x^n` by repeated squaring, in a fixed order.
#[inline]
fn whole_power(x: f64, n: u8) -> f64 {
    let (mut power, mut square, mut rest) = (1.0, x, n);
    while rest > 0 {
        if rest & 1 == 1 {
            power *= square;
        }
        square *= square;
        rest >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_agree_with_the_general_power(quarters in 0_u8..=32, x in 1e-9..1e9_f64) {
            let exponent = f64::from(quarters) / 4.0;
            let power = Power::new(exponent);
            prop_assert!(!matches!(power.method, Method::General(_)));
            let relative = power.of(x) / libm::pow(x, exponent) - 1.0;
            prop_assert!(relative.abs() < 1.5e-15, "{x}^{exponent} off by {relative}");
        }

        #[test]
        fn other_exponents_are_taken_as_they_are(exponent in 0.0..20.0_f64, x in 1e-9..1e9_f64) {
            let power = Power::new(exponent);
            prop_assert_eq!(power.exponent(), exponent);
            let relative = power.of(x) / libm::exp(exponent * libm::log(x)) - 1.0;
            prop_assert!(relative.abs() < 1e-12, "{x}^{exponent} off by {relative}");
        }

        #[test]
        fn a_finite_number_has_a_finite_power(exponent in 0.0..1e3_f64, bits in any::<u64>()) {
            let x = f64::from_bits(bits & !(1 << 63));
            prop_assume!(x.is_finite());
            for exponent in [exponent, exponent.trunc() / 4.0] {
                let power = Power::new(exponent).of(x);
                prop_assert!((0.0..=f64::MAX).contains(&power), "{x}^{exponent} = {power}");
            }
        }
    }

    #[test]
    fn zero_to_the_zero_is_one_and_to_anything_else_zero() {
        assert_eq!(Power::new(0.0).of(0.0), 1.0);
        for exponent in [0.05, 0.25, 0.5, 0.75, 1.0, 2.8, 7.5, 31.0] {
            assert_eq!(Power::new(exponent).of(0.0), 0.0, "exponent {exponent}");
        }
    }

    #[test]
    fn a_nan_is_not_hidden() {
        for exponent in [0.3, 0.5, 1.0, 2.0] {
            assert!(Power::new(exponent).of(f64::NAN).is_nan());
        }
    }

    #[test]
    fn simple_powers_are_exact() {
        assert_eq!(Power::new(0.25).of(81.0), 3.0);
        assert_eq!(Power::new(0.75).of(81.0), 27.0);
        assert_eq!(Power::new(2.5).of(4.0), 32.0);
        assert_eq!(Power::new(8.0).of(3.0), 6561.0);
    }
}
