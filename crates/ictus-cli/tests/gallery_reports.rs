//! Every scene of the gallery through the program itself: one command renders them all on all cores, and their reports say
//! what is promised of each.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{ictus, names_in};
use ictus_scene::{Reading, Scene, Source};
use serde_json::Value;

/// How far an energy account may be open.
const RESIDUAL: f64 = 1e-11;

/// The scene files, in order of their names.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    names_in(&folder).iter().filter(|name| name.ends_with(".toml")).map(|name| folder.join(name)).collect()
}

fn scene(file: &Path) -> Scene {
    let source = Source::load(file).expect("can be loaded");
    ictus_scene::read(&source, &Reading::default()).expect("is a scene")
}

/// A number that has to be there. JSON has no NaN and no infinity: they would be `null`.
fn number(value: &Value, key: &str, file: &Path) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{file:?}: {key} is {}", value[key]))
}

#[test]
fn every_scene_of_the_gallery_keeps_its_promises_in_its_report() {
    let (files, folder) = (files(), tempfile::tempdir().expect("a directory"));
    assert!(files.len() >= 16, "a gallery of {}", files.len());
    let (sounds, reports) = (folder.path().join("sounds"), folder.path().join("reports"));
    let mut arguments = vec!["render".into(), "-o".into(), sounds.clone(), "--report".into(), reports.clone()];
    arguments.extend(files.iter().cloned());
    let output = ictus(&arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "nothing to warn of: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names_in(&sounds).len(), files.len());
    for file in &files {
        let name = file.file_stem().expect("has a name").to_string_lossy();
        let text = fs::read(reports.join(format!("{name}.json"))).expect("the report is there");
        let report: Value = serde_json::from_slice(&text).expect("is JSON");
        check_report(&report, file);
        assert!(hound::WavReader::open(sounds.join(format!("{name}.wav"))).is_ok_and(|sound| {
            u64::from(sound.duration()) == report["samples"] && sound.spec().channels == report["channels"]
        }));
    }
}

fn check_report(report: &Value, file: &Path) {
    let scene = scene(file);
    assert_eq!(report["title"], scene.title.as_str(), "{file:?}");
    let residual = number(&report["energy"], "residual", file);
    assert!((0.0..=RESIDUAL).contains(&residual), "{file:?}: {residual:e}");
    let peak = number(report, "peak", file);
    assert!(peak > 0.0 && peak <= 1.0, "{file:?}: {peak}");
    let lufs = number(report, "lufs", file);
    assert!((-60.0..0.0).contains(&lufs), "{file:?}: {lufs} LUFS");
    let (rate, samples) = (number(report, "rate", file), number(report, "samples", file));
    assert_eq!((rate, samples), (scene.model.rate, (scene.model.rate * scene.duration).round()), "{file:?}");
    assert_eq!(number(report, "duration", file), samples / rate, "{file:?}");
    assert!(number(report, "realtime_factor", file) > 0.0, "{file:?}");
    check_contacts(report, file, &scene);
    let objects = report["objects"].as_array().expect("a list");
    assert_eq!(objects.len(), scene.model.objects.len(), "{file:?}");
    assert!(objects.iter().all(|object| number(object, "nanoseconds", file) >= 0.0), "{file:?}");
}

fn check_contacts(report: &Value, file: &Path, scene: &Scene) {
    let contacts = report["contacts"].as_array().expect("a list");
    assert_eq!(report["missed_contacts"], 0, "{file:?}");
    assert_eq!(number(report, "contact_count", file).min(100_000.0), contacts.len() as f64, "{file:?}");
    let mut last_end = 0.0;
    for contact in contacts {
        let name = contact["name"].as_str().expect("a name");
        let [start, end, v_in, v_out, force] =
            ["start", "end", "v_in", "v_out", "peak_force"].map(|key| number(contact, key, file));
        assert!(scene.model.interactions.iter().any(|interaction| interaction.name == name), "{file:?}: {contact}");
        assert!(0.0 <= start && start < end && end <= number(report, "duration", file) + 0.1, "{file:?}: {contact}");
        assert!(end >= last_end, "{file:?}: in the order of their ends: {contact}");
        assert!(force >= 0.0 && v_in.is_finite() && v_out.is_finite(), "{file:?}: {contact}");
        last_end = end;
    }
}
