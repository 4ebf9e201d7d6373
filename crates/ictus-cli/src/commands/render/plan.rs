//! What is to be rendered: the options and the scenes, read and checked before anything is computed.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ictus::math::Plain;
use ictus_lab::measure;
use ictus_render::{Extent, whole_rate};
use ictus_scene::{Reading, Scene};
use rayon::prelude::*;

use super::Args;
use super::pictures;
use super::piece::Piece;
use super::variations;
use crate::error::{Error, noted, told};
use crate::figures::Format;
use crate::gallery;
use crate::options::{Allowed, number, quantity};
use crate::sinks::sound::{Container, Depth};
use crate::sinks::{Folders, Named, WholeDirectory, WholeFile, all_distinct, flac, is_standard_output, wav};
use ictus::names::nearest;

/// Largest change of level, up or down: more than from the softest to the loudest that numbers of a file can hold.
const MOST_DECIBELS: f64 = 300.0;

/// One scene to be rendered.
pub struct Plan {
    /// What its files are called.
    pub name: String,
    /// The scene, read for the rate it is computed at.
    pub scene: Scene,
    /// Multiple of the rate it is computed at.
    pub oversample: usize,
    /// How much sound there will be.
    pub extent: Extent,
    /// What is done about the level.
    pub level: Level,
    /// How samples are stored.
    pub depth: Depth,
    /// The sound file.
    pub output: PathBuf,
    /// Files of what each pickup hears, if they are wanted. The scene then has channels for them behind its own.
    pub stems: Vec<PathBuf>,
    /// The sounds that its signals were read from.
    pub sounds: Vec<PathBuf>,
    /// The report, if there is to be one.
    pub report: Option<PathBuf>,
    /// Folder and kind of pictures, if there are to be any.
    pub plot: Option<(PathBuf, Format)>,
    /// The sound that pictures show beside this one, and where it is from.
    pub compared: Option<Arc<(PathBuf, measure::Sound)>>,
    /// Whether energies are booked.
    pub account: bool,
    /// What is played in place of the scene's events, if anything.
    pub piece: Option<Piece>,
    /// What is to be known before it is heard: why it will be silent, what an option does not do.
    pub warnings: Vec<String>,
    /// The scene that it is a variation of, by the name its files would have.
    pub variation_of: Option<String>,
}

/// What is done about the level, in dB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Level {
    /// Everything is amplified by this much.
    Gain(f64),
    /// The peak is brought to this level.
    Peak(f64),
}

/// Options that are the same for all scenes.
struct Common {
    rate: Option<f64>,
    duration: Option<f64>,
    tail: f64,
    level: Level,
    oversample: usize,
    overrides: Vec<(String, String)>,
}

/// A plan for every scene, or everything that is wrong. Folders that results go into are made.
pub fn plans(args: &Args, folders: &mut Folders) -> Result<Vec<Plan>, Error> {
    let common = Common::of(args)?;
    if args.variations.is_some()
        && let Some(folder) = &args.output
    {
        variations::check_folder("-o", folder, args.force)?;
    }
    if args.output.as_deref().is_some_and(is_standard_output) {
        check_standard_output(args)?;
    }
    if are_several(args) {
        is_folder("-o", args.output.as_deref(), &Container::ENDINGS)?;
        is_folder("--report", args.report.as_deref(), &["json"])?;
    }
    let (mut plans, mut errors) = (Vec::new(), Vec::new());
    for argument in &args.scenes {
        match plans_of(args, &common, argument) {
            Ok(of_scene) => plans.extend(of_scene),
            Err(error) => errors.push(error),
        }
    }
    Error::all(errors)?;
    all_files_differ(args, &plans)?;
    if let Some(path) = &args.compare {
        let compared = Arc::new((path.clone(), crate::pictures::other(path)?));
        plans.iter_mut().for_each(|plan| plan.compared = Some(Arc::clone(&compared)));
    }
    if are_several(args) {
        for (option, folder) in [("-o", &args.output), ("--report", &args.report)] {
            if let Some(folder) = folder {
                folders.make(folder).map_err(|source| Error::write(option, folder, source))?;
            }
        }
    }
    plans.iter().try_for_each(Plan::try_files)?;
    Ok(plans)
}

