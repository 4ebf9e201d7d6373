//! A bow pressed on a string: friction that grips at low sliding velocity and falls to a lower level at high.
//!
//! ```text
//! φ = 0,   f = R(v) v = ±F_N √H(y),   H(y) = d² (1 - e^(-y)) + α y e^(-y),   y = 2a v²
//! ```
//!
//! v is the velocity relative to the bow, F_N the largest friction force and d F_N the force at high velocity. The force
//! rises to F_N (the string sticks, nearly), then falls towards d F_N (it slips), never to rise again:
//! `H' = e^(-y) (d² + α - α y)` changes its sign once, at `y = 1 + z` with `z = d²/α`. There H is `d² + α e^(-1-z)`; that
//! this be 1 asks for `z e^z = d²/(e (1 - d²))`, so z is Lambert's W₀ of the right side and `α = (1 - d²) e^(1+z)`.
//! `R = F_N √(2a) √(H/y)` is smooth, even, falls with |v| and is finite at rest, since `H/y → d² + α`.
//!
//! With d = 0 it is the curve of Bilbao, Numerical Sound Synthesis (2009), `F_N √(2a) v e^(1/2 - a v²)`, which has let go
//! of a string that moves at more than a few 1/√(2a): a bow drawn fast over it would not be felt. The level of sliding
//! is ours. Rosin on a string slides at about a third of what it can hold (Smith and Woodhouse, The tribology of rosin, 2000).

use std::f64::consts::{E, SQRT_2};

use super::info::{Allowed, LawInfo, ParameterInfo};
use super::numbered::Numbered;
use super::{ContactLaw, LawError};
use crate::limits;

/// Smooth bow friction: up to F_N while it grips, d F_N when it slides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BowFriction {
    normal_force: f64,
    sharpness: f64,
    sliding: f64,
    /// `√(2a)` in s/m.
    scale: f64,
    /// α.
    grip: f64,
}

impl BowFriction {
    /// Level of sliding of a bow of which nothing else is said, as a fraction of the largest friction.
    pub const SLIDING: f64 = 0.3;

    /// This law's line in the registry.
    pub const INFO: LawInfo = LawInfo {
        name: "bow-friction",
        title: "bow friction",
        summary: "friction of a bow that grips and slides",
        formula: "φ = 0, R = F_N √(d² (1 - e^(-y)) + α y e^(-y))/|v|, y = 2a v², its largest force being F_N",
        parameters: &[
            ParameterInfo {
                name: "normal force",
                symbol: "F_N",
                unit: "N",
                allowed: Allowed::Within { least: 0.0, most: limits::STRONGEST_BOW },
                default: None,
                scales: true,
            },
            ParameterInfo {
                name: "sharpness",
                symbol: "a",
                unit: "s²/m²",
                allowed: Allowed::AboveUpTo { above: 0.0, most: limits::SHARPEST },
                default: Some(100.0),
                scales: false,
            },
            ParameterInfo {
                name: "sliding",
                symbol: "d",
                unit: "1",
                allowed: Allowed::Between { least: 0.0, below: 1.0 },
                default: Some(Self::SLIDING),
                scales: false,
            },
        ],
        usual: &[0.5, 60.0, Self::SLIDING],
        source: "Bilbao, Numerical Sound Synthesis (2009), for d = 0; the level of sliding is ours",
    };

    /// Normal force F_N ≥ 0 in N, which is the largest friction; sharpness a > 0 in s²/m² (about 100 for a bow). It slides at
    /// [`SLIDING`](Self::SLIDING) of F_N.
    ///
    /// More force makes the tone louder, then scratchy; a sharper curve lets go sooner and sounds brighter.
    pub fn new(normal_force: f64, sharpness: f64) -> Result<Self, LawError> {
        Self { normal_force, sharpness, sliding: 0.0, scale: SQRT_2 * sharpness.sqrt(), grip: E }
            .with_sliding(Self::SLIDING)
    }

    /// The same with another level of sliding d, 0 ≤ d < 1, as a fraction of the largest friction.
    ///
    /// With more, a bow drawn fast pulls more; but it also lets the string slip less easily, and wants to be pressed harder.
    pub fn with_sliding(&self, sliding: f64) -> Result<Self, LawError> {
        Self::INFO.check([self.normal_force, self.sharpness, sliding])?;
        let rest = (1.0 - sliding) * (1.0 + sliding);
        let grip = rest * libm::exp(1.0 + product_logarithm(sliding * sliding / (E * rest)));
        Ok(Self { sliding, grip, ..*self })
    }

