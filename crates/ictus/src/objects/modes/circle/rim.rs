//! What holds the rim of a circle, as an equation for λ, and all its roots.
//!
//! A mode is `J_m(λ r/a) + C I_m(λ r/a)` times cos or sin mθ. The conditions at r = a (Leissa, NASA SP-160, chapter 2), with C eliminated, are one linear equation
//! for the pair of J at λ. With `ρ = I_{m+1}(λ)/I_m(λ)`, which lies between 0 and 1 whatever λ is, `b = 1 - ν` and `A = b m(m-1)`:
//!
//! ```text
//! P J_m(λ) + Q J_{m+1}(λ) = 0
//! fixed membrane    P = 1                                          Q = 0
//! clamped plate     P = ρ                                          Q = 1
//! supported plate   P = 2λ/b - ρ                                   Q = -1
//! free plate        P = A (4mλ + (2λ² - b m(m+1)) ρ) - λ⁴ρ         Q = 2bλ³ρ - λ⁴ - A (2λ² + b m(m+1))
//! ```
//!
//! The last is the determinant of moment and shear, `M_J V_I - M_I V_J`, after all that cancels has been taken out: it is right to rounding from λ = 0 on.
//!
//! **No root is missed.** N(x), the roots of one m below x, follows from signs at x alone. The rims are one constraint apart, so their roots interlace (Rayleigh), and with the zeros of J_m:
//! clamped, one root between neighbouring zeros and none below the first, hence N = N_J or N_J - 1; supported, one root between neighbouring zeros and one below the first, hence
//! N = N_J or N_J + 1; free, N is that of the supported plate or one more (the motions of the whole count: one for m = 0 and one for m = 1). The sign of the
//! left side is that of (-1)^N, which decides. Roots never coincide for ν > -1: a free rim that happened to stand still would need `λI_m'/I_m = m² + λ²/b`, which is
//! larger than it can be. N at steps of one in x brackets all roots of all m at the cost of one recurrence a step.
//!
//! Rejected: a fine scan for changes of sign (misses pairs, takes the longest), McMahon's expansions as first guesses (poor for m near λ).

use super::super::bessel::{Descent, i_ratio, i_ratios};

/// Width of the steps in which roots are counted; roots of one m are some 3 apart.
const STRIDE: f64 = 1.0;

/// There is no root below but 0: the lowest, that of a free plate with ν just above -1, goes with (1+ν)^¼.
pub(super) const LEAST_ROOT: f64 = 1e-6;

/// What holds the rim; `bend` is 1 - ν.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Condition {
    /// A membrane that cannot move at the rim.
    Fixed,
    /// A plate that can neither move nor turn.
    Clamped,
    /// A plate that cannot move but turn.
    Supported { bend: f64 },
    /// A plate that nothing holds.
    Free { bend: f64 },
}

/// A radial shape: m nodal diameters, and λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Root {
    pub order: usize,
    pub root: f64,
}

/// The equation at one x for one m.
#[derive(Clone, Copy, Debug)]
struct Reading {
    /// Left side, as the cosine of the angle between (P, Q) and the pair of J.
    value: f64,
    /// N, roots below x.
    count: usize,
}

impl Condition {
    /// Modes with λ below `highest`, those with cos mθ and those with sin mθ.
    pub fn count(self, highest: f64) -> usize {
        let mut readings = vec![Reading { value: 0.0, count: 0 }; orders(highest)];
        self.survey(highest, &mut readings);
        readings.iter().enumerate().map(|(order, reading)| if order == 0 { 1 } else { 2 } * reading.count).sum()
    }

    /// All roots below `highest`, at least [`LEAST_ROOT`], lowest first; 0 for motions of the whole.
    pub fn roots(self, highest: f64) -> Vec<Root> {
        let mut roots = Vec::new();
        let mut low: Vec<Reading> = (0..orders(highest)).map(|order| self.at_zero(order)).collect();
        for (order, reading) in low.iter().enumerate() {
            roots.extend((0..reading.count).map(|_| Root { order, root: 0.0 }));
        }
        let mut high = low.clone();
        let strides = (highest / STRIDE).ceil().max(1.0) as usize;
        let mut from = 0.0;
        for stride in 1..=strides {
            let to = highest * stride as f64 / strides as f64;
            self.survey(to, &mut high);
            for (order, (low, high)) in low.iter().zip(&high).enumerate() {
                self.between(order, (from, *low), (to, *high), &mut roots);
            }
            std::mem::swap(&mut low, &mut high);
            from = to;
        }
        roots.sort_by(|a, b| a.root.total_cmp(&b.root).then(a.order.cmp(&b.order)));
        roots
    }

