//! Where a law is steeper than a body can follow within a sample, it goes on along its tangent.
//!
//! Seen from one step, ψ of a contact of admittance q is multiplied by `(1 - Q)/(1 + Q)`, `Q = q ψ'²/4`, whatever else moves it. Up to Q = 1 it follows
//! the motion. Beyond, it changes its sign from sample to sample, and so does the force: a stiff contact with a string alternates, opens and chatters, where the true
//! one, damped by the waves that run off, presses on. So from the compression b on at which `ψ'(b) = 2/√q`,
//!
//! ```text
//! ψ = ψ(b) + ψ'(b) (η - b),    φ = ψ²/2,    f = ψ'(b) ψ,    R = μ f
//! ```
//!
//! a spring of 4/q, as stiff as the sample rate lets a contact be. The energy account does not notice: it holds for any ψ'. What the bodies do to each other is decided by their
//! impedances, not by the last micrometre of compression; with the rate, q falls and b rises, so this vanishes.
//!
//! Only where waves run off from one point. Masses swing a contact back however short it is, and are met by stiffening. And not for frets and
//! profiles: their strokes are short and hard, and above 20 kHz they would be 12 dB too soft instead of 4.
//!
//! **Walls and plectra** go where they are told; no mass swings them back, so what holds a string in place is all there is. A string of modes up to `f` has an impedance `2Z` there up to f
//! and is a mass beyond: with a spring far above `8 Z f` it swings at a frequency that no wave takes away, and bounces, at any rate. Half its give is gone after `h = 1/f`
//! (`Accelerance::half_life`), so `8 Z f = 16/q h²`, h in samples; the law goes on along its tangent from half of that, `ψ' = 3/(h √q)`. There, and wherever a wall presses by a linear law,
//! g is ψ' itself. Only on bodies of 16 modes and more: a tine of four truly bounces on its pin, and keeps its law. A g that is aimed shakes the force by parts of itself, and a plectrum that should draw slowly slips off at half its force.
//!
//! A plectrum of 1e5 N/m on a string at 48 kHz has Q = 1.5. Without the tangent it bounced, slipped off early, and one pluck in three was 14 dB softer
//! than the others. Drawn slowly it must leave `F² x (1-x) L/2T`: of 4000 on gut, 1e3 to 1e7 N/m, at 44.1 to 384 kHz, all do; median 0.7 % at 48 kHz, 0.2 % at 384 (`tests/plectrum.rs`). The bolts of the
//! prepared piano alternate for 4 samples instead of 10.
//!
//! Rejected: holding g alone below 2/√q, which leaves ψ behind its curve while a contact closes and empties it at once when it opens; Q up to 1.5 or 2, with which the plectrum
//! bounces still; the softer tangent of walls for hammers too (those on bars are then off by half).

use super::{Between, Contact, ContactState};
use crate::laws::{ContactLaw, Law};

/// ψ' that a wall may have, in 2/√q, times the samples in which half the give of what it presses is gone.
const PRESSING: f64 = 1.5;

/// The straight end of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tangent {
    /// Compression in m at which it begins.
    from: f64,
    /// ψ there, in √J.
    root: f64,
    /// ψ' from there on, in √J/m.
    slope: f64,
    /// μ in s/m.
    dissipation: f64,
}

impl Tangent {
    /// Of a one-sided power law from this ψ' on, in √J/m; none if the law is never so steep.
    pub(super) fn of(law: &Law, slope: f64) -> Option<Self> {
        let (stiffness, exponent, dissipation) = law.power_law()?;
        let steepness = slope / (0.5 * stiffness * (exponent + 1.0)).sqrt();
        let depth = if exponent > 1.0 {
            libm::pow(steepness, 2.0 / (exponent - 1.0))
        } else if steepness <= 1.0 {
            0.0
        } else {
            f64::INFINITY
        };
        let from = law.surface()? + depth;
        (from.is_finite() && slope.is_finite()).then(|| Self { from, root: law.root(from), slope, dissipation })
    }

    /// ψ' in √J/m beyond it.
    pub(super) fn slope(&self) -> f64 {
        self.slope
    }

    /// ψ in √J at a compression in m beyond it.
    #[inline]
    fn root_at(&self, compression: f64) -> f64 {
        self.root + self.slope * (compression - self.from)
    }

    /// R in N s/m likewise.
    #[inline]
    fn resistance_at(&self, compression: f64) -> f64 {
        self.dissipation * self.slope * self.root_at(compression)
    }
}

