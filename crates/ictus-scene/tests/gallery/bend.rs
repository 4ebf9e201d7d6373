//! Strings that a player can bend: the wheel takes them up and down in pitch while they sound, and pluck-loud slack ones glide by themselves.

use ictus_analysis::{cents, partial_near};
use ictus_scene::{Instrument, Reading};

use super::rendering::{key_alone, scene};
use super::tuning::frequency;

/// A key that sounds, bent by a wheel from -1 to 1, is so many semitones from its note, within 15 cents: frets and bows pull a little.
fn check_wheel(name: &str, key: u8, velocity: f64) {
    let mut scene = scene(name, &Reading::default());
    scene.score.clear();
    for wheel in [-1.0, 0.5, 1.0] {
        let mut instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{error}"));
        let (rate, count) = (instrument.rate(), instrument.channels());
        let mut samples = vec![0.0; (0.3 * rate) as usize * count];
        instrument.note_on(key, velocity);
        instrument.process(&mut samples);
        instrument.pitch_bend(wheel);
        let mut samples = vec![0.0; (1.3 * rate) as usize * count];
        instrument.process(&mut samples);
        let sound: Vec<f64> =
            samples.chunks(count).skip((0.3 * rate) as usize).map(|frame| frame.iter().sum()).collect();
        let asked = frequency(key) * 2.0_f64.powf(wheel / 6.0);
        let found = partial_near(&sound, rate, asked, 60.0).expect("it can be measured");
        let off = cents(asked, found.unwrap_or_else(|| panic!("{name} {key}: nothing at {asked:.1} Hz")).frequency);
        println!("{name} {key}, wheel at {wheel}: {off:+.1} cents");
        assert!(off.abs() <= 15.0, "{name} {key}, wheel at {wheel}: {off:+.1} cents");
    }
}

/// A slack string plucked hard begins sharp by so many cents at least and falls to its note; plucked gently it is in tune soon.
fn check_glide(name: &str, keys: &[u8], least: f64) {
    let scene = scene(name, &Reading::default());
    let rate = scene.model.rate;
    for &key in keys {
        let [gentle, hard] = [0.0, 1.0].map(|velocity| {
            let sound = key_alone(&scene, key, velocity, 3.0);
            let [early, late] = [[0.03, 0.15], [2.2, 3.0]].map(|[from, to]: [f64; 2]| {
                let part = &sound[(from * rate) as usize..(to * rate) as usize];
                let found = partial_near(part, rate, frequency(key), 900.0).expect("it can be measured");
                cents(frequency(key), found.expect("a string has a note").frequency)
            });
            println!("{name} {key} at {velocity}: {early:+.0} cents, then {late:+.1}");
            assert!(late.abs() <= 10.0, "{name} {key} ends {late:+.1} cents from its note");
            early
        });
        assert!(hard >= least && gentle <= 30.0, "{name} {key}: {hard:+.0} cents hard, {gentle:+.0} gently");
    }
}

#[test]
fn the_wheel_bends_what_a_player_can_bend() {
    check_wheel("hammered-string", 45, 0.4);
    check_wheel("guitar", 45, 0.2);
    check_wheel("guitar-fret-buzz", 52, 0.1);
    check_wheel("slap-bass", 33, 0.0);
    check_wheel("tanpura", 43, 0.1);
    check_wheel("slack-string", 43, 0.0);
    check_wheel("bowed-string", 50, 0.5);
}

#[test]
fn slack_strings_begin_sharp_and_fall_to_their_notes() {
    check_glide("slack-string", &[36, 43, 48], 50.0);
}
