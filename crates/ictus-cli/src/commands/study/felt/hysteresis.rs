//! Felts pushed in and out: the engine's force beside that of the lab's integrator at sixteen times the rate.

use std::f64::consts::PI;

use ictus::Model;
use ictus::control::Change;
use ictus::id::{ContactId, ObjectId};
use ictus::model::{Interaction, Point};
use ictus::objects::{BarrierSpec, MassSpec};

use super::{FELTS, Felt, failed};
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};

/// Length in s and depth in m of a push.
const DURATION: f64 = 2e-3;
const DEPTH: f64 = 1e-3;
/// How many times the engine's rate the lab has.
const FINER: usize = 16;
/// Rates in Hz.
const RATES: [f64; 3] = [48e3, 96e3, 192e3];

pub struct Push {
    felt: Felt,
    /// Largest difference and root of the mean square, in parts of the largest force and of the force's own, at each rate.
    errors: [[f64; 2]; 3],
    /// Part of the work of pushing in that is lost.
    lost: f64,
    loops: Loop,
}

/// Compression in m and force in N, by the engine at 48 kHz and by the lab.
struct Loop {
    engine: Vec<(f64, f64)>,
    lab: Vec<(f64, f64)>,
}

fn push(felt: &Felt, duration: f64, rate: f64) -> Result<(Loop, [f64; 2]), Error> {
    let depth = |time: f64| if time > 0.0 { DEPTH * (PI * time / duration).sin().powi(2) } else { 0.0 };
    let law = felt.law()?;
    let mut engine = Model::new(rate)
        .with("hand", BarrierSpec::default())
        .with("anvil", MassSpec::free(1e9))
        .join(Interaction::new("felt", Point::of("hand"), Point::of("anvil"), law))
        .build()
        .map_err(failed)?;
    let mut lab = law.relaxed(1.0 / rate / FINER as f64).map_err(failed)?;
    let mut found = Loop { engine: Vec::new(), lab: Vec::new() };
    let (mut most, mut apart, mut squares) = (0.0_f64, 0.0_f64, [0.0, 0.0]);
    for sample in 0..(duration * rate) as usize {
        let time = sample as f64 / rate;
        let height = depth(time + 1.0 / rate);
        engine.change(&Change::Height { object: ObjectId::new(0), height }).map_err(failed)?;
        engine.advance(1);
        let force = engine.interaction_force(ContactId::new(0)).unwrap_or(f64::NAN);
        let mut expected = 0.0;
        for part in 1..=FINER {
            let now = depth(time + (part as f64 - FINER as f64) / (rate * FINER as f64));
            expected = lab.step(now);
            found.lab.push((now, expected));
        }
        found.engine.push((depth(time), force));
        (most, apart) = (most.max(expected), apart.max((force - expected).abs()));
        squares = [squares[0] + (force - expected).powi(2), squares[1] + expected * expected];
    }
    Ok((found, [apart / most, (squares[0] / squares[1]).sqrt()]))
}

/// Part of the work of pushing in that does not come back, by the trapezoidal rule over the lab's loop.
fn lost(points: &[(f64, f64)]) -> f64 {
    let work = |pair: &[(f64, f64)]| 0.5 * (pair[0].1 + pair[1].1) * (pair[1].0 - pair[0].0);
    let given: f64 = points.windows(2).map(work).filter(|work| *work > 0.0).sum();
    points.windows(2).map(work).sum::<f64>() / given
}

pub fn measure() -> Result<Vec<Push>, Error> {
    let of = |felt: Felt| {
        let (loops, first) = push(&felt, DURATION, RATES[0])?;
        let mut errors = [first; 3];
        for (error, rate) in errors.iter_mut().zip(RATES).skip(1) {
            *error = push(&felt, DURATION, rate)?.1;
        }
        Ok(Push { felt, errors, lost: lost(&loops.lab), loops })
    };
    FELTS.into_iter().map(of).collect()
}

/// One felt pushed ever more slowly.
pub struct Pace {
    name: &'static str,
    points: Vec<(f64, f64)>,
}

pub fn paces() -> Result<Vec<Pace>, Error> {
    let paces = [("0.2 ms", 0.2e-3), ("1 ms", 1e-3), ("5 ms", 5e-3), ("100 ms", 0.1)];
    let pace = |(name, duration)| Ok(Pace { name, points: push(&FELTS[1], duration, 192e3)?.0.engine });
    paces.into_iter().map(pace).collect()
}

pub fn table(pushes: &[Push]) -> String {
    let per_cent = |part: f64| format!("{:.2} %", 100.0 * part);
    let cells = |push: &Push| {
        let errors = push.errors.map(|error| per_cent(error[1]));
        [push.felt.title.to_owned(), format!("{:.0} %", 100.0 * push.lost), per_cent(push.errors[0][0])]
            .into_iter()
            .chain(errors)
            .collect()
    };
    let told = "A push of 2 ms, 1 mm deep, in and out: how much of the work is lost, the engine's largest error at 48 kHz in parts of the largest force, and the root of its mean square \
                at three rates in parts of that of the force. The lab's integrator is the reference.";
    let columns = ["felt", "lost", "largest error, 48 kHz", "mean, 48 kHz", "96 kHz", "192 kHz"];
    format!("### Pushes\n\n{told}\n\n{}", page::table(&columns, pushes.iter().map(cells).collect()))
}

pub fn figure(pushes: &[Push], paces: &[Pace]) -> Figure {
    let panel = |title: &'static str, curves: Vec<Curve>| {
        let most = curves.iter().flat_map(|curve| &curve.points).fold(0.0_f64, |most, point| most.max(point.1));
        let x = Axis::linear("compression", "m", (0.0, 1.03 * DEPTH));
        Panel::new(title, x, Axis::linear("force", "N", (-0.02 * most, 1.05 * most)), curves)
    };
    let mut panels: Vec<Panel> = pushes
        .iter()
        .map(|push| {
            let lab = Curve::line(push.loops.lab.clone(), Stroke::solid(colour(0)).wide(1.2));
            let engine = Curve::line(push.loops.engine.clone(), Stroke::solid(colour(1)).wide(0.0)).dotted();
            panel(push.felt.title, vec![lab, engine])
        })
        .collect();
    let curves = paces.iter().enumerate().map(|(number, pace)| {
        Curve::line(pace.points.clone(), Stroke::solid(colour(number + 2)).wide(1.4)).simplified()
    });
    panels.push(panel("the soft felt, pushed fast and slowly", curves.collect()));
    let figure = Figure { panel_size: (400.0, 330.0), ..Figure::new("Felts pushed in and out", 3, panels) };
    let figure = figure.key("the lab", Stroke::solid(colour(0))).key("the engine at 48 kHz", Stroke::solid(colour(1)));
    paces.iter().enumerate().fold(figure, |figure, (number, pace)| {
        figure.key(format!("in {}", pace.name), Stroke::solid(colour(number + 2)))
    })
}
