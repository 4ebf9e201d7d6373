//! Reading a scene takes little more memory than the scene itself, and a scene takes no more than its limits allow.
//!
//! Random texts by the grammar and by slips of the pen, and random MIDI files, each with a limit of memory and of processor time. Some
//! hundreds of them; `ICTUS_STORM_SECONDS` makes it as many as there is time for and `ICTUS_STORM_SEED` makes them different
//! (CONTRIBUTING.md).

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ictus_scene::scene::Scene;

use ictus_scene::{MOST_BYTES, Reading, Source, WriteError, midi, read, write};
use peak_alloc::PeakAlloc;

mod grammar;

use grammar::Dice;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Bytes that reading may take beside the scene that comes of it.
const BESIDE: usize = 64 << 20;
/// Most time of the processor that reading a text may take. Texts of people take some milliseconds.
const LONGEST: Duration = Duration::from_secs(5);

/// Time that this thread has computed, whatever else the machine did meanwhile; where the system does not tell, the time on the wall.
fn computed() -> Duration {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}

/// Reads a text and holds it to the limits; returns whether it is a scene.
fn held_to_limits(text: &str, what: &str) -> bool {
    let source = grammar::source("random.toml", text);
    let (before, begin) = (MEMORY.current_usage(), computed());
    MEMORY.reset_peak_usage();
    let scene = read(&source, &Reading::default());
    let (peak, time) = (MEMORY.peak_usage().saturating_sub(before), computed().saturating_sub(begin));
    assert!(time < LONGEST, "{what} took {time:?}:\n{}", shortened(text));
    let Ok(scene) = scene else {
        assert!(peak < BESIDE, "{what} took {} MB and was refused:\n{}", peak >> 20, shortened(text));
        return false;
    };
    let engine = scene.model.build().expect("what was read can be built");
    let own = MEMORY.current_usage().saturating_sub(before);
    drop(engine);
    assert!(peak < own + BESIDE, "{what} took {} MB, itself {} MB:\n{}", peak >> 20, own >> 20, shortened(text));
    reads_back(&scene, what);
    true
}

/// What is written of a scene reads back as that scene; a scene of too many numbers may not be written.
fn reads_back(scene: &Scene, what: &str) {
    let written = match write(scene) {
        Err(WriteError::TooLong { .. } | WriteError::TooLarge { .. }) => return,
        written => written.unwrap_or_else(|error| panic!("{what} is not written: {error}")),
    };
    match read(&grammar::source("written.toml", &written), &Reading::default()) {
        Err(problems) => panic!("{what} does not read back: {}", problems.render(100, false)),
        Ok(again) => assert!(again == *scene, "{what} reads back otherwise:\n{}", shortened(&written)),
    }
}

