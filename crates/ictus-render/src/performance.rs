//! A scene played to its end, block by block.
//!
//! The engine's samples pass the decimator where the scene is computed at a multiple of the rate. Forces are looked at sample by
//! sample; whatever the blocks, the samples are the same.

use ictus::id::ObjectId;
use ictus_analysis::Decimator;
use ictus_scene::{Instrument, Scene};

use crate::account::Account;
use crate::contacts::Contacts;
use crate::error::RenderError;
use crate::extent::Extent;
use crate::forces::Forces;
use crate::stopwatch::Stopwatch;

/// Frames played at a time.
const BLOCK: usize = 1024;
/// Time in s over which the level of a tail is looked at: half a period of the lowest sound.
const LEVEL_TIME: f64 = 0.05;
/// The tail ends at this part of the peak: 60 dB below.
const INAUDIBLE: f64 = 1e-3;
/// Points of the energies' curves.
const ENERGY_POINTS: usize = 400;

/// What is watched while a scene plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Whether energies are booked; the account takes about as long as the sound.
    pub account: bool,
    /// Whether the account is also read over time.
    pub energies: bool,
    /// Whether the forces of interactions are looked at, sample by sample.
    pub forces: bool,
}

impl Watch {
    /// Only the sound and its contacts.
    pub const NOTHING: Self = Self { account: false, energies: false, forces: false };
    /// The energy account at the end.
    pub const ACCOUNT: Self = Self { account: true, ..Self::NOTHING };
    /// All there is.
    pub const EVERYTHING: Self = Self { account: true, energies: true, forces: true };
}

/// A scene at play.
pub struct Performance<'s> {
    scene: &'s Scene,
    instrument: Instrument,
    decimator: Option<Decimator>,
    extent: Extent,
    watch: Watch,
    block: Vec<f64>,
    heard: Vec<f64>,
    level: Recent,
    energies: Vec<Account>,
    contacts: Contacts,
    forces: Option<Forces>,
    computed: usize,
    is_sound: bool,
    seconds: f64,
}

/// What came of playing a scene, but for its samples.
pub struct Played {
    /// Length in samples of each channel: what was computed beyond it is no part of the sound.
    pub frames: usize,
    /// The energy account at the end, if it was kept.
    pub energy: Option<Account>,
    /// The account over time, if it was watched: at the start, at some 400 times, and at the end.
    pub energies: Vec<Account>,
    /// What touched what.
    pub contacts: Contacts,
    /// Forces over time, if they were watched.
    pub forces: Option<Forces>,
    /// Which part of the time each object had to be computed: not while it stood still.
    pub in_motion: Vec<f64>,
    /// Time of the processor in s it took to compute.
    pub seconds: f64,
}

impl<'s> Performance<'s> {
    /// A scene about to be played; it was read for `oversample` times the rate of the extent. It may have more channels than the extent: its
    /// stems, whose level does not count for the tail.
    ///
    /// # Errors
    /// The model cannot be built, or there is no filter for this multiple of the rate.
    pub fn new(scene: &'s Scene, extent: Extent, oversample: usize, watch: Watch) -> Result<Self, RenderError> {
        let mut instrument = Instrument::new(scene)?;
        instrument.keep_account_of_energy(watch.account);
        let channels = instrument.channels();
        let decimator = match oversample {
            1 => None,
            factor => Some(Decimator::new(factor, channels)?),
        };
        let steps = extent.longest() as f64 * oversample as f64;
        let forces = watch.forces.then(|| Forces::new(scene.model.interactions.len(), scene.model.rate, steps));
        let follows = watch.account && watch.energies;
        Ok(Self {
            energies: if follows { vec![Account::of(&instrument, scene)] } else { Vec::new() },
            level: Recent::new(&extent),
            block: vec![0.0; BLOCK * channels],
            heard: Vec::new(),
            contacts: Contacts::default(),
            computed: 0,
            is_sound: true,
            seconds: 0.0,
            scene,
            instrument,
            decimator,
            extent,
            watch,
            forces,
        })
    }

