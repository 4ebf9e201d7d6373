//! Bessel functions of integer order by descending recurrence (Miller).
//!
//! ```text
//! J_{m-1} = (2m/x) J_m - J_{m+1},     J_0² + 2 Σ J_m² = 1
//! I_{m-1} = (2m/x) I_m + I_{m+1},     e^-x (I_0 + 2 Σ I_m) = 1
//! J_m' = (m/x) J_m - J_{m+1},         I_m' = (m/x) I_m + I_{m+1}
//! ```
//!
//! Source: DLMF 10.6.1, 10.23.3, 10.29.1, 10.35.5. Downwards the recurrences amplify nothing but the functions themselves: they start well above the
//! orders wanted from an arbitrary small number, and the sums give the scale. Both sums are of positive terms, so they lose no digit.
//! A whole sequence costs as much as one value.
//!
//! **Zeros of J_m are counted, not looked for.** The zeros of neighbouring orders interlace, `j_{m,n} < j_{m+1,n} < j_{m,n+1}` (DLMF 10.21.2), so J_m has one zero
//! more below x than J_{m+1}, or as many; the sign of J_m tells which. J_M is positive for M well above x. So the number of zeros of J_m
//! below x is the number of changes of sign in `J_m(x), J_{m+1}(x), …, J_M(x)`.
//!
//! Rejected: `libm::jn` for this, one order at a time and without the count (for a single value it is right to 2e-14); the sum `J_0 + 2 Σ J_2m = 1`, whose terms
//! cancel.

/// Beyond this size a recurrence is scaled down; its inverse is far from the smallest number.
const LARGE: f64 = 1e140;

/// Least argument of a recurrence; below it all but order 0 is nothing.
const LEAST: f64 = 1e-100;

/// A pair scaled down by [`LARGE`]. Cold, since compilers would else divide in every step of a recurrence and throw the result away.
#[cold]
fn reduced(here: f64, next: f64) -> (f64, f64) {
    (here / LARGE, next / LARGE)
}

/// J of two neighbouring orders at one argument, on an arbitrary positive scale, stepping down order by order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Descent {
    twice_inverse: f64,
    /// m.
    pub order: usize,
    /// J_m(x), up to the scale.
    pub here: f64,
    /// J_{m+1}(x), on the same scale.
    pub next: f64,
    /// Zeros of J_m below x.
    pub zeros: usize,
}

impl Descent {
    /// Starts far enough above an order that from there on down the pair is right to rounding. The argument is positive.
    pub fn new(order: usize, argument: f64) -> Self {
        let argument = argument.max(LEAST);
        // From order m ≥ x up to M the error falls by exp(-2 ∫ arcosh(k/x) dk); it is least where m = x, near which it goes with x^(1/3).
        let start = argument.max(order as f64) + 12.0 + 8.0 * libm::cbrt(argument);
        Self { twice_inverse: 2.0 / argument, order: start as usize, here: 1.0 / LARGE, next: 0.0, zeros: 0 }
    }

    /// One order down; returns the factor by which the scale changed, mostly 1.
    pub fn step(&mut self) -> f64 {
        let below = self.order as f64 * self.twice_inverse * self.here - self.next;
        // Branches here would be guessed wrong at every zero.
        self.zeros += usize::from(below.is_sign_negative() ^ self.here.is_sign_negative());
        (self.here, self.next) = (below, self.here);
        self.order -= 1;
        if below.abs() < LARGE {
            1.0
        } else {
            (self.here, self.next) = reduced(self.here, self.next);
            1.0 / LARGE
        }
    }

    /// The pair at an order.
    pub fn to(order: usize, argument: f64) -> Self {
        let mut descent = Self::new(order, argument);
        while descent.order > order {
            descent.step();
        }
        descent
    }
}

