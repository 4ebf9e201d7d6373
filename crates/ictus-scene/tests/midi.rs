//! MIDI files play what they say; what is no MIDI file is told so.

use crate::scenes;

use ictus_analysis::{PitchRange, cents, fundamental};
use ictus_scene::midi::{self, Midi, MidiError};
use ictus_scene::scene::{Action, Control, Event, Scene};
use ictus_scene::{ControlId, Instrument};
use midly::num::{u4, u7, u15, u24, u28};
use midly::{Format, Fps, Header, MetaMessage, MidiMessage, PitchBend, Smf, Timing, TrackEvent, TrackEventKind};
use proptest::prelude::*;
use scenes::*;

type Track = Vec<TrackEvent<'static>>;

fn message(delta: u32, channel: u8, message: MidiMessage) -> TrackEvent<'static> {
    TrackEvent { delta: u28::new(delta), kind: TrackEventKind::Midi { channel: u4::new(channel), message } }
}

fn note_on(delta: u32, key: u8, velocity: u8) -> TrackEvent<'static> {
    message(delta, 0, MidiMessage::NoteOn { key: u7::new(key), vel: u7::new(velocity) })
}

fn note_off(delta: u32, key: u8) -> TrackEvent<'static> {
    message(delta, 0, MidiMessage::NoteOff { key: u7::new(key), vel: u7::new(64) })
}

fn controller(delta: u32, number: u8, value: u8) -> TrackEvent<'static> {
    message(delta, 0, MidiMessage::Controller { controller: u7::new(number), value: u7::new(value) })
}

fn meta(delta: u32, meta: MetaMessage<'static>) -> TrackEvent<'static> {
    TrackEvent { delta: u28::new(delta), kind: TrackEventKind::Meta(meta) }
}

fn tempo(delta: u32, beat: u32) -> TrackEvent<'static> {
    meta(delta, MetaMessage::Tempo(u24::new(beat)))
}

fn file(format: Format, timing: Timing, tracks: Vec<Track>) -> Vec<u8> {
    let ended = |mut track: Track| {
        track.push(meta(0, MetaMessage::EndOfTrack));
        track
    };
    let smf = Smf { header: Header::new(format, timing), tracks: tracks.into_iter().map(ended).collect() };
    let mut bytes = Vec::new();
    smf.write_std(&mut bytes).unwrap();
    bytes
}

const BEAT: Timing = Timing::Metrical(u15::new(480));

fn events(track: Track) -> Vec<(f64, Action)> {
    timed(midi::parse(&file(Format::SingleTrack, BEAT, vec![track])).unwrap(), &workshop())
}

fn timed(midi: Midi, scene: &Scene) -> Vec<(f64, Action)> {
    midi.events(scene).into_iter().map(|Event { time, action }| (time, action)).collect()
}

fn on(key: u8, velocity: u8) -> Action {
    Action::NoteOn { key, velocity: (f64::from(velocity) - 1.0) / 126.0 }
}

fn off(key: u8) -> Action {
    Action::NoteOff { key }
}

#[test]
fn notes_come_at_their_time_and_velocity_zero_is_a_key_that_comes_up() {
    let track = vec![note_on(0, 60, 127), note_on(480, 60, 0), note_on(480, 62, 1), note_off(240, 62)];
    let expected = [(0.0, on(60, 127)), (0.5, off(60)), (1.0, on(62, 1)), (1.25, off(62))];
    assert_eq!(events(track), expected);
    assert_eq!(
        (on(60, 127), on(60, 1)),
        (Action::NoteOn { key: 60, velocity: 1.0 }, Action::NoteOn { key: 60, velocity: 0.0 },)
    );
}

#[test]
fn a_tempo_of_one_track_moves_the_notes_of_another() {
    let tempi = vec![tempo(0, 1_000_000), tempo(480, 250_000)];
    let notes = vec![note_on(0, 60, 100), note_off(960, 60)];
    let bytes = file(Format::Parallel, BEAT, vec![tempi, notes]);
    let midi = midi::parse(&bytes).unwrap();
    assert_eq!((midi.notes(), midi.end(), midi.duration(2.0)), (1, 1.25, 3.25));
    assert_eq!(timed(midi, &workshop()), [(0.0, on(60, 100)), (1.25, off(60))]);
}

#[test]
fn smpte_time_is_in_frames_whatever_the_tempo() {
    let track = vec![tempo(0, 1), note_on(1000, 60, 100), note_off(500, 60)];
    let midi = midi::parse(&file(Format::SingleTrack, Timing::Timecode(Fps::Fps25, 40), vec![track])).unwrap();
    assert_eq!(timed(midi, &workshop()), [(1.0, on(60, 100)), (1.5, off(60))]);
}

