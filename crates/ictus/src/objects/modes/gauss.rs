//! Gauss-Legendre quadrature.

use std::f64::consts::PI;

/// Nodes and weights on 0 to 1; exact for polynomials of twice the number of nodes, less one.
pub(super) fn gauss(order: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut value) = (1.0, x);
        for k in 2..=order {
            let k = k as f64;
            (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
        }
        (value, order as f64 * (before - x * value) / (1.0 - x * x))
    };
    let node = |index: usize| {
        let mut x = -libm::cos(PI * (index as f64 + 0.75) / (order as f64 + 0.5));
        for _ in 0..8 {
            let (value, slope) = legendre(x);
            x -= value / slope;
        }
        let slope = legendre(x).1;
        (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..order).map(node).collect()
}