impl Common {
    fn of(args: &Args) -> Result<Self, Error> {
        let optional = |option, text: &Option<String>, allowed, unit| {
            text.as_ref().map(|text| number(option, text, allowed, unit)).transpose()
        };
        let time = |option, text: &Option<String>, allowed| {
            text.as_ref().map(|text| quantity(option, text, allowed, "s")).transpose()
        };
        let rate = optional("--rate", &args.rate, Allowed::Positive, "Hz")?;
        if let Some(rate) = rate {
            whole_rate(rate).map_err(|allowed| Error::option("--rate", Plain(rate), allowed))?;
        }
        let peak = optional("--normalize", &args.normalize, Allowed::Finite, "dB")?;
        let gain = optional("--gain", &args.gain, Allowed::Finite, "dB")?;
        for (option, decibels) in [("--normalize", peak), ("--gain", gain)] {
            if let Some(decibels) = decibels.filter(|decibels| decibels.abs() > MOST_DECIBELS) {
                let allowed = format!("must be from -{MOST_DECIBELS} to {MOST_DECIBELS} dB");
                return Err(Error::option(option, Plain(decibels), allowed));
            }
        }
        if let Some(peak) = peak.filter(|peak| *peak > 0.0) {
            return Err(Error::option("--normalize", Plain(peak), "must be 0 dB or below: above it, the file clips"));
        }
        Ok(Self {
            rate,
            duration: time("--duration", &args.duration, Allowed::Positive)?,
            tail: time("--tail", &args.tail, Allowed::NonNegative)?.unwrap_or(0.0),
            level: peak.map_or(Level::Gain(gain.unwrap_or(0.0)), Level::Peak),
            oversample: args.oversample.parse().unwrap_or(1),
            overrides: changes(&args.changes)?,
        })
    }
}

/// Names and values of the changes that `--set` asks for.
pub fn changes(typed: &[String]) -> Result<Vec<(String, String)>, Error> {
    typed.iter().map(|change| split(change)).collect()
}

/// Name and value of a change.
fn split(change: &str) -> Result<(String, String), Error> {
    match change.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err(Error::option("--set", change, "must be NAME=VALUE, as in --set bow.force=\"2 N\"")),
    }
}

/// The plan of a scene, or those of its variations.
fn plans_of(args: &Args, common: &Common, argument: &Path) -> Result<Vec<Plan>, Error> {
    let found = gallery::find(argument)?;
    let Some(count) = variations::count(args)? else { return Ok(vec![plan(args, common, &found, args.seed)?]) };
    let first = plan(args, common, &found, args.seed)?;
    if !first.scene.is_random() {
        let allowed = format!(
            "nothing in {} is random: all would be the same. Give it a range, as in mass = {{ between = [\"4 g\", \"6 g\"] }}",
            crate::error::shown(&found.name)
        );
        return Err(Error::option("--variations", count, allowed));
    }
    let seeds = (0..count as u64).map(|number| first.scene.seed.wrapping_add(number)).collect::<Vec<_>>();
    let width = count.to_string().len();
    let varied = |(number, seed): (usize, &u64)| {
        let name = format!("{}-{:0width$}", found.name, number + 1);
        let found = gallery::Found { name, source: found.source.clone() };
        plan(args, common, &found, Some(*seed))
    };
    let plans: Result<Vec<Plan>, Error> = seeds.par_iter().enumerate().map(varied).collect();
    Ok(plans?.into_iter().map(|plan| Plan { variation_of: Some(found.name.clone()), ..plan }).collect())
}

