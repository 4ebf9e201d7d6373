//! Plates against printed tables, exact equations (Lévy, bars), another basis, and the definitions by quadrature.

use super::super::rectangle::{PlateRectangle, Stiffness};
use super::super::{Mode, Shapes};
use super::*;
use Edge::{Clamped, Free, Supported};

mod levy;
mod polynomials;

const FREE: [[Edge; 2]; 2] = [[Free; 2]; 2];
const CLAMPED: [[Edge; 2]; 2] = [[Clamped; 2]; 2];
const CANTILEVER: [[Edge; 2]; 2] = [[Clamped, Free], [Free, Free]];
/// Spruce, roughly, with the grain along x.
const WOOD: Stiffness = Stiffness { along: 15.0, across: 1.0, coupling: 0.6, twisting: 0.9 };

/// Hardly twisted and much coupled.
const CURLING: Stiffness = Stiffness { along: 1.0, across: 1.5, coupling: 1.0, twisting: 0.1 };

/// A plate of surface density 1 kg/m², all modes below an angular frequency in 1/s.
fn plate(sides: [f64; 2], stiffness: Stiffness, edges: [[Edge; 2]; 2], highest: f64) -> PlateRectangle {
    PlateRectangle::new(sides, 1.0, stiffness, edges, highest / (2.0 * PI), 4096).unwrap()
}

/// Angular frequencies in 1/s.
fn angular(plate: &PlateRectangle) -> Vec<f64> {
    plate.modes().iter().map(|mode| 2.0 * PI * mode.frequency).collect()
}

/// The same by functions of the richness given.
fn angular_by(
    richness: Richness,
    sides: [f64; 2],
    stiffness: Stiffness,
    edges: [[Edge; 2]; 2],
    highest: f64,
) -> Vec<f64> {
    let unit = 1.0 / (highest * highest);
    let [x, y] = sides.map(|side| 1.0 / (side * side));
    let both = stiffness.coupling + 2.0 * stiffness.twisting;
    let dispersion =
        Dispersion { tension: 0.0, along: unit * stiffness.along, both: unit * both, across: unit * stiffness.across };
    let factors = [
        unit * stiffness.along * x * x,
        unit * stiffness.across * y * y,
        unit * stiffness.coupling * x * y,
        4.0 * unit * stiffness.twisting * x * y,
    ];
    let plate = Plate { sides, mass: 1.0, highest, dispersion, factors };
    plate.solve(edges, 4096, richness).unwrap().modes.iter().map(|mode| mode.frequency).collect()
}

/// `ωa²√(ρh/D)` for ν = 0.3 in Leissa's tables (J. Sound Vib. 31 (1973)) for a/b = 1, 1.5 and 2.5. He took 36 functions of beams, so that his numbers
/// are upper bounds: some are 1 % too high where edges are free.
#[test]
fn leissas_tables_are_met_from_below() {
    let clamped = [
        (1.0, [35.992, 73.413, 73.413, 108.27, 131.64, 132.24]),
        (1.5, [60.772, 93.860, 148.82, 149.74, 179.66, 226.92]),
        (2.5, [147.80, 173.85, 221.54, 291.89, 384.71, 394.37]),
    ];
    let free = [
        (1.0, [13.489, 19.789, 24.432, 35.024, 35.024, 61.526]),
        (1.5, [20.128, 21.603, 46.654, 50.293, 58.201, 67.494]),
        (2.5, [21.643, 33.050, 60.137, 71.484, 117.45, 119.38]),
    ];
    let cantilever = [(1.0, [3.4917, 8.5246, 21.429, 27.331, 31.111, 54.443])];
    let tables =
        [(CLAMPED, &clamped[..], 0, 1e-3), (FREE, &free[..], 3, 1.1e-2), (CANTILEVER, &cantilever[..], 0, 8e-3)];
    for (edges, table, rigid, within) in tables {
        for (ratio, rows) in table {
            let plate = plate([1.0, 1.0 / ratio], Stiffness::isotropic(1.0, 0.3), edges, 1.2 * rows[5]);
            for (found, printed) in angular(&plate)[rigid..].iter().zip(rows) {
                let error = found / printed - 1.0;
                assert!(error < 1e-4 && error > -within, "{edges:?} {ratio}: {found} {printed}");
            }
        }
    }
}

