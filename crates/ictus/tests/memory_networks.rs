//! Random networks of bodies that are stretched and laws that remember: all finite, all accounts closed, friction within its bound in every sample.

use ictus::Model;
use ictus::control::{Change, ControlError, End};
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{
    BowFriction, BristleFriction, ContactLaw, ElastoPlasticFriction, HuntCrossley, Law, LinearCubicSpring, StulovFelt,
};
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{
    Amplitude, BarSpec, BarrierSpec, Decay, Loss, MassSpec, MembraneSpec, ModalSpec, ModeSpec, Outline, Place,
    PlateEdges, PlateSpec, StringPitch, StringSpec, TubeEnd, TubePitch, TubeSpec,
};

use crate::common::{Random, storm};

const RATES: [f64; 4] = [8e3, 44.1e3, 48e3, 192e3];

/// Something to rub and strike: strings, bars, heads and plates that may be stretched, and the rim of a glass.
fn body(random: &mut Random) -> ObjectSpec {
    let loss = |random: &mut Random| {
        if random.chance(0.4) { Loss::None } else { Loss::sigma(random.decades(0.1, 30.0), 1e-4) }
    };
    match random.below(7) {
        6 => TubeSpec {
            pitch: TubePitch::Fundamental(random.decades(60.0, 700.0)),
            diameter: random.decades(5e-3, 0.1),
            ends: random.of(&[[TubeEnd::Closed, TubeEnd::Open], [TubeEnd::Open, TubeEnd::Open]]),
            highest: Some(3500.0),
            ..TubeSpec::default()
        }
        .into(),
        0 | 1 => StringSpec {
            pitch: StringPitch::Fundamental(random.decades(40.0, 400.0)),
            radius: random.decades(1e-4, 1e-3),
            amplitude: random.of(&[Amplitude::Small, Amplitude::Large]),
            loss: loss(random),
            highest: Some(2500.0),
            ..StringSpec::default()
        }
        .into(),
        2 => BarSpec { loss: loss(random), highest: Some(3500.0), ..BarSpec::default() }.into(),
        3 => MembraneSpec {
            amplitude: random.of(&[Amplitude::Small, Amplitude::Large]),
            loss: loss(random),
            highest: Some(700.0),
            ..MembraneSpec::default()
        }
        .into(),
        4 => {
            let round = random.chance(0.5);
            let airy_modes = Some(1 + random.below(6));
            let whole = if round { Amplitude::Small } else { Amplitude::Large };
            PlateSpec {
                outline: if round { Outline::Circle(0.4) } else { Outline::Rectangle([0.4, 0.35]) },
                edges: if round { PlateEdges::Free } else { PlateEdges::SimplySupported },
                amplitude: random.of(&[whole, Amplitude::VonKarman { airy_modes }]),
                loss: loss(random),
                highest: Some(500.0),
                ..PlateSpec::default()
            }
            .into()
        }
        _ => {
            // Rayleigh's ring.
            let number = |n: usize| (n + 2) as f64;
            let pitch = random.decades(300.0, 700.0);
            let frequency = |n: f64| pitch * n * (n * n - 1.0) / (n * n + 1.0).sqrt() / (6.0 / 5.0_f64.sqrt());
            let mode = |n: usize| ModeSpec {
                frequency: frequency(number(n)),
                decay: Decay::Sigma(random.decades(0.1, 10.0)),
                mass: 0.01,
            };
            let modes: Vec<ModeSpec> = (0..4).map(mode).filter(|mode| mode.frequency < 3900.0).collect();
            let row = |at: f64| (0..modes.len()).map(|n| (number(n) * at).cos()).collect();
            let points = vec![row(0.0), row(0.4), row(1.1)];
            ModalSpec { modes, points }.into()
        }
    }
}

fn place(random: &mut Random, spec: &ObjectSpec) -> Place {
    match spec {
        ObjectSpec::Mass(_) | ObjectSpec::Barrier(_) => Place::Whole,
        ObjectSpec::Modal(_) => Place::Point(random.below(3)),
        ObjectSpec::Membrane(_) | ObjectSpec::Plate(_) => Place::On(random.between(0.2, 0.8), random.between(0.2, 0.8)),
        _ => Place::Along(random.between(0.05, 0.95)),
    }
}

fn friction(random: &mut Random) -> Law {
    let force = random.decades(1e-2, 50.0);
    let at_rest = random.between(0.0, 2.0);
    let (moving, slowing) = (at_rest * random.unit(), random.decades(1e-4, 1.0));
    let stiffness = random.decades(1e2, 1e8);
    match random.below(5) {
        0 => BowFriction::new(force, random.decades(1.0, 1e4)).unwrap().into(),
        1 | 2 => BristleFriction::new(force, at_rest, moving, slowing, stiffness).unwrap().into(),
        _ => {
            let elastic = random.unit();
            ElastoPlasticFriction::new(force, at_rest, moving, slowing, stiffness, elastic).unwrap().into()
        }
    }
}

/// A law that remembers, or one of the usual ones.
pub fn law(random: &mut Random) -> Law {
    match random.below(8) {
        0..=3 => friction(random),
        4 | 5 => {
            let (stiffness, exponent) = (random.decades(1e4, 1e11), random.between(1.0, 4.0));
            StulovFelt::new(stiffness, exponent, random.between(0.0, 0.999), random.decades(1e-6, 1e-1)).unwrap().into()
        }
        6 => HuntCrossley::new(random.decades(1e4, 1e10), random.between(1.0, 3.0), random.decades(1e-3, 1e1))
            .unwrap()
            .into(),
        _ => LinearCubicSpring::new(random.decades(1.0, 1e6), random.decades(1.0, 1e10)).unwrap().into(),
    }
}

