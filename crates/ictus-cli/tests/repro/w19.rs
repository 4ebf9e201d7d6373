//! W19: every system's account, read off the tables.

use super::data::{Directory, Row, assert_near};
use crate::common::json;

const SYSTEMS: [(&str, &[&str]); 9] = [
    ("mass-barrier", &["mass", "barrier", "contact"]),
    ("mass-spring-barrier", &["mass", "barrier", "contact"]),
    ("two-mass-springs", &["u", "w", "contact"]),
    ("string-string", &["below", "above", "contact"]),
    ("mass-string", &["string", "mass", "contact"]),
    ("tromba-connection", &["string", "bridge", "plate", "joint", "rattle"]),
    ("tromba-damped", &["string", "bridge", "plate", "joint", "rattle"]),
    ("tromba-collision", &["string", "bridge", "plate", "joint", "rattle"]),
    ("bridge-barrier", &["string", "bridge", "barrier", "joint", "rattle"]),
];

#[test]
fn every_tromba_shows_its_own_joint_and_losses() {
    let list = json(["repro", "W19", "--list", "--json"]);
    let parameters = |id: &str| {
        let item = list.as_array().expect("a list").iter().find(|item| item["item"] == id).expect("is there");
        item["parameters"].as_str().expect("parameters").to_owned()
    };
    let [connection, damped, collision] =
        ["connection", "damped", "collision"].map(|kind| parameters(&format!("W19-tromba-{kind}")));
    assert!(connection.contains("K1 = 1e5 N/m, K3 = 1e10 N/m³") && connection.contains("no losses"), "{connection}");
    assert!(damped.contains("K1 = 1e5 N/m, K3 = 1e10 N/m³") && damped.contains("σ0 = 1.343 1/s"), "{damped}");
    assert!(collision.contains("K = 5e6 N/m^1.5, α = 1.5") && collision.contains("σ0 = 1.343 1/s"), "{collision}");
}

pub fn every_system_keeps_its_account(directory: &Directory) {
    for (system, parts) in SYSTEMS {
        let rows = directory.rows(&format!("W19-{system}.csv"));
        assert!(rows.len() > 100, "{system}");
        let energies =
            |row: &Row| -> Vec<f64> { parts.iter().map(|part| row.number(&format!("energy_{part}_J"))).collect() };
        let total = |row: &Row| energies(row).iter().sum::<f64>() + row.number("dissipated_J");
        let initial = total(&rows[0]);
        let mut in_contact = 0;
        for row in &rows {
            assert!(energies(row).iter().all(|energy| *energy >= 0.0), "{system}");
            assert!(row.number("imbalance_J").abs() < 1e-12 * initial, "{system}");
            assert_near(total(row), initial, 1e-12, system);
            in_contact += usize::from(energies(row).last().is_some_and(|energy| *energy > 0.0));
        }
        assert!(in_contact > 3, "{system} touches");
    }
}
