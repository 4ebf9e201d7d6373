//! Reading a scene takes little more memory than the scene itself, and a scene takes no more than its limits allow.
//!
//! Random texts by the grammar and by slips of the pen, each with a limit of memory and of processor time. As many as you like, each
//! run with others:
//!
//! ```text
//! ICTUS_TRIALS=100000 ICTUS_SEED=7 cargo test -p ictus-scene --test memory
//! ```

use std::time::{Duration, Instant};

use ictus_scene::{MOST_BYTES, Reading, Source, midi, read};
use peak_alloc::PeakAlloc;

mod grammar;

use grammar::Dice;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes that reading may take beside the scene that comes of it.
const BESIDE: usize = 64 << 20;
/// Bytes that a text may take which is refused when all its bodies have been built: what the stated limits allow them.
const REFUSED: usize = 384 << 20;
/// Longest that a text may take. Texts take far less than a second; the machine may be busy with other things.
const LONGEST: Duration = Duration::from_secs(60);

/// Reads a text and holds it to the limits; returns whether it is a scene.
fn held_to_limits(text: &str, what: &str) -> bool {
    let source = Source::new("random.toml", text);
    let (before, begin) = (MEMORY.current_usage(), Instant::now());
    MEMORY.reset_peak_usage();
    let scene = read(&source, &Reading::default());
    let (peak, time) = (MEMORY.peak_usage().saturating_sub(before), begin.elapsed());
    assert!(time < LONGEST, "{what} took {time:?}:\n{}", shortened(text));
    let Ok(scene) = scene else {
        assert!(peak < REFUSED, "{what} took {} MB and was refused:\n{}", peak >> 20, shortened(text));
        return false;
    };
    let engine = scene.model.build().expect("what was read can be built");
    let own = MEMORY.current_usage().saturating_sub(before);
    drop(engine);
    assert!(peak < own + BESIDE, "{what} took {} MB, itself {} MB:\n{}", peak >> 20, own >> 20, shortened(text));
    true
}

