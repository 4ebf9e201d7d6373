//! A modal object of one or two points, struck at one of them: what the points remember is kept at hand.

use fearless_simd::{Simd, f64x8, prelude::*};

use super::super::lanes::{Lanes, fold, load};
use super::super::struck::{Strikable, Struck};
use super::super::{At, PARTS, Support};
use super::kernel::{INSIDE, Octet, Sums, step};
use super::state::{Point, REMEMBERED, slot};
use super::{Admittance, Modal};

/// A number for the point of contact and one for the other.
#[derive(Clone, Copy)]
struct Both {
    here: f64,
    there: f64,
}

/// The object under one contact.
pub(crate) struct StruckModal<'a> {
    octets: &'a mut [Octet],
    /// Where the second part of a pass begins.
    half: usize,
    /// The points: that of contact first.
    here: &'a mut Point,
    there: &'a mut Point,
    pushed: &'a mut [u64; REMEMBERED],
    /// Where `time` is kept between turns.
    clock: &'a mut usize,
    /// Number of the point of contact.
    at: usize,
    /// Whether the pickup is at the point of contact.
    hears_contact: bool,
    /// What a newton of contact does at the points at once and later.
    at_once: Both,
    later: Both,
    /// Steps so far.
    time: usize,
    /// The next free step without the forces of this one, and what they add to it.
    sums: Both,
    ahead: Both,
    displacements: Both,
    /// Of this step and the last: force in N, and whether there was one.
    force: f64,
    touched: bool,
    force_before: f64,
    touched_before: bool,
    /// Whether the next pass may be begun before this sample is over, is begun, is done.
    may_begin: bool,
    begun: bool,
    done: bool,
    /// Sums of the first part of it.
    partial: [Lanes; INSIDE],
}

impl Strikable for Modal {
    type Struck<'a> = StruckModal<'a>;

    fn struck<'a>(&'a mut self, at: &Support, ear: &Support) -> Option<StruckModal<'a>> {
        let (at, ear, count) = (self.point(at), self.point(ear), self.count());
        let state = &mut self.state;
        let [first, second] = &mut state.points[..] else { return None };
        if state.pushed.iter().any(|pushed| pushed & !(1 << at) != 0) {
            return None;
        }
        let row = &self.coefficients.admittances[at * count..][..count];
        let both = |of: fn(&Admittance) -> f64| Both { here: of(&row[at]), there: row.get(1 - at).map_or(0.0, of) };
        let (here, there) = if at == 0 { (first, second) } else { (second, first) };
        let touched = |steps_before| state.pushed[slot(state.clock, steps_before)] != 0;
        let (clock, now) = (state.clock, slot(state.clock, 0));
        Some(StruckModal {
            half: state.octets.len().div_ceil(PARTS),
            octets: &mut state.octets,
            at,
            hears_contact: ear == at,
            at_once: both(|row| row.at_once),
            later: both(|row| row.later),
            time: clock,
            sums: Both { here: here.sum, there: there.sum },
            ahead: Both { here: here.ahead, there: there.ahead },
            displacements: Both { here: here.displacements[now], there: there.displacements[now] },
            force: here.forces[now],
            touched: touched(0),
            force_before: here.forces[slot(clock, 1)],
            touched_before: touched(1),
            may_begin: false,
            begun: false,
            done: false,
            partial: Default::default(),
            here,
            there,
            pushed: &mut state.pushed,
            clock: &mut state.clock,
        })
    }
}

