//! What is said of one note, or of all: the same by CLAP's expressions, by MPE in either zone, and by the pressure of a channel.

use clack_host::events::event_types::{NoteExpressionEvent, NoteExpressionType};

use crate::host::{Block, Host, Said, note, perform, text};
use crate::reference::{rendered, scene};

const RATE: f64 = 48_000.0;

const LOW: u8 = 57;
const HIGH: u8 = 64;

/// Two notes on two channels, what is said of the second at 4800, and both on until 9600.
fn expressed(kind: NoteExpressionType, value: f64) -> Vec<f32> {
    let mut host = Host::of_gallery("bowed-bar", RATE);
    let mut sound = perform(&mut host, &[(0, Said::On(0, LOW, 90)), (0, Said::On(1, HIGH, 90))], 4800, 4800);
    let mut block = Block::default();
    block.events.push(&NoteExpressionEvent::new(0, note(1, HIGH.into()), kind, value));
    let outputs = host.play(4800, &block);
    sound.extend((0..4800).flat_map(|frame| [outputs[0][frame], outputs[1][frame]]));
    sound
}

/// The same by MPE: in the lower zone the master is channel 0 and members are from 1 up, in the upper 15 and from 14 down.
fn by_mpe(is_upper: bool, said: [u8; 3]) -> Vec<f32> {
    let (master, members) = if is_upper { (15, [14, 13]) } else { (0, [1, 2]) };
    let zone = [101, 100, 6].into_iter().zip([0, 6, 8]);
    let mut all: Vec<_> = zone.map(|(number, value)| (0, Said::Midi([0xb0 | master, number, value]))).collect();
    all.push((0, Said::On(members[0], LOW, 90)));
    all.push((0, Said::On(members[1], HIGH, 90)));
    all.push((4800, Said::Midi([said[0] | members[1], said[1], said[2]])));
    perform(&mut Host::of_gallery("bowed-bar", RATE), &all, 9600, 4800)
}

#[test]
fn pressure_and_slide_of_mpe_are_expressions_in_both_zones() {
    let plain = expressed(NoteExpressionType::Volume, 1.0);
    let means = [
        (NoteExpressionType::Pressure, [0xd0, 100, 0], 100.0 / 127.0),
        (NoteExpressionType::Brightness, [0xb0, 74, 20], 20.0 / 127.0),
    ];
    for (kind, midi, value) in means {
        let expected = expressed(kind, value);
        assert!(expected != plain, "{kind:?} is heard");
        for is_upper in [false, true] {
            let heard = by_mpe(is_upper, midi);
            let differ = heard.iter().zip(&expected).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
            let most = expected.iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
            // Of MIDI's number and of the expression's, one is rounded.
            assert!(differ <= 1e-5 * most, "{kind:?}, upper zone: {is_upper}: {differ} of {most}");
        }
    }
}

#[test]
fn the_pressure_of_a_channel_is_heard_as_in_a_render() {
    let said = [(0, Said::On(0, LOW, 90)), (2400, Said::Midi([0xd0, 120, 0])), (7200, Said::Midi([0xd0, 5, 0]))];
    let render = |said: &[(usize, Said)]| rendered(scene(text("bowed-bar"), RATE, &[]), said, 9600);
    let expected = render(&said);
    assert!(expected != render(&said[..1]), "it is heard");
    let heard = perform(&mut Host::of_gallery("bowed-bar", RATE), &said, 9600, 333);
    assert!(heard.iter().zip(&expected).all(|(one, other)| one.to_bits() == other.to_bits()));
}

#[test]
fn what_was_said_of_a_note_is_not_said_of_the_next() {
    // The first note has rung out before the second, whose level is taken when the bow has settled.
    let (again, settled, end) = (96_000, 168_000, 177_600);
    let played = |pressed: [bool; 2]| {
        let mut host = Host::of_gallery("bowed-bar", RATE);
        let mut level = 0.0;
        for from in (0..end).step_by(480) {
            let mut block = Block::default();
            match from {
                0 => Said::On(0, LOW, 90).put(&mut block.events, 0),
                7200 => Said::Off(0, LOW).put(&mut block.events, 0),
                _ if from == again => Said::On(0, LOW, 90).put(&mut block.events, 0),
                _ => {}
            }
            for (is_pressed, at) in pressed.into_iter().zip([2400, again + 480]) {
                if is_pressed && from == at {
                    let kind = NoteExpressionType::Pressure;
                    block.events.push(&NoteExpressionEvent::new(0, note(0, LOW.into()), kind, 1.0));
                }
            }
            let outputs = host.play(480, &block);
            if from >= settled {
                level += outputs[0].iter().map(|sample| f64::from(sample * sample)).sum::<f64>();
            }
        }
        level.sqrt()
    };
    let [plain, before, both] = [[false; 2], [true, false], [true; 2]].map(played);
    assert!(plain > 0.0 && (before / plain - 1.0).abs() < 0.01, "{plain} {before}");
    assert!((both / plain - 1.0).abs() > 0.05, "{plain} {both}: the pressure is heard");
}
