//! The account of a modal object: that of [`super::super::poles`], eight modes at a time.
//!
//! In displacements over √B, `H = ((2(1+r) - c) d² + c (2u - d)²)/8` and a step loses `(1-r) s²/4` with s its two moves.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::load;
use super::kernel::sum;
use super::{Modal, slot};

impl Modal {
    /// e of eight modes under the forces of the latest step or an earlier one.
    #[inline(always)]
    fn push_of<S: Simd>(&self, simd: S, steps_before: usize, index: usize) -> f64x8<S> {
        let slot = slot(self.state.clock, steps_before);
        let mut push = f64x8::splat(simd, 0.0);
        if self.state.pushed[slot] {
            for (row, memory) in self.points.rows.iter().zip(&self.points.memories) {
                let force = memory.forces[slot];
                if force != 0.0 {
                    push += load(simd, &row[index]) * force;
                }
            }
        }
        push
    }

    /// u and d of eight modes with all that was pushed.
    #[inline(always)]
    pub(super) fn motion_of<S: Simd>(&self, simd: S, index: usize) -> [f64x8<S>; 2] {
        let octet = &self.state.octets[index];
        let before = self.push_of(simd, 1, index);
        let moved = self.push_of(simd, 0, index) + octet.carry(simd) * before;
        [load(simd, &octet.displacement) + (before + moved), load(simd, &octet.last_move) + moved]
    }

    /// Energy in J at the half sample before the current one; between steps.
    #[inline(always)]
    pub(super) fn stored<S: Simd>(&self, simd: S) -> f64 {
        let octets = &self.state.octets;
        let least = f64x8::splat(simd, 0.0);
        sum(simd, octets.len(), |index| {
            let (r, c) = (load(simd, &octets[index].persistence), load(simd, &octets[index].restoring));
            let [u, d] = self.motion_of(simd, index);
            let sum = u * 2.0 - d;
            // The weight of d² is clipped because rounding can leave it a hair below 0 at Nyquist.
            ((r + 1.0) * 2.0 - c).max(least) * (d * d) * 0.125 + c * (sum * sum) * 0.125
        })
    }

    /// Keeps the moves that led to the current sample.
    #[inline(always)]
    pub(super) fn keep_moves<S: Simd>(&mut self, simd: S) {
        for index in 0..self.state.octets.len() {
            let [_, d] = self.motion_of(simd, index);
            d.store_array(&mut self.state.moves_before[index].0);
        }
    }

    /// Energy in J that the step under way has taken.
    #[inline(always)]
    pub(super) fn dissipated<S: Simd>(&self, simd: S) -> f64 {
        let state = &self.state;
        let one = f64x8::splat(simd, 1.0);
        sum(simd, state.octets.len(), |index| {
            let [_, d] = self.motion_of(simd, index);
            let moves = load(simd, &state.moves_before[index]) + d;
            (one - load(simd, &state.octets[index].persistence)) * (moves * moves) * 0.25
        })
    }
}
