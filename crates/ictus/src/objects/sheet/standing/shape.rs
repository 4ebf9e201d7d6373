//! From nodes to waves, at the start, and from waves to nodes, for drawing.

use fearless_simd::{Simd, dispatch, f64x8, prelude::*};

use super::super::super::Body;
use super::super::super::lanes::{LANES, Lanes, fold, lanes, load};
use super::sines::Sines;
use super::{MOST_ALONG, MOST_DOWN, Sheet, Standing};

/// The sines of all waves down the rows at each row of nodes, for drawing.
pub(super) fn sines_at_rows(down: &Sines) -> Vec<Vec<Lanes>> {
    let at = |row: usize| lanes(down.along(row).collect::<Vec<_>>().into_iter());
    (1..=down.count()).map(at).collect()
}

impl Standing {
    /// Takes over displacement and last move of every node.
    pub(super) fn start_from(&mut self, sheet: &Sheet) {
        if sheet.initial.is_none() {
            return;
        }
        let (now, previous) = (sheet.now.all(), sheet.previous.all());
        // Along the rows first: for every wave along and node down, then down.
        let (waves, rows) = (self.along.count(), self.down.count());
        let mut half = vec![[0.0; 2]; waves * rows];
        for (row, half) in half.chunks_exact_mut(waves).enumerate() {
            for (wave, sums) in half.iter_mut().enumerate() {
                for (column, sine) in self.along.along(wave + 1).enumerate() {
                    let node = self.grid.index(column + 1, row + 1);
                    sums[0] += sine * now[node];
                    sums[1] += sine * (now[node] - previous[node]);
                }
            }
        }
        for row in 0..rows {
            for wave in 0..waves {
                let mut sums = [0.0; 2];
                for (down, sine) in self.down.along(row + 1).enumerate() {
                    let [displacement, last_move] = half[down * waves + wave];
                    sums = [sums[0] + sine * displacement, sums[1] + sine * last_move];
                }
                let octet = &mut self.waves.octets[row * self.waves.columns + wave / LANES];
                [octet.displacement.0[wave % LANES], octet.last_move.0[wave % LANES]] = sums;
            }
        }
        self.initial = Some(self.waves.octets.iter().map(|octet| [octet.displacement, octet.last_move]).collect());
    }

    /// Writes the current displacement in m of all nodes, as many as `out` holds. Takes no memory.
    pub(super) fn write_shape(&self, out: &mut [f64]) {
        out.fill(0.0);
        dispatch!(self.level, simd => self.write_columns(simd, out));
    }

    /// Column by column of nodes: along the rows of waves first, then down.
    #[inline(always)]
    fn write_columns<S: Simd>(&self, simd: S, out: &mut [f64]) {
        let width = self.dimensions()[0];
        let mut sines = [Lanes::default(); MOST_ALONG.div_ceil(LANES)];
        let mut sums = [Lanes::default(); MOST_DOWN.div_ceil(LANES)];
        for node in 1..=self.along.count() {
            let flat = sines.iter_mut().flat_map(|lanes| &mut lanes.0);
            flat.zip(self.along.along(node)).for_each(|(out, sine)| *out = sine);
            self.add_along(simd, &sines, &mut sums);
            for (row, at_row) in self.sines_at_rows.iter().enumerate() {
                let [x, y] = self.grid.in_memory_order([node, row + 1]);
                if let Some(out) = out.get_mut(y * width + x) {
                    *out = product(simd, at_row, &sums);
                }
            }
        }
    }

    /// Adds up every row of waves with the sines at one column of nodes.
    #[inline(always)]
    fn add_along<S: Simd>(&self, simd: S, sines: &[Lanes], sums: &mut [Lanes]) {
        let rows = self.waves.octets.chunks_exact(self.waves.columns);
        for (octets, sum) in rows.zip(sums.iter_mut().flat_map(|lanes| &mut lanes.0)) {
            let mut total = f64x8::splat(simd, 0.0);
            for (octet, sines) in octets.iter().zip(sines) {
                total += load(simd, sines) * load(simd, &octet.displacement);
            }
            *sum = fold(total);
        }
        for port in self.ports.iter().filter(|port| port.force != 0.0) {
            let pushed = self.mobility * port.force * product(simd, sines, &port.weights.along);
            let sums = sums.iter_mut().flat_map(|lanes| &mut lanes.0);
            sums.zip(&port.weights.down).for_each(|(sum, down)| *sum += pushed * down);
        }
    }
}

/// Σ of the products of two rows, as long as the shorter.
#[inline(always)]
fn product<S: Simd>(simd: S, row: &[Lanes], other: &[Lanes]) -> f64 {
    let mut total = f64x8::splat(simd, 0.0);
    for (row, other) in row.iter().zip(other) {
        total += load(simd, row) * load(simd, other);
    }
    fold(total)
}
