//! The tests of this crate as one binary: each further one costs seconds of linking. A new file of tests is one line here.

mod account;
mod bodies;
mod bristle;
mod chains;
mod changed_contacts;
mod common;
mod conformance;
mod corners;
mod decay;
mod engine;
mod exact;
mod felt;
mod flat_barrier;
mod friction;
mod large;
mod laws;
mod memory_networks;
mod networks;
mod pickups;
mod plectrum;
mod random_networks;
mod rest;
mod rough;
mod schelleng;
mod schemes;
mod secant;
mod sheets;
mod snare_wires;
mod springs;
mod strike;
mod struck_bodies;
mod struck_strings;
mod stulov;
mod w19_matrices;
mod weight;

/// Tests that are a binary of their own, since they bring an allocator.
const ALONE: &[&str] = &["real_time"];

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
