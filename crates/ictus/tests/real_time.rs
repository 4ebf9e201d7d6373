//! After `build`, nothing allocates: proven by an allocator that aborts. And nothing that leaves is not a number.

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use ictus::contact::Rule;
use ictus::control::{Change, End};
use ictus::id::{ContactId, ForceId, ObjectId, PickupId};
use ictus::laws::{BowFriction, HuntCrossley, LinearCubicSpring, OneSidedPower};
use ictus::model::{Force, Interaction, Pickup, Point, Roughness, Source, Spread};
use ictus::objects::{
    Amplitude, BarSpec, BarrierSpec, Decay, Loss, MassSpec, MembraneSpec, Method, ModalSpec, Place, PlateSpec, Profile,
    StringSpec,
};
use ictus::{Engine, Model};

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

const RATE: f64 = 48_000.0;

/// Every kind of object and interaction in one room.
fn everything() -> Engine {
    let felt = HuntCrossley::new(1e7, 2.3, 0.2).unwrap();
    let along = |object: &str, fraction| Point::on(object, Place::Along(fraction));
    let mut fret =
        Interaction::new("frets", Point::of("neck"), Point::of("string"), OneSidedPower::new(1e9, 1.5, 0.0).unwrap());
    fret.spread = Some(Spread::Profile(Profile::Flat { height: -5e-4 }));
    let mut scrape = Interaction::new("scrape", Point::of("bridge"), Point::on("plate", Place::On(0.5, 0.5)), felt);
    scrape.roughness = Some(Roughness { heights: vec![0.0, 1e-4, -1e-4, 2e-4], spacing: 1e-3, velocity: 0.2 });
    let mut plectrum = Interaction::new("plectrum", Point::of("plectrum"), along("string", 0.2), felt);
    plectrum.slips_at = Some(2.0);
    Model::new(RATE)
        .with("string", StringSpec { bend: 1.2, ..StringSpec::default() })
        .with("neck", BarrierSpec::default())
        .with("bow", BarrierSpec { velocity: 0.1, ..BarrierSpec::default() })
        .with("plectrum", MassSpec { displacement: -1e-3, velocity: 0.5, ..MassSpec::free(1e-3) })
        .with("bridge", MassSpec::oscillator(2e-3, 300.0, Decay::T60(0.2)))
        .with(
            "plate",
            PlateSpec {
                amplitude: Amplitude::VonKarman { airy_modes: None },
                highest: Some(1000.0),
                ..PlateSpec::default()
            },
        )
        .with("drum", MembraneSpec { amplitude: Amplitude::Large, ..MembraneSpec::default() })
        .with("bar", BarSpec::default())
        .with("resonator", ModalSpec::three_mode_bar(400.0, 100.0, 0.05))
        .with("mallet", MassSpec { displacement: -1e-3, velocity: 1.0, ..MassSpec::free(0.02) })
        .join(fret)
        .join(plectrum)
        .join(Interaction::new("bowing", along("string", 0.1), Point::of("bow"), BowFriction::new(0.5, 100.0).unwrap()))
        .join(Interaction::new(
            "joint",
            along("string", 0.95),
            Point::of("bridge"),
            LinearCubicSpring::new(1e5, 1e9).unwrap(),
        ))
        .join(Interaction::new("foot", Point::of("bridge"), Point::on("plate", Place::On(0.4, 0.6)), felt))
        .join(Interaction::new("stroke", Point::of("mallet"), Point::on("resonator", Place::Point(0)), felt))
        .join(Interaction::new("drumming", Point::of("mallet"), Point::on("drum", Place::On(0.3, 0.3)), felt))
        .join(scrape)
        .join(Interaction::new("bar on drum", along("bar", 0.5), Point::on("drum", Place::On(0.6, 0.5)), felt))
        .drive(Force { name: "weight".into(), at: Point::of("mallet"), level: 0.2, signal: None })
        .drive(Force { name: "tap".into(), at: along("bar", 0.1), level: 1.0, signal: Some(vec![1.0; 20]) })
        .listen(Pickup { source: Source::Velocity(Point::on("plate", Place::On(0.2, 0.2))), gains: vec![1.0, 0.5] })
        .listen(Pickup { source: Source::Displacement(along("bar", 0.9)), gains: vec![0.5, 1.0] })
        .listen(Pickup { source: Source::Force("stroke".into()), gains: vec![1e-3, 1e-3] })
        .build()
        .unwrap()
}

