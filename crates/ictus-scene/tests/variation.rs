//! Numbers that are drawn from the seed: within their ranges, spread as they say, the same for the same seed, anew for each repeat, and
//! clear messages where a range cannot be.

use ictus_scene::scene::{Action, Scene};
use ictus_scene::{Instrument, Reading, Source, read, write};

const HEAD: &str = "ictus = 1\ntitle = \"drops ± some\"\n[objects.string]\nkind = \"string\"\npitch = \"A2\"\n[pickups.ear]\nat = \"string@0.9\"\n";

fn mallet(mass: &str) -> String {
    format!(
        "{HEAD}[exciters.mallet]\nkind = \"hammer\"\non = \"string@0.12\"\nmass = {mass}\nstiffness = 1e8\n[[events]]\ntime = 0\nstrike = \"mallet\"\n"
    )
}

fn scene_of(text: &str, seed: u64) -> Scene {
    let options = Reading { seed: Some(seed), ..Reading::default() };
    read(&Source::new("drawn.toml", text), &options).unwrap_or_else(|problems| panic!("{text}\n{problems:?}"))
}

fn message(text: &str) -> String {
    match read(&Source::new("drawn.toml", text), &Reading::default()) {
        Ok(_) => panic!("this scene is right:\n{text}"),
        Err(problems) => problems.render(200, false),
    }
}

/// The values of a number over many seeds.
fn drawn(text: &str, path: &str, count: u64) -> Vec<f64> {
    let value = |seed| {
        let scene = scene_of(text, seed);
        let draws: Vec<_> = scene.draws().iter().filter(|draw| draw.path == path).collect();
        assert_eq!(draws.len(), 1, "{path} in {:?}", scene.draws());
        draws[0].value
    };
    (1..=count).map(value).collect()
}

fn mean_and_deviation(values: &[f64]) -> [f64; 2] {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
    [mean, square.sqrt()]
}

#[test]
fn a_range_is_filled_evenly_and_a_spread_is_normal_and_cut() {
    for (written, low, high, mean, deviation) in [
        ("{ between = [\"4 g\", \"6 g\"] }", 4e-3, 6e-3, 5e-3, 2e-3 / 12f64.sqrt()),
        ("\"5 g ± 20 %\"", 4e-3, 6e-3, 5e-3, 2e-3 / 12f64.sqrt()),
        ("\"5 ± 1 g\"", 4e-3, 6e-3, 5e-3, 2e-3 / 12f64.sqrt()),
        ("\"5 g +- 1\"", 4e-3, 6e-3, 5e-3, 2e-3 / 12f64.sqrt()),
        // Cut at three deviations a normal number has 0.98658 of its deviation.
        ("{ around = \"5 g\", spread = \"10 %\" }", 3.5e-3, 6.5e-3, 5e-3, 0.98658 * 0.5e-3),
    ] {
        let values = drawn(&mallet(written), "mallet.mass", 400);
        assert!(values.iter().all(|value| (low..=high).contains(value)), "{written}: {values:?}");
        let [found, spread] = mean_and_deviation(&values);
        assert!((found - mean).abs() < 4.0 * deviation / 20.0, "{written}: mean {found}");
        assert!((spread / deviation - 1.0).abs() < 0.12, "{written}: deviation {spread}, expected {deviation}");
    }
}

#[test]
fn ratios_are_drawn_evenly_in_their_logarithm() {
    let logarithms: Vec<f64> =
        drawn(&mallet("{ between = [\"1 g\", \"100 g\"], scale = \"log\" }"), "mallet.mass", 400)
            .into_iter()
            .map(|mass| (mass / 1e-3).log10())
            .collect();
    let [mean, deviation] = mean_and_deviation(&logarithms);
    assert!((mean - 1.0).abs() < 0.12 && (deviation / (2.0 / 12f64.sqrt()) - 1.0).abs() < 0.1, "{mean} {deviation}");
    // Half a semitone, and 6 dB.
    let text = mallet("\"5 g\"").replace("pitch = \"A2\"", "pitch = \"A2 ± 50 cents\"");
    let text = text.replace("at = \"string@0.9\"", "at = \"string@0.9\"\ngain = \"-12 dB ± 6 dB\"");
    for value in drawn(&text, "string.pitch", 60) {
        assert!((1200.0 * (value / 110.0).log2()).abs() <= 50.0 + 1e-9, "{value}");
    }
    assert!(drawn(&text, "ear.gain", 60).iter().all(|gain| (20.0 * gain.log10() + 12.0).abs() <= 6.0 + 1e-9));
}

