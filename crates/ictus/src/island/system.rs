//! The linear system of an island.
//!
//! Steps s and forces f obey `s = s0 - W f` and `f = D s + o`, with `o = ψ g`. With `E² = D` and `f = E y` this is
//! `(I + E W E) y = E s0 + o/E`, symmetric and positive definite for any admittance matrix, solved by Cholesky without roots; `o/E` is at most 2ψ. A force
//! that does not depend on its step (D = 0) is known, and moves the others. Two contacts are solved in closed form.
//!
//! Rejected: solving for the steps and taking `f = D s + o`, which cancels in a stiff contact (1 µg pressed by a law of exponent 13 had forces
//! rounded to 1e-2 of themselves).

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use super::factor::Factor;
use crate::objects::lanes::{LANES, Lanes, load};

/// The linear system, in the order of those that take part. Its matrices are kept in whole lanes, of which the last are filled with zeros.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// Vector instructions there are.
    level: Level,
    /// How many take part, and the lanes of a row.
    count: usize,
    width: usize,
    /// W among them without its diagonal, row by row, and the diagonal, in m/N.
    across: Vec<Lanes>,
    own: Vec<f64>,
    /// D, in N/m.
    pub conductances: Vec<f64>,
    /// ψg, in N.
    pub offsets: Vec<f64>,
    /// s0, in m.
    pub free_steps: Vec<f64>,
    /// The solution: s in m and f in N; and the steps that the forces of the others alone would make them take.
    pub steps: Vec<f64>,
    pub forces: Vec<f64>,
    pub felt: Vec<f64>,
    /// E, what is to be found, and by how much the others move each.
    scales: Vec<Lanes>,
    unknown: Vec<Lanes>,
    moved: Vec<Lanes>,
    /// The factor of the matrix.
    upper: Vec<Lanes>,
    lower: Vec<Lanes>,
    inverses: Vec<f64>,
}

/// A view of an island's matrix W.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub entries: &'a [f64],
    pub size: usize,
}

impl Matrix<'_> {
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    /// The sum of some rows, each with a factor.
    pub fn combine(&self, level: Level, rows: &[(usize, f64)], sums: &mut [f64]) {
        dispatch!(level, simd => self.combine_in_lanes(simd, rows, sums));
    }

    #[inline(always)]
    fn combine_in_lanes<S: Simd>(&self, simd: S, rows: &[(usize, f64)], sums: &mut [f64]) {
        let (whole, rest) = sums.as_chunks_mut::<{ 4 * LANES }>();
        let mut first = 0;
        for sums in whole {
            self.combine_columns::<S, 4>(simd, rows, first, sums);
            first += 4 * LANES;
        }
        let (whole, rest) = rest.as_chunks_mut::<LANES>();
        for sums in whole {
            self.combine_columns::<S, 1>(simd, rows, first, sums);
            first += LANES;
        }
        for (column, sum) in rest.iter_mut().enumerate() {
            *sum = 0.0;
            for &(row, factor) in rows {
                *sum += self.at(row, first + column) * factor;
            }
        }
    }

    /// The same of so many lanes of columns.
    #[cfg_attr(
        not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))),
        inline(always)
    )]
    fn combine_columns<S: Simd, const COUNT: usize>(
        &self,
        simd: S,
        rows: &[(usize, f64)],
        first: usize,
        sums: &mut [f64],
    ) {
        let mut totals = [f64x8::splat(simd, 0.0); COUNT];
        for &(row, factor) in rows {
            let (entries, _) = self.entries[row * self.size + first..][..COUNT * LANES].as_chunks::<LANES>();
            for index in 0..COUNT {
                totals[index] += f64x8::load_array_ref(simd, &entries[index]) * factor;
            }
        }
        let (sums, _) = sums.as_chunks_mut::<LANES>();
        for index in 0..COUNT {
            totals[index].store_array(&mut sums[index]);
        }
    }
}

