//! Puts every scene of the gallery into the program: writes the list of `scenes/*.toml` with their texts.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let gallery = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo names the crate")).join("../../scenes");
    println!("cargo::rerun-if-changed={}", gallery.display());
    let entries = fs::read_dir(&gallery).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    // By name, not by file: `guitar` comes before `guitar-fret-buzz`.
    files.sort_by_key(|file| file.file_stem().map(ToOwned::to_owned));
    let mut list = String::from("&[\n");
    for file in &files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("scenes have plain names");
        let file = file.canonicalize().expect("the file is there");
        list += &format!("    ({name:?}, include_str!({:?})),\n", file.display().to_string());
    }
    list += "]\n";
    let target = Path::new(&env::var("OUT_DIR").expect("cargo names the folder")).join("gallery.rs");
    fs::write(target, list).expect("the list can be written");
}
