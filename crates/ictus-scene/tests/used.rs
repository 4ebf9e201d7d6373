//! Scenes that use others: what they come to, how they sound, and what is refused.

use std::sync::Arc;

use ictus_scene::scene::{Action, Parameter};
use ictus_scene::{Files, Instrument, Missing, Passage, Reading, Scene, Source, read, write};

/// Scenes by their names; every one can use the others.
#[derive(Clone, Debug)]
struct Shelf(Arc<Vec<(String, String)>>);

impl Files for Shelf {
    fn sound(&self, _: &str, passage: Passage) -> Result<Vec<f64>, Missing> {
        Ok(vec![0.5; passage.most.min(100)])
    }

    fn scene(&self, name: &str) -> Result<Source, String> {
        let found = self.0.iter().find(|(known, _)| known == name).ok_or("does not exist")?;
        Ok(Source::new(name, &*found.1).with_files(Arc::new(self.clone())))
    }
}

fn shelf(scenes: &[(&str, &str)]) -> Arc<Shelf> {
    Arc::new(Shelf(Arc::new(scenes.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())))
}

const BAR: &str = r#"
ictus = 1
title = "Bar"
duration = "0.4 s"
rate = 8000
[objects.bar]
kind = "bar"
length = "30 cm"
highest = "3 kHz"
[exciters.mallet]
kind = "hammer"
on = "bar@0.3"
mass = { between = ["10 g", "30 g"] }
stiffness = 1e7
[exciters.hum]
kind = "signal"
on = "bar@0.4"
file = "sounds/hum.wav"
[contacts.stop]
from = "floor"
to = "bar@0.9"
law = "hunt-crossley"
stiffness = 1e6
gap = "1 mm"
[objects.floor]
kind = "barrier"
[pickups.ear]
at = "bar@0.1"
gain = "-10 dB"
pan = -0.5
[controls.hardness]
parameter = "mallet.stiffness"
range = [1e6, 1e8]
[[events]]
time = 0
strike = "mallet"
velocity = "1 m/s"
[[events]]
time = "0.1 s"
turn = "hardness"
to = 2e7
[[events]]
time = "0.2 s"
set = "ear.gain"
to = 0.5
over = "10 ms"
"#;

const STRING: &str = r#"
ictus = 1
title = "String"
duration = "0.4 s"
[output]
gain = 0.5
[objects.string]
kind = "string"
pitch = "A3"
highest = "3 kHz"
[exciters.pick]
kind = "pluck"
on = "string@0.2"
[exciters.felt]
kind = "finger"
on = "string@0.5"
[pickups.ear]
at = "string@0.9"
[[events]]
time = 0
pluck = "pick"
[[events]]
time = "0.2 s"
damp = "felt"
"#;

fn host(keys: &str, tables: &str) -> String {
    format!("ictus = 1\ntitle = \"Both\"\nrate = 8000\n{keys}\n{tables}")
}

fn scene_of(text: &str, scenes: &[(&str, &str)]) -> Scene {
    let source = Source::new("both.toml", text).with_files(shelf(scenes));
    read(&source, &Reading::default()).unwrap_or_else(|problems| panic!("{}", problems.render(120, false)))
}

fn alone(text: &str) -> Scene {
    let options = Reading { rate: Some(8000.0), ..Reading::default() };
    read(&Source::new("alone.toml", text).with_files(shelf(&[])), &options).unwrap()
}

fn told(text: &str, scenes: &[(&str, &str)]) -> String {
    let source = Source::new("both.toml", text).with_files(shelf(scenes));
    let problems = read(&source, &Reading::default()).expect_err("is refused");
    problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
}

fn sound(scene: &Scene, seconds: f64) -> Vec<f64> {
    let mut instrument = Instrument::new(scene).unwrap();
    let mut sound = vec![0.0; (seconds * scene.model.rate) as usize * instrument.channels()];
    instrument.process(&mut sound);
    sound
}

const BOTH: [(&str, &str); 2] = [("bar.toml", BAR), ("low/string.toml", STRING)];

/// Nothing joins the two: each sounds as it does alone, later and by its gain.
#[test]
fn scenes_together_sound_as_they_do_alone() {
    let uses = "use = [\"bar.toml\", { scene = \"low/string.toml\", time = \"0.1 s\", gain = 2 }]";
    let scene = scene_of(&host(uses, ""), &BOTH);
    assert!((scene.duration - 0.5).abs() < 1e-12, "to the end of the last");
    let both = sound(&scene, 0.5);
    let [bar, string] = [BAR, STRING].map(|text| sound(&alone(text), 0.5));
    let later = 2 * 800;
    // The gain of the output is that of its pickups here, so that the filter behind them rounds otherwise.
    let expected = |n: usize| bar[n] + if n < later { 0.0 } else { 2.0 * string[n - later] };
    let peak = both.iter().fold(0.0f64, |peak, sample| peak.max(sample.abs()));
    let worst = both.iter().enumerate().map(|(n, sample)| (sample - expected(n)).abs()).fold(0.0, f64::max);
    assert!(peak > 0.01 && worst < 1e-12 * peak.max(1.0), "{worst} of {peak}");
}

