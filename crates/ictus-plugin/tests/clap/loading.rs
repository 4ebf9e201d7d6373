//! How much a plugin costs: beside the instrument alone, and a hundred of them.

use std::time::Instant;

use ictus_scene::Instrument;

use crate::host::{Block, Host, Said, text};
use crate::reference::scene;

const RATE: f64 = 48_000.0;
const BLOCK: usize = 512;
const BLOCKS: usize = 60;

/// Time in s that this thread has computed for, whatever else the machine does; none where the system does not say.
fn computed() -> Option<f64> {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    schedule.split(' ').next()?.parse().ok().map(|nanoseconds: f64| 1e-9 * nanoseconds)
}

/// The load of a plugin with the same notes is at most 1.1 of that of its instrument. The best of several rounds: other programs only add.
#[test]
fn a_plugin_costs_little_more_than_its_instrument() {
    if computed().is_none() {
        return;
    }
    let of = |work: &mut dyn FnMut()| {
        let before = computed().unwrap_or(0.0);
        work();
        computed().unwrap_or(0.0) - before
    };
    for name in ["vibraphone", "piano"] {
        let read = scene(text(name), RATE, &[]);
        let keys: Vec<u8> = read.notes.iter().flat_map(|notes| notes.keys()).take(6).collect();
        let mut best = [f64::INFINITY; 2];
        for _ in 0..4 {
            let mut instrument = Instrument::new(&read).expect("it is built");
            instrument.stop_score();
            let mut host = Host::of_gallery(name, RATE);
            let mut first = Block::default();
            for key in &keys {
                instrument.note_on(*key, 99.0 / 126.0);
                Said::On(0, *key, 100).put(&mut first.events, 0);
            }
            let mut block = vec![0.0; BLOCK * instrument.channels()];
            let alone = of(&mut || (0..BLOCKS).for_each(|_| instrument.process(&mut block)));
            host.play(BLOCK, &first);
            let hosted = of(&mut || (1..BLOCKS).for_each(|_| drop(host.play(BLOCK, &Block::default()))));
            let hosted = hosted * BLOCKS as f64 / (BLOCKS - 1) as f64;
            best = [best[0].min(alone), best[1].min(hosted)];
        }
        let [alone, hosted] = best;
        eprintln!("{name}: {:.2} of the instrument's own", hosted / alone);
        // The host's own share, buffers and copies, is counted too.
        assert!(hosted <= 1.1 * alone, "{name}: {hosted} s, {alone} s alone");
    }
}

#[test]
fn a_hundred_plugins_are_there_in_seconds() {
    let start = Instant::now();
    let names = ictus_render::GALLERY.iter().map(|(name, _)| *name).cycle();
    let mut hosts: Vec<Host> = names.take(100).map(|name| Host::of_gallery(name, RATE)).collect();
    let loaded = start.elapsed().as_secs_f64();
    eprintln!("100 plugins in {loaded:.1} s");
    assert!(hosts.iter_mut().all(|host| host.play(64, &Block::default()).concat().iter().all(|s| s.is_finite())));
    assert!(loaded < 60.0, "{loaded} s");
}
