//! A sheet in its standing waves does what its grid does.

use super::energy::{imbalance, low_mode};
use super::parity::levels;
use super::*;

/// All kinds that have standing waves, each also on its grid.
fn both_forms() -> impl Iterator<Item = (String, Sheet, Standing)> {
    all_kinds().into_iter().filter(|(_, sheet)| Standing::suits(sheet, 1)).map(|(name, mut sheet)| {
        excite(&mut sheet, 19);
        let standing = Standing::of(&sheet);
        (name, sheet, standing)
    })
}

/// A port at a place.
fn port(standing: &mut Standing, x: f64, y: f64) -> Support {
    let place = standing.support(Place::On(x, y)).expect("a place on the sheet");
    standing.attach(&place, true)
}

fn shape_of(sheet: &impl Body) -> Vec<f64> {
    let [columns, rows] = sheet.dimensions();
    let mut shape = vec![f64::NAN; columns * rows];
    sheet.shape(&mut shape);
    shape
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| largest.max(value.abs()))
}

#[test]
fn supported_plates_and_membranes_have_them_unless_much_touches_or_damps_them() {
    for (name, sheet) in all_kinds() {
        assert_eq!(Standing::suits(&sheet, 3), !name.contains("Clamped"), "{name}");
        assert!(!Standing::suits(&sheet, 20), "{name}");
    }
    let numb = build_plate(&small_plate(12.0, 9.0, 20_000.0, 0.0, PlateEdges::SimplySupported));
    assert!(!Standing::suits(&numb, 1));
    let viscous = build_plate(&small_plate(12.0, 9.0, 0.0, 10.0, PlateEdges::SimplySupported));
    assert!(!Standing::suits(&viscous, 1));
    let long = build_plate(&small_plate(300.0, 9.0, 0.0, 0.0, PlateEdges::SimplySupported));
    assert!(!Standing::suits(&long, 1));
}

#[test]
fn pushed_and_heard_they_are_the_grid_to_rounding() {
    for (name, mut sheet, mut standing) in both_forms() {
        let places = [(0.31, 0.42), (0.33, 0.4), (0.9, 0.77), (0.05, 0.5), (0.62, 0.999), (0.5, 0.5)];
        let ports = places.map(|(x, y)| port(&mut standing, x, y));
        let patches = places.map(|(x, y)| sheet.support(Place::On(x, y)).unwrap());
        for (here, patch) in ports.iter().zip(&patches) {
            for (there, other) in ports.iter().zip(&patches) {
                let (one, grid) = (standing.admittance(here, there), sheet.admittance(patch, other));
                assert!((one - grid).abs() <= 1e-14 * sheet.mobility, "{name}: {one} and {grid}");
            }
        }
        let mut noise = Noise(47);
        let scale = largest(&shape_of(&sheet));
        for round in 0..400 {
            sheet.free_step_at(Level::new());
            standing.free_step_at(Level::new());
            // None, one, two or all are pushed.
            for index in 0..[0, 1, 2, 6][round % 4] {
                let force = 1e-3 * scale / sheet.mobility * noise.next();
                sheet.push(&patches[index], force);
                standing.push(&ports[index], force);
            }
            for (port, patch) in ports.iter().zip(&patches) {
                for at in [At::Previous, At::Now, At::Next] {
                    let (one, grid) = (standing.read(port, at), sheet.read(patch, at));
                    assert!((one - grid).abs() < 1e-11 * scale, "{name}, step {round}, {at:?}: {one} and {grid}");
                    // The same place, looked at by the way.
                    let aside = standing.read(&standing.support(Place::On(places[0].0, places[0].1)).unwrap(), at);
                    assert!((aside - sheet.read(&patches[0], at)).abs() < 1e-11 * scale, "{name}: {aside}");
                }
            }
            let (one, grid) = (standing.dissipated_in_step(), sheet.dissipated_in_step());
            assert!((one - grid).abs() <= 1e-10 * grid, "{name}, step {round}: lost {one} and {grid}");
            for advances in [true, false] {
                let (one, grid) = (standing.stored_energy(), sheet.stored_energy());
                assert!((one - grid).abs() <= 1e-10 * grid, "{name}, step {round}: stored {one} and {grid}");
                if advances {
                    sheet.advance();
                    standing.advance();
                }
            }
            for at in [At::Previous, At::Now] {
                let aside = standing.read(&standing.support(Place::On(places[1].0, places[1].1)).unwrap(), at);
                assert!((aside - sheet.read(&patches[1], at)).abs() < 1e-11 * scale, "{name}: {aside}");
            }
        }
        let error = shape_of(&standing).iter().zip(shape_of(&sheet)).map(|(one, grid)| one - grid).collect::<Vec<_>>();
        assert!(largest(&error) < 1e-11 * scale, "{name}: {:e}", largest(&error) / scale);
    }
}

