//! What is at rest costs nothing, and nobody hears the difference.
//!
//! Each model is built twice. In the second a force of 1e-300 N acts on every body: it moves nothing, but with a force from outside at work the engine lets nothing rest.

use ictus::control::Change;
use ictus::laws::{HuntCrossley, OddPower};
use ictus::model::{Force, Interaction, Pickup, Point, Source, Spread};
use ictus::objects::{BarSpec, BarrierSpec, Loss, MassSpec, Place, Profile, ProfilePoint, StringPitch, StringSpec};
use ictus::{Engine, Model};

const RATE: f64 = 48_000.0;

fn felt() -> HuntCrossley {
    HuntCrossley::new(4e8, 2.3, 0.1).unwrap()
}

/// Two strings on one board, the lower one over two frets, and a hammer for each.
fn strings(with_frets: bool) -> Model {
    let string = |pitch: f64| StringSpec {
        length: 0.65,
        pitch: StringPitch::Fundamental(pitch),
        radius: 3e-4,
        loss: Loss::t60_at(&[(100.0, 0.5), (4000.0, 0.1)]),
        ..StringSpec::default()
    };
    let pin = OddPower::new(2000.0, 1.0).unwrap();
    let fret = |position: f64, height: f64| ProfilePoint { position, height };
    let frets = Interaction {
        spread: Some(Spread::Profile(Profile::Frets(vec![fret(0.3, -4e-4), fret(0.5, -6e-4)]))),
        ..Interaction::new("frets", Point::of("neck"), Point::of("low"), HuntCrossley::new(1e9, 1.5, 0.3).unwrap())
    };
    let model = Model::new(RATE)
        .with("low", string(110.0))
        .with("high", string(165.0))
        .with("board", MassSpec::oscillator(0.3, 150.0, ictus::objects::Decay::T60(0.2)))
        .with("neck", BarrierSpec::default())
        .with("first", MassSpec { displacement: -1e-3, velocity: 1.5, ..MassSpec::free(0.006) })
        .with("second", MassSpec { displacement: -1e-2, velocity: 0.5, ..MassSpec::free(0.004) })
        .join(Interaction::new("first", Point::of("first"), Point::on("low", Place::Along(0.12)), felt()))
        .join(Interaction::new("second", Point::of("second"), Point::on("high", Place::Along(0.12)), felt()))
        .join(Interaction::new("low pin", Point::on("low", Place::Along(0.98)), Point::of("board"), pin))
        .join(Interaction::new("high pin", Point::on("high", Place::Along(0.98)), Point::of("board"), pin))
        .listen(Pickup { source: Source::Velocity(Point::of("board")), gains: vec![1.0] });
    if with_frets { model.join(frets) } else { model }
}

/// A bar on two cords and its mallet.
fn bar() -> Model {
    let cord = OddPower::new(500.0, 1.0).unwrap();
    let cord = |name: &str, place: f64| Interaction {
        damping: 2.0,
        ..Interaction::new(name, Point::of("rail"), Point::on("bar", Place::Along(place)), cord)
    };
    Model::new(RATE)
        .with("bar", BarSpec { loss: Loss::t60_at(&[(200.0, 0.3), (4000.0, 0.05)]), ..BarSpec::default() })
        .with("rail", BarrierSpec::default())
        .with("mallet", MassSpec { displacement: -1e-3, velocity: 1.0, ..MassSpec::free(0.03) })
        .join(cord("left", 0.22))
        .join(cord("right", 0.78))
        .join(Interaction::new("mallet", Point::of("mallet"), Point::on("bar", Place::Along(0.5)), felt()))
        .listen(Pickup { source: Source::Velocity(Point::on("bar", Place::Along(0.97))), gains: vec![1.0] })
}

/// A string that a damper presses aside by a spring, heard by its velocity and its displacement, and a hammer.
fn pressed() -> Model {
    let damper = Interaction {
        damping: 1.0,
        gap: -1e-3,
        ..Interaction::new(
            "damper",
            Point::of("rail"),
            Point::on("string", Place::Along(0.3)),
            OddPower::new(300.0, 1.0).unwrap(),
        )
    };
    let at = || Point::on("string", Place::Along(0.8));
    Model::new(RATE)
        .with("string", StringSpec { loss: Loss::t60_at(&[(100.0, 0.5), (4000.0, 0.1)]), ..StringSpec::default() })
        .with("rail", BarrierSpec::default())
        .with("mallet", MassSpec { displacement: -2e-3, velocity: 1.0, ..MassSpec::free(0.003) })
        .join(damper)
        .join(Interaction::new("mallet", Point::of("mallet"), Point::on("string", Place::Along(0.12)), felt()))
        .listen(Pickup { source: Source::Velocity(at()), gains: vec![1.0] })
        .listen(Pickup { source: Source::Displacement(at()), gains: vec![1.0] })
}

/// The same model, in which nothing rests.
fn restless(model: &Model) -> Model {
    let bodies = model.objects.iter().filter(|object| object.name != "neck" && object.name != "rail");
    let names: Vec<String> = bodies.map(|object| object.name.clone()).collect();
    let mut model = model.clone();
    for name in names {
        let whole = matches!(name.as_str(), "board" | "first" | "second" | "mallet");
        let at = if whole { Point::of(&name) } else { Point::on(&name, Place::Along(0.5)) };
        model = model.drive(Force { name: name.clone(), at, level: 1e-300, signal: None });
    }
    model
}

