//! Many renders of one scene, each with a seed of its own, and the table of what was drawn.
//!
//! The seeds count up from the scene's own, so that `--seed` with the number in the table makes a variation again, alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ictus_scene::Scene;

use super::Args;
use super::plan::Plan;
use crate::error::{Error, shown};
use crate::options::{Allowed, number};
use crate::sinks::sound::Depth;
use crate::sinks::{WholeFile, together};
use crate::table;

/// Most variations: each scene is kept until it is rendered.
const MOST: f64 = 1000.0;

/// How many variations are asked for, if any.
pub fn count(args: &Args) -> Result<Option<usize>, Error> {
    let Some(text) = &args.variations else { return Ok(None) };
    let count = number("--variations", text, Allowed::Between(1.0, MOST), "")?;
    if count.fract() != 0.0 {
        return Err(Error::option("--variations", text, format!("must be a whole number from 1 to {MOST}")));
    }
    Ok(Some(count as usize))
}

/// Refuses a folder with something in it, unless that is wanted.
pub fn check_folder(option: &'static str, folder: &Path, force: bool) -> Result<(), Error> {
    let mut entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(_) => return Ok(()),
    };
    match entries.next() {
        Some(_) if !force => {
            let allowed = "is not empty: choose another folder, or write into it with --force";
            Err(Error::Input(format!("{option} {} {allowed}", shown(&folder.display().to_string()))))
        }
        _ => Ok(()),
    }
}

/// What a seed is worth that was given for a scene without anything random.
pub fn idle_seed(args: &Args, scene: &Scene, name: &str) -> Option<String> {
    let is_idle = args.seed.is_some() && !scene.is_random();
    let what = if args.bits == Depth::Int16 { "changes only the dither" } else { "changes nothing" };
    is_idle.then(|| format!("--seed {what}: nothing in {} is random", shown(name)))
}

/// Where the table of a variation's scene goes.
pub fn table_path(args: &Args, plan: &Plan) -> Option<PathBuf> {
    let (scene, folder) = (plan.variation_of.as_ref()?, args.output.as_ref()?);
    Some(folder.join(format!("{scene}-variations.csv")))
}

/// Writes a table for every scene: a row for each variation with its file, its seed and all that was drawn, in SI units.
pub fn tables(args: &Args, plans: &[Plan]) -> Result<(), Error> {
    let mut by_table: BTreeMap<PathBuf, Vec<&Plan>> = BTreeMap::new();
    for plan in plans {
        if let Some(path) = table_path(args, plan) {
            by_table.entry(path).or_default().push(plan);
        }
    }
    for (path, plans) in by_table {
        let file = written(&path, &plans)?;
        together::keep(vec![file], None)?;
        table::print(&format!("{}  what was drawn for each\n", shown(&path.display().to_string())))?;
    }
    Ok(())
}

fn written(path: &Path, plans: &[&Plan]) -> Result<WholeFile, Error> {
    let mut columns: BTreeMap<&str, &str> = BTreeMap::new();
    for draw in plans.iter().flat_map(|plan| plan.scene.draws()) {
        columns.insert(&draw.path, draw.unit);
    }
    let failed = |source: csv::Error| Error::write("-o", path, source);
    let mut rows = csv::Writer::from_writer(WholeFile::create("-o", path)?);
    let heading =
        |(path, unit): (&&str, &&str)| if unit.is_empty() { (*path).to_owned() } else { format!("{path} ({unit})") };
    let headings = ["file".to_owned(), "seed".to_owned()].into_iter().chain(columns.iter().map(heading));
    rows.write_record(headings).map_err(failed)?;
    for plan in plans {
        let drawn: BTreeMap<&str, f64> = plan.scene.draws().iter().map(|draw| (&*draw.path, draw.value)).collect();
        let file = plan.output.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // The shortest text that reads back as the same number; nothing where this variation drew none.
        let cell = |path: &&str| drawn.get(path).map_or(String::new(), |value| format!("{value}"));
        let cells = [file, plan.scene.seed.to_string()].into_iter().chain(columns.keys().map(cell));
        rows.write_record(cells).map_err(failed)?;
    }
    rows.into_inner().map_err(|error| Error::write("-o", path, error.into_error()))
}
