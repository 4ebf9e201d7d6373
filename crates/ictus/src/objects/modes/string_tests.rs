//! Tests of strings.

use super::*;
use crate::objects::End::{Clamped, Free, SimplySupported};
use crate::objects::modes::beam_reference::Ritz;
use crate::objects::modes::sampled::{PAIRS, Samples, near};

/// A string of length and mass 1 whose frequencies are b in Hz, of tension τ.
fn unit_string(ends: [End; 2], tension: f64) -> StringBody {
    let bending_stiffness = TAU * TAU;
    StringBody { length: 1.0, linear_density: 1.0, tension: tension * bending_stiffness, bending_stiffness, ends }
}

/// Such a string without bending, with frequencies in units of half waves.
fn limp_string(ends: [End; 2]) -> StringBody {
    StringBody { length: 1.0, linear_density: 1.0, tension: 4.0, bending_stiffness: 0.0, ends }
}

fn frequencies(body: &StringBody, count: usize) -> Vec<f64> {
    let mut highest = body.lowest();
    loop {
        let modes = StringModes::new(body, highest, 4096).unwrap();
        let swinging: Vec<f64> = modes.modes().iter().map(|mode| mode.frequency).filter(|f| *f > 0.0).collect();
        if swinging.len() >= count {
            return swinging[..count].to_vec();
        }
        highest *= 2.0;
    }
}

/// τ, ends, b of the first four modes that swing, by 40-digit arithmetic.
const STIFF_STRINGS: [(f64, [End; 2], [f64; 4]); 25] = [
    (1e-6, [Clamped, Clamped], [22.373285723001242, 61.67282324126233, 120.90339213614787, 199.8594485564667]),
    (1e-6, [Clamped, Free], [3.516015929444061, 22.034492300272543, 61.697215039986546, 120.90191664328829]),
    (1e-6, [SimplySupported, Clamped], [15.418206090322139, 49.96486246106603, 104.24769690989058, 178.26972995716082]),
    (1e-6, [SimplySupported, Free], [0.001732050791073157, 15.418206600064245, 49.96486274400859, 104.24769710577358]),
    (1e-6, [Free, Free], [0.0034641016068898936, 22.373286553862737, 61.67282375100445, 120.90339249991729]),
    (1.0, [Clamped, Clamped], [22.646390980952425, 62.04496125328794, 121.31170970707923, 200.2882476313531]),
    (1.0, [Clamped, Free], [4.110241881526184, 22.7565682878274, 62.320450828028356, 121.4914408537862]),
    (1.0, [SimplySupported, Clamped], [15.786820257073416, 50.392274143487825, 104.69774838055504, 178.73168074457305]),
    (1.0, [SimplySupported, Free], [1.7170977012943704, 16.274876771589668, 50.671827840181706, 104.89255942671707]),
    (1.0, [Free, Free], [3.456060936400458, 23.450671389313484, 62.549043669928544, 121.67357648036736]),
    (100.0, [Clamped, Clamped], [40.99316099896628, 91.26431110070637, 156.3954926814894, 238.89205344254]),
    (100.0, [Clamped, Free], [17.610512718562042, 56.4992563685735, 105.50110142762806, 169.14919142594067]),
    (
        100.0,
        [SimplySupported, Clamped],
        [36.582316757763586, 82.15623599796174, 142.29738837754442, 219.67582888350526],
    ),
    (100.0, [SimplySupported, Free], [15.862106932058236, 51.12613948340011, 96.04503507224277, 155.0711465005073]),
    (100.0, [Free, Free], [32.34305425221367, 70.13903146860524, 118.32473291565744, 180.94625071285967]),
    (1e4, [Clamped, Clamped], [320.72975119884507, 642.412901370888, 965.9977034539115, 1292.422242423945]),
    (1e4, [Clamped, Free], [158.68552677836863, 476.51785505638026, 795.7315927113124, 1117.2396912784654]),
    (1e4, [SimplySupported, Clamped], [317.4896376399264, 635.9205787347271, 956.2292764502456, 1279.3425917335817]),
    (1e4, [SimplySupported, Free], [157.09862283160547, 471.7513749269408, 787.7683680189969, 1106.051555628088]),
    (1e4, [Free, Free], [314.3080576259504, 629.5079624971609, 946.4870558594431, 1266.1237856419914]),
    (1e10, [Clamped, Clamped], [314165.54882498825, 628331.0985801896, 942496.6501958171, 1256662.204602084]),
    (1e10, [Clamped, Free], [157081.20351090337, 471243.6109978012, 785406.0198799721, 1099568.4310875982]),
    (1e10, [SimplySupported, Clamped], [314162.4071380826, 628324.8152063659, 942487.2251350506, 1256649.6378543375]),
    (1e10, [SimplySupported, Free], [157079.6326988682, 471238.8985616894, 785398.1658197652, 1099557.4354032653]),
    (1e10, [Free, Free], [314159.2655140045, 628318.5319581601, 942477.8002626179, 1256637.071357529]),
];

