use super::*;

/// Every level this machine has, with the one that others are compared with.
pub(super) fn levels() -> Vec<(&'static str, Level)> {
    let best = Level::new();
    let mut levels = vec![("best", best), ("reference", reference()), ("baseline", Level::baseline())];
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
    let reference: Vec<_> = all_kinds().into_iter().map(|(_, sheet)| bits_after_a_run(sheet, reference())).collect();
    for (level_name, level) in levels() {
        for ((name, sheet), expected) in all_kinds().into_iter().zip(&reference) {
            assert_eq!(&bits_after_a_run(sheet, level), expected, "{name} at {level_name}");
        }
    }
}

/// The step of one node by the formula of stencil.rs, in shapes of so many columns.
fn formula(sheet: &Sheet, columns: usize, now: &[f64], previous: &[f64], node: usize) -> f64 {
    // Along a row and down the rows, as the constants are.
    let [x, y] = sheet.grid.in_memory_order([1, columns]);
    let c = &sheet.constants;
    let second = |u: &[f64], i: usize, by: usize| u[i + by] - 2.0 * u[i] + u[i - by];
    let rows = now.len() / columns;
    let fourth = |by: usize| {
        // On the edge itself the continuation has no second difference, or twice that of the first inner node.
        let at = |i: usize, at_edge: bool| if at_edge { (1.0 - c.oddness) * now[node] } else { second(now, i, by) };
        let (here, length) = if by == 1 { (node % columns, columns) } else { (node / columns, rows) };
        at(node - by, here == 1) - 2.0 * second(now, node, by) + at(node + by, here + 2 == length)
    };
    let mixed = second(now, node - y, x) - 2.0 * second(now, node, x) + second(now, node + y, x);
    let moved: Vec<f64> = now.iter().zip(previous).map(|(now, previous)| now - previous).collect();
    now[node] + c.b * moved[node] - (c.xx * fourth(x) + 2.0 * c.xy * mixed + c.yy * fourth(y))
        + (c.x * second(now, node, x) + c.y * second(now, node, y))
        + (c.sx * second(&moved, node, x) + c.sy * second(&moved, node, y))
}

#[test]
fn the_step_is_the_formula_on_rows_of_any_length() {
    for segments in (5..=42).chain(60..=90) {
        for (edges, sigma1) in [(PlateEdges::SimplySupported, 0.0), (PlateEdges::Clamped, 0.01)] {
            let spec = small_plate(segments as f64 + 0.3, 6.4, 1.0, sigma1, edges);
            let mut sheet = build_plate(&spec);
            excite(&mut sheet, segments);
            let [columns, rows] = sheet.dimensions();
            let mut samples = [vec![0.0; columns * rows], vec![0.0; columns * rows], vec![0.0; columns * rows]];
            let [previous, now, next] = &mut samples;
            sheet.shape(now);
            std::mem::swap(&mut sheet.now, &mut sheet.previous);
            sheet.shape(previous);
            std::mem::swap(&mut sheet.now, &mut sheet.previous);
            step(&mut sheet);
            sheet.shape(next);
            for y in 1..rows - 1 {
                for x in 1..columns - 1 {
                    let node = y * columns + x;
                    let error = (next[node] - formula(&sheet, columns, now, previous, node)).abs();
                    assert!(error < 1e-17, "{columns}×{rows} {edges:?}, node ({x}, {y}): {error:e}");
                }
            }
        }
    }
}

#[test]
fn widths_around_a_vector_leave_the_edges_at_rest() {
    // Every remainder of the width by the vector length, checked against a plate of transposed sides.
    for columns in 5..=21 {
        let spec = small_plate(columns as f64, 30.0, 1.0, 0.01, PlateEdges::Clamped);
        let turned = {
            let [x, y] = spec.outline.sides().unwrap();
            PlateSpec { outline: Outline::Rectangle([y, x]), ..spec.clone() }
        };
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
