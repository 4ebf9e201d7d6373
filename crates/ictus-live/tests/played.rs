//! The instrument alone, without a socket: played by hand as it should be, and in storms of random extremes.

use std::path::Path;

use ictus::contact::Rule;
use ictus_analysis::{PitchRange, fundamental};
use ictus_live::limiter::Limiter;
use ictus_live::protocol::{Gesture, Hand, ParameterName};
use ictus_live::{Gallery, Stage};
use ictus_scene::{Instrument, Reading, Scene, Source, read};

use crate::dice::Dice;

const RATE: f64 = 48_000.0;

fn any_gesture(dice: &mut Dice, instrument: &Stage) -> Gesture {
    let description = instrument.describe();
    let object = dice.below(description.objects.len() + 1);
    let contacts = vec![dice.below(description.contacts.len() + 1)];
    let at = vec![dice.value(), dice.fraction()];
    match dice.below(16) {
        0 => Gesture::Strike { object, at, velocity: dice.value() },
        1 | 2 => Gesture::Bow { object, at, velocity: dice.value(), force: dice.value() },
        3 => Gesture::Pull { object, at, height: dice.value() },
        4 => Gesture::Pluck { object, at, height: dice.value() },
        5 => Gesture::Damp { object, at },
        6 => Gesture::Release { object, hand: [Hand::Bow, Hand::Pull, Hand::Damp][dice.below(3)] },
        7 => Gesture::NoteOn { key: dice.below(256) as u8, velocity: dice.value() },
        8 => Gesture::NoteOff { key: dice.below(256) as u8 },
        9 => Gesture::Bend { amount: dice.value() },
        10 | 11 => Gesture::Turn { control: dice.below(description.controls.len() + 1), value: dice.value() },
        12..=14 => {
            let parameters = instrument.instrument().parameters();
            let number = dice.below(parameters.len() + 1);
            let parameter = match parameters.get(number).filter(|_| dice.below(2) == 0) {
                Some(info) => ParameterName::Path(info.path.clone()),
                None => ParameterName::Number(number),
            };
            Gesture::Set { parameter, value: dice.value() }
        }
        _ => Gesture::Rule { contacts, rule: Rule::ALL[dice.below(Rule::ALL.len())] },
    }
}

fn gallery() -> Gallery {
    Gallery::folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")).expect("the scenes are there")
}

fn scenes() -> Vec<(String, Scene)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let options = Reading { rate: Some(RATE), ..Reading::default() };
    let scene = |name: String| {
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).expect("is there");
        let scene = read(&Source::new(name.as_str(), text.as_str()), &options).expect("can be read");
        (name, scene)
    };
    gallery().list().into_iter().map(|listed| scene(listed.name)).collect()
}

/// One channel on both sides, of more every second one on each.
fn on_two_sides(sound: &[f64], channels: usize) -> Vec<f64> {
    let side = |frame: &[f64], first: usize| frame.iter().skip(first).step_by(2).sum::<f64>();
    let sides = |frame: &[f64]| [side(frame, 0), if channels == 1 { frame[0] } else { side(frame, 1) }];
    sound.chunks_exact(channels).flat_map(sides).collect()
}

/// With hands at every object, the account kept, after other things were played, and in other blocks. Two seconds of each score; all of it with
/// `ICTUS_WHOLE_SCORES=1`, of the scenes named there if it names some.
#[test]
fn a_score_played_live_is_its_render_bit_for_bit() {
    let whole = std::env::var("ICTUS_WHOLE_SCORES").unwrap_or_default();
    let most = if whole.is_empty() { 2.0 } else { f64::INFINITY };
    let named: Vec<&str> = whole.split(',').filter(|name| !matches!(*name, "" | "1")).collect();
    for (name, scene) in scenes().into_iter().filter(|(name, _)| named.is_empty() || named.contains(&name.as_str())) {
        let frames = (scene.duration.min(most) * RATE) as usize;
        let mut instrument = Instrument::new(&scene).expect("is built");
        let mut sound = vec![0.0; frames * instrument.channels()];
        sound.chunks_mut(1000 * instrument.channels()).for_each(|block| instrument.process(block));
        let rendered = on_two_sides(&sound, instrument.channels());

        let mut stage = Stage::new(&name, &scene).expect("is built");
        for object in 0..scene.model.objects.len() {
            let _ = stage.play(&Gesture::Strike { object, at: vec![0.3, 0.4], velocity: 2.0 });
        }
        stage.hear(&[0.01; 128]);
        stage.process(&mut [0.0; 2 * 777]);
        stage.play(&Gesture::Score { play: true }).expect("plays");
        let mut live = vec![0.0; 2 * frames];
        live.chunks_mut(2 * 128).for_each(|block| stage.process(block));
        let differs = live.iter().zip(&rendered).position(|(live, rendered)| live != rendered);
        let most = live.iter().zip(&rendered).map(|(live, rendered)| (live - rendered).abs()).fold(0.0, f64::max);
        assert_eq!(differs, None, "{name}: of {}, by {most:e}", live.len());
        assert!(stage.account().kept && stage.instrument().breakdowns() == 0, "{name}");
        if !scene.score.is_empty() {
            assert!(live.iter().any(|sample| *sample != 0.0), "{name} is silent");
        }
    }
}