#[test]
fn a_scene_that_uses_one_sounds_like_it_to_the_bit() {
    let scene = scene_of(&host("use = [\"bar.toml\"]", ""), &BOTH);
    let (one, other) = (sound(&scene, 0.4), sound(&alone(BAR), 0.4));
    assert!(one.iter().any(|sample| *sample != 0.0));
    assert!(one.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()));
}

#[test]
fn what_is_used_is_written_out_and_reads_back() {
    let tables = "[contacts.bridge]\nfrom = \"bar.bar@0.6\"\nto = \"string.string@0.95\"\nlaw = \"linear-cubic-spring\"\n\
        linear_stiffness = 1e4\n[exciters.hand]\nkind = \"hammer\"\non = \"string.string@0.3\"\nmass = \"5 g\"\nstiffness = 1e6\n\
        [pickups.far]\nat = \"bar.bar@0.8\"\n[[events]]\ntime = \"0.05 s\"\nstrike = [\"hand\", \"bar.mallet\"]\nvelocity = \"1 m/s\"\n\
        [[events]]\ntime = \"0.1 s\"\nset = \"string.ear.gain\"\nto = 0.25\nover = \"0.2 s\"\nscale = \"log\"\n\
        [[events]]\ntime = \"0.1 s\"\nturn = \"bar.hardness\"\nto = 3e7\nover = \"0.1 s\"\n";
    let scene = scene_of(&host("use = [\"bar.toml\", \"low/string.toml\"]", tables), &BOTH);
    let names: Vec<&str> = scene.exciters.iter().map(|exciter| &*exciter.name).collect();
    assert_eq!(names, ["bar.mallet", "bar.hum", "string.pick", "string.felt", "hand"]);
    assert!(scene.model.objects.iter().any(|object| object.name == "string.string"));
    assert_eq!(scene.pickup_names(), ["bar.ear", "string.ear", "far"]);
    assert_eq!(scene.sounds().collect::<Vec<_>>(), ["sounds/hum.wav"]);
    assert!(scene.is_random() && scene.draws()[0].path == "bar.mallet.mass");
    let paths: Vec<String> = scene.parameters().into_iter().map(|parameter| parameter.path).collect();
    for path in ["bar.hardness", "bar.mallet.stiffness", "bar.bar.losses", "string.ear.pan", "bar.bar.length"] {
        assert!(paths.iter().any(|known| known == path), "{path}");
    }
    let logarithmic = |action: &Action| matches!(action, Action::Set { logarithmic: true, .. });
    assert!(scene.score.iter().any(|event| logarithmic(&event.action)));
    let text = write(&scene).unwrap();
    assert!(text.contains("[exciters.\"bar.mallet\"]\nkind = \"hammer\""), "{text}");
    assert!(!text.contains("use ="), "{text}");
    let again = scene_of(&text, &[]);
    assert!(again == scene, "{text}");
    assert_eq!(sound(&again, 0.3), sound(&scene, 0.3));
}

#[test]
fn what_is_set_reaches_the_scene_that_is_used() {
    let source =
        Source::new("both.toml", host("use = [{ scene = \"bar.toml\", name = \"low\" }]", "")).with_files(shelf(&BOTH));
    let set = |name: &str, value: &str| {
        let overrides = vec![(name.to_owned(), value.to_owned())];
        read(&source, &Reading { overrides, ..Reading::default() })
    };
    let scene = set("low.mallet.velocity", "3 m/s").unwrap();
    assert_eq!(scene.exciters[0].amount, 3.0);
    let scene = set("low.mallet.at", "0.45").unwrap();
    assert!(
        matches!(&scene.score[0].action, Action::Set { targets, .. } if matches!(targets[..], [Parameter::Along(..)]))
    );
    let refused = set("low.mallet.velocty", "3 m/s").unwrap_err();
    let message = &refused.iter().next().unwrap().message;
    assert!(message.contains("`bar.toml` is no scene") && message.contains("velocty"), "{message}");
}

