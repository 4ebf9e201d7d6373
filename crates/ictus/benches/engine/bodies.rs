//! Bodies in modes beside the same bodies on grids, what a mode costs among many, and what a point of a large plate costs.

use ictus::id::ObjectId;
use ictus::laws::HuntCrossley;
use ictus::model::{Force, Interaction, ObjectSpec, Point};
use ictus::objects::{
    BarPitch, BarSpec, Loss, MassSpec, Method, Outline, Place, PlateSpec, Section, StringPitch, StringSpec,
};
use ictus::{Engine, Model};

use crate::timing::{RATE, engine_times, hear, modes_of, push, report, ringing, times_beside};

/// A hammer that a weight presses on a body at `place`; the body is held there against the same weight, so that free ones stay.
fn pressed(body: impl Into<ObjectSpec>, place: Place, heard: Place) -> Engine {
    const WEIGHT: f64 = 2.0;
    Model::new(RATE)
        .with("body", body)
        .with("hammer", MassSpec { displacement: 1e-5, ..MassSpec::free(0.02) })
        .join(Interaction::new(
            "felt",
            Point::of("hammer"),
            Point::on("body", place),
            HuntCrossley::new(1e7, 1.5, 0.1).unwrap(),
        ))
        .drive(push("hammer", WEIGHT))
        .drive(Force { name: "hold".into(), at: Point::on("body", place), level: -WEIGHT, signal: None })
        .listen(hear(Point::on("body", heard)))
        .build()
        .unwrap()
}

fn alone(body: impl Into<ObjectSpec>, heard: Place) -> Engine {
    ringing(heard, Model::new(RATE).with("body", body)).build().unwrap()
}

/// Both turn by turn, and the ratio of their medians.
fn compare(name: &str, [modes, grid]: [&mut Engine; 2]) {
    let [ours, beside] = times_beside([modes, grid]);
    report(name, &ours, Some(beside.median));
}

/// What was measured is a hammer that touches.
fn assert_pressed(engine: &Engine, place: Place) {
    let at = |object, place| engine.displacement(ObjectId::new(object), place).unwrap();
    assert!(at(1, Place::Whole) > at(0, place), "the hammer has left");
}

/// A hundred modes beside a hundred points.
pub fn string() {
    // Of nylon: a hundred modes of steel would not lie below half the rate.
    let string = StringSpec {
        pitch: StringPitch::Fundamental(120.0),
        youngs_modulus: 4e9,
        highest: Some(100.5 * 120.0 * 1.026),
        ..StringSpec::default()
    };
    let grid = StringSpec { method: Method::Grid, highest: None, segments: Some(101), ..string.clone() };
    let [place, heard] = [0.123, 0.87].map(Place::Along);
    let mut struck = [pressed(string.clone(), place, heard), pressed(grid.clone(), place, heard)];
    assert_eq!(modes_of(&struck[0], 0), 100);
    compare("string of 100 modes, hammer / of 100 points", struck.each_mut());
    struck.iter().for_each(|engine| assert_pressed(engine, place));
    compare("string of 100 modes, alone / of 100 points", [&mut alone(string, heard), &mut alone(grid, heard)]);
}

/// Seven modes that sound and two of the bar as a whole, beside the finest grid that is stable.
pub fn bar() {
    let bar = BarSpec {
        section: Section::Rectangular { width: 0.05, thickness: 1e-3 },
        pitch: BarPitch::Fundamental(700.0),
        loss: Loss::t60(3.0),
        ..BarSpec::default()
    };
    let grid = BarSpec { method: Method::Grid, ..bar.clone() };
    let [place, heard] = [0.5, 0.87].map(Place::Along);
    let mut struck = [pressed(bar.clone(), place, heard), pressed(grid.clone(), place, heard)];
    assert_eq!(modes_of(&struck[0], 0), 7 + 2);
    let points = struck[1].dimensions(ObjectId::new(0)).map_or(0, |[along, _]| along);
    compare(&format!("free bar of 7 modes, hammer / of {points} points"), struck.each_mut());
    struck.iter().for_each(|engine| assert_pressed(engine, place));
    compare(
        &format!("free bar of 7 modes, alone / of {points} points"),
        [&mut alone(bar, heard), &mut alone(grid, heard)],
    );
}

