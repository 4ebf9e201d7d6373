//! Scenes built in Rust, shared by the tests of the player.

#![allow(dead_code)] // Every test file uses some of them.

use ictus::Model;
use ictus::id::{ContactId, ForceId, ObjectId, PickupId};
use ictus::laws::{BowFriction, HuntCrossley, LinearCubicSpring, OneSidedPower};
use ictus::model::{Force, Interaction, Pickup, Point, Source};
use ictus::objects::{BarSpec, BarrierSpec, MassSpec, Place, StringPitch, StringSpec};
use ictus_scene::parameters::Written;
use ictus_scene::scene::{Action, Control, Event, Exciter, NoteMap, Output, Parameter, Scene, Voice};
use ictus_scene::tools::{Bow, Finger, Hammer, Plectrum, Pluck, Signal};
use ictus_scene::{ControlId, ExciterId};

pub const RATE: f64 = 48_000.0;

pub const HAMMER: ExciterId = ExciterId::new(0);
pub const PLECTRUM: ExciterId = ExciterId::new(1);
pub const PLUCK: ExciterId = ExciterId::new(2);
pub const BOW: ExciterId = ExciterId::new(3);
pub const FINGER: ExciterId = ExciterId::new(4);
pub const SIGNAL: ExciterId = ExciterId::new(5);

pub const HAMMER_CONTACT: ContactId = ContactId::new(0);
pub const PLECTRUM_CONTACT: ContactId = ContactId::new(1);
pub const BOW_CONTACT: ContactId = ContactId::new(2);
pub const FINGER_CONTACT: ContactId = ContactId::new(3);

pub const STRING: ObjectId = ObjectId::new(0);
pub const BOW_BARRIER: ObjectId = ObjectId::new(3);

pub fn on(object: &str, fraction: f64) -> Point {
    Point::on(object, Place::Along(fraction))
}

pub fn scene(model: Model) -> Scene {
    Scene {
        title: "test".into(),
        about: String::new(),
        duration: 1.0,
        seed: 1,
        model,
        exciters: vec![],
        score: vec![],
        controls: vec![],
        notes: None,
        output: Output::default(),
        written: Written::default(),
    }
}

/// A string with every tool at it, and a bar that a signal drives.
pub fn workshop() -> Scene {
    let off = |interaction: Interaction| Interaction { active: false, ..interaction };
    let felt = HuntCrossley::new(1e8, 2.3, 0.1).unwrap();
    let edge = OneSidedPower::new(1e5, 1.0, 0.0).unwrap();
    let friction = BowFriction::new(0.5, 100.0).unwrap();
    let skin = LinearCubicSpring::new(1000.0, 0.0).unwrap();
    let mut plectrum = Interaction::new("plectrum", Point::of("plectrum"), on("string", 0.2), edge);
    plectrum.slips_at = Some(1.0);
    let burst: Vec<f64> = (0..96).map(|n| (f64::from(n) * 0.7).sin()).collect();
    let model = Model::new(RATE)
        .with("string", StringSpec { pitch: StringPitch::Fundamental(147.0), ..StringSpec::default() })
        .with("hammer", MassSpec { displacement: -1e-3, ..MassSpec::free(5e-3) })
        .with("plectrum", BarrierSpec { height: -1e-3, velocity: 0.0 })
        .with("bow", BarrierSpec::default())
        .with("finger", BarrierSpec::default())
        .with("bar", BarSpec::default())
        .join(Interaction::new("hammer", Point::of("hammer"), on("string", 0.12), felt))
        .join(off(plectrum))
        .join(off(Interaction::new("bow", Point::of("bow"), on("string", 0.1), friction)))
        .join(off(Interaction {
            damping: 1.0,
            ..Interaction::new("finger", Point::of("finger"), on("string", 0.37), skin)
        }))
        .drive(Force { name: "burst".into(), at: on("bar", 0.1), level: 1.0, signal: Some(burst) })
        .listen(Pickup { source: Source::Velocity(on("string", 0.9)), gains: vec![0.2, 0.1] })
        .listen(Pickup { source: Source::Velocity(on("bar", 0.8)), gains: vec![0.1, 0.2] });
    let tool = |name: &str, tool, amount| Exciter { name: name.into(), tool, amount };
    Scene {
        exciters: vec![
            tool(
                "hammer",
                Hammer { mass: ObjectId::new(1), contact: HAMMER_CONTACT, clearance: 1e-3, above: false }.into(),
                1.0,
            ),
            tool(
                "plectrum",
                Plectrum { barrier: ObjectId::new(2), contact: PLECTRUM_CONTACT, clearance: 1e-3 }.into(),
                0.3,
            ),
            tool("pluck", Pluck { object: STRING, centre: 0.3, half_width: 0.1 }.into(), 1e-3),
            tool("bow", Bow { barrier: BOW_BARRIER, contact: BOW_CONTACT }.into(), 0.1),
            tool("finger", Finger { contact: FINGER_CONTACT }.into(), 1.0),
            tool("signal", Signal { force: ForceId::new(0) }.into(), 1.0),
        ],
        controls: vec![
            control("pressure", vec![Parameter::Law(BOW_CONTACT, 0)], [0.1, 5.0], 0.5),
            control("hardness", vec![Parameter::Law(HAMMER_CONTACT, 0)], [1e6, 1e9], 1e8),
        ],
        ..scene(model)
    }
}

