//! Whatever a scene holds, the writer writes it so that it reads back, or says what it cannot write; it does not panic.

use ictus::model::{Limits, Spread};
use ictus::objects::{Profile, ProfilePoint};
use ictus_scene::{Reading, Scene, Source, WriteError, read, write};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::corpus::{scene_at, texts};
use crate::scenes::{busy_score, harp, workshop};

fn scenes() -> Vec<Value> {
    let read = texts().into_iter().take(5).map(|source| scene_at(&source, 48_000.0));
    let made = [Scene { score: busy_score(), ..workshop() }, harp(&[60, 64])];
    read.chain(made).map(|scene| serde_json::to_value(scene).unwrap()).collect()
}

const TEXTS: &[&str] = &[
    "",
    "each",
    "each.a",
    "a.b",
    "a..b",
    "a@0.5",
    "a#1",
    "a\"b\\",
    "line\nbreak",
    "\u{7f}\u{0}",
    "ünï",
    "string",
    "hammer",
    "  ",
    "[x]",
    "a = 1",
    "C4",
];

/// Every number or text of a tree, in order.
fn leaves<'v>(value: &'v mut Value, all: &mut Vec<&'v mut Value>) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|value| leaves(value, all)),
        Value::Object(map) => map.values_mut().for_each(|value| leaves(value, all)),
        Value::Number(_) | Value::String(_) => all.push(value),
        _ => {}
    }
}

fn changed(mut tree: Value, changes: &[(Index, Index, f64)]) -> Value {
    for (at, word, number) in changes {
        let mut all = Vec::new();
        leaves(&mut tree, &mut all);
        let place = at.index(all.len());
        let before = all[place].clone();
        match &before {
            Value::String(_) => {
                // A name changes wherever it stands.
                let after = json!(word.get(TEXTS));
                all.into_iter().filter(|value| **value == before).for_each(|value| *value = after.clone());
            }
            Value::Number(old) if old.is_f64() => *all[place] = json!(number),
            _ => *all[place] = json!(number.abs() as u64 % 300),
        }
    }
    tree
}

/// Writes a scene; what is written reads back or is refused, but is nothing else.
fn written(scene: &Scene) -> Result<(), WriteError> {
    let text = write(scene)?;
    if let Ok(again) = read(&Source::new("odd.toml", &*text), &Reading::default()) {
        assert!(again == *scene, "{text}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_scene_with_odd_numbers_and_names_is_written_or_refused(
        tree in select(scenes()),
        changes in prop::collection::vec((
            any::<Index>(),
            any::<Index>(),
            select(vec![0.0, -0.0, 1.0, -1.0, 0.5, 1e-3, 5e-324, 1e308, -1e308, 1e22, 123.456, 1.0 / 3.0]),
        ), 1..4),
    ) {
        if let Ok(scene) = serde_json::from_value::<Scene>(changed(tree, &changes)) {
            let _ = written(&scene);
        }
    }
}

#[test]
fn names_of_any_kind_read_back() {
    for name in TEXTS {
        let mut scene = harp(&[60]);
        let old = scene.model.objects[1].name.clone();
        scene.model.objects[1].name = (*name).to_owned();
        for contact in &mut scene.model.interactions {
            for point in [&mut contact.from, &mut contact.to].into_iter().filter(|point| point.object == old) {
                point.object = (*name).to_owned();
            }
        }
        let ictus::model::Source::Velocity(at) = &mut scene.model.pickups[0].source else { panic!() };
        at.object = (*name).to_owned();
        scene.title = (*name).to_owned();
        super::text::assert_reads_back(name, &scene);
    }
}

#[test]
fn what_cannot_be_written_is_named() {
    let refusal = |alter: &dyn Fn(&mut Scene)| {
        let mut scene = workshop();
        alter(&mut scene);
        written(&scene).unwrap_err().to_string()
    };
    type Alteration<'a> = &'a dyn Fn(&mut Scene);
    let cases: [(Alteration<'_>, &str); 10] = [
        (&|scene| scene.model.rate = f64::NAN, "the scene: `rate` is NaN, must be from 8000 to 768000 Hz"),
        (&|scene| scene.seed = u64::MAX, "the scene: the text of a scene cannot say a seed of"),
        (&|scene| scene.model.interactions[0].gap = f64::INFINITY, "the contact `hammer`: `gap` is inf, must be"),
        (&|scene| scene.model.interactions[0].from.object = "x".into(), "the object `x`, which is not there"),
        (&|scene| scene.model.pickups.clear(), "a scene without a pickup"),
        (&|scene| scene.model.pickups[1].gains.push(1.0), "pickups with different numbers of channels"),
        (
            &|scene| scene.controls[0].value = f64::NAN,
            "the control `pressure`: the text of a scene cannot say a value of NaN",
        ),
        (&|scene| scene.score = busy_score().into_iter().rev().collect(), "events that are not in order of time"),
        (
            &|scene| scene.model.limits = Limits { modes: 0, ..Limits::default() },
            "the limits: `modes` is 0, must be from 1 to 4096",
        ),
        (
            &|scene| {
                let nowhere = ProfilePoint { position: f64::NAN, height: 0.0 };
                scene.model.interactions[0].spread = Some(Spread::Profile(Profile::Points(vec![nowhere])));
            },
            "a profile of points that are not numbers",
        ),
    ];
    for (alter, expected) in cases {
        let told = refusal(alter);
        assert!(told.contains(expected), "{told}");
    }
}
