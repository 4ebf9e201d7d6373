//! D17: forces, computability, oscillators, the fast particle.

use super::data::{Directory, Row, assert_near, column, largest, smallest};
use crate::common::json;

pub fn forces_are_those_of_the_potentials(directory: &Directory) {
    for row in directory.rows("D17-fig-1.csv") {
        let (alpha, u) = (row.number("alpha"), row.number("u_m"));
        let expected = match row.word("potential") {
            "a" => u.abs().powf(alpha).copysign(u),
            "b" => (u - 0.2).max(0.0).powf(alpha),
            _ => (u.abs() - 0.3).max(0.0).powf(alpha).copysign(u),
        };
        assert!((row.number("force_N") - expected).abs() < 1e-12, "{} {alpha} {u}", row.word("potential"));
    }
}

pub fn roots_are_real_where_stated(directory: &Directory) {
    let rows = directory.rows("D17-fig-2.csv");
    assert_eq!(rows.len(), 3 * 2 * 4 * 7);
    let real = |row: &Row| row.number("real") == 1.0;
    for row in &rows {
        let (s, velocity, step, alpha) =
            (row.number("s"), row.number("v0_m/s"), row.number("k_index"), row.number("alpha"));
        let about = format!("s = {s}, v0 = {velocity}, k{step}, α = {alpha}");
        if s == 3.0 || (s == 1.0 && velocity == 1.0) || (s == 0.5 && alpha == 1.0) {
            assert!(real(row), "{about}");
        }
        if s == 1.0 && velocity == 20.0 && step <= 3.0 && alpha <= 3.0 {
            // The source says real; with k3 and α = 3 the root is complex here.
            assert_eq!(real(row), !(step == 3.0 && alpha == 3.0), "{about}");
        }
        assert_eq!(real(row), row.number("smallest_discriminant") >= 0.0, "{about}");
        assert_eq!(real(row), row.maybe("complex_at_sample").is_none(), "{about}");
    }
    let complex = |s: f64| rows.iter().filter(|row| row.number("s") == s && !real(row)).count();
    assert!(complex(0.5) > complex(1.0) && complex(1.0) > complex(3.0));
}

/// Times at which a signal passes 0 upwards, interpolated.
fn upward_crossings(rows: &[Row], heading: &str) -> Vec<f64> {
    let (time, signal) = (column(rows, "time_s"), column(rows, heading));
    (1..rows.len())
        .filter(|n| signal[n - 1] < 0.0 && signal[*n] >= 0.0)
        .map(|n| time[n - 1] - signal[n - 1] * (time[n] - time[n - 1]) / (signal[n] - signal[n - 1]))
        .collect()
}

fn frequency(rows: &[Row], heading: &str) -> f64 {
    let crossings = upward_crossings(rows, heading);
    let periods = crossings.len() - 1;
    periods as f64 / (crossings[periods] - crossings[0])
}

/// Largest level between two frequencies in dB.
fn level(rows: &[Row], heading: &str, from: f64, to: f64) -> f64 {
    let chosen = rows.iter().filter(|row| (from..to).contains(&row.number("frequency_Hz")));
    largest(chosen.map(|row| row.number(heading)))
}

