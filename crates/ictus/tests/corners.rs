//! Ranges end where the arithmetic does: at every corner of all ranges in combination, sound and account are finite and the account closes to 1e-6, or the
//! model is refused by name.

use crate::common;

use ictus::contact::Rule;
use ictus::control::{Change, ControlError, End};
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{BowFriction, CentreLimited, HuntCrossley, Law, LinearCubicSpring, OddPower, OneSidedPower};
use ictus::ledger::LEAST_ENERGY;
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Decay, MassSpec, Method, ModalSpec, ModeSpec, Place, StringSpec};
use ictus::{BuildError, Model, limits};

use common::Random;

/// Energy in J below which an account may be open by more than 1e-6: at 10 m, steps are rounded to 1e-15 m, and what a force does on that way is
/// much for a speck of dust.
const PICOJOULE: f64 = 1e-12;

/// Ends of the ranges, and what is usual.
const STIFFNESSES: [f64; 5] = [1e-12, 1e3, 1e8, 1e14, limits::STIFFEST];
const EXPONENTS: [f64; 5] = [1.0, 1.0, 1.5, 2.5, limits::STEEPEST];
const DISSIPATIONS: [f64; 3] = [0.0, 0.1, limits::MOST_DISSIPATION];
const MASSES: [f64; 4] = [limits::LIGHTEST, 1e-3, 1.0, limits::HEAVIEST];
const WEIGHTS: [f64; 5] = [-1e6, -1.0, 0.0, 1.0, 1e6];
const DAMPINGS: [f64; 4] = [0.0, 0.0, 1.0, limits::MOST_RESISTANCE];
const SPEEDS: [f64; 3] = [1.0, -1.0, 1e3];
const RATES: [f64; 3] = [8000.0, 48_000.0, 768_000.0];

fn law(random: &mut Random) -> Law {
    let (stiffness, exponent) = (random.of(&STIFFNESSES), random.of(&EXPONENTS));
    let threshold = random.of(&[0.0, 1e-3, limits::FARTHEST]);
    match random.below(7) {
        0 => OneSidedPower::new(stiffness, exponent, threshold).unwrap().into(),
        1 => OddPower::new(stiffness, random.of(&[1.0, 3.0, limits::STEEPEST])).unwrap().into(),
        2 => CentreLimited::new(stiffness, exponent, threshold).unwrap().into(),
        3 => LinearCubicSpring::new(stiffness, random.of(&STIFFNESSES)).unwrap().into(),
        4 => BowFriction::new(
            random.of(&[0.0, 1.0, limits::STRONGEST_BOW]),
            random.of(&[1e-12, 100.0, limits::SHARPEST]),
        )
        .unwrap()
        .into(),
        _ => HuntCrossley::new(stiffness, exponent, random.of(&DISSIPATIONS)).unwrap().into(),
    }
}

fn decay(random: &mut Random) -> Decay {
    random.of(&[Decay::None, Decay::Sigma(1.0), Decay::Sigma(limits::FASTEST_DECAY)])
}

/// What is struck, and where: a wall, a mass, a modal object, a string.
fn target(random: &mut Random, rate: f64) -> (ObjectSpec, Place) {
    match random.below(4) {
        0 => {
            let height = random.of(&[0.0, 1e-3, -limits::FARTHEST, limits::FARTHEST]);
            (BarrierSpec { height, velocity: random.of(&[0.0, 0.0, 0.1, -10.0]) }.into(), Place::Whole)
        }
        1 => {
            let frequency = random.of(&[0.0, 100.0, 0.499 * rate]);
            (MassSpec::oscillator(random.of(&MASSES), frequency, decay(random)).into(), Place::Whole)
        }
        2 => {
            let count = 1 + random.below(3);
            let mode = |random: &mut Random| ModeSpec {
                frequency: random.of(&[0.0, 440.0, 0.499 * rate]),
                decay: decay(random),
                mass: random.of(&MASSES),
            };
            let modes = (0..count).map(|_| mode(random)).collect();
            let weights = (0..count).map(|_| random.of(&WEIGHTS)).collect();
            (ModalSpec { modes, points: vec![weights] }.into(), Place::Point(0))
        }
        _ => {
            (StringSpec { method: Method::Grid, segments: Some(8), ..StringSpec::default() }.into(), Place::Along(0.12))
        }
    }
}