/// Hands follow in steps that are counted from the start: the same gestures at the same frames sound the same whatever the blocks.
#[test]
fn gestures_sound_the_same_whatever_the_blocks() {
    let (_, scene) = scenes().into_iter().find(|(name, _)| name == "hammered-string").expect("is there");
    let probe = Stage::new("string", &scene).expect("is built");
    let object = probe.describe().objects.iter().position(|object| object.kind == "string").expect("has a string");
    let force = probe.describe().objects[object].bow_force;
    let at = || vec![0.15];
    let gestures = [
        (0, Gesture::Strike { object, at: at(), velocity: 1.5 }),
        (3001, Gesture::Bow { object, at: at(), velocity: 0.2, force }),
        (5003, Gesture::Bow { object, at: at(), velocity: -0.1, force: 1.5 * force }),
        (9100, Gesture::Release { object, hand: Hand::Bow }),
        (12_011, Gesture::Pull { object, at: at(), height: 2e-3 }),
        (13_500, Gesture::Pull { object, at: at(), height: 3e-3 }),
        (16_000, Gesture::Release { object, hand: Hand::Pull }),
        (20_005, Gesture::Damp { object, at: at() }),
        (26_000, Gesture::Release { object, hand: Hand::Damp }),
    ];
    let played = |block: usize| {
        let mut stage = Stage::new("string", &scene).expect("is built");
        let mut sound = vec![0.0; 2 * 30_000];
        let mut from = 0;
        for (frame, gesture) in gestures.iter().map(|(frame, gesture)| (*frame, Some(gesture))).chain([(30_000, None)])
        {
            sound[2 * from..2 * frame].chunks_mut(2 * block).for_each(|block| stage.process(block));
            from = frame;
            if let Some(gesture) = gesture {
                stage.play(gesture).expect("is played");
            }
        }
        assert!(stage.account().residual < 1e-10, "{:?}", stage.account());
        sound
    };
    let whole = played(30_000);
    for (window, what) in [(0..3000, "struck"), (5000..9000, "bowed"), (16_000..20_000, "plucked")] {
        assert!(whole[2 * window.start..2 * window.end].iter().any(|sample| sample.abs() > 1e-4), "{what}");
    }
    assert!(played(1) == whole && played(128) == whole && played(1000) == whole);
}

/// A thousand changes per second of everything, as the server plays them: chunk, limiter, and rest when something breaks.
#[test]
fn storms_never_sound_beyond_full_scale_nor_as_something_that_is_no_number() {
    let scenes = gallery().list();
    // One scene alone gets as many storms as many scenes get together.
    let storms = 1 + 5 / scenes.len() as u64;
    for scene in &scenes {
        let scene = &scene.name;
        for seed in 1..=storms {
            let mut dice = Dice::new(seed);
            let mut instrument = gallery().open(scene, RATE).expect("opens");
            let mut limiter = Limiter::new(RATE);
            let mut block = [0.0; 96];
            for _ in 0..400 {
                let gesture = any_gesture(&mut dice, instrument.as_ref());
                // Refusals are fine; what counts is what is heard.
                let _ = instrument.play(&gesture);
                instrument.hear(&[dice.value(); 48]);
                instrument.process(&mut block);
                for frame in block.chunks_exact(2) {
                    let heard = limiter.step([frame[0], frame[1]]);
                    assert!(
                        heard.iter().all(|sample| sample.is_finite() && sample.abs() <= 1.0),
                        "{scene} {gesture:?}"
                    );
                }
                if limiter.take_broken() {
                    instrument.rest();
                }
            }
            // And it comes to rest afterwards.
            instrument.play(&Gesture::Reset {}).expect("rests");
            let mut state = Vec::new();
            instrument.write_state(&mut state);
            let numbers = state.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            assert!(numbers.into_iter().all(f32::is_finite), "{scene}");
        }
    }
}

