//! `ictus render`: sound, report and pictures of a scene.

use crate::common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{failure, ictus, names_in, stdout};
use serde_json::Value;

/// A short scene: a hammer, a string, two pickups.
const SCENE: &str = r#"
ictus = 1
title = "Short"
duration = "0.5 s"
[objects.string]
kind = "string"
length = "1.1 m"
pitch = "A2"
radius = "0.5 mm"
material = "steel"
t60 = [["110 Hz", "12 s"], ["4 kHz", "1.5 s"]]
[exciters.hammer]
kind = "hammer"
on = "string@0.12"
mass = "8 g"
stiffness = 4e8
exponent = 2.3
dissipation = 0.1
[pickups.left]
at = "string@0.93"
pan = -1
gain = 0.2
[pickups.right]
at = "string@0.8"
pan = 1
gain = 0.2
[[events]]
time = "0.01 s"
strike = "hammer"
velocity = "3 m/s"
[[events]]
time = "0.3 s"
strike = "hammer"
velocity = "1 m/s"
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn with_scene() -> Self {
        let folder = Self(tempfile::tempdir().expect("a directory"));
        fs::write(folder.0.path().join("short.toml"), SCENE).expect("can be written");
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn render(&self, output: &str, options: &[&str]) -> String {
        let (scene, output) = (self.path("short.toml"), self.path(output));
        stdout(["render", &scene, "-o", &output].iter().chain(options))
    }

    fn report(&self, output: &str, options: &[&str]) -> Value {
        let report = self.path("report.json");
        self.render(output, &[&["--report", &report], options].concat());
        serde_json::from_slice(&fs::read(report).expect("is there")).expect("is JSON")
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("the file is there")
    }

    /// The samples of one channel of a WAV file, full scale 1.
    fn channel(&self, name: &str, channel: usize) -> Vec<f64> {
        let mut reader = hound::WavReader::open(self.path(name)).expect("is a WAV file");
        let spec = reader.spec();
        let samples: Vec<f64> = match spec.sample_format {
            hound::SampleFormat::Float => reader.samples::<f32>().map(|x| x.expect("a sample").into()).collect(),
            hound::SampleFormat::Int => {
                let full = f64::from(1i32 << (spec.bits_per_sample - 1));
                reader.samples::<i32>().map(|x| f64::from(x.expect("a sample")) / full).collect()
            }
        };
        samples.into_iter().skip(channel).step_by(spec.channels.into()).collect()
    }
}

