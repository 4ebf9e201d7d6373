//! The same instrument at any rate: `ictus render --oversample 1` and `8` give the first twenty partials the same level, within 1 dB.
//!
//! Asked are the scenes whose contacts are few and soft, so that rounding stays rounding. Left out, because one contact decides when the next one
//! comes and a render at another rate is another of its kind: bouncing-ball, bridge-barrier, guitar-fret-buzz, mass-barrier, mass-string,
//! prepared-piano (its bolts), rolling-ball, slap-bass, snare, string-string, tanpura, both trombas, two-mass-springs, marbles, coins, keys, scraping-stone. So are gong,
//! tam-tam and cymbal, whose modes drive each other. Left out too are bowed-bar and bowed-string: a bow builds its
//! tone up from nothing, and when it sets in depends on rounding.
//!
//! A partial is one of the render at eight times the rate, within 60 dB of its strongest, lowest first.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::ictus;
use ictus_analysis::{Spectrum, Window, cents, decibels, partial_near};

/// Partials that are compared.
const PARTIALS: usize = 20;

/// Farthest apart in dB.
const ALIKE: f64 = 1.0;
/// How far in cents a spring may move a high partial from one rate to the other.
const SHIFT: f64 = 2.0;

/// Amplitude of the weakest partial that is compared, in parts of the strongest: -60 dB.
const WEAKEST: f64 = 1e-3;

/// What is rendered of a scene, and which part of it is looked at, from and to s.
struct Take {
    scene: &'static str,
    /// A key that is played at 50 ms instead of the scene's score.
    key: Option<u8>,
    part: [f64; 2],
}

impl Take {
    const fn key(scene: &'static str, key: u8) -> Self {
        Self { scene, key: Some(key), part: [0.15, 1.2] }
    }

    /// The mean of the channels of that part, and the rate.
    fn render(&self, folder: &Path, oversample: &str) -> (Vec<f64>, f64) {
        let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(format!("{}.toml", self.scene));
        let (sound, piece) = (folder.join("sound.wav"), folder.join("piece.mid"));
        let duration = format!("{}", self.part[1] + 0.1);
        let mut arguments: Vec<PathBuf> = vec!["render".into(), scene, "-o".into(), sound.clone()];
        let options = ["--bits", "32f", "--no-account", "--oversample", oversample, "--duration", &duration];
        arguments.extend(options.map(PathBuf::from));
        if let Some(key) = self.key {
            fs::write(&piece, one_key(key)).expect("can be written");
            arguments.extend(["--midi".into(), piece]);
        }
        let output = ictus(&arguments);
        assert!(output.status.success(), "{output:?}");
        let mut reader = hound::WavReader::open(sound).expect("is a sound file");
        let (channels, rate) = (usize::from(reader.spec().channels), f64::from(reader.spec().sample_rate));
        let samples: Vec<f64> = reader.samples::<f32>().map(|sample| sample.expect("a sample").into()).collect();
        let mono: Vec<f64> =
            samples.chunks(channels).map(|frame| frame.iter().sum::<f64>() / channels as f64).collect();
        let [start, end] = self.part.map(|time| (time * rate) as usize);
        (mono[start..end].to_vec(), rate)
    }
}

/// A MIDI file: one key goes down after 50 ms and comes up after 3 s.
fn one_key(key: u8) -> Vec<u8> {
    // 480 ticks a quarter at 120 quarters a minute: 48 ticks are 50 ms, 0x96 0x40 are 2880.
    let track = [&[48, 0x90, key, 80][..], &[0x96, 0x40, 0x80, key, 0], &[0, 0xff, 0x2f, 0]].concat();
    let length = u32::try_from(track.len()).expect("is short").to_be_bytes();
    [b"MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk", &length[..], &track].concat()
}

/// The lowest partials in Hz of a sound that are heard.
fn heard(sound: &[f64], rate: f64) -> Vec<f64> {
    let spectrum = Spectrum::new(sound, rate, Window::Hann).expect("a fair signal");
    let amplitudes = spectrum.amplitudes();
    let strongest = amplitudes.iter().fold(0.0_f64, |strongest, amplitude| strongest.max(*amplitude));
    let is_peak = |bin: &usize| {
        let around = &amplitudes[bin - 3..=bin + 3];
        amplitudes[*bin] > WEAKEST * strongest && around.iter().all(|amplitude| *amplitude <= amplitudes[*bin])
    };
    (3..amplitudes.len() - 3).filter(is_peak).map(|bin| spectrum.frequency(bin)).take(PARTIALS).collect()
}

/// Both renders have these partials at the same level; at least so many are heard, none above a frequency in Hz.
fn check(take: &Take, least: usize, highest: f64) {
    let folder = tempfile::tempdir().expect("a directory");
    let (sound, rate) = take.render(folder.path(), "1");
    let (truth, _) = take.render(folder.path(), "8");
    let name = format!("{}, key {:?}", take.scene, take.key);
    let partials: Vec<f64> = heard(&truth, rate).into_iter().filter(|partial| *partial < highest).collect();
    assert!(partials.len() >= least, "{name}: only {} partials are heard", partials.len());
    let width = 2.0 * rate / sound.len() as f64;
    let differences = partials.iter().map(|&near| {
        let reach = cents(near, near + width).max(SHIFT);
        let find = |sound: &[f64]| partial_near(sound, rate, near, reach).expect("a fair signal");
        let [found, exact] = [find(&sound), find(&truth)].map(|found| found.map_or(0.0, |partial| partial.amplitude));
        (near, decibels(found) - decibels(exact))
    });
    let differences: Vec<(f64, f64)> = differences.collect();
    println!("{name}: {differences:.2?}");
    for (partial, difference) in differences {
        assert!(difference.abs() <= ALIKE, "{name}: the partial at {partial:.0} Hz differs by {difference:+.2} dB");
    }
}

/// All that is heard, in Hz. (The third mode of the highest tine, at 18 kHz, is 1.2 dB weaker at 48 kHz.)
const ALL: f64 = 16_000.0;

#[test]
fn a_hammered_string_has_the_same_partials_at_eight_times_the_rate() {
    for part in [[0.2, 1.5], [3.2, 4.5]] {
        check(&Take { scene: "hammered-string", key: None, part }, 18, ALL);
    }
}

#[test]
fn a_bronze_plate_has_the_same_partials_at_eight_times_the_rate_under_all_its_beaters() {
    // Felt, wood, metal.
    for part in [[0.2, 1.9], [5.3, 5.95], [6.95, 7.35]] {
        check(&Take { scene: "bronze-plate", key: None, part }, 8, ALL);
    }
}

#[test]
fn marimba_bars_have_the_same_partials_at_eight_times_the_rate() {
    for key in [43, 57, 72] {
        check(&Take { part: [0.06, 0.4], ..Take::key("marimba", key) }, 1, ALL);
    }
}

#[test]
fn a_harp_has_the_same_partials_at_eight_times_the_rate() {
    for key in [48, 60, 76] {
        check(&Take::key("harp", key), 16, ALL);
    }
}

#[test]
fn every_tine_has_the_same_partials_at_eight_times_the_rate() {
    for key in [60, 72, 84] {
        check(&Take::key("music-box", key), 1, ALL);
    }
}

#[test]
fn a_piano_has_the_same_partials_at_eight_times_the_rate() {
    for key in [48, 60, 72] {
        check(&Take::key("piano", key), 5, ALL);
    }
}
