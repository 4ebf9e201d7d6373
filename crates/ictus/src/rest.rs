//! What is at rest costs nothing.
//!
//! Every 256 samples, and whenever a change was made to it, the engine looks at a cluster for three things:
//!
//! - **Contacts out of reach.** With the energy H that there is, a point of a body in modes gets no farther than `√(H R)`, R being the sum over its
//!   modes of `w² B (2/c + 2/(2(1+r) - c))`, the most that `u²` can be at 1 J (`objects/poles.rs` has H); a mode of 0 Hz, no farther than the energy drives
//!   it until the next look. A free mass that nothing touches goes straight on. If both together cannot close the gap before the next look, nobody needs to watch it: neither the contact nor its two points.
//! - **Masses that coast.** A free mass whose contacts are all out of reach, or off, is moved on at every look instead of in every sample.
//! - **Clusters that are still.** If all that a cluster can still be heard with is below [what is heard](Engine::set_inaudible), and nothing flies towards anything, it
//!   stands still as it is until something is done to it. What it stores stays stored, so the account does not notice. `equilibrium.rs` has the clusters that
//!   store energy for good, as strings do that are pressed by a damper.
//!
//! Energy comes in by changes, by forces from outside and by barriers that move: with one of the last two at work, nothing of this is done. All of it happens at
//! samples that do not depend on the length of blocks, so a performance is a render.

use crate::cluster::Cluster;
use crate::control::Change;
use crate::engine::Engine;
use crate::equilibrium::{BETWEEN, SETTLED};
use crate::link::Link;
use crate::objects::{At, Bodies, BodyId, Terminal};
use crate::pickups::Heard;

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
}

impl Rest {
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

    /// Energy in J that some bodies and links can hand to each other. A mass that coasts cannot: it would have to touch something first.
    fn energy_of(&self, bodies: &[BodyId], links: &[usize]) -> f64 {
        let in_bodies: f64 = bodies.iter().map(|body| self.bodies.get(*body).stored_energy()).sum();
        in_bodies + links.iter().map(|&link| self.links[link].state.energy()).sum::<f64>()
    }

    /// Finds the contacts that are out of reach and the masses that coast.
    fn find_out_of_reach(&mut self, cluster: &mut Cluster, energy: f64) {
        let Self { links, bodies, rest, .. } = self;
        for &body in &cluster.bodies {
            if let BodyId::Mass(mass) = body {
                rest.coasting[mass] = energy.is_finite() && bodies.masses[mass].is_free();
            }
        }
        for &index in &cluster.listeners {
            if let Heard::Point(at) = self.listeners[index].heard()
                && let BodyId::Mass(mass) = at.body
            {
                rest.coasting[mass] &= bodies.masses[mass].last_move() == 0.0;
            }
        }
        let ends = |link: &Link| [link.from.body, link.to.body];
        for &index in &cluster.links {
            let link = &links[index];
            if link.active && !link.slipped && !(energy.is_finite() && link.is_apart() && !closes(link, bodies, energy))
            {
                for body in ends(link) {
                    if let BodyId::Mass(mass) = body {
                        rest.coasting[mass] = false;
                    }
                }
            }
        }
        // What pushes a mass may be pushed itself: if one end of a contact does not coast, neither does the other.
        let kept_awake = |body: BodyId, coasting: &[bool]| matches!(body, BodyId::Mass(mass) if bodies.masses[mass].is_free() && !coasting[mass]);
        loop {
            let mut woken = false;
            for link in cluster.links.iter().map(|&index| &links[index]).filter(|link| link.active && !link.slipped) {
                if ends(link).iter().any(|body| kept_awake(*body, &rest.coasting)) {
                    for body in ends(link) {
                        if let BodyId::Mass(mass) = body {
                            woken |= std::mem::take(&mut rest.coasting[mass]);
                        }
                    }
                }
            }
            if !woken {
                break;
            }
        }
        for &index in &cluster.links {
            let link = &links[index];
            let free = |body: &BodyId| match *body {
                BodyId::Mass(mass) => rest.coasting[mass] || !bodies.masses[mass].is_free(),
                _ => true,
            };
            let out =
                energy.is_finite() && link.is_apart() && ends(link).iter().all(free) && !closes(link, bodies, energy);
            if out != link.out_of_reach {
                let link = &mut links[index];
                link.out_of_reach = out;
                [&link.from, &link.to].into_iter().for_each(|at| bodies.follow(at, link.is_watched()));
                if !out {
                    link.read(bodies);
                }
                self.islands_stale = true;
            }
        }
        cluster.coasting.clear();
        cluster.moving.clear();
        for &body in &cluster.bodies {
            let coasts = matches!(body, BodyId::Mass(mass) if rest.coasting[mass]);
            (if coasts { &mut cluster.coasting } else { &mut cluster.moving }).push(body);
        }
    }

    /// Whether a body is a mass that nothing holds.
    pub(crate) fn is_free(&self, body: BodyId) -> bool {
        matches!(body, BodyId::Mass(mass) if self.bodies.masses[mass].is_free())
    }