/// The law as the bodies can follow it, by compression in m and velocity in m/s.
impl Contact {
    /// The largest ψ' in √J/m that the bodies can follow, where waves run off from a single point.
    pub(super) fn steepness(&self) -> Option<f64> {
        if self.between != Between::Extended || !self.rule.aims() || self.is_spread || self.admittance <= 0.0 {
            return None;
        }
        let softer = self.pressed.map_or(1.0, |samples| (PRESSING / samples).min(1.0));
        let steepest = 2.0 * softer / self.admittance.sqrt();
        // A linear law is its own tangent.
        let linear = self.law.power_law().filter(|(_, exponent, _)| self.pressed.is_some() && *exponent == 1.0);
        Some(linear.map_or(steepest, |(stiffness, ..)| steepest.min(stiffness.sqrt())))
    }

    /// The tangent, if it begins below this compression. Not where the bodies were found to meet as masses: the contact is stiffened instead.
    #[inline]
    pub(super) fn tangent_at(&self, state: &ContactState, compression: f64) -> Option<&Tangent> {
        self.tangent.as_ref().filter(|tangent| compression > tangent.from && state.stiffening == 1.0)
    }

    /// The largest g in √J/m that the bodies can follow.
    #[inline]
    pub(super) fn steepest_slope(&self, state: &ContactState) -> f64 {
        self.tangent_at(state, f64::INFINITY).map_or(f64::INFINITY, |tangent| tangent.slope)
    }

    /// ψ in √J of a contact that has been there for a while.
    #[inline]
    pub(super) fn root_at(&self, compression: f64) -> f64 {
        match self.tangent_at(&ContactState::default(), compression) {
            Some(tangent) => tangent.root_at(compression),
            None => self.law.root(compression),
        }
    }

    /// ψ in √J and R in N s/m.
    #[inline]
    pub(super) fn root_and_resistance_at(&self, state: &ContactState, compression: f64, velocity: f64) -> (f64, f64) {
        match self.tangent_at(state, compression) {
            Some(tangent) => (tangent.root_at(compression), tangent.resistance_at(compression)),
            None => self.law.root_and_resistance(compression, velocity),
        }
    }

    /// ψ' in √J/m and R in N s/m.
    #[inline]
    pub(super) fn slope_and_resistance_at(&self, state: &ContactState, compression: f64, velocity: f64) -> (f64, f64) {
        match self.tangent_at(state, compression) {
            Some(tangent) => (tangent.slope, tangent.resistance_at(compression)),
            None => self.law.root_slope_and_resistance(compression, velocity),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Aiming, Between, Contact, ContactState, Rule};
    use super::Tangent;
    use crate::laws::{HuntCrossley, Law, OneSidedPower};

    const ADMITTANCE: f64 = 1e-4;

    fn limited(law: impl Into<Law>) -> Contact {
        let contact = Contact::new(law.into(), Rule::Secant, Aiming::default()).between(Between::Extended);
        Contact { tangent: Tangent::of(contact.law(), 2.0 / ADMITTANCE.sqrt()), ..contact }
    }

    #[test]
    fn the_curve_has_no_corner_and_is_nowhere_steeper_than_the_bodies_can_follow() {
        for (stiffness, exponent) in [(1e6, 1.0), (1e8, 1.2), (1e9, 1.5), (1e12, 3.0)] {
            let limited = limited(HuntCrossley::new(stiffness, exponent, 0.4).unwrap());
            let from = limited.tangent.expect("such a law is steep enough").from;
            for depth in [1e-9, 0.5 * from, from + 1e-9, 2.0 * from, 1e-3].into_iter().filter(|depth| *depth > 0.0) {
                let (slope, resistance) = limited.slope_and_resistance_at(&ContactState::default(), depth, 1.0);
                let (root, at_root) = limited.root_and_resistance_at(&ContactState::default(), depth, 1.0);
                assert!(0.25 * ADMITTANCE * slope * slope <= 1.0 + 1e-12, "exponent {exponent}, {depth} m: {slope}");
                let step = 1e-7 * depth;
                let rise = (limited.root_at(depth + step) - limited.root_at(depth - step)) / (2.0 * step);
                assert!((rise / slope - 1.0).abs() < 1e-3, "exponent {exponent}, {depth} m: {rise} and {slope}");
                // R = μ f on either side.
                assert!((resistance / (0.4 * root * slope) - 1.0).abs() < 1e-9);
                assert!((at_root / resistance - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_is_soft_keeps_its_law() {
        let linear = |stiffness: f64| limited(OneSidedPower::new(stiffness, 1.0, 0.0).unwrap()).tangent;
        assert!(linear(3.9e4).is_none() && linear(4.1e4).is_some());
    }
}
