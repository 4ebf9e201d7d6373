//! Mistakes get one sentence with the option, its value and what is allowed, exit code 2, and leave no file.

use crate::common;

use common::{failure, names_in};

/// Runs `ictus impact` with files to write, in a fresh directory; the message, if it was refused and wrote nothing.
fn refused(arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    let csv = directory.path().join("a.csv");
    let plot = directory.path().join("a.svg");
    let mut all = vec!["impact", "--csv", csv.to_str().expect("text"), "--plot", plot.to_str().expect("text")];
    all.extend(arguments);
    let message = failure(&all, 2);
    assert!(names_in(directory.path()).is_empty(), "{arguments:?}");
    assert!(message.starts_with("error: "), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    message
}

#[test]
fn numbers_outside_their_range_are_refused() {
    let cases: [(&str, &[&str], &str); 10] = [
        ("--mass", &["-1", "0", "-0"], "above 0"),
        ("--stiffness", &["-1e9", "0", "1e31"], "above 0"),
        ("--rate", &["-44100", "0"], "above 0"),
        ("--exponent", &["0.99", "0", "-1.5", "13.1"], "from 1 to 13"),
        ("--dissipation", &["-0.5", "1e7"], "from 0 to 1000000"),
        ("--phase", &["1", "-0.1", "1.5"], "0 to below 1"),
        ("--gap", &["-0.001"], "0 or above"),
        ("--duration", &["0", "-1"], "above 0"),
        ("--s", &["0", "-1"], "above 0"),
        ("--velocity", &["0", "-1"], "above 0"),
    ];
    for (option, values, allowed) in cases {
        for value in values {
            let message = refused(&[option, value]);
            assert!(message.contains(&format!("{option} is {value}, but")), "{message}");
            assert!(message.contains(allowed), "{message}");
        }
    }
}

#[test]
fn what_is_not_a_finite_number_is_refused_everywhere() {
    for option in [
        "--mass",
        "--stiffness",
        "--exponent",
        "--dissipation",
        "--velocity",
        "--rate",
        "--phase",
        "--gap",
        "--gravity",
        "--duration",
        "--s",
    ] {
        for value in ["NaN", "nan", "-nan", "inf", "-inf", "infinity", "1e999", "heavy", "1e", "--"] {
            let message = refused(&[option, value]);
            assert!(message.contains(&format!("{option} is {value}, but must be")), "{message}");
        }
        let message = refused(&[option, ""]);
        assert!(message.contains(&format!("{option} is \"\", but")), "{message}");
    }
}

#[test]
fn a_decimal_comma_is_understood_as_a_mistake() {
    let message = refused(&["--exponent", "1,5"]);
    assert!(message.contains("did you mean 1.5?"), "{message}");
}

#[test]
fn a_mass_that_never_reaches_the_wall_is_refused() {
    let cases: [(&[&str], &str); 7] = [
        (&["--velocity", "0", "--gap", "0.01"], "above 0 (m/s) to reach the wall without --gravity"),
        (&["--velocity", "-1", "--gap", "0.01"], "to reach the wall without --gravity"),
        (&["--velocity", "-1", "--gravity", "-9.81"], "to reach the wall without --gravity"),
        (&["--velocity", "0", "--gravity", "9.81"], "must not be 0"),
        (&["--velocity", "0.1", "--gravity", "-9.81", "--gap", "0.01"], "against --gravity -9.81"),
        (&["--velocity", "-1", "--gravity", "9.81", "--phase", "0.5"], "with --phase"),
        (&["--velocity", "1e-300", "--gap", "1e300"], "finite time"),
    ];
    for (arguments, reason) in cases {
        let message = refused(arguments);
        assert!(message.contains(&format!("--velocity is {}, but", arguments[1])), "{message}");
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn an_unknown_scheme_is_refused_with_the_list_and_a_guess() {
    for (typed, meant) in [
        ("rk5", "rk4"),
        ("RK4", "rk4"),
        ("secnat", "secant"),
        ("three_point", "three-point"),
        ("verlet+correct", "verlet+corrected"),
        ("psi-nonadhesiv", "psi-nonadhesive"),
        ("alll", "all"),
    ] {
        let message = refused(&["--scheme", typed]);
        assert!(message.contains(&format!("--scheme is {typed}, but must be one of am1, ")), "{message}");
        assert!(message.contains(&format!("did you mean {meant}?")), "{message}");
    }
    let message = refused(&["--scheme", "rk4,banana"]);
    assert!(message.contains("--scheme is banana") && !message.contains("did you mean"), "{message}");
    assert!(refused(&["--scheme", ""]).contains("--scheme is \"\""));
}

#[test]
fn runs_that_are_too_long_are_refused() {
    let message = refused(&["--duration", "1e9"]);
    assert!(message.contains("--duration is 1e9, but at --rate 44100 Hz that is"), "{message}");
    assert!(message.contains("at most 2000000"), "{message}");
    let message = refused(&["--rate", "1e15"]);
    assert!(message.contains("--rate is 1e15, but"), "{message}");
    let message = refused(&["--gap", "1e9"]);
    assert!(message.contains("samples long"), "{message}");
}

#[test]
fn impacts_beyond_the_range_of_numbers_are_refused() {
    let message = refused(&["--mass", "1e308", "--velocity", "1e200"]);
    assert!(message.contains("cannot be computed"), "{message}");
    let message = refused(&["--mass", "1e-320", "--stiffness", "1e308", "--velocity", "1e-300"]);
    assert!(message.contains("cannot be computed"), "{message}");
}

#[test]
fn an_impact_beyond_the_range_of_numbers_is_blamed_on_the_option_that_is_out_of_range() {
    for (option, value) in [("--velocity", "1e-300"), ("--velocity", "1e300"), ("--mass", "5e-324")] {
        let message = refused(&[option, value]);
        assert!(message.contains(&format!("{option} is {value}, but with a mass of")), "{message}");
    }
}

#[test]
fn a_picture_must_be_svg_or_png() {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, guess) in [("a.pdf", ""), ("a", ""), ("a.svgz", "a.svg"), ("a.pgn", "a.png"), (".svg", "")] {
        let path = directory.path().join(name);
        let message = failure(["impact".as_ref(), "--plot".as_ref(), path.as_os_str()], 2);
        assert!(message.contains("--plot is ") && message.contains("ends in .svg or .png"), "{message}");
        assert_eq!(message.contains("did you mean"), !guess.is_empty(), "{message}");
        assert!(message.contains(guess), "{message}");
        assert!(names_in(directory.path()).is_empty());
    }
}

#[test]
fn two_results_do_not_fit_in_one_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("a.svg");
    let path = path.to_str().expect("text");
    let message = failure(["impact", "--csv", path, "--plot", path], 2);
    assert!(message.contains("same file"), "{message}");
    assert!(names_in(directory.path()).is_empty());
}

#[test]
fn two_results_do_not_fit_in_one_file_however_it_is_spelled() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(directory.path().join("inner")).expect("a directory");
    let spellings = ["./a.svg", "inner/../a.svg", "inner/./.././a.svg"];
    // Before the file is there, and once it is.
    for _ in 0..2 {
        for spelling in spellings {
            let csv = directory.path().join(spelling);
            let plot = directory.path().join("a.svg");
            let arguments = ["impact".as_ref(), "--csv".as_ref(), csv.as_os_str(), "--plot".as_ref(), plot.as_os_str()];
            let message = failure(arguments, 2);
            assert!(message.contains("--plot is ") && message.contains("same file as --csv"), "{message}");
        }
        std::fs::write(directory.path().join("a.svg"), "old").expect("can be written");
    }
    assert_eq!(std::fs::read(directory.path().join("a.svg")).expect("is there"), b"old");
}

