//! Places on objects, one side at a time.

use ictus::objects::Place;

/// Fraction along the first side, if there is one.
pub(super) fn along(place: Place) -> Option<f64> {
    match place {
        Place::Along(x) | Place::On(x, _) => Some(x),
        _ => None,
    }
}

/// Fraction along the second side, if there is one.
pub(super) fn across(place: Place) -> Option<f64> {
    match place {
        Place::On(_, y) => Some(y),
        _ => None,
    }
}

/// The place with another fraction along the first side.
pub(super) fn moved_along(place: Place, x: f64) -> Option<Place> {
    match place {
        Place::Along(_) => Some(Place::Along(x)),
        Place::On(_, y) => Some(Place::On(x, y)),
        _ => None,
    }
}

/// The place with another fraction along the second side.
pub(super) fn moved_across(place: Place, y: f64) -> Option<Place> {
    match place {
        Place::On(x, _) => Some(Place::On(x, y)),
        _ => None,
    }
}
