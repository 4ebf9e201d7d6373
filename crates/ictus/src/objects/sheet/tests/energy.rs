use super::*;

/// Largest |H(n) + dissipated - H(0)| / H(0) over a free run.
pub(super) fn imbalance(sheet: &mut impl Body, samples: usize, check_every: usize) -> f64 {
    let level = Level::new();
    let start = sheet.stored_energy();
    assert!(start > 0.0);
    let (mut dissipated, mut carry, mut worst) = (0.0, 0.0, 0.0_f64);
    for sample in 1..=samples {
        sheet.free_step_at(level);
        // Compensated, so that the sum of half a million terms does not blur what is tested.
        let term = sheet.dissipated_in_step() - carry;
        assert!(term >= -1e-30 - carry.abs());
        let sum = dissipated + term;
        carry = (sum - dissipated) - term;
        dissipated = sum;
        sheet.advance();
        if sample % check_every == 0 {
            worst = worst.max((sheet.stored_energy() + dissipated - start).abs() / start);
        }
    }
    worst
}

#[test]
fn every_kind_balances_its_energy() {
    for (name, mut sheet) in all_kinds() {
        excite(&mut sheet, 7);
        let worst = imbalance(&mut sheet, 4000, 40);
        assert!(worst < 1e-12, "{name}: {worst:e}");
    }
}

#[test]
fn ten_seconds_of_sound_balance() {
    let plates = [
        small_plate(12.6, 8.7, 0.0, 0.0, PlateEdges::SimplySupported),
        small_plate(12.6, 8.7, 0.5, 0.003, PlateEdges::SimplySupported),
        small_plate(8.7, 12.6, 0.0, 0.0, PlateEdges::Clamped),
    ];
    let membranes = [small_membrane(12.6, 8.7, 0.0, 0.0), small_membrane(12.6, 8.7, 0.5, 0.003)];
    let sheets = plates.iter().map(build_plate).chain(membranes.iter().map(build_membrane));
    for (number, mut sheet) in sheets.enumerate() {
        excite(&mut sheet, 11);
        let worst = imbalance(&mut sheet, 480_000, 4800);
        assert!(worst < 1e-12, "sheet {number}: {worst:e}");
    }
}

/// A plate of `scale` times 41 by 30 cm that rings in its lowest mode alone: 41 Hz over the square of the scale.
pub(super) fn low_mode(scale: f64) -> Sheet {
    let sides = [0.41 * scale, 0.3 * scale];
    let mut sheet = build_plate(&PlateSpec {
        outline: Outline::Rectangle(sides),
        loss: Loss::None,
        grid: Some([20, 15]),
        ..PlateSpec::default()
    });
    sheet.displace(|x, y| 1e-3 * (std::f64::consts::PI * x).sin() * (std::f64::consts::PI * y).sin());
    sheet
}

#[test]
fn the_rounding_of_the_stencil_is_no_spring_to_ground() {
    // With coefficients whose sum is off by a rounding error these come out from 3e-12 to 9e-11 (stencil.rs).
    for scale in [1.0, 1.3, 1.6, 1.9, 2.2] {
        let worst = imbalance(&mut low_mode(scale), 3000, 31);
        assert!(worst < 1e-12, "{scale}: {worst:e}");
    }
}

#[test]
fn the_lowest_mode_alone_balances_for_ten_seconds() {
    // 114 Hz. Each sample rounds u once more, so a single mode drifts by about 1e-12 · (40 Hz / f) in this time.
    let worst = imbalance(&mut low_mode(0.6), 480_000, 4801);
    assert!(worst < 1e-12, "{worst:e}");
}

#[test]
fn forces_do_the_work_that_the_energy_gains() {
    for (name, mut sheet) in all_kinds() {
        excite(&mut sheet, 3);
        let mut noise = Noise(5);
        for round in 0..20 {
            let before = sheet.stored_energy();
            sheet.free_step_at(Level::new());
            let forces: Vec<(Support, f64)> = (0..6).map(|_| (noise.support(&sheet), 1e4 * noise.next())).collect();
            forces.iter().for_each(|(support, force)| sheet.push(support, *force));
            let work: f64 = forces
                .iter()
                .map(|(support, force)| {
                    0.5 * force * (sheet.read(support, At::Next) - sheet.read(support, At::Previous))
                })
                .sum();
            let dissipated = sheet.dissipated_in_step();
            sheet.advance();
            let after = sheet.stored_energy();
            let error = (after - before + dissipated - work).abs() / before.max(after);
            assert!(error < 1e-13, "{name}, step {round}: {error:e}");
            assert!(work.abs() > 1e-6 * before, "{name}: the forces must matter");
        }
    }
}

#[test]
fn exactly_at_the_bound_the_energy_stays_positive_and_the_motion_bounded() {
    let mut sheets = Vec::new();
    for edges in [PlateEdges::SimplySupported, PlateEdges::Clamped] {
        for sigma1 in [0.0, 0.05] {
            // Sides of a whole number of cells, so that the grid is at the bound and not one segment below.
            let spec = PlateSpec { grid: Some([16, 12]), ..small_plate(16.0, 12.0, 0.0, sigma1, edges) };
            let sheet = build_plate(&spec);
            assert_eq!(sheet.dimensions(), [17, 13]);
            sheets.push(sheet);
        }
    }
    for sigma1 in [0.0, 0.05] {
        let sheet = build_membrane(&MembraneSpec { grid: Some([16, 12]), ..small_membrane(16.0, 12.0, 0.0, sigma1) });
        assert_eq!(sheet.dimensions(), [17, 13]);
        sheets.push(sheet);
    }
    for mut sheet in sheets {
        excite(&mut sheet, 23);
        // The checkerboard is the mode nearest to the bound.
        let [columns, rows] = sheet.dimensions();
        sheet.displace(|x, y| {
            let node = (x * (columns - 1) as f64).round() + (y * (rows - 1) as f64).round();
            if node % 2.0 == 0.0 { 1e-3 } else { -1e-3 }
        });
        let start = sheet.stored_energy();
        let mut shape = vec![0.0; columns * rows];
        for _ in 0..30 {
            (0..4000).for_each(|_| step(&mut sheet));
            let energy = sheet.stored_energy();
            assert!(energy >= 0.0 && energy <= start * (1.0 + 1e-12), "{energy} of {start}");
            sheet.shape(&mut shape);
            assert!(shape.iter().all(|value| value.abs() < 1.0));
        }
    }
}
