//! `ictus fit` makes an instrument of a recorded impact, and says what a recording is that is none.

use crate::common;

use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

use common::{failure, ictus, json, names_in, stdout};

const RATE: u32 = 48_000;

/// What stands in docs/fit.md: a bell whose modes and contact are known.
const BELL: &str = r#"
ictus = 1
title = "Bell"
duration = "2 s"

[objects.body]
kind = "modal"
modes = [
  { frequency = 310, t60 = 1.8, mass = 2 },
  { frequency = 312.5, t60 = 1.6, mass = 2 },
  { frequency = 801, t60 = 1.2, mass = 2 },
  { frequency = 1722, t60 = 0.8, mass = 2 },
]
points = [[1, 0.8, -0.7, 0.9], [0.5, -0.7, 0.8, 0.6]]

[exciters.mallet]
kind = "hammer"
on = "body#1"
mass = "12 g"
stiffness = "1e6 N/m^1.5"
exponent = 1.5

[pickups.ear]
at = "body#2"
gain = 20

[[events]]
time = "0.1 s"
strike = "mallet"
"#;

fn write(path: &Path, samples: impl Iterator<Item = f64>) {
    let spec =
        hound::WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 24, sample_format: hound::SampleFormat::Int };
    let mut file = hound::WavWriter::create(path, spec).expect("a file");
    for sample in samples {
        file.write_sample((sample.clamp(-1.0, 1.0) * 8_388_607.0) as i32).expect("a sample");
    }
    file.finalize().expect("a file");
}

/// Seconds of noise, from -1 to 1, that is the same every time.
fn noise(seconds: f64) -> impl Iterator<Item = f64> {
    let mut random = ictus::math::random::SplitMix64(5);
    (0..(seconds * f64::from(RATE)) as usize).map(move |_| 2.0 * random.unit() - 1.0)
}

#[test]
fn a_bell_that_was_rendered_comes_back_with_its_modes_and_its_contact() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    fs::write(path("bell.toml"), BELL).expect("is written");
    stdout(["render", &path("bell.toml"), "-o", &path("bell.wav")]);
    let told = json(["fit", &path("bell.wav"), "-o", &path("fitted.toml"), "--plot", &path("fit.png"), "--json"]);
    let modes = told["modes"].as_array().expect("modes");
    let wanted = [(310.0, 1.8), (312.5, 1.6), (801.0, 1.2), (1722.0, 0.8)];
    assert_eq!(modes.len(), wanted.len(), "{told}");
    for (mode, (frequency, t60)) in modes.iter().zip(wanted) {
        let number = |key: &str| mode[key].as_f64().expect("a number");
        // The scene's frequencies are undamped ones; the difference is far less than what is allowed.
        assert!((number("frequency") / frequency - 1.0).abs() < 3e-5, "{mode}");
        assert!((number("t60") / t60 - 1.0).abs() < 3e-3, "{mode}");
        assert!(number("confidence") > 0.95, "{mode}");
    }
    // A mass of 12 g with K = 1e6 and α = 1.5 at 1 m/s: the closed contact time on a wall, and the object is heavy.
    let made = ictus::impact::exact::WallImpact {
        mass: 0.012,
        stiffness: 1e6,
        exponent: 1.5,
        dissipation: 0.0,
        velocity: 1.0,
    };
    let time = told["recordings"][0]["contact_time"].as_f64().expect("a contact time");
    assert!((time / made.contact_time() - 1.0).abs() < 0.05, "{time} {}", made.contact_time());

    assert!(fs::read(path("fit.png")).expect("a picture").starts_with(b"\x89PNG"));
    stdout(["render", &path("fitted.toml"), "-o", &path("again.wav")]);
    let levels = |name: &str| {
        let told = json(["measure", &path(name), "--from", "0.1", "--to", "1.9", "--json"]);
        let partials = told["partials"].as_array().expect("partials").clone();
        partials.iter().map(|partial| (partial["frequency"].as_f64(), partial["level"].as_f64())).collect::<Vec<_>>()
    };
    for ((frequency, level), (other, again)) in levels("bell.wav").into_iter().zip(levels("again.wav")) {
        let off = (level.expect("a level") - again.expect("a level")).abs();
        assert!((frequency.expect("Hz") - other.expect("Hz")).abs() < 0.1 && off < 1.0, "{frequency:?}: {off} dB");
    }
    // Harder, elsewhere, with a bow: it is an instrument.
    let scene = fs::read_to_string(path("fitted.toml")).expect("a scene");
    let bowed = scene.replace("ictus = 1", "ictus = 1\n")
        + "\n[exciters.bow]\nkind = \"bow\"\non = \"body#4\"\n\n[[events]]\ntime = \"0.5 s\"\nbow = \"bow\"\n\n[[events]]\ntime = \"1 s\"\nrelease = \"bow\"\n";
    fs::write(path("bowed.toml"), bowed).expect("is written");
    stdout(["render", &path("bowed.toml"), "-o", &path("bowed.wav")]);
}

