//! One sample of a freely ringing plate, beside a plain scalar loop over the 13-point stencil.
//!
//! `cargo bench -p ictus --bench sheet`. Times are per sample.

use divan::Bencher;
use divan::counter::ItemsCount;
use fearless_simd::Level;
use ictus::objects::sheet_bench::RingingPlate;
use ictus::objects::{PlateEdges, PlateSpec};

const RATE: f64 = 48_000.0;

/// Moving points along x and y.
const SIZES: [[usize; 2]; 3] = [[32, 32], [64, 64], [134, 17]];

fn main() {
    divan::main();
}

/// A plate with that many moving points at the bound, steel of 1 mm.
fn plate(points: [usize; 2], sigma0: f64, sigma1: f64, edges: PlateEdges) -> RingingPlate {
    let mut spec = PlateSpec { sigma0, sigma1, edges, ..PlateSpec::default() };
    let kappa = spec.stiffness_squared().sqrt();
    let cell = 2.0 * ((sigma1 + kappa.hypot(sigma1)) / RATE).sqrt();
    spec.sides = points.map(|n| cell * (n + 1) as f64);
    spec.grid = Some(points.map(|n| n + 1));
    RingingPlate::new(&spec, RATE).expect("stable at the bound")
}

fn bench(bencher: Bencher<'_, '_>, points: [usize; 2], mut plate: RingingPlate) {
    let level = Level::new();
    bencher.counter(ItemsCount::new(points[0] * points[1])).bench_local(|| plate.step(level));
}

#[divan::bench(args = SIZES, sample_count = 200, sample_size = 100)]
fn lossless(bencher: Bencher<'_, '_>, points: [usize; 2]) {
    bench(bencher, points, plate(points, 0.0, 0.0, PlateEdges::SimplySupported));
}

#[divan::bench(args = SIZES, sample_count = 200, sample_size = 100)]
fn both_losses(bencher: Bencher<'_, '_>, points: [usize; 2]) {
    bench(bencher, points, plate(points, 1.0, 0.002, PlateEdges::SimplySupported));
}

#[divan::bench(args = SIZES, sample_count = 200, sample_size = 100)]
fn clamped_lossless(bencher: Bencher<'_, '_>, points: [usize; 2]) {
    bench(bencher, points, plate(points, 0.0, 0.0, PlateEdges::Clamped));
}

#[divan::bench(args = SIZES)]
fn energy_account(bencher: Bencher<'_, '_>, points: [usize; 2]) {
    let plate = plate(points, 1.0, 0.002, PlateEdges::Clamped);
    bencher.counter(ItemsCount::new(points[0] * points[1])).bench_local(|| plate.account());
}

/// The loop one would write first: square cells, ghost cells left at 0, three arrays.
#[divan::bench(args = SIZES, sample_count = 200, sample_size = 100)]
fn plain_scalar_loop(bencher: Bencher<'_, '_>, points: [usize; 2]) {
    let [columns, rows] = points;
    let stride = columns + 4;
    let mut previous: Vec<f64> = (0..stride * (rows + 4)).map(|i| 1e-3 * ((i % 17) as f64)).collect();
    let (mut now, mut next) = (previous.clone(), previous.clone());
    let mu = 1.0 / 16.0;
    bencher.counter(ItemsCount::new(columns * rows)).bench_local(|| {
        for row in 2..rows + 2 {
            let at = row * stride + 2;
            let line = |offset: isize| {
                let from = at.wrapping_add_signed(offset);
                &now[from..from + columns]
            };
            let s = stride as isize;
            let (c, w, e, ww, ee) = (line(0), line(-1), line(1), line(-2), line(2));
            let (n, nn, nw, ne) = (line(-s), line(-2 * s), line(-s - 1), line(-s + 1));
            let (so, ss, sw, se) = (line(s), line(2 * s), line(s - 1), line(s + 1));
            let old = &previous[at..at + columns];
            let new = &mut next[at..at + columns];
            for i in 0..columns {
                new[i] = (2.0 - 20.0 * mu) * c[i] + 8.0 * mu * (w[i] + e[i] + n[i] + so[i])
                    - 2.0 * mu * (nw[i] + ne[i] + sw[i] + se[i])
                    - mu * (ww[i] + ee[i] + nn[i] + ss[i])
                    - old[i];
            }
        }
        std::mem::swap(&mut previous, &mut now);
        std::mem::swap(&mut now, &mut next);
    });
}
