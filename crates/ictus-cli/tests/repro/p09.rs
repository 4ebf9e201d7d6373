//! P09: its table digit by digit, its figures against its equations.

use super::data::{Directory, Row, assert_near, bisected, column, largest};

const MASS: f64 = 1e-2;
const SCHEMES: [&str; 4] = ["am1", "verlet", "heun", "rk4"];

/// v_out as the second root of P09 (6), by bisection.
fn output_velocity(mu: f64, v_in: f64) -> f64 {
    let gap = |v: f64| mu * v - (1.0 + mu * v).ln();
    bisected(|v| gap(v) - gap(v_in), -1.0 / mu * (1.0 - 1e-16), -1e-12)
}

/// x_max by P09 (4).
fn max_compression(stiffness: f64, mu: f64, alpha: f64, v_in: f64) -> f64 {
    let w = mu * v_in;
    (MASS * (alpha + 1.0) / (stiffness * mu * mu) * (w - w.ln_1p())).powf(1.0 / (alpha + 1.0))
}

/// v_out by P09 (7)-(8).
fn approximation(mu: f64, v_in: f64) -> f64 {
    let w = mu * v_in;
    let sum = 1.0 + w + 2.0 / 3.0 * w * w + 2.0 / 9.0 * w.powi(3) + 14.0 / 135.0 * w.powi(4);
    -(1.0 - sum * (-2.0 * w).exp()) / mu
}

pub fn table_1_has_the_printed_digits(directory: &Directory) {
    let rows = directory.rows("P09-table-1.csv");
    let row = |case: &str, error: &str| -> &Row {
        rows.iter().find(|row| row.word("case") == case && row.word("error_%") == error).expect("the row is there")
    };
    let rounded = |row: &Row| SCHEMES.map(|scheme| format!("{:+.3}", row.number(scheme)));
    let velocity = "v_out against the approximation";
    let energy = "H_τ against the approximation";
    assert_eq!(rounded(row("a", velocity)), ["+1.293", "+1.660", "+1.467", "-0.125"]);
    assert_eq!(rounded(row("b", velocity)), ["+2.551", "+0.839", "-4.692", "-0.105"]);
    // The table prints 2.603 for AM1: the velocity's rounded error, squared.
    assert_eq!(rounded(row("a", energy)), ["+2.604", "+3.348", "+2.955", "-0.250"]);
    assert_eq!(format!("{:.3}", 100.0 * (1.01293f64.powi(2) - 1.0)), "2.603");
    assert_eq!(rounded(row("b", energy)), ["+5.166", "+1.685", "-9.164", "-0.211"]);
    let deep = row("a", "x_max");
    assert_eq!(format!("{:+.3} {:+.3}", deep.number("verlet"), deep.number("heun")), "+1.122 +1.254");
    assert!(deep.number("am1") < 0.0 && deep.number("rk4") < 0.0);
    assert!(SCHEMES.iter().all(|scheme| row("b", "x_max").number(scheme) < 0.0));

    for (case, mu, v_in) in [("a", 0.1, 0.3), ("b", 0.5, 1.0)] {
        assert!(row(case, "v_out against the exact root").number("secant").abs() < 1e-10);
        // Both references: what is between them is the approximation's own error.
        let ratio = approximation(mu, v_in) / output_velocity(mu, v_in);
        for scheme in SCHEMES.into_iter().chain(["secant"]) {
            let factor = |error: &str| 1.0 + row(case, error).number(scheme) / 100.0;
            assert_near(factor("v_out against the exact root"), factor(velocity) * ratio, 1e-11, scheme);
            assert_near(factor("H_τ against the exact root"), factor(energy) * ratio * ratio, 1e-11, scheme);
        }
    }
}

pub fn exact_figures_follow_the_equations(directory: &Directory) {
    let results = directory.rows("P09-fig-1-results.csv");
    assert_eq!(column(&results, "v_in_m/s"), [1.0, 2.0, 3.0, 4.0]);
    for row in &results {
        let v_in = row.number("v_in_m/s");
        assert_near(row.number("v_out_m/s"), output_velocity(0.5, v_in), 1e-9, "v_out");
        assert_near(row.number("x_max_m"), max_compression(1e9, 0.5, 1.5, v_in), 1e-12, "x_max");
    }
    let outputs = column(&results, "v_out_m/s");
    assert!(outputs.windows(2).all(|pair| pair[1] < pair[0]) && outputs.iter().all(|v| *v > -2.0));

    for row in directory.rows("P09-fig-1.csv") {
        let (v_in, v, x) = (row.number("v_in_m/s"), row.number("v_m/s"), row.number("x_m"));
        assert!(v > -2.0 && v <= v_in);
        // P09 (3), as an energy; at the ends both sides vanish in rounding.
        let bracket = -0.5 * (v - v_in) + ((1.0 + 0.5 * v) / (1.0 + 0.5 * v_in)).ln();
        let orbit = MASS * 2.5 / (1e9 * 0.25) * bracket;
        assert!((x.powf(2.5) - orbit).abs() < 1e-9 * MASS * 2.5 / (1e9 * 0.25), "{v} {x}");
    }
    for v_in in ["1", "2", "3", "4"] {
        let loops = directory.rows_with("P09-fig-2.csv", "v_in_m/s", v_in);
        let area: f64 = loops
            .windows(2)
            .map(|pair| {
                0.5 * (pair[0].number("force_N") + pair[1].number("force_N"))
                    * (pair[1].number("x_m") - pair[0].number("x_m"))
            })
            .sum();
        let speed: f64 = v_in.parse().expect("a number");
        let lost = 0.5 * MASS * (speed * speed - output_velocity(0.5, speed).powi(2));
        assert_near(area, lost, 1e-3, "area of the loop");
    }
    let errors = directory.rows("P09-fig-3.csv");
    for row in &errors {
        let w = row.number("mu_v_in");
        let expected = 100.0 * (approximation(1.0, w) / output_velocity(1.0, w) - 1.0).abs();
        assert!((row.number("error_%") - expected).abs() < 1e-6, "{w}");
    }
    let most = largest(column(&errors, "error_%"));
    assert!((2.0..2.1).contains(&most), "{most}");
}

