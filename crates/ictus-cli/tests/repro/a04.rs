//! A04: the wall, the sweeps, the fits and the inverse map, read off the tables.

use super::data::{Directory, assert_near, column};

pub fn the_wall_slows_the_hammer_but_never_beyond_the_limit(directory: &Directory) {
    for row in directory.rows("A04-fig-1-results.csv") {
        let (v_in, v_out) = (row.number("v_in_m/s"), row.number("v_out_m/s"));
        assert!(v_out < 0.0 && -v_out < v_in && v_out > -1.0 / 0.6, "{v_in} {v_out}");
    }
    for row in directory.rows("A04-fig-2-roots.csv") {
        let (v, a) = (0.6 * row.number("v_out_m/s"), row.number("a"));
        assert_near(v.exp() / (1.0 + v), a, 1e-12, "both sides of (10)");
    }
}

pub fn contact_time_and_centroid_vary_as_stated(directory: &Directory) {
    for (name, slope) in [("stiffness_N/m^α", -1.0 / 3.5), ("mass_kg", 1.0 / 3.5)] {
        let file = if slope < 0.0 { "A04-fig-3-stiffness.csv" } else { "A04-fig-3-mass.csv" };
        let rows = directory.rows(file);
        let (varied, wall) = (column(&rows, name), column(&rows, "wall_contact_time_s"));
        for n in 1..varied.len() {
            let measured = (wall[n] / wall[n - 1]).ln() / (varied[n] / varied[n - 1]).ln();
            assert_near(measured, slope, 1e-8, "τ ~ (m/K)^(1/(α+1))");
        }
    }
    for name in ["mass", "stiffness", "dissipation", "exponent"] {
        for row in directory.rows(&format!("A04-fig-3-{name}.csv")) {
            if row.number("contacts") == 1.0 {
                let exact = row.number("contact_time_s");
                assert_near(row.number("am1_contact_time_s"), exact, 0.02, name);
                assert_near(row.number("engine_contact_time_s"), exact, 0.02, name);
                assert!(exact > row.number("wall_contact_time_s"), "longer than on the wall: {name}");
            }
        }
    }
    let rows = directory.rows("A04-fig-3-dissipation.csv");
    let (times, centroids) = (column(&rows, "contact_time_s"), column(&rows, "centroid_Hz"));
    let last = rows.len() - 1;
    assert_near(times[last], times[0], 0.1, "τ hardly depends on μ");
    assert!(centroids[0] > 1.1 * centroids[last], "the centroid rises as μ is lowered");
    // The same strike by an adaptive integrator of order eight in the library's tests: 265.95 and 14.6425 N.
    let forces = directory.rows("A04-fig-4-peak-force.csv");
    let finest = forces.last().expect("there are rows");
    for way in ["integrated", "engine"] {
        assert_near(finest.number(&format!("α_1.5_{way}_N")), 265.95, 2e-3, way);
        assert_near(finest.number(&format!("α_2.5_{way}_N")), 14.6425, 2e-3, way);
    }
    assert!(forces[0].number("α_1.5_engine_N") < 200.0, "at 44.1 kHz the peak is missed");
    let rows = directory.rows("A04-fig-3-exponent.csv");
    assert!(rows[0].number("contacts") > 1.0, "several bounces at low α");
    assert!(rows[0].number("centroid_Hz") > rows[rows.len() - 1].number("centroid_Hz"));
}

pub fn the_map_is_fitted_and_inverted(directory: &Directory) {
    let fit = &directory.rows("A04-fig-5-coefficients.csv")[0];
    assert!(fit.number("a1") < 0.0 && fit.number("b1") > 0.0 && fit.number("b2") < 0.0);
    let found = directory.rows("A04-inverse-map.csv");
    assert_eq!(found.len(), 9);
    for row in found {
        assert_near(row.number("found_stiffness_N/m^α"), row.number("stiffness_N/m^α"), 1e-6, "K");
        assert_near(row.number("found_dissipation_s/m"), row.number("dissipation_s/m"), 1e-6, "μ");
    }
    for row in directory.rows("A04-compliance.csv") {
        let (wall, first) = (row.number("wall_contact_time_s"), row.number("first_contact_s"));
        if wall > 5e-4 && row.number("modal_mass_kg") < 0.5 {
            assert!(first > wall, "a contact not short beside the period lasts longer: {wall} {first}");
        }
    }
}
