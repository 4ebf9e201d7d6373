//! What goes wrong with scenes is told in clear sentences: code 2 for mistakes, 1 for runs that fail, and nothing is
//! left half-written.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{failure, ictus, ictus_in, names_in};

const GOOD: &str = r#"
ictus = 1
title = "Good"
duration = "0.1 s"
[objects.ball]
kind = "mass"
mass = "10 g"
frequency = "440 Hz"
[exciters.hammer]
kind = "hammer"
on = "ball"
mass = "5 g"
stiffness = 1e7
exponent = 1.5
dissipation = 0.1
[pickups.out]
at = "ball"
[[events]]
time = "0 s"
strike = "hammer"
velocity = "1 m/s"
"#;

/// Renders a text as a scene in a folder of its own; the message, if it was refused with code 2 and left nothing.
fn refused(text: &[u8], options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a directory");
    let scene = folder.path().join("scene.toml");
    fs::write(&scene, text).expect("can be written");
    let output = folder.path().join("a.wav");
    let (scene, output) = (scene.display().to_string(), output.display().to_string());
    let message = failure(["render", &scene, "-o", &output].iter().chain(options), 2);
    assert_eq!(names_in(folder.path()), ["scene.toml"], "{options:?}");
    assert!(message.starts_with("error: "), "{message}");
    message
}

