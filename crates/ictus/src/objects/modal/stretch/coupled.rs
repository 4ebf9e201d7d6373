//! A plate whose modes stretch each other (von Kármán): many terms ψ_k, each a quadratic form with products of different modes.
//!
//! With `g_k = G_k u` of all terms and `N_kl = g_k·g_l`, one system of as many unknowns as terms gives all τ, by Cholesky's factors `LLᵀ = 4 + N`:
//!
//! ```text
//! (4 + N) τ = 2ψ⁻ + g·u*,    e = -Σ g_k τ_k,    ψ⁺ = 2τ - ψ⁻,    W' = W - (L⁻¹ gᵀa)ᵀ (L⁻¹ gᵀa)
//! ```
//!
//! Work per sample: the products that are not 0, plus K²N/2 and K³/6. G is kept without its scales, a column of eight modes at a time, the modes in an order that keeps zeros
//! together. The pull of τ is taken along at once; what contacts add to τ later arrives with the next step.

use std::mem::take;

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use super::super::super::lanes::{LANES, Lanes, fold, load};
use super::super::super::modes::Curvatures;
use super::super::kernel::{Book, Octet, sum};
use super::super::octet_and_lane;
use super::super::points::Points;
use super::super::state::{State, slot};
use super::super::weights::Row;
use super::cholesky::{factorise, solve_lower, solve_upper};
use super::kernel;

/// The stretching of a plate.
#[derive(Clone, Debug)]
pub(crate) struct Coupled {
    terms: usize,
    /// The mode at each place, and the place of each mode.
    order: Vec<u32>,
    places: Vec<u32>,
    /// H without its factor: of every term, and of eight places each, the columns that are not 0.
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<Lanes>,
    /// √(EH), and what H is multiplied by on either side to give G, by place.
    factor: f64,
    scales: Vec<Lanes>,
    /// √G u by place, as far as the modes go; and u* there.
    bent: Vec<f64>,
    ahead: Vec<Lanes>,
    /// g of all terms by place, term by term; and the pull of all.
    curves: Vec<Lanes>,
    pull: Vec<Lanes>,
    /// L, row by row.
    matrix: Vec<f64>,
    /// ψ⁻ in a step, ψ⁺ after it; τ; and what contacts have added to τ in this step.
    roots: Vec<f64>,
    means: Vec<f64>,
    late: Vec<f64>,
    is_late: bool,
    /// Weights of every point by place, and L⁻¹ of its g·a.
    rows: Vec<Vec<Lanes>>,
    measures: Vec<f64>,
    solved: Vec<f64>,
}

