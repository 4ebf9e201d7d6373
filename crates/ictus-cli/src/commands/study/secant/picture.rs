//! The study as a picture: errors over the length of the contact, over c² and over the stiffness.

use super::Study;
use crate::figures::{Axis, Curve, Dash, Figure, Mark, Panel, Spacing, Stroke, colour};
use crate::trials::{Case, Errors, Summary};

/// Rules drawn over the length of the contact, back to front.
const RULES: [&str; 3] = ["psi-release", "secant-plain", "secant"];
/// Smallest error drawn; anything below lies on the edge.
const ROUNDING: f64 = 1e-16;

/// The whole picture.
pub fn figure(study: &Study) -> Figure {
    let panels = vec![
        over_length(study, "Rebound error, damped impacts", ROUNDING, Case::is_damped, |errors| errors.rebound),
        over_length(study, "Contact time error", 1e-6, |_| true, |errors| errors.contact_time),
        over_trust(study),
        over_stiffness(study),
    ];
    Figure {
        title: "Rules for g on 200 impacts at 44.1 kHz, worst of 8 phases".to_owned(),
        columns: 2,
        panel_size: Figure::PANEL,
        panels,
        legend: legend(),
    }
}

fn over_length(
    study: &Study,
    title: &'static str,
    least: f64,
    chosen: fn(&Case) -> bool,
    error: fn(&Errors) -> f64,
) -> Panel {
    let curves = RULES.iter().map(|name| {
        // One point per impact: the worst of its phases.
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut last = None;
        for (case, errors) in study.rule(name).filter(|(case, _)| chosen(case)) {
            match points.last_mut() {
                Some(point) if last == Some(case.impact) => point.1 = point.1.max(error(errors)),
                _ => points.push((case.length(), error(errors))),
            }
            last = Some(case.impact);
        }
        Curve { points, stroke: dots(name), dots: Some(2.6) }
    });
    Panel {
        title,
        x: axis("contact in samples", (2.0, 300.0)),
        y: axis("relative error", (least, 1.0)),
        curves: curves.collect(),
        marks: Vec::new(),
        labels: Vec::new(),
        heat: None,
    }
}

fn over_trust(study: &Study) -> Panel {
    let curve = |name: &str, dash, error: fn(&Summary) -> f64| {
        let points = study.over_trust(name).map(|(trust, summary)| (trust, error(summary))).collect();
        Curve { points, stroke: line(name, dash), dots: Some(2.6) }
    };
    Panel {
        title: "Over c²: rebound of secant-plain, contact time of secant",
        x: axis("c²", (0.01, 3.0)),
        y: axis("relative error", (3e-4, 0.2)),
        curves: vec![
            curve("secant-plain", Dash::Solid, |summary| summary.damped_rebound.p95),
            curve("secant-plain", Dash::Dashed, |summary| summary.damped_rebound.max),
            curve("secant", Dash::Solid, |summary| summary.contact_time.p95),
            curve("secant", Dash::Dashed, |summary| summary.contact_time.max),
        ],
        marks: vec![Mark::Vertical(ictus::contact::Aiming::default().trust, "default")],
        labels: Vec::new(),
        heat: None,
    }
}

fn over_stiffness(study: &Study) -> Panel {
    let curves = study.hard_names.iter().enumerate().map(|(index, name)| {
        let points = study.hard.iter().map(|row| (row.length, row.errors[index])).collect();
        Curve { points, stroke: line(name, Dash::Solid), dots: Some(2.6) }
    });
    Panel {
        title: "Rebound error of P09's case (b), K = 1e14 … 1e8",
        x: axis("contact in samples", (0.03, 30.0)),
        y: axis("relative error", (ROUNDING, 10.0)),
        curves: curves.collect(),
        marks: vec![Mark::Vertical(1.0, "one sample")],
        labels: Vec::new(),
        heat: None,
    }
}

fn axis(quantity: &'static str, range: (f64, f64)) -> Axis {
    Axis { quantity, unit: "", range, spacing: Spacing::Logarithmic }
}

/// The rules of 2021 and 2024 are never in the same panel: they share a colour.
fn rule_colour(name: &str) -> String {
    match name {
        "secant" => colour(2),
        "secant-plain" => colour(0),
        _ => colour(1),
    }
}

fn line(name: &str, dash: Dash) -> Stroke {
    Stroke { colour: rule_colour(name), width: 1.6, dash }
}

fn dots(name: &str) -> Stroke {
    Stroke { width: 0.0, ..line(name, Dash::Solid) }
}

fn legend() -> Vec<(String, Stroke)> {
    let grey = |dash| Stroke { colour: "#444444".to_owned(), width: 1.2, dash };
    vec![
        ("psi-release".to_owned(), dots("psi-release")),
        ("psi-nonadhesive".to_owned(), line("psi-nonadhesive", Dash::Solid)),
        ("secant-plain".to_owned(), line("secant-plain", Dash::Solid)),
        ("secant".to_owned(), line("secant", Dash::Solid)),
        ("95th percentile".to_owned(), grey(Dash::Solid)),
        ("maximum".to_owned(), grey(Dash::Dashed)),
    ]
}
