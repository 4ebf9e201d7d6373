//! What `ictus repro` writes of A04 and W19, read back from its tables.

mod common;

use std::collections::HashMap;
use std::path::Path;

use common::stdout;

/// The columns of a table by name; words become NaN.
fn table(directory: &Path, name: &str) -> HashMap<String, Vec<f64>> {
    let text = std::fs::read_to_string(directory.join(name)).expect(name);
    let mut lines = text.lines();
    let names: Vec<String> = lines.next().expect("headings").split(',').map(str::to_owned).collect();
    let mut columns: HashMap<String, Vec<f64>> = names.iter().map(|name| (name.clone(), Vec::new())).collect();
    for line in lines {
        for (name, cell) in names.iter().zip(line.split(',')) {
            columns.get_mut(name).expect("a column").push(cell.parse().unwrap_or(f64::NAN));
        }
    }
    columns
}

fn repro(items: &[&str]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    let output = directory.path().to_string_lossy().into_owned();
    let printed = stdout(["repro"].iter().chain(items).copied().chain(["-o", &output]));
    assert!(!printed.contains("failed"), "{printed}");
    directory
}

#[test]
fn a04s_wall_and_sweeps_say_what_the_source_says() {
    let directory = repro(&["A04-fig-1", "A04-fig-2", "A04-fig-3", "A04-fig-4"]);
    let results = table(directory.path(), "A04-fig-1-results.csv");
    for (v_in, v_out) in results["v_in_m/s"].iter().zip(&results["v_out_m/s"]) {
        assert!(*v_out < 0.0 && -v_out < *v_in && *v_out > -1.0 / 0.6, "{v_in} {v_out}");
    }
    let stiffness = table(directory.path(), "A04-fig-3-stiffness.csv");
    let (k, wall) = (&stiffness["stiffness_N/m^α"], &stiffness["wall_contact_time_s"]);
    for n in 1..k.len() {
        let slope = (wall[n] / wall[n - 1]).ln() / (k[n] / k[n - 1]).ln();
        assert!((slope + 1.0 / 3.5).abs() < 1e-9, "τ ~ K^(-1/(α+1)): {slope}");
    }
    for name in ["mass", "stiffness", "dissipation", "exponent"] {
        let sweep = table(directory.path(), &format!("A04-fig-3-{name}.csv"));
        for n in (0..sweep["contacts"].len()).filter(|&n| sweep["contacts"][n] == 1.0) {
            let exact = sweep["contact_time_s"][n];
            for way in ["am1_contact_time_s", "engine_contact_time_s"] {
                assert!((sweep[way][n] / exact - 1.0).abs() < 0.02, "{name} {way} {n}");
            }
            assert!(exact > sweep["wall_contact_time_s"][n], "longer than on the wall: {name} {n}");
        }
    }
    let dissipation = table(directory.path(), "A04-fig-3-dissipation.csv");
    let (times, centroids) = (&dissipation["contact_time_s"], &dissipation["centroid_Hz"]);
    let last = times.len() - 1;
    assert!((times[last] / times[0] - 1.0).abs() < 0.1, "τ hardly depends on μ");
    assert!(centroids[0] > 1.1 * centroids[last], "the centroid rises as μ is lowered");
    let exponent = table(directory.path(), "A04-fig-3-exponent.csv");
    assert!(exponent["contacts"][0] > 1.0, "several bounces at low α");
    assert!(exponent["centroid_Hz"][0] > exponent["centroid_Hz"][exponent["contacts"].len() - 1]);
}

#[test]
fn a04s_map_is_fitted_and_inverted() {
    let directory = repro(&["A04-fig-5", "A04-inverse-map", "A04-compliance"]);
    let fit = table(directory.path(), "A04-fig-5-coefficients.csv");
    assert!(fit["a1"][0] < 0.0 && fit["b1"][0] > 0.0 && fit["b2"][0] < 0.0, "{fit:?}");
    let map = table(directory.path(), "A04-inverse-map.csv");
    for n in 0..9 {
        for (posed, found) in
            [("stiffness_N/m^α", "found_stiffness_N/m^α"), ("dissipation_s/m", "found_dissipation_s/m")]
        {
            assert!((map[found][n] / map[posed][n] - 1.0).abs() < 1e-6, "{found} {n}");
        }
    }
    let compliance = table(directory.path(), "A04-compliance.csv");
    let (wall, first) = (&compliance["wall_contact_time_s"], &compliance["first_contact_s"]);
    for n in (0..wall.len()).filter(|&n| wall[n] > 5e-4 && compliance["modal_mass_kg"][n] < 0.5) {
        assert!(
            first[n] > wall[n],
            "a contact that is not short beside the period lasts longer: {} {}",
            wall[n],
            first[n]
        );
    }
}

#[test]
fn w19s_systems_keep_their_account() {
    let directory = repro(&["W19"]);
    let names = [
        "mass-barrier",
        "mass-spring-barrier",
        "two-mass-springs",
        "string-string",
        "mass-string",
        "tromba-connection",
        "tromba-damped",
        "tromba-collision",
        "bridge-barrier",
    ];
    for name in names {
        let system = table(directory.path(), &format!("W19-{name}.csv"));
        let rows = system["time_s"].len();
        assert!(rows > 100, "{name}");
        let energies = || system.iter().filter(|(column, _)| column.starts_with("energy_"));
        assert!(energies().all(|(_, values)| values.iter().all(|energy| *energy >= 0.0)), "{name}");
        let total = |n: usize| energies().map(|(_, values)| values[n]).sum::<f64>() + system["dissipated_J"][n];
        for n in 0..rows {
            assert!(system["imbalance_J"][n].abs() < 1e-12 * total(0), "{name} {n}");
            assert!((total(n) / total(0) - 1.0).abs() < 1e-12, "{name} {n}");
        }
        let moving = |(column, values): (&String, &Vec<f64>)| {
            column.starts_with("displacement_") && values.iter().any(|value| (value - values[0]).abs() > 1e-7)
        };
        assert!(system.iter().any(moving), "{name}");
    }
}
