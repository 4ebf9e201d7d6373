//! The free step of strings of 100 points, each beside a plain loop of the three-point scheme over the same points.
//!
//! `cargo bench -p ictus --bench line` prints divan's table, then the ratios, taken from the fastest of many short
//! runs.

use divan::{Bencher, black_box};
use ictus::objects::TimedStrings;
use std::time::Instant;

const POINTS: usize = 100;

/// u⁺ = c0 u + c1 (u₊₁ + u₋₁) + c2 (u₊₂ + u₋₂) + d0 u⁻ + d1 (u⁻₊₁ + u⁻₋₁), as one writes it first.
struct PlainLoop {
    samples: [Vec<f64>; 3],
    coefficients: [f64; 5],
}

impl PlainLoop {
    fn new() -> Self {
        let (tension, stiffness, loss, bend_loss) = (0.7, 0.01, 2e-7, 1e-6);
        let share = 1.0 / (1.0 + loss);
        let coefficients = [
            (2.0 - 2.0 * tension - 6.0 * stiffness - 2.0 * bend_loss) * share,
            (tension + 4.0 * stiffness + bend_loss) * share,
            -stiffness * share,
            -(1.0 - loss - 2.0 * bend_loss) * share,
            -bend_loss * share,
        ];
        let shape: Vec<f64> = (0..POINTS).map(|node| 1e-3 * node.min(4 * (POINTS - 1 - node)) as f64).collect();
        Self { samples: [shape.clone(), shape.clone(), shape], coefficients }
    }

    fn step(&mut self) {
        let [c0, c1, c2, d0, d1] = self.coefficients;
        let [u, previous, next] = &mut self.samples;
        for i in 2..POINTS - 2 {
            next[i] = c0 * u[i]
                + c1 * (u[i + 1] + u[i - 1])
                + c2 * (u[i + 2] + u[i - 2])
                + d0 * previous[i]
                + d1 * (previous[i + 1] + previous[i - 1]);
        }
        self.samples.rotate_right(1);
    }
}

#[divan::bench]
fn plain_loop(bencher: Bencher) {
    let mut string = PlainLoop::new();
    bencher.bench_local(|| black_box(&mut string).step());
}

#[divan::bench]
fn stiff_both_losses(bencher: Bencher) {
    one(bencher, true, true);
}

#[divan::bench]
fn stiff_sigma0(bencher: Bencher) {
    one(bencher, true, false);
}

#[divan::bench]
fn flexible_both_losses(bencher: Bencher) {
    one(bencher, false, true);
}

#[divan::bench]
fn flexible_sigma0(bencher: Bencher) {
    one(bencher, false, false);
}

fn one(bencher: Bencher, stiff: bool, sigma1: bool) {
    let mut string = TimedStrings::new(1, stiff, sigma1);
    bencher.bench_local(|| black_box(&mut string).step(1));
}

/// Fastest of many runs, in ns per step of one string.
fn nanoseconds(steps: usize, mut run: impl FnMut()) -> f64 {
    let runs = (0..300).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e9 / steps as f64
    });
    runs.fold(f64::INFINITY, f64::min)
}

fn main() {
    divan::main();
    let mut plain = PlainLoop::new();
    let scalar = nanoseconds(2000, || (0..2000).for_each(|_| black_box(&mut plain).step()));
    println!("plain loop, 100 points: {scalar:.1} ns");
    for (name, stiff, sigma1) in [
        ("stiff, both losses", true, true),
        ("stiff, sigma0", true, false),
        ("flexible, both losses", false, true),
        ("flexible, sigma0", false, false),
    ] {
        let mut string = TimedStrings::new(1, stiff, sigma1);
        let one = nanoseconds(2000, || (0..2000).for_each(|_| black_box(&mut string).step(1)));
        println!("{name}: {one:.1} ns, {:.2} of the plain loop", one / scalar);
        let mut strings = TimedStrings::new(1000, stiff, sigma1);
        assert_eq!(strings.count(), 1000);
        for samples in [1, 16, 64] {
            let many = nanoseconds(1000 * samples, || black_box(&mut strings).step(samples));
            println!("  1000 strings, {samples} samples each in turn: {many:.1} ns, {:.2} of one", many / one);
        }
        black_box(strings.sound());
    }
}
