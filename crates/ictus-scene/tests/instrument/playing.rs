//! The instrument keeps to the sample, to the block, and to the energy account.

use crate::scenes::*;
use ictus::Model;
use ictus::control::End;
use ictus::id::{ContactId, ForceId, ObjectId, PickupId};
use ictus::laws::OneSidedPower;
use ictus::model::{Force, Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, MassSpec};
use ictus_scene::scene::{Action, Event, Parameter, Scene};
use ictus_scene::{ControlId, ExciterId, Instrument, instrument::BuildError};

fn heard_in_blocks(scene: &Scene, frames: usize, block: usize) -> Vec<f64> {
    let mut instrument = Instrument::new(scene).unwrap();
    let mut sound = vec![0.0; frames * instrument.channels()];
    let channels = instrument.channels();
    sound.chunks_mut(block * channels).for_each(|block| instrument.process(block));
    assert_eq!(instrument.position(), frames as u64);
    assert_eq!(instrument.breakdowns(), 0);
    sound
}

fn peak(sound: &[f64]) -> f64 {
    sound.iter().fold(0.0, |peak: f64, sample| peak.max(sample.abs()))
}

#[test]
fn whatever_the_blocks_the_samples_are_the_same() {
    let scene = Scene { score: busy_score(), ..workshop() };
    let whole = heard_in_blocks(&scene, 72_000, 72_000);
    assert!(peak(&whole) > 1e-3);
    for block in [1, 7, 64, 1000] {
        assert!(heard_in_blocks(&scene, 72_000, block) == whole, "blocks of {block}");
    }
}

#[test]
fn a_reset_player_repeats_itself() {
    let scene = Scene { score: busy_score(), ..workshop() };
    let mut instrument = Instrument::new(&scene).unwrap();
    let mut first = vec![0.0; 2 * 60_000];
    let mut second = first.clone();
    instrument.process(&mut first);
    instrument.set_target(Parameter::Law(BOW_CONTACT, 1), 50.0).unwrap();
    instrument.turn(ControlId::new(1), 1e6).unwrap();
    instrument.reset();
    assert_eq!((instrument.time(), instrument.control(ControlId::new(1))), (0.0, Some(1e8)));
    instrument.process(&mut second);
    assert!(first == second);
}

#[test]
fn an_event_acts_at_its_sample() {
    let event_at = |sample: u32| {
        let scene = Scene { score: vec![play(f64::from(sample) / RATE, PLUCK, 1e-3, 0.0)], ..workshop() };
        let sound = heard_in_blocks(&scene, 4000, 4000);
        sound.iter().position(|sample| *sample != 0.0).unwrap() / 2
    };
    let first = event_at(1000);
    assert_eq!([event_at(1001), event_at(1016), event_at(1531)], [first + 1, first + 16, first + 531]);
}

#[test]
fn events_of_one_sample_keep_their_order() {
    let twice = |first: f64, second: f64| {
        let score = vec![
            set(0.001, Parameter::Gain(PickupId::new(0)), first, 0.0),
            set(0.001, Parameter::Gain(PickupId::new(0)), second, 0.0),
        ];
        let mut instrument = Instrument::new(&Scene { score, ..workshop() }).unwrap();
        instrument.process(&mut [0.0; 200]);
        instrument.target_value(Parameter::Gain(PickupId::new(0))).unwrap()
    };
    assert_eq!((twice(0.3, 0.7), twice(0.7, 0.3)), (0.7, 0.3));
}

/// Score of each tool alone.
fn solos() -> Vec<(&'static str, Vec<Event>)> {
    let every = |exciter, amount| (0..8).map(|n| play(0.1 + 0.5 * f64::from(n), exciter, amount, 0.0)).collect();
    let mut bow = vec![play(0.1, BOW, 0.15, 0.05), set(1.0, Parameter::Amount(BOW), -0.2, 0.2)];
    bow.extend([set(2.0, Parameter::Law(BOW_CONTACT, 0), 1.0, 0.3), release(3.0, BOW, 0.1), play(4.0, BOW, 0.1, 0.0)]);
    bow.push(set(4.2, Parameter::Along(BOW_CONTACT, End::To), 0.2, 0.3));
    let mut finger = vec![play(0.05, PLUCK, 2e-3, 0.0), play(0.5, FINGER, 2.0, 0.05), release(1.0, FINGER, 0.02)];
    finger.extend([play(1.5, PLUCK, 2e-3, 0.0), play(1.7, FINGER, 0.5, 0.0), release(3.0, FINGER, 0.0)]);
    vec![
        ("hammer", every(HAMMER, 2.0)),
        ("plectrum", every(PLECTRUM, 0.3)),
        ("pluck", every(PLUCK, 1e-3)),
        ("bow", bow),
        ("finger", finger),
        ("signal", every(SIGNAL, 50.0)),
        ("all", busy_score()),
    ]
}

