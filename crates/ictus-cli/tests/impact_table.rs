//! What `ictus impact` prints for people: P09's Table 1 can be read off it.

use crate::common;

use common::{CASE_A, stdout};

/// The cells of a scheme's line: scheme, x_max, v_out, τ, then P09's x_max, v_out, energy, then the rest.
fn cells(table: &str, scheme: &str) -> Vec<String> {
    let line = table.lines().find(|line| line.split_whitespace().next() == Some(scheme));
    line.unwrap_or_else(|| panic!("{scheme} is in the table")).split_whitespace().map(str::to_owned).collect()
}

/// Columns 4 to 6 are P09's.
fn p09(table: &str, scheme: &str) -> Vec<String> {
    cells(table, scheme)[4..7].to_vec()
}

#[test]
fn table_1a_of_p09_comes_out_to_the_printed_digits() {
    let table = stdout(["impact"].into_iter().chain(CASE_A));
    // P09 prints 2.603 for AM1's energy; its own equations give 2.604.
    assert_eq!(p09(&table, "am1"), ["n.e.", "+1.293", "+2.604"]);
    assert_eq!(p09(&table, "verlet"), ["+1.122", "+1.660", "+3.348"]);
    assert_eq!(p09(&table, "heun"), ["+1.254", "+1.467", "+2.955"]);
    assert_eq!(p09(&table, "rk4"), ["n.e.", "-0.125", "-0.250"]);
}

#[test]
fn table_1b_of_p09_comes_out_to_the_printed_digits_and_is_the_default() {
    let table = stdout(["impact"]);
    assert_eq!(p09(&table, "am1"), ["n.e.", "+2.551", "+5.166"]);
    assert_eq!(p09(&table, "verlet"), ["n.e.", "+0.839", "+1.685"]);
    assert_eq!(p09(&table, "heun"), ["n.e.", "-4.692", "-9.164"]);
    assert_eq!(p09(&table, "rk4"), ["n.e.", "-0.105", "-0.211"]);
}

#[test]
fn p09_corrections_give_the_exact_output_velocity() {
    let table = stdout(["impact"].into_iter().chain(CASE_A));
    for scheme in ["am1+corrected", "verlet+corrected", "heun+corrected", "rk4+corrected"] {
        assert_eq!(cells(&table, scheme)[2], "0.000", "{scheme}");
        assert_eq!(cells(&table, scheme)[4], "n.e.", "{scheme}");
    }
}

#[test]
fn the_table_has_exact_values_on_top_and_fits_a_terminal() {
    let table = stdout(["impact"]);
    let lines: Vec<&str> = table.lines().collect();
    let place = |word: &str| lines.iter().position(|line| line.contains(word)).unwrap_or(usize::MAX);
    for value in ["maximum compression", "output velocity", "contact time", "limit velocity", "energy"] {
        assert!(place(value) < place("am1"), "{value}");
    }
    for line in &lines {
        assert!(line.chars().count() <= 120, "{line}");
    }
}

#[test]
fn every_scheme_of_the_list_has_a_line_once() {
    let table = stdout(["impact", "--scheme", "rk4,all", "--scheme", "am1"]);
    for scheme in ictus::impact::SCHEMES {
        let lines = table.lines().filter(|line| line.split_whitespace().next() == Some(scheme.name));
        assert_eq!(lines.count(), 1, "{}", scheme.name);
    }
}

#[test]
fn a_scheme_that_does_not_apply_or_fails_says_why() {
    let table = stdout(["impact", "--scheme", "two-point-exact"]);
    assert!(table.contains("not applicable"), "{table}");
    let table = stdout(["impact", "--stiffness", "1e13", "--phase", "0.3", "--scheme", "rk4"]);
    assert!(table.contains("at sample"), "{table}");
}

#[test]
fn colours_are_for_terminals_only() {
    assert!(!stdout(["impact"]).contains('\u{1b}'));
    assert!(!stdout(["schemes"]).contains('\u{1b}'));
}

#[test]
fn the_lists_show_every_scheme_and_every_law() {
    let schemes = stdout(["schemes"]);
    assert!(ictus::impact::SCHEMES.iter().all(|scheme| schemes.contains(scheme.name)));
    let laws = stdout(["laws"]);
    assert!(ictus::laws::Law::ALL.iter().all(|law| laws.contains(law.name)));
}

#[test]
fn help_has_examples_and_the_version_is_told() {
    for arguments in [vec!["impact", "--help"], vec!["schemes", "--help"], vec!["laws", "--help"], vec!["--help"]] {
        assert!(stdout(arguments).contains("Examples:"));
    }
    assert!(stdout(["--version"]).starts_with("ictus "));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    for arguments in [vec!["impact"], vec!["impact", "--json"], vec!["schemes"], vec!["--help"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ictus"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut message = String::new();
        child.stderr.take().expect("was piped").read_to_string(&mut message).expect("is text");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{arguments:?}");
        assert_eq!(message, "", "{arguments:?}");
    }
}

#[test]
fn under_gravity_the_exact_values_say_what_they_neglect() {
    let note = "The exact values neglect gravity during the contact";
    assert!(stdout(["impact", "--gravity", "9.81", "--scheme", "secant"]).contains(note));
    assert!(!stdout(["impact", "--scheme", "secant"]).contains(note));
}