#[test]
fn the_pedal_the_wheel_and_the_controllers_are_those_of_the_scene() {
    let bend = |delta, raw| message(delta, 0, MidiMessage::PitchBend { bend: PitchBend(midly::num::u14::new(raw)) });
    let track = vec![
        controller(0, 64, 127),
        controller(0, 64, 100),
        controller(0, 11, 127),
        controller(0, 12, 127),
        bend(0, 0x3fff),
        bend(0, 0),
        bend(0, 0x2000),
        controller(0, 64, 0),
    ];
    let mut scene = harp(&[60]);
    scene.notes.as_mut().unwrap().bend_range = 3.0;
    scene.controls = vec![control("felt", vec![], [0.1, 5.0], 1.0)];
    let midi = midi::parse(&file(Format::SingleTrack, BEAT, vec![track])).unwrap();
    let actions: Vec<Action> = timed(midi, &scene).into_iter().map(|(_, action)| action).collect();
    assert_eq!(
        actions,
        [
            Action::Sustain(true),
            Action::Turn { control: ControlId::new(0), value: 5.0, over: 0.0, logarithmic: false },
            Action::PitchBend(3.0),
            Action::PitchBend(-3.0),
            Action::PitchBend(0.0),
            Action::Sustain(false),
        ]
    );
}

#[test]
fn all_notes_off_lifts_what_is_down_and_so_does_the_end() {
    let track = vec![note_on(0, 60, 9), note_on(0, 64, 9), controller(480, 123, 0), note_on(480, 67, 9)];
    let expected =
        [(0.0, on(60, 9)), (0.0, on(64, 9)), (0.5, off(60)), (0.5, off(64)), (1.0, on(67, 9)), (1.0, off(67))];
    assert_eq!(events(track), expected);
    let track = vec![controller(0, 64, 127), note_on(0, 60, 9), controller(480, 120, 0)];
    let expected = [(0.0, Action::Sustain(true)), (0.0, on(60, 9)), (0.5, off(60)), (0.5, Action::Sustain(false))];
    assert_eq!(events(track), expected);
}

#[test]
fn the_pressure_of_a_channel_turns_the_control_that_means_it_first() {
    let pressure = |value| message(0, 3, MidiMessage::ChannelAftertouch { vel: u7::new(value) });
    let midi = midi::parse(&file(Format::SingleTrack, BEAT, vec![vec![pressure(127), pressure(0)]])).unwrap();
    let mut scene = harp(&[60]);
    let of = |number| Control { midi: Some(number), ..control("felt", vec![], [0.1, 5.0], 1.0) };
    let turn = |value| Action::Turn { control: ControlId::new(1), value, over: 0.0, logarithmic: false };
    // Expression comes before modulation; others have nothing to do with it.
    for numbers in [[1, 11], [74, 1]] {
        scene.controls = numbers.map(of).to_vec();
        let actions: Vec<Action> = timed(midi.clone(), &scene).into_iter().map(|(_, action)| action).collect();
        assert_eq!(actions, [turn(5.0), turn(0.1)]);
    }
}

#[test]
fn a_key_held_on_two_channels_comes_up_with_the_last() {
    let other = |delta, velocity| message(delta, 5, MidiMessage::NoteOn { key: u7::new(60), vel: u7::new(velocity) });
    let track = vec![note_on(0, 60, 9), other(480, 9), note_off(480, 60), note_off(0, 60), other(480, 0)];
    assert_eq!(events(track), [(0.0, on(60, 9)), (0.5, on(60, 9)), (1.5, off(60))]);
}

#[test]
fn running_status_is_understood() {
    let data = [0x00, 0x90, 60, 100, 0x83, 0x60, 62, 100, 0x00, 60, 0, 0x00, 62, 0, 0x00, 0xff, 0x2f, 0x00];
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk\0\0\0".to_vec();
    bytes.push(data.len() as u8);
    bytes.extend(data);
    let expected = [(0.0, on(60, 100)), (0.5, on(62, 100)), (0.5, off(60)), (0.5, off(62))];
    assert_eq!(timed(midi::parse(&bytes).unwrap(), &workshop()), expected);
}

fn scale() -> Vec<u8> {
    let mut track = vec![tempo(0, 500_000)];
    for key in [60, 62, 64, 65, 67] {
        track.extend([note_on(0, key, 100), note_off(960, key)]);
    }
    file(Format::Parallel, BEAT, vec![vec![tempo(0, 500_000)], track])
}

