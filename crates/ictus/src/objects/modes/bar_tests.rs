//! Tests of thin bars, of carving and tuning, and of what is refused.

use super::*;
use crate::objects::End::{Clamped, Free, SimplySupported};
use crate::objects::modes::sampled::{PAIRS, Samples, near};

/// A bar whose frequencies are b in Hz: length, mass and √(EI/ρA)/2π are 1. Its thickness is h.
pub(super) fn unit_bar(ends: [End; 2], thickness: f64) -> BarBody<'static> {
    let moment = thickness * thickness / 12.0;
    BarBody {
        length: 1.0,
        area: 1.0,
        moment,
        density: 1.0,
        youngs_modulus: TAU * TAU / moment,
        ends,
        shear: None,
        partials: &[],
    }
}

pub(super) fn thick_bar(ends: [End; 2], thickness: f64, coefficient: f64) -> BarBody<'static> {
    BarBody { shear: Some(Shear { coefficient, rigidity: Rigidity::Poisson(0.3) }), ..unit_bar(ends, thickness) }
}

pub(super) fn bending(body: &BarBody<'_>, highest: f64) -> Vec<Mode> {
    let all = BarModes::new(body, highest, 4096).unwrap();
    all.modes().iter().copied().filter(|mode| mode.frequency > 0.0).collect()
}

pub(super) fn shape_at(body: &BarBody<'_>, highest: f64, number: usize, place: f64) -> f64 {
    let modes = BarModes::new(body, highest, 4096).unwrap();
    let mut weights = vec![0.0; modes.modes().len()];
    modes.at([place, 0.0], &mut weights);
    weights[number]
}

#[test]
fn thin_bars_ring_at_the_roots_of_their_equations() {
    // By 40-digit arithmetic from cosh and sinh.
    let clamped = [22.373285448061324, 61.672822867920246, 120.90339172712378];
    let lever = [3.5160152685001513, 22.03449156466677, 61.697214413549105];
    let mixed = [15.418205716980061, 49.96486203180022, 104.24769645886133];
    let plain = [1.0, 4.0, 9.0].map(|square: f64| square * std::f64::consts::PI * std::f64::consts::PI);
    for ends in PAIRS {
        let expected = match ends {
            [SimplySupported, SimplySupported] => plain,
            [Clamped, Clamped] | [Free, Free] => clamped,
            [Clamped, Free] | [Free, Clamped] => lever,
            _ => mixed,
        };
        for (mode, expected) in bending(&unit_bar(ends, 0.01), 200.0).iter().zip(expected) {
            assert!(near(mode.frequency, expected, 4e-15), "{ends:?}: {} {expected}", mode.frequency);
        }
    }
}

#[test]
fn high_modes_have_exact_frequencies_shapes_and_slopes() {
    // By 60-digit arithmetic: ends, number among those that bend, b, φ at 0.03, 0.1, 0.37 and 0.9, S.
    let places = [0.03, 0.1, 0.37, 0.9];
    let cases = [
        (
            [Clamped, Free],
            0,
            3.5160152685001513,
            [0.0031208555004385114, 0.03354699961660878, 0.3999127113343771, 1.7247990866913805],
            4.64777831867864,
        ),
        (
            [Free, Free],
            9,
            1088.123885220101,
            [0.08494018137429785, -0.7943217053423489, 1.2889238785941874, 0.7943217053423489],
            1286.0442223962805,
        ),
        (
            [SimplySupported, Clamped],
            49,
            24921.3679630257,
            [1.4138210194228864, 0.11095791726984729, -1.3549196881617265, 0.9184583773237933],
            24763.50293218281,
        ),
        (
            [Clamped, Free],
            199,
            392812.72256445675,
            [1.0459963188449644, 1.1441228056353685, 1.384830179366402, 1.1441228056353685],
            394066.21803323907,
        ),
        (
            [Free, Free],
            199,
            396760.5643248925,
            [0.9517834304649679, 0.8312538755549068, 0.28678454337013853, -0.8312538755549068],
            400539.900287161,
        ),
    ];
    for (ends, number, frequency, shape, slope) in cases {
        let body = unit_bar(ends, 0.01);
        let mode = bending(&body, 4e5)[number];
        assert!(near(mode.frequency, frequency, 4e-15) && near(mode.slope, slope, 1e-13), "{ends:?} {number} {mode:?}");
        let rigid = if ends == [Free, Free] { 2 } else { 0 };
        // Signs are a matter of taste.
        let sign = shape_at(&body, 4e5, number + rigid, places[0]).signum();
        for (place, expected) in places.into_iter().zip(shape) {
            let error = sign * shape_at(&body, 4e5, number + rigid, place) - expected;
            assert!(error.abs() < 1e-12, "{ends:?} mode {number} at {place}: {error:e}");
        }
    }
}

