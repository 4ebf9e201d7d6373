//! The equation `u - ln(1 + u) = t²/2`, both ways, without cancellation.
//!
//! `G(u) = u - ln(1 + u)` is a bowl over u > -1 with `G(0) = G'(0) = 0`. Every damped impact lives on it: the two
//! roots of `G(u) = c` are the velocities (times μ) at which a Hunt-Crossley contact passes one compression, one
//! going in and one coming out. In closed form they are the two real branches of Lambert's W,
//! `1 + u = -W(-e^(-1-c))`, but that form loses half the digits where the branches meet (u → 0, weak
//! damping) and underflows where they part (u → -1, strong damping).
//!
//! With the signed root `t = sgn(u) √(2G(u))` both roots become one analytic function u(t) = t + t²/3 + t³/36 - …,
//! and both functions below are ratios that are 1 at zero, so nothing cancels for small arguments.

use libm::{exp, log1p};

/// `2 (u - ln(1 + u)) / u²` for u > -1: how G departs from its parabola. 1 at 0, falling, ∞ at -1.
///
/// With `r = u/(2 + u)`, `ln(1 + u) = 2 artanh r` and `u - 2r = u r`, so the leading terms cancel on paper:
/// `G = u r - 2 r³ (1/3 + r²/5 + r⁴/7 + …)`.
pub(crate) fn gap_ratio(u: f64) -> f64 {
    if (-0.5..=1.0).contains(&u) {
        let denominator = 2.0 + u;
        let r = u / denominator;
        2.0 / denominator * (1.0 - 2.0 * r / denominator * polynomial(&ARTANH, r * r))
    } else {
        2.0 * (1.0 - log1p(u) / u) / u
    }
}

/// `u(t)/t` where u has the sign of t and `u - ln(1 + u) = t²/2`. 1 at 0, positive, rising with t.
///
/// Bounded work for any t: a polynomial around zero, otherwise a fixed number of Newton steps.
pub(crate) fn gap_root_ratio(t: f64) -> f64 {
    if t.abs() <= SERIES_LIMIT {
        polynomial(&ROOT, t)
    } else if t > 0.0 {
        upper_root(t) / t
    } else {
        (lower_root(t) - 1.0) / t
    }
}

/// Where the power series of u(t), whose radius is 2√π, hands over to Newton.
const SERIES_LIMIT: f64 = 1.0;

/// u > 0 of `u - ln(1 + u) = t²/2`, from the upper bound t + t²/2. The step is quadratic with
/// constant 1/(2u(1 + u)), so four steps reach rounding from the series limit up to t = 10¹⁰⁰.
fn upper_root(t: f64) -> f64 {
    let gap = 0.5 * t * t;
    let mut u = t + gap;
    for _ in 0..4 {
        u -= (u - log1p(u) - gap) * (1.0 + u) / u;
    }
    u
}

/// y = 1 + u in (0, 1) of the same equation for t < 0, written `y = e^(y - 1 - t²/2)`: y keeps its relative accuracy
/// however close u comes to -1. Both starts are good to 10⁻⁸, so that one Newton step reaches rounding.
fn lower_root(t: f64) -> f64 {
    let gap = 0.5 * t * t;
    let start = if t > -2.0 {
        1.0 + t * polynomial(&ROOT, t)
    } else {
        let q = exp(-1.0 - gap);
        q * polynomial(&TREE, q)
    };
    let e = exp(start - 1.0 - gap);
    start - (start - e) / (1.0 - e)
}

/// 1/3, 1/5, 1/7, …: enough for r² ≤ 1/9.
const ARTANH: [f64; 18] = {
    let mut c = [0.0; 18];
    let mut n = 0;
    while n < c.len() {
        c[n] = 1.0 / (2 * n + 3) as f64;
        n += 1;
    }
    c
};

/// Coefficients of u(t)/t up to t²⁷. From `u u' = t (1 + u)`, equating powers:
/// `a_n = a_{n-1}/(n + 1) - ½ Σ_{k=2}^{n-1} a_k a_{n+1-k}`, `a_1 = 1`; stored shifted, `ROOT[n - 1] = a_n`.
const ROOT: [f64; 28] = {
    let mut a = [0.0; 28];
    a[0] = 1.0;
    let mut n = 2;
    while n <= a.len() {
        let mut sum = 0.0;
        let mut k = 2;
        while k < n {
            sum += a[k - 1] * a[n - k];
            k += 1;
        }
        a[n - 1] = a[n - 2] / (n + 1) as f64 - 0.5 * sum;
        n += 1;
    }
    a
};

/// `n^(n-1)/n!` from n = 1: y/q of `y = q e^y`, the series of Lambert's W0 at its zero.
const TREE: [f64; 8] = [1.0, 1.0, 1.5, 8.0 / 3.0, 125.0 / 24.0, 54.0 / 5.0, 16_807.0 / 720.0, 16_384.0 / 315.0];

/// Σ c_n xⁿ for an even number of coefficients. Even and odd powers are two Horner chains, so that neither waits for
/// the other.
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let square = x * x;
    let (mut even, mut odd) = (0.0, 0.0);
    for pair in coefficients.chunks_exact(2).rev() {
        even = even * square + pair[0];
        odd = odd * square + pair[1];
    }
    even + x * odd
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(a: f64, b: f64) -> f64 {
        ((a - b) / b).abs()
    }

    #[test]
    fn the_series_of_the_root_starts_as_in_stirlings_formula() {
        let known = [1.0, 1.0 / 3.0, 1.0 / 36.0, -1.0 / 270.0, 1.0 / 4320.0, 1.0 / 17010.0, -139.0 / 5_443_200.0];
        for (a, b) in ROOT.iter().zip(known) {
            assert!(relative(*a, b) < 1e-15);
        }
    }

    #[test]
    fn the_ratio_is_continuous_where_the_series_ends() {
        for edge in [-0.5_f64, 1.0] {
            let outside = 2.0 * (edge - log1p(edge)) / (edge * edge);
            assert!(relative(gap_ratio(edge), outside) < 1e-15, "{edge}");
        }
    }

    #[test]
    fn the_root_is_continuous_where_the_series_ends() {
        let inside = polynomial(&ROOT, SERIES_LIMIT);
        assert!(relative(upper_root(SERIES_LIMIT) / SERIES_LIMIT, inside) < 1e-15);
        let inside = polynomial(&ROOT, -SERIES_LIMIT);
        assert!(relative((1.0 - lower_root(-SERIES_LIMIT)) / SERIES_LIMIT, inside) < 1e-15);
        // The two starts of the lower root.
        assert!(relative(gap_root_ratio(-2.0), gap_root_ratio(-2.0 + 4e-16)) < 1e-15);
    }

    #[test]
    fn the_root_undoes_the_gap() {
        for n in -600..=600 {
            let t = n as f64 / 100.0 + 0.001;
            let u = t * gap_root_ratio(t);
            // Near u = -1 the gap is steep: allow for the rounding of u itself.
            let allowed = 2e-15 + 4e-16 * (u / (1.0 + u) * 2.0 / t).abs();
            assert!(relative(u * gap_ratio(u).sqrt(), t) < allowed, "{t}");
        }
        for t in [1e2, 1e4, 1e8, 1e30] {
            let u = t * gap_root_ratio(t);
            assert!(relative(u * gap_ratio(u).sqrt(), t) < 1e-15, "{t}");
        }
    }
}