#[test]
fn processing_and_every_change_take_no_memory() {
    let mut engine = everything();
    engine.keep_account_of_energy(true);
    let mut block = [0.0; 512];
    let mut single = [0.0f32; 512];
    let bowing = engine.interaction("bowing").unwrap();
    let scrape = engine.interaction("scrape").unwrap();
    let changes = [
        Change::Rule { contact: ContactId::new(4), rule: Rule::NonAdhesive },
        Change::Rule { contact: ContactId::new(0), rule: Rule::Basic },
        Change::Travel { contact: scrape, velocity: -0.7 },
        Change::Law { contact: ContactId::new(0), law: OneSidedPower::new(1e8, 1.2, 0.0).unwrap().into() },
        Change::Law { contact: bowing, law: BowFriction::new(0.8, 80.0).unwrap().into() },
        Change::Damping { contact: ContactId::new(3), damping: 0.1 },
        Change::Active { contact: ContactId::new(1), active: true },
        Change::Active { contact: ContactId::new(2), active: false },
        Change::Active { contact: ContactId::new(2), active: true },
        Change::Gap { contact: ContactId::new(4), gap: 1e-4 },
        Change::Move { contact: bowing, end: End::From, place: Place::Along(0.23) },
        Change::Move { contact: ContactId::new(4), end: End::To, place: Place::On(0.7, 0.2) },
        Change::Throw { object: ObjectId::new(9), displacement: -1e-3, velocity: 2.0 },
        Change::Velocity { object: ObjectId::new(2), velocity: -0.2 },
        Change::Height { object: ObjectId::new(1), height: 1e-5 },
        Change::Level { force: ForceId::new(0), level: 0.5 },
        Change::Trigger { force: ForceId::new(1) },
        Change::Bend { object: ObjectId::new(0), ratio: 1.15 },
        Change::Pluck { object: ObjectId::new(0), centre: 0.3, half_width: 0.1, height: 1e-3 },
        Change::MovePickup { pickup: PickupId::new(0), place: Place::On(0.5, 0.5) },
        Change::Gain { pickup: PickupId::new(1), channel: 1, gain: 0.3 },
    ];
    assert_no_alloc(|| {
        for change in &changes {
            engine.process(&mut block);
            engine.process_f32(&mut single);
            engine.change(change).unwrap();
            std::hint::black_box(engine.balance());
            engine.drain_contacts().for_each(|event| assert!(event.peak_force >= 0.0));
        }
        // Wrong changes are refused without a string being written.
        assert!(engine.change(&Change::Gain { pickup: PickupId::new(99), channel: 0, gain: 1.0 }).is_err());
        assert!(engine.change(&Change::Move { contact: bowing, end: End::From, place: Place::Along(2.0) }).is_err());
        assert!(engine.change(&Change::Level { force: ForceId::new(0), level: f64::NAN }).is_err());
        engine.process(&mut block);
        engine.reset();
        engine.process(&mut block);
    });
    assert!(engine.balance().residual() < 1e-11, "{:?}", engine.balance());
}

#[test]
fn the_weight_of_every_kind_of_body_takes_no_memory() {
    let on_grid = Method::Grid;
    let mut model = Model::new(RATE)
        .with("mass", MassSpec::free(1e-3))
        .with("string", StringSpec { bend: 1.2, ..StringSpec::default() })
        .with("string on a grid", StringSpec { method: on_grid, ..StringSpec::default() })
        .with("bar", BarSpec::default())
        .with("plate", PlateSpec::default())
        .with("plate on a grid", PlateSpec { method: on_grid, ..PlateSpec::default() })
        .with("drum", MembraneSpec::default());
    let weights: Vec<Force> = model.objects.iter().map(|object| Force::weight(&object.name, object).unwrap()).collect();
    model.forces = weights;
    let mut engine = model.build().unwrap();
    engine.keep_account_of_energy(true);
    let mut block = [0.0; 512];
    assert_no_alloc(|| {
        engine.process(&mut block);
        engine.change(&Change::Bend { object: ObjectId::new(1), ratio: 1.1 }).unwrap();
        engine.change(&Change::Decay { object: ObjectId::new(3), factor: 2.0 }).unwrap();
        engine.process(&mut block);
        engine.reset();
        engine.process(&mut block);
    });
    let balance = engine.balance();
    assert!(balance.supplied > 0.0 && balance.residual() < 1e-12, "{balance:?}");
}

/// What decays for ever ends in zeros, not in numbers that take a processor a hundred times as long.
#[test]
fn silence_is_zero_in_the_end() {
    let mut engine = Model::new(RATE)
        .with("mass", MassSpec { displacement: 1e-3, ..MassSpec::oscillator(0.01, 1000.0, Decay::Sigma(200.0)) })
        .with("string", StringSpec { loss: Loss::sigma(200.0, 2e-4), ..StringSpec::default() })
        .with("plate", PlateSpec { loss: Loss::sigma(200.0, 0.002), ..PlateSpec::default() })
        .with("modes", ModalSpec::three_mode_bar(400.0, 4.0, 0.05))
        .drive(Force {
            name: "a".into(),
            at: Point::on("string", Place::Along(0.3)),
            level: 1.0,
            signal: Some(vec![1.0]),
        })
        .drive(Force {
            name: "b".into(),
            at: Point::on("plate", Place::On(0.3, 0.3)),
            level: 1.0,
            signal: Some(vec![1.0]),
        })
        .drive(Force { name: "c".into(), at: Point::on("modes", Place::Point(0)), level: 1.0, signal: Some(vec![1.0]) })
        .build()
        .unwrap();
    (0..3).map(ForceId::new).for_each(|force| engine.change(&Change::Trigger { force }).unwrap());
    engine.advance(1);
    assert!((0..4).map(ObjectId::new).all(|object| engine.object_energy(object).unwrap() > 0.0));
    engine.advance(3 * 48_000);
    let energies: Vec<f64> = (0..4).map(|index| engine.object_energy(ObjectId::new(index)).unwrap()).collect();
    assert_eq!(energies, [0.0; 4]);
}