#[test]
fn the_first_ten_modes_are_those_of_another_basis() {
    for (edges, stiffness, sides) in [
        (FREE, Stiffness::isotropic(1.0, 0.3), [1.0, 1.0]),
        (FREE, Stiffness::isotropic(1.0, 0.3), [1.5, 1.0]),
        (FREE, WOOD, [1.3, 1.0]),
        (CLAMPED, Stiffness::isotropic(1.0, 0.3), [1.0, 1.0]),
        (CLAMPED, Stiffness::isotropic(1.0, 0.3), [1.0, 0.6]),
        ([[Supported, Clamped], [Clamped, Supported]], WOOD, [1.2, 1.0]),
        ([[Supported, Free], [Free, Free]], Stiffness::isotropic(1.0, 0.3), [1.0, 1.0]),
        (CANTILEVER, Stiffness::isotropic(1.0, 0.3), [1.0, 1.0]),
    ] {
        let reference = polynomials::angular(sides, &stiffness, edges);
        let rigid = reference.iter().filter(|value| **value < 1e-2).count();
        let found = angular(&plate(sides, stiffness, edges, 1.05 * reference[rigid + 9]));
        for (found, reference) in found[rigid..].iter().zip(&reference[rigid..rigid + 10]) {
            // Where clamped meets free, both converge slowly.
            let within = if edges == CANTILEVER { 3e-4 } else { 1e-5 };
            assert!((found / reference - 1.0).abs() < within, "{edges:?}: {found} {reference}");
        }
    }
}

#[test]
fn plates_between_two_supported_edges_have_all_the_modes_of_levys_equation() {
    let (sides, ratio, highest) = ([1.0, 0.8], 0.3, 1500.0);
    for other in [[Clamped; 2], [Free; 2]] {
        let exact = levy::angular(sides, ratio, other == [Free; 2], highest);
        let found = angular(&plate(sides, Stiffness::isotropic(1.0, ratio), [[Supported; 2], other], highest));
        assert_eq!(found.len(), exact.len());
        assert!(found.len() > 70);
        for (found, exact) in found.iter().zip(&exact) {
            let error = found / exact - 1.0;
            assert!(error > -1e-9 && error < 1e-4, "{other:?}: {found} {exact}");
        }
        let middle = found.len() / 2;
        assert!((found[middle] / exact[middle] - 1.0).abs() < 2e-6);
    }
}

#[test]
fn twice_the_functions_change_no_frequency_of_the_band_by_more_than_a_third_of_a_thousandth() {
    let twice = Richness { beyond: 1.5, extra: 12.0, free: 16.0 };
    let free_pair = [[Clamped; 2], [Free; 2]];
    let one_of_each = [[Supported, Clamped], [Free, Clamped]];
    for (sides, stiffness, highest) in [
        ([1.0, 1.0], Stiffness::isotropic(1.0, 0.3), 500.0),
        ([1.0, 1.0], Stiffness::isotropic(1.0, 0.3), 90.0),
        ([4.0, 0.7], Stiffness::isotropic(1.0, 0.3), 150.0),
        ([1.5, 0.8], WOOD, 600.0),
        ([1.0, 0.9], CURLING, 250.0),
    ] {
        // Much coupled, the corner between clamped and free is at its worst: a thousandth.
        let count = if stiffness == CURLING { 2 } else { 5 };
        for edges in [FREE, CLAMPED, CANTILEVER, free_pair, one_of_each].into_iter().take(count) {
            let found = angular_by(RICHNESS, sides, stiffness, edges, highest);
            let richer = angular_by(twice, sides, stiffness, edges, highest);
            assert!(richer.len() - found.len() <= 1, "one may have come down below the highest");
            for (found, richer) in found.iter().zip(&richer) {
                let error = (found - richer) / richer.max(1e-9);
                assert!(error > -1e-7 && error < 3.3e-4, "{sides:?} {edges:?}: {found} {richer}");
            }
            let smooth = !matches!(edges, [[Clamped, _], [Free, _]] | [_, [Free, Clamped]]);
            let half = found.len() / 2;
            let worst = found[..half].iter().zip(&richer).map(|(a, b)| if *b > 0.0 { a / b - 1.0 } else { 0.0 });
            assert!(!smooth || worst.fold(0.0, f64::max) < 1e-5, "{sides:?} {edges:?}");
        }
    }
}

