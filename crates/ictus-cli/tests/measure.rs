//! `ictus measure` tells what is in a sound, whatever file it is in, and says in one sentence what cannot be measured.

use crate::common;

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use common::{failure, ictus, json, stdout};

const RATE: u32 = 48_000;

/// Two seconds of a sine that falls by 60 dB in a second and a half, with an octave above it.
fn tone(n: usize) -> f64 {
    let time = n as f64 / f64::from(RATE);
    let partial = |frequency: f64, t60: f64| (TAU * frequency * time + 0.5).sin() * 10f64.powf(-3.0 * time / t60);
    0.5 * partial(261.63, 1.5) + 0.05 * partial(524.0, 0.7)
}

fn write(path: &Path, bits: u16, format: hound::SampleFormat) {
    let spec = hound::WavSpec { channels: 2, sample_rate: RATE, bits_per_sample: bits, sample_format: format };
    let mut file = hound::WavWriter::create(path, spec).expect("a file");
    for n in 0..2 * RATE as usize {
        for gain in [1.0, 0.5] {
            let sample = gain * tone(n);
            match format {
                hound::SampleFormat::Float => file.write_sample(sample as f32).expect("a sample"),
                hound::SampleFormat::Int => {
                    let full = 2f64.powi(i32::from(bits) - 1);
                    file.write_sample((full * sample).round() as i32).expect("a sample");
                }
            }
        }
    }
    file.finalize().expect("a file");
}

#[test]
fn known_partials_are_told_whatever_the_form_of_the_file() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("tone.wav");
    for (bits, format) in
        [(16, hound::SampleFormat::Int), (24, hound::SampleFormat::Int), (32, hound::SampleFormat::Float)]
    {
        write(&path, bits, format);
        let found = json(["measure".as_ref(), path.as_os_str(), "--json".as_ref(), "--range".as_ref(), "50".as_ref()]);
        let number = |pointer: &str| found.pointer(pointer).and_then(serde_json::Value::as_f64).expect(pointer);
        assert_eq!(found["note"]["name"], "C4");
        assert_eq!(found["partials"].as_array().map(Vec::len), Some(2), "{found}");
        assert!((number("/partials/0/frequency") / 261.63 - 1.0).abs() < 1e-5);
        assert!((number("/partials/1/deviation_cents") - 1200.0 * (524.0f64 / 523.26).log2()).abs() < 0.1);
        assert!((number("/partials/0/decay/t60_early") / 1.5 - 1.0).abs() < 0.01);
        assert!((number("/partials/1/decay/t60_late") / 0.7 - 1.0).abs() < 0.01);
        assert!((number("/stereo/left_over_right") - 6.02).abs() < 0.01 && number("/stereo/correlation") > 0.999);
        assert!(found["clicks"].as_array().is_some_and(Vec::is_empty) && number("/level/clipped_samples") == 0.0);
    }
    let text = stdout(["measure".as_ref(), path.as_os_str()]);
    for words in ["2 s, 2 channels, 48 kHz, 32 float, WAV", "C4 +0.0 cents", "261.630", "none clipped", "1.5 s"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let picture = folder.path().join("tone.png");
    ictus(["measure".as_ref(), path.as_os_str(), "--plot".as_ref(), picture.as_os_str()]);
    assert!(fs::read(picture).expect("a picture").starts_with(b"\x89PNG"));
}

#[test]
fn a_render_is_measured_alike_in_wav_and_flac() {
    let folder = tempfile::tempdir().expect("a directory");
    let [wav, flac] = ["a.wav", "a.flac"].map(|name| folder.path().join(name));
    for path in [&wav, &flac] {
        let render = ["render", "hammered-string", "--no-account", "--duration", "1", "-o"];
        stdout(render.iter().map(AsRef::as_ref).chain([path.as_os_str()]));
    }
    let [one, other] = [&wav, &flac].map(|path| json(["measure".as_ref(), path.as_os_str(), "--json".as_ref()]));
    assert_eq!(one, other);
    assert_eq!(one["note"]["name"], "A2");
    // The scene is a steel string of 1.1 m and 1 mm; its comment and docs/scenes.md give B = π³ E d⁴ / (64 T L²).
    let stiffness = one["inharmonicity"].as_f64().expect("a stiff string");
    assert!((1e-5..1e-3).contains(&stiffness), "{stiffness}");
}

#[test]
fn what_is_no_sound_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    };
    let header = |bits: u16| {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: RATE,
            bits_per_sample: bits,
            sample_format: hound::SampleFormat::Int,
        };
        let path = folder.path().join("empty.wav");
        hound::WavWriter::create(&path, spec).and_then(|file| file.finalize()).expect("a file");
        path
    };
    let cases = [
        (folder.path().join("none.wav"), "there is no file"),
        (folder.path().to_owned(), "is a folder"),
        (file("empty.txt", b""), "must be a WAV, FLAC, MP3 or OGG file"),
        (file("text.wav", b"not a sound"), "must be a WAV, FLAC, MP3 or OGG file"),
        (file("broken.wav", b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0"), "cannot be read"),
        (file("broken.flac", b"fLaC\0\0\0\x22"), "cannot be read"),
        (header(16), "holds no samples"),
    ];
    for (path, words) in cases {
        let message = failure(["measure".as_ref(), path.as_os_str()], 2);
        assert!(message.contains(words) && message.trim_end().lines().count() == 1, "{words}: {message}");
    }
    let path = folder.path().join("tone.wav");
    write(&path, 16, hound::SampleFormat::Int);
    for (option, value, words) in [
        ("--from", "-1", "--from is -1"),
        ("--from", "9", "between these times"),
        ("--to", "0", "--to is 0"),
        ("--to", "nan", "--to is nan"),
        ("--partials", "1.5", "whole number"),
        ("--range", "1000", "--range is 1000"),
        ("--plot", "a.pdf", "--plot is a.pdf"),
    ] {
        let message = failure(["measure".as_ref(), path.as_os_str(), option.as_ref(), value.as_ref()], 2);
        assert!(message.contains(words) && message.trim_end().lines().count() == 1, "{words}: {message}");
    }
}
