//! Pictures of strings and bars: the first four shapes with each pair of ends.

use ictus::id::ObjectId;
use ictus::model::ObjectSpec;
use ictus::objects::{BarPitch, BarSpec, End, Place, Section, StringPitch, StringSpec};

use super::sound::{RATE, alone, failed, modes};
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Label, Panel, Stroke, colour};

/// Modes that are drawn.
const COUNT: usize = 4;
/// Points of a shape.
const POINTS: usize = 161;
/// How far a shape reaches to both sides, in parts of the distance between two.
const REACH: f64 = 0.42;

/// Pairs of ends, those that are mirrored once.
const PAIRS: [(&str, [End; 2]); 6] = [
    ("free, free", [End::Free; 2]),
    ("clamped, free", [End::Clamped, End::Free]),
    ("supported, free", [End::SimplySupported, End::Free]),
    ("supported, supported", [End::SimplySupported; 2]),
    ("clamped, supported", [End::Clamped, End::SimplySupported]),
    ("clamped, clamped", [End::Clamped; 2]),
];

/// Bars with each pair of ends.
pub fn bars() -> Result<Figure, Error> {
    figure("A bar by its `ends`: the first four modes, and their frequencies over the first", |ends| {
        BarSpec {
            section: Section::Rectangular { width: 0.02, thickness: 1e-4 },
            pitch: BarPitch::Fundamental(100.0),
            ends,
            ..BarSpec::default()
        }
        .into()
    })
}

/// Strings with each pair of ends: steel, 60 cm long and 2 mm thick, so that their stiffness is seen.
pub fn strings() -> Result<Figure, Error> {
    figure("A stiff string by its `ends`: the first four modes, and their frequencies over the first", |ends| {
        StringSpec { length: 0.6, radius: 1e-3, pitch: StringPitch::Fundamental(100.0), ends, ..StringSpec::default() }
            .into()
    })
}

fn figure(title: &str, with: impl Fn([End; 2]) -> ObjectSpec) -> Result<Figure, Error> {
    let panels = PAIRS.iter().map(|(name, ends)| panel(name, with(*ends))).collect::<Result<_, Error>>()?;
    Ok(Figure { panel_size: (360.0, 270.0), ..Figure::new(title, 3, panels) })
}

fn panel(title: &'static str, spec: ObjectSpec) -> Result<Panel, Error> {
    let engine = alone(spec, RATE)?;
    let all = engine.modes(ObjectId::new(0)).map_or(0, |modes| modes.len());
    let swinging = modes(&engine);
    // Those of frequency 0 come first.
    let rigid = all - swinging.len();
    let mut shapes = vec![Vec::new(); COUNT];
    let mut weights = vec![0.0; (rigid + COUNT).min(all)];
    for point in 0..POINTS {
        let x = point as f64 / (POINTS - 1) as f64;
        engine
            .mode_shapes_at(ObjectId::new(0), Place::Along(x), &mut weights)
            .ok_or_else(|| failed("a place off the line"))?;
        for (shape, weight) in shapes.iter_mut().zip(&weights[rigid..]) {
            shape.push((x, *weight));
        }
    }
    let (mut curves, mut labels) = (Vec::new(), Vec::new());
    for (number, (shape, mode)) in shapes.into_iter().zip(&swinging).enumerate() {
        let rest = (number + 1) as f64;
        let largest = shape.iter().fold(f64::MIN_POSITIVE, |most, (_, y)| y.abs().max(most));
        let grey = Stroke::solid("#bbbbbb").wide(0.7);
        curves.push(Curve::line(vec![(0.0, rest), (1.0, rest)], grey));
        let points = shape.into_iter().map(|(x, y)| (x, rest + REACH * y / largest)).collect();
        curves.push(Curve::line(points, Stroke::solid(colour(number))));
        let text = format!("{:.3}", mode.frequency / swinging[0].frequency);
        labels.push(Label { point: (1.11, rest - 0.14), text });
    }
    let x = Axis::linear("place, from one end to the other", "", (-0.02, 1.2));
    Ok(Panel::new(title, x, Axis::linear("mode", "", (0.4, COUNT as f64 + 0.6)), curves).labelled(labels))
}