/// Without Poisson's ratio the strip does not curl, and a bar's shape is a mode of any plate whose other edges are free.
#[test]
fn a_plate_that_does_not_curl_has_the_modes_of_bars() {
    let roots = [
        ([Free; 2], [4.730040744862704, 7.853204624095838, 10.995607838001671]),
        ([Clamped; 2], [4.730040744862704, 7.853204624095838, 10.995607838001671]),
        ([Clamped, Free], [1.8751040687119611, 4.694091132974174, 7.854757438237613]),
        ([Free, Supported], [3.926602312047919, 7.068582745628732, 10.210176122813031]),
    ];
    for (ends, roots) in roots {
        for sides in [[1.0, 0.7], [1.0, 0.01], [30.0, 1.0]] {
            let scale = 1.0 / (sides[0] * sides[0]);
            let found = angular(&plate(sides, Stiffness::isotropic(1.0, 0.0), [ends, [Free; 2]], 150.0 * scale));
            for root in roots {
                let bar = root * root * scale;
                let error = found.iter().map(|found| (found / bar - 1.0).abs()).fold(1.0, f64::min);
                assert!(error < 1e-6, "{ends:?} {sides:?}: {bar}, off by {error}");
            }
        }
    }
}

/// Its stiffness is `D1 - D12²/D2` in the limit.
#[test]
fn a_narrow_strip_bends_like_a_bar_that_curls_freely() {
    for (stiffness, within) in [(Stiffness::isotropic(1.0, 0.3), 1e-4), (WOOD, 1e-4)] {
        let found = angular(&plate([1.0, 0.005], stiffness, FREE, 180.0 * stiffness.along.sqrt()));
        let bar = 4.730040744862704_f64.powi(2)
            * (stiffness.along - stiffness.coupling * stiffness.coupling / stiffness.across).sqrt();
        let second = bar * (7.853204624095838_f64 / 4.730040744862704).powi(2);
        assert!((found[3] / bar - 1.0).abs() < within, "{} {bar}", found[3]);
        let error = found.iter().map(|found| (found / second - 1.0).abs()).fold(1.0, f64::min);
        assert!(error < within);
    }
}

#[test]
fn moving_and_turning_as_a_whole_have_no_frequency_at_all() {
    let sides = [0.7, 0.4];
    let free = plate(sides, WOOD, FREE, 300.0);
    let zero: Vec<&Mode> = free.modes().iter().filter(|mode| mode.frequency == 0.0).collect();
    assert_eq!(zero.len(), 3);
    assert!(free.modes()[3].frequency > 1.0);
    let mut slopes: Vec<f64> = zero.iter().map(|mode| mode.slope).collect();
    slopes.sort_by(f64::total_cmp);
    for (found, exact) in slopes.iter().zip([0.0, 12.0 / (0.7 * 0.7), 12.0 / (0.4 * 0.4)]) {
        assert!((found - exact).abs() < 1e-9, "{found} {exact}");
    }
    let mut weights = vec![0.0; free.modes().len()];
    free.at([0.2, 0.9], &mut weights);
    let mut shapes = weights[..3].to_vec();
    shapes.iter_mut().for_each(|shape| *shape = shape.abs());
    shapes.sort_by(f64::total_cmp);
    for (found, exact) in shapes.iter().zip([1.0, 12.0_f64.sqrt() * 0.3, 12.0_f64.sqrt() * 0.4]) {
        assert!((found - exact).abs() < 1e-12, "{found} {exact}");
    }
    for (edges, rigid) in [
        ([[Supported, Free], [Free, Free]], 1),
        ([[Free, Free], [Free, Supported]], 1),
        ([[Supported, Free], [Free, Supported]], 0),
        ([[Supported; 2], [Free; 2]], 0),
        (CANTILEVER, 0),
    ] {
        let plate = plate(sides, WOOD, edges, 300.0);
        assert_eq!(plate.modes().iter().filter(|mode| mode.frequency < 0.2).count(), rigid, "{edges:?}");
    }
}

