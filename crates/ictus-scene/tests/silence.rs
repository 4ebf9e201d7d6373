//! A scene that will be silent comes with a warning that says why and where; one that sounds comes with none.

use ictus_scene::{Problem, Reading, Source, midi, read, warnings};

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
[exciters.bow]
kind = "bow"
on = "string@0.1"
[exciters.finger]
kind = "finger"
on = "string@0.2"
[pickups.ear]
at = "string@0.9"
"#;

fn of(text: &str) -> Vec<Problem> {
    let source = Source::new("scene.toml", text);
    let scene = read(&source, &Reading::default()).unwrap_or_else(|problems| panic!("{}", problems.render(100, false)));
    warnings(&scene, &source)
}

/// The only warning of a scene, and the text of its line.
fn warned(text: &str) -> (String, String) {
    let found = of(text);
    let [warning] = &found[..] else { panic!("{found:?}") };
    (warning.message.clone(), text.lines().nth(warning.line - 1).unwrap_or_default().to_owned())
}

fn event(line: &str) -> String {
    format!("{STRING}[[events]]\n{line}\n")
}

#[test]
fn a_scene_without_events_is_silent() {
    let (message, _) = warned(STRING);
    assert_eq!(message, "nothing is played: the scene has no events");
}

#[test]
fn events_after_the_end_are_not_heard() {
    let (message, line) = warned(&event("time = 2\nstrike = \"hammer\""));
    assert_eq!(message, "the first event is at 2 s, but the scene ends at 1 s");
    assert_eq!(line, "[[events]]");
    assert!(of(&event("time = 0.9\nstrike = \"hammer\"")).is_empty());
}

#[test]
fn hammers_without_speed_thrown_away_or_too_late_strike_nothing() {
    for (velocity, time, message) in [
        ("0", "0", "`hammer` has no speed"),
        ("-1", "0", "`hammer` moves away from what it plays, at -1 m/s"),
        ("0.01", "0.95", "`hammer` reaches what it plays after 1.05 s, but the scene ends at 1 s"),
    ] {
        let strike = format!("time = {time}\nstrike = \"hammer\"\nvelocity = {velocity}");
        assert_eq!(warned(&event(&strike)), (message.to_owned(), "[exciters.hammer]".to_owned()));
        // Another that strikes is enough to be heard.
        assert!(of(&format!("{}[[events]]\ntime = 0.1\nstrike = \"hammer\"\n", event(&strike))).is_empty());
    }
}

#[test]
fn bows_that_do_not_move_or_press_and_fingers_alone_are_silent() {
    let (message, _) = warned(&event("time = 0\nbow = \"bow\"\nvelocity = 0"));
    assert_eq!(message, "`bow` is drawn at 0 m/s");
    let (message, _) =
        warned(&event("time = 0\nbow = \"bow\"").replace("[exciters.finger]", "force = 0\n[exciters.finger]"));
    assert_eq!(message, "`bow` is not pressed: its force is 0 N");
    let (message, line) = warned(&event("time = 0\ndamp = \"finger\""));
    assert_eq!((&*message, &*line), ("no event before the end sets anything in motion", "[[events]]"));
    assert!(of(&event("time = 0\nbow = \"bow\"")).is_empty());
}

#[test]
fn pickups_on_what_stands_still_hear_nothing() {
    let strike = event("time = 0\nstrike = \"hammer\"");
    let elsewhere =
        strike.replace("at = \"string@0.9\"", "at = \"other@0.9\"") + "[objects.other]\nkind = \"string\"\n";
    let (message, line) = warned(&elsewhere);
    assert_eq!(message, "no pickup hears anything that moves: what moves is `string`, `hammer`");
    assert_eq!(line, "[pickups.ear]");
    let wall = strike.replace("at = \"string@0.9\"", "at = \"wall\"") + "[objects.wall]\nkind = \"barrier\"\n";
    assert_eq!(warned(&wall).1, "[pickups.ear]");
    assert_eq!(warned(&strike.replace("at = \"string@0.9\"", "at = \"string@0.9\"\ngain = 0")).1, "[pickups.ear]");
    let (message, _) = warned(&(strike.clone() + "[output]\ngain = 0\n"));
    assert_eq!(message, "the output has a gain of 0, so nothing is heard");
    // Joined to what is struck, it is heard.
    let joint = "[contacts.bridge]\nfrom = \"string@0.5\"\nto = \"other@0.5\"\nlaw = \"linear-cubic-spring\"\nlinear_stiffness = 1e5\n";
    assert!(of(&(elsewhere + joint)).is_empty());
}

