//! A line under one contact: where its next step leads the point of contact is foreseen.
//!
//! A contact can begin only when it is known where the four nodes around its point go, and these can be stepped only when it is known how the
//! contact before has pushed them. So line and contact would wait for each other in every sample. But as soon as the force is known, the
//! four nodes can be stepped by themselves, by the kernel's operations in the kernel's order and so to the bit: then the next contact is solved
//! while the line is stepped as a whole, in two parts, where the contact waits for its roots and for its division.
//!
//! Rejected: to step the rows of the four nodes before the others. They are a third of a string of 100 points, and the contact waits for all of
//! them; nothing is gained (`docs/benchmarks.md`).

use fearless_simd::{Simd, f64x2, f64x4, prelude::*};

use super::super::lanes::LANES;
use super::super::struck::{PARTS, Strikable, Struck};
use super::super::{At, Support};
use super::kernel::{self, Stencil};
use super::pieces::{Row, Slot, row_and_lane};
use super::{End, Line};

/// Nodes around a point.
const NODES: usize = 4;
/// Nodes on either side that the step of a node looks at.
const REACH: usize = 2;

/// Where a node lies.
#[derive(Clone, Copy)]
struct Node {
    row: usize,
    lane: usize,
}

impl Node {
    fn at(slot: Slot) -> Self {
        let (row, lane) = row_and_lane(slot);
        Self { row, lane }
    }

    /// Its displacement in m in one of the two samples.
    #[inline(always)]
    fn read(self, rows: &[Row], sample: usize) -> f64 {
        rows[self.row].samples[sample & 1].0[self.lane % LANES]
    }
}

/// The nodes of the point of contact in the next sample, in m.
#[derive(Clone, Copy, Default)]
struct Nodes {
    u: [f64; NODES],
    /// The steps that led there, and the bends before them.
    step: [f64; NODES],
    bend: [f64; NODES],
}

/// A line, struck at a point.
pub(crate) struct StruckLine<'a> {
    rows: &'a mut [Row],
    stencil: &'a Stencil,
    /// Which of the two samples is current, and where that is kept between turns.
    now: usize,
    current: &'a mut usize,
    /// The nodes of the point of contact, and those before and after them.
    at: [Node; NODES],
    before: [Node; REACH],
    after: [Node; REACH],
    weights: [f64; NODES],
    pushes: [f64; NODES],
    /// The point that is heard.
    ear: [Node; NODES],
    ear_weights: [f64; NODES],
    /// What the step makes of the nodes of the point of contact, before they are pushed; steps and bends only if it was foreseen.
    nodes: Nodes,
    pub(super) foreseen: bool,
    /// Whether what the next step makes of them is already known instead.
    ahead: bool,
    /// Parts of the step that are still to be taken.
    left: usize,
    /// Whether there is a sample after this one, and the contact asks for work that it need not wait for.
    more: bool,
    asks: bool,
}

impl Strikable for Line {
    type Struck<'a> = StruckLine<'a>;

    /// Not next to an end, where nodes are stepped otherwise; nor a line with a free end, nor one whose step is not divided.
    fn struck<'a>(&'a mut self, at: &Support, ear: &Support) -> Option<StruckLine<'a>> {
        let &Support::Line { first, slots, weights, pushes } = at else { return None };
        let &Support::Line { slots: heard, weights: ear_weights, .. } = ear else { return None };
        let inside = first >= REACH && first + NODES + REACH <= self.points();
        if !inside || !self.stencil.is_divided() || self.grid.ends.contains(&End::Free) {
            return None;
        }
        let node = |node: usize| Node::at(self.pieces.slot(node));
        Some(StruckLine {
            now: self.current,
            at: slots.map(Node::at),
            before: [node(first - 2), node(first - 1)],
            after: [node(first + NODES), node(first + NODES + 1)],
            rows: &mut self.rows,
            stencil: &self.stencil,
            current: &mut self.current,
            weights,
            pushes,
            ear: heard.map(Node::at),
            ear_weights,
            nodes: Nodes::default(),
            foreseen: false,
            ahead: false,
            left: 0,
            more: false,
            asks: false,
        })
    }
}

/// Displacement in m of a point between four nodes.
#[inline(always)]
fn between(weights: [f64; NODES], node: impl Fn(usize) -> f64) -> f64 {
    let weighted = |index: usize| weights[index] * node(index);
    (weighted(0) + weighted(1)) + (weighted(2) + weighted(3))
}

