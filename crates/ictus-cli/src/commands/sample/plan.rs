//! What is to be sampled: options checked and the scene read, before anything is computed.

use std::path::{Path, PathBuf};

use ictus::math::Plain;
use ictus_render::whole_rate;
use ictus_scene::notes::{self, key_name};
use ictus_scene::{Reading, Scene};

use super::Args;
use crate::commands::render::{changes, check_folder};
use crate::error::{Error, shown};
use crate::gallery;
use crate::options::{Allowed, number, quantity};
use crate::sinks::sound::Depth;
use crate::sinks::{Named, all_distinct, flac};

/// Most files of one instrument.
const MOST_TAKES: usize = 10_000;

/// Most samples of all channels of one file, in memory while it is made: 512 MB.
const MOST_SAMPLES: f64 = (1u64 << 26) as f64;

/// Largest change of level in dB.
const MOST_DECIBELS: f64 = 300.0;

/// What is to be made.
pub struct Plan {
    /// What its files are called.
    pub name: String,
    /// Where they go.
    pub folder: PathBuf,
    /// The scene, for each turn of the round robin.
    pub scenes: Vec<Scene>,
    /// The keys that are sampled, from the lowest to the highest.
    pub keys: Vec<u8>,
    /// How many notes were asked for that the scene does not have.
    pub skipped: usize,
    /// Lowest and highest MIDI velocity of each layer, from the softest.
    pub layers: Vec<[u8; 2]>,
    /// Every file.
    pub takes: Vec<Take>,
    /// Samples per second.
    pub rate: u32,
    /// Channels of the scene.
    pub channels: u16,
    /// Frames for which a key is held, and frames after that.
    pub frames: [usize; 2],
    /// How samples are stored.
    pub depth: Depth,
    /// Ending of the sound files.
    pub ending: String,
    /// Factor of all samples, if it was given.
    pub gain: Option<f64>,
}

/// One file to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take {
    /// The key.
    pub key: u8,
    /// Number of its layer, from 0.
    pub layer: usize,
    /// Number of its turn, from 0.
    pub turn: usize,
}

impl Take {
    /// The name of its file.
    pub fn file(&self, plan: &Plan) -> String {
        let (key, layer, turn) = (key_name(self.key).replace('#', "s"), self.layer + 1, self.turn + 1);
        format!("{}-{key}-v{layer}-r{turn}.{}", plan.name, plan.ending)
    }
}

impl Plan {
    /// Endings of the files beside the samples: two instruments, and the list.
    pub const LISTS: [&str; 3] = ["sfz", "dspreset", "csv"];

    /// The name of such a file.
    pub fn list(&self, ending: &str) -> String {
        format!("{}.{ending}", self.name)
    }

    /// Refuses a folder in which a sample or a list would be put in place of the scene, or of a sound that it follows.
    fn check_files(&self, scene: &Path, sounds: &[PathBuf]) -> Result<(), Error> {
        let lists = Self::LISTS.iter().map(|ending| self.list(ending));
        let names = self.takes.iter().map(|take| take.file(self)).chain(lists);
        let paths: Vec<PathBuf> = names.map(|name| self.folder.join(name)).collect();
        let outputs: Vec<Named<'_>> = paths.iter().map(|path| ("-o", path.as_path())).collect();
        let sounds = sounds.iter().map(|path| ("`file`", path.as_path()));
        let inputs: Vec<Named<'_>> = std::iter::once(("SCENE", scene)).chain(sounds).collect();
        all_distinct(&inputs, &outputs)
    }

