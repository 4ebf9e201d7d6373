//! From the text of a scene to its sound.

use ictus_analysis::{PitchRange, cents, fundamental};
use ictus_scene::{Instrument, Reading, Scene, Source, read};

fn scene(text: &str) -> Scene {
    let text = format!("ictus = 1\ntitle = \"test\"\n{text}");
    read(&Source::new("test.toml", text), &Reading::default()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// The first channel of some seconds from the start.
fn listen(instrument: &mut Instrument, seconds: f64) -> Vec<f64> {
    let mut sound = vec![0.0; (seconds * instrument.rate()) as usize * instrument.channels()];
    instrument.process(&mut sound);
    sound.into_iter().step_by(instrument.channels()).collect()
}

fn out_of_tune(sound: &[f64], expected: f64) -> f64 {
    let range = PitchRange { lowest: 0.7 * expected, highest: 1.4 * expected };
    cents(expected, fundamental(sound, 48_000.0, range).unwrap().expect("a pitch").frequency)
}

const C4: f64 = 261.625_565_3;
const E4: f64 = 329.627_556_9;

#[test]
fn a_set_of_struck_strings_plays_its_notes_in_tune() {
    let scene = scene(
        r#"
        [sets.strings]
        notes = ["C4", "E4", "G4"]
        object = { kind = "string", length = { low = "0.5 m", high = "0.3 m" } }
        exciters.mallet = { kind = "hammer", on = "each@0.12", mass = "3 g", stiffness = 5e7, exponent = 2.3 }
        exciters.felt = { kind = "finger", on = "each@0.45", damping = 2 }
        pickups.ear = { at = "each@0.85" }
        [notes]
        play = "strings.mallet"
        damper = "strings.felt"
        velocity = ["0.5 m/s", "3 m/s"]
        [[events]]
        time = "0.1 s"
        note = "E4"
        velocity = 0.7
        length = "1.2 s"
        "#,
    );
    let mut instrument = Instrument::new(&scene).unwrap();
    instrument.keep_account_of_energy(true);
    let sound = listen(&mut instrument, 1.2);
    assert!(out_of_tune(&sound[4800..], E4).abs() < 1.0);
    let late = listen(&mut instrument, 1.0);
    let energy = |sound: &[f64]| sound.iter().map(|sample| sample * sample).sum::<f64>();
    assert!(energy(&late[24_000..]) < 1e-3 * energy(&sound), "the felt has fallen");
    assert!(instrument.engine().balance().residual() <= 1e-12);
    instrument.note_on(60, 0.7);
    assert!(out_of_tune(&listen(&mut instrument, 1.0), C4).abs() < 1.0);
}

#[test]
fn a_pool_of_strings_is_bent_to_the_notes() {
    let scene = scene(
        r#"
        [sets.lute]
        notes = "C4..G4"
        voices = 2
        object = { kind = "string", length = "0.6 m" }
        exciters.nail = { kind = "pluck", on = "each@0.15" }
        pickups.ear = { at = "each@0.85" }
        [notes]
        play = "lute.nail"
        height = ["0.1 mm", "1 mm"]
        [[events]]
        time = "0 s"
        note = "E4"
        velocity = 1
        "#,
    );
    let mut instrument = Instrument::new(&scene).unwrap();
    let sound = listen(&mut instrument, 1.0);
    assert!(out_of_tune(&sound, E4).abs() < 1.0);
}

#[test]
fn a_finger_stops_strings_at_frets_and_the_one_that_is_stopped_least_plays() {
    let scene = scene(
        r#"
        [sets.strings]
        notes = ["C4", "G4"]
        object = { kind = "string", length = "0.6 m", diameter = "0.3 mm" }
        exciters.nail = { kind = "pluck", on = "each@0.85" }
        exciters.fret = { kind = "finger", on = "each@0.3", stiffness = 1e6, damping = 10 }
        pickups.ear = { at = "each@0.95" }
        [notes]
        play = "strings.nail"
        stop = "strings.fret"
        stops = [[2, 0.1091], [4, 0.2063], [7, 0.3326], [12, 0.5]]
        height = ["0.1 mm", "1 mm"]
        "#,
    );
    let map = scene.notes.as_ref().unwrap();
    assert_eq!(map.keys().collect::<Vec<_>>(), [60, 62, 64, 67, 69, 71, 72, 74, 79]);
    let mut instrument = Instrument::new(&scene).unwrap();
    instrument.keep_account_of_energy(true);
    // Up, down and open again, without a reset between: the finger goes where it is wanted.
    for key in [60, 64, 72, 62, 60, 79, 67] {
        instrument.note_on(key, 0.7);
        let sound = listen(&mut instrument, 1.5);
        let expected = 440.0 * ((f64::from(key) - 69.0) / 12.0).exp2();
        // A string of some eighty modes gives way over several mm, so what is left of it is a little shorter.
        let off = out_of_tune(&sound[24_000..], expected);
        assert!(off.abs() < 12.0, "key {key}: {off} cents");
        instrument.note_off(key);
    }
    // G4 is the open second string, not the first one stopped at its seventh semitone.
    instrument.reset();
    instrument.note_on(67, 0.7);
    listen(&mut instrument, 0.3);
    let energy = |name: &str| {
        let object = scene.model.objects.iter().position(|object| object.name == name).unwrap();
        instrument.engine().object_energy(ictus::id::ObjectId::new(object)).unwrap()
    };
    assert!(energy("strings.G4") > 1e3 * energy("strings.C4"));
    assert!(instrument.engine().balance().residual() <= 1e-11);
}

#[test]
fn a_set_is_built_to_the_tuning_of_the_keys() {
    let text = |cents: &str| {
        format!(
            r#"
            [sets.bars]
            notes = ["C4", "E4", "A4"]
            object = {{ kind = "bar", length = "0.3 m" }}
            exciters.mallet = {{ kind = "hammer", on = "each@0.5", mass = "10 g", stiffness = 1e7 }}
            pickups.ear = {{ at = "each@0.5" }}
            [notes]
            play = "bars.mallet"
            velocity = ["0.5 m/s", "3 m/s"]
            {cents}
            [controls.hardness]
            parameter = "bars.mallet.stiffness"
            range = [1e5, 1e9]
            scale = "log"
            "#
        )
    };
    let just = "cents = [15.641, 0, 0, 0, 1.955, 0, 0, 0, 0, 0, 0, 0]";
    let mut instrument = Instrument::new(&scene(&text(just))).unwrap();
    for (key, pitch, deviation) in [(60, C4, 15.641), (64, E4, 1.955), (69, 440.0, 0.0)] {
        instrument.reset();
        instrument.note_on(key, 0.7);
        let off = out_of_tune(&listen(&mut instrument, 0.6), pitch) - deviation;
        assert!(off.abs() < 1.0, "key {key}: {off} cents");
    }
    // A control turned for one note leaves the others as they are.
    instrument.reset();
    instrument.note_on(60, 0.7);
    instrument.note_on(64, 0.7);
    instrument.express(60, ictus_scene::ControlId::new(0), 1e6).unwrap();
    let at = |instrument: &Instrument, path: &str| instrument.value(instrument.parameter(path).unwrap()).unwrap();
    // The note begins with it: the mallet has not moved yet.
    assert_eq!(at(&instrument, "bars.mallet.C4.stiffness"), 1e6);
    listen(&mut instrument, 0.1);
    assert!((at(&instrument, "bars.mallet.C4.stiffness") / 1e6 - 1.0).abs() < 1e-9);
    assert!((at(&instrument, "bars.mallet.E4.stiffness") / 1e7 - 1.0).abs() < 1e-9);
    // While it sounds, it follows without a step.
    instrument.express(60, ictus_scene::ControlId::new(0), 1e7).unwrap();
    assert!((at(&instrument, "bars.mallet.C4.stiffness") / 1e6 - 1.0).abs() < 1e-9);
    assert!(instrument.express(60, ictus_scene::ControlId::new(1), 1e6).is_err());
    // It is said of that note only: the next one on the same bar has the mallet that is written, unless the control has been turned since.
    instrument.note_off(60);
    instrument.note_on(60, 0.7);
    listen(&mut instrument, 0.1);
    let at = |instrument: &Instrument, path: &str| instrument.value(instrument.parameter(path).unwrap()).unwrap();
    assert!((at(&instrument, "bars.mallet.C4.stiffness") / 1e7 - 1.0).abs() < 1e-9);
    instrument.express(60, ictus_scene::ControlId::new(0), 1e6).unwrap();
    instrument.turn(ictus_scene::ControlId::new(0), 1e8).unwrap();
    instrument.note_on(60, 0.7);
    listen(&mut instrument, 0.1);
    assert!((at(&instrument, "bars.mallet.C4.stiffness") / 1e8 - 1.0).abs() < 1e-9);
    for wrong in ["cents = [1, 2]", "cents = [\"a\"]", "cents = 3", "cents = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1e9]"] {
        let text = format!("ictus = 1\ntitle = \"test\"\n{}", text(wrong));
        assert!(read(&Source::new("test.toml", text), &Reading::default()).is_err(), "{wrong}");
    }
}

#[test]
fn a_hand_leaves_a_bowed_string_a_harmonic_and_one_bow_plays_one_voice_at_a_time() {
    let scene = scene(
        r#"
        [objects.string]
        kind = "string"
        pitch = "C3"
        [exciters.bow]
        kind = "bow"
        on = "string@0.12"
        [exciters.hand]
        kind = "finger"
        on = "string@0.5"
        stiffness = "300 N/m"
        damping = "0.2 N s/m"
        [pickups.ear]
        at = "string@0.9"
        [notes]
        velocity = ["0.1 m/s", "0.3 m/s"]
        voices = [
          { play = "bow", keys = ["C3", "G4"], stop = "hand", stops = [[12, 0.5], [19, 0.3333]] },
          { play = "bow", keys = "C7" },
        ]
        "#,
    );
    let mut instrument = Instrument::new(&scene).unwrap();
    for (key, harmonic) in [(48, 1.0), (60, 2.0), (67, 3.0), (48, 1.0)] {
        instrument.note_on(key, 0.6);
        let sound = listen(&mut instrument, 2.0);
        let off = out_of_tune(&sound[48_000..], harmonic * 130.8128);
        assert!(off.abs() < 20.0, "harmonic {harmonic}: {off} cents");
    }
    // The other voice takes the bow; the key that had it comes up without lifting it.
    instrument.note_on(96, 0.6);
    instrument.note_off(48);
    let sound = listen(&mut instrument, 1.0);
    assert!(sound[24_000..].iter().any(|sample| sample.abs() > 1e-4), "the bow is still there");
    assert_eq!(instrument.keys().collect::<Vec<_>>(), [96]);
}

#[test]
fn a_bow_comes_and_goes_and_a_pluck_is_where_it_is_asked_for() {
    let written = |place: f64| {
        scene(&format!(
            r#"
            [objects.string]
            kind = "string"
            pitch = "D3"
            [exciters.bow]
            kind = "bow"
            on = "string@0.1"
            [exciters.nail]
            kind = "pluck"
            on = "string@0.2"
            [pickups.ear]
            at = "string@0.9"
            [controls.pressure]
            parameter = "bow.force"
            range = ["0.1 N", "3 N"]
            value = "0.12 N"
            [[events]]
            time = "0.1 s"
            bow = "bow"
            velocity = "0.15 m/s"
            over = "50 ms"
            [[events]]
            time = "0.8 s"
            release = "bow"
            over = "50 ms"
            [[events]]
            time = "1.2 s"
            pluck = "nail"
            at = {place}
            height = "1 mm"
            "#
        ))
    };
    let heard = |place| {
        let mut instrument = Instrument::new(&written(place)).unwrap();
        instrument.keep_account_of_energy(true);
        let sound = listen(&mut instrument, 2.0);
        assert!(instrument.engine().balance().residual() <= 1e-12);
        sound
    };
    let (near, far) = (heard(0.2), heard(0.45));
    let plucked = (1.2 * 48_000.0) as usize;
    assert!(near[..plucked] == far[..plucked] && near[plucked..] != far[plucked..]);
    assert!(out_of_tune(&near[20_000..38_000], 146.832_384).abs() < 30.0, "a bowed string is a little flat or sharp");
}
