//! Ten thousand random networks with extreme parameters: all finite, all accounts closed.

use std::time::{Duration, Instant};

use crate::common;

use ictus::contact::Rule;
use ictus::control::{Change, ControlError, End};
use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::laws::{BowFriction, CentreLimited, HuntCrossley, Law, LinearCubicSpring, OddPower, OneSidedPower};
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source, Spread};
use ictus::objects::{
    BarSpec, BarrierSpec, Decay, Loss, MassSpec, MembraneSpec, Method, ModalSpec, ModeSpec, Place, PlateSpec, Profile,
    StringSpec,
};
use ictus::{Engine, Model};

use common::Random;

const RATE: f64 = 44_100.0;

fn object(random: &mut Random) -> ObjectSpec {
    let loss = |random: &mut Random| if random.chance(0.5) { 0.0 } else { random.decades(1e-2, 1e2) };
    match random.below(9) {
        0 | 1 => MassSpec {
            mass: random.decades(1e-4, 1e2),
            displacement: random.between(-1e-3, 1e-3),
            velocity: random.between(-3.0, 3.0),
            frequency: if random.chance(0.5) { 0.0 } else { random.decades(1.0, 2e4) },
            decay: if random.chance(0.5) { Decay::None } else { Decay::Sigma(random.decades(0.1, 1e4)) },
        }
        .into(),
        2 => {
            let mode = |random: &mut Random| ModeSpec {
                frequency: random.decades(20.0, 2e4),
                decay: Decay::Sigma(random.decades(0.1, 1e3)),
                mass: random.decades(1e-4, 1e1),
            };
            let modes: Vec<ModeSpec> = (0..1 + random.below(12)).map(|_| mode(random)).collect();
            let points = (0..3).map(|_| modes.iter().map(|_| random.between(-1.0, 1.0)).collect()).collect();
            ModalSpec { modes, points }.into()
        }
        3 | 4 => StringSpec {
            method: Method::Grid,
            segments: Some(8 + random.below(10)),
            loss: Loss::sigma(loss(random), 1e-5 * loss(random)),
            radius: random.decades(1e-4, 2e-3),
            ..StringSpec::default()
        }
        .into(),
        5 => BarSpec { method: Method::Grid, segments: Some(8), ..BarSpec::default() }.into(),
        6 => MembraneSpec {
            method: Method::Grid,
            grid: Some([6, 7]),
            loss: Loss::sigma(loss(random), 0.01),
            ..MembraneSpec::default()
        }
        .into(),
        7 => PlateSpec {
            method: Method::Grid,
            grid: Some([7, 6]),
            loss: Loss::sigma(loss(random), 0.002),
            ..PlateSpec::default()
        }
        .into(),
        _ => BarrierSpec {
            height: random.between(-1e-3, 1e-3),
            velocity: if random.chance(0.5) { 0.0 } else { random.between(-1.0, 1.0) },
        }
        .into(),
    }
}

fn place(random: &mut Random, spec: &ObjectSpec) -> Place {
    match spec {
        ObjectSpec::Mass(_) | ObjectSpec::Barrier(_) => Place::Whole,
        ObjectSpec::Modal(_) => Place::Point(random.below(3)),
        ObjectSpec::Membrane(_) | ObjectSpec::Plate(_) => Place::On(random.unit(), random.unit()),
        _ => Place::Along(random.unit()),
    }
}

fn law(random: &mut Random) -> Law {
    let (stiffness, exponent) = (random.decades(1e2, 1e14), random.between(1.0, 4.0));
    match random.below(8) {
        0 => OneSidedPower::new(stiffness, exponent, random.between(0.0, 1e-4)).unwrap().into(),
        1 => OddPower::new(stiffness, [1.0, 3.0][random.below(2)]).unwrap().into(),
        2 => CentreLimited::new(stiffness, exponent, random.between(0.0, 1e-4)).unwrap().into(),
        3 => LinearCubicSpring::new(random.decades(1.0, 1e9), random.decades(1.0, 1e14)).unwrap().into(),
        4 => BowFriction::new(random.decades(1e-2, 1e2), random.decades(1.0, 1e4)).unwrap().into(),
        _ => HuntCrossley::new(stiffness, exponent, random.decades(1e-3, 1e3)).unwrap().into(),
    }
}