/// The highest frequency with which a supported rectangle of these sides, in m, has `count` modes: between that one and the next, by the
/// closed form `f = πκ/2 ((m/a)² + (n/b)²)` with κ in m²/s.
pub fn highest_of_plate([a, b]: [f64; 2], kappa: f64, count: usize) -> f64 {
    let along = |m: usize| (m as f64 / a).powi(2);
    let across = |n: usize| (n as f64 / b).powi(2);
    let mut squares: Vec<f64> =
        (1..=count).flat_map(|m| (1..=count / m + 1).map(move |n| (m, n))).map(|(m, n)| along(m) + across(n)).collect();
    squares.sort_by(f64::total_cmp);
    std::f64::consts::FRAC_PI_2 * kappa * 0.5 * (squares[count - 1] + squares[count])
}

/// As many modes as the grid has points that move.
pub fn plate(points: usize) {
    let count = points * points;
    // Sides of which no two modes have the same frequency.
    let sides = [0.6, 0.6 * 0.917];
    let plate =
        PlateSpec { outline: Outline::Rectangle(sides), thickness: 1e-4, loss: Loss::None, ..PlateSpec::default() };
    let highest = Some(highest_of_plate(sides, plate.stiffness_squared().sqrt(), count));
    let grid = PlateSpec { method: Method::Grid, grid: Some([points + 1, points + 1]), ..plate.clone() };
    let heard = Place::On(0.3, 0.4);
    let mut engine = within_limits(PlateSpec { highest, ..plate }, heard);
    assert_eq!(modes_of(&engine, 0), count);
    compare(&format!("plate of {count} modes, lossless / {points} x {points}"), [&mut engine, &mut alone(grid, heard)]);
}

/// All the modes that can be had.
fn within_limits(plate: PlateSpec, heard: Place) -> Engine {
    let mut model = ringing(heard, Model::new(RATE).with("body", plate));
    model.limits.modes = 4096;
    model.build().unwrap()
}

/// Plates that have more and more modes. The ratio is that of what a mode costs to what it costs among 512.
pub fn by_their_number() {
    let sides = [0.6, 0.6 * 0.917];
    let plate =
        PlateSpec { outline: Outline::Rectangle(sides), thickness: 1e-4, loss: Loss::None, ..PlateSpec::default() };
    let with = |count: usize| {
        let highest = Some(highest_of_plate(sides, plate.stiffness_squared().sqrt(), count));
        let engine = within_limits(PlateSpec { highest, ..plate.clone() }, Place::On(0.3, 0.4));
        assert_eq!(modes_of(&engine, 0), count);
        engine
    };
    let usual = engine_times(&mut with(512)).median / 512.0;
    for count in [64, 128, 256, 512, 1016, 1024, 1032, 1536, 2048, 3072, 4096] {
        let ours = engine_times(&mut with(count));
        report(&format!("plate of {count} modes / as many of 512"), &ours, Some(usual * count as f64));
    }
}

/// Plates on grids with more and more rows of 64 points. The ratio is that of what a row costs to what it costs among 64.
pub fn rows_of_a_plate() {
    let with = |rows: usize| {
        let outline = Outline::Rectangle([0.6, 0.6 * rows as f64 / 64.0]);
        let grid = Some([65, rows + 1]);
        let plate = PlateSpec { outline, thickness: 1e-4, method: Method::Grid, grid, ..PlateSpec::default() };
        engine_times(&mut alone(plate, Place::On(0.3, 0.4)))
    };
    let usual = with(64).median / 64.0;
    for rows in [64, 112, 127, 128, 129, 144, 192, 256] {
        report(&format!("plate of 64 x {rows} points / rows of 64 x 64"), &with(rows), Some(usual * rows as f64));
    }
}
