//! `ictus check`, `show`, `new` and `scenes`.

use crate::common;

use std::fs;

use common::{failure, ictus, json, names_in, stdout};

#[test]
fn check_tells_what_a_scene_costs() {
    let text = stdout(["check", "hammered-string"]);
    for word in ["Hammered string", "string", "hammer", "modes", "grid points", "× real time"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let checked = json(["check", "hammered-string", "--json"]);
    let scene = &checked[0];
    assert_eq!(scene["title"], "Hammered string");
    let slowest = scene["slowest_realtime_factor"].as_f64();
    assert!(slowest > Some(0.0) && scene["realtime_factor"].as_f64() >= slowest && scene["interactions"] == 2);
    // A string that sounds is not free.
    assert!(scene["objects"][0]["nanoseconds"].as_f64() > Some(5.0), "{scene}");
    assert!(scene["objects"][0]["modes"].as_f64() > Some(50.0) && scene["objects"][0]["points"].is_null(), "{scene}");
    let mass = &scene["objects"][1];
    assert!(mass["kind"] == "mass" && mass["modes"].is_null() && mass["points"].is_null(), "{mass}");
}

#[test]
fn check_tells_all_mistakes_as_text_or_as_json() {
    let folder = tempfile::tempdir().expect("a directory");
    let scene = folder.path().join("bad.toml");
    fs::write(&scene, "ictus = 1\ntitle = \"Bad\"\nraet = 3\n[objects.a]\nkind = \"sting\"\n").expect("can be written");
    let scene = scene.display().to_string();
    let message = failure(["check", &scene], 2);
    assert!(message.contains("raet") && message.contains("rate") && message.contains("sting"), "{message}");
    let output = ictus(["check", &scene, "--json"]);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(2), b"".as_slice()));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("is JSON");
    let problems = told[0]["problems"].as_array().expect("a list");
    assert!(problems.len() >= 2 && problems.iter().any(|problem| problem["line"] == 3), "{told}");
}

#[test]
fn show_draws_what_touches_what() {
    let folder = tempfile::tempdir().expect("a directory");
    let picture = folder.path().join("a.svg").display().to_string();
    stdout(["show", "hammered-string", "-o", &picture]);
    let drawing = fs::read_to_string(&picture).expect("is there");
    for word in ["Hammered string", "hammer (stulov-felt)", "velocity", "prefers-color-scheme: dark"] {
        assert!(drawing.contains(word), "{word}");
    }
    let other = folder.path().join("a.pdf").display().to_string();
    assert!(failure(["show", "hammered-string", "-o", &other], 2).contains(".svg"));
}

#[test]
fn show_lists_the_parameters_that_set_takes() {
    let text = stdout(["show", "hammered-string", "--parameters"]);
    let row = |path: &str| text.lines().find(|line| line.split_whitespace().next() == Some(path)).map(str::to_owned);
    assert!(row("hammer.stiffness").is_some_and(|row| row.ends_with("live")), "{text}");
    assert!(row("hammer.mass").is_some_and(|row| row.contains(" kg ") && !row.ends_with("live")), "{text}");
    // The version of the format can only be one.
    assert!(row("ictus").is_none() && row("rate").is_some_and(|row| row.contains("48000")), "{text}");
    let listed = json(["show", "hammered-string", "--parameters", "--json"]);
    let listed = listed.as_array().expect("a list");
    assert!(listed.iter().all(|entry| row(entry["path"].as_str().unwrap_or_default()).is_some()), "{text}");
    let mass = listed.iter().find(|entry| entry["path"] == "hammer.mass").expect("is there");
    assert!(mass["unit"] == "kg" && mass["live"] == false && mass["default"].as_f64() > mass["least"].as_f64());
    // What is listed is what is taken.
    let set = format!("hammer.mass={}", 2.0 * mass["default"].as_f64().expect("a number"));
    let folder = tempfile::tempdir().expect("a directory");
    let path = folder.path().join("a.wav").display().to_string();
    stdout(["render", "hammered-string", "-o", &path, "--duration", "0.1", "--set", &set]);
    assert!(failure(["show", "hammered-string", "--json"], 2).contains("--parameters"));
}

#[test]
fn show_prints_what_a_set_comes_to_and_that_sounds_the_same() {
    let folder = tempfile::tempdir().expect("a directory");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let text = stdout(["show", "marimba", "--text"]);
    for line in ["title = \"Marimba\"", "[objects.\"bars.C4\"]", "pitch = \"C4\"", "[exciters.\"bars.mallet.C4\"]"] {
        assert!(text.lines().any(|other| other == line), "{line}: {text}");
    }
    let written = path("written.toml");
    fs::write(&written, &text).expect("can be written");
    assert_eq!(stdout(["show", &written, "--text"]), text);
    let sound = |scene: &str, name: &str| {
        stdout(["render", scene, "-o", &path(name), "--duration", "0.3"]);
        fs::read(path(name)).expect("is there")
    };
    assert!(sound("marimba", "set.wav") == sound(&written, "written.wav"));
    assert!(failure(["show", "marimba", "--text", "-o", &path("a.svg")], 2).contains("cannot be used with"));
}

#[test]
fn new_writes_a_scene_that_can_be_rendered_and_overwrites_nothing() {
    let folder = tempfile::tempdir().expect("a directory");
    let name = folder.path().join("mine").display().to_string();
    for template in ["hammered-string", "bowed-string", "marimba", "drum"] {
        let name = format!("{name}-{template}");
        let text = stdout(["new", &name, "--template", template]);
        assert!(text.contains(&format!("ictus render {name}.toml")), "{text}");
        let output = format!("{name}.wav");
        stdout(["render", &format!("{name}.toml"), "-o", &output, "--duration", "0.1"]);
    }
    stdout(["new", &name]);
    let path = format!("{name}.toml");
    fs::write(&path, "changed").expect("can be written");
    assert!(failure(["new", &name], 2).contains("already exists"));
    assert!(failure(["new", &path], 2).contains("already exists"));
    assert_eq!(fs::read(&path).expect("is there"), b"changed");
    let message = failure(["new", &format!("{name}2"), "--template", "marimbo"], 2);
    assert!(message.contains("did you mean marimba?"), "{message}");
    assert!(!names_in(folder.path()).iter().any(|name| name == "mine2.toml"));
}

#[test]
fn scenes_lists_the_gallery_and_prints_its_scenes() {
    let list = stdout(["scenes"]);
    assert!(
        list.lines().any(|line| line.starts_with("hammered-string") && line.ends_with("Hammered string")),
        "{list}"
    );
    let names = json(["scenes", "--json"]);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let files = names_in(&folder).into_iter().filter(|name| name.ends_with(".toml")).count();
    assert_eq!(names.as_array().map(Vec::len), Some(files));
    let text = fs::read_to_string(folder.join("hammered-string.toml")).expect("is there");
    assert_eq!(stdout(["scenes", "hammered-string"]), text);
    assert!(failure(["scenes", "hamered-string"], 2).contains("did you mean hammered-string?"));
}
