//! A04 figures 1 and 2: the exact collision of a hammer with a massive surface, and the graphic study of its output velocity.

use ictus::impact::exact::WallImpact;

use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Item, Outcome, largest};

/// A04 figure 1.
pub const FIGURE_1: Item = Item::new(
    "A04-fig-1",
    "Collision with a massive surface: phase portrait and force over compression",
    "|v_out| is always smaller than v_in and converges to v_lim = -1/μ, which is never exceeded; the dissipative term introduces hysteresis.",
    "m = 10 g, K = 1.5e11 N/m^2.8, μ = 0.6 s/m, α = 2.8, v_in = 1 … 4 m/s",
    figure_1,
);

/// A04 figure 2.
pub const FIGURE_2: Item = Item::new(
    "A04-fig-2",
    "Graphic study of the output velocity",
    "v_out is the second root of e^(μv)/(1 + μv) = a, and the intersection of e^(μv) with the line a (1 + μv); it tends to v_lim.",
    "as figure 1",
    figure_2,
);

const VELOCITIES: [f64; 4] = [1.0, 2.0, 3.0, 4.0];

fn impact(velocity: f64) -> WallImpact {
    WallImpact { mass: 1e-2, stiffness: 1.5e11, exponent: 2.8, dissipation: 0.6, velocity }
}

/// Points (x, v, f) of the exact orbit, closer together at its ends.
fn orbit(impact: &WallImpact) -> Vec<[f64; 3]> {
    let (first, last) = (impact.velocity, impact.output_velocity());
    let point = |n: i32| {
        let turn = std::f64::consts::PI * f64::from(n) / 400.0;
        let v = 0.5 * (first + last) + 0.5 * (first - last) * turn.cos();
        let x = impact.displacement_at(v);
        [x, v, impact.stiffness * x.powf(impact.exponent) * (1.0 + impact.dissipation * v)]
    };
    (0..=400).map(point).collect()
}

fn figure_1() -> Computed {
    let mut table = DataTable::new("", &["v_in_m/s", "x_m", "v_m/s", "force_N"]);
    let mut results = DataTable::new("results", &["v_in_m/s", "v_out_m/s", "x_max_m", "contact_time_s"]).shown();
    let (mut portrait, mut force) = (Vec::new(), Vec::new());
    for (index, velocity) in VELOCITIES.into_iter().enumerate() {
        let impact = impact(velocity);
        let orbit = orbit(&impact);
        orbit.iter().for_each(|[x, v, f]| table.row([velocity, *x, *v, *f]));
        results.row([velocity, impact.output_velocity(), impact.max_compression(), impact.contact_time()]);
        let stroke = Stroke::solid(colour(index));
        portrait.push(Curve::line(orbit.iter().map(|[x, v, _]| (*x, *v)).collect(), stroke.clone()));
        force.push(Curve::line(orbit.iter().map(|[x, _, f]| (*x, *f)).collect(), stroke));
    }
    let limit = -1.0 / impact(1.0).dissipation;
    let portrait = Panel::around("(a) phase portrait", ("compression", "m"), ("velocity", "m/s"), portrait);
    let portrait =
        Panel { y: Axis::linear("velocity", "m/s", (-2.2, 4.4)), ..portrait }.mark(Mark::Horizontal(limit, "v_lim"));
    let force = Panel::around("(b) force over compression", ("compression", "m"), ("force", "N"), force);
    let mut figure = Figure::new("A04 figure 1: collision with a massive surface", 2, vec![portrait, force]);
    for (index, velocity) in VELOCITIES.into_iter().enumerate() {
        figure = figure.key(format!("v_in = {velocity} m/s"), Stroke::solid(colour(index)));
    }
    let outputs = VELOCITIES.map(|velocity| impact(velocity).output_velocity());
    let listed = format!("v_out = {} m/s", outputs.map(|v| format!("{v:.3}")).join(", "));
    let slower = VELOCITIES.iter().zip(outputs).all(|(v_in, v_out)| -v_out < *v_in);
    let within = outputs.windows(2).all(|pair| pair[1] < pair[0]) && outputs.iter().all(|v_out| *v_out > limit);
    let lost = VELOCITIES.map(|velocity| 1.0 - impact(velocity).final_energy() / impact(velocity).initial_energy());
    Ok(Outcome::default().picture("", figure).table(results).table(table).checks([
        Check::holds("|v_out| < v_in", listed.clone(), slower),
        Check::holds("v_out falls towards v_lim = -1.667 m/s and never exceeds it", listed, within),
        Check::near("v_out → v_lim: at v_in = 100 m/s", limit, impact(100.0).output_velocity(), 1e-3, "m/s"),
        Check::holds(
            "hysteresis: energy is lost, more of it in faster collisions",
            format!("{} %", lost.map(|part| format!("{:.1}", 100.0 * part)).join(", ")),
            lost[0] > 0.0 && lost.windows(2).all(|pair| pair[1] > pair[0]),
        ),
    ]))
}

