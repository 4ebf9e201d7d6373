//! Frequencies and decays against the closed forms.

use super::super::super::bar::{BarPitch, BarSpec, lowest_root};
use super::super::super::string::{StringMass, StringPitch, StringSpec};
use super::super::super::{At, Loss};
use super::*;
use std::f64::consts::PI;

/// cos ωk of the motion of a line that starts near a mode: fitted to u⁺ + u⁻ = 2 cos ωk u in the mode's own coordinate.
fn measured_frequency(line: &mut Line, rate: f64, mode: &dyn Fn(f64) -> f64) -> f64 {
    line.displace(mode).unwrap();
    let last = line.points() - 1;
    let shape: Vec<f64> = (0..=last).map(|node| mode(node as f64 / last as f64)).collect();
    let coordinate = |line: &Line| -> f64 {
        let weight = |node: usize| if node == 0 || node == last { 0.5 } else { 1.0 };
        line.nodes(At::Now).enumerate().map(|(node, u)| weight(node) * shape[node] * u).sum()
    };
    let mut samples = [coordinate(line); 3];
    let (mut product, mut square) = (0.0, 0.0);
    for _ in 0..4000 {
        samples = [samples[1], samples[2], coordinate(line)];
        step(line, Level::new());
        let next = coordinate(line);
        product += samples[2] * ((next - samples[2]) - (samples[2] - samples[1]));
        square += samples[2] * samples[2];
    }
    // 2 cos ωk - 2 = -4 sin²(ωk/2)
    (0.5 * (-product / square).sqrt()).asin() * rate / PI
}

/// The p-th root (p = 1, 2, …) of cos x cosh x = 1.
fn root_of_free_bar(p: usize) -> f64 {
    let mut x = (p as f64 + 0.5) * PI;
    for _ in 0..20 {
        let f = x.cos() - 1.0 / x.cosh();
        let slope = -x.sin() + x.tanh() / x.cosh();
        x -= f / slope;
    }
    x
}

/// Mode shape of a bar free (sign 1) or clamped (sign -1) at both ends.
fn bar_mode(beta: f64, sign: f64) -> impl Fn(f64) -> f64 {
    let ratio = (beta.cosh() - beta.cos()) / (beta.sinh() - beta.sin());
    move |x| {
        let y = beta * x;
        1e-3 * (y.cosh() + sign * y.cos() - ratio * (y.sinh() + sign * y.sin()))
    }
}

#[test]
fn supported_line_has_the_exact_frequencies_of_its_grid() {
    for kind in KINDS {
        let mut line = line(&spec(kind, [End::SimplySupported; 2], [0.0; 2]), 48_000.0);
        let last = line.points() - 1;
        for p in [1, 2, 3, last / 2, last - 1] {
            let angle = p as f64 * PI / (2 * last) as f64;
            let squared_sine =
                line.grid().tension * angle.sin().powi(2) + 4.0 * line.grid().stiffness * angle.sin().powi(4);
            let phase = 2.0 * squared_sine.sqrt().asin();
            line.displace(|x| (p as f64 * PI * x).sin()).unwrap();
            for n in 1..=2000 {
                step(&mut line, Level::new());
                // u⁰ = u⁻¹: the turning point lies half a sample before the first.
                let exact = (phase * (n as f64 + 0.5)).cos() / (0.5 * phase).cos();
                let node = (last / (2 * p)).max(1);
                let ratio = shape(&line)[node] / (p as f64 * PI * node as f64 / last as f64).sin();
                assert!(
                    (ratio - exact).abs() < 1e-9 / (0.5 * phase).cos(),
                    "{kind:?} mode {p}, sample {n}: {ratio} {exact}"
                );
            }
        }
    }
}

/// Errors at three grids, each twice as fine as the last, fall by four each time.
fn assert_second_order(errors: [f64; 3], bound: f64, what: &str) {
    assert!(errors[0].abs() < bound, "{what}: {errors:?}");
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.7..4.3).contains(&ratio), "{what}: {errors:?}");
    }
}

#[test]
fn string_frequencies_converge_at_second_order() {
    let (length, radius, density, modulus) = (0.65, 3e-4, 7850.0, 2e11);
    for p in 1..=3 {
        let errors = [1, 2, 4].map(|finer| {
            let rate = 24_000.0 * finer as f64;
            let string = StringSpec {
                length,
                radius,
                mass: StringMass::Density(density),
                youngs_modulus: modulus,
                pitch: StringPitch::Tension(150.0),
                loss: Loss::None,
                segments: Some(20 * finer),
                ..StringSpec::default()
            };
            let area = PI * radius * radius;
            let c2 = 150.0 / (density * area);
            let kappa2 = modulus * radius * radius / (4.0 * density);
            let p = p as f64;
            let exact =
                p * c2.sqrt() / (2.0 * length) * (1.0 + p * p * PI * PI * kappa2 / (c2 * length * length)).sqrt();
            let mut line = string.on_grid(rate, 1000).unwrap();
            measured_frequency(&mut line, rate, &|x| (p * PI * x).sin()) / exact - 1.0
        });
        assert_second_order(errors, 3e-2, &format!("mode {p}"));
    }
}

