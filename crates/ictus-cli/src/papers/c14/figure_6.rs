//! C14 figure 6: the shortest contact each scheme can hold, over the sample rate, and the error below it.

use super::collision::{Collision, Failed, SCHEMES};
use super::figures_3_to_5::stroke;
use crate::figures::{Axis, Curve, Figure, Mark, Panel};
use crate::papers::{Check, Computed, DataTable, Item, Outcome};

/// C14 figure 6.
pub const FIGURE_6: Item = Item::new(
    "C14-fig-6",
    "Shortest contacts over the sample rate",
    "The two-point scheme can exactly simulate contacts twice as short as the three-point scheme (τ > Δt against τ > 2 Δt), \
     and where even shorter ones are needed the error of the three-point scheme is significantly larger.",
    "the hard collision of figure 3: m = 1 kg, α = 1, K = 1e10 N/m, so τ = 31.4 µs (dashed); 10 to 100 kHz",
    figure_6,
);

/// The rate whose errors are told: 20 kHz.
const EXAMPLE: usize = 20;
/// Shortest contact of each scheme, in samples.
const BOUNDS: [f64; 2] = [1.0, 2.0];

fn figure_6() -> Computed {
    let collision = Collision::of_source(1e10);
    let target = collision.duration();
    let rates: Vec<f64> = (0..=180).map(|n| 10e3 + 500.0 * f64::from(n)).collect();
    let mut table = DataTable::new("", &["scheme", "rate_Hz", "shortest_s", "error_s", "holds"]);
    let (mut shortest, mut errors, mut checks, mut thresholds) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (name, bound) in SCHEMES.into_iter().zip(BOUNDS) {
        let exact_name = format!("{name}-exact");
        let mut error_points = Vec::new();
        let mut first_held = f64::NAN;
        for rate in &rates {
            // Whether the corrected scheme exists at this rate: asked of the library, not of the formula.
            let held = Collision { rate: *rate, ..collision }.run(&exact_name, 1).is_ok();
            let error = if held { 0.0 } else { bound / rate - target };
            if held && first_held.is_nan() {
                first_held = *rate;
            }
            error_points.push((*rate, error));
            table.labelled([name], [*rate, bound / rate, error, f64::from(u8::from(held))]);
        }
        checks.push(
            Check::near(
                format!("{exact_name} exists from the rate where τ = {bound} Δt"),
                bound / target,
                first_held,
                0.02,
                "Hz",
            )
            .computed(),
        );
        thresholds.push(first_held);
        shortest.push(Curve::line(rates.iter().map(|rate| (*rate, bound / rate)).collect(), stroke(name)));
        errors.push(Curve::line(error_points, stroke(name)));
    }
    checks.push(Check::near(
        "the two-point scheme holds contacts twice as short: ratio of those rates",
        2.0,
        thresholds[1] / thresholds[0],
        0.02,
        "",
    ));
    checks.push(
        Check::holds(
            "below its bound the three-point scheme's error is larger, at every rate",
            {
                let at = |index: usize| 1e6 * errors[index].points[EXAMPLE].1;
                format!("at {} kHz: two-point {:.1} µs, three-point {:.1} µs", 1e-3 * rates[EXAMPLE], at(0), at(1))
            },
            rates.iter().enumerate().all(|(n, _)| errors[1].points[n].1 >= errors[0].points[n].1),
        )
        .printed("significantly larger"),
    );
    for (name, bound) in SCHEMES.into_iter().zip(BOUNDS) {
        let (mean, least, most) = of_a_rigid_wall(name)?;
        checks.push(
            Check::holds(
                format!(
                    "{name}: an almost rigid wall holds the mass for {bound} samples, to the grid's resolution (a fifth less in the mean \
                     over phases)"
                ),
                format!("{mean:.3} samples in the mean, {least:.3} … {most:.3} over phases"),
                mean > 0.8 * bound && most <= 1.05 * bound,
            )
            .own(),
        );
    }
    let time = |title, high| Axis::linear(title, "s", (0.0, high));
    let rate = || Axis::linear("sample rate", "Hz", (10e3, 100e3));
    let panels = vec![
        Panel::new("Shortest contact held exactly", rate(), time("duration", 2e-4), thinned(shortest))
            .mark(Mark::Horizontal(target, "τ of the hard collision")),
        Panel::new("Error of the contact duration", rate(), time("error", 1.8e-4), thinned(errors)),
    ];
    let mut figure = Figure::new("C14 figure 6", 2, panels);
    for name in SCHEMES {
        figure = figure.key(name, stroke(name));
    }
    Ok(Outcome::default().picture("", figure).table(table).checks(checks).remark(
        "The bounds count samples inside the wall. Measured by the flights before and after, a rigid wall holds the mass for one \
         sample with the two-point scheme and for 1.6 to 2 samples, depending on the phase, with the three-point scheme.",
    ))
}

/// Few enough points for the dashes to show.
fn thinned(curves: Vec<Curve>) -> Vec<Curve> {
    curves.into_iter().map(Curve::simplified).collect()
}

/// Mean, least and most over 32 phases of the contact with an almost rigid wall, in samples.
fn of_a_rigid_wall(name: &str) -> Result<(f64, f64, f64), Failed> {
    let mut lengths = Vec::new();
    for n in 0..32 {
        let phase = (f64::from(n) + 0.5) / 32.0;
        lengths.push(Collision { stiffness: 1e8, ..Collision::of_length(1.0, 5.0, phase) }.simulated(name)?);
    }
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let least = lengths.iter().copied().fold(f64::INFINITY, f64::min);
    Ok((mean, least, lengths.into_iter().fold(0.0, f64::max)))
}
