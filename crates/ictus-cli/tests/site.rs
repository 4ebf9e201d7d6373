//! `ictus site`: a flat folder in which every link leads somewhere; and what it says when it cannot be written.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{failure, names_in, stdout};

/// The smallest module there is: what the site does with the engine does not depend on what is in it.
const MODULE: &[u8] = b"\0asm\x01\0\0\0";

fn written(folder: &Path) -> std::path::PathBuf {
    let (engine, site) = (folder.join("some.wasm"), folder.join("site"));
    fs::write(&engine, MODULE).expect("is written");
    let said = stdout([Path::new("site"), Path::new("-o"), &site, Path::new("--wasm"), &engine]);
    let scenes = names_in(&site).into_iter().filter(|name| name.ends_with(".toml")).count();
    assert!(scenes > 0 && said.contains(&format!("plays {scenes} scenes")), "{said}");
    site
}

/// What the pages refer to: the values of `href` and `src`.
fn references(html: &str) -> Vec<&str> {
    let of = |name: &'static str| html.split(name).skip(1).filter_map(|rest| rest.split('"').next());
    of(" href=\"").chain(of(" src=\"")).collect()
}

#[test]
fn every_link_of_the_site_is_relative_and_leads_to_a_file_and_a_heading_of_it() {
    let folder = tempfile::tempdir().expect("a directory");
    let site = written(folder.path());
    let names: BTreeSet<String> = names_in(&site).into_iter().collect();
    let mut checked = 0;
    for page in names.iter().filter(|name| name.ends_with(".html")) {
        let html = fs::read_to_string(site.join(page)).expect("a page");
        for reference in references(&html).into_iter().filter(|reference| !reference.starts_with("https://")) {
            let (file, part) = reference.split_once('#').unwrap_or((reference, ""));
            let (file, scene) = file.split_once("?scene=").unwrap_or((file, ""));
            assert!(scene.is_empty() || names.contains(&format!("{scene}.toml")), "{page} refers to {reference}");
            let file = if file.is_empty() { page } else { file };
            assert!(names.contains(file), "{page} refers to {reference}");
            if !part.is_empty() && file.ends_with(".html") {
                let there = fs::read_to_string(site.join(file)).expect("a page");
                assert!(there.contains(&format!("id=\"{part}\"")), "{page} refers to {reference}");
            }
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
    let gallery = fs::read_to_string(site.join("gallery.html")).expect("a page");
    for scene in names.iter().filter_map(|name| name.strip_suffix(".toml")) {
        assert!(gallery.contains(&format!("href=\"index.html?scene={scene}\"")), "the gallery plays {scene}");
    }
    for name in [
        "index.html",
        "lab.html",
        "scene.schema.json",
        "engine.wasm",
        "gallery.json",
        "docs.html",
        "validation.html",
        "benchmarks.html",
    ] {
        assert!(names.contains(name), "{name}");
    }
    assert_eq!(fs::read(site.join("engine.wasm")).expect("the engine"), MODULE);
    assert!(fs::read_to_string(site.join("engine.js")).expect("a script").contains("inside.js"));
}

#[test]
fn no_page_has_a_style_or_a_script_in_its_markup_which_its_own_rules_refuse() {
    let folder = tempfile::tempdir().expect("a directory");
    let site = written(folder.path());
    let mut tables = 0;
    for page in names_in(&site).into_iter().filter(|name| name.ends_with(".html")) {
        let html = fs::read_to_string(site.join(&page)).expect("a page");
        assert!(html.contains("Content-Security-Policy"), "{page}");
        let tags = html.split('<').skip(1).filter_map(|rest| rest.split('>').next());
        for tag in tags {
            let acts = tag.split_whitespace().any(|word| word.starts_with("on") && word.contains('='));
            assert!(!tag.contains(" style=") && !tag.starts_with("style") && !acts, "{page}: <{tag}>");
            tables += usize::from(tag == "td class=\"right\"");
        }
        assert!(!html.contains("<script>"), "{page}");
    }
    assert!(tables > 50, "{tables} cells are aligned");
}

#[test]
fn all_of_the_site_is_kept_for_offline_use() {
    let folder = tempfile::tempdir().expect("a directory");
    fs::write(folder.path().join("engine-plain.wasm"), MODULE).expect("is written");
    let site = written(folder.path());
    let script = fs::read_to_string(site.join("offline.js")).expect("a script");
    let listed = |name: &str| -> Vec<String> {
        let list = script.split(&format!("const {name} = ")).nth(1).and_then(|rest| rest.split(';').next());
        serde_json::from_str(list.expect("the list")).expect("a list of names")
    };
    let (files, pictures) = (listed("FILES"), listed("PICTURES"));
    assert!(files[0] == "./" && pictures.iter().all(|name| name.ends_with(".png")) && !pictures.is_empty());
    let kept: BTreeSet<String> = files.into_iter().skip(1).chain(pictures).collect();
    let there = names_in(&site).into_iter().filter(|name| name != "offline.js");
    assert_eq!(kept, there.collect());
}

#[test]
fn the_search_knows_every_page_and_its_addresses_exist() {
    let folder = tempfile::tempdir().expect("a directory");
    let site = written(folder.path());
    let text = fs::read_to_string(site.join("search.json")).expect("the sections");
    let sections: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    let mut pages = BTreeSet::new();
    for section in &sections {
        let address = section["address"].as_str().expect("an address");
        let (page, part) = address.split_once('#').unwrap_or((address, ""));
        let html = fs::read_to_string(site.join(page)).expect("its page is there");
        assert!(part.is_empty() || html.contains(&format!("id=\"{part}\"")), "{address}");
        pages.insert(page.to_owned());
    }
    let documents = names_in(&site)
        .into_iter()
        .filter(|name| name.ends_with(".html") && !["index.html", "lab.html"].contains(&name.as_str()));
    assert_eq!(pages, documents.collect());
}

#[test]
fn an_engine_without_vectors_beside_the_other_one_goes_along() {
    let folder = tempfile::tempdir().expect("a directory");
    assert!(!names_in(&written(folder.path())).iter().any(|name| name == "engine-plain.wasm"));
    fs::write(folder.path().join("engine-plain.wasm"), MODULE).expect("is written");
    assert!(names_in(&written(folder.path())).iter().any(|name| name == "engine-plain.wasm"));
}

#[test]
fn a_site_is_written_over_an_earlier_one_and_leaves_other_files_alone() {
    let folder = tempfile::tempdir().expect("a directory");
    let site = written(folder.path());
    fs::write(site.join("own.txt"), "mine").expect("is written");
    fs::write(site.join("index.html"), "old").expect("is written");
    written(folder.path());
    assert_eq!(fs::read_to_string(site.join("own.txt")).expect("still there"), "mine");
    assert!(fs::read_to_string(site.join("index.html")).expect("a page").contains("<!doctype html>"));
}

#[test]
fn without_an_engine_nothing_is_written_and_the_message_says_how_to_make_one() {
    let folder = tempfile::tempdir().expect("a directory");
    let site = folder.path().join("site");
    let text = folder.path().join("text.wasm");
    fs::write(&text, "no module").expect("is written");
    for (engine, expected) in [(folder.path().join("none.wasm"), "must be a file"), (text, "is no WebAssembly module")]
    {
        let said = failure([Path::new("site"), Path::new("-o"), &site, Path::new("--wasm"), &engine], 2);
        assert!(said.contains(expected) && said.contains("crates/ictus-wasm/build"), "{said}");
        assert!(!site.exists());
    }
}
