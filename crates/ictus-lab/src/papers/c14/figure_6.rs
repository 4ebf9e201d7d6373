//! C14 figure 6: the shortest contact each scheme can hold, over the sample rate, and the error below it; both simulated.
//!
//! The corrected schemes take a contact while (15) and (16) exist. Below that the source substitutes "to the limit": here the
//! stiffest wall the scheme takes stands in. Every duration is measured by the flights before and after the contact, at 32 phases of
//! the mass on the grid of samples.

use super::collision::{Collision, Failed, SCHEMES};
use super::figures_3_to_5::stroke;
use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Stroke};
use crate::papers::{Check, Computed, DataTable, Deviation, Item, Outcome, largest};

/// C14 figure 6.
pub const FIGURE_6: Item = Item::new(
    "C14-fig-6",
    "Shortest contacts over the sample rate",
    "The two-point scheme can exactly simulate contacts twice as short as the three-point scheme (τ > Δt against τ > 2 Δt), \
     and where even shorter ones are needed the error of the three-point scheme is significantly larger.",
    "the hard collision of figure 3: m = 1 kg, α = 1, K = 1e10 N/m, so τ = 31.4 µs (dashed); 10 to 100 kHz; β2* and β3*, below their bounds the \
     stiffest wall they allow; durations simulated at 32 phases",
    figure_6,
);

/// The rate whose errors are told: 20 kHz.
const EXAMPLE: usize = 20;
/// Shortest contact of each scheme by the source, in samples.
const BOUNDS: [f64; 2] = [1.0, 2.0];
const PHASES: u32 = 32;

/// Durations of one contact over the phases, in s.
struct Durations {
    mean: f64,
    least: f64,
    most: f64,
}

impl Durations {
    fn simulated(collision: &Collision, name: &str) -> Result<Self, Failed> {
        let mut all = Vec::new();
        for n in 0..PHASES {
            let phase = (f64::from(n) + 0.5) / f64::from(PHASES);
            let distance = phase * collision.velocity / collision.rate;
            all.push(Collision { distance, ..*collision }.simulated(name)?);
        }
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        Ok(Self { mean, least: -largest(all.iter().map(|duration| -duration)), most: largest(all) })
    }

    /// Largest error of any phase in s.
    fn worst(&self, target: f64) -> f64 {
        largest([(self.least - target).abs(), (self.most - target).abs()])
    }
}

/// One scheme at one rate.
struct Point {
    rate: f64,
    /// Whether the scheme takes the collision as it is.
    taken: bool,
    /// The stiffest wall it takes.
    shortest: Durations,
    /// The collision, or that wall where it does not take it.
    simulated: Durations,
}

/// One scheme over the rates.
struct Line {
    scheme: &'static str,
    /// The shortest contact the corrected scheme takes, in samples.
    bound: f64,
    points: Vec<Point>,
}

impl Line {
    fn of(scheme: &'static str, collision: &Collision) -> Result<Self, Failed> {
        let name = format!("{scheme}-exact");
        let bound = shortest_taken(&name);
        let mut points = Vec::new();
        for n in 0..=180 {
            let rate = 10e3 + 500.0 * f64::from(n);
            let here = Collision { rate, ..*collision };
            let omega = std::f64::consts::PI * rate / bound;
            let stiffest = Collision { stiffness: here.mass * omega * omega, ..here };
            let taken = is_taken(&here, &name);
            let simulated = Durations::simulated(if taken { &here } else { &stiffest }, &name)?;
            points.push(Point { rate, taken, shortest: Durations::simulated(&stiffest, &name)?, simulated });
        }
        Ok(Self { scheme, bound, points })
    }

    fn curve(&self, of: impl Fn(&Point) -> f64) -> Curve {
        Curve::line(self.points.iter().map(|point| (point.rate, of(point))).collect(), stroke(self.scheme)).simplified()
    }
}

fn is_taken(collision: &Collision, name: &str) -> bool {
    collision.run(name, 1).is_ok()
}

/// The shortest contact a corrected scheme takes, in samples, by bisection to a part in 10⁷.
fn shortest_taken(name: &str) -> f64 {
    let (mut refused, mut taken) = (0.5, 4.0);
    while taken - refused > 1e-7 {
        let middle = 0.5 * (refused + taken);
        if is_taken(&Collision::of_length(1.0, middle, 0.5), name) { taken = middle } else { refused = middle }
    }
    taken
}