pub fn control(name: &str, targets: Vec<Parameter>, range: [f64; 2], value: f64) -> Control {
    let (unit, midi) = ("N".into(), Some(11));
    Control { name: name.into(), targets, range, value, is_given: true, logarithmic: true, unit, midi }
}

pub fn play(time: f64, exciter: ExciterId, amount: f64, over: f64) -> Event {
    Event { time, action: Action::Play { exciter, amount, over } }
}

pub fn release(time: f64, exciter: ExciterId, over: f64) -> Event {
    Event { time, action: Action::Release { exciter, over } }
}

pub fn set(time: f64, parameter: Parameter, value: f64, over: f64) -> Event {
    Event { time, action: Action::Set { targets: vec![parameter], value, over, logarithmic: false } }
}

/// Everything the workshop can do, in one second and a half.
pub fn busy_score() -> Vec<Event> {
    use ictus::control::End;
    vec![
        play(0.01003, HAMMER, 2.0, 0.0),
        play(0.1, SIGNAL, 3.0, 0.0),
        play(0.15, BOW, 0.2, 0.05),
        set(0.2, Parameter::Law(BOW_CONTACT, 0), 1.5, 0.1),
        set(0.25, Parameter::Along(BOW_CONTACT, End::To), 0.17, 0.2),
        set(0.3, Parameter::Gain(PickupId::new(0)), 0.5, 0.05),
        set(0.35, Parameter::PickupAlong(PickupId::new(0)), 0.6, 0.1),
        Event {
            time: 0.4,
            action: Action::Turn { control: ControlId::new(0), value: 2.0, over: 0.0, logarithmic: false },
        },
        release(0.5, BOW, 0.04),
        play(0.55, FINGER, 3.0, 0.02),
        release(0.6, FINGER, 0.02),
        play(0.65, PLUCK, 1e-3, 0.0),
        play(0.7, HAMMER, 1.0, 0.0),
        play(0.7002, HAMMER, 1.0, 0.0),
        play(0.8, PLECTRUM, 0.3, 0.0),
        play(0.95, PLECTRUM, 0.3, 0.0),
        set(1.0, Parameter::Height(ObjectId::new(4)), -1e-4, 0.05),
        play(1.0, FINGER, 0.5, 0.1),
        set(1.1, Parameter::Amount(FINGER), 2.0, 0.05),
        set(1.15, Parameter::Gap(FINGER_CONTACT), 1e-4, 0.05),
        release(1.3, FINGER, 0.0),
        release(1.3, SIGNAL, 0.1),
    ]
}

