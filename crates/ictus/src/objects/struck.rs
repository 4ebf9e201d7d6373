//! An object as the one thing that strikes it sees it.
//!
//! A cluster of a mass, an object and the contact between them is stepped in a loop of its own (`strike.rs`). There everything about the
//! place of the contact is known before the loop, and an object can keep at hand what changes from sample to sample.

use fearless_simd::Simd;

use super::{At, Barrier, Body, Line, Support};

/// Parts in which an object looks ahead.
pub(crate) const PARTS: usize = 2;

/// An object under one contact, for some samples. Order of calls in each: `step`, all parts of `look_ahead` or none, at most one `push`,
/// `read`s, `advance`. What it does, [`Body`]'s methods of the same names do to the bit.
pub(crate) trait Struck {
    /// Takes the free step; returns where it leads the point of contact, in m.
    fn step<S: Simd>(&mut self, simd: S) -> f64;

    /// While the contact is solved: does a part of what it can of the next free step, so that the processor has work while the contact
    /// waits for its own results. [`PARTS`] of them follow each other.
    #[inline(always)]
    fn look_ahead<S: Simd>(&mut self, _simd: S, _part: usize) {}

    /// Lets a force in N act on the point of contact.
    fn push(&mut self, force: f64);

    /// How far it moves from the previous to the next sample, in m, if it goes where it is told; else 0.
    #[inline(always)]
    fn prescribed_step(&self) -> f64 {
        0.0
    }

    /// Displacement of any point in m.
    fn read(&self, support: &Support, at: At) -> f64;

    /// The next displacement in m of the point that was named as the one to be heard.
    fn hear(&self) -> f64;

    /// Makes the next sample current.
    fn advance(&mut self);

    /// After the last sample.
    #[inline(always)]
    fn leave(self)
    where
        Self: Sized,
    {
    }
}

/// What can be struck.
pub(crate) trait Strikable: Body {
    /// It, under one contact, with what changes kept at hand.
    type Struck<'a>: Struck
    where
        Self: 'a;

    /// Prepares it to be struck at a point and heard at another; `None` if there is nothing to gain by it, or not now.
    fn struck<'a>(&'a mut self, _at: &Support, _ear: &Support) -> Option<Self::Struck<'a>> {
        None
    }
}

/// An object that keeps nothing at hand.
pub(crate) struct Plain<'a, B> {
    body: &'a mut B,
    at: Support,
    ear: Support,
    moves: bool,
}

impl<'a, B: Body> Plain<'a, B> {
    pub(crate) fn new(body: &'a mut B, at: &Support, ear: &Support) -> Self {
        let moves = !body.stands_still();
        Self { body, at: *at, ear: *ear, moves }
    }
}

impl<B: Body> Struck for Plain<'_, B> {
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S) -> f64 {
        if self.moves {
            self.body.free_step(simd);
        }
        self.body.read(&self.at, At::Next)
    }

    #[inline(always)]
    fn push(&mut self, force: f64) {
        self.body.push(&self.at, force);
    }

    #[inline(always)]
    fn prescribed_step(&self) -> f64 {
        self.body.prescribed_step()
    }

    #[inline(always)]
    fn read(&self, support: &Support, at: At) -> f64 {
        self.body.read(support, at)
    }

    #[inline(always)]
    fn hear(&self) -> f64 {
        self.body.read(&self.ear, At::Next)
    }

    #[inline(always)]
    fn advance(&mut self) {
        if self.moves {
            self.body.advance();
        }
    }
}

impl Strikable for Barrier {
    type Struck<'a> = Plain<'a, Self>;
}

impl Strikable for Line {
    type Struck<'a> = Plain<'a, Self>;
}