#[test]
fn the_value_that_is_drawn_is_the_one_that_sounds() {
    let scene = scene_of(&mallet("\"5 g ± 40 %\""), 7);
    let mass = scene.draws()[0].value;
    let mallet = scene.model.objects.iter().find(|object| object.name == "mallet").expect("its mass");
    let ictus::model::ObjectSpec::Mass(spec) = &mallet.spec else { panic!("{mallet:?}") };
    assert_eq!(spec.mass, mass);
    assert!(scene.is_random() && !scene_of(&self::mallet("\"5 g\""), 7).is_random());
    assert_eq!(scene, scene_of(&self::mallet("\"5 g ± 40 %\""), 7), "the same seed, the same scene");
    assert_ne!(scene, scene_of(&self::mallet("\"5 g ± 40 %\""), 8));
}

#[test]
fn another_number_in_the_text_changes_no_draw() {
    let alone = scene_of(&mallet("\"5 g ± 40 %\""), 3);
    let text = mallet("\"5 g ± 40 %\"").replace("pitch = \"A2\"", "# a comment\npitch = \"110 Hz ± 1 %\"");
    let beside = scene_of(&text, 3);
    let of = |scene: &Scene| scene.draws().iter().find(|draw| draw.path == "mallet.mass").map(|draw| draw.value);
    assert_eq!(of(&alone), of(&beside));
    assert_eq!(beside.draws().len(), 2);
}

fn strokes(scene: &Scene) -> Vec<(f64, f64)> {
    let stroke = |event: &ictus_scene::scene::Event| match event.action {
        Action::Play { amount, .. } => Some((event.time, amount)),
        _ => None,
    };
    scene.score.iter().filter_map(stroke).collect()
}

#[test]
fn each_repeat_of_an_event_draws_anew() {
    let text = mallet("\"5 g\"").replace(
        "time = 0\nstrike = \"mallet\"\n",
        "time = 0\nstrike = \"mallet\"\nvelocity = \"2 m/s ± 10 %\"\nat = { between = [0.1, 0.3] }\nevery = \"0.25 s ± 10 ms\"\ntimes = 40\n",
    );
    let scene = scene_of(&text, 1);
    let strokes = strokes(&scene);
    assert_eq!(strokes.len(), 40);
    let mut velocities: Vec<f64> = strokes.iter().map(|(_, velocity)| *velocity).collect();
    assert!(velocities.iter().all(|velocity| (1.8..=2.2).contains(velocity)));
    velocities.sort_by(f64::total_cmp);
    velocities.dedup();
    assert_eq!(velocities.len(), 40, "no two alike");
    let steps: Vec<f64> = strokes.windows(2).map(|two| two[1].0 - two[0].0).collect();
    assert!(steps.iter().all(|step| (0.24..=0.26).contains(step)), "{steps:?}");
    assert!(steps.windows(2).any(|two| (two[0] - two[1]).abs() > 1e-3));
    let places: Vec<f64> = scene
        .score
        .iter()
        .filter_map(|event| match &event.action {
            Action::Set { value, .. } => Some(*value),
            _ => None,
        })
        .collect();
    assert!(places.len() == 40 && places.iter().all(|place| (0.1..=0.3).contains(place)));
    // All that was drawn is listed: a velocity, a place and a step for each.
    assert_eq!(scene.draws().len(), 3 * 40, "{:?}", &scene.draws()[..5]);
    let listed = scene.draws().iter().find(|draw| draw.path == "events.0.velocity[7]").expect("the eighth");
    assert_eq!(listed.value, strokes[7].1);
}

