//! Laws and rules changed while something is stored that the new ones cannot hold.

use ictus::contact::Rule;
use ictus::control::Change;
use ictus::id::ContactId;
use ictus::laws::{BowFriction, HuntCrossley, Law, OddPower, OneSidedPower};
use ictus::model::{Force, Interaction, Point};
use ictus::objects::{BarrierSpec, MassSpec};
use ictus::{Engine, Model};

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
    let walls: [Law; 3] = [
        HuntCrossley::new(1e8, 1.5, 0.1).unwrap().into(),
        OneSidedPower::new(1e10, 1.0, 0.0).unwrap().into(),
        BowFriction::new(1.0, 100.0).unwrap().into(),
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