/// A mass thrown at something, by a law, beside a damper; sometimes pushed.
fn network(random: &mut Random) -> Model {
    let rate = random.of(&RATES);
    let (spec, place) = target(random, rate);
    let hammer = MassSpec {
        displacement: random.of(&[0.0, -1e-3, 1e-3, -limits::FARTHEST, limits::FARTHEST]),
        velocity: random.of(&SPEEDS),
        frequency: random.of(&[0.0, 0.0, 100.0, 0.499 * rate]),
        decay: decay(random),
        ..MassSpec::free(random.of(&MASSES))
    };
    let gap = random.of(&[0.0, 1e-3, -1e-3, limits::FARTHEST, -limits::FARTHEST]);
    // The published rules take ψ' from where the contact is now, and open the account of 1 µg by 8e-5 through a law of exponent 13.
    let rule = random.of(&[Rule::Secant, Rule::Secant, Rule::SecantPlain]);
    let contact = Interaction {
        gap,
        damping: random.of(&DAMPINGS),
        rule,
        active: random.below(4) > 0,
        ..Interaction::new("contact", Point::of("hammer"), Point::on("target", place), law(random))
    };
    let mut model = Model::new(rate).with("hammer", hammer).with("target", spec).join(contact);
    if random.below(3) == 0 {
        let level = random.of(&[-1.0, 1.0, limits::STRONGEST]);
        model = model.drive(Force { name: "push".into(), at: Point::of("hammer"), level, signal: None });
    }
    model.listen(Pickup { source: Source::Velocity(Point::of("hammer")), gains: vec![1.0] })
}

#[test]
fn at_every_corner_of_all_ranges_a_model_is_finite_and_closed_or_refused_by_name() {
    let (mut ran, mut refused) = (0, 0);
    for seed in 0..100_000 {
        let mut random = Random::new(seed);
        let model = network(&mut random);
        let mut engine = match model.build() {
            Ok(engine) => engine,
            Err(error) => {
                let sentence = error.to_string();
                let named = ["contact", "push", "target", "hammer", "energy at the start"];
                assert!(named.iter().any(|name| sentence.contains(name)), "seed {seed}: {sentence}");
                refused += 1;
                continue;
            }
        };
        ran += 1;
        engine.keep_account_of_energy(true);
        let mut block = [0.0; 128];
        for _ in 0..3 {
            engine.process(&mut block);
            assert!(block.iter().all(|sample| sample.is_finite()), "seed {seed}: {model:?}");
            // A finger comes down on it: from here on what was off acts.
            engine.change(&Change::Active { contact: ContactId::new(0), active: true }).unwrap();
        }
        let (balance, residual) = (engine.balance(), engine.balance().residual());
        let open = residual * balance.largest.max(LEAST_ENERGY);
        assert!(residual <= 1e-6 || open <= PICOJOULE, "seed {seed}: open by {residual:e}, {balance:?}, {model:?}");
    }
    assert!(ran > 10_000 && refused > 10_000, "{ran} ran, {refused} were refused");
}

fn hammer_on_wall(mass: f64, law: Law, damping: f64, rate: f64) -> Result<ictus::Engine, BuildError> {
    let contact = Interaction { damping, ..Interaction::new("tip", Point::of("hammer"), Point::of("wall"), law) };
    Model::new(rate)
        .with("hammer", MassSpec { velocity: 1.0, ..MassSpec::free(mass) })
        .with("wall", BarrierSpec::default())
        .join(contact)
        .build()
}

#[test]
fn single_numbers_beyond_the_arithmetic_are_refused_by_name() {
    let stiff = HuntCrossley::new(1e36, 1.5, 0.0).unwrap_err().to_string();
    assert_eq!(stiff, "Hunt-Crossley: stiffness is 1e36, must be greater than 0 and at most 1e30");
    let finger = LinearCubicSpring::new(1e308, 0.0).unwrap_err().to_string();
    assert!(finger.starts_with("linear-cubic spring: linear stiffness is 1e308, "), "{finger}");
    assert!(finger.ends_with("must be from 0 to 1e30"), "{finger}");
    let steep = OneSidedPower::new(1.0, 20.0, 0.0).unwrap_err().to_string();
    assert_eq!(steep, "one-sided power: exponent is 20, must be from 1 to 13");
    let soft = HuntCrossley::new(1e6, 1.5, 0.0).unwrap();
    let damped = hammer_on_wall(0.01, soft.into(), 1e231, 48_000.0).unwrap_err().to_string();
    assert!(damped.starts_with("interaction `tip`: damping is 1e231, "), "{damped}");
    assert!(damped.ends_with("must be from 0 to 1e9 N s/m"), "{damped}");
    let light = hammer_on_wall(1e-30, soft.into(), 0.0, 48_000.0).unwrap_err().to_string();
    assert!(
        light.starts_with("object `hammer`: mass is 1e-30, must be") && light.ends_with("from 1e-9 to 1e9 kg"),
        "{light}"
    );
}

