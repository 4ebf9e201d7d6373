//! What a modal object remembers from step to step, and its passes over the modes.

use std::mem::take;

use fearless_simd::Simd;

use super::super::lanes::{LANES, fold, lanes, load};
use super::super::poles::Poles;
use super::kernel::{Book, Octet, Pass, step};
use super::points::Points;

#[derive(Clone, Debug)]
pub(super) struct State {
    pub octets: Vec<Octet>,
    /// Where an account is kept: what it needs of the last steps, the first step that is not yet in it, and what was found lost since, in J.
    pub books: Vec<Book>,
    pub booked: bool,
    pub unbooked: usize,
    pub lost: f64,
    /// Steps so far. What was written at a step lies at its number, modulo the few steps that are remembered: nothing is moved.
    pub clock: usize,
    /// Whether anything was pushed at a step.
    pub pushed: [bool; REMEMBERED],
    /// Whether the latest sample is still the next one.
    pub stepped: bool,
}

/// Steps that points remember, a power of 2.
pub(super) const REMEMBERED: usize = 4;

/// What the points remember of the last steps, side by side, so that a push reaches all of them in one go.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// Displacements in m and forces in N, by the step they belong to and by point; in whole lanes.
    pub displacements: [Vec<f64>; REMEMBERED],
    pub forces: [Vec<f64>; REMEMBERED],
    /// What the forces of this step add to the next free step.
    pub ahead: Vec<f64>,
    /// The next free step without that.
    pub sums: Vec<f64>,
    /// Whether all this is kept: the point is heard or pushed in every sample.
    pub followed: Vec<bool>,
}

impl Memory {
    /// Takes memory for a point more.
    pub(super) fn add(&mut self) {
        self.followed.push(false);
        let room = self.followed.len().next_multiple_of(LANES);
        let lists = self.displacements.iter_mut().chain(&mut self.forces);
        lists.chain([&mut self.ahead, &mut self.sums]).for_each(|points| points.resize(room, 0.0));
    }

    /// Forgets all motion.
    pub(super) fn clear(&mut self) {
        self.displacements.iter_mut().chain(&mut self.forces).for_each(|points| points.fill(0.0));
        self.ahead.fill(0.0);
        self.sums.fill(0.0);
    }

    /// Forgets all forces: they have arrived.
    pub(super) fn settle(&mut self) {
        self.forces.iter_mut().for_each(|points| points.fill(0.0));
        self.ahead.fill(0.0);
    }
}

impl State {
    pub(super) fn at_rest(poles: &[Poles]) -> Self {
        let persistence = lanes(poles.iter().map(|pole| pole.persistence));
        let restoring = lanes(poles.iter().map(|pole| pole.restoring));
        let octet = |(persistence, restoring)| Octet { persistence, restoring, ..Octet::default() };
        let octets: Vec<Octet> = persistence.into_iter().zip(restoring).map(octet).collect();
        let books = vec![Book::default(); octets.len()];
        let (booked, unbooked, lost) = Default::default();
        Self { octets, books, booked, unbooked, lost, clock: 0, pushed: Default::default(), stepped: false }
    }

    /// The free step of all modes, then of all points that are followed.
    #[inline(always)]
    pub(super) fn step<S: Simd>(&mut self, simd: S, points: &mut Points) {
        if self.booked {
            let lost = self.pass::<S, true>(simd, points);
            // Of the step before the last; before the account was opened, it is none of its.
            if self.clock > self.unbooked {
                self.lost += 0.25 * lost;
            }
        } else {
            self.pass::<S, false>(simd, points);
        }
        self.clock = self.clock.wrapping_add(1);
        let now = slot(self.clock, 0);
        let Memory { displacements, forces, ahead, sums, .. } = &mut points.memory;
        if take(&mut self.pushed[now]) {
            forces[now].fill(0.0);
        }
        for (displacement, (sum, ahead)) in displacements[now].iter_mut().zip(sums.iter().zip(ahead)) {
            *displacement = sum + take(ahead);
        }
    }

    /// The free step of all modes and its sums at the points that are followed.
    #[inline(always)]
    fn pass<S: Simd, const BOOKED: bool>(&mut self, simd: S, points: &mut Points) -> f64 {
        // Forces of the step before the last.
        let before = slot(self.clock, 1);
        let Points { weights, followed, memory, pushes, sums, .. } = points;
        pushes.clear();
        if self.pushed[before] {
            for (point, &force) in memory.forces[before].iter().enumerate() {
                if force != 0.0 {
                    pushes.push((point, force));
                }
            }
        }
        let sums = &mut sums[..followed.len()];
        let books: &mut [Book] = if BOOKED { &mut self.books } else { &mut [] };
        let lost =
            step::<S, BOOKED>(simd, &mut self.octets, books, Pass { weights, pushes, followed, sums: &mut *sums });
        for (&point, sum) in followed.iter().zip(&*sums) {
            memory.sums[point] = fold(load(simd, sum));
        }
        lost
    }
}

/// Where lies what belongs to a step so many before the one of the clock.
#[inline(always)]
pub(super) fn slot(clock: usize, steps_before: usize) -> usize {
    clock.wrapping_sub(steps_before) % REMEMBERED
}
