//! Scenes without notes: keys strike their objects in turn.

use ictus_scene::Instrument;

use crate::host::{Host, Said, perform};
use crate::reference::scene;

const RATE: f64 = 48_000.0;

#[test]
fn keys_strike_the_objects_of_a_scene_without_notes_in_turn() {
    let text = text_of_two();
    let mut host = Host::playing(crate::host::INSTRUMENT, "two", &text);
    host.start(RATE);
    let said = [(0, Said::On(0, 60, 64)), (2400, Said::Off(0, 60)), (4800, Said::On(0, 61, 127))];
    let heard = perform(&mut host, &said, 9600, 500);

    let mut instrument = Instrument::with_hands(&scene(&text, RATE, &[])).expect("it is built");
    let mut expected = vec![0.0; 2 * 9600];
    let [string, plate] = [0, 1].map(ictus::id::ObjectId::new);
    // Key 60 is the string's turn, 61 the plate's; 60 * 7 is 20 of 25, 61 * 7 is 2 of 25 and 61 * 11 is 21.
    let along = |step: f64| 0.08 + 0.84 * step / 25.0;
    let strike = |velocity: f64| 0.1 * 60.0_f64.powf((velocity - 1.0) / 126.0);
    use ictus::objects::Place::{Along, On};
    instrument.strike(string, Along(along(20.0)), strike(64.0)).expect("it can be struck");
    instrument.process(&mut expected[..2 * 4800]);
    instrument.strike(plate, On(along(2.0), along(21.0)), strike(127.0)).expect("it can be struck");
    instrument.process(&mut expected[2 * 4800..]);
    let most = expected.iter().fold(0.0_f64, |most, sample| most.max(sample.abs()));
    let differ = expected.iter().zip(&heard).map(|(one, other)| (one - f64::from(*other)).abs()).fold(0.0, f64::max);
    assert!(most > 1e-3 && differ < 1e-6 * most, "{differ} of {most}");
}

fn text_of_two() -> String {
    r#"
    ictus = 1
    title = "A string and a plate that nobody plays"
    [objects.string]
    kind = "string"
    pitch = "C3"
    [objects.plate]
    kind = "plate"
    sides = ["30 cm", "20 cm"]
    thickness = "1 mm"
    material = "steel"
    highest = "2 kHz"
    [pickups.left]
    at = "string@0.9"
    pan = -1
    [pickups.right]
    at = "plate@0.2,0.3"
    pan = 1
    "#
    .to_owned()
}

#[test]
fn every_scene_of_the_gallery_without_notes_answers_to_keys() {
    for (name, text) in ictus_render::GALLERY {
        if scene(text, RATE, &[]).notes.is_some() {
            continue;
        }
        let said: Vec<_> = (60..72).map(|key| (800 * (usize::from(key) - 60), Said::On(0, key, 110))).collect();
        // What has to fall first is heard later.
        let played = |said: &[(usize, Said)]| perform(&mut Host::of_gallery(name, RATE), said, 24_000, 480);
        let (quiet, struck) = (played(&[]), played(&said));
        let differ = quiet.iter().zip(&struck).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
        assert!(differ > 1e-4, "{name} is deaf: {differ}");
    }
}
