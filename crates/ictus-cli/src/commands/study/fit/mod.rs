//! `ictus study fit`: how true a fit is, on objects made by chance and on strokes of the engine.
//!
//! Every number of docs/fit.md's tables comes from here. The same command line gives the same numbers, whatever the number of threads.

mod objects;
mod score;
mod strokes;

use std::fs;
use std::path::PathBuf;

use rayon::prelude::*;

use super::folder::Progress;
use super::page;
use crate::error::Error;
use crate::sinks::WholeFile;
use crate::table;
use score::Score;

/// Measure how true a fit is: modes of objects made by chance, contact times of strokes
///
/// Damped sines in white noise, 60 and 40 dB below the strongest mode, made without the code that fits them: errors of frequency, T60 and level, modes
/// missed and modes too many. Strokes of the engine: the contact time against that of the engine. Writes fit.md (tables;
/// prose that is there already stays).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  ictus study fit -o docs                the page of this project, some minutes\n  ictus study fit -o out --objects 10   a quick look"
)]
pub struct Args {
    /// Directory to write to; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// How many objects, and how many strokes
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=2000))]
    objects: u64,
}

/// Levels of the noise in dB.
const NOISES: [f64; 2] = [-60.0, -40.0];

/// Computes the study and writes it.
pub fn execute(args: &Args) -> Result<(), Error> {
    let directory = &args.output;
    fs::create_dir_all(directory).map_err(|source| Error::write("--output", directory, source))?;
    let path = directory.join("fit.md");
    let mut file = WholeFile::create("--output", &path)?;
    let progress = Progress::new(4 * args.objects as usize);
    let seeds: Vec<u64> = (0..args.objects).collect();
    let score = |noise: f64| {
        let one = |seed: &u64| progress.step("objects", || Ok::<_, Error>(Score::of(*seed, noise)));
        let each = seeds.par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>, _>>()?;
        Ok::<_, Error>(each.into_iter().fold(Score::default(), Score::with))
    };
    let scores = [score(NOISES[0])?, score(NOISES[1])?];
    let compute = |reason| Error::Compute { item: "fit", reason };
    let stroke = |noise: f64| {
        let one = |seed: &u64| progress.step("strokes", || strokes::row(*seed, noise).map_err(compute));
        seeds.par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>, _>>()
    };
    let strokes = [stroke(NOISES[0])?, stroke(NOISES[1])?];
    progress.finish();
    let tables = text(&scores, &strokes);
    let part = page::generated("ictus study fit", &tables);
    file.put(page::with_part(fs::read_to_string(&path).ok().as_deref(), &part).as_bytes())?;
    file.keep()?;
    table::print(&tables)
}

fn text(scores: &[Score; 2], strokes: &[Vec<strokes::Row>; 2]) -> String {
    let columns = [
        "noise (dB)",
        "objects",
        "modes",
        "missed",
        "too many",
        "frequency: median, p95 (cents)",
        "T60 (%)",
        "level (dB)",
        "within 2 deviations: frequency, T60",
    ];
    let rows = scores.iter().zip(NOISES).map(|(score, noise)| {
        let (middle, most) = (score.median(), score.p95());
        let pair = |which: usize| format!("{:.3}, {:.3}", middle[which], most[which]);
        let within = score.within_two().map(|part| format!("{:.0} %", 100.0 * part));
        vec![
            format!("{noise}"),
            score.objects.to_string(),
            score.modes.to_string(),
            score.missed.to_string(),
            score.extra.to_string(),
            pair(0),
            pair(1),
            pair(2),
            within.join(", "),
        ]
    });
    let modes = page::table(&columns, rows.collect());
    let columns = ["noise (dB)", "strokes", "told", "contact time: median, p95 (%)"];
    let rows = strokes.iter().zip(NOISES).map(|(rows, noise)| {
        let mut off: Vec<f64> =
            rows.iter().filter_map(|row| Some(100.0 * (row.told?.0 / row.made - 1.0).abs())).collect();
        off.sort_by(f64::total_cmp);
        let at = |part: f64| off.get((part * off.len() as f64) as usize).map_or("-".to_owned(), |x| format!("{x:.2}"));
        vec![format!("{noise}"), rows.len().to_string(), off.len().to_string(), format!("{}, {}", at(0.5), at(0.95))]
    });
    let contacts = page::table(&columns, rows.collect());
    let most = strokes[0].iter().map(|row| row.modes).max().unwrap_or(0);
    format!(
        "### Modes\n\nLevels are beside the strongest mode of each object. A mode is missed if none was found within half its bandwidth; no mode is below {} dB.\n\n{modes}\n\
         ### Contact times\n\nA hammer of 10 g on objects of up to {most} modes, 0.4 to 5 ms, α from 1.5 to 2.5, restitution from 0.6 to 1; noise beside the peak.\n\n{contacts}",
        score::HEARD,
    )
}
