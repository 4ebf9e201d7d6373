//! The points of a modal object that are touched or heard: their weights, and what a push at one does at the others.

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
    pub memories: Vec<Memory>,
    /// Row by row, one row per point, each with room for as many points as are expected.
    pub admittances: Vec<Admittance>,
    /// Points that a row of admittances has room for.
    pub room: usize,
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
        let mut admittances = vec![Admittance::default(); room * room];
        for point in 0..count {
            admittances[point * room..][..count].copy_from_slice(self.row(point));
        }
        (self.admittances, self.room) = (admittances, room);
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
        self.memories.push(Memory::default());
        self.followed.reserve(count + 1);
        count
    }

    /// What pushes at a point do everywhere.
    #[inline]
    pub(super) fn row(&self, point: usize) -> &[Admittance] {
        &self.admittances[point * self.room..][..self.rows.len()]
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
        let (count, room) = (self.rows.len(), self.room);
        let own = between(&self.rows[point], &self.rows[point], poles);
        self.admittances[point * room + point] = own;
        for other in (0..count).filter(|other| *other != point) {
            let there = self.admittances[other * room + other];
            let admittance = between(&self.rows[point], &self.rows[other], poles).felt(own, there);
            self.admittances[point * room + other] = admittance;
            self.admittances[other * room + point] = admittance;
        }
    }

    /// Whether a point is heard or pushed in every sample.
    pub(super) fn follow(&mut self, point: usize, follow: bool) {
        self.followed.retain(|followed| *followed != point);
        self.memories[point].followed = follow;
        if follow {
            let place = self.followed.partition_point(|followed| *followed < point);
            self.followed.insert(place, point);
        }
    }
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
