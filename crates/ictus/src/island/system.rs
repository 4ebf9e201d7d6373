//! The linear system of an island.
//!
//! Steps s and forces f obey `s = s0 - W f` and `f = D s + o`, with `o = ψ g`. With `E² = D` and `f = E y` this is
//! `(I + E W E) y = E s0 + o/E`, symmetric and positive definite for any admittance matrix, solved by Cholesky; `o/E` is at most 2ψ. A force
//! that does not depend on its step (D = 0) is known, and moves the others. Two contacts are solved in closed form.
//!
//! Rejected: solving for the steps and taking `f = D s + o`, which cancels in a stiff contact (1 µg pressed by a law of exponent 13 had forces
//! rounded to 1e-2 of themselves).

use fearless_simd::{Level, dispatch};

/// The linear system, in the order of those that take part.
#[derive(Clone, Debug)]
pub(super) struct System {
    /// Vector instructions there are.
    level: Level,
    /// D, in N/m.
    pub conductances: Vec<f64>,
    /// ψg, in N.
    pub offsets: Vec<f64>,
    /// s0, in m.
    pub free_steps: Vec<f64>,
    /// The solution: s in m and f in N.
    pub steps: Vec<f64>,
    pub forces: Vec<f64>,
    /// E, y and the factor of the matrix.
    scales: Vec<f64>,
    unknown: Vec<f64>,
    factor: Vec<f64>,
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

    /// How far forces in N at these slots move one of them, in m.
    fn moved(&self, slots: &[usize], index: usize, forces: &[f64]) -> f64 {
        slots.iter().zip(forces).map(|(&other, force)| self.at(slots[index], other) * force).sum()
    }
}

impl System {
    pub fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self {
            level: Level::new(),
            conductances: zeros(),
            offsets: zeros(),
            free_steps: zeros(),
            steps: zeros(),
            forces: zeros(),
            scales: zeros(),
            unknown: zeros(),
            factor: vec![0.0; size * size],
        }
    }

    /// Solves for the steps and forces of the links of these slots.
    pub fn solve(&mut self, matrix: &Matrix, slots: &[usize]) {
        if slots.len() > 2 {
            self.factorise(matrix, slots);
        }
        self.solve_again(matrix, slots);
    }

    /// The same for other free steps and offsets, but the same conductances as before.
    pub fn solve_again(&mut self, matrix: &Matrix, slots: &[usize]) {
        match *slots {
            [one] => self.solve_one(matrix.at(one, one)),
            [first, second] => self.solve_two(matrix, first, second),
            _ => self.solve_many(matrix, slots),
        }
    }

    fn solve_one(&mut self, admittance: f64) {
        let (conductance, offset, free_step) = (self.conductances[0], self.offsets[0], self.free_steps[0]);
        let stiffness = 1.0 + admittance * conductance;
        self.steps[0] = (free_step - admittance * offset) / stiffness;
        self.forces[0] = (conductance * free_step + offset) / stiffness;
    }

    fn solve_two(&mut self, matrix: &Matrix, i: usize, j: usize) {
        let (w00, w01, w11) = (matrix.at(i, i), matrix.at(i, j), matrix.at(j, j));
        let (d0, d1) = (self.conductances[0], self.conductances[1]);
        let (o0, o1) = (self.offsets[0], self.offsets[1]);
        let (s0, s1) = (self.free_steps[0], self.free_steps[1]);
        // Expanded, so that the large products of two stiff contacts do not cancel; det W is never negative.
        let determinant = 1.0 + w00 * d0 + w11 * d1 + d0 * d1 * (w00 * w11 - w01 * w01).max(0.0);
        self.forces[0] = (o0 + d0 * (s0 - w01 * o1) + d1 * (d0 * (w11 * s0 - w01 * s1) + w11 * o0)) / determinant;
        self.forces[1] = (o1 + d1 * (s1 - w01 * o0) + d0 * (d1 * (w00 * s1 - w01 * s0) + w00 * o1)) / determinant;
        self.move_by_forces(matrix, &[i, j]);
    }

    /// The Cholesky factor of `I + E W E`.
    fn factorise(&mut self, matrix: &Matrix, slots: &[usize]) {
        let count = slots.len();
        let Self { conductances, scales, factor, .. } = self;
        for (scale, conductance) in scales.iter_mut().zip(&*conductances).take(count) {
            *scale = conductance.sqrt();
        }
        for (i, &slot) in slots.iter().enumerate() {
            let row = &matrix.entries[slot * matrix.size..][..matrix.size];
            for j in i..count {
                factor[i * count + j] = scales[i] * row[slots[j]] * scales[j];
            }
            factor[i * count + i] += 1.0;
        }
        dispatch!(self.level, _simd => factorise_positive(&mut factor[..count * count], count));
    }

    fn solve_many(&mut self, matrix: &Matrix, slots: &[usize]) {
        let count = slots.len();
        let Self { conductances, offsets, free_steps, forces, scales, unknown, factor, .. } = self;
        let mut known = false;
        for i in 0..count {
            forces[i] = if conductances[i] > 0.0 { 0.0 } else { offsets[i] };
            known |= forces[i] != 0.0;
        }
        for i in 0..count {
            let moved = if known { matrix.moved(slots, i, forces) } else { 0.0 };
            let stored = if conductances[i] > 0.0 { offsets[i] / scales[i] } else { 0.0 };
            unknown[i] = scales[i] * (free_steps[i] - moved) + stored;
        }
        solve_factorised(&factor[..count * count], &mut unknown[..count]);
        for i in 0..count {
            if conductances[i] > 0.0 {
                forces[i] = scales[i] * unknown[i];
            }
        }
        self.move_by_forces(matrix, slots);
    }

    /// The steps that belong to the forces: `s = (f - o)/D` where a contact is stiff, `s = s0 - W f` where it is soft. The other form cancels.
    fn move_by_forces(&mut self, matrix: &Matrix, slots: &[usize]) {
        let Self { conductances, offsets, free_steps, steps, forces, .. } = self;
        for (i, &slot) in slots.iter().enumerate() {
            let stiff = conductances[i] * matrix.at(slot, slot) > 1.0;
            steps[i] = if stiff {
                (forces[i] - offsets[i]) / conductances[i]
            } else {
                free_steps[i] - matrix.moved(slots, i, forces)
            };
        }
    }
}

