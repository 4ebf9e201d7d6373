//! The tests of this crate as one binary: each further one costs seconds of linking. A new file of tests is one line here.

mod bad_input;
mod checked;
mod common;
mod dependencies;
mod design;
mod environment;
mod files;
mod fit;
mod gallery_reports;
mod impact_files;
mod impact_json;
mod impact_table;
mod measure;
mod oversampled_gallery;
mod pages;
mod random_arguments;
mod random_renders;
mod render;
mod render_midi;
mod repro;
mod scene_commands;
mod scene_mistakes;
mod site;
mod sound_in;
mod study;
mod sweep;
mod warnings;
mod workbench;

#[test]
fn every_file_of_tests_is_in_the_list() {
    let list = include_str!("all.rs");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for entry in std::fs::read_dir(folder).expect("the tests are there") {
        let path = entry.expect("a file").path();
        let module = path.file_stem().and_then(|stem| stem.to_str()).expect("plain names");
        let holds_tests = path.extension().is_some_and(|ending| ending == "rs")
            || path.join("mod.rs").exists()
            || path.join("main.rs").exists();
        if holds_tests && module != "all" {
            assert!(list.contains(&format!("\nmod {module};\n")), "{} is missing in tests/all.rs", path.display());
        }
    }
}
