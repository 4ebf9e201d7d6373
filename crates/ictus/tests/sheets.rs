//! Membranes and plates in an engine: in their standing waves or on their grid, they do the same.

use ictus::control::{Change, End};
use ictus::id::{ContactId, ObjectId, PickupId};
use ictus::laws::{BowFriction, HuntCrossley, Law, LinearCubicSpring};
use ictus::model::{Force, Interaction, Object, ObjectSpec, Pickup, Point, Source, Start};
use ictus::objects::{BarrierSpec, Loss, MassSpec, MembraneSpec, Method, Place, PlateSpec};
use ictus::{Engine, Model};

const RATE: f64 = 44_100.0;

fn sheets() -> [(&'static str, ObjectSpec); 2] {
    let plate = PlateSpec { method: Method::Grid, grid: Some([23, 14]), ..PlateSpec::default() };
    let membrane = MembraneSpec {
        method: Method::Grid,
        grid: Some([15, 18]),
        loss: Loss::sigma(2.0, 0.002),
        ..MembraneSpec::default()
    };
    [("plate", plate.into()), ("membrane", membrane.into())]
}

fn on(x: f64, y: f64) -> Point {
    Point::on("sheet", Place::On(x, y))
}

/// A sheet that starts bent and is struck, with a hammer that is off.
fn model(spec: &ObjectSpec) -> Model {
    let mallet = MassSpec { displacement: -1e-3, velocity: 1.5, ..MassSpec::free(0.02) };
    let felt = HuntCrossley::new(1e7, 1.5, 0.2).unwrap();
    let mut idle = Interaction::new("later", Point::of("hammer"), on(0.6, 0.7), felt);
    idle.active = false;
    let mut model = Model::new(RATE)
        .with("sheet", spec.clone())
        .with("mallet", mallet)
        .with("hammer", MassSpec::free(0.01))
        .join(Interaction::new("hit", Point::of("mallet"), on(0.31, 0.42), felt))
        .join(idle)
        .listen(Pickup { source: Source::Velocity(on(0.2, 0.7)), gains: vec![1.0] });
    let start = Start { centre: Place::On(0.5, 0.4), half_width: 0.3, displacement: 2e-5, velocity: 0.01 };
    let sheet: &mut Object = &mut model.objects[0];
    sheet.start = Some(start);
    model
}

/// The same with so many ears that hear nothing that it is stepped on its grid.
fn on_its_grid(spec: &ObjectSpec) -> Model {
    let ear = |n: i32| Pickup { source: Source::Displacement(on(0.1 * f64::from(n), 0.5)), gains: vec![0.0] };
    (1..8).map(ear).fold(model(spec), Model::listen)
}

fn heard(engine: &mut Engine, samples: usize) -> Vec<f64> {
    let mut block = vec![0.0; samples];
    engine.process(&mut block);
    block
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |largest, value| largest.max(value.abs()))
}

/// What is heard while a contact moves, a hammer is thrown and a pickup moves; and the shape at the end.
fn performed(engine: &mut Engine) -> (Vec<f64>, Vec<f64>) {
    engine.keep_account_of_energy(true);
    let hit = engine.interaction("hit").unwrap();
    let later = engine.interaction("later").unwrap();
    let hammer = engine.object("hammer").unwrap();
    let mut sound = heard(engine, 300);
    for step in 0..40 {
        let place = Place::On(0.31 + 0.005 * f64::from(step), 0.42);
        engine.change(&Change::Move { contact: hit, end: End::To, place }).unwrap();
        sound.extend(heard(engine, 7));
    }
    // Moved while it is off, then on.
    engine.change(&Change::Move { contact: later, end: End::To, place: Place::On(0.55, 0.31) }).unwrap();
    engine.change(&Change::Throw { object: hammer, displacement: -1e-3, velocity: 2.0 }).unwrap();
    engine.change(&Change::Active { contact: later, active: true }).unwrap();
    sound.extend(heard(engine, 400));
    engine.change(&Change::MovePickup { pickup: PickupId::new(0), place: Place::On(0.8, 0.25) }).unwrap();
    sound.extend(heard(engine, 100));
    engine.change(&Change::Active { contact: later, active: false }).unwrap();
    sound.extend(heard(engine, 300));
    let balance = engine.balance();
    assert!(balance.residual() < 1e-12, "{balance:?}");
    let [columns, rows] = engine.dimensions(ObjectId::new(0)).unwrap();
    let mut shape = vec![0.0; columns * rows];
    engine.shape(ObjectId::new(0), &mut shape).unwrap();
    let at = |x: usize, y: usize| Place::On(x as f64 / (columns - 1) as f64, y as f64 / (rows - 1) as f64);
    for (x, y) in [(3, 4), (columns - 2, 1), (5, rows - 2)] {
        let (drawn, read) = (shape[y * columns + x], engine.displacement(ObjectId::new(0), at(x, y)).unwrap());
        assert!((drawn - read).abs() < 1e-13 * largest(shape.iter().copied()), "{drawn} and {read}");
    }
    (sound, shape)
}