#[test]
fn what_starts_displaced_moving_pushed_or_pressed_sounds_without_events() {
    let string = |start: &str| STRING.replace("[exciters.hammer]", &format!("{start}\n[exciters.hammer]"));
    let mass = |rest: &str| {
        format!(
            "ictus = 1\ntitle = \"x\"\n[objects.ball]\nkind = \"mass\"\nmass = 0.01\n{rest}\n[pickups.ear]\nat = \"ball\"\n"
        )
    };
    let wall = "[objects.wall]\nkind = \"barrier\"\n[contacts.touch]\nfrom = \"wall\"\nto = \"ball\"\nlaw = \"one-sided-power\"\nstiffness = 1e6\n";
    for sounding in [
        string("start = { at = 0.3, width = 0.1, displacement = \"1 mm\" }"),
        string("start = { at = 0.3, width = 0.1, velocity = 1 }"),
        mass("velocity = 1"),
        mass("displacement = 1e-3\nfrequency = 100"),
        mass(&format!("{wall}gap = 1e-3\n[forces.weight]\nat = \"ball\"\ngravity = true")),
        mass("[forces.pull]\nat = \"ball\"\nlevel = -1"),
        mass(&format!("{wall}gap = -1e-3")),
        mass(&format!("{wall}gap = 1e-3").replace("kind = \"barrier\"", "kind = \"barrier\"\nvelocity = 0.1")),
        mass(&format!("{wall}[[events]]\ntime = 1\nset = \"wall.velocity\"\nto = 0.1")),
        mass(&format!("{wall}[[events]]\ntime = 1\nset = \"touch.gap\"\nto = -1e-3")),
        mass("[exciters.push]\nkind = \"signal\"\non = \"ball\"\n[[events]]\ntime = 0\ntrigger = \"push\""),
    ] {
        assert!(of(&sounding).is_empty(), "{sounding}\n{:?}", of(&sounding));
    }
    assert_eq!(of(&mass("")).len(), 1);
    assert_eq!(of(&mass(wall)).len(), 1, "a wall that only touches");
}

#[test]
fn a_hammer_that_gravity_brings_back_may_strike() {
    let thrown = event("time = 0\nstrike = \"hammer\"\nvelocity = -1");
    assert!(of(&(thrown + "[forces.pull]\nat = \"hammer\"\nlevel = 1\n")).is_empty());
}

#[test]
fn a_hammer_that_is_heard_itself_is_not_silent() {
    let thrown = event("time = 0\nstrike = \"hammer\"\nvelocity = -1");
    assert!(of(&thrown.replace("at = \"string@0.9\"", "at = \"hammer\"")).is_empty());
}

const KEYS: &str = r#"
[notes]
play = "hammer"
"#;

#[test]
fn an_instrument_without_events_says_that_it_is_to_be_played_and_sounds_with_a_midi_file() {
    let text = format!("{STRING}{KEYS}");
    let found = of(&text);
    assert_eq!(found[0].help, "give a MIDI file, or play it live");
    let source = Source::new("scene.toml", text.as_str());
    let mut scene = read(&source, &Reading::default()).unwrap();
    // One note: the header, and a track of note on, note off, end.
    let track = [0, 0x90, 69, 100, 0x60, 0x80, 69, 0, 0, 0xff, 0x2f, 0];
    let mut file = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0".to_vec();
    file.push(track.len() as u8);
    file.extend(track);
    scene.score = midi::parse(&file).unwrap().events(&scene);
    assert!(!scene.score.is_empty());
    assert!(warnings(&scene, &source).is_empty());
    let keys = text.replace("play = \"hammer\"", "play = \"hammer\"\nvelocity = [0, 0]");
    assert_eq!(warned(&format!("{keys}[[events]]\ntime = 0\nnote = \"A4\"\n")).0, "`hammer` has no speed");
}

#[test]
fn tools_of_sets_are_named_where_they_were_written() {
    let text = r#"
ictus = 1
title = "x"
[sets.bars]
notes = ["C4", "E4"]
object = { kind = "bar", length = "30 cm" }
exciters.mallet = { kind = "hammer", on = "each@0.4", mass = "30 g", stiffness = 1e7 }
pickups.under = { at = "each@0.1" }
[[events]]
time = 0
strike = "bars.mallet.C4"
velocity = -1
"#;
    let (message, line) = warned(text);
    assert_eq!(message, "`bars.mallet.C4` moves away from what it plays, at -1 m/s");
    assert!(line.starts_with("exciters.mallet"), "{line}");
}

#[test]
fn the_gallery_is_free_of_warnings() {
    let folder = format!("{}/../../scenes", env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let source = Source::load(&path).unwrap();
            let scene = read(&source, &Reading::default()).unwrap();
            let found = warnings(&scene, &source);
            assert!(found.is_empty(), "{path:?}: {found:?}");
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}
