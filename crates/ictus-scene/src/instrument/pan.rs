//! Where between left and right a pickup is heard: of its gains the first two channels, at equal power.
//!
//! ```text
//! left = g cos φ,   right = g sin φ,   φ = (pan + 1) π/4,   left² + right² = g²
//! ```

use std::f64::consts::FRAC_PI_4;

/// A pickup that can be panned: it is heard left and right, and nowhere else but in its stem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pan {
    /// Gain of both channels together.
    pub(crate) gain: f64,
    /// From -1 to 1.
    pub(crate) place: f64,
    /// The left channel of its stem, where it has one: the same two gains again.
    pub(crate) stem: Option<usize>,
}

impl Pan {
    /// Of a pickup's gains as built, if it can be panned.
    pub(crate) fn of(gains: &[f64]) -> Option<Self> {
        let &[left, right, ref others @ ..] = gains else { return None };
        let gain = libm::hypot(left, right);
        if !(gain > 0.0 && gain.is_finite()) || left * right < 0.0 {
            return None;
        }
        let first = usize::from(left == 0.0);
        let stem = others.iter().position(|other| *other != 0.0).and_then(|at| (2 + at).checked_sub(first));
        let is_stem = |index: usize| stem.is_some_and(|stem| (stem..stem + 2).contains(&index));
        let as_stem = stem.is_none_or(|stem| gains.get(stem..stem + 2) == Some(&gains[..2]));
        let is_alone = (2..gains.len()).all(|index| gains[index] == 0.0 || is_stem(index));
        if !as_stem || !is_alone {
            return None;
        }
        let sign = if left + right < 0.0 { -1.0 } else { 1.0 };
        let place = libm::atan2(right.abs(), left.abs()) / FRAC_PI_4 - 1.0;
        Some(Self { gain: sign * gain, place: place.clamp(-1.0, 1.0), stem })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gains::directions_of;

    #[test]
    fn a_pan_is_found_in_the_gains_that_it_makes() {
        for gain in [0.3, -2.0] {
            for place in [-1.0, -0.7, 0.0, 0.25, 1.0] {
                let [left, right] = directions_of(place).map(|direction| gain * direction);
                assert!((left * left + right * right - gain * gain).abs() < 1e-15, "equal power");
                for (gains, stem) in [
                    (vec![left, right], None),
                    (vec![left, right, 0.0], None),
                    (vec![left, right, 0.0, 0.0, left, right, 0.0, 0.0], Some(4)),
                ] {
                    let found = Pan::of(&gains).expect("can be panned");
                    assert!((found.place - place).abs() < 1e-12 && (found.gain - gain).abs() < 1e-12, "{gains:?}");
                    assert!(found.stem == stem || place.abs() == 1.0, "{gains:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_heard_elsewhere_or_nowhere_cannot_be_panned() {
        for gains in [&[0.5][..], &[0.0, 0.0], &[0.5, -0.5], &[0.5, 0.5, 0.1], &[0.0, 0.0, 1.0], &[]] {
            assert_eq!(Pan::of(gains), None, "{gains:?}");
        }
    }
}
