//! `ictus sample`: the notes of a scene as files for samplers, with the instrument that plays them (SFZ and Decent Sampler).
//!
//! The scene is built once for each turn of the round robin; every sample is played on a copy of it, so that only what sounds is computed.
//! One gain holds for all files: a soft stroke stays softer than a hard one.

mod instruments;
mod plan;
mod take;

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::error::{Error, shown, warn};
use crate::quantity::significant;
use crate::sinks::WholeDirectory;
use crate::sinks::sound::Depth;
use crate::table;
use plan::Plan;
use take::{Sample, Stand};

/// Make the samples of an instrument for a sampler
///
/// Writes a file for every note, velocity and turn of the round robin, with its root note, and the instrument that plays them: NAME.sfz (SFZ)
/// and NAME.dspreset (Decent Sampler). NAME.csv lists what there is. Files begin with the stroke and end where the sound is 72 dB below its
/// peak, without a loop.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ictus sample marimba -o out                                          every key, one velocity
  ictus sample marimba -o out --notes C3..C6:3 --velocities 4          every third key, four velocities
  ictus sample my.toml -o out --notes C2,G2,C3 --round-robin 3 --tail  three turns, each drawn anew; see docs/workbench.md")]
pub struct Args {
    /// Scene file, or name from the gallery; it needs `[notes]`
    #[arg(value_name = "SCENE")]
    scene: PathBuf,

    /// Folder for the samples and the instruments
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Write into a folder that is not empty
    #[arg(long)]
    force: bool,

    /// Notes: a list as in C2,E2,G2, or a range as in C2..C6, with a step in semitones as in C2..C6:3 [default: every key of the scene]
    #[arg(long, value_name = "NOTES")]
    notes: Option<String>,

    /// Layers of velocity, 1 to 127
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    velocities: String,

    /// Turns of the round robin, 1 to 64, each with the next seed: a scene with ranges draws them anew
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    round_robin: String,

    /// How long a key is held
    #[arg(long, value_name = "S", default_value = "4 s", allow_hyphen_values = true)]
    length: String,

    /// Continue until the sound is 72 dB below its peak, for at most this many s [30 if no number is given]
    #[arg(long, value_name = "S", num_args = 0..=1, require_equals = true, default_missing_value = "30")]
    tail: Option<String>,

    /// Kind of the sound files
    #[arg(long, value_name = "KIND", default_value = "wav", value_parser = ["wav", "flac"])]
    format: String,

    /// Bits per sample: 16 (dithered), 24 or 32f (floating point, WAV only)
    #[arg(long, value_enum, default_value_t = Depth::DEFAULT)]
    bits: Depth,

    /// Samples per second, a whole number from 8000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", allow_hyphen_values = true)]
    rate: Option<String>,

    /// Gain of all files in dB [default: the hardest strokes peak at -1 dB]
    #[arg(long, value_name = "DB", allow_hyphen_values = true)]
    gain: Option<String>,

    /// Set a control or any other value of the scene; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    changes: Vec<String>,

    /// Seed of the first turn [default: the scene's]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Makes the samples.
pub fn execute(args: &Args) -> Result<(), Error> {
    let plan = Plan::of(args)?;
    let folder = WholeDirectory::create("-o", &plan.folder)?;
    let stands: Vec<Stand> = plan.scenes.par_iter().map(|scene| Stand::of(&plan, scene)).collect::<Result<_, _>>()?;
    let gain = match plan.gain {
        Some(gain) => gain,
        None => take::common_gain(&plan, &stands)?,
    };
    let release = stands.first().map_or(Ok(None), |stand| take::release(&plan, stand))?;
    let bar = progress(plan.takes.len());
    let made: Vec<Option<Sample>> = plan
        .takes
        .par_iter()
        .map(|take| {
            let sample = stands[take.turn].sample(&plan, take, gain, &folder);
            bar.inc(1);
            sample
        })
        .collect::<Result<_, Error>>()?;
    bar.finish_and_clear();
    let silent = made.iter().filter(|sample| sample.is_none()).count();
    let samples: Vec<Sample> = made.into_iter().flatten().collect();
    if samples.is_empty() {
        return Err(Error::Input(format!("all samples of {} are silent", shown(&plan.name))));
    }
    let texts = [
        instruments::sfz(&plan, &samples, release),
        instruments::dspreset(&plan, &samples, release),
        instruments::listing(&samples),
    ];
    for (ending, text) in Plan::LISTS.iter().zip(texts) {
        folder.put(&plan.list(ending), text.as_bytes())?;
    }
    folder.keep()?;
    tell(&plan, &samples, silent, gain)
}

/// What is said at the end.
fn tell(plan: &Plan, samples: &[Sample], silent: usize, gain: f64) -> Result<(), Error> {
    if silent > 0 {
        warn(&format!("{}: {silent} of {} samples are silent and were left out", shown(&plan.name), plan.takes.len()));
    }
    let loudest = samples.iter().map(|sample| sample.peak).fold(0.0, f64::max);
    if loudest > 1.0 && plan.depth != Depth::Float32 {
        let excess = (200.0 * loudest.log10()).ceil() / 10.0;
        let less = (200.0 * gain.log10()).round() / 10.0 - excess;
        warn(&format!("the loudest sample clips by {excess:.1} dB: use --gain {less:.1}"));
    }
    if plan.skipped > 0 {
        warn(&format!("{} of the notes have no key in this scene and were left out", plan.skipped));
    }
    let seconds: f64 = samples.iter().map(Sample::seconds).sum();
    let folder = shown(&plan.folder.display().to_string());
    table::print(&format!(
        "{folder}  {} samples of {} notes, {} s in all\n  gain {:.1} dB, loudest {:.1} dBFS\n  {name}.sfz, {name}.dspreset, {name}.csv\n",
        samples.len(),
        plan.keys.len(),
        significant(seconds, 4),
        20.0 * gain.log10() + 0.0,
        20.0 * loudest.log10() + 0.0,
        name = plan.name,
    ))
}

/// A bar with the time left; it shows on terminals only.
fn progress(count: usize) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    match ProgressStyle::with_template("{pos:>5} of {len} {wide_bar} {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
