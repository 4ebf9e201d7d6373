//! The engine: a built model, stepped sample by sample.
//!
//! One step (`Engine::run`) reads top to bottom: every object takes its free step; forces from outside act; every contact finds
//! its force from what it would compress, alone or with those it feels, and acts back on the objects; pickups listen; the objects
//! advance. Objects that cannot feel each other take turns of many samples (see `cluster.rs`). All memory was taken when the
//! model was built: stepping and changing parameters neither allocate, lock, fail nor panic.

use fearless_simd::Level;

use crate::cluster::{Cluster, Clusters, TURN};
use crate::contact::Solved;
use crate::control::Schedule;
use crate::coupling::Coupling;
use crate::joint::Joint;
use crate::ledger::{Balance, Ledger};
use crate::link::Link;
use crate::objects::{At, Bodies, Terminal};
use crate::probe::{ContactLog, Listener};

/// Samples between two looks for values too small to matter, which some processors compute with slowly. They are counted
/// from the start, not from the block, so that a render equals a performance.
const QUIETENING: u64 = 256;

/// A model at work.
#[derive(Debug)]
pub struct Engine {
    pub(crate) rate: f64,
    pub(crate) level: Level,
    pub(crate) bodies: Bodies,
    pub(crate) links: Vec<Link>,
    pub(crate) coupling: Coupling,
    pub(crate) clusters: Clusters,
    /// Whether a point has moved since the islands were found.
    pub(crate) islands_stale: bool,
    pub(crate) joint: Joint,
    pub(crate) drives: Vec<Drive>,
    pub(crate) listeners: Vec<Listener>,
    /// Gain of each pickup in each channel, pickup by pickup.
    pub(crate) gains: Vec<f64>,
    pub(crate) channels: usize,
    /// What was heard in the turn under way, interleaved.
    pub(crate) mix: Vec<f64>,
    pub(crate) ledger: Ledger,
    pub(crate) keeps_account: bool,
    pub(crate) contacts: ContactLog,
    pub(crate) schedule: Schedule,
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

impl Drive {
    /// The force of this sample in N, moving a signal on.
    #[inline]
    fn next_force(&mut self) -> f64 {
        match &self.signal {
            None => self.level,
            Some(signal) => {
                let sample = signal.get(self.position).copied();
                self.position = self.position.saturating_add(1);
                sample.map_or(0.0, |sample| self.level * sample)
            }
        }
    }
}

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
        self.apply_due_changes();
        if self.islands_stale {
            self.find_islands();
        }
        let until_quietening = QUIETENING - self.time % QUIETENING;
        let until_change = self.schedule.next_due().map_or(u64::MAX, |due| due - self.time);
        let samples = (most.min(TURN) as u64).min(until_quietening).min(until_change) as usize;
        self.mix[..samples * self.channels].fill(0.0);
        for index in 0..self.clusters.all.len() {
            let cluster = std::mem::take(&mut self.clusters.all[index]);
            self.run(&cluster, samples);
            self.clusters.all[index] = cluster;
        }
        self.time += samples as u64;
        if self.time.is_multiple_of(QUIETENING) {
            self.bodies.for_each(|body| body.quieten());
        }
        samples
    }

    /// Runs one cluster for some samples: the step, top to bottom.
    fn run(&mut self, cluster: &Cluster, samples: usize) {
        for sample in 0..samples {
            self.free_step(cluster);
            self.push_forces(cluster);
            self.travel(cluster);
            self.step_contacts(cluster, self.time + sample as u64);
            if self.keeps_account {
                self.keep_account(cluster);
            }
            self.listen(cluster, sample);
            self.advance_bodies(cluster);
        }
    }

    #[inline]
    fn free_step(&mut self, cluster: &Cluster) {
        for &body in &cluster.bodies {
            self.bodies.free_step(body, self.level);
        }
    }

    #[inline]
    fn advance_bodies(&mut self, cluster: &Cluster) {
        for &body in &cluster.bodies {
            self.bodies.advance(body);
        }
    }

    #[inline]
    fn push_forces(&mut self, cluster: &Cluster) {
        for &index in &cluster.drives {
            let drive = &mut self.drives[index];
            drive.force = drive.next_force();
            if drive.force != 0.0 {
                self.bodies.push(&drive.at, drive.force);
            }
        }
    }

    /// Moves rough surfaces on.
    #[inline]
    fn travel(&mut self, cluster: &Cluster) {
        for &index in &cluster.rough {
            if let Some(road) = &mut self.links[index].road {
                road.travel();
            }
        }
    }

    #[inline]
    fn step_contacts(&mut self, cluster: &Cluster, time: u64) {
        let Self { links, bodies, rate, ledger, coupling, joint, contacts, .. } = self;
        for &index in &cluster.singles {
            let link = &mut links[index];
            let motion = link.motion(bodies, *rate);
            let solved = if link.acts() {
                link.contact.advance(&mut link.state, &motion)
            } else {
                Solved { step: motion.free_step, force: 0.0, dissipated: 0.0 }
            };
            let (dissipated, supplied) = link.finish(solved, bodies);
            if dissipated != 0.0 {
                ledger.dissipated.add(dissipated);
            }
            if supplied != 0.0 {
                ledger.supply(supplied);
            }
            contacts.watch(index, link, *rate, time);
        }
        for &index in &cluster.islands {
            let island = &coupling.islands[index];
            let members = &coupling.members[island.first..island.first + island.size];
            let work = joint.step(island, &coupling.matrices, members, links, bodies, *rate);
            ledger.dissipated.add(work.dissipated);
            ledger.supply(work.supplied);
            for &index in members {
                contacts.watch(index, &mut links[index], *rate, time);
            }
        }
    }

    /// Books what objects have lost and what forces from outside have done. Before the objects advance.
    fn keep_account(&mut self, cluster: &Cluster) {
        for &body in &cluster.bodies {
            self.ledger.dissipated.add(self.bodies.get(body).dissipated_in_step());
        }
        for &index in &cluster.drives {
            let drive = &self.drives[index];
            if drive.force != 0.0 && !self.bodies.is_prescribed(drive.at.body) {
                let step = self.bodies.read(&drive.at, At::Next) - self.bodies.read(&drive.at, At::Previous);
                self.ledger.supply(0.5 * drive.force * step);
            }
        }
    }

    /// Adds what the pickups hear in this step to the mix.
    #[inline]
    fn listen(&mut self, cluster: &Cluster, sample: usize) {
        let Self { listeners, gains, mix, bodies, links, rate, channels, .. } = self;
        let channels = *channels;
        for &index in &cluster.listeners {
            let heard = listeners[index].hear(bodies, links, *rate);
            let gains = &gains[index * channels..(index + 1) * channels];
            let frame = &mut mix[sample * channels..(sample + 1) * channels];
            frame.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain * heard);
        }
    }

    /// Keeps the energy account from here on, or not. It costs about as much as stepping the objects; without it,
    /// [`balance`](Self::balance) knows what is stored but not what objects have lost.
    pub fn keep_account_of_energy(&mut self, keep: bool) {
        self.keeps_account = keep;
        self.ledger = Ledger { initial: self.stored_energy(), ..Ledger::default() };
    }

    /// Energy stored in all objects and interactions, in J.
    pub fn stored_energy(&self) -> f64 {
        let objects: f64 = self.bodies.iter().map(|body| body.stored_energy()).sum();
        let contacts: f64 = self.links.iter().map(|link| link.state.energy()).sum();
        objects + contacts
    }

    /// The energy account.
    pub fn balance(&self) -> Balance {
        self.ledger.balance(self.stored_energy())
    }

    pub(crate) fn links_of(&self, interaction: usize) -> Option<&[Link]> {
        let range = self.link_range(interaction)?;
        self.links.get(range)
    }

    pub(crate) fn link_range(&self, interaction: usize) -> Option<std::ops::Range<usize>> {
        let first = &self.names.first_links;
        Some(*first.get(interaction)?..*first.get(interaction + 1)?)
    }

    /// Finds anew which contacts feel each other.
    pub(crate) fn find_islands(&mut self) {
        self.coupling.update(&self.links, &self.bodies);
        self.clusters.update(&self.coupling);
        self.islands_stale = false;
    }

    /// Puts everything back to how it was built. Parameters that were changed stay changed.
    pub fn reset(&mut self) {
        self.bodies.for_each(|body| body.reset());
        for link in &mut self.links {
            link.state = Default::default();
            link.road.iter_mut().for_each(|road| road.reset());
            (link.force, link.last_step) = (0.0, 0.0);
            (link.touching, link.slipped) = (false, false);
            link.refresh(&self.bodies);
            link.settle();
        }
        for drive in &mut self.drives {
            (drive.position, drive.force) = (usize::MAX, 0.0);
        }
        self.find_islands();
        self.contacts.clear();
        self.schedule.clear();
        self.time = 0;
        self.ledger = Ledger { initial: self.stored_energy(), ..Ledger::default() };
    }
}
