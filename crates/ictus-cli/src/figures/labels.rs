//! Where words stand beside points: above them, or as near as they can without lying on another word.

/// Width in pixels of a letter, and height of a line, at the size labels are written in.
const LETTER: f64 = 6.0;
const LINE: f64 = 12.0;
/// Shifts in lines that are tried, upwards positive.
const SHIFTS: [f64; 8] = [0.0, 1.0, -2.0, 2.0, -3.0, 3.0, -4.0, 4.0];

/// Places in pixels, x to the right and y up, for the middle of words whose points are given, in a panel of this size.
pub(super) fn placed(points: &[((f64, f64), &str)], size: (f64, f64)) -> Vec<(f64, f64)> {
    let mut boxes: Vec<(f64, f64, f64)> = Vec::with_capacity(points.len());
    for ((x, y), text) in points {
        let half = 0.5 * LETTER * text.chars().count() as f64;
        let x = x.min(size.0 - half).max(half);
        let free = |y: f64| {
            let apart = |other: &(f64, f64, f64)| (x - other.0).abs() > half + other.2 || (y - other.1).abs() >= LINE;
            (0.0..=size.1 - LINE).contains(&y) && boxes.iter().all(apart)
        };
        let y = SHIFTS.iter().map(|shift| y + LINE * shift).find(|y| free(*y)).unwrap_or(*y);
        boxes.push((x, y, half));
    }
    boxes.into_iter().map(|(x, y, _)| (x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_at_the_same_point_do_not_lie_on_each_other() {
        let points = [((100.0, 100.0), "secant"), ((104.0, 100.0), "secant-plain"), ((100.0, 103.0), "rk4")];
        let places = placed(&points, (400.0, 300.0));
        for (n, one) in places.iter().enumerate() {
            for other in &places[..n] {
                assert!((one.1 - other.1).abs() >= LINE, "{places:?}");
            }
        }
        assert_eq!(places[0], (100.0, 100.0));
        // Words stay inside.
        assert_eq!(placed(&[((0.0, 299.0), "ab")], (400.0, 300.0)), [(LETTER, 299.0 - 2.0 * LINE)]);
    }
}