fn network(random: &mut Random) -> Model {
    let mut model = Model::new(RATE);
    let count = 2 + random.below(4);
    for index in 0..count {
        let spec = if index == 0 { MassSpec::free(0.01).into() } else { object(random) };
        model = model.with(&format!("object {index}"), spec);
    }
    let point = |random: &mut Random, model: &Model, index: usize| {
        Point::on(&model.objects[index].name, place(random, &model.objects[index].spec))
    };
    for index in 0..1 + random.below(6) {
        let (from, to) = (random.below(count), random.below(count));
        let (from, to) = (point(random, &model, from), point(random, &model, to));
        let mut interaction = Interaction::new(&format!("contact {index}"), from, to, law(random));
        interaction.gap = random.between(-1e-4, 1e-3);
        interaction.damping = if random.chance(0.7) { 0.0 } else { random.decades(1e-3, 1e3) };
        interaction.rule = if random.chance(0.7) {
            Rule::Secant
        } else {
            [Rule::SecantPlain, Rule::NonAdhesive, Rule::Release][random.below(3)]
        };
        interaction.slips_at = random.chance(0.1).then_some(10.0);
        model = model.join(interaction);
    }
    let pushed = random.below(count);
    let at = point(random, &model, pushed);
    model = model.drive(Force { name: "push".into(), at, level: random.between(-10.0, 10.0), signal: None });
    let heard = random.below(count);
    let at = point(random, &model, heard);
    model.listen(Pickup { source: Source::Displacement(at), gains: vec![1.0] })
}

/// Random changes of everything that may change. Returns whether it was refused: where something has flown off on a stiff spring, stretching
/// that further is.
fn disturb(random: &mut Random, engine: &mut Engine, model: &Model) -> bool {
    let interaction = random.below(model.interactions.len());
    let contact = ContactId::new(interaction);
    let moved = |point: &Point, random: &mut Random| {
        let object = model.objects.iter().find(|object| object.name == point.object).unwrap();
        place(random, &object.spec)
    };
    let change = match random.below(9) {
        0 => Change::Law { contact, law: law(random) },
        1 => Change::Gap { contact, gap: random.between(-1e-3, 1e-3) },
        2 => Change::Active { contact, active: random.chance(0.5) },
        3 => Change::Move { contact, end: End::From, place: moved(&model.interactions[interaction].from, random) },
        4 => Change::Move { contact, end: End::To, place: moved(&model.interactions[interaction].to, random) },
        5 => Change::Throw {
            object: ObjectId::new(0),
            displacement: random.between(-1e-3, 1e-3),
            velocity: random.between(-3.0, 3.0),
        },
        6 => Change::Level { force: ForceId::new(0), level: random.between(-10.0, 10.0) },
        7 => Change::Rule {
            contact,
            rule: [Rule::Basic, Rule::Secant, Rule::NonAdhesive, Rule::Release][random.below(4)],
        },
        _ => Change::Damping { contact, damping: random.decades(1e-3, 1e2) },
    };
    match engine.change(&change) {
        Ok(()) => false,
        Err(ControlError::Value(_)) => true,
        Err(error) => panic!("{change:?}: {error}"),
    }
}

/// What happened in many networks.
#[derive(Debug, Default)]
struct Tally {
    built: u64,
    /// Those that cannot be built, since both points of a contact are fixed or a law is too hard for what it touches.
    impossible: u64,
    changes: u64,
    refused: u64,
    /// Accounts that are open by more than 1e-12.
    rounded: u64,
}

impl Tally {
    /// Builds and runs the network of a seed, and disturbs it. All stays finite, and the account closes.
    fn run(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        let model = network(&mut random);
        let Ok(mut engine) = model.build() else {
            self.impossible += 1;
            return;
        };
        self.built += 1;
        engine.keep_account_of_energy(true);
        let mut block = [0.0; 40];
        for _ in 0..6 {
            self.changes += 1;
            self.refused += u64::from(disturb(&mut random, &mut engine, &model));
            engine.process(&mut block);
            assert!(block.iter().all(|sample| sample.is_finite()), "seed {seed}: {:?}", model.interactions);
        }
        let balance = engine.balance();
        let open = balance.residual();
        // Two points of one body may nearly coincide. A spring of 1.4e13 N/m between points 16 µm apart on a string pulls with 2e9 N at either; each
        // alone would move its node by 18 km in a sample, and 1e-16 of that, times the force, is 4 mJ of 0.9 MJ.
        let pinches = model.interactions.iter().any(|interaction| interaction.from.object == interaction.to.object);
        assert!(
            open < if pinches { 1e-6 } else { 1e-7 },
            "seed {seed}: open by {open:e}, {balance:?} {:?}",
            model.interactions
        );
        self.rounded += u64::from(open > 1e-12);
    }

