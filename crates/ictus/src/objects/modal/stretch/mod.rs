//! Large amplitudes: what a body in modes stores by being stretched (PHYSICS section 12).
//!
//! A string that swings is longer than one at rest, and so tighter. To second order in the slope its length grows by `½∫u_x²`, a quadratic form of the
//! modes, and the tension with it all along the string at once (Kirchhoff 1876, Carrier 1945). A membrane or plate whose edge is held in its plane does the
//! same in the mean over its area (Berger 1955). Either way the energy is the square of a quadratic form,
//!
//! ```text
//! V = ½ψ²,   ψ = ½ Σ h_i q_i²,      string  h = √(EA/L) ∫φ'²,      membrane, plate  h = √(EH/(1-ν²)S) ∫|∇φ|²      (S the area)
//! ```
//!
//! and so the contact step's ψ scheme (PHYSICS section 4) steps it without iteration. With displacements over √B as in [`super`], `G = √B H √B`, the centred move
//! `s = u⁺ - u⁻` and `g = G u`:
//!
//! ```text
//! e = -g τ,   τ = (ψ⁺ + ψ⁻)/2,   ψ⁺ = ψ⁻ + ½ g·s       so  ψ⁺ = ½ u⁺·G u  exactly, and  Δ(½ψ²) = -e·s/2
//! (4 + g·g) τ = 2ψ⁻ + g·u*                              u* the sample without e
//! ```
//!
//! One sum more over the modes gives τ. A force f at a point of weights a changes τ by `y f`, `y = a·g/(4 + g·g)`, and u⁺ by `(a - y g) f`: what a contact
//! meets in this step is `W' = W - aᵀg gᵀa/(4 + g·g)`. The pass over the modes leaves u⁺ without `-g τ`, since τ is known only after it and contacts still change it; the
//! next pass adds it, `g = G(u⁺ - d⁺)`.
//!
//! Plates after von Kármán are stretched differently everywhere: many terms, with products of different modes. [`coupled`] has them.
//!
//! **Large and true.** The step of an exact pole answers a force at ω by a displacement that is off by ρ = (ballast) sin(ωk)/ωk ([`super`], "what is pushed and what is heard"), and
//! `½(u⁺ + u⁻)` is u cos ωk. So `h_i ρ_i` in place of `h_i` lets a stretched body move every mode's frequency by what it should, and a factor on all, `√(ρ/cos ωk)` of the lowest
//! mode, makes that mode's own glide exact to first order in its energy at any rate. What is left, of order (energy share)² (ωk)², is below 0.02 cents for a string
//! that glides by 300 cents.

mod cholesky;
mod coupled;
mod kernel;
mod whole;

use std::f64::consts::TAU;
use std::mem::take;

use fearless_simd::{Level, Simd, f64x8};

use super::super::poles::Poles;
use super::kernel::Octet;
use super::points::Points;
use super::state::{State, slot};
use super::weights::Row;
pub(crate) use coupled::Coupled;
pub(crate) use whole::Whole;

/// What a body stores by being stretched.
#[derive(Clone, Debug)]
pub(crate) enum Stretch {
    /// As a whole: a string, a membrane, a plate after Berger.
    Whole(Whole),
    /// A plate after von Kármán.
    Coupled(Box<Coupled>),
}

/// What is the same question to both.
macro_rules! either {
    ($self:expr, $stretch:ident => $answer:expr) => {
        match $self {
            Stretch::Whole($stretch) => $answer,
            Stretch::Coupled($stretch) => $answer,
        }
    };
}

impl Stretch {
    /// How many modes it is for.
    pub(super) fn mode_count(&self) -> usize {
        either!(self, stretch => stretch.mode_count())
    }

    /// Makes room for a point more.
    pub(super) fn add_point(&mut self) {
        either!(self, stretch => stretch.add_point());
    }

    /// Takes the weights w√B of a point, which have changed.
    pub(super) fn put_row(&mut self, point: usize, row: Row) {
        if let Self::Coupled(stretch) = self {
            stretch.put_row(point, row);
        }
    }

