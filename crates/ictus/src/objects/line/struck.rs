//! A line under one contact: where its next step leads the point of contact is foreseen.
//!
//! A contact can begin only when it is known where the four nodes around its point go, and these can be stepped only when it is known how the
//! contact before has pushed them. So line and contact would wait for each other in every sample. But as soon as the force is known, the
//! four nodes can be stepped by themselves, by the kernel's operations in the kernel's order and so to the bit: then the next contact is solved
//! while the line is stepped as a whole.
//!
//! (Rejected: to step the rows of the four nodes before the others. They take half as long as all of them, and the contact waits for each.)

use fearless_simd::Simd;

use super::super::lanes::LANES;
use super::super::struck::{PARTS, Strikable, Struck};
use super::super::{At, Support};
use super::kernel::{self, Stencil};
use super::pieces::{Row, Slot, row_and_lane};
use super::{End, Line};

/// Nodes around a point.
const NODES: usize = 4;
/// Nodes on either side that a step looks at.
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

    /// Its displacement in one of the two samples.
    #[inline(always)]
    fn read(self, rows: &[Row], sample: usize) -> f64 {
        rows[self.row].samples[sample & 1].0[self.lane % LANES]
    }
}

/// The nodes of the point of contact in the next sample, in m.
#[derive(Clone, Copy, Default)]
struct Nodes {
    u: [f64; NODES],
    /// The step v that led there, and the bend of the sample before.
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
    /// The nodes of the point of contact, and those on either side of them.
    at: [Node; NODES],
    beside: [[Node; REACH]; 2],
    weights: [f64; NODES],
    pushes: [f64; NODES],
    /// The point that is heard.
    ear: [Node; NODES],
    ear_weights: [f64; NODES],
    /// What the step makes of the nodes of the point; steps and bends only if it was foreseen.
    nodes: Nodes,
    foreseen: bool,
    /// Parts of the step that are still to be taken.
    left: usize,
    /// Whether there is a sample after this one, the contact has asked for work that it need not wait for, and the next step is foreseen.
    more: bool,
    asked: bool,
    foresees: bool,
}

impl Strikable for Line {
    type Struck<'a> = StruckLine<'a>;

    /// Where it is next to its ends or its step is not divided there is nothing to gain.
    fn struck<'a>(&'a mut self, at: &Support, ear: &Support) -> Option<StruckLine<'a>> {
        let &Support::Line { first, slots, weights, pushes } = at else { return None };
        let &Support::Line { slots: heard, weights: ear_weights, .. } = ear else { return None };
        let inside = first >= REACH && first + NODES + REACH <= self.points();
        if !inside || !self.stencil.is_divided() || self.grid.ends.contains(&End::Free) {
            return None;
        }
        let beside = [first - REACH, first + NODES].map(|first| [first, first + 1]);
        Some(StruckLine {
            now: self.current,
            at: slots.map(Node::at),
            beside: beside.map(|nodes| nodes.map(|node| Node::at(self.pieces.slot(node)))),
            rows: &mut self.rows,
            stencil: &self.stencil,
            current: &mut self.current,
            weights,
            pushes,
            ear: heard.map(Node::at),
            ear_weights,
            nodes: Nodes::default(),
            foreseen: false,
            left: 0,
            more: false,
            asked: false,
            foresees: false,
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
    /// What the next step makes of the nodes as they are pushed.
    #[inline(always)]
    fn foresee(&self, Nodes { u, step, bend }: Nodes) -> Nodes {
        let next = (self.now & 1) ^ 1;
        let [[b0, b1], [a0, a1]] = self.beside;
        let before = [b0.read(self.rows, next), b1.read(self.rows, next)];
        let after = [a0.read(self.rows, next), a1.read(self.rows, next)];
        let all = [before[0], before[1], u[0], u[1], u[2], u[3], after[0], after[1]];
        let mut nodes = Nodes { u, step, bend };
        for index in 0..NODES {
            let u = all[index + 2];
            let a = (u - all[index + 1]) - (all[index + 3] - u);
            let f = (u - all[index]) - (all[index + 4] - u);
            nodes.step[index] = self.stencil.step_of(step[index], bend[index], a, f);
            nodes.bend[index] = a;
            nodes.u[index] = u + nodes.step[index];
        }
        nodes
    }
}

#[inline(always)]
fn step_part<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize, part: usize) {
    if part == 0 {
        kernel::step_first(simd, stencil, rows, now);
    } else {
        kernel::step_second(simd, stencil, rows, now);
    }
}

/// Takes the last parts of a step. Of the line alone, so that what is at hand of the contact stays there.
#[cold]
#[inline(never)]
fn take_parts<S: Simd>(simd: S, stencil: &Stencil, rows: &mut [Row], now: usize, left: usize) {
    simd.vectorize(
        #[inline(always)]
        || {
            for part in PARTS - left..PARTS {
                step_part(simd, stencil, rows, now, part);
            }
        },
    );
}

impl Struck for StruckLine<'_> {
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S, more: bool) -> f64 {
        (self.more, self.asked) = (more, false);
        self.foreseen = std::mem::take(&mut self.foresees);
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
        self.asked = true;
        if self.left > 0 {
            step_part(simd, self.stencil, self.rows, self.now, part);
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
    fn push(&mut self, force: f64) {
        let next = (self.now & 1) ^ 1;
        let mut nodes = self.nodes;
        for index in 0..NODES {
            let Node { row, lane } = self.at[index];
            let (Row { samples, step, bend }, lane) = (&mut self.rows[row], lane % LANES);
            if !self.foreseen {
                (nodes.step[index], nodes.bend[index]) = (step.0[lane], bend.0[lane]);
            }
            let push = self.pushes[index] * force;
            nodes.u[index] += push;
            nodes.step[index] += push;
            samples[next].0[lane] = nodes.u[index];
            step.0[lane] = nodes.step[index];
        }
        self.foresees = self.asked && self.more;
        if self.foresees {
            self.nodes = self.foresee(nodes);
        }
    }

    #[inline(always)]
    fn read(&self, support: &Support, at: At) -> f64 {
        let &Support::Line { slots, weights, .. } = support else { return 0.0 };
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
