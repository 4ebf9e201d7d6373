//! Tuned scenes, key by key.

use std::ops::RangeInclusive;

use ictus_analysis::{cents, partial_decay_time, partial_near};
use ictus_scene::Reading;

use super::rendering::{key_alone, render, scene};

/// Farthest from its note in cents.
const IN_TUNE: f64 = 5.0;

/// Time in s that is left out: hammers, fingers and bows are still at work.
const ATTACK: f64 = 0.1;

/// Frequency in Hz of a key at A4 = 440 Hz.
pub fn frequency(key: u8) -> f64 {
    440.0 * 2.0_f64.powf((f64::from(key) - 69.0) / 12.0)
}

/// Every key of a scene that sounds one note, played alone and fairly softly, is in tune; from `keys` to `keys` if not all of
/// them have a pitch.
pub fn check_keys(name: &str, keys: RangeInclusive<u8>, seconds: f64) {
    let scene = scene(name, &Reading::default());
    let rate = scene.model.rate;
    let voices = &scene.notes.as_ref().unwrap_or_else(|| panic!("{name} has no notes")).voices;
    let tuned: Vec<u8> = voices.iter().map(|voice| voice.keys[0]).filter(|key| keys.contains(key)).collect();
    assert!(tuned.len() > 1, "{name} has too few keys: {tuned:?}");
    for key in tuned {
        let sound = key_alone(&scene, key, 0.4, ATTACK + seconds);
        let rest = &sound[(ATTACK * rate) as usize..];
        let partial = partial_near(rest, rate, frequency(key), 50.0).expect("a sound can be measured");
        let partial = partial.unwrap_or_else(|| panic!("{name}: key {key} has no pitch"));
        let off = cents(frequency(key), partial.frequency);
        assert!(off.abs() <= IN_TUNE, "{name}: key {key} is off by {off:+.2} cents");
    }
}

/// In a part of a scene, in s, these harmonics of a note are in tune.
pub fn check_harmonics(name: &str, note: &str, part: RangeInclusive<f64>, harmonics: &[u32]) {
    check_harmonics_of(name, &Reading::default(), note, part, harmonics);
}

/// The same of a scene that is read with other values.
pub fn check_harmonics_of(name: &str, options: &Reading, note: &str, part: RangeInclusive<f64>, harmonics: &[u32]) {
    let scene = scene(name, options);
    let (rate, fundamental) = (scene.model.rate, frequency(key_of(note)));
    let sound = render(&scene).mono();
    let part = &sound[(part.start() * rate) as usize..(part.end() * rate) as usize];
    for harmonic in harmonics {
        let nominal = f64::from(*harmonic) * fundamental;
        let partial = partial_near(part, rate, nominal, 50.0).expect("a sound can be measured");
        let partial = partial.unwrap_or_else(|| panic!("{name}: no harmonic {harmonic} of {note}"));
        let off = cents(nominal, partial.frequency);
        println!("{name}: harmonic {harmonic} of {note}: {off:+.2} cents");
        assert!(off.abs() <= IN_TUNE, "{name}: harmonic {harmonic} of {note} is off by {off:+.2} cents");
    }
}

/// The key of a natural note such as C2.
fn key_of(note: &str) -> u8 {
    let letter = [("C", 0), ("D", 2), ("E", 4), ("F", 5), ("G", 7), ("A", 9), ("B", 11)];
    let (name, octave) = note.split_at(1);
    let (_, step) = letter.into_iter().find(|(letter, _)| *letter == name).expect("a natural note");
    12 * (octave.parse::<u8>().expect("an octave") + 1) + step
}

/// The fundamental of a key takes as long to fall 60 dB as one would expect of what it is made of, in s.
pub fn check_decay(name: &str, key: u8, expected: RangeInclusive<f64>) {
    let scene = scene(name, &Reading::default());
    let sound = key_alone(&scene, key, 0.4, 3.0);
    let rest = &sound[(ATTACK * scene.model.rate) as usize..];
    let range = ictus_analysis::FitRange { upper: -1.0, lower: -6.0 };
    let half_width = 0.4 * frequency(key);
    let measured = partial_decay_time(rest, scene.model.rate, frequency(key), half_width, range);
    let seconds =
        measured.expect("a sound can be measured").unwrap_or_else(|| panic!("{name}: key {key} does not fall"));
    assert!(expected.contains(&seconds), "{name}: key {key} falls 60 dB in {seconds:.2} s");
}
