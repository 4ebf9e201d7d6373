//! The project's pages say what the program does.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{assert_same_to_printed_digits, stdout};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the page is there")
}

/// The blocks of a page fenced as `kind`.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let opening = format!("```{kind}\n");
    page.split(opening.as_str()).skip(1).filter_map(|rest| Some(rest.split_once("\n```")?.0)).collect()
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let readme = page("README.md");
    let shown = blocks(&readme, "text");
    assert_same_to_printed_digits(shown[1], stdout(["impact"]).trim_end());

    let folder = tempfile::tempdir().expect("a directory");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ictus"))
        .current_dir(folder.path())
        .args(["render", "hammered-string"])
        .output()
        .expect("the program starts");
    let printed = String::from_utf8(output.stdout).expect("is text");
    // All but the last line, which tells the speed of the machine.
    let measured = |text: &str| text.trim_end().rsplit_once('\n').map(|(lines, _)| lines.to_owned()).expect("lines");
    assert_same_to_printed_digits(&measured(shown[0]), &measured(&printed));
}

#[test]
fn the_readme_shows_the_heart_of_its_scene() {
    let (readme, scene) = (page("README.md"), page("scenes/hammered-string.toml"));
    let shown = blocks(&readme, "toml");
    for part in shown[0].split("\n\n") {
        assert!(scene.contains(part), "{part}");
    }
}

#[test]
fn the_readme_lists_every_command() {
    let readme = page("README.md");
    let help = stdout(["--help"]);
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("commands");
    for command in commands.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        assert!(readme.contains(&format!("`ictus {command}")), "{command}");
    }
}

#[test]
fn the_readme_shows_examples_that_compile() {
    let readme = page("README.md");
    let shown = blocks(&readme, "rust");
    // The body of one, as far as it is shown, and the whole of the other.
    let example = page("crates/ictus/examples/hammer_on_string.rs");
    let flush: Vec<&str> = example.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    assert!(flush.join("\n").contains(shown[0]), "{}", shown[0]);
    let example = page("crates/ictus/examples/one_impact.rs");
    let (_, code) = example.split_once("\n\n").expect("the example starts with a comment");
    assert_eq!(shown[1..], [code.trim_end()]);
}

#[test]
fn every_command_of_the_readme_is_understood() {
    for line in page("README.md").lines() {
        if let Some(command) = line.strip_prefix("    cargo run --release -- ") {
            let subcommand = command.split_whitespace().next().expect("a subcommand");
            let arguments = command.split_whitespace().chain(["--help"]);
            assert!(stdout(arguments).contains(&format!("Usage: ictus {subcommand}")), "{command}");
        }
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages = vec![PathBuf::from("README.md"), "CONTRIBUTING.md".into(), "CHANGELOG.md".into()];
    let docs = fs::read_dir(root().join("docs")).expect("there is documentation");
    pages.extend(docs.flatten().map(|entry| Path::new("docs").join(entry.file_name())));
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    assert!(pages.len() >= 6, "{pages:?}");
    for path in pages {
        let text = fs::read_to_string(root().join(&path)).expect("is there");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let target = root().join(&path).with_file_name(link);
            assert!(link.is_empty() || link.contains("://") || target.exists(), "{} links to {link}", path.display());
        }
    }
}
