//! P09 figures 1 to 3: what is known exactly of the impact: orbits, force over compression, the approximation of v_out.

use ictus::impact::exact::WallImpact;

use super::cases::CASE_B;
use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Item, Outcome};

/// P09 figure 1.
pub const FIGURE_1: Item = Item::new(
    "P09-fig-1",
    "Phase portrait of the exact impact",
    "|v_out| is always smaller than v_in, and for increasing v_in it converges to v_lim = -1/μ, a line no trajectory crosses.",
    "m = 10 g, K = 1e9 N/m^1.5, μ = 0.5 s/m, α = 1.5, v_in = 1 … 4 m/s",
    figure_1,
);

/// P09 figure 2.
pub const FIGURE_2: Item = Item::new(
    "P09-fig-2",
    "Force over compression of the exact impact",
    "The dissipative term introduces hysteresis around K x^α; the area of the loop is the energy lost.",
    "as figure 1; dashed: μ = 0",
    figure_2,
);

/// P09 figure 3.
pub const FIGURE_3: Item = Item::new(
    "P09-fig-3",
    "Error of the approximation of the output velocity",
    "The error of (7)-(8) against the root of (6), over μ v_in from 0 to 10: at most about 2 %, and it vanishes at both ends.",
    "any m, K, α; the error depends on μ v_in alone",
    figure_3,
);

/// Approach velocities of figures 1 and 2 in m/s.
const VELOCITIES: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
/// Points of an orbit.
const POINTS: usize = 401;

fn impact(velocity: f64) -> WallImpact {
    WallImpact { velocity, ..CASE_B.exact() }
}

/// Velocities from v_in to v_out, closer together at the ends, where the compression changes fastest.
fn velocities(impact: &WallImpact) -> impl Iterator<Item = f64> {
    let (first, last) = (impact.velocity, impact.output_velocity());
    (0..POINTS).map(move |n| {
        let turn = std::f64::consts::PI * n as f64 / (POINTS - 1) as f64;
        0.5 * (first + last) + 0.5 * (first - last) * turn.cos()
    })
}

/// Points (v, x, f) of an exact orbit.
pub fn orbit(impact: WallImpact) -> Vec<(f64, f64, f64)> {
    let point = |v: f64| {
        let x = impact.displacement_at(v);
        (v, x, impact.stiffness * x.powf(impact.exponent) * (1.0 + impact.dissipation * v))
    };
    velocities(&impact).map(point).collect()
}

fn figure_1() -> Computed {
    let mut table = DataTable::new("", &["v_in_m/s", "v_m/s", "x_m"]);
    let mut curves = Vec::new();
    let mut summary = DataTable::new("results", &["v_in_m/s", "v_out_m/s", "x_max_m", "contact_time_s"]).shown();
    let largest = 1.15 * impact(4.0).max_compression();
    for (index, velocity) in VELOCITIES.into_iter().enumerate() {
        let impact = impact(velocity);
        let orbit = orbit(impact);
        for (v, x, _) in &orbit {
            table.row([velocity, *v, *x]);
        }
        summary.row([velocity, impact.output_velocity(), impact.max_compression(), impact.contact_time()]);
        let stroke = Stroke::solid(colour(index));
        let free = |v: f64| vec![(-0.3 * largest, v), (0.0, v)];
        let flight = stroke.clone().dashed(Dash::Dashed).wide(1.0);
        curves.push(Curve::line(free(velocity), flight.clone()));
        curves.push(Curve::line(free(impact.output_velocity()), flight));
        curves.push(Curve::line(orbit.iter().map(|(v, x, _)| (*x, *v)).collect(), stroke));
    }
    let limit = -1.0 / CASE_B.dissipation;
    let outputs = VELOCITIES.map(|velocity| impact(velocity).output_velocity());
    let slower = VELOCITIES.iter().zip(outputs).all(|(v_in, v_out)| v_out.abs() < *v_in);
    let towards = outputs.windows(2).all(|pair| pair[1] < pair[0]) && outputs.iter().all(|v_out| *v_out > limit);
    let listed = outputs.map(|v_out| format!("{v_out:.3}")).join(", ");
    let panel = Panel::new(
        "",
        Axis::linear("compression", "m", (-0.3 * largest, largest)),
        Axis::linear("velocity", "m/s", (-2.5, 4.5)),
        curves,
    );
    let panel = panel.mark(Mark::Horizontal(limit, "v_lim")).mark(Mark::Vertical(0.0, ""));
    let mut figure = Figure::new("P09 figure 1: phase portrait", 1, vec![panel]);
    for (index, velocity) in VELOCITIES.into_iter().enumerate() {
        figure = figure.key(format!("v_in = {velocity} m/s"), Stroke::solid(colour(index)));
    }
    figure = figure.key("free flight", Stroke::solid("#444444").dashed(Dash::Dashed).wide(1.0));
    let far = impact(100.0).output_velocity();
    Ok(Outcome::default().picture("", figure).table(summary).table(table).checks([
        Check::holds("|v_out| < v_in", format!("v_out = {listed} m/s"), slower),
        Check::holds("v_out falls towards v_lim = -2 m/s and never reaches it", format!("{listed} m/s"), towards),
        Check::near("v_out → v_lim: at v_in = 100 m/s", limit, far, 1e-3, "m/s"),
    ]))
}

