//! The table of parameters: every number by its path, the same for a reading and for an instrument that sounds.

use std::path::PathBuf;

use ictus_scene::instrument::PlayError;
use ictus_scene::parameters::{ParameterInfo, Scale};
use ictus_scene::{Instrument, Reading, Scene, Source, read};

use crate::scenes::*;

fn gallery() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenes = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let mut all: Vec<(String, String)> = scenes
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap()))
        .collect();
    all.sort();
    all
}

fn scene_with(text: &str, overrides: &[(&str, &str)]) -> Scene {
    let overrides = overrides.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    read(&Source::new("scene.toml", text), &Reading { overrides, ..Reading::default() }).unwrap()
}

fn find<'a>(all: &'a [ParameterInfo], path: &str) -> &'a ParameterInfo {
    all.iter().find(|info| info.path == path).unwrap_or_else(|| panic!("no {path}"))
}

fn heard(instrument: &mut Instrument, frames: usize) -> Vec<f64> {
    let mut sound = vec![0.0; frames * instrument.channels()];
    instrument.process(&mut sound);
    sound
}

const HAMMERED: &str = include_str!("../scenes/hammer.toml");
const SETS: &str = include_str!("../scenes/sets.toml");

#[test]
fn every_parameter_of_the_gallery_has_one_path_and_a_default_in_its_range() {
    let mut live = 0;
    for (name, text) in gallery() {
        let all = scene_with(&text, &[]).parameters();
        assert!(!all.is_empty(), "{name}");
        let mut paths: Vec<&str> = all.iter().map(|info| info.path.as_str()).collect();
        paths.sort_unstable();
        assert!(paths.windows(2).all(|pair| pair[0] != pair[1]), "{name}");
        for info in &all {
            let [least, most] = info.range;
            assert!(least <= info.default && info.default <= most, "{name}: {info:?}");
            assert!(info.scale == Scale::Linear || least >= 0.0 && info.default > 0.0, "{name}: {info:?}");
            live += usize::from(info.live);
        }
    }
    assert!(live > 100, "{live} live parameters in all scenes");
}

#[test]
fn live_parameters_are_found_by_path_and_number_and_the_others_say_that_they_are_not_live() {
    for text in [HAMMERED, SETS, include_str!("../scenes/pool.toml")] {
        let built = Instrument::new(&scene_with(text, &[])).unwrap();
        for info in built.parameters() {
            // A control or a path of a set brings others along.
            let mut instrument = built.clone();
            let id = instrument.parameter(&info.path).unwrap();
            assert_eq!(instrument.parameters()[id.index()], *info);
            let before = instrument.value(id).unwrap();
            assert_eq!(before, info.default, "{info:?}");
            let outcome = instrument.set(id, before);
            if info.live {
                outcome.unwrap_or_else(|error| panic!("{}: {error}", info.path));
                assert!(instrument.set(id, f64::NAN).is_err(), "{}", info.path);
            } else {
                assert_eq!(outcome, Err(PlayError::NotLive(id)), "{}", info.path);
            }
            assert_eq!(instrument.value(id), Some(before), "{}", info.path);
        }
        assert_eq!(built.parameter("hammer.stifness"), None);
    }
}

/// A hammer made harder by a reading sounds as one made harder before it strikes.
#[test]
fn a_path_set_live_means_what_it_means_to_a_reading() {
    for (path, value) in [("mallet.stiffness", 3e8), ("mallet.exponent", 2.0), ("mallet.dissipation", 0.4)] {
        let mut read_so = Instrument::new(&scene_with(HAMMERED, &[(path, &value.to_string())])).unwrap();
        let mut set_so = Instrument::new(&scene_with(HAMMERED, &[])).unwrap();
        let plain = heard(&mut set_so.clone(), 24_000);
        let id = set_so.parameter(path).unwrap();
        assert_eq!((read_so.value(id), set_so.parameters()[id.index()].live), (Some(value), true));
        set_so.set(id, value).unwrap();
        let sound = heard(&mut set_so, 24_000);
        assert!(sound == heard(&mut read_so, 24_000) && sound != plain, "{path}");
    }
}

#[test]
fn masses_lengths_and_what_events_say_are_listed_and_can_be_read_anew() {
    let scene = scene_with(HAMMERED, &[]);
    let all = scene.parameters();
    for (path, unit) in [
        ("mallet.mass", "kg"),
        ("string.length", "m"),
        ("events.0.time", "s"),
        ("events.0.velocity", "m/s"),
        ("output.gain", ""),
    ] {
        if path == "output.gain" && !HAMMERED.contains("[output]") {
            continue;
        }
        let info = find(&all, path);
        assert_eq!((info.unit.as_str(), info.live), (unit, false), "{path}");
        let changed = format!("{}", 1.25 * info.default + 0.001);
        let anew = scene_with(HAMMERED, &[(path, &changed)]);
        assert_eq!(find(&anew.parameters(), path).default, changed.parse::<f64>().unwrap(), "{path}");
        assert_ne!(anew, scene, "{path}");
    }
}

