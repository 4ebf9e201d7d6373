//! Circles against work done without Bessel functions, or without this code: Ritz's method, quadrature, Weyl's law.

mod ritz;

use super::*;
use crate::objects::modes::bessel::scaled_i_sequence;
use std::f64::consts::TAU;

/// A plate of radius 1 on which f = λ²/2π.
fn plate(rim: Rim, poissons_ratio: f64, highest_root: f64) -> PlateCircle {
    PlateCircle::new(2.0, 1.0, 1.0, poissons_ratio, rim, highest_root * highest_root / TAU, MOST_MODES).unwrap()
}

/// A membrane of radius 1 on which f = λ/2π.
fn membrane(highest_root: f64) -> MembraneCircle {
    MembraneCircle::new(2.0, 1.0, 1.0, highest_root / TAU, MOST_MODES).unwrap()
}

/// All four rims.
fn circles(poissons_ratio: f64, highest_root: f64) -> Vec<(&'static str, Box<dyn Shapes>)> {
    vec![
        ("membrane", Box::new(membrane(highest_root))),
        ("clamped", Box::new(plate(Rim::Clamped, poissons_ratio, highest_root))),
        ("supported", Box::new(plate(Rim::Supported, poissons_ratio, highest_root))),
        ("free", Box::new(plate(Rim::Free, poissons_ratio, highest_root))),
    ]
}

fn at(shapes: &dyn Shapes, radius: f64, angle: f64) -> Vec<f64> {
    let mut weights = vec![f64::NAN; shapes.modes().len()];
    let place = [0.5 + 0.5 * radius * libm::cos(angle), 0.5 + 0.5 * radius * libm::sin(angle)];
    shapes.at(place, &mut weights);
    weights
}

/// λ of a mode.
fn root(name: &str, mode: &Mode) -> f64 {
    let turns = TAU * mode.frequency;
    if name == "membrane" { turns } else { turns.sqrt() }
}

#[test]
fn shapes_are_orthogonal_and_of_mean_square_one() {
    for (name, circle) in circles(0.3, 14.0) {
        let count = circle.modes().len();
        assert!(count > 30);
        let mut products = vec![0.0; count * count];
        let angles = 64;
        for (radius, weight) in ritz::gauss(32) {
            for angle in 0..angles {
                let shape = at(&*circle, radius, TAU * (angle as f64 + 0.3) / angles as f64);
                let area = 2.0 * radius * weight / angles as f64;
                for (row, here) in products.chunks_exact_mut(count).zip(&shape) {
                    row.iter_mut().zip(&shape).for_each(|(sum, there)| *sum += area * here * there);
                }
            }
        }
        for (index, value) in products.iter().enumerate() {
            let expected = f64::from(u8::from(index / count == index % count));
            assert!((value - expected).abs() < 1e-12, "{name}: modes {}, {}: {value}", index / count, index % count);
        }
    }
}

#[test]
fn slopes_are_the_mean_squared_gradient() {
    for (name, circle) in circles(0.25, 20.0) {
        let count = circle.modes().len();
        let mut slopes = vec![0.0; count];
        let (angles, step) = (96, 1e-3);
        for (radius, weight) in ritz::gauss(40) {
            for angle in 0..angles {
                let angle = TAU * (f64::from(angle) + 0.3) / f64::from(angles);
                // Fourth-order differences, finer near the centre and the rim.
                let along = |by: f64| at(&*circle, radius + by, angle);
                let across = |by: f64| at(&*circle, radius, angle + by / radius);
                let difference = |near: [&[f64]; 2], far: [&[f64]; 2], mode: usize| {
                    (8.0 * (near[1][mode] - near[0][mode]) - (far[1][mode] - far[0][mode])) / (12.0 * step)
                };
                let step_in = step.min(0.45 * (1.0 - radius)).min(0.01 * radius);
                let scale = step / step_in;
                let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|by| along(by * step_in));
                let [e, f, g, h] = [-2.0, -1.0, 1.0, 2.0].map(|by| across(by * step_in));
                for (mode, slope) in slopes.iter_mut().enumerate() {
                    let outward = scale * difference([&b, &c], [&a, &d], mode);
                    let around = scale * difference([&f, &g], [&e, &h], mode);
                    *slope += 2.0 * radius * weight / f64::from(angles) * (outward * outward + around * around);
                }
            }
        }
        for (mode, slope) in circle.modes().iter().zip(&slopes) {
            assert!((slope - mode.slope).abs() < 1e-7 * (1.0 + slope), "{name}: {slope}, {mode:?}");
        }
    }
}

