use super::*;

/// Every level this machine has, the scalar fallback included.
fn levels() -> Vec<(&'static str, Level)> {
    let best = Level::new();
    let mut levels = vec![("best", best), ("fallback", Level::fallback()), ("baseline", Level::baseline())];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        levels.extend(best.as_sse2().map(|token| ("SSE2", Level::Sse2(token))));
        levels.extend(best.as_sse4_2().map(|token| ("SSE4.2", Level::Sse4_2(token))));
        levels.extend(best.as_avx2().map(|token| ("AVX2", Level::Avx2(token))));
        levels.extend(best.as_avx512().map(|token| ("AVX-512", Level::Avx512(token))));
    }
    levels
}

/// The bits of all nodes after some samples with a force now and then.
fn bits_after_a_run(mut sheet: Sheet, level: Level) -> Vec<u64> {
    excite(&mut sheet, 41);
    let mut noise = Noise(43);
    for _ in 0..200 {
        sheet.free_step_at(level);
        let support = noise.support(&sheet);
        sheet.push(&support, noise.next());
        sheet.advance();
    }
    let [columns, rows] = sheet.dimensions();
    let mut shape = vec![0.0; columns * rows];
    sheet.shape(&mut shape);
    shape.into_iter().map(f64::to_bits).collect()
}

#[test]
fn every_vector_width_gives_the_same_bits() {
    let fallback: Vec<_> =
        all_kinds().into_iter().map(|(_, sheet)| bits_after_a_run(sheet, Level::fallback())).collect();
    for (level_name, level) in levels() {
        for ((name, sheet), expected) in all_kinds().into_iter().zip(&fallback) {
            assert_eq!(&bits_after_a_run(sheet, level), expected, "{name} at {level_name}");
        }
    }
}

#[test]
fn widths_around_a_vector_leave_the_edges_at_rest() {
    // Every remainder of the width by the vector length, checked against a plate of transposed sides.
    for columns in 5..=21 {
        let spec = small_plate(columns as f64, 30.0, 1.0, 0.01, PlateEdges::Clamped);
        let turned = PlateSpec { sides: [spec.sides[1], spec.sides[0]], ..spec.clone() };
        let (mut one, mut other) = (build_plate(&spec), build_plate(&turned));
        let shape = |x: f64, y: f64| x * x * (1.0 - x) + 0.3 * y * x;
        one.displace(shape);
        other.displace(|x, y| shape(y, x));
        for _ in 0..300 {
            step(&mut one);
            step(&mut other);
        }
        let [nx, ny] = one.dimensions();
        assert_eq!(other.dimensions(), [ny, nx]);
        let (mut first, mut second) = (vec![0.0; nx * ny], vec![0.0; nx * ny]);
        one.shape(&mut first);
        other.shape(&mut second);
        for y in 0..ny {
            for x in 0..nx {
                let (here, there) = (first[y * nx + x], second[x * ny + y]);
                assert!((here - there).abs() < 1e-12, "{columns} columns, node ({x}, {y}): {here} and {there}");
                if x == 0 || y == 0 || x + 1 == nx || y + 1 == ny {
                    assert_eq!(here, 0.0);
                }
            }
        }
    }
}

#[test]
fn reset_repeats_the_run_bit_for_bit() {
    for (name, mut sheet) in all_kinds() {
        excite(&mut sheet, 2);
        let [columns, rows] = sheet.dimensions();
        let (mut first, mut again) = (vec![0.0; columns * rows], vec![0.0; columns * rows]);
        (0..50).for_each(|_| step(&mut sheet));
        sheet.shape(&mut first);
        sheet.reset();
        (0..50).for_each(|_| step(&mut sheet));
        sheet.shape(&mut again);
        assert_eq!(first, again, "{name}");
    }
    let mut flat = build_plate(&PlateSpec::default());
    let support = flat.support(Place::On(0.3, 0.4)).expect("on it");
    flat.free_step_at(Level::new());
    flat.push(&support, 1.0);
    flat.advance();
    flat.reset();
    assert_eq!(flat.stored_energy(), 0.0);
}