impl StruckModal<'_> {
    /// Steps some of the modes, adding to sums.
    #[inline(always)]
    fn pass<S: Simd>(
        simd: S,
        octets: &mut [Octet],
        time: usize,
        at: usize,
        touched: bool,
        force: f64,
        sums: Sums<S>,
    ) -> Sums<S> {
        match (touched, at) {
            (false, _) => step::<_, 0>(simd, octets, time, [0.0; INSIDE], sums),
            (true, 0) => step::<_, 1>(simd, octets, time, [force; INSIDE], sums),
            (true, _) => step::<_, 2>(simd, octets, time, [force; INSIDE], sums),
        }
    }

    #[inline(always)]
    fn keep<S: Simd>(&mut self, sums: Sums<S>) {
        let (first, second) = (fold(sums[0]), fold(sums[1]));
        self.sums =
            if self.at == 0 { Both { here: first, there: second } } else { Both { here: second, there: first } };
        self.done = true;
    }
}

impl Struck for StruckModal<'_> {
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S, more: bool) -> f64 {
        if !self.done {
            let sums = [f64x8::splat(simd, 0.0); INSIDE];
            let sums = Self::pass(simd, self.octets, self.time, self.at, self.touched_before, self.force_before, sums);
            self.keep(sums);
        }
        self.done = false;
        self.begun = false;
        self.time = self.time.wrapping_add(1);
        self.displacements.here = self.sums.here + self.ahead.here;
        self.displacements.there = self.sums.there + self.ahead.there;
        self.ahead = Both { here: 0.0, there: 0.0 };
        (self.force_before, self.touched_before) = (self.force, self.touched);
        self.may_begin = more && self.touched_before;
        (self.force, self.touched) = (0.0, false);
        self.displacements.here
    }

    #[inline(always)]
    fn meanwhile<S: Simd>(&mut self, simd: S, part: usize) {
        if !self.may_begin {
            return;
        }
        let Self { time, at, force_before, half, .. } = *self;
        if part == 0 {
            let octets = &mut self.octets[..half];
            let sums = [f64x8::splat(simd, 0.0); INSIDE];
            let sums = Self::pass(simd, octets, time, at, true, force_before, sums);
            for (partial, sum) in self.partial.iter_mut().zip(&sums) {
                sum.store_array(&mut partial.0);
            }
            self.begun = true;
        } else {
            let octets = &mut self.octets[half..];
            let sums = [load(simd, &self.partial[0]), load(simd, &self.partial[1])];
            let sums = Self::pass(simd, octets, time, at, true, force_before, sums);
            self.keep(sums);
        }
    }

    #[inline(always)]
    fn catch_up<S: Simd>(&mut self, simd: S) {
        if self.begun && !self.done {
            self.meanwhile(simd, PARTS - 1);
        }
    }

    #[inline(always)]
    fn push<S: Simd>(&mut self, _simd: S, force: f64) {
        (self.force, self.touched) = (force, true);
        self.displacements.here += self.at_once.here * force;
        self.displacements.there += self.at_once.there * force;
        self.ahead = Both { here: self.later.here * force, there: self.later.there * force };
    }

    #[inline(always)]
    fn read(&self, support: &Support, at: At) -> f64 {
        let there = matches!(*support, Support::Modes { point } if point != self.at);
        let point = if there { &*self.there } else { &*self.here };
        match at {
            At::Next if there => self.displacements.there,
            At::Next => self.displacements.here,
            At::Now => point.displacements[slot(self.time, 1)],
            At::Previous => point.displacements[slot(self.time, 2)],
        }
    }

    #[inline(always)]
    fn hear(&self) -> f64 {
        if self.hears_contact { self.displacements.here } else { self.displacements.there }
    }

    #[inline(always)]
    fn advance(&mut self) {
        let now = slot(self.time, 0);
        self.here.displacements[now] = self.displacements.here;
        self.there.displacements[now] = self.displacements.there;
        self.here.forces[now] = self.force;
        self.there.forces[now] = 0.0;
        self.pushed[now] = u64::from(self.touched) << self.at;
    }

    #[inline(always)]
    fn leave(self) {
        *self.clock = self.time;
        (self.here.sum, self.here.ahead) = (self.sums.here, self.ahead.here);
        (self.there.sum, self.there.ahead) = (self.sums.there, self.ahead.there);
    }
}