#[test]
fn slope_is_the_squared_wave_number_where_modes_are_plane_waves_and_otherwise_of_the_rim() {
    let membrane = membrane(40.0);
    assert!(membrane.modes().iter().all(|mode| (mode.slope / (TAU * mode.frequency).powi(2) - 1.0).abs() < 1e-12));
    let mean = |rim: Rim| {
        let plate = plate(rim, 0.3, 40.0);
        let bending = plate.modes().iter().filter(|mode| mode.frequency > 0.0);
        bending.clone().map(|mode| mode.slope / (TAU * mode.frequency)).sum::<f64>() / bending.count() as f64
    };
    assert!(mean(Rim::Clamped) < 0.99 && mean(Rim::Free) > 1.01);
    assert!(mean(Rim::Clamped) < mean(Rim::Supported) && mean(Rim::Supported) < mean(Rim::Free));
}

#[test]
fn shapes_are_the_sum_of_bessel_functions() {
    for (name, circle) in circles(0.3, 120.0) {
        let modes = circle.modes();
        let rim = at(&*circle, 1.0, 0.0);
        for radius in [0.013, 0.2, 0.55, 0.83, 0.97, 1.0] {
            let weights = at(&*circle, radius, 0.0);
            for index in (0..modes.len()).step_by(37).filter(|index| modes[*index].frequency > 0.0) {
                let root = root(name, &modes[index]);
                // The order, told by the fastest change of the two modes with the angle: cos mθ and sin mθ.
                let Some((first, order)) = order_of(&*circle, index) else { continue };
                let j = |radius: f64| libm::jn(order as i32, root * radius);
                let i = |radius: f64| {
                    let mut sequence = vec![0.0; order + 1];
                    scaled_i_sequence(root * radius, &mut sequence);
                    sequence[order] * libm::exp(root * (radius - 1.0))
                };
                // Two places fix the two factors.
                let inner = at(&*circle, 0.9, 0.0)[first];
                let (outer, divisor) = (rim[first], j(0.9) * i(1.0) - j(1.0) * i(0.9));
                let [of_j, of_i] = if name == "membrane" {
                    [inner / j(0.9), 0.0]
                } else {
                    [(inner * i(1.0) - outer * i(0.9)) / divisor, (j(0.9) * outer - j(1.0) * inner) / divisor]
                };
                if j(0.9).abs() < 1e-2 {
                    continue;
                }
                let expected = of_j * j(radius) + of_i * i(radius);
                assert!((weights[first] - expected).abs() < 3e-10, "{name}, m = {order}, λ = {root}, r = {radius}");
            }
        }
    }
}

/// The cos mode of a pair and m, from the values at the rim or where the mode is large; none if it is not seen well.
fn order_of(circle: &dyn Shapes, index: usize) -> Option<(usize, usize)> {
    let modes = circle.modes();
    let turned = at(circle, 0.9, 1e-3);
    let straight = at(circle, 0.9, 0.0);
    // sin mθ vanishes at θ = 0.
    let first = if straight[index].abs() < 1e-9 { index.checked_sub(1)? } else { index };
    let next = modes.get(first + 1)?;
    if next.frequency != modes[first].frequency {
        return (straight[first].abs() > 1e-2).then_some((first, 0));
    }
    let tangent = turned[first + 1] / turned[first];
    (straight[first].abs() > 1e-2).then(|| (first, (libm::atan(tangent) / 1e-3).round() as usize))
}