#[test]
fn every_joule_of_every_tool_is_accounted_for() {
    for (name, score) in solos() {
        let mut instrument = Instrument::new(&Scene { score, ..workshop() }).unwrap();
        instrument.keep_account_of_energy(true);
        let mut sound = vec![0.0; 2 * 240_000];
        instrument.process(&mut sound);
        let balance = instrument.engine().balance();
        assert!(balance.supplied > 0.0 && peak(&sound) > 1e-3, "{name}: {balance:?}");
        assert!(balance.residual() <= 1e-12, "{name}: {:e} {balance:?}", balance.residual());
    }
}

#[test]
fn a_hammer_reaches_a_point_that_moves_from_its_clearance_with_its_velocity() {
    let score = vec![play(0.01, PLUCK, 2e-3, 0.0), play(0.0137, HAMMER, 2.5, 0.0)];
    let mut instrument = Instrument::new(&Scene { score, ..workshop() }).unwrap();
    let before = (0.0137 * RATE).round() as usize;
    instrument.process(&mut vec![0.0; 2 * before]);
    instrument.act(&Action::Play { exciter: HAMMER, amount: 2.5, over: 0.0 }).unwrap();
    let compression = instrument.engine().compression(HAMMER_CONTACT).unwrap();
    assert!((compression + 1e-3).abs() < 1e-15, "{compression}");
    instrument.process(&mut vec![0.0; 2 * 2400]);
    // It may graze the moving string before it strikes.
    let blows = instrument.drain_contacts().filter(|contact| contact.contact == HAMMER_CONTACT);
    let contact = blows.max_by(|a, b| a.peak_force.total_cmp(&b.peak_force)).unwrap();
    assert!(contact.start > before as u64 && contact.v_in > 0.5 && contact.peak_force > 1.0, "{contact:?}");
}

#[test]
fn a_plectrum_slips_at_its_force_and_can_play_again() {
    let score = vec![play(0.01, PLECTRUM, 0.3, 0.0), play(0.5, PLECTRUM, 0.3, 0.0)];
    let mut instrument = Instrument::new(&Scene { score, ..workshop() }).unwrap();
    // It slips when its force reaches 1 N, between two samples: what is heard stays below.
    for _ in 0..2 {
        instrument.process(&mut vec![0.0; 24_000]);
        let contacts: Vec<_> = instrument.drain_contacts().collect();
        let strongest = contacts.iter().map(|contact| contact.peak_force).fold(0.0, f64::max);
        assert!((0.5..=1.0).contains(&strongest), "{contacts:?}");
        instrument.process(&mut vec![0.0; 24_000]);
        assert_eq!(instrument.drain_contacts().count(), 0, "it has left");
    }
}

#[test]
fn a_bow_that_leaves_is_not_heard_to_leave() {
    let sound = |score: Vec<Event>| {
        let mut instrument = Instrument::new(&Scene { score, ..workshop() }).unwrap();
        let mut sound = vec![0.0; 2 * 48_000];
        instrument.process(&mut sound);
        (instrument, sound.iter().step_by(2).copied().collect::<Vec<f64>>())
    };
    let (_, stays) = sound(vec![play(0.0, BOW, 0.15, 0.05)]);
    let (instrument, sound) = sound(vec![play(0.0, BOW, 0.15, 0.05), release(0.7, BOW, 0.05)]);
    assert_eq!(instrument.target_value(Parameter::Active(BOW_CONTACT)), Some(0.0));
    let (playing, leaving) = (&stays[24_000..36_100], &sound[33_600..36_100]);
    let jump = |sound: &[f64]| sound.windows(2).fold(0.0, |most: f64, pair| most.max((pair[1] - pair[0]).abs()));
    assert!(jump(leaving) <= 1.05 * jump(playing), "{} {}", jump(leaving), jump(playing));
    // The string rings on.
    assert!(peak(&sound[36_000..40_000]) > 0.05 * peak(playing));
}