fn plan(args: &Args, common: &Common, found: &gallery::Found, seed: Option<u64>) -> Result<Plan, Error> {
    let gallery::Found { name, source } = found;
    let mut reading =
        Reading { rate: common.rate, seed, duration: common.duration, overrides: common.overrides.clone() };
    let read =
        |reading: &Reading| ictus_scene::read(source, reading).map_err(|problems| Error::Scene(Box::new(problems)));
    let mut scene = read(&reading)?;
    let scene_rate = scene.model.rate;
    // Also before the scene is read a second time, for a rate that may be eight times as high.
    let extent_of = |scene: &Scene| extent(scene, &source.name, scene_rate, common.tail, args.bits);
    extent_of(&scene)?;
    if common.oversample > 1 {
        reading.rate = Some(scene_rate * common.oversample as f64);
        scene = read(&reading)?;
    }
    let piece = match &args.midi {
        Some(path) => Some(Piece::put_into(&mut scene, path, common.duration)?),
        None => None,
    };
    let output = output(args, name)?;
    // As many channels as the scene says, before the stems have theirs.
    let extent = extent_of(&scene)?;
    let silence = ictus_scene::warnings(&scene, source).into_iter().map(|warning| told(&source.name, &warning));
    let idle = ictus_scene::idle_objects(&scene, source).into_iter().map(|warning| noted(&source.name, &warning));
    let mut warnings: Vec<String> = silence.chain(idle).collect();
    // Of variations and of other people's scores nothing is known that holds for all.
    if piece.is_none() && args.variations.is_none() {
        let unheard = ictus_scene::unheard_values(&scene, source, &reading).into_iter();
        warnings.extend(unheard.map(|warning| noted(&source.name, &warning)));
    }
    warnings.extend(variations::idle_seed(args, &scene, name));
    let mut stems = Vec::new();
    if args.stems {
        let ending = output.extension().unwrap_or_default().to_string_lossy().into_owned();
        let stem = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        stems = scene.split_stems();
        stems = stems.iter().map(|pickup| format!("{stem}-{pickup}.{ending}")).collect();
        // There must be room for all of them together.
        extent_of(&scene)?;
    }
    let plan = Plan {
        warnings,
        oversample: common.oversample,
        extent,
        stems: stems.iter().map(|name| output.with_file_name(name)).collect(),
        sounds: gallery::sounds(source, &scene),
        level: common.level,
        depth: args.bits,
        report: args.report.as_ref().map(|path| beside(args, path, name, "json")),
        plot: args.plot.clone().map(|folder| (folder, args.plot_format)),
        compared: None,
        account: !args.no_account,
        piece,
        output,
        variation_of: None,
        name: name.clone(),
        scene,
    };
    plan.check_container()?;
    Ok(plan)
}

/// How much sound a scene comes to at a rate in Hz with a tail of at most so many s, in a file of that depth; or why it cannot be.
pub fn extent(scene: &Scene, name: &str, rate: f64, tail: f64, depth: Depth) -> Result<Extent, Error> {
    let samples = wav::LARGEST as f64 / f64::from(depth.bytes());
    Extent::of(scene, name, rate, tail, samples).map_err(|error| Error::Input(error.to_string()))
}

/// The sound file of a scene.
fn output(args: &Args, name: &str) -> Result<PathBuf, Error> {
    let path = match &args.output {
        None => PathBuf::from(format!("{name}.wav")),
        Some(path) => beside(args, path, name, "wav"),
    };
    if is_standard_output(&path) {
        return Ok(path);
    }
    match Container::of(&path) {
        Some(Container::Flac) if args.bits == Depth::Float32 => {
            Err(Error::option("--bits", "32f", "a FLAC file holds integers: 16 or 24"))
        }
        Some(_) => Ok(path),
        None => {
            let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
            let suggestion = nearest(&ending, Container::ENDINGS).filter(|_| !ending.is_empty());
            Err(Error::Option {
                option: "-o",
                value: path.display().to_string(),
                allowed: "must end in .wav or .flac, or be a folder".to_owned(),
                suggestion: suggestion.map(|ending| path.with_extension(ending).display().to_string()),
            })
        }
    }
}

/// Whether there will be several sounds.
fn are_several(args: &Args) -> bool {
    args.scenes.len() > 1 || args.variations.is_some()
}

/// The path itself for one scene, a file of the scene's name in that folder for several.
fn beside(args: &Args, path: &Path, name: &str, ending: &str) -> PathBuf {
    let folder = are_several(args) || path.is_dir();
    if folder { path.join(format!("{name}.{ending}")) } else { path.to_owned() }
}

/// Refuses what cannot go to standard output.
fn check_standard_output(args: &Args) -> Result<(), Error> {
    let refused = |allowed: &str| Err(Error::option("-o", "-", allowed));
    if are_several(args) {
        return refused("standard output takes one sound: give a folder");
    }
    if args.stems {
        return refused("standard output takes one sound: --stems needs a file, or a folder");
    }
    if std::io::stdout().is_terminal() {
        return refused(
            "standard output is a terminal: send it to a file or a pipe, as in ictus render SCENE -o - | aplay",
        );
    }
    Ok(())
}

