//! The engine on lumped systems: against the impact lab, closed forms, and its own account.

use ictus::contact::Rule;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::laws::{HuntCrossley, LinearCubicSpring, OneSidedPower};
use ictus::model::{Force, Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Decay, MassSpec};
use ictus::{BuildError, Engine, Model, impact};

const RATE: f64 = 44_100.0;

pub(crate) fn mass(mass: f64, displacement: f64, velocity: f64) -> MassSpec {
    MassSpec { displacement, velocity, ..MassSpec::free(mass) }
}

pub(crate) fn heard(engine: &mut Engine, samples: usize) -> Vec<f64> {
    let mut block = vec![0.0; samples * engine.channels()];
    engine.process(&mut block);
    block
}

pub(crate) fn mass_and_wall(law: HuntCrossley, phase: f64) -> Model {
    Model::new(RATE)
        .with("mass", mass(1e-2, -(2.0 + phase) / RATE, 1.0))
        .with("wall", BarrierSpec::default())
        .join(Interaction::new("hit", Point::of("mass"), Point::of("wall"), law))
        .listen(Pickup { source: Source::Displacement(Point::of("mass")), gains: vec![1.0] })
}

#[test]
fn a_mass_on_a_wall_moves_as_in_the_impact_lab() {
    let law = HuntCrossley::new(1e9, 1.5, 0.5).unwrap();
    for rule in Rule::ALL {
        let mut model = mass_and_wall(law, 0.3);
        model.interactions[0].rule = *rule;
        let mut engine = model.build().unwrap();
        let ours = heard(&mut engine, 30);
        let name = rule.info().scheme;
        let problem = impact::Problem {
            mass: 1e-2,
            law: law.into(),
            acceleration: 0.0,
            displacement: -2.3 / RATE,
            velocity: 1.0,
            rate: RATE,
        };
        let lab = impact::run(impact::scheme(name).unwrap(), &problem, &impact::Settings::default(), 30);
        for (n, (ours, lab)) in ours.iter().zip(&lab.samples).enumerate() {
            assert!((ours - lab.displacement).abs() < 1e-16, "{name}, sample {n}: {ours} {}", lab.displacement);
        }
    }
}

#[test]
fn two_colliding_masses_keep_momentum_and_part_as_the_closed_form_says() {
    let (m1, m2, v1, v2) = (0.01, 0.03, 2.0, -0.5);
    let law = HuntCrossley::new(1e8, 1.5, 0.4).unwrap();
    let mut engine = Model::new(RATE)
        .with("a", mass(m1, -1e-3, v1))
        .with("b", mass(m2, 0.0, v2))
        .join(Interaction::new("hit", Point::of("a"), Point::of("b"), law))
        .listen(Pickup { source: Source::Velocity(Point::of("a")), gains: vec![1.0, 0.0] })
        .listen(Pickup { source: Source::Velocity(Point::of("b")), gains: vec![0.0, 1.0] })
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    let out = heard(&mut engine, 200);
    for frame in out.chunks(2) {
        let momentum = m1 * frame[0] + m2 * frame[1];
        assert!((momentum - (m1 * v1 + m2 * v2)).abs() < 1e-15);
    }
    let (w1, w2) = (out[398], out[399]);
    let parting = impact::exact::output_velocity(0.4, v1 - v2);
    assert!(((w1 - w2) / parting - 1.0).abs() < 1e-12, "{} {parting}", w1 - w2);
    assert!(engine.balance().residual() < 1e-13);
    let contact = engine.drain_contacts().next().unwrap();
    assert!((contact.v_in - 2.5).abs() < 1e-12 && (contact.v_out - parting).abs() < 1e-10, "{contact:?}");
}

/// A contact of N samples is known far better than to a sample: by where the compression crosses zero. Half a period of mass and spring
/// lasts π√(m/K).
#[test]
fn the_contact_time_of_a_linear_impact_is_half_a_period_to_a_few_hundredths_of_a_sample() {
    for (number, samples) in [12.3, 30.0, 47.9, 90.5].into_iter().enumerate() {
        let period = 2.0 * samples / RATE;
        let stiffness = 0.01 * (std::f64::consts::TAU / period).powi(2);
        let gap = 1e-3 + 0.1e-4 * number as f64;
        let mut engine = Model::new(RATE)
            .with("ball", mass(0.01, -gap, 1.3))
            .with("wall", BarrierSpec::default())
            .join(Interaction::new(
                "hit",
                Point::of("ball"),
                Point::of("wall"),
                OneSidedPower::new(stiffness, 1.0, 0.0).unwrap(),
            ))
            .listen(Pickup { source: Source::Velocity(Point::of("ball")), gains: vec![1.0] })
            .build()
            .unwrap();
        heard(&mut engine, 400);
        let contact = engine.drain_contacts().next().unwrap();
        assert!((contact.touch - gap / 1.3 * RATE).abs() < 1e-9, "{contact:?}");
        assert!((contact.duration() - samples).abs() < 0.03, "{} {contact:?}", contact.duration());
    }
}

