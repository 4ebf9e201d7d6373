//! Other bodies and laws in place of some of a network's: in modes, stretched as a whole or mode by mode, air in tubes, felt and bristles.

use ictus::Model;
use ictus::model::ObjectSpec;
use ictus::objects::{Amplitude, Method, Outline, PlateEdges, TubeEnd, TubePitch, TubeSpec};

use crate::common::Random;

/// Highest frequency in Hz of the modes, low enough for few of them.
fn highest(random: &mut Random) -> Option<f64> {
    Some(random.decades(400.0, 4000.0))
}

/// The same network with bodies in modes in place of most that are on a grid. Places stay what they are.
pub fn in_modes(mut model: Model, random: &mut Random) -> Model {
    let swing = |random: &mut Random| random.of(&[Amplitude::Small, Amplitude::Large]);
    for object in &mut model.objects {
        if random.chance(0.25) {
            continue;
        }
        match &mut object.spec {
            spec @ ObjectSpec::String(_) if random.chance(0.25) => {
                *spec = TubeSpec {
                    pitch: TubePitch::Fundamental(random.decades(60.0, 1500.0)),
                    diameter: random.decades(5e-3, 0.1),
                    ends: [random.of(&[TubeEnd::Open, TubeEnd::Closed]), TubeEnd::Open],
                    highest: Some(random.decades(2000.0, 8000.0)),
                    ..TubeSpec::default()
                }
                .into();
            }
            ObjectSpec::String(string) => {
                (string.method, string.segments) = (Method::Modes, None);
                (string.amplitude, string.highest) = (swing(random), highest(random));
                if random.chance(0.2) {
                    string.unison = vec![random.between(-10.0, 0.0), random.between(0.0, 10.0)];
                }
            }
            ObjectSpec::Bar(bar) => (bar.method, bar.segments, bar.highest) = (Method::Modes, None, highest(random)),
            ObjectSpec::Membrane(membrane) => {
                (membrane.method, membrane.grid) = (Method::Modes, None);
                (membrane.amplitude, membrane.highest) = (swing(random), Some(random.decades(200.0, 700.0)));
            }
            ObjectSpec::Plate(plate) => {
                (plate.method, plate.grid) = (Method::Modes, None);
                plate.highest = Some(random.decades(200.0, 1500.0));
                let airy_modes = Some(1 + random.below(6));
                plate.amplitude = random.of(&[Amplitude::Small, Amplitude::Large, Amplitude::VonKarman { airy_modes }]);
                if plate.amplitude != Amplitude::Large && random.chance(0.3) {
                    (plate.outline, plate.edges) = (Outline::Circle(0.4), PlateEdges::Free);
                }
            }
            _ => {}
        }
    }
    model
}

/// The same network with laws that remember in place of some.
pub fn with_memory(mut model: Model, random: &mut Random) -> Model {
    for interaction in &mut model.interactions {
        if random.chance(0.4) {
            interaction.law = crate::memory_networks::law(random);
        }
    }
    model
}
