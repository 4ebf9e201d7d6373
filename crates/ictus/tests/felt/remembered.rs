//! What a felt keeps of what has pressed it, and for how long.

use ictus::Model;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::laws::StulovFelt;
use ictus::model::{Force, Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, MassSpec};

use super::CONTACT;

/// What is left in the felt when the hammer has left fades while nothing touches, and is then gone for good: the felt rests.
#[test]
fn the_memory_fades_while_nothing_touches() {
    let tau = 2e-3;
    let felt = StulovFelt::new(1e9, 2.5, 0.8, tau).unwrap();
    let rate = 48e3;
    let mut engine = Model::new(rate)
        .with("wall", BarrierSpec::default())
        .with("hammer", MassSpec { displacement: 1e-4, velocity: -2.0, ..MassSpec::free(0.01) })
        .join(Interaction::new("felt", Point::of("wall"), Point::of("hammer"), felt))
        .listen(Pickup { source: Source::Velocity(Point::of("hammer")), gains: vec![1.0] })
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    let mut events = Vec::new();
    while events.is_empty() {
        engine.advance(1);
        events.extend(engine.drain_contacts());
        assert!(engine.time() < 4800, "the hammer does not leave");
    }
    let left = &events[0];
    assert!(left.peak_force > 0.0 && left.v_out < 0.0 && left.v_in > 1.9, "{left:?}");
    // The least of E over η goes with ζ^(α+1), ζ with e^(-t/ατ).
    assert!(engine.interaction_energy(CONTACT).unwrap() > 1e-3 * 0.02, "a dent is left");
    while engine.compression(CONTACT).unwrap() > 0.0 {
        engine.advance(1);
    }
    engine.advance(1);
    let first = engine.interaction_energy(CONTACT).unwrap();
    engine.advance(96);
    let expected = first * (-3.5 / 2.5 * 96.0 / rate / tau).exp();
    let later = engine.interaction_energy(CONTACT).unwrap();
    assert!((later / expected - 1.0).abs() < 1e-3, "{later} J, {expected} J expected");
    assert_eq!(engine.interaction_force(CONTACT), Some(0.0));
    engine.advance(24_000);
    assert_eq!(engine.interaction_energy(CONTACT), Some(0.0));
    let balance = engine.balance();
    assert!(balance.residual() <= 1e-12, "{balance:?}");
    // What rests costs nothing, and wakes as new.
    let mut built = engine.clone();
    built.reset();
    let mut again = vec![0.0; 4800];
    built.process(&mut again);
    let mut first = vec![0.0; 4800];
    built.reset();
    built.process(&mut first);
    assert_eq!(first, again);
}

/// A second blow before the felt has forgotten the first meets it where it is still dented: later, and harder.
#[test]
fn a_second_blow_meets_what_the_first_has_left() {
    let tau = 2e-3;
    let touch = |wait: f64| {
        let rate = 96e3;
        let felt = StulovFelt::new(1e9, 2.5, 0.8, tau).unwrap();
        let mut engine = Model::new(rate)
            .with("wall", BarrierSpec::default())
            .with("hammer", MassSpec { displacement: 1e-4, velocity: -2.0, ..MassSpec::free(0.01) })
            .join(Interaction::new("felt", Point::of("wall"), Point::of("hammer"), felt))
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        while engine.drain_contacts().next().is_none() {
            engine.advance(1);
        }
        engine.advance((wait * rate) as usize);
        engine.change(&Change::Throw { object: ObjectId::new(1), displacement: 1e-4, velocity: -2.0 }).unwrap();
        let mut depth = f64::MIN;
        while !engine.is_touching(CONTACT).unwrap() {
            depth = engine.compression(CONTACT).unwrap();
            engine.advance(1);
        }
        assert!(engine.balance().residual() <= 1e-12);
        depth
    };
    let (soon, late) = (touch(1e-4), touch(0.5));
    assert!(soon > 1e-4 && late < 3e-5, "{soon} m and {late} m");
}

/// What rests on a felt settles at the depth of its slow stiffness K(1-ε), and stays.
#[test]
fn a_weight_settles_at_the_slow_stiffness() {
    let (stiffness, exponent, hysteresis, weight) = (1e8, 2.2, 0.7, 2.0);
    let felt = StulovFelt::new(stiffness, exponent, hysteresis, 5e-3).unwrap();
    let mut engine = Model::new(48e3)
        .with("floor", BarrierSpec::default())
        .with("weight", MassSpec { displacement: 0.0, ..MassSpec::free(0.2) })
        .join(Interaction { damping: 40.0, ..Interaction::new("felt", Point::of("floor"), Point::of("weight"), felt) })
        .drive(Force { name: "weight".into(), at: Point::of("weight"), level: -weight, signal: None })
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    engine.advance(96_000);
    let depth = engine.compression(CONTACT).unwrap();
    let expected = (weight / (stiffness * (1.0 - hysteresis))).powf(1.0 / exponent);
    assert!((depth / expected - 1.0).abs() < 1e-6, "{depth} m, {expected} m expected");
    let force = engine.interaction_force(CONTACT).unwrap();
    assert!((force / weight - 1.0).abs() < 1e-9, "{force} N");
    assert!(engine.balance().residual() <= 1e-12);
}
