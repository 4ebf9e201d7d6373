//! Reachable region, as lines of constant dissipation along which the contact hardens; and the designed strike.

use ictus_analysis::design::{Features, Map};
use ictus_lab::design::{Answer, Struck};

use crate::figures::{Axis, Curve, Dash, Figure, Panel, Stroke, colour};
use crate::quantity::{show, significant};

/// Reads a feature.
type Feature = fn(&Features) -> f64;

/// Two neighbouring contacts further apart than this factor of contact time are on either side of a jump.
const JUMP: f64 = 1.35;

/// How far around the wanted value the region is shown, as a factor.
const AROUND: f64 = 5.0;

/// Restitution, or highest over lowest centroid, beyond which an even axis would show nothing else.
const FLAT: f64 = 5.0;

/// The reachable region with what was wanted in it; beside it, the designed strike if there is one.
pub fn figure(wanted: &Struck, map: &Map, answer: Option<&Answer>) -> Figure {
    let setting = map.setting();
    let mut panels = vec![region(wanted, map, answer)];
    panels.extend(answer.map(strike));
    let title = format!(
        "hammer of {} at {} m/s, α = {}, on modes from {} Hz",
        show(setting.mass * 1e3, "g"),
        significant(setting.velocity, 4),
        significant(setting.exponent, 4),
        significant(wanted.resonator[0], 4),
    );
    let mut figure = Figure::new(title, panels.len(), panels);
    for (index, line) in map.lines().iter().enumerate() {
        figure = figure.key(format!("μ = {} s/m", significant(line.dissipation, 3)), Stroke::solid(colour(index)));
    }
    figure = figure.key("wanted", dot(WANTED));
    if answer.is_some() {
        figure = figure.key("integrated", Stroke::solid(PALE).wide(5.0)).key("engine", Stroke::solid("#222222"));
    }
    figure
}

const WANTED: &str = "#000000";
const PALE: &str = "#c4c4c4";

fn dot(colour: &str) -> Stroke {
    Stroke::solid(colour).wide(0.0)
}

fn region(wanted: &Struck, map: &Map, answer: Option<&Answer>) -> Panel {
    let targets = wanted.targets;
    let time: (Feature, _, _) = (|f| f.contact_time, "contact time", "s");
    let centroid: (Feature, _, _) = (|f| f.centroid, "average centroid", "Hz");
    let restitution: (Feature, _, _) = (|f| f.restitution, "restitution", "");
    let ((x, x_name, x_unit), (y, y_name, y_unit), goal) =
        match (targets.contact_time, targets.centroid, targets.restitution) {
            (Some(t), Some(c), _) => (time, centroid, (t, c)),
            (Some(t), None, e) => (time, restitution, (t, e.unwrap_or(0.0))),
            (None, c, e) => (centroid, restitution, (c.unwrap_or(0.0), e.unwrap_or(0.0))),
        };
    // What was found is shown from near; what cannot be had, with all that can.
    let shown = |point: &(f64, f64)| answer.is_none() || (goal.0 / AROUND..goal.0 * AROUND).contains(&point.0);
    let mut curves = Vec::new();
    for (index, line) in map.lines().iter().enumerate() {
        let same = |pair: &[ictus_analysis::design::Design]| {
            let ratio = pair[1].features.contact_time / pair[0].features.contact_time;
            (1.0 / JUMP..JUMP).contains(&ratio)
        };
        for piece in line.points.chunk_by(|a, b| same(&[*a, *b])) {
            let points = piece.iter().map(|point| (x(&point.features), y(&point.features)));
            let points: Vec<_> = points.filter(shown).collect();
            curves.push(Curve { points, stroke: Stroke::solid(colour(index)).wide(1.2), dots: Some(1.4) });
        }
    }
    let found = answer.map(|answer| (x(&answer.design.features), y(&answer.design.features)));
    curves.push(Curve { points: vec![goal], stroke: dot(WANTED), dots: Some(6.0) });
    curves.extend(found.map(|point| Curve { points: vec![point], stroke: dot("#ffffff"), dots: Some(2.5) }));
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let across = match answer {
        Some(_) => (goal.0 / AROUND, goal.0 * AROUND),
        None => spread(points().map(|point| point.0)),
    };
    let up = spread(points().map(|point| point.1));
    // What lies far out would press all others flat.
    let flat = if y_unit == "Hz" { up.1 > FLAT * up.0 } else { up.1 > FLAT };
    let y = match (flat, y_unit) {
        (true, _) => Axis::logarithmic(y_name, y_unit, up),
        (false, "Hz") => Axis::linear(y_name, y_unit, up),
        (false, _) => Axis::linear(y_name, y_unit, (0.0, up.1)),
    };
    Panel::new("Reachable region", Axis::logarithmic(x_name, x_unit, across), y, curves)
}

/// All values, and a little more.
fn spread(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let positive = values.filter(|value| *value > 0.0 && value.is_finite());
    let (low, high) =
        positive.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
    (low / 1.2, high * 1.2)
}

/// The force of the designed strike, integrated and by the engine.
fn strike(answer: &Answer) -> Panel {
    let Answer { setting, design, .. } = answer;
    let strike = setting.strike(design.stiffness, design.dissipation);
    let samples = ((1.4 * design.features.contact_time * setting.rate).ceil() as usize + 4).min(setting.samples());
    let force = |struck: ictus::impact::strike::Struck| -> Vec<(f64, f64)> {
        struck.force.iter().enumerate().map(|(n, force)| (n as f64 / setting.rate, *force)).collect()
    };
    let mut curves = Vec::new();
    curves.extend(strike.integrated(samples).ok().map(|s| Curve::line(force(s), Stroke::solid(PALE).wide(5.0))));
    curves.extend(
        strike.by_engine(samples).ok().map(|s| Curve::line(force(s), Stroke::solid("#222222").dashed(Dash::Solid))),
    );
    Panel::around("The designed contact", ("time", "s"), ("force", "N"), curves)
}
