//! What an instrument costs when nobody plays it, in parts of what its score costs.

use std::time::{Duration, Instant};

use ictus_scene::{Instrument, Reading, Scene};

use super::rendering::scene;

/// Length of sound in s that is timed, and how often: the fastest counts, other work on the machine only ever adds.
const LENGTH: f64 = 0.5;
const TRIES: usize = 5;

/// Most that rest may cost. Promised are 0.03; other tests run beside.
const MOST: f64 = 0.05;

fn time(instrument: &mut Instrument) -> Duration {
    let mut block = vec![0.0; (LENGTH * instrument.rate()) as usize * instrument.channels()];
    let begin = Instant::now();
    instrument.process(&mut block);
    begin.elapsed()
}

/// What a score costs, and an instrument for it that nobody plays.
fn prepare(name: &str) -> (Duration, Instrument) {
    let mut scene = scene(name, &Reading::default());
    let built = |scene: &Scene| {
        let mut instrument = Instrument::new(scene).unwrap_or_else(|error| panic!("{error}"));
        instrument.keep_account_of_energy(true);
        instrument
    };
    let score = (0..TRIES).map(|_| {
        let mut instrument = built(&scene);
        (0..4).map(|_| time(&mut instrument)).sum::<Duration>() / 4
    });
    let score = score.min().expect("a try");
    scene.score.clear();
    (score, built(&scene))
}

fn check(name: &str, score: Duration, instrument: &mut Instrument) {
    let fastest = (0..TRIES).map(|_| time(instrument)).min().expect("a try");
    let part = fastest.as_secs_f64() / score.as_secs_f64();
    println!("{name}: {part:.4} of {score:.1?}");
    assert!(instrument.engine().is_at_rest(), "{name} is not at rest");
    assert!(part <= MOST, "{name}: {part:.3}");
}

/// Checks an instrument that nobody has played yet.
pub fn check_unplayed(name: &str) {
    let (score, mut instrument) = prepare(name);
    time(&mut instrument);
    check(name, score, &mut instrument);
}

/// Checks an instrument when a stroke on a key has died away, which takes so many seconds at most.
pub fn check_died_away(name: &str, key: u8, longest: f64) {
    let (score, mut instrument) = prepare(name);
    instrument.note_on(key, 0.8);
    time(&mut instrument);
    instrument.note_off(key);
    let mut seconds = 0.0;
    while !instrument.engine().is_at_rest() && seconds < longest {
        time(&mut instrument);
        seconds += LENGTH;
    }
    // The filter of the output rings for a moment more.
    time(&mut instrument);
    time(&mut instrument);
    check(name, score, &mut instrument);
}
