//! Before it slides: loops of bristles that are pushed less than to break away, and what a load that swings does to them.

use std::f64::consts::TAU;

use ictus::Model;
use ictus::control::Change;
use ictus::id::{ContactId, ForceId};
use ictus::model::{Force, Interaction, Point};
use ictus::objects::{BarrierSpec, MassSpec};

use super::{Rubbed, failed};
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Curve, Figure, Panel, Stroke, colour};

const RATE: f64 = 48e3;
/// Samples in a swing of the load.
const SWING: usize = 2400;
const SWINGS: usize = 30;

/// Breaks away at 1.6 N; up to 0.9 N elasto-plastic bristles only bend.
const SURFACE: Rubbed = Rubbed {
    normal_force: 2.0,
    static_friction: 0.8,
    kinetic_friction: 0.5,
    slowing: 0.01,
    stiffness: 1e5,
    elastic: 0.0,
};
/// A steady load and how far it swings, in N.
const LOADS: [[f64; 2]; 3] = [[0.0, 0.8], [0.0, 1.3], [0.5, 0.3]];

/// A law under a load that swings.
pub struct Loaded {
    elastic: f64,
    load: [f64; 2],
    /// How far it was displaced, in m, under which load in N: the first and the last two swings.
    points: Vec<(f64, f64)>,
    /// Work lost in the last swing, in J, and how far it went in the last ten, in m.
    lost: f64,
    crept: f64,
}

pub fn measure() -> Result<Vec<Loaded>, Error> {
    let pairs = LOADS.into_iter().flat_map(|load| [0.0, 0.9].map(|elastic| (load, elastic)));
    pairs.map(|(load, elastic)| loaded(load, elastic)).collect()
}

fn loaded(load: [f64; 2], elastic: f64) -> Result<Loaded, Error> {
    let law = Rubbed { elastic, ..SURFACE }.law()?;
    let friction = Interaction::new("friction", Point::of("block"), Point::of("floor"), law);
    let mut engine = Model::new(RATE)
        .with("block", MassSpec::free(0.05))
        .with("floor", BarrierSpec::default())
        .join(Interaction { damping: 5.0, ..friction })
        .drive(Force { name: "load".into(), at: Point::of("block"), level: 0.0, signal: None })
        .build()
        .map_err(failed)?;
    let (mut points, mut lost, mut means) = (Vec::new(), 0.0, Vec::new());
    for swing in 0..SWINGS {
        let mut sum = 0.0;
        for sample in 0..SWING {
            let level = load[0] + load[1] * (TAU * sample as f64 / SWING as f64).sin();
            let before = engine.compression(ContactId::new(0)).unwrap_or(f64::NAN);
            engine.change(&Change::Level { force: ForceId::new(0), level }).map_err(failed)?;
            engine.advance(1);
            let now = engine.compression(ContactId::new(0)).unwrap_or(f64::NAN);
            sum += now / SWING as f64;
            if swing < 6 && sample % 8 == 0 {
                points.push((now, level));
            }
            if swing == SWINGS - 1 {
                lost += level * (now - before);
            }
        }
        means.push(sum);
    }
    let crept = means[SWINGS - 1] - means[SWINGS - 11];
    Ok(Loaded { elastic, load, points, lost, crept })
}

fn named(loaded: &Loaded) -> &'static str {
    if loaded.elastic == 0.0 { "bristle-friction" } else { "elasto-plastic-friction" }
}

pub fn table(loops: &[Loaded]) -> String {
    let cells = |loaded: &Loaded| {
        let bent = SURFACE.normal_force / SURFACE.stiffness;
        let stored = 0.5 * loaded.load[1].powi(2) / SURFACE.stiffness;
        let [steady, swing] = loaded.load;
        let share = |part: f64| if part.abs() < 5e-4 { "0".to_owned() } else { format!("{part:.3}") };
        vec![
            if steady == 0.0 { format!("± {swing}") } else { format!("{steady} ± {swing}") },
            format!("`{}`", named(loaded)),
            share(loaded.lost / stored),
            share(loaded.crept / bent),
        ]
    };
    let told = "A block under a load that swings 20 times a second and stays below the 1.6 N at which it breaks away (elasto-plastic bristles only bend up to 0.9 N): work lost \
                in a swing over what the bristles store at the load's peak, and how far the block creeps in ten swings over how far 2 N would bend the bristles.";
    let columns = ["load (N)", "law", "lost in a swing", "creeps in ten swings"];
    format!("### Before it slides\n\n{told}\n\n{}", page::table(&columns, loops.iter().map(cells).collect()))
}

pub fn figure(loops: &[Loaded]) -> Figure {
    let titles = ["± 0.8 N", "± 1.3 N", "0.5 ± 0.3 N"];
    let panels = loops.chunks(2).zip(titles).map(|(pair, title)| {
        let curves = pair
            .iter()
            .enumerate()
            .map(|(number, loaded)| Curve::line(loaded.points.clone(), Stroke::solid(colour(1 + number)).wide(1.2)));
        Panel::around(title, ("displacement", "m"), ("load", "N"), curves.collect())
    });
    let title = "A block that is pushed less than to break away: the first six swings";
    Figure { panel_size: (380.0, 330.0), ..Figure::new(title, 3, panels.collect()) }
        .key("bristle-friction", Stroke::solid(colour(1)))
        .key("elasto-plastic-friction", Stroke::solid(colour(2)))
}
