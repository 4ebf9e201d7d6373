//! A body that is stretched as a whole: one term, without products of different modes.

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use super::super::super::lanes::{Lanes, load};
use super::super::kernel::{Book, Octet};
use super::super::points::Points;
use super::super::state::{State, slot};
use super::super::weights::{Row, Weights};
use super::super::{LANES, octet_and_lane};
use super::kernel;

/// The stretching of a body, by one quadratic form without products of different modes.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    /// h of each mode, in √J/m².
    slopes: Vec<f64>,
    /// G: the same of displacements over √B, corrected for what a step makes of them.
    form: Vec<Lanes>,
    /// ψ⁻ in a step, ψ⁺ after it, in √J.
    root: f64,
    /// τ of the step under way or of the last one; 0 once its pull has arrived in the modes.
    mean: f64,
    /// 4 + g·g.
    steepness: f64,
    /// g·a of every point.
    pulls: Vec<f64>,
}

/// Points that are read in one pass over the modes.
const GROUP: usize = 4;

/// Forces that the step takes along.
const MOST_PUSHES: usize = 2;

impl Whole {
    /// At rest, by h of each mode in √J/m².
    pub(crate) fn new(slopes: Vec<f64>) -> Self {
        let form = vec![Lanes::default(); slopes.len().div_ceil(LANES)];
        Self { slopes, form, root: 0.0, mean: 0.0, steepness: 4.0, pulls: Vec::new() }
    }

    pub(super) fn mode_count(&self) -> usize {
        self.slopes.len()
    }

    /// Makes room for a point more.
    pub(super) fn add_point(&mut self) {
        self.pulls.push(0.0);
    }

    /// Works out G, by what h is multiplied by for each mode.
    pub(super) fn fit(&mut self, scale_of: impl Fn(usize) -> f64) {
        for (mode, slope) in self.slopes.iter().enumerate() {
            let (octet, lane) = octet_and_lane(mode);
            let scale = scale_of(mode);
            self.form[octet].0[lane] = slope * (scale * scale);
        }
    }

    /// Finds ψ anew where nothing is owed to the modes.
    pub(super) fn find_root(&mut self, octets: &[Octet], level: Level) {
        self.settle();
        self.root = dispatch!(level, simd => kernel::root(simd, octets, &self.form));
    }

    /// Nothing is owed to the modes any more.
    pub(super) fn settle(&mut self) {
        self.mean = 0.0;
    }

    /// Whether the last step's pull has yet to arrive in the modes.
    pub(super) fn is_owing(&self) -> bool {
        self.mean != 0.0
    }

    /// Energy in J.
    pub(super) fn energy(&self) -> f64 {
        0.5 * self.root * self.root
    }

    /// The pull of the last step on eight modes, as far as it has not arrived in them.
    #[inline(always)]
    pub(super) fn owed<S: Simd>(&self, simd: S, octet: &Octet, index: usize) -> f64x8<S> {
        let before = load(simd, &octet.last_move) - load(simd, &octet.displacement);
        before * load(simd, &self.form[index]) * f64x8::splat(simd, self.mean)
    }

    /// The same on one of them.
    pub(super) fn owed_by(&self, octet: &Octet, index: usize, lane: usize) -> f64 {
        (octet.last_move.0[lane] - octet.displacement.0[lane]) * self.form[index].0[lane] * self.mean
    }

    /// By how much less a point moves in this step, in m per newton at another, than without the stretching.
    #[inline]
    pub(super) fn held_back(&self, here: usize, there: usize) -> f64 {
        self.pulls[here] * (self.pulls[there] / self.steepness)
    }

    /// Lets a force in N act on a point in the step of a slot.
    #[inline]
    pub(super) fn push(&mut self, points: &mut Points, point: usize, force: f64, slot: usize) {
        let change = force * (self.pulls[point] / self.steepness);
        self.mean += change;
        points.push_at_once(point, force, slot);
        for (displacement, pull) in points.memory.displacements[slot].iter_mut().zip(&self.pulls) {
            *displacement -= change * pull;
        }
    }

