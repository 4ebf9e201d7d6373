//! What plates of bronze must let hear, measured on single strokes: soft ones darken, hard ones open late and fill the spectrum, and the small gong
//! glides.

use ictus_analysis::{Spectrum, Window, cents, decibels, partial_near};
use ictus_scene::Reading;

use super::rendering::{key_alone, scene};

/// The key that is struck; all sound alike.
const KEY: u8 = 60;

/// One stroke, with some values of the scene changed.
struct Stroke {
    sound: Vec<f64>,
    rate: f64,
}

impl Stroke {
    fn of(name: &str, overrides: &[(&str, &str)], velocity: f64, seconds: f64) -> Self {
        let overrides = overrides.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
        let scene = scene(name, &Reading { overrides, ..Reading::default() });
        Self { sound: key_alone(&scene, KEY, velocity, seconds), rate: scene.model.rate }
    }

    fn part(&self, [from, to]: [f64; 2]) -> &[f64] {
        &self.sound[(from * self.rate) as usize..(to * self.rate) as usize]
    }

    fn spectrum(&self, part: [f64; 2]) -> Spectrum {
        Spectrum::new(self.part(part), self.rate, Window::Hann).expect("a stroke is a fair signal")
    }

    /// Centroid in Hz of the amplitudes of a part, from and to s: it follows the partials rather than the beats of the strongest.
    fn amplitude_centroid(&self, part: [f64; 2]) -> f64 {
        let spectrum = self.spectrum(part);
        let amplitudes = spectrum.amplitudes();
        let moment: f64 = amplitudes.iter().enumerate().map(|(bin, one)| one * spectrum.frequency(bin)).sum();
        moment / amplitudes.iter().sum::<f64>()
    }

    /// Centroid in Hz of the power spectrum of a part, from and to s.
    fn centroid(&self, part: [f64; 2]) -> f64 {
        let spectrum = self.spectrum(part);
        let power = spectrum.power();
        let moment: f64 = power.iter().enumerate().map(|(bin, power)| power * spectrum.frequency(bin)).sum();
        moment / power.iter().sum::<f64>()
    }

    /// Level in dB of a band in Hz, relative to all, in a part.
    fn band(&self, part: [f64; 2], [low, high]: [f64; 2]) -> f64 {
        let spectrum = self.spectrum(part);
        let power = spectrum.power();
        let inside = |bin: usize| (low..high).contains(&spectrum.frequency(bin));
        let band: f64 = power.iter().enumerate().filter(|(bin, _)| inside(*bin)).map(|(_, power)| power).sum();
        decibels((band / power.iter().sum::<f64>()).sqrt())
    }

    fn level(&self, part: [f64; 2]) -> f64 {
        let part = self.part(part);
        decibels((part.iter().map(|sample| sample * sample).sum::<f64>() / part.len() as f64).sqrt())
    }

    /// The partial nearest to a frequency in Hz in a part.
    fn partial(&self, frequency: f64, part: [f64; 2]) -> f64 {
        let found = partial_near(self.part(part), self.rate, frequency, 300.0).expect("a fair signal");
        found.unwrap_or_else(|| panic!("nothing at {frequency} Hz")).frequency
    }
}

/// A soft stroke only darkens.
fn check_soft(name: &str) {
    let stroke = Stroke::of(name, &[], 0.02, 2.0);
    let centroids = [[0.0, 0.4], [0.4, 1.0], [1.0, 2.0]].map(|part| stroke.amplitude_centroid(part));
    println!("{name}, soft: {centroids:.0?} Hz");
    assert!(centroids.is_sorted_by(|earlier, later| later < earlier), "{name}: {centroids:.0?} Hz");
}

/// A hard stroke is brightest between a tenth and four tenths of a second after it fell, reaches 8 kHz, and darkens then.
fn check_hard(name: &str, least: f64) {
    let stroke = Stroke::of(name, &[], 1.0, 1.4);
    let [first, open, late] = [[0.0, 0.05], [0.1, 0.4], [0.9, 1.4]].map(|part| stroke.centroid(part));
    let high = stroke.band([0.1, 0.4], [7800.0, 12_000.0]);
    println!(
        "{name}, hard: {first:.0} Hz at first, {open:.0} Hz when open, {late:.0} Hz late; from 7.8 kHz on {high:.1} dB"
    );
    assert!(open >= least * first, "{name}: {first:.0} Hz at first, {open:.0} Hz when open");
    assert!(late < 0.9 * open, "{name}: {open:.0} Hz when open, {late:.0} Hz late");
    assert!(high >= -50.0, "{name}: {high:.1} dB from 7.8 kHz on");
}

