//! Bad descriptions end in a typed error that names what is wrong; good ones in finite numbers.

use super::super::super::bar::{BarPitch, BarSpec, Section};
use super::super::super::string::{StringMass, StringPitch, StringSpec};
use super::super::super::{At, Body, Loss, LossFactor, ObjectError, Place, T60At};
use super::*;
use crate::math::random::SplitMix64;

const RATE: f64 = 48_000.0;

fn assert_named(error: &ObjectError, name: &str) {
    assert!(matches!(error, ObjectError::OutOfRange { parameter, .. } if *parameter == name), "{error}");
    assert!(error.to_string().contains(name), "{error}");
}

#[test]
fn message_names_the_parameter_of_a_string() {
    let good = StringSpec::default();
    let bad: [(&str, StringSpec); 14] = [
        ("length", StringSpec { length: 0.0, ..good.clone() }),
        ("length", StringSpec { length: f64::NAN, ..good.clone() }),
        ("length", StringSpec { length: 1e5, ..good.clone() }),
        ("radius", StringSpec { radius: -1e-4, ..good.clone() }),
        ("density", StringSpec { mass: StringMass::Density(0.0), ..good.clone() }),
        ("linear density", StringSpec { mass: StringMass::PerLength(f64::INFINITY), ..good.clone() }),
        ("linear density", StringSpec { radius: 1e-200, ..good.clone() }),
        ("Young's modulus", StringSpec { youngs_modulus: -1.0, ..good.clone() }),
        ("tension", StringSpec { pitch: StringPitch::Tension(0.0), ..good.clone() }),
        ("tension", StringSpec { pitch: StringPitch::Fundamental(1e12), ..good.clone() }),
        ("fundamental frequency", StringSpec { pitch: StringPitch::Fundamental(-1.0), ..good.clone() }),
        ("fundamental frequency", StringSpec { pitch: StringPitch::Fundamental(1e-3), ..good.clone() }),
        ("sigma0", StringSpec { loss: Loss::sigma(-0.1, 2e-4), ..good.clone() }),
        ("sigma1", StringSpec { loss: Loss::sigma(0.5, f64::NEG_INFINITY), ..good.clone() }),
    ];
    for (name, spec) in bad {
        assert_named(&spec.on_grid(RATE, 1000).unwrap_err(), name);
    }
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e200] {
        assert_named(&good.on_grid(rate, 1000).unwrap_err(), "rate");
    }
    assert!(good.on_grid(RATE, 1000).is_ok());
}

#[test]
fn message_names_the_parameter_of_a_bar() {
    let good = BarSpec::default();
    let bad: [(&str, BarSpec); 9] = [
        ("length", BarSpec { length: -1.0, ..good.clone() }),
        ("width", BarSpec { section: Section::Rectangular { width: 0.0, thickness: 0.01 }, ..good.clone() }),
        ("thickness", BarSpec { section: Section::Rectangular { width: 0.1, thickness: f64::NAN }, ..good.clone() }),
        ("radius", BarSpec { section: Section::Round { radius: 0.0 }, ..good.clone() }),
        ("density", BarSpec { density: f64::INFINITY, ..good.clone() }),
        ("Young's modulus", BarSpec { pitch: BarPitch::YoungsModulus(0.0), ..good.clone() }),
        ("fundamental frequency", BarSpec { pitch: BarPitch::Fundamental(f64::NAN), ..good.clone() }),
        ("bending stiffness", BarSpec { pitch: BarPitch::Fundamental(1e100), ..good.clone() }),
        ("sigma0", BarSpec { loss: Loss::sigma(1e7, 5e-3), ..good.clone() }),
    ];
    for (name, spec) in bad {
        assert_named(&spec.on_grid(RATE, 1000).unwrap_err(), name);
    }
    assert!(good.on_grid(RATE, 1000).is_ok());
}

