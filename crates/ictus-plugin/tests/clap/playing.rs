//! Notes, pedal, wheel and controllers.

use clack_host::events::event_types::{NoteExpressionEvent, NoteExpressionType};

use crate::host::{Block, Host, INSTRUMENT, Said, note, perform, text};
use crate::reference::{rendered, scene};

const RATE: f64 = 48_000.0;

/// Something of everything: struck again, on two channels, pedal, wheel, controllers.
pub fn piece() -> Vec<(usize, Said)> {
    use Said::{Midi, Off, On};
    vec![
        (0, On(0, 60, 100)),
        (2400, On(0, 64, 1)),
        (4800, Midi([0xb0, 64, 127])),
        (6000, On(1, 67, 127)),
        (7200, Off(0, 60)),
        (8400, Midi([0xe0, 0x12, 0x5a])),
        (9600, On(0, 60, 30)),
        (12_000, Midi([0xb0, 64, 0])),
        (13_200, Midi([0xb0, 11, 90])),
        (14_400, Midi([0xe0, 0, 0x40])),
        (15_600, Off(0, 60)),
        (16_800, Off(1, 67)),
        (18_000, Midi([0xb0, 123, 0])),
    ]
}

fn assert_equal(heard: &[f32], expected: &[f32], what: &str) {
    assert_eq!(heard.len(), expected.len(), "{what}");
    let differs = heard.iter().zip(expected).position(|(one, other)| one.to_bits() != other.to_bits());
    assert_eq!(differs, None, "{what} differs");
}

#[test]
fn a_performance_is_a_render_to_the_bit_whatever_the_blocks() {
    let frames = 24_000;
    for name in ["vibraphone", "bowed-bar"] {
        let expected = rendered(scene(text(name), RATE, &[]), &piece(), frames);
        assert!(expected.iter().any(|sample| sample.abs() > 1e-3), "{name} sounds");
        for blocks in [1, 64, 100, 512, 8192] {
            let mut host = Host::of_gallery(name, RATE);
            assert_equal(
                &perform(&mut host, &piece(), frames, blocks),
                &expected,
                &format!("{name} in blocks of {blocks}"),
            );
        }
    }
}

#[test]
fn blocks_that_vary_make_no_difference() {
    let expected = rendered(scene(text("bowed-bar"), RATE, &[]), &piece(), 24_000);
    let mut host = Host::of_gallery("bowed-bar", RATE);
    let (mut heard, mut from) = (Vec::new(), 0);
    for number in 0.. {
        let count = [1, 700, 0, 64, 3, 255, 256, 257, 0, 2048, 31][number % 11].min(24_000 - from);
        let said: Vec<_> = piece()
            .into_iter()
            .filter(|(at, _)| (from..from + count).contains(at))
            .map(|(at, s)| (at - from, s))
            .collect();
        heard.extend(if count == 0 {
            host.play(0, &Block::default()).concat()
        } else {
            perform(&mut host, &said, count, count)
        });
        from += count;
        if from == 24_000 {
            break;
        }
    }
    assert_equal(&heard, &expected, "in blocks that vary");
}

#[test]
fn the_wheel_bends_as_in_a_render() {
    let expected = rendered(scene(BENDING, RATE, &[]), &piece(), 20_000);
    let without: Vec<_> = piece().into_iter().filter(|(_, said)| !matches!(said, Said::Midi([0xe0, ..]))).collect();
    assert!(expected != rendered(scene(BENDING, RATE, &[]), &without, 20_000), "it is heard");
    assert_equal(&perform(&mut bending(), &piece(), 20_000, 100), &expected, "the wheel");
}

#[test]
fn midi_says_the_same_as_notes() {
    let as_midi = |(at, said): &(usize, Said)| {
        let midi = match *said {
            Said::On(channel, key, velocity) => Said::Midi([0x90 | channel, key, velocity]),
            Said::Off(channel, key) => Said::Midi([0x90 | channel, key, 0]),
            other => other,
        };
        (*at, midi)
    };
    let said: Vec<_> = piece().iter().map(as_midi).collect();
    let expected = rendered(scene(text("vibraphone"), RATE, &[]), &piece(), 20_000);
    assert_equal(&perform(&mut Host::of_gallery("vibraphone", RATE), &said, 20_000, 333), &expected, "raw MIDI");
}

const BENDING: &str = include_str!("../scenes/bending.toml");

fn bending() -> Host {
    let mut host = Host::playing(INSTRUMENT, "bending", BENDING);
    host.start(RATE);
    host
}

