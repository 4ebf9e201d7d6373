//! A body that is stretched as a whole: one term, without products of different modes.

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use super::super::super::lanes::{Lanes, fold, load};
use super::super::kernel::{Book, Octet};
use super::super::points::Points;
use super::super::state::{State, slot};
use super::super::{LANES, octet_and_lane};
use super::kernel::{self, Pass, Sums};

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
    /// What a pass finds of that at the points that are followed, in lanes.
    pulled: Vec<Lanes>,
}

impl Whole {
    /// At rest, by h of each mode in √J/m².
    pub(crate) fn new(slopes: Vec<f64>) -> Self {
        let form = vec![Lanes::default(); slopes.len().div_ceil(LANES)];
        Self { slopes, form, root: 0.0, mean: 0.0, steepness: 4.0, pulls: Vec::new(), pulled: Vec::new() }
    }

    pub(super) fn mode_count(&self) -> usize {
        self.slopes.len()
    }

    /// Makes room for a point more.
    pub(super) fn add_point(&mut self) {
        self.pulls.push(0.0);
        self.pulled.push(Lanes::default());
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
        if state.booked {
            self.pass_over::<S, true>(simd, state, points)
        } else {
            self.pass_over::<S, false>(simd, state, points)
        }
    }

    #[inline(always)]
    fn pass_over<S: Simd, const BOOKED: bool>(&mut self, simd: S, state: &mut State, points: &mut Points) -> f64 {
        let before = slot(state.clock, 0);
        let Points { weights, followed, memory, pushes, sums, .. } = points;
        pushes.clear();
        if state.pushed[before] {
            for (point, &force) in memory.forces[before].iter().enumerate() {
                if force != 0.0 {
                    pushes.push((point, force));
                }
            }
        }
        let Self { form, mean, pulled, .. } = &mut *self;
        let (displaced, pulled) = (&mut sums[..followed.len()], &mut pulled[..followed.len()]);
        let books: &mut [Book] = if BOOKED { &mut state.books } else { &mut [] };
        let pass = Pass { weights, form, mean: *mean, pushes, followed, displaced, pulled };
        let Sums { square, ahead, lost } = kernel::step::<S, BOOKED>(simd, &mut state.octets, books, pass);
        self.steepness = 4.0 + square;
        self.mean = (2.0 * self.root + ahead) / self.steepness;
        for (&point, (displaced, pulled)) in followed.iter().zip(sums.iter().zip(&self.pulled)) {
            let pull = fold(load(simd, pulled));
            self.pulls[point] = pull;
            memory.sums[point] = fold(load(simd, displaced)) - pull * self.mean;
        }
        lost
    }
}
