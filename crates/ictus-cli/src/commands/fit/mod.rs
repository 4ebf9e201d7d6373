//! `ictus fit`: from recorded impacts to an instrument.
//!
//! The fit is in `ictus_analysis`, the instrument and its text in `ictus_lab`; here are options, report and picture.

mod picture;
mod report;

use std::path::PathBuf;

use ictus_lab::fit::{Document, Question, Setup, Unfitted};
use ictus_scene::{Reading, Source};

use crate::error::Error;
use crate::sinks::{Named, WholeFile, all_distinct, together};
use crate::table;

/// Make an instrument of a recorded impact: its modes, its mallet, as a scene
///
/// Finds where the impact begins, the modes (frequency, decay, amplitude, phase) by sub-band ESPRIT and least squares over all of them, and the contact
/// time from how they begin. The scene sounds like the recording, and can be struck harder, elsewhere, with another mallet, bowed or
/// scraped. One microphone tells amplitudes, not masses: the scene says what was assumed.
///
/// Several recordings of one object, struck at other places or with other strengths, are fitted together: they share their modes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ictus fit bell.wav -o bell.toml                    an instrument; then: ictus render bell.toml
  ictus fit bell.wav -o bell.toml --plot bell.png    recording, fit, difference, modes
  ictus fit rim.wav centre.wav -o drum.toml          two strokes on one object
  ictus fit bell.wav --json                          for other programs; writes no scene without -o

Exit codes: 0 fitted, 1 a recording is no impact, or the modes explain less than --confidence of it, 2 a file or an option is wrong")]
pub struct Args {
    /// The recorded impact, a WAV, FLAC, MP3 or OGG file; more than one of the same object
    #[arg(value_name = "RECORDING", required = true, num_args = 1..=16)]
    files: Vec<PathBuf>,

    /// The scene to write
    #[arg(long, short, value_name = "SCENE")]
    output: Option<PathBuf>,

    /// Where to begin in each recording, in s
    #[arg(long, value_name = "S", default_value = "0", allow_hyphen_values = true)]
    from: String,

    /// Where to end, in s [default: at the end]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    to: Option<String>,

    /// How many modes at most
    #[arg(long, value_name = "N", default_value = "200", allow_hyphen_values = true)]
    modes: String,

    /// Lowest frequency of a mode in Hz
    #[arg(long, value_name = "HZ", default_value = "20", allow_hyphen_values = true)]
    lowest: String,

    /// Mass of the object in kg [default: 20 mallets for each mode, at least 1 kg]
    #[arg(long, value_name = "KG", allow_hyphen_values = true)]
    mass: Option<String>,

    /// Mass of the mallet in kg
    #[arg(long, value_name = "KG", default_value = "10 g", allow_hyphen_values = true)]
    mallet: String,

    /// Velocity of the mallet in m/s
    #[arg(long, value_name = "M/S", default_value = "1", allow_hyphen_values = true)]
    velocity: String,

    /// Exponent of the contact
    #[arg(long, value_name = "ALPHA", default_value = "1.5", allow_hyphen_values = true)]
    exponent: String,

    /// Part of its speed with which the mallet would leave a wall
    #[arg(long, value_name = "E", default_value = "0.8", allow_hyphen_values = true)]
    restitution: String,

    /// Part of the sound's power that modes must explain, 0 to 1
    #[arg(long, value_name = "PART", default_value = "0.7", allow_hyphen_values = true)]
    confidence: String,

    /// Keep what the modes leave, the noise of the stroke, as a signal of the scene
    #[arg(long)]
    residual: bool,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,

    /// Draw recording, fit, difference and modes to FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Fits, writes and reports.
pub fn execute(args: &Args) -> Result<(), Error> {
    let setup = Setup::of(&Question {
        from: &args.from,
        to: args.to.as_deref(),
        modes: &args.modes,
        lowest: &args.lowest,
        mass: args.mass.as_deref(),
        mallet: &args.mallet,
        velocity: &args.velocity,
        exponent: &args.exponent,
        restitution: &args.restitution,
        least: &args.confidence,
        residual: args.residual,
    })?;
    let format = args.plot.as_deref().map(super::picture_format).transpose()?;
    let recordings: Vec<Named<'_>> = args.files.iter().map(|path| ("RECORDING", path.as_path())).collect();
    let results = [("--output", &args.output), ("--plot", &args.plot)];
    let results: Vec<Named<'_>> =
        results.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect();
    all_distinct(&recordings, &results)?;
    let answer = setup.files(&args.files).map_err(|error| match error {
        Unfitted::File(reason) => Error::Input(reason),
        Unfitted::Recording(reason) => Error::Unfit(reason),
    })?;
    let trusted = answer.fit.confidence >= setup.least;
    // The picture shows what is wrong with a fit that is not to be trusted; the scene would hide it.
    let mut files = Vec::new();
    if let (Some(path), Some(format)) = (&args.plot, format) {
        let mut file = WholeFile::create("--plot", path)?;
        file.put(&picture::figure(&answer).render(format).map_err(Error::Draw)?)?;
        files.push(file);
    }
    if let (Some(path), true) = (&args.output, trusted) {
        let text = answer.scene();
        ictus_scene::read(&Source::new(path.display().to_string(), text.as_str()), &Reading::default()).map_err(
            |problems| Error::Unfit(format!("the modes that were found make no scene that sounds: {problems}")),
        )?;
        let mut file = WholeFile::create("--output", path)?;
        file.put(text.as_bytes())?;
        files.push(file);
    }
    together::keep(files, None)?;
    if args.json {
        super::print_json(&Document::of(&answer))?;
    } else {
        table::print(&report::text(&answer))?;
    }
    if trusted {
        return Ok(());
    }
    crate::error::warn(&format!(
        "the modes explain {:.0} % of the sound, less than the {:.0} % of --confidence: it is noise, music or no single impact{}",
        100.0 * answer.fit.confidence,
        100.0 * setup.least,
        if args.output.is_some() { "; no scene was written" } else { "" }
    ));
    Err(Error::Told(1))
}