#[test]
fn string_tuned_to_a_fundamental_sounds_it() {
    for (ends, root) in [
        ([End::SimplySupported; 2], PI),
        ([End::SimplySupported, End::Free], 0.5 * PI),
        ([End::Free, End::SimplySupported], 0.5 * PI),
    ] {
        let string = StringSpec {
            pitch: StringPitch::Fundamental(110.0),
            youngs_modulus: if root == PI { 2e11 } else { 0.0 },
            ends,
            loss: Loss::None,
            ..StringSpec::default()
        };
        let mut line = string.on_grid(48_000.0, 1000).unwrap();
        let mirrored = ends[0] == End::Free;
        let shape = |x: f64| (root * if mirrored { 1.0 - x } else { x }).sin();
        let frequency = measured_frequency(&mut line, 48_000.0, &shape);
        assert!((frequency / 110.0 - 1.0).abs() < 1e-4, "{ends:?}: {frequency}");
    }
}

#[test]
fn free_and_clamped_bar_frequencies_converge_at_second_order() {
    assert!((root_of_free_bar(1) - 4.730_040_744_862_704).abs() < 1e-12);
    for (ends, sign) in [([End::Free; 2], 1.0), ([End::Clamped; 2], -1.0)] {
        for p in 1..=3 {
            let beta = root_of_free_bar(p);
            let errors = [1, 2, 4].map(|finer| {
                let rate = 48_000.0 * (finer * finer) as f64;
                // κ of the continuous bar whose lowest mode is 100 Hz, 20 mm thick and 740 kg/m³.
                let kappa = 2.0 * PI * 100.0 * (0.3 / lowest_root(ends)).powi(2);
                let bar = BarSpec {
                    pitch: BarPitch::YoungsModulus(12.0 * 740.0 * (kappa / 0.02).powi(2)),
                    ends,
                    loss: Loss::None,
                    segments: Some(28 * finer),
                    ..BarSpec::default()
                };
                let exact = 100.0 * (beta / lowest_root(ends)).powi(2);
                let mut line = bar.on_grid(rate, 1000).unwrap();
                measured_frequency(&mut line, rate, &bar_mode(beta, sign)) / exact - 1.0
            });
            assert_second_order(errors, 0.03, &format!("{ends:?} mode {p}"));
        }
    }
}

#[test]
fn free_bar_partials_stand_as_3_011_to_5_to_7_squared() {
    let mut line =
        BarSpec { segments: None, pitch: BarPitch::Fundamental(50.0), loss: Loss::None, ..BarSpec::default() }
            .on_grid(192_000.0, 1000)
            .unwrap();
    let [first, second, third] =
        [1, 2, 3].map(|p| measured_frequency(&mut line, 192_000.0, &bar_mode(root_of_free_bar(p), 1.0)));
    assert!((first / 50.0 - 1.0).abs() < 3e-3, "{first}");
    assert!((second / first / (5.0f64 / 3.011).powi(2) - 1.0).abs() < 5e-3);
    assert!((third / first / (7.0f64 / 3.011).powi(2) - 1.0).abs() < 1e-2);
}

#[test]
fn one_clamped_end_and_one_free_give_the_cantilever() {
    let beta = lowest_root([End::Clamped, End::Free]);
    let ratio = (beta.sinh() - beta.sin()) / (beta.cosh() + beta.cos());
    let mode = |x: f64| {
        let y = beta * x;
        y.cosh() - y.cos() - ratio * (y.sinh() - y.sin())
    };
    for mirrored in [false, true] {
        let ends = if mirrored { [End::Free, End::Clamped] } else { [End::Clamped, End::Free] };
        let bar = BarSpec { pitch: BarPitch::Fundamental(20.0), ends, loss: Loss::None, ..BarSpec::default() };
        let mut line = bar.on_grid(48_000.0, 1000).unwrap();
        let frequency = measured_frequency(&mut line, 48_000.0, &|x| 1e-3 * mode(if mirrored { 1.0 - x } else { x }));
        assert!((frequency / 20.0 - 1.0).abs() < 1e-2, "{ends:?}: {frequency}");
    }
}

#[test]
fn mode_p_decays_at_sigma0_plus_sigma1_beta_squared() {
    for (kind, p) in [(KINDS[0], 1), (KINDS[0], 4), (KINDS[2], 3), (KINDS[1], 6)] {
        let (sigma0, sigma1) = (3.0, 0.01);
        let mut line = line(&spec(kind, [End::SimplySupported; 2], [sigma0, sigma1]), 48_000.0);
        line.displace(|x| (p as f64 * PI * x).sin()).unwrap();
        let start = line.stored_energy();
        let steps = 9_600;
        for _ in 0..steps {
            step(&mut line, Level::new());
        }
        let seconds = steps as f64 / 48_000.0;
        let rate = (start / line.stored_energy()).ln() / (2.0 * seconds);
        let exact = sigma0 + sigma1 * (p as f64 * PI).powi(2);
        assert!((rate / exact - 1.0).abs() < 5e-3, "{kind:?} mode {p}: {rate} {exact}");
    }
}

#[test]
fn string_falls_by_60_db_in_its_t60() {
    let t60 = 0.4;
    let sigma0 = 3.0 * 10f64.ln() / t60;
    let mut string =
        StringSpec { loss: Loss::sigma(sigma0, 0.0), ..StringSpec::default() }.on_grid(48_000.0, 1000).unwrap();
    string.displace(|x| 1e-3 * x.min(1.0 - x)).unwrap();
    let start = string.stored_energy();
    for _ in 0..(t60 * 48_000.0) as usize {
        step(&mut string, Level::new());
    }
    let decibels = 10.0 * (string.stored_energy() / start).log10();
    assert!((decibels + 60.0).abs() < 0.1, "{decibels}");
}