/// Means over the plate by the midpoint rule, and φ of all modes at the points.
fn shapes_on_a_grid(plate: &PlateRectangle, points: usize) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.0; points * points]; plate.modes().len()];
    let mut weights = vec![0.0; plate.modes().len()];
    for p in 0..points * points {
        let place = [p % points, p / points].map(|i| (i as f64 + 0.5) / points as f64);
        plate.at(place, &mut weights);
        rows.iter_mut().zip(&weights).for_each(|(row, weight)| row[p] = *weight);
    }
    rows
}

#[test]
fn shapes_have_mean_square_one_are_orthogonal_and_as_steep_as_told() {
    let points = 120;
    let (sides, step) = ([1.1, 0.8], 1.0 / 120.0);
    for edges in [FREE, CLAMPED, CANTILEVER, [[Supported; 2], [Clamped, Free]], [[Supported, Free], [Clamped, Free]]] {
        let plate = plate(sides, WOOD, edges, 480.0);
        assert!(plate.modes().len() > 8);
        let shapes = shapes_on_a_grid(&plate, points);
        for (i, one) in shapes.iter().enumerate() {
            assert_eq!(plate.modes()[i].mass, 1.1 * 0.8);
            for (k, other) in shapes.iter().enumerate() {
                let mean = one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>() / (points * points) as f64;
                let exact = f64::from(u8::from(i == k));
                assert!((mean - exact).abs() < 6e-3, "{edges:?} {i} {k}: {mean}");
            }
            let mut steepness = 0.0;
            for y in 0..points {
                for x in 1..points {
                    let along = (one[y * points + x] - one[y * points + x - 1]) / (sides[0] * step);
                    let across = (one[x * points + y] - one[(x - 1) * points + y]) / (sides[1] * step);
                    steepness += along * along + across * across;
                }
            }
            let found = steepness / ((points - 1) * points) as f64;
            let told = plate.modes()[i].slope;
            assert!((found - told).abs() < 0.02 * told + 1e-9, "{edges:?} {i}: {found} {told}");
        }
    }
}

#[test]
fn edges_hold_the_plate_as_told() {
    let edges = [[Clamped, Free], [Supported, Clamped]];
    let plate = plate([1.0, 1.0], Stiffness::isotropic(1.0, 0.3), edges, 400.0);
    let count = plate.modes().len();
    assert!(count > 20);
    let at = |x: f64, y: f64| {
        let mut weights = vec![0.0; count];
        plate.at([x, y], &mut weights);
        weights
    };
    let h = 1e-4;
    for along in [0.13, 0.5, 0.91] {
        let (left, bottom, top) = (at(0.0, along), at(along, 0.0), at(along, 1.0));
        let (left_in, bottom_in, top_in) = (at(h, along), at(along, h), at(along, 1.0 - h));
        // The bending moment uxx + ν uyy on the free edge, by differences.
        let free: Vec<Vec<f64>> = [0.0, h, 2.0 * h].iter().map(|x| at(1.0 - x, along)).collect();
        let (free_up, free_down) = (at(1.0, along + h), at(1.0, along - h));
        for i in 0..count {
            let wave = (2.0 * PI * plate.modes()[i].frequency).sqrt();
            assert!(left[i].abs() < 1e-10 && bottom[i].abs() < 1e-10 && top[i].abs() < 1e-10);
            assert!((left_in[i] / h).abs() < 2.0 * wave * wave * h && (top_in[i] / h).abs() < 2.0 * wave * wave * h);
            assert!((bottom_in[i] / h).abs() < 3.0 * wave);
            let along_edge = (free_up[i] - 2.0 * free[0][i] + free_down[i]) / (h * h);
            let moment = (free[0][i] - 2.0 * free[1][i] + free[2][i]) / (h * h) + 0.3 * along_edge;
            assert!(moment.abs() < 0.06 * wave * wave, "{i} at {along}: {moment} of {}", wave * wave);
        }
        assert!((0..count).any(|i| (bottom_in[i] / h).abs() > 2.0), "a supported edge turns");
    }
}