#[test]
fn what_is_no_impact_is_told_in_one_sentence_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let second = RATE as usize;
    let ring = |n: usize, frequency: f64| {
        let time = n as f64 / f64::from(RATE);
        (TAU * frequency * time).sin() * (-6.9 * time).exp()
    };
    write(Path::new(&path("silent.wav")), std::iter::repeat_n(0.0, second));
    write(Path::new(&path("clipped.wav")), (0..second).map(|n| 3.0 * ring(n, 200.0)));
    write(Path::new(&path("short.wav")), (0..1000).map(|n| 0.5 * ring(n, 200.0)));
    write(Path::new(&path("swell.wav")), (0..second).map(|n| 0.5 * n as f64 / second as f64 * ring(n, 300.0).signum()));
    let twice =
        (0..second).map(|n| 0.5 * (ring(n, 400.0) + if n > second / 2 { ring(n - second / 2, 500.0) } else { 0.0 }));
    write(Path::new(&path("music.wav")), twice);
    fs::write(path("text.wav"), "no sound").expect("is written");
    let there = names_in(folder.path());
    for (name, expected, code) in [
        ("silent.wav", "it is silent", 1),
        ("clipped.wav", "it is clipped", 1),
        ("short.wav", "it is too short", 1),
        ("swell.wav", "no impact was found", 1),
        ("music.wav", "more than one impact, or music: at 0", 1),
        ("text.wav", "must be a WAV", 2),
        ("missing.wav", "missing.wav", 2),
    ] {
        let message = failure(["fit", &path(name), "-o", &path("scene.toml"), "--plot", &path("fit.png")], code);
        assert!(message.contains(expected) && message.contains(name), "{message}");
    }
    for (option, value) in
        [("--modes", "0"), ("--modes", "1.5"), ("--confidence", "2"), ("--mallet", "0"), ("--to", "-1")]
    {
        let message = failure(["fit", &path("music.wav"), option, value], 2);
        assert!(message.contains(option), "{message}");
    }
    assert_eq!(names_in(folder.path()), there);
}

#[test]
fn a_fit_that_explains_too_little_ends_with_1_and_writes_no_scene() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    // Noise that dies away, with a weak tone in it.
    let hiss = noise(1.0).enumerate().map(|(n, x)| {
        let time = n as f64 / f64::from(RATE);
        0.5 * (x + 0.3 * (TAU * 700.0 * time).sin()) * (-9.0 * time).exp()
    });
    write(Path::new(&path("hiss.wav")), hiss);
    let output = ictus(["fit", &path("hiss.wav"), "-o", &path("scene.toml"), "--modes", "20"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    assert!(
        message.contains("less than the 70 % of --confidence") && message.contains("no scene was written"),
        "{message}"
    );
    assert_eq!(names_in(folder.path()), ["hiss.wav"]);
}

/// The samples of a render, one channel.
fn samples(path: &str) -> Vec<f64> {
    let mut file = hound::WavReader::open(path).expect("a file");
    let spec = file.spec();
    assert_eq!((spec.channels, spec.sample_rate), (1, RATE));
    match spec.sample_format {
        hound::SampleFormat::Float => file.samples::<f32>().map(|y| f64::from(y.expect("a sample"))).collect(),
        hound::SampleFormat::Int => {
            let full = f64::from(1_u32 << (spec.bits_per_sample - 1));
            file.samples::<i32>().map(|y| f64::from(y.expect("a sample")) / full).collect()
        }
    }
}

#[test]
fn modes_and_residual_together_are_the_recording() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    // Three modes, one of them high, and a burst of noise that dies within 10 ms: no modes make that.
    let onset = 4000;
    let struck = |n: usize| {
        let time = n as f64 / f64::from(RATE);
        let mode = |frequency: f64, t60: f64| (TAU * frequency * time).sin() * (-6.9078 * time / t60).exp();
        0.3 * mode(320.0, 1.2) + 0.2 * mode(2750.0, 0.6) + 0.1 * mode(9100.0, 0.2)
    };
    let hiss: Vec<f64> = noise(1.6).collect();
    let recording: Vec<f64> = (0..hiss.len())
        .map(|n| match n.checked_sub(onset) {
            Some(n) => struck(n) + 0.1 * hiss[n] * (-(n as f64) / 150.0).exp(),
            None => 0.0,
        })
        .collect();
    write(Path::new(&path("knock.wav")), recording.iter().copied());
    stdout(["fit", &path("knock.wav"), "-o", &path("fitted.toml"), "--residual", "--modes", "20"]);
    stdout(["render", &path("fitted.toml"), "-o", &path("again.wav")]);
    let again = samples(&path("again.wav"));
    // Where the burst begins in both: the render is the recording moved by whole samples.
    let error = |offset: usize| -> f64 {
        let part = onset..onset + (0.45 * f64::from(RATE)) as usize;
        let off: f64 = part.clone().map(|n| (again[n + offset] - recording[n]).powi(2)).sum();
        (off / part.map(|n| recording[n].powi(2)).sum::<f64>()).sqrt()
    };
    let best = (0..3000).map(error).fold(f64::INFINITY, f64::min);
    assert!(best < 2e-3, "{:.1} dB", 20.0 * best.log10());
}

