//! Playing takes no memory, and no value from outside makes a sample that is no number.

mod scenes;

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use ictus::control::End;
use ictus::id::{ContactId, ForceId, ObjectId, PickupId};
use ictus_scene::scene::{Action, NoteMap, Parameter, Scene, Voice};
use ictus_scene::{ControlId, ExciterId, Instrument};
use proptest::prelude::*;
use scenes::*;

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

/// The workshop with a keyboard that bows the string.
fn playable() -> Scene {
    let workshop = workshop();
    let voice = Voice { keys: [50, 62], exciter: BOW, damper: Some(FINGER), string: Some(STRING), stop: None };
    let hammer = Voice { keys: [63, 70], exciter: HAMMER, damper: None, string: None, stop: None };
    let voices = vec![voice, hammer];
    let notes = NoteMap { voices, amounts: [0.05, 0.3], curve: 1.0, over: 0.02, bend_range: 2.0, cents: vec![] };
    Scene { notes: Some(notes), score: busy_score(), ..workshop }
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![
        Parameter::Velocity(ObjectId::new(2)),
        Parameter::Velocity(BOW_BARRIER),
        Parameter::Height(BOW_BARRIER),
        Parameter::Height(ObjectId::new(4)),
        Parameter::Bend(STRING),
        Parameter::Level(ForceId::new(0)),
        Parameter::Gain(PickupId::new(0)),
        Parameter::PickupAlong(PickupId::new(0)),
        Parameter::PickupAcross(PickupId::new(1)),
    ];
    for contact in (0..4).map(ContactId::new) {
        all.extend((0..3).map(|place| Parameter::Law(contact, place)));
        all.extend([Parameter::Damping(contact), Parameter::Gap(contact), Parameter::Active(contact)]);
        all.extend([Parameter::Travel(contact), Parameter::Along(contact, End::To)]);
    }
    all.extend((0..6).map(|index| Parameter::Amount(ExciterId::new(index))));
    all
}

const WILD: [f64; 18] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    1e-308,
    0.0,
    -0.0,
    1e15,
    -1e15,
    1e6,
    -1e6,
    1e3,
    -1e3,
    1.0,
    0.5,
    -1.0,
];

fn actions() -> Vec<Action> {
    let mut all = vec![
        Action::Sustain(true),
        Action::NoteOff { key: 55 },
        Action::Sustain(false),
        Action::NoteOff { key: 255 },
        Action::PitchBend(1.0),
    ];
    for (index, value) in WILD.into_iter().enumerate() {
        for exciter in (0..7).map(ExciterId::new) {
            all.push(Action::Play { exciter, amount: value, over: if index % 2 == 0 { 0.0 } else { 0.003 } });
            all.push(Action::Play { exciter, amount: 0.1, over: value });
            all.push(Action::Release { exciter, over: value });
        }
        all.push(Action::NoteOn { key: 55, velocity: value });
        all.push(Action::NoteOn { key: 65, velocity: value });
        all.push(Action::PitchBend(value));
        all.extend((0..3).map(|index| Action::Turn {
            control: ControlId::new(index),
            value,
            over: 0.0,
            logarithmic: value > 0.5,
        }));
        for parameter in parameters() {
            for over in [0.0, 0.002] {
                all.push(Action::Set { targets: vec![parameter], value, over, logarithmic: value > 0.5 });
            }
        }
    }
    all
}

fn assert_sound(block: &[f64]) {
    assert!(block.iter().all(|sample| sample.abs() <= 1e9), "a sample that is no sound");
}

#[test]
fn playing_takes_no_memory() {
    let mut instrument = Instrument::new(&playable()).unwrap();
    instrument.keep_account_of_energy(true);
    let actions = actions();
    let mut block = [0.0; 128];
    assert_no_alloc(|| {
        for action in &actions {
            let _ = instrument.act(action);
            instrument.process(&mut block);
            assert_sound(&block);
        }
        instrument.note_on(55, 0.5);
        instrument.sustain(true);
        instrument.note_off(55);
        instrument.pitch_bend(0.3);
        instrument.turn(ControlId::new(0), 1.0).unwrap();
        instrument.process(&mut block);
        instrument.all_notes_off();
        instrument.fade(&mut block, 0, 64);
        instrument.process(&mut block[..127]);
        std::hint::black_box((
            instrument.target_value(Parameter::Gap(ContactId::new(0))),
            instrument.time(),
            instrument.keys().count(),
        ));
        instrument.reset();
        instrument.process(&mut block);
    });
}

/// Every wild value on its own, while everything sounds.
#[test]
fn no_value_makes_a_sample_that_is_no_sound() {
    let mut instrument = Instrument::new(&playable()).unwrap();
    let mut block = vec![0.0; 2 * 960];
    for parameter in parameters() {
        for value in WILD {
            instrument.reset();
            for exciter in [HAMMER, PLECTRUM, PLUCK, BOW, FINGER, SIGNAL] {
                let amount = instrument.target_value(Parameter::Amount(exciter)).unwrap();
                instrument.act(&Action::Play { exciter, amount, over: 0.0 }).unwrap();
            }
            let _ = instrument.set_target(parameter, value);
            instrument.process(&mut block);
            assert_sound(&block);
            assert!(instrument.target_value(parameter).is_none_or(f64::is_finite));
        }
    }
}

fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), proptest::sample::select(WILD.to_vec()), -2.0..2.0]
}

/// The six of the workshop, and one that is not there.
fn any_exciter() -> impl Strategy<Value = ExciterId> {
    (0..7_usize).prop_map(ExciterId::new)
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        (any_exciter(), any_value(), 0.0..0.01).prop_map(|(exciter, amount, over)| Action::Play {
            exciter,
            amount,
            over
        }),
        (any_exciter(), any_value()).prop_map(|(exciter, over)| Action::Release { exciter, over }),
        (proptest::sample::select(parameters()), any_value(), 0.0..0.01).prop_map(|(parameter, value, over)| {
            Action::Set { targets: vec![parameter], value, over, logarithmic: value > 0.5 }
        }),
        (any::<u8>(), any_value()).prop_map(|(key, velocity)| Action::NoteOn { key, velocity }),
        any::<u8>().prop_map(|key| Action::NoteOff { key }),
        any::<bool>().prop_map(Action::Sustain),
        any_value().prop_map(Action::PitchBend),
        (0..3_usize, any_value()).prop_map(|(index, value)| Action::Turn {
            control: ControlId::new(index),
            value,
            over: 0.0,
            logarithmic: value > 0.5
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_series_of_actions_makes_a_sample_that_is_no_sound(
        actions in proptest::collection::vec((any_action(), 1..200_usize), 1..60),
    ) {
        let mut instrument = Instrument::new(&playable()).unwrap();
        let mut whole = Instrument::new(&playable()).unwrap();
        let (mut block, mut single) = (vec![0.0; 400], vec![0.0; 400]);
        for (action, frames) in &actions {
            let outcome = instrument.act(action);
            instrument.process(&mut block[..2 * frames]);
            assert_sound(&block[..2 * frames]);
            // What breaks and is put back is the same whatever the blocks.
            prop_assert_eq!(outcome.is_ok(), whole.act(action).is_ok());
            single[..2 * frames].chunks_mut(2).for_each(|frame| whole.process(frame));
            prop_assert!(block[..2 * frames] == single[..2 * frames]);
        }
        prop_assert_eq!(instrument.breakdowns(), whole.breakdowns());
    }
}