    /// The same curve pressed with another normal force in N.
    pub fn with_normal_force(&self, normal_force: f64) -> Result<Self, LawError> {
        Self::INFO.check([normal_force, self.sharpness, self.sliding])?;
        Ok(Self { normal_force, ..*self })
    }

    /// Normal force F_N in N: the largest friction force, at any velocity.
    pub fn normal_force(&self) -> f64 {
        self.normal_force
    }

    /// Sharpness a in s²/m².
    pub fn sharpness(&self) -> f64 {
        self.sharpness
    }

    /// Level of sliding d, as a fraction of the largest friction.
    pub fn sliding(&self) -> f64 {
        self.sliding
    }

    /// Velocity in m/s at which friction is largest: `√((1 + d²/α)/2a)`.
    pub fn gripping_velocity(&self) -> f64 {
        (1.0 + self.sliding * self.sliding / self.grip).sqrt() / self.scale
    }

    /// Resistance at rest in N s/m, the largest: `F_N √(2a (d² + α))`.
    pub fn resistance_at_rest(&self) -> f64 {
        self.normal_force * (self.scale * (self.sliding * self.sliding + self.grip).sqrt())
    }

    /// R(v) in N s/m and the slope of the friction force `d(R v)/dv = F_N √(2a) H'(y)/√(H/y)` in N s/m, which is negative where the
    /// force falls.
    #[inline]
    pub fn resistance_and_slope(&self, velocity: f64) -> (f64, f64) {
        let (y, falling, root) = self.curve(velocity);
        let scale = self.normal_force * self.scale;
        let change = falling * (self.sliding * self.sliding + self.grip - self.grip * y);
        (self.normal_force * (self.scale * root), if falling > 0.0 { scale * (change / root) } else { 0.0 })
    }

    /// y, e^(-y) and √(H/y) at a velocity in m/s.
    #[inline]
    fn curve(&self, velocity: f64) -> (f64, f64, f64) {
        let x = self.scale * velocity;
        let y = x * x;
        // 1 - e^(-y) must not cancel for small y, nor e^(-y) for large.
        let (falling, risen) = if y < 0.5 {
            let fallen = libm::expm1(-y);
            (1.0 + fallen, if y > f64::MIN_POSITIVE { -fallen / y } else { 1.0 })
        } else {
            let falling = libm::exp(-y);
            (falling, (1.0 - falling) / y)
        };
        (y, falling, (self.sliding * self.sliding * risen + self.grip * falling).sqrt())
    }
}

/// Lambert's W₀ of a number ≥ 0: the z of `z e^z = c`. Newton's step for `z + ln z = ln c`; from `ln(1 + c)`, which is at
/// most a third off, four reach rounding.
fn product_logarithm(c: f64) -> f64 {
    let mut z = libm::log1p(c);
    if z > 0.0 {
        for _ in 0..4 {
            z *= (1.0 + libm::log(c / z)) / (1.0 + z);
        }
    }
    z
}

impl Numbered for BowFriction {
    type Numbers = [f64; 3];

    fn from_numbers([normal_force, sharpness, sliding]: Self::Numbers) -> Result<Self, LawError> {
        Self::new(normal_force, sharpness)?.with_sliding(sliding)
    }

    fn numbers(&self) -> Self::Numbers {
        [self.normal_force, self.sharpness, self.sliding]
    }
}

