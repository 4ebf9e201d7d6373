//! Plates supported at x = 0 and a: `u = sin(kx) W(y)`, k = mπ/a, W of circular and hyperbolic functions of
//! `p² = λ² - k²` and `q² = λ² + k²`, λ² = ω√(ρh/D). With y from the middle and c = b/2, the edges demand of even and odd W
//!
//! ```text
//! clamped   p sin(pc) + q tanh(qc) cos(pc) = 0              q sin(pc) - p tanh(qc) cos(pc) = 0
//! free      (p²+νk²)² q tanh(qc) cos(pc) + (q²-νk²)² p sin(pc) = 0      (p²+νk²)² q sin(pc) - (q²-νk²)² p tanh(qc) cos(pc) = 0
//! ```
//!
//! and for λ < k the same with p = i|p|. (Derived here; Leissa 1973 prints them with both parities in one.)

use std::f64::consts::PI;

/// Left side for D = ρh = 1, real for any ω. sin(pc)/p and cos(pc) stay real where p does not.
fn edge(omega: f64, k: f64, c: f64, ratio: f64, free: bool, odd: bool) -> f64 {
    let (p2, q) = (omega - k * k, (omega + k * k).sqrt());
    let p = p2.abs().sqrt();
    let (sine_by_p, cosine) =
        if p2 >= 0.0 { ((p * c).sin() / p, (p * c).cos()) } else { ((p * c).sinh() / p, (p * c).cosh()) };
    let tanh = (q * c).tanh();
    let (first, second) = ((p2 + ratio * k * k).powi(2), (q * q - ratio * k * k).powi(2));
    match (free, odd) {
        (false, false) => p2 * sine_by_p + q * tanh * cosine,
        (false, true) => q * sine_by_p - tanh * cosine,
        (true, false) => first * q * tanh * cosine + second * p2 * sine_by_p,
        (true, true) => first * q * sine_by_p - second * tanh * cosine,
    }
}

/// All angular frequencies below `highest` of a plate of D = ρh = 1, ascending.
pub(super) fn angular(sides: [f64; 2], ratio: f64, free: bool, highest: f64) -> Vec<f64> {
    let mut all = Vec::new();
    for m in 1..100 {
        let k = f64::from(m) * PI / sides[0];
        // Without edges ω is at least k², with free ones at least √(1-ν²) of it.
        if k * k > 1.1 * highest {
            break;
        }
        for odd in [false, true] {
            let value = |omega: f64| edge(omega, k, 0.5 * sides[1], ratio, free, odd);
            let steps = 20_011;
            let step = highest / f64::from(steps);
            for i in 0..steps {
                let (mut low, mut high) = (f64::from(i) * step, f64::from(i + 1) * step);
                // W = 0 solves the equations at λ = k without being a mode.
                if value(low) * value(high) > 0.0 || low == 0.0 {
                    continue;
                }
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    if value(low) * value(middle) <= 0.0 { high = middle } else { low = middle }
                }
                all.push(low);
            }
        }
    }
    all.sort_by(f64::total_cmp);
    all
}
