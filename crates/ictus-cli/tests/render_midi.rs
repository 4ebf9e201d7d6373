//! `ictus render --midi`: what is played, and what is said where nothing could be heard.

use crate::common;

use std::fs;

use common::{failure, ictus, names_in, stdout};
use serde_json::Value;

/// Three balls on springs that a keyboard plays: C4, D4, E4. `CUT` ends what a scene without notes has.
const BALLS: &str = r#"
ictus = 1
title = "Balls"
rate = 24000
[sets.balls]
notes = "C4..E4 major"
object = { kind = "mass", mass = "10 g", frequency = "300 Hz", t60 = "0.1 s" }
exciters.hammer = { kind = "hammer", on = "each", mass = "5 g", stiffness = 1e7, exponent = 1.5 }
pickups.out = { at = "each" }
[controls.level]
parameter = "balls.out.gain"
range = [0, 1]
midi = 7
# CUT
[notes]
play = "balls.hammer"
velocity = ["0.1 m/s", "1 m/s"]
"#;

/// A folder with the scene, the scene without its notes, and MIDI files.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a directory"));
        let (without_notes, _) = BALLS.split_once("# CUT").expect("there is a cut");
        fs::write(folder.path("balls.toml"), BALLS).expect("can be written");
        fs::write(folder.path("silent.toml"), without_notes).expect("can be written");
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// A file of one track, 96 ticks to a beat of half a second.
    fn song(&self, track: &[u8]) -> String {
        let end = [0, 0xff, 0x2f, 0];
        let length = u8::try_from(track.len() + end.len()).expect("a short track");
        let header = [b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0".as_slice(), &[length]].concat();
        fs::write(self.path("song.mid"), [&header, track, &end].concat()).expect("can be written");
        self.path("song.mid")
    }

    /// A file that strikes these keys at once.
    fn chord(&self, keys: &[u8]) -> String {
        let track: Vec<u8> = keys.iter().flat_map(|key| [0, 0x90, *key, 100]).collect();
        self.song(&track)
    }

    /// The message with which a scene refuses a MIDI file, if it left nothing behind.
    fn refused(&self, scene: &str, song: &str) -> String {
        let arguments = ["render", &self.path(scene), "-o", &self.path("a.wav"), "--midi", song];
        let message = failure(arguments, 2);
        assert_eq!(names_in(self.0.path()), ["balls.toml", "silent.toml", "song.mid"]);
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
        message
    }
}

#[test]
fn a_midi_file_plays_the_notes_of_a_scene() {
    let folder = Folder::new();
    let (scene, report) = (folder.path("bars.toml"), folder.path("report.json"));
    stdout(["new", &scene, "--template", "marimba"]);
    // C4 at 0 s, E4 at 0.5 s, the end at 1 s.
    let song = folder.song(&[0, 0x90, 60, 100, 96, 60, 0, 0, 64, 50, 96, 64, 0]);
    let sound = folder.path("a.wav");
    stdout(["render", &scene, "-o", &sound, "--midi", &song, "--rate", "24000", "--report", &report]);
    let report: Value = serde_json::from_slice(&fs::read(report).expect("is there")).expect("is JSON");
    assert_eq!(report["duration"], 4.0, "three seconds after the end");
    let contacts = report["contacts"].as_array().expect("a list");
    let first = |name: &str| {
        let contact = contacts.iter().find(|contact| contact["name"] == name)?;
        Some((contact["start"].as_f64()?, contact["v_in"].as_f64()?))
    };
    let (c4, e4) = (first("bars.mallet.C4").expect("C4 is struck"), first("bars.mallet.E4").expect("E4 is struck"));
    assert!((0.0..0.01).contains(&c4.0) && (0.5..0.51).contains(&e4.0), "{c4:?} {e4:?}");
    assert!(c4.1 > 1.3 * e4.1, "the harder stroke is faster: {c4:?} {e4:?}");
    assert!(contacts.iter().all(|contact| contact["name"] != "bars.mallet.G4"), "the scene's own events do not play");
}

#[test]
fn notes_without_a_key_are_told_and_counted() {
    let folder = Folder::new();
    let song = folder.chord(&[60, 20, 64, 61, 120]);
    let (scene, report) = (folder.path("balls.toml"), folder.path("report.json"));
    let arguments = ["render", &scene, "-o", &folder.path("a.wav"), "--midi", &song, "--report", &report];
    let output = ictus(arguments);
    let told = String::from_utf8(output.stderr).expect("is text");
    assert!(output.status.success(), "{told}");
    let expected = "note: balls: 3 of 5 notes have no key in this instrument (it has 3 keys from C4 to E4)\n";
    assert_eq!(told, expected);
    let report: Value = serde_json::from_slice(&fs::read(report).expect("is there")).expect("is JSON");
    assert_eq!((&report["notes"], &report["notes_without_key"]), (&5.into(), &3.into()));

    let song = folder.chord(&[60, 62]);
    let output = ictus(["render", &scene, "-o", &folder.path("a.wav"), "--midi", &song]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_file_without_notes_is_told() {
    let folder = Folder::new();
    let output = ictus([
        "render",
        &folder.path("balls.toml"),
        "-o",
        &folder.path("a.wav"),
        "--midi",
        &folder.song(&[0, 0xb0, 7, 64]),
    ]);
    let told = String::from_utf8(output.stderr).expect("is text");
    assert!(output.status.success() && told.contains("song.mid\": it has no notes\n"), "{told}");
}

#[test]
fn notes_that_would_all_be_silent_are_refused() {
    let folder = Folder::new();
    let message = folder.refused("balls.toml", &folder.chord(&[20, 120]));
    assert!(message.contains("none of its 2 notes has a key") && message.contains("C4 to E4"), "{message}");
    // A control that follows a controller plays no notes.
    let message = folder.refused("silent.toml", &folder.chord(&[60, 62]));
    assert!(message.contains("2 notes") && message.contains("no [notes]"), "{message}");
}

#[test]
fn a_scene_without_notes_plays_a_midi_file_of_controllers_only() {
    let folder = Folder::new();
    let (scene, song) = (folder.path("silent.toml"), folder.song(&[0, 0xb0, 7, 64]));
    stdout(["render", &scene, "-o", &folder.path("a.wav"), "--midi", &song]);
    let (text, _) = BALLS.split_once("[controls").expect("there are controls");
    fs::write(&scene, text).expect("can be written");
    fs::remove_file(folder.path("a.wav")).expect("is there");
    let message = folder.refused("silent.toml", &song);
    assert!(message.contains("neither [notes] nor controls"), "{message}");
}

#[test]
fn a_midi_file_cut_in_half_is_refused() {
    let folder = Folder::new();
    // A header that promises one track of 100 bytes, of which 16 are there.
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x64".to_vec();
    bytes.extend([0, 0x90, 60, 100, 0x60, 0x80, 60, 0].repeat(2));
    fs::write(folder.path("song.mid"), bytes).expect("can be written");
    let message = folder.refused("balls.toml", &folder.path("song.mid"));
    assert!(message.contains("song.mid"), "{message}");
}
