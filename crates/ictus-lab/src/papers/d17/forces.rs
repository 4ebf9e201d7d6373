//! D17 figure 1: the forces of the three potentials (3a) to (3c).

use ictus::laws::{CentreLimited, ContactLaw, Law, OddPower, OneSidedPower};

use super::Failed;
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};
use crate::papers::{Check, Computed, DataTable, Item, Outcome};

/// D17 figure 1.
pub const FIGURE_1: Item = Item::new(
    "D17-fig-1",
    "The nonlinear forces",
    "(a) nonlinear power law (3a); (b) one-sided power law (3b): no force before h; (c) centre-limited power law (3c): no force \
     within h of the centre.",
    "K = 1; (a) α = 1, 3, 5; (b) α = 1, 1.7, 2.8, h = 0.2 m; (c) α = 1, 1.7, 2.8, h = 0.3 m",
    figure_1,
);

const ODD: [f64; 3] = [1.0, 3.0, 5.0];
const REAL: [f64; 3] = [1.0, 1.7, 2.8];

/// A potential: its letter, the panel's title, its laws by exponent.
type Potential = (&'static str, &'static str, Vec<(f64, Law)>);

fn figure_1() -> Computed {
    let groups: [Potential; 3] = [
        ("a", "(a) power law", laws(ODD, |alpha| Ok(OddPower::new(1.0, alpha)?.into()))?),
        ("b", "(b) one-sided, h = 0.2 m", laws(REAL, |alpha| Ok(OneSidedPower::new(1.0, alpha, 0.2)?.into()))?),
        ("c", "(c) centre-limited, h = 0.3 m", laws(REAL, |alpha| Ok(CentreLimited::new(1.0, alpha, 0.3)?.into()))?),
    ];
    let places: Vec<f64> = (-150..=150).map(|n| f64::from(n) / 100.0).collect();
    let mut table = DataTable::new("", &["potential", "alpha", "u_m", "force_N"]);
    let mut panels = Vec::new();
    for (name, title, laws) in &groups {
        let mut curves = Vec::new();
        for (index, (alpha, law)) in laws.iter().enumerate() {
            let points: Vec<(f64, f64)> = places.iter().map(|u| (*u, law.force(*u))).collect();
            for (u, force) in &points {
                table.labelled([*name], [*alpha, *u, *force]);
            }
            curves.push(Curve::line(points, Stroke::solid(colour(index))));
        }
        let low = if *name == "b" { -0.2 } else { -1.5 };
        panels.push(Panel::new(
            title,
            Axis::linear("u", "m", (-1.5, 1.5)),
            Axis::linear("force", "N", (low, 1.5)),
            curves,
        ));
    }
    let check = |statement: &str, chosen: std::ops::Range<usize>, holds: &dyn Fn(f64, &Law) -> bool| {
        let laws: Vec<&Law> = groups[chosen].iter().flat_map(|group| &group.2).map(|(_, law)| law).collect();
        let kept: usize = laws.iter().map(|law| places.iter().filter(|u| holds(**u, law)).count()).sum();
        let all = laws.len() * places.len();
        Check::holds(statement, format!("at {kept} of {all} places"), kept == all)
    };
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12 * (1.0 + a.abs());
    let slope = |law: &Law, u: f64| (law.potential(u + 1e-5) - law.potential(u - 1e-5)) / 2e-5;
    let smooth = |u: f64, law: &Law| (slope(law, u) - law.force(u)).abs() < 1e-4 * (1.0 + law.force(u).abs());
    let checks = [
        check("(a) odd, and K at u = 1", 0..1, &|u, law| {
            near(law.force(-u), -law.force(u)) && near(law.force(1.0), 1.0)
        })
        .own(),
        check("(b) zero up to h, positive beyond", 1..2, &|u, law| (law.force(u) > 0.0) == (u > 0.2)).own(),
        check("(c) odd, zero within h, not beyond", 2..3, &|u, law| {
            near(law.force(-u), -law.force(u)) && (law.force(u) != 0.0) == (u.abs() > 0.3)
        })
        .own(),
        check("the forces are the slopes of the potentials", 0..3, &smooth),
    ];
    let mut figure = Figure::new("D17 figure 1: nonlinear forces", 3, panels);
    for (index, (odd, real)) in ODD.into_iter().zip(REAL).enumerate() {
        figure = figure.key(format!("α = {odd} (a), {real} (b, c)"), Stroke::solid(colour(index)));
    }
    Ok(Outcome::default().picture("", figure).table(table).checks(checks))
}

fn laws(alphas: [f64; 3], law: fn(f64) -> Result<Law, Failed>) -> Result<Vec<(f64, Law)>, Failed> {
    alphas.into_iter().map(|alpha| Ok((alpha, law(alpha)?))).collect()
}
