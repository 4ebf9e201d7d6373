//! One step for all: a blow sounds the same with and without an account of its energy, and alone or in an island with a contact that does not touch.

use ictus::control::{Change, End};
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{HuntCrossley, Law, LinearCubicSpring, OneSidedPower};
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Decay, MassSpec, ModalSpec, Place, StringPitch, StringSpec};
use ictus::probe::ContactEvent;
use ictus::{Engine, Model};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const RATE: f64 = 44_100.0;

/// A hammer that flies at an object, which is at 0, from below (+1) or from above (-1), and a force that brings it back.
fn struck(object: &str, law: impl Into<Law>, direction: f64, by: impl FnOnce(Model) -> (Model, Point)) -> Model {
    let hammer = MassSpec { displacement: -2e-4 * direction, velocity: 2.0 * direction, ..MassSpec::free(0.01) };
    let (model, at) = by(Model::new(RATE));
    let ends = if direction > 0.0 { (Point::of("hammer"), at.clone()) } else { (at.clone(), Point::of("hammer")) };
    let heard = |source: Source, gains: &[f64]| Pickup { source, gains: gains.to_vec() };
    let weight = |at: Point, level: f64| Force { name: format!("weight of {level}"), at, level, signal: None };
    let model = model
        .with("hammer", hammer)
        .join(Interaction::new("blow", ends.0, ends.1, law))
        .drive(weight(Point::of("hammer"), 8.0 * direction))
        .listen(heard(Source::Displacement(at.clone()), &[1.0, 0.3]))
        .listen(heard(Source::Velocity(at.clone()), &[1e-3, 0.0]))
        .listen(heard(Source::Velocity(Point::of("hammer")), &[0.0, 1e-2]));
    if object == "wall" { model } else { model.drive(weight(at, -0.5)) }
}

/// The same with a wall so far beyond that the hammer never gets there: its contact and the blow now form an island.
fn beside_another_contact(model: &Model) -> Model {
    let from_below = model.interactions[0].from.object == "hammer";
    let far = if from_below { 5.0 } else { -5.0 };
    let (hammer, wall) = (Point::of("hammer"), Point::of("far wall"));
    let ends = if from_below { (hammer, wall) } else { (wall, hammer) };
    let law = HuntCrossley::new(1e6, 1.5, 0.1).unwrap();
    model
        .clone()
        .with("far wall", BarrierSpec { height: far, ..BarrierSpec::default() })
        .join(Interaction::new("far blow", ends.0, ends.1, law))
}

fn models() -> Vec<(&'static str, Model)> {
    let felt = HuntCrossley::new(2e7, 1.5, 0.2).unwrap();
    let wood = HuntCrossley::new(1e9, 2.3, 0.05).unwrap();
    let bar = |points: usize| {
        let positions: Vec<f64> = (0..points).map(|point| 0.11 + 0.17 * point as f64).collect();
        ModalSpec::free_bar(60.0, 0.3, 21, &positions, |_| Decay::T60(0.4)).unwrap()
    };
    let on_bar = move |points: usize, at: usize| {
        move |model: Model| (model.with("bar", bar(points)), Point::on("bar", Place::Point(at)))
    };
    let string = StringSpec { pitch: StringPitch::Fundamental(98.0), ..StringSpec::default() };
    let on_string = |model: Model| (model.with("string", string.clone()), Point::on("string", Place::Along(0.13)));
    let wall = |velocity: f64| {
        move |model: Model| (model.with("wall", BarrierSpec { velocity, ..BarrierSpec::default() }), Point::of("wall"))
    };
    let mut slips = struck("string", LinearCubicSpring::new(3e4, 0.0).unwrap(), 1.0, on_string);
    slips.interactions[0].slips_at = Some(4.0);
    let mut felt_slips = struck("string", felt, 1.0, on_string);
    felt_slips.interactions[0].slips_at = Some(30.0);
    let mut damped = struck("string", OneSidedPower::new(1e6, 1.0, 1e-4).unwrap(), -1.0, on_string);
    damped.interactions[0].damping = 0.3;
    vec![
        ("wall", struck("wall", felt, 1.0, wall(0.0))),
        ("wall from above", struck("wall", wood, -1.0, wall(0.0))),
        ("moving wall", struck("wall", felt, 1.0, wall(-0.2))),
        ("bar of one point", struck("bar", felt, 1.0, on_bar(1, 0))),
        ("bar of two", struck("bar", wood, -1.0, on_bar(2, 1))),
        ("bar of two, heard at the other", heard_at(0, struck("bar", felt, 1.0, on_bar(2, 1)))),
        ("bar of five", struck("bar", felt, 1.0, on_bar(5, 4))),
        ("string", struck("string", felt, 1.0, on_string)),
        ("string from above", struck("string", wood, -1.0, on_string)),
        ("plectrum", slips),
        ("felt that slips off", felt_slips),
        ("damped", damped),
    ]
}

/// The model with its first pickup at another point of the bar.
fn heard_at(point: usize, mut model: Model) -> Model {
    model.pickups[0].source = Source::Displacement(Point::on("bar", Place::Point(point)));
    model
}

fn heard(engine: &mut Engine, blocks: &[usize]) -> Vec<f64> {
    let mut all = Vec::new();
    for block in blocks.iter().cycle().take(60) {
        let mut out = vec![0.0; block * engine.channels()];
        engine.process(&mut out);
        all.extend(out);
    }
    all
}