    /// All roots in an interval.
    fn between(self, order: usize, low: (f64, Reading), high: (f64, Reading), roots: &mut Vec<Root>) {
        match high.1.count.saturating_sub(low.1.count) {
            0 => {}
            1 => roots.push(Root { order, root: self.refine(order, low, high) }),
            several => {
                let middle = 0.5 * (low.0 + high.0);
                if high.0 - low.0 < 1e-12 * high.0 {
                    roots.extend((0..several).map(|_| Root { order, root: middle }));
                } else {
                    let reading = self.read(order, middle);
                    self.between(order, low, (middle, reading), roots);
                    self.between(order, (middle, reading), high, roots);
                }
            }
        }
    }

    /// The root in an interval with one, to rounding: secants, and halves where these would leave it (Dekker).
    fn refine(self, order: usize, low: (f64, Reading), high: (f64, Reading)) -> f64 {
        // The signs follow from the counts, also where rounding has it otherwise.
        let sign = if low.1.count.is_multiple_of(2) { 1.0 } else { -1.0 };
        let (mut far, mut near) = ((low.0, sign * low.1.value.abs()), (high.0, -sign * high.1.value.abs()));
        if far.1.abs() < near.1.abs() {
            (far, near) = (near, far);
        }
        let mut before = far;
        for _ in 0..100 {
            let half = 0.5 * (far.0 - near.0);
            let least = f64::EPSILON * near.0;
            let secant = near.1 * (near.0 - before.0) / (before.1 - near.1);
            if near.1 == 0.0 || half.abs() <= least || secant.abs() <= least {
                break;
            }
            let step = if secant * half > 0.0 && secant.abs() < half.abs() { secant } else { half };
            let next = (near.0 + step, self.read(order, near.0 + step).value);
            if (next.1 < 0.0) != (near.1 < 0.0) {
                far = near;
            }
            (before, near) = (near, next);
            if far.1.abs() < near.1.abs() {
                (before, far, near) = (near, near, far);
            }
        }
        near.0
    }

    /// Just above 0.
    fn at_zero(self, order: usize) -> Reading {
        match self {
            Self::Free { .. } if order < 2 => Reading { value: -1.0, count: 1 },
            _ => Reading { value: 1.0, count: 0 },
        }
    }

    /// The equation at x for one m.
    fn read(self, order: usize, x: f64) -> Reading {
        let ratio = if self == Self::Fixed { 0.0 } else { i_ratio(order, x) };
        self.reading(x, &Descent::to(order, x), ratio)
    }

    /// The equation at x for m = 0, 1, …
    fn survey(self, x: f64, readings: &mut [Reading]) {
        let mut ratios = vec![0.0; readings.len()];
        if self != Self::Fixed {
            i_ratios(x, &mut ratios);
        }
        let mut descent = Descent::new(readings.len(), x);
        while descent.order > 0 {
            descent.step();
            if let (Some(reading), Some(ratio)) = (readings.get_mut(descent.order), ratios.get(descent.order)) {
                *reading = self.reading(x, &descent, *ratio);
            }
        }
    }

    fn reading(self, x: f64, pair: &Descent, ratio: f64) -> Reading {
        let value = self.value(x, pair, ratio);
        let zeros = pair.zeros;
        // Whether a number of roots agrees with a sign.
        let agrees = |count: usize, value: f64| (count % 2 == 1) == (value < 0.0);
        let one_more_unless = |count: usize, value: f64| if agrees(count, value) { count } else { count + 1 };
        let count = match self {
            Self::Fixed => zeros,
            Self::Clamped if agrees(zeros, value) => zeros,
            Self::Clamped => zeros.saturating_sub(1),
            Self::Supported { .. } => one_more_unless(zeros, value),
            Self::Free { bend } => {
                let supported = Self::Supported { bend }.value(x, pair, ratio);
                one_more_unless(one_more_unless(zeros, supported), value)
            }
        };
        Reading { value, count }
    }

    fn value(self, x: f64, pair: &Descent, ratio: f64) -> f64 {
        let [p, q] = self.equation(pair.order, x, ratio);
        let size = libm::sqrt((p * p + q * q) * (pair.here * pair.here + pair.next * pair.next));
        (p * pair.here + q * pair.next) / size
    }

