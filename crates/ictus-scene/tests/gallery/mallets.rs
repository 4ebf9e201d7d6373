//! What bars under mallets must let hear, measured on single keys: partials as they are carved, brightness that follows the stroke, and what the
//! tubes do.

use ictus_analysis::{
    FitRange, Framing, Partial, Weighting, average_centroid, cents, decibels, partial_decay_time, partial_near,
};
use ictus_scene::Reading;

use super::rendering::{key_alone, scene};
use super::tuning::frequency;

/// A key played alone, with some values changed.
struct Stroke {
    sound: Vec<f64>,
    rate: f64,
    note: f64,
}

impl Stroke {
    fn of(name: &str, overrides: &[(&str, &str)], key: u8, velocity: f64) -> Self {
        let overrides = overrides.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
        let scene = scene(name, &Reading { overrides, ..Reading::default() });
        Self { sound: key_alone(&scene, key, velocity, 4.1), rate: scene.model.rate, note: frequency(key) }
    }

    /// The sound from 10 ms on, when the mallet has gone, for a time in s.
    fn part(&self, seconds: f64) -> &[f64] {
        let from = (0.01 * self.rate) as usize;
        &self.sound[from..from + (seconds * self.rate) as usize]
    }

    /// The partial at a ratio to the note, in the first quarter of a second.
    fn partial(&self, ratio: f64) -> Partial {
        let found = partial_near(self.part(0.25), self.rate, ratio * self.note, 60.0).expect("it can be measured");
        found.unwrap_or_else(|| panic!("{} Hz has no partial at {ratio}", self.note))
    }

    /// A04's mean spectral centroid in Hz of the first 100 ms.
    fn brightness(&self) -> f64 {
        let framing = Framing::default();
        average_centroid(&self.sound, self.rate, framing, Weighting::Amplitude)
            .expect("it can be measured")
            .expect("it sounds")
    }

    /// Time in s in which the fundamental falls by 60 dB.
    fn t60(&self) -> f64 {
        let range = FitRange { upper: -1.0, lower: -10.0 };
        let time = partial_decay_time(self.part(4.0), self.rate, self.note, 0.3 * self.note, range);
        time.expect("it can be measured").expect("it falls")
    }
}

/// The second partial of hard strokes stands where the bar is carved for, and can be heard.
fn check_second_partial(name: &str, keys: &[u8], ratio: f64) {
    for &key in keys {
        let stroke = Stroke::of(name, &[], key, 1.0);
        let (first, second) = (stroke.partial(1.0), stroke.partial(ratio));
        let interval = cents(first.frequency, second.frequency) - cents(1.0, ratio);
        let level = decibels(second.amplitude / first.amplitude);
        println!("{name} {key}: second partial {interval:+.1} cents from {ratio}, {level:.1} dB");
        assert!(interval.abs() <= 20.0, "{name} {key}: {interval:+.1} cents");
        assert!((-30.0..=6.0).contains(&level), "{name} {key}: {level:.1} dB");
    }
}

/// A hard stroke is so many times brighter than a soft one.
fn check_brightness(name: &str, keys: &[u8], least: f64) {
    for &key in keys {
        let [soft, loud] = [0.1, 1.0].map(|velocity| Stroke::of(name, &[], key, velocity).brightness());
        println!("{name} {key}: {soft:.0} Hz soft, {loud:.0} Hz loud, {:.2} times", loud / soft);
        assert!(loud >= least * soft, "{name} {key}: {soft:.0} Hz soft and {loud:.0} Hz loud");
    }
}

/// From soft over middling to loud the level rises by so many dB at least each time.
fn check_louder(name: &str, keys: &[u8], least: f64) {
    for &key in keys {
        let levels = [0.1, 0.5, 1.0].map(|velocity| {
            let stroke = Stroke::of(name, &[], key, velocity);
            let part = stroke.part(0.5);
            decibels((part.iter().map(|sample| sample * sample).sum::<f64>() / part.len() as f64).sqrt())
        });
        println!("{name} {key}: {levels:.1?} dB");
        assert!(levels.windows(2).all(|pair| pair[1] - pair[0] >= least), "{name} {key}: {levels:.1?} dB");
    }
}

/// With its tube the fundamental is louder and dies sooner than without.
fn check_tubes(name: &str, keys: &[u8]) {
    for &key in keys {
        let [without, with] = ["0", "1"].map(|tubes| Stroke::of(name, &[("tubes", tubes)], key, 0.6));
        let louder = decibels(with.partial(1.0).amplitude / without.partial(1.0).amplitude);
        let (long, short) = (without.t60(), with.t60());
        println!("{name} {key}: the tube adds {louder:.1} dB, {long:.2} s become {short:.2} s");
        assert!(louder >= 3.0, "{name} {key}: the tube adds {louder:.1} dB");
        assert!(short <= 0.9 * long, "{name} {key}: {long:.2} s without the tube and {short:.2} s with it");
    }
}

#[test]
fn a_kalimba_is_louder_and_brighter_when_it_is_played_harder() {
    check_louder("kalimba", &[60, 67, 72, 79, 84], 2.5);
    check_brightness("kalimba", &[60, 67, 72, 79], 1.2);
}

#[test]
fn a_music_box_is_louder_and_brighter_when_it_is_played_harder() {
    check_louder("music-box", &[60, 67, 72, 79, 84], 2.5);
    check_brightness("music-box", &[60, 67, 72], 1.2);
}

#[test]
fn carved_bars_let_their_second_partial_be_heard_where_they_are_carved_for() {
    check_second_partial("marimba", &[43, 48, 55, 60, 67, 72], 4.0);
    check_second_partial("vibraphone", &[53, 60, 69, 77], 4.0);
    check_second_partial("xylophone", &[65, 72, 79, 84], 3.0);
}

#[test]
fn a_hard_stroke_on_a_bar_is_brighter_than_a_soft_one() {
    check_brightness("marimba", &[43, 48, 55, 60, 67, 72], 1.5);
    check_brightness("vibraphone", &[53, 60, 69, 77], 1.5);
    check_brightness("xylophone", &[65, 72, 79], 1.2);
    check_brightness("glockenspiel", &[79, 84, 91], 1.2);
}

#[test]
fn a_tube_makes_the_fundamental_of_its_bar_louder_and_shorter() {
    check_tubes("marimba", &[43, 48, 55, 60, 67, 72]);
    check_tubes("vibraphone", &[53, 60, 69, 77]);
    check_tubes("xylophone", &[65, 72, 79, 84]);
}
