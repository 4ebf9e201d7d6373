//! What goes in and comes out beside notes: audio from outside, and outputs for every channel.

use crate::host::{Block, Host, RESONATOR, STEMS, Said, text};
use crate::reference::{rendered, scene};

const RATE: f64 = 48_000.0;

const THREE: &str = include_str!("../scenes/stems.toml");

#[test]
fn every_channel_of_the_scene_has_an_output() {
    let mut host = Host::playing(STEMS, "three", THREE);
    host.start(RATE);
    let said = [(0, Said::On(0, 60, 100)), (0, Said::On(0, 62, 60))];
    let mut block = Block::default();
    said.iter().for_each(|(_, said)| said.put(&mut block.events, 0));
    let outputs = host.play(4800, &block);
    let expected = rendered(scene(THREE, RATE, &[]), &said, 4800);
    for channel in 0..3 {
        let of_channel: Vec<f32> = expected.iter().skip(channel).step_by(3).copied().collect();
        assert!(outputs[2 + channel] == of_channel, "channel {channel}");
    }
    assert!(outputs[2].iter().any(|sample| *sample != 0.0) && outputs[2] != outputs[3]);
    assert!(outputs[4..].iter().flatten().all(|sample| *sample == 0.0), "nothing is on the others");
    // Of more than two channels every second one goes to each side.
    assert!(outputs[0] == outputs[2] && outputs[1] == outputs[3]);
}

/// What is driven by audio is what a force with these samples drives, to rounding of the host's single precision.
#[test]
fn audio_from_outside_drives_the_force_that_is_called_input() {
    let input: Vec<f32> =
        (0..4800).map(|n| if n < 3000 { (n as f32 * 0.05).sin() * (n % 7) as f32 / 7.0 } else { 0.0 }).collect();
    let mut driven = scene(THREE, RATE, &[]);
    driven.model.forces[0].signal = Some(input.iter().map(|sample| f64::from(*sample)).collect());
    let mut engine = driven.model.build().expect("it is built");
    let force = engine.force("input").expect("there is such a force");
    engine.change(&ictus::control::Change::Trigger { force }).expect("it plays");
    let mut expected = vec![0.0; 3 * 4800];
    engine.process(&mut expected);
    let expected: Vec<f32> = expected.iter().skip(2).step_by(3).map(|sample| *sample as f32).collect();
    assert!(expected.iter().any(|sample| sample.abs() > 1e-3));
    for blocks in [1, 100, 512, 4800] {
        let mut host = Host::playing(STEMS, "three", THREE);
        host.start(RATE);
        let mut heard: Vec<f32> = Vec::new();
        for part in input.chunks(blocks) {
            heard.extend(host.play(part.len(), &Block { input: Some(part), ..Block::default() })[4].iter());
        }
        assert!(heard == expected, "in blocks of {blocks}");
    }
}

#[test]
fn the_resonator_sounds_when_something_comes_in_and_only_then() {
    let tone: Vec<f32> = (0..24_000).map(|n| 0.5 * (n as f32 * 0.03).sin()).collect();
    let expected_level = 1e-3..10.0_f32;
    let mut scenes = vec![("driven-plate", None), ("struck-string", None), ("rubbed-bar", None)];
    scenes.push(("vibraphone", Some(text("vibraphone"))));
    for (name, of_gallery) in scenes {
        let of_folder = std::fs::read_to_string(format!("{}/scenes/{name}.toml", env!("CARGO_MANIFEST_DIR")));
        let text = of_gallery.map_or_else(|| of_folder.expect("it is there"), str::to_owned);
        let mut host = Host::playing(RESONATOR, name, &text);
        host.start(RATE);
        let quiet = host.play(4800, &Block::default()).concat();
        assert!(quiet.iter().all(|sample| sample.abs() < 1e-6), "{name} is quiet by itself");
        let mut sound = Vec::new();
        for part in tone.chunks(512) {
            sound.extend(host.play(part.len(), &Block { input: Some(part), ..Block::default() }).swap_remove(0));
        }
        let peak = sound.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
        eprintln!("{name}: peak {peak}");
        assert!(expected_level.contains(&peak), "{name}: {peak}");
        assert!(sound.iter().all(|sample| sample.is_finite()));
    }
}

/// The example of docs/plugin.md, on the plate it speaks of.
#[test]
fn the_signal_in_the_documentation_is_one() {
    let page = include_str!("../../../../docs/plugin.md");
    let (_, rest) = page.split_once("```toml\n").expect("it has an example");
    let (example, _) = rest.split_once("```").expect("the example ends");
    let text = format!(
        "ictus = 1\ntitle = \"An example\"\n[objects.plate]\nkind = \"plate\"\nsides = [\"60 cm\", \"45 cm\"]\n\
         thickness = \"1 mm\"\nmaterial = \"steel\"\n{example}\n[pickups.ear]\nat = \"plate@0.2,0.3\"\n"
    );
    assert_eq!(scene(&text, RATE, &[]).model.forces[0].name, "input");
}

#[test]
fn nothing_is_late() {
    for id in [crate::host::INSTRUMENT, STEMS, RESONATOR] {
        let mut host = Host::new(id);
        host.start(RATE);
        assert_eq!(host.latency().unwrap_or(0), 0, "{id}");
    }
}
