//! What a render tells without stopping: a sound that is silent, an account that is open. And what stops it: numbers beyond the arithmetic.

use crate::common;

use std::fs;

use common::{failure, ictus, names_in};
use serde_json::Value;

const SILENT: &str = r#"ictus = 1
title = "Silent"
duration = 0.1
[objects.string]
kind = "string"
[exciters.hammer]
kind = "hammer"
on = "string@0.12"
mass = "5 g"
stiffness = 1e8
[pickups.ear]
at = "string@0.9"
[[events]]
time = 0
strike = "hammer"
velocity = -1
"#;

/// A gram that creeps at a millimetre per second, ten metres from where numbers are finest, under a bow that holds it.
const CREEPING: &str = r#"ictus = 1
title = "Creeping"
duration = 0.02
rate = 768000
[objects.speck]
kind = "mass"
mass = "10 g"
displacement = -10
velocity = -0.001
[objects.wall]
kind = "barrier"
[contacts.hold]
from = "wall"
to = "speck"
law = "bow-friction"
normal_force = 1e6
sharpness = 1e-6
damping = 1e9
[pickups.ear]
at = "speck"
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(scene: &str) -> Self {
        let folder = Self(tempfile::tempdir().expect("a directory"));
        fs::write(folder.path("scene.toml"), scene).expect("can be written");
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Renders the scene; what was told on standard error, and the report.
    fn render(&self, options: &[&str]) -> (String, Value) {
        let [scene, output, report] = ["scene.toml", "a.wav", "report.json"].map(|name| self.path(name));
        let arguments = ["render", &scene, "-o", &output, "--report", &report];
        let done = ictus(arguments.iter().chain(options));
        assert!(done.status.success(), "{done:?}");
        assert_eq!(names_in(self.0.path()), ["a.wav", "report.json", "scene.toml"]);
        let report = fs::read(report).expect("is there");
        (String::from_utf8(done.stderr).expect("is text"), serde_json::from_slice(&report).expect("is JSON"))
    }
}

#[test]
fn a_silent_scene_is_rendered_with_a_warning_that_says_why_and_where() {
    let folder = Folder::with(SILENT);
    for options in [&[][..], &["--tail"], &["--no-account"]] {
        let (told, report) = folder.render(options);
        let sentence = "scene.toml:6:11: the sound will be silent: `hammer` moves away from what it plays, at -1 m/s";
        assert!(told.starts_with("warning: ") && told.contains(sentence), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        let warnings = report["warnings"].as_array().expect("is a list");
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].as_str().expect("is text").contains(sentence), "{warnings:?}");
        assert_eq!(report["peak"], 0.0);
    }
}

#[test]
fn a_scene_that_sounds_is_rendered_without_a_warning() {
    let folder = Folder::with(&SILENT.replace("velocity = -1", "velocity = 1"));
    let (told, report) = folder.render(&["--gain", "-20"]);
    assert_eq!(told, "");
    assert_eq!(report["warnings"], serde_json::json!([]));
    assert!(report["peak"].as_f64().expect("is a number") > 0.0);
}

#[test]
fn what_was_set_or_cut_off_on_the_command_line_counts() {
    let late = Folder::with(&SILENT.replace("time = 0", "time = 0.05").replace("velocity = -1", "velocity = 1"));
    let (told, _) = late.render(&["--gain", "-20"]);
    assert_eq!(told, "");
    let (told, _) = late.render(&["--duration", "0.04"]);
    assert!(told.contains("the first event is at 0.05 s, but the scene ends at 0.04 s"), "{told}");
    let (told, _) = late.render(&["--set", "ear.gain=0"]);
    assert!(told.contains("no pickup hears anything that moves"), "{told}");
}

#[test]
fn a_value_that_nobody_hears_is_told() {
    let folder = Folder::with(&SILENT.replace("velocity = -1", "velocity = 1"));
    let (told, report) = folder.render(&["--gain", "-20", "--set", "hammer.velocity=2"]);
    let sentence =
        "scene.toml: `hammer.velocity` is not heard: each event that plays `hammer` has a `velocity` of its own";
    assert!(told.starts_with("warning: ") && told.contains(sentence), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(1));
    assert_eq!(folder.render(&["--gain", "-20", "--set", "events.0.velocity=2"]).0, "");
}

#[test]
fn check_warns_of_silence_and_still_succeeds() {
    let folder = Folder::with(SILENT);
    let scene = folder.path("scene.toml");
    let done = ictus(["check", &scene]);
    assert!(done.status.success(), "{done:?}");
    let told = String::from_utf8(done.stderr).expect("is text");
    assert!(told.contains("scene.toml:6:11: the sound will be silent: `hammer` moves away"), "{told}");
    let done = ictus(["check", &scene, "--json"]);
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    let entries: Value = serde_json::from_slice(&done.stdout).expect("is JSON");
    let warning = &entries[0]["warnings"][0];
    assert_eq!(warning["message"], "`hammer` moves away from what it plays, at -1 m/s");
    assert_eq!((&warning["line"], &warning["column"]), (&Value::from(6), &Value::from(11)));
    let done = ictus(["check", "hammered-string", "--json"]);
    let entries: Value = serde_json::from_slice(&done.stdout).expect("is JSON");
    assert_eq!(entries[0]["warnings"], serde_json::json!([]));
}

#[test]
fn an_account_that_is_open_is_told_and_a_closed_one_is_not() {
    let folder = Folder::with(CREEPING);
    let (told, report) = folder.render(&[]);
    let residual = report["energy"]["residual"].as_f64().expect("is a number");
    assert!(residual > 1e-6, "{residual}");
    assert!(told.contains("scene: the energy account is off by "), "{told}");
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(1));
    let near = Folder::with(&CREEPING.replace("displacement = -10", "displacement = -1e-3"));
    let (told, report) = near.render(&[]);
    assert!(report["energy"]["residual"].as_f64().expect("is a number") <= 1e-6);
    assert_eq!(told, "");
    // Nothing is told of an account that was not kept.
    assert_eq!(folder.render(&["--no-account"]).0, "");
}

#[test]
fn numbers_beyond_the_arithmetic_are_refused_in_one_sentence_and_nothing_is_written() {
    let finger = "[exciters.finger]\nkind = \"finger\"\non = \"string@0.5\"\nstiffness = 1e308\n";
    let damped = "mass = \"5 g\"\ndamping = 1e231";
    for (scene, message) in [
        (
            SILENT.replace("[pickups.ear]", &format!("{finger}[pickups.ear]")),
            "`stiffness` is 1e308 N/m, must be above 0, at most 1e30 N/m",
        ),
        (
            SILENT.replace("stiffness = 1e8", "stiffness = 1e36"),
            "`stiffness` is 1e36 N/m^α, must be above 0, at most 1e30 N/m^α",
        ),
        (SILENT.replace("mass = \"5 g\"", "mass = 1e-30"), "`mass` is 1e-30 kg, must be from 1e-9 to 1e9 kg"),
        (SILENT.replace("mass = \"5 g\"", damped), "`damping` is 1e231 N s/m, must be from 0 to 1e9 N s/m"),
        (SILENT.replace("stiffness = 1e8", "stiffness = 1e25"), "length of a hard blow is"),
    ] {
        let folder = Folder::with(&scene);
        let told = failure(["render", &folder.path("scene.toml"), "-o", &folder.path("a.wav")], 2);
        assert!(told.contains(message), "{message}: {told}");
        assert!(told.contains("one problem"), "{told}");
        assert_eq!(names_in(folder.0.path()), ["scene.toml"]);
    }
}