fn shortened(text: &str) -> &str {
    let end = (0..=text.len().min(6000)).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

/// The memory is that of the whole process: one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Seeds of trials: so many, or as many as `ICTUS_STORM_SECONDS` has time for, from `ICTUS_STORM_SEED` on.
fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a whole number"));
    let (length, first) = (number("ICTUS_STORM_SECONDS").map(Duration::from_secs), number("ICTUS_STORM_SEED"));
    let (begun, first) = (Instant::now(), first.unwrap_or(1));
    let goes_on = move |seed: &u64| length.map_or(*seed - first < count, |length| begun.elapsed() < length);
    (first..).take_while(goes_on)
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

fn gallery() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

#[test]
fn memory_and_time_of_any_text_are_bounded() {
    let _alone = alone();
    let corpus = gallery();
    let (mut trials, mut scenes, mut changed) = (0_u64, 0_u64, 0_u64);
    for seed in seeds(400) {
        let mut dice = Dice(seed.wrapping_mul(0xd6e8_feb8_6659_fd93));
        let text = grammar::scene(&mut dice);
        scenes += u64::from(held_to_limits(&text, &format!("the grammar's scene of seed {seed}")));
        let text = mutated(&corpus[dice.below(corpus.len())], &mut dice);
        changed += u64::from(held_to_limits(&text, &format!("the changed scene of seed {seed}")));
        trials += 1;
    }
    println!("{trials} scenes of the grammar and {trials} changed ones; {scenes} and {changed} can be played");
    assert!(
        trials < 400 || scenes * 50 > trials,
        "only {scenes} of {trials} are scenes: the grammar has nothing to say"
    );
}

#[test]
fn memory_and_time_of_any_midi_file_are_bounded() {
    let _alone = alone();
    let marimba = include_str!("../../../scenes/marimba.toml");
    let scene = read(&Source::new("marimba.toml", marimba), &Reading::default()).expect("is a scene");
    let (mut files, mut played) = (0_u64, 0_u64);
    for seed in seeds(400) {
        let mut dice = Dice(seed.wrapping_mul(0xd6e8_feb8_6659_fd93));
        played += u64::from(random_midi(&mut dice, &scene, seed));
        files += 1;
    }
    println!("{files} MIDI files, {played} can be played");
    assert!(files < 400 || (played * 20 > files && played < files), "{played} of {files} can be played");
}

/// A track of random messages, with and without running status, now and then a long wait.
fn random_track(dice: &mut Dice) -> Vec<u8> {
    let mut track = Vec::new();
    let mut running = 0;
    for _ in 0..dice.below(200) {
        match dice.below(10_000) {
            0 => track.extend([0xff, 0xff, 0xff, dice.below(128) as u8]),
            1..250 => track.extend([0x81, dice.below(128) as u8]),
            _ => track.push(dice.below(128) as u8),
        }
        let data = [dice.below(128) as u8, dice.below(128) as u8];
        let status = [0x80, 0x90, 0x90, 0xb0, 0xe0, 0xc0, 0xd0, 0xff, 0xf0][dice.below(9)];
        match status {
            0xff => track.extend([0xff, 0x51, 3, data[0], data[1], 7]),
            0xf0 => track.extend([0xf0, 2, data[0], 0xf7]),
            _ => {
                let status = status | if dice.below(4) == 0 { dice.below(16) as u8 } else { 0 };
                if status != running || dice.below(3) == 0 {
                    track.push(status);
                }
                let count = if matches!(status, 0xc0..=0xdf) { 1 } else { 2 };
                track.extend(&data[..count]);
                running = status;
                continue;
            }
        }
        running = 0;
    }
    track.extend([0, 0xff, 0x2f, 0]);
    track
}

/// A MIDI file of random tracks, half of them damaged, is played or refused with memory by its size; returns whether it is played.
fn random_midi(dice: &mut Dice, scene: &Scene, seed: u64) -> bool {
    let tracks: Vec<Vec<u8>> = (0..1 + dice.below(4)).map(|_| random_track(dice)).collect();
    let format = if tracks.len() == 1 { dice.below(3) } else { 1 } as u8;
    let timing = [[0, 96], [0x7f, 0xff], [0, 1], [0xe7, 40], [0xe2, 255], [0, 0]][dice.below(6)];
    let mut bytes = b"MThd\0\0\0\x06\0".to_vec();
    bytes.extend([format, 0, tracks.len() as u8, timing[0], timing[1]]);
    for track in tracks {
        bytes.extend(b"MTrk");
        bytes.extend((track.len() as u32).to_be_bytes());
        bytes.extend(track);
    }
    for _ in 0..dice.below(2) * dice.below(5) {
        let (at, byte) = (dice.below(bytes.len()), dice.below(256) as u8);
        match dice.below(5) {
            0 => bytes.insert(at, byte),
            1 if bytes.len() > 1 => drop(bytes.remove(at)),
            2 => bytes.truncate(1 + at),
            _ => bytes[at] = byte,
        }
    }
    let (before, begin) = (MEMORY.current_usage(), computed());
    MEMORY.reset_peak_usage();
    let piece = midi::parse(&bytes);
    let is_played = piece.is_ok();
    if let Ok(piece) = piece {
        let events = piece.events(scene);
        let in_time = |time: f64| (0.0..=midi::LONGEST).contains(&time);
        assert!(events.iter().all(|event| in_time(event.time)), "seed {seed}: {bytes:02x?}");
    }
    let peak = MEMORY.peak_usage().saturating_sub(before);
    let bounded = peak < (1 << 20) + 400 * bytes.len() && computed().saturating_sub(begin) < LONGEST;
    assert!(bounded, "seed {seed}: {peak} bytes for {bytes:02x?}");
    is_played
}

/// Texts that took gigabytes before they were refused.
#[test]
fn known_attacks_are_refused_with_little_memory() {
    let _alone = alone();
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
        assert!(!held_to_limits(&text, what), "{what} is refused");
    }
}

