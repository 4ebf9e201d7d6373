//! `ictus check`: whether scenes can be rendered, and what that costs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ictus_render::cost::{self, Cost};
use ictus_render::stopwatch::Stopwatch;
use ictus_scene::{Instrument, Problem, Problems, Reading, Scene};
use serde::Serialize;
use serde_json::Value;

use super::render::extent;
use crate::error::{self, Error, noted, shown, told};
use crate::gallery;
use crate::quantity::significant;
use crate::sinks::sound::Depth;
use crate::table::{self, Align, HEADING, Table, styled};

/// Time in s that is played to measure the speed.
const TRIAL: f64 = 0.2;
/// How often that is played, if there is time.
const TRIALS: usize = 5;
/// Time of the processor after which that is enough.
const ENOUGH: Duration = Duration::from_millis(500);
/// Frames played at a time.
const BLOCK: usize = 32;

/// Check scenes: all mistakes, or what rendering costs
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  ictus check my.toml\n  ictus check scenes/*.toml --json")]
pub struct Args {
    /// Scene files, or names from the gallery
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,

    /// Print results and mistakes as JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// What a scene costs.
#[derive(Serialize)]
struct Checked {
    scene: String,
    title: String,
    rate: f64,
    objects: Vec<Row>,
    interactions: usize,
    exciters: usize,
    pickups: usize,
    realtime_factor: f64,
    warnings: Vec<Warning>,
}

/// Why a render will be silent.
#[derive(Serialize)]
struct Warning {
    message: String,
    help: String,
    line: usize,
    column: usize,
    /// As a sentence with its place.
    #[serde(skip)]
    told: String,
}

/// Objects of one kind: a single one, or those of a set.
#[derive(Serialize)]
struct Row {
    name: String,
    kind: &'static str,
    count: usize,
    /// Of all of them together; none of what is on a grid or lumped.
    modes: Option<usize>,
    /// Of all of them together; none of what is in modes or lumped.
    points: Option<usize>,
    nanoseconds: f64,
}

#[derive(Serialize)]
struct Refused {
    scene: String,
    problems: Value,
}

/// Checks the scenes.
pub fn execute(args: &Args) -> Result<(), Error> {
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    for argument in &args.scenes {
        match check(argument) {
            Ok(checked) if args.json => entries.push(json(&checked)?),
            Ok(checked) => {
                table::print(&checked.text())?;
                checked.warnings.iter().for_each(|warning| error::warn(&warning.told));
            }
            Err(Error::Scene(problems)) if args.json => {
                entries.push(json(&refused(argument, &problems))?);
                errors.push(Error::Told(Error::USAGE));
            }
            Err(error) => errors.push(error),
        }
    }
    if args.json {
        super::print_json(&entries)?;
    }
    Error::all(errors)
}

fn json(entry: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(entry).map_err(|error| Error::Output(error.into()))
}

fn refused(argument: &Path, problems: &Problems) -> Refused {
    Refused { scene: argument.display().to_string(), problems: problems.to_json() }
}

fn check(argument: &Path) -> Result<Checked, Error> {
    let gallery::Found { name, source } = gallery::find(argument)?;
    let scene = ictus_scene::read(&source, &Reading::default()).map_err(|found| Error::Scene(Box::new(found)))?;
    extent(&scene, &source.name, scene.model.rate, 0.0, Depth::DEFAULT)?;
    let warning = |told: String, warning: Problem| Warning {
        told,
        message: warning.message,
        help: warning.help,
        line: warning.line,
        column: warning.column,
    };
    let silent = ictus_scene::warnings(&scene, &source).into_iter();
    let idle = ictus_scene::idle_objects(&scene, &source).into_iter();
    let silent = silent.map(|problem| warning(told(&source.name, &problem), problem));
    let warnings = silent.chain(idle.map(|problem| warning(noted(&source.name, &problem), problem))).collect();
    let realtime_factor = trial(&scene).map_err(|reason| Error::Input(format!("{name}: {reason}")))?;
    Ok(Checked {
        scene: argument.display().to_string(),
        rate: scene.model.rate,
        objects: rows(cost::of_objects(&scene.model)),
        interactions: scene.model.interactions.len(),
        exciters: scene.exciters.len(),
        pickups: scene.model.pickups.len(),
        title: scene.title,
        realtime_factor,
        warnings,
    })
}

/// Seconds of sound per second of the processor, at the start of the scene and with the energy account.
///
/// Others on the machine share its caches and units, and then even the time of the processor is longer. So the same is played several times, and
/// of each block the shortest time counts.
fn trial(scene: &Scene) -> Result<f64, String> {
    let mut fresh = Instrument::new(scene).map_err(|error| error.to_string())?;
    fresh.keep_account_of_energy(true);
    let mut block = vec![0.0; BLOCK * fresh.channels()];
    let mut shortest: Vec<Duration> = Vec::new();
    let whole = Stopwatch::start();
    for _ in 0..TRIALS {
        let mut instrument = fresh.clone();
        let mut place = 0;
        while instrument.time() < TRIAL && whole.elapsed() < ENOUGH {
            let watch = Stopwatch::start();
            instrument.process(&mut block);
            let took = watch.elapsed();
            match shortest.get_mut(place) {
                Some(known) => *known = took.min(*known),
                None => shortest.push(took),
            }
            place += 1;
        }
    }
    let sound = (shortest.len() * BLOCK) as f64 / scene.model.rate;
    Ok(sound / shortest.iter().sum::<Duration>().as_secs_f64().max(1e-9))
}

/// Objects of a set in one row, in the order of their first.
fn rows(costs: Vec<Cost>) -> Vec<Row> {
    let mut places: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    let mut rows: Vec<Row> = Vec::new();
    for Cost { name, kind, modes, points, nanoseconds } in costs {
        let name = name.rsplit_once('.').map_or(name.clone(), |(set, _)| set.to_owned());
        let place = *places.entry((name.clone(), kind)).or_insert(rows.len());
        match rows.get_mut(place) {
            Some(row) => {
                row.count += 1;
                row.modes = sum(row.modes, modes);
                row.points = sum(row.points, points);
                row.nanoseconds += nanoseconds;
            }
            None => rows.push(Row { name, kind, count: 1, modes, points, nanoseconds }),
        }
    }
    rows
}

fn sum(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    a.into_iter().chain(b).reduce(|a, b| a + b)
}

impl Checked {
    fn text(&self) -> String {
        let mut objects = Table::new([
            ("object", Align::Left),
            ("kind", Align::Left),
            ("count", Align::Right),
            ("modes", Align::Right),
            ("grid points", Align::Right),
            ("ns per sample", Align::Right),
        ]);
        let or_dash = |number: Option<usize>| number.map_or("-".to_owned(), |number| number.to_string());
        for row in &self.objects {
            objects.row([
                row.name.clone(),
                row.kind.to_owned(),
                row.count.to_string(),
                or_dash(row.modes),
                or_dash(row.points),
                significant(row.nanoseconds, 3),
            ]);
        }
        let count = |count: usize, thing: &str| format!("{count} {thing}{}", if count == 1 { "" } else { "s" });
        format!(
            "{}  {}\n{}{}, {}, {}\nabout {} × real time at {} kHz, with the energy account\n",
            styled(HEADING, &shown(&self.scene)),
            self.title,
            objects.render(),
            count(self.interactions, "interaction"),
            count(self.exciters, "exciter"),
            count(self.pickups, "pickup"),
            significant(self.realtime_factor, 2),
            significant(self.rate / 1000.0, 6),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_a_set_share_a_row() {
        let cost =
            |name: &str, kind, modes, points| Cost { name: name.to_owned(), kind, modes, points, nanoseconds: 2.0 };
        let rows = rows(vec![
            cost("bars.C4", "bar", Some(10), None),
            cost("bars.mallet.C4", "mass", None, None),
            cost("bars.D4", "bar", Some(9), None),
            cost("bars.mallet.D4", "mass", None, None),
            cost("board", "plate", None, Some(30)),
        ]);
        let told: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.count, row.modes, row.points)).collect();
        assert_eq!(told, [("bars", 2, Some(19), None), ("bars.mallet", 2, None, None), ("board", 1, None, Some(30))]);
    }
}
