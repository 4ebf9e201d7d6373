//! `ictus sweep`: killed anywhere it goes on, byte for byte, and a mistake is one sentence.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{failure, ictus, json, stdout};

const PLAN: &str = "sweep = 1\nscene = \"hammered-string\"\nkind = \"sobol\"\nn = 48\nchunk = 4\nduration = 0.15\n\
    outputs = [\"features\", \"audio\"]\n[parameters]\nhammer.mass = \"log(5 g, 20 g)\"\nhammer.stiffness = \"log(1e7, 1e9)\"\n";

/// A folder with a plan in it.
fn with_plan(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = folder.path().join("plan.toml");
    fs::write(&plan, text).expect("is written");
    (folder, plan.display().to_string())
}

/// Every file of a sweep's folder, by its path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for inner in ["", "audio.zarr"] {
        for entry in
            fs::read_dir(folder.join(inner)).expect("is there").flatten().filter(|entry| entry.path().is_file())
        {
            all.insert(Path::new(inner).join(entry.file_name()), fs::read(entry.path()).expect("can be read"));
        }
    }
    all
}

#[test]
fn a_sweep_that_is_killed_again_and_again_ends_as_if_nothing_had_happened() {
    let (folder, plan) = with_plan(PLAN);
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    stdout(["sweep", &plan, "-o", &whole.display().to_string()]);
    let target = killed.display().to_string();
    let mut deaths = 0;
    for round in 0..40u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ictus"))
            .args(["sweep", &plan, "-o", &target, "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        sleep(Duration::from_millis(20 + 37 * round % 400));
        // SIGKILL: nothing of the program runs any more.
        child.kill().expect("can be killed");
        if child.wait().expect("ends").success() {
            break;
        }
        deaths += 1;
    }
    assert!(deaths > 0, "it was never killed");
    stdout(["sweep", &plan, "-o", &target]);
    assert_eq!(files(&whole), files(&killed));
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_only_what_is_whole() {
    use std::os::unix::process::ExitStatusExt;
    let (folder, plan) = with_plan(&PLAN.replace("n = 48", "n = 4800"));
    for round in 0..8u64 {
        let target = folder.path().join(round.to_string());
        let (signal, number) = [("-INT", 2), ("-TERM", 15)][round as usize % 2];
        let mut child = Command::new(env!("CARGO_BIN_EXE_ictus"))
            .args(["sweep", &plan, "-o", &target.display().to_string(), "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        while !target.exists() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(17 * round));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill is there");
        assert!(sent.success());
        assert_eq!(child.wait().expect("it ends").signal(), Some(number));
        for inner in ["", "audio.zarr"] {
            for entry in fs::read_dir(target.join(inner)).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                assert!(!name.starts_with('.'), "{round}: {name} is left");
            }
        }
    }
}

#[test]
fn the_report_counts_what_was_computed_and_what_failed() {
    let (folder, plan) = with_plan(
        &PLAN
            .replace("sobol", "grid")
            .replace("n = 48\n", "")
            .replace("\"log(5 g, 20 g)\"", "[0.01, -1]")
            .replace("\"log(1e7, 1e9)\"", "[1e8]"),
    );
    let out = folder.path().join("out").display().to_string();
    let output = ictus(["sweep", &plan, "-o", &out, "--json"]);
    assert!(output.status.success(), "a point that fails is a row: {output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 of 2 points failed, first point 1:"), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("is JSON");
    assert_eq!(
        (report["points"].as_u64(), report["computed"].as_u64(), report["failed"].as_u64()),
        (Some(2), Some(2), Some(1))
    );
    assert_eq!(report["first_failure"]["index"], 1);
    let again = json(["sweep", &plan, "-o", &out, "--json"]);
    assert_eq!((again["computed"].as_u64(), again["plan_sha256"].as_str()), (Some(0), report["plan_sha256"].as_str()));
}

#[test]
fn a_trial_renders_nothing_and_shows_the_first_points() {
    let (folder, plan) = with_plan(PLAN);
    let text = stdout(["sweep", &plan, "--dry-run"]);
    assert!(text.contains("48 points (sobol), 0.15 s each") && text.contains("hammer.stiffness"), "{text}");
    let trial = json(["sweep", &plan, "--dry-run", "--json"]);
    assert_eq!(trial["first_points"].as_array().map(Vec::len), Some(5));
    assert_eq!(trial["audio_bytes"].as_u64(), Some(48 * 2 * 7200 * 4));
    assert_eq!(fs::read_dir(folder.path()).expect("is there").count(), 1, "only the plan");
}

#[test]
fn mistakes_end_with_code_2_and_leave_nothing() {
    let (folder, plan) = with_plan(&PLAN.replace("hammer.mass", "hammer.mas"));
    let out = folder.path().join("out");
    let message = failure(["sweep", &plan, "-o", &out.display().to_string()], 2);
    assert!(
        message.contains("plan.toml:9:8: `hammer.mas`") && message.contains("did you mean `hammer.mass`?"),
        "{message}"
    );
    assert!(!out.exists());
    assert!(failure(["sweep", "no-such-plan.toml", "-o", "out"], 2).contains("no-such-plan.toml"));
    assert!(failure(["sweep", &plan], 2).contains("--output"));
    fs::write(&plan, "sweep = 1\ntext = \"ictus = 1\"\nkind = \"random\"\nn = 1\n[parameters]\na = 1\n")
        .expect("is written");
    assert!(failure(["sweep", &plan, "-o", &out.display().to_string()], 2).contains("problem"));
}

#[test]
fn a_folder_of_another_sweep_is_refused_with_both_hashes() {
    let (folder, plan) = with_plan(&PLAN.replace("n = 48", "n = 2"));
    let out = folder.path().join("out").display().to_string();
    let one = json(["sweep", &plan, "-o", &out, "--json"]);
    fs::write(&plan, PLAN.replace("n = 48", "n = 3")).expect("is written");
    let other = json(["sweep", &plan, "--dry-run", "--json"]);
    let message = failure(["sweep", &plan, "-o", &out], 2);
    for hashes in [one, other] {
        assert!(message.contains(hashes["plan_sha256"].as_str().expect("a hash")), "{message}");
    }
}

/// A limit on the size of files stands for a full disk: the write fails in the middle of a file.
#[cfg(unix)]
#[test]
fn a_full_disk_is_one_sentence_and_what_was_written_stays() {
    let (folder, plan) = with_plan(PLAN);
    let out = folder.path().join("out");
    // Files of at most 64 blocks of 1 KiB hold the tables, but not the sounds of four points.
    let script =
        format!("trap '' XFSZ; ulimit -f 64; exec {:?} sweep {plan:?} -o {out:?}", env!("CARGO_BIN_EXE_ictus"));
    let output = Command::new("bash").args(["-c", &script]).output().expect("bash is there");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("could not be written") && message.contains("run the same sweep again"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    stdout(["sweep", &plan, "-o", &out.display().to_string()]);
    let (other, plan) = with_plan(PLAN);
    let whole = other.path().join("out");
    stdout(["sweep", &plan, "-o", &whole.display().to_string()]);
    assert_eq!(files(&out), files(&whole));
}

#[test]
fn the_sounds_are_those_of_render_bit_for_bit() {
    let (folder, plan) = with_plan(&PLAN.replace("n = 48", "n = 4"));
    let out = folder.path().join("out");
    stdout(["sweep", &plan, "-o", &out.display().to_string()]);
    let trial = json(["sweep", &plan, "--dry-run", "--json"]);
    let region = fs::read(out.join("audio.zarr/c.0.0.0")).expect("is there");
    let sweep: Vec<f32> =
        region.chunks_exact(4).map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four"))).collect();
    for index in 0..4 {
        let wav = folder.path().join("one.wav");
        let point = &trial["first_points"][index];
        let set = ["hammer.mass", "hammer.stiffness"].map(|path| format!("{path}={}", point[path]));
        let file = wav.display().to_string();
        stdout([
            "render",
            "hammered-string",
            "-o",
            &file,
            "--bits",
            "32f",
            "--duration",
            "0.15",
            "--set",
            &set[0],
            "--set",
            &set[1],
        ]);
        let rendered: Vec<f32> = hound::WavReader::open(&wav)
            .expect("is a sound")
            .samples()
            .map(|sample| sample.expect("a sample"))
            .collect();
        let ours = &sweep[index * 14_400..][..14_400];
        for channel in 0..2 {
            let heard: Vec<f32> = rendered[channel..].iter().step_by(2).copied().collect();
            assert_eq!(heard, ours[channel * 7200..][..7200], "point {index}");
        }
    }
}
