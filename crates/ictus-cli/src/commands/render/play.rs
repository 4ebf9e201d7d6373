//! Plays a scene to its end and keeps what was heard and what happened.

use ictus::ledger::Balance;
use ictus_analysis::Decimator;
use ictus_scene::Instrument;
use ictus_scene::scene::{Exciter, Scene, Tool};
use indicatif::ProgressBar;

use super::contacts::Contacts;
use super::forces::Forces;
use super::plan::{Level, Plan};
use crate::error::Error;
use crate::sinks::sound::Sound;
use crate::stopwatch::Stopwatch;

/// Frames played at a time.
const BLOCK: usize = 1024;
/// Time in s over which the level of a tail is looked at: half a period of the lowest sound.
const LEVEL_TIME: f64 = 0.05;
/// The tail ends at this part of the peak: 60 dB below.
const INAUDIBLE: f64 = 1e-3;
/// Points of the energies' curves.
const ENERGY_POINTS: usize = 400;

/// What came of playing a scene.
pub struct Take {
    /// The sound, faded and at its level.
    pub sound: Sound,
    /// Factor it was amplified by.
    pub gain: f64,
    /// The energy account at the end, if it was kept.
    pub energy: Option<Account>,
    /// The account over time, if pictures are wanted.
    pub energies: Vec<Account>,
    /// What touched what.
    pub contacts: Contacts,
    /// Forces over time, if pictures are wanted.
    pub forces: Option<Forces>,
    /// Time of the processor in s it took to compute.
    pub seconds: f64,
}

/// The energy account at a time.
pub struct Account {
    /// Time in s.
    pub time: f64,
    pub balance: Balance,
    /// Energy in J of what is stored that hammers have, which fly on when they have struck.
    pub hammers: f64,
}

impl Account {
    fn of(instrument: &Instrument, scene: &Scene) -> Self {
        let engine = instrument.engine();
        let energy = |exciter: &Exciter| match exciter.tool {
            Tool::Hammer { mass, .. } => engine.object_energy(mass).unwrap_or(0.0),
            _ => 0.0,
        };
        let hammers = scene.exciters.iter().map(energy).sum();
        Self { time: instrument.time(), balance: engine.balance(), hammers }
    }
}

/// Plays a scene as planned.
pub fn play(plan: &Plan, bar: &ProgressBar) -> Result<Take, Error> {
    let scene = &plan.scene;
    let run = |reason: String| Error::Run { scene: plan.name.clone(), reason };
    let mut instrument = Instrument::new(scene).map_err(|error| Error::Input(format!("{}: {error}", plan.name)))?;
    instrument.keep_account_of_energy(plan.account);
    let channels = usize::from(plan.extent.channels);
    let longest = plan.extent.frames + plan.extent.tail;
    let mut decimator = match plan.oversample {
        1 => None,
        factor => Some(Decimator::new(factor, channels).map_err(|error| run(error.to_string()))?),
    };
    let steps = longest as f64 * plan.oversample as f64;
    let mut forces = plan.plot.as_ref().map(|_| Forces::new(scene.model.interactions.len(), scene.model.rate, steps));
    let mut contacts = Contacts::default();
    let follows_energies = plan.plot.is_some() && plan.account;
    let mut energies = if follows_energies { vec![Account::of(&instrument, scene)] } else { Vec::new() };
    let mut samples: Vec<f64> = Vec::new();
    let mut block = vec![0.0; BLOCK * channels];

    let mut peak = 0.0;
    let watch = Stopwatch::start();
    while samples.len() < plan.extent.frames * channels || rings_on(&samples, peak, plan) {
        let before = samples.len();
        let fill = |block: &mut [f64]| match &mut forces {
            None => instrument.process(block),
            // Sample by sample: whatever the blocks, the samples are the same.
            Some(forces) => block.chunks_exact_mut(channels).for_each(|frame| {
                instrument.process(frame);
                forces.look_at(instrument.engine());
            }),
        };
        match &mut decimator {
            None => {
                let mut fill = fill;
                fill(&mut block);
                samples.extend_from_slice(&block);
            }
            Some(decimator) => decimator.pull(fill, &mut samples).map_err(|error| run(error.to_string()))?,
        }
        peak = largest(&samples[before..]).max(peak);
        contacts.collect(&mut instrument);
        let next_point = energies.len() as f64 * longest as f64 / ENERGY_POINTS as f64;
        if follows_energies && (samples.len() / channels) as f64 >= next_point {
            energies.push(Account::of(&instrument, scene));
        }
        bar.set_position((samples.len() / channels) as u64);
    }
    let seconds = watch.elapsed().as_secs_f64();
    let is_sound = samples.iter().all(|sample| sample.is_finite()) && instrument.engine().balance().is_finite();
    if instrument.breakdowns() > 0 || !is_sound {
        return Err(run("its values grow beyond what numbers can hold".to_owned()));
    }

    let frames = if plan.extent.tail == 0 { plan.extent.frames } else { (samples.len() / channels).min(longest) };
    samples.truncate(frames * channels);
    let mut sound = Sound { rate: plan.extent.rate, channels: plan.extent.channels, samples };
    fade(&mut sound, scene.output.fade);
    let gain = factor(plan.level, sound.peak());
    sound.samples.iter_mut().for_each(|sample| *sample *= gain);
    let energy = plan.account.then(|| Account::of(&instrument, scene));
    Ok(Take { sound, gain, energy, energies, contacts, forces, seconds })
}