#[test]
fn the_good_scene_is_good() {
    let folder = tempfile::tempdir().expect("a directory");
    let scene = folder.path().join("good.toml");
    fs::write(&scene, GOOD).expect("can be written");
    let output = ictus(["render".as_ref(), scene.as_os_str(), "-o".as_ref(), folder.path().as_os_str()]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(names_in(folder.path()), ["good.toml", "good.wav"]);
}

#[test]
fn missing_files_directories_and_bytes_that_are_no_text_are_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let missing = folder.path().join("missing.toml").display().to_string();
    assert!(failure(["render", &missing], 2).contains("no such file"));
    let directory = folder.path().display().to_string();
    assert!(failure(["render", &directory], 2).contains("is a directory"));
    assert!(refused(b"ictus = 1\ntitle = \"\xff\"\n", &[]).contains("UTF-8"));
    assert!(names_in(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_told_from_a_name_that_is_not_there() {
    let folder = tempfile::tempdir().expect("a directory");
    let (there, back) = (folder.path().join("there"), folder.path().join("back"));
    std::os::unix::fs::symlink(&there, &back).expect("a link");
    std::os::unix::fs::symlink(&back, &there).expect("a link");
    let output = ictus_in(folder.path(), ["render", "there"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && message.contains("symbolic links"), "{message}");
}

#[test]
fn a_hundred_megabytes_of_nesting_are_refused_at_once() {
    let begin = std::time::Instant::now();
    let mut text = b"a = ".to_vec();
    text.resize(100 << 20, b'[');
    let message = refused(&text, &[]);
    assert!(message.contains("MB"), "{message}");
    let mut text = b"a = ".to_vec();
    text.resize(1 << 20, b'[');
    refused(&text, &[]);
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}

#[test]
fn all_mistakes_of_a_scene_are_shown_with_their_lines() {
    let text =
        GOOD.replace("kind = \"mass\"", "kind = \"mess\"").replace("velocity = \"1 m/s\"", "velocity = \"1 kg\"");
    let message = refused(text.as_bytes(), &[]);
    for word in ["mess", "mass", "1 kg", "scene.toml"] {
        assert!(message.contains(word), "{word}: {message}");
    }
    assert!(!message.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn options_that_cannot_be_are_refused() {
    let cases: [(&[&str], &str); 14] = [
        (&["--rate", "-1"], "above 0"),
        (&["--rate", "44100.5"], "whole number"),
        (&["--rate", "7999"], "from 8000 to 768000"),
        (&["--duration", "0"], "above 0"),
        (&["--duration", "nan"], "above 0"),
        (&["--duration", "1e9"], "at most"),
        (&["--tail=1e12"], "at most"),
        (&["--gain", "loud"], "finite"),
        (&["--gain", "7000"], "300 dB"),
        (&["--normalize=3"], "0 dB or below"),
        (&["--set", "ball.mass"], "NAME=VALUE"),
        (&["--oversample", "3"], "1, 2, 4, 8"),
        (&["--bits", "12"], "16, 24, 32f"),
        (&["--midi", "/no/such/file.mid"], "/no/such/file.mid"),
    ];
    for (options, allowed) in cases {
        let message = refused(GOOD.as_bytes(), options);
        assert!(message.contains(allowed), "{options:?}: {message}");
    }
}

#[test]
fn unknown_names_and_endings_get_a_suggestion() {
    let message = failure(["render", "hamered-string"], 2);
    assert!(message.contains("did you mean hammered-string?"), "{message}");
    assert!(failure(["render", "banana"], 2).contains("ictus scenes"));
    let folder = tempfile::tempdir().expect("a directory");
    let output = folder.path().join("a.wva").display().to_string();
    let message = failure(["render", "hammered-string", "-o", &output], 2);
    assert!(message.contains("did you mean") && message.contains("a.wav"), "{message}");
    let output = folder.path().join("a.flac").display().to_string();
    assert!(failure(["render", "hammered-string", "-o", &output, "--bits", "32f"], 2).contains("16 or 24"));
    assert!(names_in(folder.path()).is_empty());
}

#[test]
fn several_scenes_go_to_a_folder() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (option, file) in [("-o", "one.wav"), ("-o", "one.FLAC"), ("--report", "one.json")] {
        let message = failure(["render", "mass-barrier", "bouncing-ball", option, &path(file)], 2);
        assert!(message.contains(option) && message.contains("must be a folder"), "{message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    }
    assert!(names_in(folder.path()).is_empty());
    // A folder that is there may have any name.
    fs::create_dir(path("one.wav")).expect("can be made");
    let arguments = ["render", "mass-barrier", "bouncing-ball", "--duration", "0.1", "-o", &path("one.wav")];
    assert!(ictus(arguments).status.success());
    assert_eq!(names_in(&folder.path().join("one.wav")), ["bouncing-ball.wav", "mass-barrier.wav"]);
}

#[test]
fn the_help_of_render_says_what_holds_without_a_number() {
    let help = String::from_utf8(ictus(["render", "--help"]).stdout).expect("is text");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["[10 if no number is given]", "0 or below [-1 if no number is given]", "from 8000 to 768000 Hz"] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

#[test]
fn two_results_of_one_name_are_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    for name in ["a", "b"] {
        fs::create_dir(path(name)).expect("can be made");
        fs::write(path(&format!("{name}/x.toml")), GOOD).expect("can be written");
    }
    let message = failure(["render", &path("a/x.toml"), &path("b/x.toml"), "-o", &path("out")], 2);
    assert!(message.contains("same file"), "{message}");
    assert_eq!(names_in(folder.path()), ["a", "b"]);
}

#[test]
fn an_output_that_cannot_be_written_is_a_failed_run() {
    let folder = tempfile::tempdir().expect("a directory");
    let output = folder.path().join("missing/a.wav").display().to_string();
    let message = failure(["render", "hammered-string", "--duration", "0.1", "-o", &output], 1);
    assert!(message.contains("could not be written"), "{message}");
    assert!(names_in(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a directory");
    // A limit on the size of files, with its signal ignored: writing fails in the middle.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" render hammered-string --duration 1 -o \"$1\"";
    let output = folder.path().join("a.wav");
    let run = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_ictus")])
        .arg(&output)
        .output()
        .expect("the shell starts");
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    let message = String::from_utf8_lossy(&run.stderr);
    assert!(message.contains("could not be written"), "{message}");
    assert!(names_in(folder.path()).is_empty());

    if Path::new("/dev/full").exists() {
        std::os::unix::fs::symlink("/dev/full", &output).expect("a link");
        let message =
            failure(["render", "hammered-string", "--duration", "0.1", "-o", &output.display().to_string()], 1);
        assert!(message.contains("space"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn a_picture_that_does_not_fit_takes_sound_and_report_with_it() {
    let folder = tempfile::tempdir().expect("a directory");
    // Sound and report are small, the spectrogram is not.
    let script = "trap '' XFSZ; ulimit -f 16; cd \"$1\"; shift; exec \"$0\" render --duration 0.02 --plot a/p \"$@\"";
    let one = ["hammered-string", "-o", "q.wav", "--report", "q.json"];
    let several = ["hammered-string", "bouncing-ball", "-o", "q", "--report", "r"];
    for arguments in [one.as_slice(), &several] {
        let run = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_ictus")])
            .arg(folder.path())
            .args(arguments)
            .output()
            .expect("the shell starts");
        assert_eq!(run.status.code(), Some(1), "{run:?}");
        let message = String::from_utf8_lossy(&run.stderr);
        assert!(message.contains("--plot") && message.contains("could not be written"), "{message}");
        assert!(names_in(folder.path()).is_empty(), "{:?}", names_in(folder.path()));
    }
}

#[test]
fn a_mistake_in_one_of_several_scenes_stops_them_all_before_the_work() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("good.toml"), GOOD).expect("can be written");
    fs::write(path("bad.toml"), "ictus = 2").expect("can be written");
    let message = failure(["render", &path("good.toml"), &path("bad.toml"), &path("no.toml"), "-o", &path("out")], 2);
    assert!(message.contains("bad.toml") && message.contains("no.toml"), "{message}");
    assert_eq!(names_in(folder.path()), ["bad.toml", "good.toml"]);
}