/// Runs a model with and without an account of its energy: the same samples, energies and contacts. Returns the two.
fn same_both_ways(name: &str, model: &Model, largest_residual: f64) -> (Vec<f64>, Vec<ContactEvent>) {
    let (mut plain, mut booked) = (model.build().unwrap(), model.build().unwrap());
    booked.keep_account_of_energy(true);
    let blocks = [64, 1, 100, 7, 256, 33];
    let (sound, same) = (heard(&mut plain, &blocks), heard(&mut booked, &blocks));
    assert!(sound.iter().all(|sample| sample.is_finite()), "{name}");
    let differs = sound.iter().zip(&same).position(|(a, b)| a != b);
    assert_eq!(differs, None, "{name}: {:?}", differs.map(|at| (sound[at], same[at])));
    assert!(booked.balance().residual() < largest_residual, "{name}: {:?}", booked.balance());
    assert_eq!(plain.stored_energy(), booked.stored_energy(), "{name}");
    let (contacts, others) = (plain.drain_contacts().collect::<Vec<_>>(), booked.drain_contacts().collect::<Vec<_>>());
    assert_eq!(contacts, others, "{name}");
    (sound, contacts)
}

#[test]
fn a_blow_sounds_the_same_with_and_without_an_account() {
    for (name, model) in models() {
        let (sound, contacts) = same_both_ways(name, &model, 1e-12);
        assert!(sound.iter().any(|sample| sample.abs() > 1e-7), "{name} is silent");
        assert!(!contacts.is_empty() || name == "plectrum", "{name} never lets go");
    }
}

#[test]
fn a_blow_sounds_the_same_alone_and_in_an_island_with_a_contact_that_does_not_touch() {
    for (name, model) in models() {
        let (alone, contacts) = same_both_ways(name, &model, 1e-12);
        let (beside, same) = same_both_ways(name, &beside_another_contact(&model), 1e-12);
        assert!(alone == beside, "{name}");
        assert_eq!(contacts, same, "{name}");
    }
}

/// A hammer that is switched off and on, moved and changed while it presses on a string.
#[test]
fn a_blow_sounds_the_same_whatever_is_changed_between_blocks() {
    let felt = HuntCrossley::new(2e7, 1.5, 0.2).unwrap();
    let string = StringSpec { pitch: StringPitch::Fundamental(98.0), ..StringSpec::default() };
    let model =
        struck("string", felt, 1.0, |model| (model.with("string", string), Point::on("string", Place::Along(0.13))));
    let wood = HuntCrossley::new(1e9, 2.3, 0.05).unwrap();
    let changes = [
        Change::Law { contact: ContactId::new(0), law: wood.into() },
        Change::Active { contact: ContactId::new(0), active: false },
        Change::Active { contact: ContactId::new(0), active: true },
        Change::Move { contact: ContactId::new(0), end: End::To, place: Place::Along(0.31) },
        Change::Law { contact: ContactId::new(0), law: felt.into() },
        Change::Move { contact: ContactId::new(0), end: End::To, place: Place::Along(0.002) },
        Change::Bend { object: ObjectId::new(0), ratio: 0.9 },
        Change::Throw { object: ObjectId::new(1), displacement: -1e-5, velocity: 1.5 },
    ];
    for model in [model.clone(), beside_another_contact(&model)] {
        let (mut plain, mut booked) = (model.build().unwrap(), model.build().unwrap());
        booked.keep_account_of_energy(true);
        for change in changes.iter().cycle().take(80) {
            let (sound, same) = (heard(&mut plain, &[37]), heard(&mut booked, &[37]));
            assert!(sound == same, "before {change:?}");
            plain.change(change).unwrap();
            booked.change(change).unwrap();
        }
        assert_eq!(plain.stored_energy(), booked.stored_energy());
        assert!(plain.drain_contacts().count() > 10);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]
    #[test]
    fn whatever_the_hammer_and_its_law(
        (stiffness, exponent) in (4.0..13.0_f64, prop_oneof![Just(1.0), Just(1.5), Just(2.0), 1.0..4.0_f64]),
        dissipation in prop_oneof![Just(0.0), 0.0..3.0_f64, Just(1e3)],
        (mass, velocity) in (-4.0..0.0_f64, 0.05..8.0_f64),
        (from_above, object, weight) in (any::<bool>(), 0..4_usize, 0.0..20.0_f64),
        (fundamental, place) in (60.0..600.0_f64, 0.01..0.99_f64),
    ) {
        let law = HuntCrossley::new(10f64.powf(stiffness), exponent, dissipation).unwrap();
        let direction = if from_above { -1.0 } else { 1.0 };
        let bar = |points: usize| {
            let positions: Vec<f64> = (0..points).map(|point| 0.07 + 0.31 * point as f64).collect();
            ModalSpec::free_bar(150.0, 0.2, 12, &positions, |_| Decay::T60(0.3)).unwrap()
        };
        let string = StringSpec { pitch: StringPitch::Fundamental(fundamental), ..StringSpec::default() };
        let mut model = struck(["wall", "bar", "bar", "string"][object], law, direction, |model| match object {
            0 => (model.with("wall", BarrierSpec::default()), Point::of("wall")),
            1 | 2 => (model.with("bar", bar(object)), Point::on("bar", Place::Point(object - 1))),
            _ => (model.with("string", string), Point::on("string", Place::Along(place))),
        });
        for object in &mut model.objects {
            if let ObjectSpec::Mass(hammer) = &mut object.spec {
                (hammer.mass, hammer.velocity) = (10f64.powf(mass), direction * velocity);
            }
        }
        model.forces[0].level = direction * weight;
        let (alone, _) = same_both_ways("alone", &model, 1e-12);
        let (beside, _) = same_both_ways("in an island", &beside_another_contact(&model), 1e-12);
        prop_assert!(alone == beside);
    }
}