fn render(engine: &mut Engine, seconds: f64) -> Vec<f64> {
    let mut sound = vec![0.0; (seconds * RATE) as usize];
    engine.process(&mut sound);
    sound
}

fn farthest_apart(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

#[test]
fn contacts_out_of_reach_and_masses_that_coast_change_nothing() {
    for (model, name) in [(strings(true), "strings"), (bar(), "bar")] {
        let (mut engine, mut reference) = (model.build().unwrap(), restless(&model).build().unwrap());
        engine.keep_account_of_energy(true);
        let (sound, expected) = (render(&mut engine, 1.0), render(&mut reference, 1.0));
        let loudest = expected.iter().fold(0.0_f64, |loudest, sample| loudest.max(sample.abs()));
        let apart = farthest_apart(&sound, &expected);
        assert!(loudest > 1e-3 && apart <= 1e-11 * loudest, "{name}: {apart:e} of {loudest:e} m/s");
        assert!(engine.balance().residual() < 1e-12, "{name}: {:?}", engine.balance());
        let contacts: Vec<_> = engine.drain_contacts().map(|contact| (contact.start, contact.end)).collect();
        let expected: Vec<_> = reference.drain_contacts().map(|contact| (contact.start, contact.end)).collect();
        assert!(
            contacts.len() >= 2 - usize::from(name == "bar") && contacts == expected,
            "{name}: {contacts:?} and {expected:?}"
        );
    }
}

#[test]
fn what_has_died_away_stands_still_and_wakes_as_if_it_had_not() {
    let inaudible = 1e-8;
    // Without frets: strokes on them magnify whatever there is.
    let models =
        [(strings(false), "first", "strings"), (bar(), "mallet", "bar"), (pressed(), "mallet", "string under load")];
    for (model, hammer, name) in models {
        let (mut engine, mut reference) = (model.build().unwrap(), restless(&model).build().unwrap());
        engine.set_inaudible(inaudible);
        engine.keep_account_of_energy(true);
        assert!(!engine.is_at_rest());
        let mut fell_asleep = 0;
        for round in 0..3 {
            let (sound, expected) = (render(&mut engine, 6.0), render(&mut reference, 6.0));
            let apart = farthest_apart(&sound, &expected);
            assert!(apart <= 2.0 * inaudible, "{name}, round {round}: {apart:e} m/s");
            fell_asleep += usize::from(engine.is_at_rest());
            if let Some(string) = engine.object("string") {
                let aside = engine.displacement(string, Place::Along(0.3)).unwrap();
                assert!(aside > 1e-4, "{name} is pressed aside by {aside:e} m");
            }
            for engine in [&mut engine, &mut reference] {
                let object = engine.object(hammer).unwrap();
                engine.change(&Change::Throw { object, displacement: -2e-3, velocity: 1.0 }).unwrap();
            }
            assert!(!engine.is_at_rest());
        }
        assert_eq!(fell_asleep, 3, "{name}");
        assert!(engine.balance().residual() < 1e-12, "{name}: {:?}", engine.balance());
    }
}

#[test]
fn a_mass_that_coasts_is_where_it_would_be() {
    let wall = Interaction::new("wall", Point::of("mass"), Point::of("wall"), felt());
    let mut engine = Model::new(RATE)
        .with("mass", MassSpec { displacement: -0.5, velocity: -2.0, ..MassSpec::free(0.01) })
        .with("wall", BarrierSpec::default())
        .join(wall)
        .build()
        .unwrap();
    engine.set_inaudible(1e-8);
    let (mass, contact) = (engine.object("mass").unwrap(), engine.interaction("wall").unwrap());
    for samples in [1, 7, 300, 1000, 5000] {
        engine.advance(samples);
        let exact = -0.5 - 2.0 * engine.time() as f64 / RATE;
        for found in [engine.displacement(mass, Place::Whole), engine.compression(contact)] {
            assert!((found.unwrap() - exact).abs() < 1e-11, "{found:?}, exactly {exact}");
        }
    }
    assert!((engine.stored_energy() - 0.02).abs() < 1e-12);
    // Thrown back, it hits the wall when it must.
    engine.change(&Change::Throw { object: mass, displacement: -0.1, velocity: 1.0 }).unwrap();
    let start = engine.time();
    engine.advance(10_000);
    let contact = engine.drain_contacts().next().expect("it hits the wall");
    assert!((contact.start - start).abs_diff(4800) <= 1, "{contact:?}");
}

#[test]
fn a_barrier_moves_on_while_all_that_it_could_touch_stands_still() {
    let mut hook = Interaction::new("hook", Point::of("hook"), Point::on("string", Place::Along(0.3)), felt());
    hook.active = false;
    let mut engine = Model::new(RATE)
        .with("string", StringSpec { loss: Loss::t60(0.2), ..StringSpec::default() })
        .with("hook", BarrierSpec { height: -0.01, velocity: 0.5 })
        .join(hook)
        .listen(Pickup { source: Source::Velocity(Point::on("string", Place::Along(0.7))), gains: vec![1.0] })
        .build()
        .unwrap();
    engine.advance(4800);
    assert!(engine.is_at_rest());
    let hook = engine.object("hook").unwrap();
    let height = engine.displacement(hook, Place::Whole).unwrap();
    assert!((height - 0.04).abs() < 1e-12, "{height}");
}