impl Coupled {
    /// At rest, from the products of a plate's modes and √(EH) in √(N/m). Takes a time and memory by their number.
    pub(crate) fn new(products: &dyn Curvatures, factor: f64) -> Self {
        let (terms, order) = (products.airy_modes(), products.order());
        let octets = order.len().div_ceil(LANES);
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &mode)| places[mode] = place as u32);
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for term in 0..terms {
            for octet in order.chunks(LANES) {
                for (column, &other) in order.iter().enumerate() {
                    let mut lanes = Lanes::default();
                    lanes.0.iter_mut().zip(octet).for_each(|(lane, &one)| *lane = products.product(term, one, other));
                    if lanes.0.iter().any(|value| *value != 0.0) {
                        columns.push(column as u32);
                        values.push(lanes);
                    }
                }
                starts.push(columns.len() as u32);
            }
        }
        let lanes = || vec![Lanes::default(); octets];
        Self {
            terms,
            bent: vec![0.0; order.len()],
            order: order.iter().map(|mode| *mode as u32).collect(),
            places,
            starts,
            columns,
            values,
            factor,
            scales: lanes(),
            ahead: lanes(),
            curves: vec![Lanes::default(); octets * terms],
            pull: lanes(),
            matrix: vec![0.0; terms * terms],
            roots: vec![0.0; terms],
            means: vec![0.0; terms],
            late: vec![0.0; terms],
            is_late: false,
            rows: Vec::new(),
            measures: Vec::new(),
            solved: vec![0.0; terms],
        }
    }

    /// How many modes it is for.
    pub(super) fn mode_count(&self) -> usize {
        self.order.len()
    }

    pub(super) fn add_point(&mut self) {
        self.rows.push(vec![Lanes::default(); self.pull.len()]);
        self.measures.resize(self.measures.len() + self.terms, 0.0);
    }

    /// Takes the weights of a point.
    pub(super) fn put_row(&mut self, point: usize, row: Row) {
        for (place, &mode) in self.order.iter().enumerate() {
            let (octet, lane) = octet_and_lane(mode as usize);
            self.rows[point][place / LANES].0[place % LANES] = row.octet(octet).0[lane];
        }
    }

    /// Takes what H is multiplied by on either side for each mode, its factor left out.
    pub(super) fn fit(&mut self, scale_of: impl Fn(usize) -> f64) {
        let factor = self.factor.sqrt();
        for (place, &mode) in self.order.iter().enumerate() {
            self.scales[place / LANES].0[place % LANES] = factor * scale_of(mode as usize);
        }
    }

    pub(super) fn settle(&mut self) {
        self.late.fill(0.0);
        self.is_late = false;
    }

    pub(super) fn is_owing(&self) -> bool {
        self.is_late
    }

    pub(super) fn energy(&self) -> f64 {
        0.5 * self.roots.iter().map(|root| root * root).sum::<f64>()
    }

    /// Forgets how it was stretched.
    pub(super) fn find_root(&mut self, octets: &[Octet], level: Level) {
        self.settle();
        self.means.fill(0.0);
        for (bent, &mode) in self.bent.iter_mut().zip(&self.order) {
            let (octet, lane) = octet_and_lane(mode as usize);
            *bent = octets[octet].displacement.0[lane] - octets[octet].last_move.0[lane];
        }
        self.take_ahead(octets);
        dispatch!(level, simd => {
            self.bend(simd);
            for term in 0..self.terms {
                self.roots[term] = 0.5 * dot(simd, self.curve(term), &self.ahead);
            }
        });
    }

    /// What of the last step's pull has not arrived in a mode.
    pub(super) fn owed_by(&self, mode: usize) -> f64 {
        if !self.is_late {
            return 0.0;
        }
        let place = self.places[mode] as usize;
        let octets = self.pull.len();
        let pull = |(term, late): (usize, &f64)| self.curves[term * octets + place / LANES].0[place % LANES] * late;
        -self.late.iter().enumerate().map(pull).sum::<f64>()
    }

    /// The same of eight.
    #[inline(always)]
    pub(super) fn owed<S: Simd>(&self, simd: S, index: usize) -> f64x8<S> {
        let mut lanes = Lanes::default();
        if self.is_late {
            for (lane, owed) in lanes.0.iter_mut().enumerate() {
                let mode = LANES * index + lane;
                *owed = if mode < self.places.len() { self.owed_by(mode) } else { 0.0 };
            }
        }
        load(simd, &lanes)
    }

    fn measure(&self, point: usize) -> &[f64] {
        &self.measures[point * self.terms..][..self.terms]
    }

    pub(super) fn held_back(&self, here: usize, there: usize) -> f64 {
        self.measure(here).iter().zip(self.measure(there)).map(|(here, there)| here * there).sum()
    }

    pub(super) fn push(&mut self, points: &mut Points, point: usize, force: f64, slot: usize) {
        points.push_at_once(point, force, slot);
        let terms = self.terms;
        let Self { measures, solved, .. } = self;
        let measure = &measures[point * terms..][..terms];
        let displacements = &mut points.memory.displacements[slot];
        for (displacement, other) in displacements.iter_mut().zip(measures.chunks_exact(terms)) {
            let held = measure.iter().zip(other).map(|(here, there)| here * there).sum::<f64>();
            *displacement -= force * held;
        }
        solved.copy_from_slice(measure);
        solve_upper(&self.matrix, solved);
        for ((late, mean), solved) in self.late.iter_mut().zip(&mut self.means).zip(solved) {
            *late += force * *solved;
            *mean += force * *solved;
        }
        self.is_late = true;
    }

    pub(super) fn advance(&mut self) {
        self.roots.iter_mut().zip(&self.means).for_each(|(root, mean)| *root = 2.0 * mean - *root);
    }

    /// The free step, its pull and all points included. Returns four times what the last step has lost.
    #[cfg_attr(
        not(any(feature = "scalar", all(target_arch = "wasm32", not(target_feature = "simd128")))),
        inline(always)
    )]
    pub(super) fn pass<S: Simd>(&mut self, simd: S, state: &mut State, points: &mut Points) -> f64 {
        let before = slot(state.clock, 0);
        if state.pushed[before] {
            let forces = &points.memory.forces[before];
            for (point, &force) in forces.iter().enumerate().filter(|(_, force)| **force != 0.0) {
                kernel::complete(simd, &mut state.octets, points.weights.row(point), force);
            }
        }
        if take(&mut self.is_late) {
            std::mem::swap(&mut self.late, &mut self.solved);
            self.pull(simd, &mut state.octets);
            self.late.fill(0.0);
        }
        for (bent, &mode) in self.bent.iter_mut().zip(&self.order) {
            let (octet, lane) = octet_and_lane(mode as usize);
            *bent = state.octets[octet].displacement.0[lane];
        }
        self.bend(simd);
        let lost = swing(simd, &mut state.octets, if state.booked { &mut state.books } else { &mut [] });
        self.take_ahead(&state.octets);
        self.find_means(simd);
        self.solved.copy_from_slice(&self.means);
        self.pull(simd, &mut state.octets);
        for index in 0..points.followed.len() {
            let point = points.followed[index];
            let row = points.weights.row(point);
            points.memory.sums[point] = sum(simd, state.octets.len(), |index| {
                load(simd, row.octet(index)) * load(simd, &state.octets[index].displacement)
            });
            for term in 0..self.terms {
                self.measures[point * self.terms + term] = dot(simd, self.curve(term), &self.rows[point]);
            }
            solve_lower(&self.matrix, &mut self.measures[point * self.terms..][..self.terms]);
        }
        lost
    }

    fn curve(&self, term: usize) -> &[Lanes] {
        let octets = self.pull.len();
        &self.curves[term * octets..][..octets]
    }

    fn take_ahead(&mut self, octets: &[Octet]) {
        for (place, &mode) in self.order.iter().enumerate() {
            let (octet, lane) = octet_and_lane(mode as usize);
            self.ahead[place / LANES].0[place % LANES] = octets[octet].displacement.0[lane];
        }
    }

    /// g of all terms from what is in `bent`.
    #[inline(always)]
    fn bend<S: Simd>(&mut self, simd: S) {
        let Self { starts, columns, values, scales, bent, curves, .. } = self;
        for (place, bent) in bent.iter_mut().enumerate() {
            *bent *= scales[place / LANES].0[place % LANES];
        }
        let octets = scales.len();
        for (row, curve) in curves.iter_mut().enumerate() {
            let range = starts[row] as usize..starts[row + 1] as usize;
            let (columns, values) = (&columns[range.clone()], &values[range]);
            let mut sums = [f64x8::splat(simd, 0.0); 4];
            let (four, rest) = (columns.chunks_exact(4), columns.len() / 4 * 4);
            for (columns, values) in four.zip(values.chunks_exact(4)) {
                for index in 0..4 {
                    sums[index] += load(simd, &values[index]) * f64x8::splat(simd, bent[columns[index] as usize]);
                }
            }
            for (column, value) in columns[rest..].iter().zip(&values[rest..]) {
                sums[0] += load(simd, value) * f64x8::splat(simd, bent[*column as usize]);
            }
            let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            (sum * load(simd, &scales[row % octets])).store_array(&mut curve.0);
        }
    }

    /// τ of all terms, and the factors of 4 + N.
    #[inline(always)]
    fn find_means<S: Simd>(&mut self, simd: S) {
        let terms = self.terms;
        let octets = self.pull.len();
        let Self { curves, matrix, means, roots, ahead, .. } = self;
        let curve = |term: usize| &curves[term * octets..][..octets];
        for one in 0..terms {
            let row = &mut matrix[one * terms..][..=one];
            // Four at a time, so that their common factor is read once.
            let fours = row.len() / 4 * 4;
            for other in (0..fours).step_by(4) {
                let others = std::array::from_fn(|index| curve(other + index));
                row[other..][..4].copy_from_slice(&dots::<S, 4>(simd, curve(one), others));
            }
            for (other, entry) in row.iter_mut().enumerate().skip(fours) {
                *entry = dot(simd, curve(one), curve(other));
            }
            row[one] += 4.0;
            means[one] = 2.0 * roots[one] + dot(simd, curve(one), ahead);
        }
        factorise(simd, &mut self.matrix, terms);
        solve_lower(&self.matrix, &mut self.means);
        solve_upper(&self.matrix, &mut self.means);
    }

    /// Lets the pull of what is in `solved` arrive: u and d become less by Σ g_k times it.
    #[inline(always)]
    fn pull<S: Simd>(&mut self, simd: S, octets: &mut [Octet]) {
        let count = self.pull.len();
        for index in 0..count {
            let mut sum = f64x8::splat(simd, 0.0);
            for (term, mean) in self.solved.iter().enumerate() {
                sum += load(simd, &self.curves[term * count + index]) * f64x8::splat(simd, *mean);
            }
            sum.store_array(&mut self.pull[index].0);
        }
        for (place, &mode) in self.order.iter().enumerate() {
            let ((octet, lane), pull) = (octet_and_lane(mode as usize), self.pull[place / LANES].0[place % LANES]);
            octets[octet].displacement.0[lane] -= pull;
            octets[octet].last_move.0[lane] -= pull;
        }
    }
}

