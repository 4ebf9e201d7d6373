//! A turn of one cluster: some samples, one after the other.
//!
//! One step (`Turn::run`) reads top to bottom: for an account every object remembers where it was; all take their free step; forces
//! from outside act; rough surfaces move on; every contact finds its force from what it would compress, alone or with those it feels,
//! and acts back on the objects; pickups listen; the objects advance.

use fearless_simd::Simd;

use crate::cluster::{Cluster, TURN};
use crate::coupling::Coupling;
use crate::engine::Drive;
use crate::island::Islands;
use crate::ledger::Ledger;
use crate::link::Link;
use crate::objects::{At, Bodies, BodyId};
use crate::pickups::Listener;
use crate::probe::ContactLog;

/// What the engine lends a cluster for its turn: all but the objects.
pub(crate) struct Turn<'a> {
    pub cluster: &'a Cluster,
    /// Sample rate in Hz.
    pub rate: f64,
    pub links: &'a mut [Link],
    pub coupling: &'a Coupling,
    pub islands: &'a mut Islands,
    pub drives: &'a mut [Drive],
    pub listeners: &'a mut [Listener],
    /// Gain of each pickup in each channel, pickup by pickup.
    pub gains: &'a [f64],
    pub channels: usize,
    /// What each pickup hears in the turn, [`TURN`] samples of each.
    pub heard: &'a mut [f64],
    /// What is heard in the turn in all, interleaved.
    pub mix: &'a mut [f64],
    pub ledger: &'a mut Ledger,
    pub keeps_account: bool,
    pub contacts: &'a mut ContactLog,
    /// Sample at which the turn starts.
    pub start: u64,
    pub samples: usize,
}

impl Drive {
    /// Whether it pushes, or will without being told to.
    pub(crate) fn is_playing(&self) -> bool {
        self.level != 0.0 && self.signal.as_ref().is_none_or(|signal| self.position < signal.len())
    }

