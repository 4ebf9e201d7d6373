//! The design on a rigid wall: closed forms, tried with the secant rule, which the engine uses.

use ictus::impact::exact::WallImpact;
use ictus::impact::{Problem, Run, Settings, run, scheme};
use ictus::laws::{HuntCrossley, Law};
use ictus_analysis::design::wall::design;
use serde::Serialize;

use super::Args;
use super::setup::{Wall, refused};
use super::verdict::{self, percent};
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};
use crate::quantity::{show, significant};
use crate::table::{Align, HEADING, NOTE, Table, styled};

/// Most samples the trial takes; a longer contact is known well enough.
const MOST_SAMPLES: f64 = 1e6;

/// The impact and what the engine's rule makes of it.
pub struct Answer {
    impact: WallImpact,
    rate: f64,
    run: Option<Run>,
}

/// Finds the impact.
pub fn answer(wanted: &Wall, args: &Args) -> Result<Answer, Error> {
    let Wall { mass, exponent, velocity, contact_time, restitution, rate } = *wanted;
    let impact = design(mass, exponent, velocity, contact_time, restitution).map_err(|error| refused(&error, args))?;
    let samples = (1.25 * contact_time * rate).ceil() + 8.0;
    let law = HuntCrossley::new(impact.stiffness, exponent, impact.dissipation).map_err(|error| {
        Error::option("--contact-time", args.contact_time.as_deref().unwrap_or(""), error.to_string())
    })?;
    let problem =
        Problem { mass, law: Law::from(law), acceleration: 0.0, displacement: -2.5 * velocity / rate, velocity, rate };
    let secant = scheme("secant").filter(|_| samples <= MOST_SAMPLES);
    let run = secant.map(|secant| run(secant, &problem, &Settings::default(), samples as usize));
    Ok(Answer { impact, rate, run })
}

/// The whole report.
pub fn text(wanted: &Wall, answer: &Answer) -> String {
    let WallImpact { mass, stiffness, exponent, dissipation, velocity } = answer.impact;
    let exponent = significant(exponent, 6);
    let mut text = format!(
        "{}  {} at {} m/s on a rigid wall, α = {exponent}\n\n",
        styled(HEADING, "design"),
        show(mass * 1e3, "g"),
        significant(velocity, 6)
    );
    text.push_str(&format!("{}  {} N/m^{exponent}\n", styled(HEADING, "K     "), significant(stiffness, 7)));
    text.push_str(&format!("{}  {} s/m\n\n", styled(HEADING, "μ     "), significant(dissipation, 7)));
    let mut table = Table::new([("", Align::Left), ("contact time", Align::Right), ("restitution", Align::Right)]);
    let mut row = |name: &str, time: f64, restitution: f64| {
        table.row([name.to_owned(), show(time, "s"), significant(restitution, 6)]);
    };
    row("wanted", wanted.contact_time, wanted.restitution);
    row("designed", answer.impact.contact_time(), restitution(&answer.impact));
    if let Some((time, restitution)) = tried(answer) {
        let [off_time, _, off_restitution] = missed(wanted, answer);
        let told = |value: String, part: Option<f64>| format!("{value} ({})", percent(part.unwrap_or(0.0)));
        let cells = [told(show(time, "s"), off_time), told(significant(restitution, 6), off_restitution)];
        table.row(["engine".to_owned()].into_iter().chain(cells));
    }
    text.push_str(&table.render());
    let legend = format!(
        "designed: the closed forms. engine: the same contact at {} Hz; in brackets, how far from what was wanted.",
        significant(answer.rate, 9)
    );
    text.push('\n');
    text.push_str(&styled(NOTE, &legend));
    text.push('\n');
    text
}

fn restitution(impact: &WallImpact) -> f64 {
    -impact.output_velocity() / impact.velocity
}

/// Contact time and restitution of the trial, where it could be measured.
fn tried(answer: &Answer) -> Option<(f64, f64)> {
    let run = answer.run.as_ref()?;
    Some((run.contact_time?, -run.output_velocity? / answer.impact.velocity))
}

/// The engine's deviations from the targets, relative: contact time, none for the centroid, restitution.
fn missed(wanted: &Wall, answer: &Answer) -> [Option<f64>; 3] {
    tried(answer).map_or([None; 3], |(time, restitution)| {
        [Some(time / wanted.contact_time - 1.0), None, Some(restitution / wanted.restitution - 1.0)]
    })
}

/// The sentence to warn with if the engine misses a target by far.
pub fn warning(wanted: &Wall, answer: &Answer) -> Option<String> {
    verdict::missed(missed(wanted, answer), answer.rate)
}

/// The whole document, in SI units.
#[derive(Serialize)]
pub struct Document {
    stiffness: f64,
    dissipation: f64,
    mass: f64,
    exponent: f64,
    velocity: f64,
    rate: f64,
    contact_time: f64,
    restitution: f64,
    engine_contact_time: Option<f64>,
    engine_restitution: Option<f64>,
}

/// Collects the design and the trial.
pub fn document(answer: &Answer) -> Document {
    let WallImpact { mass, stiffness, exponent, dissipation, velocity } = answer.impact;
    Document {
        stiffness,
        dissipation,
        mass,
        exponent,
        velocity,
        rate: answer.rate,
        contact_time: answer.impact.contact_time(),
        restitution: restitution(&answer.impact),
        engine_contact_time: tried(answer).map(|(time, _)| time),
        engine_restitution: tried(answer).map(|(_, restitution)| restitution),
    }
}

/// Lines of constant stiffness in the plane of contact time and restitution, all of which can be had.
pub fn figure(wanted: &Wall, answer: &Answer) -> Figure {
    let Answer { impact, .. } = answer;
    let mut figure = Figure::new(
        format!("{} on a rigid wall, α = {}", show(impact.mass * 1e3, "g"), significant(impact.exponent, 4)),
        1,
        Vec::new(),
    );
    let mut curves = Vec::new();
    for (index, factor) in [1e-2, 1e-1, 1.0, 1e1, 1e2].into_iter().enumerate() {
        let stiffness = factor * impact.stiffness;
        let point = |n: i32| {
            let dissipation = 10f64.powf(-3.0 + 0.1 * f64::from(n)) / impact.velocity;
            let there = WallImpact { stiffness, dissipation, ..*impact };
            (there.contact_time(), restitution(&there))
        };
        let stroke = Stroke::solid(colour(index));
        curves.push(Curve::line((0..=50).map(point).collect(), stroke.clone()));
        figure = figure.key(format!("K = {} N/m^α", significant(stiffness, 3)), stroke);
    }
    let dot = Stroke::solid("#000000").wide(0.0);
    curves.push(Curve {
        points: vec![(wanted.contact_time, wanted.restitution)],
        stroke: dot.clone(),
        dots: Some(5.0),
    });
    let times = (wanted.contact_time / 15.0, wanted.contact_time * 15.0);
    figure.panels.push(Panel::new(
        "What can be had: every contact time, every restitution up to 1",
        Axis::logarithmic("contact time", "s", times),
        Axis::linear("restitution", "", (0.0, 1.05)),
        curves,
    ));
    figure.key("wanted", dot)
}
