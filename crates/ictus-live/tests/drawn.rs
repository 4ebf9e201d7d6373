//! What the page is told to draw is where the bodies are: outlines, edges, and the points of every state.

use std::path::Path;

use ictus::id::ObjectId;
use ictus::objects::Place;
use ictus_live::Stage;
use ictus_live::protocol::Gesture;
use ictus_scene::{Reading, Source, read};

const RATE: f64 = 48_000.0;

fn staged(text: &str) -> Stage {
    let options = Reading { rate: Some(RATE), ..Reading::default() };
    let scene = read(&Source::new("shapes.toml", text), &options).expect("can be read");
    Stage::new("shapes", &scene).expect("can be built")
}

/// The scene that the tests of the page play too.
fn shapes() -> Stage {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web-tests/scenes/shapes.toml");
    staged(&std::fs::read_to_string(file).expect("is there"))
}

fn number(stage: &Stage, name: &str) -> usize {
    stage.describe().objects.iter().position(|object| object.name == name).expect("is there")
}

fn strike(stage: &mut Stage, object: usize, at: &[f64]) {
    stage.play(&Gesture::Strike { object, at: at.to_vec(), velocity: 2.0 }).expect("is struck");
    stage.process(&mut [0.0; 2 * 960]);
}

/// The displacements in m of an object as a state holds them.
fn drawn(stage: &mut Stage, object: usize) -> Vec<f64> {
    let objects = stage.describe().objects;
    let count = |object: usize| objects[object].points[0] * objects[object].points[1];
    let mut state = Vec::new();
    stage.write_state(&mut state);
    let numbers: Vec<f32> =
        state.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
    let first = (0..object).map(|before| 2 + count(before)).sum::<usize>() + 2;
    numbers[first..first + count(object)].iter().copied().map(f64::from).collect()
}

/// The places of the points of a state, as docs/protocol.md tells them, and whether each is on the body.
fn places(stage: &Stage, object: usize) -> Vec<(Place, bool)> {
    let described = &stage.describe().objects[object];
    let [columns, rows] = described.points;
    let is = |kind: &str| serde_json::to_value(described.shape).expect("is JSON") == kind;
    let fraction = |index: usize, count: usize| index as f64 / (count - 1) as f64;
    let mut places = Vec::new();
    for index in 0..columns * rows {
        let x = fraction(index % columns, columns);
        if is("line") {
            places.push((Place::Along(x), true));
            continue;
        }
        let y = fraction(index / columns, rows);
        let radius = (2.0 * x - 1.0).hypot(2.0 * y - 1.0);
        let off = is("circle") && radius > 1.0;
        let [x, y] = [x, y].map(|side| if off { 0.5 + (side - 0.5) / radius } else { side });
        places.push((Place::On(x, y), !off));
    }
    places
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, value| most.max(value.abs()))
}

#[test]
fn the_description_tells_outlines_and_edges() {
    let description = serde_json::to_value(shapes().describe()).expect("is JSON");
    let told: Vec<_> = description["objects"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|object| format!("{} {} {}", object["name"].as_str().expect("a name"), object["shape"], object["edges"]))
        .collect();
    for expected in [
        r#"gong "circle" ["free"]"#,
        r#"head "circle" ["supported"]"#,
        r#"glass "rectangle" ["free","free","free","free"]"#,
        r#"board "rectangle" ["clamped","clamped","clamped","clamped"]"#,
        r#"bar "line" ["free","free"]"#,
        r#"tine "line" ["clamped","free"]"#,
    ] {
        assert!(told.iter().any(|told| told == expected), "{expected} in {told:?}");
    }
}

