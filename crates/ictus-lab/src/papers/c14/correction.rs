//! Beyond C14: the stiffness that makes a contact of any exponent last as long as it should.
//!
//! The source closes with the question how parameters could be set for α > 1. By scale invariance the answer is a factor on K
//! that depends on α and on the contact's length in samples alone, once the phase at which the mass meets the grid is
//! averaged out. It is found here by bisection (`found`), and compared with the closed one of [`super::local_frequency`].

use rayon::prelude::*;

use super::collision::{Collision, Failed, SCHEMES};
use super::local_frequency::{angle, factor};
use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Stroke, colour};
use crate::papers::{self, Check, Computed, DataTable, Item, Outcome};

/// The correction and how well it does.
pub const ITEM: Item = Item::new(
    "C14-correction",
    "Beyond the source: exact contact durations for α > 1",
    "An interesting future research direction would be to investigate whether and how model parameters could be set to better \
     approximate contact durations for cases when α > 1.",
    "α = 1, 1.25, 1.5, 2, 2.5, 3; contacts of 1 to 20 samples; 37 phases each; K' = K (θ'/θ)^(α+1) with the root mean square of the \
     local frequency, and K' found by bisection over 16 other phases",
    compute,
);

const EXPONENTS: [f64; 6] = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0];
const LENGTHS: [f64; 14] = [1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0];
/// Phases over which K' is bisected.
const PHASES: u32 = 16;
/// Phases at which a duration is measured: others, so that a bisected K' has to be right where it was not sought.
const MEASURED_PHASES: u32 = 37;

/// Contact length in samples over phases: mean, least, most.
#[derive(Clone, Copy)]
struct Spread {
    mean: f64,
    least: f64,
    most: f64,
}

/// One scheme, exponent and length.
struct Measured {
    scheme: &'static str,
    exponent: f64,
    length: f64,
    plain: Spread,
    closed: Option<(f64, Spread)>,
    found: Option<(f64, Spread)>,
}

fn spread(scheme: &str, exponent: f64, length: f64, factor: f64, phases: u32) -> Result<Spread, Failed> {
    let mut spread = Spread { mean: 0.0, least: f64::INFINITY, most: 0.0 };
    for n in 0..phases {
        let collision = Collision::of_length(exponent, length, (f64::from(n) + 0.5) / f64::from(phases));
        let lasts = Collision { stiffness: collision.stiffness * factor, ..collision }.simulated(scheme)?;
        spread.mean += lasts / f64::from(phases);
        spread.least = spread.least.min(lasts);
        spread.most = spread.most.max(lasts);
    }
    Ok(spread)
}

/// The factor with which the mean over phases is right; `None` where no stiffness makes the contact that short.
fn found(scheme: &str, exponent: f64, length: f64) -> Result<Option<(f64, Spread)>, Failed> {
    let (mut low, mut high) = (0.0, 14.0);
    if spread(scheme, exponent, length, f64::exp(high), PHASES)?.mean > length {
        return Ok(None);
    }
    for _ in 0..52 {
        let middle = 0.5 * (low + high);
        if spread(scheme, exponent, length, f64::exp(middle), PHASES)?.mean > length {
            low = middle
        } else {
            high = middle
        }
    }
    let factor = f64::exp(0.5 * (low + high));
    Ok(Some((factor, spread(scheme, exponent, length, factor, MEASURED_PHASES)?)))
}

impl Measured {
    fn of(scheme: &'static str, exponent: f64, length: f64) -> Result<Self, Failed> {
        let closed = match factor(scheme, exponent, length) {
            Some(factor) => Some((factor, spread(scheme, exponent, length, factor, MEASURED_PHASES)?)),
            None => None,
        };
        let plain = spread(scheme, exponent, length, 1.0, MEASURED_PHASES)?;
        Ok(Self { scheme, exponent, length, plain, closed, found: found(scheme, exponent, length)? })
    }

