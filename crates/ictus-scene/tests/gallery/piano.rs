//! What a piano must let hear, measured on single keys: choirs that fall fast at first and slowly later, stiff strings, felt that a loud stroke hardens, a board that knocks,
//! and a keyboard of one loudness.

use std::f64::consts::PI;

use ictus_analysis::{Spectrum, Window, cents, decibels, partial_near};
use ictus_scene::{Instrument, Reading, Scene};

use super::rendering::{key_alone, scene};
use super::tuning::frequency;

const C4: u8 = 60;

fn piano(overrides: &[(&str, &str)]) -> Scene {
    let overrides = overrides.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let mut scene = scene("piano", &Reading { overrides, ..Reading::default() });
    scene.score.clear();
    scene
}

/// Level in dB.
fn level(sound: &[f64]) -> f64 {
    decibels((sound.iter().map(|u| u * u).sum::<f64>() / sound.len() as f64).sqrt())
}

/// The fundamental and its neighbours up to three and a half times the note: four poles of a lowpass.
fn low(sound: &[f64], rate: f64, note: f64) -> Vec<f64> {
    let a = 1.0 - (-2.0 * PI * 3.5 * note / rate).exp();
    let mut poles = [0.0; 4];
    let step = |input: &f64| {
        let mut last = *input;
        for pole in &mut poles {
            *pole += a * (last - *pole);
            last = *pole;
        }
        last
    };
    sound.iter().map(step).collect()
}

/// Rates in dB/s at which a sound falls: over its first 10 dB, and from twice that time on.
fn falls(sound: &[f64], rate: f64) -> [f64; 2] {
    let frame = 0.05;
    let levels: Vec<f64> = sound.chunks_exact((frame * rate) as usize).map(level).collect();
    let loudest = (0..levels.len()).max_by(|a, b| levels[*a].total_cmp(&levels[*b])).expect("frames");
    let first = levels[loudest..].iter().position(|now| *now <= levels[loudest] - 10.0).expect("it falls");
    let late: Vec<[f64; 2]> =
        (loudest + 2 * first..levels.len()).map(|index| [index as f64 * frame, levels[index]]).collect();
    assert!(late.len() > 10, "it falls by 10 dB in {:.2} s", first as f64 * frame);
    [10.0 / (first as f64 * frame), -slope(&late)[0]]
}

/// Slope of the straight line through points, and its height at 0.
fn slope(points: &[[f64; 2]]) -> [f64; 2] {
    let mean = |of: fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let [x, y] = [mean(|at| at[0]), mean(|at| at[1])];
    let moment: f64 = points.iter().map(|at| (at[0] - x) * (at[1] - y)).sum();
    let slope = moment / points.iter().map(|at| (at[0] - x).powi(2)).sum::<f64>();
    [slope, y - slope * x]
}

/// The sound falls fast at first and slowly later; of `choirs` so do the first three partials alone, since their strings fall together at first.
fn check_double_decay(keys: &[u8], choirs: &[u8]) {
    let scene = piano(&[]);
    let rate = scene.model.rate;
    for &key in keys {
        let sound = key_alone(&scene, key, 0.6, 5.0);
        let [early, late] = falls(&sound, rate);
        println!("piano {key}: {early:.1} dB/s at first, {late:.1} dB/s later, {:.1} times", early / late);
        assert!(early >= 2.0 * late, "piano {key}: {early:.1} dB/s at first, {late:.1} dB/s later");
        if choirs.contains(&key) {
            let [early, late] = falls(&low(&sound, rate, frequency(key)), rate);
            println!("piano {key}, three partials: {early:.1} dB/s at first, {late:.1} dB/s later");
            assert!(early >= 2.0 * late, "piano {key}, three partials: {early:.1} dB/s at first, {late:.1} later");
        }
    }
}

