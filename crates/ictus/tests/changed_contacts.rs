//! Contacts that are changed while they run: nothing makes energy, what the new law or rule cannot hold is given back.

use ictus::contact::Rule;
use ictus::control::Change;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{BowFriction, HuntCrossley, Law, LinearCubicSpring, OddPower, OneSidedPower, StulovFelt};
use ictus::model::{Force, Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Decay, MassSpec};
use ictus::{Engine, Model};

use crate::engine::{heard, mass, mass_and_wall};

const RATE: f64 = 44_100.0;

/// A mass that a spring pulls towards a wall 0.3 mm away.
fn pulled() -> Engine {
    let spring = OddPower::new(1e6, 1.0).unwrap();
    let mut engine = Model::new(RATE)
        .with("mass", MassSpec { displacement: -3e-4, ..MassSpec::free(0.01) })
        .with("wall", BarrierSpec::default())
        .join(Interaction::new("spring", Point::of("mass"), Point::of("wall"), spring))
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    engine
}

#[test]
fn a_stretched_spring_that_becomes_a_wall_lets_go() {
    let stored = 0.5 * 1e6 * 3e-4 * 3e-4;
    let walls: [Law; 4] = [
        HuntCrossley::new(1e8, 1.5, 0.1).unwrap().into(),
        OneSidedPower::new(1e10, 1.0, 0.0).unwrap().into(),
        BowFriction::new(1.0, 100.0).unwrap().into(),
        StulovFelt::new(1e8, 2.5, 0.5, 1e-4).unwrap().into(),
    ];
    for law in walls {
        let mut engine = pulled();
        engine.change(&Change::Law { contact: ContactId::new(0), law }).unwrap();
        let balance = engine.balance();
        assert!(balance.stored == 0.0 && (balance.dissipated / stored - 1.0).abs() < 1e-12, "{law:?}: {balance:?}");
        engine.advance(400);
        let balance = engine.balance();
        assert!(balance.residual() < 1e-15 && balance.stored == 0.0, "{law:?}: {balance:?}");
    }
}

#[test]
fn a_spring_that_becomes_another_keeps_what_it_stores() {
    let mut engine = pulled();
    engine.change(&Change::Law { contact: ContactId::new(0), law: OddPower::new(1e7, 3.0).unwrap().into() }).unwrap();
    assert_eq!(engine.balance().dissipated, 0.0);
    engine.advance(400);
    assert!(engine.balance().residual() < 1e-12, "{:?}", engine.balance());
}

/// A mass that bounces under its weight, by another rule every few samples: some leave a tension behind that others do not know.
#[test]
fn rules_changed_in_mid_contact_create_no_energy() {
    let rules = [Rule::Basic, Rule::Secant, Rule::Release, Rule::NonAdhesive, Rule::SecantPlain];
    for (stiffness, exponent) in [(1e7, 1.0), (1e9, 1.5), (1e11, 2.3)] {
        for samples in 1..12 {
            let law = HuntCrossley::new(stiffness, exponent, 0.2).unwrap();
            let mut engine = Model::new(RATE)
                .with("mass", MassSpec { displacement: -1e-5, velocity: 0.5, ..MassSpec::free(0.01) })
                .with("wall", BarrierSpec::default())
                .join(Interaction::new("hit", Point::of("mass"), Point::of("wall"), law))
                .drive(Force { name: "weight".into(), at: Point::of("mass"), level: 5.0, signal: None })
                .build()
                .unwrap();
            engine.keep_account_of_energy(true);
            for rule in rules.iter().cycle().take(1000) {
                engine.change(&Change::Rule { contact: ContactId::new(0), rule: *rule }).unwrap();
                engine.advance(samples);
            }
            let balance = engine.balance();
            assert!(balance.residual() < 1e-12 && balance.dissipated > 0.0, "{stiffness:e}, {samples}: {balance:?}");
        }
    }
}

#[test]
fn changes_while_touching_create_no_energy() {
    let soft = HuntCrossley::new(1e6, 1.5, 0.1).unwrap();
    let mut engine = mass_and_wall(soft, 0.0).build().unwrap();
    engine.keep_account_of_energy(true);
    let hit = engine.interaction("hit").unwrap();
    for (time, change) in [
        (30, Change::Law { contact: hit, law: HuntCrossley::new(1e8, 2.0, 0.1).unwrap().into() }),
        (40, Change::Gap { contact: hit, gap: 1e-4 }),
        (50, Change::Active { contact: hit, active: false }),
        (52, Change::Active { contact: hit, active: true }),
    ] {
        engine.advance(time - engine.time() as usize);
        engine.change(&change).unwrap();
    }
    engine.advance(2000);
    assert!(engine.balance().residual() < 1e-12, "{:?}", engine.balance());
    assert!(engine.balance().supplied == 0.0 && engine.balance().dissipated >= 0.0);
}