    /// A spring of 5e13 N/m leaves ten grams a millionth of their free step: what the one is rounded by is 1e-10 of the other.
    fn hold_to_limits(&self) {
        assert!(self.rounded * 250 <= self.built, "accounts are open by more than 1e-12: {self:?}");
        assert!(self.refused * 500 <= self.changes, "changes were refused: {self:?}");
    }
}

/// Seeds that a storm has found, each with what was wrong.
#[test]
fn networks_that_were_open_are_closed() {
    // A contact that had slipped off was switched on again with the compression it had when it slipped.
    Tally::default().run(4_363_385_549_584_240_104);
    // Two contacts between the same bodies, emptied in the same step by published rules: each held the other fast, so that both pushed or
    // pulled with up to 1e12 N.
    Tally::default().run(10_322_361_764_640_917_106);
    Tally::default().run(7_472_543_800_494_816_918);
    // Not mended but rounded: see `Tally::run`.
    Tally::default().run(13_223_011_388_660_694_191);
}

/// Builds and runs 2500 networks.
fn run_networks(batch: u64) {
    let mut seeds = Random::new(batch);
    let mut tally = Tally::default();
    while tally.built < 2500 {
        tally.run(seeds.bits());
    }
    tally.hold_to_limits();
}

/// As many networks as `ICTUS_STORM_SECONDS` has time for, others for every `ICTUS_STORM_SEED`; a second of them if neither is said. The longest
/// that one took is told too: nothing takes long.
#[test]
fn a_storm_of_networks_and_changes() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let length = Duration::from_secs(number("ICTUS_STORM_SECONDS").unwrap_or(1));
    let mut seeds = Random::new(number("ICTUS_STORM_SEED").unwrap_or(1000));
    let (begun, mut tally, mut longest) = (Instant::now(), Tally::default(), (Duration::ZERO, 0));
    while begun.elapsed() < length {
        let (seed, begun) = (seeds.bits(), Instant::now());
        tally.run(seed);
        longest = longest.max((begun.elapsed(), seed));
    }
    println!("{tally:?}, longest {:?} of seed {}", longest.0, longest.1);
    assert!(tally.built > 100 && longest.0 < Duration::from_secs(20), "{tally:?} {longest:?}");
    tally.hold_to_limits();
}

#[test]
fn random_networks_are_finite_and_closed_1() {
    run_networks(1);
}

#[test]
fn random_networks_are_finite_and_closed_2() {
    run_networks(2);
}

#[test]
fn random_networks_are_finite_and_closed_3() {
    run_networks(3);
}

#[test]
fn random_networks_are_finite_and_closed_4() {
    run_networks(4);
}

/// The same network with nothing in it that resists, slips or lets go.
fn without_resistance(mut model: Model) -> Model {
    for object in &mut model.objects {
        match &mut object.spec {
            ObjectSpec::Mass(mass) => mass.decay = Decay::None,
            ObjectSpec::Modal(modal) => modal.modes.iter_mut().for_each(|mode| mode.decay = Decay::None),
            ObjectSpec::String(string) => string.loss = Loss::None,
            ObjectSpec::Bar(bar) => bar.loss = Loss::None,
            ObjectSpec::Membrane(membrane) => membrane.loss = Loss::None,
            ObjectSpec::Plate(plate) => plate.loss = Loss::None,
            _ => {}
        }
    }
    for interaction in &mut model.interactions {
        (interaction.damping, interaction.slips_at) = (0.0, None);
        interaction.law = match interaction.law {
            Law::HuntCrossley(law) => {
                HuntCrossley::new(law.stiffness_coefficient(), law.exponent(), 0.0).unwrap().into()
            }
            Law::BowFriction(law) => LinearCubicSpring::new(law.normal_force(), 0.0).unwrap().into(),
            law => law,
        };
    }
    model
}

