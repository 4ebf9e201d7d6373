//! `ictus render`: the sound of a scene.
//!
//! Options are checked and every scene is read before anything is computed, so that all mistakes are told at once and
//! none leaves half a result. Then each scene is played on a core of its own; the same scene, seed and options give the
//! same bytes.

mod force_picture;
mod pictures;
mod piece;
mod plan;
mod play;
mod report;
mod summary;
mod variations;

use std::path::{Path, PathBuf};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::error::Error;
use crate::figures::Format;
use crate::sinks::sound::{self, Depth, Sound};
use crate::sinks::{Folders, is_standard_output, together};
use crate::table;
use plan::Plan;
pub use plan::{changes, extent};
pub use variations::check_folder;

/// Render scenes to sound files
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    ictus render hammered-string                              a scene of the gallery, to hammered-string.wav\n  \
    ictus render my.toml -o my.flac --oversample 4            a file of your own\n  \
    ictus render my.toml --set mallet.mass=\"20 g\" --normalize\n  \
    ictus render my.toml --midi song.mid --tail --report my.json --plot pictures\n  \
    ictus render my.toml --plot pictures --compare before.wav  pictures of both, over each other\n  \
    ictus render scenes/*.toml -o out                         all of them, on all cores\n  \
    ictus render my.toml -o - | aplay                         to another program; a scene from one: ictus render - < my.toml\n  \
    ictus render steps.toml --variations 50 -o out            no two alike; see docs/workbench.md")]
pub struct Args {
    /// Scene files, or names from the gallery; - is standard input
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<PathBuf>,

    /// Sound file, .wav or .flac; a folder for several scenes; - writes WAV to standard output [default: the scene's name with .wav, in this folder]
    #[arg(short, long, value_name = "FILE", help_heading = "Files")]
    output: Option<PathBuf>,

    /// Also write what each pickup hears by itself, to a file beside the sound; together they are the sound
    #[arg(long, help_heading = "Files")]
    stems: bool,

    /// Bits per sample: 16 (dithered), 24 or 32f (floating point)
    #[arg(long, value_enum, default_value_t = Depth::DEFAULT, help_heading = "Files")]
    bits: Depth,

    /// Write the measurements as JSON; a folder for several scenes
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    report: Option<PathBuf>,

    /// Draw waveform, spectrogram, level, energy and contact forces into this folder
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    plot: Option<PathBuf>,

    /// Draw the sound beside this one too: an earlier render, or a recording
    #[arg(long, value_name = "FILE", requires = "plot", help_heading = "Files")]
    compare: Option<PathBuf>,

    /// File format of the pictures
    #[arg(long, default_value = "svg", help_heading = "Files")]
    plot_format: Format,

    /// Samples per second, a whole number from 8000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", allow_hyphen_values = true, help_heading = "Sound")]
    rate: Option<String>,

    /// Compute at this multiple of the rate and filter down
    #[arg(long, default_value = "1", value_parser = ["1", "2", "4", "8"], help_heading = "Sound")]
    oversample: String,

    /// Length of the sound, in s [default: the scene's; with --midi, 3 s after the last event]
    #[arg(long, value_name = "S", allow_hyphen_values = true, help_heading = "Sound")]
    duration: Option<String>,

    /// Continue until the sound is 60 dB below its peak, for at most this many s [10 if no number is given]
    #[arg(
        long,
        value_name = "S",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10",
        help_heading = "Sound"
    )]
    tail: Option<String>,

    /// Gain in dB
    #[arg(long, value_name = "DB", allow_hyphen_values = true, help_heading = "Sound")]
    gain: Option<String>,

    /// Bring the peak to this level in dB relative to full scale, 0 or below [-1 if no number is given]
    #[arg(
        long,
        value_name = "DB",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "-1",
        conflicts_with = "gain",
        help_heading = "Sound"
    )]
    normalize: Option<String>,

    /// Play this MIDI file instead of the scene's events
    #[arg(long, value_name = "FILE", help_heading = "Scene")]
    midi: Option<PathBuf>,

    /// Set a control or any other value of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", help_heading = "Scene")]
    changes: Vec<String>,

    /// Seed of the random numbers [default: the scene's]
    #[arg(long, value_name = "N", help_heading = "Scene")]
    seed: Option<u64>,

    /// Render this many variations (1 to 1000) into the folder of -o: each has a seed of its own, counted up from the scene's or from --seed, and
    /// draws anew what is random. A table tells what was drawn
    #[arg(long, value_name = "N", requires = "output", conflicts_with = "midi", help_heading = "Scene")]
    variations: Option<String>,

    /// Write variations into a folder that is not empty
    #[arg(long, requires = "variations", help_heading = "Files")]
    force: bool,

    /// Do not keep the energy account; renders up to 15 % faster
    #[arg(long, help_heading = "Scene")]
    no_account: bool,
}

/// Renders the scenes.
pub fn execute(args: &Args) -> Result<(), Error> {
    let mut folders = Folders::default();
    let plans = plan::plans(args, &mut folders)?;
    let bars = MultiProgress::new();
    let done: Vec<Result<String, Error>> = plans.par_iter().map(|plan| render(plan, &bars)).collect();
    let mut errors = Vec::new();
    for done in done {
        match done {
            // The sound has standard output for itself.
            Ok(summary) if args.output.as_deref().is_some_and(is_standard_output) => table::print_aside(&summary),
            Ok(summary) => table::print(&summary)?,
            Err(error) => errors.push(error),
        }
    }
    Error::all(errors)?;
    variations::tables(args, &plans)
}

/// Renders one scene: plays it, measures it, writes its files. Returns what to tell the user.
fn render(plan: &Plan, bars: &MultiProgress) -> Result<String, Error> {
    let bar = bars.add(progress(plan));
    let take = play::play(plan, &bar);
    bar.finish_and_clear();
    let take = take?;
    let measured = report::Measured::of(plan, &take)?;
    // Everything is on the disk before anything gets its name.
    let pictures = pictures::stage(plan, &take, measured.peak)?;
    let warnings = summary::warnings(plan, &take, &measured);
    let report = report::stage(plan, &take, &measured, &warnings)?;
    let stage = |path: &Path, sound: &Sound| sound::stage("-o", path, sound, plan.depth, plan.scene.seed);
    let mut files = vec![stage(&plan.output, &take.sound)?];
    for (number, path) in plan.stems.iter().enumerate() {
        files.push(stage(path, &take.sound.part((1 + number) * usize::from(plan.extent.channels)))?);
    }
    files.extend(report);
    together::keep(files, pictures)?;
    summary::warn(plan, &warnings);
    Ok(summary::text(plan, &take, &measured))
}

/// A bar with the time left; it shows on terminals only.
fn progress(plan: &Plan) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix:20!} {wide_bar} {percent:>3} %  {eta} left");
    let bar = ProgressBar::new(plan.extent.frames as u64).with_prefix(plan.name.clone());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