/// Newton's cradle: three masses in a row are an island when both contacts are on.
#[test]
fn coupled_contacts_keep_momentum_and_energy() {
    let law = OneSidedPower::new(1e9, 1.5, 0.0).unwrap();
    let mut engine = Model::new(RATE)
        .with("a", mass(0.01, -1e-3, 1.0))
        .with("b", mass(0.01, 0.0, 0.0))
        .with("c", mass(0.01, 0.0, 0.0))
        .join(Interaction::new("ab", Point::of("a"), Point::of("b"), law))
        .join(Interaction::new("bc", Point::of("b"), Point::of("c"), law))
        .listen(Pickup { source: Source::Velocity(Point::of("a")), gains: vec![1.0, 0.0, 0.0] })
        .listen(Pickup { source: Source::Velocity(Point::of("b")), gains: vec![0.0, 1.0, 0.0] })
        .listen(Pickup { source: Source::Velocity(Point::of("c")), gains: vec![0.0, 0.0, 1.0] })
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    let out = heard(&mut engine, 400);
    let last = &out[out.len() - 3..];
    assert!((last.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(last[2] > 0.95, "the last mass leaves with {last:?}");
    assert!(engine.balance().residual() < 1e-12, "{:?}", engine.balance());
}

#[test]
fn a_spring_with_damper_between_two_masses_has_its_frequency_and_decay() {
    let (stiffness, damping) = (4000.0, 0.1);
    let mut spring =
        Interaction::new("spring", Point::of("a"), Point::of("b"), LinearCubicSpring::new(stiffness, 0.0).unwrap());
    spring.damping = damping;
    let mut engine = Model::new(RATE)
        .with("a", mass(0.02, 1e-3, 0.0))
        .with("b", mass(0.02, 0.0, 0.0))
        .join(spring)
        .listen(Pickup { source: Source::Displacement(Point::of("a")), gains: vec![1.0] })
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    let out = heard(&mut engine, 44_100);
    let (omega, sigma) = ((stiffness / 0.01f64).sqrt(), damping / 0.02);
    let ringing = (omega * omega - sigma * sigma).sqrt();
    let worst = out.iter().enumerate().fold(0.0, |worst: f64, (n, u)| {
        let t = (n + 1) as f64 / RATE;
        let relative = 1e-3 * (-sigma * t).exp() * ((ringing * t).cos() + sigma / ringing * (ringing * t).sin());
        worst.max((u - 0.5e-3 - 0.5 * relative).abs())
    });
    assert!(worst < 6e-6, "{worst}");
    assert!(engine.balance().residual() < 1e-12, "{:?}", engine.balance());
}

#[test]
fn work_of_forces_and_moving_walls_is_booked() {
    let law = HuntCrossley::new(1e7, 1.5, 0.3).unwrap();
    let mut engine = Model::new(RATE)
        .with("mass", mass(0.01, -1e-3, 0.0))
        .with("wall", BarrierSpec { height: 0.0, velocity: -0.05 })
        .join(Interaction::new("hit", Point::of("mass"), Point::of("wall"), law))
        .drive(Force { name: "weight".into(), at: Point::of("mass"), level: 0.0981, signal: None })
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    engine.advance(44_100);
    let balance = engine.balance();
    assert!(balance.supplied.abs() > 1e-6 && balance.residual() < 1e-12, "{balance:?}");
}

#[test]
fn a_reset_engine_repeats_itself_and_a_block_equals_its_samples() {
    let mut engine = mass_and_wall(HuntCrossley::new(1e8, 1.3, 0.2).unwrap(), 0.6).build().unwrap();
    let first = heard(&mut engine, 100);
    engine.reset();
    let again: Vec<f64> = (0..100).flat_map(|_| heard(&mut engine, 1)).collect();
    assert_eq!(first, again);
}

#[test]
fn a_mass_between_two_walls_leaves_each_as_the_closed_form_says() {
    let law = HuntCrossley::new(1e11, 1.5, 0.5).unwrap();
    let mut engine = Model::new(RATE)
        .with("mass", mass(1e-2, 0.0, 1.0))
        .with("right", BarrierSpec { height: 1e-3, velocity: 0.0 })
        .with("left", BarrierSpec { height: -1e-3, velocity: 0.0 })
        .join(Interaction::new("right", Point::of("mass"), Point::of("right"), law))
        .join(Interaction::new("left", Point::of("left"), Point::of("mass"), law))
        .build()
        .unwrap();
    engine.advance(400);
    let contacts: Vec<_> = engine.drain_contacts().collect();
    assert!(contacts.len() >= 3, "{contacts:?}");
    let mut speed = 1.0;
    for contact in contacts {
        speed = impact::exact::output_velocity(0.5, speed).abs();
        assert!((contact.v_out / -speed - 1.0).abs() < 1e-9, "{contact:?} should leave at {speed}");
    }
}

#[test]
fn what_has_slipped_off_is_back_after_a_reset() {
    let mut model = mass_and_wall(HuntCrossley::new(1e8, 1.5, 0.0).unwrap(), 0.2);
    model.interactions[0].slips_at = Some(20.0);
    let mut engine = model.build().unwrap();
    engine.keep_account_of_energy(true);
    let first = heard(&mut engine, 60);
    assert!(first[59] > 0.0, "it slips through the wall");
    assert!(engine.balance().residual() < 1e-13, "{:?}", engine.balance());
    engine.reset();
    assert_eq!(first, heard(&mut engine, 60));
}

#[test]
fn a_floor_of_many_masses_is_no_island() {
    let law = HuntCrossley::new(1e8, 1.5, 0.0).unwrap();
    let mut model = Model::new(RATE).with("floor", BarrierSpec::default());
    for index in 0..600 {
        let name = format!("mass {index}");
        model = model.with(&name, MassSpec::free(0.01)).join(Interaction::new(
            &name,
            Point::of(&name),
            Point::of("floor"),
            law,
        ));
    }
    assert!(model.build().is_ok());
}

#[test]
fn mistakes_are_named() {
    let law = HuntCrossley::new(1e8, 1.5, 0.0).unwrap();
    let joined = |from: &str, to: &str| {
        Model::new(RATE)
            .with("mass", MassSpec::free(0.01))
            .with("wall", BarrierSpec::default())
            .with("floor", BarrierSpec::default())
            .join(Interaction::new("hit", Point::of(from), Point::of(to), law))
            .build()
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(joined("mas", "wall"), "interaction `hit` names `mas`, which is not an object; did you mean `mass`?");
    assert_eq!(joined("wall", "floor"), "interaction `hit` joins two points that cannot move");
    assert_eq!(Model::new(0.0).build().map(|_| ()).unwrap_err(), BuildError::Rate(0.0));
    let twice = Model::new(RATE).with("mass", MassSpec::free(1.0)).with("mass", MassSpec::free(1.0));
    assert_eq!(twice.build().map(|_| ()).unwrap_err().to_string(), "two objects are called `mass`");
    let heavy = Model::new(RATE).with("stone", MassSpec::free(-1.0)).build().map(|_| ()).unwrap_err().to_string();
    assert!(heavy.starts_with("object `stone`: mass is -1"), "{heavy}");
}

/// A contact far shorter than the swing of what is struck is one of two free masses, even if it lasts less than a sample.
#[test]
fn a_hammer_leaves_a_slow_oscillator_as_on_a_clock_a_hundred_times_as_fine() {
    let leaves = |rate: f64, stiffness: f64, phase: f64| {
        let felt = HuntCrossley::new(stiffness, 1.5, 0.5).unwrap();
        let mut engine = Model::new(rate)
            .with("hammer", mass(0.01, -(2.0 + phase) / RATE, 1.0))
            .with("oscillator", MassSpec::oscillator(0.02, 80.0, Decay::None))
            .join(Interaction::new("hit", Point::of("hammer"), Point::of("oscillator"), felt))
            .listen(Pickup { source: Source::Velocity(Point::of("hammer")), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        for _ in 0..(20.0 * rate / RATE) as usize {
            let velocity = heard(&mut engine, 1)[0];
            if engine.drain_contacts().next().is_some() {
                assert!(engine.balance().residual() < 1e-12);
                return velocity;
            }
        }
        panic!("it never left");
    };
    // Contacts of 2, 0.8 and 0.3 samples.
    for stiffness in [1e10, 1e11, 1e12] {
        let fine = leaves(128.0 * RATE, stiffness, 0.0);
        for phase in (0..16).map(|step| f64::from(step) / 16.0) {
            let coarse = leaves(RATE, stiffness, phase);
            assert!((coarse / fine - 1.0).abs() < 1e-3, "K = {stiffness:e}, phase {phase}: {coarse} for {fine}");
        }
    }
}

/// A contact begins with what its law stores at the compression it is built with, not at one it never had.
#[test]
fn a_mass_that_touches_a_wall_and_leaves_it_takes_nothing_along() {
    for stiffness in [1e6, 1e9, 1e10, 1e11, 1e12] {
        for rate in [44_100.0, 192_000.0] {
            let mut engine = Model::new(rate)
                .with("mass", MassSpec { velocity: -1.0, ..MassSpec::free(0.01) })
                .with("wall", BarrierSpec::default())
                .join(Interaction::new(
                    "wall",
                    Point::of("mass"),
                    Point::of("wall"),
                    HuntCrossley::new(stiffness, 1.5, 0.1).unwrap(),
                ))
                .build()
                .unwrap();
            assert!((engine.stored_energy() / 0.005 - 1.0).abs() < 1e-12, "{}", engine.stored_energy());
            engine.advance(200);
            let velocity = (2.0 * engine.object_energy(ObjectId::new(0)).unwrap() / 0.01).sqrt();
            assert!((velocity - 1.0).abs() < 1e-9, "{velocity} m/s off a wall of {stiffness:e}");
        }
    }
}

#[test]
fn a_mass_at_rest_in_a_wall_flies_off_with_the_energy_of_its_depth() {
    for stiffness in [1e6, 1e9, 1e12] {
        let law = OneSidedPower::new(stiffness, 1.5, 0.0).unwrap();
        let depth = 1e-4;
        let mut engine = Model::new(48_000.0)
            .with("mass", MassSpec { displacement: depth, ..MassSpec::free(0.01) })
            .with("wall", BarrierSpec::default())
            .join(Interaction::new("wall", Point::of("mass"), Point::of("wall"), law))
            .build()
            .unwrap();
        engine.advance(4000);
        let energy = ictus::laws::ContactLaw::potential(&law, depth);
        assert!((engine.object_energy(ObjectId::new(0)).unwrap() / energy - 1.0).abs() < 1e-12);
    }
}

/// Two oscillators that feel nothing of each other; one is pushed out of the numbers.
#[test]
fn what_leaves_the_numbers_is_named_silent_and_put_back_and_nothing_else_notices() {
    let ringing = MassSpec { velocity: 0.1, ..MassSpec::oscillator(0.01, 440.0, Decay::None) };
    let heard = |name: &str, gains: &[f64]| Pickup { source: Source::Velocity(Point::of(name)), gains: gains.to_vec() };
    let model = Model::new(48_000.0)
        .with("sound", ringing)
        .with("broken", ringing)
        .drive(Force { name: "push".into(), at: Point::of("broken"), level: 0.0, signal: Some(vec![1.0]) })
        .listen(heard("sound", &[1.0, 0.0]))
        .listen(heard("broken", &[0.0, 1.0]));
    let (mut engine, mut reference) = (model.build().unwrap(), model.build().unwrap());
    engine.keep_account_of_energy(true);
    let force = engine.force("push").unwrap();
    for change in [Change::Level { force, level: 1e308 }, Change::Trigger { force }] {
        engine.change(&change).unwrap();
    }
    let (mut block, mut expected) = (vec![0.0; 2 * 4096], vec![0.0; 2 * 4096]);
    engine.process(&mut block);
    reference.process(&mut expected);
    assert!(block.iter().all(|sample| sample.is_finite()));
    assert!(
        block.chunks(2).zip(expected.chunks(2)).all(|(here, there)| here[0] == there[0]),
        "the sound one has changed"
    );
    let breakdown = engine.take_breakdown().expect("it breaks down");
    assert_eq!(engine.culprit_name(breakdown.culprit), Some("broken"));
    assert!(breakdown.time <= 256 && engine.take_breakdown().is_none());
    // Put back, it rings as at the start.
    assert!(block.chunks(2).any(|frame| frame[1] != 0.0) && engine.balance().residual() < 1e-12);
}
