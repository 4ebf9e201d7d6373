//! The engine: a built model, stepped sample by sample.
//!
//! Objects that cannot feel each other take turns of many samples (`cluster.rs`); `turn.rs` has the step. All memory was taken when
//! the model was built: stepping and changing parameters neither allocate, lock, fail nor panic.

use fearless_simd::{Level, dispatch};

use crate::cluster::{Cluster, Clusters, TURN};
use crate::coupling::Coupling;
use crate::id::{ContactId, ObjectId};
use crate::island::Islands;
use crate::ledger::{Balance, Ledger};
use crate::link::Link;
use crate::objects::{Bodies, Terminal};
use crate::pickups::Listener;
use crate::probe::ContactLog;
use crate::quarantine::Breakdown;
use crate::rest::Rest;
use crate::turn::Turn;

/// Samples between two looks at surfaces that a new law has moved.
const RESTORING: u64 = 32;

/// Samples between two looks for values too small to matter, which some processors compute with slowly. They are counted
/// from the start, not from the block, so that a render equals a performance.
const QUIETENING: u64 = 256;

/// A model at work. A clone goes on as the original does, bit for bit.
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) rate: f64,
    pub(crate) level: Level,
    pub(crate) bodies: Bodies,
    pub(crate) links: Vec<Link>,
    pub(crate) coupling: Coupling,
    pub(crate) clusters: Clusters,
    /// Whether a point has moved since the islands were found.
    pub(crate) islands_stale: bool,
    /// Whether surfaces are not where they belong since a law was changed.
    pub(crate) surfaces_shifted: bool,
    pub(crate) islands: Islands,
    pub(crate) rest: Rest,
    pub(crate) drives: Vec<Drive>,
    pub(crate) listeners: Vec<Listener>,
    /// Gain of each pickup in each channel, pickup by pickup.
    pub(crate) gains: Vec<f64>,
    pub(crate) channels: usize,
    /// What each pickup heard in the turn under way, [`TURN`] samples of each.
    pub(crate) heard: Vec<f64>,
    /// What was heard in it in all, interleaved.
    pub(crate) mix: Vec<f64>,
    pub(crate) ledger: Ledger,
    pub(crate) keeps_account: bool,
    pub(crate) contacts: ContactLog,
    pub(crate) breakdown: Option<Breakdown>,
    pub(crate) names: Names,
    /// Samples stepped since the start.
    pub(crate) time: u64,
}

/// Names of what was built, in the order of the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub objects: Vec<String>,
    pub interactions: Vec<String>,
    pub forces: Vec<String>,
    /// First link of each interaction, and the number of links in all.
    pub first_links: Vec<usize>,
}

/// A force from outside at work.
#[derive(Clone, Debug)]
pub(crate) struct Drive {
    pub at: Terminal,
    pub level: f64,
    pub signal: Option<Vec<f64>>,
    /// Next sample of the signal; past its end when it is not playing.
    pub position: usize,
    /// What was pushed in the step under way, in N.
    pub force: f64,
}

/// An engine can be built on one thread and played on another.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Engine>();
};

impl Engine {
    /// Sample rate in Hz.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Number of output channels.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Samples stepped since the start.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Samples since the start in which an object had to be computed: not those in which it, and all it can touch, stood still.
    pub fn samples_in_motion(&self, object: ObjectId) -> Option<u64> {
        let body = self.bodies.id(object.index())?;
        self.clusters.all.iter().find(|cluster| cluster.bodies.contains(&body)).map(|cluster| cluster.stepped)
    }

    /// Fills a block of interleaved samples: `block.len() / channels` steps. Fit for the audio thread.
    pub fn process(&mut self, block: &mut [f64]) {
        self.process_as(block, |heard| heard);
    }

    /// The same for hosts that work in single precision.
    pub fn process_f32(&mut self, block: &mut [f32]) {
        self.process_as(block, |heard| heard as f32);
    }

    fn process_as<T>(&mut self, block: &mut [T], convert: impl Fn(f64) -> T) {
        let channels = self.channels.max(1);
        let mut rest = block;
        while rest.len() >= channels {
            let samples = self.take_turns(rest.len() / channels);
            let (heard, later) = rest.split_at_mut(samples * channels);
            heard.iter_mut().zip(&self.mix).for_each(|(sample, heard)| *sample = convert(*heard));
            rest = later;
        }
    }

    /// Steps without listening, for `samples` samples.
    pub fn advance(&mut self, samples: usize) {
        let mut done = 0;
        while done < samples {
            done += self.take_turns(samples - done);
        }
    }

