//! What a scene sounds like above hearing: near half the rate, contacts of few samples, grids and pickups are at their worst.
//!
//! A key is struck as hard as it can be, at the scene's rate and at eight times that. Contact forces are means over a step, so there is less
//! above 20 kHz than there should be (by up to 8 dB of a sound that is 40 to 60 dB below the rest); more of it is chatter, or a pickup that
//! makes too much of it.

use ictus_analysis::{Spectrum, Window};
use ictus_scene::{Instrument, Reading};

use super::rendering::scene;

/// Rate of the scenes in Hz, and multiple at which they are taken for the truth.
const RATE: f64 = 48_000.0;
const MULTIPLE: f64 = 8.0;

/// Length of the stroke that is looked at, and of the end over which it is faded out, in s.
const LENGTH: f64 = 0.3;
const FADE: f64 = 0.05;

/// Bands in Hz: what is heard, and what is not.
const HEARD: [f64; 2] = [50.0, 10_000.0];
const UNHEARD: [f64; 2] = [20_000.0, 24_000.0];

/// Most samples in which a force may rise and fall in turn.
const MOST_IN_TURN: usize = 6;

/// Levels in dB of the two bands of a key struck with full velocity, at a rate in Hz.
fn full_stroke(name: &str, key: u8, rate: f64) -> [f64; 2] {
    let mut scene = scene(name, &Reading { rate: Some(rate), ..Reading::default() });
    scene.score.clear();
    let mut instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{error}"));
    let (count, frames) = (instrument.channels(), (LENGTH * rate) as usize);
    let mut samples = vec![0.0; frames * count];
    instrument.note_on(key, 1.0);
    instrument.process(&mut samples);
    let fade = |n: usize| {
        let left = (frames - n) as f64 / (FADE * rate);
        if left < 1.0 { 0.5 - 0.5 * (std::f64::consts::PI * left).cos() } else { 1.0 }
    };
    let mut energies = [0.0; 2];
    for channel in 0..count {
        let faded: Vec<f64> = (0..frames).map(|n| fade(n) * samples[n * count + channel]).collect();
        let spectrum = Spectrum::new(&faded, rate, Window::Rectangular).expect("a stroke is a fair signal");
        for (bin, power) in spectrum.power().iter().enumerate() {
            for (energy, [low, high]) in energies.iter_mut().zip([HEARD, UNHEARD]) {
                *energy += if (low..high).contains(&spectrum.frequency(bin)) { *power } else { 0.0 };
            }
        }
    }
    energies.map(|energy| 10.0 * energy.log10())
}

/// Checks full strokes of some keys against eight times the rate.
pub fn check_ultrasound(name: &str, keys: &[u8]) {
    for &key in keys {
        let [heard, unheard] = full_stroke(name, key, RATE);
        let [true_heard, true_unheard] = full_stroke(name, key, MULTIPLE * RATE);
        let (level, excess) = (heard - true_heard, unheard - true_unheard);
        println!("{name}, key {key}: {level:+.1} dB, above 20 kHz {excess:+.1} dB");
        assert!(level.abs() <= 2.0, "{name}, key {key}: {level:+.1} dB");
        assert!((-8.0..=6.0).contains(&excess), "{name}, key {key}: {excess:+.1} dB above 20 kHz");
    }
}

/// Checks that no contact force of a key struck with a velocity alternates from sample to sample: rises and falls in turn, each time by a twentieth
/// of itself or more and by a hundredth of the largest force so far, for longer than a blow takes.
pub fn check_alternation(name: &str, keys: &[u8], velocity: f64) {
    for &key in keys {
        let mut scene = scene(name, &Reading::default());
        scene.score.clear();
        let mut instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{error}"));
        let contacts: Vec<_> = {
            let engine = instrument.engine();
            engine.interaction_names().filter_map(|name| engine.interaction(name)).collect()
        };
        let mut forces = vec![[0.0; 3]; contacts.len()];
        let mut largest = vec![0.0_f64; contacts.len()];
        let (mut runs, mut longest) = (vec![0; contacts.len()], 0);
        instrument.note_on(key, velocity);
        let mut frame = vec![0.0; instrument.channels()];
        for _ in 0..(LENGTH * RATE) as usize {
            instrument.process(&mut frame);
            for (index, contact) in contacts.iter().enumerate() {
                let latest = instrument.engine().interaction_force(*contact).unwrap_or(f64::NAN);
                let force = [forces[index][1], forces[index][2], latest];
                forces[index] = force;
                largest[index] = largest[index].max(latest);
                let (before, after) = (force[1] - force[0], force[2] - force[1]);
                let least = (0.05 * force.iter().copied().fold(0.0, f64::max)).max(0.01 * largest[index]);
                let alternates = before * after < 0.0 && before.abs().min(after.abs()) > least;
                runs[index] = if alternates { runs[index] + 1 } else { 0 };
                longest = longest.max(runs[index]);
            }
        }
        println!("{name}, key {key} at {velocity}: {longest} samples in turn");
        assert!(longest <= MOST_IN_TURN, "{name}, key {key}: a force alternates for {longest} samples");
    }
}