#[test]
fn combinations_beyond_the_arithmetic_are_refused_by_name_and_real_ones_are_not() {
    let linear = |stiffness| Law::from(OneSidedPower::new(stiffness, 1.0, 0.0).unwrap());
    // Alone each is fine.
    assert!(hammer_on_wall(1.0, linear(1e20), 0.0, 48_000.0).is_ok());
    assert!(hammer_on_wall(1e-9, linear(1e8), 0.0, 48_000.0).is_ok());
    let both = hammer_on_wall(1e-9, linear(1e20), 0.0, 48_000.0).unwrap_err().to_string();
    assert!(both.starts_with("interaction `tip`: length of a hard blow is 4.7"), "{both}");
    assert!(
        both.ends_with("must be at least 3e-6 samples: use a softer law, a heavier object or a higher rate"),
        "{both}"
    );
    let stiff_and_damped = HuntCrossley::new(1e15, 1.0, limits::MOST_DISSIPATION).unwrap();
    let damped = hammer_on_wall(1e-3, stiff_and_damped.into(), 0.0, 8000.0).unwrap_err().to_string();
    assert!(damped.starts_with("interaction `tip`: time constant of the damping is 6.4e-20"), "{damped}");
    let modes = |weight, mass| ModalSpec {
        modes: vec![ModeSpec { frequency: 440.0, decay: Decay::None, mass }],
        points: vec![vec![weight]],
    };
    let build = |spec: ModalSpec| Model::new(48_000.0).with("bell", spec).build().map(drop);
    assert_eq!(build(modes(1e6, 1e3)), Ok(()), "modes normalised to a mass");
    let light = build(modes(1e6, 1e-3)).unwrap_err().to_string();
    assert!(light.starts_with("object `bell`: mass that a blow meets at a point is 1e-15"), "{light}");
    // What people build: felts of any exponent, steel on steel, a hard tip on a light string, at any rate.
    for rate in RATES {
        for (stiffness, exponent) in [(1e14, 1.5), (4.5e9, 2.5), (1.5e11, 2.8), (1e14, 3.0), (1e18, 4.0), (1e20, 5.0)] {
            let felt = HuntCrossley::new(stiffness, exponent, 0.1).unwrap();
            assert!(hammer_on_wall(5e-3, felt.into(), 0.0, rate).is_ok(), "{stiffness}, {exponent} at {rate}");
        }
    }
}

#[test]
fn a_start_with_more_energy_than_a_bomb_is_refused() {
    let spring = LinearCubicSpring::new(1e16, 0.0).unwrap();
    let pressed = Interaction { gap: -1.0, ..Interaction::new("spring", Point::of("a"), Point::of("b"), spring) };
    let model = Model::new(48_000.0).with("a", MassSpec::free(1e4)).with("b", MassSpec::free(1e4)).join(pressed);
    let error = model.build().unwrap_err().to_string();
    assert!(error.starts_with("energy at the start is 5e15, must be at most 1e12 J"), "{error}");
}

#[test]
fn a_force_that_would_throw_a_speck_of_dust_beyond_all_numbers_is_refused() {
    let push = |level| Force { name: "push".into(), at: Point::of("dust"), level, signal: None };
    let model = |level| Model::new(48_000.0).with("dust", MassSpec::free(1e-9)).drive(push(level)).build().map(drop);
    assert_eq!(model(0.01), Ok(()));
    let error = model(1e6).unwrap_err().to_string();
    assert!(error.starts_with("force `push`: velocity that the force gives in a sample is 2"), "{error}");
    assert!(model(1e300).unwrap_err().to_string().contains("at most 1e9 N either way"));
}

