//! A bracketed Newton iteration: the impact lab's implicit schemes cannot run away.
//!
//! Newton's step is taken while it stays inside the bracket and shrinks it fast enough; otherwise the
//! bracket is halved. With a sign change between the ends the iteration always ends.

/// Most iterations [`bracketed_newton`] spends: 64 halvings exhaust any bracket of doubles of like size.
pub const MAX_ITERATIONS: u32 = 128;

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
/// `function` returns value and slope. `guess` is clamped to the bracket. Returns `None` when a value is not
/// finite, or when the iteration limit is reached.
pub fn bracketed_newton(function: impl Fn(f64) -> (f64, f64), mut low: f64, mut high: f64, guess: f64) -> Option<Root> {
    let mut x = guess.clamp(low, high);
    let mut width = high - low;
    for iterations in 1..=MAX_ITERATIONS {
        let (value, slope) = function(x);
        if !value.is_finite() {
            return None;
        }
        if value == 0.0 {
            return Some(Root { value: x, iterations });
        }
        if value < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let halved = (high - low) < 0.75 * width;
        let next = if newton > low && newton < high && halved || newton_is_settled(newton, x) {
            newton
        } else {
            low + 0.5 * (high - low)
        };
        width = high - low;
        if newton_is_settled(next, x) || next <= low || next >= high {
            return Some(Root { value: next.clamp(low, high), iterations });
        }
        x = next;
    }
    None
}

/// Whether the step from `x` to `next` is below rounding.
fn newton_is_settled(next: f64, x: f64) -> bool {
    (next - x).abs() <= 2.0 * f64::EPSILON * x.abs()
}
