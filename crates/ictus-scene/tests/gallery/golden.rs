//! What the scenes sounded like when they were last listened to: loudness and brightness of every tenth of a second.
//!
//! Written anew with `ICTUS_GOLDEN=write cargo test -p ictus-scene --test all gallery`; look at what changed before keeping it.

use std::fmt::Write as _;
use std::path::PathBuf;

use ictus_analysis::{Spectrum, Window};

/// Length of a frame in s.
const FRAME: f64 = 0.1;

/// How much of the loudest frame's level one must have for its brightness to count.
const AUDIBLE: f64 = 1e-3;

/// How much of the loudest second's level one must have to be compared where rounding grows.
const LOUD: f64 = 0.1;

/// How closely a render must repeat.
#[derive(Clone, Copy)]
pub enum Likeness {
    /// Rounding stays rounding: a millionth.
    Same,
    /// Collisions magnify rounding until the sound is another of its kind. Parts of 1e-15 in the sizes of things were found to move
    /// single seconds by up to 4 dB: a second must be as loud within 6 dB, all of it within 2 dB, and as bright within half.
    Alike,
}

/// Level (root mean square) and brightness (centroid of the power spectrum in Hz) of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    level: f64,
    brightness: f64,
}

fn frames(sound: &[f64], rate: f64) -> Vec<Frame> {
    let length = (FRAME * rate) as usize;
    let frame = |samples: &[f64]| {
        let level = (samples.iter().map(|sample| sample * sample).sum::<f64>() / length as f64).sqrt();
        let spectrum = Spectrum::new(samples, rate, Window::Hann).expect("a frame is a fair signal");
        let power = spectrum.power();
        let total: f64 = power.iter().sum();
        let moment: f64 = power.iter().enumerate().map(|(bin, power)| power * spectrum.frequency(bin)).sum();
        Frame { level, brightness: if total > 0.0 { moment / total } else { 0.0 } }
    };
    sound.chunks_exact(length).map(frame).collect()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/gallery/golden").join(format!("{name}.csv"))
}

fn write(name: &str, frames: &[Frame]) {
    let mut text = String::from("level,brightness in Hz\n");
    for Frame { level, brightness } in frames {
        writeln!(text, "{level:.9e},{brightness:.9e}").expect("a string takes all");
    }
    std::fs::write(file(name), text).unwrap_or_else(|error| panic!("{}: {error}", file(name).display()));
}

fn load(name: &str) -> Vec<Frame> {
    let text = std::fs::read_to_string(file(name)).unwrap_or_else(|error| panic!("{}: {error}", file(name).display()));
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
    let frame = |line: &str| {
        let (level, brightness) = line.split_once(',').unwrap_or_else(|| panic!("{name}: {line}"));
        Frame { level: number(level), brightness: number(brightness) }
    };
    text.lines().skip(1).map(frame).collect()
}

/// Checks a sound against what it was, or writes it down if asked to.
pub fn check(name: &str, sound: &[f64], rate: f64, likeness: Likeness) {
    let now = frames(sound, rate);
    if std::env::var_os("ICTUS_GOLDEN").is_some_and(|value| value == "write") {
        return write(name, &now);
    }
    let then = load(name);
    assert_eq!(now.len(), then.len(), "{name}: frames");
    match likeness {
        Likeness::Same => same(name, &now, &then),
        Likeness::Alike => alike(name, &now, &then),
    }
}

fn same(name: &str, now: &[Frame], then: &[Frame]) {
    let loudest = then.iter().fold(0.0_f64, |loudest, frame| loudest.max(frame.level));
    for (index, (now, then)) in now.iter().zip(then).enumerate() {
        let time = index as f64 * FRAME;
        assert!((now.level - then.level).abs() <= 1e-6 * loudest, "{name} at {time:.1} s: {now:?}, was {then:?}");
        let brightness_differs = (now.brightness - then.brightness).abs() > 1e-6 * then.brightness;
        assert!(then.level < AUDIBLE * loudest || !brightness_differs, "{name} at {time:.1} s: {now:?}, was {then:?}");
    }
}

fn alike(name: &str, now: &[Frame], then: &[Frame]) {
    let in_a_second = (1.0 / FRAME).round() as usize;
    let seconds = |frames: &[Frame]| frames.chunks(in_a_second).map(mean).collect::<Vec<_>>();
    let loudest = seconds(then).iter().fold(0.0_f64, |loudest, second| loudest.max(second.level));
    let decibels = |now: Frame, then: Frame| 20.0 * (now.level / then.level).log10();
    for (index, (now, then)) in seconds(now).into_iter().zip(seconds(then)).enumerate() {
        let apart = decibels(now, then);
        assert!(then.level < LOUD * loudest || apart.abs() <= 6.0, "{name}, second {index}: {apart:+.2} dB");
    }
    let (now, then) = (mean(now), mean(then));
    let (apart, ratio) = (decibels(now, then), now.brightness / then.brightness);
    assert!(apart.abs() <= 2.0, "{name} as a whole: {apart:+.2} dB");
    assert!((0.66..=1.5).contains(&ratio), "{name} as a whole: {ratio:.3} times as bright");
}

/// Level and brightness of several frames together.
fn mean(frames: &[Frame]) -> Frame {
    let power: f64 = frames.iter().map(|frame| frame.level * frame.level).sum();
    let moment: f64 = frames.iter().map(|frame| frame.level * frame.level * frame.brightness).sum();
    Frame { level: (power / frames.len() as f64).sqrt(), brightness: if power > 0.0 { moment / power } else { 0.0 } }
}
