//! What is at rest costs nothing.
//!
//! Every 256 samples, and whenever a change was made to it, the engine looks at a cluster for three things:
//!
//! - **Contacts out of reach** (`rest/reach.rs`). With the energy H that there is, a point of a body in modes gets no farther than `√(H R)`, R being the sum over its
//!   modes of `w² B (2/c + 2/(2(1+r) - c))`, the most that `u²` can be at 1 J (`objects/poles.rs` has H); a mode of 0 Hz, no farther than the energy drives
//!   it until the next look. A free mass that nothing touches goes straight on. If both together cannot close the gap before the next look, nobody needs to watch it: neither the contact nor its two points.
//! - **Masses that coast.** A free mass whose contacts are all out of reach, or off, is moved on at every look instead of in every sample.
//! - **Clusters that are still** (`rest/still.rs`). If all that a cluster can still be heard with is below [what is heard](Engine::set_inaudible), and nothing flies towards anything, it
//!   stands still as it is until something is done to it. What it stores stays stored, so the account does not notice. `equilibrium.rs` has the clusters that
//!   store energy for good, as strings do that are pressed by a damper.
//!
//! Energy comes in by changes, by forces from outside and by barriers that move: with one of the last two at work, nothing of this is done. All of it happens at
//! samples that do not depend on the length of blocks, so a performance is a render.

mod reach;
mod still;

use crate::cluster::Cluster;
use crate::control::Change;
use crate::engine::Engine;
use crate::equilibrium::{BETWEEN, SETTLED};
use crate::link::Link;
use crate::objects::{BodyId, Terminal};

/// Samples between two looks.
pub(crate) const LOOK: u64 = 256;

/// Distance in m from a body that stands still at which a mass that flies off has left it.
const NEAREST: f64 = 1e-6;

/// Part of a gap that rounding may not reach across.
const MARGIN: f64 = 1e-6;

/// What is known of things at rest.
#[derive(Clone, Debug)]
pub(crate) struct Rest {
    /// Level of the output that nobody hears.
    inaudible: f64,
    /// Which free masses may coast, while a cluster is looked at.
    coasting: Vec<bool>,
    /// Which did before.
    coasted: Vec<bool>,
    /// Whether something was done to any cluster since the last look.
    disturbed: bool,
}

impl Rest {
    pub(crate) fn new(masses: usize) -> Self {
        Self { inaudible: 0.0, coasting: vec![false; masses], coasted: vec![false; masses], disturbed: true }
    }

    /// Takes down which masses of a cluster coast.
    fn note_coasting(&mut self, cluster: &Cluster) {
        for &body in &cluster.bodies {
            if let BodyId::Mass(mass) = body {
                self.coasted[mass] = cluster.coasting.contains(&body);
            }
        }
    }

    /// Whether one of them does so no longer.
    fn any_stopped_coasting(&self, cluster: &Cluster) -> bool {
        cluster.moving.iter().any(|body| matches!(*body, BodyId::Mass(mass) if self.coasted[mass]))
    }
}

impl Engine {
    /// Sets the level of the output below which what dies away stands still: 1e-8 is -160 dB of full scale. Whoever amplifies the output sets it
    /// lower by as much. 0, as it is built: nothing stands still while it moves at all.
    pub fn set_inaudible(&mut self, level: f64) {
        self.rest.inaudible = if level > 0.0 { level } else { 0.0 };
    }

    /// Whether everything stands still: nothing will be heard until something is done. A host may then stop asking for sound.
    pub fn is_at_rest(&self) -> bool {
        self.clusters.all.iter().all(|cluster| cluster.asleep && !cluster.disturbed)
    }

    /// Wakes what a change is made to, before it is made.
    pub(crate) fn disturb_by(&mut self, change: &Change) {
        match *change {
            Change::Law { contact, .. }
            | Change::Damping { contact, .. }
            | Change::Rule { contact, .. }
            | Change::Travel { contact, .. }
            | Change::Active { contact, .. }
            | Change::Gap { contact, .. }
            | Change::Move { contact, .. } => {
                let links = self.link_range(contact).unwrap_or(0..0);
                links.for_each(|link| self.disturb_link(link));
            }
            Change::Throw { object, .. }
            | Change::Velocity { object, .. }
            | Change::Height { object, .. }
            | Change::Bend { object, .. }
            | Change::Decay { object, .. }
            | Change::Pluck { object, .. } => {
                if let Some(body) = self.bodies.id(object.index()) {
                    self.disturb_body(body);
                }
            }
            Change::Level { force, .. } | Change::Trigger { force } => {
                if let Some(body) = self.drives.get(force.index()).map(|drive| drive.at.body) {
                    self.disturb_body(body);
                }
            }
            Change::MovePickup { .. } | Change::Gain { .. } => {}
        }
    }

    /// Before something is done to the clusters of an object: brings what coasts there up to date, and has them looked at before the next sample.
    pub(crate) fn disturb_body(&mut self, body: BodyId) {
        self.coupling.revision += 1;
        for number in 0..self.clusters.all.len() {
            if self.clusters.all[number].bodies.contains(&body) {
                self.disturb_cluster(number);
            }
        }
    }

    /// The same for the cluster of a link, which is read if nobody has looked at it.
    pub(crate) fn disturb_link(&mut self, link: usize) {
        self.coupling.revision += 1;
        self.disturb_cluster(self.clusters.of_link(link));
        if self.links[link].out_of_reach {
            self.links[link].read(&self.bodies);
        }
    }