#[test]
fn a_scale_played_from_a_file_is_in_tune() {
    let keys = [60, 62, 64, 65, 67];
    let mut scene = harp(&keys);
    scene.score = midi::parse(&scale()).unwrap().events(&scene);
    let mut instrument = Instrument::new(&scene).unwrap();
    for key in keys {
        let mut sound = vec![0.0; 48_000];
        instrument.process(&mut sound);
        let expected = frequency(key);
        let range = PitchRange { lowest: 0.7 * expected, highest: 1.4 * expected };
        // From when the damper of the key before has done its work.
        let pitch = fundamental(&sound[12_000..], RATE, range).unwrap().expect("a pitch");
        let off = cents(expected, pitch.frequency);
        assert!(off.abs() < 1.0, "key {key}: {off} cents");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_in_a_sentence() {
    let said = |bytes: &[u8]| midi::parse(bytes).unwrap_err().to_string();
    assert_eq!(said(b""), "this is no Standard MIDI File: it does not begin with `MThd`");
    assert_eq!(said(b"ictus = 1"), "this is no Standard MIDI File: it does not begin with `MThd`");
    assert_eq!(said(b"MThd\0\0\0\x06\0"), "this is no Standard MIDI File: its header is cut short");
    let good = scale();
    let half = said(&good[..good.len() / 2]);
    assert!(half.starts_with("track 2 of the MIDI file is damaged or cut short after 0 ticks: "), "{half}");
    let first_track = good.len() - good.windows(4).rev().position(|window| window == b"MTrk").unwrap() - 4;
    assert_eq!(said(&good[..first_track]), "the MIDI file is cut short: it should have 2 tracks and has 1");
    let songs = file(Format::Sequential, BEAT, vec![vec![], vec![]]);
    let expected = "the MIDI file is of format 2 and holds 2 songs: save the one you want as format 0 or 1";
    assert_eq!(said(&songs), expected);
    let mut bytes = scale();
    bytes[12..14].copy_from_slice(&[0x80, 0x10]);
    assert!(matches!(midi::parse(&bytes), Err(MidiError::Division(0x8010))));
    let slow = vec![tempo(0, 16_000_000), note_on(0x0fff_ffff, 60, 1)];
    assert!(matches!(midi::parse(&file(Format::SingleTrack, BEAT, vec![slow])), Err(MidiError::TooLong { .. })));
    assert!(matches!(midi::parse(&vec![0; midi::LARGEST_FILE + 1]), Err(MidiError::TooLarge { .. })));
}

#[test]
fn files_that_are_not_there_are_named() {
    let missing = std::env::temp_dir().join("there is no such file.mid");
    let message = midi::load(&missing).unwrap_err().to_string();
    assert!(message.contains("there is no such file.mid"), "{message}");
    assert!(matches!(midi::load(&std::env::temp_dir()), Err(MidiError::Unreadable { .. })));
}

#[test]
fn every_cut_of_a_good_file_is_an_error() {
    let good = scale();
    assert!(midi::parse(&good).is_ok());
    for length in 0..good.len() {
        assert!(midi::parse(&good[..length]).is_err(), "{length} of {} bytes", good.len());
    }
}

#[test]
fn bytes_after_the_last_track_are_left_out_with_a_warning() {
    let good = scale();
    let plain = midi::parse(&good).unwrap();
    assert_eq!(plain.warnings(), [""; 0]);
    for (trailing, told) in
        [(&b"\0"[..], "1 byte after"), (b"\r\n", "2 bytes after"), (b"TAG by a player\xff\xff", "17 bytes")]
    {
        let midi = midi::parse(&[&good[..], trailing].concat()).unwrap();
        assert_eq!(midi.events(&workshop()), plain.events(&workshop()));
        let warnings = midi.warnings();
        assert!(warnings.len() == 1 && warnings[0].starts_with(told), "{warnings:?}");
    }
    // A chunk of another kind belongs to the file.
    let chunk = midi::parse(&[&good[..], b"XFIH\0\0\0\x02ab"].concat()).unwrap();
    assert_eq!(chunk.warnings(), [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = midi::parse(&bytes);
        // The same behind a good header, which gets further.
        let mut behind = b"MThd\0\0\0\x06\0\x01\0\x02\x01\xe0MTrk".to_vec();
        behind.extend((bytes.len() as u32).to_be_bytes());
        behind.extend(&bytes);
        let _ = midi::parse(&behind);
    }

    #[test]
    fn a_damaged_file_is_played_or_refused(place in 0..200_usize, byte in any::<u8>()) {
        let mut bytes = scale();
        let length = bytes.len();
        bytes[place % length] = byte;
        if let Ok(midi) = midi::parse(&bytes) {
            let events = midi.events(&workshop());
            prop_assert!(events.iter().all(|event| event.time.is_finite() && event.time >= 0.0));
            prop_assert!(events.windows(2).all(|pair| pair[0].time <= pair[1].time));
        }
    }
}
