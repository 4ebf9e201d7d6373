//! A value that nobody hears is told, with why; one that is heard is not.

use ictus_scene::{Reading, Source, read, unheard_values};

const STRING: &str = r#"
ictus = 1
title = "x"
duration = 1
[objects.string]
kind = "string"
[exciters.hammer]
kind = "hammer"
on = "string@0.12"
mass = "5 g"
stiffness = 1e8
[exciters.finger]
kind = "finger"
on = "string@0.2"
[pickups.ear]
at = "string@0.9"
[notes]
play = "hammer"
[controls.felt]
parameter = "hammer.stiffness"
range = [1e7, 1e11]
[[events]]
time = "0 s"
strike = "hammer"
velocity = 2
[[events]]
time = "2 s"
damp = "finger"
"#;

const SET: &str = r#"
ictus = 1
title = "x"
duration = 1
[sets.bars]
notes = ["C4", "E4"]
object = { kind = "bar" }
[sets.bars.exciters.mallet]
kind = "hammer"
on = "each@0.5"
mass = "30 g"
stiffness = 1e8
[pickups.ear]
at = "bars.C4@0.9"
[[events]]
time = "0 s"
strike = "bars.mallet.C4"
velocity = 2
"#;

fn told(text: &str, path: &str, value: &str) -> Option<String> {
    let source = Source::new("scene.toml", text);
    let reading = Reading { overrides: vec![(path.into(), value.into())], ..Reading::default() };
    let scene = read(&source, &reading).unwrap_or_else(|problems| panic!("{}", problems.render(100, false)));
    let found = unheard_values(&scene, &source, &reading);
    assert!(found.len() <= 1, "{found:?}");
    found.first().map(|problem| format!("{} ({})", problem.message, problem.help))
}

#[test]
fn how_hard_a_tool_plays_is_not_heard_where_each_event_says_it() {
    let message = told(STRING, "hammer.velocity", "3").expect("is told");
    assert_eq!(
        message,
        "`hammer.velocity` is not heard: each event that plays `hammer` has a `velocity` of its own \
         (change `events.0.velocity`, or take it out of the events)"
    );
    let silent = STRING.replace("velocity = 2\n", "");
    assert_eq!(told(&silent, "hammer.velocity", "3"), None);
    // An event that follows the amount hears it.
    let turned = STRING.replace(
        "time = \"2 s\"\ndamp = \"finger\"",
        "time = \"0.5 s\"\nset = \"hammer.velocity\"\nto = 1\nover = 0.1",
    );
    assert_eq!(told(&turned, "hammer.velocity", "3"), None);
    let message = told(SET, "mallet.velocity", "3").expect("is told");
    assert!(
        message.starts_with("`bars.mallet.velocity` is not heard: each event") && message.contains("events.0"),
        "{message}"
    );
}

#[test]
fn what_nothing_plays_before_the_end_is_not_heard() {
    for (path, value) in [("finger.stiffness", "30"), ("finger.damping", "2")] {
        let message = told(STRING, path, value).unwrap_or_else(|| panic!("{path} is told"));
        assert!(message.contains("nothing plays `finger` before the end at 1 s"), "{message}");
        assert_eq!(told(&STRING.replace("duration = 1", "duration = 3"), path, value), None, "{path}");
    }
    let message = told(STRING, "events.1.over", "0.2").expect("is told");
    assert!(message.contains("the scene ends before it happens, at 1 s"), "{message}");
    let message = told(STRING, "notes.curve", "2").expect("is told");
    assert!(message.contains("no event before the end at 1 s plays a note"), "{message}");
}

#[test]
fn what_is_heard_or_does_not_change_is_not_told() {
    for (path, value) in [
        ("hammer.stiffness", "2e8"),
        ("hammer.mass", "6 g"),
        ("hammer.clearance", "2 mm"),
        ("events.0.velocity", "3"),
        ("events.0.time", "0.1"),
        ("felt", "1e9"),
        ("string.pitch", "A3"),
        ("ear.gain", "0.5"),
        ("output.gain", "0.5"),
        // Nobody takes this for sound.
        ("title", "other"),
        // The value that it has already.
        ("hammer.velocity", "1 m/s"),
    ] {
        assert_eq!(told(STRING, path, value), None);
    }
}

#[test]
fn a_path_without_the_name_of_its_set_is_made_whole() {
    let scene = read(&Source::new("scene.toml", SET), &Reading::default()).expect("is a scene");
    assert_eq!(scene.whole_path("mallet.mass").as_deref(), Some("bars.mallet.mass"));
    assert_eq!(scene.whole_path("mallet.law").as_deref(), Some("bars.mallet.law"));
    for whole in ["bars.mallet.mass", "bars.object.t60", "ear.gain", "events.0.time", "nothing.mass", "felt"] {
        assert_eq!(scene.whole_path(whole), None, "{whole}");
    }
}