#[test]
fn two_copies_differ_by_their_seeds() {
    let uses = "use = [{ scene = \"bar.toml\", name = \"a\" }, { scene = \"bar.toml\", name = \"b\" }, \
        { scene = \"bar.toml\", name = \"c\", seed = 7 }]";
    let scene = scene_of(&host(uses, ""), &BOTH);
    let mass = |name: &str| scene.draws().iter().find(|draw| draw.path == format!("{name}.mallet.mass")).unwrap().value;
    assert!(mass("a") == mass("b") && mass("a") != mass("c"));
}

#[test]
fn one_keyboard_is_lent_and_two_that_play_are_refused() {
    let keys = "[notes]\nplay = \"mallet\"\n";
    let (quiet, plays) = (format!("{BAR}{keys}"), format!("{BAR}[[events]]\ntime = 0\nnote = \"C4\"\n{keys}"));
    let scenes = [("quiet.toml", &*quiet), ("plays.toml", &*plays), ("bar.toml", BAR)];
    let scene = scene_of(&host("use = [\"plays.toml\", \"bar.toml\"]", ""), &scenes);
    assert_eq!(
        scene.notes.unwrap().voices[0].exciter,
        scene
            .exciters
            .iter()
            .position(|exciter| exciter.name == "plays.mallet")
            .map(ictus_scene::ExciterId::new)
            .unwrap()
    );
    assert!(
        scene_of(&host("use = [\"quiet.toml\", { scene = \"quiet.toml\", name = \"other\" }]", ""), &scenes)
            .notes
            .is_none()
    );
    let message = told(&host("use = [\"quiet.toml\", \"plays.toml\"]", ""), &scenes);
    assert_eq!(message, "`plays` plays keys, and it is not the only one of these scenes with [notes]");
}

#[test]
fn circles_and_other_mistakes_are_told() {
    let uses = |name: &str| format!("ictus = 1\ntitle = \"x\"\nuse = [\"{name}\"]\n");
    let (a, b) = (uses("b.toml"), uses("a.toml"));
    let wide: String = (0..9).map(|n| format!("{{ scene = \"bar.toml\", name = \"n{n}\" }}, ")).collect();
    let wide = format!("ictus = 1\ntitle = \"wide\"\nuse = [{wide}]\n");
    let many: String = (0..9).map(|n| format!("{{ scene = \"wide.toml\", name = \"n{n}\" }}, ")).collect();
    let faulty = BAR.replace("length = \"30 cm\"", "lenght = \"30 cm\"");
    let mono = BAR.replace("pan = -0.5", "") + "[output]\nchannels = 4\n";
    let scenes = [
        ("a.toml", &*a),
        ("b.toml", &*b),
        ("bar.toml", BAR),
        ("wide.toml", &*wide),
        ("faulty.toml", &*faulty),
        ("four.toml", &*mono),
    ];
    let told = |keys: &str, tables: &str| told(&host(keys, tables), &scenes);
    assert_eq!(
        told("use = [\"a.toml\"]", ""),
        "`a.toml` is no scene: in line 3 `b.toml` is no scene: in line 3 `a.toml` uses itself, or is used by what it uses"
    );
    assert_eq!(told("use = [\"gone.toml\"]", ""), "`gone.toml` does not exist");
    assert_eq!(
        told("use = [\"faulty.toml\"]", "[pickups.more]\nat = \"faulty.bar@0.2\""),
        "`faulty.toml` is no scene: in line 8 a bar has no key `lenght`"
    );
    assert_eq!(told("use = [\"bar.toml\", \"bar.toml\"]", ""), "two scenes are called `bar`");
    assert!(
        told("use = [\"bar.toml\"]", "[objects.bar]\nkind = \"mass\"\nmass = 1")
            .contains("the name `bar` is used twice")
    );
    assert!(
        told("use = [\"bar.toml\"]", "[objects.\"bar.x\"]\nkind = \"mass\"\nmass = 1")
            .contains("is a name of the scene `bar`")
    );
    assert!(told("use = [{ scene = \"bar.toml\", name = \"a b\" }]", "").contains("cannot be what the things"));
    assert!(told("use = [{ file = \"bar.toml\" }]", "").contains("`file`"));
    assert!(told("use = [\"four.toml\"]", "").contains("`four` has 4 channels, this scene 2"));
    assert!(told("use = 3", "").contains("`use` cannot be"));
    assert!(told(&format!("use = [{many}]"), "").contains("more than 64 scenes are used"));
    assert!(told("use = [\"bar.toml\"]", "[limits]\ninteractions = 1").contains("the limit is 1"));
    let problems = read(&Source::new("text.toml", host("use = [\"bar.toml\"]", "")), &Reading::default()).unwrap_err();
    assert!(problems.iter().any(|problem| problem.message == "`bar.toml` cannot be read: this text has no folder"));
}