/// Keys that the board pulls by a few cents at most.
fn check_tune(keys: &[u8], within: f64) {
    let scene = piano(&[]);
    let voices = &scene.notes.as_ref().expect("a keyboard").voices;
    assert_eq!(voices.len(), 88);
    for &key in keys {
        let sound = key_alone(&scene, key, 0.4, 0.9);
        let found = partial_near(&sound[4800..], scene.model.rate, frequency(key), 50.0).expect("it can be measured");
        let off = cents(frequency(key), found.unwrap_or_else(|| panic!("piano {key} has no pitch")).frequency);
        println!("piano {key}: {off:+.2} cents");
        assert!(off.abs() <= within, "piano {key} is off by {off:+.2} cents");
    }
}

/// B of C4, of its first ten partials but the sixth, which the board may hide: f_n² = n² F² (1 + B n²).
fn check_stiffness() {
    let scene = piano(&[]);
    let sound = key_alone(&scene, C4, 0.6, 1.1);
    let stretched = |n: u32| {
        let number = f64::from(n);
        let near = number * frequency(C4) * (1.0 + 4e-4 * number * number).sqrt();
        let found = partial_near(&sound[4800..], scene.model.rate, near, 40.0).expect("it can be measured");
        let ratio = found.unwrap_or_else(|| panic!("no partial {n}")).frequency / (number * frequency(C4));
        [number * number, ratio * ratio]
    };
    let [slope, start] = slope(&[1, 2, 3, 4, 5, 7, 8, 9, 10].map(stretched));
    let b = slope / start;
    println!("piano C4: B = {b:.2e}");
    assert!((2e-4..=6e-4).contains(&b), "piano C4: B = {b:.2e}");
}

/// Contact time in ms of the hammer of C4.
fn contact(velocity: f64) -> f64 {
    let scene = piano(&[]);
    let mut instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{error}"));
    let mut samples = vec![0.0; (0.1 * instrument.rate()) as usize * instrument.channels()];
    instrument.note_on(C4, velocity);
    instrument.process(&mut samples);
    let rate = instrument.rate();
    let is_hammer = |contact: usize| scene.model.interactions[contact].name == "triples.hammer.C4";
    let longest = instrument.drain_contacts().filter(|event| is_hammer(event.contact.index()));
    1e3 * longest.map(|event| event.duration()).fold(0.0, f64::max) / rate
}

fn check_felt() {
    let times = [0.0, 0.25, 0.5, 0.75, 1.0].map(contact);
    println!("piano C4: the felt touches for {times:.2?} ms");
    assert!(times.is_sorted_by(|softer, harder| harder < softer), "{times:.2?} ms");
    assert!((3.5..=4.5).contains(&times[0]) && (1.3..=1.9).contains(&times[4]), "{times:.2?} ms");
}

/// The eighth partial of C4 under the first, in dB.
fn eighth(scene: &Scene, velocity: f64) -> f64 {
    let sound = key_alone(scene, C4, velocity, 0.5);
    let partial = |n: f64| {
        let near = n * frequency(C4) * (1.0 + 3.8e-4 * n * n).sqrt();
        let found = partial_near(&sound[720..], scene.model.rate, near, 40.0).expect("it can be measured");
        found.unwrap_or_else(|| panic!("no partial {n}")).amplitude
    };
    decibels(partial(8.0) / partial(1.0))
}

fn check_brightness(least: f64) {
    let scene = piano(&[]);
    let [soft, loud] = [0.1, 1.0].map(|velocity| eighth(&scene, velocity));
    println!("piano C4: eighth partial {soft:.1} dB soft, {loud:.1} dB loud");
    assert!(loud >= soft + least, "piano C4: eighth partial {soft:.1} dB soft, {loud:.1} dB loud");
}

