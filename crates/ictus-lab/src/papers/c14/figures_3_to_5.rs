//! C14 figures 3 to 5: displacement of a mass that hits a linear wall, by both schemes and exactly.

use super::collision::{Collision, Failed, SCHEMES};
use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Item, Outcome, largest};

/// C14 figure 3.
pub const FIGURE_3: Item = Item::new(
    "C14-fig-3",
    "A soft and a hard collision by both schemes",
    "A difference in the contact duration is observed: a systematic phenomenon that is particularly significant for hard \
     impacts.",
    "m = 1 kg, α = 1, K = 1e9 (soft) and 1e10 N/m (hard), y(0) = -0.1 mm, v(0) = 1 m/s, 50 kHz",
    figure_3,
);

/// C14 figure 4.
pub const FIGURE_4: Item = Item::new(
    "C14-fig-4",
    "A contact shorter than a sample",
    "Only the two-point scheme simulates an impact force of a single time step: its contacts last at least Δt, those of the \
     three-point scheme at least 2 Δt, whatever the exponent.",
    "m = 1 kg, α = 1, K = 1e11 N/m, y(0) = -0.1 mm, v(0) = 1 m/s, 50 kHz",
    figure_4,
);

/// C14 figure 5.
pub const FIGURE_5: Item = Item::new(
    "C14-fig-5",
    "Exact contact durations",
    "With the corrected values β2* and β3*, (15) and (16), both schemes have the correct contact duration.",
    "m = 1 kg, α = 1, ω = 44700 rad/s, y(0) = -0.1 mm, v(0) = 1 m/s, 50 kHz",
    figure_5,
);

/// The look of a scheme's line: blue and red dashed, as in the source.
pub fn stroke(name: &str) -> Stroke {
    if name.starts_with("two") { Stroke::solid(colour(0)) } else { Stroke::solid(colour(1)).dashed(Dash::Dashed) }
}

fn exact_stroke() -> Stroke {
    Stroke::solid("#444444").wide(1.0)
}

/// Panels, samples and durations of some collisions, each by some schemes.
struct Shown {
    panels: Vec<Panel>,
    samples: DataTable,
    durations: DataTable,
}

impl Shown {
    fn new() -> Self {
        let samples = DataTable::new("", &["K_N/m", "scheme", "sample", "time_s", "y_m"]);
        let durations = DataTable::new(
            "durations",
            &["K_N/m", "scheme", "duration_s", "duration_samples", "exact_samples", "error_%", "samples_inside"],
        );
        Self { panels: Vec::new(), samples, durations: durations.shown() }
    }

    fn add(
        &mut self,
        title: &'static str,
        collision: &Collision,
        names: &[&str],
        x: Axis,
        y: Axis,
    ) -> Result<(), Failed> {
        let end = x.range.1;
        let mut curves = vec![Curve::line(collision.exact_path(end), exact_stroke())];
        let stiffness = format!("{:e}", collision.stiffness);
        for name in names {
            let run = collision.run(name, (end * collision.rate).ceil() as usize)?;
            let points =
                run.samples.iter().enumerate().map(|(n, sample)| (n as f64 / collision.rate, sample.displacement));
            let points: Vec<(f64, f64)> = points.collect();
            for (n, (time, y)) in points.iter().enumerate() {
                self.samples.labelled([stiffness.as_str(), *name], [n as f64, *time, *y]);
            }
            curves.push(Curve::line(points, stroke(name)).dotted());
            let duration = collision.simulated(name)?;
            let error = 100.0 * (duration / collision.duration() - 1.0);
            let inside = collision.samples_inside(name)? as f64;
            let numbers = [duration, duration * collision.rate, collision.length(), error, inside];
            self.durations.labelled([stiffness.as_str(), *name], numbers);
        }
        self.panels.push(Panel::new(title, x, y, curves).mark(Mark::Horizontal(0.0, "")));
        Ok(())
    }

    fn outcome(self, title: &str, names: &[&str]) -> Outcome {
        let columns = self.panels.len();
        let mut figure = Figure::new(title, columns, self.panels);
        for name in names {
            figure = figure.key(*name, stroke(name));
        }
        Outcome::default().picture("", figure.key("exact", exact_stroke())).table(self.durations).table(self.samples)
    }
}

fn time(from: f64, to: f64) -> Axis {
    Axis::linear("time", "s", (from, to))
}

fn displacement(low: f64, high: f64) -> Axis {
    Axis::linear("displacement", "m", (low, high))
}