/// Samples of one scheme in one of the figures.
fn samples(directory: &Directory, file: &str, scheme: &str) -> Vec<Row> {
    directory.rows_with(file, "scheme", scheme)
}

fn last(rows: &[Row], heading: &str) -> f64 {
    rows.last().expect("there are rows").number(heading)
}

pub fn schemes_behave_as_stated(directory: &Directory) {
    // Figure 4: everything overlaps.
    let (x_max, v_out) = (max_compression(1e5, 0.5, 1.6, 0.3), output_velocity(0.5, 0.3));
    for scheme in SCHEMES {
        let rows = samples(directory, "P09-fig-4.csv", scheme);
        assert_near(last(&rows, "v_m/s"), v_out, 1e-4, scheme);
        assert_near(largest(column(&rows, "x_m")), x_max, 5e-4, scheme);
        let energy = column(&rows, "total_J");
        assert!(energy.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-6)), "{scheme}");
    }
    // Figure 5: Verlet and Heun exceed x_max and H_0, all but RK4 end above H_τ.
    let (x_max, v_out) = (max_compression(1e7, 0.1, 1.1, 0.3), output_velocity(0.1, 0.3));
    let (first, end) = (0.5 * MASS * 0.09, 0.5 * MASS * v_out * v_out);
    for scheme in SCHEMES {
        let rows = samples(directory, "P09-fig-5.csv", scheme);
        let exceeds = ["verlet", "heun"].contains(&scheme);
        assert_eq!(largest(column(&rows, "x_m")) > x_max, exceeds, "{scheme}");
        assert_eq!(largest(column(&rows, "total_J")) > first * (1.0 + 1e-12), exceeds, "{scheme}");
        let error = last(&rows, "total_J") / end - 1.0;
        if scheme == "rk4" {
            assert!(error.abs() < 5e-3)
        } else {
            assert!(error > 0.02, "{scheme}: {error}")
        }
        // Eight samples: seven inside after the first, at x = 0.
        assert!((7..=8).contains(&rows.iter().filter(|row| row.number("x_m") > 0.0).count()), "{scheme}");
    }
    // Figure 6: inside the wall H falls with every scheme.
    for scheme in SCHEMES {
        let rows = samples(directory, "P09-fig-6.csv", scheme);
        let out = rows.iter().rposition(|row| row.number("x_m") > 0.0).expect("the wall was met");
        let energy = column(&rows[..=out], "total_J");
        assert!(energy.windows(2).all(|pair| pair[1] <= pair[0]), "{scheme}");
    }
    // Figure 7: corrected, x stays below x_max and H ends at H_τ.
    for (file, scheme, stiffness, mu, alpha, v_in) in [
        ("P09-fig-7-case-1.csv", "verlet+corrected", 1e7, 0.1, 1.1, 0.3),
        ("P09-fig-7-case-2.csv", "heun+corrected", 1e9, 0.5, 1.5, 1.0),
    ] {
        let rows = samples(directory, file, scheme);
        assert!(largest(column(&rows, "x_m")) <= max_compression(stiffness, mu, alpha, v_in) * (1.0 + 1e-12));
        assert_near(last(&rows, "v_m/s"), output_velocity(mu, v_in), 1e-9, scheme);
        let plain = samples(directory, file, scheme.trim_end_matches("+corrected"));
        assert!((last(&plain, "v_m/s") / output_velocity(mu, v_in) - 1.0).abs() > 0.01);
    }
}

pub fn bounces_come_at_the_wrong_time_unless_corrected(directory: &Directory) {
    let late = |scheme: &str| {
        let rows = samples(directory, "P09-fig-8-impacts.csv", scheme);
        assert_eq!(rows.len(), 10, "{scheme}");
        largest(column(&rows, "late_by_s").into_iter().map(f64::abs))
    };
    assert!(late("am1") > 9e-4 && late("rk4") > 9e-4);
    for scheme in ["am1+corrected", "rk4+corrected", "secant"] {
        assert!(late(scheme) < 0.3 * late("am1").min(late("rk4")), "{scheme}");
    }
    // The first flight, apart from the program: thrown up at v_out, back after 2 v_out/g.
    let rows = samples(directory, "P09-fig-8-impacts.csv", "secant");
    let flight = 2.0 * output_velocity(0.1, 0.3).abs() / 9.81;
    assert_near(rows[1].number("time_s"), flight, 5e-3, "first flight");
}
