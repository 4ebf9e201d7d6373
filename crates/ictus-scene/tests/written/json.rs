//! Scenes as JSON, behind the feature `serde`.

use ictus_scene::{Instrument, Scene};

use super::corpus::{scene_at, texts};

#[test]
fn every_scene_reads_back_from_json() {
    for source in texts() {
        let scene = scene_at(&source, 48_000.0);
        let text = serde_json::to_string(&scene).unwrap();
        let back: Scene = serde_json::from_str(&text).unwrap();
        assert!(back == scene, "{}", source.name);
    }
}

#[test]
fn a_law_out_of_range_is_refused_with_its_message() {
    let scene = scene_at(&texts()[0], 48_000.0);
    let text = serde_json::to_string(&scene).unwrap();
    let refusal = serde_json::from_str::<Scene>(&text.replace("\"exponent\":2.3", "\"exponent\":23.0")).unwrap_err();
    assert!(refusal.to_string().starts_with("Hunt-Crossley: exponent is 23, must be from 1 to 13"), "{refusal}");
}

#[test]
fn what_json_says_is_checked_when_it_is_built() {
    let scene = scene_at(&texts()[0], 48_000.0);
    let text = serde_json::to_string(&scene).unwrap();
    let long: Scene = serde_json::from_str(&text.replace("\"length\":0.65", "\"length\":-0.65")).unwrap();
    assert_ne!(long, scene);
    assert!(Instrument::new(&long).is_err());
}