#[test]
fn every_note_of_a_set_draws_its_own() {
    let text = "ictus = 1\ntitle = \"x\"\n[sets.bars]\nnotes = \"C4..C5 major\"\nobject = { kind = \"bar\", length = { low = \"35 cm\", high = \"20 cm\" }, material = \"rosewood\" }\nexciters.mallet = { kind = \"hammer\", on = \"each@0.4\", mass = \"30 g ± 10 %\", stiffness = 1e8 }\npickups.under = { at = \"each@0.1\" }\n[[events]]\ntime = 0\nstrike = \"bars.mallet\"\n";
    let scene = scene_of(text, 1);
    let mut values: Vec<f64> = scene.draws().iter().map(|draw| draw.value).collect();
    assert_eq!(scene.draws().iter().filter(|draw| draw.path.starts_with("bars.mallet.mass[")).count(), 8);
    values.sort_by(f64::total_cmp);
    values.dedup();
    assert_eq!(values.len(), 8, "{:?}", scene.draws());
}

#[test]
fn places_in_texts_and_whole_numbers_are_drawn_too() {
    let text = mallet("\"5 g\"")
        .replace("string@0.12", "string@0.2 ± 0.1")
        .replace("strike = \"mallet\"\n", "strike = \"mallet\"\nevery = \"0.1 s\"\ntimes = { between = [2, 9] }\n");
    let mut counts = [0; 10];
    for seed in 1..=160 {
        let scene = scene_of(&text, seed);
        let place = scene.draws().iter().find(|draw| draw.path == "mallet.on.0").expect("its place").value;
        assert!((0.1..=0.3).contains(&place));
        counts[strokes(&scene).len()] += 1;
    }
    assert!(counts[..2] == [0, 0] && counts[2..].iter().all(|count| (6..=40).contains(count)), "{counts:?}");
}

#[test]
fn a_drawn_scene_written_out_is_the_scene_that_was_drawn() {
    let text = mallet("\"5 g ± 40 %\"").replace(
        "strike = \"mallet\"\n",
        "strike = \"mallet\"\nvelocity = \"2 m/s ± 10 %\"\nevery = \"0.25 s\"\ntimes = 8\n",
    );
    let scene = scene_of(&text, 5);
    let written = write(&scene).expect("can be written");
    assert!(!written.contains('±') || written.contains("title"), "{written}");
    let back = read(&Source::new("back.toml", written), &Reading::default()).expect("reads back");
    assert_eq!(back, scene);
    assert!(back.draws().is_empty());
}

#[test]
fn an_override_and_a_text_draw_alike() {
    let in_text = scene_of(&mallet("\"5 g ± 40 %\""), 9);
    let options =
        Reading { seed: Some(9), overrides: vec![("mallet.mass".into(), "5 g ± 40 %".into())], ..Reading::default() };
    let by_override = read(&Source::new("x.toml", mallet("1")), &options).expect("is right");
    assert_eq!(in_text, by_override);
}

#[test]
fn times_are_lists_beats_and_patterns() {
    let score = |event: &str| {
        let text = mallet("\"5 g\"").replace("time = 0\nstrike = \"mallet\"\n", event);
        strokes(&scene_of(&text.replace("ictus = 1\n", "ictus = 1\ntempo = \"90 bpm\"\n"), 1))
    };
    let near = |found: &[(f64, f64)], expected: &[(f64, f64)]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (one, other) in found.iter().zip(expected) {
            assert!((one.0 - other.0).abs() < 1e-12 && (one.1 - other.1).abs() < 1e-12, "{found:?}");
        }
    };
    near(
        &score("time = [0.5, \"3 beats\", \"1 s\"]\nstrike = \"mallet\"\nvelocity = 2\n"),
        &[(0.5, 2.0), (1.0, 2.0), (2.0, 2.0)],
    );
    near(
        &score(
            "time = \"1 beat\"\nstrike = \"mallet\"\nvelocity = 3\nevery = \"0.5 beats\"\npattern = \"x.3 | ..6\"\ntimes = 2\n",
        ),
        &[0, 2, 5, 6, 8, 11].map(|step| {
            (2.0 / 3.0 + f64::from(step) / 3.0, [3.0, 1.0, 2.0][[0, 2, 5].iter().position(|s| *s == step % 6).unwrap()])
        }),
    );
    let chance = score("time = 0\nstrike = \"mallet\"\nevery = \"10 ms\"\ntimes = 1000\nprobability = 0.3\n");
    // Three deviations of a binomial distribution.
    assert!((chance.len() as f64 - 300.0).abs() < 3.0 * (1000.0 * 0.3 * 0.7f64).sqrt(), "{}", chance.len());
}

