//! Whatever is typed after `ictus render`, the program ends with code 0, 1 or 2, does not panic, and leaves no
//! temporary file.

use crate::common;

use std::fs;

use common::{ictus, names_in};
use proptest::prelude::*;

const SCENE: &str = r#"
ictus = 1
title = "Tiny"
duration = "20 ms"
[objects.ball]
kind = "mass"
mass = "10 g"
frequency = "440 Hz"
velocity = "1 m/s"
[pickups.out]
at = "ball"
"#;

fn number() -> impl Strategy<Value = String> {
    let odd = ["0", "-0", "-1", "1e300", "5e-324", "nan", "inf", "", "1,5", "--", "ö", "\u{1b}[0m", "3", "0.01"];
    prop_oneof![
        2 => (-6f64..3.0).prop_map(|power| format!("{:e}", 10f64.powf(power))),
        1 => proptest::sample::select(odd.to_vec()).prop_map(str::to_owned),
    ]
}

fn option() -> impl Strategy<Value = String> {
    let joined = proptest::sample::select(vec!["--gain", "--duration", "--tail", "--normalize", "--seed", "--set"]);
    let rates = proptest::sample::select(vec!["8000", "48000", "768000", "7999", "1e7", "44100.5", "x"]);
    let words = vec![
        "--no-account",
        "--bits=16",
        "--bits=32f",
        "--bits=8",
        "--oversample=2",
        "--oversample=3",
        "--set=ball.mass=1 g",
        "--set=ball.mass=-1",
        "--set=ball=3",
        "--set=output.gain=-20 dB",
        "--tail",
        "--normalize",
        "-h",
        "--plot-format=gif",
    ];
    prop_oneof![
        3 => (joined, number()).prop_map(|(option, value)| format!("{option}={value}")),
        1 => rates.prop_map(|rate| format!("--rate={rate}")),
        3 => proptest::sample::select(words).prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_end_in_a_result_or_a_message(options in proptest::collection::vec(option(), 0..5)) {
        let folder = tempfile::tempdir().expect("a directory");
        let (scene, output) = (folder.path().join("tiny.toml"), folder.path().join("a.wav"));
        fs::write(&scene, SCENE).expect("can be written");
        let mut arguments = vec!["render".to_owned(), scene.display().to_string(), format!("-o{}", output.display())];
        arguments.extend(options.iter().filter(|option| !option.contains('\0')).cloned());
        let run = ictus(&arguments);
        let names = names_in(folder.path());
        let message = String::from_utf8_lossy(&run.stderr);
        match run.status.code() {
            Some(0) => prop_assert!(names.len() <= 2, "{:?}", names),
            Some(1 | 2) => {
                prop_assert_eq!(names, ["tiny.toml"]);
                prop_assert!(message.contains("error"), "{}", message);
            }
            other => prop_assert!(false, "{:?}: {:?} {}", arguments, other, message),
        }
        prop_assert!(!message.contains("panicked"), "{}", message);
    }
}
