//! The scenes that are written and read: those of the gallery and of these tests.

use ictus_scene::{Reading, Scene, Source, read};

const OWN: [(&str, &str); 6] = [
    ("hammer.toml", include_str!("../scenes/hammer.toml")),
    ("kinds.toml", include_str!("../scenes/kinds.toml")),
    ("sets.toml", include_str!("../scenes/sets.toml")),
    ("pool.toml", include_str!("../scenes/pool.toml")),
    ("parts.toml", include_str!("../scenes/parts.toml")),
    ("memory.toml", include_str!("../scenes/memory.toml")),
];

/// Every scene as text, with its name.
pub fn texts() -> Vec<Source> {
    let gallery = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut paths: Vec<_> = std::fs::read_dir(gallery).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    assert!(paths.len() >= 20, "the gallery is not there");
    let gallery = paths.iter().map(|path| Source::load(path).unwrap());
    OWN.iter().map(|(name, text)| Source::new(*name, *text)).chain(gallery).collect()
}

/// A scene of a text, at a rate in Hz.
pub fn scene_at(source: &Source, rate: f64) -> Scene {
    let options = Reading { rate: Some(rate), ..Reading::default() };
    read(source, &options).unwrap_or_else(|problems| panic!("{}", problems.render(120, false)))
}
