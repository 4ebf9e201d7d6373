//! The tromba marina of W19: a bowed string on a bridge that rattles on a plate.

use ictus::laws::{BowFriction, CentreLimited, OneSidedPower};
use ictus::model::{Interaction, Point};
use ictus::objects::{BarrierSpec, Decay, MassSpec, Method, Outline, Place, PlateSpec, StringPitch, StringSpec};
use ictus::{Engine, Model};

use crate::bodies::highest_of_plate;
use crate::grids::{scalar_plate, scalar_string};
use crate::timing::{RATE, engine_times, hear, modes_of, report, times_beside};

/// Points that move on W19's grids; the modes are as many.
const STRING: usize = 225;
const PLATE: [usize; 2] = [134, 17];

/// String and plate by `method`; the bridge on the plate, or in the air.
fn build(method: Method, rattling: bool) -> Engine {
    let on_grid = method == Method::Grid;
    let fundamental = 32.0;
    let string = StringSpec {
        length: 1.9,
        pitch: StringPitch::Fundamental(fundamental),
        radius: 5e-4,
        method,
        segments: on_grid.then_some(STRING + 1),
        ..StringSpec::default()
    };
    let sides = [1.35, 0.18];
    let plate = PlateSpec {
        outline: Outline::Rectangle(sides),
        thickness: 2e-3,
        density: 50.0,
        youngs_modulus: 2e5,
        method,
        grid: on_grid.then_some(PLATE.map(|points| points + 1)),
        ..PlateSpec::default()
    };
    let kappa = plate.stiffness_squared().sqrt();
    let highest = (!on_grid).then(|| highest_of_plate(sides, kappa, PLATE[0] * PLATE[1]));
    let joint = CentreLimited::new(5e6, 1.5, 0.0).unwrap();
    let mut rattle = Interaction::new(
        "rattle",
        Point::on("plate", Place::On(0.37, 0.5)),
        Point::of("bridge"),
        OneSidedPower::new(5e8, 1.0, 0.0).unwrap(),
    );
    rattle.gap = if rattling { -2e-4 } else { 1.0 };
    Model::new(RATE)
        .with("string", string)
        .with("bridge", MassSpec::oscillator(0.001, 80.0, Decay::Sigma(0.05)))
        .with("plate", PlateSpec { highest, ..plate })
        .with("bow", BarrierSpec { height: 0.0, velocity: 0.15 })
        .join(Interaction::new("joint", Point::on("string", Place::Along(0.9)), Point::of("bridge"), joint))
        .join(rattle)
        .join(Interaction::new(
            "bowing",
            Point::on("string", Place::Along(0.25)),
            Point::of("bow"),
            BowFriction::new(0.5, 100.0).unwrap(),
        ))
        .listen(hear(Point::on("plate", Place::On(0.2, 0.3))))
        .build()
        .unwrap()
}

/// On grids beside plain loops, and in modes beside grids. The plate in modes has as many as the grid has points that move; the string has
/// those below the highest there are by default.
pub fn tromba() {
    let plain = scalar_string(STRING + 1) + scalar_plate(PLATE[0], PLATE[1]);
    let live = engine_times(&mut build(Method::Grid, true));
    report("tromba on grids, both contacts live", &live, Some(plain));
    let loose = engine_times(&mut build(Method::Grid, false));
    report("tromba on grids, bridge in the air", &loose, Some(plain));
    for (rattling, bridge) in [(true, "both contacts live"), (false, "bridge in the air")] {
        let (mut modes, mut grid) = (build(Method::Modes, rattling), build(Method::Grid, rattling));
        let count = [0, 2].map(|object| modes_of(&modes, object));
        // Sides as 15 to 2: some frequencies are shared, and the highest of all may fall on such a pair.
        assert!(count[1].abs_diff(PLATE[0] * PLATE[1]) <= 2);
        let [ours, beside] = times_beside([&mut modes, &mut grid]);
        report(&format!("tromba of {} modes, {bridge} / grids", count[0] + count[1]), &ours, Some(beside.median));
    }
}
