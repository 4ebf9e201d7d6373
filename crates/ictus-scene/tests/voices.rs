//! Keys sound in tune, share the voices there are, and are damped when they come up.

use crate::scenes;

use ictus_analysis::{PitchRange, cents, fundamental};
use ictus_scene::Instrument;
use ictus_scene::scene::{NoteMap, Scene};
use scenes::*;

fn listen(instrument: &mut Instrument, seconds: f64) -> Vec<f64> {
    let mut sound = vec![0.0; (seconds * RATE) as usize * instrument.channels()];
    instrument.process(&mut sound);
    sound
}

fn energy(sound: &[f64]) -> f64 {
    sound.iter().map(|sample| sample * sample).sum()
}

/// How far a sound is from a pitch in semitones above A4 = 69, in cents.
fn out_of_tune(sound: &[f64], key: f64) -> f64 {
    let expected = 440.0 * ((key - 69.0) / 12.0).exp2();
    let range = PitchRange { lowest: 0.7 * expected, highest: 1.4 * expected };
    let pitch = fundamental(sound, RATE, range).unwrap().expect("a pitch");
    cents(expected, pitch.frequency)
}

#[test]
fn every_key_of_a_pool_of_bent_strings_is_in_tune() {
    let mut instrument = Instrument::new(&lute(2, [48, 60])).unwrap();
    for key in [48, 53, 60, 55] {
        instrument.reset();
        instrument.note_on(key, 0.8);
        let off = out_of_tune(&listen(&mut instrument, 1.0), f64::from(key));
        assert!(off.abs() < 1.0, "key {key}: {off} cents");
    }
}

#[test]
fn the_pitch_wheel_bends_by_its_range_and_goes_no_farther_than_the_string() {
    let mut instrument = Instrument::new(&lute(1, [48, 52])).unwrap();
    for (wheel, semitones) in [(1.0, 2.0), (-0.5, -1.0), (7.0, 2.0)] {
        instrument.reset();
        instrument.pitch_bend(wheel);
        instrument.note_on(52, 0.8);
        let off = out_of_tune(&listen(&mut instrument, 1.0), 52.0 + semitones);
        assert!(off.abs() < 1.0, "wheel {wheel}: {off} cents");
    }
    // Built for two semitones above its highest key: there it stays.
    instrument.reset();
    instrument.act(&ictus_scene::scene::Action::PitchBend(11.0)).unwrap();
    instrument.note_on(52, 0.8);
    let off = out_of_tune(&listen(&mut instrument, 1.0), 54.0);
    assert!(off.abs() < 1.0, "{off} cents");
}

#[test]
fn a_wheel_that_moves_while_a_string_sounds_books_its_work() {
    let mut instrument = Instrument::new(&lute(1, [48, 52])).unwrap();
    instrument.keep_account_of_energy(true);
    instrument.note_on(50, 1.0);
    for step in 0..200 {
        instrument.pitch_bend((f64::from(step) * 0.1).sin());
        listen(&mut instrument, 0.01);
    }
    assert!(instrument.engine().balance().residual() <= 1e-12, "{:?}", instrument.engine().balance());
}

#[test]
fn a_new_key_takes_what_is_free_then_what_was_let_go_then_the_oldest() {
    let mut instrument = Instrument::new(&lute(3, [40, 60])).unwrap();
    let keys = |instrument: &Instrument| instrument.keys().collect::<Vec<u8>>();
    instrument.note_on(40, 0.5);
    instrument.note_on(45, 0.5);
    instrument.note_off(40);
    instrument.note_on(50, 0.5);
    assert_eq!(keys(&instrument), [45, 50], "the third was free");
    instrument.note_off(50);
    instrument.note_on(52, 0.5);
    assert_eq!(keys(&instrument), [52, 45], "40 was let go before 50");
    instrument.note_on(53, 0.5);
    assert_eq!(keys(&instrument), [52, 45, 53]);
    instrument.note_on(54, 0.5);
    assert_eq!(keys(&instrument), [52, 54, 53], "45 was the oldest");
    instrument.note_off(45);
    assert_eq!(keys(&instrument), [52, 54, 53], "a key that lost its voice has nothing to let go");
    instrument.note_on(39, 0.5);
    instrument.note_on(61, 0.5);
    assert_eq!(keys(&instrument), [52, 54, 53], "no voice plays those keys");
}

#[test]
fn a_key_struck_again_plays_its_own_voice() {
    let mut instrument = Instrument::new(&lute(2, [40, 60])).unwrap();
    instrument.note_on(45, 0.5);
    instrument.note_on(45, 0.9);
    instrument.note_off(45);
    instrument.note_on(45, 0.9);
    assert_eq!(instrument.keys().collect::<Vec<u8>>(), [45]);
    instrument.note_on(50, 0.5);
    assert_eq!(instrument.keys().collect::<Vec<u8>>(), [45, 50]);
}

#[test]
fn keys_sound_together() {
    let mut instrument = Instrument::new(&harp(&[60, 64, 67])).unwrap();
    [60, 64, 67].iter().for_each(|key| instrument.note_on(*key, 0.7));
    let chord = listen(&mut instrument, 1.0);
    for key in [60, 64, 67] {
        let near = ictus_analysis::partial_near(&chord, RATE, frequency(key), 40.0).unwrap().expect("a partial");
        let off = cents(frequency(key), near.frequency);
        assert!(off.abs() < 1.0 && near.amplitude > 1e-4, "key {key}: {off} cents, {}", near.amplitude);
    }
}

