//! `ictus design`: which contact makes an impact that lasts, sounds and rebounds as wanted.
//!
//! The options are checked into a [`Setup`]; the answer is found by the analysis library, on a resonator or on a rigid
//! wall, and tried with the engine; the picture shows what can be had, also when the wanted cannot.

mod picture;
mod report;
mod scene;
mod wall;

use std::path::PathBuf;
use std::time::Duration;

use ictus_analysis::design::Work;
use ictus_lab::design::{self, Document, Question, Setup, struck, verdict};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::error::{self, Error};
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
/// With a SCENE, and the name of one of its contacts or hammers if it has several, that contact is designed where it is: K for one target, K and μ for
/// two, from the first time it touches as the scene is written.
///
/// The design is tried with the engine. The table tells by how much each trial misses; if the engine at this rate misses a target
/// by more than 5 %, a warning says so.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ictus design --contact-time 2ms --centroid 1800 --mass 10g --exponent 1.5
  ictus design --contact-time 2ms --centroid 1500 --plot region.svg      with the reachable region
  ictus design --contact-time 2ms --centroid 1500 --restitution 0.6      the mass is found too
  ictus design --contact-time 0.5ms --restitution 0.8 --wall             on a rigid wall
  ictus design bronze-plate felt --contact-time 6ms --restitution 0.5    the felt beater of a scene")]
pub struct Args {
    /// A scene whose own contact is designed: a file, or a name from the gallery
    #[arg(
        value_name = "SCENE",
        conflicts_with_all = ["mass", "exponent", "velocity", "free", "wall", "frequency", "quality", "resonator_mass", "rate", "plot"]
    )]
    scene: Option<PathBuf>,

    /// Its contact or hammer [default: the only one]
    #[arg(value_name = "CONTACT", requires = "scene")]
    contact: Option<String>,

    /// Set a control or any other value of the scene, such as the velocity; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "scene")]
    changes: Vec<String>,

    /// Time from the first touch to the first release in s, above 0
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    contact_time: Option<String>,

    /// Average spectral centroid in Hz, above 0
    #[arg(long, value_name = "HZ", allow_hyphen_values = true)]
    centroid: Option<String>,

    /// Coefficient of restitution: speed of parting over speed of meeting, above 0
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    restitution: Option<String>,

    /// Mass of the hammer in kg; if it is solved for, the value the search starts from
    #[arg(long, value_name = "KG", default_value = "10g", allow_hyphen_values = true)]
    mass: String,

    /// Exponent α of the contact, 1 to 5; if it is solved for, the value the search starts from
    #[arg(long, value_name = "ALPHA", default_value = "1.5", allow_hyphen_values = true)]
    exponent: String,

    /// Velocity of the hammer in m/s
    #[arg(long, value_name = "M/S", default_value = "1", allow_hyphen_values = true)]
    velocity: String,

    /// What to solve for besides K and μ when all three targets are given: mass or exponent
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

    /// Draw the reachable region and the design to FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Args {
    fn question(&self) -> Question<'_> {
        Question {
            contact_time: self.contact_time.as_deref(),
            centroid: self.centroid.as_deref(),
            restitution: self.restitution.as_deref(),
            mass: &self.mass,
            exponent: &self.exponent,
            velocity: &self.velocity,
            free: &self.free,
            wall: self.wall,
            frequency: &self.frequency,
            quality: &self.quality,
            resonator_mass: &self.resonator_mass,
            rate: &self.rate,
        }
    }
}

/// Finds the contact and reports.
pub fn execute(args: &Args) -> Result<(), Error> {
    if let Some(scene) = &args.scene {
        return scene::execute(args, scene, args.contact.as_deref());
    }
    let question = args.question();
    let setup = Setup::of(&question)?;
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
            let answer = design::wall::answer(wanted, &question)?;
            draw(wall::figure(wanted, &answer))?;
            if args.json {
                super::print_json(&design::wall::Document::of(&answer))?;
            } else {
                table::print(&wall::text(wanted, &answer))?;
            }
            answer.warning(wanted)
        }
        Setup::Resonator(wanted) => {
            let bar = progress(&wanted.setting.work);
            let map = struck::map(wanted, &question)?;
            let solved = struck::solve(wanted, &map, &question);
            bar.finish_and_clear();
            match solved {
                Ok(answer) => {
                    draw(picture::figure(wanted, &map, Some(&answer)))?;
                    if args.json {
                        super::print_json(&Document::of(wanted, &answer))?;
                    } else {
                        table::print(&report::text(wanted, &answer))?;
                    }
                    verdict::warning(wanted, &answer)
                }
                Err(refusal) => {
                    // A search that was given up has nothing to show.
                    if !wanted.setting.work.is_over() {
                        draw(picture::figure(wanted, &map, None))?;
                    }
                    return Err(refusal.into());
                }
            }
        }
    }
    .iter()
    .for_each(|sentence| error::warn(sentence));
    Ok(())
}

/// A sign on terminals that the search goes on.
fn searching() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    match ProgressStyle::with_template("{spinner} searching, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar on terminals that fills as the search comes nearer to giving up.
fn progress(work: &Work) -> ProgressBar {
    let (bar, work) = (ProgressBar::new_spinner(), work.clone());
    let part = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{:.0} %", 100.0 * work.done());
    };
    bar.enable_steady_tick(Duration::from_millis(100));
    match ProgressStyle::with_template("{spinner} searching, {elapsed}: {part} of the time limit") {
        Ok(style) => bar.with_style(style.with_key("part", part)),
        Err(_) => bar,
    }
}
