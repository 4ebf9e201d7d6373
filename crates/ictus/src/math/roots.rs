//! A bracketed Newton iteration: the impact lab's implicit schemes cannot run away.
//!
//! Newton's step is taken while it stays inside the bracket and is at most half the one before; otherwise the
//! bracket is halved. With a sign change between the ends the iteration always ends.

/// Most iterations [`bracketed_newton`] spends: 64 halvings exhaust any bracket of doubles of like size.
pub const MAX_ITERATIONS: u32 = 128;

/// Part of the bracket's own rounding below which a move no longer matters: roots at 0 have no rounding of their own.
const SETTLED: f64 = 1e-3;

/// A root and what it cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The root, to rounding.
    pub value: f64,
    /// Function evaluations spent.
    pub iterations: u32,
}

/// Root of `function` between `low` and `high`, where `function(low) ≤ 0 ≤ function(high)`.
///
/// `function` returns value and slope. `guess` is clamped to the bracket. Returns `None` when the bracket or a value
/// is not finite, or when the iteration limit is reached.
pub fn bracketed_newton(function: impl Fn(f64) -> (f64, f64), mut low: f64, mut high: f64, guess: f64) -> Option<Root> {
    if !(low.is_finite() && high.is_finite() && low <= high) {
        return None;
    }
    let mut x = guess.max(low).min(high);
    let smallest_move = SETTLED * f64::EPSILON * (high - low);
    let mut last_move = high - low;
    for iterations in 1..=MAX_ITERATIONS {
        let (value, slope) = function(x);
        if !value.is_finite() {
            return None;
        }
        if value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let converges = newton >= low && newton <= high && (newton - x).abs() <= 0.5 * last_move;
        let next = if converges { newton } else { low + 0.5 * (high - low) };
        if value == 0.0 || (next - x).abs() <= smallest_move.max(16.0 * f64::EPSILON * x.abs()) {
            return Some(Root { value: next, iterations });
        }
        last_move = (next - x).abs();
        x = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newton_alone_would_run_away_but_the_bracket_holds_it() {
        // From 1.5 Newton on atan diverges.
        let root = bracketed_newton(|x| (x.atan(), 1.0 / (1.0 + x * x)), -10.0, 12.0, 1.5).unwrap();
        assert!(root.value.abs() < 1e-15);
        assert!(root.iterations < 20);
    }

    #[test]
    fn a_wrong_slope_only_costs_iterations() {
        let root = bracketed_newton(|x| (x * x * x - 2.0, -1.0), 0.0, 2.0, 2.0).unwrap();
        assert!((root.value - 2f64.cbrt()).abs() < 1e-14);
        assert!(root.iterations <= 64);
    }

    #[test]
    fn a_value_that_is_not_a_number_is_no_root() {
        assert_eq!(bracketed_newton(|_| (f64::NAN, 1.0), 0.0, 1.0, 0.5), None);
        assert_eq!(bracketed_newton(|x| (x, 1.0), f64::NAN, 1.0, 0.5), None);
        assert_eq!(bracketed_newton(|x| (x, 1.0), f64::NEG_INFINITY, 1.0, 0.5), None);
    }
}
