//! A lossless flexible string over a flat barrier as long as itself: the sound converges as the rate rises.
//!
//! Every grid point, or every node of its modes, can touch, hard (K = 1e9 per metre), for two periods and a half. On the stability bound of the grid it did
//! not converge: 78, 84, 38 and 40 % off at 48, 96, 192 and 384 kHz.

use ictus::Model;
use ictus::id::ObjectId;
use ictus::laws::OneSidedPower;
use ictus::model::{Interaction, Point, Spread, Start};
use ictus::objects::{BarrierSpec, Loss, Method, Place, Profile, StringMass, StringPitch, StringSpec};

const LENGTH: f64 = 0.65;
const WAVE_SPEED: f64 = 200.0;
const LINEAR_DENSITY: f64 = 5e-3;
/// Places along the string that are compared.
const PLACES: usize = 39;
/// Times that are compared, 1/48 ms apart: 20 ms.
const TIMES: usize = 960;

/// Displacements at all places, time after time, at a multiple of 48 kHz.
///
/// On its grid the string is at rest half a sample before its first: the times are odd multiples of 1/96 ms after that at any rate. In modes it
/// is at rest at the first: they are multiples of 1/48 ms.
fn displacements(multiple: usize, method: Method) -> Vec<f64> {
    let string = StringSpec {
        length: LENGTH,
        pitch: StringPitch::Tension(LINEAR_DENSITY * WAVE_SPEED * WAVE_SPEED),
        mass: StringMass::PerLength(LINEAR_DENSITY),
        youngs_modulus: 0.0,
        loss: Loss::None,
        method,
        ..StringSpec::default()
    };
    let start = Start { centre: Place::Along(0.28), half_width: 0.12, displacement: 5e-3, velocity: 0.0 };
    let law = OneSidedPower::new(1e9, 1.5, 0.0).unwrap();
    let mut table = Interaction::new("table", Point::of("table"), Point::of("string"), law);
    table.spread = Some(Spread::Profile(Profile::Flat { height: -1e-3 }));
    let mut model = Model::new(48e3 * multiple as f64)
        .with("string", string)
        .starting(start)
        .with("table", BarrierSpec::default())
        .join(table);
    model.limits.contact_events = 0;
    let mut engine = model.build().unwrap();
    let mut shape = || {
        let at = |place: usize| Place::Along(place as f64 / (PLACES + 1) as f64);
        let shape: Vec<f64> =
            (1..=PLACES).map(|place| engine.displacement(ObjectId::new(0), at(place)).unwrap()).collect();
        engine.advance(1);
        shape
    };
    // The samples around a time that lies between them.
    let mut samples = vec![shape()];
    let mut compared = Vec::with_capacity(TIMES * PLACES);
    for time in 1..=TIMES {
        let middle = multiple * time + multiple / 2;
        while samples.len() < middle + 2 {
            samples.push(shape());
        }
        if multiple == 1 || method == Method::Modes {
            compared.extend(&samples[multiple * time]);
            continue;
        }
        let sample = |offset: usize, place: usize| samples[middle + offset - 2][place];
        compared.extend(
            (0..PLACES).map(|place| {
                (9.0 * (sample(1, place) + sample(2, place)) - sample(0, place) - sample(3, place)) / 16.0
            }),
        );
    }
    compared
}

/// Root of the mean square of the difference, over that of the reference.
fn error(of: &[f64], reference: &[f64]) -> f64 {
    let squares: f64 = of.iter().zip(reference).map(|(a, b)| (a - b) * (a - b)).sum();
    (squares / reference.iter().map(|b| b * b).sum::<f64>()).sqrt()
}

fn converges(method: Method, multiples: &[usize], finest: usize, first: f64) {
    let reference = displacements(finest, method);
    let errors: Vec<f64> =
        multiples.iter().map(|multiple| error(&displacements(*multiple, method), &reference)).collect();
    println!("{errors:.5?}");
    assert!(errors[0] < first, "{errors:?}");
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.45 * pair[0], "{errors:?}");
    }
}

#[test]
fn a_string_on_its_grid_on_a_flat_barrier_converges_with_the_rate() {
    converges(Method::Grid, &[1, 2, 4, 8], 16, 0.06);
}

#[test]
fn a_string_in_modes_on_a_flat_barrier_converges_with_the_rate() {
    converges(Method::Modes, &[1, 2], 8, 0.10);
}
