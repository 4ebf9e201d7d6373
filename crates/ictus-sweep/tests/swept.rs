//! Sweeps, run: the same bytes on one thread or two, in one go or resumed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU64;

use ictus_sweep::{Folder, Plan, Stop, Tally, columns, run, run_chunk};

const PLAN: &str = "sweep = 1\nscene = \"hammered-string\"\nkind = \"latin-hypercube\"\nn = 11\nchunk = 3\nduration = 0.12\n\
    outputs = [\"features\", \"audio\"]\n[parameters]\nhammer.mass = \"log(5 g, 20 g)\"\nhammer.stiffness = \"log(1e7, 1e9)\"\n";

fn plan(text: &str) -> Plan {
    Plan::read("plan.toml", text, Path::new(".")).expect("is a plan")
}

fn swept(plan: &Plan, folder: &Path, threads: usize) -> Tally {
    let folder = Folder::open(plan, folder).expect("is a folder");
    run(plan, &folder, threads, &Stop::default(), &|_| ()).expect("runs")
}

/// Every file of a folder, by its path in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("is there") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            all.extend(files(&entry.path()).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            all.insert(name, fs::read(entry.path()).expect("can be read"));
        }
    }
    all
}

#[test]
fn a_resumed_sweep_is_the_uninterrupted_one_byte_for_byte() {
    let directory = tempfile::tempdir().expect("a folder");
    let (whole, pieces) = (directory.path().join("whole"), directory.path().join("pieces"));
    let plan = plan(PLAN);
    let tally = swept(&plan, &whole, 2);
    assert_eq!((tally.points, tally.before, tally.failed), (11, 0, 0));

    // The second chunk is there; of the third a part that is not whole and a temporary file.
    let folder = Folder::open(&plan, &pieces).expect("is made");
    run_chunk(&plan, &folder, 1, &AtomicU64::new(0)).expect("is computed");
    let part = fs::read(whole.join("part-000002.parquet")).expect("is there");
    fs::write(folder.part(2), &part[..part.len() - 5]).expect("is written");
    fs::write(pieces.join(".ictus-1-2-3.part"), "left behind").expect("is written");
    drop(folder);
    let tally = swept(&plan, &pieces, 1);
    assert_eq!((tally.points, tally.before), (8, 3));
    assert_eq!(files(&whole), files(&pieces));
    assert_eq!(swept(&plan, &pieces, 2).points, 0, "nothing is computed twice");

    let names: Vec<String> = files(&whole).into_keys().collect();
    let expected = [
        "audio.zarr/c.0.0.0",
        "audio.zarr/c.1.0.0",
        "audio.zarr/c.2.0.0",
        "audio.zarr/c.3.0.0",
        "audio.zarr/zarr.json",
        "manifest.json",
        "part-000000.parquet",
        "part-000001.parquet",
        "part-000002.parquet",
        "part-000003.parquet",
    ];
    assert_eq!(names, expected);
}

#[test]
fn chunks_follow_from_the_plan_alone() {
    let text = PLAN.replace("chunk = 3\n", "").replace("n = 11", "n = 40000");
    let chunk = |text: &str| {
        let directory = tempfile::tempdir().expect("a folder");
        Folder::open(&plan(text), directory.path()).expect("is made").manifest().chunk
    };
    let usual = chunk(&text);
    assert_eq!(usual, chunk(&text), "whatever else the machine does");
    assert!(usual.is_power_of_two() && (64..=40_000 / 16).contains(&usual), "{usual}");
    // Ten times the sound is ten times the work, to a power of 2.
    let longer = chunk(&text.replace("0.12", "1.2"));
    assert!((8..=16).contains(&(usual / longer)), "{usual} {longer}");
}

