//! `ictus show --parameters`: every number of a scene by its path.

use ictus_scene::Scene;
use ictus_scene::parameters::{ParameterInfo, Scale};
use serde::Serialize;

use crate::error::Error;
use crate::table::{self, Align, Table};

/// A parameter for programs. A bound that is not there is null.
#[derive(Serialize)]
struct Entry<'a> {
    path: &'a str,
    label: &'a str,
    unit: &'a str,
    least: Option<f64>,
    most: Option<f64>,
    scale: &'static str,
    default: f64,
    live: bool,
}

impl<'a> Entry<'a> {
    fn of(info: &'a ParameterInfo) -> Self {
        let [least, most] = info.range.map(|bound| bound.is_finite().then_some(bound));
        let scale = match info.scale {
            Scale::Linear => "linear",
            Scale::Logarithmic => "logarithmic",
        };
        let ParameterInfo { path, label, unit, default, live, .. } = info;
        Self { path, label, unit, least, most, scale, default: *default, live: *live }
    }
}

/// Lists the parameters of a scene.
pub fn list(scene: &Scene, json: bool) -> Result<(), Error> {
    let all = scene.parameters();
    if json {
        let entries: Vec<Entry<'_>> = all.iter().map(Entry::of).collect();
        return super::super::print_json(&entries);
    }
    let mut rows = Table::new([
        ("path", Align::Left),
        ("value", Align::Right),
        ("unit", Align::Left),
        ("least", Align::Right),
        ("most", Align::Right),
        ("live", Align::Left),
    ]);
    for info in &all {
        let live = if info.live { "live" } else { "" };
        let [least, most] = info.range.map(number);
        rows.row([info.path.clone(), number(info.default), info.unit.clone(), least, most, live.to_owned()]);
    }
    table::print(&rows.render())
}

fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value.is_infinite() => String::new(),
        _ if size != 0.0 && !(1e-3..1e6).contains(&size) => format!("{value:e}"),
        _ => format!("{value}"),
    }
}