#[test]
fn changes_are_refused_where_the_model_would_have_been() {
    let spring = |stiffness| Law::from(LinearCubicSpring::new(stiffness, 0.0).unwrap());
    let mut engine = hammer_on_wall(1e-9, spring(1e3), 0.0, 8000.0).unwrap();
    let refused = |change: Change, engine: &mut ictus::Engine| match engine.change(&change) {
        Err(ControlError::Value(error)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(
        refused(Change::Law { contact: ContactId::new(0), law: spring(1e25) }, &mut engine)
            .starts_with("length of a hard blow")
    );
    assert!(
        refused(Change::Damping { contact: ContactId::new(0), damping: 1e231 }, &mut engine)
            .starts_with("damping is 1")
    );
    assert_eq!(engine.interaction_law(ContactId::new(0)), Some(spring(1e3)), "what was refused has changed nothing");
    engine.change(&Change::Law { contact: ContactId::new(0), law: spring(1e6) }).unwrap();
    engine.change(&Change::Damping { contact: ContactId::new(0), damping: 1e-3 }).unwrap();
}

/// A mass tied to a wall by a spring that would store more than a bomb at 10 m; and a steel tip on a bell that is 1 kg at its first point and
/// 10 mg at its second, where the tip would be too hard.
fn tied(gap: f64, point: usize) -> Model {
    let bell = ModalSpec {
        modes: vec![ModeSpec { frequency: 440.0, decay: Decay::None, mass: 1.0 }],
        points: vec![vec![1.0], vec![1e4]],
    };
    let spring = LinearCubicSpring::new(1.0, 1e9).unwrap();
    let tip = OneSidedPower::new(1e14, 1.0, 0.0).unwrap();
    Model::new(48_000.0)
        .with("mass", MassSpec { velocity: -1.0, ..MassSpec::free(1.0) })
        .with("wall", BarrierSpec::default())
        .with("bell", bell)
        .join(Interaction { gap, ..Interaction::new("tie", Point::of("mass"), Point::of("wall"), spring) })
        .join(Interaction::new("tip", Point::of("mass"), Point::on("bell", Place::Point(point)), tip))
        .listen(Pickup { source: Source::Velocity(Point::of("mass")), gains: vec![1.0] })
}

#[test]
fn a_place_that_a_build_would_refuse_is_refused_while_it_runs_and_changes_nothing() {
    let refused = |change: Change, engine: &mut ictus::Engine| match engine.change(&change) {
        Err(ControlError::Value(error)) => error.to_string(),
        other => panic!("{change:?}: {other:?}"),
    };
    assert!(tied(10.0, 0).build().unwrap_err().to_string().starts_with("energy at the start is 2.5"));
    assert!(tied(0.0, 1).build().unwrap_err().to_string().starts_with("interaction `tip`: length of a hard blow is"));
    let (mut engine, mut untouched) = (tied(0.0, 0).build().unwrap(), tied(0.0, 0).build().unwrap());
    let (mut heard, mut expected) = ([0.0; 64], [0.0; 64]);
    engine.process(&mut heard);
    untouched.process(&mut expected);
    // Single numbers.
    assert!(
        refused(Change::Gap { contact: ContactId::new(0), gap: 11.0 }, &mut engine)
            .starts_with("gap is 11, must be at most 10 m either way")
    );
    assert!(
        refused(Change::Height { object: ObjectId::new(1), height: 1001.0 }, &mut engine)
            .starts_with("height is 1001, must be at most 1e3 m")
    );
    assert!(
        refused(Change::Throw { object: ObjectId::new(0), displacement: 1001.0, velocity: 0.0 }, &mut engine)
            .starts_with("displacement is 1001, must be at most")
    );
    for object in [0, 1].map(ObjectId::new) {
        let fast = refused(Change::Throw { object, displacement: 0.0, velocity: 1e5 }, &mut engine);
        assert!(fast.starts_with("velocity is 100000, must be at most 1e4 m/s either way"), "{fast}");
    }
    assert!(
        refused(Change::Velocity { object: ObjectId::new(1), velocity: 1e5 }, &mut engine)
            .starts_with("velocity is 100000")
    );
    // Combinations: how far the spring is stretched, whichever of its ends is moved, and how hard the tip is where it is put.
    let stretches = [
        Change::Gap { contact: ContactId::new(0), gap: 10.0 },
        Change::Height { object: ObjectId::new(1), height: 10.0 },
        Change::Throw { object: ObjectId::new(0), displacement: -10.0, velocity: 0.0 },
        Change::Throw { object: ObjectId::new(1), displacement: 10.0, velocity: 0.0 },
    ];
    for change in stretches {
        let error = refused(change, &mut engine);
        assert!(error.starts_with("energy that this would store is 2"), "{change:?}: {error}");
    }
    let light = refused(Change::Move { contact: ContactId::new(1), end: End::To, place: Place::Point(1) }, &mut engine);
    assert!(light.starts_with("length of a hard blow is 1.5"), "{light}");
    for _ in 0..3 {
        engine.process(&mut heard);
        untouched.process(&mut expected);
        assert_eq!(heard, expected, "what was refused has changed something");
    }
    assert_eq!(engine.stored_energy(), untouched.stored_energy());
    // Half as far is a sixteenth of the energy; and what is off may be anywhere.
    for change in [
        Change::Gap { contact: ContactId::new(0), gap: 5.0 },
        Change::Gap { contact: ContactId::new(0), gap: 0.0 },
        Change::Active { contact: ContactId::new(0), active: false },
        Change::Height { object: ObjectId::new(1), height: 10.0 },
    ] {
        engine.change(&change).unwrap();
    }
}
