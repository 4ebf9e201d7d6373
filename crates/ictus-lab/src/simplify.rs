//! Fewer points for the same line: long runs have far more samples than a picture has pixels.
//!
//! One pass: from an anchor, the bundle of directions that pass every point at less than the tolerance is kept
//! up; the line goes on straight while the next point lies in the bundle and farther away, and bends where it
//! does not (Zhao and Saalfeld's sleeve).

use std::f64::consts::PI;

/// The points that are needed to stay within `tolerance` of the line, both in units of `scale` (x, y); all of them
/// without a tolerance. The line ends at the first point that is not finite.
pub fn simplified(points: impl Iterator<Item = (f64, f64)>, scale: (f64, f64), tolerance: f64) -> Vec<(f64, f64)> {
    let points = points.take_while(|(x, y)| x.is_finite() && y.is_finite());
    if tolerance <= 0.0 {
        return points.collect();
    }
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut sleeve: Option<Sleeve> = None;
    let mut last = None;
    for point in points {
        match &mut sleeve {
            None => {
                kept.push(point);
                sleeve = Some(Sleeve::at(point));
            }
            Some(open) => {
                if !open.extend(point, scale, tolerance) {
                    let bend = last.unwrap_or(point);
                    kept.push(bend);
                    let mut next = Sleeve::at(bend);
                    next.extend(point, scale, tolerance);
                    sleeve = Some(next);
                }
            }
        }
        last = Some(point);
    }
    kept.extend(last.filter(|end| kept.last() != Some(end)));
    kept
}

struct Sleeve {
    anchor: (f64, f64),
    /// Middle direction and half width of the bundle, once a point is far enough to give one.
    bundle: Option<(f64, f64)>,
    farthest: f64,
}

impl Sleeve {
    fn at(anchor: (f64, f64)) -> Self {
        Self { anchor, bundle: None, farthest: 0.0 }
    }

    /// Takes the point in, or says that the line has to bend before it.
    fn extend(&mut self, point: (f64, f64), scale: (f64, f64), tolerance: f64) -> bool {
        let dx = (point.0 - self.anchor.0) / scale.0;
        let dy = (point.1 - self.anchor.1) / scale.1;
        let distance = dx.hypot(dy);
        if distance < self.farthest - tolerance {
            return false;
        }
        self.farthest = self.farthest.max(distance);
        if distance <= tolerance {
            return true;
        }
        let direction = dy.atan2(dx);
        let half_width = (tolerance / distance).asin();
        let Some((middle, half)) = self.bundle else {
            self.bundle = Some((direction, half_width));
            return true;
        };
        let turn = wrapped(direction - middle);
        if turn.abs() > half {
            return false;
        }
        let low = (-half).max(turn - half_width);
        let high = half.min(turn + half_width);
        self.bundle = Some((middle + (low + high) / 2.0, (high - low) / 2.0));
        true
    }
}

/// The angle between -π and π.
fn wrapped(angle: f64) -> f64 {
    angle - 2.0 * PI * (angle / (2.0 * PI)).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        simplified(points.iter().copied(), (1.0, 1.0), 0.01)
    }

    #[test]
    fn a_straight_line_needs_its_ends_only() {
        let points: Vec<_> = (0..1000).map(|i| (f64::from(i), 2.0 * f64::from(i))).collect();
        assert_eq!(line(&points), [(0.0, 0.0), (999.0, 1998.0)]);
    }

    #[test]
    fn corners_and_reversals_are_kept() {
        let points = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (-1.0, 5.0)];
        assert_eq!(line(&points), [(0.0, 0.0), (2.0, 0.0), (-1.0, 0.0), (-1.0, 5.0)]);
    }

    #[test]
    fn a_circle_stays_within_the_tolerance() {
        let circle = (0..=10_000).map(|i| (f64::from(i) * 1e-3).sin_cos());
        let kept = simplified(circle, (1.0, 1.0), 0.01);
        assert!(kept.len() < 200, "{}", kept.len());
        for pair in kept.windows(2) {
            let middle = ((pair[0].0 + pair[1].0) / 2.0).hypot((pair[0].1 + pair[1].1) / 2.0);
            assert!((middle - 1.0).abs() < 0.021, "{middle}");
        }
    }

    #[test]
    fn a_line_ends_where_it_stops_being_finite() {
        assert_eq!(line(&[(0.0, 0.0), (1.0, f64::INFINITY), (2.0, 0.0)]), [(0.0, 0.0)]);
        assert_eq!(line(&[]), []);
    }
}