#[test]
fn a_finger_quiets_a_string() {
    let loudness = |score: Vec<Event>| {
        let sound = heard_in_blocks(&Scene { score, ..workshop() }, 48_000, 512);
        peak(&sound[2 * 43_000..])
    };
    let free = loudness(vec![play(0.0, PLUCK, 1e-3, 0.0)]);
    let damped = loudness(vec![play(0.0, PLUCK, 1e-3, 0.0), play(0.2, FINGER, 2.0, 0.05)]);
    assert!(damped < 0.1 * free, "{damped} {free}");
}

#[test]
fn ramps_are_straight_lines_in_steps_of_sixteen_samples() {
    let parameter = Parameter::Law(BOW_CONTACT, 0);
    let score = vec![set(100.0 / RATE, parameter, 2.5, 1600.0 / RATE)];
    let mut instrument = Instrument::new(&Scene { score, ..workshop() }).unwrap();
    for sample in 0..2000_u32 {
        instrument.process(&mut [0.0; 2]);
        let step = f64::from(sample / 16 * 16);
        let part = ((step - 100.0) / 1600.0).clamp(0.0, 1.0);
        let value = instrument.target_value(parameter).unwrap();
        assert!((value - (0.5 + 2.0 * part)).abs() < 1e-12, "{sample}: {value}");
    }
    assert_eq!(instrument.target_value(parameter), Some(2.5));
}

#[test]
fn a_barrier_glides_to_its_height_without_a_staircase() {
    let parameter = Parameter::Height(ObjectId::new(4));
    let score = vec![set(0.0, parameter, 1e-3, 0.1)];
    let mut instrument = Instrument::new(&Scene { score, ..workshop() }).unwrap();
    let mut heights = vec![0.0];
    for _ in 0..4900 {
        instrument.process(&mut [0.0; 2]);
        heights.push(instrument.target_value(parameter).unwrap());
    }
    let steepest = heights.windows(2).fold(0.0, |most: f64, pair| most.max(pair[1] - pair[0]));
    assert!((steepest / (1e-3 / 4800.0) - 1.0).abs() < 1e-9);
    assert_eq!(heights.last(), Some(&1e-3));
}

#[test]
fn what_is_set_can_be_read_and_what_is_not_there_is_refused() {
    let mut instrument = Instrument::new(&workshop()).unwrap();
    let parameters = [
        (Parameter::Law(HAMMER_CONTACT, 1), 2.0),
        (Parameter::Damping(FINGER_CONTACT), 0.3),
        (Parameter::Gap(HAMMER_CONTACT), 1e-4),
        (Parameter::Active(FINGER_CONTACT), 1.0),
        (Parameter::Along(BOW_CONTACT, End::To), 0.21),
        (Parameter::Velocity(BOW_BARRIER), 0.3),
        (Parameter::Level(ForceId::new(0)), 2.0),
        (Parameter::Gain(PickupId::new(1)), 0.5),
        (Parameter::PickupAlong(PickupId::new(1)), 0.25),
        (Parameter::Amount(BOW), 0.4),
    ];
    for (parameter, value) in parameters {
        instrument.set_target(parameter, value).unwrap();
        assert_eq!(instrument.target_value(parameter), Some(value), "{parameter:?}");
        for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            if !matches!(parameter, Parameter::Active(_)) || wild.is_nan() {
                assert!(instrument.set_target(parameter, wild).is_err(), "{parameter:?} {wild}");
            }
            assert_eq!(instrument.target_value(parameter), Some(value));
        }
    }
    let absent = [
        Parameter::Law(ContactId::new(99), 0),
        Parameter::Law(ContactId::new(0), 9),
        Parameter::Along(HAMMER_CONTACT, End::From),
        Parameter::Across(BOW_CONTACT, End::To),
        Parameter::Velocity(STRING),
        Parameter::Bend(BOW_BARRIER),
        Parameter::Level(ForceId::new(7)),
        Parameter::Gain(PickupId::new(2)),
        Parameter::Amount(ExciterId::new(17)),
    ];
    for parameter in absent {
        assert!(
            instrument.set_target(parameter, 0.5).is_err() && instrument.target_value(parameter).is_none(),
            "{parameter:?}"
        );
        let action = Action::Set { targets: vec![parameter], value: 0.5, over: 0.1, logarithmic: false };
        assert!(instrument.act(&action).is_err());
    }
}

