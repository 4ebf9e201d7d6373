//! Where words stand beside points: above them, or as near as they can without lying on another word or point.

/// Width in pixels of a letter, and height of a line, at the size labels are written in.
const LETTER: f64 = 6.0;
const LINE: f64 = 12.0;
/// How far above its place a word begins.
const LIFT: f64 = 6.0;
/// Room in pixels that a point takes in each direction.
const POINT: f64 = 6.0;
/// Places that are tried: to the right (1), the left (-1) or neither, and lines up.
const PLACES: [(f64, f64); 10] = [
    (0.0, 0.0),
    (1.0, -1.0),
    (-1.0, -1.0),
    (0.0, -2.1),
    (1.0, 0.0),
    (-1.0, 0.0),
    (1.0, -2.0),
    (-1.0, -2.0),
    (0.0, 1.0),
    (0.0, -3.1),
];

/// A rectangle: its middle, half its width and half its height.
#[derive(Clone, Copy)]
struct Room([f64; 4]);

impl Room {
    fn meets(&self, other: &Self) -> bool {
        let ([x, y, a, b], [u, v, c, d]) = (self.0, other.0);
        (x - u).abs() < a + c && (y - v).abs() < b + d
    }
}

/// Places in pixels, x to the right and y up, for the middle of words whose points are given, in a panel of this size with other points.
pub(super) fn placed(words: &[((f64, f64), &str)], points: &[(f64, f64)], size: (f64, f64)) -> Vec<(f64, f64)> {
    let mut taken: Vec<Room> = points.iter().map(|(x, y)| Room([*x, *y, POINT, POINT])).collect();
    let mut places = Vec::with_capacity(words.len());
    for ((x, y), text) in words {
        let half = 0.5 * LETTER * text.chars().count() as f64;
        let room = |(x, y): (f64, f64)| Room([x, y + LIFT + 0.5 * LINE, half, 0.5 * LINE]);
        let inside = |(x, y): (f64, f64)| x >= half && x + half <= size.0 && y >= -LIFT && y + LIFT + LINE <= size.1;
        let place = PLACES
            .iter()
            .map(|(aside, up)| (x + aside * (half + 2.0 * POINT), y + LINE * up))
            .find(|place| inside(*place) && !taken.iter().any(|other| other.meets(&room(*place))))
            .unwrap_or((*x, *y));
        taken.push(room(place));
        places.push(place);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lie_neither_on_each_other_nor_on_points_nor_outside() {
        let words = [((100.0, 100.0), "secant"), ((104.0, 100.0), "secant-plain"), ((100.0, 103.0), "rk4")];
        let points: Vec<_> = words.iter().map(|(point, _)| *point).collect();
        let places = placed(&words, &points, (400.0, 300.0));
        assert_eq!(placed(&words[..1], &points[..1], (400.0, 300.0)), [(100.0, 100.0)], "alone, right above");
        let room = |n: usize| {
            let (x, y) = places[n];
            Room([x, y + LIFT + 0.5 * LINE, 0.5 * LETTER * words[n].1.len() as f64, 0.5 * LINE])
        };
        for n in 0..words.len() {
            assert!((0..n).all(|other| !room(n).meets(&room(other))), "{places:?}");
            assert!(points.iter().all(|(x, y)| !room(n).meets(&Room([*x, *y, 5.0, 5.0]))), "{places:?}");
        }
        let [(x, y)] = placed(&[((0.0, 299.0), "ab")], &[], (400.0, 300.0))[..] else { panic!("one word") };
        assert!(x >= LETTER && y + LIFT + LINE <= 300.0, "{x} {y}");
    }
}