    /// Lets every cluster run the same number of samples, at most `most`; returns how many.
    fn take_turns(&mut self, most: usize) -> usize {
        self.look_for_rest();
        if self.islands_stale {
            self.find_islands();
        }
        self.restore_surfaces();
        let until_quietening = QUIETENING - self.time % QUIETENING;
        let until_restoring = if self.surfaces_shifted { RESTORING - self.time % RESTORING } else { u64::MAX };
        let samples = (most.min(TURN) as u64).min(until_quietening).min(until_restoring) as usize;
        self.mix[..samples * self.channels].fill(0.0);
        let barriers_move = self.bodies.barriers_move;
        if barriers_move {
            self.bodies.barriers.iter_mut().for_each(|barrier| barrier.mark());
        }
        // Lent as a whole: one by one they would be written to, which many small clusters feel.
        let mut clusters = std::mem::take(&mut self.clusters.all);
        for cluster in &mut clusters {
            if cluster.asleep {
                self.stand_still(cluster, samples);
                continue;
            }
            if barriers_move {
                self.bodies.rewind(&cluster.bodies);
            }
            cluster.stepped += samples as u64;
            let sounds = self.run(cluster, samples);
            self.guard(cluster, samples, sounds);
        }
        if barriers_move {
            self.bodies.barriers.iter_mut().for_each(|barrier| barrier.catch_up(samples));
        }
        self.clusters.all = clusters;
        self.time += samples as u64;
        if self.time.is_multiple_of(QUIETENING) {
            self.bodies.for_each(|body| body.quieten());
        }
        samples
    }

    /// Puts surfaces back that a new law has moved, where they are free; at samples that do not depend on the length of blocks.
    fn restore_surfaces(&mut self) {
        if self.surfaces_shifted && self.time.is_multiple_of(RESTORING) {
            let shifted = self.links.iter_mut().fold(false, |shifted, link| link.restore_surface() | shifted);
            self.surfaces_shifted = shifted;
        }
    }

    /// Adds what a cluster that stands still is heard with: pickups that hear velocity, nothing.
    fn stand_still(&mut self, cluster: &Cluster, samples: usize) {
        let Self { bodies, links, listeners, gains, mix, channels, .. } = self;
        for &index in &cluster.listeners {
            let level = listeners[index].hear_still(bodies, links);
            if level != 0.0 {
                let gains = &gains[index * *channels..][..*channels];
                for mix in mix[..samples * *channels].chunks_exact_mut((*channels).max(1)) {
                    mix.iter_mut().zip(gains).for_each(|(mix, gain)| *mix += gain * level);
                }
            }
        }
    }

    /// Runs one cluster for some samples; returns whether all that its pickups have heard were numbers.
    fn run(&mut self, cluster: &Cluster, samples: usize) -> bool {
        let Self { bodies, links, coupling, islands, drives, listeners, gains, heard, mix, ledger, contacts, .. } =
            self;
        let (rate, level, channels) = (self.rate, self.level, self.channels);
        let keeps_account = self.keeps_account;
        let turn = Turn {
            cluster,
            rate,
            links,
            coupling,
            islands,
            drives,
            listeners,
            gains,
            channels,
            heard,
            mix,
            ledger,
            keeps_account,
            contacts,
            start: self.time,
            samples,
        };
        dispatch!(level, simd => turn.run(simd, bodies))
    }

    /// Keeps the energy account from here on, or not. It costs about as much as stepping the objects; without it,
    /// [`balance`](Self::balance) knows what is stored but not what objects have lost.
    pub fn keep_account_of_energy(&mut self, keep: bool) {
        self.keeps_account = keep;
        self.restart_account();
    }

    /// Counts energies from here on.
    pub(crate) fn restart_account(&mut self) {
        self.ledger = Ledger { initial: self.stored_energy(), ..Ledger::default() };
    }

    /// Energy stored in all objects and interactions, in J.
    pub fn stored_energy(&self) -> f64 {
        stored_energy(&self.bodies, &self.links)
    }

    /// The energy account.
    pub fn balance(&self) -> Balance {
        self.ledger.balance(self.stored_energy())
    }

    pub(crate) fn links_of(&self, contact: ContactId) -> Option<&[Link]> {
        let range = self.link_range(contact)?;
        self.links.get(range)
    }

    pub(crate) fn link_range(&self, contact: ContactId) -> Option<std::ops::Range<usize>> {
        let first = &self.names.first_links;
        Some(*first.get(contact.index())?..*first.get(contact.index() + 1)?)
    }

    /// Finds anew which contacts feel each other.
    pub(crate) fn find_islands(&mut self) {
        self.coupling.update(&self.links, &self.bodies);
        self.clusters.update(&self.coupling);
        self.islands_stale = false;
    }

    /// Puts everything back to how it was built. Parameters that were changed stay changed.
    pub fn reset(&mut self) {
        self.time = 0;
        self.wake_all();
        self.clusters.all.iter_mut().for_each(|cluster| cluster.stepped = 0);
        self.bodies.for_each(|body| body.reset());
        for link in &mut self.links {
            link.reset(&self.bodies);
        }
        for drive in &mut self.drives {
            (drive.position, drive.force) = (usize::MAX, 0.0);
        }
        self.find_islands();
        self.contacts.clear();
        self.breakdown = None;
        self.restart_account();
    }
}

/// Energy in J of objects and contacts.
pub(crate) fn stored_energy(bodies: &Bodies, links: &[Link]) -> f64 {
    let objects: f64 = bodies.iter().map(|body| body.stored_energy()).sum();
    let contacts: f64 = links.iter().map(|link| link.state.energy()).sum();
    objects + contacts
}
