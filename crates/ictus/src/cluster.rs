//! Clusters: objects that can feel each other, through any chain of interactions.
//!
//! A barrier goes where it is told and so passes nothing on: it belongs to every cluster that touches it, and each takes its turn
//! with it anew.
//!
//! Nothing passes between clusters, so each can run many samples before the next has its turn. A thousand strings then take
//! their turns in the processor's nearest memory instead of streaming through it in every sample; and what is only done now and
//! then, looking for changes that fall due, is not done in every sample either.

use std::collections::HashMap;

use crate::coupling::Coupling;
use crate::engine::Drive;
use crate::link::Link;
use crate::objects::{Bodies, BodyId};
use crate::pickups::{Heard, Listener};
use crate::room::Room;

/// Most samples a cluster runs before the next has its turn.
pub(crate) const TURN: usize = 64;

/// What belongs together, by places in the engine's lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    pub bodies: Vec<BodyId>,
    /// Those that take their steps, and the free masses that fly on without.
    pub moving: Room<BodyId>,
    pub coasting: Room<BodyId>,
    /// All its links.
    pub links: Vec<usize>,
    /// Links that feel no other.
    pub singles: Room<usize>,
    /// Islands of links that feel each other.
    pub islands: Room<usize>,
    /// Links that a rough surface passes through.
    pub rough: Vec<usize>,
    pub drives: Vec<usize>,
    pub listeners: Vec<usize>,
    /// Whether it stands still.
    pub asleep: bool,
    /// At how many looks in a row it was found in equilibrium.
    pub settled: u32,
    /// Whether something was done to it since it was last looked at, and the sample of that look.
    pub disturbed: bool,
    pub looked: u64,
    /// Samples that it did not stand still.
    pub stepped: u64,
}

impl Cluster {
    /// All its objects take their steps.
    pub(crate) fn wake(&mut self) {
        (self.asleep, self.disturbed, self.settled) = (false, true, 0);
        self.coasting.clear();
        self.moving.clear();
        self.moving.extend_from_slice(&self.bodies);
    }
}

/// The clusters of a model, and which one each link belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clusters {
    pub all: Vec<Cluster>,
    of_link: Vec<usize>,
}

impl Clusters {
    pub(crate) fn new(bodies: &Bodies, links: &[Link], drives: &[Drive], listeners: &[Listener]) -> Self {
        let ids = bodies.ids();
        let places: HashMap<BodyId, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let place = |body: BodyId| places.get(&body).copied().unwrap_or(0);
        let mut leaders: Vec<usize> = (0..ids.len()).collect();
        // The barriers of each cluster are added when it is known; one that nothing touches is a cluster of its own.
        let passes = |link: &&Link| ![link.from.body, link.to.body].iter().any(|body| bodies.is_prescribed(*body));
        for link in links.iter().filter(passes) {
            let (a, b) = (leaders[place(link.from.body)], leaders[place(link.to.body)]);
            leaders.iter_mut().filter(|leader| **leader == a.max(b)).for_each(|leader| *leader = a.min(b));
        }
        // Numbered in the order of their first objects.
        let mut numbers = vec![usize::MAX; ids.len()];
        let mut all: Vec<Cluster> = Vec::new();
        for (index, leader) in leaders.iter().enumerate() {
            if bodies.is_prescribed(ids[index]) {
                continue;
            }
            if numbers[*leader] == usize::MAX {
                numbers[*leader] = all.len();
                all.push(Cluster::default());
            }
            all[numbers[*leader]].bodies.push(ids[index]);
        }
        for link in links {
            for (here, there) in [(link.from.body, link.to.body), (link.to.body, link.from.body)] {
                if bodies.is_prescribed(here) && !bodies.is_prescribed(there) {
                    let number = numbers[leaders[place(there)]];
                    if !all[number].bodies.contains(&here) {
                        all[number].bodies.push(here);
                    }
                    let first = &mut numbers[place(here)];
                    *first = (*first).min(number);
                }
            }
        }
        for (index, &id) in ids.iter().enumerate() {
            if bodies.is_prescribed(id) && numbers[index] == usize::MAX {
                numbers[index] = all.len();
                all.push(Cluster { bodies: vec![id], ..Cluster::default() });
            }
        }
        let of = |body: BodyId| numbers[leaders[place(body)]];
        let of_link =
            |link: &Link| of(if bodies.is_prescribed(link.from.body) { link.to.body } else { link.from.body });
        for (index, drive) in drives.iter().enumerate() {
            all[of(drive.at.body)].drives.push(index);
        }
        for (index, listener) in listeners.iter().enumerate() {
            match listener.heard() {
                Heard::Point(at) => all[of(at.body)].listeners.push(index),
                Heard::Links(range) => {
                    if let Some(link) = links.get(range.start) {
                        all[of_link(link)].listeners.push(index);
                    }
                }
            }
        }
        let of_link: Vec<usize> = links.iter().map(of_link).collect();
        for (index, _) in links.iter().enumerate().filter(|(_, link)| link.road.is_some()) {
            all[of_link[index]].rough.push(index);
        }
        for (number, cluster) in all.iter_mut().enumerate() {
            let count = of_link.iter().filter(|of| **of == number).count();
            cluster.singles.reserve_exact(count);
            cluster.islands.reserve_exact(count);
            cluster.links.extend(of_link.iter().enumerate().filter(|(_, of)| **of == number).map(|(link, _)| link));
            cluster.coasting.reserve_exact(cluster.bodies.len());
            cluster.moving.reserve_exact(cluster.bodies.len());
            cluster.wake();
        }
        Self { all, of_link }
    }

    /// The cluster of a link.
    pub(crate) fn of_link(&self, link: usize) -> usize {
        self.of_link[link]
    }

    /// Hands the islands out to their clusters, after they were found anew. Allocates nothing.
    pub(crate) fn update(&mut self, coupling: &Coupling) {
        for cluster in &mut self.all {
            cluster.singles.clear();
            cluster.islands.clear();
        }
        for &link in &coupling.singles {
            self.all[self.of_link[link]].singles.push(link);
        }
        for (index, island) in coupling.islands.iter().enumerate() {
            self.all[self.of_link[coupling.members[island.first]]].islands.push(index);
        }
    }
}
