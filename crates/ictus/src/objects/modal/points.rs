//! The points of a modal object that are touched or heard: their weights, and what a push at one does at the others.

use fearless_simd::{Level, dispatch};

use super::super::lanes::{LANES, Lanes};
use super::super::poles::Poles;
use super::super::{Accelerance, Place, Use};
use super::state::Memory;
use crate::room::Room;

/// All points, each by its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    /// w√B of all modes, point by point.
    pub rows: Vec<Vec<Lanes>>,
    pub places: Vec<(Place, Use)>,
    /// Those that are heard or pushed in every sample, by number.
    pub followed: Room<usize>,
    pub memory: Memory,
    /// What a newton at one point does at the others: Y and Z in m, row by row, one row per point, each with room for as many points as are expected.
    pub at_once: Vec<f64>,
    pub later: Vec<f64>,
    /// Points that a row has room for.
    room: usize,
    /// The largest displacement and move of each point at 1 J, squared, in m²/J; of the displacement without modes of 0 Hz.
    pub largest: Vec<[f64; 2]>,
}

/// What a newton at one point does at another, in m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Admittance {
    /// To the sample it acts on: Y.
    pub at_once: f64,
    /// To the free step after that: Z.
    pub later: f64,
}

/// Part of their own admittance below which two points feel each other only by rounding, as the nodes of a supported line do.
const UNFELT: f64 = 1e-13;

/// Points of a body from which on a push at one of them is worth a call into code compiled for vectors.
const WORTH_VECTORS: usize = 16;

#[inline(always)]
fn add_scaled(sums: &mut [f64], parts: &[f64], scale: f64) {
    // A loop and not a closure: one would not be compiled for vectors.
    for (sum, part) in sums.iter_mut().zip(parts) {
        *sum += part * scale;
    }
}

impl Admittance {
    /// The same, or nothing at once if it is nothing beside the admittances of the two points themselves.
    pub(super) fn felt(self, here: Self, there: Self) -> Self {
        let felt = self.at_once * self.at_once > UNFELT * UNFELT * here.at_once * there.at_once;
        Self { at_once: if felt { self.at_once } else { 0.0 }, ..self }
    }
}

impl Points {
    /// Makes room for so many points more. Without it every further point would copy the table of all before it.
    pub(super) fn expect(&mut self, more: usize) {
        let (count, room) = (self.rows.len(), self.rows.len() + more);
        for table in [&mut self.at_once, &mut self.later] {
            let mut wider = vec![0.0; room * room];
            for point in 0..count {
                wider[point * room..][..count].copy_from_slice(&table[point * self.room..][..count]);
            }
            *table = wider;
        }
        self.room = room;
    }

    /// Takes memory for a point more, of no weights yet; returns its number.
    pub(super) fn add(&mut self, place: Place, purpose: Use, octets: usize) -> usize {
        let count = self.rows.len();
        if count == self.room {
            // Nobody said that there would be one more.
            self.expect(count.max(1));
        }
        self.rows.push(vec![Lanes::default(); octets]);
        self.places.push((place, purpose));
        self.memory.add();
        self.largest.push([0.0; 2]);
        self.followed.reserve(count + 1);
        count
    }

    /// What a newton at one point does at another.
    #[inline]
    pub(super) fn admittance(&self, here: usize, there: usize) -> Admittance {
        let place = here * self.room + there;
        Admittance { at_once: self.at_once[place], later: self.later[place] }
    }

    fn set_admittance(&mut self, here: usize, there: usize, admittance: Admittance) {
        let place = here * self.room + there;
        (self.at_once[place], self.later[place]) = (admittance.at_once, admittance.later);
    }

    /// Lets a force in N act on a point in the step of a slot.
    #[inline]
    pub(super) fn push(&mut self, point: usize, force: f64, slot: usize, level: Level) {
        let Self { memory, at_once, later, room, .. } = self;
        memory.forces[slot][point] += force;
        let count = memory.ahead.len();
        let (at_once, later) = (&at_once[point * *room..][..count], &later[point * *room..][..count]);
        let (displacements, ahead) = (&mut memory.displacements[slot][..count], &mut memory.ahead[..count]);
        if count < WORTH_VECTORS {
            add_scaled(displacements, at_once, force);
            add_scaled(ahead, later, force);
        } else {
            // Compiled for the vectors of this processor.
            dispatch!(level, _simd => {
                add_scaled(displacements, at_once, force);
                add_scaled(ahead, later, force);
            });
        }
    }

    /// How a point gives way to a force that lasts.
    pub(super) fn accelerance(&self, point: usize, poles: &[Poles]) -> Accelerance {
        let mut accelerance = Accelerance::default();
        for (poles, weights) in poles.chunks(LANES).zip(&self.rows[point]) {
            for (poles, weight) in poles.iter().zip(&weights.0) {
                accelerance.add_mode(weight * weight, poles);
            }
        }
        accelerance
    }

    /// Works out what a point does to the others, and they to it.
    pub(super) fn refresh(&mut self, point: usize, poles: &[Poles]) {
        let count = self.rows.len();
        self.largest[point] = largest(&self.rows[point], poles);
        let own = between(&self.rows[point], &self.rows[point], poles);
        self.set_admittance(point, point, own);
        for other in (0..count).filter(|other| *other != point) {
            let there = self.admittance(other, other);
            let admittance = between(&self.rows[point], &self.rows[other], poles).felt(own, there);
            self.set_admittance(point, other, admittance);
            self.set_admittance(other, point, admittance);
        }
    }

    /// Whether a point is heard or pushed in every sample.
    pub(super) fn follow(&mut self, point: usize, follow: bool) {
        self.followed.retain(|followed| *followed != point);
        self.memory.followed[point] = follow;
        if follow {
            let place = self.followed.partition_point(|followed| *followed < point);
            self.followed.insert(place, point);
        }
    }
}

/// Σ w² B of the squares of the largest displacement and move of each mode at 1 J.
fn largest(row: &[Lanes], poles: &[Poles]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (poles, weights) in poles.chunks(LANES).zip(row) {
        for (pole, weight) in poles.iter().zip(&weights.0) {
            let [displacement, step] = pole.largest(1.0);
            if pole.restoring > 0.0 {
                sums[0] += (weight * displacement) * (weight * displacement);
            }
            sums[1] += (weight * step) * (weight * step);
        }
    }
    sums
}

/// The admittance between two points of these weights. The product of the weights first: symmetric to the bit.
pub(super) fn between(here: &[Lanes], there: &[Lanes], poles: &[Poles]) -> Admittance {
    let mut sum = Admittance::default();
    for (poles, (here, there)) in poles.chunks(LANES).zip(here.iter().zip(there)) {
        for (pole, (here, there)) in poles.iter().zip(here.0.iter().zip(&there.0)) {
            let product = here * there;
            sum.at_once += product;
            sum.later += (1.0 + pole.carry) * product;
        }
    }
    sum
}
