//! The schemes against each other.

use super::data::Directory;

pub fn the_secant_rule_rebounds_exactly_without_pull(directory: &Directory) {
    let rows = directory.rows("shoot-out-accuracy.csv");
    // All of the registry, one of them with two parameters.
    assert_eq!(rows.len(), 18 + 1);
    let row = |name: &str| rows.iter().find(|row| row.word("scheme") == name).expect("the scheme is there");
    let secant = row("secant");
    assert!(secant.number("rebound_damped_max_%") < 1e-8 && secant.number("rebound_lossless_max_%") < 1e-8);
    assert!(secant.number("contact_time_p95_%") < 1.5);
    for heading in ["pull_%", "trapped_energy_%", "iterations_per_sample", "failed_runs"] {
        assert_eq!(secant.number(heading), 0.0, "{heading}");
    }
    assert!(secant.number("energy_residual") < 1e-12);
    // What the text on which to pick says.
    let worse = |name: &str, heading: &str| row(name).number(heading);
    assert!(worse("rk4", "contact_time_p95_%") < secant.number("contact_time_p95_%"));
    assert!(worse("rk4", "rebound_lossless_max_%") > 1.0);
    assert!(worse("two-point", "contact_time_p95_%") < worse("three-point", "contact_time_p95_%"));
    assert!(worse("three-point", "rebound_damped_p95_%") < worse("two-point", "rebound_damped_p95_%"));
    for name in ["psi", "psi-release", "psi-nonadhesive", "quadratic, s = 1"] {
        assert!(worse(name, "pull_%") > 1.0 && worse(name, "iterations_per_sample") == 0.0, "{name}");
        assert!(worse(name, "rebound_damped_p95_%") > 10.0 * worse("secant-plain", "rebound_damped_p95_%"), "{name}");
    }
    assert!(worse("psi", "trapped_energy_%") > 1.0);
    for name in ["am1", "two-point", "three-point"] {
        assert!(worse(name, "iterations_per_sample") > 1.0, "{name}");
    }
    for name in ["two-point-exact", "three-point-exact"] {
        assert_eq!(row(name).word("remark"), "needs exponent 1");
        assert_eq!(row(name).maybe("pull_%"), None);
    }
    let costs = directory.rows("shoot-out-cost.csv");
    assert_eq!(costs.len(), 17);
    for cost in &costs {
        assert!(cost.number("ns_per_step") > 0.0 && cost.number("ns_per_step") < 1e6);
        // On the front means: no other is cheaper and as good.
        let beaten = costs.iter().any(|other| {
            let error = |row: &super::data::Row| row.maybe("contact_time_p95_%").unwrap_or(f64::INFINITY).max(1e-9);
            other.number("ns_per_step") < cost.number("ns_per_step") && error(other) <= error(cost)
        });
        assert_eq!(cost.number("on_contact_time_front") == 1.0, !beaten, "{}", cost.word("scheme"));
    }
}
