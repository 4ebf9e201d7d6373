//! Rolling and scraping: rough surfaces that travel through a contact; rules that change while it lasts; what can be read of both.

use std::f64::consts::TAU;

use ictus::contact::Rule;
use ictus::control::Change;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{HuntCrossley, Law, LinearCubicSpring, OneSidedPower};
use ictus::model::{Force, Interaction, Pickup, Point, Roughness, Source, Spread};
use ictus::objects::{BarrierSpec, Decay, MassSpec, ModalSpec, Place, PlateSpec, Profile, StringSpec};
use ictus::{Engine, Model};

const RATE: f64 = 44_100.0;

/// Heights up to `size` m in no order, the same in every run.
fn gravel(size: f64) -> Roughness {
    let heights =
        (0..97u32).map(|i| size * (f64::from(i.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24))).collect();
    Roughness { heights, spacing: 5e-4, velocity: 0.4 }
}

/// A weighted ball that rolls over what it lies on.
fn rolling(law: impl Into<Law>, rule: Rule, on: Place) -> Model {
    let mut contact = Interaction::new("rolling", Point::of("ball"), Point::on("ground", on), law);
    (contact.rule, contact.roughness) = (rule, Some(gravel(2e-5)));
    Model::new(RATE).with("ball", MassSpec { displacement: -1e-5, ..MassSpec::free(5e-3) }).join(contact).drive(Force {
        name: "weight".into(),
        at: Point::of("ball"),
        level: 0.05,
        signal: None,
    })
}

fn process(engine: &mut Engine, samples: usize) -> Vec<f64> {
    let mut block = vec![0.0; samples];
    engine.process(&mut block);
    block
}

fn heard(source: Source) -> Pickup {
    Pickup { source, gains: vec![1.0] }
}

#[test]
fn rolling_keeps_the_account_closed_and_repeats_itself() {
    let marble = HuntCrossley::new(1e7, 1.5, 0.3).unwrap();
    let on_plate = |rule| rolling(marble, rule, Place::On(0.3, 0.4)).with("ground", PlateSpec::default());
    let floor = rolling(marble, Rule::Secant, Place::Whole).with("ground", BarrierSpec::default());
    let bar = ModalSpec::free_bar(300.0, 0.1, 5, &[0.3, 0.8], |_| Decay::T60(1.0)).unwrap();
    let also = Interaction::new("also", Point::of("ball"), Point::on("ground", Place::Point(1)), marble);
    let island = rolling(marble, Rule::Secant, Place::Point(0)).with("ground", bar).join(also);
    let models = [
        ("floor", floor),
        ("plate", on_plate(Rule::Secant)),
        ("plate, basic", on_plate(Rule::Basic)),
        ("plate, non-adhesive", on_plate(Rule::NonAdhesive)),
        ("with another contact", island),
    ];
    for (name, model) in models {
        let model = model.listen(heard(Source::Force("rolling".into())));
        let mut engine = model.build().unwrap();
        engine.keep_account_of_energy(true);
        let first = process(&mut engine, 3 * RATE as usize);
        let balance = engine.balance();
        assert!(first.iter().any(|force| *force > 0.0) && first.contains(&0.0), "{name}: it bounces");
        assert!(balance.supplied > 0.0 && balance.dissipated > 0.0, "{name}: {balance:?}");
        assert!(balance.residual() <= 1e-12, "{name}: open by {:e}, {balance:?}", balance.residual());
        engine.reset();
        let again: Vec<f64> = (0..500).flat_map(|_| process(&mut engine, 1)).collect();
        assert_eq!(first[..500], again, "{name}");
    }
}

/// A light mass on a stiff spring goes along with a slow surface: down where there is a bump.
#[test]
fn a_bump_presses_the_points_together() {
    let heights = (0..64).map(|i| 1e-4 * (TAU * f64::from(i) / 64.0).sin()).collect();
    let mut spring =
        Interaction::new("spring", Point::of("mass"), Point::of("wall"), LinearCubicSpring::new(1e5, 0.0).unwrap());
    spring.damping = 5.0;
    spring.roughness = Some(Roughness { heights, spacing: 1e-3, velocity: 0.64 });
    let mut engine = Model::new(RATE)
        .with("mass", MassSpec::free(1e-3))
        .with("wall", BarrierSpec::default())
        .join(spring)
        .listen(heard(Source::Displacement(Point::of("mass"))))
        .build()
        .unwrap();
    engine.advance(RATE as usize);
    let follows = |engine: &mut Engine, sign: f64| {
        let start = engine.time();
        for (n, displacement) in process(engine, 8820).into_iter().enumerate() {
            // Ten rounds a second.
            let height = 1e-4 * sign * (TAU * 10.0 * (start + n as u64 + 1) as f64 / RATE).sin();
            assert!((displacement + height).abs() < 5e-7, "sample {n}: {displacement} for a height of {height}");
        }
    };
    follows(&mut engine, 1.0);
    engine.change(&Change::Travel { contact: ContactId::new(0), velocity: 0.0 }).unwrap();
    engine.advance(4410);
    let resting = process(&mut engine, 10);
    assert!(resting.iter().all(|displacement| (displacement - resting[0]).abs() < 1e-12), "the surface stands still");
}