#[test]
fn rims_are_held_as_they_should_be() {
    // Derivatives at the rim from a polynomial through 14 points near it.
    let derivatives = |values: &[f64], nodes: &[f64]| -> [f64; 4] {
        let mut divided = values.to_vec();
        for level in 1..nodes.len() {
            for index in (level..nodes.len()).rev() {
                divided[index] = (divided[index] - divided[index - 1]) / (nodes[index] - nodes[index - level]);
            }
        }
        // Horner's scheme of Newton's form, with derivatives over their factorials.
        let mut jet = [0.0; 4];
        for (factor, node) in divided.iter().zip(nodes).rev() {
            for level in (1..4).rev() {
                jet[level] = jet[level] * (1.0 - node) + jet[level - 1];
            }
            jet[0] = jet[0] * (1.0 - node) + factor;
        }
        [jet[0], jet[1], 2.0 * jet[2], 6.0 * jet[3]]
    };
    let poissons_ratio = 0.33;
    for (name, circle) in circles(poissons_ratio, 12.0) {
        let width = 0.25;
        let nodes: Vec<f64> =
            (0..14).map(|i| 1.0 - 0.5 * width * (1.0 - libm::cos((f64::from(i) + 0.5) * TAU / 28.0))).collect();
        let shapes: Vec<Vec<f64>> = nodes.iter().map(|&radius| at(&*circle, radius, 0.4)).collect();
        for (index, mode) in circle.modes().iter().enumerate().filter(|(_, mode)| mode.frequency > 0.0) {
            let values: Vec<f64> = shapes.iter().map(|shape| shape[index]).collect();
            let [value, first, second, third] = derivatives(&values, &nodes);
            // m² from the second difference with the angle, over the shape.
            let [before, here, after] = [-1e-3, 0.0, 1e-3].map(|by| at(&*circle, 0.95, 0.4 + by)[index]);
            let squared = ((2.0 * here - before - after) / (1e-6 * here)).round();
            let unit = root(name, mode);
            let (still, level) = (value.abs() < 1e-12, first.abs() < 1e-8 * unit);
            let moment = second + poissons_ratio * (first - squared * value);
            // (ΔR)' - (1-ν) m² (R' - R), all at r = 1.
            let shear = third + second
                - first
                - squared * (first - 2.0 * value)
                - (1.0 - poissons_ratio) * squared * (first - value);
            let (limp, unloaded) = (moment.abs() < 1e-6 * unit * unit, shear.abs() < 1e-4 * unit * unit * unit);
            match name {
                "membrane" => assert!(still && !level),
                "clamped" => assert!(still && level && !limp, "{unit}: {first}"),
                "supported" => assert!(still && limp && !level, "{unit}: {moment}"),
                _ => assert!(limp && unloaded && !still, "{unit}: {moment}, {shear}"),
            }
        }
    }
}

#[test]
fn as_many_modes_as_weyls_law_says_with_its_boundary_term() {
    // A wave that meets a straight edge under sin⁻¹ s leaves as cos(kₙy + δ); an edge adds ¼ + δ/π modes to every wave number along it. δ is -π/2 where u = 0 alone
    // holds, and with a free edge a wave runs along it at up to s > 1.
    let poissons_ratio: f64 = 0.3;
    let bend = 1.0 - poissons_ratio;
    let mean = |f: &dyn Fn(f64) -> f64| ritz::gauss(40).iter().map(|(s, weight)| weight * f(*s)).sum::<f64>();
    // s = sin, to smooth the root at s = 1.
    let over = |tangent: &dyn Fn(f64) -> f64, turns: f64| {
        mean(&|t: f64| {
            let angle = 0.25 * TAU * t;
            let s = libm::sin(angle);
            let normal = libm::cos(angle);
            0.25 * TAU * normal * (0.25 + libm::atan(tangent(s) / normal) * 2.0 / TAU - turns)
        })
    };
    let clamped = over(&|s| (1.0 + s * s).sqrt(), 1.0);
    let along =
        bend * (3.0 * poissons_ratio - 1.0 + 2.0 * (2.0 * poissons_ratio * (poissons_ratio - 1.0) + 1.0).sqrt());
    let free = over(&|s| (1.0 + s * s).sqrt() * ((1.0 - bend * s * s) / (1.0 + bend * s * s)).powi(2), 0.0)
        + libm::pow(along, -0.25)
        - 1.0;
    for ((name, circle), edge) in circles(poissons_ratio, 70.0).iter().zip([-0.25, clamped, -0.25, free]) {
        let roots: Vec<f64> = circle.modes().iter().map(|mode| root(name, mode)).collect();
        // Mean of what is found beyond the law, over a range of λ.
        let beyond = |from: f64, to: f64| {
            let points = 4000;
            let excess = |i: usize| {
                let x = from + (to - from) * (i as f64 + 0.5) / points as f64;
                roots.partition_point(|root| *root < x) as f64 - (0.25 * x * x + 2.0 * edge * x)
            };
            (0..points).map(excess).sum::<f64>() / points as f64
        };
        let means = [beyond(10.0, 30.0), beyond(30.0, 50.0), beyond(50.0, 70.0)];
        // One lost pair would step by two.
        assert!(means.iter().all(|mean| (mean - means[0]).abs() < 0.1 && mean.abs() < 0.8), "{name}: {means:?}");
    }
}

