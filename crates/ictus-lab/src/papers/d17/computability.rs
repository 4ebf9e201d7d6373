//! D17 figure 2: for which s, exponent, time step and velocity the roots stay real.

use ictus::impact::Problem;
use ictus::laws::OddPower;

use super::oscillator::{discriminant, displacements_to_the_end, quadratic};
use super::{FREE, Failed};
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Deviation, Item, Outcome};

/// D17 figure 2.
pub const FIGURE_2: Item = Item::new(
    "D17-fig-2",
    "Computability map",
    "Smallest discriminant of a run; missing points are complex roots. s = 1/2: always real for α = 1, poor for higher α. s = 1: \
     always real at 1 m/s, and at 20 m/s for α = 1, 3 with k1, k2, k3. s = 3: always real.",
    "potential (3a), M = 1 kg, K = 1e3, α = 1, 3, … 13, k_i = 2^(i-2)/√K, i = 1 … 4, u0 = -1 mm, v0 = 1 and 20 m/s, s = 1/2, 1, 3; 2000 \
     samples",
    figure_2,
);

const ALPHAS: [f64; 7] = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0];
const VELOCITIES: [f64; 2] = [1.0, 20.0];
const STEPS: [i32; 4] = [1, 2, 3, 4];
const STIFFNESS: f64 = 1e3;
const SAMPLES: usize = 2000;

/// One run: whether its roots stayed real, and its smallest discriminant.
struct Run {
    s: f64,
    velocity: f64,
    step: i32,
    alpha: f64,
    /// The sample at which a root turned complex.
    complex_at: Option<usize>,
    smallest: f64,
}

impl Run {
    fn of(s: f64, velocity: f64, step: i32, alpha: f64) -> Result<Self, Failed> {
        let problem = Problem {
            mass: 1.0,
            law: OddPower::new(STIFFNESS, alpha)?.into(),
            acceleration: 0.0,
            displacement: -1e-3,
            velocity,
            rate: STIFFNESS.sqrt() / 2f64.powi(step - 2),
        };
        let run = quadratic(&problem, s, SAMPLES)?;
        let places = displacements_to_the_end(&run, problem.rate);
        let discriminants = places.windows(2).map(|pair| discriminant(&problem, s, pair[0], pair[1]));
        Ok(Self {
            s,
            velocity,
            step,
            alpha,
            complex_at: run.failure.map(|failure| failure.sample),
            smallest: discriminants.fold(f64::INFINITY, f64::min),
        })
    }

    fn is_real(&self) -> bool {
        self.complex_at.is_none()
    }

    fn name(&self) -> String {
        format!("s = {}, v0 = {} m/s, k{}, α = {}", self.s, self.velocity, self.step, self.alpha)
    }
}

fn figure_2() -> Computed {
    let mut runs = Vec::new();
    for velocity in VELOCITIES {
        for s in FREE {
            for step in STEPS {
                for alpha in ALPHAS {
                    runs.push(Run::of(s, velocity, step, alpha)?);
                }
            }
        }
    }
    let mut table =
        DataTable::new("", &["s", "v0_m/s", "k_index", "alpha", "real", "complex_at_sample", "smallest_discriminant"]);
    for run in &runs {
        let real = f64::from(u8::from(run.is_real()));
        let at = run.complex_at.map_or(f64::NAN, |sample| sample as f64);
        table.row([run.s, run.velocity, f64::from(run.step), run.alpha, real, at, run.smallest]);
    }
    Ok(Outcome::default().picture("", figure(&runs)).checks(checks(&runs)).table(map(&runs)).table(table).remark(
        "The sign of the discriminant is what counts; its size is in kg²/s⁴ m² and grows with the energy. The missing runs are listed with \
         the sample at which they end.",
    ))
}