/// Replaces the upper triangle of a symmetric positive definite matrix A by that of U, `A = Uᵀ U`. Row by row, so that what is subtracted lies
/// side by side.
#[inline(always)]
fn factorise_positive(matrix: &mut [f64], n: usize) {
    for pivot in 0..n {
        let (done, rest) = matrix.split_at_mut((pivot + 1) * n);
        let row = &mut done[pivot * n..];
        // The diagonal is at least 1 in exact arithmetic; rounding cannot bring it near 0.
        let root = row[pivot].max(f64::MIN_POSITIVE).sqrt();
        row[pivot] = root;
        for entry in &mut row[pivot + 1..] {
            *entry /= root;
        }
        for (below, other) in rest.chunks_exact_mut(n).zip(pivot + 1..) {
            let factor = row[other];
            for (entry, above) in below[other..].iter_mut().zip(&row[other..]) {
                *entry -= factor * above;
            }
        }
    }
}

/// Solves `Uᵀ U x = b` in place, U given by its upper triangle.
fn solve_factorised(factor: &[f64], unknown: &mut [f64]) {
    let n = unknown.len();
    for (i, row) in factor.chunks_exact(n).enumerate() {
        unknown[i] /= row[i];
        let solved = unknown[i];
        unknown[i + 1..].iter_mut().zip(&row[i + 1..]).for_each(|(rest, entry)| *rest -= entry * solved);
    }
    for (i, row) in factor.chunks_exact(n).enumerate().rev() {
        let dot: f64 = row[i + 1..].iter().zip(&unknown[i + 1..]).map(|(entry, known)| entry * known).sum();
        unknown[i] = (unknown[i] - dot) / row[i];
    }
}

/// Replaces a symmetric positive definite matrix by its inverse, both triangles of it.
pub(super) fn invert_positive(matrix: &mut [f64], n: usize) {
    // A⁻¹ by Gauss and Jordan in place: no pivots are needed, and each is at least as large as the smallest eigenvalue.
    for pivot in 0..n {
        let scale = 1.0 / matrix[pivot * n + pivot];
        matrix[pivot * n + pivot] = 1.0;
        for column in 0..n {
            matrix[pivot * n + column] *= scale;
        }
        for row in (0..n).filter(|row| *row != pivot) {
            let factor = std::mem::take(&mut matrix[row * n + pivot]);
            for column in 0..n {
                matrix[row * n + column] -= factor * matrix[pivot * n + column];
            }
        }
    }
    for row in 0..n {
        for column in 0..row {
            let mean = 0.5 * (matrix[row * n + column] + matrix[column * n + row]);
            (matrix[row * n + column], matrix[column * n + row]) = (mean, mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cholesky_solves_what_it_was_given() {
        let upper = [4.0, 2.0, -1.0, 0.0, 5.0, 0.5, 0.0, 0.0, 3.0];
        let x = [1.0, -2.0, 0.5];
        let full = |i: usize, j: usize| if i <= j { upper[i * 3 + j] } else { upper[j * 3 + i] };
        let mut b = [0.0; 3];
        (0..3).for_each(|i| b[i] = (0..3).map(|j| full(i, j) * x[j]).sum());
        let mut factor = upper;
        factorise_positive(&mut factor, 3);
        solve_factorised(&factor, &mut b);
        assert!(b.iter().zip(&x).all(|(got, want)| (got - want).abs() < 1e-14));
    }

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
            system.solve(&Matrix { entries: &entries, size }, &slots);
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
