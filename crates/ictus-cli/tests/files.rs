//! Files: inputs are never overwritten, results are whole or absent, nothing hidden is left.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::common::{ictus, names_in};

/// A ball on a spring, struck at once.
const BALL: &str = r#"
ictus = 1
title = "Ball"
duration = "0.1 s"
[objects.ball]
kind = "mass"
mass = "10 g"
frequency = "300 Hz"
t60 = "0.1 s"
[exciters.hammer]
kind = "hammer"
on = "ball"
mass = "5 g"
stiffness = 1e7
exponent = 1.5
[pickups.out]
at = "ball"
[[events]]
time = 0
strike = "hammer"
velocity = 1
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a directory"));
        fs::write(folder.path("ball.toml"), BALL).expect("can be written");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn refused(&self, arguments: &[&str]) {
        let before = names_in(self.0.path());
        let output = ictus(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains("must not be"), "{message}");
        assert_eq!(fs::read_to_string(self.path("ball.toml")).expect("is there"), BALL, "{arguments:?}");
        assert_eq!(names_in(self.0.path()), before);
    }
}

/// A scene with keys, for samplers and MIDI files, and with a range, for variations.
fn keys() -> String {
    BALL.replace("mass = \"5 g\"", "mass = \"5 g ± 10 %\"") + "[notes]\nplay = \"hammer\"\n"
}

/// A plan of one point, of a scene beside it.
const PLAN: &str = "sweep = 1\nscene = \"SCENE\"\nkind = \"grid\"\noutputs = [\"features\", \"audio\"]\n\
    [parameters]\nhammer.mass = [0.005]\n";

/// What a file that is read may hold.
#[derive(Clone, Copy)]
enum Input {
    Scene,
    Song,
    Sound,
    Plan,
    Engine,
}

impl Input {
    fn bytes(self, folder: &Folder) -> Vec<u8> {
        match self {
            Self::Scene => keys().into_bytes(),
            Self::Song => {
                b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0c\0\x90\x3c\x40\x60\x80\x3c\x40\0\xff\x2f\0".into()
            }
            Self::Sound => {
                // A tenth of a second of a tone that dies away: 16 bits, mono.
                let tone = |n: i32| 2e4 * (-f64::from(n) / 1e3).exp() * (0.1 * f64::from(n)).sin();
                let samples: Vec<u8> = (0..4800).flat_map(|n| (tone(n) as i16).to_le_bytes()).collect();
                let format = b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0data";
                let length = |bytes: usize| (bytes as u32).to_le_bytes();
                [b"RIFF", &length(36 + samples.len())[..], format, &length(samples.len()), &samples].concat()
            }
            Self::Plan => PLAN.replace("SCENE", &folder.text("ball.toml")).into_bytes(),
            Self::Engine => b"\0asm\x01\0\0\0".into(),
        }
    }
}

/// One way to name results: a command line, in which IN is the file that is read and OUT the place of the results; what IN holds; and which
/// result, as seen from OUT, could take its place. IN is called `in.EXT` unless it is that result itself.
type Way = (&'static str, Input, &'static str);

/// Every option that names results, of every command that also reads a file.
const WAYS: [Way; 24] = [
    ("render IN -o OUT/a.wav", Input::Scene, "a.wav"),
    ("render IN -o OUT", Input::Scene, "in.wav"),
    ("render IN -o OUT --variations 2 --force", Input::Scene, "in-2.wav"),
    ("render IN -o OUT --variations 2 --force", Input::Scene, "in-variations.csv"),
    ("render IN -o b.wav --report OUT/a.json", Input::Scene, "a.json"),
    ("render IN -o b.wav --plot OUT", Input::Scene, "in-waveform.svg"),
    ("render IN -o OUT/a.wav --stems", Input::Scene, "a-out.wav"),
    ("render keys.toml -o b.wav --plot OUT --compare IN", Input::Sound, "keys-level.svg"),
    ("render keys.toml -o b.wav --midi IN --report OUT/a.json", Input::Song, "a.json"),
    ("sample IN -o OUT --force", Input::Scene, "in.csv"),
    ("sample IN -o OUT --force", Input::Scene, "in.sfz"),
    ("sample IN -o OUT --force", Input::Scene, "in-C4-v1-r1.wav"),
    ("show IN -o OUT/a.svg", Input::Scene, "a.svg"),
    ("measure IN --plot OUT/a.svg", Input::Sound, "a.svg"),
    ("measure IN --plot OUT/a.png", Input::Sound, "a.png"),
    ("measure in.wav --plot OUT/a.svg --compare IN", Input::Sound, "a.svg"),
    ("fit IN -o OUT/a.toml --confidence 0", Input::Sound, "a.toml"),
    ("fit IN --plot OUT/a.svg", Input::Sound, "a.svg"),
    ("fit in.wav IN --plot OUT/a.svg", Input::Sound, "a.svg"),
    ("sweep IN -o OUT", Input::Plan, "part-000000.parquet"),
    ("sweep IN -o OUT", Input::Plan, "audio.zarr/c.0.0.0"),
    ("sweep plan.toml -o OUT", Input::Scene, "part-000000.parquet"),
    ("site --wasm IN -o OUT", Input::Engine, "engine.wasm"),
    ("site --wasm IN -o OUT", Input::Engine, "index.html"),
];

