//! Ten thousand random networks with extreme parameters: all finite, all accounts closed. Half of them are on grids; in the others bodies are in
//! modes, some of them stretched, and laws remember.

mod plain;
mod varied;

use ictus::contact::Rule;
use ictus::control::{Change, ControlError, End};
use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::laws::{HuntCrossley, Law, LinearCubicSpring};
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source, Spread};
use ictus::objects::{BarrierSpec, Decay, Loss, Method, Place, Profile, StringSpec};
use ictus::{Engine, Model};

use crate::common::{self, Random};
use plain::{network, place};

const RATE: f64 = 44_100.0;

/// What a network is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Parts {
    /// Bodies on grids, laws without a memory.
    Plain,
    /// The same network with other bodies and laws in place of some.
    Varied,
}

impl Parts {
    /// The network of a seed, and what chance goes on with.
    fn network(self, seed: u64) -> (Random, Model) {
        let mut random = Random::new(seed);
        let model = network(&mut random);
        let model = match self {
            Self::Plain => model,
            Self::Varied => varied::with_memory(varied::in_modes(model, &mut random), &mut random),
        };
        (random, model)
    }

    fn law(self, random: &mut Random) -> Law {
        if self == Self::Varied && random.chance(0.4) {
            crate::memory_networks::law(random)
        } else {
            plain::law(random)
        }
    }
}

/// Random changes of everything that may change. Returns whether it was refused: where something has flown off on a stiff spring, stretching
/// that further is.
fn disturb(random: &mut Random, engine: &mut Engine, model: &mut Model, parts: Parts) -> bool {
    let interaction = random.below(model.interactions.len());
    let contact = ContactId::new(interaction);
    let moved = |point: &Point, random: &mut Random| {
        let object = model.objects.iter().find(|object| object.name == point.object).unwrap();
        place(random, &object.spec)
    };
    let change = match random.below(9) {
        0 => Change::Law { contact, law: parts.law(random) },
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
    match (engine.change(&change), change) {
        (Ok(()), Change::Move { end, place, .. }) => {
            let Interaction { from, to, .. } = &mut model.interactions[interaction];
            let moved = if end == End::From { from } else { to };
            moved.place = place;
            false
        }
        (Ok(()), _) => false,
        (Err(ControlError::Value(_)), _) => true,
        (Err(error), change) => panic!("{change:?}: {error}"),
    }
}

/// Two points of one body, nearer to each other than this part of its side, nearly coincide.
const NEAR: f64 = 1e-3;

/// Whether an interaction joins two points of one body that nearly coincide.
fn pinches(Interaction { from, to, .. }: &Interaction) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() < NEAR;
    from.object == to.object
        && match (from.place, to.place) {
            (Place::Along(one), Place::Along(other)) => near(one, other),
            (Place::On(x, y), Place::On(other, another)) => near(x, other) && near(y, another),
            _ => false,
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
    /// Those of whose contacts one joins points of a body that nearly coincide.
    pinched: u64,
    /// Accounts that are open by more than 1e-12.
    rounded: u64,
}

impl Tally {
    /// Builds and runs the network of a seed, and disturbs it. All stays finite, and the account closes.
    fn run(&mut self, seed: u64, parts: Parts) {
        let (mut random, mut model) = parts.network(seed);
        let Ok(mut engine) = model.build() else {
            self.impossible += 1;
            return;
        };
        self.built += 1;
        engine.keep_account_of_energy(true);
        let mut block = [0.0; 40];
        let mut is_pinched = false;
        for _ in 0..6 {
            self.changes += 1;
            self.refused += u64::from(disturb(&mut random, &mut engine, &mut model, parts));
            is_pinched |= model.interactions.iter().any(pinches);
            engine.process(&mut block);
            assert!(block.iter().all(|sample| sample.is_finite()), "{parts:?} seed {seed}: {:?}", model.interactions);
        }
        let balance = engine.balance();
        let open = balance.residual();
        self.pinched += u64::from(is_pinched);
        // Two points of one body may nearly coincide. A spring of 1.4e13 N/m between points 16 µm apart on a string pulls with 2e9 N at either; each
        // alone would move its node by 18 km in a sample, and 1e-16 of that, times the force, is 4 mJ of 0.9 MJ.
        assert!(
            open < if is_pinched { 1e-6 } else { 1e-7 },
            "{parts:?} seed {seed}: open by {open:e}, {balance:?} {:?}",
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
    let plain = [
        // A contact that had slipped off was switched on again with the compression it had when it slipped.
        4_363_385_549_584_240_104,
        // Two contacts between the same bodies, emptied in the same step by published rules: each held the other fast, so that both pushed or
        // pulled with up to 1e12 N.
        10_322_361_764_640_917_106,
        7_472_543_800_494_816_918,
        // Not mended but rounded: see `Tally::run`.
        13_223_011_388_660_694_191,
    ];
    for seed in plain {
        let mut tally = Tally::default();
        tally.run(seed, Parts::Plain);
        assert_eq!(tally.built, 1, "seed {seed} cannot be built any more, so it shows nothing");
    }
}

/// Builds and runs 2500 networks.
fn run_networks(batch: u64, parts: Parts) {
    let mut seeds = Random::new(batch);
    let mut tally = Tally::default();
    while tally.built < 2500 {
        tally.run(seeds.bits(), parts);
    }
    println!("{tally:?}");
    tally.hold_to_limits();
}

/// As many networks as `ICTUS_STORM_SECONDS` has time for, others for every `ICTUS_STORM_SEED`; a second of them if neither is said.
#[test]
fn a_storm_of_networks_and_changes() {
    let mut tallies = [Tally::default(), Tally::default()];
    let longest = common::storm(1000, |seed| {
        tallies[0].run(seed, Parts::Plain);
        tallies[1].run(seed, Parts::Varied);
    });
    println!("{tallies:?}, longest {:?} of seed {}", longest.0, longest.1);
    for tally in tallies {
        assert!(tally.built > 100, "{tally:?}");
        tally.hold_to_limits();
    }
}

#[test]
fn random_networks_are_finite_and_closed_1() {
    run_networks(1, Parts::Plain);
}

#[test]
fn random_networks_are_finite_and_closed_2() {
    run_networks(2, Parts::Plain);
}

#[test]
fn random_networks_are_finite_and_closed_3() {
    run_networks(3, Parts::Varied);
}

#[test]
fn random_networks_are_finite_and_closed_4() {
    run_networks(4, Parts::Varied);
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
            ObjectSpec::Tube(tube) => tube.loss = Loss::None,
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
                    let mut random = Random::new(seed);
                    let mut model = network(&mut random);
                    if built % 2 == 1 {
                        model = varied::in_modes(model, &mut random);
                    }
                    let model = without_resistance(model);
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
        let parts = if built % 2 == 0 { Parts::Plain } else { Parts::Varied };
        let ((mut random, mut model), (mut same, mut again)) = (parts.network(seed), parts.network(seed));
        let (Ok(mut engine), Ok(mut reference)) = (model.build(), restless(model.clone()).build()) else { continue };
        built += 1;
        let (mut sound, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..6 {
            let refused = [
                disturb(&mut random, &mut engine, &mut model, parts),
                disturb(&mut same, &mut reference, &mut again, parts),
            ];
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
