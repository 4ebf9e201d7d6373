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