fn peak(samples: &[f64]) -> f64 {
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

#[test]
fn a_scene_becomes_a_sound_of_its_length_that_starts_and_ends_in_silence() {
    let folder = Folder::with_scene();
    let text = folder.render("a.wav", &[]);
    for word in
        ["0.5 s", "2 channels", "48 kHz", "24 bits", "dBFS", "LUFS", "energy residual", " contacts", "real time"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    for channel in [0, 1] {
        let sound = folder.channel("a.wav", channel);
        assert_eq!(sound.len(), 24_000);
        assert!(peak(&sound[..480]) == 0.0, "nothing is heard before the stroke");
        assert!((0.05..1.0).contains(&peak(&sound)), "{}", peak(&sound));
        assert!(sound[23_999].abs() < 1e-4, "{}", sound[23_999]);
    }
    assert_eq!(names_in(folder.0.path()), ["a.wav", "short.toml"]);
}

#[test]
fn the_sound_is_the_pitch_that_was_asked_for() {
    let folder = Folder::with_scene();
    folder.render("a.wav", &["--duration", "2"]);
    let sound = folder.channel("a.wav", 0);
    let partial = ictus_analysis::partial_near(&sound[24_000..], 48_000.0, 110.0, 100.0).expect("is measured");
    let cents = ictus_analysis::cents(110.0, partial.expect("there is a partial").frequency);
    assert!(cents.abs() < 5.0, "{cents} cents");
}

#[test]
fn the_same_scene_seed_and_options_give_the_same_bytes_on_any_number_of_cores() {
    let folder = Folder::with_scene();
    fs::copy(folder.path("short.toml"), folder.path("twin.toml")).expect("can be copied");
    for options in [vec![], vec!["--oversample", "2", "--bits", "16"]] {
        let (one, other) = (folder.path("short.toml"), folder.path("twin.toml"));
        for (cores, output) in [("1", "one"), ("2", "two")] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ictus"));
            command.env("RAYON_NUM_THREADS", cores).args(["render", &one, &other, "-o", &folder.path(output)]);
            assert!(command.args(&options).output().expect("the program starts").status.success());
        }
        let first = folder.bytes("one/short.wav");
        for same in ["one/twin.wav", "two/short.wav", "two/twin.wav"] {
            assert!(folder.bytes(same) == first, "{same} {options:?}");
        }
    }
    folder.render("16a.wav", &["--bits", "16", "--seed", "1"]);
    folder.render("16b.wav", &["--bits", "16", "--seed", "2"]);
    assert!(folder.bytes("16a.wav") != folder.bytes("16b.wav"), "the dither follows the seed");
}

#[test]
fn pictures_and_the_energy_account_do_not_change_the_sound() {
    let folder = Folder::with_scene();
    folder.render("a.wav", &[]);
    folder.render("b.wav", &["--no-account"]);
    folder.render("c.wav", &["--plot", &folder.path("p"), "--compare", &folder.path("a.wav")]);
    assert!(folder.bytes("a.wav") == folder.bytes("b.wav"));
    assert!(folder.bytes("a.wav") == folder.bytes("c.wav"));
    let pictures = names_in(Path::new(&folder.path("p")));
    assert_eq!(
        pictures,
        ["compare", "energy", "force", "level", "spectrogram", "waveform"].map(|name| format!("short-{name}.svg"))
    );
    for picture in pictures {
        let text = String::from_utf8(folder.bytes(&format!("p/{picture}"))).expect("is text");
        // Two spectrograms are in the last.
        let most = if picture.contains("compare") { 2_000_000 } else { 1_000_000 };
        assert!(text.contains("Short") && !text.contains("NaN") && text.len() < most, "{picture}");
    }
}

#[test]
fn an_oversampled_render_is_the_same_sound_in_time_and_level() {
    let folder = Folder::with_scene();
    folder.render("a.wav", &["--bits", "32f"]);
    folder.render("b.wav", &["--bits", "32f", "--oversample", "4"]);
    let (plain, fine) = (folder.channel("a.wav", 0), folder.channel("b.wav", 0));
    assert_eq!(plain.len(), fine.len());
    // Until grids of different fineness have drifted apart; the stroke is a few ms long and smooth.
    let part = 480..1200;
    let difference: f64 = part.clone().map(|n| (plain[n] - fine[n]).powi(2)).sum();
    let power: f64 = part.map(|n| plain[n].powi(2)).sum();
    assert!(difference < 0.05 * power, "{}", difference / power);
}

#[test]
fn the_report_says_what_happened() {
    let folder = Folder::with_scene();
    let report = folder.report("a.wav", &["--oversample", "2"]);
    assert!(report["energy"]["residual"].as_f64().expect("a number") < 1e-11, "{}", report["energy"]);
    let energy = |key: &str| report["energy"][key].as_f64().expect("a number");
    let open = energy("initial") + energy("supplied") - energy("stored") - energy("dissipated");
    assert!(open.abs() < 1e-11 && energy("supplied") > 0.0);
    assert_eq!((&report["samples"], &report["rate"], &report["channels"]), (&24_000.into(), &48_000.into(), &2.into()));
    assert_eq!((&report["seed"], &report["oversample"]), (&1.into(), &2.into()));
    let contacts = report["contacts"].as_array().expect("a list");
    assert_eq!((&report["contact_count"], &report["missed_contacts"]), (&contacts.len().into(), &0.into()));
    let number = |contact: &Value, key: &str| contact[key].as_f64().expect("a number");
    // The first stroke: 1 mm at 3 m/s after 10 ms.
    let first = &contacts[0];
    assert_eq!(first["name"], "hammer");
    assert!((number(first, "start") - 0.01 - 0.001 / 3.0).abs() < 1e-4, "{first}");
    assert!((0.0005..0.02).contains(&(number(first, "end") - number(first, "start"))), "{first}");
    assert!((number(first, "v_in") - 3.0).abs() < 1e-9 && number(first, "v_out") < 0.0, "{first}");
    assert!(number(first, "peak_force") > 1.0, "{first}");
    // The second stroke meets a string that moves, and may touch it several times.
    assert!(contacts[1..].iter().all(|contact| number(contact, "start") > 0.3) && contacts.len() > 1);
    let peak = peak(&[folder.channel("a.wav", 0), folder.channel("a.wav", 1)].concat());
    assert!((report["peak"].as_f64().expect("a number") - peak).abs() < 1e-6);
    assert!((-40.0..0.0).contains(&report["lufs"].as_f64().expect("a number")), "{}", report["lufs"]);
    assert!(report["realtime_factor"].as_f64().expect("a number") > 0.0);
    let string = &report["objects"][0];
    assert_eq!((&string["name"], &string["kind"]), (&"string".into(), &"string".into()));
    assert!(string["modes"].as_f64() > Some(50.0) && string["nanoseconds"].as_f64() > Some(0.0), "{string}");
    assert_eq!(string["points"], Value::Null);
    let without = folder.report("a.wav", &["--no-account"]);
    assert_eq!(without["energy"], Value::Null);
}

#[test]
fn the_report_has_the_fields_that_its_page_describes() {
    let folder = Folder::with_scene();
    let report = folder.report("a.wav", &[]);
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.md")).expect("the page");
    let mut fields: Vec<String> = Vec::new();
    for (key, value) in report.as_object().expect("a table") {
        fields.push(key.clone());
        let part = value.as_array().and_then(|list| list.first()).unwrap_or(value);
        let list = if value.is_array() { "[]" } else { "" };
        fields.extend(part.as_object().into_iter().flatten().map(|(inner, _)| format!("{key}{list}.{inner}")));
    }
    let described: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    for field in &fields {
        let is_whole = fields
            .iter()
            .any(|other| other.starts_with(&format!("{field}.")) || other.starts_with(&format!("{field}[].")));
        assert!(is_whole || described.contains(&field.as_str()), "{field} is not described");
    }
    for field in described {
        assert!(fields.iter().any(|other| other == field), "{field} is described, but not there");
    }
}

#[test]
fn levels_can_be_changed_and_clipping_is_told() {
    let folder = Folder::with_scene();
    folder.render("a.wav", &["--normalize"]);
    assert!(
        (20.0 * peak(&[folder.channel("a.wav", 0), folder.channel("a.wav", 1)].concat()).log10() + 1.0).abs() < 1e-3
    );
    folder.render("a.wav", &["--normalize=-6"]);
    assert!(
        (20.0 * peak(&[folder.channel("a.wav", 0), folder.channel("a.wav", 1)].concat()).log10() + 6.0).abs() < 1e-3
    );

    let (scene, output) = (folder.path("short.toml"), folder.path("a.wav"));
    let loud = ictus(["render", &scene, "-o", &output, "--gain", "40"]);
    let warning = String::from_utf8(loud.stderr).expect("is text");
    assert!(loud.status.success() && warning.contains("clips by") && warning.contains("--gain"), "{warning}");
    // Doing as told is enough.
    let gain = warning.split("--gain ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a gain");
    let quieter = ictus(["render", &scene, "-o", &output, "--gain", gain]);
    assert!(quieter.status.success() && quieter.stderr.is_empty(), "{quieter:?}");
}

#[test]
fn a_tail_goes_on_until_the_sound_is_60_db_down_or_its_time_is_over() {
    let folder = Folder::with_scene();
    folder.render("a.wav", &["--tail=0.4"]);
    assert_eq!(folder.channel("a.wav", 0).len(), 24_000 + 19_200);
    let short = SCENE.replace("\"12 s\"", "\"0.5 s\"").replace("\"1.5 s\"", "\"0.2 s\"");
    fs::write(folder.path("short.toml"), short).expect("can be written");
    folder.render("a.wav", &["--tail"]);
    let sound = folder.channel("a.wav", 0);
    assert!((30_000..96_000).contains(&sound.len()), "{}", sound.len());
    assert!(peak(&sound[sound.len() - 2400..]) <= 1.1e-3 * peak(&sound));
}

#[test]
fn values_of_the_scene_can_be_changed() {
    let folder = Folder::with_scene();
    folder
        .render("a.wav", &["--set", "string.pitch=A3", "--set", "hammer.mass=4 g", "--rate", "44100", "--bits", "16"]);
    let sound = folder.channel("a.wav", 0);
    assert_eq!(sound.len(), 22_050);
    let pitch = ictus_analysis::partial_near(&sound[4410..], 44_100.0, 220.0, 100.0).expect("is measured");
    let pitch = pitch.expect("there is a partial").frequency;
    assert!((pitch - 220.0).abs() < 1.0, "{pitch}");
    let output = folder.path("b.wav");
    let message = failure(["render", &folder.path("short.toml"), "-o", &output, "--set", "sting.pitch=A3"], 2);
    assert!(message.contains("sting") && message.contains("string"), "{message}");
}

#[test]
fn flac_holds_the_same_integers_as_wav() {
    let folder = Folder::with_scene();
    folder.render("a.flac", &[]);
    folder.render("a.wav", &[]);
    let (flac, wav) = (folder.bytes("a.flac"), folder.bytes("a.wav"));
    assert!(flac.starts_with(b"fLaC") && flac.len() < wav.len());
    // The stream information ends with the MD5 sum of the samples as they are in the WAV file.
    let sum: String = flac[26..42].iter().map(|byte| format!("{byte:02x}")).collect();
    let data = folder.path("data");
    fs::write(&data, &wav[44..]).expect("can be written");
    if let Ok(output) = Command::new("md5sum").arg(&data).output() {
        assert!(String::from_utf8_lossy(&output.stdout).starts_with(&sum), "{sum}");
    }
}

#[test]
fn a_scene_of_the_gallery_is_rendered_by_its_name_from_anywhere() {
    let folder = Folder::with_scene();
    let output = Command::new(env!("CARGO_BIN_EXE_ictus"))
        .current_dir(folder.0.path())
        .args(["render", "hammered-string", "--duration", "0.2"])
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "quiet when it is no terminal: {output:?}");
    assert_eq!(names_in(folder.0.path()), ["hammered-string.wav", "short.toml"]);
    // A file wins over a scene of the gallery.
    fs::write(folder.path("hammered-string"), SCENE.replace("Short", "Mine")).expect("can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_ictus"))
        .current_dir(folder.0.path())
        .args(["check", "hammered-string"])
        .output()
        .expect("the program starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Mine"), "{output:?}");
}