fn shortened(text: &str) -> &str {
    let end = (0..=text.len().min(6000)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A text with some of its pieces doubled, deleted, exchanged or replaced by large numbers.
fn mutated(text: &str, dice: &mut Dice) -> String {
    let mut pieces: Vec<&str> = text.split_inclusive([' ', '\n', ',', '.', '=']).collect();
    for _ in 0..1 + dice.below(6) {
        let (at, other) = (dice.below(pieces.len()), dice.below(pieces.len()));
        match dice.below(5) {
            0 => pieces.insert(at, pieces[at]),
            1 if pieces.len() > 1 => drop(pieces.remove(at)),
            2 => pieces.swap(at, other),
            3 => pieces[at] = ["1e6\n", "1e-6\n", "16384\n", "\"C-1..G9\"\n", "0.5\n", "1e308\n"][dice.below(6)],
            _ => {
                let (first, last) = (at.min(other), at.max(other).min(at.min(other) + 40));
                let copy = pieces[first..=last].to_vec();
                pieces.splice(first..first, copy);
            }
        }
    }
    pieces.concat()
}

/// One test: the memory is that of the whole process.
#[test]
fn memory_and_time_of_any_text_are_bounded() {
    known_attacks_are_refused_with_little_memory();
    let (trials, seed) = (from_environment("ICTUS_TRIALS", 400), from_environment("ICTUS_SEED", 1));
    let gallery = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut paths: Vec<_> = std::fs::read_dir(gallery).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let corpus: Vec<String> = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    let mut scenes = 0;
    for trial in 0..trials {
        let mut dice = Dice(seed.wrapping_mul(0x1_0000_0001) ^ trial);
        let text = grammar::scene(&mut dice);
        scenes += u64::from(held_to_limits(&text, &format!("the grammar's scene {trial} of seed {seed}")));
        let scene = &corpus[dice.below(corpus.len())];
        held_to_limits(&mutated(scene, &mut dice), &format!("the changed scene {trial} of seed {seed}"));
        random_midi(&mut dice);
    }
    println!("{scenes} of {trials} scenes of the grammar can be played");
    assert!(
        trials < 400 || scenes * 50 > trials,
        "only {scenes} of {trials} are scenes: the grammar has nothing to say"
    );
}

/// A MIDI file of random messages, now and then damaged, is played or refused with memory by its size.
fn random_midi(dice: &mut Dice) {
    let mut track = Vec::new();
    for _ in 0..dice.below(200) {
        let delta = dice.below(128) as u8;
        let data = [dice.below(128) as u8, dice.below(128) as u8];
        let status =
            [0x80, 0x90, 0xb0, 0xe0, 0xc0, 0xd0, 0xff, 0xf0][dice.below(8)] | if dice.below(4) == 0 { 1 } else { 0 };
        match status {
            0xff => track.extend([delta, 0xff, 0x51, 3, data[0], data[1], 7]),
            0xf0 => track.extend([delta, 0xf0, 2, data[0], 0xf7]),
            0xc0..=0xdf => track.extend([delta, status, data[0]]),
            _ => track.extend([delta, status, data[0], data[1]]),
        }
    }
    track.extend([0, 0xff, 0x2f, 0]);
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk".to_vec();
    bytes.extend((track.len() as u32).to_be_bytes());
    bytes.extend(track);
    for _ in 0..dice.below(4) {
        let at = dice.below(bytes.len());
        bytes[at] = dice.below(256) as u8;
    }
    let (before, begin) = (MEMORY.current_usage(), Instant::now());
    MEMORY.reset_peak_usage();
    let _ = midi::parse(&bytes);
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert!(peak < (1 << 20) + 200 * bytes.len() && begin.elapsed() < LONGEST, "{peak} bytes for {bytes:02x?}");
}

/// Texts that took gigabytes before they were refused.
fn known_attacks_are_refused_with_little_memory() {
    let points: Vec<String> = (1..16_385).map(|n| format!("[{}, -1e-3]", f64::from(n) / 16_385.0)).collect();
    let frets = |string: &str| {
        format!(
            "ictus = 1\ntitle = \"Frets\"\n[limits]\ninteractions = 16384\n[objects.neck]\nkind = \"barrier\"\n[objects.string]\nkind = \"string\"\n\
             {string}\n[contacts.frets]\nfrom = \"neck\"\nto = \"string\"\nlaw = \"hunt-crossley\"\nstiffness = 1e8\n\
             profile = {{ kind = \"frets\", points = [{}] }}\n[pickups.out]\nat = \"string@0.9\"\n",
            points.join(", ")
        )
    };
    let plate = "ictus = 1\ntitle = \"Ears\"\n[objects.plate]\nkind = \"plate\"\n[sets.s]\nnotes = \"C0..G9\"\n\
                 object = { kind = \"mass\", mass = \"1 g\" }\n";
    let ears: String = (10..90).map(|n| format!("[sets.s.pickups.p{n}]\nat = \"plate@0.{n},0.5\"\n")).collect();
    let strings: String = (0..9000).map(|n| format!("[objects.s{n}]\nkind = \"string\"\npitch = 9\n")).collect();
    for (what, text) in [
        ("frets on modes", frets("")),
        ("frets on a grid", frets("method = \"grid\"")),
        ("ears", format!("{plate}{ears}")),
        ("strings", format!("ictus = 1\ntitle = \"Strings\"\n{strings}[pickups.p]\nat = \"s0@0.5\"\n")),
    ] {
        assert!(text.len() < MOST_BYTES);
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        assert!(!held_to_limits(&text, what), "{what} is refused");
        let peak = MEMORY.peak_usage().saturating_sub(before);
        assert!(peak < BESIDE, "{what} took {} MB", peak >> 20);
    }
}
