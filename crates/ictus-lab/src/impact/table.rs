//! The impact in words: exact values, and the errors of each scheme as the cells of a table.

use ictus::impact::Run;

use super::{Outcome, Setup};
use crate::quantity::{show, significant};

/// What stands where nothing was measured.
const NOTHING: &str = "-";

/// Columns of the table of errors. A heading may have two lines.
pub const COLUMNS: [&str; 11] = [
    "scheme",
    "x_max\n%",
    "v_out\n%",
    "τ\n%",
    "P09: x_max\nover %",
    "v_out\n%",
    "energy\n%",
    "pull\nN",
    "trapped\nJ",
    "energy\nresidual",
    "itera-\ntions",
];

/// The exact results: what each is, and its value.
pub fn exact(setup: &Setup) -> Vec<(&'static str, String)> {
    let exact = &setup.exact;
    let approx = exact.output_velocity_approx();
    let contact = exact.contact_time();
    let limit = match exact.limit_velocity() {
        Some(velocity) => speed(velocity),
        None => "none (lossless)".to_owned(),
    };
    let mut lines = vec![
        ("maximum compression", show(exact.max_compression(), "m")),
        ("output velocity", format!("{}   (P09's approximation {})", speed(exact.output_velocity()), speed(approx))),
        (
            "contact time",
            format!("{}   ({} samples)", show(contact, "s"), significant(contact * setup.problem.rate, 4)),
        ),
        ("limit velocity", limit),
        (
            "energy",
            format!(
                "{} in, {} out   (P09's approximation {})",
                show(exact.initial_energy(), "J"),
                show(exact.final_energy(), "J"),
                show(exact.kinetic_energy(approx), "J"),
            ),
        ),
    ];
    if setup.problem.acceleration != 0.0 {
        lines.insert(0, ("velocity at the wall", speed(exact.velocity)));
    }
    lines
}

/// The cells of a scheme that ran.
pub fn cells(setup: &Setup, name: &str, run: &Run) -> [String; COLUMNS.len()] {
    let exact = &setup.exact;
    let approx = exact.output_velocity_approx();
    let velocity_error = |reference: f64| Some(percent(run.output_velocity?.abs(), reference.abs()));
    let compression = percent(run.max_compression, exact.max_compression());
    // At the wall, as P09's, whatever gravity did since.
    let energy = run.output_velocity.map(|velocity| exact.kinetic_energy(velocity) + run.trapped_energy);
    [
        name.to_owned(),
        signed(Some(compression)),
        signed(velocity_error(exact.output_velocity())),
        signed(run.contact_time.map(|time| percent(time, exact.contact_time()))),
        // Rounding does not count as exceeding.
        if compression > 1e-9 { signed(Some(compression)) } else { "n.e.".to_owned() },
        signed(velocity_error(approx)),
        signed(energy.map(|energy| percent(energy, exact.kinetic_energy(approx)))),
        amount(Some(run.pull)),
        amount(Some(run.trapped_energy)),
        amount(run.energy_residual),
        if run.iterations_max == 0 { NOTHING.to_owned() } else { run.iterations_max.to_string() },
    ]
}

/// Velocities are compared: all in the same unit.
pub fn speed(velocity: f64) -> String {
    format!("{} m/s", significant(velocity, 6))
}

/// How far a value is off, in % of the reference.
fn percent(value: f64, reference: f64) -> f64 {
    100.0 * (value - reference) / reference
}

/// A signed percentage with three decimals; with an exponent if it is absurd.
fn signed(percent: Option<f64>) -> String {
    match percent {
        None => NOTHING.to_owned(),
        Some(percent) if !percent.is_finite() => "not finite".to_owned(),
        Some(percent) if percent.abs() < 5e-4 => "0.000".to_owned(),
        Some(percent) if percent.abs() < 1e5 => format!("{percent:+.3}"),
        Some(percent) => format!("{percent:+.1e}"),
    }
}

fn amount(value: Option<f64>) -> String {
    match value {
        None => NOTHING.to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(value) if !value.is_finite() => "not finite".to_owned(),
        Some(value) => format!("{value:.1e}"),
    }
}

/// What the columns mean, and what else is to be known of these runs.
pub fn legend(setup: &Setup, outcomes: &[Outcome]) -> String {
    let mut lines = vec![
        "x_max, v_out, τ: error of maximum compression, output speed and contact time, in % of the exact value.",
        "P09: as in its Table 1: x_max exceeded (n.e. = not exceeded), output speed and energy after release in % of",
        "P09's approximation. pull: largest inward force. trapped: energy left in the contact after release.",
        "energy residual: largest drift of the energy balance, relative. iterations: most of one sample.",
    ];
    if setup.problem.acceleration != 0.0 {
        lines.push("The exact values neglect gravity during the contact; it counts on the way to the wall.");
    }
    if outcomes.iter().any(|outcome| outcome.run.output_velocity.is_none() && outcome.run.failure.is_none()) {
        lines.push("-: not measured; a run that ends in contact has no output velocity.");
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_have_a_sign_and_three_decimals() {
        assert_eq!(signed(Some(percent(1.0166, 1.0))), "+1.660");
        assert_eq!(signed(Some(-0.0001)), "0.000");
        assert_eq!(signed(Some(-9.1637)), "-9.164");
        assert_eq!(signed(Some(1.5e9)), "+1.5e9");
        assert_eq!(signed(Some(f64::NAN)), "not finite");
        assert_eq!(signed(None), "-");
    }
}