/// Commands that read no file, those that write none, and the one that is told not to replace any.
const HARMLESS: [&str; 10] =
    ["check", "design", "impact", "laws", "new", "play", "repro", "schemes", "scenes", "study"];

/// Words between brackets by which `--help` says that an option names a file or a folder.
const NAMES_FILES: [&str; 3] = ["<FILE>", "<DIR>", "<SCENE>"];

#[test]
fn every_option_that_names_results_is_in_the_table() {
    let told = |arguments: &[&str]| String::from_utf8(ictus(arguments).stdout).expect("is text");
    let help = told(&["--help"]);
    let (_, commands) = help.split_once("Commands:\n").expect("there are commands");
    let commands = commands.lines().take_while(|line| !line.is_empty());
    // What is said of them goes on in lines that begin farther in.
    let commands = commands.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let commands: Vec<&str> = commands.filter_map(|line| line.split(' ').next()).collect();
    assert!(commands.contains(&"render"), "{commands:?}");
    let mut found = 0;
    for command in commands.into_iter().filter(|command| *command != "help" && !HARMLESS.contains(command)) {
        let ways: Vec<&str> =
            WAYS.iter().map(|(line, ..)| *line).filter(|line| line.split(' ').next() == Some(command)).collect();
        assert!(!ways.is_empty(), "ictus {command}: put it into the table of this test");
        let help = told(&[command, "--help"]);
        for option in help.lines().filter(|line| NAMES_FILES.iter().any(|name| line.contains(name))) {
            let words = option.split([' ', ',']).filter(|word| word.starts_with('-'));
            let words: Vec<&str> = words.collect();
            if !words.is_empty() && option.trim_start().starts_with('-') {
                let is_there = ways.iter().any(|line| line.split(' ').any(|word| words.contains(&word)));
                assert!(is_there, "ictus {command}: {option:?} is not in the table of this test");
                found += 1;
            }
        }
    }
    assert!(found >= 12, "{found}");
}

/// How a result comes to be the file that is read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Same {
    /// By its name.
    Named,
    /// It is a symbolic link to it.
    Linked,
    /// It is a link that leads to it by way of another.
    LinkedTwice,
    /// The file that is read is a symbolic link to it.
    LinkedBack,
    /// It is another name of it.
    Twin,
    /// The folder of results is a link to a folder in which it lies.
    InLinkedFolder,
}

/// Runs one way with the result being the input, and says what became of it.
fn overwritten(way: &Way, same: Same) -> Result<(), String> {
    let (line, input, result) = *way;
    let folder = Folder::new();
    let at = |name: &str| folder.path(name);
    for (name, input) in [("keys.toml", Input::Scene), ("plan.toml", Input::Plan), ("in.wav", Input::Sound)] {
        fs::write(at(name), input.bytes(&folder)).expect("is written");
    }
    let ending = match input {
        Input::Song => "mid",
        Input::Sound => "wav",
        Input::Engine => "wasm",
        Input::Scene | Input::Plan => "toml",
    };
    let read = if line.contains("sweep plan.toml") { "ball.toml".to_owned() } else { format!("in.{ending}") };
    fs::write(at(&read), input.bytes(&folder)).expect("is written");
    if line.starts_with("sweep") {
        // A sweep only writes into a folder of its own.
        let plan = if matches!(input, Input::Plan) { &read } else { "plan.toml" };
        let output = ictus(["sweep", &folder.text(plan), "-o", &folder.text("out")]);
        assert!(output.status.success(), "{output:?}");
        fs::remove_file(at("out").join(result)).expect("was written");
    }
    fs::create_dir_all(at("out")).expect("is made");
    let there = at("out").join(result);
    let (mut read, mut out) = (folder.text(&read), folder.text("out"));
    match same {
        Same::Named | Same::LinkedBack => {
            fs::rename(&read, &there).expect("is moved");
            if same == Same::Named {
                read = there.display().to_string();
            } else {
                symlink(&there, &read).expect("is linked");
            }
        }
        Same::Linked => symlink(&read, &there).expect("is linked"),
        Same::LinkedTwice => {
            symlink(&read, at("between")).expect("is linked");
            symlink(at("between"), &there).expect("is linked");
        }
        Same::Twin => fs::hard_link(&read, &there).expect("is linked"),
        Same::InLinkedFolder => {
            fs::rename(&read, &there).expect("is moved");
            symlink(&there, &read).expect("is linked");
            symlink(&out, at("folder")).expect("is linked");
            out = folder.text("folder");
        }
    }
    let before = fs::read(&there).expect("is there");
    let words = line.split(' ').map(|word| match word {
        "IN" => read.clone(),
        _ if word.starts_with("OUT") => word.replace("OUT", &out),
        _ if word.contains('.') && !word.starts_with('-') => folder.text(word),
        _ => word.to_owned(),
    });
    let output = ictus(words.collect::<Vec<_>>());
    let message = String::from_utf8_lossy(&output.stderr);
    let said = format!("{line:?}, {result} {same:?}: {:?} {message}", output.status.code());
    if fs::read(&there).ok() != Some(before) || fs::read(&read).is_err() {
        return Err(format!("LOST {said}"));
    }
    let is_told = message.contains("must not be the file that is read as");
    if output.status.code() == Some(2) && is_told && !at("b.wav").exists() { Ok(()) } else { Err(said) }
}