fn figure_3() -> Computed {
    let (soft, hard) = (Collision::of_source(1e9), Collision::of_source(1e10));
    let mut shown = Shown::new();
    shown.add("soft, K = 1e9 N/m", &soft, &SCHEMES, time(0.0, 3e-4), displacement(-1e-4, 4e-5))?;
    shown.add("hard, K = 1e10 N/m", &hard, &SCHEMES, time(0.0, 2.5e-4), displacement(-1e-4, 4e-5))?;
    let mut checks = Vec::new();
    let mut differences = Vec::new();
    for (name, collision) in [("soft", &soft), ("hard", &hard)] {
        let (two, three) = (collision.simulated("two-point")?, collision.simulated("three-point")?);
        let exact = collision.duration();
        checks.push(Check::holds(
            format!("{name}: the three-point contact lasts longer than the two-point one, and both longer than the exact one"),
            format!("{:.1}, {:.1}, {:.1} µs", 1e6 * three, 1e6 * two, 1e6 * exact),
            three > two && two > exact,
        ));
        differences.push((three - two) / exact);
    }
    checks.push(Check::holds(
        "the difference is particularly significant for hard impacts",
        format!("{:.1} % soft, {:.1} % hard", 100.0 * differences[0], 100.0 * differences[1]),
        differences[1] > 2.0 * differences[0],
    ));
    for name in SCHEMES {
        let drift = hard.energy_drift(name)?;
        checks.push(Check::at_most(format!("{name}: energy is conserved; largest drift"), 1e-12, drift, ""));
    }
    Ok(shown.outcome("C14 figure 3", &SCHEMES).checks(checks))
}

fn figure_4() -> Computed {
    let collision = Collision::of_source(1e11);
    let mut shown = Shown::new();
    let title = "K = 1e11 N/m: a contact of half a sample";
    shown.add(title, &collision, &SCHEMES, time(0.6e-4, 1.8e-4), displacement(-6e-5, 2e-5))?;
    let mut checks = vec![
        inside("two-point", &collision, 1)?,
        Check::holds(
            "three-point: more than one sample inside the wall",
            format!("{} samples", collision.samples_inside("three-point")?),
            collision.samples_inside("three-point")? > 1,
        ),
    ];
    for (name, bound) in SCHEMES.into_iter().zip([1, 2]) {
        let fewest = fewest_inside(name)?;
        checks.push(Check::holds(
            format!("{name}: never fewer than {bound} samples inside, over α = 1 … 3, K over 14 decades, 16 phases"),
            format!("fewest: {fewest}"),
            fewest == bound,
        ));
    }
    Ok(shown.outcome("C14 figure 4", &SCHEMES).checks(checks))
}

fn inside(name: &str, collision: &Collision, expected: usize) -> Result<Check, Failed> {
    let inside = collision.samples_inside(name)?;
    Ok(Check::holds(format!("{name}: {expected} sample inside the wall"), format!("{inside}"), inside == expected))
}

/// The fewest samples inside the wall of any contact, over exponents, stiffnesses and phases.
fn fewest_inside(name: &str) -> Result<usize, Failed> {
    let mut fewest = usize::MAX;
    for exponent in [1.0, 1.5, 2.0, 3.0] {
        for decade in 0..15 {
            for phase in 0..16 {
                let start = (f64::from(phase) + 0.5) / 16.0;
                let unit = Collision::of_length(exponent, 20.0, start);
                let collision = Collision { stiffness: unit.stiffness * 10f64.powi(decade), ..unit };
                fewest = fewest.min(collision.samples_inside(name)?);
            }
        }
    }
    Ok(fewest)
}

fn figure_5() -> Computed {
    let collision = Collision::of_source(44_700.0 * 44_700.0);
    let names = ["two-point-exact", "three-point-exact"];
    let mut shown = Shown::new();
    shown.add("ω = 44700 rad/s", &collision, &names, time(0.8e-4, 2.0e-4), displacement(-3e-5, 3e-5))?;
    let mut checks = Vec::new();
    for (name, plain) in names.into_iter().zip(SCHEMES) {
        let spread =
            phases().map(|phase| Ok(error(&Collision { distance: phase / collision.rate, ..collision }, name)?.abs()));
        let worst = largest(spread.collect::<Result<Vec<f64>, Failed>>()?);
        checks.push(Check::at_most(
            format!(
                "{name}: contact duration is π/ω = {:.2} µs; largest error of 16 phases",
                1e6 * collision.duration()
            ),
            if name.starts_with("two") { 0.5 } else { 1.0 },
            worst,
            "%",
        ));
        let uncorrected = error(&collision, plain)?;
        checks.push(
            Check::holds(
                format!("{plain}: without the correction it is not"),
                format!("{uncorrected:+.2} %"),
                uncorrected > 5.0,
            )
            .own(),
        );
    }
    // At whole numbers of samples nothing is left to the phase.
    for (name, bound) in names.into_iter().zip([1e-9, 0.1]) {
        let whole = Collision::of_length(1.0, 4.0, 0.37);
        let statement = format!("{name}: error for a contact of 4 samples");
        checks.push(Check::at_most(statement, bound, error(&whole, name)?.abs(), "%").own());
    }
    Ok(shown.outcome("C14 figure 5", &names).checks(checks))
}

fn phases() -> impl Iterator<Item = f64> {
    (0..16).map(|n| (f64::from(n) + 0.5) / 16.0)
}

/// Error of the contact duration in per cent.
fn error(collision: &Collision, name: &str) -> Result<f64, Failed> {
    Ok(100.0 * (collision.simulated(name)? / collision.duration() - 1.0))
}
