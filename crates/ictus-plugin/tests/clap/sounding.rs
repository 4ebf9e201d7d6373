//! What goes in and comes out beside notes: audio from outside, outputs for every channel, the scene's own score.

use clack_host::events::event_types::{TransportEvent, TransportFlags};
use clack_host::events::{EventFlags, EventHeader};
use clack_host::utils::{BeatTime, SecondsTime};

use crate::host::{Block, Host, INSTRUMENT, RESONATOR, STEMS, Said, perform, text};
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

fn transport(seconds: f64, tempo: f64) -> TransportEvent {
    let beats = seconds * tempo / 60.0;
    TransportEvent {
        header: EventHeader::new_core(0, EventFlags::empty()),
        flags: TransportFlags::IS_PLAYING | TransportFlags::HAS_TEMPO | TransportFlags::HAS_BEATS_TIMELINE,
        song_pos_beats: BeatTime::from_float(beats),
        song_pos_seconds: SecondsTime::from_float(seconds),
        tempo,
        tempo_inc: 0.0,
        loop_start_beats: BeatTime::from_float(0.0),
        loop_end_beats: BeatTime::from_float(0.0),
        loop_start_seconds: SecondsTime::from_float(0.0),
        loop_end_seconds: SecondsTime::from_float(0.0),
        bar_start: BeatTime::from_float(0.0),
        bar_number: 0,
        time_signature_numerator: 4,
        time_signature_denominator: 4,
    }
}

fn with_score(tempo: f64, frames: usize, blocks: usize) -> Vec<f32> {
    let mut host = Host::playing(INSTRUMENT, "hammered-string", text("hammered-string"));
    let score = host.parameter("Play the score");
    host.start(RATE);
    perform(&mut host, &[(0, Said::Turn(score, 1.0))], 64, 64);
    let mut sound = Vec::new();
    for from in (0..frames).step_by(blocks) {
        let transport = Some(transport(from as f64 / RATE, tempo));
        let count = blocks.min(frames - from);
        let outputs = host.play(count, &Block { transport, ..Block::default() });
        sound.extend((0..count).flat_map(|frame| [outputs[0][frame], outputs[1][frame]]));
    }
    sound
}

#[test]
fn the_scenes_score_plays_with_the_host_and_follows_its_tempo() {
    let frames = 96_000;
    let expected = rendered(scene(text("hammered-string"), RATE, &[]), &[], frames);
    for blocks in [512, 8192] {
        assert!(
            with_score(120.0, frames, blocks) == expected,
            "at 120 beats per minute it is as written, in blocks of {blocks}"
        );
    }
    // The first blow is at 0.1 s, and at twice the tempo at half of it.
    let begins = |sound: &[f32]| sound.iter().position(|sample| *sample != 0.0).map(|at| at / 2);
    let (written, fast) = (begins(&expected), begins(&with_score(240.0, 9600, 512)));
    let (written, fast) = (written.expect("it sounds"), fast.expect("it sounds"));
    assert!((written as i64 - fast as i64 - 2400).abs() <= 1, "{written} {fast}");
}