#[test]
fn stiff_strings_ring_at_the_roots_of_their_equations_from_bar_like_to_limp() {
    for (tension, ends, expected) in STIFF_STRINGS {
        for ends in [ends, [ends[1], ends[0]]] {
            let found = frequencies(&unit_string(ends, tension), 4);
            for (found, expected) in found.iter().zip(expected) {
                assert!(near(*found, expected, 1e-12), "τ = {tension} {ends:?}: {found} {expected}");
            }
        }
    }
}

#[test]
fn a_string_on_supports_is_stretched_by_the_textbook_formula() {
    for tension in [1e-3, 1.0, 1e3, 1e7] {
        for (index, found) in frequencies(&unit_string([SimplySupported; 2], tension), 300).iter().enumerate() {
            let number = (index + 1) as f64;
            let flexible = number * PI * tension.sqrt();
            let expected = flexible * (1.0 + number * number * PI * PI / tension).sqrt();
            assert!(near(*found, expected, 1e-14), "{tension} {number}");
        }
    }
}

#[test]
fn a_limp_string_is_harmonic_or_odd_and_a_clamp_holds_it_like_a_support() {
    for ends in PAIRS {
        let one_free = (ends[0] == Free) != (ends[1] == Free);
        let modes = StringModes::new(&limp_string(ends), 20.25, 100).unwrap();
        let rigid = usize::from(ends == [Free, Free]);
        assert_eq!(modes.modes().len(), 20 + rigid, "{ends:?}");
        for (index, mode) in modes.modes().iter().skip(rigid).enumerate() {
            let number = index as f64 + if one_free { 0.5 } else { 1.0 };
            assert!(near(mode.frequency, number, 1e-15) && near(mode.slope, (number * PI) * (number * PI), 1e-14));
            let mut weights = vec![0.0; modes.modes().len()];
            for place in [0.0, 0.2, 0.61, 1.0] {
                modes.at([place, 0.0], &mut weights);
                let angle = number * PI * place;
                let expected = SQRT_2 * if ends[0] == Free { angle.cos() } else { angle.sin() };
                assert!((weights[index + rigid] - expected).abs() < 2e-14, "{ends:?} {number} {place}");
            }
        }
    }
}

#[test]
fn a_little_stiffness_changes_a_limp_string_a_little() {
    // Clamped, each end takes √(EI/T) off the length; supported and free ends take nothing at this order.
    for ends in PAIRS {
        for (stiffness, tolerance) in [(1e-4_f64, 1e-2), (1e-6, 1e-3), (1e-10, 1e-5), (1e-20, 1e-10), (1e-40, 1e-14)] {
            let body = StringBody { bending_stiffness: 4.0 * stiffness, ..limp_string(ends) };
            let clamps = ends.iter().filter(|end| **end == Clamped).count() as f64;
            let (stiff, limp) = (frequencies(&body, 5), frequencies(&limp_string(ends), 5));
            for (number, (stiff, limp)) in stiff.iter().zip(limp).enumerate() {
                let excess = stiff / limp - 1.0 - clamps * stiffness.sqrt();
                assert!(
                    excess.abs() < tolerance * (number * number + 1) as f64 * 2.0,
                    "{ends:?} {stiffness}: {excess:e}"
                );
                // Second order: the square of the first, and what bending adds.
                let second = stiffness * (40.0 + 5.0 * limp * limp * PI * PI) + 1e-13;
                assert!(excess.abs() < second, "{ends:?} {stiffness} {number}: {excess:e} {second:e}");
            }
        }
    }
}