    /// The next samples, whole interleaved frames, neither faded nor amplified; nothing at the end. The last block may go beyond
    /// the end: see [`Played::frames`].
    ///
    /// # Errors
    /// The filter failed.
    #[expect(clippy::should_implement_trait, reason = "the block is lent, which an iterator cannot do")]
    pub fn next(&mut self) -> Result<Option<&[f64]>, RenderError> {
        let Extent { frames, .. } = self.extent;
        let longest = self.extent.longest();
        if !(self.computed < frames || (self.computed < longest && self.level.rings_on())) {
            return Ok(None);
        }
        let channels = self.instrument.channels();
        let watch = Stopwatch::start();
        self.heard.clear();
        let (instrument, forces) = (&mut self.instrument, &mut self.forces);
        let mut fill = |block: &mut [f64]| match forces {
            None => instrument.process(block),
            Some(forces) => block.chunks_exact_mut(channels).for_each(|frame| {
                instrument.process(frame);
                forces.look_at(instrument.engine());
            }),
        };
        match &mut self.decimator {
            None => {
                fill(&mut self.block);
                self.heard.extend_from_slice(&self.block);
            }
            Some(decimator) => decimator.pull(fill, &mut self.heard)?,
        }
        self.is_sound &= self.heard.iter().all(|sample| sample.is_finite());
        self.level.add(&self.heard, channels);
        self.computed += self.heard.len() / channels;
        self.contacts.collect(&mut self.instrument);
        let next_point = self.energies.len() as f64 * longest as f64 / ENERGY_POINTS as f64;
        if !self.energies.is_empty() && self.computed as f64 >= next_point {
            self.energies.push(Account::of(&self.instrument, self.scene));
        }
        self.seconds += watch.elapsed().as_secs_f64();
        Ok(Some(&self.heard))
    }

    /// Frames computed so far.
    pub fn computed(&self) -> usize {
        self.computed
    }

    /// What happened, once all is played.
    ///
    /// # Errors
    /// The simulation left the numbers: there is no sound.
    pub fn finish(mut self) -> Result<Played, RenderError> {
        if self.instrument.breakdowns() > 0 || !self.is_sound {
            return Err(RenderError::Breakdown { culprit: self.instrument.culprit().map(str::to_owned) });
        }
        let Extent { frames, tail, .. } = self.extent;
        let energy = self.watch.account.then(|| Account::of(&self.instrument, self.scene));
        if let (Some(energy), Some(last)) = (energy, self.energies.last())
            && energy.time > last.time
        {
            self.energies.push(energy);
        }
        let engine = self.instrument.engine();
        let part = |index| {
            let samples = engine.samples_in_motion(ObjectId::new(index)).unwrap_or(0);
            samples as f64 / engine.time().max(1) as f64
        };
        Ok(Played {
            in_motion: (0..self.scene.model.objects.len()).map(part).collect(),
            frames: if tail == 0 { frames } else { self.computed.min(self.extent.longest()) },
            energy,
            energies: self.energies,
            contacts: self.contacts,
            forces: self.forces,
            seconds: self.seconds,
        })
    }
}

/// The level of what was heard last, beside the loudest there was.
struct Recent {
    samples: Vec<f64>,
    /// How many of them are looked at.
    most: usize,
    /// Channels that count.
    channels: usize,
    peak: f64,
}

impl Recent {
    fn new(extent: &Extent) -> Self {
        let frames = (LEVEL_TIME * f64::from(extent.rate)) as usize;
        let channels = usize::from(extent.channels);
        Self { samples: Vec::new(), most: frames * channels, channels, peak: 0.0 }
    }

    /// Frames of so many channels, of which the first ones count.
    fn add(&mut self, heard: &[f64], stride: usize) {
        let before = self.samples.len();
        self.samples.extend(heard.chunks_exact(stride).flat_map(|frame| &frame[..self.channels]));
        self.peak = largest(&self.samples[before..]).max(self.peak);
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