    /// The force of this sample in N, moving a signal on.
    #[inline]
    pub(crate) fn next_force(&mut self) -> f64 {
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

impl Turn<'_> {
    /// Runs all samples of the turn: the step, top to bottom. Returns whether all that was heard were numbers; else nothing is.
    #[inline(always)]
    pub(crate) fn run<S: Simd>(mut self, simd: S, bodies: &mut Bodies) -> bool {
        for &index in &self.cluster.listeners {
            self.listeners[index].prepare(bodies);
        }
        if self.keeps_account {
            self.cluster.moving.iter().for_each(|body| bodies.get_mut(*body).open_books());
        }
        for sample in 0..self.samples {
            if self.keeps_account {
                self.cluster.moving.iter().for_each(|body| bodies.remember(*body));
            }
            // A loop and not a closure: one would not be compiled for the vector instructions of this function.
            for &body in &self.cluster.moving {
                bodies.free_step_of(body, simd);
            }
            if self.push_forces(bodies, self.start + sample as u64) {
                for &body in &self.cluster.moving {
                    bodies.feel_of(body, simd);
                }
            }
            self.travel();
            self.step_contacts(bodies, self.start + sample as u64);
            for &body in &self.cluster.moving {
                bodies.feel_of(body, simd);
            }
            if self.keeps_account {
                self.keep_account(bodies);
            }
            self.listen(bodies, sample);
            for &body in &self.cluster.moving {
                bodies.advance_of(body);
            }
        }
        if self.keeps_account {
            for &body in &self.cluster.moving {
                self.ledger.dissipated.add(bodies.get_mut(body).close_books());
            }
        }
        let sounds = self.sounds();
        if sounds {
            self.mix_down();
        }
        sounds
    }

    /// Whether all that the pickups have heard are numbers.
    #[inline(never)]
    fn sounds(&self) -> bool {
        let heard = |index: &usize| &self.heard[index * TURN..][..self.samples];
        let sum: f64 = self.cluster.listeners.iter().flat_map(heard).map(|heard| heard.abs()).sum();
        sum.is_finite()
    }

    /// Returns whether there was any.
    #[inline(always)]
    fn push_forces(&mut self, bodies: &mut Bodies, time: u64) -> bool {
        let mut pushed = false;
        for &index in &self.cluster.drives {
            let drive = &mut self.drives[index];
            drive.force = drive.next_force();
            if time == 0 && drive.signal.is_none() {
                // A step reaches from half a sample before to half a sample after; what is constant begins in the middle of the first. So a body
                // that is dropped has fallen by ½gt² at every sample, and not by half a sample more.
                drive.force *= 0.5;
            }
            if drive.force != 0.0 {
                bodies.push_at(&drive.at, drive.force);
                pushed = true;
            }
        }
        pushed
    }

    /// Moves rough surfaces on.
    #[inline(always)]
    fn travel(&mut self) {
        for &index in &self.cluster.rough {
            if let Some(road) = &mut self.links[index].road {
                road.travel();
            }
        }
    }

    #[inline(always)]
    fn step_contacts(&mut self, bodies: &mut Bodies, time: u64) {
        let Self { cluster, links, rate, ledger, contacts, .. } = self;
        for &index in &cluster.singles {
            let link = &mut links[index];
            let motion = link.motion(bodies, *rate);
            if !link.acts() || link.contact.rests(&link.state, &motion) {
                link.pass(motion.free_step);
                if link.touching {
                    contacts.watch(index, link, *rate, time);
                }
                continue;
            }
            let stored = link.state.energy();
            let solved = link.contact.advance(&mut link.state, &motion);
            let solved = link.slip_in(solved, &motion, stored);
            let (dissipated, supplied) = link.finish(solved, bodies);
            if dissipated != 0.0 {
                ledger.dissipated.add(dissipated);
            }
            if supplied != 0.0 {
                ledger.supply(supplied);
            }
            contacts.watch(index, link, *rate, time);
        }
        if !cluster.islands.is_empty() {
            self.step_islands(bodies, time);
        }
    }

    #[inline(never)]
    fn step_islands(&mut self, bodies: &mut Bodies, time: u64) {
        let Self { cluster, links, rate, ledger, contacts, coupling, islands, .. } = self;
        for &index in &cluster.islands {
            let island = &coupling.islands[index];
            let members = &coupling.members[island.first..island.first + island.size];
            let work = islands.step(coupling, island, links, bodies, *rate);
            ledger.dissipated.add(work.dissipated);
            ledger.supply(work.supplied);
            for &index in members {
                contacts.watch(index, &mut links[index], *rate, time);
            }
        }
    }

    /// Books what objects have lost and what forces from outside have done. Before the objects advance.
    #[inline(never)]
    fn keep_account(&mut self, bodies: &mut Bodies) {
        let ledger = &mut *self.ledger;
        for &body in &self.cluster.moving {
            let dissipated = bodies.dissipated_in_step(body);
            if dissipated != 0.0 {
                ledger.dissipated.add(dissipated);
            }
        }
        for &index in &self.cluster.drives {
            let drive = &self.drives[index];
            if drive.force != 0.0 && !matches!(drive.at.body, BodyId::Barrier(_)) {
                let step = bodies.read_at(&drive.at, At::Next) - bodies.read_at(&drive.at, At::Previous);
                ledger.supply(0.5 * drive.force * step);
            }
        }
    }

    /// Takes down what the pickups hear in this step.
    #[inline(always)]
    fn listen(&mut self, bodies: &Bodies, sample: usize) {
        for &index in &self.cluster.listeners {
            self.heard[index * TURN + sample] = self.listeners[index].hear(bodies, self.links, self.rate);
        }
    }

    /// Adds what the pickups have heard to the mix.
    #[inline(never)]
    pub(crate) fn mix_down(&mut self) {
        let channels = self.channels;
        for &index in &self.cluster.listeners {
            let heard = &self.heard[index * TURN..][..self.samples];
            let gains = &self.gains[index * channels..][..channels];
            if let [gain] = gains {
                self.mix.iter_mut().zip(heard).for_each(|(mix, heard)| *mix += gain * heard);
                continue;
            }
            for (mix, heard) in self.mix.chunks_exact_mut(channels.max(1)).zip(heard) {
                mix.iter_mut().zip(gains).for_each(|(mix, gain)| *mix += gain * heard);
            }
        }
    }
}