/// Strings tuned to keys, each with its own hammer and damper.
pub fn harp(keys: &[u8]) -> Scene {
    let felt = HuntCrossley::new(5e7, 2.3, 0.1).unwrap();
    let skin = LinearCubicSpring::new(1000.0, 0.0).unwrap();
    let mut model = Model::new(RATE).with("ground", BarrierSpec::default());
    let (mut exciters, mut voices) = (vec![], vec![]);
    for &key in keys {
        let (string, hammer, frequency) = (format!("string {key}"), format!("hammer {key}"), frequency(key));
        let length = 0.4 * 261.6 / frequency;
        let spec = StringSpec { length, pitch: StringPitch::Fundamental(frequency), ..StringSpec::default() };
        model = model
            .with(&string, spec)
            .with(&hammer, MassSpec { displacement: -1e-3, ..MassSpec::free(3e-3) })
            .join(Interaction::new(&hammer, Point::of(&hammer), on(&string, 0.12), felt))
            .join(Interaction {
                active: false,
                damping: 2.0,
                ..Interaction::new(&format!("damper {key}"), Point::of("ground"), on(&string, 0.45), skin)
            })
            .listen(Pickup { source: Source::Velocity(on(&string, 0.85)), gains: vec![0.1] });
        let contact = model.interactions.len() - 2;
        let mass = model.objects.len() - 1;
        let tool =
            Hammer { mass: ObjectId::new(mass), contact: ContactId::new(contact), clearance: 1e-3, above: false }
                .into();
        exciters.push(Exciter { name: hammer, tool, amount: 1.0 });
        let tool = Finger { contact: ContactId::new(contact + 1) }.into();
        exciters.push(Exciter { name: format!("damper {key}"), tool, amount: 2.0 });
        let [exciter, damper] = [2, 1].map(|back| ExciterId::new(exciters.len() - back));
        voices.push(Voice { keys: [key, key], exciter, damper: Some(damper), string: None, stop: None });
    }
    let notes = NoteMap { voices, amounts: [0.5, 3.0], curve: 1.5, over: 0.02, bend_range: 2.0, cents: vec![] };
    Scene { exciters, notes: Some(notes), ..scene(model) }
}

/// Frequency in Hz of a key.
pub fn frequency(key: u8) -> f64 {
    440.0 * ((f64::from(key) - 69.0) / 12.0).exp2()
}

/// A pool of strings that are bent to the keys from the lowest to the highest, plucked and damped.
pub fn lute(strings: usize, keys: [u8; 2]) -> Scene {
    let skin = LinearCubicSpring::new(1000.0, 0.0).unwrap();
    let lowest = frequency(keys[0]);
    let bend = ((f64::from(keys[1] - keys[0]) + 2.0) / 12.0).exp2();
    let mut model = Model::new(RATE).with("ground", BarrierSpec::default());
    let (mut exciters, mut voices) = (vec![], vec![]);
    for number in 0..strings {
        let (string, damper) = (format!("string {number}"), format!("damper {number}"));
        let spec = StringSpec { length: 0.7, pitch: StringPitch::Fundamental(lowest), bend, ..StringSpec::default() };
        let touch = Interaction::new(&damper, Point::of("ground"), on(&string, 0.45), skin);
        model = model
            .with(&string, spec)
            .join(Interaction { active: false, damping: 2.0, ..touch })
            .listen(Pickup { source: Source::Velocity(on(&string, 0.85)), gains: vec![0.1] });
        let object = ObjectId::new(model.objects.len() - 1);
        let contact = ContactId::new(model.interactions.len() - 1);
        exciters.push(Exciter {
            name: format!("pluck {number}"),
            tool: Pluck { object, centre: 0.13, half_width: 0.1 }.into(),
            amount: 1e-3,
        });
        exciters.push(Exciter { name: damper, tool: Finger { contact }.into(), amount: 2.0 });
        let [exciter, damper] = [2, 1].map(|back| ExciterId::new(exciters.len() - back));
        voices.push(Voice { keys, exciter, damper: Some(damper), string: Some(object), stop: None });
    }
    let notes = NoteMap { voices, amounts: [1e-4, 1e-3], curve: 1.0, over: 0.01, bend_range: 2.0, cents: vec![] };
    Scene { exciters, notes: Some(notes), ..scene(model) }
}
