//! What a modal object remembers from step to step, and its passes over the modes.

use std::mem::take;

use fearless_simd::Simd;

use super::super::lanes::{Lanes, lanes, load};
use super::super::poles::Poles;
use super::kernel::{Book, Octet, complete, step, sum};
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

/// Most pushes and reads that one pass takes along.
const MOST_PUSHES: usize = 2;
const MOST_READS: usize = 4;

/// Displacement of one point in m, and the forces on it in N, by the step they belong to; a cache line and a bit.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Memory {
    pub displacements: [f64; REMEMBERED],
    pub forces: [f64; REMEMBERED],
    /// What the forces of this step add to the next free step.
    pub ahead: f64,
    /// The next free step without that.
    pub sum: f64,
    /// Whether all this is kept: the point is heard or pushed in every sample.
    pub followed: bool,
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
        if take(&mut self.pushed[now]) {
            points.memories.iter_mut().for_each(|memory| memory.forces[now] = 0.0);
        }
        for &point in &points.followed {
            let memory = &mut points.memories[point];
            memory.displacements[now] = memory.sum + take(&mut memory.ahead);
        }
    }

    /// The free step of all modes and its sums at the points that are followed.
    #[inline(always)]
    fn pass<S: Simd, const BOOKED: bool>(&mut self, simd: S, points: &mut Points) -> f64 {
        // Forces of the step before the last; most go along with the pass.
        let before = slot(self.clock, 1);
        let books: &mut [Book] = if BOOKED { &mut self.books } else { &mut [] };
        let mut pushed = [0; MOST_PUSHES];
        let mut pushes = 0;
        if self.pushed[before] {
            for (point, memory) in points.memories.iter().enumerate() {
                let force = memory.forces[before];
                if force == 0.0 {
                    continue;
                }
                if pushes < MOST_PUSHES {
                    pushed[pushes] = point;
                    pushes += 1;
                } else {
                    complete(simd, &mut self.octets, books, &points.rows[point], force);
                }
            }
        }
        let taken = points.followed.len().min(MOST_READS);
        let mut read = [0; MOST_READS];
        read[..taken].copy_from_slice(&points.followed[..taken]);
        let read = &read[..taken];
        let push = |index: usize| (&points.rows[pushed[index]][..], points.memories[pushed[index]].forces[before]);
        let octets = &mut self.octets[..];
        let (sums, lost) = match pushes {
            0 => read_in_step::<S, 0, BOOKED>(simd, octets, books, [], points, read),
            1 => read_in_step::<S, 1, BOOKED>(simd, octets, books, [push(0)], points, read),
            _ => read_in_step::<S, 2, BOOKED>(simd, octets, books, [push(0), push(1)], points, read),
        };
        for (point, sum) in read.iter().zip(sums) {
            points.memories[*point].sum = sum;
        }
        let octets = &self.octets[..];
        for &point in &points.followed[taken..] {
            let row = &points.rows[point][..octets.len()];
            let total =
                sum(simd, octets.len(), |index| load(simd, &row[index]) * load(simd, &octets[index].displacement));
            points.memories[point].sum = total;
        }
        lost
    }
}

/// A step that takes some reads along.
#[inline(always)]
fn read_in_step<S: Simd, const PUSHES: usize, const BOOKED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    pushes: [(&[Lanes], f64); PUSHES],
    points: &Points,
    read: &[usize],
) -> ([f64; MOST_READS], f64) {
    let mut sums = [0.0; MOST_READS];
    let lost;
    let at = |point: usize| &points.rows[point][..];
    match *read {
        [] => ([], lost) = step::<S, PUSHES, 0, BOOKED>(simd, octets, books, pushes, []),
        [a] => ([sums[0]], lost) = step::<S, PUSHES, 1, BOOKED>(simd, octets, books, pushes, [at(a)]),
        [a, b] => {
            ([sums[0], sums[1]], lost) = step::<S, PUSHES, 2, BOOKED>(simd, octets, books, pushes, [at(a), at(b)]);
        }
        [a, b, c] => {
            let reads = [at(a), at(b), at(c)];
            ([sums[0], sums[1], sums[2]], lost) = step::<S, PUSHES, 3, BOOKED>(simd, octets, books, pushes, reads);
        }
        [a, b, c, d, ..] => {
            let reads = [at(a), at(b), at(c), at(d)];
            (sums, lost) = step::<S, PUSHES, 4, BOOKED>(simd, octets, books, pushes, reads);
        }
    }
    (sums, lost)
}

/// Where lies what belongs to a step so many before the one of the clock.
#[inline(always)]
pub(super) fn slot(clock: usize, steps_before: usize) -> usize {
    clock.wrapping_sub(steps_before) % REMEMBERED
}
