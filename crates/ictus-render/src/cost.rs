//! What the objects of a model cost while they sound, measured: each is built by itself, pushed by noise, so that it neither rests nor coasts,
//! and stepped for a moment.

use std::time::Duration;

use ictus::control::Change;
use ictus::id::{ForceId, ObjectId};
use ictus::model::{Force, Object, Point};
use ictus::objects::{Extent, Place};
use ictus::{Engine, Model};

use crate::stopwatch::Stopwatch;

/// Time of the processor that an object is stepped for.
const MOMENT: Duration = Duration::from_millis(1);
/// Time of the processor that all of them together are stepped for, but for a few steps of each.
const ALTOGETHER: Duration = Duration::from_millis(500);
/// Most steps between two looks at the clock.
const STEPS: usize = 128;
/// Samples of the noise, in multiples of that; and its greatest force in N.
const NOISE: usize = 32 * STEPS;
const PUSH: f64 = 1e-3;

/// What one object costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: &'static str,
    /// How many modes it is computed in; none of what is on a grid or lumped.
    pub modes: Option<usize>,
    /// How many points its grid has; none of what is in modes or lumped.
    pub points: Option<usize>,
    /// Time in ns of one step while it sounds, without contacts, pickups and the energy account.
    pub nanoseconds: f64,
}

/// The costs of a model's objects, in its order.
pub fn of_objects(model: &Model) -> Vec<Cost> {
    let moment = MOMENT.min(ALTOGETHER / u32::try_from(model.objects.len().max(1)).unwrap_or(u32::MAX));
    model.objects.iter().map(|object| of(object, model, moment)).collect()
}

fn of(object: &Object, model: &Model, moment: Duration) -> Cost {
    let mut alone = Model { limits: model.limits, ..Model::new(model.rate) };
    alone.objects.push(object.clone());
    let at = Point::on(&object.name, somewhere(object.spec.extent()));
    let pushed = alone.clone().drive(Force { name: "noise".into(), at, level: PUSH, signal: Some(noise()) });
    let (mut modes, mut points, mut nanoseconds) = (None, None, 0.0);
    // A barrier cannot be pushed. What cannot be built cannot be in a model that was; then there is nothing to measure.
    if let Ok(mut engine) = pushed.build().or_else(|_| alone.build()) {
        modes = engine.modes(ObjectId::new(0)).map(|modes| modes.len());
        points = grid_points(&engine, modes);
        nanoseconds = per_step(&mut engine, moment);
    }
    Cost { name: object.name.clone(), kind: object.spec.kind(), modes, points, nanoseconds }
}

/// A place that moves, whatever holds the edges.
fn somewhere(extent: Extent) -> Place {
    match extent {
        Extent::Points(_) => Place::Point(0),
        Extent::Line { .. } => Place::Along(0.3),
        Extent::Sheet { .. } => Place::On(0.3, 0.4),
        _ => Place::Whole,
    }
}

/// Noise from -1 to 1, the same every time.
fn noise() -> Vec<f64> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0
    };
    (0..NOISE).map(|_| next()).collect()
}

/// Time in ns of a step. Twice as many steps at a time as before, so that a large object makes few of them and a small one is not
/// measured by its clock; the fastest of many, since other work on the machine only ever adds.
fn per_step(engine: &mut Engine, moment: Duration) -> f64 {
    let (watch, mut steps, mut fastest, mut left) = (Stopwatch::start(), 1, f64::INFINITY, 0);
    loop {
        if left < steps {
            // What cannot be pushed has no noise to begin anew.
            let _ = engine.change(&Change::Trigger { force: ForceId::new(0) });
            left = NOISE;
        }
        let turn = Stopwatch::start();
        engine.advance(steps);
        fastest = fastest.min(turn.elapsed().as_secs_f64() / steps as f64);
        left -= steps;
        if watch.elapsed() >= moment {
            return 1e9 * fastest;
        }
        steps = (2 * steps).min(STEPS);
    }
}

/// Points of the grid of an engine's only object. A body in modes has points too, but those are only drawn; what is lumped has one.
fn grid_points(engine: &Engine, modes: Option<usize>) -> Option<usize> {
    let [along, across] = engine.dimensions(ObjectId::new(0)).filter(|_| modes.is_none())?;
    Some(along * across).filter(|points| *points > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ictus::objects::{Decay, MassSpec, Method, ModalSpec, ModeSpec, PlateSpec, StringPitch, StringSpec};

    #[test]
    fn a_body_costs_more_if_it_has_more_modes() {
        // One that rests costs nothing, however many modes it has.
        let cost = |highest: f64| {
            let model =
                Model::new(48_000.0).with("plate", PlateSpec { highest: Some(highest), ..PlateSpec::default() });
            let of = || of_objects(&model).remove(0);
            // The fastest of several, whatever else the machine does.
            let fastest = (0..5).map(|_| of().nanoseconds).fold(f64::INFINITY, f64::min);
            (of().modes.unwrap_or(0) as f64, fastest)
        };
        let ((few, cheap), (many, dear)) = (cost(2000.0), cost(20_000.0));
        assert!(many > 4.0 * few, "{few} and {many} modes");
        // What a sample costs however few modes there are comes on top.
        assert!(dear > 1.5 * cheap && dear > 0.05 * many, "{few} modes {cheap:.1} ns, {many} modes {dear:.1} ns");
    }

    #[test]
    fn bodies_have_modes_or_grid_points_and_masses_neither() {
        // Without stiffness the modes are multiples of the fundamental: 20 up to 20 kHz.
        let flexible =
            StringSpec { pitch: StringPitch::Fundamental(990.0), youngs_modulus: 0.0, ..StringSpec::default() };
        let on_grid = StringSpec { method: Method::Grid, segments: Some(12), ..flexible.clone() };
        let plate = PlateSpec { method: Method::Grid, grid: Some([6, 4]), ..PlateSpec::default() };
        let mode = |frequency| ModeSpec { frequency, decay: Decay::None, mass: 0.1 };
        let bell = ModalSpec { modes: vec![mode(300.0), mode(500.0), mode(900.0)], points: vec![vec![1.0; 3]] };
        let model = Model::new(48_000.0)
            .with("string", flexible)
            .with("grid", on_grid)
            .with("plate", plate)
            .with("bell", bell)
            .with("mass", MassSpec::free(0.1));
        let costs = of_objects(&model);
        let sizes: Vec<_> = costs.iter().map(|cost| (cost.name.as_str(), cost.modes, cost.points)).collect();
        assert_eq!(
            sizes,
            [
                ("string", Some(20), None),
                // Both ends are points that do not move.
                ("grid", None, Some(13)),
                ("plate", None, Some(7 * 5)),
                ("bell", Some(3), None),
                ("mass", None, None),
            ]
        );
        // A mass that is free does not coast here.
        assert!(costs.iter().all(|cost| cost.nanoseconds > 1.0), "{costs:?}");
    }
}