    /// Error of the mean in per cent.
    fn error(&self, spread: &Spread) -> f64 {
        100.0 * (spread.mean / self.length - 1.0)
    }

    /// Largest error of any phase in per cent.
    fn worst(&self, spread: &Spread) -> f64 {
        100.0 * (spread.most / self.length - 1.0).abs().max((spread.least / self.length - 1.0).abs())
    }
}

fn compute() -> Computed {
    let grid: Vec<(&'static str, f64, f64)> = SCHEMES
        .into_iter()
        .flat_map(|scheme| EXPONENTS.into_iter().map(move |exponent| (scheme, exponent)))
        .flat_map(|(scheme, exponent)| LENGTHS.into_iter().map(move |length| (scheme, exponent, length)))
        .collect();
    let measured = grid.par_iter().map(|(scheme, exponent, length)| Measured::of(scheme, *exponent, *length));
    let measured = measured.collect::<Result<Vec<Measured>, Failed>>()?;
    let spread = |scheme: &str, lengths: std::ops::Range<f64>| {
        let chosen = measured.iter().filter(|m| m.scheme == scheme && lengths.contains(&m.length));
        chosen.filter_map(|m| Some(m.worst(&m.found?.1))).fold(0.0, f64::max)
    };
    let phases = format!(
        "What no stiffness can mend is the phase at which the mass meets the grid. With the bisected K' it moves a contact of less than three \
         samples by up to {:.0} % (two-point) and {:.0} % (three-point), one of three to five samples by up to {:.1} % and {:.1} %, and a longer one by \
         less than {:.2} %.",
        spread("two-point", 0.0..3.0),
        spread("three-point", 0.0..3.0),
        spread("two-point", 3.0..5.0),
        spread("three-point", 3.0..5.0),
        spread("two-point", 5.0..100.0).max(spread("three-point", 5.0..100.0)),
    );
    let remark = format!(
        "To leading order both schemes run through the right orbit too slowly, in proportion to the local stiffness, so only the mean \
         of the squared local frequency over the contact counts: ω² = mean of φ''/m. Putting that ω into the source's substitutions \
         gives K' = K (θ'/θ)^(α+1), θ = ωk, θ' = 2 tan(θ/2) for the two-point and √(2(1 - cos θ)/cos θ) for the three-point scheme. ωτ depends \
         on α alone: {} for α = 1, 1.5, 2, 3. τ is the closed contact time, so K' is for one impact velocity and is set when the mass \
         arrives, like P09's corrections. Below the bound θ < π (π/2) no such K' exists; a bisected K' reaches further down.",
        [1.0, 1.5, 2.0, 3.0].map(|exponent| format!("{:.4}", angle(exponent))).join(", "),
    );
    Ok(Outcome::default()
        .picture("", figure(&measured))
        .table(table(&measured))
        .checks(checks(&measured))
        .remark(remark)
        .remark(phases))
}

fn table(measured: &[Measured]) -> DataTable {
    let mut table = DataTable::new(
        "",
        &[
            "scheme",
            "alpha",
            "length_samples",
            "plain_error_%",
            "plain_worst_phase_%",
            "closed_factor",
            "closed_error_%",
            "closed_worst_phase_%",
            "found_factor",
            "found_error_%",
            "found_worst_phase_%",
        ],
    )
    .shown();
    for m in measured {
        let of = |corrected: &Option<(f64, Spread)>| match corrected {
            Some((factor, spread)) => [*factor, m.error(spread), m.worst(spread)],
            None => [f64::NAN; 3],
        };
        let numbers = [m.exponent, m.length, m.error(&m.plain), m.worst(&m.plain)];
        table.labelled([m.scheme], numbers.into_iter().chain(of(&m.closed)).chain(of(&m.found)));
    }
    table
}

fn checks(measured: &[Measured]) -> Vec<Check> {
    let largest = |scheme: &str, least: f64, error: &dyn Fn(&Measured) -> f64| {
        let chosen = measured.iter().filter(|m| m.scheme == scheme && m.length >= least);
        papers::largest(chosen.map(error))
    };
    let closed = |m: &Measured| m.closed.map_or(f64::INFINITY, |(_, spread)| m.error(&spread).abs());
    let found = |m: &Measured| m.found.map_or(f64::INFINITY, |(_, spread)| m.error(&spread).abs());
    let found_worst = |m: &Measured| m.found.map_or(f64::INFINITY, |(_, spread)| m.worst(&spread));
    let plain = |m: &Measured| m.error(&m.plain).abs();
    let mut checks = Vec::new();
    for (scheme, closed_bound, least_found) in [("two-point", 2.5, 1.25), ("three-point", 6.0, 2.0)] {
        let from = if scheme == "two-point" { 3.0 } else { 4.0 };
        let about = |what: &str| format!("{scheme}: {what}");
        let uncorrected = largest(scheme, from, &plain);
        checks.push(Check::at_most(
            about(&format!(
                "largest error of the mean duration with the closed K', α = 1 … 3, {from} samples and more \
                     (uncorrected {uncorrected:.1} %)"
            )),
            closed_bound,
            largest(scheme, from, &closed),
            "%",
        ));
        let uncorrected = largest(scheme, 10.0, &plain);
        checks.push(Check::at_most(
            about(&format!("the same from 10 samples on (uncorrected {uncorrected:.1} %)")),
            if scheme == "two-point" { 0.05 } else { 0.2 },
            largest(scheme, 10.0, &closed),
            "%",
        ));
        checks.push(Check::at_most(
            about(&format!("error of the mean duration with the bisected K', {least_found} samples and more, at phases other than the bisection's")),
            0.02,
            largest(scheme, least_found, &found),
            "%",
        ));
        checks.push(Check::at_most(
            about("the same, worst phase, 3 samples and more"),
            1.0,
            largest(scheme, 3.0, &found_worst),
            "%",
        ));
    }
    checks.into_iter().map(Check::own).collect()
}

fn figure(measured: &[Measured]) -> Figure {
    let shown = [1.0, 1.5, 2.0, 3.0];
    let panel = |scheme: &'static str, title: &'static str, bound: f64, label: &'static str| {
        let mut curves = Vec::new();
        for (index, exponent) in shown.into_iter().enumerate() {
            let rows = || measured.iter().filter(move |m| m.scheme == scheme && m.exponent == exponent);
            let line = |dash| Stroke::solid(colour(index)).dashed(dash);
            let points = |value: &dyn Fn(&Measured) -> Option<f64>| -> Vec<(f64, f64)> {
                rows().filter_map(|m| Some((m.length, value(m)?.max(1e-4)))).collect()
            };
            curves.push(Curve::line(points(&|m| Some(m.error(&m.plain).abs())), line(Dash::Dotted)));
            curves.push(Curve::line(points(&|m| Some(m.error(&m.closed?.1).abs())), line(Dash::Solid)).dotted());
            curves.push(Curve::line(points(&|m| Some(m.worst(&m.found?.1))), line(Dash::Dashed).wide(1.0)));
        }
        Panel::new(
            title,
            Axis::logarithmic("exact contact in samples", "", (0.9, 20.0)),
            Axis::logarithmic("error of the contact duration", "%", (1e-4, 100.0)),
            curves,
        )
        .mark(Mark::Vertical(bound, label))
    };
    let panels = vec![panel("two-point", "two-point", 1.0, "k"), panel("three-point", "three-point", 2.0, "2k")];
    let mut figure = Figure::new("Beyond C14: contact durations with a corrected stiffness", 2, panels);
    for (index, exponent) in shown.into_iter().enumerate() {
        figure = figure.key(format!("α = {exponent}"), Stroke::solid(colour(index)));
    }
    let grey = |dash| Stroke::solid("#444444").dashed(dash);
    figure
        .key("uncorrected, mean", grey(Dash::Dotted))
        .key("closed K', mean", grey(Dash::Solid))
        .key("bisected K', worst phase", grey(Dash::Dashed))
}