fn figure_2() -> Computed {
    let mu = impact(1.0).dissipation;
    let ratio = |v: f64| (mu * v).exp() / (1.0 + mu * v);
    let mut table = DataTable::new("", &["v_m/s", "exp_mu_v_over_1_plus_mu_v", "exp_mu_v"]);
    let mut roots =
        DataTable::new("roots", &["v_in_m/s", "a", "v_out_m/s", "relative_difference_of_both_sides"]).shown();
    let velocities = || (0..=560).map(|n| -1.6 + 0.01 * f64::from(n)).filter(|v| *v <= 4.0);
    velocities().for_each(|v| table.row([v, ratio(v), (mu * v).exp()]));
    let grey = Stroke::solid("#444444");
    let mut left = vec![Curve::line(velocities().map(|v| (v, ratio(v))).collect(), grey.clone())];
    let mut right = vec![Curve::line(velocities().map(|v| (v, (mu * v).exp())).collect(), grey.clone())];
    let mut differences = Vec::new();
    for (index, v_in) in VELOCITIES.into_iter().enumerate() {
        let (a, v_out) = (ratio(v_in), impact(v_in).output_velocity());
        let line = |v: f64| a * (1.0 + mu * v);
        let difference = (line(v_out) / (mu * v_out).exp() - 1.0).abs();
        differences.push(difference);
        roots.row([v_in, a, v_out, difference]);
        let stroke = Stroke::solid(colour(index));
        let thin = stroke.clone().wide(1.0).dashed(Dash::Dashed);
        left.push(Curve::line(vec![(v_out, a), (v_in, a)], thin.clone()));
        left.push(Curve::line(vec![(v_out, a), (v_in, a)], stroke.clone().wide(0.0)).dotted());
        right.push(Curve::line(vec![(-1.0 / mu, 0.0), (v_in, line(v_in))], thin));
        let ends = vec![(v_out, (mu * v_out).exp()), (v_in, (mu * v_in).exp())];
        right.push(Curve::line(ends, stroke.wide(0.0)).dotted());
    }
    let across = || Axis::linear("velocity", "m/s", (-1.8, 4.2));
    let left =
        Panel::new("(a) e^(μv)/(1 + μv), and its value at v_in", across(), Axis::linear("ratio", "", (0.8, 4.0)), left);
    let right = Panel::new("(b) e^(μv), and a (1 + μv)", across(), Axis::linear("both sides", "", (0.0, 12.0)), right);
    let limit = Mark::Vertical(-1.0 / mu, "v_lim");
    let mut figure =
        Figure::new("A04 figure 2: v_out as the second root", 2, vec![left.mark(limit.clone()), right.mark(limit)]);
    for (index, velocity) in VELOCITIES.into_iter().enumerate() {
        figure = figure.key(format!("v_in = {velocity} m/s"), Stroke::solid(colour(index)));
    }
    Ok(Outcome::default()
        .picture("", figure)
        .table(roots)
        .table(table)
        .checks([Check::at_most(
            "both sides of (10) agree at the closed v_out, relative",
            1e-12,
            largest(differences),
            "",
        )
        .own()])
        .remark("The source finds v_out numerically; here it is the closed form with Lambert's W."))
}
