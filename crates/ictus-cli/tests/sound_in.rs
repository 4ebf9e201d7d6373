//! Sound in and sound out: signals that follow a file, pipes at both ends, and stems.

use crate::common;

use std::f64::consts::TAU;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{ictus_in, names_in};
use ictus_recording::{Part, Recording};

/// A mass that a sound pushes. Nothing else acts on it, and it is heard as it is.
const PUSHED: &str = r#"
ictus = 1
title = "Pushed"
duration = "0.5 s"
[output]
channels = 1
highpass = 0
fade = 0
[objects.ball]
kind = "mass"
mass = "10 g"
[exciters.shaker]
kind = "signal"
on = "ball"
file = "tone.wav"
level = "2 N"
[pickups.ear]
at = "ball"
[[events]]
time = "0.1 s"
trigger = "shaker"
"#;

const PAIR: &str = r#"
ictus = 1
title = "Two bars"
duration = "0.3 s"
rate = 24000
[objects.low]
kind = "bar"
length = "30 cm"
highest = "5 kHz"
[objects.high]
kind = "bar"
length = "20 cm"
highest = "5 kHz"
[exciters.one]
kind = "hammer"
on = "low@0.3"
mass = "20 g"
stiffness = 1e7
[exciters.two]
kind = "hammer"
on = "high@0.3"
mass = "20 g"
stiffness = 1e7
[pickups.left]
at = "low@0.1"
gain = "-10 dB"
pan = -0.7
[pickups.right]
at = "high@0.1"
gain = "-10 dB"
pan = 0.4
[[events]]
time = 0
strike = ["one", "two"]
velocity = "1 m/s"
"#;

/// Frequency in Hz and rate in Hz of the tone.
const TONE: (f64, u32) = (1000.0, 44_100);

/// A tone in two channels of which the mean is half of full scale.
fn tone(path: &Path) {
    let (frequency, rate) = TONE;
    let spec = hound::WavSpec {
        channels: 2,
        sample_rate: rate,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let mut file = hound::WavWriter::create(path, spec).expect("is made");
    for n in 0..rate / 5 {
        let sample = (TAU * frequency * f64::from(n) / f64::from(rate)).sin();
        file.write_sample(0.75 * sample as f32).expect("is written");
        file.write_sample(0.25 * sample as f32).expect("is written");
    }
    file.finalize().expect("is written");
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("is written");
    }
    folder
}

fn piped(folder: &Path, arguments: &str, input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ictus"))
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // One that refuses its input may be gone before it has taken it.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the program ends")
}

fn refused(output: &Output, words: &str) {
    // A long message goes over several lines.
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let message = message.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2), "{words}: {message}");
    assert!(message.contains(words) && output.stdout.is_empty(), "{words}: {message}");
}

fn done(folder: &Path, arguments: &str) {
    let output = ictus_in(folder, arguments.split_whitespace());
    assert!(output.status.success(), "{arguments}: {output:?}");
}

fn sound(path: &Path) -> Recording {
    Recording::read(path, Part::default()).expect("a sound")
}

/// Newton: under F sin ωt from rest, m v = (F/ω)(1 - cos ωt). The file has another rate than the scene.
#[test]
fn a_mass_follows_the_force_of_a_file() {
    let folder = folder_with(&[("pushed.toml", PUSHED)]);
    tone(&folder.path().join("tone.wav"));
    for (options, rate) in [("", 48_000.0), (" --rate 96000", 96_000.0), (" --oversample 2", 48_000.0)] {
        done(folder.path(), &format!("render pushed.toml -o heard.wav --bits 32f{options}"));
        let heard = sound(&folder.path().join("heard.wav"));
        assert_eq!(f64::from(heard.rate), rate);
        let (omega, peak) = (TAU * TONE.0, 0.5 * 2.0 / 0.01 / (TAU * TONE.0));
        let mut worst = 0.0f64;
        // Away from the ends of the tone, where the sound of a file is cut off.
        for n in (0.11 * rate) as usize..(0.29 * rate) as usize {
            let expected = peak * (1.0 - (omega * (n as f64 / rate - 0.1)).cos());
            worst = worst.max((heard.channels[0][n] - expected).abs() / peak);
        }
        assert!(worst < 0.01, "{worst} of the largest velocity{options}");
    }
}

