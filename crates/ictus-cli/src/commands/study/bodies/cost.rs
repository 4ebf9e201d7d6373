//! What a sample costs in modes and on a grid: measured one after the other in the same run, since machines differ.

use ictus::id::ObjectId;
use ictus::model::{ObjectSpec, Pickup, Point, Source};
use ictus::objects::{BarPitch, BarSpec, Loss, Method, Outline, Place, PlateSpec, Section, StringPitch, StringSpec};
use ictus::{Engine, Model};
use std::time::{Duration, Instant};

use super::sound::{RATE, failed};
use crate::error::Error;

/// Samples between two looks at the clock, and how long is measured.
const SAMPLES: usize = 256;
const MOMENT: Duration = Duration::from_millis(60);
/// Places that are heard for what a place costs.
const HEARD: usize = 4;

/// One body.
pub struct Row {
    pub name: &'static str,
    /// Modes, and grid points.
    pub counts: [usize; 2],
    /// Nanoseconds of a sample in modes and on a grid.
    pub nanoseconds: [f64; 2],
    /// Nanoseconds that each place costs that is heard.
    pub place: [f64; 2],
}

fn bodies(method: Method) -> [(&'static str, ObjectSpec, Place); 3] {
    let string = StringSpec {
        length: 0.62,
        pitch: StringPitch::Fundamental(131.0),
        radius: 5e-4,
        method,
        ..StringSpec::default()
    };
    let section = Section::Rectangular { width: 0.05, thickness: 1e-3 };
    let pitch = BarPitch::Fundamental(440.0);
    let bar = BarSpec { section, pitch, loss: Loss::t60(3.0), method, ..BarSpec::default() };
    let plate = PlateSpec { outline: Outline::Rectangle([0.4, 0.3]), method, ..PlateSpec::default() };
    [
        ("steel string, 131 Hz", string.into(), Place::Along(0.37)),
        ("free bar, A4", bar.into(), Place::Along(0.37)),
        ("steel plate, 40 by 30 cm, 1 mm", plate.into(), Place::On(0.37, 0.41)),
    ]
}

/// Nanoseconds of a sample: the fastest of many, since other work on the machine only ever adds.
fn of_sample(engine: &mut Engine) -> f64 {
    engine.advance(SAMPLES);
    let (begin, mut fastest) = (Instant::now(), Duration::MAX);
    while begin.elapsed() < MOMENT {
        let turn = Instant::now();
        engine.advance(SAMPLES);
        fastest = fastest.min(turn.elapsed());
    }
    fastest.as_secs_f64() * 1e9 / SAMPLES as f64
}

/// Modes or points, nanoseconds of a sample, and those of a place.
fn of(spec: &ObjectSpec, heard: Place) -> Result<(usize, f64, f64), Error> {
    let with = |places: usize| {
        let ear = Pickup { source: Source::Velocity(Point::on("body", heard)), gains: vec![1.0] };
        let mut model = Model::new(RATE).with("body", spec.clone());
        model.pickups = vec![ear; places];
        model.build().map_err(failed)
    };
    let (mut alone, mut listened) = (with(0)?, with(HEARD)?);
    let grid = alone.dimensions(ObjectId::new(0)).map_or(1, |[along, across]| along * across);
    let count = alone.modes(ObjectId::new(0)).map_or(grid, |modes| modes.len());
    let (silent, loud) = (of_sample(&mut alone), of_sample(&mut listened));
    Ok((count, silent, (loud - silent).max(0.0) / HEARD as f64))
}

/// All bodies.
pub fn measure() -> Result<Vec<Row>, Error> {
    let pairs = bodies(Method::Modes).into_iter().zip(bodies(Method::Grid));
    pairs
        .map(|((name, modes, heard), (_, grid, _))| {
            let (modes, grid) = (of(&modes, heard)?, of(&grid, heard)?);
            Ok(Row { name, counts: [modes.0, grid.0], nanoseconds: [modes.1, grid.1], place: [modes.2, grid.2] })
        })
        .collect()
}
