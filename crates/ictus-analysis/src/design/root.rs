//! Chandrupatla's root of a function between two points where it differs in sign: inverse quadratic steps while they can be
//! trusted, halving otherwise.

/// A place and the function's value there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub x: f64,
    pub value: f64,
}

/// Most evaluations: halving alone needs no more than about 60.
const MOST: usize = 100;

/// The root between two places of different sign, to `tolerance` in x; `None` where the function has no value.
pub(super) fn root(
    mut function: impl FnMut(f64) -> Option<f64>,
    low: Place,
    high: Place,
    tolerance: f64,
) -> Option<Place> {
    let (mut one, mut two) = (low, high);
    let mut part = 0.5;
    for _ in 0..MOST {
        let x = one.x + part * (two.x - one.x);
        let next = Place { x, value: function(x)? };
        let three = if (next.value > 0.0) == (one.value > 0.0) { one } else { std::mem::replace(&mut two, one) };
        one = next;
        let best = if two.value.abs() < one.value.abs() { two } else { one };
        let least = 0.5 * tolerance / (two.x - one.x).abs();
        if least > 0.5 || best.value == 0.0 {
            return Some(best);
        }
        let along = (one.x - two.x) / (three.x - two.x);
        let up = (one.value - two.value) / (three.value - two.value);
        let curved = up * up < along && (1.0 - up) * (1.0 - up) < 1.0 - along;
        part = if curved {
            let first = one.value / (two.value - one.value) * (three.value / (two.value - three.value));
            let second = (three.x - one.x) / (two.x - one.x)
                * (one.value / (three.value - one.value))
                * (two.value / (three.value - two.value));
            first + second
        } else {
            0.5
        };
        part = part.clamp(least.min(0.5), 1.0 - least.min(0.5));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(function: impl Fn(f64) -> f64, low: f64, high: f64) -> (f64, usize) {
        let mut count = 0;
        let [low, high] = [low, high].map(|x| Place { x, value: function(x) });
        let counted = |x: f64| {
            count += 1;
            Some(function(x))
        };
        let found = root(counted, low, high, 1e-13).unwrap();
        (found.x, count)
    }

    #[test]
    fn smooth_functions_take_few_evaluations() {
        let (x, count) = between(|x| x * x * x - 2.0, 0.0, 2.0);
        assert!((x - 2f64.cbrt()).abs() < 1e-12 && count < 15, "{x} after {count}");
        let (x, count) = between(|x| 1.0 - x.exp(), -3.0, 1.0);
        assert!(x.abs() < 1e-12 && count < 15, "{x} after {count}");
    }

    #[test]
    fn a_jump_is_closed_in_on() {
        let (x, count) = between(|x| if x < 0.3 { -1.0 } else { 2.0 }, 0.0, 1.0);
        assert!((x - 0.3).abs() < 1e-12 && count < 60, "{x} after {count}");
    }

    #[test]
    fn a_function_without_a_value_has_no_root() {
        let [low, high] = [0.0, 1.0].map(|x| Place { x, value: x - 0.5 });
        assert_eq!(root(|_| None, low, high, 1e-9), None);
    }
}
