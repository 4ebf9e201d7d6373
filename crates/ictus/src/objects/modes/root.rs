//! A root of a continuous function between two places where its signs differ.
//!
//! Chandrupatla, *Adv. Eng. Software* 28 (1997) 145: inverse quadratic interpolation where the three last points allow it, else
//! bisection. Rejected: Newton, which leaves the bracket, and Brent, which is twice as long and no faster.

/// The root to rounding, or `None` if the signs at the ends are the same or no numbers.
pub(super) fn bracketed(low: f64, high: f64, mut function: impl FnMut(f64) -> f64) -> Option<f64> {
    let (mut here, mut there) = (low, high);
    let (mut value, mut opposite) = (function(here), function(there));
    if value == 0.0 || opposite == 0.0 {
        return Some(if value == 0.0 { here } else { there });
    }
    let differ = value * opposite.signum() < 0.0;
    if !differ {
        return None;
    }
    let mut part = 0.5;
    for _ in 0..200 {
        let next = here + part * (there - here);
        let next_value = function(next);
        if next_value.is_nan() {
            return None;
        }
        // The third point is the one left out of the new bracket.
        let (third, third_value);
        if (next_value > 0.0) == (value > 0.0) {
            (third, third_value) = (here, value);
        } else {
            (third, third_value) = (there, opposite);
            (there, opposite) = (here, value);
        }
        (here, value) = (next, next_value);
        let (best, best_value) = if value.abs() < opposite.abs() { (here, value) } else { (there, opposite) };
        let tolerance = 2.0 * f64::EPSILON * best.abs() / (there - here).abs();
        if tolerance > 0.5 || best_value == 0.0 {
            return Some(best);
        }
        let along = (here - there) / (third - there);
        let rise = (value - opposite) / (third_value - opposite);
        let interpolates = rise * rise < along && (1.0 - rise) * (1.0 - rise) < 1.0 - along;
        part = if interpolates {
            value / (opposite - value) * third_value / (opposite - third_value)
                + (third - here) / (there - here) * value / (third_value - value) * opposite / (third_value - opposite)
        } else {
            0.5
        };
        part = part.clamp(tolerance, 1.0 - tolerance);
    }
    Some(here)
}

#[cfg(test)]
mod tests {
    use super::bracketed;

    #[test]
    fn a_bracketed_root_is_found_to_rounding_in_few_steps() {
        let mut calls = 0;
        let root = bracketed(3.0, 4.0, |x| {
            calls += 1;
            libm::sin(x)
        });
        assert!((root.unwrap() - std::f64::consts::PI).abs() < 1e-15 && calls < 12, "{root:?} in {calls}");
        let root = bracketed(1.0, 0.0, |x| x * x * x - 1e-30);
        assert!((root.unwrap() / 1e-10 - 1.0).abs() < 1e-12, "{root:?}");
    }

    #[test]
    fn without_a_change_of_sign_there_is_no_root() {
        assert_eq!(bracketed(0.0, 1.0, |x| x + 1.0), None);
        assert_eq!(bracketed(0.0, 1.0, |_| f64::NAN), None);
        assert_eq!(bracketed(0.0, 1.0, |x| x - 1.0), Some(1.0));
    }
}
