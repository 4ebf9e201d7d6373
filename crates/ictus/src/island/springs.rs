//! Linear springs and dampers of an island, taken out of its system once and for all samples.
//!
//! Where a law is linear, g and R never change, and `f = D s + o` with a constant D. With L such members and C the others, `s = s0 - W f` gives
//!
//! ```text
//! f_L = G (s0_L + o/D - W_LC f_C),    G = (1/D + W_LL)⁻¹
//! s_C = s0' - W' f_C,    s0' = s0_C - W_CL G (s0_L + o/D),    W' = W_CC - W_CL G W_LC
//! ```
//!
//! G and W' are worked out when a member comes or goes, a point moves or a stiffness is changed. A sample then takes two products with a matrix, and
//! the contacts that touch, of which there are few, are solved among themselves: the strings of a piano stand on one board by as many springs as
//! there are keys, and are damped by as many dampers. Springs on a body that is stretched stay: W changes there from step to step, and nowhere else.

use fearless_simd::Level;

use super::factor::invert_positive;
use super::system::Matrix;
use crate::contact::Motion;
use crate::coupling::{self, Coupling};
use crate::link::Link;
use crate::objects::Bodies;
use crate::room::Room;

/// Fewer linear members than this are solved with the others.
const LEAST: usize = 2;

/// What is known of the linear members of all islands.
#[derive(Clone, Debug)]
pub(super) struct Springs {
    /// The state of the coupling this belongs to.
    generation: u64,
    level: Level,
    /// The revision at which every spring of an island was found on its curve, by the island's first place in the list of members: none has left it since.
    settled: Room<u64>,
    /// D in N/m by the place of a link in the list of members; 0 for one that is not linear.
    conductances: Room<f64>,
    /// G, G W_LC and W' of each island, where its matrix W has its place.
    entries: Room<f64>,
    /// Of the island at work: slots of its linear members and how far each would be pressed in m, and their forces in N; what these do to the others, in m.
    pub slots: Room<usize>,
    pressed: Room<(usize, f64)>,
    forces: Room<f64>,
    /// G while it is worked out.
    inverse: Room<f64>,
}

impl Springs {
    pub fn new(coupling: &Coupling, links: usize) -> Self {
        let size = coupling.largest_island;
        Self {
            generation: 0,
            level: crate::simd::level(),
            settled: Room::new(links),
            conductances: Room::new(links),
            entries: Room::new(coupling.matrices.capacity()),
            slots: Room::new(size),
            pressed: Room::new(size),
            forces: Room::new(size),
            inverse: Room::new(size * size),
        }
    }

    /// Finds the linear members of an island; returns whether there are enough of them to be taken out.
    pub fn find(&mut self, coupling: &Coupling, island: &coupling::Island, links: &[Link], rate: f64) -> bool {
        if self.generation != coupling.generation {
            self.generation = coupling.generation;
            self.settled.clear();
            self.settled.resize(coupling.members.len(), 0);
            self.conductances.clear();
            self.conductances.resize(coupling.members.len(), 0.0);
            self.entries.clear();
            self.entries.resize(coupling.matrices.len(), 0.0);
        }
        self.slots.clear();
        let mut changed = false;
        let members = &coupling.members[island.first..][..island.size];
        let known = &mut self.conductances[island.first..][..island.size];
        if self.settled[island.first] != coupling.revision {
            let mut settled = true;
            for (&link, known) in members.iter().zip(&mut *known) {
                // What moves the points of a body that is stretched changes from step to step.
                let link = &links[link];
                let constant = link.spring_conductance(rate).filter(|_| !link.stretches);
                let conductance = constant.unwrap_or(0.0);
                changed |= conductance != *known;
                *known = conductance;
                settled &= conductance > 0.0 || link.stretches || !link.contact.is_spring();
            }
            if settled {
                self.settled[island.first] = coupling.revision;
            }
        }
        self.slots
            .extend(known.iter().enumerate().filter(|(_, conductance)| **conductance > 0.0).map(|(slot, _)| slot));
        let enough = self.slots.len() >= LEAST;
        if enough && changed {
            self.reduce(coupling, island);
        }
        enough
    }