#[test]
fn no_command_overwrites_what_it_reads() {
    let mut wrong = Vec::new();
    for way in &WAYS {
        for same in [Same::Named, Same::Linked, Same::LinkedTwice, Same::LinkedBack, Same::Twin, Same::InLinkedFolder] {
            // A result whose name comes from that of the file is never the file itself under one name.
            if same == Same::Named && way.2.starts_with("in") && matches!(way.1, Input::Scene) {
                continue;
            }
            // The plan says what the scene is called.
            if same == Same::Named && way.0.contains("plan.toml") {
                continue;
            }
            wrong.extend(overwritten(way, same).err());
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_result_never_overwrites_what_it_is_made_from() {
    let folder = Folder::new();
    let scene = folder.text("ball.toml");
    symlink("ball.toml", folder.path("link.wav")).expect("is linked");
    symlink("ball.toml", folder.path("link.svg")).expect("is linked");
    symlink("ball.toml", folder.path("ball-force.svg")).expect("is linked");
    fs::hard_link(folder.path("ball.toml"), folder.path("hard.json")).expect("is linked");
    folder.refused(&["render", &scene, "-o", &folder.text("a.wav"), "--report", &scene]);
    folder.refused(&["render", &scene, "-o", &folder.text("a.wav"), "--report", &folder.text("hard.json")]);
    folder.refused(&["render", &scene, "-o", &folder.text("link.wav")]);
    folder.refused(&["render", &scene, "-o", &folder.text("a.wav"), "--plot", &folder.text("")]);
    folder.refused(&["show", &scene, "-o", &folder.text("link.svg")]);
    // Under its other name, the scene is the same file.
    folder.refused(&["render", &folder.text("hard.json"), "-o", &folder.text("a.wav"), "--report", &scene]);
}

#[test]
fn a_result_never_overwrites_the_midi_file_it_is_played_from() {
    let folder = Folder::new();
    let midi = fs::read_to_string(folder.path("ball.toml")).expect("is there") + "[notes]\nplay = \"hammer\"\n";
    fs::write(folder.path("keys.toml"), midi.replace("velocity = 1", "velocity = 0.5")).expect("is written");
    let song = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0c\0\x90\x3c\x40\x60\x80\x3c\x40\0\xff\x2f\0";
    fs::write(folder.path("song.mid"), song).expect("is written");
    let (keys, out, song) = (folder.text("keys.toml"), folder.text("a.wav"), folder.text("song.mid"));
    folder.refused(&["render", &keys, "--midi", &song, "-o", &out, "--report", &song]);
}

#[test]
fn two_results_are_never_one_file() {
    let folder = Folder::new();
    let scene = folder.text("ball.toml");
    symlink("a.wav", folder.path("link.json")).expect("is linked");
    folder.refused(&["render", &scene, "-o", &folder.text("a.wav"), "--report", &folder.text("link.json")]);
    let picture = folder.text("pictures/ball-waveform.svg");
    fs::create_dir(folder.path("pictures")).expect("is made");
    folder.refused(&[
        "render",
        &scene,
        "-o",
        &folder.text("a.wav"),
        "--report",
        &picture,
        "--plot",
        &folder.text("pictures"),
    ]);
}

#[test]
fn links_stay_links_and_permissions_stay() {
    let folder = Folder::new();
    fs::write(folder.path("old.wav"), "old").expect("is written");
    fs::set_permissions(folder.path("old.wav"), fs::Permissions::from_mode(0o646)).expect("are set");
    symlink("old.wav", folder.path("link.wav")).expect("is linked");
    symlink("new.json", folder.path("link.json")).expect("is linked");
    let (sound, report) = (folder.text("link.wav"), folder.text("link.json"));
    let output = ictus(["render", &folder.text("ball.toml"), "-o", &sound, "--report", &report]);
    assert!(output.status.success(), "{output:?}");
    for (link, target) in [("link.wav", "old.wav"), ("link.json", "new.json")] {
        assert_eq!(fs::read_link(folder.path(link)).expect("is a link"), Path::new(target));
    }
    assert!(fs::read(folder.path("old.wav")).expect("is there").starts_with(b"RIFF"));
    assert!(fs::read(folder.path("new.json")).expect("is there").starts_with(b"{"));
    let mode = fs::metadata(folder.path("old.wav")).expect("is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o646);
}

#[test]
fn a_sound_that_cannot_be_written_leaves_no_picture_and_no_report() {
    let folder = Folder::new();
    // A device that is always full.
    symlink("/dev/full", folder.path("full.wav")).expect("is linked");
    let (scene, full) = (folder.text("ball.toml"), folder.text("full.wav"));
    let (report, pictures) = (folder.text("a.json"), folder.text("deep/pictures"));
    let output = ictus(["render", &scene, "-o", &full, "--report", &report, "--plot", &pictures]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(names_in(folder.0.path()), ["ball.toml", "full.wav"]);
}

/// Starts a run that keeps a file open for long.
fn started(table: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ictus"));
    command.args(["impact", "--gravity", "9.8", "--duration", "40", "--csv"]).arg(table);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

/// Waits until the folder has a hidden file, sends the signal, and waits for the end.
fn ended_by(signal: &str, folder: &Path) -> ExitStatus {
    let mut child = started(&folder.join("a.csv"));
    let begin = Instant::now();
    while names_in(folder).is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no file appears");
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
    child.wait().expect("it ends")
}

#[test]
fn a_signal_leaves_nothing_and_ends_the_program_as_signals_do() {
    for (name, number) in [("-INT", 2), ("-TERM", 15)] {
        let folder = tempfile::tempdir().expect("a directory");
        assert_eq!(ended_by(name, folder.path()).signal(), Some(number));
        assert_eq!(names_in(folder.path()), [""; 0], "{name}");
    }
}

#[test]
fn a_signal_at_any_moment_of_a_render_leaves_all_or_nothing() {
    let folder = Folder::new();
    for trial in 0..24u64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ictus"));
        command.args(["render", &folder.text("ball.toml"), "-o", &folder.text("a.wav")]);
        command.args(["--report", &folder.text("a.json"), "--plot", &folder.text("pictures")]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(4 * trial));
        // It may have ended by itself.
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).stderr(Stdio::null()).status();
        child.wait().expect("it ends");
        let names = names_in(folder.0.path());
        let whole = ["a.json", "a.wav", "ball.toml", "pictures"];
        assert!(names == whole || names == ["ball.toml"], "{trial}: {names:?}");
        if names == whole {
            fs::remove_file(folder.path("a.wav")).expect("is there");
            fs::remove_file(folder.path("a.json")).expect("is there");
            fs::remove_dir_all(folder.path("pictures")).expect("is there");
        }
    }
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next_once_it_is_old() {
    let folder = tempfile::tempdir().expect("a directory");
    assert_eq!(ended_by("-KILL", folder.path()).signal(), Some(9));
    let left = names_in(folder.path());
    assert_eq!(left.len(), 1, "{left:?}");
    let run = || {
        let output = ictus(["impact".as_ref(), "--csv".as_ref(), folder.path().join("b.csv").as_os_str()]);
        assert!(output.status.success(), "{output:?}");
        names_in(folder.path())
    };
    assert_eq!(run(), [left[0].as_str(), "b.csv"], "it is too young to be sure");
    let file = fs::OpenOptions::new().write(true).open(folder.path().join(&left[0])).expect("is there");
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).expect("is dated");
    drop(file);
    assert_eq!(run(), ["b.csv"]);
}

/// 300 s of two channels are 230 MB of samples; the program has 200 MB for everything.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_a_render_does_not_grow_with_its_length() {
    let folder = Folder::new();
    let scene = folder.text("ball.toml");
    for (sound, options) in [
        ("a.wav", &["--normalize", "--bits", "16"][..]),
        ("a.wav", &["--tail=5", "--report", &folder.text("a.json")]),
        ("a.flac", &["--plot", &folder.text("pictures")]),
    ] {
        let sound = folder.text(sound);
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 200000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_ictus"), "render", &scene]);
        shell.env("RAYON_NUM_THREADS", "1").args(["-o", &sound, "--duration", "300", "--no-account"]).args(options);
        let output = shell.output().expect("there is a shell");
        assert!(output.status.success(), "{options:?}: {output:?}");
    }
}