#[test]
fn shapes_have_mean_square_one_are_orthogonal_and_have_the_slope_of_quadrature() {
    let samples = Samples::new(40, 0);
    for ends in PAIRS {
        let modes = BarModes::new(&unit_bar(ends, 0.01), 4e3, 100).unwrap();
        let shapes = samples.shapes(&modes);
        assert!(shapes.len() > 18);
        for (i, one) in shapes.iter().enumerate() {
            for (j, other) in shapes.iter().enumerate() {
                let mean = samples.mean(one, other);
                assert!((mean - f64::from(u8::from(i == j))).abs() < 1e-13, "{ends:?} {i} {j}: {mean}");
            }
            let derivative = samples.derivative(one);
            let slope = samples.mean(&derivative, &derivative);
            let mode = modes.modes()[i];
            assert!((mode.slope - slope).abs() < 1e-10 * slope + 1e-20, "{ends:?} {i}: {} {slope}", mode.slope);
            assert_eq!(mode.mass, 1.0);
        }
    }
}

#[test]
fn a_free_end_swings_twice_as_far_as_the_bar_on_average_and_a_held_end_not_at_all() {
    for ends in PAIRS {
        let modes = BarModes::new(&unit_bar(ends, 0.01), 4e5, 1000).unwrap();
        let mut weights = vec![0.0; modes.modes().len()];
        for (place, end) in [(0.0, ends[0]), (1.0, ends[1])] {
            modes.at([place, 0.0], &mut weights);
            for (weight, mode) in weights.iter().zip(modes.modes()).filter(|(_, mode)| mode.frequency > 0.0) {
                if end == Free {
                    assert!((weight.abs() - 2.0).abs() < 1e-12, "{ends:?} {mode:?}: {weight}");
                } else {
                    assert_eq!(*weight, 0.0);
                    let beside = 1e-9;
                    let mut close = vec![0.0; weights.len()];
                    modes.at([(place - beside).abs(), 0.0], &mut close);
                    let bound = beside * 1.5 * mode.frequency.sqrt() + 1e-12;
                    assert!(
                        close
                            .iter()
                            .zip(modes.modes())
                            .all(|(weight, other)| { other.frequency != mode.frequency || weight.abs() < bound })
                    );
                }
            }
        }
    }
}

#[test]
fn a_clamped_end_is_level_and_bends_twice_as_much_as_a_supported_bar_in_the_middle() {
    // φ = ½ φ'' x² beside it, with φ''² = 4β⁴.
    for ends in [[Clamped, Free], [Clamped, Clamped], [Clamped, SimplySupported]] {
        for (number, mode) in bending(&unit_bar(ends, 0.01), 2e4).iter().enumerate() {
            let place = 1e-3 / mode.frequency.sqrt();
            let curvature = 2.0 * shape_at(&unit_bar(ends, 0.01), 2e4, number, place) / (place * place);
            assert!(near(curvature, 2.0 * mode.frequency, 2e-3), "{ends:?} {number}: {curvature}");
        }
    }
}

