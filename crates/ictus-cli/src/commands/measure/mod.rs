//! `ictus measure`: what is in a sound.
//!
//! The measuring is in `ictus_analysis`, reading files and the document in `ictus_lab`; here are options, text and picture.

mod picture;
mod report;

use std::path::PathBuf;

use ictus_lab::measure::{Document, Question, Setup};

use crate::error::Error;
use crate::pictures;
use crate::sinks::{Named, WholeFile, all_distinct};
use crate::table;

/// Measure a sound: partials and their decays, brightness over time, attack, levels, faults
///
/// Reads WAV, FLAC, MP3 and OGG files. Partials are those of all channels together. Each has its frequency, level, harmonic number and
/// deviation in cents from that multiple of the first partial, and the time in which it falls by 60 dB, early and late: the two differ
/// where a decay has two stages. B is the inharmonicity of a stiff string, f_n = n F √(1 + B n²).
///
/// A sound with several notes is best measured note by note, with --from and --to: decays count from where a partial is loudest.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ictus measure piano.wav                        a table
  ictus measure piano.wav --from 0.1 --to 2.1    one note of it
  ictus measure piano.wav --plot measured.png    spectrum, decays, centroid, spectrogram, level
  ictus measure new.wav --plot both.png --compare old.wav
                                                 and both over each other
  ictus measure piano.flac --json                for other programs; levels in dB, 0 dB being full scale

Exit codes: 0 measured, 2 the file is no sound that can be read")]
pub struct Args {
    /// The sound: a WAV, FLAC, MP3 or OGG file
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where to begin in s
    #[arg(long, value_name = "S", default_value = "0", allow_hyphen_values = true)]
    from: String,

    /// Where to end in s [default: at the end]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    to: Option<String>,

    /// How many partials at most, the strongest
    #[arg(long, value_name = "N", default_value = "40", allow_hyphen_values = true)]
    partials: String,

    /// How far below the strongest a partial may be, in dB
    #[arg(long, value_name = "DB", default_value = "80", allow_hyphen_values = true)]
    range: String,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,

    /// Draw spectrum, decays, centroid, spectrogram and level to FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    /// Draw the sound beside this one instead: levels, spectra and spectrograms of both
    #[arg(long, value_name = "FILE", requires = "plot")]
    compare: Option<PathBuf>,
}

/// Measures and reports.
pub fn execute(args: &Args) -> Result<(), Error> {
    let question = Question { from: &args.from, to: args.to.as_deref(), partials: &args.partials, range: &args.range };
    let setup = Setup::of(&question)?;
    let format = args.plot.as_deref().map(super::picture_format).transpose()?;
    let plot: Vec<Named<'_>> = args.plot.iter().map(|path| ("--plot", path.as_path())).collect();
    let inputs = std::iter::once(("FILE", args.file.as_path()))
        .chain(args.compare.iter().map(|path| ("--compare", path.as_path())));
    all_distinct(&inputs.collect::<Vec<Named<'_>>>(), &plot)?;
    let answer = setup.file(&args.file).map_err(Error::Input)?;
    let other = args.compare.as_deref().map(pictures::other).transpose()?;
    if let (Some(path), Some(format)) = (&args.plot, format) {
        let mut file = WholeFile::create("--plot", path)?;
        let figure = match (&args.compare, &other) {
            (Some(other_path), Some(other)) => picture::compared(&args.file, &answer, other_path, other)?,
            _ => picture::figure(&args.file, &answer)?,
        };
        file.put(&figure.render(format).map_err(Error::Draw)?)?;
        file.keep()?;
    }
    if args.json { super::print_json(&Document::of(&answer)) } else { table::print(&report::text(&args.file, &answer)) }
}
