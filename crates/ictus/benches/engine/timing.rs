//! How blocks of samples are timed and told.

use std::hint::black_box;
use std::time::Instant;

use ictus::id::ObjectId;
use ictus::model::{Force, Pickup, Point, Source, Start};
use ictus::objects::Place;
use ictus::{Engine, Model};

/// Samples a second.
pub const RATE: f64 = 44_100.0;
/// Samples of a block.
pub const BLOCK: usize = 64;

/// Median, 99.9th percentile and maximum over blocks, in ns per sample.
pub struct Times {
    pub median: f64,
    tail: f64,
    worst: f64,
}

pub fn times(mut block: impl FnMut()) -> Times {
    let start = Instant::now();
    while start.elapsed().as_millis() < 100 {
        block();
    }
    let mut all = Vec::new();
    let start = Instant::now();
    while start.elapsed().as_millis() < 700 {
        let before = Instant::now();
        block();
        all.push(before.elapsed().as_nanos() as f64 / BLOCK as f64);
    }
    quantiles(all)
}

fn quantiles(mut all: Vec<f64>) -> Times {
    all.sort_by(f64::total_cmp);
    let at = |part: f64| all[((all.len() - 1) as f64 * part) as usize];
    Times { median: at(0.5), tail: at(0.999), worst: at(1.0) }
}

pub fn engine_times(engine: &mut Engine) -> Times {
    let mut block = vec![0.0; BLOCK * engine.channels()];
    times(|| engine.process(black_box(&mut block)))
}

/// Two engines in turns of 25 ms, so that other work on the machine meets both. Of each the median of its fastest turn.
pub fn times_beside(mut engines: [&mut Engine; 2]) -> [Times; 2] {
    const TURNS: usize = 24;
    let mut block = vec![0.0; BLOCK * engines[0].channels().max(engines[1].channels())];
    let mut turns = [const { Vec::new() }; 2];
    for _ in 0..TURNS {
        for (engine, turns) in engines.iter_mut().zip(&mut turns) {
            turns.push(turn(engine, &mut block));
        }
    }
    turns.map(|turns: Vec<Vec<f64>>| {
        let fastest = turns.iter().map(|turn| quantiles(turn.clone()).median).fold(f64::INFINITY, f64::min);
        Times { median: fastest, ..quantiles(turns.concat()) }
    })
}

/// The blocks of 25 ms, after some to warm up.
fn turn(engine: &mut Engine, block: &mut [f64]) -> Vec<f64> {
    let mut all = Vec::new();
    let start = Instant::now();
    while start.elapsed().as_millis() < 30 {
        let before = Instant::now();
        engine.process(black_box(block));
        if start.elapsed().as_millis() >= 5 {
            all.push(before.elapsed().as_nanos() as f64 / BLOCK as f64);
        }
    }
    all
}

/// How many modes an object of an engine has.
pub fn modes_of(engine: &Engine, object: usize) -> usize {
    engine.modes(ObjectId::new(object)).map_or(0, |modes| modes.len())
}

pub fn report(name: &str, ours: &Times, beside: Option<f64>) {
    let Times { median, tail, worst } = ours;
    let (plain, ratio) = match beside {
        Some(plain) => (format!("{plain:.1}"), format!("{:.2}", median / plain)),
        None => ("-".into(), "-".into()),
    };
    println!("{name:<46} {median:>9.1} {tail:>9.1} {worst:>9.1} {plain:>9} {ratio:>7}");
}

pub fn hear(point: Point) -> Pickup {
    Pickup { source: Source::Displacement(point), gains: vec![1.0] }
}

pub fn push(object: &str, newtons: f64) -> Force {
    Force { name: "weight".into(), at: Point::of(object), level: newtons, signal: None }
}

/// Hears an object, which rings from the start: at rest it would cost nothing.
pub fn ringing(place: Place, mut model: Model) -> Model {
    let name = model.objects[0].name.clone();
    model.objects[0].start = Some(Start { centre: place, half_width: 0.2, displacement: 0.0, velocity: 0.1 });
    model.listen(hear(Point::on(&name, place)))
}
