//! C14: contact durations, read off the samples; the bounds; the corrected stiffness.

use std::f64::consts::PI;

use super::data::{Directory, Row, assert_near, column, largest};

const RATE: f64 = 50e3;

/// Duration of a contact in s from its samples: the flight in touches at 0.1 ms, the flight out is a straight line of -1 m/s.
fn duration(rows: &[Row]) -> f64 {
    let last = rows.last().expect("there are samples");
    assert!(last.number("y_m") < 0.0);
    last.number("time_s") + last.number("y_m") - 1e-4
}

fn samples(directory: &Directory, file: &str, stiffness: &str, scheme: &str) -> Vec<Row> {
    let rows = directory.rows_with(file, "scheme", scheme);
    rows.into_iter().filter(|row| row.word("K_N/m") == stiffness).collect()
}

pub fn contacts_last_as_stated(directory: &Directory) {
    let mut apart = Vec::new();
    for (word, stiffness) in [("1e9", 1e9f64), ("1e10", 1e10)] {
        let exact = PI / stiffness.sqrt();
        let two = duration(&samples(directory, "C14-fig-3.csv", word, "two-point"));
        let three = duration(&samples(directory, "C14-fig-3.csv", word, "three-point"));
        assert!(three > two && two > exact, "{word}: {three} {two} {exact}");
        apart.push((three - two) / exact);
        for (scheme, measured) in [("two-point", two), ("three-point", three)] {
            let listed = samples(directory, "C14-fig-3-durations.csv", word, scheme);
            assert_near(listed[0].number("duration_s"), measured, 1e-9, scheme);
            assert_near(listed[0].number("exact_samples"), exact * RATE, 1e-9, scheme);
        }
    }
    assert!(apart[1] > 2.0 * apart[0], "{apart:?}");
    // Figure 5: exact to the phase's share.
    let omega = 44_700.0;
    let word = format!("{:e}", omega * omega);
    for (scheme, tolerance) in [("two-point-exact", 0.01), ("three-point-exact", 0.02)] {
        let rows = samples(directory, "C14-fig-5.csv", &word, scheme);
        assert_near(duration(&rows), PI / omega, tolerance, scheme);
    }
}

pub fn bounds_are_one_and_two_samples(directory: &Directory) {
    let inside = |scheme: &str| {
        samples(directory, "C14-fig-4.csv", "1e11", scheme).iter().filter(|row| row.number("y_m") > 0.0).count()
    };
    assert_eq!(inside("two-point"), 1);
    assert!(inside("three-point") >= 2);
    let target = PI / 1e10f64.sqrt();
    for (scheme, bound, shortest) in [("two-point", 1.0, 0.999..1.001), ("three-point", 2.0, 1.6..1.8)] {
        for row in directory.rows_with("C14-fig-6.csv", "scheme", scheme) {
            let rate = row.number("rate_Hz");
            let (simulated, error) = (row.number("simulated_s"), row.number("error_s"));
            assert_near(target + error, simulated, 1e-12, scheme);
            assert!(row.number("simulated_least_s") <= simulated && simulated <= row.number("simulated_most_s"));
            assert_eq!(row.number("taken") == 1.0, target > bound / rate, "{scheme} at {rate} Hz");
            // The three-point scheme's stiffest wall holds the mass for less than the two samples of its bound.
            assert!(shortest.contains(&(row.number("shortest_s") * rate)), "{scheme} at {rate} Hz");
            if target * rate > 1.25 * bound {
                assert_near(simulated, target, 0.02, scheme);
            } else if target * rate < bound {
                assert_near(simulated, row.number("shortest_s"), 1e-6, scheme);
            }
        }
    }
}

pub fn corrected_contacts_last_as_long_as_they_should(directory: &Directory) {
    let rows = directory.rows("C14-correction.csv");
    assert_eq!(rows.len(), 2 * 6 * 14);
    for row in &rows {
        let (scheme, alpha, length) = (row.word("scheme"), row.number("alpha"), row.number("length_samples"));
        let about = format!("{scheme}, α = {alpha}, {length} samples");
        let theta = PI / length;
        // For α = 1 the closed factor is the source's (15), (16).
        if alpha == 1.0 {
            let source = match scheme {
                "two-point" if length > 1.0 => Some(4.0 * (1.0 - theta.cos()) / (1.0 + theta.cos()) / (theta * theta)),
                "three-point" if length > 2.0 => Some(2.0 * (1.0 - theta.cos()) / theta.cos() / (theta * theta)),
                _ => None,
            };
            match (row.maybe("closed_factor"), source) {
                (Some(factor), Some(source)) => assert_near(factor, source, 1e-5, &about),
                // At the bound itself rounding decides.
                (factor, source) => assert!(source.is_none() || factor.is_some(), "{about}"),
            }
        }
        if let Some(error) = row.maybe("closed_error_%") {
            assert!(error.abs() < row.number("plain_error_%"), "{about}: {error}");
        }
        if length >= if scheme == "two-point" { 1.25 } else { 2.0 } {
            assert!(row.number("found_error_%").abs() < 0.02, "{about}");
            assert!(row.number("found_factor") > 1.0, "{about}");
        }
        if length >= 3.0 {
            assert!(row.number("found_worst_phase_%") < 1.0, "{about}");
        }
        if length >= 10.0 {
            assert!(row.number("closed_error_%").abs() < 0.2, "{about}");
        }
    }
    // The leading error of α = 3 is π/2 n² (two-point), 5/2 of that (three-point).
    for (scheme, part) in [("two-point", 1.0), ("three-point", 2.5)] {
        let row = rows.iter().find(|row| {
            row.word("scheme") == scheme && row.number("alpha") == 3.0 && row.number("length_samples") == 20.0
        });
        let error = row.expect("the row is there").number("plain_error_%");
        assert_near(error, part * 100.0 * 0.5 * PI / 400.0, 0.03, scheme);
    }
    let long: Vec<Row> = rows.into_iter().filter(|row| row.number("length_samples") >= 4.0).collect();
    assert!(largest(column(&long, "closed_error_%").into_iter().map(f64::abs)) < 6.0);
}
