//! `ictus impact`: one mass, one wall, every scheme, against the exact result.
//!
//! The options are checked into a [`Setup`] first; then the schemes run one after the other, so that only one
//! trajectory is in memory; then the files get their names, and last comes the report.

mod picture;
mod report;

use std::path::PathBuf;

use ictus_lab::impact::{Document, Outcome, Question, Setup};
use indicatif::{ProgressBar, ProgressStyle};

use self::picture::Picture;
use crate::error::Error;
use crate::sinks::{Named, WholeFile, all_distinct, csv, together};
use crate::table;

/// Let a mass hit a wall, with every scheme, and compare with the exact result
///
/// The wall pushes back with K x^α (1 + μ v), where x is the compression and v its velocity (Hunt and Crossley).
/// The defaults are the second case of Table 1 of Papetti, Avanzini and Rocchesso (P09); all numbers are SI.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ictus impact                                                 every scheme on P09's Table 1(b)
  ictus impact --stiffness 1e7 --dissipation 0.1 --exponent 1.1 --velocity 0.3    P09's Table 1(a)
  ictus impact --scheme am1,rk4,secant --plot impact.svg       a picture of three schemes
  ictus impact --stiffness 1e12 --phase 0.3 --scheme secant --csv impact.csv      a contact shorter than a sample
  ictus impact --gravity 9.81 --velocity 0.3 --scheme rk4 --plot bounces.png      bouncing

`ictus schemes` lists the schemes.")]
pub struct Args {
    /// Mass in kg, above 0
    #[arg(long, value_name = "KG", default_value = "1e-2", allow_hyphen_values = true)]
    mass: String,

    /// Stiffness K of the wall in N/m^α, above 0
    #[arg(long, value_name = "K", default_value = "1e9", allow_hyphen_values = true)]
    stiffness: String,

    /// Exponent α of the wall's force, 1 or above
    #[arg(long, value_name = "ALPHA", default_value = "1.5", allow_hyphen_values = true)]
    exponent: String,

    /// Dissipation μ of the wall in s/m, 0 or above
    #[arg(long, value_name = "MU", default_value = "0.5", allow_hyphen_values = true)]
    dissipation: String,

    /// Velocity at the start in m/s, positive towards the wall
    #[arg(long, value_name = "M/S", default_value = "1", allow_hyphen_values = true)]
    velocity: String,

    /// Sample rate in Hz, above 0
    #[arg(long, value_name = "HZ", default_value = "44100", allow_hyphen_values = true)]
    rate: String,

    /// Scheme to run, or all; several separated by commas
    #[arg(long, value_name = "NAME", default_value = "all", value_delimiter = ',')]
    scheme: Vec<String>,

    /// Start 2 + P samples of flight before the wall, 0 ≤ P < 1, instead of at the wall
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    phase: Option<String>,

    /// Distance to the wall at the start in m, 0 or above (with --phase: in addition)
    #[arg(long, value_name = "M", default_value = "0", allow_hyphen_values = true)]
    gap: String,

    /// Gravity in m/s², positive towards the wall
    #[arg(long, value_name = "M/S2", default_value = "0", allow_hyphen_values = true)]
    gravity: String,

    /// Time to run in s or with a unit (5ms), above 0, at most 2 million samples [default: until after the impact; with gravity, ten bounces]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    duration: Option<String>,

    /// Parameter s of the quadratic scheme (D17), above 0
    #[arg(long, value_name = "S", default_value = "1", allow_hyphen_values = true)]
    s: String,

    /// Print JSON instead of a table
    ///
    /// What was not measured is null: the output velocity of a run that ends in contact, all numbers of a scheme
    /// that does not apply.
    #[arg(long)]
    json: bool,

    /// Write every sample of every scheme to a file of comma-separated values
    ///
    /// Columns: scheme, sample, time, displacement, velocity, force, kinetic, potential, total. Energies of
    /// three-point and ψ schemes are those half a sample later, where their balance is exact.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw phase portrait, force, energy and displacement to FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Args {
    fn question(&self) -> Question<'_> {
        Question {
            mass: &self.mass,
            stiffness: &self.stiffness,
            exponent: &self.exponent,
            dissipation: &self.dissipation,
            velocity: &self.velocity,
            rate: &self.rate,
            scheme: &self.scheme,
            phase: self.phase.as_deref(),
            gap: &self.gap,
            gravity: &self.gravity,
            duration: self.duration.as_deref(),
            s: &self.s,
        }
    }
}

/// Runs the impact and reports.
pub fn execute(args: &Args) -> Result<(), Error> {
    let setup = Setup::of(&args.question())?;
    let format = args.plot.as_deref().map(super::picture_format).transpose()?;
    let files = [("--csv", &args.csv), ("--plot", &args.plot)];
    let outputs: Vec<Named<'_>> =
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    all_distinct(&[], &outputs)?;

    let mut table = args.csv.as_deref().map(|path| csv::Trajectories::create("--csv", path)).transpose()?;
    let mut picture = match (&args.plot, format) {
        (Some(path), Some(format)) => Some((WholeFile::create("--plot", path)?, format, Picture::new(&setup))),
        _ => None,
    };

    let progress = progress(&setup);
    let mut outcomes = Vec::new();
    for &scheme in &setup.schemes {
        progress.set_message(scheme.name);
        let (outcome, samples) = setup.run(scheme);
        if let Some(table) = &mut table {
            table.append(scheme.name, &samples, setup.problem.rate)?;
        }
        if let Some((_, _, picture)) = &mut picture {
            picture.add(scheme.name, &samples);
        }
        outcomes.push(outcome);
        progress.inc(1);
    }
    progress.finish_and_clear();

    let drawn = match picture {
        Some((mut file, format, picture)) => {
            file.put(&picture.figure().render(format).map_err(Error::Draw)?)?;
            Some(file)
        }
        None => None,
    };
    let table = table.map(csv::Trajectories::finished).transpose()?;
    together::keep([table, drawn].into_iter().flatten().collect(), None)?;

    if args.json {
        super::print_json(&Document::of(&setup, &outcomes))
    } else {
        table::print(&report::text(&setup, &outcomes))
    }
}

/// A bar on terminals, for runs long enough to wonder about.
fn progress(setup: &Setup) -> ProgressBar {
    if setup.samples.saturating_mul(setup.schemes.len()) < 3_000_000 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(setup.schemes.len() as u64);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