/// J_0(x), J_1(x), … for x ≥ 0, as many as there is room for.
pub(super) fn j_sequence(argument: f64, out: &mut [f64]) {
    out.fill(0.0);
    let Some(last) = out.len().checked_sub(1) else { return };
    if argument < LEAST {
        out[0] = 1.0;
        return;
    }
    let mut descent = Descent::new(last, argument);
    let mut squares = 0.0;
    loop {
        if let Some(value) = out.get_mut(descent.order) {
            *value = descent.here;
        }
        if descent.order == 0 {
            squares += descent.here * descent.here;
            break;
        }
        squares += 2.0 * descent.here * descent.here;
        let stored = descent.order;
        let factor = descent.step();
        if factor != 1.0 {
            squares *= factor * factor;
            out.iter_mut().skip(stored).for_each(|value| *value *= factor);
        }
    }
    let scale = 1.0 / squares.sqrt();
    out.iter_mut().for_each(|value| *value *= scale);
}

/// Order from which the recurrence of I is right to rounding from `order` down: the error falls by exp((m² - M²)/x) or faster.
fn start_of_i(order: usize, argument: f64) -> usize {
    let order = order as f64;
    (12.0 + (order * order + 40.0 * argument).sqrt()) as usize
}

/// e^-x I_0(x), e^-x I_1(x), … for x ≥ 0, as many as there is room for.
pub(super) fn scaled_i_sequence(argument: f64, out: &mut [f64]) {
    out.fill(0.0);
    let Some(last) = out.len().checked_sub(1) else { return };
    if argument < LEAST {
        out[0] = 1.0;
        return;
    }
    let twice_inverse = 2.0 / argument;
    // The sum wants all orders that count; they go with exp(-m²/2x).
    let start = start_of_i(last, argument).max((12.0 + 9.0 * argument.sqrt()) as usize);
    let (mut here, mut next, mut sum) = (1.0 / LARGE, 0.0, 0.0);
    for order in (1..=start).rev() {
        if let Some(value) = out.get_mut(order) {
            *value = here;
        }
        sum += 2.0 * here;
        (here, next) = (order as f64 * twice_inverse * here + next, here);
        if here > LARGE {
            (here, next) = reduced(here, next);
            sum /= LARGE;
            out.iter_mut().skip(order).for_each(|value| *value /= LARGE);
        }
    }
    out[0] = here;
    let scale = 1.0 / (sum + here);
    out.iter_mut().for_each(|value| *value *= scale);
}

/// I_{m+1}(x)/I_m(x) of one order, for x > 0.
pub(super) fn i_ratio(order: usize, argument: f64) -> f64 {
    let twice_inverse = 2.0 / argument.max(LEAST);
    let (mut here, mut next) = (1.0 / LARGE, 0.0);
    for above in (order + 1..=start_of_i(order, argument)).rev() {
        (here, next) = (above as f64 * twice_inverse * here + next, here);
        if here > LARGE {
            (here, next) = reduced(here, next);
        }
    }
    next / here
}

