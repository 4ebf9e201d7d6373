//! The objects of one cluster, as its step sees them.
//!
//! The step is written once, for any [`Room`]. All objects of the model are one; but most clusters hold a single object, or a mass and
//! what it strikes, and a room that knows which two kinds of objects it holds needs no search and no decision for each reading: in
//! such models that was half the cost of everything but the objects themselves.

use fearless_simd::Simd;

use crate::objects::{At, Bodies, Body, BodyId, Mass, Terminal};

/// What the step asks of the objects of a cluster. `ids` are those of the cluster.
pub(crate) trait Room {
    /// All keep what an account asks for after the free step.
    fn remember(&mut self, ids: &[BodyId]);

    /// All take their free step.
    fn free_step<S: Simd>(&mut self, ids: &[BodyId], simd: S);

    /// Displacement of a point in m.
    fn read(&self, at: &Terminal, when: At) -> f64;

    /// Lets a force in N act on a point.
    fn push(&mut self, at: &Terminal, force: f64);

    /// How far an object whose motion is prescribed moves from the previous to the next sample, in m; 0 for all others.
    fn prescribed_step(&self, at: &Terminal) -> f64;

    /// Hands over what each has dissipated in the step, in J.
    fn dissipated_in_step(&self, ids: &[BodyId], book: impl FnMut(f64));

    /// All make their next sample current.
    fn advance(&mut self, ids: &[BodyId]);
}

impl Room for Bodies {
    fn remember(&mut self, ids: &[BodyId]) {
        ids.iter().for_each(|body| self.get_mut(*body).remember());
    }

    #[inline(always)]
    fn free_step<S: Simd>(&mut self, ids: &[BodyId], simd: S) {
        for &body in ids {
            self.free_step_of(body, simd);
        }
    }

    #[inline(always)]
    fn read(&self, at: &Terminal, when: At) -> f64 {
        self.read_at(at, when)
    }

    #[inline(always)]
    fn push(&mut self, at: &Terminal, force: f64) {
        self.push_at(at, force);
    }

    #[inline(always)]
    fn prescribed_step(&self, at: &Terminal) -> f64 {
        match at.body {
            BodyId::Barrier(index) => self.barriers[index].prescribed_step(),
            _ => 0.0,
        }
    }

    fn dissipated_in_step(&self, ids: &[BodyId], mut book: impl FnMut(f64)) {
        ids.iter().for_each(|body| book(self.get(*body).dissipated_in_step()));
    }

    #[inline(always)]
    fn advance(&mut self, ids: &[BodyId]) {
        for &body in ids {
            self.advance_of(body);
        }
    }
}

/// One object by itself.
pub(crate) struct Alone<'a, B>(pub &'a mut B);

impl<B: Body> Room for Alone<'_, B> {
    fn remember(&mut self, _ids: &[BodyId]) {
        self.0.remember();
    }

    #[inline(always)]
    fn free_step<S: Simd>(&mut self, _ids: &[BodyId], simd: S) {
        self.0.free_step(simd);
    }

    #[inline(always)]
    fn read(&self, at: &Terminal, when: At) -> f64 {
        self.0.read(&at.support, when)
    }

    #[inline(always)]
    fn push(&mut self, at: &Terminal, force: f64) {
        self.0.push(&at.support, force);
    }

    #[inline(always)]
    fn prescribed_step(&self, _at: &Terminal) -> f64 {
        self.0.prescribed_step()
    }

    fn dissipated_in_step(&self, _ids: &[BodyId], mut book: impl FnMut(f64)) {
        book(self.0.dissipated_in_step());
    }

    #[inline(always)]
    fn advance(&mut self, _ids: &[BodyId]) {
        self.0.advance();
    }
}

/// A mass and one object of another kind.
pub(crate) struct MassAnd<'a, B> {
    pub mass: &'a mut Mass,
    pub other: &'a mut B,
}

impl<B: Body> Room for MassAnd<'_, B> {
    fn remember(&mut self, _ids: &[BodyId]) {
        self.mass.remember();
        self.other.remember();
    }

    #[inline(always)]
    fn free_step<S: Simd>(&mut self, _ids: &[BodyId], simd: S) {
        self.mass.free_step(simd);
        self.other.free_step(simd);
    }

    #[inline(always)]
    fn read(&self, at: &Terminal, when: At) -> f64 {
        match at.body {
            BodyId::Mass(_) => self.mass.read(&at.support, when),
            _ => self.other.read(&at.support, when),
        }
    }

    #[inline(always)]
    fn push(&mut self, at: &Terminal, force: f64) {
        match at.body {
            BodyId::Mass(_) => self.mass.push(&at.support, force),
            _ => self.other.push(&at.support, force),
        }
    }

    #[inline(always)]
    fn prescribed_step(&self, at: &Terminal) -> f64 {
        match at.body {
            BodyId::Mass(_) => 0.0,
            _ => self.other.prescribed_step(),
        }
    }

    fn dissipated_in_step(&self, ids: &[BodyId], mut book: impl FnMut(f64)) {
        // In the order of the model, so that the account has the same bits in any room.
        let (mass, other) = (self.mass.dissipated_in_step(), self.other.dissipated_in_step());
        let in_order = if matches!(ids, [BodyId::Mass(_), ..]) { [mass, other] } else { [other, mass] };
        in_order.into_iter().for_each(&mut book);
    }

    #[inline(always)]
    fn advance(&mut self, _ids: &[BodyId]) {
        self.mass.advance();
        self.other.advance();
    }
}
