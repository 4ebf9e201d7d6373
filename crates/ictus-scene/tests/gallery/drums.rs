//! What drums must let hear: toms whose pitch falls, and a snare that hisses as loudly as its heads sound.

use ictus_analysis::{Spectrum, Window, cents, decibels, partial_near};
use ictus_scene::Reading;

use super::rendering::{key_alone, scene};
use super::tuning::frequency;

/// One stroke on a key, with some values of the scene changed, and its rate in Hz.
fn stroke(name: &str, overrides: &[(&str, &str)], key: u8, velocity: f64, seconds: f64) -> (Vec<f64>, f64) {
    let overrides = overrides.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let scene = scene(name, &Reading { overrides, ..Reading::default() });
    (key_alone(&scene, key, velocity, seconds), scene.model.rate)
}

/// Energies of bands in Hz.
fn bands<const COUNT: usize>(sound: &[f64], rate: f64, bands: [[f64; 2]; COUNT]) -> [f64; COUNT] {
    let spectrum = Spectrum::new(sound, rate, Window::Rectangular).expect("a stroke is a fair signal");
    let power = spectrum.power();
    bands.map(|[low, high]| {
        let inside = |bin: usize| (low..high).contains(&spectrum.frequency(bin));
        power.iter().enumerate().filter(|(bin, _)| inside(*bin)).map(|(_, power)| power).sum()
    })
}

/// A tom ends at its note; struck hard it begins sharp, by so many cents at least, struck softly it is there at once.
fn check_fall(name: &str, keys: &[u8], least: f64) {
    for &key in keys {
        let [soft, hard] = [0.0, 1.0].map(|velocity| {
            let (sound, rate) = stroke(name, &[], key, velocity, 1.3);
            let [early, late] = [[0.03, 0.15], [0.7, 1.3]].map(|[from, to]: [f64; 2]| {
                let part = &sound[(from * rate) as usize..(to * rate) as usize];
                let found = partial_near(part, rate, frequency(key), 500.0).expect("a fair signal");
                cents(frequency(key), found.expect("a drum has a note").frequency)
            });
            println!("{name} {key} at {velocity}: {early:+.0} cents, then {late:+.1}");
            assert!(late.abs() <= 5.0, "{name} {key} ends {late:+.1} cents from its note");
            early
        });
        assert!(hard >= least && soft.abs() <= 20.0, "{name} {key}: {hard:+.0} cents hard, {soft:+.0} soft");
    }
}

/// The air carries the stroke to the other head.
fn check_air(name: &str, key: u8) {
    let below = ["toms.left.gain", "toms.right.gain"].map(|path| (path, "0"));
    let [without, with] = ["0", "1"].map(|air| {
        let (sound, rate) = stroke(name, &[below[0], below[1], ("air", air)], key, 0.6, 0.4);
        bands(&sound, rate, [[20.0, 2000.0]])[0]
    });
    println!("{name} {key}: below {with:.1e} with air, {without:.1e} without");
    assert!(with > 0.0 && without <= 1e-12 * with, "{name} {key}: {with:.1e} with air, {without:.1e} without");
}

/// From 2 to 10 kHz a snare is about as loud as below 500 Hz, at any velocity; without its wires it is not.
fn check_hiss(name: &str, velocities: &[f64], most: f64) {
    for &velocity in velocities {
        let hiss = |overrides: &[(&str, &str)]| {
            let (sound, rate) = stroke(name, overrides, 60, velocity, 0.35);
            let [low, high] = bands(&sound, rate, [[50.0, 500.0], [2000.0, 10_000.0]]);
            decibels((high / low).sqrt())
        };
        let (with, without) = (hiss(&[]), hiss(&[("snares", "3 mm")]));
        println!("{name} at {velocity}: 2 to 10 kHz {with:+.1} dB, without wires {without:+.1} dB");
        assert!(with.abs() <= most, "{name} at {velocity}: {with:+.1} dB");
        assert!(without <= with - 6.0, "{name} at {velocity}: {with:+.1} dB with wires, {without:+.1} dB without");
    }
}

/// How hard, where and with what: all three are heard.
fn check_hands(name: &str, key: u8, place: (&str, &str), stick: (&str, &str)) {
    let centroid = |overrides: &[(&str, &str)], velocity: f64| {
        let (sound, rate) = stroke(name, overrides, key, velocity, 0.3);
        let spectrum = Spectrum::new(&sound, rate, Window::Rectangular).expect("a stroke is a fair signal");
        let power = spectrum.power();
        let moment: f64 = power.iter().enumerate().map(|(bin, power)| power * spectrum.frequency(bin)).sum();
        let all: f64 = power.iter().sum();
        (moment / all, decibels(all.sqrt()))
    };
    let [(here, level), (there, _), (other, _)] =
        [centroid(&[], 0.3), centroid(&[place], 0.3), centroid(&[stick], 0.3)];
    let (_, louder) = centroid(&[], 0.9);
    println!(
        "{name} {key}: {here:.0} Hz, {there:.0} Hz at {}, {other:.0} Hz with {}; harder {:+.1} dB",
        place.1,
        stick.1,
        louder - level
    );
    assert!(louder - level >= 6.0, "{name} {key}: harder by {:+.1} dB", louder - level);
    assert!((there / here).ln().abs() >= 0.1, "{name} {key}: {here:.0} Hz, and {there:.0} Hz at {}", place.1);
    assert!((other / here).ln().abs() >= 0.1, "{name} {key}: {here:.0} Hz, and {other:.0} Hz with {}", stick.1);
}

#[test]
fn a_hard_stroke_on_a_tom_begins_sharp_and_falls_to_its_note() {
    check_fall("toms", &[40, 45, 50], 50.0);
    check_air("toms", 45);
}

#[test]
fn a_snare_hisses_as_loudly_as_its_heads_sound() {
    check_hiss("snare", &[0.0, 0.3, 0.6, 1.0], 12.0);
}

#[test]
fn drums_tell_how_hard_they_were_struck_and_where_and_with_what() {
    check_hands("toms", 45, ("toms.stick.on", "each@0.8,0.6"), ("stick", "1e5"));
    check_hands("snare", 60, ("stick.on", "batter@0.8,0.6"), ("stick", "1e5"));
}
