//! Nanoseconds per sample of whole models, each beside a plain scalar loop of the same physics.

use divan::Bencher;
use ictus::laws::HuntCrossley;
use ictus::model::{Force, Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, MassSpec};
use ictus::{Engine, Model};

fn main() {
    divan::main();
}

const RATE: f64 = 44_100.0;
const BLOCK: usize = 1000;

fn mass_on_wall(displacement: f64, weight: f64) -> Engine {
    Model::new(RATE)
        .with("mass", MassSpec { displacement, ..MassSpec::free(1e-2) })
        .with("wall", BarrierSpec::default())
        .join(Interaction::new("hit", Point::of("mass"), Point::of("wall"), HuntCrossley::new(1e6, 1.3, 0.01).unwrap()))
        .drive(Force { name: "weight".into(), at: Point::of("mass"), level: weight, signal: None })
        .listen(Pickup { source: Source::Displacement(Point::of("mass")), gains: vec![1.0] })
        .build()
        .unwrap()
}

fn run(bencher: Bencher, mut engine: Engine) {
    let mut block = vec![0.0; BLOCK];
    bencher.counter(divan::counter::ItemsCount::new(BLOCK)).bench_local(|| engine.process(&mut block));
}

#[divan::bench]
fn mass_in_contact(bencher: Bencher) {
    run(bencher, mass_on_wall(1e-5, 10.0));
}

#[divan::bench]
fn mass_in_flight(bencher: Bencher) {
    run(bencher, mass_on_wall(-1.0, 0.0));
}