fn figure_6() -> Computed {
    let collision = Collision::of_source(1e10);
    let target = collision.duration();
    let lines = [Line::of(SCHEMES[0], &collision)?, Line::of(SCHEMES[1], &collision)?];
    let mut table = DataTable::new(
        "",
        &[
            "scheme",
            "rate_Hz",
            "taken",
            "shortest_s",
            "simulated_s",
            "simulated_least_s",
            "simulated_most_s",
            "error_s",
        ],
    );
    for line in &lines {
        for point in &line.points {
            let Durations { mean, least, most } = point.simulated;
            let numbers = [point.rate, f64::from(u8::from(point.taken)), point.shortest.mean, mean, least, most];
            table.labelled([line.scheme], numbers.into_iter().chain([mean - target]));
        }
    }
    let bound_stroke = || Stroke::solid("#444444").wide(1.0).dashed(Dash::Dotted);
    let bounds = BOUNDS.map(|bound| {
        Curve::line(lines[0].points.iter().map(|point| (point.rate, bound / point.rate)).collect(), bound_stroke())
            .simplified()
    });
    let time = |title, range| Axis::linear(title, "s", range);
    let rate = || Axis::linear("sample rate", "Hz", (10e3, 100e3));
    let shortest = bounds.into_iter().chain(lines.iter().map(|line| line.curve(|point| point.shortest.mean)));
    let errors = lines.iter().map(|line| line.curve(|point| point.simulated.mean - target));
    let panels = vec![
        Panel::new("Shortest contact, simulated", rate(), time("duration", (0.0, 2e-4)), shortest.collect())
            .mark(Mark::Horizontal(target, "τ of the hard collision")),
        Panel::new("Error of the simulated contact", rate(), time("error", (-2e-5, 1.8e-4)), errors.collect())
            .mark(Mark::Horizontal(0.0, "")),
    ];
    let mut figure = Figure::new("C14 figure 6", 2, panels);
    for name in SCHEMES {
        figure = figure.key(name, stroke(name));
    }
    let figure = figure.key("bounds of the source: Δt, 2 Δt", bound_stroke());
    Ok(Outcome::default().picture("", figure).table(table).checks(checks(&lines, target)).remark(
        "The durations are means over the phases. The source's bounds come from the frequency of the scheme and from the samples inside the wall. \
         Measured by the flights before and after, the stiffest wall holds the mass for one sample with the two-point scheme, whatever the phase, \
         and for 1.6 to 2 samples with the three-point scheme.",
    ))
}

fn checks(lines: &[Line; 2], target: f64) -> Vec<Check> {
    let mut checks = Vec::new();
    for (line, bound) in lines.iter().zip(BOUNDS) {
        let statement = format!("{}: the correction exists for contacts longer than, in samples", line.scheme);
        checks.push(Check::near(statement, bound, line.bound, 1e-5, ""));
    }
    for line in lines {
        let taken = || line.points.iter().filter(|point| point.taken);
        let error = |point: &Point| 100.0 * (point.simulated.mean / target - 1.0).abs();
        let worst = largest(taken().map(error));
        let check = Check::at_most(
            format!("{}: simulated duration at the rates where the correction exists; largest error", line.scheme),
            2.0,
            worst,
            "%",
        )
        .printed("exact");
        checks.push(if line.scheme == "two-point" {
            check
        } else {
            let later = largest(taken().filter(|point| point.rate * target >= 2.5).map(error));
            check.noted(
                Deviation::that("8 … 15 %, below 1 % from 2.5 samples on", (8.0..15.0).contains(&worst) && later < 1.0),
                "the correction sets the frequency of a mass that stays in the wall; near 2 samples the steps in and out of the wall are most of the \
                 contact, and the mass leaves early",
            )
        });
    }
    // Both below their bounds: the same rates.
    let pairs = || lines[0].points.iter().zip(&lines[1].points);
    let both = || pairs().filter(|(two, three)| !two.taken && !three.taken);
    let error = |point: &Point| point.simulated.mean - target;
    let ratios = || both().map(|(two, three)| error(three) / error(two));
    let at = |line: &Line| 1e6 * error(&line.points[EXAMPLE]);
    checks.push(
        Check::holds(
            "contacts that neither can hold: the three-point scheme's error is at least twice as large, at every rate",
            format!(
                "{:.2} times and more; at {} kHz two-point {:.1} µs, three-point {:.1} µs",
                -largest(ratios().map(|ratio| -ratio)),
                1e-3 * lines[0].points[EXAMPLE].rate,
                at(&lines[0]),
                at(&lines[1])
            ),
            both().count() > 40 && both().all(|(two, _)| error(two) > 0.0) && ratios().all(|ratio| ratio >= 2.0),
        )
        .printed("significantly larger"),
    );
    let between = || pairs().filter(|(two, three)| two.taken && !three.taken);
    let worst = |of: &dyn Fn((&Point, &Point)) -> f64| largest(between().map(of));
    checks.push(Check::holds(
        "contacts that only the two-point scheme can hold: the three-point scheme's error at the worst phase is larger, at every rate",
        format!(
            "up to {:.1} µs against {:.1} µs",
            1e6 * worst(&|(_, three)| three.simulated.worst(target)),
            1e6 * worst(&|(two, _)| two.simulated.worst(target))
        ),
        between().count() > 40
            && between().all(|(two, three)| three.simulated.worst(target) > two.simulated.worst(target)),
    ));
    checks
}