pub fn oscillators_drift_from_their_benchmarks_as_stated(directory: &Directory) {
    let harmonic = directory.rows("D17-fig-3-time.csv");
    let classic = frequency(&harmonic, "benchmark_m");
    assert_near(classic, 11.0, 1e-3, "classic");
    assert_near(frequency(&harmonic, "s_0.5_m"), classic, 1e-3, "s = 1/2");
    let (one, three) = (frequency(&harmonic, "s_1_m"), frequency(&harmonic, "s_3_m"));
    assert!(one > 1.005 * classic && three > 1.01 * one, "{classic} {one} {three}");
    let spectrum = directory.rows("D17-fig-3-spectrum.csv");
    // The source says lower than 60 dB: of 1 m it is, but not of the fundamental, which has 0.1 m, -20 dB.
    assert!(level(&spectrum, "s_0.5_dB", 30.0, 37.0) < -85.0);
    let third = level(&spectrum, "s_1_dB", 30.0, 37.0);
    assert!(third < -40.0 && third > -60.0, "{third}");
    assert!(level(&spectrum, "s_3_dB", 32.0, 40.0) > third + 3.0);
    // Even harmonics do not appear.
    assert!(level(&spectrum, "s_1_dB", 20.0, 25.0) < -85.0);

    let cubic = directory.rows("D17-fig-6-time.csv");
    let apart = |heading: &str| {
        largest(cubic.iter().map(|row| (row.number(heading) - row.number("benchmark_m")).abs())) / 8.4e-3
    };
    assert!(apart("s_0.5_m") < 0.02 && apart("s_0.5_m") < apart("s_1_m") && apart("s_1_m") < apart("s_3_m"));
    let spectrum = directory.rows("D17-fig-6-spectrum.csv");
    let high = |heading: &str| level(&spectrum, heading, 1500.0, 6000.0);
    assert!(high("s_1_dB") > high("s_0.5_dB") + 20.0 && high("s_3_dB") > high("s_1_dB"));
}

#[test]
fn the_level_of_the_third_harmonic_is_noted_as_different_from_the_sources() {
    let root = tempfile::tempdir().expect("a directory");
    let found = json(["repro", "D17-fig-3", "--json", "-o", root.path().to_str().expect("the path is text")]);
    let checks = found[0]["checks"].as_array().expect("checks");
    let is_meant = |check: &&serde_json::Value| check["printed"] == "lower than 60 dB in amplitude";
    let third = checks.iter().find(is_meant).expect("is there");
    assert_eq!((third["verdict"].as_str(), third["measured"].as_str()), (Some("noted"), Some("-45.7 dB")));
    let reason = third["reason"].as_str().expect("a reason");
    assert!(reason.contains("-45.7 dB") && reason.contains("-65.7 dB"), "both readings: {reason}");
}

pub fn the_fast_particle_keeps_its_energy(directory: &Directory) {
    let rows = directory.rows("D17-fig-5.csv");
    for row in &rows {
        assert_near(row.number("total_J"), 200.0, 1e-9, row.word("scheme"));
        assert_near(row.number("kinetic_J") + row.number("potential_J"), row.number("total_J"), 1e-12, "sum");
    }
    let lowest = |scheme: &str, rate: f64| {
        let chosen = rows.iter().filter(|row| row.word("scheme") == scheme && row.number("rate_Hz") == rate);
        smallest(chosen.map(|row| row.number("potential_J")))
    };
    for scheme in ["benchmark", "s = 1"] {
        assert!(lowest(scheme, 44_100.0) >= -1e-7 && lowest(scheme, 441_000.0) >= -1e-7, "{scheme}");
    }
    assert!(lowest("s = 3", 44_100.0) < -1.0 && lowest("s = 3", 44_100.0) > -200.0);
    assert!(lowest("s = 3", 441_000.0) > 0.2 * lowest("s = 3", 44_100.0));

    let paths = directory.rows("D17-fig-4.csv");
    let path = |scheme: &str, rate: f64| -> Vec<f64> {
        let chosen = paths.iter().filter(|row| row.word("scheme") == scheme && row.number("rate_Hz") == rate);
        chosen.map(|row| row.number("displacement_m")).collect()
    };
    let apart = |scheme: &str, rate: f64| {
        let pairs = path("benchmark", rate).into_iter().zip(path(scheme, rate));
        largest(pairs.map(|(one, other)| (one - other).abs()))
    };
    let at = |rate: f64| ["s = 0.5", "s = 1", "s = 3"].map(|scheme| apart(scheme, rate));
    let (coarse, fine) = (at(44_100.0), at(441_000.0));
    assert!(coarse[0] < coarse[1] && coarse[1] < coarse[2], "{coarse:?}");
    assert!((0..3).all(|n| fine[n] < 0.3 * coarse[n]), "{coarse:?} {fine:?}");
}
