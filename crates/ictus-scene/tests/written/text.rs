//! Scenes as text.

use ictus_scene::{Reading, Scene, Source, read, write};

use super::corpus::{scene_at, texts};

/// What a text reads as, or what is wrong with it.
pub fn back(name: &str, text: &str) -> Scene {
    let lines = || text.lines().map(|line| line.chars().take(160).collect::<String>() + "\n").collect::<String>();
    read(&Source::new(name, text), &Reading::default())
        .unwrap_or_else(|problems| panic!("{}\n{}", problems.render(120, false), lines()))
}

/// Where two texts of debugging differ first.
fn difference(a: &Scene, b: &Scene) -> String {
    let [a, b] = [a, b].map(|scene| format!("{scene:#?}"));
    let mut lines = a.lines().zip(b.lines()).enumerate();
    lines.find(|(_, (a, b))| a != b).map_or("at the end".into(), |(line, (a, b))| format!("line {line}:\n{a}\n{b}"))
}

pub fn assert_reads_back(name: &str, scene: &Scene) {
    let text = write(scene).unwrap_or_else(|error| panic!("{name}: {error}"));
    let again = back(name, &text);
    assert!(again == *scene, "{name}: {}", difference(scene, &again));
    assert_eq!(write(&again).unwrap(), text, "{name}");
}

fn every_scene_reads_back_at(rate: f64) {
    for source in texts() {
        assert_reads_back(&source.name, &scene_at(&source, rate));
    }
}

#[test]
fn every_scene_reads_back_at_44_1_khz() {
    every_scene_reads_back_at(44_100.0);
}

#[test]
fn every_scene_reads_back_at_48_khz() {
    every_scene_reads_back_at(48_000.0);
}

#[test]
fn every_scene_reads_back_at_96_khz() {
    every_scene_reads_back_at(96_000.0);
}
