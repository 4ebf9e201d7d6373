//! Runs the built program.

// Each test file uses its own part of this.
#![allow(dead_code)]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// The case of P09's Table 1(a).
pub const CASE_A: [&str; 8] = ["--stiffness", "1e7", "--dissipation", "0.1", "--exponent", "1.1", "--velocity", "0.3"];

/// Runs `ictus` with these arguments.
pub fn ictus<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ictus")).args(arguments).output().expect("the program starts")
}

/// Runs `ictus` with these arguments in a folder.
pub fn ictus_in<S: AsRef<std::ffi::OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ictus")).current_dir(folder).args(arguments).output().expect("the program starts")
}

/// What it printed, if it succeeded.
pub fn stdout<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> String {
    let output = ictus(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("the output is text")
}

/// What it printed as JSON, if it succeeded.
pub fn json<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("the output is JSON")
}

/// The message it failed with, if it failed with that exit code and printed nothing else.
pub fn failure<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>, code: i32) -> String {
    let output = ictus(arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("the message is text")
}

/// Names of all files in a directory, hidden ones too.
pub fn names_in(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("the directory can be read");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Panics unless two texts have the same words, and numbers that agree to the digits printed in either.
///
/// Numbers at the level of rounding may differ freely: they are promised to be small, not to be the same everywhere.
pub fn assert_same_to_printed_digits(committed: &str, computed: &str) {
    for (number, (one, other)) in committed.lines().zip(computed.lines()).enumerate() {
        let count = |line: &str| line.split_whitespace().count();
        let mut words = one.split_whitespace().zip(other.split_whitespace());
        let agree = count(one) == count(other) && words.all(|(one, other)| same_word(one, other));
        assert!(agree, "line {}\ncommitted: {one}\ncomputed:  {other}", number + 1);
    }
    assert_eq!(committed.lines().count(), computed.lines().count(), "number of lines");
}

fn same_word(one: &str, other: &str) -> bool {
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(a), Ok(b)) => {
            let rounding = a.abs().max(b.abs()) < 1e-11;
            rounding || (a - b).abs() <= 1.01 * last_digit(one).max(last_digit(other))
        }
        // Rules under headings are as long as the widest cell.
        _ => one == other || (one.starts_with("--") && other.starts_with("--")),
    }
}

/// What a one in the last printed digit stands for: 0.01 for 7.90, 1e-6 for 1.2e-5.
fn last_digit(number: &str) -> f64 {
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    10f64.powi(exponent.parse::<i32>().unwrap_or(0) - decimals)
}