    /// P and Q.
    fn equation(self, order: usize, x: f64, ratio: f64) -> [f64; 2] {
        match self {
            Self::Fixed => [1.0, 0.0],
            Self::Clamped => [ratio, 1.0],
            Self::Supported { bend } => [2.0 * x / bend - ratio, -1.0],
            Self::Free { bend } => {
                let m = order as f64;
                let a = bend * m * (m - 1.0);
                let (both, square) = (bend * m * (m + 1.0), x * x);
                let p = a * (4.0 * m * x + (2.0 * square - both) * ratio) - square * square * ratio;
                let q = square * x * (2.0 * bend * ratio - x) - a * (2.0 * square + both);
                [p, q]
            }
        }
    }

    /// The part of I at the rim, `C I_m(λ)`, given J_m and J_{m+1} there.
    pub fn hyperbolic_part(self, order: usize, root: f64, here: f64, next: f64, ratio: f64) -> f64 {
        match self {
            Self::Fixed => 0.0,
            Self::Clamped | Self::Supported { .. } => -here,
            Self::Free { bend } => {
                // No bending moment. That of I is positive.
                let m = order as f64;
                let a = bend * m * (m - 1.0);
                let x = root;
                -((a - x * x) * here + bend * x * next) / (a + x * x - bend * x * ratio)
            }
        }
    }
}