#[test]
fn a_path_of_a_set_is_one_parameter_of_all_its_notes() {
    let scene = scene_with(SETS, &[]);
    let all = scene.parameters();
    let is_of_tools = |info: &&ParameterInfo| info.live && !info.path.ends_with(".losses");
    let group = all.iter().filter(is_of_tools).find(|info| info.path.matches('.').count() == 2).unwrap();
    let copies = all.iter().filter(|info| {
        let (name, key) = group.path.rsplit_once('.').unwrap();
        info.path.starts_with(&format!("{name}.")) && info.path.ends_with(&format!(".{key}")) && info.path != group.path
    });
    let copies: Vec<&ParameterInfo> = copies.collect();
    assert!(copies.len() > 1, "{}", group.path);
    let mut instrument = Instrument::new(&scene).unwrap();
    let value = 0.9 * group.default + 1e-3;
    instrument.set(instrument.parameter(&group.path).unwrap(), value).unwrap();
    for copy in copies {
        assert_eq!(instrument.value(instrument.parameter(&copy.path).unwrap()), Some(value), "{}", copy.path);
    }
    // As in `--set`, without the name of the only set; but not the key alone.
    let (_, inner) = group.path.split_once('.').unwrap();
    assert_eq!(instrument.parameter(inner), instrument.parameter(&group.path));
    assert_eq!(instrument.parameter(inner.split_once('.').unwrap().1), None);
}

/// A pickup can be built silent, and is heard where it was put once it is louder.
#[test]
fn a_pickup_of_no_gain_becomes_louder_where_it_was_put() {
    let text = |gain: f64, place: &str| {
        format!(
            "ictus = 1\ntitle = \"Ear\"\n[objects.ball]\nkind = \"mass\"\nmass = 0.1\nfrequency = 300\nt60 = 1\nvelocity = 1\n\
             [pickups.ear]\nat = \"ball\"\ngain = {gain}\n{place}\n[output]\nchannels = 2\n"
        )
    };
    for place in ["pan = 0.3", "channel = 2", ""] {
        let sound = |gain: f64, set: Option<f64>| {
            let mut instrument = Instrument::new(&scene_with(&text(gain, place), &[])).unwrap();
            let id = instrument.parameter("ear.gain").unwrap();
            assert_eq!(instrument.value(id), Some(gain));
            if let Some(value) = set {
                instrument.set(id, value).unwrap();
            }
            heard(&mut instrument, 480)
        };
        let expected = sound(2.0, None);
        assert!(expected.iter().any(|sample| *sample != 0.0));
        for built in [0.0, 1.0, -3.0] {
            assert!(sound(built, Some(2.0)) == expected, "{place:?}, built with {built}");
        }
        assert!(sound(2.0, Some(0.0)).iter().all(|sample| *sample == 0.0));
    }
}

#[test]
fn a_reading_sets_what_only_a_live_parameter_can_say() {
    let mut read_so = Instrument::new(&scene_with(HAMMERED, &[("mallet.at", "0.3")])).unwrap();
    let mut set_so = Instrument::new(&scene_with(HAMMERED, &[])).unwrap();
    let plain = heard(&mut set_so.clone(), 24_000);
    set_so.set(set_so.parameter("mallet.at").unwrap(), 0.3).unwrap();
    let sound = heard(&mut set_so, 24_000);
    assert!(sound == heard(&mut read_so, 24_000) && sound != plain);
}

#[test]
fn a_glide_arrives_after_its_time() {
    let mut instrument = Instrument::new(&workshop()).unwrap();
    let id = instrument.parameter("bow.force").unwrap();
    instrument.glide(id, 2.5, 0.1).unwrap();
    instrument.process(&mut [0.0; 2 * 2400]);
    let half = instrument.value(id).unwrap();
    instrument.process(&mut [0.0; 2 * 2500]);
    assert!((half - 1.5).abs() < 0.02 && instrument.value(id) == Some(2.5), "{half}");
}

#[test]
fn a_slip_in_a_path_is_answered_with_the_nearest() {
    let instrument = Instrument::new(&scene_with(HAMMERED, &[])).unwrap();
    assert_eq!(instrument.suggest("mallet.stifness"), "did you mean `mallet.stiffness`?");
    let slip = Reading { overrides: vec![("events.0.velocty".into(), "2".into())], ..Reading::default() };
    let told = read(&Source::new("scene.toml", HAMMERED), &slip).unwrap_err().render(100, false);
    assert!(told.contains("did you mean `velocity`?"), "{told}");
    let slip = Reading { overrides: vec![("event.0.velocity".into(), "2".into())], ..Reading::default() };
    let told = read(&Source::new("scene.toml", HAMMERED), &slip).unwrap_err().render(100, false);
    assert!(told.contains("did you mean `events.0.velocity`?"), "{told}");
}
