//! Every level of vector instructions gives the same bits.

use fearless_simd::Level;

use crate::laws::HuntCrossley;
use crate::model::{Force, Interaction, Pickup, Point, Source};
use crate::objects::{BarrierSpec, Decay, MassSpec, ModalSpec, ModeSpec, Place, StringSpec};
use crate::{Engine, Model};

/// The level that others are compared with: the scalar one with the feature `scalar`, else the least of this kind of processor.
pub(crate) fn reference() -> Level {
    #[cfg(feature = "scalar")]
    return Level::fallback();
    #[cfg(not(feature = "scalar"))]
    Level::baseline()
}

fn hear(point: Point) -> Pickup {
    Pickup { source: Source::Displacement(point), gains: vec![1.0] }
}

/// What can be struck, and heard at another point: what it is in the model, where it is struck and where heard.
fn with_object(model: Model, kind: &str) -> (Model, Place, Place) {
    match kind {
        "string" => (model.with("object", StringSpec::default()), Place::Along(0.2), Place::Along(0.7)),
        "modal" => {
            let decay = Decay::T60(1.0);
            let mode = |index: usize| ModeSpec { frequency: 150.0 * (index + 1) as f64, decay, mass: 0.1 };
            let points = [0.7, 0.3].map(|at| (0..20).map(|index| (index as f64 * at).cos()).collect()).to_vec();
            let spec = ModalSpec { modes: (0..20).map(mode).collect(), points };
            (model.with("object", spec), Place::Point(0), Place::Point(1))
        }
        _ => (model.with("object", BarrierSpec::default()), Place::Whole, Place::Whole),
    }
}

/// An object by itself under a force, under a mass, and under a mass that stands on another one.
fn built(kind: &str, masses: usize) -> Engine {
    let (mut model, struck, heard) = with_object(Model::new(44_100.0), kind);
    let mut below = Point::on("object", struck);
    let weight = |at: Point| Force { name: "weight".into(), at, level: 0.5, signal: None };
    for name in ["first", "second"].into_iter().take(masses) {
        let law = HuntCrossley::new(1e6, 1.5, 0.1).unwrap();
        model = model
            .with(name, MassSpec { velocity: 0.3, ..MassSpec::free(0.01) })
            .join(Interaction::new(&format!("{name} on"), Point::of(name), below, law))
            .drive(Force { name: name.into(), ..weight(Point::of(name)) });
        below = Point::of(name);
    }
    if masses == 0 {
        model = model.drive(weight(below));
    }
    model.listen(hear(Point::on("object", heard))).build().unwrap()
}

#[test]
fn every_level_gives_the_same_bits() {
    let best = Level::new();
    let levels = crate::simd::levels();
    for kind in ["string", "modal", "barrier"] {
        for masses in 0..3 {
            let run = |level| {
                let mut engine = built(kind, masses);
                engine.level = level;
                let mut sound = vec![0.0; 2000];
                engine.process(&mut sound);
                let energy = engine.stored_energy();
                sound.into_iter().chain([energy]).map(f64::to_bits).collect::<Vec<_>>()
            };
            let expected = run(best);
            for (name, level) in &levels {
                assert!(run(*level) == expected, "{kind} under {masses} masses, {name}");
            }
        }
    }
}