#[test]
fn a_bowed_string_sounds_on_and_falls_silent_when_damped() {
    let mut instrument = gallery().open("hammered-string", RATE).expect("opens");
    let string = instrument.describe().objects.iter().position(|object| object.kind == "string").expect("has a string");
    let force = instrument.describe().objects[string].bow_force;
    let level = |instrument: &mut Stage, seconds: f64| {
        let mut block = vec![0.0; 2 * (seconds * RATE) as usize];
        instrument.process(&mut block);
        let tail = &block[block.len() / 2..];
        (tail.iter().map(|sample| sample * sample).sum::<f64>() / tail.len() as f64).sqrt()
    };
    let bow = Gesture::Bow { object: string, at: vec![0.12], velocity: 0.2, force };
    instrument.play(&bow).expect("bows");
    let bowed = level(instrument.as_mut(), 1.0);
    let later = level(instrument.as_mut(), 1.0);
    assert!(bowed > 1e-3 && later > 0.3 * bowed, "{bowed} {later}");
    instrument.play(&Gesture::Release { object: string, hand: Hand::Bow }).expect("leaves");
    instrument.play(&Gesture::Damp { object: string, at: vec![0.3] }).expect("damps");
    let silent = level(instrument.as_mut(), 3.0);
    assert!(silent < 0.02 * bowed, "{bowed} {silent}");
}

/// Whatever the speed of the hand, within reason, the bow plays the string's own pitch.
#[test]
fn a_string_bowed_by_hand_sounds_at_its_pitch() {
    for velocity in [0.12, 0.19, 0.3] {
        let mut instrument = gallery().open("hammered-string", RATE).expect("opens");
        let objects = instrument.describe().objects;
        let string = objects.iter().position(|object| object.kind == "string").expect("has a string");
        let force = objects[string].bow_force;
        instrument.play(&Gesture::Bow { object: string, at: vec![0.12], velocity, force }).expect("bows");
        let mut block = vec![0.0; 3 * RATE as usize];
        instrument.process(&mut block);
        let heard: Vec<f64> = block.iter().step_by(2).skip(RATE as usize).copied().collect();
        let range = PitchRange { lowest: 30.0, highest: 2000.0 };
        let pitch = fundamental(&heard, RATE, range).expect("is sound").expect("has a pitch").frequency;
        let expected = objects[string].pitch.expect("has a pitch");
        assert!((1200.0 * (pitch / expected).log2()).abs() < 20.0, "{velocity} m/s: {pitch} Hz of {expected} Hz");
    }
}

#[test]
fn rest_leaves_the_notes_of_a_set_as_different_as_they_were() {
    let scene = "ictus = 1\ntitle = \"Balls\"\n[sets.balls]\nnotes = [\"C4\", \"C6\"]\n\
        object = { kind = \"mass\", mass = \"10 g\", t60 = \"1 s\" }\n\
        exciters.hammer = { kind = \"hammer\", on = \"each\", mass = \"5 g\", stiffness = { low = 1e5, high = 1e8 } }\n\
        pickups.out = { at = \"each\" }\n[notes]\nplay = \"balls.hammer\"\n\
        [controls.hardness]\nparameter = \"balls.hammer.stiffness\"\nrange = [1e4, 1e9]\nscale = \"log\"\n";
    let folder = tempfile::tempdir().expect("a directory");
    std::fs::write(folder.path().join("balls.toml"), scene).expect("can be written");
    let gallery = Gallery::folder(folder.path()).expect("a gallery");
    let heard = |before: &[Gesture]| {
        let mut instrument = gallery.open("balls", RATE).expect("opens");
        before.iter().for_each(|gesture| instrument.play(gesture).expect("is played"));
        instrument.play(&Gesture::NoteOn { key: 84, velocity: 0.8 }).expect("is played");
        let mut block = vec![0.0; 4800];
        instrument.process(&mut block);
        block
    };
    let fresh = heard(&[]);
    assert!(fresh.iter().any(|sample| *sample != 0.0));
    assert_eq!(heard(&[Gesture::Reset {}]), fresh);
    // What was turned stays turned.
    assert_ne!(heard(&[Gesture::Turn { control: 0, value: 1e6 }, Gesture::Reset {}]), fresh);
}
