//! `ictus design` finds the contact that was asked for, tries it, and says what cannot be had.

use std::process::Command;

use crate::common;

use common::{failure, ictus, json, names_in, stdout};
use proptest::prelude::*;

const WANTED: [&str; 9] =
    ["design", "--contact-time", "2ms", "--centroid", "1800", "--mass", "10g", "--exponent", "1.5"];

#[test]
fn contact_time_and_centroid_are_met_and_the_engine_agrees() {
    let found = json(WANTED.iter().chain(&["--json"]));
    let number = |path: &str| found.pointer(path).and_then(|value| value.as_f64()).expect(path);
    assert!((number("/designed/contact_time") / 2e-3 - 1.0).abs() < 1e-6);
    assert!((number("/designed/centroid") / 1800.0 - 1.0).abs() < 1e-6);
    assert!((number("/engine/contact_time") / 2e-3 - 1.0).abs() < 0.02);
    assert!((number("/engine_at_8_times_the_rate/contact_time") / 2e-3 - 1.0).abs() < 1e-3);
    assert!((number("/engine_at_8_times_the_rate/centroid") / 1800.0 - 1.0).abs() < 0.01);
    assert!(number("/stiffness") > 0.0 && number("/dissipation") > 0.0);
    // The straight lines of the source miss by far where the map is curved.
    assert!((number("/log_linear_fit/does/centroid") / 1800.0 - 1.0).abs() > 0.1);
}

#[test]
fn the_contact_of_a_scene_does_what_was_asked_when_the_scene_is_rendered_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for targets in [
        &["--contact-time", "6ms"][..],
        &["--contact-time", "6 ms", "--restitution", "0.45"],
        &["--restitution", "0.4"],
        &["--centroid", "400"],
    ] {
        let found = json(["design", "bronze-plate", "felt", "--json"].iter().chain(targets));
        let number = |name: &str| found[name].as_f64().expect(name);
        let set = |name: &str| format!("felt.{name}={}", number(name));
        let (sound, report) = (path("a.wav"), path("a.json"));
        let changes = [set("stiffness"), set("dissipation")];
        let mut command = vec!["render", "bronze-plate", "--duration", "0.3", "-o", &sound, "--report", &report];
        changes.iter().for_each(|change| command.extend(["--set", change]));
        assert!(ictus(command).status.success());
        let report: serde_json::Value =
            serde_json::from_slice(&std::fs::read(path("a.json")).expect("a report")).expect("JSON");
        let touch = &report["contacts"][0];
        let of = |name: &str| touch[name].as_f64().expect(name);
        let (time, restitution) = (of("end") - of("start"), -of("v_out") / of("v_in"));
        assert!((time - number("contact_time")).abs() < 3.0 / 48_000.0, "{targets:?}: {time}");
        assert!((restitution / number("restitution") - 1.0).abs() < 1e-6, "{targets:?}: {restitution}");
        for pair in targets.chunks(2) {
            let (name, wanted) = match pair {
                ["--contact-time", _] => ("contact_time", 6e-3),
                ["--restitution", wanted] => ("restitution", wanted.parse().expect("a number")),
                _ => ("centroid", 400.0),
            };
            assert!((number(name) / wanted - 1.0).abs() < 2e-3, "{targets:?}: {name} {}", number(name));
        }
    }
    let table = stdout(["design", "bronze-plate", "felt", "--contact-time", "6ms"]);
    assert!(table.contains("contact time") && table.contains("--set felt.stiffness="), "{table}");
}