#[test]
fn both_forms_of_a_sheet_sound_and_look_the_same() {
    for (name, spec) in sheets() {
        let mut waves = model(&spec).build().unwrap();
        let mut grid = on_its_grid(&spec).build().unwrap();
        for round in ["at first", "after a reset"] {
            let (one, other) = (performed(&mut waves), performed(&mut grid));
            for (one, other) in [(&one.0, &other.0), (&one.1, &other.1)] {
                let error = largest(one.iter().zip(other).map(|(one, other)| one - other));
                assert!(error < 1e-9 * largest(other.iter().copied()), "{name} {round}: {error:e}");
            }
            let contacts = |engine: &mut Engine| engine.drain_contacts().map(|c| (c.start, c.end)).collect::<Vec<_>>();
            let (one, other) = (contacts(&mut waves), contacts(&mut grid));
            assert!(!one.is_empty(), "{name}: nothing was hit");
            assert_eq!(one, other, "{name} {round}");
            for engine in [&mut waves, &mut grid] {
                engine.reset();
                engine
                    .change(&Change::Move { contact: ContactId::new(0), end: End::To, place: Place::On(0.31, 0.42) })
                    .unwrap();
                engine.change(&Change::MovePickup { pickup: PickupId::new(0), place: Place::On(0.2, 0.7) }).unwrap();
            }
        }
    }
}

#[test]
fn what_is_off_leaves_the_sound_as_it_is_to_the_bit() {
    for (name, spec) in sheets() {
        let plain = model(&spec);
        let mut handled = plain.clone().with("hair", BarrierSpec::default());
        for n in 0..6 {
            let law: Law = match n % 2 {
                0 => BowFriction::new(0.5, 100.0).unwrap().into(),
                _ => LinearCubicSpring::new(1e3, 0.0).unwrap().into(),
            };
            let place = on(0.1 + 0.12 * f64::from(n), 0.35);
            let mut hand = Interaction::new(&format!("hand {n}"), place, Point::of("hair"), law);
            hand.active = false;
            handled = handled.join(hand);
        }
        let (mut plain, mut handled) = (plain.build().unwrap(), handled.build().unwrap());
        let [one, other] = [&mut plain, &mut handled].map(|engine| heard(engine, 2000));
        assert!(one == other, "{name}");
        // On and off again.
        for hand in (2..8).map(ContactId::new) {
            handled.change(&Change::Active { contact: hand, active: true }).unwrap();
        }
        handled.keep_account_of_energy(true);
        handled.advance(500);
        assert!(handled.balance().residual() < 1e-12, "{name}: {:?}", handled.balance());
        handled.reset();
        for hand in (2..8).map(ContactId::new) {
            handled.change(&Change::Active { contact: hand, active: false }).unwrap();
        }
        assert!(one == heard(&mut handled, 2000), "{name}, once they were on");
    }
}

#[test]
fn a_weight_on_a_sheet_comes_to_rest_where_statics_has_it() {
    // Under a force F at its place, a plate hangs F Σ φ²/(stiffness) deep: what its own energy says, U = F u/2.
    for (name, spec) in sheets() {
        let still = match spec {
            ObjectSpec::Plate(plate) => PlateSpec { loss: Loss::sigma(300.0, 0.002), ..plate }.into(),
            ObjectSpec::Membrane(membrane) => MembraneSpec { loss: Loss::sigma(300.0, 0.002), ..membrane }.into(),
            other => other,
        };
        let mut engine = Model::new(RATE)
            .with("sheet", still)
            .drive(Force { name: "weight".into(), at: on(0.4, 0.6), level: 3.0, signal: None })
            .listen(Pickup { source: Source::Displacement(on(0.4, 0.6)), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.advance(60_000);
        let depth = engine.displacement(ObjectId::new(0), Place::On(0.4, 0.6)).unwrap();
        let energy = engine.object_energy(ObjectId::new(0)).unwrap();
        assert!(depth > 0.0 && (energy / (0.5 * 3.0 * depth) - 1.0).abs() < 1e-9, "{name}: {energy} J at {depth} m");
    }
}