/// What rests on a wall that is made stiffer or softer comes to rest at a depth that belongs to the new law, measured from where the
/// wall now begins; thrown off, it meets the wall where it always was.
#[test]
fn a_law_changed_under_a_load_carries_it_and_creates_no_energy() {
    let (load, exponent) = (10.0, 1.5);
    let law = |stiffness: f64| HuntCrossley::new(stiffness, exponent, 0.3).unwrap();
    let depth = |stiffness: f64| (load / stiffness).powf(1.0 / exponent);
    for (before, after) in [(1e6, 1e8), (1e6, 3e6), (1e8, 1e6), (1e7, 9e6)] {
        let mut engine = Model::new(RATE)
            .with("mass", mass(1e-2, 1e-5, 0.0))
            .with("wall", BarrierSpec::default())
            .join(Interaction::new("hit", Point::of("mass"), Point::of("wall"), law(before)))
            .drive(Force { name: "weight".into(), at: Point::of("mass"), level: load, signal: None })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        engine.advance(200_000);
        assert!((engine.compression(ContactId::new(0)).unwrap() / depth(before) - 1.0).abs() < 1e-3);
        let stored = engine.stored_energy();
        engine.change(&Change::Law { contact: ContactId::new(0), law: law(after).into() }).unwrap();
        assert_eq!(engine.stored_energy(), stored);
        engine.advance(400_000);
        let rests = engine.compression(ContactId::new(0)).unwrap();
        assert!(
            (rests / depth(after) - 1.0).abs() < 1e-2,
            "{before:e} to {after:e}: {rests:e}, not {:e}",
            depth(after)
        );
        assert!(engine.balance().residual() < 1e-12, "{:?}", engine.balance());
        engine.change(&Change::Throw { object: ObjectId::new(0), displacement: -1e-3, velocity: 0.0 }).unwrap();
        engine.advance(1); // the surface is looked at where 32 divides the sample
        let apart = engine.compression(ContactId::new(0)).unwrap();
        assert!((apart + 1e-3).abs() < 1e-5 && engine.stored_energy() < 0.1 * stored, "{apart:e}");
        assert!(engine.balance().residual() < 1e-12, "{:?}", engine.balance());
    }
}

#[test]
fn a_contact_that_was_off_acts_from_where_its_points_are() {
    let law = HuntCrossley::new(1e8, 1.3, 0.2).unwrap();
    let contact = |active: bool| {
        let mut engine = mass_and_wall(law, 0.6);
        engine.interactions[0].active = active;
        let mut engine = engine.build().unwrap();
        engine.keep_account_of_energy(true);
        engine
    };
    let (mut always, mut later) = (contact(true), contact(false));
    let mut later_heard = heard(&mut later, 3);
    later.change(&Change::Active { contact: ContactId::new(0), active: true }).unwrap();
    later_heard.extend(heard(&mut later, 197));
    let always_heard = heard(&mut always, 200);
    assert!(always_heard.iter().zip(&later_heard).all(|(a, b)| (a - b).abs() <= 1e-14), "{later_heard:?}");
    let ended: Vec<_> = later.drain_contacts().collect();
    assert_eq!(always.drain_contacts().map(|event| event.end).collect::<Vec<_>>(), vec![ended[0].end]);
    assert!(later.balance().residual() < 1e-12, "{:?}", later.balance());
}

#[test]
fn a_contact_switched_off_while_touching_has_ended_and_can_still_be_measured() {
    let mut engine = mass_and_wall(HuntCrossley::new(1e6, 1.5, 0.1).unwrap(), 0.0).build().unwrap();
    let touching = (0..200).find(|_| {
        engine.advance(1);
        engine.is_touching(ContactId::new(0)) == Some(true)
    });
    engine.advance(5);
    engine.change(&Change::Active { contact: ContactId::new(0), active: false }).unwrap();
    assert!(touching.is_some() && engine.drain_contacts().count() == 1);
    let before = engine.compression(ContactId::new(0)).unwrap();
    engine.advance(100);
    assert!(engine.compression(ContactId::new(0)).unwrap() > before + 1e-6 && engine.drain_contacts().count() == 0);
}

/// A ψ that starts far off its curve must not hold the point where it was met.
#[test]
fn a_spring_switched_on_far_from_its_rest_brings_the_mass_there() {
    for phase in 0..20 {
        let spring = LinearCubicSpring::new(1000.0, 0.0).unwrap();
        let mut interaction = Interaction::new("spring", Point::of("mass"), Point::of("ground"), spring);
        (interaction.active, interaction.damping) = (false, 0.5);
        let mut engine = Model::new(48_000.0)
            .with(
                "mass",
                MassSpec { displacement: 5e-4, velocity: 0.5, ..MassSpec::oscillator(1e-3, 50.0, Decay::None) },
            )
            .with("ground", BarrierSpec::default())
            .join(interaction)
            .listen(Pickup { source: Source::Displacement(Point::of("mass")), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        engine.advance(40 * phase);
        engine.change(&Change::Active { contact: ContactId::new(0), active: true }).unwrap();
        let sound = heard(&mut engine, 14_400 - 40 * phase);
        assert!(sound[14_000 - 40 * phase..].iter().all(|x| x.abs() < 1e-9), "phase {phase}: {:?}", sound.last());
        assert!(engine.balance().residual() < 1e-12 && engine.balance().supplied == 0.0);
    }
}
