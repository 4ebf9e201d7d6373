//! The tests of this crate as one binary: each further one costs seconds of linking. A new file of tests is one line here.

mod any_text;
mod body_messages;
mod documentation;
mod gallery;
mod good_scenes;
mod instrument;
mod messages;
mod midi;
mod recipes;
mod scenes;
mod sets_and_gravity;
mod showers;
mod silence;
mod slips;
mod sounds;
mod text_to_sound;
mod told_at_once;
mod unheard;
mod used;
mod variation;
mod voices;
mod written;

/// Tests that are a binary of their own, since they bring an allocator, and what belongs to them.
const ALONE: &[&str] = &["grammar", "memory", "real_time"];

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
        if holds_tests && module != "all" && !ALONE.contains(&module) {
            assert!(list.contains(&format!("\nmod {module};\n")), "{} is missing in tests/all.rs", path.display());
        }
    }
}
