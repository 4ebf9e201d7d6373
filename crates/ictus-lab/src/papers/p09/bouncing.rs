//! P09 figure 8: the mass of case 1 bounces under gravity; small errors of each impact add up.

use ictus::impact::{Problem, Run, Settings, run};

use super::cases::{CASE_A, RATE, listed};
use super::trajectories::{exact_stroke, stroke};
use crate::figures::{Axis, Curve, Figure, Mark, Panel, simplified};
use crate::papers::{Check, Computed, DataTable, Item, Outcome, largest};

/// P09 figure 8.
pub const FIGURE_8: Item = Item::new(
    "P09-fig-8",
    "Bouncing under gravity",
    "With even slightly wrong velocities the trajectories are inaccurate, rebounds happen at the wrong time, energy is wrongly \
     dissipated, and above all those errors accumulate; only the two best schemes of case 1 are shown.",
    "case 1 with gravity, 9.81 m/s²: m = 10 g, K = 1e7 N/m^1.1, μ = 0.1 s/m, α = 1.1, v_in = 0.3 m/s, 44.1 kHz; AM1, RK4, \
     both corrected; exact: RK4 with 64 times the rate",
    figure_8,
);

/// Acceleration of gravity in m/s².
const GRAVITY: f64 = 9.81;
/// Time shown in s.
const SHOWN: f64 = 0.55;
/// Samples of the reference per sample.
const FINE: f64 = 64.0;
/// Every so manieth sample is written.
const WRITTEN: usize = 10;
const NAMES: [&str; 5] = ["am1", "rk4", "am1+corrected", "rk4+corrected", "secant"];

fn figure_8() -> Computed {
    let bounce = |name: &str, rate: f64| -> Result<Run, Box<dyn std::error::Error + Send + Sync>> {
        let problem = Problem { acceleration: GRAVITY, rate, ..CASE_A.problem()? };
        Ok(run(listed(name)?, &problem, &Settings::default(), (SHOWN * rate) as usize))
    };
    let reference = bounce("rk4", FINE * RATE)?;
    let mut paths = vec![path(&reference, FINE * RATE, exact_stroke())];
    let mut table = DataTable::new("impacts", &["scheme", "impact", "time_s", "late_by_s"]).shown();
    let mut samples = DataTable::new("", &["scheme", "sample", "time_s", "x_m", "v_m/s"]);
    let mut delays = Vec::new();
    for name in NAMES {
        let run = bounce(name, RATE)?;
        paths.push(path(&run, RATE, stroke(name).wide(if name == "secant" { 1.0 } else { 1.6 })));
        let both = run.contacts.iter().zip(&reference.contacts).enumerate();
        let late: Vec<(f64, f64)> = both.map(|(n, (ours, exact))| (n as f64, ours.start - exact.start)).collect();
        for ((n, late), contact) in late.iter().zip(&run.contacts) {
            table.labelled([name], [*n, contact.start, *late]);
        }
        delays.push(late);
        for (n, sample) in run.samples.iter().enumerate().step_by(WRITTEN) {
            samples.labelled([name], [n as f64, n as f64 / RATE, sample.displacement, sample.velocity]);
        }
    }
    let curves =
        delays.iter().zip(NAMES).map(|(late, name)| Curve::line(late.clone(), stroke(name)).dotted()).collect();
    let height = 0.5 * CASE_A.velocity * CASE_A.velocity / GRAVITY;
    let panels = vec![
        Panel::new(
            "Height over the floor",
            Axis::linear("time", "s", (0.0, SHOWN)),
            Axis::linear("height", "m", (-0.05 * height, 1.1 * height)),
            paths,
        ),
        Panel::around("How late each impact is", ("impact", ""), ("late by", "s"), curves)
            .mark(Mark::Horizontal(0.0, "")),
    ];
    let mut figure = Figure::new("P09 figure 8: bouncing under gravity", 2, panels).key("exact", exact_stroke());
    for name in NAMES {
        figure = figure.key(name, stroke(name));
    }
    let milliseconds = |delays: &[(f64, f64)], n: usize| 1e3 * delays.get(n).map_or(f64::NAN, |delay| delay.1);
    let worst = |index: usize| largest(delays[index].iter().map(|delay| 1e3 * delay.1.abs()));
    let accumulates = |index: usize| {
        let first = milliseconds(&delays[index], 1);
        Check::holds(
            format!("{}: rebounds happen at the wrong time, and the errors add up", NAMES[index]),
            format!(
                "{first:+.3} ms late after one rebound, off by {:.1} ms at most in {}",
                worst(index),
                delays[index].len() - 1
            ),
            worst(index) > 1.2 * first.abs() && worst(index) > 0.5,
        )
    };
    let repaired = |index: usize, plain: usize| {
        Check::holds(
            format!("{}: restores the rebounds", NAMES[index]),
            format!("off by {:.3} ms at most in {}", worst(index), delays[index].len() - 1),
            worst(index) < 0.3 * worst(plain) && delays[index].len() == reference.contacts.len(),
        )
    };
    let checks = [accumulates(0), accumulates(1), repaired(2, 0), repaired(3, 1), repaired(4, 1).own()];
    Ok(Outcome::default().picture("", figure).checks(checks).table(table).table(samples).remark(
        "What is left after the corrections, the same 0.2 ms for all of them, is gravity pressing on the mass during the \
         contact, which the closed results leave out. Without them a rebound depends on where between two samples it begins, so much \
         that an error of the last bit grows to some 0.3 ms within nine.",
    ))
}

/// The path as height: the sign of the compression is inverted, as in the source.
fn path(run: &Run, rate: f64, stroke: crate::figures::Stroke) -> Curve {
    let points = run.samples.iter().enumerate().map(|(n, sample)| (n as f64 / rate, -sample.displacement));
    Curve::line(simplified(points, (SHOWN, 5e-3), 3e-4), stroke)
}