#[test]
fn polynomials_find_the_same_modes_of_stiff_strings() {
    for tension in [1e-3, 1.0, 50.0, 400.0] {
        for ends in PAIRS {
            let law = Law::Stretched { tension };
            let (spectrum, ritz) = (Spectrum::new(law, ends), Ritz::new(law, ends));
            let found: Vec<f64> = spectrum.wave_numbers(20.0).map(|p| law.waves(p).frequency).collect();
            assert!(found.len() > 4);
            for (number, frequency) in found.iter().enumerate() {
                let number = number + spectrum.rigid();
                let counts = [1.0 - 1e-6, 1.0 + 1e-6].map(|factor| ritz.count(frequency * factor));
                assert_eq!(counts, [number, number + 1], "τ = {tension} {ends:?} b = {frequency}");
            }
        }
    }
}

#[test]
fn shapes_are_orthogonal_and_their_slope_and_energy_are_those_of_quadrature() {
    for tension in [1e-7_f64, 1e-2, 1.0, 1e2, 1e4, 1e7, 1e10] {
        // Panels as wide as what decays from the ends, 1/q.
        let halvings = (tension.sqrt() / 60.0).max(1.0).log2().ceil() as usize;
        let samples = Samples::new(30, halvings);
        for ends in PAIRS {
            let body = unit_string(ends, tension);
            let highest = frequencies(&body, 14)[13] * 1.0001;
            let modes = StringModes::new(&body, highest, 100).unwrap();
            let shapes = samples.shapes(&modes);
            for (i, one) in shapes.iter().enumerate() {
                for (j, other) in shapes.iter().enumerate() {
                    let mean = samples.mean(one, other);
                    assert!(
                        (mean - f64::from(u8::from(i == j))).abs() < 1e-11,
                        "τ = {tension} {ends:?} {i} {j}: {mean}"
                    );
                }
                let mode = modes.modes()[i];
                let derivative = samples.derivative(one);
                let slope = samples.mean(&derivative, &derivative);
                assert!(
                    (mode.slope - slope).abs() < 1e-9 * slope + 1e-18,
                    "τ = {tension} {ends:?} {i} {mode:?} {slope}"
                );
                assert_eq!(mode.mass, 1.0);
                // b² = τS + C: all of the energy is in tension and bending.
                let curvature = samples.derivative(&derivative);
                let energy = tension * mode.slope + samples.mean(&curvature, &curvature);
                let expected = mode.frequency * mode.frequency;
                assert!(
                    (energy - expected).abs() < 1e-6 * expected + 1e-12 + 1e-20 * tension,
                    "τ = {tension} {ends:?} {i}: {energy} {expected}"
                );
            }
        }
    }
}