#[test]
fn a_damper_falls_when_the_key_comes_up_unless_the_pedal_is_down() {
    let late = |pedal: bool, lift: bool| {
        let mut instrument = Instrument::new(&harp(&[60])).unwrap();
        instrument.sustain(pedal);
        instrument.note_on(60, 0.8);
        listen(&mut instrument, 0.3);
        if lift {
            instrument.note_off(60);
        }
        listen(&mut instrument, 0.3);
        let held = energy(&listen(&mut instrument, 0.1));
        instrument.sustain(false);
        listen(&mut instrument, 0.3);
        (held, energy(&listen(&mut instrument, 0.1)))
    };
    let (down, damped, pedalled) = (late(false, false), late(false, true), late(true, true));
    assert!(damped.0 < 1e-3 * down.0, "{damped:?} {down:?}");
    assert_eq!(pedalled.0, down.0, "the pedal holds as the key does");
    assert!(pedalled.1 < 1e-3 * down.1, "{pedalled:?} {down:?}");
}

#[test]
fn a_key_struck_lifts_its_damper() {
    let mut instrument = Instrument::new(&harp(&[60])).unwrap();
    instrument.note_on(60, 0.8);
    let first = energy(&listen(&mut instrument, 0.5));
    instrument.note_off(60);
    listen(&mut instrument, 0.5);
    instrument.note_on(60, 0.8);
    let second = energy(&listen(&mut instrument, 0.5));
    assert!((second / first - 1.0).abs() < 0.2, "{second} {first}");
}

#[test]
fn harder_strokes_follow_the_curve() {
    let peak_velocity = |velocity: f64| {
        let mut instrument = Instrument::new(&harp(&[60])).unwrap();
        instrument.note_on(60, velocity);
        listen(&mut instrument, 0.2);
        instrument.drain_contacts().next().unwrap().v_in
    };
    let expected = |velocity: f64| 0.5 + 2.5 * velocity.powf(1.5);
    for velocity in [0.0, 0.3, 1.0, 5.0] {
        let v_in = peak_velocity(velocity);
        assert!((v_in / expected(velocity.min(1.0)) - 1.0).abs() < 1e-3, "{velocity}: {v_in}");
    }
}

#[test]
fn without_a_note_map_keys_are_ignored() {
    let mut instrument = Instrument::new(&Scene { notes: None, ..harp(&[60]) }).unwrap();
    instrument.note_on(60, 1.0);
    instrument.note_off(60);
    instrument.sustain(true);
    instrument.pitch_bend(1.0);
    assert_eq!(energy(&listen(&mut instrument, 0.1)), 0.0);
}

#[test]
fn note_maps_that_make_no_sense_are_refused() {
    let broken = |change: fn(&mut NoteMap)| {
        let mut scene = harp(&[60]);
        change(scene.notes.as_mut().unwrap());
        Instrument::new(&scene).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(broken(|map| map.curve = 0.0), "the curve of the notes is 0, must be above 0");
    assert_eq!(broken(|map| map.amounts[1] = f64::NAN), "an amount of the notes is NaN, must be finite");
    assert_eq!(broken(|map| map.over = -1.0), "the time over which notes come and go is -1, must be from 0 to 86400 s");
}

#[test]
fn one_note_is_bent_and_the_others_stay() {
    let mut instrument = Instrument::new(&lute(2, [48, 60])).unwrap();
    instrument.keep_account_of_energy(true);
    instrument.note_on(48, 0.8);
    instrument.bend_note(48, 3.0).unwrap();
    let off = out_of_tune(&listen(&mut instrument, 1.0), 51.0);
    assert!(off.abs() < 2.0, "{off} cents");
    // The second string is not bent by what the first one's note does.
    instrument.reset();
    instrument.note_on(55, 0.8);
    instrument.bend_note(48, 3.0).unwrap();
    let off = out_of_tune(&listen(&mut instrument, 1.0), 55.0);
    assert!(off.abs() < 1.0, "{off} cents");
    // The next note of the same string begins unbent.
    instrument.bend_note(55, 2.0).unwrap();
    instrument.note_off(55);
    instrument.reset();
    instrument.note_on(55, 0.8);
    let off = out_of_tune(&listen(&mut instrument, 1.0), 55.0);
    assert!(off.abs() < 1.0, "{off} cents");
    assert!(instrument.bend_note(55, f64::NAN).is_err() && instrument.bend_note(55, 1e3).is_err());
    assert!(instrument.engine().balance().residual() <= 1e-11);
}

#[test]
fn bent_strings_follow_the_tuning_of_the_keys() {
    let mut scene = lute(1, [48, 60]);
    // The fifth pure, the third a comma lower than it would be: counted from the lowest key, which is where the string was built.
    let mut cents = vec![0.0; 128];
    (cents[52], cents[55]) = (-13.686, 1.955);
    scene.notes.as_mut().unwrap().cents = cents;
    let mut instrument = Instrument::new(&scene).unwrap();
    for (key, deviation) in [(48, 0.0), (52, -13.686), (55, 1.955)] {
        instrument.reset();
        instrument.note_on(key, 0.8);
        let off = out_of_tune(&listen(&mut instrument, 1.0), f64::from(key)) - deviation;
        assert!(off.abs() < 1.0, "key {key}: {off} cents");
    }
}