fn network(random: &mut Random) -> Model {
    let mut model = Model::new(random.of(&RATES))
        .with("body", body(random))
        .with("belt", BarrierSpec { height: 0.0, velocity: random.between(-1.0, 1.0) })
        .with(
            "hammer",
            MassSpec {
                displacement: -1e-4,
                velocity: random.decades(0.1, 10.0),
                ..MassSpec::free(random.decades(1e-3, 1e-1))
            },
        );
    if random.chance(0.5) {
        model = model.with("other", body(random));
    }
    for index in 0..1 + random.below(5) {
        let law = law(random);
        let from = ["belt", "hammer", "belt", "hammer", "body"][random.below(5)];
        let to = if model.objects.len() > 3 && random.chance(0.4) { "other" } else { "body" };
        let point = |name: &str, random: &mut Random, model: &Model| {
            let object = model.objects.iter().find(|object| object.name == name).unwrap();
            Point::on(name, place(random, &object.spec))
        };
        let (from, to) = (point(from, random, &model), point(to, random, &model));
        let mut interaction = Interaction::new(&format!("contact {index}"), from, to, law);
        // A resistance beside friction is not bound.
        if largest(&law).is_none() && random.chance(0.3) {
            interaction.damping = random.decades(1e-3, 1e2);
        }
        model = model.join(interaction);
    }
    let at = Point::on("body", place(random, &model.objects[0].spec));
    model
        .drive(Force { name: "push".into(), at: at.clone(), level: random.between(-10.0, 10.0), signal: None })
        .listen(Pickup { source: Source::Displacement(at), gains: vec![1.0] })
}

/// The most in N that friction by a law can be.
fn largest(law: &Law) -> Option<f64> {
    law.bristles().map(|bristles| bristles.largest()).or_else(|| law.friction().map(|bow| bow.normal_force()))
}

fn disturb(random: &mut Random, engine: &mut ictus::Engine, model: &Model) {
    let index = random.below(model.interactions.len());
    let contact = ContactId::new(index);
    let moved = |point: &Point, random: &mut Random| {
        place(random, &model.objects.iter().find(|object| object.name == point.object).unwrap().spec)
    };
    let change = match random.below(6) {
        // Friction stays friction: its contact may be without damping only.
        0 | 1 if model.interactions[index].damping == 0.0 => Change::Law { contact, law: law(random) },
        2 => Change::Active { contact, active: random.chance(0.6) },
        3 => Change::Move { contact, end: End::To, place: moved(&model.interactions[index].to, random) },
        4 => Change::Velocity { object: ObjectId::new(1), velocity: random.between(-2.0, 2.0) },
        _ => Change::Throw { object: ObjectId::new(2), displacement: -1e-4, velocity: random.decades(0.1, 20.0) },
    };
    match engine.change(&change) {
        Ok(()) | Err(ControlError::Value(_)) => {}
        Err(error) => panic!("{change:?}: {error}"),
    }
}

/// What happened in many networks.
#[derive(Debug, Default)]
struct Tally {
    built: u64,
    impossible: u64,
    /// Samples of contacts in which something was rubbed.
    rubbed: u64,
    /// Accounts that are open by more than 1e-11.
    rounded: u64,
}

impl Tally {
    /// Builds and runs the network of a seed, and disturbs it. All stays finite, friction within its bound, and the account closes.
    fn run(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        let model = network(&mut random);
        let Ok(mut engine) = model.build() else {
            self.impossible += 1;
            return;
        };
        self.built += 1;
        engine.keep_account_of_energy(true);
        let mut sample = [0.0];
        for _ in 0..4 {
            disturb(&mut random, &mut engine, &model);
            for _ in 0..60 {
                engine.process(&mut sample);
                assert!(sample[0].is_finite(), "seed {seed}: {:?}", model.interactions);
                for contact in (0..model.interactions.len()).map(ContactId::new) {
                    let Some(most) = engine.interaction_law(contact).as_ref().and_then(largest) else { continue };
                    let force = engine.interaction_force(contact).unwrap();
                    self.rubbed += u64::from(force != 0.0);
                    assert!(
                        force.abs() <= most * (1.0 + 1e-12),
                        "seed {seed}: {force} N of {most} N, {:?}",
                        model.interactions
                    );
                }
            }
        }
        let balance = engine.balance();
        assert!(
            balance.residual() < 1e-9,
            "seed {seed}: {:e} {balance:?} {:?}",
            balance.residual(),
            model.interactions
        );
        self.rounded += u64::from(balance.residual() > 1e-11);
    }

    fn hold_to_limits(&self) {
        let is_common = self.built > self.impossible && self.rubbed > 25 * self.built;
        assert!(is_common && self.rounded * 200 <= self.built, "{self:?}");
    }
}

fn run(batch: u64) {
    let (mut seeds, mut tally) = (Random::new(batch), Tally::default());
    while tally.built < 400 {
        tally.run(seeds.bits());
    }
    println!("{tally:?}");
    tally.hold_to_limits();
}

/// As many networks as `ICTUS_STORM_SECONDS` has time for, others for every `ICTUS_STORM_SEED`; a second of them if neither is said.
#[test]
fn a_storm_of_networks_that_remember() {
    let mut tally = Tally::default();
    let longest = storm(2000, |seed| tally.run(seed));
    println!("{tally:?}, longest {:?} of seed {}", longest.0, longest.1);
    assert!(tally.built > 20, "{tally:?}");
    tally.hold_to_limits();
}

#[test]
fn friction_is_bound_and_accounts_close_1() {
    run(51);
}

#[test]
fn friction_is_bound_and_accounts_close_2() {
    run(52);
}

#[test]
fn friction_is_bound_and_accounts_close_3() {
    run(53);
}
