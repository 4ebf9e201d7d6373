//! What the objects of a model cost, measured: each is built by itself and stepped for a moment.

use std::time::{Duration, Instant};

use ictus::Model;
use ictus::model::{Object, ObjectSpec};

/// Least time an object is stepped for.
const MOMENT: Duration = Duration::from_millis(1);
/// Steps between two looks at the clock.
const STEPS: usize = 128;

/// What one object costs.
pub struct Cost {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: &'static str,
    /// Points of its grid, or its modes; 1 for what is lumped.
    pub points: usize,
    /// Time in ns of one step, without contacts, pickups and the energy account.
    pub nanoseconds: f64,
}

/// The costs of a model's objects, in its order.
pub fn of_objects(model: &Model) -> Vec<Cost> {
    model.objects.iter().map(|object| of(object, model)).collect()
}

fn of(object: &Object, model: &Model) -> Cost {
    let mut alone = Model { limits: model.limits, ..Model::new(model.rate) };
    alone.objects.push(object.clone());
    let (mut points, mut nanoseconds) = (1, 0.0);
    // One that cannot be built cannot be in a model that was; then there is nothing to measure.
    if let Ok(mut engine) = alone.build() {
        let grid = engine.dimensions(0).map_or(1, |[along, across]| along * across);
        points = match &object.spec {
            ObjectSpec::Modal(spec) => spec.modes.len(),
            _ => grid,
        };
        engine.advance(STEPS);
        // The fastest of many: other work on the machine only ever adds.
        let (begin, mut fastest) = (Instant::now(), Duration::MAX);
        while begin.elapsed() < MOMENT {
            let turn = Instant::now();
            engine.advance(STEPS);
            fastest = fastest.min(turn.elapsed());
        }
        nanoseconds = fastest.as_secs_f64() * 1e9 / STEPS as f64;
    }
    Cost { name: object.name.clone(), kind: object.spec.kind(), points, nanoseconds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ictus::objects::{MassSpec, StringSpec};

    #[test]
    fn a_string_has_points_and_costs_more_than_nothing() {
        let model = Model::new(48_000.0).with("string", StringSpec::default()).with("mass", MassSpec::free(0.1));
        let costs = of_objects(&model);
        assert_eq!((costs[0].kind, costs[1].kind, costs[1].points), ("string", "mass", 1));
        assert!(costs[0].points > 10 && costs[0].nanoseconds > 1.0, "{}", costs[0].nanoseconds);
    }
}