    fn disturb_cluster(&mut self, number: usize) {
        self.bring_up_to_date(number);
        self.clusters.all[number].settled = 0;
        if std::mem::take(&mut self.clusters.all[number].asleep) {
            self.follow_coasting(number);
        }
        self.clusters.all[number].disturbed = true;
        self.rest.disturbed = true;
    }

    /// Moves the coasting masses of a cluster to where they are now.
    fn bring_up_to_date(&mut self, number: usize) {
        let cluster = &mut self.clusters.all[number];
        let samples = self.time - cluster.looked;
        cluster.looked = self.time;
        if samples > 0 {
            for &body in &cluster.coasting {
                if let BodyId::Mass(mass) = body {
                    self.bodies.masses[mass].coast(samples);
                }
            }
        }
    }

    /// How far an object that coasts has come since it was last moved, in m.
    pub(crate) fn coasted(&self, body: BodyId) -> f64 {
        let BodyId::Mass(mass) = body else { return 0.0 };
        let cluster = self.clusters.all.iter().find(|cluster| cluster.coasting.contains(&body));
        cluster.map_or(0.0, |cluster| (self.time - cluster.looked) as f64 * self.bodies.masses[mass].last_move())
    }

    /// Whether a link is looked at in every sample: it is watched, and its cluster moves.
    pub(crate) fn is_followed(&self, link: usize) -> bool {
        self.links[link].is_watched() && !self.clusters.all[self.clusters.of_link(link)].asleep
    }

    /// Nothing rests any more, as after a reset.
    pub(crate) fn wake_all(&mut self) {
        for cluster in &mut self.clusters.all {
            cluster.wake();
            cluster.looked = self.time;
        }
        for link in self.links.iter_mut().filter(|link| link.out_of_reach) {
            link.out_of_reach = false;
            [&link.from, &link.to].into_iter().for_each(|at| self.bodies.follow(at, link.is_watched()));
        }
        self.rest.disturbed = true;
    }

    /// Looks at the clusters that are due.
    pub(crate) fn look_for_rest(&mut self) {
        let due = self.time.is_multiple_of(LOOK);
        if !due && !self.rest.disturbed {
            return;
        }
        self.rest.disturbed = false;
        for number in 0..self.clusters.all.len() {
            let cluster = &mut self.clusters.all[number];
            let disturbed = std::mem::take(&mut cluster.disturbed);
            if disturbed || due && !cluster.asleep {
                self.look_at(number);
            }
        }
    }

    /// Reads the contacts of masses that have coasted while their cluster stood still; before a change makes other contacts of them.
    fn follow_coasting(&mut self, number: usize) {
        let cluster = &self.clusters.all[number];
        for &index in &cluster.links {
            let link = &mut self.links[index];
            if link.is_apart() && [link.from.body, link.to.body].iter().any(|body| cluster.coasting.contains(body)) {
                link.read(&self.bodies);
            }
        }
    }

    fn look_at(&mut self, number: usize) {
        self.bring_up_to_date(number);
        let cluster = std::mem::take(&mut self.clusters.all[number]);
        let mut cluster = cluster;
        if self.is_driven(&cluster) {
            self.find_out_of_reach(&mut cluster, f64::INFINITY);
        } else {
            let apart = cluster.links.iter().any(|&link| self.links[link].is_apart());
            let coasted = cluster.coasting.len();
            let energy = if apart { self.energy_of(&cluster.moving, &cluster.links) } else { 0.0 };
            self.rest.note_coasting(&cluster);
            self.find_out_of_reach(&mut cluster, energy);
            // A mass that was thrown, or has come near, brings its energy with it: nothing was far enough from that.
            if apart && coasted > 0 && self.rest.any_stopped_coasting(&cluster) {
                let energy = self.energy_of(&cluster.bodies, &cluster.links);
                self.find_out_of_reach(&mut cluster, energy);
            }
            if self.time.is_multiple_of(LOOK) && self.nothing_flies(&cluster) {
                if self.time.is_multiple_of(BETWEEN) {
                    cluster.settled = if self.is_in_equilibrium(&cluster) { cluster.settled + 1 } else { 0 };
                }
                if cluster.settled >= SETTLED || self.is_still(&cluster) {
                    cluster.fall_asleep(&self.bodies);
                }
            }
        }
        self.clusters.all[number] = cluster;
    }

    /// Whether energy may come into a cluster from outside.
    fn is_driven(&self, cluster: &Cluster) -> bool {
        let pushed = cluster.drives.iter().any(|&drive| self.drives[drive].is_playing());
        let moves = |at: &Terminal| self.is_moving_barrier(at.body);
        let dragged = |link: &Link| link.active && !link.slipped && (moves(&link.from) || moves(&link.to));
        pushed
            || !cluster.rough.is_empty()
            || self.bodies.barriers_move && cluster.links.iter().any(|&link| dragged(&self.links[link]))
    }

    fn is_moving_barrier(&self, body: BodyId) -> bool {
        matches!(body, BodyId::Barrier(index) if self.bodies.barriers[index].is_moving())
    }

    /// Whether a body is a mass that nothing holds.
    pub(crate) fn is_free(&self, body: BodyId) -> bool {
        matches!(body, BodyId::Mass(mass) if self.bodies.masses[mass].is_free())
    }

    /// The largest gain of a pickup in any channel.
    pub(crate) fn largest_gain(&self, listener: usize) -> f64 {
        self.gains[listener * self.channels..][..self.channels].iter().fold(0.0, gain_max)
    }

    /// The level of the output that nobody hears.
    pub(crate) fn inaudible(&self) -> f64 {
        self.rest.inaudible
    }
}

fn gain_max(most: f64, gain: &f64) -> f64 {
    most.max(gain.abs())
}
