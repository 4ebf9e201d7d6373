use std::f64::consts::PI;

use super::super::super::SurfaceDensity;
use super::*;

/// sin²(ωk/2) of mode (m, n) on the grid, from c² and κ²: the closed form of sheet.rs.
fn discrete_frequency(sheet: &Sheet, sides: [f64; 2], [c2, kappa2]: [f64; 2], m: usize, n: usize) -> f64 {
    let [nx, ny] = sheet.dimensions().map(|n| (n - 1) as f64);
    let [hx, hy] = [sides[0] / nx, sides[1] / ny];
    let part = |h: f64, m: usize, n: f64| (2.0 / h * (m as f64 * PI / (2.0 * n)).sin()).powi(2);
    let beta2 = part(hx, m, nx) + part(hy, n, ny);
    let k = 1.0 / RATE;
    2.0 * (0.5 * k * (c2 * beta2 + kappa2 * beta2 * beta2).sqrt()).asin()
}

fn mode(m: usize, n: usize) -> impl Fn(f64, f64) -> f64 {
    move |x, y| (m as f64 * PI * x).sin() * (n as f64 * PI * y).sin()
}

/// Released at rest half a sample early, a mode of frequency θ = ωk must be cos((n+½)θ)/cos(θ/2) at every node and sample.
fn assert_rings_at(sheet: &mut Sheet, theta: f64, m: usize, n: usize, what: &str) {
    sheet.displace(mode(m, n));
    let [columns, rows] = sheet.dimensions();
    let mut start = vec![0.0; columns * rows];
    let mut shape = start.clone();
    sheet.shape(&mut start);
    for sample in 1..=2000 {
        step(sheet);
        if sample % 100 != 0 {
            continue;
        }
        sheet.shape(&mut shape);
        let expected = ((sample as f64 + 0.5) * theta).cos() / (0.5 * theta).cos();
        for (now, first) in shape.iter().zip(&start) {
            let error = (now - expected * first).abs();
            assert!(error < 1e-10, "{what} mode ({m}, {n}) at sample {sample}: {now} for {}", expected * first);
        }
    }
}

#[test]
fn discrete_modes_ring_at_the_closed_form() {
    for sides in [(14.3, 9.7), (7.2, 22.9)] {
        let spec = small_plate(sides.0, sides.1, 0.0, 0.0, PlateEdges::SimplySupported);
        let mut plate = build_plate(&spec);
        for (m, n) in [(1, 1), (2, 1), (1, 3), (5, 4)] {
            let theta =
                discrete_frequency(&plate, spec.outline.sides().unwrap(), [0.0, spec.stiffness_squared()], m, n);
            assert_rings_at(&mut plate, theta, m, n, "plate");
        }
        let spec = small_membrane(sides.0, sides.1, 0.0, 0.0);
        let mut membrane = build_membrane(&spec);
        for (m, n) in [(1, 1), (2, 1), (1, 3), (5, 4)] {
            let theta =
                discrete_frequency(&membrane, spec.outline.sides().unwrap(), [spec.wave_speed().powi(2), 0.0], m, n);
            assert_rings_at(&mut membrane, theta, m, n, "membrane");
        }
    }
}

/// The frequency in Hz that a mode really has, from the growth of its phase over one sample: u⁺ + u⁻ = 2 cos θ u.
fn measured_frequency(sheet: &mut Sheet, rate: f64, m: usize, n: usize) -> f64 {
    sheet.displace(mode(m, n));
    // From rest half a sample early, u¹/u⁰ = 2 cos θ - 1.
    let place = sheet.support(Place::On(0.5 / m as f64, 0.5 / n as f64)).expect("on it");
    let first = sheet.read(&place, At::Now);
    step(sheet);
    let second = sheet.read(&place, At::Now);
    // 1 - cos θ = 2 sin²(θ/2), free of cancellation.
    let half = (0.25 * (1.0 - second / first)).sqrt().asin();
    rate * half / PI
}

/// √(m²/Lx² + n²/Ly²) in 1/m.
fn half_waves(outline: &Outline, m: u32, n: u32) -> f64 {
    let [x, y] = outline.sides().unwrap();
    (f64::from(m) / x).hypot(f64::from(n) / y)
}

