//! The end of the first contact, read off samples of the compression.
//!
//! Through [`POINTS`] samples around the release goes one polynomial; where it crosses 0 is the time, and its slope there the
//! velocity. The compression is smooth there: the force sets in with a power above 1, and the modes swing.

/// Samples that the polynomial goes through, half of them before the release.
const POINTS: usize = 6;

/// When and how fast two things part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Release {
    /// Time in s after the first sample.
    pub time: f64,
    /// Velocity of compression in m/s; negative.
    pub velocity: f64,
}

impl Release {
    /// The first release in samples of the compression in m, `rate` of them in a second; `None` if there is none, or no room around it.
    pub fn of(compression: &[f64], rate: f64) -> Option<Self> {
        let last = compression.windows(2).position(|pair| pair[0] > 0.0 && pair[1] <= 0.0)?;
        let first = (last + 1).checked_sub(POINTS / 2)?;
        let samples = compression.get(first..first + POINTS)?;
        let start = (POINTS / 2 - 1) as f64;
        let (mut inside, mut outside) = (start, start + 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (inside + outside);
            if polynomial(samples, middle).0 > 0.0 {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        let velocity = polynomial(samples, outside).1 * rate;
        (velocity < 0.0).then_some(Self { time: (first as f64 + outside) / rate, velocity })
    }
}

/// Value and slope, at a place between them, of the polynomial through samples at 0, 1, 2…, by Neville's scheme.
fn polynomial(samples: &[f64], place: f64) -> (f64, f64) {
    let mut values = samples.to_vec();
    let mut slopes = vec![0.0; samples.len()];
    for width in 1..samples.len() {
        for left in 0..samples.len() - width {
            let (from, to) = (place - left as f64, (left + width) as f64 - place);
            let step = width as f64;
            slopes[left] = (values[left + 1] - values[left] + to * slopes[left] + from * slopes[left + 1]) / step;
            values[left] = (to * values[left] + from * values[left + 1]) / step;
        }
    }
    (values.first().copied().unwrap_or(0.0), slopes.first().copied().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_followed_exactly() {
        let cubic = |x: f64| (2.0 + x * (0.5 - x * (0.3 - 0.1 * x)), 0.5 - x * (0.6 - 0.3 * x));
        let samples: Vec<f64> = (0..6).map(|n| cubic(f64::from(n)).0).collect();
        let (value, slope) = polynomial(&samples, 2.3);
        assert!((value - cubic(2.3).0).abs() < 1e-12 && (slope - cubic(2.3).1).abs() < 1e-12, "{value} {slope}");
    }

    #[test]
    fn a_swing_is_left_with_its_own_velocity() {
        // A sine of nine samples' period that crosses 0 at 4.5 samples.
        let omega = std::f64::consts::TAU / 9.0;
        let samples: Vec<f64> = (0..12).map(|n| (omega * f64::from(n)).sin()).collect();
        let release = Release::of(&samples[1..], 1.0).unwrap();
        assert!((release.time - 3.5).abs() < 1e-9, "{release:?}");
        assert!((release.velocity / -omega - 1.0).abs() < 2e-3, "{release:?}");
        assert_eq!(Release::of(&[1.0, 2.0, 3.0], 1.0), None);
        assert_eq!(Release::of(&[1.0, -1.0], 1.0), None);
    }
}
