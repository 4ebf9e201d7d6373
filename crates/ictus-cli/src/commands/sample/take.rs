//! One sample played, cut and written.

use ictus_scene::scene::Output;
use ictus_scene::{Instrument, Scene};

use super::plan::{Plan, Take};
use crate::error::Error;
use crate::sinks::sound::{Depth, Sound};
use crate::sinks::{Spool, WholeDirectory, flac, wav};
use ictus_scene::notes::key_name;

/// Frames computed at a time.
const BLOCK: usize = 1024;
/// A sound is over where this much of its peak is left: 72 dB below.
const OVER: f64 = 2.5e-4;
/// It begins where this much of its peak is reached first: 80 dB below.
const BEGUN: f64 = 1e-4;
/// Time in s before that which is kept, and over which it fades in.
const BEFORE: f64 = 1e-3;
/// Time in s over which it fades at the end.
const FADE: f64 = 0.02;
/// Time in s over which the level of a tail is looked at.
const LEVEL_TIME: f64 = 0.05;
/// The peak of the hardest strokes without a gain of the user's: -1 dB.
const PEAK: f64 = 0.891_250_938;
/// Time in s after a stroke within which its peak lies.
const ATTACK: f64 = 0.5;

/// The instrument for a turn of the round robin, at rest.
pub struct Stand {
    instrument: Instrument,
    seed: u64,
    /// Whether what plays the keys goes on for as long as they are held.
    goes_on: bool,
    /// Whether a finger comes down when a key comes up.
    is_damped: bool,
}

/// A sample that was written.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What it is of.
    pub take: Take,
    /// Keys for which it is played.
    pub zone: [u8; 2],
    /// MIDI velocities for which it is played.
    pub velocities: [u8; 2],
    /// Its file.
    pub file: String,
    /// Its seed.
    pub seed: u64,
    /// Frames of it.
    pub frames: usize,
    /// Samples per second.
    pub rate: u32,
    /// Largest magnitude; 1 is full scale.
    pub peak: f64,
}

impl Sample {
    /// How long it is.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / f64::from(self.rate)
    }
}

impl Stand {
    /// Builds the instrument of a turn.
    pub fn of(plan: &Plan, scene: &Scene) -> Result<Self, Error> {
        let instrument = Instrument::new(scene).map_err(|error| Error::Input(format!("{}: {error}", plan.name)))?;
        let voices = scene.notes.iter().flat_map(|map| &map.voices);
        let (mut goes_on, mut is_damped) = (false, false);
        for voice in voices {
            goes_on |= scene.exciters[voice.exciter.index()].tool.info().goes_on;
            is_damped |= voice.damper.is_some();
        }
        Ok(Self { instrument, seed: scene.seed, goes_on, is_damped })
    }

    /// Plays a key for some frames, and then, if there is a tail, until it has died away: interleaved samples.
    fn play(&self, plan: &Plan, key: u8, velocity: f64, [held, tail]: [usize; 2]) -> Result<Vec<f64>, Error> {
        let channels = usize::from(plan.channels);
        let mut instrument = self.instrument.clone();
        instrument.note_on(key, velocity);
        let mut heard: Vec<f64> = Vec::new();
        let mut peak = 0.0f64;
        let recent = (LEVEL_TIME * f64::from(plan.rate)) as usize * channels;
        let mut is_held = true;
        while heard.len() < held * channels
            || (heard.len() < (held + tail) * channels && rings_on(&heard, recent, peak))
        {
            if is_held && self.goes_on && heard.len() >= held * channels {
                instrument.note_off(key);
                is_held = false;
            }
            let place = heard.len();
            let left = if heard.len() < held * channels { held - place / channels } else { BLOCK };
            heard.resize(place + BLOCK.min(left) * channels, 0.0);
            instrument.process(&mut heard[place..]);
            peak = largest(&heard[place..]).max(peak);
        }
        if instrument.breakdowns() > 0 || heard.iter().any(|sample| !sample.is_finite()) {
            let reason = format!("{} at velocity {velocity:.2} left the numbers", key_name(key));
            return Err(Error::Run { scene: plan.name.clone(), reason });
        }
        heard.truncate((held + tail) * channels);
        Ok(heard)
    }