impl System {
    pub fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        let width = size.div_ceil(LANES);
        let lanes = |rows: usize| vec![Lanes::default(); rows * width];
        Self {
            level: crate::simd::level(),
            count: 0,
            width: 0,
            across: lanes(size),
            own: zeros(),
            conductances: zeros(),
            offsets: zeros(),
            free_steps: zeros(),
            steps: zeros(),
            forces: zeros(),
            felt: zeros(),
            scales: lanes(1),
            unknown: lanes(1),
            moved: lanes(1),
            upper: lanes(size),
            lower: lanes(size),
            inverses: zeros(),
        }
    }

    pub fn level(&self) -> Level {
        self.level
    }

    /// Takes the links of these slots: those that take part.
    pub fn choose(&mut self, matrix: &Matrix, slots: &[usize]) {
        (self.count, self.width) = (slots.len(), slots.len().div_ceil(LANES));
        if slots.is_empty() {
            return;
        }
        self.across[..self.count * self.width].fill(Lanes::default());
        for ((i, &slot), row) in slots.iter().enumerate().zip(self.across.chunks_exact_mut(self.width)) {
            let entries = &matrix.entries[slot * matrix.size..][..matrix.size];
            for (j, &other) in slots.iter().enumerate() {
                row[j / LANES].0[j % LANES] = entries[other];
            }
            row[i / LANES].0[i % LANES] = 0.0;
            self.own[i] = entries[slot];
        }
    }

    /// Between two of those that take part, in m/N.
    pub fn between(&self, one: usize, other: usize) -> f64 {
        if one == other { self.own[one] } else { self.across[one * self.width + other / LANES].0[other % LANES] }
    }

    /// Solves for the steps and forces.
    pub fn solve(&mut self) {
        match self.count {
            0 => {}
            1 => self.solve_one(),
            2 => self.solve_two(),
            _ => dispatch!(self.level, simd => self.solve_many(simd, true)),
        }
    }

    /// The same for other free steps and offsets, but the same conductances as before.
    pub fn solve_again(&mut self) {
        match self.count {
            0..=2 => self.solve(),
            _ => dispatch!(self.level, simd => self.solve_many(simd, false)),
        }
    }

    fn solve_one(&mut self) {
        let (admittance, conductance) = (self.own[0], self.conductances[0]);
        let (offset, free_step) = (self.offsets[0], self.free_steps[0]);
        let stiffness = 1.0 + admittance * conductance;
        self.steps[0] = (free_step - admittance * offset) / stiffness;
        self.forces[0] = (conductance * free_step + offset) / stiffness;
        self.felt[0] = free_step;
    }

    fn solve_two(&mut self) {
        let (w00, w01, w11) = (self.own[0], self.between(0, 1), self.own[1]);
        let (d0, d1) = (self.conductances[0], self.conductances[1]);
        let (o0, o1) = (self.offsets[0], self.offsets[1]);
        let (s0, s1) = (self.free_steps[0], self.free_steps[1]);
        // Expanded, so that the large products of two stiff contacts do not cancel; det W is never negative.
        let determinant = 1.0 + w00 * d0 + w11 * d1 + d0 * d1 * (w00 * w11 - w01 * w01).max(0.0);
        let f0 = (o0 + d0 * (s0 - w01 * o1) + d1 * (d0 * (w11 * s0 - w01 * s1) + w11 * o0)) / determinant;
        let f1 = (o1 + d1 * (s1 - w01 * o0) + d0 * (d1 * (w00 * s1 - w01 * s0) + w00 * o1)) / determinant;
        (self.forces[0], self.forces[1]) = (f0, f1);
        (self.moved[0].0[0], self.moved[0].0[1]) = (w01 * f1, w01 * f0);
        self.move_by_forces();
    }

    #[cfg_attr(
        not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))),
        inline(always)
    )]
    fn solve_many<S: Simd>(&mut self, simd: S, factorise: bool) {
        let (count, width) = (self.count, self.width);
        self.unknown[..width].fill(Lanes::default());
        for (index, scales) in self.scales[..width].iter_mut().enumerate() {
            *scales = Lanes::default();
            let conductances = &self.conductances[index * LANES..count.min((index + 1) * LANES)];
            for (scale, conductance) in scales.0.iter_mut().zip(conductances) {
                *scale = conductance.sqrt();
            }
        }
        let mut known = false;
        for i in 0..count {
            self.forces[i] = if self.conductances[i] > 0.0 { 0.0 } else { self.offsets[i] };
            known |= self.forces[i] != 0.0;
        }
        if known {
            self.move_each_other(simd);
        }
        for i in 0..count {
            let place = [i / LANES, i % LANES];
            let moved = if known { self.moved[place[0]].0[place[1]] + self.own[i] * self.forces[i] } else { 0.0 };
            let scale = self.scales[place[0]].0[place[1]];
            let stored = if scale > 0.0 { self.offsets[i] / scale } else { 0.0 };
            self.unknown[place[0]].0[place[1]] = scale * (self.free_steps[i] - moved) + stored;
        }
        if factorise {
            self.fill_factor(simd);
        }
        let Self { upper, lower, inverses, unknown, .. } = self;
        let (upper, lower) = (&mut upper[..count * width], &mut lower[..count * width]);
        let mut factor = Factor { width, upper, lower, inverses: &mut inverses[..count] };
        if factorise {
            factor.factorise(simd);
        }
        factor.solve(simd, &mut unknown[..width]);
        for i in 0..count {
            if self.conductances[i] > 0.0 {
                self.forces[i] = self.scales[i / LANES].0[i % LANES] * self.unknown[i / LANES].0[i % LANES];
            }
        }
        self.move_each_other(simd);
        self.move_by_forces();
    }

    /// `I + E W E`; of each row, from the lanes of its diagonal on.
    #[inline(always)]
    fn fill_factor<S: Simd>(&mut self, simd: S) {
        let width = self.width;
        for i in 0..self.count {
            let scale = self.scales[i / LANES].0[i % LANES];
            let (row, across) = (&mut self.upper[i * width..][..width], &self.across[i * width..][..width]);
            for lanes in i / LANES..width {
                (load(simd, &across[lanes]) * scale * load(simd, &self.scales[lanes])).store_array(&mut row[lanes].0);
            }
            row[i / LANES].0[i % LANES] = 1.0 + scale * self.own[i] * scale;
        }
    }

    /// By how much the forces of the others move each.
    #[inline(always)]
    fn move_each_other<S: Simd>(&mut self, simd: S) {
        let width = self.width;
        for lanes in 0..width {
            let mut moved = f64x8::splat(simd, 0.0);
            for (row, force) in self.across.chunks_exact(width).zip(&self.forces[..self.count]) {
                moved += load(simd, &row[lanes]) * *force;
            }
            moved.store_array(&mut self.moved[lanes].0);
        }
    }

    /// The steps that belong to the forces: `s = (f - o)/D` where a contact is stiff, `s = s0 - W f` where it is soft. The other form cancels.
    fn move_by_forces(&mut self) {
        let Self { conductances, offsets, free_steps, steps, forces, felt, moved, own, .. } = self;
        for i in 0..self.count {
            felt[i] = free_steps[i] - moved[i / LANES].0[i % LANES];
            let stiff = conductances[i] * own[i] > 1.0;
            steps[i] = if stiff { (forces[i] - offsets[i]) / conductances[i] } else { felt[i] - own[i] * forces[i] };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A contact: how far it is from the next in `W = Aᵀ A`, log of `W D` or none, ψ in units of √(1/W), and s0.
    fn contact() -> impl Strategy<Value = ([f64; 2], Option<f64>, f64, f64)> {
        let stiffness = prop_oneof![Just(None), (-6.0..18.0_f64).prop_map(|log| Some(10f64.powf(log)))];
        ([-1.0..1.0_f64, -1.0..1.0], stiffness, 0.0..1.0_f64, -1.0..1.0_f64)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// Bodies move by the forces, the contacts store by the steps: were the two not the same to rounding, energy would be made or lost.
        #[test]
        fn forces_and_steps_of_an_island_fit_each_other_however_stiff_it_is(contacts in prop::collection::vec(contact(), 1..5)) {
            let size = contacts.len();
            // Two columns for up to four contacts: some move each other as one.
            let row = |i: usize| contacts[i].0;
            let w = |i: usize, j: usize| row(i)[0] * row(j)[0] + row(i)[1] * row(j)[1] + if i == j { 1e-3 } else { 0.0 };
            let entries: Vec<f64> = (0..size * size).map(|at| w(at / size, at % size)).collect();
            let mut system = System::new(size);
            for (i, &(_, stiffness, root, free_step)) in contacts.iter().enumerate() {
                let conductance = stiffness.map_or(0.0, |stiffness| stiffness / w(i, i));
                system.conductances[i] = conductance;
                system.offsets[i] = if conductance > 0.0 { 2.0 * root * (conductance / w(i, i)).sqrt() } else { root };
                system.free_steps[i] = free_step;
            }
            let slots: Vec<usize> = (0..size).collect();
            system.choose(&Matrix { entries: &entries, size }, &slots);
            system.solve();
            for i in 0..size {
                let (step, force) = (system.steps[i], system.forces[i]);
                let pushes: Vec<f64> = (0..size).map(|j| w(i, j) * system.forces[j]).collect();
                let reach: f64 = (0..size).map(|j| (w(i, i) * w(j, j)).sqrt() * system.forces[j].abs()).sum();
                let apart = step - system.free_steps[i] + pushes.iter().sum::<f64>();
                prop_assert!(apart.abs() <= 1e-13 * (1.0 + reach), "step {i}: {apart:e} of {reach:e}");
                let elastic = system.conductances[i] * step;
                let apart = force - elastic - system.offsets[i];
                let size = force.abs() + elastic.abs() + system.offsets[i].abs();
                prop_assert!(apart.abs() <= 1e-13 * size + 1e-300, "force {i}: {apart:e} of {size:e}");
            }
        }
    }
}
