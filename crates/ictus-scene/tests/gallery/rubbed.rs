//! What is rubbed: a hinge that slips as often as its speed and its load say, and glasses that sing near their lowest mode.

use ictus_analysis::{Framing, PitchRange, Weighting, centroid_track, cents, decibels, fundamental, partial_near};
use ictus_scene::Reading;

use super::rendering::{key_alone, scene};
use super::tuning::frequency;

fn reading(overrides: &[(&str, String)]) -> Reading {
    let overrides = overrides.iter().map(|(path, value)| ((*path).into(), value.clone())).collect();
    Reading { overrides, ..Reading::default() }
}

/// Slips in a second of the hinge, heard in the wood, at a speed in mm/s under a load in N.
fn slips(speed: f64, load: f64) -> f64 {
    let scene = scene("hinge", &reading(&[("rust.normal_force", format!("{load} N"))]));
    // Keys play from 1 to 40 mm/s.
    let sound = key_alone(&scene, 60, (speed - 1.0) / 39.0, 2.5);
    let rest = &sound[(0.7 * scene.model.rate) as usize..];
    let pitch = fundamental(rest, scene.model.rate, PitchRange { lowest: 4.0, highest: 1500.0 });
    pitch.expect("it can be measured").unwrap_or_else(|| panic!("{speed} mm/s, {load} N: no slips")).frequency
}

/// k v/(2 (μ_s - μ_k) F_N), of the scene's spring and surface.
pub fn check_hinge() {
    let expected = |speed: f64, load: f64| 2e5 * 1e-3 * speed / (2.0 * 0.35 * load);
    let mut last = 0.0;
    for speed in [1.5, 3.0, 6.0, 10.0] {
        let found = slips(speed, 12.0);
        println!("{speed} mm/s: {found:.1} of {:.1} slips in a second", expected(speed, 12.0));
        assert!((0.6..1.5).contains(&(found / expected(speed, 12.0))), "{speed} mm/s: {found} slips");
        assert!(found > 1.3 * last, "{speed} mm/s: {found} after {last}");
        last = found;
    }
    let mut last = f64::INFINITY;
    for load in [6.0, 12.0, 24.0, 48.0] {
        let found = slips(6.0, load);
        println!("{load} N: {found:.1} of {:.1} slips in a second", expected(6.0, load));
        assert!((0.6..1.5).contains(&(found / expected(6.0, load))), "{load} N: {found} slips");
        assert!(found < 0.8 * last, "{load} N: {found} after {last}");
        last = found;
    }
}

/// A glass that is rubbed.
struct Rubbed {
    sound: Vec<f64>,
    rate: f64,
    note: f64,
}

impl Rubbed {
    /// A key pressed so far, under a force in N.
    fn of((glass, key): (&str, u8), velocity: f64, force: f64) -> Self {
        let path = format!("skin-{glass}.normal_force");
        let scene = scene("wine-glass", &reading(&[(&path, format!("{force} N"))]));
        Self { sound: key_alone(&scene, key, velocity, 2.2), rate: scene.model.rate, note: frequency(key) }
    }

    /// The last second.
    fn tone(&self) -> &[f64] {
        &self.sound[self.sound.len() - self.rate as usize..]
    }

    /// In dB.
    fn level(&self) -> f64 {
        let tone = self.tone();
        decibels((tone.iter().map(|u| u * u).sum::<f64>() / tone.len() as f64).sqrt())
    }

    /// Spectral centroid in Hz.
    fn brightness(&self) -> f64 {
        let framing = Framing { size: 4096, hop: 2048, ..Framing::default() };
        let track = centroid_track(self.tone(), self.rate, framing, Weighting::Amplitude).expect("it can be measured");
        let found: Vec<f64> = track.iter().filter_map(|frame| frame.frequency).collect();
        found.iter().sum::<f64>() / found.len() as f64
    }

    /// Cents above the note.
    fn pitch(&self) -> f64 {
        let partial = partial_near(self.tone(), self.rate, self.note, 60.0).expect("it can be measured");
        cents(self.note, partial.expect("it sings").frequency)
    }

    /// Time in s after which the sound is half as loud as its last second.
    fn speaks(&self) -> f64 {
        let piece = (0.02 * self.rate) as usize;
        let power = |piece: &[f64]| piece.iter().map(|u| u * u).sum::<f64>() / piece.len() as f64;
        let half = 0.25 * power(self.tone());
        let found = self.sound.chunks(piece).position(|piece| power(piece) > half).expect("it is as loud as itself");
        found as f64 * 0.02
    }
}

/// The three glasses and their keys.
const GLASSES: [(&str, u8); 3] = [("low", 69), ("middle", 73), ("high", 76)];

pub fn check_glasses() {
    for glass in GLASSES {
        let mut last = f64::NEG_INFINITY;
        for velocity in [0.2, 0.5, 0.9] {
            let rubbed = Rubbed::of(glass, velocity, 1.2);
            let [pitch, speaks, level] = [rubbed.pitch(), rubbed.speaks(), rubbed.level()];
            println!("{glass:?} at {velocity}: {pitch:+.2} cents, speaks in {speaks:.2} s, {level:.1} dB");
            assert!(pitch.abs() <= 5.0, "{glass:?} at {velocity}: {pitch} cents");
            assert!(speaks <= 0.5, "{glass:?} at {velocity} speaks after {speaks} s");
            assert!(level > last + 3.0, "{glass:?} at {velocity}: {level} dB after {last} dB");
            last = level;
        }
        let above = |rubbed: Rubbed| rubbed.brightness() - rubbed.note;
        let [light, hard] = [0.6, 1.8].map(|force| above(Rubbed::of(glass, 0.4, force)));
        println!("{glass:?}: centroid {light:.0} Hz above the note under 0.6 N, {hard:.0} Hz under 1.8 N");
        assert!(hard > 1.5 * light, "{glass:?}: {light} Hz and {hard} Hz");
    }
}