#[test]
fn the_array_holds_the_samples_of_every_point_and_no_numbers_after_the_last() {
    let directory = tempfile::tempdir().expect("a folder");
    let plan = plan(PLAN);
    swept(&plan, directory.path(), 2);
    let size = plan.extent.frames * usize::from(plan.extent.channels);
    for index in 0..12u64 {
        let region = fs::read(directory.path().join(format!("audio.zarr/c.{}.0.0", index / 3))).expect("is there");
        let samples: Vec<f32> =
            region.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
        assert_eq!(samples.len(), 3 * size);
        let samples = &samples[(index % 3) as usize * size..][..size];
        if index == 11 {
            assert!(samples.iter().all(|sample| sample.is_nan()));
            continue;
        }
        let heard = plan.point(index).render(&plan).expect("sounds");
        let expected: Vec<f32> = heard.channels.iter().flatten().map(|sample| *sample as f32).collect();
        assert_eq!(samples, expected);
        assert!(heard.contact_time.is_some_and(|time| (1e-3..3e-2).contains(&time)), "{:?}", heard.contact_time);
    }
}

#[test]
fn a_point_that_cannot_be_is_a_row_with_its_message() {
    let directory = tempfile::tempdir().expect("a folder");
    let plan = plan(
        &PLAN
            .replace("latin-hypercube", "grid")
            .replace("n = 11\n", "")
            .replace("\"log(5 g, 20 g)\"", "[0.01, -1, 0.02]")
            .replace("\"log(1e7, 1e9)\"", "[1e7, 1e8]"),
    );
    let tally = swept(&plan, directory.path(), 2);
    assert_eq!((tally.points, tally.failed), (6, 2));
    let (index, message) = tally.first_failure.expect("one failed");
    assert_eq!(index, 2);
    assert!(message.contains("mass") && message.contains("-1"), "{message}");
    let part = fs::read(directory.path().join("part-000000.parquet")).expect("is there");
    assert!(part.windows(message.len()).any(|window| window == message.as_bytes()));
    let region = fs::read(directory.path().join("audio.zarr/c.0.0.0")).expect("is there");
    let third = &region[region.len() / 3 * 2..];
    assert!(third.chunks_exact(4).all(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()).is_nan()));
}

#[test]
fn contact_times_are_finer_than_a_sample() {
    // Half a period of mass and spring, π√(m/K), in the gallery's scene of a mass and a barrier.
    let text = "sweep = 1\nkind = \"grid\"\nname = \"ball\"\ntext = '''\nictus = 1\ntitle = \"Ball\"\nduration = 0.02\n[objects]\n\
        ball = { kind = \"mass\", mass = 0.01, velocity = 1, displacement = -0.001 }\nwall = { kind = \"barrier\" }\n[contacts.hit]\nfrom = \"ball\"\n\
        to = \"wall\"\nlaw = \"hunt-crossley\"\nexponent = 1\nstiffness = 1e5\n[pickups.ear]\nat = \"ball\"\n'''\n\
        [parameters]\nhit.stiffness = \"log(3e4, 1e6, 9)\"\n";
    let plan = plan(text);
    for index in 0..plan.count {
        let point = plan.point(index);
        let ictus_sweep::Value::Number(stiffness) = point.values[0] else { panic!("is a number") };
        let heard = point.render(&plan).expect("sounds");
        let expected = std::f64::consts::PI * (0.01 / stiffness).sqrt();
        let error = (heard.contact_time.expect("touches") - expected) * f64::from(plan.extent.rate);
        assert!(error.abs() < 0.05, "{error} samples at {stiffness}");
    }
}

#[test]
fn the_table_has_the_parameters_and_the_features_asked_for() {
    let names = |text: &str| columns(&plan(text)).into_iter().map(|column| column.name).collect::<Vec<_>>();
    assert_eq!(
        names(PLAN),
        [
            "index",
            "seed",
            "hammer.mass",
            "hammer.stiffness",
            "centroid",
            "pitch",
            "t60",
            "loudness",
            "peak",
            "contact_time",
            "peak_force",
            "contacts",
            "error"
        ]
    );
    assert_eq!(
        names(&PLAN.replace("\"features\", ", "")),
        ["index", "seed", "hammer.mass", "hammer.stiffness", "error"]
    );
}

#[test]
fn a_stopped_sweep_goes_on_later() {
    let directory = tempfile::tempdir().expect("a folder");
    let plan = plan(PLAN);
    let stop = Stop::default();
    stop.request();
    let folder = Folder::open(&plan, directory.path()).expect("is made");
    assert_eq!(run(&plan, &folder, 2, &stop, &|_| ()).expect("runs").points, 0);
    drop(folder);
    assert_eq!(swept(&plan, directory.path(), 2).points, 11);
}
