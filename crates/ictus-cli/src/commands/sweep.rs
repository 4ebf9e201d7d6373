//! `ictus sweep`: a scene at many points of its parameters, into a table and an array.
//!
//! All of it is in the library `ictus-sweep`; here are the options, the progress, and what the user is told. `docs/sweeps.md`
//! describes plans and results.

use std::path::PathBuf;
use std::thread::available_parallelism;

use ictus::math::Plain;
use ictus_sweep::{Folder, Plan, Progress, Stop, SweepError, Tally, Value, columns, remove_unfinished, run};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::error::{Error, shown, warn};
use crate::quantity::significant;
use crate::sinks::{Named, all_distinct, remove_at_signals};
use crate::table::{self, Align, HEADING, Table, styled};

/// Points that a trial shows.
const SHOWN_POINTS: u64 = 5;

/// Render a scene at thousands of points of its parameters
#[derive(clap::Args)]
#[command(after_help = "A plan, plan.toml:\n  \
    sweep = 1\n  \
    scene = \"hammered-string\"               # of the gallery, or a file\n  \
    kind = \"latin-hypercube\"                # or grid, random, sobol\n  \
    n = 1000\n  \
    duration = \"1 s\"\n  \
    outputs = [\"features\", \"audio\"]\n  \
    [parameters]                            # `ictus show SCENE --parameters` lists them\n  \
    hammer.stiffness = \"log(1e7, 1e10)\"\n  \
    hammer.mass = \"uniform(5 g, 20 g)\"\n\n\
    Examples:\n  \
    ictus sweep plan.toml --dry-run         what it will be, and its first points\n  \
    ictus sweep plan.toml -o out            on all cores, into out/part-*.parquet and out/audio.zarr\n  \
    ictus sweep plan.toml -o out            once more after Ctrl-C, a crash, a full disk: computes what is missing")]
pub struct Args {
    /// The plan
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// Folder for the results; that of an interrupted sweep is filled up
    #[arg(short, long, value_name = "DIR", required_unless_present = "dry_run")]
    output: Option<PathBuf>,

    /// How many points are rendered at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Render nothing: check the plan, say what it comes to, and show its first points
    #[arg(long, conflicts_with_all = ["output", "threads"])]
    dry_run: bool,

    /// Print JSON instead of a summary
    #[arg(long)]
    json: bool,
}

/// What a sweep came to.
#[derive(Serialize)]
struct Report<'a> {
    folder: String,
    points: u64,
    computed: u64,
    failed: u64,
    first_failure: Option<Failure>,
    chunk: u64,
    chunks: u64,
    seconds: f64,
    points_per_second: f64,
    scene_sha256: &'a str,
    plan_sha256: &'a str,
}

/// A point that failed.
#[derive(Serialize)]
struct Failure {
    index: u64,
    message: String,
}

/// What a plan comes to.
#[derive(Serialize)]
struct Trial {
    scene: String,
    points: u64,
    rate: u32,
    channels: u16,
    frames: usize,
    audio_bytes: u64,
    columns: Vec<String>,
    first_points: Vec<serde_json::Map<String, serde_json::Value>>,
    scene_sha256: String,
    plan_sha256: String,
}

/// Runs the sweep.
pub fn execute(args: &Args) -> Result<(), Error> {
    let plan = Plan::load(&args.plan)?;
    let Some(output) = args.output.as_ref().filter(|_| !args.dry_run) else { return dry_run(&plan, args.json) };
    let results = Folder::results(output);
    let results: Vec<Named<'_>> = results.iter().map(|path| ("-o", path.as_path())).collect();
    all_distinct(&[("PLAN", &args.plan), ("scene", plan.scene_path())], &results)?;
    remove_at_signals(remove_unfinished);
    let folder = Folder::open(&plan, output)?;
    let bar = progress_bar(&plan);
    // What was there before says nothing of how fast this run is.
    let before =
        folder.missing().map(|chunk| folder.manifest().points_of(chunk)).map(|points| points.end - points.start);
    bar.set_position(plan.count - before.sum::<u64>());
    bar.reset_eta();
    let threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let show = |Progress { done, rate, .. }: Progress| {
        bar.set_position(done);
        bar.set_message(format!("{} points/s", significant(rate, 3)));
    };
    let done = run(&plan, &folder, threads, &Stop::default(), &show);
    bar.finish_and_clear();
    let tally = done?;
    if let Some((index, message)) = &tally.first_failure {
        warn(&format!("{} of {} points failed, first point {index}: {message}", tally.failed, tally.points));
    }
    if args.json { super::print_json(&report(&folder, &tally)) } else { table::print(&summary(&plan, &folder, &tally)) }
}