impl StruckLine<'_> {
    /// What the next step makes of the nodes, given as they are after the push.
    #[inline(always)]
    fn foresee<S: Simd>(&self, simd: S, [u, step, bend]: [f64x4<S>; 3]) -> Nodes {
        let next = self.now ^ 1;
        let (low, high) = u.split();
        let before: f64x2<S> =
            [self.before[0].read(self.rows, next), self.before[1].read(self.rows, next)].simd_into(simd);
        let after: f64x2<S> =
            [self.after[0].read(self.rows, next), self.after[1].read(self.rows, next)].simd_into(simd);
        let (two_before, two_after) = (before.combine(low), high.combine(after));
        let (one_before, one_after) = (two_before.slide::<1>(two_after), two_before.slide::<3>(two_after));
        let a = (u - one_before) - (one_after - u);
        let f = (u - two_before) - (two_after - u);
        let step = self.stencil.step_of([step, bend, a, f]);
        Nodes { u: (u + step).to_array(), step: step.to_array(), bend: a.to_array() }
    }
}

/// A part of the step of a line.
#[inline(always)]
fn take_part<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize, part: usize) {
    if part == 0 {
        kernel::step_first(simd, stencil, rows, now);
    } else {
        kernel::step_second(simd, stencil, rows, now);
    }
}

/// The last parts of the step of a line. Of the line alone, so that what is at hand of the contact stays there.
#[cold]
#[inline(never)]
fn take_parts<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize, left: usize) {
    simd.vectorize(
        #[inline(always)]
        || {
            for part in PARTS - left..PARTS {
                take_part(simd, stencil, rows, now, part);
            }
        },
    );
}

impl Struck for StruckLine<'_> {
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S, more: bool) -> f64 {
        (self.more, self.asks) = (more, false);
        self.foreseen = std::mem::take(&mut self.ahead);
        if self.foreseen {
            self.left = PARTS;
        } else {
            kernel::step(simd, self.stencil, self.rows, self.now);
            for index in 0..NODES {
                self.nodes.u[index] = self.at[index].read(self.rows, self.now ^ 1);
            }
        }
        between(self.weights, |index| self.nodes.u[index])
    }

    #[inline(always)]
    fn meanwhile<S: Simd>(&mut self, simd: S, part: usize) {
        self.asks = true;
        if self.left > 0 {
            take_part(simd, self.stencil, self.rows, self.now, part);
            self.left = PARTS - 1 - part;
        }
    }

    #[inline(always)]
    fn catch_up<S: Simd>(&mut self, simd: S) {
        if self.left > 0 {
            take_parts(simd, self.stencil, self.rows, self.now, self.left);
            self.left = 0;
        }
    }

    #[inline(always)]
    fn push<S: Simd>(&mut self, simd: S, force: f64) {
        if !self.foreseen {
            for index in 0..NODES {
                let Node { row, lane } = self.at[index];
                self.nodes.step[index] = self.rows[row].step.0[lane % LANES];
                self.nodes.bend[index] = self.rows[row].bend.0[lane % LANES];
            }
        }
        let push = f64x4::load_array(simd, self.pushes) * force;
        let u = f64x4::load_array(simd, self.nodes.u) + push;
        let step = f64x4::load_array(simd, self.nodes.step) + push;
        let (displacements, steps) = (u.to_array(), step.to_array());
        let next = (self.now & 1) ^ 1;
        for index in 0..NODES {
            let Node { row, lane } = self.at[index];
            let row = &mut self.rows[row];
            row.samples[next].0[lane % LANES] = displacements[index];
            row.step.0[lane % LANES] = steps[index];
        }
        self.ahead = self.asks && self.more;
        if self.ahead {
            self.nodes = self.foresee(simd, [u, step, f64x4::load_array(simd, self.nodes.bend)]);
        }
    }

    #[inline(always)]
    fn read(&self, support: &Support, at: At) -> f64 {
        let &Support::Line { slots, weights, .. } = support else { return 0.0 };
        // There is no previous sample once the step is taken: nobody asks for it without an account.
        let sample = if at == At::Now { self.now } else { self.now ^ 1 };
        between(weights, |index| Node::at(slots[index]).read(self.rows, sample))
    }

    #[inline(always)]
    fn hear(&self) -> f64 {
        between(self.ear_weights, |index| self.ear[index].read(self.rows, self.now ^ 1))
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.now ^= 1;
    }

    #[inline(always)]
    fn leave(self) {
        *self.current = self.now & 1;
    }
}