#[test]
fn shapes_are_those_of_many_digits() {
    // By 60-digit arithmetic: τ, ends, b, φ at 0.03, 0.1, 0.37 and 0.9, S.
    let cases = [
        (
            1.0,
            [Free, Free],
            3.456060936400458,
            [1.6222412794756302, 1.3843498499569755, 0.45402818953136714, -1.3843498499569755],
            11.890175621787781,
        ),
        (
            100.0,
            [Clamped, Free],
            56.4992563685735,
            [0.03558394018497447, 0.3067829877210065, 1.423282798566072, -1.2743007751494944],
            24.814298784153774,
        ),
        (
            1e4,
            [Free, Free],
            946.4870558594431,
            [1.358011425247167, 0.8302821540019826, -1.3301569250338843, -0.8302821540019826],
            88.84238470349408,
        ),
        (
            1e4,
            [Clamped, Clamped],
            1292.422242423945,
            [0.37324468502042746, 1.3065926279921238, -1.421457157754348, -1.3065926279921238],
            161.0110680310708,
        ),
    ];
    for (tension, ends, frequency, shape, slope) in cases {
        let modes = StringModes::new(&unit_string(ends, tension), 1.1 * frequency, 100).unwrap();
        let number = modes.modes().iter().position(|mode| near(mode.frequency, frequency, 1e-13)).unwrap();
        assert!(near(modes.modes()[number].slope, slope, 1e-12));
        let mut weights = vec![0.0; modes.modes().len()];
        for (place, expected) in [0.03, 0.1, 0.37, 0.9].into_iter().zip(shape) {
            modes.at([place, 0.0], &mut weights);
            assert!((weights[number] - expected).abs() < 1e-12, "{ends:?} {place} {} {expected}", weights[number]);
        }
    }
}

#[test]
fn every_mode_leaves_its_first_end_upwards() {
    for ends in PAIRS {
        for tension in [1e-7, 1.0, 1e4, 1e12, 1e31] {
            let body = unit_string(ends, tension);
            let modes = StringModes::new(&body, frequencies(&body, 20)[19], 100).unwrap();
            let mut weights = vec![0.0; modes.modes().len()];
            modes.at([1e-3, 0.0], &mut weights);
            assert!(weights.iter().all(|weight| *weight > 0.0), "{ends:?} τ = {tension}: {weights:?}");
        }
    }
}

#[test]
fn a_free_string_moves_as_a_whole_but_tension_resists_its_turning() {
    for bending_stiffness in [0.0, 1e-6, 1.0] {
        let body = StringBody { bending_stiffness, length: 2.0, ..limp_string([Free, Free]) };
        let modes = StringModes::new(&body, 5.0, 1000).unwrap();
        assert_eq!(modes.modes()[0], Mode { frequency: 0.0, mass: 2.0, slope: 0.0 });
        assert!(modes.modes()[1].frequency > 0.0);
        let mut weights = vec![0.0; modes.modes().len()];
        modes.at([0.3, 0.0], &mut weights);
        assert_eq!(weights[0], 1.0);
    }
    // All but slack, it turns like a stiff rod that the tension pulls straight: ω² = 12T/ρAL².
    let body = StringBody { bending_stiffness: 1e9, ..limp_string([Free, Free]) };
    assert!(near(frequencies(&body, 1)[0] * TAU, 48.0_f64.sqrt(), 1e-10));
    let body = StringBody { bending_stiffness: 1e9, ..limp_string([SimplySupported, Free]) };
    assert!(near(frequencies(&body, 1)[0] * TAU, 12.0_f64.sqrt(), 1e-10));
}

#[test]
fn ends_of_a_clamped_string_are_level_and_those_of_a_free_one_have_no_moment() {
    let samples = Samples::new(60, 0);
    for (ends, tension) in [([Clamped, Free], 1e3), ([Clamped, Free], 1.0), ([SimplySupported, Clamped], 30.0)] {
        let modes = StringModes::new(&unit_string(ends, tension), 500.0, 100).unwrap();
        for (mode, shape) in modes.modes().iter().zip(samples.shapes(&modes)) {
            let slope = samples.derivative(&shape);
            let curvature = samples.derivative(&slope);
            let jerk = samples.derivative(&curvature);
            // The first and last samples are 6e-5 off the ends: straight lines through two of them end there.
            let end = |field: &[f64], left: bool| {
                let n = field.len();
                let (a, b) = if left { (0, 1) } else { (n - 1, n - 2) };
                let (at, here) = if left {
                    (samples.places[a], samples.places[b])
                } else {
                    (1.0 - samples.places[a], 1.0 - samples.places[b])
                };
                (field[a] * here - field[b] * at) / (here - at)
            };
            let scale = mode.frequency.sqrt() + tension.sqrt();
            for (left, kind) in [(true, ends[0]), (false, ends[1])] {
                let (deflection, slope, curvature) = (end(&shape, left), end(&slope, left), end(&curvature, left));
                let force = end(&jerk, left) - tension * slope;
                let zero = match kind {
                    SimplySupported => [deflection, curvature / (scale * scale)],
                    Clamped => [deflection, slope / scale],
                    Free => [curvature / (scale * scale), force / (scale * scale * scale)],
                };
                assert!(zero.iter().all(|value| value.abs() < 1e-4), "{ends:?} {left} {mode:?} {zero:?}");
            }
        }
    }
}