#[test]
fn a_noisy_knock_is_fitted_or_refused_in_one_sentence() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    for (n, (decay, floor)) in [(0.005, 1e-3), (0.02, 1e-4), (0.02, 1e-2)].into_iter().enumerate() {
        let name = path(&format!("knock{n}.wav"));
        let knock = noise(0.4).enumerate().map(|(n, x)| {
            let time = (n as f64 - 2400.0) / f64::from(RATE);
            let struck = if time < 0.0 { 0.0 } else { 0.6 * (-time / decay).exp() * (x + (TAU * 420.0 * time).sin()) };
            struck + floor * x
        });
        write(Path::new(&name), knock.map(|y| 0.6 * y));
        let scene = path(&format!("knock{n}.toml"));
        let output = ictus(["fit", &name, "-o", &scene, "--modes", "20"]);
        let message = String::from_utf8(output.stderr).expect("text");
        match output.status.code() {
            Some(0) => drop(stdout(["render", &scene, "-o", &path(&format!("again{n}.wav"))])),
            Some(1) => {
                assert!(message.lines().count() == 1 && !message.contains("Nyquist"), "{message}");
                assert!(!Path::new(&scene).exists());
            }
            code => panic!("{code:?}: {message}"),
        }
    }
}

#[test]
fn two_places_and_two_strengths_on_one_object_come_back() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let elsewhere = [0.6, -0.5, 0.9, 0.4];
    // A hard mallet: after a contact of several periods nobody knows how much of a mode there was.
    let scene = BELL
        .replace("[0.5, -0.7, 0.8, 0.6]]", "[0.5, -0.7, 0.8, 0.6], [0.6, -0.5, 0.9, 0.4]]")
        .replace("1e6 N", "1e8 N");
    fs::write(path("one.toml"), &scene).expect("is written");
    let other = scene.replace("on = \"body#1\"", "on = \"body#3\"\nvelocity = 2.5");
    fs::write(path("other.toml"), other).expect("is written");
    for name in ["one", "other"] {
        stdout(["render", &path(&format!("{name}.toml")), "-o", &path(&format!("{name}.wav"))]);
    }
    let told = json(["fit", &path("one.wav"), &path("other.wav"), "-o", &path("fitted.toml"), "--json"]);
    assert_eq!(told["modes"].as_array().map(Vec::len), Some(4), "{told}");
    let mallet = &told["mallets"][1];
    let velocity =
        mallet["velocity"].as_f64().expect("a velocity") / told["mallets"][0]["velocity"].as_f64().expect("one");
    let here = [1.0, 0.8, -0.7, 0.9];
    // Place and strength are one product: the same for all modes, beside what the place has.
    let products: Vec<f64> = (0..4)
        .map(|k| mallet["weights"][k].as_f64().expect("a weight") * velocity / (elsewhere[k] / here[k]))
        .collect();
    let mean = products.iter().sum::<f64>() / 4.0;
    assert!(products.iter().all(|product| (product / mean - 1.0).abs() < 0.05), "{products:?}");
    // 2.5 times as fast, and as much more momentum.
    assert!((mean.abs() / 2.5 - 1.0).abs() < 0.1, "{products:?}");
    stdout(["render", &path("fitted.toml"), "-o", &path("again.wav")]);
}