#[test]
fn grid_says_when_it_is_too_fine_too_large_or_too_small() {
    let spec = StringSpec::default();
    let finest = spec.on_grid(RATE, 10_000).unwrap().points();
    let one_more = StringSpec { segments: Some(finest), ..spec.clone() };
    assert_eq!(one_more.on_grid(RATE, 10_000).unwrap_err(), ObjectError::Unstable { points: finest + 1, most: finest });
    let fewer = StringSpec { segments: Some(finest / 2), ..spec.clone() };
    assert_eq!(fewer.on_grid(RATE, 10_000).unwrap().points(), finest / 2 + 1);
    assert_eq!(spec.on_grid(RATE, finest).unwrap().points(), finest);
    assert_eq!(
        spec.on_grid(RATE, finest - 1).unwrap_err(),
        ObjectError::TooLarge { points: finest, limit: finest - 1 }
    );
    let tiny = StringSpec { segments: Some(2), ..spec.clone() };
    assert_eq!(tiny.on_grid(RATE, 1000).unwrap_err(), ObjectError::TooSmall { points: 3, least: 4 });
    let tight = StringSpec { pitch: StringPitch::Fundamental(20_000.0), ..spec.clone() };
    assert!(matches!(tight.on_grid(RATE, 1000).unwrap_err(), ObjectError::TooSmall { .. }));
    let endless = StringSpec { segments: Some(usize::MAX), ..spec.clone() };
    assert!(matches!(endless.on_grid(RATE, 1000).unwrap_err(), ObjectError::Unstable { .. }));
}

#[test]
fn shape_must_be_finite_and_a_bad_one_changes_nothing() {
    let mut string = StringSpec::default().on_grid(RATE, 1000).unwrap();
    string.displace(|x| x * (1.0 - x)).unwrap();
    let before = shape(&string);
    assert_named(&string.displace(|x| 1.0 / (x - x)).unwrap_err(), "initial displacement");
    assert_named(&string.set_velocity(|_| f64::INFINITY).unwrap_err(), "initial velocity");
    string.reset();
    assert_eq!(shape(&string), before);
}

/// A number of the size given, now and then one that makes no sense.
fn number(random: &mut Random, low: f64, high: f64) -> f64 {
    let nonsense = [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 1e300, f64::MIN_POSITIVE, -0.0];
    if random.next() < 0.01 {
        nonsense[(random.next() * nonsense.len() as f64) as usize]
    } else {
        random.decades(low, high)
    }
}

fn random_time(random: &mut Random) -> T60At {
    T60At { frequency: number(random, 1.0, 4.5), seconds: number(random, -2.0, 1.0) }
}

fn random_ends(random: &mut Random) -> [End; 2] {
    [0; 2].map(|_| ENDS[(random.next() * 3.0) as usize])
}

fn random_line(random: &mut Random) -> Result<Line, ObjectError> {
    let rate = number(random, 3.5, 5.5);
    let ends = random_ends(random);
    let sigma0 = number(random, -3.0, 4.0);
    let sigma1 = if random.next() < 0.3 { 0.0 } else { number(random, -7.0, 0.0) };
    let loss = match random.next() {
        kind if kind < 0.2 => {
            let count = (random.next() * 4.0) as usize;
            Loss::T60((0..=count).map(|_| random_time(random)).collect())
        }
        kind if kind < 0.4 => {
            Loss::Material(LossFactor { at_1_khz: number(random, -5.0, -1.0), exponent: random.next() - 0.5 })
        }
        _ => Loss::sigma(sigma0, sigma1),
    };
    let segments = (random.next() < 0.2).then(|| random.decades(0.0, 4.0) as usize);
    let most_points = random.decades(1.0, 4.0) as usize;
    let length = number(random, -2.0, 1.5);
    let density = number(random, 2.0, 4.5);
    if random.next() < 0.5 {
        let pitch = if random.next() < 0.5 {
            StringPitch::Tension(number(random, -1.0, 4.0))
        } else {
            StringPitch::Fundamental(number(random, 0.5, 4.0))
        };
        let mass = if random.next() < 0.5 {
            StringMass::Density(density)
        } else {
            StringMass::PerLength(number(random, -5.0, 0.0))
        };
        let radius = number(random, -5.0, -2.0);
        let youngs_modulus = if random.next() < 0.3 { 0.0 } else { number(random, 7.0, 12.0) };
        let bend = if random.next() < 0.8 { 1.0 } else { 1.0 + random.next() };
        StringSpec { length, pitch, radius, mass, youngs_modulus, loss, ends, segments, bend, ..StringSpec::default() }
            .on_grid(rate, most_points)
    } else {
        let section = if random.next() < 0.5 {
            Section::Round { radius: number(random, -4.0, -1.0) }
        } else {
            Section::Rectangular { width: number(random, -3.0, 0.0), thickness: number(random, -4.0, -1.0) }
        };
        let pitch = if random.next() < 0.5 {
            BarPitch::YoungsModulus(number(random, 7.0, 12.0))
        } else {
            BarPitch::Fundamental(number(random, 0.5, 4.0))
        };
        BarSpec { length, section, density, pitch, loss, ends, segments, ..BarSpec::default() }
            .on_grid(rate, most_points)
    }
}