fn figure_2() -> Computed {
    let mut table = DataTable::new("", &["v_in_m/s", "x_m", "force_N", "elastic_force_N"]);
    let mut curves = Vec::new();
    let mut checks = Vec::new();
    for (index, velocity) in VELOCITIES.into_iter().enumerate() {
        let impact = impact(velocity);
        let orbit = orbit(impact);
        for (_, x, force) in &orbit {
            table.row([velocity, *x, *force, impact.stiffness * x.powf(impact.exponent)]);
        }
        let area: f64 = orbit.windows(2).map(|pair| 0.5 * (pair[0].2 + pair[1].2) * (pair[1].1 - pair[0].1)).sum();
        let lost = impact.initial_energy() - impact.final_energy();
        let statement = format!("v_in = {velocity} m/s: area of the loop = energy lost");
        checks.push(Check::near(statement, lost, area, 1e-3, "J").computed());
        curves.push(Curve::line(orbit.iter().map(|(_, x, f)| (*x, *f)).collect(), Stroke::solid(colour(index))));
    }
    let fastest = impact(4.0);
    let elastic = (0..=200).map(|n| {
        let x = fastest.max_compression() * f64::from(n) / 200.0;
        (x, fastest.stiffness * x.powf(fastest.exponent))
    });
    let dashed = Stroke::solid("#444444").dashed(Dash::Dashed);
    curves.push(Curve::line(elastic.collect(), dashed.clone()).simplified());
    let panel = Panel::around("", ("compression", "m"), ("force", "N"), curves);
    let mut figure = Figure::new("P09 figure 2: force over compression", 1, vec![panel]);
    for (index, velocity) in VELOCITIES.into_iter().enumerate() {
        figure = figure.key(format!("v_in = {velocity} m/s"), Stroke::solid(colour(index)));
    }
    Ok(Outcome::default().picture("", figure.key("μ = 0", dashed)).table(table).checks(checks))
}

fn figure_3() -> Computed {
    let mut table = DataTable::new("", &["mu_v_in", "error_%"]);
    let error = |w: f64| {
        let impact = WallImpact { dissipation: 1.0, velocity: w, ..CASE_B.exact() };
        100.0 * (impact.output_velocity_approx() / impact.output_velocity() - 1.0).abs()
    };
    let points: Vec<(f64, f64)> = (1..=500).map(|n| 0.02 * f64::from(n)).map(|w| (w, error(w))).collect();
    for (w, error) in &points {
        table.row([*w, *error]);
    }
    let (place, largest) = points.iter().fold((0.0, 0.0), |most, point| if point.1 > most.1 { *point } else { most });
    let across = || Axis::linear("μ v_in", "", (0.0, 10.0));
    let line = Curve::line(points, Stroke::solid(colour(0)));
    let most = Curve::line(vec![(place, largest)], Stroke::solid(colour(1))).dotted();
    let linear =
        Panel::new("as in the source", across(), Axis::linear("error", "%", (0.0, 2.5)), vec![line.clone(), most]);
    let logarithmic =
        Panel::new("on a logarithmic scale", across(), Axis::logarithmic("error", "%", (1e-8, 10.0)), vec![line]);
    let figure = Figure::new("P09 figure 3: error of the approximation of v_out", 2, vec![linear, logarithmic]);
    Ok(Outcome::default().picture("", figure).table(table).checks([
        Check::at_most("largest error, within the figure's axis", 2.5, largest, "%").printed("axis to 2.5 %"),
        Check::holds("the error vanishes at both ends", format!("{:.1e} % at 0.02, {:.1e} % at 10", error(0.02), error(10.0)),
            error(0.02) < 1e-3 && error(10.0) < 0.05),
    ]).remark(format!("The largest error is {largest:.3} %, at μ v_in = {place:.2}. The root is the closed form with Lambert's W, \
        which the source lacks.")))
}