#[test]
fn a_scene_whose_contact_cannot_do_it_says_what_it_can() {
    for (arguments, said) in [
        (&["bronze-plate", "--contact-time", "6ms"][..], "has several: must be one of felt, wood, rod"),
        (&["bronze-plate", "fellt", "--contact-time", "6ms"], "did you mean"),
        (&["bronze-plate", "felt"], "must be given, or --centroid or --restitution"),
        (&["bronze-plate", "felt", "--restitution", "1.4"], "without dissipation it is"),
        (&["bronze-plate", "felt", "--contact-time", "1e-9"], "cannot be had here: it goes from"),
        (&["bronze-plate", "felt", "--contact-time", "6ms", "--mass", "1g"], "cannot be used with"),
        (&["no-such-scene", "felt", "--contact-time", "6ms"], "no-such-scene"),
    ] {
        let message = failure(["design"].iter().chain(arguments), 2);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
}

#[test]
fn an_engine_that_misses_the_targets_is_warned_of_and_a_finer_one_is_not() {
    let at = |rate: &str| {
        let output = ictus(WANTED.iter().copied().chain(["--rate", rate, "--json"]));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let off = found["engine"]["deviations"]["centroid"].as_f64().expect("a number");
        (off, String::from_utf8(output.stderr).expect("text"))
    };
    let (off, warning) = at("16000");
    assert!(off.abs() > 0.05, "{off}");
    assert!(warning.starts_with("warning: at 16000 Hz the engine misses the centroid by -"), "{warning}");
    assert!(warning.contains("more than 5 %; a higher --rate") && warning.lines().count() == 1, "{warning}");
    let (off, silence) = at("192000");
    assert!(off.abs() < 0.05 && silence.is_empty(), "{off}: {silence}");
}

#[test]
fn what_is_offered_is_accepted_when_it_is_typed_back() {
    for targets in ["--contact-time 40ms --centroid 454", "--contact-time 1us --centroid 1800"] {
        let message = failure(["design"].into_iter().chain(targets.split(' ')), 2);
        let offer = message.split("the nearest that can be had is ").nth(1).expect("an offer");
        let (offer, _) = offer.split_once(", with K").expect("a contact");
        let (time, centroid) = offer.split_once(" and ").expect("two values");
        let typed = ["design", "--json", "--contact-time", time, "--centroid", centroid];
        assert!(json(typed)["stiffness"].as_f64().is_some_and(|stiffness| stiffness > 0.0), "{message}");
    }
}

#[test]
fn a_third_target_is_met_by_the_mass() {
    let found = json("design --contact-time 2ms --centroid 1500 --restitution 0.6 --json".split(' '));
    for (name, wanted) in [("contact_time", 2e-3), ("centroid", 1500.0), ("restitution", 0.6)] {
        let met = found["designed"][name].as_f64().expect("a number");
        assert!((met / wanted - 1.0).abs() < 1e-6, "{name} {met}");
    }
    let mass = found["mass"].as_f64().expect("a number");
    assert!(mass != 0.01 && (1e-3..0.1).contains(&mass), "{mass} kg");
}

#[test]
fn a_wall_meets_contact_time_and_restitution_exactly() {
    let found = json("design --contact-time 0.5ms --restitution 0.8 --wall --json".split(' '));
    for (name, wanted, allowed) in [
        ("contact_time", 5e-4, 1e-9),
        ("restitution", 0.8, 1e-9),
        ("engine_contact_time", 5e-4, 1e-2),
        ("engine_restitution", 0.8, 1e-9),
    ] {
        let met = found[name].as_f64().expect("a number");
        assert!((met / wanted - 1.0).abs() < allowed, "{name} {met}");
    }
}

#[test]
fn what_cannot_be_had_is_told_with_what_can_and_is_drawn() {
    let directory = tempfile::tempdir().expect("a directory");
    let plot = directory.path().join("region.svg").to_string_lossy().into_owned();
    let message = failure(["design", "--contact-time", "2ms", "--centroid", "5000", "--plot", &plot], 2);
    assert!(message.contains("--centroid is 5000, but at a contact time of 2 ms it can only be"), "{message}");
    assert!(message.contains("the nearest that can be had is"), "{message}");
    assert_eq!(names_in(directory.path()), ["region.svg"]);
    let svg = std::fs::read_to_string(&plot).expect("the picture");
    assert!(svg.contains("contact time (ms)") && svg.contains("average centroid (Hz)"), "axes with their prefix");
    let message = failure(["design", "--contact-time", "1ms", "--centroid", "900"], 2);
    assert!(message.contains("jump from"), "{message}");
}

#[test]
fn the_region_and_the_designed_contact_are_drawn() {
    let directory = tempfile::tempdir().expect("a directory");
    let plot = directory.path().join("design.svg").to_string_lossy().into_owned();
    let text = stdout(WANTED.iter().copied().chain(["--plot", &plot]));
    assert!(text.contains("wanted") && text.contains("engine, 8 x rate"), "{text}");
    assert!(text.contains("2 ms (0 %)"), "the design is on target: {text}");
    let svg = std::fs::read_to_string(&plot).expect("the picture");
    assert!(svg.contains("Reachable region") && svg.contains("The designed contact"));
}

#[test]
fn mistakes_are_one_sentence() {
    let cases = [
        ("", "--contact-time is missing, but must be given"),
        ("--centroid 900", "--centroid is 900, but must come with another target"),
        ("--contact-time 2ms --centroid -1", "--centroid is -1, but must be a finite number above 0 (Hz)"),
        (
            "--contact-time 2mm --centroid 900",
            "--contact-time is 2mm, but must be a finite number above 0 (s), or one with a unit: µs (or us), ms or s",
        ),
        ("--contact-time 2ms --centroid 900 --mass 2lb", "(kg), or one with a unit: mg, g or kg"),
        ("--contact-time 2ms --restitution 2kg", "must be a finite number above 0, without a unit"),
        ("--contact-time 2ms --centroid 900 --mass 0g", "--mass is 0g, but must be a number from 1e-6 to 1000 (kg)"),
        ("--contact-time 2ms --centroid 900 --frequency 9kHz", "--frequency is 9kHz, but must be a number from 10 to"),
        ("--contact-time 2ms --centroid 900 --wall", "--centroid is 900, but a rigid wall makes no sound"),
        ("--contact-time 2ms --wall", "--restitution is missing, but must be given"),
        ("--contact-time 2ms --restitution 1.2 --wall", "--restitution is 1.2, but must be a number from"),
        (
            "--contact-time 1ms --centroid 9 --free mas",
            "--free is mas, but must be mass or exponent; did you mean mass?",
        ),
        ("--contact-time 2ms --centroid 900 --plot a.pgn", "must be a file name that ends in .svg or .png"),
    ];
    for (arguments, expected) in cases {
        let message = failure(["design"].into_iter().chain(arguments.split_whitespace()), 2);
        assert!(message.contains(expected) && message.lines().count() == 1, "{arguments}: {message}");
    }
}

fn value() -> impl Strategy<Value = String> {
    let odd =
        ["0", "-1", "1e300", "5e-324", "nan", "inf", "", "ms", "1 ms", "2µs", "2us", "1e-6", "1e3", "ö", "10g", "1kHz"];
    prop_oneof![
        3 => (-7f64..4.0).prop_map(|power| format!("{:e}", 10f64.powf(power))),
        2 => proptest::sample::select(odd.to_vec()).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_arguments_make_a_design_panic(
        options in proptest::collection::vec((proptest::sample::select(vec![
            "--contact-time", "--restitution", "--mass", "--exponent", "--velocity", "--rate", "--free", "--quality",
        ]), value()), 0..5),
        wall in proptest::bool::weighted(0.8),
    ) {
        let mut arguments = vec!["design".to_owned()];
        if wall {
            arguments.extend(["--wall", "--contact-time", "1ms", "--restitution", "0.5"].map(str::to_owned));
        }
        let mut seen = Vec::new();
        for (option, value) in options {
            if !seen.contains(&option) && !arguments.iter().any(|argument| argument == option) {
                arguments.extend([option.to_owned(), value]);
                seen.push(option);
            }
        }
        let output = ictus(&arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        prop_assert!(matches!(output.status.code(), Some(0..=2)), "{arguments:?}: {output:?}");
        prop_assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    }
}

/// Seconds of the processor after which a search is given up at the latest, also in a program compiled for tests and on a busy machine.
#[cfg(unix)]
const LONGEST: f64 = 20.0;

#[cfg(unix)]
#[test]
fn a_search_that_takes_too_long_is_given_up_and_says_so_and_shows_how_long_it_will_take() {
    // On a terminal, which `script` plays: the bar is for people only.
    let design = "design --contact-time 1ms --centroid 3000 --restitution 0.9 --rate 200000";
    let line = format!("{} {design}; code=$?; times; exit $code", env!("CARGO_BIN_EXE_ictus"));
    let on_terminal = Command::new("script").args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").output();
    let Ok(output) = on_terminal else {
        println!("there is no `script` here: the bar is not looked at");
        let message = failure(design.split(' '), 2);
        assert!(message.contains("no answer was found within the time limit"), "{message}");
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("no answer was found within the time limit"), "{said}");
    assert!(said.contains("searching, ") && said.contains("% of the time limit"), "{said}");
    assert_eq!(output.status.code(), Some(2), "{said}");
    // The last line: what the shell's child has computed.
    let times = said.trim_end().lines().last().expect("a line").split_whitespace();
    let seconds = times.map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("minutes and seconds");
        60.0 * minutes.parse::<f64>().expect("a number") + seconds.parse::<f64>().expect("a number")
    });
    let seconds: f64 = seconds.sum();
    println!("{seconds} s");
    assert!(seconds < LONGEST, "{seconds} s");
}
