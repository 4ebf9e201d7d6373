//! Contacts out of reach, and the free masses that coast because all of theirs are. `rest.rs` says why.

use super::{LOOK, MARGIN};
use crate::cluster::Cluster;
use crate::engine::Engine;
use crate::link::Link;
use crate::objects::{At, Bodies, BodyId, Terminal};
use crate::pickups::Heard;

impl Engine {
    /// Energy in J that some bodies and links can hand to each other. A mass that coasts cannot: it would have to touch something first.
    pub(super) fn energy_of(&self, bodies: &[BodyId], links: &[usize]) -> f64 {
        let in_bodies: f64 = bodies.iter().map(|body| self.bodies.get(*body).stored_energy()).sum();
        in_bodies + links.iter().map(|&link| self.links[link].state.energy()).sum::<f64>()
    }

    /// Finds the contacts that are out of reach and the masses that coast.
    pub(super) fn find_out_of_reach(&mut self, cluster: &mut Cluster, energy: f64) {
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