/// In the first 50 ms of C4, what lies more than 60 Hz from any partial is the board: so many dB under all.
fn check_knock(least: f64) {
    let scene = piano(&[]);
    let sound = key_alone(&scene, C4, 0.5, 0.2);
    let peak = sound.iter().fold(0.0_f64, |peak, u| peak.max(u.abs()));
    let onset = sound.iter().position(|u| u.abs() > 1e-4 * peak).expect("it sounds");
    let part = &sound[onset..onset + (0.05 * scene.model.rate) as usize];
    let spectrum = Spectrum::new(part, scene.model.rate, Window::Hann).expect("a fair signal");
    let power = spectrum.power();
    let is_partial = |frequency_of_bin: f64| {
        (1..70).any(|n| {
            let n = f64::from(n);
            (frequency_of_bin - n * frequency(C4) * (1.0 + 3.8e-4 * n * n).sqrt()).abs() < 60.0
        })
    };
    let all: f64 = power.iter().sum();
    let between: f64 =
        power.iter().enumerate().filter(|(bin, _)| !is_partial(spectrum.frequency(*bin))).map(|(_, power)| power).sum();
    let knock = decibels((between / all).sqrt());
    println!("piano C4: the board knocks at {knock:.1} dB");
    assert!((least..=-6.0).contains(&knock), "piano C4: the board knocks at {knock:.1} dB");
}

/// Keys struck alike are as loud within so many dB in their first second.
fn check_keyboard(keys: &[u8], within: f64) {
    let scene = piano(&[]);
    let levels: Vec<f64> = keys.iter().map(|key| level(&key_alone(&scene, *key, 0.6, 1.0))).collect();
    let [least, most] = [
        levels.iter().copied().fold(f64::INFINITY, f64::min),
        levels.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ];
    println!("piano {keys:?}: {levels:.1?} dB");
    assert!(most - least <= within, "piano {keys:?}: {levels:.1?} dB");
}

/// A damper ends a note.
fn check_dampers() {
    let scene = piano(&[]);
    let mut instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{error}"));
    let (count, rate) = (instrument.channels(), instrument.rate());
    let mut samples = vec![0.0; (0.4 * rate) as usize * count];
    instrument.note_on(C4, 0.6);
    instrument.process(&mut samples);
    let before = level(&samples[samples.len() / 2..]);
    instrument.note_off(C4);
    instrument.process(&mut samples);
    let fallen = before - level(&samples[samples.len() / 2..]);
    println!("piano C4: the damper takes {fallen:.0} dB in 0.3 s");
    assert!(fallen >= 20.0, "piano C4: the damper takes {fallen:.0} dB");
}

/// Where the string is struck is heard.
fn check_place() {
    let centroid = |overrides: &[(&str, &str)]| {
        let scene = piano(overrides);
        let sound = key_alone(&scene, C4, 0.6, 0.5);
        let spectrum = Spectrum::new(&sound, scene.model.rate, Window::Hann).expect("a fair signal");
        let power = spectrum.power();
        let moment: f64 = power.iter().enumerate().map(|(bin, power)| power * spectrum.frequency(bin)).sum();
        moment / power.iter().sum::<f64>()
    };
    let [here, there, hard] = [centroid(&[]), centroid(&[("strike", "0.03")]), centroid(&[("felt", "1e12")])];
    println!("piano C4: {here:.0} Hz, {there:.0} Hz struck near its end, {hard:.0} Hz with hard felt");
    assert!((there / here).ln().abs() >= 0.1 && hard >= 1.1 * here, "{here:.0} Hz, {there:.0} Hz, {hard:.0} Hz");
}

#[test]
fn the_piano_is_in_tune() {
    check_tune(&[33, 36, 43, 48, 52, 55, 60, 64, 67, 72, 79, 84, 91, 96], 6.0);
}

#[test]
fn a_piano_falls_fast_at_first_and_slowly_later() {
    check_double_decay(&[48, 52, 55, 60, 64, 67, 72], &[52, 55, 64]);
}

#[test]
fn the_strings_of_the_piano_are_stiff() {
    check_stiffness();
}

#[test]
fn a_loud_stroke_hardens_the_felt_of_the_piano() {
    check_felt();
    check_brightness(15.0);
}

#[test]
fn the_board_of_the_piano_knocks() {
    check_knock(-25.0);
}

#[test]
fn the_piano_is_as_loud_from_c2_to_c7() {
    check_keyboard(&[36, 48, 60, 72, 84, 96], 10.0);
}

#[test]
fn the_piano_has_dampers_and_tells_where_and_with_what_it_is_struck() {
    check_dampers();
    check_place();
}
