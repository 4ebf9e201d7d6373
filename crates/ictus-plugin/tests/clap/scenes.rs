//! Every scene of the gallery; scenes kept in projects, changed while they sound, and such as cannot be played.

use std::time::{Duration, Instant};

use crate::host::{Host, INSTRUMENT, Said, perform, text};
use crate::reference::{rendered, scene};

const RATE: f64 = 48_000.0;

#[test]
fn every_scene_of_the_gallery_plays_as_it_is_rendered() {
    for (name, text) in ictus_render::GALLERY {
        let read = scene(text, RATE, &[]);
        let frames = 4800;
        let key = read.notes.as_ref().and_then(|notes| notes.keys().nth(notes.keys().count() / 2));
        // One without keys is played by a controller that it names, or only left alone.
        let said: Vec<_> = match key {
            Some(key) => vec![(0, Said::On(0, key, 100)), (2400, Said::Off(0, key))],
            None => vec![(50, Said::Midi([0xb0, 1, 100])), (2400, Said::Midi([0xb0, 74, 20]))],
        };
        let expected = rendered(read, &said, frames);
        let heard = perform(&mut Host::of_gallery(name, RATE), &said, frames, 512);
        assert!(heard.iter().zip(&expected).all(|(one, other)| one.to_bits() == other.to_bits()), "{name}");
        let sounds = |heard: &[f32]| heard.iter().any(|sample| *sample != 0.0);
        // What is tossed is heard when it lands.
        let later = || sounds(&perform(&mut Host::of_gallery(name, RATE), &said, 20 * frames, 512));
        assert!(key.is_none() || sounds(&heard) || later(), "{name} sounds");
    }
}

#[test]
fn a_project_comes_back_as_it_was_saved() {
    let name = "bowed-bar";
    let mut host = Host::of_gallery(name, RATE);
    let knob = host.parameter("Control 1");
    perform(&mut host, &[(0, Said::Turn(knob, 0.25))], 100, 100);
    let saved = host.save();
    let kept = String::from_utf8_lossy(&saved).into_owned();
    assert!(kept.contains(name) && kept.contains("Bowed bar"), "the text is kept");

    let mut other = Host::new(INSTRUMENT);
    assert!(other.restore(&saved));
    other.start(RATE);
    assert!((other.value(knob) - 0.25).abs() < 1e-6);
    let scene_parameter = other.parameter("Scene");
    let number = other.value(scene_parameter);
    assert_eq!(other.words(scene_parameter, number), name);
    let said = [(0, Said::On(0, 57, 100))];
    let heard = perform(&mut other, &said, 9600, 512);

    // As if the scene had been written so; the other knobs stay as the scene says.
    let value = scene(text(name), RATE, &[]).controls[0].value_at(f64::from(0.25_f32));
    let expected = rendered(scene(text(name), RATE, &[("bow-force", &format!("{value}"))]), &said, 9600);
    let differs = heard.iter().zip(&expected).position(|(one, other)| one.to_bits() != other.to_bits());
    let most = heard.iter().zip(&expected).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    assert_eq!(differs, None, "as set in the scene, to {most}");
    let plain = rendered(scene(text(name), RATE, &[]), &said, 9600);
    assert!(heard != plain, "the knob is heard");
    assert_eq!(other.save(), saved, "saved again, it is the same");
}

#[test]
fn a_text_of_ones_own_is_kept_and_what_cannot_be_read_is_silent() {
    let own = text("vibraphone").replace("Vibraphone", "My own");
    let mut host = Host::playing(INSTRUMENT, "mine", &own);
    host.start(RATE);
    let parameter = host.parameter("Scene");
    let number = host.value(parameter);
    assert_eq!((number, host.words(parameter, number).as_str()), (0.0, "own scene"));
    let said = [(0, Said::On(0, 60, 100))];
    let expected = rendered(scene(&own, RATE, &[]), &said, 4800);
    assert!(perform(&mut host, &said, 4800, 512) == expected);

    for broken in ["", "ictus = 1\n[objects.string]\nkind = \"strnig\"\n", "\u{0}", "ictus = 99"] {
        let mut host = Host::playing(INSTRUMENT, "broken", broken);
        host.start(RATE);
        assert!(perform(&mut host, &said, 4800, 512).iter().all(|sample| *sample == 0.0), "silence");
        let saved = String::from_utf8_lossy(&host.save()).into_owned();
        let choice: serde_json::Value = serde_json::from_str(&saved[8..]).expect("a state is JSON");
        let kept: serde_json::Value =
            serde_json::from_str(choice["fields"]["scene"].as_str().expect("it has a scene")).expect("it is JSON");
        assert_eq!(kept["text"], broken, "the text is kept");
        // And it plays again once it is mended.
        host.load("mine", &own);
        assert!(perform(&mut host, &said, 4800, 512) == expected, "mended");
    }
}

#[test]
fn what_is_no_state_is_refused_and_changes_nothing() {
    let mut host = Host::of_gallery("vibraphone", RATE);
    let before = host.save();
    for wrong in [&b""[..], b"12345678", b"\x05\0\0\0\0\0\0\0nonse", &[255; 64]] {
        assert!(!host.restore(wrong));
    }
    assert_eq!(host.save(), before);
}

/// The largest step between two samples of a channel.
fn steepest(sound: &[f32]) -> f32 {
    sound.windows(3).map(|three| (three[2] - three[0]).abs()).fold(0.0, f32::max)
}

#[test]
fn another_scene_takes_over_without_a_click() {
    let mut host = Host::of_gallery("vibraphone", RATE);
    let before = perform(&mut host, &[(0, Said::On(0, 57, 110))], 24_000, 512);
    let loud = before[40_000..].iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    assert!(loud > 1e-3, "it sounds");
    host.load("harp", text("harp"));
    let after = perform(&mut host, &[], 4800, 512);
    assert!(steepest(&after) <= steepest(&before[40_000..]) * 1.01, "no click");
    assert!(after[..400].iter().any(|sample| sample.abs() > 0.3 * loud), "it does not stop at once");
    assert!(after[2 * 600..].iter().all(|sample| *sample == 0.0), "the other is at rest");
}

#[test]
fn a_scene_is_chosen_by_its_parameter_off_the_audio_thread() {
    let mut host = Host::of_gallery("vibraphone", RATE);
    let parameter = host.parameter("Scene");
    let harp = host.value_of(parameter, "harp").expect("it has a number");
    let knob = host.parameter("Control 1");
    let control = &scene(text("harp"), RATE, &[]).controls[0];
    let is_harp = |host: &mut Host| host.words(knob, 0.5).starts_with(&control.name.replace('-', " "));
    assert!(!is_harp(&mut host));
    perform(&mut host, &[(0, Said::Turn(parameter, harp))], 512, 512);
    // It is built by another thread: how soon is up to the machine.
    let start = Instant::now();
    while !is_harp(&mut host) {
        assert!(start.elapsed() < Duration::from_secs(60), "the harp never came");
        std::thread::yield_now();
    }
    let heard = perform(&mut host, &[(0, Said::On(0, 60, 100))], 4800, 512);
    assert!(heard.iter().any(|sample| *sample != 0.0), "it sounds");
    assert!(String::from_utf8_lossy(&host.save()).contains("harp"));
}
