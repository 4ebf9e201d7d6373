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

    /// Writes the current displacement in m of all nodes, as many as `out` holds.
    ///
    /// Column by column of nodes: rows of waves first, then down. Takes 40 µs for 134×17 nodes; no memory.
    pub(super) fn write_shape(&self, out: &mut [f64]) {
        out.fill(0.0);
        let width = self.dimensions()[0];
        let mut sines = [Lanes::default(); MOST_ALONG.div_ceil(LANES)];
        let mut sums = [Lanes::default(); MOST_DOWN.div_ceil(LANES)];
        for node in 1..=self.along.count() {
            let flat = sines.iter_mut().flat_map(|lanes| &mut lanes.0);
            flat.zip(self.along.along(node)).for_each(|(out, sine)| *out = sine);
            dispatch!(self.level, simd => self.add_along(simd, &sines, &mut sums));
            for (row, sines) in self.sines_at_rows.iter().enumerate() {
                let [x, y] = self.grid.in_memory_order([node, row + 1]);
                if let Some(out) = out.get_mut(y * width + x) {
                    *out = dispatch!(self.level, simd => add_down(simd, sines, &sums));
                }
            }
        }
    }

    /// Adds up every row of waves with the sines at one column of nodes.
    #[inline(always)]
    fn add_along<S: Simd>(&self, simd: S, sines: &[Lanes], sums: &mut [Lanes]) {
        let pushed = self.is_pushed();
        let sums = sums.iter_mut().flat_map(|lanes| &mut lanes.0);
        for (row, (octets, sum)) in self.waves.octets.chunks_exact(self.waves.columns).zip(sums).enumerate() {
            let mut total = f64x8::splat(simd, 0.0);
            for (column, octet) in octets.iter().enumerate() {
                let mut u = load(simd, &octet.displacement);
                if pushed {
                    u += self.push_on(simd, row, column);
                }
                total += load(simd, &sines[column]) * u;
            }
            *sum = fold(total);
        }
    }
}

#[inline(always)]
fn add_down<S: Simd>(simd: S, sines: &[Lanes], sums: &[Lanes]) -> f64 {
    let mut total = f64x8::splat(simd, 0.0);
    for (sines, sums) in sines.iter().zip(sums) {
        total += load(simd, sines) * load(simd, sums);
    }
    fold(total)
}