/// Refuses a file for several scenes, as its ending tells.
fn is_folder(option: &'static str, path: Option<&Path>, endings: &[&str]) -> Result<(), Error> {
    let Some(path) = path.filter(|path| !path.is_dir()) else { return Ok(()) };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some(ending) if endings.iter().any(|known| ending.eq_ignore_ascii_case(known)) => Err(Error::option(
            option,
            path.display(),
            format!("must be a folder for several sounds, not a .{ending} file"),
        )),
        _ => Ok(()),
    }
}

/// Refuses results that would overwrite what they are made from, or each other.
fn all_files_differ(args: &Args, plans: &[Plan]) -> Result<(), Error> {
    let scenes = args.scenes.iter().map(|path| ("SCENE", path.as_path()));
    let sounds: Vec<PathBuf> = plans.iter().flat_map(|plan| plan.sounds.clone()).collect();
    let inputs = scenes.chain(args.midi.iter().map(|path| ("--midi", path.as_path())));
    let inputs = inputs.chain(args.compare.iter().map(|path| ("--compare", path.as_path())));
    let inputs: Vec<Named<'_>> = inputs.chain(sounds.iter().map(|path| ("`file`", path.as_path()))).collect();
    let pictures: Vec<PathBuf> = plans.iter().flat_map(Plan::pictures).collect();
    let outputs = plans.iter().flat_map(|plan| {
        let report = plan.report.iter().map(|path| ("--report", path.as_path()));
        let sounds = std::iter::once(&plan.output).chain(&plan.stems).map(|path| ("-o", path.as_path()));
        sounds.chain(report)
    });
    let tables: Vec<PathBuf> = plans.iter().filter_map(|plan| variations::table_path(args, plan)).collect();
    let mut tables: Vec<&Path> = tables.iter().map(PathBuf::as_path).collect();
    tables.dedup();
    let outputs = outputs.chain(tables.into_iter().map(|path| ("-o", path)));
    let outputs: Vec<Named<'_>> = outputs.chain(pictures.iter().map(|path| ("--plot", path.as_path()))).collect();
    all_distinct(&inputs, &outputs)
}

impl Plan {
    /// Refuses what the kind of file cannot hold.
    fn check_container(&self) -> Result<(), Error> {
        if Container::of(&self.output) == Some(Container::Flac) {
            if usize::from(self.extent.channels) > flac::MOST_CHANNELS {
                let allowed = format!("FLAC holds at most {} channels: use .wav", flac::MOST_CHANNELS);
                return Err(Error::option("-o", self.output.display(), allowed));
            }
            if f64::from(self.extent.rate) > flac::HIGHEST_RATE {
                let allowed = format!("FLAC is supported up to {} Hz: use .wav", flac::HIGHEST_RATE);
                return Err(Error::option("-o", self.output.display(), allowed));
            }
        }
        Ok(())
    }

    /// The pictures' files, those included that a scene turns out to have no use for.
    fn pictures(&self) -> Vec<PathBuf> {
        let files = |(folder, format): &(PathBuf, Format)| {
            pictures::NAMES.map(|name| folder.join(pictures::file_name(&self.name, name, *format)))
        };
        self.plot.as_ref().map(files).into_iter().flatten().collect()
    }

    /// Finds out before the work whether its result can be written.
    fn try_files(&self) -> Result<(), Error> {
        let sounds = std::iter::once(&self.output).chain(&self.stems).map(|path| ("-o", path));
        for (option, path) in sounds.chain(self.report.iter().map(|path| ("--report", path))) {
            if !is_standard_output(path) {
                drop(WholeFile::create(option, path)?);
            }
        }
        if let Some((folder, _)) = &self.plot {
            drop(WholeDirectory::create("--plot", folder)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_a_name_and_a_value() {
        assert_eq!(split("bow.force = 2 N=").ok(), Some(("bow.force".to_owned(), "2 N=".to_owned())));
        for bad in ["bow.force", "=2", " = 2", ""] {
            assert_eq!(split(bad).map_err(|error| error.exit_code()), Err(2), "{bad}");
        }
    }
}
