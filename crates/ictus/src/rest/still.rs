//! Clusters that nobody can hear any more: they stand still. `rest.rs` says why, and `equilibrium.rs` has those that store energy for good.

use super::NEAREST;
use crate::cluster::Cluster;
use crate::engine::Engine;
use crate::link::Link;
use crate::objects::{Bodies, BodyId, Terminal};
use crate::pickups::Heard;

impl Engine {
    /// Whether no free mass of a cluster flies towards anything, and no pickup follows a barrier.
    pub(super) fn nothing_flies(&self, cluster: &Cluster) -> bool {
        let speed = |at: &Terminal| match at.body {
            BodyId::Mass(mass) if self.is_free(at.body) => self.bodies.masses[mass].last_move(),
            _ => 0.0,
        };
        // A free mass may fly away from what it could touch, and from nothing else.
        let stays = |link: &Link| {
            let [from, to] = [speed(&link.from), speed(&link.to)];
            let flies_off =
                from <= to && (link.out_of_reach || link.is_apart() && link.now < link.contact.surface() - NEAREST);
            let fades = link.contact.is_fading(&link.state, link.now);
            !link.active || link.slipped || !fades && (from == 0.0 && to == 0.0 || flies_off)
        };
        let follows_barrier = |index: &usize| matches!(self.listeners[*index].heard(), Heard::Point(at) if self.is_moving_barrier(at.body));
        cluster.links.iter().all(|&link| stays(&self.links[link])) && !cluster.listeners.iter().any(follows_barrier)
    }

    /// Whether nothing that a cluster will do can be heard, whatever becomes of the energy it stores.
    pub(super) fn is_still(&self, cluster: &Cluster) -> bool {
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

impl Cluster {
    /// Stands still from here on; free masses coast.
    pub(super) fn fall_asleep(&mut self, bodies: &Bodies) {
        self.asleep = true;
        let is_free = |body: &BodyId| matches!(*body, BodyId::Mass(mass) if bodies.masses[mass].is_free());
        let Self { moving, coasting, .. } = self;
        coasting.extend(moving.iter().copied().filter(is_free));
        moving.retain(|body| !is_free(body));
    }
}
