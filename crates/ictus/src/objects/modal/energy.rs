//! The account of a modal object: that of [`super::super::poles`], eight modes at a time.
//!
//! In displacements over √B, `H = ((2(1+r) - c) d² + c (2u - d)²)/8` and a step loses `(1-r) s²/4` with s its two moves.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::{LANES, load};
use super::kernel::sum;
use super::weights::WIDTH;
use super::{Modal, slot};

impl Modal {
    /// e of eight modes under the forces of the latest step or an earlier one.
    #[inline(always)]
    fn push_of<S: Simd>(&self, simd: S, steps_before: usize, index: usize) -> f64x8<S> {
        let slot = slot(self.state.clock, steps_before);
        let mut push = f64x8::splat(simd, 0.0);
        if self.state.pushed[slot] {
            let weights = self.points.weights.block(index / WIDTH);
            for (weights, &force) in weights.iter().zip(&self.points.memory.forces[slot]) {
                if force != 0.0 {
                    push += load(simd, &weights[index % WIDTH]) * force;
                }
            }
        }
        if steps_before == 0
            && let Some(stretch) = &self.stretch
        {
            push += stretch.owed(simd, &self.state.octets[index], index);
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
        let stretched = self.stretch.as_ref().map_or(0.0, |stretch| stretch.energy());
        stretched
            + sum(simd, octets.len(), |index| {
                let (r, c) = (load(simd, &octets[index].persistence), load(simd, &octets[index].restoring));
                let [u, d] = self.motion_of(simd, index);
                let sum = u * 2.0 - d;
                // The weight of d² is clipped because rounding can leave it a hair below 0 at Nyquist.
                ((r + 1.0) * 2.0 - c).max(least) * (d * d) * 0.125 + c * (sum * sum) * 0.125
            })
    }

    /// The same of the modes' distances from where the last pushes hold them, `c u = w f`. A mode of 0 Hz that is pushed is held nowhere.
    #[inline(always)]
    pub(super) fn unrest_of_modes<S: Simd>(&self, simd: S) -> f64 {
        let mut energy = 0.0;
        for (index, poles) in self.poles.chunks(LANES).enumerate() {
            let [u, d] = self.motion_of(simd, index).map(|lanes| lanes.to_array());
            let push = self.push_of(simd, 0, index).to_array();
            for (lane, poles) in poles.iter().enumerate() {
                let held = if push[lane] == 0.0 { 0.0 } else { push[lane] / poles.restoring };
                energy += poles.response * poles.stored(u[lane] - held, d[lane]);
            }
        }
        energy
    }

    /// Opens the books: what the steps from here on lose is found.
    pub(super) fn open_account(&mut self) {
        let state = &mut self.state;
        (state.booked, state.unbooked, state.lost) = (true, state.clock.wrapping_add(1), 0.0);
    }

    /// Closes them and returns what was lost since, in J. The passes have found all of it but what the last two steps lost, whose pushes they have not
    /// yet taken along.
    #[inline(always)]
    pub(super) fn close_account<S: Simd>(&mut self, simd: S) -> f64 {
        self.state.booked = false;
        let state = &self.state;
        if self.stretch.is_some() {
            return state.lost + self.lost_of_stretched(simd);
        }
        let steps = state.clock.wrapping_add(1).wrapping_sub(state.unbooked).min(2);
        if steps == 0 {
            return state.lost;
        }
        let one = f64x8::splat(simd, 1.0);
        let of_two_steps = f64x8::splat(simd, if steps == 2 { 1.0 } else { 0.0 });
        let last = sum(simd, state.octets.len(), |index| {
            let book = &state.books[index];
            let before = load(simd, &book.newer) + self.push_of(simd, 1, index);
            let [_, d] = self.motion_of(simd, index);
            let (moves, earlier) = (before + d, load(simd, &book.older) + before);
            (one - load(simd, &state.octets[index].persistence)) * (moves * moves + of_two_steps * (earlier * earlier))
        });
        state.lost + 0.25 * last
    }

    /// What the last step of a body that stretches has lost, in J, if it is in the account: its passes take in every step but that.
    #[inline(always)]
    fn lost_of_stretched<S: Simd>(&self, simd: S) -> f64 {
        let state = &self.state;
        if state.clock < state.unbooked {
            return 0.0;
        }
        let one = f64x8::splat(simd, 1.0);
        0.25 * sum(simd, state.octets.len(), |index| {
            let [_, d] = self.motion_of(simd, index);
            let moves = d + load(simd, &state.books[index].older);
            (one - load(simd, &state.octets[index].persistence)) * (moves * moves)
        })
    }
}
