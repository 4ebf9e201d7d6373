//! The energy of a sheet in its standing waves: that of one oscillator per wave (poles.rs), what forces on ports have yet to do included.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::super::lanes::load;
use super::Standing;
use super::kernel::{self, Octet};

impl Standing {
    /// What forces on ports will add to eight waves.
    #[inline(always)]
    pub(super) fn push_on<S: Simd>(&self, simd: S, row: usize, column: usize) -> f64x8<S> {
        let mut push = f64x8::splat(simd, 0.0);
        for port in &self.ports {
            if port.force != 0.0 {
                push += load(simd, &port.weights.along[column]) * (self.mobility * port.force * port.weights.down[row]);
            }
        }
        push
    }

    /// The move of the step before the last, from `d = r d⁻ - c u⁻`.
    #[inline(always)]
    pub(super) fn move_before<S: Simd>(&self, simd: S, row: usize, column: usize, octet: &Octet) -> f64x8<S> {
        let d = load(simd, &octet.last_move);
        let before = load(simd, &octet.displacement) - d;
        let kept = d + load(simd, &octet.restoring) * before;
        match self.inverse_persistence.get(row * self.waves.columns + column) {
            Some(inverse) => kept * load(simd, inverse),
            None => kept,
        }
    }

    #[inline(always)]
    fn persistence<S: Simd>(&self, simd: S, row: usize, column: usize) -> f64x8<S> {
        load(simd, &self.waves.persistence_along[column]) + self.waves.persistence_down[row]
    }

    /// 8B times the stored energy: see poles.rs.
    #[inline(always)]
    pub(super) fn stored<S: Simd>(&self, simd: S) -> f64 {
        kernel::sum(
            simd,
            &self.waves,
            #[inline(always)]
            |_| 1.0,
            #[inline(always)]
            |row, column, octet| {
                let d = load(simd, &octet.last_move);
                let u = load(simd, &octet.displacement);
                // Between a step and the next sample, that of the step before.
                let (u, d) = if self.stepped {
                    (u - d, self.move_before(simd, row, column, octet))
                } else {
                    let push = self.push_on(simd, row, column);
                    (u + push, d + push)
                };
                let c = load(simd, &octet.restoring);
                let sum = u * 2.0 - d;
                let move_weight = (self.persistence(simd, row, column) + 1.0) * 2.0 - c;
                move_weight.max(f64x8::splat(simd, 0.0)) * (d * d) + c * (sum * sum)
            },
        )
    }

    /// 4B times the energy lost in the step.
    #[inline(always)]
    pub(super) fn dissipated<S: Simd>(&self, simd: S) -> f64 {
        kernel::sum(
            simd,
            &self.waves,
            #[inline(always)]
            |_| 1.0,
            #[inline(always)]
            |row, column, octet| {
                let last = load(simd, &octet.last_move) + self.push_on(simd, row, column);
                let moves = last + self.move_before(simd, row, column, octet);
                (f64x8::splat(simd, 1.0) - self.persistence(simd, row, column)) * (moves * moves)
            },
        )
    }
}