    /// Ends a step: ψ⁺ takes the place of ψ⁻.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.root = 2.0 * self.mean - self.root;
    }

    /// The free step of all modes and points. Returns four times what the last step has lost.
    #[inline(always)]
    pub(super) fn pass<S: Simd>(&mut self, simd: S, state: &mut State, points: &mut Points) -> f64 {
        let lost = if state.booked {
            self.pass_over::<S, true>(simd, state, points)
        } else {
            self.pass_over::<S, false>(simd, state, points)
        };
        for &point in &points.followed {
            points.memory.sums[point] -= self.pulls[point] * self.mean;
        }
        lost
    }

    /// All but the pull: it finds τ, and w·u⁺ and w·g of the points that are followed. Returns four times what the last step has lost.
    #[inline(always)]
    fn pass_over<S: Simd, const BOOKED: bool>(&mut self, simd: S, state: &mut State, points: &mut Points) -> f64 {
        let before = slot(state.clock, 0);
        let weights = &points.weights;
        let forces = &points.memory.forces[before];
        let mut taken = [(Row::alone(&[]), 0.0); MOST_PUSHES];
        let mut pushes = 0;
        if state.pushed[before] {
            for (point, &force) in forces.iter().enumerate().filter(|(_, force)| **force != 0.0) {
                let row = weights.row(point);
                if pushes < MOST_PUSHES {
                    taken[pushes] = (row, force);
                    pushes += 1;
                } else {
                    kernel::complete(simd, &mut state.octets, row, force);
                }
            }
        }
        let books: &mut [Book] = if BOOKED { &mut state.books } else { &mut [] };
        let followed = &points.followed[..];
        let (read, more) = followed.split_at(followed.len().min(GROUP));
        let octets = &mut state.octets[..];
        let (form, mean) = (&self.form[..], self.mean);
        let sums = match pushes {
            0 => read_in_step::<S, 0, BOOKED>(simd, octets, books, form, mean, [], weights, read),
            1 => read_in_step::<S, 1, BOOKED>(simd, octets, books, form, mean, [taken[0]], weights, read),
            _ => read_in_step::<S, 2, BOOKED>(simd, octets, books, form, mean, taken, weights, read),
        };
        self.steepness = 4.0 + sums.square;
        self.mean = (2.0 * self.root + sums.ahead) / self.steepness;
        for (point, [sum, pull]) in read.iter().zip(sums.at) {
            (points.memory.sums[*point], self.pulls[*point]) = (sum, pull);
        }
        for group in more.chunks(GROUP) {
            // The last group is filled up with its first point.
            let rows = std::array::from_fn(|index| weights.row(*group.get(index).unwrap_or(&group[0])));
            let sums = kernel::sums_at::<S, GROUP>(simd, octets, form, rows);
            for (point, [sum, pull]) in group.iter().zip(sums) {
                (points.memory.sums[*point], self.pulls[*point]) = (sum, pull);
            }
        }
        sums.lost
    }
}

/// A step that takes some reads along.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "what a pass goes through, side by side")]
fn read_in_step<S: Simd, const PUSHES: usize, const BOOKED: bool>(
    simd: S,
    octets: &mut [Octet],
    books: &mut [Book],
    form: &[Lanes],
    mean: f64,
    pushes: [(Row, f64); PUSHES],
    weights: &Weights,
    read: &[usize],
) -> kernel::Sums<GROUP> {
    let at = |point: usize| weights.row(point);
    match *read {
        [] => kernel::step::<S, PUSHES, 0, BOOKED>(simd, octets, books, form, mean, pushes, []).widened(),
        [a] => kernel::step::<S, PUSHES, 1, BOOKED>(simd, octets, books, form, mean, pushes, [at(a)]).widened(),
        [a, b] => {
            kernel::step::<S, PUSHES, 2, BOOKED>(simd, octets, books, form, mean, pushes, [at(a), at(b)]).widened()
        }
        [a, b, c] => {
            let reads = [at(a), at(b), at(c)];
            kernel::step::<S, PUSHES, 3, BOOKED>(simd, octets, books, form, mean, pushes, reads).widened()
        }
        [a, b, c, d, ..] => {
            let reads = [at(a), at(b), at(c), at(d)];
            kernel::step::<S, PUSHES, 4, BOOKED>(simd, octets, books, form, mean, pushes, reads)
        }
    }
}

impl<const READS: usize> kernel::Sums<READS> {
    fn widened(self) -> kernel::Sums<GROUP> {
        let Self { at, square, ahead, lost } = self;
        kernel::Sums {
            at: std::array::from_fn(|index| at.get(index).copied().unwrap_or_default()),
            square,
            ahead,
            lost,
        }
    }
}