fn figure(runs: &[Run]) -> Figure {
    let titles = [
        ["s = 1/2, v0 = 1 m/s", "s = 1, v0 = 1 m/s", "s = 3, v0 = 1 m/s"],
        ["s = 1/2, v0 = 20 m/s", "s = 1, v0 = 20 m/s", "s = 3, v0 = 20 m/s"],
    ];
    let mut panels = Vec::new();
    for (row, velocity) in VELOCITIES.into_iter().enumerate() {
        for (column, s) in FREE.into_iter().enumerate() {
            let curves = STEPS.iter().map(|step| {
                let chosen = runs.iter().filter(|run| run.s == s && run.velocity == velocity && run.step == *step);
                let points = chosen.filter(|run| run.is_real()).map(|run| (run.alpha, run.smallest)).collect();
                Curve { dots: Some(4.0), ..Curve::line(points, stroke(*step)) }
            });
            let curves: Vec<Curve> = curves.collect();
            let values = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
            let (low, high) =
                values.fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
            let y = Axis::logarithmic("smallest discriminant", "", (0.2 * low.max(1e-8), 5.0 * high));
            panels.push(Panel::new(titles[row][column], Axis::linear("α", "", (0.0, 14.0)), y, curves));
        }
    }
    let mut figure = Figure::new("D17 figure 2: computability; missing points are complex roots", 3, panels);
    for step in STEPS {
        figure = figure.key(format!("k{step} = {} √(M/K)", 2f64.powi(step - 2)), stroke(step));
    }
    figure
}

/// Dark blue, green, red, light blue, as in the source; dots without lines, since missing points would be bridged.
fn stroke(step: i32) -> Stroke {
    let place = match step {
        1 => 0,
        2 => 2,
        3 => 1,
        _ => 5,
    };
    Stroke::solid(colour(place)).wide(0.0)
}

/// The map in words: for each s and velocity, which exponents are real at which step.
fn map(runs: &[Run]) -> DataTable {
    let mut table = DataTable::new("map", &["s", "v0_m/s", "k_index", "real_for_alpha", "complex_for_alpha"]).shown();
    for group in runs.chunks(ALPHAS.len()) {
        let Some(first) = group.first() else { continue };
        let list = |real: bool| {
            let chosen = group.iter().filter(|run| run.is_real() == real).map(|run| run.alpha.to_string());
            chosen.collect::<Vec<_>>().join(" ")
        };
        let words =
            [first.s.to_string(), first.velocity.to_string(), format!("k{}", first.step), list(true), list(false)];
        table.labelled(words, []);
    }
    table
}

fn checks(runs: &[Run]) -> Vec<Check> {
    let stated = |statement: &str, chosen: &dyn Fn(&Run) -> bool| {
        let complex: Vec<String> = runs
            .iter()
            .filter(|run| chosen(run) && !run.is_real())
            .map(|run| format!("{} at sample {}", run.name(), run.complex_at.unwrap_or(0)))
            .collect();
        let count = runs.iter().filter(|run| chosen(run)).count();
        let seen =
            if complex.is_empty() { format!("{count} of {count}") } else { format!("complex: {}", complex.join("; ")) };
        Check::holds(statement, seen, complex.is_empty())
    };
    let mut checks = vec![
        stated("s = 1/2: always real for α = 1", &|run| run.s == 0.5 && run.alpha == 1.0),
        stated("s = 1: always real at 1 m/s", &|run| run.s == 1.0 && run.velocity == 1.0),
        stated("s = 1: real at 20 m/s for α = 1 with k1, k2, k3", &|run| is_named(run, 1.0)),
        stated("s = 1: real at 20 m/s for α = 3 with k1, k2, k3", &|run| is_named(run, 3.0)).noted(
            Deviation::that(
                "complex with k3 alone",
                runs.iter().filter(|run| is_named(run, 3.0)).all(|run| run.is_real() == (run.step < 3)),
            ),
            "with the largest step the harmonic scheme allows, k3, this run turns complex here; with k1 and k2 it is real. How many samples \
             the source ran, and how it started, is not told",
        ),
        stated("s = 3: always real", &|run| run.s == 3.0),
    ];
    let poor = |s: f64| runs.iter().filter(|run| run.s == s && run.alpha > 1.0 && !run.is_real()).count();
    checks.push(Check::holds(
        "computability is increased as s is increased",
        format!("complex runs with α > 1: {}, {}, {} of 48 for s = 1/2, 1, 3", poor(0.5), poor(1.0), poor(3.0)),
        poor(0.5) > poor(1.0) && poor(1.0) > poor(3.0),
    ));
    let disagree = runs.iter().filter(|run| run.is_real() != (run.smallest >= 0.0)).count();
    let complex = runs.iter().filter(|run| !run.is_real()).count();
    checks.push(
        Check::holds(
            "a run is real exactly where its smallest discriminant, computed apart from the scheme, is not negative",
            format!("{disagree} of {} runs disagree; {complex} are complex", runs.len()),
            disagree == 0 && complex > 0,
        )
        .own(),
    );
    checks
}

fn is_named(run: &Run, alpha: f64) -> bool {
    run.s == 1.0 && run.velocity == 20.0 && run.alpha == alpha && run.step <= 3
}
