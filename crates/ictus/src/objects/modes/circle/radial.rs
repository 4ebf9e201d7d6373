//! Radial shapes: their mean square, their slope, and a form in which they are fast to read.
//!
//! With `c = C I_m(λ)`, `J = J_m(λ)`, `J₁ = J_{m+1}(λ)` and `ρ = I_{m+1}(λ)/I_m(λ)`, and s = r/a,
//!
//! ```text
//! R(s) = J_m(λs) + c I_m(λs)/I_m(λ)
//! ∫ R² s ds = E + c(ρJ + J₁)/λ + c²H,     E = ½(J² + J₁² - 2mJJ₁/λ),   H = ½(1 - ρ² - 2mρ/λ)
//! ∫ (R'² + m²R²/s²) s ds = R(1)R'(1) + λ²(E - c²H)
//! ```
//!
//! (Lommel's integrals; the second by Green's theorem and ΔJ = -λ²J, ΔI = λ²I.)
//!
//! **Fast form.** R is even or odd in s as m is, and its Chebyshev series is known in closed form: from DLMF 10.9.26,
//!
//! ```text
//! J_m(λs) = Σ' 2 J_{(m+k)/2}(λ/2) J_{(m-k)/2}(λ/2) T_k(s),     k = m, m ± 2, … ≥ 0, half the term of k = 0
//! ```
//!
//! and the same with I. The terms fall faster than exponentially once k > λ: some λ/2 + 20 numbers hold a shape to rounding. The terms of I are positive, so dividing
//! them by their sum gives I_m(λs)/I_m(λ) without any exponential. At a place all shapes share the T_k: reading a shape is one short product of vectors.
//!
//! Rejected: a table over r with Hermite interpolation of fifth order (some 40 times the memory for an error of 1e-9), the recurrences at every place (20 times slower).

use super::super::bessel::{i_ratio, j_sequence, scaled_i_sequence};
use super::rim::{Condition, Root};

/// The part of the sum of all terms that may be left off.
const NEGLIGIBLE: f64 = 1e-16;

/// A radial shape of mean square 1 over the circle, its cos mθ or sin mθ included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    /// `⟨|∇φ|²⟩ a²`.
    pub slope: f64,
    /// Terms of the series.
    pub terms: usize,
}

/// Room for the sequences of Bessel functions, used again for every shape.
#[derive(Debug, Default)]
pub(super) struct Sequences {
    j: Vec<f64>,
    i: Vec<f64>,
}

/// Most terms of the series of a shape with λ up to `highest`.
pub(super) fn most_terms(highest: f64) -> usize {
    highest_degree(highest) / 2 + 1
}

/// Where the series of J, and beyond some 70 that of I, have fallen to rounding.
fn highest_degree(root: f64) -> usize {
    let oscillating = root + 12.0 + 7.0 * libm::cbrt(root);
    let hyperbolic = 15.0 + 8.6 * root.sqrt();
    oscillating.max(hyperbolic) as usize
}

impl Sequences {
    /// Appends the series of a shape to `series`: the factors of T_k, k = 0, 2, … or 1, 3, … as m is even or odd.
    pub fn append(&mut self, condition: Condition, shape: Root, series: &mut Vec<f64>) -> Profile {
        let Root { order, root } = shape;
        if root == 0.0 {
            // Moving as a whole, and turning: 1 and 2s.
            let turning = order == 1;
            series.push(if turning { 2.0 } else { 1.0 });
            return Profile { slope: if turning { 4.0 } else { 0.0 }, terms: 1 };
        }
        let (here, next) = (libm::jn(order as i32, root), libm::jn(order as i32 + 1, root));
        let ratio = if condition == Condition::Fixed { 0.0 } else { i_ratio(order, root) };
        let part = condition.hyperbolic_part(order, root, here, next, ratio);
        let m = order as f64;
        let oscillating = 0.5 * (here * here + next * next - 2.0 * m * here * next / root);
        let hyperbolic = 0.5 * part * part * (1.0 - ratio * ratio - 2.0 * m * ratio / root);
        let square = oscillating + part * (ratio * here + next) / root + hyperbolic;
        let at_rim = here + part;
        let slope_at_rim = m * at_rim + root * (part * ratio - next);
        let slope = (at_rim * slope_at_rim + root * root * (oscillating - hyperbolic)) / square;
        // cos² and sin² have the mean ½.
        let scale = 1.0 / libm::sqrt(if order == 0 { 2.0 * square } else { square });
        Profile { slope, terms: self.expand(shape, scale, scale * part, series) }
    }

    fn expand(&mut self, shape: Root, scale: f64, part: f64, series: &mut Vec<f64>) -> usize {
        let Root { order, root } = shape;
        let parity = order % 2;
        let count = most_terms(root);
        let start = series.len();
        let length = (order + 2 * count) / 2 + 1;
        self.j.resize(length, 0.0);
        j_sequence(0.5 * root, &mut self.j);
        // Half the sum and half the distance of m and k, and whether k is larger by an odd number of twos.
        let orders = |term: usize| {
            let degree = 2 * term + parity;
            let apart = order.abs_diff(degree) / 2;
            ((order + degree) / 2, apart, degree > order && apart % 2 == 1)
        };
        let twice = |term: usize| if 2 * term + parity == 0 { 1.0 } else { 2.0 };
        series.extend((0..count).map(|term| {
            let (sum, apart, odd) = orders(term);
            let product = scale * twice(term) * self.j[sum] * self.j[apart];
            if odd { -product } else { product }
        }));
        if part != 0.0 {
            self.i.resize(length, 0.0);
            scaled_i_sequence(0.5 * root, &mut self.i);
            let product = |term: usize| {
                let (sum, apart, _) = orders(term);
                twice(term) * self.i[sum] * self.i[apart]
            };
            let scale = part / (0..count).map(product).sum::<f64>();
            for (term, value) in series[start..].iter_mut().enumerate() {
                *value += scale * product(term);
            }
        }
        let total: f64 = series[start..].iter().map(|value| value.abs()).sum();
        let mut left = 0.0;
        while let Some(last) = series.last() {
            left += last.abs();
            if series.len() == start + 1 || left > NEGLIGIBLE * total {
                break;
            }
            series.pop();
        }
        series.len() - start
    }
}
