//! The report and the page of the repository.

use std::path::Path;

use super::data::Directory;
use crate::common::{assert_same_to_printed_digits, json, names_in};

pub fn the_report_names_every_item_and_links_to_files_that_are_there(directory: &Directory, printed: &str) {
    let page = directory.text("index.html");
    let files = names_in(&directory.path);
    let list = json(["repro", "--list", "--json"]);
    let items: Vec<&str> = list.as_array().expect("a list").iter().filter_map(|item| item["item"].as_str()).collect();
    assert!(items.len() >= 22, "{items:?}");
    for item in &items {
        assert!(page.contains(&format!("<article id=\"{item}\">")), "{item}");
        assert!(printed.contains(item), "{item}");
        let has = |ending: &str| files.iter().any(|file| file.starts_with(item) && file.ends_with(ending));
        assert!(has(".csv"), "{item} has no data");
        assert!(item.contains("table") || (has(".svg") && has(".png")), "{item} has no picture");
    }
    for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let there = link
            .strip_prefix('#')
            .map_or_else(|| files.iter().any(|file| file == link), |id| page.contains(&format!("id=\"{id}\"")));
        assert!(there, "the report links to {link}");
    }
    // Nothing from elsewhere, and nothing that is no number.
    for forbidden in ["src=\"http", "url(http", "NaN", "not finite"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    for file in files.iter().filter(|file| file.ends_with(".svg")) {
        let svg = directory.text(file);
        assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{file}");
    }
    for file in files.iter().filter(|file| file.ends_with(".png")) {
        let bytes = std::fs::read(directory.path.join(file)).expect("was written");
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 5000, "{file}");
    }
}

pub fn statements_of_the_sources_are_told_apart_from_our_own(directory: &Directory, printed: &str) {
    let totals = printed.trim_end().lines().last().expect("a last line");
    let numbers: Vec<usize> =
        totals.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let [holding, statements, noted, own_holding, own] = numbers[..] else { panic!("{totals}") };
    let words = format!(
        "{holding} of {statements} statements of the sources hold, {noted} noted differences; own checks: {own_holding} of {own} hold"
    );
    assert_eq!(totals, words);
    let page = directory.text("validation.md");
    assert!(page.contains(&format!("\n{words}.\n")));
    // The rows of the page, counted anew.
    let checks: Vec<Vec<&str>> = page
        .lines()
        .map(|line| line.split(" | ").collect::<Vec<_>>())
        .filter(|cells| cells.len() == 5 && ["holds |", "noted |"].contains(&cells[4]))
        .collect();
    let count = |own: bool| checks.iter().filter(|cells| (cells[1] == "our own") == own).count();
    assert_eq!((count(false), count(true)), (statements, own));
    assert_eq!(holding + noted, statements);
    let html = directory.text("index.html");
    assert_eq!(html.matches("<tr class=\"own\">").count(), own);
    assert_eq!(html.matches("<td>our own</td>").count(), own);
    // What nobody but us says.
    for (start, section) in
        [("### shoot-out-accuracy", "secant: largest error"), ("### W19-mass-string", "no part ever holds")]
    {
        let item = page.split(start).nth(1).expect("is there");
        let row = item.lines().find(|line| line.contains(section)).expect("a row");
        assert!(row.contains("| our own |"), "{row}");
    }
}

pub fn the_page_of_the_repository_is_what_was_computed(directory: &Directory) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/validation.md");
    let committed = std::fs::read_to_string(path).expect("the page is there");
    assert_same_to_printed_digits(&committed, &directory.text("validation.md"));
    assert!(!committed.contains("**fails**"));
}