#[test]
fn bars_that_are_not_held_move_and_turn_as_a_whole() {
    let body = BarBody { length: 2.0, density: 3.0, ..unit_bar([Free, Free], 0.01) };
    let modes = BarModes::new(&body, 20.0, 10).unwrap();
    let [shift, turn] = [modes.modes()[0], modes.modes()[1]];
    assert_eq!(shift, Mode { frequency: 0.0, mass: 6.0, slope: 0.0 });
    assert_eq!((turn.frequency, turn.mass), (0.0, 6.0));
    assert!(near(turn.slope, 12.0 / 4.0, 1e-15));
    let mut weights = vec![0.0; modes.modes().len()];
    modes.at([0.25, 0.0], &mut weights);
    assert_eq!(weights[0], 1.0);
    assert!(near(weights[1], -0.25 * 12.0_f64.sqrt(), 1e-15));

    for (ends, far) in [([SimplySupported, Free], 1.0), ([Free, SimplySupported], 0.0)] {
        let modes = BarModes::new(&BarBody { ends, ..body }, 20.0, 10).unwrap();
        assert!(near(modes.modes()[0].slope, 3.0 / 4.0, 1e-15) && modes.modes()[0].frequency == 0.0);
        assert!(modes.modes()[1].frequency > 0.0);
        modes.at([far, 0.0], &mut weights[..modes.modes().len()]);
        assert!(near(weights[0], 3.0_f64.sqrt(), 1e-15), "about the support");
        modes.at([1.0 - far, 0.0], &mut weights[..modes.modes().len()]);
        assert_eq!(weights[0], 0.0);
    }
}

#[test]
fn an_undercut_bar_has_the_partials_it_is_carved_for_and_goes_on_as_the_uniform_one() {
    let partials = [1.0, 4.0, 10.0];
    let uniform = bending(&unit_bar([Free, Free], 0.01), 3000.0);
    let body = BarBody { partials: &partials, ..unit_bar([Free, Free], 0.01) };
    let first = uniform[0].frequency;
    for highest in [20.0, 50.0, 150.0, 230.0, 1000.0] {
        let modes = BarModes::new(&body, highest, 100).unwrap();
        let expected: Vec<f64> = (0..uniform.len())
            .map(|number| match number {
                0..3 => first * partials[number],
                _ => first * 10.0 * uniform[number].frequency / uniform[2].frequency,
            })
            .take_while(|frequency| *frequency < highest)
            .collect();
        assert_eq!(modes.modes().len(), expected.len() + 2, "{highest}");
        for (number, expected) in expected.iter().enumerate() {
            let mode = modes.modes()[number + 2];
            assert!(near(mode.frequency, *expected, 1e-14), "{number}: {mode:?} {expected}");
            assert_eq!((mode.mass, mode.slope), (uniform[number].mass, uniform[number].slope));
        }
    }
    let wrong = [&[2.0, 3.0][..], &[1.0, 4.0, 4.0], &[1.0, f64::NAN], &[1.0, 0.5]];
    assert!(wrong.iter().all(|partials| BarModes::new(&BarBody { partials, ..body }, 100.0, 100).is_err()));
}

#[test]
fn youngs_modulus_follows_from_the_lowest_frequency() {
    let steel = Shear::rectangle(0.3);
    let wood = Shear { coefficient: 0.85, rigidity: Rigidity::Modulus(8e8) };
    for ends in PAIRS {
        for (shear, thickness) in [(None, 0.02), (Some(steel), 0.002), (Some(steel), 0.06), (Some(wood), 0.02)] {
            let moment = thickness * thickness * thickness / 12.0;
            let wooden =
                BarBody { length: 0.4, area: thickness, moment, density: 800.0, shear, ..unit_bar(ends, 0.01) };
            for fundamental in [5.0, 100.0, 350.0] {
                let youngs_modulus = wooden.youngs_modulus(fundamental, 12e3).unwrap();
                let lowest = bending(&BarBody { youngs_modulus, ..wooden }, 12e3)[0].frequency;
                assert!(near(lowest, fundamental, 1e-12), "{ends:?} {shear:?}: {lowest}");
            }
        }
    }
    let body = BarBody {
        shear: Some(wood),
        length: 0.4,
        area: 0.05,
        moment: 1e-5,
        density: 800.0,
        ..unit_bar([Free, Free], 0.1)
    };
    let error = body.youngs_modulus(1e4, 2e4).unwrap_err();
    assert!(error.to_string().contains("below what shear alone gives"), "{error}");
}