#[test]
fn a_free_plate_moves_and_turns_as_a_whole() {
    let plate = PlateCircle::new(0.4, 18.0, 7.85, 0.3, Rim::Free, 2000.0, 1000).unwrap();
    let modes = plate.modes();
    assert!(modes[..3].iter().all(|mode| mode.frequency == 0.0) && modes[3].frequency > 1.0);
    assert_eq!(modes[0].slope, 0.0);
    assert!(modes[1..3].iter().all(|mode| (mode.slope - 4.0 / 0.04).abs() < 1e-12));
    let mut weights = vec![0.0; modes.len()];
    plate.at([0.7, 0.4], &mut weights);
    assert!((weights[0] - 1.0).abs() < 1e-15);
    // 2x/a and 2y/a.
    assert!((weights[1] - 0.8).abs() < 1e-15 && (weights[2] + 0.4).abs() < 1e-15);
}

#[test]
fn every_mode_has_the_mass_of_the_body_and_frequencies_ascend() {
    let plate = PlateCircle::new(0.4, 18.0, 7.85, 0.3, Rim::Clamped, 5000.0, 1000).unwrap();
    let mass = 7.85 * 0.25 * PI * 0.16;
    assert!(plate.modes().iter().all(|mode| (mode.mass / mass - 1.0).abs() < 1e-15));
    assert!(plate.modes().windows(2).all(|pair| pair[0].frequency <= pair[1].frequency));
    assert!(plate.modes().iter().all(|mode| mode.frequency < 5000.0));
    let unit = (18.0_f64 / 7.85).sqrt() / (TAU * 0.04);
    assert!((plate.modes()[0].frequency / (10.215826 * unit) - 1.0).abs() < 1e-7);
    let drum = MembraneCircle::new(0.3, 2000.0, 0.26, 2000.0, 1000).unwrap();
    let unit = (2000.0_f64 / 0.26).sqrt() / (TAU * 0.15);
    let ratios: Vec<f64> = drum.modes().iter().map(|mode| mode.frequency / (2.404825557695773 * unit)).collect();
    for (ratio, textbook) in ratios.iter().zip([1.0, 1.593, 1.593, 2.136, 2.136, 2.295, 2.653, 2.653, 2.917, 2.917]) {
        assert!((ratio - textbook).abs() < 1e-3, "{ratios:?}");
    }
}