    /// Checks the options and reads the scene.
    pub fn of(args: &Args) -> Result<Self, Error> {
        let whole = |option, text: &str, most: f64| match number(option, text, Allowed::Between(1.0, most), "")? {
            count if count.fract() == 0.0 => Ok(count as usize),
            _ => Err(Error::option(option, text, format!("must be a whole number from 1 to {most}"))),
        };
        let layers = whole("--velocities", &args.velocities, 127.0)?;
        let turns = whole("--round-robin", &args.round_robin, 64.0)?;
        let length = quantity("--length", &args.length, Allowed::Positive, "s")?;
        let tail = args.tail.as_ref().map(|text| quantity("--tail", text, Allowed::NonNegative, "s")).transpose()?;
        let gain = args.gain.as_ref().map(|text| number("--gain", text, Allowed::Finite, "dB")).transpose()?;
        if let Some(gain) = gain.filter(|gain| gain.abs() > MOST_DECIBELS) {
            let allowed = format!("must be from -{MOST_DECIBELS} to {MOST_DECIBELS} dB");
            return Err(Error::option("--gain", Plain(gain), allowed));
        }
        if args.format == "flac" && args.bits == Depth::Float32 {
            return Err(Error::option("--bits", "32f", "a FLAC file holds integers: 16 or 24"));
        }
        check_folder("-o", &args.output, args.force)?;
        let rate = args.rate.as_ref().map(|text| number("--rate", text, Allowed::Positive, "Hz")).transpose()?;
        let gallery::Found { name, source } = gallery::find(&args.scene)?;
        let mut reading = Reading { rate, seed: args.seed, duration: None, overrides: changes(&args.changes)? };
        let read = |reading: &Reading| {
            ictus_scene::read(&source, reading).map_err(|problems| Error::Scene(Box::new(problems)))
        };
        let first = read(&reading)?;
        let rate = whole_rate(first.model.rate)
            .map_err(|allowed| Error::option("--rate", Plain(first.model.rate), allowed))?;
        let (keys, skipped) = keys(args.notes.as_deref(), &first, &name)?;
        if turns > 1 && !first.is_random() {
            let allowed = format!(
                "nothing in {} is random: all turns would be the same. Give it a range, as in mass = \"5 g ± 10 %\"",
                shown(&name)
            );
            return Err(Error::option("--round-robin", turns, allowed));
        }
        let sounds = gallery::sounds(&source, &first);
        let count = keys.len() * layers * turns;
        if count > MOST_TAKES {
            return Err(Error::Input(format!("this makes {count} samples, more than {MOST_TAKES}: use fewer notes")));
        }
        let channels = u16::try_from(first.model.pickups.first().map_or(1, |pickup| pickup.gains.len())).unwrap_or(1);
        let frames = [length, tail.unwrap_or(0.0)].map(|seconds| (seconds * f64::from(rate)).round());
        if (frames[0] + frames[1]) * f64::from(channels) > MOST_SAMPLES {
            let allowed =
                format!("a file has at most {MOST_SAMPLES} samples of all channels: use a shorter --length or --tail");
            return Err(Error::option("--length", &args.length, allowed));
        }
        if args.format == "flac"
            && (usize::from(channels) > flac::MOST_CHANNELS || f64::from(rate) > flac::HIGHEST_RATE)
        {
            let allowed =
                format!("FLAC holds {} channels at up to {} Hz: use wav", flac::MOST_CHANNELS, flac::HIGHEST_RATE);
            return Err(Error::option("--format", "flac", allowed));
        }
        let seed = first.seed;
        let mut scenes = vec![first];
        for turn in 1..turns {
            reading.seed = Some(seed.wrapping_add(turn as u64));
            scenes.push(read(&reading)?);
        }
        // The events of the scene are not played.
        scenes.iter_mut().for_each(|scene| scene.score.clear());
        let takes = keys.iter().flat_map(|key| {
            (0..layers).flat_map(move |layer| (0..turns).map(move |turn| Take { key: *key, layer, turn }))
        });
        let plan = Self {
            takes: takes.collect(),
            folder: args.output.clone(),
            layers: velocities(layers),
            frames: frames.map(|frames| frames as usize),
            depth: args.bits,
            ending: args.format.clone(),
            gain: gain.map(|gain| 10f64.powf(gain / 20.0)),
            name,
            scenes,
            keys,
            skipped,
            rate,
            channels,
        };
        plan.check_files(&args.scene, &sounds)?;
        Ok(plan)
    }

    /// The keys that a sampled key stands for: as far as half-way to its neighbours, and as far beyond the ends.
    pub fn zone(&self, key: u8) -> [u8; 2] {
        let at = self.keys.iter().position(|other| *other == key).unwrap_or(0);
        let below = at.checked_sub(1).and_then(|at| self.keys.get(at)).map(|other| key - other);
        let above = self.keys.get(at + 1).map(|other| other - key);
        // Of two equally near keys the upper one plays: a sound brought down is duller, one brought up is shorter and thinner.
        let down = below.or(above).unwrap_or(1) / 2;
        let up = (above.or(below).unwrap_or(1).max(1) - 1) / 2;
        [key.saturating_sub(down), key.saturating_add(up).min(127)]
    }
}

/// Lowest and highest velocity of each of some layers.
fn velocities(layers: usize) -> Vec<[u8; 2]> {
    (0..layers).map(|layer| [127 * layer / layers + 1, 127 * (layer + 1) / layers].map(|end| end as u8)).collect()
}

/// The keys that are asked for and that the scene has, and how many it does not have.
fn keys(asked: Option<&str>, scene: &Scene, name: &str) -> Result<(Vec<u8>, usize), Error> {
    let Some(map) = &scene.notes else {
        let what = "has no [notes]: say what a key plays, or render it with --variations";
        return Err(Error::Input(format!("{} {what}", shown(name))));
    };
    let there: Vec<u8> = map.keys().collect();
    let Some(text) = asked else { return Ok((there, 0)) };
    let wrong = |allowed: String| Error::option("--notes", text, allowed);
    let note = |name: &str| match notes::parse(name) {
        Some(note) => Ok(note.key),
        None => {
            Err(wrong(format!("{} is not a note of the keyboard; write C2..C6:3, or C2,E2,G2", shown(name.trim()))))
        }
    };
    let mut asked: Vec<u8> = match text.split_once("..") {
        Some((low, rest)) => {
            let (high, step) = rest.split_once(':').unwrap_or((rest, "1"));
            let (low, high) = (note(low)?, note(high)?);
            let step: usize = step.trim().parse().ok().filter(|step| (1..=127).contains(step)).ok_or_else(|| {
                wrong(format!("the step {} must be a whole number of semitones from 1 to 127", shown(step.trim())))
            })?;
            if low > high {
                return Err(wrong("a range of notes goes upwards".to_owned()));
            }
            (low..=high).step_by(step).collect()
        }
        None => text.split(',').map(note).collect::<Result<_, _>>()?,
    };
    asked.sort_unstable();
    asked.dedup();
    let count = asked.len();
    asked.retain(|key| there.contains(key));
    if asked.is_empty() {
        let has = match (there.first(), there.last()) {
            (Some(low), Some(high)) => format!("it has {} from {} to {}", there.len(), key_name(*low), key_name(*high)),
            _ => "it has none".to_owned(),
        };
        return Err(wrong(format!("none of these is a key of {}; {has}", shown(name))));
    }
    let skipped = count - asked.len();
    Ok((asked, skipped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_take_up_all_velocities_once() {
        for layers in [1, 2, 3, 4, 7, 127] {
            let of = velocities(layers);
            assert_eq!((of.len(), of[0][0], of[layers - 1][1]), (layers, 1, 127));
            assert!(of.windows(2).all(|two| two[0][1] + 1 == two[1][0]) && of.iter().all(|[low, high]| low <= high));
        }
    }
}
