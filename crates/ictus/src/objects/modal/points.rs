//! The points of a modal object that are touched or heard: their weights, and what a push at one does at the others.

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use super::super::lanes::{LANES, Lanes, load};
use super::super::poles::Poles;
use super::super::{Accelerance, Place, Use};
use super::state::Memory;
use super::weights::{Row, Weights};
use crate::room::Room;

/// All points, each by its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    /// w√B of all modes.
    pub weights: Weights,
    pub places: Vec<(Place, Use)>,
    /// Those that are heard or pushed in every sample, by number.
    pub followed: Room<usize>,
    pub memory: Memory,
    /// Those that have pushed in the step that a pass takes along, and their forces in N; and what a pass finds at those that are followed, in lanes.
    pub pushes: Room<(usize, f64)>,
    pub sums: Vec<Lanes>,
    /// What a newton at one point does at the others: Y and Z in m, row by row, one row per point, each with room for as many points as are expected.
    at_once: Vec<Lanes>,
    later: Vec<Lanes>,
    /// Points there is room for.
    room: usize,
    /// What was pushed in this step and not yet felt by the other points: points and forces in N.
    pub unfelt: Room<(usize, f64)>,
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

/// Most pushes that are felt in one go: whoever reads a point before that adds them up one by one.
const MOST_UNFELT: usize = 8;

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
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// Lanes in a row of the tables.
    fn width(&self) -> usize {
        self.room.div_ceil(LANES)
    }

    /// Makes room for so many points more of so many eights of modes. Without it every further point would copy the tables of all before it.
    pub(super) fn expect(&mut self, more: usize, octets: usize) {
        let (before, room) = (self.width(), self.count() + more);
        self.weights.widen(room, octets);
        let width = room.div_ceil(LANES);
        for table in [&mut self.at_once, &mut self.later] {
            let mut wider = vec![Lanes::default(); room * width];
            if before > 0 {
                let rows = wider.chunks_exact_mut(width).zip(table.chunks_exact(before));
                rows.for_each(|(new, old)| new[..old.len()].copy_from_slice(old));
            }
            *table = wider;
        }
        self.unfelt.reserve(room);
        self.room = room;
    }

    /// Takes memory for a point more, of no weights yet; returns its number.
    pub(super) fn add(&mut self, place: Place, purpose: Use, octets: usize) -> usize {
        let count = self.count();
        if count == self.room {
            // Nobody said that there would be one more.
            self.expect(count.max(1), octets);
        }
        self.places.push((place, purpose));
        self.memory.add();
        self.largest.push([0.0; 2]);
        self.followed.reserve(count + 1);
        self.pushes.reserve(count + 1);
        self.sums.push(Lanes::default());
        count
    }

    /// What a newton at one point does at another.
    #[inline]
    pub(super) fn admittance(&self, here: usize, there: usize) -> Admittance {
        let (row, lane) = (here * self.width() + there / LANES, there % LANES);
        Admittance { at_once: self.at_once[row].0[lane], later: self.later[row].0[lane] }
    }

    /// Lets a force in N act on a point in the step of a slot, and on no later free step: the modes feel it before they take that.
    #[inline]
    pub(super) fn push_at_once(&mut self, point: usize, force: f64, slot: usize) {
        let width = self.width();
        let Self { memory, at_once, .. } = self;
        memory.forces[slot][point] += force;
        let (displacements, _) = memory.displacements[slot].as_chunks_mut::<LANES>();
        for (displacements, row) in displacements.iter_mut().zip(&at_once[point * width..][..width]) {
            for (displacement, admittance) in displacements.iter_mut().zip(&row.0) {
                *displacement += admittance * force;
            }
        }
    }

    fn set_admittance(&mut self, here: usize, there: usize, admittance: Admittance) {
        let (row, lane) = (here * self.width() + there / LANES, there % LANES);
        (self.at_once[row].0[lane], self.later[row].0[lane]) = (admittance.at_once, admittance.later);
    }

    /// Lets a force in N act on a point in the step of a slot. The others [feel](Self::feel) it later.
    #[inline]
    pub(super) fn push(&mut self, point: usize, force: f64, slot: usize, level: Level) {
        if self.unfelt.len() == MOST_UNFELT.min(self.unfelt.capacity()) {
            dispatch!(level, simd => self.feel(simd, slot));
        }
        self.memory.forces[slot][point] += force;
        self.unfelt.push((point, force));
    }

    /// Lets all points feel what was pushed in the step of a slot: those that push each other within a step are solved together, and need not be read
    /// between two pushes.
    #[inline(always)]
    pub(super) fn feel<S: Simd>(&mut self, simd: S, slot: usize) {
        let width = self.width();
        let Self { memory, at_once, later, unfelt, .. } = self;
        if unfelt.is_empty() {
            return;
        }
        let (displacements, _) = memory.displacements[slot].as_chunks_mut::<LANES>();
        let (ahead, _) = memory.ahead.as_chunks_mut::<LANES>();
        for (lanes, (displacements, ahead)) in displacements.iter_mut().zip(ahead).enumerate() {
            let mut sums = [f64x8::load_array_ref(simd, displacements), f64x8::load_array_ref(simd, ahead)];
            for &(point, force) in &**unfelt {
                let row = point * width + lanes;
                sums[0] += load(simd, &at_once[row]) * force;
                sums[1] += load(simd, &later[row]) * force;
            }
            sums[0].store_array(displacements);
            sums[1].store_array(ahead);
        }
        unfelt.clear();
    }

    /// Where a point of a displacement in m is when all that was pushed is felt: to the bit as it will be.
    #[inline]
    pub(super) fn as_felt(&self, point: usize, displacement: f64) -> f64 {
        let moved = |at: f64, &(pushed, force): &(usize, f64)| at + self.admittance(pushed, point).at_once * force;
        self.unfelt.iter().fold(displacement, moved)
    }

    /// How a point gives way to a force that lasts.
    pub(super) fn accelerance(&self, point: usize, poles: &[Poles]) -> Accelerance {
        let mut accelerance = Accelerance::default();
        let row = self.weights.row(point);
        for (index, poles) in poles.chunks(LANES).enumerate() {
            for (poles, weight) in poles.iter().zip(&row.octet(index).0) {
                accelerance.add_mode(weight * weight, poles);
            }
        }
        accelerance
    }

    /// Works out what a point does to the others, and they to it.
    pub(super) fn refresh(&mut self, point: usize, poles: &[Poles]) {
        let count = self.count();
        let row = self.weights.row(point);
        self.largest[point] = largest(row, poles);
        let own = between(row, row, poles);
        self.set_admittance(point, point, own);
        for other in (0..count).filter(|other| *other != point) {
            let there = self.admittance(other, other);
            let admittance = between(self.weights.row(point), self.weights.row(other), poles).felt(own, there);
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
fn largest(row: Row, poles: &[Poles]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (index, poles) in poles.chunks(LANES).enumerate() {
        for (pole, weight) in poles.iter().zip(&row.octet(index).0) {
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
pub(super) fn between(here: Row, there: Row, poles: &[Poles]) -> Admittance {
    let mut sum = Admittance::default();
    for (index, poles) in poles.chunks(LANES).enumerate() {
        let [here, there] = [here, there].map(|row| row.octet(index).0);
        for (pole, (here, there)) in poles.iter().zip(here.iter().zip(&there)) {
            let product = here * there;
            sum.at_once += product;
            sum.later += (1.0 + pole.carry) * product;
        }
    }
    sum
}