/// Texts that broke something once, kept for the fuzzer too.
#[test]
fn what_broke_something_once_is_held_to_limits() {
    let _alone = alone();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/scene");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        held_to_limits(&std::fs::read_to_string(&path).unwrap(), &path.display().to_string());
        count += 1;
    }
    assert!(count >= 5, "{count}");
}

/// What is set beside a text is bounded as the text is: a path of many names, a list without end, many changes.
#[test]
fn what_is_set_is_refused_with_little_memory_and_time() {
    let _alone = alone();
    let string = "ictus = 1\ntitle = \"x\"\n[objects.s]\nkind = \"string\"\n[pickups.p]\nat = \"s@0.5\"\n";
    let set = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    let list = format!("[{}]", "0,".repeat(1_000_000));
    let many = |count: usize| (0..count).map(|n| set(&format!("s.x{n}"), "1")).collect::<Vec<_>>();
    for (what, overrides) in [
        ("a path of a million names", vec![set(&"a.".repeat(1_000_000), "1")]),
        ("a value of 10 MB", vec![set("s.pitch", &"1".repeat(10 << 20))]),
        ("a list of a million numbers", vec![set("s.t60", &list)]),
        ("ten lists of 90,000 numbers", vec![set("s.t60", &format!("[{}]", "0,".repeat(90_000))); 10]),
        ("as many unknown keys as there may be", many(10_000)),
        ("a million keys", many(1_000_000)),
    ] {
        let source = Source::new("random.toml", string);
        let given: usize = overrides.iter().map(|(path, value)| path.len() + value.len() + 48).sum();
        let options = Reading { overrides, ..Reading::default() };
        let (before, begin) = (MEMORY.current_usage(), computed());
        MEMORY.reset_peak_usage();
        let problems = read(&source, &options).expect_err(what).render(100, false);
        let peak = MEMORY.peak_usage().saturating_sub(before);
        assert!(peak < BESIDE + given && computed().saturating_sub(begin) < LONGEST, "{what} took {} MB", peak >> 20);
        assert!(problems.len() < 100_000, "{what}: {} bytes", problems.len());
    }
}