/// The free step of all modes without their pull; with books, four times what the step before has lost.
#[inline(always)]
fn swing<S: Simd>(simd: S, octets: &mut [Octet], books: &mut [Book]) -> f64 {
    let one = f64x8::splat(simd, 1.0);
    let mut loss = f64x8::splat(simd, 0.0);
    for (octet, book) in octets.iter().zip(books) {
        let d = load(simd, &octet.last_move);
        let moves = load(simd, &book.older) + d;
        loss += (one - load(simd, &octet.persistence)) * (moves * moves);
        d.store_array(&mut book.older.0);
    }
    for octet in octets {
        let u = load(simd, &octet.displacement);
        let next = load(simd, &octet.persistence) * load(simd, &octet.last_move) - load(simd, &octet.restoring) * u;
        next.store_array(&mut octet.last_move.0);
        (u + next).store_array(&mut octet.displacement.0);
    }
    fold(loss)
}

#[inline(always)]
fn dot<S: Simd>(simd: S, here: &[Lanes], there: &[Lanes]) -> f64 {
    dots::<S, 1>(simd, here, [there])[0]
}

#[inline(always)]
fn dots<S: Simd, const COUNT: usize>(simd: S, here: &[Lanes], there: [&[Lanes]; COUNT]) -> [f64; COUNT] {
    let there = there.map(|row| &row[..here.len()]);
    let mut sums = [f64x8::splat(simd, 0.0); COUNT];
    for (index, here) in here.iter().enumerate() {
        let here = load(simd, here);
        for other in 0..COUNT {
            sums[other] += here * load(simd, &there[other][index]);
        }
    }
    let mut folded = [0.0; COUNT];
    for (folded, sum) in folded.iter_mut().zip(sums) {
        *folded = fold(sum);
    }
    folded
}