#[test]
fn another_rule_in_the_middle_of_a_contact_keeps_its_energy_or_lets_go_of_a_tension() {
    let rules = [Rule::Basic, Rule::Secant, Rule::Release, Rule::SecantPlain, Rule::NonAdhesive];
    let mut model = rolling(HuntCrossley::new(1e7, 1.5, 0.3).unwrap(), Rule::Secant, Place::Along(0.3));
    model = model.with("ground", StringSpec::default());
    let mut engine = model.build().unwrap();
    engine.keep_account_of_energy(true);
    let (mut held, mut let_go) = (0, 0);
    for turn in 0..5000 {
        let (before, dissipated) = (engine.interaction_energy(ContactId::new(0)).unwrap(), engine.balance().dissipated);
        engine.change(&Change::Rule { contact: ContactId::new(0), rule: rules[turn % 5] }).unwrap();
        let after = engine.interaction_energy(ContactId::new(0)).unwrap();
        if after != before {
            // Left by one of the rules that may pull.
            assert!(after == 0.0 && matches!(rules[(turn + 4) % 5], Rule::Basic | Rule::Release));
            assert!((engine.balance().dissipated - dissipated - before).abs() < 1e-15 * dissipated);
            let_go += 1;
        }
        assert_eq!(engine.interaction_rule(ContactId::new(0)), Some(rules[turn % 5]));
        held += usize::from(before > 0.0);
        engine.advance(7);
    }
    assert!(held > 100 && 2 * let_go < held, "{held} changes while something was stored, {let_go} lost it");
    assert!(engine.balance().residual() <= 1e-12, "{:?}", engine.balance());
}

#[test]
fn roughness_that_cannot_be_is_named() {
    let law = OneSidedPower::new(1e8, 1.3, 0.0).unwrap();
    let built = |roughness: Roughness, spread: Option<Spread>| {
        let mut contact = Interaction::new("contact", Point::of("table"), Point::on("string", Place::Along(0.5)), law);
        (contact.roughness, contact.spread) = (Some(roughness), spread);
        let model =
            Model::new(RATE).with("string", StringSpec::default()).with("table", BarrierSpec::default()).join(contact);
        model.build().map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(built(gravel(1e-5), None), Ok(()));
    let spread = built(gravel(1e-5), Some(Spread::Profile(Profile::Flat { height: 0.0 }))).unwrap_err();
    assert!(spread.contains("`contact`") && spread.contains("roughness"), "{spread}");
    let flat = built(Roughness { heights: vec![0.0], ..gravel(1.0) }, None).unwrap_err();
    assert!(flat.contains("`contact`") && flat.contains("at least 2"), "{flat}");
    assert!(built(Roughness { spacing: -1.0, ..gravel(1.0) }, None).unwrap_err().contains("spacing of heights is -1"));

    let smooth = Interaction::new("contact", Point::of("table"), Point::on("string", Place::Along(0.5)), law);
    let mut engine = Model::new(RATE)
        .with("string", StringSpec::default())
        .with("table", BarrierSpec::default())
        .join(smooth)
        .build()
        .unwrap();
    assert!(
        engine
            .change(&Change::Travel { contact: ContactId::new(0), velocity: 1.0 })
            .unwrap_err()
            .to_string()
            .contains("no rough interaction number 0")
    );
}

#[test]
fn an_engine_says_what_it_is_made_of_and_what_touches() {
    let marble: Law = HuntCrossley::new(1e7, 1.5, 0.3).unwrap().into();
    let mut engine =
        rolling(marble, Rule::Secant, Place::On(0.3, 0.4)).with("ground", PlateSpec::default()).build().unwrap();
    assert_eq!(engine.object_names().collect::<Vec<_>>(), ["ball", "ground"]);
    assert_eq!(engine.interaction_names().collect::<Vec<_>>(), ["rolling"]);
    assert_eq!(engine.force_names().collect::<Vec<_>>(), ["weight"]);
    assert_eq!(
        [
            engine.object_kind(ObjectId::new(0)),
            engine.object_kind(ObjectId::new(1)),
            engine.object_kind(ObjectId::new(2))
        ],
        [Some("mass"), Some("plate"), None]
    );
    assert_eq!(engine.interaction_law(ContactId::new(0)), Some(marble));
    assert_eq!(engine.is_active(ContactId::new(0)), Some(true));
    let (mut together, mut apart) = (0, 0);
    for _ in 0..20_000 {
        engine.advance(1);
        let (touching, force) =
            (engine.is_touching(ContactId::new(0)).unwrap(), engine.interaction_force(ContactId::new(0)).unwrap());
        assert_eq!(touching, force != 0.0);
        if touching {
            together += 1
        } else {
            apart += 1
        }
        assert!(touching || engine.compression(ContactId::new(0)).unwrap() < 1e-6);
    }
    assert!(together > 1000 && apart > 1000, "{together} samples together, {apart} apart");
    engine.change(&Change::Active { contact: ContactId::new(0), active: false }).unwrap();
    assert_eq!(
        [engine.is_active(ContactId::new(0)), engine.is_touching(ContactId::new(0))],
        [Some(false), Some(false)]
    );
    assert_eq!(engine.is_touching(ContactId::new(1)), None);
}