#[test]
fn simply_supported_plate_converges_at_second_order() {
    let spec = PlateSpec { outline: Outline::Rectangle([0.41, 0.29]), loss: Loss::None, ..PlateSpec::default() };
    for (m, n) in [(1, 1), (2, 1), (2, 3)] {
        let exact = 0.5 * PI * spec.stiffness_squared().sqrt() * half_waves(&spec.outline, m, n).powi(2);
        let errors: Vec<f64> = [RATE, 4.0 * RATE, 16.0 * RATE]
            .iter()
            .map(|&rate| {
                let mut plate = spec.on_grid(rate, 1_000_000).expect("sound");
                measured_frequency(&mut plate, rate, m as usize, n as usize) / exact - 1.0
            })
            .collect();
        // Dispersion: β² is low by (βh)²/24 or so on each side; the error must shrink with h² (fourfold per doubling of 1/h).
        assert!(errors[0].abs() < 0.02, "({m}, {n}): {errors:?}");
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((1.8..2.2).contains(&order), "({m}, {n}): order {order} of {errors:?}");
        }
    }
}

#[test]
fn membrane_converges_at_second_order() {
    let spec = MembraneSpec { outline: Outline::Rectangle([0.31, 0.22]), loss: Loss::None, ..MembraneSpec::default() };
    // Not near the diagonal of the cells, where this scheme has no dispersion at the bound.
    for (m, n) in [(2, 1), (1, 3), (5, 1)] {
        let exact = 0.5 * spec.wave_speed() * half_waves(&spec.outline, m, n);
        let errors: Vec<f64> = [RATE, 2.0 * RATE, 4.0 * RATE]
            .iter()
            .map(|&rate| {
                let mut membrane = spec.on_grid(rate, 1_000_000).expect("sound");
                measured_frequency(&mut membrane, rate, m as usize, n as usize) / exact - 1.0
            })
            .collect();
        assert!(errors[0].abs() < 0.005, "({m}, {n}): {errors:?}");
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((1.8..2.2).contains(&order), "({m}, {n}): order {order} of {errors:?}");
        }
    }
}

#[test]
fn a_membrane_asked_for_a_fundamental_has_it_whatever_it_weighs() {
    for weight in [0.05, 5.0] {
        let spec = MembraneSpec {
            tension: Tension::Fundamental(150.0),
            surface_density: SurfaceDensity::KilogramsPerSquareMetre(weight),
            loss: Loss::None,
            ..MembraneSpec::default()
        };
        let found = measured_frequency(&mut build_membrane(&spec), RATE, 1, 1);
        assert!((found - 150.0).abs() < 0.01, "{found}");
    }
}

/// The frequency in Hz at which the lowest mode rings with loss: its pole pair, from δtt q = -p q - s δt₋q in least squares.
fn sounding_frequency(sheet: &mut Sheet, rate: f64) -> f64 {
    sheet.displace(mode(1, 1));
    let place = sheet.support(Place::On(0.5, 0.5)).expect("on it");
    let mut q = [sheet.read(&place, At::Now); 2];
    let ([mut aa, mut ab, mut bb], [mut ya, mut yb]) = ([0.0; 3], [0.0; 2]);
    for _ in 0..2000 {
        step(sheet);
        let next = sheet.read(&place, At::Now);
        let (a, b) = (q[1], q[1] - q[0]);
        let y = (next - q[1]) - b;
        (aa, ab, bb) = (aa + a * a, ab + a * b, bb + b * b);
        (ya, yb) = (ya + y * a, yb + y * b);
        q = [q[1], next];
    }
    let determinant = aa * bb - ab * ab;
    let (p, s) = (-(ya * bb - yb * ab) / determinant, -(yb * aa - ya * ab) / determinant);
    let radius = (1.0 - s).sqrt();
    rate / PI * ((p - (1.0 - radius).powi(2)) / (4.0 * radius)).sqrt().asin()
}

