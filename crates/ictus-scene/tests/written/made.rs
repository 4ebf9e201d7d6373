//! Scenes made in Rust, without any text: they read back, and sound the same.

use ictus_scene::scene::{Action, Event};
use ictus_scene::{Instrument, Reading, Scene, Source, read, write};

use super::text::{assert_reads_back, back};
use crate::scenes::{busy_score, harp, lute, workshop};

fn sound(scene: &Scene) -> Vec<f64> {
    let mut player = Instrument::new(scene).unwrap();
    let mut sound = vec![0.0; (scene.duration * scene.model.rate) as usize * player.channels()];
    player.process(&mut sound);
    sound
}

fn reads_back_and_sounds_the_same(name: &str, scene: &Scene) {
    assert_reads_back(name, scene);
    let (before, after) = (sound(scene), sound(&back(name, &write(scene).unwrap())));
    assert!(before.iter().any(|sample| *sample != 0.0), "{name} is silent");
    assert!(before.iter().zip(&after).all(|(a, b)| a.to_bits() == b.to_bits()), "{name}");
}

#[test]
fn a_workshop_of_all_tools_sounds_the_same() {
    let scene = Scene { score: busy_score(), duration: 1.5, ..workshop() };
    reads_back_and_sounds_the_same("workshop", &scene);
}

#[test]
fn played_keys_sound_the_same() {
    let at = |time, action| Event { time, action };
    let mut score = Vec::new();
    for (number, key) in [60_u8, 64, 67].into_iter().enumerate() {
        let time = 0.05 * number as f64;
        score.push(at(time, Action::NoteOn { key, velocity: 0.5 }));
        score.push(at(time + 0.05, Action::NoteOff { key }));
    }
    score.push(at(0.2, Action::Sustain(true)));
    score.push(at(0.2, Action::NoteOn { key: 62, velocity: 0.8 }));
    score.push(at(0.25, Action::NoteOff { key: 62 }));
    score.push(at(0.3, Action::PitchBend(1.5)));
    score.push(at(0.4, Action::Sustain(false)));
    score.sort_by(|a, b| a.time.total_cmp(&b.time));
    let played = |scene: Scene| Scene { score: score.clone(), duration: 0.6, ..scene };
    reads_back_and_sounds_the_same("harp", &played(harp(&[60, 62, 64, 67])));
    reads_back_and_sounds_the_same("lute", &played(lute(3, [60, 72])));
}

#[test]
fn what_a_set_comes_to_can_be_changed_one_by_one() {
    let sets = super::corpus::texts().into_iter().find(|source| source.name == "sets.toml").unwrap();
    let text = write(&super::corpus::scene_at(&sets, 48_000.0)).unwrap();
    let overrides = vec![("bars.mallet.C4.velocity".to_owned(), "3 m/s".to_owned())];
    let options = ictus_scene::Reading { overrides, ..ictus_scene::Reading::default() };
    let scene = ictus_scene::read(&ictus_scene::Source::new("bars.toml", text), &options).unwrap();
    let amount = |name: &str| scene.exciters.iter().find(|exciter| exciter.name == name).unwrap().amount;
    assert_eq!((amount("bars.mallet.C4"), amount("bars.mallet.D4")), (3.0, 1.0));
}

#[test]
fn tools_are_written_as_people_write_them() {
    let text = write(&super::corpus::scene_at(&super::corpus::texts()[0], 48_000.0)).unwrap();
    let expected = "[exciters.mallet]\nkind = \"hammer\"\non = \"string@0.12\"\nmass = \"5 g\"\nstiffness = 1e8\nexponent = 2.3\ndissipation = \"0.1 s/m\"\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("material = \"spruce\"") && text.contains("gain = \"12 dB\""), "{text}");
    assert!(text.contains("gain = \"-6 dB\"\npan = -0.3\n"), "{text}");
}

#[test]
fn long_signals_are_written_by_their_shape() {
    for shape in [
        "pulse",
        "noise",
        "sine\"\nfrequency = \"431.7 Hz",
        "sine\"\nfrequency = \"0.03 Hz",
        "sine\"\nfrequency = \"21 kHz",
    ] {
        let text = format!(
            "ictus = 1\ntitle = \"x\"\n[objects.ball]\nkind = \"mass\"\nmass = 1\n[pickups.ear]\nat = \"ball\"\n\
             [exciters.push]\nkind = \"signal\"\non = \"ball\"\nlength = \"21 s\"\nshape = \"{shape}\"\n"
        );
        let scene = read(&Source::new("long.toml", text), &Reading::default()).unwrap();
        assert_reads_back(shape, &scene);
        assert!(write(&scene).unwrap().len() < 1000, "{shape}");
    }
}

/// A text may be short enough and yet hold more numbers than the reader takes.
#[test]
fn a_scene_of_too_many_numbers_is_not_written() {
    let mut scene = workshop();
    for count in [1000, 170_000, 300_000] {
        scene.model.forces[0].signal = Some((0..count).map(|n| f64::from(n % 97) / 64.0).collect());
        let read_back = write(&scene).map(|text| read(&Source::new("long.toml", text), &Reading::default()).is_ok());
        match (count, read_back) {
            (1000, Ok(true)) => {}
            (_, Err(error)) => assert!(error.to_string().contains("MB; the limit is 56 MB"), "{error}"),
            (_, readable) => panic!("{count}: {readable:?}"),
        }
    }
}