    /// Works out G for the poles and the frequencies (Hz) that modes have now; `ballast` is by how much each is heavier than it is.
    pub(super) fn fit(&mut self, poles: &[Poles], modes: &[(f64, f64)], rate: f64) {
        let heard = |(frequency, ballast): (f64, f64)| ballast * super::exact_part(frequency, rate);
        let lowest = modes.iter().find(|(frequency, _)| *frequency > 0.0);
        // Above a sixth of the rate nothing is known any more of how the lowest mode stretches.
        let mean_of = |frequency: f64| libm::cos(TAU * frequency / rate).max(0.5);
        let all = lowest.map_or(1.0, |mode| (heard(*mode) / mean_of(mode.0)).sqrt());
        let scale_of = |mode: usize| (all * heard(modes[mode]) * poles[mode].response).sqrt();
        either!(self, stretch => stretch.fit(scale_of));
    }

    /// Finds ψ anew where all but its pull has arrived in the modes; that is forgotten.
    pub(super) fn find_root(&mut self, octets: &[Octet], level: Level) {
        either!(self, stretch => stretch.find_root(octets, level));
    }

    /// Nothing is owed to the modes any more.
    pub(super) fn settle(&mut self) {
        either!(self, stretch => stretch.settle());
    }

    /// Whether some of the last step's pull has yet to arrive in the modes.
    pub(super) fn is_owing(&self) -> bool {
        either!(self, stretch => stretch.is_owing())
    }

    /// Whether stretching only adds to the stiffness against any further bending.
    pub(super) fn only_stiffens(&self) -> bool {
        matches!(self, Self::Whole(_))
    }

    /// Energy in J.
    pub(super) fn energy(&self) -> f64 {
        either!(self, stretch => stretch.energy())
    }

    /// The pull of the last step on eight modes, as far as it has not arrived in them.
    #[inline(always)]
    pub(super) fn owed<S: Simd>(&self, simd: S, octet: &Octet, index: usize) -> f64x8<S> {
        match self {
            Self::Whole(stretch) => stretch.owed(simd, octet, index),
            Self::Coupled(stretch) => stretch.owed(simd, index),
        }
    }

    /// The same on one of them.
    pub(super) fn owed_by(&self, octet: &Octet, index: usize, lane: usize) -> f64 {
        match self {
            Self::Whole(stretch) => stretch.owed_by(octet, index, lane),
            Self::Coupled(stretch) => stretch.owed_by(index * super::LANES + lane),
        }
    }

    /// By how much less a point moves in this step, in m per newton at another, than without the stretching.
    #[inline]
    pub(super) fn held_back(&self, here: usize, there: usize) -> f64 {
        either!(self, stretch => stretch.held_back(here, there))
    }

    /// Lets a force in N act on a point in the step of a slot.
    #[inline]
    pub(super) fn push(&mut self, points: &mut Points, point: usize, force: f64, slot: usize) {
        either!(self, stretch => stretch.push(points, point, force, slot));
    }

    /// Ends a step: ψ⁺ takes the place of ψ⁻.
    #[inline]
    pub(super) fn advance(&mut self) {
        either!(self, stretch => stretch.advance());
    }

    /// The free step of all modes, then of all points that are followed.
    #[inline(always)]
    pub(super) fn step<S: Simd>(&mut self, simd: S, state: &mut State, points: &mut Points) {
        let lost = match self {
            Self::Whole(stretch) => stretch.pass(simd, state, points),
            Self::Coupled(stretch) => stretch.pass(simd, state, points),
        };
        // Of the last step; before the account was opened, it is none of its.
        if state.booked && state.clock >= state.unbooked {
            state.lost += 0.25 * lost;
        }
        let before = slot(state.clock, 0);
        if take(&mut state.pushed[before]) {
            points.memory.forces[before].fill(0.0);
        }
        state.clock = state.clock.wrapping_add(1);
        points.memory.displacements[slot(state.clock, 0)].copy_from_slice(&points.memory.sums);
    }
}
