//! Plays a scene to its end and keeps what was heard and what happened.

use ictus::ledger::Balance;
use ictus_analysis::Decimator;
use ictus_scene::Instrument;
use ictus_scene::scene::{Exciter, Scene};
use indicatif::ProgressBar;

use super::contacts::Contacts;
use super::forces::Forces;
use super::plan::{Level, Plan};
use crate::error::Error;
use crate::sinks::Spool;
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
        let energy =
            |exciter: &Exciter| exciter.tool.thrown().and_then(|mass| engine.object_energy(mass)).unwrap_or(0.0);
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
    let mut samples = Spool::beside(&plan.output);
    let mut block = vec![0.0; BLOCK * channels];
    let mut heard = Vec::new();
    let mut level = Recent::new(plan);
    let (mut computed, mut is_sound) = (0, true);
    let watch = Stopwatch::start();
    while computed < plan.extent.frames || (computed < longest && level.rings_on()) {
        heard.clear();
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
                heard.extend_from_slice(&block);
            }
            Some(decimator) => decimator.pull(fill, &mut heard).map_err(|error| run(error.to_string()))?,
        }
        is_sound &= heard.iter().all(|sample| sample.is_finite());
        samples.push(&heard).map_err(|source| Error::write("-o", &plan.output, source))?;
        level.add(&heard);
        computed += heard.len() / channels;
        contacts.collect(&mut instrument);
        let next_point = energies.len() as f64 * longest as f64 / ENERGY_POINTS as f64;
        if follows_energies && computed as f64 >= next_point {
            energies.push(Account::of(&instrument, scene));
        }
        bar.set_position(computed as u64);
    }
    let seconds = watch.elapsed().as_secs_f64();
    if instrument.breakdowns() > 0 || !is_sound {
        let culprit = instrument.culprit().map_or(String::new(), |culprit| format!(", first those of `{culprit}`"));
        return Err(run(format!("its values grow beyond what numbers can hold{culprit}")));
    }

    let frames = if plan.extent.tail == 0 { plan.extent.frames } else { computed.min(longest) };
    let (rate, channels) = (plan.extent.rate, plan.extent.channels);
    let mut sound = Sound::new(rate, channels, frames, scene.output, &plan.output, samples);
    sound.gain = match plan.level {
        Level::Gain(decibels) => amplitude(decibels),
        Level::Peak(decibels) => normalising(decibels, sound.peak()?),
    };
    let energy = plan.account.then(|| Account::of(&instrument, scene));
    Ok(Take { sound, energy, energies, contacts, forces, seconds })
}

/// The level of what was heard last, beside the loudest there was.
struct Recent {
    samples: Vec<f64>,
    /// How many of them are looked at.
    most: usize,
    peak: f64,
}

impl Recent {
    fn new(plan: &Plan) -> Self {
        let frames = (LEVEL_TIME * f64::from(plan.extent.rate)) as usize;
        Self { samples: Vec::new(), most: frames * usize::from(plan.extent.channels), peak: 0.0 }
    }

    fn add(&mut self, heard: &[f64]) {
        self.peak = largest(heard).max(self.peak);
        self.samples.extend_from_slice(heard);
        self.samples.drain(..self.samples.len().saturating_sub(self.most));
    }

    /// Whether it is still to be heard.
    fn rings_on(&self) -> bool {
        largest(&self.samples) > INAUDIBLE * self.peak
    }
}

/// Largest magnitude of some samples.
fn largest(samples: &[f64]) -> f64 {
    samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
}

/// The factor of a level in dB.
fn amplitude(decibels: f64) -> f64 {
    10f64.powf(decibels / 20.0)
}

/// The factor that brings a sound of this peak to a level in dB. Silence stays what it is.
fn normalising(decibels: f64, peak: f64) -> f64 {
    if peak > 0.0 { amplitude(decibels) / peak } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_is_a_gain_or_a_peak() {
        assert_eq!(amplitude(20.0), 10.0);
        assert!((0.25 * normalising(-6.0, 0.25) - 0.501_187).abs() < 1e-6);
        assert_eq!(normalising(-6.0, 0.0), 1.0);
    }
}
