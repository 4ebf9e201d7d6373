//! Variations and samples: what `ictus render --variations` and `ictus sample` write, read again by other means.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use common::{failure, ictus_in, names_in, stdout};
use ictus_recording::{Part, Recording};

/// Three bars under mallets whose mass and velocity are drawn.
const BARS: &str = r#"
ictus = 1
title = "Three bars"
rate = 24000
duration = "0.3 s"
[sets.bars]
notes = ["C5", "E5", "G5"]
object = { kind = "bar", length = "25 cm", material = "rosewood", t60 = "0.4 s", highest = "6 kHz" }
exciters.mallet = { kind = "hammer", on = "each@0.4", mass = "20 g ± 20 %", stiffness = 1e7 }
pickups.under = { at = "each@0.1", gain = "-20 dB" }
[notes]
play = "bars.mallet"
velocity = ["0.2 m/s", "2 m/s"]
[[events]]
time = 0
strike = "bars.mallet.C5"
velocity = { between = ["1 m/s", "2 m/s"] }
"#;

fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a directory");
    fs::write(folder.path().join("bars.toml"), text).expect("is written");
    folder
}

fn done(folder: &Path, arguments: &str) -> String {
    let output = ictus_in(folder, arguments.split_whitespace());
    assert!(output.status.success(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).expect("is text")
}

fn refused(folder: &Path, arguments: &str, words: &str) {
    let output = ictus_in(folder, arguments.split_whitespace());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
    assert!(message.contains(words) && output.stdout.is_empty(), "{arguments}: {message}");
}

/// Rows of a table by their headings.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut table = csv::Reader::from_path(path).expect("a table");
    table.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn variations_are_a_file_each_and_a_table_of_what_was_drawn() {
    let folder = folder_with(BARS);
    let at = |name: &str| folder.path().join(name);
    done(folder.path(), "render bars.toml --variations 6 -o out --seed 40");
    let files: Vec<String> = (1..=6).map(|number| format!("bars-{number}.wav")).collect();
    assert_eq!(names_in(&at("out")), [files.clone(), vec!["bars-variations.csv".to_owned()]].concat());
    let sounds: BTreeSet<Vec<u8>> = files.iter().map(|name| fs::read(at("out").join(name)).expect("a sound")).collect();
    assert_eq!(sounds.len(), 6, "no two alike");
    let table = rows(&at("out/bars-variations.csv"));
    assert_eq!(table.len(), 6);
    let mut masses = BTreeSet::new();
    for (row, (number, file)) in table.iter().zip(files.iter().enumerate()) {
        assert_eq!((&row["file"], &row["seed"]), (file, &(40 + number).to_string()));
        let velocity: f64 = row["events.0.velocity (m/s)"].parse().expect("a number");
        let mass: f64 = row["bars.mallet.mass[0] (kg)"].parse().expect("a number");
        assert!((1.0..=2.0).contains(&velocity) && (0.016..=0.024).contains(&mass));
        masses.insert(mass.to_bits());
    }
    assert_eq!(masses.len(), 6);
    // A row's seed makes its file again.
    done(folder.path(), "render bars.toml --seed 43 -o alone.wav");
    assert_eq!(fs::read(at("alone.wav")).expect("a sound"), fs::read(at("out/bars-4.wav")).expect("a sound"));
}

#[test]
fn variations_that_cannot_be_are_refused_and_leave_nothing() {
    let folder = folder_with(BARS);
    let path = folder.path();
    fs::write(
        path.join("still.toml"),
        BARS.replace(" ± 20 %", "").replace("{ between = [\"1 m/s\", \"2 m/s\"] }", "1"),
    )
    .expect("is written");
    fs::create_dir(path.join("full")).expect("is made");
    fs::write(path.join("full/mine.txt"), "x").expect("is written");
    refused(path, "render still.toml --variations 3 -o out", "nothing in still is random");
    refused(path, "render bars.toml --variations 0 -o out", "--variations is 0");
    refused(path, "render bars.toml --variations 1.5 -o out", "whole number");
    refused(path, "render bars.toml --variations 1e9 -o out", "--variations is 1e9");
    refused(path, "render bars.toml --variations 3 -o out.wav", "must be a folder for several sounds");
    refused(path, "render bars.toml --variations 3 -o full", "is not empty");
    refused(path, "render bars.toml --variations 3", "--output");
    assert_eq!(names_in(path), ["bars.toml", "full", "still.toml"]);
    done(path, "render bars.toml --variations 2 -o full --force --duration 50ms");
    assert_eq!(names_in(&path.join("full")).len(), 4);
    let output = ictus_in(path, ["render", "still.toml", "--seed", "3", "--duration", "50ms"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--seed changes nothing: nothing in still is random"));
}

/// A region of an SFZ file: the headers above it, its own opcodes over theirs. Written from the published description of the format
/// (sfzformat.com), not from the writer: headers in angle brackets, `opcode=value`, `sample` up to the end of the line, `//` comments.
type Region = BTreeMap<String, String>;

fn regions(text: &str) -> Vec<Region> {
    let (mut global, mut group, mut all) = (Region::new(), Region::new(), Vec::<Region>::new());
    let mut header = String::new();
    for line in text.lines() {
        let mut rest = line.split("//").next().unwrap_or_default().trim();
        while !rest.is_empty() {
            if let Some(inner) = rest.strip_prefix('<') {
                let (name, after) = inner.split_once('>').expect("a header ends");
                header = name.to_owned();
                rest = after.trim_start();
                match name {
                    "global" => (global, group) = (Region::new(), Region::new()),
                    "group" => group = Region::new(),
                    "region" => all.push(global.iter().chain(&group).map(|(k, v)| (k.clone(), v.clone())).collect()),
                    other => panic!("a header <{other}>"),
                }
                continue;
            }
            let (opcode, value) = rest.split_once('=').unwrap_or_else(|| panic!("no opcode: {rest}"));
            let (value, after) =
                if opcode == "sample" { (value, "") } else { value.split_once(' ').unwrap_or((value, "")) };
            let place = match &*header {
                "global" => &mut global,
                "group" => &mut group,
                _ => all.last_mut().expect("a region"),
            };
            place.insert(opcode.to_owned(), value.to_owned());
            rest = after.trim_start();
        }
    }
    all
}

/// The sample that an SFZ player plays for a key, a velocity and the number of the stroke.
fn played(regions: &[Region], key: u8, velocity: u8, stroke: usize) -> Vec<&Region> {
    let number = |region: &Region, opcode: &str, default: usize| {
        region.get(opcode).map_or(default, |value| value.parse().expect("a number"))
    };
    let plays = |region: &&Region| {
        (number(region, "lokey", 0)..=number(region, "hikey", 127)).contains(&usize::from(key))
            && (number(region, "lovel", 0)..=number(region, "hivel", 127)).contains(&usize::from(velocity))
            && stroke % number(region, "seq_length", 1) + 1 == number(region, "seq_position", 1)
    };
    regions.iter().filter(plays).collect()
}

/// The root note that a WAV file's `smpl` chunk names.
fn root(bytes: &[u8]) -> u32 {
    let mut at = 12;
    while at + 8 <= bytes.len() {
        let size = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes")) as usize;
        if &bytes[at..at + 4] == b"smpl" {
            return u32::from_le_bytes(bytes[at + 20..at + 24].try_into().expect("four bytes"));
        }
        at += 8 + size + size % 2;
    }
    panic!("there is no chunk smpl")
}

#[test]
fn samples_play_the_right_file_for_every_key_velocity_and_turn() {
    let folder = folder_with(BARS);
    let told = done(folder.path(), "sample bars.toml -o out --velocities 3 --round-robin 2 --length 0.1s --tail=2");
    assert!(told.contains("18 samples of 3 notes"), "{told}");
    let out = folder.path().join("out");
    let names = names_in(&out);
    assert_eq!(names.iter().filter(|name| name.ends_with(".wav")).count(), 18);
    let regions = regions(&fs::read_to_string(out.join("bars.sfz")).expect("an instrument"));
    assert_eq!(regions.len(), 18);
    let mut heard = BTreeSet::new();
    // C5 is 72, G5 is 79; the zones reach half-way to the neighbours and as far beyond the ends.
    for (key, nearest) in
        [(70, 72), (71, 72), (72, 72), (73, 72), (74, 76), (76, 76), (77, 76), (78, 79), (79, 79), (80, 79)]
    {
        for velocity in 1..=127 {
            for stroke in 0..4 {
                let found = played(&regions, key, velocity, stroke);
                assert_eq!(found.len(), 1, "key {key}, velocity {velocity}, stroke {stroke}");
                assert_eq!(found[0]["pitch_keycenter"], nearest.to_string(), "key {key}");
                heard.insert(found[0]["sample"].clone());
            }
        }
    }
    assert_eq!(heard.len(), 18, "every file is played by some stroke");
    assert_eq!(regions[0]["amp_veltrack"], "0");
    assert_eq!(regions[0]["loop_mode"], "one_shot", "nothing damps the bars");
    // The files: root note, pitch, levels, and an end that has died away.
    let mut peaks = BTreeMap::new();
    for region in &regions {
        let bytes = fs::read(out.join(&region["sample"])).expect("the sample is there");
        assert_eq!(root(&bytes).to_string(), region["pitch_keycenter"]);
        let sound = Recording::from_bytes(bytes, Part::default()).expect("is a sound");
        let channel = &sound.channels[0];
        let peak = channel.iter().fold(0.0f64, |peak, sample| peak.max(sample.abs()));
        assert!(peak <= 1.0 && sound.duration() < 2.1, "{peak}");
        let begins = channel.iter().position(|sample| sample.abs() > 1e-3 * peak).expect("a sound") as f64
            / f64::from(sound.rate);
        assert!(begins < 3e-3, "begins after {begins} s");
        assert!(channel[channel.len() - 1].abs() < 1e-4 * peak);
        let hardest = region["hivel"].parse::<u32>().expect("a number");
        peaks.insert((region["pitch_keycenter"].clone(), region["seq_position"].clone(), hardest), peak);
    }
    let loudest = peaks.values().fold(0.0f64, |loudest, peak| loudest.max(*peak));
    assert!((20.0 * loudest.log10() + 1.0).abs() < 0.05, "the loudest peaks at -1 dB, not {loudest}");
    // Softer strokes stay softer.
    let by_velocity: Vec<f64> = peaks.values().copied().collect();
    assert!(
        by_velocity.chunks(3).all(|layers| layers[0] < 0.8 * layers[1] && layers[1] < 0.9 * layers[2]),
        "{peaks:?}"
    );
    // Decent Sampler's instrument names the same files with the same zones, and is well-formed as far as quotation marks and brackets go.
    let preset = fs::read_to_string(out.join("bars.dspreset")).expect("a preset");
    let attribute = |line: &str, name: &str| {
        let (_, value) = line.split_once(&format!(" {name}=\"")).unwrap_or_else(|| panic!("{name} in {line}"));
        value.split('"').next().unwrap_or_default().to_owned()
    };
    let samples: Vec<&str> = preset.lines().filter(|line| line.trim_start().starts_with("<sample ")).collect();
    assert_eq!(samples.len(), 18);
    for (line, region) in samples.iter().zip(&regions) {
        for (name, opcode) in [
            ("path", "sample"),
            ("rootNote", "pitch_keycenter"),
            ("loNote", "lokey"),
            ("hiNote", "hikey"),
            ("loVel", "lovel"),
            ("hiVel", "hivel"),
            ("seqPosition", "seq_position"),
        ] {
            assert_eq!(attribute(line, name), region[opcode], "{line}");
        }
    }
    assert_eq!(rows(&out.join("bars.csv")).len(), 18);
}

#[test]
fn samples_that_cannot_be_are_refused_and_leave_nothing() {
    let folder = folder_with(BARS);
    let path = folder.path();
    fs::write(
        path.join("still.toml"),
        BARS.replace(" ± 20 %", "").replace("{ between = [\"1 m/s\", \"2 m/s\"] }", "1"),
    )
    .expect("is written");
    for (arguments, words) in [
        ("sample bars.toml -o out --notes C1..B1", "none of these is a key of bars; it has 3 from C5 to G5"),
        ("sample bars.toml -o out --notes H2", "is not a note of the keyboard"),
        ("sample bars.toml -o out --notes G5..C5", "a range of notes goes upwards"),
        ("sample bars.toml -o out --notes C5..G5:0", "the step"),
        ("sample bars.toml -o out --velocities 128", "--velocities is 128"),
        ("sample bars.toml -o out --round-robin 0", "--round-robin is 0"),
        ("sample still.toml -o out --round-robin 2", "nothing in still is random"),
        ("sample bars.toml -o out --length 1e9", "at most"),
        ("sample bars.toml -o out --format flac --bits 32f", "FLAC file holds integers"),
        ("sample rolling-ball -o out", "has no [notes]"),
        ("sample bars.toml -o .", "is not empty"),
    ] {
        refused(path, arguments, words);
    }
    assert_eq!(names_in(path), ["bars.toml", "still.toml"]);
    let message = failure(["sample", "no-such-scene", "-o", "out"], 2);
    assert!(message.contains("neither a file nor a scene"), "{message}");
    assert!(stdout(["sample", "--help"]).contains("--round-robin"));
}

/// The blocks of a page fenced as `kind`, in order, each with where it stands.
fn blocks<'a>(page: &'a str, kind: &str) -> Vec<(usize, &'a str)> {
    let opening = format!("```{kind}\n");
    let starts = page.match_indices(&opening).map(|(at, _)| at + opening.len());
    starts.map(|at| (at, page[at..].split("\n```").next().unwrap_or_default())).collect()
}

#[test]
fn every_example_of_the_page_runs() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/workbench.md")).expect("the page");
    let folder = tempfile::tempdir().expect("a directory");
    let mut steps: Vec<(usize, bool, &str)> =
        blocks(&page, "toml").into_iter().map(|(at, text)| (at, true, text)).collect();
    steps.extend(blocks(&page, "sh").into_iter().map(|(at, text)| (at, false, text)));
    steps.sort_by_key(|(at, ..)| *at);
    assert!(steps.len() >= 8, "{steps:?}");
    for (_, is_scene, text) in steps {
        if is_scene {
            let name = text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("the file's name");
            fs::write(folder.path().join(name), text).expect("is written");
            continue;
        }
        for command in text.lines() {
            let arguments = command.strip_prefix("ictus ").expect("a command of ictus");
            let output = ictus_in(folder.path(), arguments.split_whitespace());
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{command}: {message}");
            assert!(!message.contains("clip") && !message.contains("silent"), "{command}: {message}");
        }
    }
    for name in ["one.wav", "groove.wav", "hail.wav", "shaken.wav", "together.wav", "many/steps-4.wav"] {
        let sound = Recording::read(&folder.path().join(name), Part::default()).expect(name);
        let peak = sound.channels.iter().flatten().fold(0.0f64, |peak, sample| peak.max(sample.abs()));
        assert!((0.03..1.0).contains(&peak), "{name} peaks at {peak}");
    }
}
