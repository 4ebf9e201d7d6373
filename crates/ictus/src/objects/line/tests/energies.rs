//! The account closes: whatever the ends, the forces of the line and its losses.

use super::super::super::{At, Body, Place};
use super::*;
use crate::math::random::SplitMix64;
use std::f64::consts::PI;

const LOSSES: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [0.0, 0.005], [2.0, 0.005]];

/// Largest error of H(n) + dissipated = H(0), relative to H(0).
fn worst_imbalance(line: &mut Line, steps: usize, level: Level) -> f64 {
    let start = line.stored_energy();
    assert!(start > 0.0);
    let (mut dissipated, mut worst) = (0.0, 0.0f64);
    for n in 1..=steps {
        line.remember();
        line.free_step_at(level);
        let lost = line.dissipated_in_step();
        assert!(lost >= 0.0);
        dissipated += lost;
        line.advance();
        if n % 100 == 0 || n == steps {
            let stored = line.stored_energy();
            assert!(stored >= 0.0);
            worst = worst.max((stored + dissipated - start).abs() / start);
        }
    }
    worst
}

/// A raised cosine of 1 mm, a fifth of the length to either side of 0.31.
fn pluck(line: &mut Line) {
    let bump = |x: f64| if x.abs() < 1.0 { 0.5e-3 * (1.0 + (PI * x).cos()) } else { 0.0 };
    line.displace(|x| bump((x - 0.31) / 0.2)).unwrap();
}

#[test]
fn energy_balances_for_every_pair_of_ends_force_and_loss() {
    for ends in all_pairs_of_ends() {
        for kind in KINDS {
            for losses in LOSSES {
                let mut line = line(&spec(kind, ends, losses), 48_000.0);
                pluck(&mut line);
                let worst = worst_imbalance(&mut line, 12_000, Level::new());
                assert!(worst < 2e-13, "{ends:?} {kind:?} {losses:?}: {worst:e}");
            }
        }
    }
}

#[test]
fn energy_balances_over_ten_seconds_of_low_notes() {
    let ends = [[End::SimplySupported; 2], [End::Free; 2], [End::Clamped, End::Free]];
    for (n, kind) in [(100.0f64.powi(2), 0.0), (0.0, 4.0), (200.0 * 200.0, 1.0)].into_iter().enumerate() {
        for losses in [[0.0, 0.0], [0.2, 1e-4]] {
            let mut line = line(&spec(kind, ends[n], losses), 48_000.0);
            pluck(&mut line);
            let worst = worst_imbalance(&mut line, 480_000, Level::new());
            assert!(worst < 1e-12, "{kind:?} {losses:?}: {worst:e}");
        }
    }
}

#[test]
fn grid_at_its_bound_keeps_rough_shapes_bounded() {
    // Lengths that are whole multiples of the bound leave nothing to spare.
    for ends in all_pairs_of_ends() {
        for kind in KINDS {
            let k = 1.0 / 48_000.0;
            let least = super::super::grid::least_spacing(kind.0 * k * k, kind.1 * k * k, 0.0, ends);
            let length = 40.0 * least * (1.0 + 1e-14);
            let spec = LineSpec { length, segments: Some(40), ..spec(kind, ends, [0.0, 0.0]) };
            let mut line = line(&spec, 48_000.0);
            assert_eq!(line.points(), 41);
            shake(&mut line, &mut Random(SplitMix64(7)));
            let size = |line: &Line| shape(line).iter().fold(0.0f64, |most, u| most.max(u.abs()));
            let (mut early, mut late) = (0.0f64, 0.0f64);
            let start = line.stored_energy();
            for n in 0..40_000 {
                step(&mut line, Level::new());
                if n < 20_000 { early = early.max(size(&line)) } else { late = late.max(size(&line)) }
            }
            let drifts = ends == [End::Free; 2] || (kind.0 == 0.0 && ends.contains(&End::Free));
            assert!(drifts || late < 2.0 * early, "{ends:?} {kind:?}: {early:e} then {late:e}");
            assert!((line.stored_energy() / start - 1.0).abs() < 1e-11, "{ends:?} {kind:?}");
        }
    }
}

#[test]
fn work_of_forces_is_the_energy_gained_and_lost() {
    let mut random = Random(SplitMix64(11));
    for ends in all_pairs_of_ends() {
        for kind in KINDS {
            for losses in LOSSES {
                // Near the bound the terms of the energy cancel in rough shapes; keep some distance.
                let spec = spec(kind, ends, losses);
                let segments = Some(line(&spec, 48_000.0).grid().segments * 4 / 5);
                let mut line = line(&LineSpec { segments, ..spec }, 48_000.0);
                shake(&mut line, &mut random);
                for _ in 0..50 {
                    let before = line.stored_energy();
                    line.remember();
                    line.free_step_at(Level::new());
                    assert!((line.stored_energy() / before - 1.0).abs() < 1e-12, "the same in mid-step");
                    let pushes: Vec<_> = (0..5)
                        .map(|_| (line.support(Place::Along(random.next())).unwrap(), 100.0 * random.signed()))
                        .collect();
                    for (support, force) in &pushes {
                        line.push(support, *force);
                    }
                    let work: f64 = pushes
                        .iter()
                        .map(|(support, force)| {
                            0.5 * force * (line.read(support, At::Next) - line.read(support, At::Previous))
                        })
                        .sum();
                    let dissipated = line.dissipated_in_step();
                    line.advance();
                    let gained = line.stored_energy() - before;
                    let error = (gained + dissipated - work).abs() / before.max(work.abs());
                    assert!(error < 1e-13, "{ends:?} {kind:?} {losses:?}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn free_line_under_a_push_moves_as_its_whole_mass() {
    for kind in KINDS {
        let mut line = line(&spec(kind, [End::Free; 2], [0.0, 0.003]), 48_000.0);
        let support = line.support(Place::Along(0.0)).unwrap();
        line.remember();
        line.free_step_at(Level::new());
        line.push(&support, 2.0);
        line.advance();
        for _ in 0..1000 {
            step(&mut line, Level::new());
        }
        // Momentum force · k over mass 0.01 kg, from the half sample of the push on.
        let shape = shape(&line);
        let last = shape.len() - 1;
        let mean = (shape.iter().sum::<f64>() - 0.5 * (shape[0] + shape[last])) / last as f64;
        let exact = 2.0 / 48_000.0 / 0.01 * 1001.0 / 48_000.0;
        assert!((mean / exact - 1.0).abs() < 1e-10, "{kind:?}: {mean:e} {exact:e}");
    }
}
