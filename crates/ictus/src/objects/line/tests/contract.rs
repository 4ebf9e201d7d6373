//! What the engine relies on: points, admittances, resets, and the same bits at every level of vector instructions.

use super::super::super::{At, Body, ObjectError, Place, Support};
use super::*;
use crate::math::random::SplitMix64;

fn bits(line: &Line) -> Vec<u64> {
    shape(line).iter().map(|value| value.to_bits()).collect()
}

#[test]
fn every_level_gives_the_same_bits() {
    for ends in all_pairs_of_ends() {
        for kind in KINDS {
            for losses in [[0.0, 0.0], [2.0, 0.0], [1.0, 0.004]] {
                for segments in [3, 4, 9, 10, 16, 17, 25] {
                    let spec = LineSpec { segments: Some(segments), ..spec(kind, ends, losses) };
                    let run = |level: Level| {
                        let mut line = line(&spec, 48_000.0);
                        shake(&mut line, &mut Random(SplitMix64(3)));
                        (0..200).for_each(|_| step(&mut line, level));
                        (bits(&line), line.stored_energy().to_bits())
                    };
                    let best = run(Level::new());
                    for level in levels() {
                        assert!(run(level) == best, "{level:?}: {ends:?} {kind:?} {losses:?} {segments}");
                    }
                }
            }
        }
    }
}

