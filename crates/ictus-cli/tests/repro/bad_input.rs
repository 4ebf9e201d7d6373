//! What cannot be computed or written is told in one sentence, and nothing is left behind.

use std::fs;

use crate::common::{failure, ictus, json, names_in, stdout};

#[test]
fn an_unknown_name_gets_the_list_and_a_suggestion() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().join("out");
    let path = path.to_str().expect("the path is text");
    for (name, meant) in [("P9", "P09"), ("c14-fig-33", "C14-fig-3"), ("shootout", "shoot-out"), ("al", "all")] {
        let message = failure(["repro", name, "-o", path], 2);
        let (sentence, list) = message.split_once('\n').expect("a sentence and a list");
        assert!(sentence.contains(name) && sentence.contains("P09, A04, C14, W19, D17"), "{message}");
        assert!(sentence.ends_with(&format!("did you mean {meant}?")), "{name}: {message}");
        let items = json(["repro", "--list", "--json"]);
        for (item, line) in items.as_array().expect("a list").iter().zip(list.lines()) {
            assert_eq!(item["item"].as_str(), line.split_whitespace().next(), "{message}");
        }
        assert_eq!(list.lines().count(), items.as_array().expect("a list").len(), "{message}");
    }
    assert!(!failure(["repro", "banana", "-o", path], 2).contains("did you mean"));
    assert!(!failure(["repro", "P09", "\u{1b}[31m", "-o", path], 2).contains('\u{1b}'));
    assert!(names_in(root.path()).is_empty());
}

#[test]
fn names_may_be_written_in_any_case_and_more_than_once() {
    let list = |names: &[&str]| {
        let found = json(["repro", "--list", "--json"].iter().chain(names));
        found.as_array().expect("a list").len()
    };
    assert_eq!(list(&["p09"]), list(&["P09", "P09-table-1", "p09"]));
    assert_eq!(list(&["all"]), list(&[]));
    assert_eq!(list(&["P09-TABLE-1"]), 1);
    assert!(stdout(["repro", "--list"]).contains("P09-fig-8"));
}

#[test]
fn without_a_directory_nothing_is_computed() {
    for arguments in [&["repro"][..], &["repro", "P09"], &["repro", "P09", "-o"], &["repro", "P09", "-o", ""]] {
        assert_eq!(ictus(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_directory_that_cannot_be_written_is_told_before_the_work_and_leaves_nothing() {
    let root = tempfile::tempdir().expect("a directory");
    let file = root.path().join("file");
    fs::write(&file, "x").expect("is written");
    for path in [file.clone(), file.join("deeper")] {
        let message = failure(["repro", "-o", path.to_str().expect("the path is text")], 1);
        assert!(message.contains("--output") && message.contains("could not be written"), "{message}");
        assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    }
    assert_eq!(names_in(root.path()), ["file"]);
    assert_eq!(fs::read(&file).expect("is there"), b"x");
}

#[test]
fn other_files_stay_and_a_directory_in_the_way_stops_everything() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().to_str().expect("the path is text");
    fs::write(root.path().join("mine.txt"), "mine").expect("is written");
    fs::write(root.path().join("index.html"), "old").expect("is written");
    stdout(["repro", "P09-table-1", "-o", path]);
    assert_eq!(names_in(root.path()), ["P09-table-1.csv", "index.html", "mine.txt", "validation.md"]);
    assert_eq!(fs::read(root.path().join("mine.txt")).expect("is there"), b"mine");
    assert!(fs::read(root.path().join("index.html")).expect("is there").len() > 1000);

    let blocked = tempfile::tempdir().expect("a directory");
    fs::create_dir(blocked.path().join("validation.md")).expect("is made");
    let message = failure(["repro", "P09-table-1", "-o", blocked.path().to_str().expect("the path is text")], 1);
    assert!(message.contains("validation.md"), "{message}");
    assert_eq!(names_in(blocked.path()), ["validation.md"]);
}

#[test]
fn checks_are_printed_as_json() {
    let root = tempfile::tempdir().expect("a directory");
    let found = json(["repro", "P09-table-1", "--json", "-o", root.path().to_str().expect("the path is text")]);
    let checks = found[0]["checks"].as_array().expect("checks");
    assert_eq!(found[0]["item"], "P09-table-1");
    let am1 = checks.iter().find(|check| check["statement"] == "(a) am1 energy error").expect("is there");
    assert_eq!((am1["printed"].as_str(), am1["measured"].as_str()), (Some("+2.603 %"), Some("+2.604 %")));
    assert_eq!(am1["verdict"], "noted");
    assert!(am1["reason"].as_str().is_some_and(|reason| reason.contains("2.604")));
}
