//! How finely objects are drawn: by how many points along each side, and where these lie among the points of the object.

use ictus::Model;
use ictus::objects::Extent;

use crate::frames::STATE_HEADER;
use crate::stage::MOST_STATE_BYTES;

/// Most points of a line, of each side of a sheet and of an object in modes that are drawn.
const FINEST: [usize; 3] = [96, 33, 96];

/// Fewest, in scenes with very many objects. Then a state holds any scene that can be read: ten thousand objects and contacts, and thirty
/// thousand controls.
const COARSEST: [usize; 3] = [3, 2, 1];

/// More objects, contacts and controls than a state can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{objects} objects with {beside} contacts and controls are too many to be drawn: their state takes {bytes} bytes even when each has as few \
     points as possible, and {most} are allowed",
    most = MOST_STATE_BYTES
)]
pub struct TooMany {
    objects: usize,
    beside: usize,
    bytes: usize,
}

/// Points along each side of every object in a state. The more objects there are, the fewer each has, so that a state is never larger than
/// the page can take. `dimensions` are the points that the objects have themselves, `beside` the numbers of a state that are no object's.
///
/// # Errors
/// When even the fewest are too many.
pub fn points(model: &Model, dimensions: &[[usize; 2]], beside: usize) -> Result<Vec<[usize; 2]>, TooMany> {
    let mut most = FINEST;
    loop {
        let drawn = |(object, dimensions): (&ictus::model::Object, &[usize; 2])| match object.spec.extent() {
            Extent::Sheet { .. } => dimensions.map(|count| count.min(most[1])),
            Extent::Line { .. } => [dimensions[0].min(most[0]), 1],
            // The points of other objects are not samples of a shape: those that are not drawn cannot be played by hand.
            _ => [dimensions[0].min(most[2]), 1],
        };
        let points: Vec<[usize; 2]> = model.objects.iter().zip(dimensions).map(drawn).collect();
        let numbers: usize = points.iter().map(|[across, down]| 2 + across * down).sum();
        let bytes = STATE_HEADER + 4 * (numbers + beside);
        if bytes <= MOST_STATE_BYTES {
            return Ok(points);
        }
        if most == COARSEST {
            return Err(TooMany { objects: model.objects.len(), beside, bytes });
        }
        most = [0, 1, 2].map(|kind| (3 * most[kind] / 4).max(COARSEST[kind]));
    }
}

/// Where one of the drawn points lies among those of the object, which may be more: between two of them.
#[derive(Clone, Copy)]
pub struct Between {
    first: usize,
    share: f64,
}

impl Between {
    /// The place of the drawn point `index` of `drawn` among `count`.
    pub fn new(index: usize, drawn: usize, count: usize) -> Self {
        let intervals = drawn.saturating_sub(1).max(1);
        let along = index * (count - 1);
        Self { first: along / intervals, share: (along % intervals) as f64 / intervals as f64 }
    }

    /// What lies there, given the values of the points.
    pub fn of(self, value: impl Fn(usize) -> f64) -> f64 {
        let first = value(self.first);
        if self.share == 0.0 { first } else { first + self.share * (value(self.first + 1) - first) }
    }
}

#[cfg(test)]
mod tests {
    use ictus::model::{Object, ObjectSpec};
    use ictus::objects::{BarrierSpec, ModalSpec, PlateSpec, StringSpec};

    use super::*;

    fn bytes(points: &[[usize; 2]]) -> usize {
        points.iter().map(|[across, down]| 4 * (2 + across * down)).sum()
    }

    #[test]
    fn many_objects_are_drawn_more_coarsely_and_a_state_stays_within_its_bound() {
        let string = Object { name: "s".into(), spec: StringSpec::default().into(), start: None };
        let with = |count: usize| {
            let model = Model { objects: vec![string.clone(); count], ..Model::new(48_000.0) };
            points(&model, &vec![[200, 1]; count], 10)
        };
        assert_eq!(with(3), Ok(vec![[96, 1]; 3]));
        for count in [1400, 3000, 10_000, 20_000] {
            let points = with(count).expect("can be drawn");
            assert!(points[0][0] < 96 && points[0][0] >= 4, "{count}: {points:?}");
            assert!((MOST_STATE_BYTES / 2..MOST_STATE_BYTES).contains(&bytes(&points)), "{count}");
        }
    }

    #[test]
    fn the_largest_scenes_that_can_be_read_can_be_drawn() {
        let modal = ModalSpec { modes: vec![], points: vec![vec![]; 256] };
        for (spec, dimensions) in [
            (ObjectSpec::from(modal), [256, 1]),
            (PlateSpec::default().into(), [33, 33]),
            (StringSpec::default().into(), [65, 1]),
        ] {
            let object = Object { name: "o".into(), spec, start: None };
            let model = Model { objects: vec![object; 10_000], ..Model::new(48_000.0) };
            let points = points(&model, &vec![dimensions; 10_000], 30_000).expect("can be drawn");
            assert!(STATE_HEADER + bytes(&points) + 4 * 30_000 <= MOST_STATE_BYTES);
        }
    }

    #[test]
    fn what_cannot_be_drawn_at_all_says_so() {
        let wall = Object { name: "w".into(), spec: BarrierSpec::default().into(), start: None };
        let model = Model { objects: vec![wall; 100_000], ..Model::new(48_000.0) };
        let error = points(&model, &vec![[1, 1]; 100_000], 7).expect_err("is too much").to_string();
        assert!(error.starts_with("100000 objects with 7 contacts and controls are too many to be drawn"), "{error}");
        assert!(error.ends_with("even when each has as few points as possible, and 524288 are allowed"), "{error}");
    }
}
