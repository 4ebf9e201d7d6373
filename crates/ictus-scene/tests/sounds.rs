//! Signals that follow a sound: what is read, what is written of it, and what is refused.

use std::sync::Arc;

use ictus_scene::{Files, Missing, Passage, Reading, Scene, Source, read, write};

/// Sounds in memory: `ramp.wav` climbs by a thousandth a sample from its start on, `long.wav` has no end.
#[derive(Debug)]
pub struct Shelf;

impl Files for Shelf {
    fn sound(&self, name: &str, passage: Passage) -> Result<Vec<f64>, Missing> {
        let Passage { start, length, rate, most } = passage;
        let frames = match name {
            "ramp.wav" => 1000,
            "long.wav" => usize::MAX,
            _ => return Err(Missing::Because("does not exist".to_owned())),
        };
        let first = (start * rate).round() as usize;
        let count = length.map_or(usize::MAX, |length| (length * rate).round() as usize);
        let count = count.min(frames.saturating_sub(first));
        if count > most {
            return Err(Missing::TooLong);
        }
        Ok((0..count).map(|n| (first + n) as f64 * 1e-3).collect())
    }

    fn scene(&self, _: &str) -> Result<Source, String> {
        Err("does not exist".to_owned())
    }
}

fn text(keys: &str) -> String {
    format!(
        "ictus = 1\ntitle = \"Driven\"\nrate = 8000\n[objects.ball]\nkind = \"mass\"\nmass = \"1 kg\"\n\
         [exciters.shaker]\nkind = \"signal\"\non = \"ball\"\n{keys}\n[pickups.ear]\nat = \"ball\"\n\
         [[events]]\ntime = 0\ntrigger = \"shaker\"\n"
    )
}

fn scene_of(text: &str) -> Scene {
    let source = Source::new("driven.toml", text).with_files(Arc::new(Shelf));
    read(&source, &Reading::default()).unwrap_or_else(|problems| panic!("{}", problems.render(120, false)))
}

fn signal(scene: &Scene) -> &[f64] {
    scene.model.forces[0].signal.as_deref().unwrap()
}

#[test]
fn a_signal_follows_a_file_or_a_part_of_it() {
    let ramp = |first: usize, count: usize| (first..first + count).map(|n| n as f64 * 1e-3).collect::<Vec<_>>();
    assert_eq!(signal(&scene_of(&text("file = \"ramp.wav\""))), ramp(0, 1000));
    let keys = "file = \"ramp.wav\"\nstart = \"25 ms\"\nlength = \"10 ms\"\nlevel = \"3 N\"";
    let scene = scene_of(&text(keys));
    assert_eq!(signal(&scene), ramp(200, 80));
    assert_eq!(scene.model.forces[0].level, 3.0);
    assert_eq!(scene.sounds().collect::<Vec<_>>(), ["ramp.wav"]);
}

#[test]
fn a_scene_names_its_files_when_it_is_written_and_has_the_samples_once_they_are_changed() {
    let keys = "file = \"ramp.wav\"\nstart = \"25 ms\"\nlength = \"10 ms\"\nlevel = \"3 N\"";
    let mut scene = scene_of(&text(keys));
    let written = write(&scene).unwrap();
    assert!(written.contains(keys) && !written.contains("samples"), "{written}");
    assert_eq!(scene_of(&written), scene);
    scene.model.forces[0].signal.as_mut().unwrap()[3] += 1e-9;
    let written = write(&scene).unwrap();
    assert!(written.contains("samples") && !written.contains("file"), "{written}");
    assert_eq!(read(&Source::new("alone.toml", written), &Reading::default()).unwrap(), scene);
}

#[test]
fn sounds_that_cannot_be_had_are_told() {
    let told = |keys: &str, source: fn(Source) -> Source| {
        let problems = read(&source(Source::new("driven.toml", text(keys))), &Reading::default()).unwrap_err();
        problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let with = |source: Source| source.with_files(Arc::new(Shelf));
    assert_eq!(told("file = \"ramp.wav\"", |source| source), "`ramp.wav` cannot be read: this text has no folder");
    assert_eq!(told("file = \"gone.wav\"", with), "`gone.wav` does not exist");
    let long = "with `long.wav` the sounds of this scene last longer than 524.3 s: 4194304 samples at 8000 Hz";
    assert_eq!(told("file = \"long.wav\"", with), long);
    assert_eq!(told("start = \"1 s\"", with), "only a signal with a `file` has a `start`");
    assert!(told("file = \"ramp.wav\"\nshape = \"click\"", with).contains("`file` and `shape`"));
    assert!(told("fil = \"ramp.wav\"", with).contains("`fil`"));
}

/// The room is that of all sounds together.
#[test]
fn many_sounds_share_their_room() {
    let mut text = text("file = \"long.wav\"\nlength = \"300 s\"");
    text += "[exciters.other]\nkind = \"signal\"\non = \"ball\"\nfile = \"long.wav\"\nlength = \"300 s\"\n";
    let source = Source::new("driven.toml", text).with_files(Arc::new(Shelf));
    let problems = read(&source, &Reading::default()).unwrap_err();
    assert!(problems.iter().any(|problem| problem.message.contains("last longer than")));
}