#[test]
fn a_sound_goes_through_pipes_as_it_goes_into_files() {
    let folder = folder_with(&[("pushed.toml", PUSHED)]);
    let path = folder.path();
    tone(&path.join("tone.wav"));
    done(path, "render pushed.toml -o file.wav");
    let file = fs::read(path.join("file.wav")).expect("a sound");
    let output = piped(path, "render pushed.toml -o -", b"");
    assert!(output.status.success() && output.stdout == file, "the bytes of the file and nothing else");
    assert!(String::from_utf8_lossy(&output.stderr).contains("energy residual"), "the summary goes aside");
    let output = piped(path, "render - -o -", PUSHED.as_bytes());
    assert!(output.status.success() && output.stdout == file, "{:?}", String::from_utf8_lossy(&output.stderr));
    // The sound that pushes it, from a pipe: also where the scene is read twice.
    let pipe = PUSHED.replace("tone.wav", "-");
    fs::write(path.join("pipe.toml"), &pipe).expect("is written");
    let input = fs::read(path.join("tone.wav")).expect("a sound");
    let output = piped(path, "render pipe.toml -o -", &input);
    assert!(output.status.success() && output.stdout == file, "{:?}", String::from_utf8_lossy(&output.stderr));
    let output = piped(path, "render pushed.toml --set shaker.file=- --oversample 2 -o -", &input);
    assert!(output.status.success(), "{:?}", String::from_utf8_lossy(&output.stderr));
    refused(&piped(path, "render - -o x.wav", pipe.as_bytes()), "it holds the scene");
    refused(&piped(path, "render - -o x.wav", &[0xff, 0xfe]), "standard input, line 1: this is not UTF-8 text");
    refused(&piped(path, "render pushed.toml pipe.toml -o -", b""), "standard output takes one sound");
    refused(&piped(path, "render pushed.toml --stems -o -", b""), "standard output takes one sound");
    assert_eq!(names_in(path), ["file.wav", "pipe.toml", "pushed.toml", "tone.wav"]);
    let output = piped(path, "check -", PUSHED.as_bytes());
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("Pushed"), "{output:?}");
}

#[test]
fn sounds_that_cannot_be_read_are_one_sentence_each() {
    let folder = folder_with(&[("pushed.toml", PUSHED), ("text.wav", "not a sound"), ("empty.wav", "")]);
    let path = folder.path();
    tone(&path.join("tone.wav"));
    let whole = fs::read(path.join("tone.wav")).expect("a sound");
    fs::write(path.join("half.wav"), &whole[..whole.len() / 2]).expect("is written");
    fs::create_dir(path.join("folder.wav")).expect("is made");
    let before = names_in(path);
    let told = |changes: &[&str], words: &str| {
        let changes = changes.iter().flat_map(|change| ["--set", change]);
        refused(&ictus_in(path, ["render", "pushed.toml", "-o", "out.wav"].into_iter().chain(changes)), words);
    };
    told(&["shaker.file=gone.wav"], "`gone.wav` does not exist");
    told(&["shaker.file=text.wav"], "`text.wav` is no sound that can be read: it must be a WAV, FLAC, MP3 or OGG file");
    told(&["shaker.file=empty.wav"], "`empty.wav` is no sound that can be read");
    told(&["shaker.file=half.wav"], "`half.wav` cannot be read: it ends after");
    told(&["shaker.file=folder.wav"], "`folder.wav` is a folder, not a sound");
    told(&["shaker.start=3 s"], "`tone.wav` holds no samples between these times");
    told(&["rate=44100.5"], "cannot be brought to 44100.5 Hz");
    let output = ictus_in(path, ["render", "pushed.toml", "-o", "tone.wav"]);
    refused(&output, "must not be the file that is read as `file`");
    assert_eq!((names_in(path), fs::read(path.join("tone.wav")).expect("a sound")), (before, whole));
}

#[test]
fn stems_add_up_to_the_sound_which_they_do_not_change() {
    let folder = folder_with(&[("pair.toml", PAIR)]);
    let path = folder.path();
    for (options, ending) in [("", "wav"), (" --oversample 2 --normalize --tail=1", "wav"), (" --bits 24", "flac")] {
        done(path, &format!("render pair.toml -o alone.{ending}{options}"));
        done(path, &format!("render pair.toml -o pair.{ending} --stems{options}"));
        let file = |name: &str| path.join(format!("{name}.{ending}"));
        assert_eq!(fs::read(file("alone")).expect("a sound"), fs::read(file("pair")).expect("a sound"), "{options}");
        let [all, left, right] = ["pair", "pair-left", "pair-right"].map(|name| sound(&file(name)));
        let mut loudest = [0.0f64; 2];
        for channel in 0..2 {
            for n in 0..all.frames() {
                let [one, other] = [left.channels[channel][n], right.channels[channel][n]];
                // Each of three is rounded to 24 bits.
                assert!((one + other - all.channels[channel][n]).abs() < 2e-7, "{options}");
                loudest = [loudest[0].max(one.abs()), loudest[1].max(other.abs())];
            }
        }
        assert!(loudest.iter().all(|peak| *peak > 0.01), "{loudest:?}");
    }
    let message = ictus_in(path, ["render", "pair.toml", "-o", "x.wav", "--stems", "--plot", "."]);
    assert!(message.status.success(), "{message:?}");
    done(path, "render pair.toml -o out --stems --variations 1 --set one.mass=0.02±1%");
    assert_eq!(names_in(&path.join("out")).len(), 4);
}