/// A bend of one note of two that sound, said by an expression or by MPE, as the instrument itself does it.
#[test]
fn a_note_is_bent_alone_by_an_expression_and_by_mpe() {
    let frames = 24_000;
    let mut instrument = ictus_scene::Instrument::new(&scene(BENDING, RATE, &[])).expect("it is built");
    instrument.stop_score();
    let (low, high) = (50, 60);
    let strike = |velocity: f64| (velocity - 1.0) / 126.0;
    instrument.note_on(low, strike(100.0));
    instrument.note_on(high, strike(100.0));
    let mut expected = vec![0.0; 2 * frames];
    instrument.process(&mut expected[..2 * 4800]);
    let bent = instrument.bend_note(high, 1.5);
    assert!(bent.is_ok(), "{bent:?}");
    instrument.process(&mut expected[2 * 4800..]);
    let expected: Vec<f32> = expected.iter().map(|sample| *sample as f32).collect();

    let mut host = bending();
    let mut heard = Vec::new();
    for (from, count) in [(0, 4800), (4800, frames - 4800)] {
        let mut block = Block::default();
        if from == 0 {
            Said::On(0, low, 100).put(&mut block.events, 0);
            Said::On(1, high, 100).put(&mut block.events, 0);
        } else {
            let tuned = NoteExpressionEvent::new(0, note(1, high.into()), NoteExpressionType::Tuning, 1.5);
            block.events.push(&tuned);
        }
        // A host never makes a larger block than it has said.
        for part in 0..count.div_ceil(4800) {
            let frames = 4800.min(count - part * 4800);
            let outputs = host.play(frames, &block);
            heard.extend((0..frames).flat_map(|frame| [outputs[0][frame], outputs[1][frame]]));
            block = Block::default();
        }
    }
    assert_equal(&heard, &expected, "an expression");

    // 8192 + 256 of 8192, times 48 semitones.
    let wheel = 8192 + 256_u16;
    let said = [
        (0, Said::Midi([0xb0, 101, 0])),
        (0, Said::Midi([0xb0, 100, 6])),
        (0, Said::Midi([0xb0, 6, 15])),
        (0, Said::On(1, low, 100)),
        (0, Said::On(2, high, 100)),
        (4800, Said::Midi([0xe2, (wheel & 127) as u8, (wheel >> 7) as u8])),
    ];
    assert_equal(&perform(&mut bending(), &said, frames, 4800), &expected, "MPE");
    // The same without the message that makes a zone, by the parameter.
    let mut host = bending();
    let mpe = host.parameter("MPE");
    let mut said = said[3..].to_vec();
    said.insert(0, (0, Said::Turn(mpe, 1.0)));
    assert_equal(&perform(&mut host, &said, frames, 4800), &expected, "MPE by the parameter");
}

#[test]
fn pressure_turns_the_control_of_one_note() {
    let played = |pressed: Option<(u8, f64)>| {
        let mut host = Host::of_gallery("bowed-bar", RATE);
        let mut block = Block::default();
        Said::On(0, 57, 90).put(&mut block.events, 0);
        Said::On(1, 64, 90).put(&mut block.events, 0);
        host.play(4800, &block);
        let mut block = Block::default();
        if let Some((key, pressure)) = pressed {
            block.events.push(&NoteExpressionEvent::new(
                0,
                note(0, key.into()),
                NoteExpressionType::Pressure,
                pressure,
            ));
        }
        host.play(4800, &block).concat()
    };
    let (plain, low, high) = (played(None), played(Some((57, 1.0))), played(Some((64, 1.0))));
    assert!(plain != low && plain != high && low != high, "each note has its own pressure");
}

#[test]
fn knobs_are_the_scenes_controls_to_the_sample() {
    let name = "bowed-bar";
    let control = &scene(text(name), RATE, &[]).controls[0];
    let mut host = Host::playing(INSTRUMENT, name, text(name));
    host.start(RATE);
    let knob = host.parameter("Control 1");
    let words = host.words(knob, 0.5);
    let value = control.value_at(0.5);
    assert!(words.contains("bow force") && words.ends_with(" N"), "{words}");
    let number: f64 = words.split(' ').rev().nth(1).and_then(|number| number.parse().ok()).expect("a number");
    assert!((number / value - 1.0).abs() < 1e-3, "{words}, {value}");
    // Words mean the value that they were made of.
    let back = host.value_of(knob, &words).expect("they mean a value");
    assert!((back - 0.5).abs() < 1e-3, "{words}: {back}");
    assert_eq!(host.words(knob, back), words);

    let mut instrument = ictus_scene::Instrument::new(&scene(text(name), RATE, &[])).expect("it is built");
    instrument.stop_score();
    instrument.note_on(57, 99.0 / 126.0);
    let mut expected = vec![0.0; 2 * 9600];
    let turned = 4321;
    instrument.process(&mut expected[..2 * turned]);
    let position = f64::from(0.9_f32);
    instrument.turn(ictus_scene::ControlId::new(0), control.value_at(position)).expect("there is such a control");
    instrument.process(&mut expected[2 * turned..]);
    let expected: Vec<f32> = expected.iter().map(|sample| *sample as f32).collect();
    for blocks in [100, 8192] {
        let mut host = Host::of_gallery(name, RATE);
        let said = [(0, Said::On(0, 57, 100)), (turned, Said::Turn(knob, position))];
        assert_equal(&perform(&mut host, &said, 9600, blocks), &expected, &format!("automation in blocks of {blocks}"));
    }
}
