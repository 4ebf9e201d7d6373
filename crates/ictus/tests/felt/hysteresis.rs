//! Pushes in and out, beside the lab's integrator.

use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::laws::StulovFelt;
use ictus::model::{Interaction, Point};
use ictus::objects::{BarrierSpec, MassSpec};
use ictus::{Engine, Model};

use super::{CONTACT, felts, named};
use crate::common::Random;

/// A felt between a barrier below and a mass so heavy that it stands.
fn pressed(felt: StulovFelt, rate: f64) -> Engine {
    Model::new(rate)
        .with("hand", BarrierSpec::default())
        .with("anvil", MassSpec::free(1e9))
        .join(Interaction::new("felt", Point::of("hand"), Point::of("anvil"), felt))
        .build()
        .unwrap()
}

/// The largest difference between the forces of engine and lab in one push in and out, as a part of the largest force, and the root of the mean of their
/// squares; the lab's at a rate that many times as high.
fn hysteresis_error(felt: StulovFelt, duration: f64, depth: f64, rate: f64, finer: usize) -> [f64; 2] {
    let push = |time: f64| depth * (std::f64::consts::PI * time / duration).sin().powi(2);
    let mut engine = pressed(felt, rate);
    let mut lab = felt.relaxed(1.0 / rate / finer as f64).unwrap();
    let (mut most, mut apart, mut squares) = (0.0_f64, 0.0_f64, [0.0, 0.0]);
    for sample in 0..(duration * rate) as usize {
        let time = sample as f64 / rate;
        engine.change(&Change::Height { object: ObjectId::new(0), height: push(time + 1.0 / rate) }).unwrap();
        engine.advance(1);
        let force = engine.interaction_force(CONTACT).unwrap();
        assert!(force >= 0.0, "felt cannot pull: {force} N");
        let part = |n: usize| time + (n as f64 - finer as f64) / (rate * finer as f64);
        let expected = (1..=finer).fold(0.0, |_, n| lab.step(if part(n) > 0.0 { push(part(n)) } else { 0.0 }));
        (most, apart) = (most.max(expected), apart.max((force - expected).abs()));
        squares = [squares[0] + (force - expected).powi(2), squares[1] + expected * expected];
    }
    [apart / most, (squares[0] / squares[1]).sqrt()]
}

#[test]
fn the_hysteresis_is_that_of_the_lab_within_one_per_cent_at_48_khz_and_converges() {
    let mut faults = Vec::new();
    for (felt, ..) in felts() {
        let name = named(&felt);
        for duration in [2e-3, 4e-3] {
            let [largest, _] = hysteresis_error(felt, duration, 1e-3, 48e3, 1);
            let [[_, coarse], [_, fine]] = [48e3, 192e3].map(|rate| hysteresis_error(felt, duration, 1e-3, rate, 16));
            let found = format!("{name}, {duration} s: {largest:.1e}, {coarse:.1e}, {fine:.1e}");
            println!("{found}");
            let allowed = if felt.relaxation_time() > 1e-5 { 0.01 } else { 0.04 };
            if largest > allowed || fine > 0.4 * coarse {
                faults.push(found);
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Any felt that forgets in 0.1 ms or more, pushed in any pushes of a blow's length: the force of the lab within 1 % at 48 kHz, closer and closer at higher rates.
#[test]
fn the_hysteresis_of_random_felts_is_that_of_the_lab() {
    let mut random = Random::new(17);
    let mut faults = Vec::new();
    for _ in 0..40 {
        let felt = StulovFelt::new(
            random.decades(1e6, 1e10),
            random.between(1.3, 3.5),
            random.between(0.05, 0.95),
            random.decades(1e-4, 1e-2),
        )
        .unwrap();
        let (duration, depth) = (random.between(1.5e-3, 6e-3), random.decades(1e-4, 3e-3));
        let [[largest, coarse], [_, middle], [_, fine]] =
            [48e3, 96e3, 192e3].map(|rate| hysteresis_error(felt, duration, depth, rate, 16));
        let found =
            format!("{}, {duration:.1e} s: {largest:.1e}, {coarse:.1e}, {middle:.1e}, {fine:.1e}", named(&felt));
        println!("{found}");
        if largest > 0.01 || fine > 0.4 * coarse || middle > coarse || fine > middle {
            faults.push(found);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