#[test]
fn thousands_of_random_lines_are_finite_or_refused_with_a_reason() {
    let mut random = Random(SplitMix64(2024));
    let mut built = 0;
    for _ in 0..3000 {
        let mut line = match random_line(&mut random) {
            Ok(line) => line,
            Err(error) => {
                let text = error.to_string();
                match error {
                    ObjectError::OutOfRange { parameter, .. } => assert!(text.contains(parameter)),
                    _ => assert!(text.contains("points"), "{text}"),
                }
                continue;
            }
        };
        built += 1;
        shake(&mut line, &mut random);
        let support = line.support(Place::Along(random.next())).unwrap();
        let admittance = line.admittance(&support, &support);
        assert!(admittance.is_finite() && admittance >= 0.0);
        let mut energy = line.stored_energy();
        assert!(energy.is_finite() && energy >= 0.0);
        let start = energy;
        for _ in 0..100 {
            line.remember();
            line.free_step_at(Level::new());
            let lost = line.dissipated_in_step();
            line.advance();
            let stored = line.stored_energy();
            assert!(line.read(&support, At::Now).is_finite());
            assert!((stored + lost - energy).abs() <= 1e-10 * start, "{line:?}");
            energy = stored;
        }
    }
    assert!(built > 1000, "only {built} could be built");
}

#[test]
fn a_grid_keeps_half_a_percent_from_the_bound_unless_its_segments_are_asked_for() {
    // A wave that passes exactly one of 156 segments in a sample.
    let on_the_bound = StringSpec {
        length: 0.65,
        pitch: StringPitch::Tension(5e-3 * 200.0 * 200.0),
        mass: StringMass::PerLength(5e-3),
        youngs_modulus: 0.0,
        loss: Loss::sigma(0.5, 0.0),
        ..StringSpec::default()
    };
    assert_eq!(on_the_bound.on_grid(RATE, 1000).unwrap().points(), 156);
    let asked_for = StringSpec { segments: Some(156), ..on_the_bound.clone() };
    assert_eq!(asked_for.on_grid(RATE, 1000).unwrap().points(), 157);
    for millimetres in 300..400 {
        for bend in [1.0, 1.2] {
            let spec = StringSpec { length: 1e-3 * f64::from(millimetres), bend, ..StringSpec::default() };
            let line = spec.on_grid(RATE, 1000).unwrap();
            let tension = line.pitch.unwrap().tension_at(bend);
            let grid = line.grid();
            let bound = super::super::grid::least_spacing(tension, grid.stiffness, 0.5 * grid.bend_loss, grid.ends);
            assert!(1.005 * bound < 1.0 + 1e-9, "{millimetres} mm: {bound}");
        }
    }
}
