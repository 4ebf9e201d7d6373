use std::f64::consts::TAU;

use super::*;
use crate::Model;
use crate::id::ObjectId;
use crate::objects::{BodyMode, Place, t60_from_sigma};

fn modes(spec: &TubeSpec, rate: f64) -> Vec<BodyMode> {
    let engine = Model::new(rate).with("tube", spec.clone()).build().expect("it is a tube");
    engine.modes(ObjectId::new(0)).expect("it has modes").collect()
}

fn swings(spec: &TubeSpec) -> Vec<f64> {
    modes(spec, 48_000.0).iter().map(|mode| mode.frequency).filter(|frequency| *frequency > 0.0).collect()
}

/// A tube is drawn as a line of its own length; what swings outside is beyond it.
#[test]
fn a_closed_tube_has_the_odd_and_open_or_shut_ones_all_multiples_of_its_lowest_mode() {
    let wide = |ends| TubeSpec { pitch: TubePitch::Length(0.5), ends, diameter: 0.08, ..TubeSpec::default() };
    let mouth = 0.6133 * 0.04;
    for (ends, column, first, step) in [
        ([TubeEnd::Closed, TubeEnd::Open], 0.5 + mouth, 0.25, 0.5),
        ([TubeEnd::Open, TubeEnd::Closed], 0.5 + mouth, 0.25, 0.5),
        ([TubeEnd::Open, TubeEnd::Open], 0.5 + 2.0 * mouth, 0.5, 0.5),
        ([TubeEnd::Closed, TubeEnd::Closed], 0.5, 0.5, 0.5),
    ] {
        for (number, frequency) in swings(&wide(ends)).iter().take(10).enumerate() {
            let bare = (first + step * number as f64) * 343.2 / column;
            // The same drag by the books' formula, σ = c 1.2e-5 √ω/r, which is rounded.
            let drag = 343.2 * 1.2e-5 * (TAU * bare).sqrt() / 0.04 / TAU;
            assert!((frequency - (bare - drag)).abs() < 0.05 * drag, "{ends:?} {number}: {frequency}, {bare} - {drag}");
        }
    }
}

#[test]
fn a_tuned_tube_sounds_at_its_pitch_whatever_its_width_and_the_rate() {
    for (pitch, diameter, rate) in
        [(98.0, 0.06, 44_100.0), (261.63, 0.04, 48_000.0), (1046.5, 0.02, 96_000.0), (440.0, 0.008, 48_000.0)]
    {
        let spec = TubeSpec { pitch: TubePitch::Fundamental(pitch), diameter, ..TubeSpec::default() };
        let lowest = modes(&spec, rate)[0];
        let sounds = (lowest.frequency.powi(2) - (lowest.decay_rate / TAU).powi(2)).sqrt();
        let cents = 1200.0 * (sounds / pitch).log2();
        assert!(cents.abs() < 0.01, "{pitch} Hz, {diameter} m: {cents} cents");
        // Its length is that of a tube that is described by it.
        let cut = TubeSpec { pitch: TubePitch::Length(spec.length()), ..spec.clone() };
        let cents = 1200.0 * (modes(&cut, rate)[0].frequency / lowest.frequency).log2();
        assert!(cents.abs() < 0.5, "{pitch} Hz by its length: {cents} cents");
    }
}

/// Fletcher and Rossing: α = 1.2e-5 √ω/r per metre at the walls; Levine and Schwinger: ρcS (kr)²/4 at an open end.
#[test]
fn walls_and_mouth_take_what_the_books_say() {
    let spec = TubeSpec { pitch: TubePitch::Length(0.3), diameter: 0.04, ..TubeSpec::default() };
    let column = 0.3 + 0.6133 * 0.02;
    for mode in modes(&spec, 48_000.0).iter().take(4) {
        let omega = TAU * mode.frequency;
        let wall = 343.2 * 1.2e-5 * omega.sqrt() / 0.02;
        // The power ½ R v² that leaves, over twice the energy ½ m v²/2 of a quarter wave.
        let (density, area) = (1.204, std::f64::consts::PI * 0.02 * 0.02);
        let resistance = density * 343.2 * area * (omega * 0.02 / 343.2).powi(2) / 4.0;
        let mouth = 0.5 * resistance / (2.0 * 0.5 * 0.5 * density * area * column);
        assert!((mode.decay_rate / (wall + mouth) - 1.0).abs() < 0.04, "{}: {}", mode.frequency, mode.decay_rate);
    }
    let measured = t60_from_sigma(modes(&spec, 48_000.0)[0].decay_rate);
    assert!((0.3..1.5).contains(&measured), "a marimba's tube rings for some tenths of a second, not {measured}");
}

#[test]
fn what_is_no_tube_is_named() {
    let fails =
        |spec: TubeSpec| Model::new(48_000.0).with("tube", spec).build().expect_err("it is no tube").to_string();
    let usual = TubeSpec::default();
    assert!(fails(TubeSpec { diameter: 0.0, ..usual.clone() }).contains("diameter"));
    assert!(fails(TubeSpec { pitch: TubePitch::Length(f64::NAN), ..usual.clone() }).contains("length"));
    assert!(fails(TubeSpec { pitch: TubePitch::Fundamental(0.0), ..usual.clone() }).contains("fundamental"));
    assert!(fails(TubeSpec { pitch: TubePitch::Fundamental(50_000.0), ..usual.clone() }).contains("fundamental"));
    let narrow = TubeSpec { pitch: TubePitch::Fundamental(20.0), diameter: 1e-3, ..usual };
    assert!(fails(narrow).contains("so wide"), "a straw does not sing");
}

/// The place 1 is where the air swings most: there a force moves it most.
#[test]
fn the_open_end_gives_way_and_the_closed_one_does_not() {
    let engine = Model::new(48_000.0).with("tube", TubeSpec::default()).build().unwrap();
    let mut shapes = [0.0; 3];
    engine.mode_shapes_at(ObjectId::new(0), Place::Along(0.0), &mut shapes).unwrap();
    assert!(shapes.iter().all(|shape| shape.abs() < 1e-12), "{shapes:?}");
    engine.mode_shapes_at(ObjectId::new(0), Place::Along(1.0), &mut shapes).unwrap();
    assert!(shapes.iter().all(|shape| (shape.abs() - 2f64.sqrt()).abs() < 1e-12), "{shapes:?}");
}
