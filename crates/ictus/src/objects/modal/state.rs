//! What a modal object remembers from step to step, and its passes over the modes.

use std::mem::take;

use fearless_simd::Simd;

use super::super::lanes::{Lanes, lanes};
use super::super::poles::Poles;
use super::kernel::{Book, Octet, complete, step, sums_at};
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

/// Most pushes that the step takes along.
const MOST_PUSHES: usize = 2;

/// Points that are read, or pushed beside those, in one pass over the modes.
const GROUP: usize = 4;

/// What the points remember of the last steps, side by side, so that a push reaches all of them in one go.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// Displacements in m and forces in N, by the step they belong to and by point.
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
        self.displacements.iter_mut().chain(&mut self.forces).for_each(|points| points.push(0.0));
        self.ahead.push(0.0);
        self.sums.push(0.0);
        self.followed.push(false);
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
        // Forces of the step before the last; most go along with the pass.
        let before = slot(self.clock, 1);
        let books: &mut [Book] = if BOOKED { &mut self.books } else { &mut [] };
        let octets = &mut self.octets[..];
        let mut pushed = [0; GROUP];
        let mut pushes = 0;
        let rows = &points.rows;
        if self.pushed[before] {
            let forces = &points.memory.forces[before];
            for (point, _) in forces.iter().enumerate().filter(|(_, force)| **force != 0.0) {
                if pushes == GROUP {
                    let group = pushed.map(|point| (&rows[point][..], forces[point]));
                    complete(simd, octets, books, group);
                    pushes = 0;
                }
                pushed[pushes] = point;
                pushes += 1;
            }
            if pushes > MOST_PUSHES {
                // Points that are there twice push with nothing the second time.
                let used = pushes;
                let group = std::array::from_fn(|index| {
                    if index < used {
                        (&rows[pushed[index]][..], forces[pushed[index]])
                    } else {
                        (&rows[pushed[0]][..], 0.0)
                    }
                });
                complete::<S, GROUP>(simd, octets, books, group);
                pushes = 0;
            }
        }
        let taken = points.followed.len().min(GROUP);
        let (read, more) = points.followed.split_at(taken);
        let push = |index: usize| (&rows[pushed[index]][..], points.memory.forces[before][pushed[index]]);
        let (sums, lost) = match pushes {
            0 => read_in_step::<S, 0, BOOKED>(simd, octets, books, [], rows, read),
            1 => read_in_step::<S, 1, BOOKED>(simd, octets, books, [push(0)], rows, read),
            _ => read_in_step::<S, 2, BOOKED>(simd, octets, books, [push(0), push(1)], rows, read),
        };
        for (point, sum) in read.iter().zip(sums) {
            points.memory.sums[*point] = sum;
        }
        for group in more.chunks(GROUP) {
            // The last group is filled up with its first point.
            let sums = sums_at::<S, GROUP>(
                simd,
                octets,
                std::array::from_fn(|index| &rows[*group.get(index).unwrap_or(&group[0])][..]),
            );
            for (point, sum) in group.iter().zip(sums) {
                points.memory.sums[*point] = sum;
            }
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
    rows: &[Vec<Lanes>],
    read: &[usize],
) -> ([f64; GROUP], f64) {
    let mut sums = [0.0; GROUP];
    let lost;
    let at = |point: usize| &rows[point][..];
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