/// I_1/I_0, I_2/I_1, … at x > 0, as many as there is room for.
pub(super) fn i_ratios(argument: f64, out: &mut [f64]) {
    let twice_inverse = 2.0 / argument.max(LEAST);
    let mut ratio = i_ratio(out.len(), argument);
    for (order, value) in out.iter_mut().enumerate().rev() {
        ratio = 1.0 / ((order + 1) as f64 * twice_inverse + ratio);
        *value = ratio;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn j(order: usize, argument: f64) -> f64 {
        let mut out = vec![0.0; order + 1];
        j_sequence(argument, &mut out);
        out[order]
    }

    fn scaled_i(order: usize, argument: f64) -> f64 {
        let mut out = vec![0.0; order + 1];
        scaled_i_sequence(argument, &mut out);
        out[order]
    }

    /// Mean over a period by the trapezoidal rule, exact to rounding once it resolves the integrand.
    fn mean(points: usize, f: impl Fn(f64) -> f64) -> f64 {
        (0..points).map(|i| f(2.0 * PI * i as f64 / points as f64)).sum::<f64>() / points as f64
    }

    #[test]
    fn values_are_those_of_the_tables() {
        // Abramowitz and Stegun tables 9.1 and 9.4, and to all digits with multiple precision.
        for (order, argument, value) in [
            (0, 1.0, 0.7651976865579666),
            (10, 10.0, 0.20748610663335887),
            (100, 100.0, 0.09636667329586156),
            (50, 1.0, 2.9060049481732392e-80),
            (10, 50.0, -0.11384784914946938),
            (100, 50.0, 1.1159273690838094e-21),
            (0, 1000.0, 0.024786686152420176),
            (200, 1000.0, 0.004183531525022076),
            (200, 199.5, 0.07052706440611946),
            (3, 0.001, 2.0833332031250032e-11),
        ] {
            let amplitude = if argument > order as f64 { 0.8 / f64::sqrt(argument) } else { value };
            assert!((j(order, argument) - value).abs() < 1e-13 * amplitude, "J_{order}({argument})");
            let library = libm::jn(order as i32, argument);
            assert!((library - value).abs() < 3e-14 * amplitude, "library: J_{order}({argument})");
        }
        for (order, argument, value) in [
            (0, 1.0, 0.46575960759364043),
            (10, 10.0, 0.0009938819222139977),
            (100, 100.0, 1.7266862628167697e-22),
            (50, 1.0, 1.0795919973373183e-80),
            (100, 50.0, 5.261413463225348e-38),
            (0, 1000.0, 0.012617240455891257),
            (200, 1000.0, 2.750575280562815e-11),
            (3, 0.001, 2.0812511713977245e-11),
        ] {
            assert!((scaled_i(order, argument) / value - 1.0).abs() < 1e-13, "I_{order}({argument})");
        }
    }

    #[test]
    fn values_are_those_of_bessels_integrals() {
        for argument in [0.3, 2.0, 17.3, 64.0, 240.5, 999.0] {
            for order in [0, 1, 2, 7, 33, 64, 121, 200] {
                let points = 3000;
                let m = order as f64;
                let expected = mean(points, |angle| libm::cos(m * angle - argument * libm::sin(angle)));
                assert!((j(order, argument) - expected).abs() < 3e-14, "J_{order}({argument})");
                let expected =
                    mean(points, |angle| libm::exp(argument * (libm::cos(angle) - 1.0)) * libm::cos(m * angle));
                assert!((scaled_i(order, argument) - expected).abs() < 3e-15, "I_{order}({argument})");
            }
        }
    }

    #[test]
    fn pairs_and_ratios_are_those_of_the_sequences() {
        for argument in [0.01, 1.0, 20.0, 333.3] {
            let mut ratios = vec![0.0; 150];
            i_ratios(argument, &mut ratios);
            for order in [0, 1, 5, 40, 149] {
                let pair = Descent::to(order, argument);
                let (here, next) = (j(order, argument), j(order + 1, argument));
                let cross = (pair.here * next - pair.next * here) / libm::hypot(pair.here, pair.next);
                assert!(cross.abs() <= 1e-13 * libm::hypot(here, next), "J_{order}({argument})");
                let ratio = i_ratio(order, argument);
                assert!((ratio / ratios[order] - 1.0).abs() < 1e-14);
                // I_m I_{m+2} < I_{m+1}², and the recurrence.
                let above = i_ratio(order + 1, argument);
                assert!(above < ratio && ratio < 1.0);
                let closing = ratio * (2.0 * (order + 1) as f64 / argument + above) - 1.0;
                assert!(closing.abs() < 1e-14, "I_{order}({argument}) {closing}");
            }
        }
        let mut none: [f64; 0] = [];
        j_sequence(1.0, &mut none);
        scaled_i_sequence(1.0, &mut none);
        assert_eq!((j(0, 0.0), j(3, 0.0), scaled_i(0, 0.0), scaled_i(2, 0.0)), (1.0, 0.0, 1.0, 0.0));
        assert_eq!((j(250, 1e-3), scaled_i(250, 1e-3)), (0.0, 0.0), "below the smallest number");
    }

    #[test]
    fn zeros_are_counted_as_a_fine_scan_finds_them() {
        for order in [0, 1, 2, 9, 30] {
            let step = 0.05;
            let mut found = 0;
            let mut before = 1.0;
            for index in 1..2000 {
                let argument = step * index as f64;
                let value = libm::jn(order as i32, argument);
                found += usize::from((value < 0.0) != (before < 0.0));
                before = value;
                assert_eq!(Descent::to(order, argument).zeros, found, "J_{order} below {argument}");
            }
            assert!(found > 15);
        }
    }
}
