//! How long it takes from the text of a scene to the first sample it could play.

use std::time::{Duration, Instant};

use ictus_scene::Instrument;

use super::rendering::scene;

/// What is promised of the release profile.
const PROMISED: Duration = Duration::from_millis(300);
/// How much longer the profile of the tests may take: it checks every sum for overflow, and other tests run beside.
const SLOWER: u32 = if cfg!(debug_assertions) { 2 } else { 1 };
/// The fastest of these counts: other work on the machine only ever adds.
const TRIES: usize = 5;

/// Reads a scene and builds its instrument, as `ictus play` does; nothing is kept from one try to the next.
pub fn check(name: &str) {
    let fastest = (0..TRIES).map(|_| once(name)).min().expect("a try");
    println!("{name} is ready in {fastest:.1?}");
    assert!(fastest <= PROMISED * SLOWER, "{name} is ready in {fastest:.1?} only");
}

fn once(name: &str) -> Duration {
    let begin = Instant::now();
    let scene = scene(name, &ictus_scene::Reading::default());
    let instrument = Instrument::new(&scene).unwrap_or_else(|error| panic!("{name}: {error}"));
    let taken = begin.elapsed();
    assert!(instrument.channels() > 0);
    taken
}
