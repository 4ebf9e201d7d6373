//! No text makes the reader panic, hang or take memory without bound; what it says against a text lies within it.

use std::time::{Duration, Instant};

use ictus_scene::{MOST_BYTES, Reading, Source, read};
use proptest::prelude::*;
use proptest::sample::select;

use crate::slips::{slip, slipped};

/// The fuzz target's own function.
#[path = "../../../fuzz/entry.rs"]
mod entry;

const SCENES: [&str; 6] = [
    include_str!("scenes/hammer.toml"),
    include_str!("scenes/kinds.toml"),
    include_str!("scenes/sets.toml"),
    include_str!("scenes/pool.toml"),
    include_str!("scenes/parts.toml"),
    include_str!("scenes/memory.toml"),
];

/// The scenes of these tests and of the gallery.
fn corpus() -> Vec<String> {
    let gallery = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut paths: Vec<_> = std::fs::read_dir(gallery).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read_to_string(path).unwrap());
    SCENES.iter().map(|text| (*text).to_owned()).chain(texts).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn scenes_with_slips_are_read_or_refused(scene in select(corpus()), slips in prop::collection::vec(slip(), 1..6)) {
        entry::read_any(slipped(&scene, &slips).as_bytes());
    }

    #[test]
    fn scenes_with_random_bytes_are_read_or_refused(
        scene in select(&SCENES[..]), bytes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut text = scene.as_bytes().to_vec();
        for (at, byte) in bytes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        entry::read_any(&text);
        entry::read_any(String::from_utf8_lossy(&text).as_bytes());
    }

    #[test]
    fn overrides_of_any_kind_are_taken_or_refused(name in "[a-z.]{0,20}|string.length|output.gain|hardness", value in ".{0,20}") {
        let options = Reading { overrides: vec![(name, value)], ..Reading::default() };
        if let Err(problems) = read(&Source::new("scene.toml", SCENES[0]), &options) {
            prop_assert!(!problems.render(80, false).is_empty());
        }
    }
}

/// Reads a text that is not a scene, and tells how long that took.
fn refused_within(text: String, limit: Duration) -> String {
    let start = Instant::now();
    let problems = read(&Source::new("large.toml", text), &Reading::default()).unwrap_err();
    let rendered = problems.render(80, false);
    assert!(start.elapsed() < limit, "{:?}", start.elapsed());
    rendered
}

#[test]
fn deep_nesting_is_refused_without_taking_the_stack() {
    for (deep, bytes) in [
        ("[", MOST_BYTES),
        ("{a=", MOST_BYTES),
        ("[{a=", 200_000),
        ("[[a.", 200_000),
        ("\n[", 200_000),
        ("\"", 200_000),
    ] {
        for prefix in ["", "x = "] {
            let text = format!("{prefix}{}", deep.repeat((bytes - 10) / deep.len()));
            refused_within(text, Duration::from_secs(10));
        }
    }
    refused_within(format!("x{} = 1", ".a".repeat(100_000)), Duration::from_secs(10));
}

#[test]
fn deep_nesting_is_told_in_one_problem_of_our_own_words() {
    for (deep, count) in [("[", 1000), ("{a=", 1000), ("[", 100_000)] {
        let text = format!("x = {}", deep.repeat(count));
        let problems = read(&Source::new("deep.toml", text), &Reading::default()).unwrap_err();
        let messages: Vec<&str> = problems.iter().map(|problem| &*problem.message).collect();
        assert_eq!(messages, ["tables and lists lie too deep in each other"]);
    }
}

#[test]
fn a_text_above_the_limit_is_refused_at_once() {
    let shown = refused_within("[".repeat(100 << 20), Duration::from_secs(2));
    assert!(shown.contains("larger than 4 MB"), "{shown}");
}

#[test]
fn large_texts_are_refused_in_good_time() {
    let within = Duration::from_secs(20);
    let head = "ictus = 1\ntitle = \"x\"\n";
    let repeated = |line: &dyn Fn(usize) -> String, count: usize| -> String {
        head.chars().chain((0..count).flat_map(|number| line(number).chars().collect::<Vec<_>>())).collect()
    };
    let cases = [
        ("unknown keys", repeated(&|number| format!("key{number} = 1\n"), 50_000)),
        ("objects", repeated(&|number| format!("[objects.o{number}]\nkind = \"mass\"\nmass = 1\n"), 20_000)),
        ("wrong references", repeated(&|number| format!("[pickups.p{number}]\nat = \"nothing{number}\"\n"), 9_000)),
        ("events", repeated(&|_| "[[events]]\ntime = 1\nstrike = \"x\"\n".into(), 30_000)),
        (
            "a repeated group",
            format!(
                "{head}[sets.s]\nnotes = \"C-1..G9\"\nobject = {{ kind = \"mass\", mass = 1 }}\npickups.p = {{ at = \"each\" }}\n{}",
                "[[events]]\ntime = 1\nset = \"s.p.gain\"\nto = 1\n".repeat(20_000)
            ),
        ),
        (
            "many signals",
            format!(
                "{head}[sets.s]\nnotes = \"C-1..G9\"\nobject = {{ kind = \"mass\", mass = 1 }}\nexciters.e = {{ kind = \"signal\", on = \"each\", length = \"20 s\" }}\n"
            ),
        ),
        (
            "many points",
            format!(
                "{head}[limits]\ngrid_points = 1000000\n[sets.s]\nnotes = \"C-1..G9\"\nobject = {{ kind = \"membrane\", sides = [9, 9] }}\n"
            ),
        ),
        (
            "a long template",
            format!(
                "{head}[objects.wall]\nkind = \"barrier\"\n[sets.s]\nnotes = \"C2..G6\"\nobject = {{ kind = \"string\" }}\ncontacts.c = {{ from = \"wall\", to = \"each\", law = \"hunt-crossley\", stiffness = 1, profile = {{ kind = \"frets\", points = [{}] }} }}\n",
                "[0.5, -1],".repeat(50_000)
            ),
        ),
    ];
    for (name, text) in cases {
        assert!(text.len() <= MOST_BYTES, "{name}: {}", text.len());
        refused_within(text, within);
    }
}

#[test]
fn files_that_are_no_scenes_say_so() {
    let folder = std::env::temp_dir();
    assert!(Source::load(&folder).unwrap_err().to_string().ends_with("is a directory; a scene is a text file"));
    assert!(Source::load(folder.join("no-such-scene.toml")).unwrap_err().to_string().ends_with("no such file"));
    let path = folder.join(format!("ictus-not-utf8-{}.toml", std::process::id()));
    std::fs::write(&path, b"ictus = 1\ntitle = \"\xff\"\n").unwrap();
    let error = Source::load(&path).unwrap_err().to_string();
    std::fs::write(&path, vec![b'['; MOST_BYTES + 1]).unwrap();
    let large = Source::load(&path).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(error.ends_with("line 2: this is not UTF-8 text"), "{error}");
    assert!(large.contains("larger than 4 MB"), "{large}");
}
