//! What the program takes from its surroundings, and what it gives back to them.

use std::fs;
use std::process::{Command, Output};

use crate::common::{failure, stdout};

fn render(level: &str, scene: &str, output: &std::path::Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ictus"));
    command.env("ICTUS_SIMD", level).args(["render", scene, "--duration", "0.3", "--bits", "32f", "-o"]).arg(output);
    command.output().expect("the program starts")
}

#[test]
fn every_level_of_vector_instructions_gives_the_same_file() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.wav");
    for scene in ["hammered-string", "snare", "bowed-bar"] {
        assert!(render("", scene, &path).status.success(), "{scene}");
        let best = fs::read(&path).expect("is there");
        for level in ictus::simd::available() {
            let output = render(level, scene, &path);
            assert!(output.status.success(), "{output:?}");
            assert!(fs::read(&path).expect("is there") == best, "{scene} with {level}");
        }
    }
}

#[test]
fn a_level_that_is_not_there_is_refused_with_those_that_are() {
    let output = render("avx1024", "hammered-string", "never.wav".as_ref());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("ICTUS_SIMD is avx1024"), "{message}");
    assert!(ictus::simd::available().iter().all(|level| message.contains(level)), "{message}");
}

#[test]
fn help_tells_the_exit_codes_and_the_variables() {
    let help = stdout(["--help"]);
    for words in ["Exit codes:", "0  done", "1  the run failed", "2  the command line", "ICTUS_SIMD"] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

#[test]
fn no_message_spells_out_hundreds_of_digits() {
    let folder = tempfile::tempdir().expect("a directory");
    let scene = folder.path().join("a.toml");
    let text =
        "ictus = 1\ntitle = \"A\"\n[objects.ball]\nkind = \"mass\"\nmass = 1e-300\n[pickups.out]\nat = \"ball\"\n";
    fs::write(&scene, text).expect("is written");
    let scene = scene.display().to_string();
    let calls: [&[&str]; 11] = [
        &["render", "snare", "--rate", "1e308"],
        &["render", "snare", "--gain", "1e308"],
        &["render", "snare", "--gain", "-1e308"],
        &["render", "snare", "--normalize", "--normalize=1e308"],
        &["render", "snare", "--duration", "1e308"],
        &["render", "snare", "--tail=1e308"],
        &["render", "snare", "--set", "duration=1e308"],
        &["impact", "--stiffness", "1e308"],
        &["impact", "--duration", "1e308"],
        &["design", "--contact-time", "1e308", "--restitution", "0.5", "--wall"],
        &["check", &scene],
    ];
    for call in calls {
        let message = failure(call, 2);
        let longest = message.split(|c: char| !c.is_ascii_digit()).map(str::len).max();
        assert!(longest < Some(18), "{call:?}: {message}");
    }
}
