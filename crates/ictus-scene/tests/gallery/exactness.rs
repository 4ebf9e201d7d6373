//! Tuned scenes, partial by partial: the first ten of each note against what they are on paper (`partials.rs`).
//!
//! A partial is measured to 0.01 cent where it is alone for ten bins and rings; half a cent is asked of all that nothing but modes, springs and
//! cords holds. Asked are the partials that are heard: those within 60 dB of the strongest of the sound. So that none goes unasked
//! because it is somewhere else, each scene says how many must be found.

use ictus::laws::ContactLaw;
use ictus::model::{Model, Object, ObjectSpec};
use ictus::objects::Place;
use ictus_analysis::{Spectrum, Window, cents, partial_near};
use ictus_scene::{Reading, Scene};

use super::partials::{held, partials};
use super::rendering::{key_alone, render, scene};
use super::tuning::frequency;

/// Partials that are asked for.
const PARTIALS: usize = 10;

/// A partial this far below the strongest, in dB, is not asked for.
const HEARD: f64 = -60.0;

/// Where a partial is looked for, in cents around what is expected.
const SEARCH: f64 = 40.0;

/// Highest partial in Hz that is asked for: below where the bodies end.
const HIGHEST: f64 = 19_000.0;

/// Farthest from paper in cents: of modes that nothing holds but springs.
pub const EXACT: f64 = 0.5;

/// Partials in Hz that are measured, and how well.
pub struct Asked {
    /// How many must be heard, of as many as the body has.
    pub least: usize,
    /// Farthest from paper in cents.
    pub within: f64,
}

/// A scene with other values of some of its keys.
fn changed(name: &str, overrides: &[(&str, &str)]) -> Scene {
    let overrides = overrides.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    scene(name, &Reading { overrides, ..Reading::default() })
}

/// How far around a partial to look, in cents, so that no other is taken for it; nothing if another is too near to tell them apart.
fn search(partial: f64, others: &[f64], bin: f64) -> Option<f64> {
    let apart = others.iter().filter(|other| **other != partial).map(|other| (partial - other).abs());
    let half = 0.5 * apart.fold(f64::INFINITY, f64::min);
    (half > 2.0 * bin).then(|| cents(partial, partial + half).min(SEARCH))
}

/// The partials of a sound are those expected. `others` may be in it too.
fn check(what: &str, sound: &[f64], rate: f64, expected: &[f64], others: &[f64], asked: &Asked) {
    let all: Vec<f64> = expected.iter().chain(others).copied().collect();
    let found = expected.iter().filter_map(|partial| {
        let search = search(*partial, &all, rate / sound.len() as f64)?;
        Some((*partial, partial_near(sound, rate, *partial, search).expect("a fair signal")?))
    });
    let spectrum = Spectrum::new(sound, rate, Window::Hann).expect("a fair signal");
    let strongest = spectrum.amplitudes().iter().fold(0.0_f64, |strongest, amplitude| strongest.max(*amplitude));
    let is_heard = |amplitude: f64| 20.0 * (amplitude / strongest).log10() >= HEARD;
    let heard: Vec<_> = found.filter(|(_, found)| is_heard(found.amplitude)).collect();
    let offs: Vec<f64> = heard.iter().map(|(partial, found)| cents(*partial, found.frequency)).collect();
    println!("{what}: {} of {} heard, off by {offs:+.3?} cents", heard.len(), expected.len());
    assert!(heard.len() >= asked.least.min(expected.len()), "{what}: only {} partials are heard", heard.len());
    for ((partial, _), off) in heard.iter().zip(offs) {
        assert!(off.abs() <= asked.within, "{what}: the partial at {partial:.2} Hz is off by {off:+.3} cents");
    }
}

/// The body that sounds a key.
fn body(model: &Model, key: u8) -> Option<&Object> {
    let sounds = |object: &&Object| {
        matches!(object.spec, ObjectSpec::String(_) | ObjectSpec::Bar(_))
            && cents(frequency(key), partials(&object.spec, 1, HIGHEST)[0]).abs() < 1.0
    };
    model.objects.iter().find(sounds)
}

/// What a body's partials are, held by its spring to a board if it has one.
fn expected(model: &Model, body: &Object) -> Vec<f64> {
    let on_a_board = |object: &str| {
        let board = model.objects.iter().find(|other| other.name == object);
        board.is_some_and(|board| matches!(board.spec, ObjectSpec::Plate(_)))
    };
    let spring =
        model.interactions.iter().find(|spring| spring.from.object == body.name && on_a_board(&spring.to.object));
    match (spring, &body.spec) {
        (Some(spring), ObjectSpec::String(string)) => {
            let Place::Along(at) = spring.from.place else { panic!("{} is not on the string", spring.name) };
            held(string, spring.law.force(1.0), at, PARTIALS)
        }
        _ => partials(&body.spec, PARTIALS, HIGHEST),
    }
}

/// Every key of a scene, played alone for a time in s with a velocity, once `attack` s have gone by.
pub fn check_keys(
    name: &str,
    overrides: &[(&str, &str)],
    keys: &[u8],
    velocity: f64,
    [attack, seconds]: [f64; 2],
    asked: &Asked,
) {
    let scene = changed(name, overrides);
    let rate = scene.model.rate;
    for &key in keys {
        let body = body(&scene.model, key).unwrap_or_else(|| panic!("{name}: nothing sounds key {key}"));
        let sound = key_alone(&scene, key, velocity, attack + seconds);
        let rest = &sound[(attack * rate) as usize..];
        check(&format!("{name}, key {key}"), rest, rate, &expected(&scene.model, body), &[], asked);
    }
}

/// One body of a scene, in a part of its sound from and to s. Strings may sound along with a string.
pub fn check_body(name: &str, overrides: &[(&str, &str)], body: &str, [start, end]: [f64; 2], asked: &Asked) {
    let scene = changed(name, overrides);
    let rate = scene.model.rate;
    let is_string = |object: &Object| matches!(object.spec, ObjectSpec::String(_));
    let (own, others): (Vec<&Object>, Vec<&Object>) =
        scene.model.objects.iter().partition(|object| object.name == body);
    let [own] = own[..] else { panic!("{name} has no {body}") };
    let others = others.into_iter().filter(|other| is_string(own) && is_string(other));
    let others: Vec<f64> = others.flat_map(|other| partials(&other.spec, 2 * PARTIALS, HIGHEST)).collect();
    let sound = render(&scene).mono();
    let part = &sound[(start * rate) as usize..(end * rate) as usize];
    check(&format!("{name}, {body}"), part, rate, &partials(&own.spec, PARTIALS, HIGHEST), &others, asked);
}