/// The lowest mode whose nodes are circles begins sharp and falls to its place; a soft stroke starts there.
fn check_glide(name: &str, frequency: f64, least: f64) {
    let [soft, hard] = [0.02, 0.3].map(|velocity| {
        let stroke = Stroke::of(name, &[], velocity, 2.4);
        let [early, late] = [[0.03, 0.18], [1.9, 2.4]].map(|part| stroke.partial(frequency, part));
        println!(
            "{name} at {velocity}: {early:.2} Hz, then {late:.2} Hz, {:+.0} cents from {frequency} Hz",
            cents(frequency, late)
        );
        assert!(cents(frequency, late).abs() < 10.0, "{name} ends at {late:.2} Hz");
        cents(late, early)
    });
    assert!(
        hard >= least && soft.abs() < 20.0,
        "{name} falls by {soft:.0} cents when struck softly, by {hard:.0} when hard"
    );
}

/// How hard, where and with what: all three are heard.
fn check_hands(name: &str, place: (&str, &str), mallet: (&str, &str)) {
    let strokes =
        [Stroke::of(name, &[], 0.3, 0.5), Stroke::of(name, &[place], 0.3, 0.5), Stroke::of(name, &[mallet], 0.3, 0.5)];
    let harder = Stroke::of(name, &[], 0.6, 0.5);
    let part = [0.0, 0.4];
    let [here, there, other] = strokes.each_ref().map(|stroke| stroke.centroid(part));
    let louder = harder.level(part) - strokes[0].level(part);
    println!(
        "{name}: {here:.0} Hz; {there:.0} Hz at {}, {other:.0} Hz with {}; harder {louder:+.1} dB, {:.0} Hz",
        place.1,
        mallet.1,
        harder.centroid(part)
    );
    assert!(louder >= 4.0 && harder.centroid(part) >= 1.1 * here, "{name}: harder by {louder:+.1} dB");
    assert!((there / here).ln().abs() >= 0.1, "{name}: {here:.0} Hz, and {there:.0} Hz at {}", place.1);
    assert!((other / here).ln().abs() >= 0.1, "{name}: {here:.0} Hz, and {other:.0} Hz with {}", mallet.1);
}

/// With rivets a cymbal sizzles: what lies above 4 kHz is louder a second after the stroke.
fn check_rivets(name: &str) {
    let [without, with] = ["30 mm", "-7 mm"].map(|rivets| {
        let stroke = Stroke::of(name, &[("rivets", rivets)], 0.4, 1.5);
        stroke.level([0.9, 1.5]) + stroke.band([0.9, 1.5], [4000.0, 12_000.0])
    });
    println!("{name}: above 4 kHz {without:.1} dB without rivets, {with:.1} dB with them");
    assert!(with >= without + 6.0, "{name}: {without:.1} dB without rivets, {with:.1} dB with them");
}

#[test]
fn a_soft_stroke_on_bronze_darkens() {
    ["gong", "tam-tam", "cymbal"].iter().for_each(|name| check_soft(name));
}

#[test]
fn a_hard_stroke_on_bronze_opens_late_and_fills_the_spectrum() {
    check_hard("gong", 1.1);
    check_hard("tam-tam", 1.2);
    check_hard("cymbal", 1.1);
}

#[test]
fn the_small_gong_glides_down() {
    check_glide("gong", 151.5, 50.0);
}

#[test]
fn bronze_tells_how_hard_it_was_struck_and_where_and_with_what() {
    check_hands("gong", ("felt.on", "plate@0.2,0.4"), ("beater", "1e9"));
    check_hands("tam-tam", ("beater.on", "plate@0.1,0.4"), ("felt", "1e9"));
    check_hands("cymbal", ("stick.on", "plate@0.4,0.4"), ("stick", "1e5"));
}

#[test]
fn rivets_sizzle_on_the_cymbal() {
    check_rivets("cymbal");
}