    /// Works out G, G W_LC and W' of an island.
    fn reduce(&mut self, coupling: &Coupling, island: &coupling::Island) {
        let (size, count) = (island.size, self.slots.len());
        let entries = &coupling.matrices[island.matrix..][..size * size];
        let matrix = Matrix { entries, size };
        let reduced = &mut self.entries[island.matrix..][..size * size];
        self.inverse.clear();
        self.inverse.resize(count * count, 0.0);
        for (i, &row) in self.slots.iter().enumerate() {
            for (j, &column) in self.slots.iter().enumerate() {
                self.inverse[i * count + j] = matrix.at(row, column);
            }
            self.inverse[i * count + i] += 1.0 / self.conductances[island.first + row];
        }
        invert_positive(&mut self.inverse, count);
        reduced.copy_from_slice(entries);
        let is_linear = |slot: usize| self.conductances[island.first + slot] > 0.0;
        for (i, &row) in self.slots.iter().enumerate() {
            for column in 0..size {
                reduced[row * size + column] = 0.0;
            }
            for (j, &other) in self.slots.iter().enumerate() {
                let entry = self.inverse[i * count + j];
                reduced[row * size + other] = entry;
                for column in (0..size).filter(|column| !is_linear(*column)) {
                    reduced[row * size + column] += entry * matrix.at(other, column);
                }
            }
        }
        for row in (0..size).filter(|row| !is_linear(*row)) {
            for &linear in &self.slots {
                let weight = matrix.at(row, linear);
                for column in (0..size).filter(|column| !is_linear(*column)) {
                    reduced[row * size + column] -= weight * reduced[linear * size + column];
                }
            }
        }
    }

    /// G, G W_LC and W' of all islands, where their matrices have their places.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Finds the forces of the linear members as if nothing else touched, G (s0 + o/D), and lets the others see what that leaves them: s0' and W'. The
    /// rows of G W_LC, added up like those of G, are what these forces do to the others.
    pub fn relax(
        &mut self,
        island: &coupling::Island,
        members: &[usize],
        links: &[Link],
        bodies: &Bodies,
        motions: &mut [Motion],
    ) {
        let size = island.size;
        self.pressed.clear();
        for &slot in &self.slots {
            let link = &links[members[slot]];
            let offset = link.contact.spring_offset(&link.state);
            self.pressed.push((slot, motions[slot].free_step + offset / self.conductances[island.first + slot]));
        }
        self.forces.resize(size, 0.0);
        let entries = &self.entries[island.matrix..][..size * size];
        Matrix { entries, size }.combine(self.level, &self.pressed, &mut self.forces);
        if self.slots.len() == size {
            return;
        }
        for (slot, motion) in motions.iter_mut().enumerate() {
            if self.conductances[island.first + slot] == 0.0 {
                let link = &links[members[slot]];
                let held_back = if link.stretches { link.held_back(link, bodies) } else { 0.0 };
                motion.free_step -= self.forces[slot];
                motion.admittance = entries[slot * (size + 1)] - held_back;
            }
        }
    }

    /// The force in N and step in m of a linear member, others having pushed with these forces at these slots.
    pub fn force_and_step(
        &self,
        island: &coupling::Island,
        slot: usize,
        link: &Link,
        others: impl Iterator<Item = (usize, f64)>,
    ) -> (f64, f64) {
        let row = &self.entries[island.matrix + slot * island.size..];
        let force = self.forces[slot] - others.map(|(other, force)| row[other] * force).sum::<f64>();
        (force, (force - link.contact.spring_offset(&link.state)) / self.conductances[island.first + slot])
    }
}
