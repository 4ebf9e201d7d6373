//! `ictus design`: which contact makes an impact that lasts, sounds and rebounds as wanted.
//!
//! The options are checked into a [`Setup`]; the answer is found by the analysis library, on a resonator or on a rigid
//! wall, and tried with the engine; the picture shows what can be had, also when the wanted cannot.

mod picture;
mod report;
mod setup;
mod unreachable;
mod verdict;
mod wall;

use std::path::PathBuf;
use std::time::Duration;

use ictus::impact::strike::Strike;
use ictus_analysis::design::{Design, DesignError, Features, LogLinearFit, Map, Setting, Work};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use self::setup::Setup;
use crate::error::Error;
use crate::figures::Figure;
use crate::sinks::WholeFile;
use crate::table;

/// Find the contact from how an impact should last, sound and rebound
///
/// A hammer strikes a resonator of three modes (those of a free bar, as in A04) or a rigid wall. Give two of --contact-time,
/// --centroid and --restitution: they fix the stiffness K and the dissipation μ of the contact. All three can be had only
/// if the mass of the hammer, or with --free exponent the exponent, is found too. On a --wall, which makes no sound, contact
/// time and restitution are met exactly, by closed forms.
///
/// Contact time and restitution are those of the first contact; the centroid is A04's: the mean, over the first 100 ms, of the
/// centroids of 1024-point spectra of the struck point's displacement. Quantities may have a unit: 2ms, 500us, 10g, 1.8kHz.
///
/// The design is tried with the engine. The table tells by how much each trial misses; if the engine at this rate misses a target
/// by more than 5 %, a warning says so.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ictus design --contact-time 2ms --centroid 1800 --mass 10g --exponent 1.5
  ictus design --contact-time 2ms --centroid 1500 --plot region.svg      with the reachable region
  ictus design --contact-time 2ms --centroid 1500 --restitution 0.6      the mass is found too
  ictus design --contact-time 0.5ms --restitution 0.8 --wall             on a rigid wall")]
pub struct Args {
    /// Time from the first touch to the first release in s, above 0
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    contact_time: Option<String>,

    /// Average spectral centroid in Hz, above 0
    #[arg(long, value_name = "HZ", allow_hyphen_values = true)]
    centroid: Option<String>,

    /// Coefficient of restitution: speed of parting over speed of meeting, above 0
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    restitution: Option<String>,

    /// Mass of the hammer in kg; where it is found, the value the search starts from
    #[arg(long, value_name = "KG", default_value = "10g", allow_hyphen_values = true)]
    mass: String,

    /// Exponent α of the contact, 1 to 5; where it is found, the value the search starts from
    #[arg(long, value_name = "ALPHA", default_value = "1.5", allow_hyphen_values = true)]
    exponent: String,

    /// Velocity of the hammer in m/s
    #[arg(long, value_name = "M/S", default_value = "1", allow_hyphen_values = true)]
    velocity: String,

    /// What is found besides K and μ when all three targets are given: mass or exponent
    #[arg(long, value_name = "WHAT", default_value = "mass")]
    free: String,

    /// Strike a rigid wall instead of the resonator
    #[arg(long)]
    wall: bool,

    /// Frequency of the resonator's lowest mode in Hz; the others are 2.76 and 5.40 times as high
    #[arg(long, value_name = "HZ", default_value = "950", allow_hyphen_values = true)]
    frequency: String,

    /// Quality of the resonator's modes
    #[arg(long, value_name = "Q", default_value = "1000", allow_hyphen_values = true)]
    quality: String,

    /// Mass of each of the resonator's modes in kg
    #[arg(long, value_name = "KG", default_value = "1g", allow_hyphen_values = true)]
    resonator_mass: String,

    /// Sample rate in Hz at which the sound is analysed and the design is tried
    #[arg(long, value_name = "HZ", default_value = "44100", allow_hyphen_values = true)]
    rate: String,

    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,

