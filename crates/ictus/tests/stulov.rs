//! The felt's hysteresis, against the convolution integral of A04 (3) evaluated by other means.

use std::f64::consts::PI;

use ictus::laws::StulovFelt;

const STIFFNESS: f64 = 1e9;
const EXPONENT: f64 = 2.5;
const HYSTERESIS: f64 = 0.5;
const RELAXATION_TIME: f64 = 5e-4;
/// One push in and out, half a sine.
const DURATION: f64 = 2e-3;
const DEPTH: f64 = 1e-3;

fn felt() -> StulovFelt {
    StulovFelt::new(STIFFNESS, EXPONENT, HYSTERESIS, RELAXATION_TIME).unwrap()
}

fn compression(time: f64) -> f64 {
    DEPTH * (PI * time / DURATION).sin()
}

fn power(time: f64) -> f64 {
    compression(time).max(0.0).powf(EXPONENT)
}

/// `f = K (p(t) - (ε/τ) ∫ e^((ξ-t)/τ) p(ξ) dξ)` by Simpson's rule with many panels.
fn force_by_quadrature(time: f64) -> f64 {
    let panels = 4000_u32;
    let width = time / f64::from(2 * panels);
    let integrand = |index: u32| {
        let xi = f64::from(index) * width;
        ((xi - time) / RELAXATION_TIME).exp() * power(xi)
    };
    let simpson: f64 =
        (0..panels).map(|panel| integrand(2 * panel) + 4.0 * integrand(2 * panel + 1) + integrand(2 * panel + 2)).sum();
    let integral = simpson * width / 3.0;
    (STIFFNESS * (power(time) - HYSTERESIS / RELAXATION_TIME * integral)).max(0.0)
}

/// Compressions and forces of the whole push in `steps` steps, from rest.
fn push(steps: u32) -> Vec<(f64, f64)> {
    let time_step = DURATION / f64::from(steps);
    let mut state = felt().relaxed(time_step).unwrap();
    let samples = (1..=steps).map(|n| {
        let eta = compression(f64::from(n) * time_step);
        (eta, state.step(eta))
    });
    std::iter::once((0.0, 0.0)).chain(samples).collect()
}

/// Largest force error at sixteen instants, relative to the largest force.
fn error(steps: u32) -> f64 {
    let samples = push(steps);
    let largest = samples.iter().fold(0.0_f64, |largest, (_, force)| largest.max(*force));
    (1..16)
        .map(|sixteenth| {
            let index = (sixteenth * steps / 16) as usize;
            let exact = force_by_quadrature(DURATION * f64::from(sixteenth) / 16.0);
            (samples[index].1 - exact).abs() / largest
        })
        .fold(0.0, f64::max)
}

#[test]
fn the_force_is_the_convolution_integral() {
    assert!(error(32768) < 1e-8, "error {}", error(32768));
}

#[test]
fn the_memory_converges_with_second_order() {
    for steps in [64, 128, 256, 512] {
        let order = (error(steps) / error(2 * steps)).log2();
        assert!((order - 2.0).abs() < 0.1, "order {order} at {steps} steps");
    }
}

#[test]
fn loading_is_stiffer_than_unloading() {
    let steps = 400;
    let samples = push(steps);
    for index in 1..steps as usize / 2 {
        let (loading, unloading) = (samples[index], samples[steps as usize - index]);
        assert!((loading.0 - unloading.0).abs() < 1e-12, "the push is symmetric");
        assert!(loading.1 > unloading.1, "sample {index}: {loading:?}, {unloading:?}");
    }
}

/// Work done on the felt, by the trapezoidal rule over compressions and forces.
fn work(samples: &[(f64, f64)]) -> f64 {
    let trapezium = |pair: &[(f64, f64)]| 0.5 * (pair[0].1 + pair[1].1) * (pair[1].0 - pair[0].0);
    samples.windows(2).map(trapezium).sum()
}

#[test]
fn the_area_of_the_loop_is_the_work_lost() {
    let lost = work(&push(2000));
    let exact: Vec<(f64, f64)> = (0..=2000)
        .map(|n| DURATION * f64::from(n) / 2000.0)
        .map(|time| (compression(time), force_by_quadrature(time)))
        .collect();
    assert!(lost > 0.0);
    assert!((lost / work(&exact) - 1.0).abs() < 1e-4, "{lost}, {}", work(&exact));
}

#[test]
fn without_hysteresis_nothing_is_lost() {
    let mut state = StulovFelt::new(STIFFNESS, EXPONENT, 0.0, RELAXATION_TIME)
        .and_then(|felt| felt.relaxed(DURATION / 2000.0))
        .unwrap();
    let hysteretic = push(2000);
    let lossless: Vec<(f64, f64)> = hysteretic.iter().map(|&(eta, _)| (eta, state.step(eta))).collect();
    assert!(work(&lossless).abs() < 1e-9 * work(&hysteretic));
}