#[test]
fn random_networks_without_resistance_dissipate_nothing() {
    let threads: Vec<_> = (0..4)
        .map(|batch| {
            std::thread::spawn(move || {
                let mut random = Random::new(100 + batch);
                let mut built = 0;
                while built < 2500 {
                    let seed = random.bits();
                    let model = without_resistance(network(&mut Random::new(seed)));
                    let Ok(mut engine) = model.build() else { continue };
                    built += 1;
                    engine.keep_account_of_energy(true);
                    let mut block = [0.0; 240];
                    engine.process(&mut block);
                    let balance = engine.balance();
                    let lost = balance.dissipated.abs() / balance.largest.max(1e-12);
                    assert!(lost < 1e-12, "seed {seed}: {lost:e} of the energy, {:?}", model.interactions);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn spread_contacts_with_extreme_stiffness_are_finite_and_closed() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let law =
            HuntCrossley::new(random.decades(1e4, 1e14), random.between(1.0, 3.0), random.decades(1e-3, 1e2)).unwrap();
        let mut contact = Interaction::new("floor", Point::of("floor"), Point::of("string"), law);
        contact.spread = Some(Spread::Profile(Profile::Flat { height: -1e-4 }));
        let mut engine = Model::new(RATE)
            .with("string", StringSpec { method: Method::Grid, segments: Some(40), ..StringSpec::default() })
            .with("floor", BarrierSpec::default())
            .join(contact)
            .listen(Pickup { source: Source::Displacement(Point::on("string", Place::Along(0.2))), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        engine
            .change(&Change::Pluck {
                object: ObjectId::new(0),
                centre: random.between(0.2, 0.8),
                half_width: 0.1,
                height: 3e-3,
            })
            .unwrap();
        let mut block = vec![0.0; 4000];
        engine.process(&mut block);
        assert!(block.iter().all(|sample| sample.abs() < 1.0), "seed {seed}");
        assert!(engine.balance().residual() < 1e-11, "seed {seed}: {:e}", engine.balance().residual());
    }
}

/// The same network in which nothing rests: a force of 1e-300 N on every object moves nothing, but with a force from outside the engine looks at everything in every sample.
fn restless(mut model: Model) -> Model {
    for object in model.objects.clone() {
        let place = match object.spec {
            ObjectSpec::Barrier(_) => continue,
            ObjectSpec::Mass(_) => Place::Whole,
            ObjectSpec::Modal(_) => Place::Point(0),
            ObjectSpec::Membrane(_) | ObjectSpec::Plate(_) => Place::On(0.5, 0.5),
            _ => Place::Along(0.5),
        };
        let at = Point::on(&object.name, place);
        model = model.drive(Force { name: format!("breath on {}", object.name), at, level: 1e-300, signal: None });
    }
    model
}

#[test]
fn what_rests_in_random_networks_makes_no_difference() {
    let mut seeds = Random::new(77);
    let (mut built, mut apart) = (0, 0);
    while built < 2500 {
        let seed = seeds.bits();
        let (mut random, mut same) = (Random::new(seed), Random::new(seed));
        let (model, _) = (network(&mut random), network(&mut same));
        let (Ok(mut engine), Ok(mut reference)) = (model.build(), restless(model.clone()).build()) else { continue };
        built += 1;
        let (mut sound, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            let refused = [disturb(&mut random, &mut engine, &model), disturb(&mut same, &mut reference, &model)];
            assert_eq!(refused[0], refused[1], "seed {seed}");
            for (engine, heard) in [(&mut engine, &mut sound), (&mut reference, &mut expected)] {
                let mut block = [0.0; 100];
                engine.process(&mut block);
                heard.extend(block);
            }
        }
        let loudest = expected.iter().fold(1e-12_f64, |loudest, sample| loudest.max(sample.abs()));
        let differs = sound.iter().zip(&expected).any(|(one, other)| (one - other).abs() > 1e-9 * loudest);
        apart += usize::from(differs);
    }
    assert_eq!(apart, 0, "of {built} networks sound otherwise");
}
