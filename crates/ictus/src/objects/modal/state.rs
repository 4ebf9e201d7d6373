//! What a modal object remembers from step to step, and its passes over the modes.

use std::mem::take;

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::{Lanes, fold, lanes, load};
use super::super::poles::Poles;
use super::Coefficients;
use super::kernel::{INSIDE, Octet, Sums, complete, step, sum};

#[derive(Clone, Debug)]
pub(super) struct State {
    pub octets: Vec<Octet>,
    /// At least [`INSIDE`]; those that the object does not have stay at 0.
    pub points: Vec<Point>,
    /// Steps so far. What was written at a step lies at its number, modulo the few steps that are remembered: nothing is moved.
    pub clock: usize,
    /// Points that were pushed at a step, as bits; the last bit stands for all beyond it.
    pub pushed: [u64; REMEMBERED],
    /// Whether the latest sample is still the next one.
    pub stepped: bool,
}

/// Steps that points remember, a power of 2.
pub(super) const REMEMBERED: usize = 4;

/// The bit of a point in [`State::pushed`]; all others share the last.
pub(super) const LAST_BIT: usize = 63;

/// Displacement of one point in m, and the forces on it in N, by the step they belong to; a cache line and a bit.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Point {
    pub displacements: [f64; REMEMBERED],
    pub forces: [f64; REMEMBERED],
    /// What the forces of this step add to the next free step.
    pub ahead: f64,
    /// The next free step without that.
    pub sum: f64,
}

impl State {
    pub(super) fn at_rest(poles: &[Poles], weights: &[Vec<Lanes>]) -> Self {
        let persistence = lanes(poles.iter().map(|pole| pole.persistence));
        let restoring = lanes(poles.iter().map(|pole| pole.restoring));
        let carry = lanes(poles.iter().map(|pole| pole.carry));
        let rates = persistence.into_iter().zip(restoring).zip(carry).enumerate();
        let octets: Vec<Octet> = rates
            .map(|(index, ((persistence, restoring), carry))| {
                let weights =
                    std::array::from_fn(|point| weights.get(point).map_or(Lanes::default(), |row| row[index]));
                Octet { persistence, restoring, carry, weights, ..Octet::default() }
            })
            .collect();
        Self {
            octets,
            points: vec![Point::default(); weights.len().max(INSIDE)],
            clock: 0,
            pushed: Default::default(),
            stepped: false,
        }
    }

    /// The free step of all modes, then of all points.
    #[inline(always)]
    pub(super) fn step<S: Simd>(&mut self, simd: S, coefficients: &Coefficients) {
        self.pass(simd, coefficients);
        self.clock = self.clock.wrapping_add(1);
        let now = slot(self.clock, 0);
        self.pushed[now] = 0;
        for point in &mut self.points {
            point.displacements[now] = point.sum + take(&mut point.ahead);
            point.forces[now] = 0.0;
        }
    }

    /// The free step of all modes and its sums at all points.
    #[inline(always)]
    fn pass<S: Simd>(&mut self, simd: S, coefficients: &Coefficients) {
        // Forces of the step before the last: those at the first points go along with the pass.
        let before = slot(self.clock, 1);
        let pushed = self.pushed[before];
        if pushed >> INSIDE != 0 {
            for (weights, point) in coefficients.weights.iter().zip(&mut self.points).skip(INSIDE) {
                let force = take(&mut point.forces[before]);
                if force != 0.0 {
                    complete(simd, weights, force, &mut self.octets, self.clock);
                }
            }
        }
        let (clock, forces, sums) = (self.clock, self.first_forces(before), [f64x8::splat(simd, 0.0); INSIDE]);
        let sums = match pushed as usize % (1 << INSIDE) {
            0 => step::<_, 0>(simd, &mut self.octets, clock, forces, sums),
            1 => step::<_, 1>(simd, &mut self.octets, clock, forces, sums),
            2 => step::<_, 2>(simd, &mut self.octets, clock, forces, sums),
            _ => step::<_, 3>(simd, &mut self.octets, clock, forces, sums),
        };
        keep(&mut self.points, sums);
        let octets = &self.octets[..];
        for (row, point) in coefficients.weights.iter().zip(&mut self.points).skip(INSIDE) {
            let row = &row[..octets.len()];
            let u = |index: usize| load(simd, &octets[index].displacement);
            point.sum = sum(simd, octets.len(), |index| load(simd, &row[index]) * u(index));
        }
    }

    /// Forces of a step on the first points.
    #[inline(always)]
    fn first_forces(&self, slot: usize) -> [f64; INSIDE] {
        let mut forces = [0.0; INSIDE];
        for (force, point) in forces.iter_mut().zip(&self.points) {
            *force = point.forces[slot];
        }
        forces
    }
}

/// Where lies what belongs to a step so many before the one of the clock.
#[inline(always)]
pub(super) fn slot(clock: usize, steps_before: usize) -> usize {
    clock.wrapping_sub(steps_before) % REMEMBERED
}

/// Keeps the sums at the first points.
#[inline(always)]
fn keep<S: Simd>(points: &mut [Point], sums: Sums<S>) {
    for (index, point) in points.iter_mut().take(INSIDE).enumerate() {
        point.sum = fold(sums[index]);
    }
}