#[test]
fn they_balance_their_energy_for_ten_seconds() {
    let plates = [(0.0, 0.0), (0.5, 0.003)]
        .map(|(sigma0, sigma1)| build_plate(&small_plate(12.6, 8.7, sigma0, sigma1, PlateEdges::SimplySupported)));
    let membranes =
        [(0.0, 0.0), (0.5, 0.003)].map(|(sigma0, sigma1)| build_membrane(&small_membrane(8.7, 12.6, sigma0, sigma1)));
    for (number, mut sheet) in plates.into_iter().chain(membranes).enumerate() {
        excite(&mut sheet, 11);
        let worst = imbalance(&mut Standing::of(&sheet), 480_000, 4800);
        assert!(worst < 1e-13, "sheet {number}: {worst:e}");
    }
    // The lowest mode alone, 41 Hz, where the grid drifts by 1e-12.
    let worst = imbalance(&mut Standing::of(&low_mode(1.0)), 480_000, 4801);
    assert!(worst < 1e-13, "{worst:e}");
}

#[test]
fn a_port_that_is_not_followed_is_where_it_is_and_costs_the_others_no_bit() {
    for (name, _, mut standing) in both_forms() {
        let mut alone = both_forms().find(|(other, ..)| *other == name).expect("the same again").2;
        let idle = standing.support(Place::On(0.6, 0.3)).unwrap();
        let idle = standing.attach(&idle, false);
        let (here, there) = (port(&mut standing, 0.2, 0.3), port(&mut alone, 0.2, 0.3));
        for round in 0..60 {
            for (sheet, port) in [(&mut standing, &here), (&mut alone, &there)] {
                sheet.free_step_at(Level::new());
                sheet.push(port, f64::from(round % 5) - 2.0);
                sheet.advance();
            }
            assert_eq!(standing.read(&here, At::Now).to_bits(), alone.read(&there, At::Now).to_bits(), "{name}");
            let aside = alone.support(Place::On(0.6, 0.3)).unwrap();
            for at in [At::Previous, At::Now] {
                // Followed or not, from one round to the next or changed between them.
                let unfollowed = standing.read(&idle, at);
                standing.follow(&idle, true);
                let followed = standing.read(&idle, at);
                standing.follow(&idle, round > 30 && round < 40);
                let expected = alone.read(&aside, at);
                let scale = largest(&shape_of(&alone));
                assert!((unfollowed - expected).abs() < 1e-14 * scale, "{name}: {unfollowed} and {expected}");
                assert!((followed - expected).abs() < 1e-14 * scale, "{name}: {followed} and {expected}");
            }
        }
    }
}