fn report<'a>(folder: &'a Folder, tally: &Tally) -> Report<'a> {
    let manifest = folder.manifest();
    Report {
        folder: folder.path().display().to_string(),
        points: manifest.points,
        computed: tally.points,
        failed: tally.failed,
        first_failure: tally.first_failure.clone().map(|(index, message)| Failure { index, message }),
        chunk: manifest.chunk,
        chunks: manifest.chunks(),
        seconds: tally.seconds,
        points_per_second: tally.points as f64 / tally.seconds.max(1e-9),
        scene_sha256: &manifest.scene_hash,
        plan_sha256: &manifest.plan_hash,
    }
}

/// A few lines: what there is, what was computed, how fast.
fn summary(plan: &Plan, folder: &Folder, tally: &Tally) -> String {
    let chunks = folder.manifest().chunks();
    let computed = match (tally.points, tally.before) {
        (0, _) => "all were there already".to_owned(),
        (points, 0) => format!("{points} computed"),
        (points, before) => format!("{points} computed, {before} were there already"),
    };
    let audio = if plan.audio { ", audio.zarr" } else { "" };
    format!(
        "{}  {} points of {}, {} parameters\n  {computed}, {} failed, {} s, {} points/s\n  part-000000.parquet to part-{:06}.parquet{audio}\n",
        styled(HEADING, &shown(&folder.path().display().to_string())),
        plan.count,
        shown(&plan.name),
        plan.axes.len(),
        tally.failed,
        significant(tally.seconds, 3),
        significant(tally.points as f64 / tally.seconds.max(1e-9), 3),
        chunks - 1,
    )
}

/// Says what a plan comes to, and shows its first points.
fn dry_run(plan: &Plan, json: bool) -> Result<(), Error> {
    let extent = plan.extent;
    let bytes = if plan.audio { 4 * plan.count * u64::from(extent.channels) * extent.frames as u64 } else { 0 };
    let names: Vec<String> = plan.axes.iter().map(|axis| axis.path.clone()).collect();
    let first: Vec<_> = (0..SHOWN_POINTS.min(plan.count)).map(|index| plan.point(index)).collect();
    if json {
        let value = |value: &Value| match value {
            Value::Number(number) => serde_json::json!(number),
            Value::Text(text) => serde_json::json!(text),
        };
        return super::print_json(&Trial {
            scene: plan.name.clone(),
            points: plan.count,
            rate: extent.rate,
            channels: extent.channels,
            frames: extent.frames,
            audio_bytes: bytes,
            columns: columns(plan).into_iter().map(|column| column.name).collect(),
            first_points: first
                .iter()
                .map(|point| names.iter().cloned().zip(point.values.iter().map(value)).collect())
                .collect(),
            scene_sha256: plan.scene_hash(),
            plan_sha256: plan.plan_hash(),
        });
    }
    let size = if plan.audio { format!(", {} GB of audio", significant(bytes as f64 / 1e9, 3)) } else { String::new() };
    let mut text = format!(
        "{}  {} points ({}), {} s each at {} Hz{size}\n",
        styled(HEADING, &shown(&plan.name)),
        plan.count,
        plan.kind.name(),
        significant(extent.frames as f64 / f64::from(extent.rate), 4),
        extent.rate,
    );
    let mut points = Table::new([("parameter", Align::Left), ("unit", Align::Left), ("first points", Align::Left)]);
    for (number, axis) in plan.axes.iter().enumerate() {
        let cell = |value: &Value| match value {
            Value::Number(number) => Plain(significant(*number, 4).parse().unwrap_or(*number)).to_string(),
            Value::Text(text) => text.clone(),
        };
        let values: Vec<String> = first.iter().map(|point| cell(&point.values[number])).collect();
        points.row([axis.path.clone(), axis.unit.clone(), values.join("  ")]);
    }
    text += &points.render();
    table::print(&text)
}

/// A bar with rate and time left; it shows on terminals only.
fn progress_bar(plan: &Plan) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:20!} {wide_bar} {pos}/{len}  {msg}  {eta} left");
    let bar = ProgressBar::new(plan.count).with_prefix(plan.name.clone());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl From<SweepError> for Error {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Scene(problems) => Self::Scene(problems),
            other => Self::Sweep(Box::new(other)),
        }
    }
}
