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
