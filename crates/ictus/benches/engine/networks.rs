//! Many contacts and links on one body, and the energy account: what each costs.

use ictus::laws::{HuntCrossley, LinearCubicSpring};
use ictus::model::{Force, Interaction, Point};
use ictus::objects::{Decay, Loss, MassSpec, Place, PlateSpec};
use ictus::{Engine, Model};

use crate::timing::{RATE, Times, engine_times, hear, report, times_beside};

/// How many contacts or links are on the body.
const MANY: usize = 48;

/// A place on the board for each.
fn place(index: usize) -> Place {
    Place::On(0.1 + 0.0125 * index as f64, 0.2 + 0.6 * ((index * 7) % 11) as f64 / 11.0)
}

/// A board of about a hundred modes that rings, with a mass on a spring for each of `count`.
fn board(count: usize) -> Model {
    let board = PlateSpec { thickness: 3e-3, highest: Some(4000.0), loss: Loss::t60(5.0), ..PlateSpec::default() };
    let model = Model::new(RATE).with("board", board).listen(hear(Point::on("board", Place::On(0.31, 0.43))));
    let mass = MassSpec { velocity: 1e-3, ..MassSpec::oscillator(0.01, 150.0, Decay::T60(5.0)) };
    (0..count).fold(model, |model, index| model.with(&format!("mass {index}"), mass))
}

/// Joins the masses to the board.
fn joined(model: Model, count: usize, join: impl Fn(Interaction) -> Interaction) -> Model {
    let spring = LinearCubicSpring::new(1e3, 0.0).unwrap();
    (0..count).fold(model, |model, index| {
        let ends = (Point::of(&format!("mass {index}")), Point::on("board", place(index)));
        model.join(join(Interaction::new(&format!("link {index}"), ends.0, ends.1, spring)))
    })
}

/// What each costs beside the same network in which all are switched off.
fn each(name: &str, model: Model) {
    let mut off = model.clone();
    off.interactions.iter_mut().for_each(|interaction| interaction.active = false);
    let [on, off] = times_beside([&mut model.build().unwrap(), &mut off.build().unwrap()]);
    println!("{name:<46} {:>9.1}", (on.median - off.median) / MANY as f64);
}

/// What a contact costs that does not touch, out of reach and in it, and what a spring costs.
pub fn links() {
    let felt = HuntCrossley::new(1e8, 1.5, 0.1).unwrap();
    let apart = |gap: f64| joined(board(MANY), MANY, |link| Interaction { law: felt.into(), gap, ..link });
    each("contact out of reach, each of 48", apart(0.1));
    each("contact in reach that does not touch, each", apart(2e-5));
    each("spring, each of 48", joined(board(MANY), MANY, |link| link));
    each("spring with a damper, each of 48", joined(board(MANY), MANY, |link| Interaction { damping: 0.1, ..link }));
}

/// So many masses that are pressed on one body.
pub fn pressed(count: usize) {
    let felt = HuntCrossley::new(1e7, 1.5, 0.1).unwrap();
    let mut model = joined(board(count), count, |link| Interaction { law: felt.into(), ..link });
    for index in 0..count {
        let at = Point::of(&format!("mass {index}"));
        model = model.drive(Force { name: format!("weight {index}"), at, level: 20.0, signal: None });
    }
    let mut engine = model.build().unwrap();
    report(&format!("{count} masses pressed on one body"), &engine_times(&mut engine), None);
    let touching = (0..count).filter(|index| {
        engine.interaction(&format!("link {index}")).and_then(|link| engine.is_touching(link)) == Some(true)
    });
    assert_eq!(touching.count(), count, "all of them touch");
}

/// The same board with its springs, with and without an account of its energy.
pub fn account() {
    let build = |account: bool| -> Engine {
        let mut engine = joined(board(MANY), MANY, |link| link).build().unwrap();
        engine.keep_account_of_energy(account);
        engine
    };
    let [with, without]: [Times; 2] = times_beside([&mut build(true), &mut build(false)]);
    report("board and 48 springs with an account / without", &with, Some(without.median));
}