#[test]
fn tension_follows_from_the_lowest_frequency() {
    for ends in PAIRS {
        for bending_stiffness in [0.0, 1e-30, 1e-12, 1e-5, 3e-4, 0.1] {
            for fundamental in [30.0, 110.0, 880.0] {
                let body = StringBody { length: 0.65, linear_density: 4e-3, tension: 0.0, bending_stiffness, ends };
                let tension = match body.tension(fundamental) {
                    Ok(tension) => tension,
                    Err(error) => {
                        let stiff = StringBody { tension: 1e-9, ..body }.lowest();
                        assert!(stiff >= fundamental, "{ends:?} EI = {bending_stiffness}: {error}");
                        assert!(error.to_string().contains("above what stiffness alone gives"), "{error}");
                        continue;
                    }
                };
                let lowest = frequencies(&StringBody { tension, ..body }, 1)[0];
                assert!(near(lowest, fundamental, 1e-12), "{ends:?} EI = {bending_stiffness}: {lowest}");
            }
        }
    }
    let rod =
        StringBody { length: 0.1, linear_density: 4e-3, tension: 0.0, bending_stiffness: 10.0, ends: [Clamped; 2] };
    assert!(rod.tension(30.0).is_err());
}

#[test]
fn too_many_modes_are_counted_not_built_and_nonsense_is_refused() {
    let body = limp_string([Clamped, Free]);
    assert!(matches!(
        StringModes::new(&body, 1000.0, 99),
        Err(ObjectError::TooManyModes { modes: 1000, limit: 99, .. })
    ));
    assert_eq!(StringModes::new(&body, 1000.0, 1000).unwrap().modes().len(), 1000);
    let stiff = unit_string([Clamped, Free], 1e6);
    let error = StringModes::new(&stiff, 1e6, 9).unwrap_err();
    let ObjectError::TooManyModes { modes, .. } = error else { panic!("{error}") };
    assert_eq!(StringModes::new(&stiff, 1e6, modes).unwrap().modes().len(), modes);
    assert!(matches!(StringModes::new(&stiff, 1e300, 9), Err(ObjectError::TooManyModes { .. })));
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(StringModes::new(&StringBody { length: bad, ..stiff }, 100.0, 10).is_err());
        assert!(StringModes::new(&StringBody { linear_density: bad, ..stiff }, 100.0, 10).is_err());
        assert!(StringModes::new(&StringBody { tension: bad, ..stiff }, 100.0, 10).is_err());
        assert!(StringModes::new(&StringBody { bending_stiffness: bad, ..stiff }, 100.0, 10).is_err());
        assert!(StringModes::new(&stiff, bad, 10).is_err() && stiff.tension(bad).is_err());
    }
    let mut weights = [0.0; 64];
    for ends in PAIRS {
        for tension in [1e-300, 1e-100, 1e-20, 1e-6, 1e-5, 1.0, 1e20, 1e29, 1e31, 1e100, 1e300] {
            for bending_stiffness in [1e-300, 1e-100, 1.0, 1e100, 1e300] {
                let body = StringBody { tension, bending_stiffness, ..limp_string(ends) };
                let _ = body.tension(tension);
                if let Ok(modes) = StringModes::new(&body, 1e4, 64) {
                    modes.at([0.3, 0.0], &mut weights[..modes.modes().len()]);
                    assert!(weights.iter().all(|weight| weight.abs() < 10.0), "{body:?}");
                    assert!(modes.modes().iter().all(|mode| mode.frequency.is_finite() && mode.slope.is_finite()));
                }
            }
        }
    }
}
