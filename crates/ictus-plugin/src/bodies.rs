//! Keys for a scene that has no notes: they strike its objects in turn, every key at a place of its own, as they do on the page.

use ictus::id::ObjectId;
use ictus::objects::{Extent, Outline, Place};
use ictus_scene::{Instrument, Scene};

/// Slowest stroke in m/s, and how many times as fast the hardest is.
const SLOWEST: f64 = 0.1;
const SPAN: f64 = 60.0;

/// Share of a side that is left free at each end.
const MARGIN: f64 = 0.08;

/// Places along a side; 7 and 11 have no factor in common with it, so that neighbouring keys are far apart and all places are used.
const PLACES: usize = 25;

/// Nearest to its rim that a round body is struck, in parts of its diameter.
const RIM: f64 = 0.001;

/// What can be struck.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    object: ObjectId,
    extent: Extent,
}

impl Body {
    /// All bodies of a scene that an instrument has hands for, in their order.
    pub fn all(scene: &Scene, instrument: &Instrument) -> Vec<Self> {
        let extents = scene.model.objects.iter().map(|object| object.spec.extent());
        let bodies = extents.enumerate().map(|(index, extent)| Self { object: ObjectId::new(index), extent });
        bodies.filter(|body| instrument.has_hands(body.object)).collect()
    }

    /// A key strikes the body whose turn it is, this hard from 0 to 1. What cannot be struck there is left.
    pub fn strike(bodies: &[Self], instrument: &mut Instrument, key: u8, velocity: f64) {
        let key = usize::from(key);
        if let Some(body) = bodies.get(key.checked_rem(bodies.len()).unwrap_or(0)) {
            let velocity = SLOWEST * libm::pow(SPAN, velocity);
            let _ = instrument.strike(body.object, body.place(key), velocity);
        }
    }

    fn place(&self, key: usize) -> Place {
        let along = |step: usize| MARGIN + (1.0 - 2.0 * MARGIN) * ((key * step) % PLACES) as f64 / PLACES as f64;
        match self.extent {
            Extent::Line { .. } => Place::Along(along(7)),
            Extent::Sheet { outline, .. } => {
                let [x, y] = [along(7), along(11)];
                // What is off a circle means the nearest place on it.
                let inwards = match outline {
                    Outline::Circle(_) => ((0.5 - RIM) / (x - 0.5).hypot(y - 0.5)).min(1.0),
                    _ => 1.0,
                };
                let [x, y] = [x, y].map(|side| 0.5 + inwards * (side - 0.5));
                Place::On(x, y)
            }
            Extent::Points(count) => Place::Point(key.checked_rem(count).unwrap_or(0)),
            _ => Place::Whole,
        }
    }
}