/// Texts as large as they may be, of everything that a text can be made of.
#[test]
fn a_text_of_any_shape_takes_little_memory() {
    let _alone = alone();
    type Shape = (&'static str, fn(usize) -> String);
    let in_list: [Shape; 8] = [
        ("whole numbers", |_| "0,".into()),
        ("numbers", |_| "0.5, ".into()),
        ("texts", |_| "\"\",".into()),
        ("lists", |_| "[],".into()),
        ("tables", |_| "{},".into()),
        ("tables with a key", |_| "{a=0},".into()),
        ("points", |_| "[0.5, 0.5], ".into()),
        ("lines", |_| "0,\n".into()),
    ];
    let alone: [Shape; 12] = [
        ("keys", |n| format!("k{n:x}=0\n")),
        ("the same key", |_| "k=0\n".into()),
        ("dotted keys", |n| format!("k{n:x}.a=0\n")),
        ("deep keys", |n| format!("k{n:x}.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=0\n")),
        ("headings", |n| format!("[k{n:x}]\n")),
        ("dotted headings", |n| format!("[k{n:x}.a.a.a.a.a.a.a.a.a.a.a.a]\n")),
        ("lists of headings", |_| "[[k]]\n".into()),
        ("ends of lines", |_| "\n".into()),
        ("remarks", |_| "#\n".into()),
        ("spaces", |_| " \n".into()),
        ("mistakes", |_| "=".into()),
        ("mistakes in lines", |_| "a\n".into()),
    ];
    let filled = |open: &str, shape: fn(usize) -> String, close: &str, most: usize| {
        let mut text = format!("ictus = 1\ntitle = \"Shape\"\n{open}");
        for number in 0.. {
            let piece = shape(number);
            if text.len() + piece.len() + close.len() >= most {
                break;
            }
            text += &piece;
        }
        text + close
    };
    // The largest text that is not refused for its size, to a tenth.
    let largest = |open: &str, shape: fn(usize) -> String, close: &str| {
        let sizes = std::iter::successors(Some(MOST_BYTES), |size| Some(size * 9 / 10));
        let mut texts = sizes.map(|size| filled(open, shape, close, size));
        let too_large = |text: &String| {
            let found = read(&Source::new("shape.toml", text.as_str()), &Reading::default());
            found.is_err_and(|problems| problems.render(200, false).contains("reading this text would take"))
        };
        texts.find(|text| !too_large(text)).expect("a small one is never too large")
    };
    for (name, shape) in in_list {
        held_to_limits(&largest("x = [", shape, "]\n"), &format!("a list of {name}"));
    }
    for (name, shape) in alone {
        held_to_limits(&largest("", shape, "\n"), name);
    }
    let remark = format!("ictus = 1\ntitle = \"Shape\"\n#{}\n", "x".repeat(MOST_BYTES - 40));
    held_to_limits(&remark, "a remark");
}

/// Scenes as large as their limits allow, of bodies of every kind.
fn largest_scenes() -> Vec<(&'static str, String)> {
    let head = "ictus = 1\ntitle = \"Largest\"\n[limits]\ngrid_points = 1000000\nmodes = 4096\n";
    let bodies = |ear: &str, count: usize, body: &str| {
        let objects: String = (0..count).map(|number| format!("[objects.o{number}]\n{body}\n")).collect();
        format!("{head}{objects}[pickups.ear]\nat = \"{ear}\"\n")
    };
    let lines = |count: usize, body: &str| bodies("o0@0.3", count, body);
    let sheets = |count: usize, body: &str| bodies("o0@0.3,0.4", count, body);
    let (string, membrane) = ("kind = \"string\"", "kind = \"membrane\"");
    let plate = "kind = \"plate\"\nthickness = 1e-3";
    let grid = "method = \"grid\"";
    let long = "[exciters.push]\nkind = \"signal\"\non = \"o0@0.3\"\nlength = \"21 s\"\nshape = \"noise\"\n";
    vec![
        ("strings on a grid and a long signal", {
            lines(50, &format!("{string}\n{grid}\nlength = 200\npitch = 0.5\nsegments = 19990")) + long
        }),
        ("strings on a grid", lines(50, &format!("{string}\n{grid}\nlength = 200\npitch = 0.5\nsegments = 19990"))),
        ("a membrane on a grid", {
            sheets(1, &format!("{membrane}\n{grid}\nsides = [40, 40]\npitch = 0.5\ngrid = [998, 998]"))
        }),
        ("a plate on a grid", {
            let thin = plate.replace("1e-3", "1e-4");
            sheets(1, &format!("{thin}\n{grid}\nsides = [40, 40]\ngrid = [998, 998]"))
        }),
        ("strings in modes", lines(30, &format!("{string}\nlength = 40\npitch = 4.85"))),
        ("plates in modes", sheets(48, &format!("{plate}\nsides = [1.0, 0.8]\nhighest = 10000"))),
        ("small membranes", sheets(600, &format!("{membrane}\nsides = [0.1, 0.1]\npitch = 1000\nhighest = 8000"))),
        ("round plates", sheets(14, &format!("{plate}\nshape = \"circle\"\ndiameter = 1\nhighest = 10000"))),
        ("round membranes", {
            sheets(12, &format!("{membrane}\nshape = \"circle\"\ndiameter = 1\npitch = 200\nhighest = 9000"))
        }),
        ("a clamped plate", sheets(1, &format!("{plate}\nsides = [1.0, 0.8]\nhighest = 10000\nedges = \"clamped\""))),
    ]
}

#[test]
fn the_largest_scenes_are_read_with_little_memory_and_refused_with_less() {
    let _alone = alone();
    for (what, text) in largest_scenes() {
        assert!(held_to_limits(&text, what), "{what} can be played");
        let hard = "[objects.dust]\nkind = \"mass\"\nmass = 1e-9\n[contacts.hard]\nfrom = \"dust\"\nto = \"o0@0.5\"\n\
                    law = \"one-sided-power\"\nstiffness = 1e30\n";
        let hard = if text.contains("@0.3,0.4") { hard.replace("@0.5", "@0.5,0.5") } else { hard.to_owned() };
        assert!(!held_to_limits(&format!("{text}{hard}"), what), "{what} with a contact too hard is refused");
    }
}
