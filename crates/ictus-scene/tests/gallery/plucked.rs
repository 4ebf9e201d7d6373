//! What guitar and bass must let hear, measured on single keys of their rendered sound: frets that are in tune, and touched by hard strokes only; the body's resonances.

use ictus_analysis::{cents, decibels, partial_near};
use ictus_scene::scene::{Action, Event};
use ictus_scene::{ExciterId, Instrument, Reading, Scene};

use super::rendering::{key_alone, render, scene};
use super::tuning::frequency;

/// Keys, open or stopped at frets, are within 5 cents of their notes.
fn check_frets(name: &str, keys: &[u8]) {
    let scene = scene(name, &Reading::default());
    for &key in keys {
        let sound = key_alone(&scene, key, 0.2, 0.7);
        let partial = partial_near(&sound[4800..], scene.model.rate, frequency(key), 50.0).expect("it can be measured");
        let partial = partial.unwrap_or_else(|| panic!("{name}: key {key} has no pitch"));
        let off = cents(frequency(key), partial.frequency);
        println!("{name}: key {key}: {off:+.2} cents");
        assert!(off.abs() <= 5.0, "{name}: key {key} is off by {off:+.2} cents");
    }
}

/// How often the string of a key touches frets in half a second.
fn touches(scene: &Scene, key: u8, velocity: f64) -> usize {
    let mut instrument = Instrument::new(scene).unwrap_or_else(|error| panic!("{error}"));
    let mut samples = vec![0.0; (0.5 * instrument.rate()) as usize * instrument.channels()];
    instrument.note_on(key, velocity);
    instrument.process(&mut samples);
    let on_frets = |contact: usize| scene.model.interactions[contact].name.starts_with("strings.frets");
    instrument.drain_contacts().filter(|event| on_frets(event.contact.index())).count()
}

/// A gentle stroke touches no fret, a hard one does.
fn check_buzz(name: &str, keys: &[u8], gentle: f64) {
    let scene = &Scene { score: vec![], ..scene(name, &Reading::default()) };
    for &key in keys {
        let [soft, hard] = [gentle, 1.0].map(|velocity| touches(scene, key, velocity));
        println!("{name}: key {key}: frets are touched {soft} times by a gentle stroke, {hard} times by a hard one");
        assert!(soft == 0, "{name}: a gentle stroke on key {key} touches frets {soft} times");
        assert!(hard > 0, "{name}: a hard stroke on key {key} touches no fret");
    }
}

/// A knuckle on the top rouses the first resonance of the air and of the wood.
fn check_body() {
    let mut scene = scene("guitar", &Reading::default());
    let knuckle = scene.exciters.iter().position(|exciter| exciter.name == "knuckle").expect("a knuckle");
    let action = Action::Play { exciter: ExciterId::new(knuckle), amount: 0.06, over: 0.0 };
    (scene.score, scene.duration) = (vec![Event { time: 0.0, action }], 0.6);
    let sound = render(&scene).mono();
    for (what, range) in [("air", [90.0_f64, 110.0]), ("wood", [170.0, 220.0])] {
        let middle = (range[0] * range[1]).sqrt();
        let around = cents(middle, range[1]);
        let found = partial_near(&sound, scene.model.rate, middle, around).expect("it can be measured");
        let found = found.unwrap_or_else(|| panic!("no resonance of the {what} between {range:?} Hz"));
        println!("guitar: {what} at {:.1} Hz, {:.1} dB", found.frequency, decibels(found.amplitude));
        assert!((range[0]..=range[1]).contains(&found.frequency), "{what} at {:.1} Hz", found.frequency);
    }
}

#[test]
fn octave_and_fifth_frets_of_the_guitar_are_in_tune() {
    check_frets("guitar", &[40, 44, 45, 50, 55, 59, 64, 69, 76]);
}

#[test]
fn a_gentle_stroke_on_the_guitar_touches_no_fret() {
    check_buzz("guitar", &[40, 50, 64], 0.15);
}

#[test]
fn the_body_of_the_guitar_has_its_first_air_and_wood_resonances() {
    check_body();
}

#[test]
fn octave_and_fifth_frets_of_the_bass_are_in_tune() {
    check_frets("slap-bass", &[28, 35, 40, 33, 45, 38, 43, 55]);
}

#[test]
fn a_gentle_slap_on_the_bass_touches_no_fret() {
    check_buzz("slap-bass", &[28, 33, 38, 43], 0.0);
}
