//! Sets of every kind of object are in tune, and gravity in a scene is that of physics: measured on what is heard.

use std::f64::consts::TAU;

use ictus::model::ObjectSpec;
use ictus_scene::{Instrument, Reading, Scene, Source, read};

fn scene(text: &str) -> Scene {
    let text = format!("ictus = 1\ntitle = \"x\"\n{text}");
    read(&Source::new("scene.toml", text), &Reading::default()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The sound of one channel.
fn heard(scene: &Scene) -> Vec<f64> {
    let mut instrument = Instrument::new(scene).unwrap();
    let mut sound = vec![0.0; (scene.duration * scene.model.rate) as usize * instrument.channels()];
    instrument.process(&mut sound);
    sound.chunks(instrument.channels()).map(|frame| frame[0]).collect()
}

/// How strongly a frequency in Hz is in a sound, under Hann's window.
fn strength(sound: &[f64], frequency: f64, rate: f64) -> f64 {
    let part = |n: usize| n as f64 / sound.len() as f64;
    let (mut real, mut imaginary) = (0.0, 0.0);
    for (n, sample) in sound.iter().enumerate() {
        let (sine, cosine) = (TAU * frequency * n as f64 / rate).sin_cos();
        let sample = sample * (1.0 - (TAU * part(n)).cos());
        (real, imaginary) = (real + sample * cosine, imaginary + sample * sine);
    }
    real.hypot(imaginary)
}

/// The strongest frequency in Hz within half a semitone of one.
fn nearest(sound: &[f64], frequency: f64, rate: f64) -> f64 {
    let (mut centre, mut step) = (frequency, 5.0);
    while step > 0.01 {
        let cents = |cents: f64| centre * (cents / 1200.0).exp2();
        let candidates = (-10..=10).map(|n| cents(f64::from(n) * step));
        let louder = |a: &f64, b: &f64| strength(sound, *a, rate).total_cmp(&strength(sound, *b, rate));
        centre = candidates.max_by(louder).unwrap();
        step /= 5.0;
    }
    centre
}

#[test]
fn any_kind_of_object_sounds_the_notes_of_its_set() {
    // A bell by its modes: hum, prime, tierce, quint and nominal, and it swings on its rope at 0 Hz.
    let bell = "kind = \"modal\", pitch = 440, points = [[1, 0.4, 1, 0.7, 0.5, 0.8]], modes = [{ frequency = 0, mass = 5 }, { frequency = 220, mass = 1, t60 = 6 }, { frequency = 440, mass = 1, t60 = 5 }, { frequency = 523, mass = 1, t60 = 4 }, { frequency = 660, mass = 1, t60 = 4 }, { frequency = 880, mass = 1, t60 = 3 }]";
    let clang = "kind = \"modal\", points = [[1, 0.5]], modes = [{ frequency = 313, mass = 1, t60 = 4 }, { frequency = 1000, mass = 1, t60 = 3 }]";
    for (object, at, partial) in [
        (bell, "each", 1.0),
        (bell, "each", 0.5),
        (bell, "each", 2.0),
        (clang, "each", 1.0),
        (clang, "each", 1000.0 / 313.0),
        ("kind = \"string\", t60 = 4", "each@0.3", 1.0),
        ("kind = \"bar\", t60 = 4", "each@0.3", 1.0),
        ("kind = \"membrane\", t60 = 4, highest = \"2 kHz\"", "each@0.3,0.4", 1.0),
        ("kind = \"membrane\", shape = \"circle\", diameter = 0.3, t60 = 4, highest = \"2 kHz\"", "each@0.4,0.5", 1.0),
        ("kind = \"plate\", t60 = 4, highest = \"2 kHz\"", "each@0.3,0.4", 1.0),
        ("kind = \"plate\", edges = \"free\", t60 = 4, highest = \"2 kHz\"", "each@0.1,0.1", 1.0),
        (
            "kind = \"plate\", shape = \"circle\", diameter = 0.3, edges = \"clamped\", t60 = 4, highest = \"2 kHz\"",
            "each@0.4,0.5",
            1.0,
        ),
        (
            "kind = \"plate\", edges = \"clamped\", material = \"spruce\", t60 = 4, highest = \"2 kHz\"",
            "each@0.4,0.4",
            1.0,
        ),
    ] {
        for (note, frequency) in [("A3", 220.0), ("F#4", 440.0 * (-0.25_f64).exp2())] {
            let scene = scene(&format!(
                "duration = 1\n[output]\nchannels = 1\nfade = 0\n[sets.s]\nnotes = [\"A3\", \"F#4\"]\nobject = {{ {object} }}\nexciters.tap = {{ kind = \"signal\", on = \"{at}\", shape = \"click\" }}\npickups.ear = {{ at = \"{at}\" }}\n[[events]]\ntime = 0\ntrigger = \"s.tap.{note}\"\n"
            ));
            let sound = heard(&scene);
            let found = nearest(&sound, partial * frequency, scene.model.rate);
            let cents = 1200.0 * (found / (partial * frequency)).log2();
            assert!(cents.abs() < 0.2, "{object}: {note}, partial {partial}: off by {cents} cents");
        }
    }
}

#[test]
fn what_moves_as_a_whole_moves_so_at_every_note_and_a_mass_stays_as_it_is_written() {
    let scene = scene(
        "[sets.bells]\nnotes = \"C4..C5\"\nobject = { kind = \"modal\", modes = [{ frequency = 0, mass = 2 }, { frequency = 300, mass = 1 }], points = [[1, 1]] }\nobjects.clapper = { kind = \"mass\", mass = \"10 g\" }\n[sets.balls]\nnotes = \"C4..C5\"\nobject = { kind = \"mass\", mass = \"5 g\" }\npickups.ear = { at = \"each\" }\n[sets.swings]\nnotes = \"C4..C5\"\nobject = { kind = \"mass\", mass = \"5 g\", frequency = { low = 2, high = 3 } }\n",
    );
    let (mut bells, mut free, mut swinging) = (0, 0, vec![]);
    for object in &scene.model.objects {
        match &object.spec {
            ObjectSpec::Modal(modal) => {
                assert_eq!(modal.modes[0].frequency, 0.0);
                bells += 1;
            }
            ObjectSpec::Mass(mass) if mass.frequency == 0.0 => free += 1,
            ObjectSpec::Mass(mass) => swinging.push(mass.frequency),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((bells, free, swinging.len()), (13, 26, 13));
    assert!((swinging[0], swinging[12]) == (2.0, 3.0) && swinging.is_sorted());
}

#[test]
fn notes_beyond_what_the_rate_holds_lose_their_highest_modes_only() {
    let scene = scene(
        "[sets.s]\nnotes = [\"C4\", \"C8\"]\nobject = { kind = \"modal\", modes = [{ frequency = 100, mass = 1 }, { frequency = 1000, mass = 2 }], points = [[1, 3], [2, 4]] }\npickups.p = { at = \"each#1\" }\n",
    );
    let modes = |index: usize| match &scene.model.objects[index].spec {
        ObjectSpec::Modal(modal) => (modal.modes.len(), modal.points.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(modes(0), (2, vec![vec![1.0, 3.0], vec![2.0, 4.0]]));
    assert_eq!(modes(1), (1, vec![vec![1.0], vec![2.0]]));
}

#[test]
fn a_free_bar_in_a_scene_falls_by_half_g_t_squared_and_is_caught_by_the_floor() {
    let text = |listen: &str| {
        format!(
            "duration = 0.5\n[output]\nchannels = 1\nfade = 0\nhighpass = 0\n[objects.bar]\nkind = \"bar\"\nmaterial = \"steel\"\n[objects.floor]\nkind = \"barrier\"\n[forces.weight]\nat = \"bar\"\ngravity = true\n[contacts.left]\nfrom = \"floor\"\nto = \"bar@0.2\"\nlaw = \"hunt-crossley\"\nstiffness = 1e7\nexponent = 1.5\ndissipation = 0.5\ngap = \"10 cm\"\n[contacts.right]\nfrom = \"floor\"\nto = \"bar@0.8\"\nlaw = \"hunt-crossley\"\nstiffness = 1e7\nexponent = 1.5\ndissipation = 0.5\ngap = \"10 cm\"\n[pickups.ear]\n{listen}\n"
        )
    };
    let falling = heard(&scene(&text("listen = \"displacement\"\nat = \"bar@0.33\"")));
    let fall_time = (2.0 * 0.1 / 9.81_f64).sqrt();
    for n in [100, 3000, (fall_time * 48_000.0) as usize - 2] {
        let time = n as f64 / 48_000.0;
        assert!((falling[n] / (-0.5 * 9.81 * time * time) - 1.0).abs() < 1e-9, "after {time} s");
    }
    assert!(falling.iter().all(|displacement| *displacement > -0.105), "the floor holds it");
    let blow = heard(&scene(&text("contact = \"left\"")));
    let first = blow.iter().position(|force| *force > 0.0).unwrap() as f64 / 48_000.0;
    assert!((first - fall_time).abs() < 1e-3 * fall_time, "it lands after {first} s, not {fall_time}");
}

#[test]
fn gravity_holds_what_hangs_on_something_that_is_held() {
    // A ball on a bar on springs; a plate hinged at one edge that lies on a wall with the other; a ball under a spring.
    let spring = "law = \"linear-cubic-spring\"\nlinear_stiffness = 1e4\n";
    let floor = "law = \"one-sided-power\"\nstiffness = 1e6\n";
    let text = format!(
        "[objects.wall]\nkind = \"barrier\"\n[objects.bar]\nkind = \"bar\"\n[objects.ball]\nkind = \"mass\"\nmass = 1e-3\n[objects.bob]\nkind = \"mass\"\nmass = 1e-3\n[objects.lid]\nkind = \"plate\"\nedges = [[\"supported\", \"free\"], [\"free\", \"free\"]]\nhighest = \"1 kHz\"\n[contacts.a]\nfrom = \"bar@0.2\"\nto = \"wall\"\n{spring}[contacts.b]\nfrom = \"bar@0.8\"\nto = \"wall\"\n{spring}[contacts.c]\nfrom = \"bar@0.5\"\nto = \"ball\"\n{floor}[contacts.d]\nfrom = \"bob\"\nto = \"wall\"\n{spring}[contacts.e]\nfrom = \"wall\"\nto = \"lid@1,0.5\"\n{floor}[pickups.p]\nat = \"bob\"\n[forces.bar_weight]\nat = \"bar\"\ngravity = true\n[forces.ball_weight]\nat = \"ball\"\ngravity = true\n[forces.bob_weight]\nat = \"bob\"\ngravity = true\n[forces.lid_weight]\nat = \"lid\"\ngravity = true\n"
    );
    assert_eq!(scene(&text).model.forces.len(), 4);
}
