use super::super::super::ObjectError;
use super::*;

#[test]
fn a_point_reads_cubics_exactly_and_nodes_to_the_bit() {
    for (name, mut sheet) in all_kinds() {
        // Zero on the edges along x, cubic along it; the weight of a fixed node must not matter.
        let cubic = |x: f64, y: f64| x * (1.0 - x) * (0.3 + x) * y * (1.0 - y) * (2.0 - y);
        sheet.displace(cubic);
        let mut noise = Noise(17);
        for _ in 0..200 {
            let (x, y) = (0.5 + 0.5 * noise.next(), 0.5 + 0.5 * noise.next());
            let support = sheet.support(Place::On(x, y)).expect("on it");
            let read = sheet.read(&support, At::Now);
            assert!((read - cubic(x, y)).abs() < 1e-14, "{name}: {read} at ({x}, {y})");
        }
        let [nx, ny] = sheet.dimensions().map(|n| n - 1);
        let mut shape = vec![0.0; (nx + 1) * (ny + 1)];
        sheet.shape(&mut shape);
        for y in 0..=ny {
            for x in 0..=nx {
                let support = sheet.support(Place::On(x as f64 / nx as f64, y as f64 / ny as f64)).expect("on it");
                assert_eq!(sheet.read(&support, At::Now), shape[y * (nx + 1) + x]);
            }
        }
    }
}

#[test]
fn admittance_is_symmetric_and_is_what_a_force_does() {
    for (name, mut sheet) in all_kinds() {
        let mut noise = Noise(29);
        for _ in 0..200 {
            let (here, there) = (noise.support(&sheet), noise.support(&sheet));
            let admittance = sheet.admittance(&here, &there);
            assert_eq!(admittance, sheet.admittance(&there, &here), "{name}");
            assert!(sheet.admittance(&here, &here) > 0.0);
            sheet.reset();
            sheet.free_step_at(Level::new());
            sheet.push(&there, 2.0);
            let moved = sheet.read(&here, At::Next);
            let scale = sheet.admittance(&here, &here) + sheet.admittance(&there, &there);
            assert!((moved - 2.0 * admittance).abs() < 1e-14 * scale, "{name}: {moved} for {admittance}");
        }
    }
}

#[test]
fn the_edge_neither_moves_nor_takes_a_force() {
    for (name, mut sheet) in all_kinds() {
        for (x, y) in [(0.0, 0.4), (1.0, 0.4), (0.4, 0.0), (0.4, 1.0), (0.0, 0.0), (1.0, 1.0)] {
            let support = sheet.support(Place::On(x, y)).expect("on it");
            sheet.push(&support, 1e9);
            assert_eq!(sheet.admittance(&support, &support), 0.0, "{name}");
            assert_eq!(sheet.read(&support, At::Next), 0.0);
        }
        (0..10).for_each(|_| step(&mut sheet));
        assert_eq!(sheet.stored_energy(), 0.0);
    }
}

#[test]
fn places_that_are_not_on_it_are_refused_by_kind() {
    let plate = build_plate(&PlateSpec::default());
    for place in [Place::Whole, Place::Along(0.5), Place::Point(0), Place::On(1.01, 0.5), Place::On(0.5, f64::NAN)] {
        match plate.support(place) {
            Err(ObjectError::NoSuchPlace { kind: "plate", .. }) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_force_gives_the_whole_sheet_its_momentum() {
    // Over one step from rest, mass times displacement is k² f / (1 + σ0k), wherever the point is inside.
    let mut sheet = build_plate(&small_plate(15.0, 11.0, 0.0, 0.0, PlateEdges::SimplySupported));
    let support = sheet.support(Place::On(0.437, 0.561)).expect("on it");
    sheet.free_step_at(Level::new());
    sheet.push(&support, 3.0);
    sheet.advance();
    let [columns, rows] = sheet.dimensions();
    let mut shape = vec![0.0; columns * rows];
    sheet.shape(&mut shape);
    let spec = small_plate(15.0, 11.0, 0.0, 0.0, PlateEdges::SimplySupported);
    let cell = spec.outline.area() / ((columns - 1) * (rows - 1)) as f64;
    let momentum = shape.iter().sum::<f64>() * cell * spec.thickness * spec.density * RATE;
    assert!((momentum - 3.0 / RATE).abs() < 1e-12 * momentum, "{momentum}");
}