#[test]
fn edges_are_told_one_by_one_and_what_has_no_extent_has_none() {
    let stage = staged(
        "ictus = 1\ntitle = \"Edges\"\n[objects.shelf]\nkind = \"plate\"\nhighest = \"1 kHz\"\n\
         edges = [[\"clamped\", \"free\"], [\"supported\", \"free\"]]\n\
         [objects.ball]\nkind = \"mass\"\nmass = \"10 g\"\n[pickups.out]\nat = \"shelf@0.9,0.9\"\n",
    );
    let told = serde_json::to_value(stage.describe()).expect("is JSON");
    let told = |name: &str, field: &str| told["objects"][number(&stage, name)][field].to_string();
    assert_eq!(told("shelf", "edges"), r#"["clamped","free","supported","free"]"#);
    assert_eq!((told("ball", "shape"), told("ball", "edges")), ("null".into(), "[]".into()));
}

/// To what single numbers hold, for all modes of these bodies are drawn.
#[test]
fn every_point_that_is_drawn_is_where_the_body_is() {
    let mut stage = shapes();
    for (name, at) in [
        ("gong", [0.7, 0.6]),
        ("head", [0.3, 0.4]),
        ("glass", [0.2, 0.3]),
        ("board", [0.4, 0.3]),
        ("bar", [0.4, 0.0]),
        ("tine", [0.7, 0.0]),
    ] {
        let object = number(&stage, name);
        strike(&mut stage, object, &at);
        let drawn = drawn(&mut stage, object);
        let peak = largest(drawn.iter().copied());
        assert!(peak > 1e-6, "{name} moves by {peak} m only");
        for ((place, _), drawn) in places(&stage, object).into_iter().zip(drawn) {
            let moved = stage.instrument().engine().displacement(ObjectId::new(object), place).expect("is on it");
            assert!((drawn - moved).abs() < 1e-6 * peak, "{name} {place:?}: {drawn} m drawn, {moved} m moved");
        }
    }
}

#[test]
fn free_edges_swing_and_held_ones_stand_still() {
    let mut stage = shapes();
    for (name, at, swings) in [
        ("gong", [0.7, 0.6], true),
        ("head", [0.3, 0.4], false),
        ("glass", [0.2, 0.3], true),
        ("board", [0.4, 0.3], false),
    ] {
        let object = number(&stage, name);
        strike(&mut stage, object, &at);
        let drawn = drawn(&mut stage, object);
        let columns = stage.describe().objects[object].points[0];
        let edge = |index: usize, on: bool| {
            let inner = 1..columns - 1;
            !on || !inner.contains(&(index % columns)) || !inner.contains(&(index / columns))
        };
        let places = places(&stage, object);
        let rim = largest(
            drawn.iter().zip(places).enumerate().filter(|(n, (_, (_, on)))| edge(*n, *on)).map(|(_, (u, _))| *u),
        );
        let share = rim / largest(drawn.iter().copied());
        assert!(if swings { share > 0.5 } else { share < 1e-9 }, "{name}: {share}");
    }
    for (name, swings) in [("bar", [true, true]), ("tine", [false, true])] {
        let object = number(&stage, name);
        strike(&mut stage, object, &[0.4]);
        let drawn = drawn(&mut stage, object);
        let peak = largest(drawn.iter().copied());
        for (end, swings) in [drawn[0], drawn[drawn.len() - 1]].into_iter().zip(swings) {
            let share = end.abs() / peak;
            assert!(if swings { share > 0.1 } else { share < 1e-9 }, "{name}: {share}");
        }
    }
}

#[test]
fn a_place_off_a_circle_means_the_nearest_place_on_it() {
    let struck = |at: [f64; 2]| {
        let mut stage = shapes();
        let gong = number(&stage, "gong");
        strike(&mut stage, gong, &at);
        drawn(&mut stage, gong)
    };
    let corner = struck([0.0, 0.0]);
    // The rim is 1/√2 of the way to the corner.
    let rim = struck([0.5 - 0.499 / 2.0_f64.sqrt(); 2]);
    let peak = largest(corner.iter().copied());
    let difference = largest(corner.iter().zip(&rim).map(|(corner, rim)| corner - rim));
    assert!(peak > 1e-6 && difference < 1e-6 * peak, "{difference} m of {peak} m");
    assert!(largest(corner.iter().zip(struck([0.5, 0.5])).map(|(corner, centre)| corner - centre)) > 0.1 * peak);
}

/// A shape with more points than are sent is sent at even fractions too, not at the nearest points of its grid.
/// Straight lines between those miss the crest of this start by 0.7 %; the nearest points miss its flanks by 6 %.
#[test]
fn a_fine_grid_is_drawn_where_it_is() {
    let mut stage = staged(
        "ictus = 1\ntitle = \"Grids\"\n\
         [objects.string]\nkind = \"string\"\npitch = \"A2\"\nmethod = \"grid\"\nsegments = 120\nstart = { at = 0.4, width = 0.3, displacement = \"1 mm\" }\n\
         [objects.skin]\nkind = \"membrane\"\npitch = \"100 Hz\"\nmethod = \"grid\"\ngrid = [50, 40]\nstart = { at = [0.5, 0.4], width = 0.3, displacement = \"1 mm\" }\n[pickups.out]\nat = \"string@0.3\"\n",
    );
    for name in ["string", "skin"] {
        let object = number(&stage, name);
        let drawn = drawn(&mut stage, object);
        let peak = largest(drawn.iter().copied());
        assert!(peak > 1e-6, "{name} moves by {peak} m only");
        for ((place, _), drawn) in places(&stage, object).into_iter().zip(drawn) {
            let moved = stage.instrument().engine().displacement(ObjectId::new(object), place).expect("is on it");
            assert!((drawn - moved).abs() < 0.01 * peak, "{name} {place:?}: {drawn} m drawn, {moved} m moved");
        }
    }
}