    /// Draw what can be had, and the design, to FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// A design on a resonator, and what became of it in other hands.
struct Answer {
    setting: Setting,
    design: Design,
    /// What the engine makes of it.
    engine: Option<Features>,
    /// The same at [`FINER`] times the rate.
    finer: Option<Features>,
    /// What A04's own scheme makes of it.
    am1: Option<Features>,
    /// A04's log-linear inversion of the same map, and what its contact really does.
    fitted: Option<(f64, f64, Option<Features>)>,
}

/// How much finer the engine's second trial is.
const FINER: usize = 8;

/// Finds the contact and reports.
pub fn execute(args: &Args) -> Result<(), Error> {
    let setup = Setup::from_args(args)?;
    let format = args.plot.as_deref().map(super::picture_format).transpose()?;
    let file = args.plot.as_deref().map(|path| WholeFile::create("--plot", path)).transpose()?;
    let draw = |figure: Figure| match (file, format) {
        (Some(mut file), Some(format)) => {
            file.put(&figure.render(format).map_err(Error::Draw)?)?;
            file.keep()
        }
        _ => Ok(()),
    };
    match &setup {
        Setup::Wall(wanted) => {
            let answer = wall::answer(wanted, args)?;
            draw(wall::figure(wanted, &answer))?;
            if args.json {
                super::print_json(&wall::document(&answer))?;
            } else {
                table::print(&wall::text(wanted, &answer))?;
            }
            verdict::warn(wall::warning(wanted, &answer));
            Ok(())
        }
        Setup::Resonator(wanted) => {
            let bar = progress(&wanted.setting.work);
            let map = Map::new(wanted.setting.clone()).map_err(|error| setup::refused(&error, args))?;
            let solved = solve(wanted, &map);
            match solved {
                Err(DesignError::Unreachable) if wanted.setting.work.is_over() => {
                    Err(setup::refused(&DesignError::TooLong, args))
                }
                Ok(answer) => {
                    bar.finish_and_clear();
                    draw(picture::figure(wanted, &map, Some(&answer)))?;
                    if args.json {
                        super::print_json(&report::document(wanted, &answer))?;
                    } else {
                        table::print(&report::text(wanted, &answer))?;
                    }
                    verdict::warn(verdict::warning(wanted, &answer));
                    Ok(())
                }
                Err(DesignError::Unreachable) => {
                    draw(picture::figure(wanted, &map, None))?;
                    let explained = unreachable::explained(wanted, &map, args);
                    // What was found until then may not be true of all there is.
                    let over = wanted.setting.work.is_over();
                    Err(if over { setup::refused(&DesignError::TooLong, args) } else { explained })
                }
                Err(error) => Err(setup::refused(&error, args)),
            }
        }
    }
}

/// A bar on terminals that fills as the search comes nearer to giving up.
fn progress(work: &Work) -> ProgressBar {
    let (bar, work) = (ProgressBar::new_spinner(), work.clone());
    let part = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{:.0} %", 100.0 * work.done());
    };
    bar.enable_steady_tick(Duration::from_millis(100));
    match ProgressStyle::with_template("{spinner} searching, {elapsed}: {part} of the time there is for it") {
        Ok(style) => bar.with_style(style.with_key("part", part)),
        Err(_) => bar,
    }
}

fn solve(wanted: &setup::Struck, map: &Map) -> Result<Answer, DesignError> {
    let (setting, design) = match wanted.freedom {
        Some(freedom) => map.design_freely(freedom, &wanted.targets)?,
        None => (map.setting().clone(), map.design(&wanted.targets)?),
    };
    let strike = setting.strike(design.stiffness, design.dissipation);
    let samples = setting.samples();
    let (engine, am1) = (strike.by_engine(samples)?, strike.by_am1(samples)?);
    let finer = Strike { rate: FINER as f64 * setting.rate, ..strike }.by_engine(FINER * samples)?;
    let fitted = match (wanted.targets.contact_time, wanted.targets.centroid, wanted.freedom) {
        (Some(time), Some(centroid), None) => {
            let fit = LogLinearFit::of(map.lines().iter().flat_map(|line| &line.points));
            fit.and_then(|fit| fit.invert(time, centroid)).map(|(stiffness, dissipation)| {
                (stiffness, dissipation, setting.features(stiffness, dissipation).ok().flatten())
            })
        }
        _ => None,
    };
    Ok(Answer {
        engine: Features::of_sampled(&engine, setting.rate, 1)?,
        finer: Features::of_sampled(&finer, setting.rate, FINER)?,
        am1: Features::of_sampled(&am1, setting.rate, 1)?,
        setting,
        design,
        fitted,
    })
}