#[test]
fn pairs_are_turned_by_a_quarter_wave_and_off_the_circle_is_its_rim() {
    let drum = membrane(30.0);
    let along = at(&drum, 0.6, 0.0);
    assert!(
        drum.modes()
            .windows(2)
            .enumerate()
            .all(|(i, pair)| pair[0].frequency != pair[1].frequency || along[i + 1].abs() < 1e-15)
    );
    let plate = plate(Rim::Free, 0.3, 30.0);
    let (rim, beyond) = (at(&plate, 1.0, 2.0), at(&plate, 1.7, 2.0));
    assert!(rim.iter().zip(&beyond).all(|(rim, beyond)| (rim - beyond).abs() < 1e-11));
    let centre = at(&plate, 0.0, 0.0);
    let mut weights = vec![0.0; plate.modes().len()];
    for place in [[f64::NAN, 0.5], [f64::INFINITY, 0.5], [0.5, f64::NEG_INFINITY], [1e308, -1e308]] {
        plate.at(place, &mut weights);
        assert!(weights.iter().all(|weight| weight.is_finite()), "{place:?}");
    }
    plate.at([f64::NAN, 0.5], &mut weights);
    assert_eq!(weights, centre);
    // Too little room, or too much.
    plate.at([0.3, 0.3], &mut weights[..4]);
    plate.at([0.3, 0.3], &mut vec![0.0; 10_000]);
    assert!(contains([0.5, 0.5]) && contains([1.0, 0.5]) && contains([0.5, 0.0]));
    assert!(!contains([0.9, 0.9]) && !contains([1.01, 0.5]) && !contains([f64::NAN, 0.5]));
    let rim = |angle: f64| [0.5 + 0.5 * libm::cos(angle), 0.5 + 0.5 * libm::sin(angle)];
    assert!((0..1000).all(|i| contains(rim(f64::from(i)))));
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let plate = |diameter, stiffness, density, ratio, highest, most| {
        PlateCircle::new(diameter, stiffness, density, ratio, Rim::Free, highest, most).map(|plate| plate.modes().len())
    };
    let good = plate(0.4, 18.0, 7.85, 0.3, 5000.0, 1000).unwrap();
    let error = |result: Result<usize, ObjectError>| result.unwrap_err().to_string();
    for bad in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
        assert!(error(plate(bad, 18.0, 7.85, 0.3, 5000.0, 1000)).starts_with("diameter"));
        assert!(error(plate(0.4, bad, 7.85, 0.3, 5000.0, 1000)).starts_with("stiffness"));
        assert!(error(plate(0.4, 18.0, bad, 0.3, 5000.0, 1000)).starts_with("surface density"));
        assert!(error(plate(0.4, 18.0, 7.85, 0.3, bad, 1000)).starts_with("highest"));
        assert!(MembraneCircle::new(0.3, bad, 0.26, 1000.0, 100).is_err());
    }
    assert!(error(plate(0.4, 18.0, 7.85, 0.5, 5000.0, 1000)).starts_with("Poisson's ratio"));
    assert!(error(plate(0.4, 1e305, 1e-9, 0.3, 5000.0, 1000)).contains("can be computed"));
    assert_eq!(plate(0.4, 18.0, 7.85, 0.3, 5000.0, good), Ok(good));
    assert_eq!(
        plate(0.4, 18.0, 7.85, 0.3, 5000.0, good - 1),
        Err(ObjectError::TooManyModes { modes: good, highest: 5000.0, limit: good - 1 })
    );
    for highest in [1e8, 1e20, 1e300] {
        let error = plate(0.4, 18.0, 7.85, 0.3, highest, usize::MAX).unwrap_err();
        assert!(matches!(error, ObjectError::TooManyModes { limit: MOST_MODES, modes, .. } if modes > MOST_MODES));
    }
    assert_eq!(plate(0.4, 18.0, 7.85, 0.3, 1e-300, 3), Ok(3), "motion of the whole");
    assert_eq!(MembraneCircle::new(0.3, 2000.0, 0.26, 1.0, 100).unwrap().modes(), &[]);
}

#[test]
fn the_largest_circle_fits_its_table() {
    assert!(most_terms(LARGEST_ROOT) <= MOST_TERMS);
    for condition in
        [Condition::Fixed, Condition::Clamped, Condition::Supported { bend: 0.7 }, Condition::Free { bend: 0.7 }]
    {
        assert!(condition.count(LARGEST_ROOT) > MOST_MODES, "{condition:?}");
    }
}