    /// Plays and writes a sample; nothing if it is silent.
    pub fn sample(
        &self,
        plan: &Plan,
        take: &Take,
        gain: f64,
        folder: &WholeDirectory,
    ) -> Result<Option<Sample>, Error> {
        let velocities = plan.layers[take.layer];
        let heard = self.play(plan, take.key, f64::from(velocities[1]) / 127.0, plan.frames)?;
        let channels = usize::from(plan.channels);
        let Some(heard) = cut(heard, channels, f64::from(plan.rate)) else { return Ok(None) };
        let file = take.file(plan);
        let path = plan.folder.join(&file);
        let mut spool = Spool::beside(std::path::Path::new(""));
        spool.push(&heard).map_err(|source| Error::write("-o", &path, source))?;
        let frames = heard.len() / channels;
        let output = Output { fade: FADE, ..Output::default() };
        let mut sound = Sound::new(plan.rate, plan.channels, frames, output, &path, spool);
        sound.gain = gain;
        sound.root = Some(take.key);
        folder.put(&file, &encoded(&sound, &path, plan.depth, &plan.ending, self.seed)?)?;
        let peak = gain * largest(&heard);
        let (zone, seed, rate) = (plan.zone(take.key), self.seed, plan.rate);
        Ok(Some(Sample { take: *take, zone, velocities, file, seed, frames, rate, peak }))
    }
}

/// Whether the last samples are still to be heard beside the peak.
fn rings_on(heard: &[f64], recent: usize, peak: f64) -> bool {
    largest(&heard[heard.len().saturating_sub(recent)..]) > OVER * peak
}

/// Largest magnitude of some samples.
fn largest(samples: &[f64]) -> f64 {
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

/// A sound from its stroke to where it has died away, faded in over what is left before the stroke; nothing of silence.
fn cut(mut heard: Vec<f64>, channels: usize, rate: f64) -> Option<Vec<f64>> {
    let peak = largest(&heard);
    let first = heard.iter().position(|sample| sample.abs() > BEGUN * peak)? / channels;
    let last = heard.iter().rposition(|sample| sample.abs() > OVER * peak)? / channels;
    // Room for the fade, so that what is above the threshold is left as it is.
    let end = (last + 1 + (FADE * rate) as usize).min(heard.len() / channels);
    heard.truncate(end * channels);
    let before = (BEFORE * rate) as usize;
    let start = first.saturating_sub(before);
    heard.drain(..start * channels);
    let rise = first - start;
    if start > 0 {
        for (frame, samples) in heard.chunks_exact_mut(channels).take(rise).enumerate() {
            samples.iter_mut().for_each(|sample| *sample *= frame as f64 / rise as f64);
        }
    }
    Some(heard)
}

fn encoded(sound: &Sound, path: &std::path::Path, depth: Depth, ending: &str, seed: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let put = |part: &[u8]| {
        bytes.extend_from_slice(part);
        Ok(())
    };
    if ending == "flac" {
        let head = flac::encode(sound, path, depth, seed, put)?;
        bytes[..head.len()].copy_from_slice(&head);
    } else {
        wav::encode(sound, depth, seed, put)?;
    }
    Ok(bytes)
}

/// The gain with which the hardest strokes of all keys peak at -1 dB; 1 for silence.
pub fn common_gain(plan: &Plan, stands: &[Stand]) -> Result<f64, Error> {
    use rayon::prelude::*;
    let attack = |stand: &Stand| {
        let attack = (ATTACK * f64::from(plan.rate)) as usize;
        if stand.goes_on { plan.frames[0] } else { plan.frames[0].min(attack) }
    };
    let pairs: Vec<(&Stand, u8)> =
        stands.iter().flat_map(|stand| plan.keys.iter().map(move |key| (stand, *key))).collect();
    let peaks: Vec<f64> = pairs
        .par_iter()
        .map(|(stand, key)| stand.play(plan, *key, 1.0, [attack(stand), 0]).map(|heard| largest(&heard)))
        .collect::<Result<_, _>>()?;
    let peak = peaks.into_iter().fold(0.0, f64::max);
    Ok(if peak > 0.0 { PEAK / peak } else { 1.0 })
}

/// Time in s in which a damped note falls by 60 dB when its key comes up; nothing where nothing damps.
pub fn release(plan: &Plan, stand: &Stand) -> Result<Option<f64>, Error> {
    if !stand.is_damped && !stand.goes_on {
        return Ok(None);
    }
    let key = plan.keys[plan.keys.len() / 2];
    let (channels, rate) = (usize::from(plan.channels), f64::from(plan.rate));
    let mut instrument = stand.instrument.clone();
    instrument.note_on(key, 1.0);
    let mut block = vec![0.0; (LEVEL_TIME * rate) as usize * channels];
    for _ in 0..(ATTACK / LEVEL_TIME) as usize {
        instrument.process(&mut block);
    }
    let before = largest(&block);
    instrument.note_off(key);
    const LONGEST: f64 = 5.0;
    for number in 1..(LONGEST / LEVEL_TIME) as usize {
        instrument.process(&mut block);
        if largest(&block) <= 1e-3 * before {
            return Ok(Some(number as f64 * LEVEL_TIME));
        }
    }
    Ok(Some(LONGEST))
}