#[test]
fn forces_do_the_work_that_their_energy_gains() {
    for (name, _, mut standing) in both_forms() {
        let ports = [(0.2, 0.3), (0.22, 0.31), (0.7, 0.6)].map(|(x, y)| port(&mut standing, x, y));
        let mut noise = Noise(5);
        for round in 0..40 {
            let before = standing.stored_energy();
            standing.free_step_at(Level::new());
            let forces = ports.map(|port| (port, 1e4 * noise.next()));
            forces.iter().for_each(|(port, force)| standing.push(port, *force));
            let half_step = |port: &Support| 0.5 * (standing.read(port, At::Next) - standing.read(port, At::Previous));
            let work: f64 = forces.iter().map(|(port, force)| force * half_step(port)).sum();
            let dissipated = standing.dissipated_in_step();
            standing.advance();
            let after = standing.stored_energy();
            let error = (after - before + dissipated - work).abs() / before.max(after);
            assert!(error < 1e-13, "{name}, step {round}: {error:e}");
            assert!(work.abs() > 1e-6 * before, "{name}: the forces must matter");
        }
    }
}

#[test]
fn a_port_that_moves_leaves_its_push_where_it_was_and_makes_no_energy() {
    for (name, _, mut standing) in both_forms() {
        let moving = port(&mut standing, 0.2, 0.3);
        let still = port(&mut standing, 0.7, 0.4);
        let mut noise = Noise(9);
        for _ in 0..50 {
            standing.free_step_at(Level::new());
            standing.push(&moving, 1e3 * noise.next());
            standing.push(&still, 1e3 * noise.next());
            standing.advance();
            let before = (standing.stored_energy(), standing.read(&still, At::Now), shape_of(&standing));
            let (x, y) = (0.5 + 0.5 * noise.next(), 0.5 + 0.5 * noise.next());
            let place = standing.support(Place::On(x, y)).unwrap();
            assert_eq!(standing.move_point(&moving, Place::On(x, y)), Ok(moving));
            assert!((standing.stored_energy() - before.0).abs() <= 1e-14 * before.0, "{name}");
            assert_eq!(standing.read(&still, At::Now), before.1);
            let scale = largest(&before.2);
            let error: Vec<f64> = shape_of(&standing).iter().zip(&before.2).map(|(a, b)| a - b).collect();
            assert!(largest(&error) < 1e-14 * scale, "{name}: {:e}", largest(&error) / scale);
            for at in [At::Previous, At::Now] {
                assert!((standing.read(&moving, at) - standing.read(&place, at)).abs() < 1e-14 * scale, "{name}");
            }
        }
    }
}

/// The bits of what some ports read, and of all nodes, after a run that pushes none, some or all of them.
fn bits_after_a_run(standing: &mut Standing, ports: &[Support], level: Level) -> Vec<u64> {
    let mut noise = Noise(43);
    let mut heard = Vec::new();
    for round in 0..200 {
        standing.free_step_at(level);
        for port in &ports[..round % (ports.len() + 1)] {
            standing.push(port, noise.next());
        }
        heard.extend(ports.iter().map(|port| standing.read(port, At::Next)));
        heard.push(standing.dissipated_in_step());
        standing.advance();
    }
    heard.extend(shape_of(standing));
    heard.into_iter().map(f64::to_bits).collect()
}

#[test]
fn every_vector_width_gives_the_same_bits_and_a_reset_repeats_them() {
    for count in [1, 2, 3, 4, 6] {
        let run = |mut standing: Standing, level: Level| {
            let places = [(0.31, 0.42), (0.33, 0.4), (0.9, 0.77), (0.05, 0.5), (0.62, 0.7), (0.5, 0.5)];
            let ports: Vec<Support> = places[..count].iter().map(|(x, y)| port(&mut standing, *x, *y)).collect();
            let bits = bits_after_a_run(&mut standing, &ports, level);
            standing.reset();
            assert!(bits == bits_after_a_run(&mut standing, &ports, level), "after a reset");
            bits
        };
        let expected: Vec<_> = both_forms().map(|(_, _, standing)| run(standing, Level::fallback())).collect();
        for (level_name, level) in levels() {
            for ((name, _, standing), expected) in both_forms().zip(&expected) {
                assert!(run(standing, level) == *expected, "{name} at {level_name} with {count} ports");
            }
        }
    }
}