/// Whether the sound after its given length is still to be heard, and the tail may go on.
fn rings_on(samples: &[f64], peak: f64, plan: &Plan) -> bool {
    let channels = usize::from(plan.extent.channels);
    let frames = samples.len() / channels;
    if frames >= plan.extent.frames + plan.extent.tail {
        return false;
    }
    let recent = ((LEVEL_TIME * f64::from(plan.extent.rate)) as usize).min(frames) * channels;
    largest(&samples[samples.len() - recent..]) > INAUDIBLE * peak
}

/// Largest magnitude of some samples.
fn largest(samples: &[f64]) -> f64 {
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

/// Lets the last `seconds` go to silence along half a cosine.
fn fade(sound: &mut Sound, seconds: f64) {
    let channels = usize::from(sound.channels);
    let length = ((seconds * f64::from(sound.rate)).round() as usize).min(sound.frames());
    for (from_end, frame) in sound.samples.chunks_exact_mut(channels).rev().take(length).enumerate() {
        let weight = 0.5 - 0.5 * (std::f64::consts::PI * from_end as f64 / length as f64).cos();
        frame.iter_mut().for_each(|sample| *sample *= weight);
    }
}

/// The factor that brings a sound of this peak to its level. Silence stays what it is.
fn factor(level: Level, peak: f64) -> f64 {
    let amplitude = |decibels: f64| 10f64.powf(decibels / 20.0);
    match level {
        Level::Gain(decibels) => amplitude(decibels),
        Level::Peak(decibels) if peak > 0.0 => amplitude(decibels) / peak,
        Level::Peak(_) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fade_ends_in_silence_and_leaves_what_is_before_it() {
        let mut sound = Sound { rate: 1000, channels: 2, samples: vec![1.0; 200] };
        fade(&mut sound, 0.02);
        assert!(sound.samples[..160].iter().all(|&sample| sample == 1.0));
        assert!(sound.samples[160..].windows(3).all(|frames| frames[0] >= frames[2]));
        assert_eq!(sound.samples[198..], [0.0, 0.0]);
    }

    #[test]
    fn the_level_is_a_gain_or_a_peak() {
        assert_eq!(factor(Level::Gain(20.0), 0.3), 10.0);
        assert!((0.25 * factor(Level::Peak(-6.0), 0.25) - 0.501_187).abs() < 1e-6);
        assert_eq!(factor(Level::Peak(-6.0), 0.0), 1.0);
    }
}