    /// Whether no free mass of a cluster flies towards anything, and no pickup follows a barrier.
    fn nothing_flies(&self, cluster: &Cluster) -> bool {
        let speed = |at: &Terminal| match at.body {
            BodyId::Mass(mass) if self.is_free(at.body) => self.bodies.masses[mass].last_move(),
            _ => 0.0,
        };
        // A free mass may fly away from what it could touch, and from nothing else.
        let stays = |link: &Link| {
            let [from, to] = [speed(&link.from), speed(&link.to)];
            let flies_off =
                from <= to && (link.out_of_reach || link.is_apart() && link.now < link.contact.surface() - NEAREST);
            !link.active || link.slipped || from == 0.0 && to == 0.0 || flies_off
        };
        let follows_barrier = |index: &usize| matches!(self.listeners[*index].heard(), Heard::Point(at) if self.is_moving_barrier(at.body));
        cluster.links.iter().all(|&link| stays(&self.links[link])) && !cluster.listeners.iter().any(follows_barrier)
    }

    /// The largest gain of a pickup in any channel.
    pub(crate) fn largest_gain(&self, listener: usize) -> f64 {
        self.gains[listener * self.channels..][..self.channels].iter().fold(0.0, gain_max)
    }

    /// The level of the output that nobody hears.
    pub(crate) fn inaudible(&self) -> f64 {
        self.rest.inaudible
    }

    /// Whether nothing that a cluster will do can be heard, whatever becomes of the energy it stores.
    fn is_still(&self, cluster: &Cluster) -> bool {
        let held = |body: &BodyId| !self.is_free(*body);
        // Links and bodies may hand their energy to each other; a body that is heard keeps that of each of its modes.
        let of = |body: &BodyId| self.bodies.get(*body).stored_energy();
        let vibrating: f64 = cluster.moving.iter().filter(|body| held(body)).map(of).sum();
        let in_links: f64 = cluster.links.iter().map(|&link| self.links[link].state.energy()).sum();
        let heard = |index: &usize, limit: f64| -> f64 {
            let listener = &self.listeners[*index];
            match listener.heard() {
                Heard::Point(at) => {
                    let body = self.bodies.get(at.body);
                    let own = if held(&at.body) { body.stored_energy() } else { 0.0 };
                    let others = (vibrating - own).max(0.0) + in_links;
                    let of = |excursion: [f64; 2]| listener.loudest(excursion, self.rate);
                    let brought = of(body.excursion(&at.support, others));
                    // No sum of that many parts is so far below the root of the sum of their squares: it need not be looked at.
                    let least = of(body.excursion(&at.support, own)) / 100.0;
                    if least < f64::INFINITY && least > limit { least } else { of(body.ringing(&at.support)) + brought }
                }
                Heard::Links(range) => {
                    let energy = vibrating + in_links;
                    let moves = |at: &Terminal| self.bodies.get(at.body).excursion(&at.support, energy)[1];
                    let force = |link: &Link| {
                        let damping = link.contact.damping();
                        let resisted = if damping > 0.0 {
                            damping * self.rate * (moves(&link.from) + moves(&link.to))
                        } else {
                            0.0
                        };
                        link.contact.force_at_energy(energy) + resisted
                    };
                    self.links[range].iter().filter(|link| link.active && !link.slipped).map(force).sum()
                }
            }
        };
        let mut level = 0.0;
        for index in &cluster.listeners {
            let gain = self.largest_gain(*index);
            level += if gain > 0.0 { gain * heard(index, self.rest.inaudible / gain) } else { 0.0 };
            // What is no number is heard.
            if level > self.rest.inaudible || level.is_nan() {
                return false;
            }
        }
        !cluster.listeners.is_empty() || vibrating + in_links == 0.0
    }
}

/// Whether a contact may close before the next look, with so much energy in J in its cluster.
fn closes(link: &Link, bodies: &Bodies, energy: f64) -> bool {
    let farthest = |at: &Terminal, sign: f64| match at.body {
        BodyId::Barrier(_) => sign * bodies.read_at(at, At::Now),
        BodyId::Mass(mass) if bodies.masses[mass].is_free() => {
            let ahead = (sign * bodies.masses[mass].last_move()).max(0.0) * (LOOK + 1) as f64;
            sign * bodies.read_at(at, At::Now) + ahead
        }
        _ => bodies.get(at.body).reach(&at.support, energy, LOOK),
    };
    let most = farthest(&link.from, 1.0) + farthest(&link.to, -1.0) - link.gap;
    let apart = most < link.contact.surface() - MARGIN * (most.abs() + link.gap.abs());
    // What is no number closes.
    !apart
}

impl Cluster {
    /// Stands still from here on; free masses coast.
    fn fall_asleep(&mut self, bodies: &Bodies) {
        self.asleep = true;
        let is_free = |body: &BodyId| matches!(*body, BodyId::Mass(mass) if bodies.masses[mass].is_free());
        let Self { moving, coasting, .. } = self;
        coasting.extend(moving.iter().copied().filter(is_free));
        moving.retain(|body| !is_free(body));
    }
}

fn gain_max(most: f64, gain: &f64) -> f64 {
    most.max(gain.abs())
}