impl ContactLaw for BowFriction {
    #[inline]
    fn potential(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn force(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn stiffness(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn root(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn root_slope(&self, _compression: f64) -> f64 {
        0.0
    }

    #[inline]
    fn resistance(&self, _compression: f64, velocity: f64) -> f64 {
        let (_, _, root) = self.curve(velocity);
        self.normal_force * (self.scale * root)
    }

    #[inline]
    fn friction(&self) -> Option<&BowFriction> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn law(normal_force: f64, sharpness: f64, sliding: f64) -> BowFriction {
        BowFriction::new(normal_force, sharpness).and_then(|law| law.with_sliding(sliding)).unwrap()
    }

    proptest! {
        #[test]
        fn the_largest_friction_force_is_the_normal_force(
            sharpness in (-2.0..8.0_f64).prop_map(|log| 10f64.powf(log)),
            sliding in prop_oneof![Just(0.0), 0.0..0.999_f64, Just(1.0 - f64::EPSILON)],
            factor in (-8.0..8.0_f64).prop_map(|log| 10f64.powf(log)),
        ) {
            let law = law(3.0, sharpness, sliding);
            let friction = |velocity: f64| law.resistance(0.0, velocity) * velocity;
            let top = law.gripping_velocity();
            prop_assert!((friction(top) / 3.0 - 1.0).abs() < 1e-14);
            prop_assert_eq!(friction(-top), -friction(top));
            prop_assert!(friction(factor * top) <= 3.0 * (1.0 + 1e-14), "{}", friction(factor * top));
        }

        #[test]
        fn its_slope_is_that_of_the_force_and_changes_sign_at_the_top(
            sharpness in (0.0..4.0_f64).prop_map(|log| 10f64.powf(log)),
            sliding in 0.0..0.95_f64,
            factor in 0.01..4.0_f64,
        ) {
            let law = law(2.0, sharpness, sliding);
            let velocity = factor * law.gripping_velocity();
            let step = 1e-5 * velocity;
            let friction = |velocity: f64| law.resistance(0.0, velocity) * velocity;
            let secant = (friction(velocity + step) - friction(velocity - step)) / (2.0 * step);
            let (resistance, slope) = law.resistance_and_slope(velocity);
            prop_assert_eq!(resistance, law.resistance(0.0, velocity));
            prop_assert!((slope - secant).abs() < 1e-6 * law.resistance_at_rest(), "{slope} and {secant}");
            if (factor - 1.0).abs() > 1e-3 {
                prop_assert_eq!(slope > 0.0, factor < 1.0);
            }
        }

        #[test]
        fn resistance_falls_with_the_velocity(
            sliding in 0.0..0.999_f64, slow in 0.0..3.0_f64, more in 0.0..3.0_f64,
        ) {
            let law = law(1.0, 100.0, sliding);
            let (fast, slow) = (law.resistance(0.0, slow + more), law.resistance(0.0, slow));
            prop_assert!(fast <= slow * (1.0 + 1e-15));
            prop_assert!(slow <= law.resistance_at_rest() * (1.0 + 1e-15));
        }
    }

    #[test]
    fn without_sliding_it_is_the_published_curve() {
        let law = law(3.0, 100.0, 0.0);
        for velocity in [0.0_f64, 1e-3, 0.03, 0.07, 0.2, 0.5] {
            let published = 3.0 * 200f64.sqrt() * (0.5 - 100.0 * velocity * velocity).exp();
            assert!((law.resistance(0.0, velocity) / published - 1.0).abs() < 1e-13, "{velocity}");
        }
        assert!((law.gripping_velocity() - 1.0 / 200f64.sqrt()).abs() < 1e-16);
        assert_eq!(law.resistance(0.0, 1e200), 0.0);
        assert!(law.resistance(0.0, 1.0) < 1e-40);
    }

    #[test]
    fn a_bow_that_slides_fast_still_pulls() {
        for sliding in [0.1, 0.3, 0.9] {
            let law = law(3.0, 100.0, sliding);
            for velocity in [1.0, 10.0, 1e3, 1e100] {
                let friction = law.resistance(0.0, velocity) * velocity;
                assert!((friction / (3.0 * sliding) - 1.0).abs() < 1e-12, "{friction} N at {velocity} m/s");
            }
        }
        assert_eq!(BowFriction::new(1.0, 100.0).unwrap().sliding(), BowFriction::SLIDING);
    }

    #[test]
    fn the_product_logarithm_undoes_the_product() {
        for z in [1e-300, 1e-12, 1e-3, 0.1, 1.0, 5.0, 33.0] {
            let got = product_logarithm(z * libm::exp(z));
            assert!((got / z - 1.0).abs() < 1e-14, "{z}: {got}");
        }
        assert_eq!(product_logarithm(0.0), 0.0);
    }

    #[test]
    fn another_force_leaves_the_curve() {
        let law = law(3.0, 80.0, 0.4);
        let lighter = law.with_normal_force(1.5).unwrap();
        assert_eq!(lighter.with_normal_force(3.0).unwrap(), law);
        assert_eq!(2.0 * lighter.resistance(0.0, 0.1), law.resistance(0.0, 0.1));
        assert!(law.with_normal_force(-1.0).is_err());
    }
}
