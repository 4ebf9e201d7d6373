//! Whatever is typed, the program ends with code 0, 1 or 2 and does not panic.

use crate::common;

use common::ictus_in;
use proptest::prelude::*;

fn number() -> impl Strategy<Value = String> {
    let odd = [
        "0",
        "-0",
        "1",
        "-1",
        "1e-300",
        "1e300",
        "-1e300",
        "5e-324",
        "1.7e308",
        "nan",
        "inf",
        "-inf",
        "",
        " ",
        "1,5",
        "0x1",
        "1e",
        "--",
        "ö",
        "\u{1b}[0m",
        "1e5",
    ];
    prop_oneof![
        2 => (-12f64..15.0).prop_map(|power| format!("{:e}", 10f64.powf(power))),
        1 => any::<f64>().prop_map(|number| number.to_string()),
        1 => proptest::sample::select(odd.to_vec()).prop_map(str::to_owned),
    ]
}

fn option() -> impl Strategy<Value = Vec<String>> {
    let numbers = proptest::sample::select(vec![
        "--mass",
        "--stiffness",
        "--dissipation",
        "--velocity",
        "--gap",
        "--gravity",
        "--s",
        "--phase",
        "--exponent",
    ]);
    let exponent = (1f64..12.0).prop_map(|value| vec!["--exponent".to_owned(), value.to_string()]);
    // Not so high that the runs get long.
    let rate = prop_oneof![
        2 => (-300f64..6.0).prop_map(|power| format!("{:e}", 10f64.powf(power))),
        1 => proptest::sample::select(vec!["1e-300", "5e-324", "1e-12", "0", "-1", "1e300", "1.7e308", "nan", "ö"])
            .prop_map(str::to_owned),
    ];
    let phase = (0f64..1.1).prop_map(|value| vec!["--phase".to_owned(), value.to_string()]);
    let words = proptest::sample::select(vec!["--json", "-h", "-V", "--", "schemes", "--csv", "--plot=/", "--rat"]);
    prop_oneof![
        10 => (numbers, number()).prop_map(|(name, value)| vec![name.to_owned(), value]),
        2 => exponent,
        2 => phase,
        2 => rate.prop_map(|value| vec!["--rate".to_owned(), value]),
        1 => words.prop_map(|word| vec![word.to_owned()]),
        1 => "\\PC{0,6}".prop_map(|word| vec!["--scheme".to_owned(), word]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_arguments_make_the_program_panic(
        options in proptest::collection::vec(option(), 0..7),
        duration in prop_oneof![Just("1e-3"), Just("1e-6"), Just("1e-2")],
        draw in proptest::bool::weighted(0.4),
    ) {
        let directory = tempfile::tempdir().expect("a directory");
        let mut arguments: Vec<String> = vec!["impact".into(), "--duration".into(), duration.into()];
        if draw {
            arguments.push("--plot".into());
            arguments.push(directory.path().join("a.svg").to_string_lossy().into_owned());
        }
        arguments.extend(options.into_iter().flatten());
        // In a folder of its own: the arguments may well ask for files.
        let output = ictus_in(directory.path(), &arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        prop_assert!(matches!(output.status.code(), Some(0..=2)), "{arguments:?}: {output:?}");
        prop_assert!(!message.contains("panicked"), "{arguments:?}: {message}");
    }

    #[test]
    fn no_words_make_the_program_panic(words in proptest::collection::vec("\\PC{0,8}", 0..4)) {
        let directory = tempfile::tempdir().expect("a directory");
        let output = ictus_in(directory.path(), &words);
        prop_assert!(matches!(output.status.code(), Some(0..=2)), "{words:?}: {output:?}");
    }
}
