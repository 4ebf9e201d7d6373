//! `ictus check` says what `ictus render` would say, and does not take longer to say it.

use std::fs;
use std::process::Command;

use crate::common::{failure, json};

/// A ball on a spring with so many channels, at that rate and for so long.
fn scene(rate: f64, channels: usize, seconds: f64) -> String {
    format!(
        "ictus = 1\ntitle = \"Ball\"\nrate = {rate}\nduration = {seconds}\n[output]\nchannels = {channels}\n[objects.ball]\nkind = \"mass\"\n\
         mass = \"10 g\"\nfrequency = \"300 Hz\"\nt60 = 1\n[exciters.hammer]\nkind = \"hammer\"\non = \"ball\"\nmass = \"5 g\"\nstiffness = 1e7\n\
         exponent = 1.5\n[pickups.out]\nat = \"ball\"\n[[events]]\ntime = 0\nstrike = \"hammer\"\nvelocity = 1\n"
    )
}

#[test]
fn check_and_render_refuse_the_same_scenes_with_the_same_words() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("ball.toml");
    let (file, sound) = (path.display().to_string(), folder.path().join("a.wav").display().to_string());
    for (rate, channels, seconds, words) in [
        (44_100.5, 1, 1.0, "the rate is 44100.5 Hz, but must be a whole number of Hz from 8000 to 768000"),
        (1000.0, 1, 1.0, "`rate` is 1000 Hz, must be from 8000 to 768000 Hz"),
        (48_000.0, 64, 3600.0, "the sound would be 3600 s long, but 64 channels at 48000 Hz can be at most 87 s long"),
        (768_000.0, 1, 3600.0, "can be at most 349 s long"),
    ] {
        fs::write(&path, scene(rate, channels, seconds)).expect("is written");
        let checked = failure(["check", &file], 2);
        assert!(checked.contains(words), "{checked}");
        assert_eq!(checked, failure(["render", &file, "-o", &sound], 2));
    }
}

/// Time of the processor in s that the program takes.
#[cfg(unix)]
fn worked(arguments: &[&str]) -> f64 {
    let mut shell = Command::new("sh");
    shell.args(["-c", "\"$0\" \"$@\" >/dev/null || exit 1; times", env!("CARGO_BIN_EXE_ictus")]).args(arguments);
    let output = shell.output().expect("there is a shell");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("is text");
    // The second line is that of the children: 0m1.234s 0m0.010s.
    let times = text.lines().nth(1).expect("a line").split_whitespace();
    let seconds = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("minutes and seconds");
        60.0 * minutes.parse::<f64>().expect("a number") + seconds.parse::<f64>().expect("a number")
    };
    times.map(seconds).sum()
}

#[cfg(unix)]
#[test]
fn check_takes_seconds_where_many_objects_would_take_a_minute_one_by_one() {
    let folder = tempfile::tempdir().expect("a directory");
    let mut text = scene(48_000.0, 1, 0.05);
    for n in 0..6000 {
        text += &format!("[objects.b{n}]\nkind = \"mass\"\nmass = \"10 g\"\nfrequency = 200\n");
    }
    let path = folder.path().join("many.toml");
    fs::write(&path, text).expect("is written");
    let (file, sound) = (path.display().to_string(), folder.path().join("a.wav").display().to_string());
    let rendered = worked(&["render", &file, "-o", &sound]);
    let checked = worked(&["check", &file]);
    // Half a second of playing, half a second for all objects together, and the building of each.
    assert!(checked < 2.0 * rendered + 2.0, "check {checked} s, render {rendered} s");
}

/// The estimate is of the scene, not of what else the machine does: it was 25 times as large on a quiet machine as on a busy one.
#[test]
fn the_estimate_is_the_same_on_a_busy_machine() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let estimate = || json(["check", "hammered-string", "--json"])[0]["realtime_factor"].as_f64().expect("a number");
    let mut all: Vec<f64> = (0..2).map(|_| estimate()).collect();
    let is_busy = AtomicBool::new(true);
    std::thread::scope(|scope| {
        for seed in 0..8u64 {
            let is_busy = &is_busy;
            scope.spawn(move || {
                let mut numbers = vec![seed; 1 << 20];
                while is_busy.load(Ordering::Relaxed) {
                    numbers.iter_mut().for_each(|number| *number = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed);
                }
                std::hint::black_box(numbers);
            });
        }
        all.extend((0..2).map(|_| estimate()));
        is_busy.store(false, Ordering::Relaxed);
    });
    let [least, most] = [f64::min, f64::max].map(|of| all.iter().copied().reduce(of).expect("some"));
    println!("{all:?}");
    assert!(most < 3.0 * least, "{all:?}");
}