#[test]
fn membranes_sound_at_their_fundamental_on_any_grid() {
    for (sides, frequency, grid) in [
        ([0.3, 0.3], 400.0, None),
        ([0.3, 0.3], 200.0, Some([8, 8])),
        ([0.5, 0.2], 350.0, None),
        ([0.15, 0.4], 440.0, None),
        ([0.2, 0.2], 1500.0, None),
    ] {
        for rate in [44_100.0, 96_000.0] {
            for (sigma0, sigma1) in [(0.0, 0.0), (3.0, 0.01), (20.0, 0.0)] {
                let tension = Tension::Fundamental(frequency);
                let spec = MembraneSpec {
                    outline: Outline::Rectangle(sides),
                    tension,
                    loss: Loss::sigma(sigma0, sigma1),
                    grid,
                    ..MembraneSpec::default()
                };
                let mut membrane = spec.on_grid(rate, 40_000).expect("sound");
                let cents = 1200.0 * (sounding_frequency(&mut membrane, rate) / frequency).log2();
                assert!(cents.abs() < 1e-3, "{spec:?} at {rate}: {cents} cents");
            }
        }
    }
}

/// Lowest eigenvalue ω² of a lossless sheet near a guess: sift the mode out of the motion, then take its Rayleigh quotient.
fn lowest_eigenvalue(sheet: &mut Sheet, rate: f64, guess: f64) -> f64 {
    let [columns, rows] = sheet.dimensions();
    let mut kept = vec![0.0; columns * rows];
    let mut shape = kept.clone();
    sheet.displace(|x, y| (PI * x).sin().powi(2) * (PI * y).sin().powi(2));
    let samples = (40.0 * 2.0 * PI * rate / guess) as usize;
    for sample in 0..samples {
        sheet.shape(&mut shape);
        let window = (PI * sample as f64 / samples as f64).sin().powi(4);
        let weight = window * (guess * sample as f64 / rate).cos();
        kept.iter_mut().zip(&shape).for_each(|(kept, now)| *kept += weight * now);
        step(sheet);
    }
    let node = |x: f64, y: f64| {
        let [x, y] = [x * (columns - 1) as f64, y * (rows - 1) as f64].map(|v| v.round() as usize);
        kept[y * columns + x]
    };
    sheet.displace(node);
    let potential = sheet.stored_energy();
    // The same shape as a velocity over no displacement: all kinetic.
    sheet.displace(|_, _| 0.0);
    sheet.set_velocity(node);
    potential / sheet.stored_energy()
}

#[test]
fn clamped_square_plate_converges_to_the_published_fundamental() {
    // Leissa 1969: ω L²/κ = 35.985 (35.9852 to more places).
    let exact: f64 = 35.9852;
    let errors: Vec<f64> = [10usize, 20, 40]
        .iter()
        .map(|&n| {
            let spec =
                PlateSpec { grid: Some([n; 2]), ..small_plate(n as f64, n as f64, 0.0, 0.0, PlateEdges::Clamped) };
            let scale = spec.outline.sides().unwrap()[0].powi(2) / spec.stiffness_squared().sqrt();
            let mut plate = build_plate(&spec);
            assert_eq!(plate.points(), (n - 1) * (n - 1));
            lowest_eigenvalue(&mut plate, RATE, exact / scale).sqrt() * scale / exact - 1.0
        })
        .collect();
    assert!(errors[2].abs() < 0.005, "{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((1.7..2.3).contains(&order), "order {order} of {errors:?}");
    }
}

#[test]
fn a_mode_decays_at_sigma0_plus_sigma1_beta_squared() {
    let (sigma0, sigma1) = (3.0, 0.02);
    let plate_spec = small_plate(21.6, 16.3, sigma0, sigma1, PlateEdges::SimplySupported);
    let membrane_spec = small_membrane(33.6, 24.3, sigma0, sigma1);
    let sheets = [
        ("plate", plate_spec.outline.sides().unwrap(), build_plate(&plate_spec)),
        ("membrane", membrane_spec.outline.sides().unwrap(), build_membrane(&membrane_spec)),
    ];
    for (name, sides, mut sheet) in sheets {
        for (m, n) in [(1, 1), (3, 2)] {
            sheet.displace(mode(m, n));
            let beta2 = (m as f64 * PI / sides[0]).powi(2) + (n as f64 * PI / sides[1]).powi(2);
            let samples = 4000;
            let before = sheet.stored_energy();
            (0..samples).for_each(|_| step(&mut sheet));
            let after = sheet.stored_energy();
            let rate = 0.5 * (before / after).ln() * RATE / f64::from(samples);
            let expected = sigma0 + sigma1 * beta2;
            // The grid sees β² low by (βh)²/12; the phase at which the energy is read shifts the rate a little.
            assert!((rate / expected - 1.0).abs() < 0.02, "{name} ({m}, {n}): {rate} for {expected}");
        }
    }
}