#[test]
fn a_plate_turned_by_a_right_angle_sounds_the_same() {
    let turned = Stiffness { along: WOOD.across, across: WOOD.along, ..WOOD };
    let one = plate([1.3, 0.9], WOOD, [[Clamped, Free], [Supported, Free]], 400.0);
    let other = plate([0.9, 1.3], turned, [[Supported, Free], [Clamped, Free]], 400.0);
    assert_eq!(one.modes().len(), other.modes().len());
    let (mut here, mut there) = (vec![0.0; one.modes().len()], vec![0.0; one.modes().len()]);
    one.at([0.8, 0.3], &mut here);
    other.at([0.3, 0.8], &mut there);
    for (((a, b), here), there) in one.modes().iter().zip(other.modes()).zip(&here).zip(&there) {
        assert!((a.frequency / b.frequency - 1.0).abs() < 1e-10 && (a.slope / b.slope - 1.0).abs() < 1e-8);
        assert!((here.abs() - there.abs()).abs() < 1e-7, "{here} {there}");
    }
}

#[test]
fn too_many_modes_are_refused_before_they_are_computed() {
    let plate = |edges, highest, most| {
        PlateRectangle::new([0.4, 0.3], 8.0, Stiffness::isotropic(18.0, 0.3), edges, highest, most)
    };
    for edges in [FREE, CLAMPED, CANTILEVER] {
        let count = plate(edges, 2000.0, 4096).unwrap().modes().len();
        assert!(plate(edges, 2000.0, count).is_ok());
        let error = plate(edges, 2000.0, count - 1).unwrap_err();
        assert_eq!(error, ObjectError::TooManyModes { modes: count, highest: 2000.0, limit: count - 1 });
        // Told roughly, without solving.
        let ObjectError::TooManyModes { modes, .. } = plate(edges, 2000.0, 3).unwrap_err() else { panic!() };
        assert!((modes as f64 / count as f64 - 1.0).abs() < 0.2, "{edges:?}: {modes} {count}");
        assert!(plate(edges, 1e9, usize::MAX).is_err());
    }
    let error = plate(FREE, 150_000.0, usize::MAX).unwrap_err();
    assert!(matches!(error, ObjectError::TooManyModes { limit: 4096, .. }), "{error}");
}

#[test]
fn plates_of_any_size_are_built_or_refused() {
    for sides in [[1e-4, 1e-4], [1e-4, 1e4], [1e4, 1e-4], [1e4, 1e4], [0.3, 1e-4]] {
        for (along, across) in [(1e-15, 1e-15), (1e15, 1e15), (1e15, 1e-15), (1.0, 1e-6)] {
            let coupling = 0.3 * f64::min(along, across);
            let stiffness = Stiffness { along, across, coupling, twisting: 0.3 * f64::min(along, across) };
            for (density, highest) in [(1e-9, 1e-6), (1e9, 1e9), (1.0, 1000.0)] {
                for edges in [FREE, CLAMPED, [[Supported; 2], [Free; 2]]] {
                    let Ok(plate) = PlateRectangle::new(sides, density, stiffness, edges, highest, 100) else {
                        continue;
                    };
                    let mut weights = vec![f64::NAN; plate.modes().len()];
                    plate.at([0.3, 0.6], &mut weights);
                    assert!(plate.modes().iter().all(|mode| mode.frequency < highest && mode.slope.is_finite()));
                    assert!(weights.iter().all(|weight| weight.is_finite()), "{sides:?} {stiffness:?} {edges:?}");
                }
            }
        }
    }
}