#[test]
fn coefficients_of_cowper_are_those_he_prints() {
    assert!(
        (Shear::rectangle(0.3).coefficient - 0.850).abs() < 5e-4
            && (Shear::round(0.3).coefficient - 0.886).abs() < 5e-4
    );
    assert!(
        (Shear::rectangle(0.0).coefficient - 0.833).abs() < 5e-4
            && (Shear::round(0.5).coefficient - 0.900).abs() < 5e-4
    );
}

#[test]
fn too_many_modes_are_counted_not_built() {
    let body = unit_bar([Free, Free], 0.01);
    let error = BarModes::new(&body, 4e5, 50).unwrap_err();
    assert!(matches!(error, ObjectError::TooManyModes { modes: 202, limit: 50, .. }), "{error}");
    assert!(error.to_string().contains("modes below 400000 Hz; the limit is 50"), "{error}");
    assert_eq!(BarModes::new(&body, 4e5, 202).unwrap().modes().len(), 202);
    assert!(matches!(BarModes::new(&body, 1e300, 50), Err(ObjectError::TooManyModes { .. })));
}

#[test]
fn nonsense_is_refused_and_extremes_are_survived() {
    let body = thick_bar([Free, Free], 0.1, 0.85);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(BarModes::new(&BarBody { length: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { area: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { moment: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { density: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&BarBody { youngs_modulus: bad, ..body }, 100.0, 10).is_err());
        assert!(BarModes::new(&body, bad, 10).is_err());
        assert!(body.youngs_modulus(bad, 100.0).is_err() && body.youngs_modulus(100.0, bad).is_err());
    }
    assert!(BarModes::new(&BarBody { length: 0.02, ..body }, 100.0, 10).is_err(), "longer than thick");
    for (coefficient, rigidity) in [
        (0.0, Rigidity::Poisson(0.3)),
        (1.1, Rigidity::Poisson(0.3)),
        (0.85, Rigidity::Poisson(-1.0)),
        (0.85, Rigidity::Poisson(0.6)),
        (0.85, Rigidity::Modulus(0.0)),
    ] {
        assert!(BarModes::new(&BarBody { shear: Some(Shear { coefficient, rigidity }), ..body }, 100.0, 10).is_err());
    }
    for modulus in [1e-300, 1e-9, 1e-3, 1.0, 1e6, 1e300] {
        let shear = Some(Shear { coefficient: 0.85, rigidity: Rigidity::Modulus(modulus) });
        for ends in PAIRS {
            let soft = BarBody { shear, ends, ..body };
            let _ = soft.youngs_modulus(10.0, 100.0);
            if let Ok(modes) = BarModes::new(&soft, 100.0, 1000) {
                assert!(modes.modes().windows(2).all(|pair| pair[0].frequency <= pair[1].frequency));
                assert!(modes.modes().iter().all(|mode| mode.mass.is_finite() && mode.slope.is_finite()));
            }
        }
    }
    let mut weights = [0.0; 64];
    for ends in PAIRS {
        for scale in [1e-300, 1e-100, 1e-9, 1e-3, 1.0, 1e3, 1e9, 1e100, 1e300] {
            let body = BarBody { youngs_modulus: scale, ends, ..body };
            let _ = body.youngs_modulus(scale, 1e4);
            if let Ok(modes) = BarModes::new(&body, 1e4, 64) {
                assert!(modes.modes().len() <= 64 && modes.modes().iter().all(|m| m.frequency.is_finite()));
                for place in [-1.0, 0.0, 0.3, 1.0, 2.0] {
                    modes.at([place, 0.0], &mut weights[..modes.modes().len()]);
                    assert!(weights.iter().all(|weight| weight.abs() < 10.0));
                }
            }
        }
    }
}
