//! The report and the page of the repository.

use std::path::Path;

use crate::common::{assert_same_to_printed_digits, json, names_in};
use crate::data::Directory;

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

pub fn the_page_of_the_repository_is_what_was_computed(directory: &Directory) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/validation.md");
    let committed = std::fs::read_to_string(path).expect("the page is there");
    assert_same_to_printed_digits(&committed, &directory.text("validation.md"));
    assert!(!committed.contains("**fails**"));
}