#[test]
fn what_cannot_be_drawn_is_told() {
    for (written, words) in [
        ("{ between = [\"6 g\", \"4 g\"] }", "the range of `mass` is upside down: from 0.006 kg to 0.004 kg"),
        ("{ between = [\"6 g\"] }", "`between` is a list of two"),
        ("{ between = 3 }", "`between` is a list of two"),
        ("{ between = [\"6 m\", \"7 m\"] }", "`m` is the unit of a length"),
        ("{ between = [\"-1 g\", \"4 g\"] }", "`mass` is -0.001 kg, must be from"),
        ("{ between = [1, 2], scle = \"log\" }", "did you mean `scale`?"),
        ("{ between = [1, 2], scale = \"cubic\" }", "`scale` cannot be \"cubic\""),
        ("{ around = \"5 g\" }", "`mass` does not say from where to where"),
        ("{ around = \"5 g\", spread = \"50 %\" }", "`mass` goes down to"),
        ("{ around = \"5 g\", spread = \"-10 %\" }", "must be 0 or more"),
        ("\"5 g ± 10 furlongs\"", "`furlongs` is not a unit"),
        ("\"heavy ± 10 %\"", "this does not begin with a number"),
        ("\"5 g ± 200 %\"", "`mass` goes down to -0.005 kg"),
        ("{ around = \"5 g\", spread = \"20 cents\" }", "`cents`"),
        ("\"5 g ±\"", "this does not begin with a number"),
    ] {
        let told = message(&mallet(written));
        assert!(told.contains(words), "{written}: {told}");
    }
    let event = |keys: &str| message(&mallet("\"5 g\"").replace("time = 0\n", &format!("time = 0\n{keys}\n")));
    for (keys, words) in [
        ("pattern = \"x..q\"\nevery = 0.1", "`q` is no step of a pattern"),
        ("pattern = \"\"\nevery = 0.1", "a pattern has from 1 to 10000 steps"),
        ("pattern = \"x.\"", "`pattern` needs `every`"),
        ("probability = 1.5", "`probability` is 1.5, must be from 0 to 1"),
        ("every = 1\ntimes = { between = [0, 3] }", "`times` goes from 0 to 3"),
        ("every = 1\ntimes = 100000\npattern = \"xx\"", "happens 200000 times; at most 100000"),
    ] {
        let told = event(keys);
        assert!(told.contains(words), "{keys}: {told}");
    }
    let gain = |gain: &str| message(&mallet("1").replace("[exciters", &format!("gain = {gain}\n[exciters")));
    for written in ["{ around = -0.5, spread = \"3 dB\" }", "\"-0.5 ± 3 dB\""] {
        let told = gain(written);
        assert!(told.contains("a spread in ratios needs a value above 0"), "{told}");
    }
    let pitch = message(&mallet("1").replace("\"A2\"", "\"H2\""));
    assert!(pitch.contains("this is not a note of the keyboard"), "{pitch}");
    let point = message(&mallet("1").replace("string@0.12", "string@0.1 ± 0.3"));
    assert!(point.contains("`place` goes down to -0.1"), "{point}");
}

#[test]
fn a_scene_with_ranges_plays() {
    let scene = scene_of(&mallet("\"5 g ± 40 %\""), 2);
    let mut instrument = Instrument::new(&scene).expect("can be built");
    let mut block = vec![0.0; 4800 * instrument.channels()];
    instrument.process(&mut block);
    assert!(block.iter().any(|sample| *sample != 0.0) && block.iter().all(|sample| sample.is_finite()));
}
