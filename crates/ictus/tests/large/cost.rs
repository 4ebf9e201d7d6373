//! What large amplitudes cost. Times are no facts about the code alone, so these measurements are asked for by hand:
//! `cargo test --release -p ictus --test all large::cost -- --ignored --nocapture`.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{
    Amplitude, Loss, MassSpec, MembraneSpec, Outline, Place, PlateEdges, PlateSpec, StringPitch, StringSpec,
};
use ictus::{Engine, Model};

/// A body that is struck and heard in two places.
fn struck(spec: ObjectSpec, [at, one, other]: [Place; 3]) -> Engine {
    let heard = |place| Pickup { source: Source::Velocity(Point::on("it", place)), gains: vec![1.0] };
    Model::new(48_000.0)
        .with("it", spec)
        .with("hammer", MassSpec { displacement: -1e-3, velocity: 3.0, ..MassSpec::free(0.01) })
        .join(Interaction::new(
            "blow",
            Point::of("hammer"),
            Point::on("it", at),
            HuntCrossley::new(1e7, 2.0, 0.1).unwrap(),
        ))
        .listen(heard(one))
        .listen(heard(other))
        .build()
        .unwrap()
}

/// Shortest times of many turns in s, one after the other of each.
fn shortest(engines: &mut [Engine], samples: usize, turns: usize) -> Vec<f64> {
    let mut block = vec![0.0; samples];
    let mut best = vec![f64::INFINITY; engines.len()];
    for _ in 0..turns {
        for (engine, best) in engines.iter_mut().zip(&mut best) {
            let start = Instant::now();
            engine.process(&mut block);
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

/// Time in s that this thread has had of a processor, to some ms, where the system tells it: other work on the machine is then left out. Else the time of day.
fn processor_time() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    let of_day = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    nanoseconds.map_or_else(of_day, |nanoseconds| 1e-9 * nanoseconds)
}

#[test]
#[ignore = "a measurement"]
fn of_strings_and_sheets_beside_small_amplitudes() {
    let along = [0.12, 0.3, 0.9].map(Place::Along);
    let on = [Place::On(0.3, 0.4), Place::On(0.6, 0.3), Place::On(0.2, 0.7)];
    let loss = Loss::sigma(0.5, 1e-4);
    let mut rows = Vec::new();
    for highest in [2000.0, 6000.0, 20_000.0] {
        let string = |amplitude| StringSpec {
            pitch: StringPitch::Fundamental(100.0),
            amplitude,
            highest: Some(highest),
            loss: loss.clone(),
            ..StringSpec::default()
        };
        let pair = [Amplitude::Small, Amplitude::Large].map(|amplitude| struck(string(amplitude).into(), along));
        rows.push((format!("string, 100 Hz, below {highest} Hz"), pair));
        let head = |amplitude| MembraneSpec {
            amplitude,
            highest: Some(0.15 * highest),
            loss: loss.clone(),
            ..MembraneSpec::default()
        };
        let pair = [Amplitude::Small, Amplitude::Large].map(|amplitude| struck(head(amplitude).into(), on));
        rows.push((format!("membrane below {} Hz", 0.15 * highest), pair));
        let sheet =
            |amplitude| PlateSpec { amplitude, highest: Some(highest), loss: loss.clone(), ..PlateSpec::default() };
        let pair = [Amplitude::Small, Amplitude::Large].map(|amplitude| struck(sheet(amplitude).into(), on));
        rows.push((format!("plate below {highest} Hz"), pair));
    }
    for (name, mut pair) in rows {
        let modes = pair[0].modes(ictus::id::ObjectId::new(0)).map_or(0, |modes| modes.len());
        let times = shortest(&mut pair, 1000, 200);
        println!(
            "{name}, {modes} modes: {:.1} ns a sample, {:.2} times the small",
            times[1] / 1000.0 * 1e9,
            times[1] / times[0]
        );
    }
}

#[test]
#[ignore = "a measurement"]
fn of_plates_by_von_karman() {
    let on = [Place::On(0.3, 0.4), Place::On(0.6, 0.3), Place::On(0.35, 0.7)];
    for (airy_modes, highest) in [(12, 1500.0), (24, 1500.0), (24, 2400.0), (24, 3500.0), (24, 5000.0), (48, 5000.0)] {
        for (name, outline, edges) in [
            ("rectangle", Outline::Rectangle([0.4, 0.36]), PlateEdges::SimplySupported),
            ("circle", Outline::Circle(0.43), PlateEdges::Free),
        ] {
            let amplitude = Amplitude::VonKarman { airy_modes: Some(airy_modes) };
            let spec = PlateSpec { amplitude, outline, edges, highest: Some(highest), ..PlateSpec::default() };
            let start = Instant::now();
            let mut engines = [struck(spec.into(), on)];
            let built = start.elapsed().as_secs_f64();
            let modes = engines[0].modes(ictus::id::ObjectId::new(0)).map_or(0, |modes| modes.len());
            let (mut block, start) = (vec![0.0; 16_000], processor_time());
            engines[0].process(&mut block);
            let time = (processor_time() - start) / block.len() as f64;
            println!(
                "{name}, {modes} modes, {airy_modes} Airy modes: built in {built:.2} s, {:.2} times real time at 48 kHz",
                time * 48_000.0
            );
        }
    }
}
