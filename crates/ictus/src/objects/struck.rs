//! An object as the one thing that strikes it sees it.
//!
//! A cluster of a mass, an object and the contact between them is stepped in a loop of its own (`strike.rs`). There everything about the
//! place of the contact is known before the loop, and an object can keep at hand what changes from sample to sample.

use fearless_simd::Simd;

use super::{At, Barrier, Body, Support};

/// Parts of the work that an object does while the contact is solved.
pub(crate) const PARTS: usize = 2;

/// An object under one contact, for some samples. Order of calls in each: `step`, parts of `meanwhile` from the first on or none, `catch_up`, at
/// most one `push`, `read`s, `advance`. What it does, [`Body`]'s methods of the same names do to the bit.
pub(crate) trait Struck {
    /// Takes the free step, or so much of it as it takes to tell where it leads the point of contact, in m. `more` says whether there is
    /// another sample after this one: if not, nobody may find the object ahead of itself.
    fn step<S: Simd>(&mut self, simd: S, more: bool) -> f64;

    /// While the contact is solved: does a part of what the contact need not wait for, so that the processor has work while the contact
    /// waits for its own results. [`PARTS`] of them follow each other.
    #[inline(always)]
    fn meanwhile<S: Simd>(&mut self, _simd: S, _part: usize) {}

    /// Does what is left of that, where the contact has not asked for it.
    #[inline(always)]
    fn catch_up<S: Simd>(&mut self, _simd: S) {}

    /// Lets a force in N act on the point of contact.
    fn push<S: Simd>(&mut self, simd: S, force: f64);

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
    fn step<S: Simd>(&mut self, simd: S, _more: bool) -> f64 {
        if self.moves {
            self.body.free_step(simd);
        }
        self.body.read(&self.at, At::Next)
    }

    #[inline(always)]
    fn push<S: Simd>(&mut self, _simd: S, force: f64) {
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
