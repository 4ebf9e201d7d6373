//! Scenes with slips that are scenes all the same.

use std::sync::atomic::{AtomicUsize, Ordering};

use ictus_scene::{Reading, Source, read};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use super::corpus::texts;
use super::text::assert_reads_back;
use crate::slips as pen;

/// Scenes that are read fast.
fn small() -> Vec<String> {
    let texts = texts();
    let texts = texts.iter().filter(|source| source.text.len() < 5000 && &*source.name != "gong.toml");
    texts.map(|source| source.text.to_string()).collect()
}

#[test]
fn scenes_with_slips_that_can_be_read_read_back() {
    let read_well = AtomicUsize::new(0);
    let config = ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() };
    let strategy = (select(small()), prop::collection::vec(pen::slip(), 1..3));
    let done = TestRunner::new(config).run(&strategy, |(scene, slips)| {
        let text = pen::slipped(&scene, &slips);
        if let Ok(scene) = read(&Source::new("slips.toml", text), &Reading::default()) {
            read_well.fetch_add(1, Ordering::Relaxed);
            assert_reads_back("slips.toml", &scene);
        }
        Ok(())
    });
    done.unwrap_or_else(|error| panic!("{error}"));
    assert!(read_well.into_inner() > 60, "too few of them can be read");
}
