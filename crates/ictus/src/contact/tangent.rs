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
//! A plectrum of 1e5 N/m on a string at 48 kHz has Q = 1.5. Without the tangent it bounced, slipped off early, and one pluck in three was 14 dB softer
//! than the others; with it all are alike within 2 dB. The bolts of the prepared piano alternate for 4 samples instead of 10.
//!
//! Not mended by this: a lossless plectrum with Q a little below 1 that is drawn slowly. Of 40 on gut (0.05 m/s, 3e4 to 3e5 N/m) six bounce and never slip off, where `F² x (1-x) L/2T` is
//! the energy they should leave; the other 34 leave it within 5 %. Holding g below 2/√q there too makes it worse.
//!
//! Rejected: holding g alone below 2/√q, which leaves ψ behind its curve while a contact closes and empties it at once when it opens; Q up to 1.5 or 2, with which the plectrum
//! bounces still; a spring softer than 4/q where the modes of a body end far below half the rate (right for plectra, but hammers on bars are off by half).

use super::{Contact, ContactState};
use crate::laws::{ContactLaw, Law};

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
    /// Of a one-sided power law between points that give way by so much, in m/N over one step; none if the law is never so steep.
    pub(super) fn of(law: &Law, admittance: f64) -> Option<Self> {
        let (stiffness, exponent, dissipation) = law.power_law()?;
        let slope = 2.0 / admittance.sqrt();
        let steepness = slope / (0.5 * stiffness * (exponent + 1.0)).sqrt();
        let depth = if exponent > 1.0 {
            libm::pow(steepness, 2.0 / (exponent - 1.0))
        } else if steepness < 1.0 {
            0.0
        } else {
            f64::INFINITY
        };
        let from = law.surface()? + depth;
        (from.is_finite() && slope.is_finite()).then(|| Self { from, root: law.root(from), slope, dissipation })
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
    /// The tangent, if it begins below this compression. Not where the bodies were found to meet as masses: the contact is stiffened instead.
    #[inline]
    fn tangent_at(&self, state: &ContactState, compression: f64) -> Option<&Tangent> {
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
        Contact { tangent: Tangent::of(contact.law(), ADMITTANCE), ..contact }
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