#[test]
fn a_pluck_can_be_moved_and_is_back_after_a_reset() {
    let pluck_at = |centre: f64| {
        let score = vec![set(0.01, Parameter::Centre(PLUCK), centre, 0.0), play(0.01, PLUCK, 1e-3, 0.0)];
        heard_in_blocks(&Scene { score, ..workshop() }, 4800, 480)
    };
    assert!(
        pluck_at(0.3) == heard_in_blocks(&Scene { score: vec![play(0.01, PLUCK, 1e-3, 0.0)], ..workshop() }, 4800, 480)
    );
    assert!(pluck_at(0.3) != pluck_at(0.5));
    let mut instrument = Instrument::new(&workshop()).unwrap();
    instrument.set_target(Parameter::Centre(PLUCK), 0.7).unwrap();
    assert_eq!(instrument.target_value(Parameter::Centre(PLUCK)), Some(0.7));
    instrument.reset();
    assert_eq!(instrument.target_value(Parameter::Centre(PLUCK)), Some(0.3));
    assert!(
        instrument.set_target(Parameter::Centre(PLUCK), 1.5).is_err()
            && instrument.set_target(Parameter::Centre(BOW), 0.5).is_err()
    );
}

#[test]
fn a_mass_at_rest_sinks_in_when_what_it_lies_on_softens() {
    let felt = OneSidedPower::new(1e4, 1.0, 0.0).unwrap();
    let weight = 0.0981;
    let model = Model::new(RATE)
        .with("table", BarrierSpec::default())
        .with("ball", MassSpec::free(0.01))
        .join(Interaction { damping: 2.0, ..Interaction::new("felt", Point::of("table"), Point::of("ball"), felt) })
        .drive(Force { name: "weight".into(), at: Point::of("ball"), level: -weight, signal: None })
        .listen(Pickup { source: Source::Velocity(Point::of("ball")), gains: vec![1.0] });
    for over in [0.0, 0.1] {
        let mut instrument = Instrument::new(&scene(model.clone())).unwrap();
        instrument.keep_account_of_energy(true);
        for stiffness in [1e4, 3e3, 1e3] {
            let action = Action::Set {
                targets: vec![Parameter::Law(ContactId::new(0), 0)],
                value: stiffness,
                over,
                logarithmic: false,
            };
            instrument.act(&action).unwrap();
            instrument.process(&mut vec![0.0; 48_000]);
            let compression = instrument.engine().compression(ContactId::new(0)).unwrap();
            assert!((compression * stiffness / weight - 1.0).abs() < 1e-2, "{stiffness}: {compression}");
        }
        assert!(instrument.engine().balance().residual() < 1e-12, "{:?}", instrument.engine().balance());
    }
}

#[test]
fn a_control_starts_where_it_says_and_stays_in_its_range() {
    let mut scene = workshop();
    scene.controls[0].value = 3.0;
    let mut instrument = Instrument::new(&scene).unwrap();
    let parameter = Parameter::Law(BOW_CONTACT, 0);
    assert_eq!((instrument.control(ControlId::new(0)), instrument.target_value(parameter)), (Some(3.0), Some(3.0)));
    instrument.turn(ControlId::new(0), 100.0).unwrap();
    instrument.process(&mut [0.0; 2000]);
    assert_eq!((instrument.control(ControlId::new(0)), instrument.target_value(parameter)), (Some(5.0), Some(5.0)));
    assert!(instrument.turn(ControlId::new(0), f64::NAN).is_err() && instrument.turn(ControlId::new(2), 1.0).is_err());
    assert_eq!(instrument.control(ControlId::new(0)), Some(5.0));
}

#[test]
fn tools_without_their_parts_are_named() {
    let mut scene = workshop();
    scene.exciters[BOW.index()].tool = ictus_scene::tools::Bow { barrier: STRING, contact: BOW_CONTACT }.into();
    let error = Instrument::new(&scene).unwrap_err();
    assert!(matches!(&error, BuildError::Exciter { name, .. } if name == "bow"), "{error}");
    assert_eq!(error.to_string(), "exciter `bow`: no barrier number 0 that could take this");
}
