//! Closed forms against lists made by trying every pair of half waves, and what is refused.

use super::*;
use std::f64::consts::PI;

/// Frequency in Hz and half waves of all modes below `highest`, lowest first, by trying all pairs.
fn every_pair(highest: f64, frequency: impl Fn(f64, f64) -> f64) -> Vec<(f64, [f64; 2])> {
    let mut all = Vec::new();
    for m in 1..200 {
        for n in 1..200 {
            let found = frequency(f64::from(m), f64::from(n));
            if found < highest {
                all.push((found, [f64::from(m), f64::from(n)]));
            }
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

fn assert_sines(body: &dyn Shapes, sides: [f64; 2], mass: f64, all: &[(f64, [f64; 2])]) {
    assert_eq!(body.modes().len(), all.len());
    let mut weights = vec![0.0; all.len()];
    for place in [[0.31, 0.77], [0.003, 0.5], [1.0, 0.2], [0.0, 0.0]] {
        body.at(place, &mut weights);
        for ((mode, weight), (frequency, [m, n])) in body.modes().iter().zip(&weights).zip(all) {
            assert!((mode.frequency / frequency - 1.0).abs() < 1e-13);
            let square = (m * PI / sides[0]).powi(2) + (n * PI / sides[1]).powi(2);
            assert!((mode.slope / square - 1.0).abs() < 1e-13 && mode.mass == mass);
            let shape = 2.0 * (m * PI * place[0]).sin() * (n * PI * place[1]).sin();
            assert!((weight - shape).abs() < 1e-12, "{m} {n} at {place:?}: {weight} {shape}");
        }
    }
}

#[test]
fn a_membrane_has_its_textbook_modes() {
    let (sides, tension, density) = ([0.41, 0.3], 2500.0_f64, 0.26);
    let all = every_pair(6000.0, |m, n| 0.5 * (tension / density).sqrt() * (m / sides[0]).hypot(n / sides[1]));
    let membrane = MembraneRectangle::new(sides, tension, density, 6000.0, all.len()).unwrap();
    assert!(all.len() > 400);
    assert_sines(&membrane, sides, density * sides[0] * sides[1], &all);
}

#[test]
fn a_supported_plate_of_wood_has_its_textbook_modes() {
    let (sides, density) = ([0.47, 0.33], 1.3);
    let stiffness = Stiffness { along: 30.0, across: 2.2, coupling: 1.1, twisting: 1.9 };
    let frequency = |m: f64, n: f64| {
        let (x, y) = ((m / sides[0]).powi(2), (n / sides[1]).powi(2));
        let squared = 30.0 * x * x + 2.0 * (1.1 + 2.0 * 1.9) * x * y + 2.2 * y * y;
        0.5 * PI * (squared / density).sqrt()
    };
    let all = every_pair(10_000.0, frequency);
    let plate = PlateRectangle::new(sides, density, stiffness, [[Edge::Supported; 2]; 2], 10_000.0, all.len()).unwrap();
    assert!(all.len() > 200);
    assert_sines(&plate, sides, density * sides[0] * sides[1], &all);
}

#[test]
fn more_modes_than_allowed_are_counted_and_refused() {
    let supported = [[Edge::Supported; 2]; 2];
    let plate = |most| PlateRectangle::new([0.4, 0.3], 8.0, Stiffness::isotropic(18.0, 0.3), supported, 9000.0, most);
    let count = plate(10_000).unwrap().modes().len();
    assert!(plate(count).is_ok());
    let error = plate(count - 1).unwrap_err();
    assert_eq!(error, ObjectError::TooManyModes { modes: count, highest: 9000.0, limit: count - 1 });
    // Some 10³⁰ modes, half waves without end along one side, and both along the other.
    for sides in [[1e4, 1e4], [1e4, 1e-4], [1e-4, 1e4]] {
        let error = MembraneRectangle::new(sides, 1e-10, 1.0, 1e9, usize::MAX).unwrap_err();
        assert!(matches!(error, ObjectError::TooManyModes { modes, limit: 65536, .. } if modes > 65536), "{error}");
    }
    let error = MembraneRectangle::new([1.0, 1.0], 1.0, 1.0, 1000.0, 10).unwrap_err();
    let expected = 0.25 * PI * 2000.0 * 2000.0;
    let ObjectError::TooManyModes { modes, .. } = error else { panic!("{error}") };
    assert!((modes as f64 / expected - 1.0).abs() < 1e-2, "{modes} {expected}");
}

#[test]
fn bodies_too_small_to_sound_have_no_modes() {
    let membrane = MembraneRectangle::new([0.01, 0.01], 1e6, 0.1, 100.0, 10).unwrap();
    membrane.at([0.5, 0.5], &mut []);
    assert!(membrane.modes().is_empty());
}

#[test]
fn values_that_no_body_has_are_refused() {
    let stiffness = Stiffness::isotropic(20.0, 0.3);
    let plate = |sides, density, stiffness, highest| {
        PlateRectangle::new(sides, density, stiffness, [[Edge::Supported; 2]; 2], highest, 1000)
    };
    assert!(plate([0.2, 0.2], 8.0, stiffness, 5000.0).is_ok());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(plate([bad, 0.2], 8.0, stiffness, 5000.0).is_err());
        assert!(plate([0.2, bad], 8.0, stiffness, 5000.0).is_err());
        assert!(plate([0.2, 0.2], bad, stiffness, 5000.0).is_err());
        assert!(plate([0.2, 0.2], 8.0, stiffness, bad).is_err());
        assert!(plate([0.2, 0.2], 8.0, Stiffness::isotropic(bad, 0.3), 5000.0).is_err());
        assert!(plate([0.2, 0.2], 8.0, Stiffness { twisting: bad, ..stiffness }, 5000.0).is_err());
        assert!(MembraneRectangle::new([0.2, 0.2], bad, 0.2, 5000.0, 1000).is_err());
    }
    assert!(plate([0.2, 0.2], 8.0, Stiffness { coupling: 20.0, ..stiffness }, 5000.0).is_err());
    let error = plate([0.2, 0.2], 8.0, Stiffness { coupling: -15.0, ..stiffness }, 5000.0).unwrap_err();
    assert!(error.to_string().contains("-2 times that of twisting"), "{error}");
}

#[test]
fn any_place_and_any_number_of_weights_is_answered() {
    let membrane = MembraneRectangle::new([0.3, 0.2], 2000.0, 0.3, 2000.0, 1000).unwrap();
    for place in [[f64::NAN, 0.5], [1e300, -4.0], [f64::INFINITY, 0.0]] {
        membrane.at(place, &mut [0.0; 3]);
        membrane.at(place, &mut vec![0.0; 2000]);
    }
}