#[cfg(unix)]
#[test]
fn two_results_do_not_fit_in_one_file_behind_a_link() {
    let directory = tempfile::tempdir().expect("a directory");
    let (plot, link) = (directory.path().join("a.svg"), directory.path().join("link.csv"));
    std::fs::write(&plot, "old").expect("can be written");
    std::os::unix::fs::symlink(&plot, &link).expect("a link");
    let message =
        failure(["impact".as_ref(), "--csv".as_ref(), link.as_os_str(), "--plot".as_ref(), plot.as_os_str()], 2);
    assert!(message.contains("same file"), "{message}");
    assert_eq!(std::fs::read(&plot).expect("is there"), b"old");
}

#[test]
fn files_that_cannot_be_written_are_a_failed_run() {
    let directory = tempfile::tempdir().expect("a directory");
    let missing = directory.path().join("missing");
    for (option, path) in
        [("--csv", missing.join("a.csv")), ("--plot", missing.join("a.svg")), ("--csv", directory.path().to_owned())]
    {
        let message = failure(["impact".as_ref(), option.as_ref(), path.as_os_str()], 1);
        assert!(message.contains(option) && message.contains("could not be written"), "{message}");
        assert!(message.contains(path.to_str().expect("text")), "{message}");
        assert!(!message.contains(".ictus-") && !message.contains(" at path "), "{message}");
    }
    // One bad file, and the good one is not written either.
    let good = directory.path().join("a.csv");
    let bad = missing.join("a.svg");
    failure(["impact".as_ref(), "--csv".as_ref(), good.as_os_str(), "--plot".as_ref(), bad.as_os_str()], 1);
    assert!(names_in(directory.path()).is_empty());
}

#[test]
fn unknown_words_are_refused_with_exit_code_2() {
    let message = failure(["impact", "--mas", "1"], 2);
    assert!(message.contains("--mas") && message.contains("--mass"), "{message}");
    for arguments in [vec!["impcat"], vec![], vec!["impact", "extra"], vec!["impact", "--mass"], vec!["laws", "--csv"]]
    {
        failure(arguments, 2);
    }
}