#[test]
fn kernel_is_the_three_point_scheme() {
    // u⁺ from u and u⁻ alone, with matrices written out from the energies.
    for ends in all_pairs_of_ends() {
        for kind in KINDS {
            // Every remainder of pieces, the last node that moves in every row, lanes that stay empty.
            for (segments, losses) in
                (3..=70).flat_map(|segments| [(segments, [200.0, 0.02]), (segments, [200.0, 0.0])])
            {
                let spec = LineSpec { segments: Some(segments), ..spec(kind, ends, losses) };
                let mut line = line(&spec, 48_000.0);
                shake(&mut line, &mut Random(SplitMix64(5)));
                for _ in 0..3 {
                    let (u, previous) = (shape(&line), line.nodes(At::Previous).collect::<Vec<_>>());
                    let expected = three_point_step(&line, &u, &previous);
                    step(&mut line, Level::new());
                    for (node, (&found, &expected)) in shape(&line).iter().zip(&expected).enumerate() {
                        assert!(
                            (found - expected).abs() < 1e-15,
                            "{ends:?} {kind:?} {segments}, node {node}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}

fn three_point_step(line: &Line, u: &[f64], previous: &[f64]) -> Vec<f64> {
    let grid = line.grid();
    let last = grid.segments;
    let at = |u: &[f64], node: isize| -> f64 {
        let end = |end: End, on: f64, inner: f64| match end {
            End::SimplySupported => -inner,
            End::Clamped => inner,
            End::Free => 2.0 * on - inner,
        };
        match node {
            -1 => end(grid.ends[0], u[0], u[1]),
            node if node as usize == last + 1 => end(grid.ends[1], u[last], u[last - 1]),
            node => u[node as usize],
        }
    };
    let second = |u: &[f64], node: usize| match node {
        0 => 2.0 * (u[1] - u[0]),
        node if node == last => 2.0 * (u[last - 1] - u[last]),
        node => u[node + 1] - 2.0 * u[node] + u[node - 1],
    };
    let fourth = |node: usize| match node {
        0 => 2.0 * u[0] - 4.0 * u[1] + 2.0 * u[2],
        node if node == last => 2.0 * u[last] - 4.0 * u[last - 1] + 2.0 * u[last - 2],
        node => {
            let i = node as isize;
            at(u, i - 2) - 4.0 * at(u, i - 1) + 6.0 * at(u, i) - 4.0 * at(u, i + 1) + at(u, i + 2)
        }
    };
    (0..=last)
        .map(|node| {
            if grid.is_fixed(node) {
                return 0.0;
            }
            let forces = grid.tension * second(u, node) - grid.stiffness * fourth(node)
                + grid.bend_loss * (second(u, node) - second(previous, node));
            (2.0 * u[node] - (1.0 - grid.loss) * previous[node] + forces) / (1.0 + grid.loss)
        })
        .collect()
}

#[test]
fn admittance_is_symmetric_and_what_a_push_does() {
    let mut random = Random(SplitMix64(17));
    for ends in all_pairs_of_ends() {
        for segments in [3, 5, 30] {
            let spec = LineSpec { segments: Some(segments), ..spec(KINDS[2], ends, [5.0, 0.001]) };
            let mut line = line(&spec, 48_000.0);
            for _ in 0..50 {
                let here = line.support(Place::Along(random.next())).unwrap();
                let there = line.support(Place::Along(random.next())).unwrap();
                let admittance = line.admittance(&here, &there);
                assert_eq!(admittance, line.admittance(&there, &here));
                assert!(line.admittance(&here, &here) > 0.0);
                line.free_step_at(Level::new());
                let before = line.read(&here, At::Next);
                line.push(&there, 3.0);
                let moved = line.read(&here, At::Next) - before;
                assert!((moved - 3.0 * admittance).abs() < 1e-15, "{moved} {admittance}");
                line.reset();
            }
        }
    }
}

#[test]
fn ends_that_are_held_do_not_move() {
    let mut line = line(&spec(KINDS[2], [End::Clamped, End::SimplySupported], [0.0; 2]), 48_000.0);
    let end = line.support(Place::Along(1.0)).unwrap();
    assert_eq!(line.admittance(&end, &end), 0.0);
    line.displace(|_| 1.0).unwrap();
    line.free_step_at(Level::new());
    line.push(&end, 1e6);
    assert_eq!(line.read(&end, At::Next), 0.0);
}

#[test]
fn points_between_nodes_follow_a_cubic() {
    let cubic = |x: f64| 1.0 + x * (2.0 + x * (-3.0 + 0.7 * x));
    let spec = LineSpec { segments: Some(12), ..spec(KINDS[1], [End::Free; 2], [0.0; 2]) };
    let mut line = line(&spec, 48_000.0);
    line.displace(cubic).unwrap();
    for n in 0..=1000 {
        let x = n as f64 / 1000.0;
        let support = line.support(Place::Along(x)).unwrap();
        assert!((line.read(&support, At::Now) - cubic(x)).abs() < 1e-13);
    }
    for node in 0..=12 {
        let Support::Line { first, weights, .. } = line.support(Place::Along(node as f64 / 12.0)).unwrap() else {
            panic!("a line's support is in a row")
        };
        for (offset, weight) in weights.into_iter().enumerate() {
            assert_eq!(weight, if first + offset == node { 1.0 } else { 0.0 });
        }
    }
}

#[test]
fn only_places_along_it_are_on_a_line() {
    let line = line(&spec(KINDS[0], [End::SimplySupported; 2], [0.0; 2]), 48_000.0);
    let nan = Place::Along(f64::NAN);
    for place in [Place::Whole, Place::Along(-0.01), Place::Along(1.01), nan, Place::On(0.5, 0.5), Place::Point(0)] {
        let error = line.support(place).unwrap_err();
        assert!(matches!(error, ObjectError::NoSuchPlace { kind: "line", .. }), "{error}");
    }
}

#[test]
fn reset_returns_to_the_start_bit_for_bit() {
    for losses in [[0.0; 2], [1.0, 0.002]] {
        let mut line = line(&spec(KINDS[2], [End::Clamped, End::Free], losses), 48_000.0);
        shake(&mut line, &mut Random(SplitMix64(23)));
        let run = |line: &mut Line| {
            let start = bits(line);
            (0..301).for_each(|_| step(line, Level::new()));
            line.remember();
            line.free_step_at(Level::new());
            (start, bits(line), line.stored_energy().to_bits())
        };
        let first = run(&mut line);
        line.reset();
        assert!(run(&mut line) == first);
    }
}

#[test]
fn initial_velocity_is_that_of_the_first_step() {
    let mut line = line(&spec(KINDS[2], [End::SimplySupported; 2], [0.0; 2]), 48_000.0);
    line.set_velocity(|_| 3.0).unwrap();
    let support = line.support(Place::Along(0.5)).unwrap();
    let velocity = (line.read(&support, At::Now) - line.read(&support, At::Previous)) * 48_000.0;
    assert!((velocity - 3.0).abs() < 1e-12);
    let kinetic = 0.5 * 0.01 * 9.0 * (1.0 - 1.0 / (line.points() - 1) as f64);
    let hanging = line.grid().tension * kinetic;
    assert!((line.stored_energy() - kinetic).abs() < hanging, "{} {kinetic}", line.stored_energy());
}

#[test]
fn line_at_rest_stays_at_rest() {
    let mut line = line(&spec(KINDS[2], [End::Free, End::Clamped], [1.0, 0.001]), 48_000.0);
    (0..100).for_each(|_| step(&mut line, Level::new()));
    assert!(shape(&line).iter().all(|&u| u == 0.0));
    assert_eq!(line.stored_energy(), 0.0);
}