/// Orders that can have roots below x: the slowest waves, those that run along a free edge, have λ > 0.98 m.
fn orders(x: f64) -> usize {
    (1.03 * x) as usize + 5
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(condition: Condition, order: usize, highest: f64) -> Vec<f64> {
        let of_order = |root: &Root| root.order == order;
        condition.roots(highest).iter().filter(|root| of_order(root)).map(|root| root.root * root.root).collect()
    }

    #[test]
    fn zeros_of_bessel_functions_are_the_printed_ones() {
        let roots = Condition::Fixed.roots(220.0);
        let zero =
            |order: usize, number: usize| roots.iter().filter(|root| root.order == order).nth(number - 1).unwrap().root;
        // Abramowitz and Stegun, table 9.5.
        for (order, number, printed) in [
            (0, 1, 2.4048255577),
            (0, 2, 5.5200781103),
            (0, 5, 14.9309177085),
            (1, 1, 3.83171),
            (1, 5, 16.47063),
            (2, 3, 11.61984),
            (3, 2, 9.76102),
            (4, 4, 17.61597),
            (5, 5, 22.21780),
            (8, 1, 12.22509),
        ] {
            let digits = if order == 0 { 5e-11 } else { 5e-6 };
            assert!((zero(order, number) - printed).abs() < 1.01 * digits, "{order}, {number}");
        }
        // To all digits, with multiple precision.
        for (order, number, exact) in [
            (0, 1, 2.404825557695773),
            (0, 20, 62.04846919022717),
            (1, 1, 3.8317059702075125),
            (5, 3, 15.70017407971167),
            (10, 1, 14.475500686554541),
            (50, 7, 84.46325294906119),
            (100, 1, 108.83616589840977),
            (200, 1, 211.0291665105547),
        ] {
            assert!((zero(order, number) / exact - 1.0).abs() < 4e-16, "{order}, {number}");
        }
    }

    #[test]
    fn plates_ring_where_multiple_precision_says() {
        // Roots of the determinants in J, J', I, I' of the textbook, with 25 digits.
        let [supported, free] = [Condition::Supported { bend: 0.7 }, Condition::Free { bend: 0.67 }];
        for (condition, order, exact) in [
            (Condition::Clamped, 0, &[10.2158262, 39.7711482, 89.104144, 158.184215][..]),
            (Condition::Clamped, 1, &[21.2603977, 60.8286718, 120.079237]),
            (Condition::Clamped, 4, &[69.6658307, 140.107904]),
            (supported, 0, &[4.93514904, 29.7200047, 74.1560554, 138.318122]),
            (supported, 1, &[13.8981651, 48.4789282, 102.773346]),
            (supported, 5, &[76.2030938, 151.518185]),
            (free, 0, &[0.0, 9.06889866, 38.5069686, 87.8127264, 156.880162]),
            (free, 1, &[0.0, 20.5130869, 59.8590678, 119.008472]),
            (free, 2, &[5.26203696, 35.2425206, 84.376038, 153.328867]),
            (free, 3, &[12.2438943, 52.9210177, 111.903717]),
            (free, 5, &[33.0618434, 96.5075007]),
        ] {
            let found = squares(condition, order, 12.8);
            assert_eq!(found.len(), exact.len(), "{condition:?}, m = {order}: {found:?}");
            for (found, exact) in found.iter().zip(exact) {
                assert!((found - exact).abs() <= 6e-9 * exact, "{condition:?}, m = {order}: {found}, {exact}");
            }
        }
    }

    #[test]
    fn plates_ring_where_leissa_prints_them() {
        // λ² by nodal diameters and number, NASA SP-160, chapter 2; the last column is how far the print is from the roots of its own equations.
        let [supported, free] = [Condition::Supported { bend: 0.7 }, Condition::Free { bend: 0.67 }];
        for (condition, order, number, printed, tolerance) in [
            (Condition::Clamped, 0, 1, 10.2158, 5e-5),
            (Condition::Clamped, 0, 2, 39.771, 5e-4),
            (Condition::Clamped, 0, 3, 89.104, 5e-4),
            // Printed .183, is .184.
            (Condition::Clamped, 0, 4, 158.183, 1.5e-3),
            (Condition::Clamped, 1, 1, 21.26, 5e-3),
            // Printed .82, is .829.
            (Condition::Clamped, 1, 2, 60.82, 1e-2),
            (Condition::Clamped, 1, 3, 120.08, 5e-3),
            (Condition::Clamped, 2, 1, 34.88, 5e-3),
            (Condition::Clamped, 2, 2, 84.58, 5e-3),
            // Printed .04, is .030.
            (Condition::Clamped, 3, 1, 51.04, 1.1e-2),
            (Condition::Clamped, 4, 1, 69.6659, 1e-4),
            // The printed supported plate is some 0.04 too high all through; Leissa and Narita (1980) computed it anew.
            (supported, 0, 1, 4.977, 5e-2),
            (supported, 1, 1, 13.94, 5e-2),
            (supported, 2, 1, 25.65, 5e-2),
            (supported, 0, 2, 29.76, 5e-2),
            (supported, 1, 2, 48.51, 5e-2),
            (supported, 0, 3, 74.20, 5e-2),
            // The printed free plate is right to 0.4 % only.
            (free, 2, 1, 5.253, 0.0095),
            (free, 0, 2, 9.084, 0.016),
            (free, 3, 1, 12.23, 0.015),
            (free, 1, 2, 20.52, 0.01),
            (free, 4, 1, 21.6, 0.08),
            (free, 5, 1, 33.1, 0.05),
            (free, 2, 2, 35.25, 0.01),
            (free, 0, 3, 38.55, 0.05),
            (free, 3, 2, 52.91, 0.015),
            (free, 1, 3, 59.86, 0.005),
        ] {
            let found = squares(condition, order, 12.8)[number - 1];
            assert!((found - printed).abs() <= tolerance, "{condition:?} {order} {number}: {found}, printed {printed}");
        }
    }

    #[test]
    fn no_order_left_out_has_a_root() {
        for x in [LEAST_ROOT, 1e-3, 0.1, 1.0, 3.0, 10.0, 33.0, 100.0, 300.0, 520.0] {
            for poissons_ratio in [-0.999, -0.7, -0.3, 0.0, 0.3, 0.4999] {
                let bend = 1.0 - poissons_ratio;
                for condition in
                    [Condition::Fixed, Condition::Clamped, Condition::Supported { bend }, Condition::Free { bend }]
                {
                    for order in orders(x)..orders(x) + 20 {
                        assert_eq!(condition.read(order, x).count, 0, "{condition:?}, m = {order}, x = {x}");
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_but_motion_of_the_whole_is_far_below_the_first_root() {
        for x in [LEAST_ROOT, 1e-4, 1e-2, 0.1] {
            for poissons_ratio in [-0.99, 0.0, 0.3, 0.4999] {
                let bend = 1.0 - poissons_ratio;
                assert_eq!(Condition::Free { bend }.count(x), 3, "{x}");
                assert_eq!(Condition::Supported { bend }.count(x), 0, "{x}");
                assert_eq!(Condition::Clamped.count(x), 0, "{x}");
                assert_eq!(Condition::Fixed.count(x), 0, "{x}");
            }
        }
    }

    #[test]
    fn counts_agree_with_changes_of_sign_on_a_fine_scan() {
        for poissons_ratio in [-0.9, 0.0, 0.3, 0.49] {
            let bend = 1.0 - poissons_ratio;
            for condition in [Condition::Clamped, Condition::Supported { bend }, Condition::Free { bend }] {
                for order in [0, 1, 2, 3, 8, 21] {
                    let start = condition.at_zero(order);
                    let (mut found, mut before) = (start.count, start.value);
                    for index in 1..2500 {
                        let reading = condition.read(order, 0.02 * index as f64);
                        found += usize::from((reading.value < 0.0) != (before < 0.0));
                        before = reading.value;
                        assert_eq!(reading.count, found, "{condition:?}, m = {order}, x = {}", 0.02 * index as f64);
                    }
                }
            }
        }
    }
}
