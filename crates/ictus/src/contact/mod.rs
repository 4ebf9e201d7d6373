//! One contact, one step, no iteration: the engine's equation and the rules for its free coefficient g.
//!
//! With admittance q (displacement over one step per unit force, `k²/m` for a mass), free step `s0 = η* - η⁻` and
//! stored root ψ, every contact solves
//!
//! ```text
//! s = (s0 - qψg)/(1 + qD),   f = D s + ψ g,   ψ⁺ = ψ + g s/2,   D = g²/4 + R/2k
//! ```
//!
//! for its step `s = η⁺ - η⁻` (W19 (10)-(18), generalised). The balance `Δ(ψ²/2) + R s²/4k = f s/2` holds for any g and
//! any R ≥ 0, so stability is never at stake: a [`Rule`] only decides how true the contact is.
//!
//! The secant rule aims ψ at its true value half a step ahead. Three things known in closed form make it truer
//! still; each keeps the balance, none iterates, and docs/secant.md has the measurements:
//!
//! - **early touch**: a contact counts from the step whose middle lies inside, not from the first sample inside;
//! - **stiffening**: half a period of a linear contact lasts too long on the grid, by `tan(θ/2)/(θ/2)` with θ = πk/τ (C14 (15)).
//!   The law is stiffened by the square of that for the length of the contact, τ being the closed contact time;
//! - **release**: μ and the approach velocity alone say how fast a free mass leaves a Hunt-Crossley wall. The loss is never
//!   allowed to exceed what that leaves, no velocity beyond it is allowed, and the step that leaves takes it.
//!   Bodies that are not free meet as local masses while the contact lasts less than about four samples: there it holds too,
//!   unless other forces have their say in it. A hammer then leaves an 80 Hz oscillator or a bar of three modes after less than a
//!   sample with its velocity right within 0.5 % (median of 16 phases) instead of twice as fast.
//!
//! Rejected: all the loss at the turning point (rebound exact, contact time of damped contacts ruined); a release that
//! is kept whenever its R ≥ 0 (it may pull, and a few phases in a hundred cannot reach it); resistance taken at the
//! predicted middle (no better than at η, one power more).

mod aiming;
mod closed;
mod coupled;
mod friction;
mod motion;

use crate::laws::{BowFriction, ContactLaw, Law};
use closed::ClosedForm;
pub(crate) use coupled::Member;
pub use motion::Motion;

/// How g is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// `g = ψ'(η)` (W19 (11)). Lets ψ drift off its curve; may pull and keep energy.
    Basic,
    /// `g = sgn(ψ) ψ'(η)` in contact, `g = -2ψ/s0` out of it (2021): empties ψ, but may still pull.
    Release,
    /// `g = min(ψ'(η), g_r)` in contact and g_r in the step after (2024), g_r being the g that empties ψ.
    NonAdhesive,
    /// Aims ψ at its true value half a step ahead; two solves.
    SecantPlain,
    /// The same, leaving with the velocity of the closed form.
    #[default]
    Secant,
}

impl Rule {
    fn aims(self) -> bool {
        matches!(self, Rule::SecantPlain | Rule::Secant)
    }
}

/// What the aiming rules may use, for studies; the default is the best known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aiming {
    /// c², dimensionless, > 0: how far ψ' at the current sample is believed when the step is short.
    pub trust: f64,
    /// Count a contact from the step whose middle lies inside.
    pub early_touch: bool,
    /// Stiffen short contacts so that they last as long as they should.
    pub stiffening: bool,
}

impl Default for Aiming {
    fn default() -> Self {
        Self { trust: 0.25, early_touch: true, stiffening: true }
    }
}

/// The outcome of one step of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// `η⁺ - η⁻` in m.
    pub step: f64,
    /// Contact force in N, positive pushing apart.
    pub force: f64,
    /// Energy dissipated in this step, in J.
    pub dissipated: f64,
}

/// A law and a rule, with what can be worked out once.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    law: Law,
    rule: Rule,
    aiming: Aiming,
    /// Compression at which the law begins to push; -∞ for laws that always act.
    surface: f64,
    closed: Option<ClosedForm>,
    /// Constant resistance beside the law's, in N s/m.
    damping: f64,
    /// Whether waves return to the bodies during the contact, so that closed forms apply to the shortest only.
    extended: bool,
    /// Whether the law is a resistance that follows the velocity, without potential.
    friction: bool,
}

/// Largest admittance times g² of the rule of 2021 where it empties ψ: the balance then closes to 1e-16.
const STEEPEST_RELEASE: f64 = 1e14;

/// Part of ψ that rounding may leave of one that a step has emptied.
const EMPTY: f64 = f64::EPSILON;

/// ψ in √J below which a contact is empty.
const SMALLEST_ROOT: f64 = 1e-100;

/// What a contact remembers from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState {
    /// ψ at the last half step, in √J; the stored energy is ψ²/2.
    root: f64,
    /// Factor on ψ and ψ' while the contact lasts; its square stiffens the law.
    stiffening: f64,
    /// Velocity at which the surface was reached, in m/s.
    approach: f64,
    /// Velocity of the free release that belongs to it, in m/s.
    release: f64,
    /// Velocity that other forces have given since, in m/s, summed without sign.
    drift: f64,
    /// How much of that leaves the release to be trusted, in m/s.
    allowed_drift: f64,
    /// Resistance at the last half step, in N s/m.
    resistance: f64,
    /// Energy that may still be dissipated before the release would be too slow, in J.
    allowance: f64,
    /// Velocity of a sliding contact over the last step, in m/s; 0 before its first.
    sliding: f64,
}

impl Default for ContactState {
    fn default() -> Self {
        Self {
            root: 0.0,
            stiffening: 1.0,
            approach: 0.0,
            release: 0.0,
            drift: 0.0,
            allowed_drift: 0.0,
            resistance: 0.0,
            allowance: 0.0,
            sliding: 0.0,
        }
    }
}

impl ContactState {
    /// ψ in √J.
    #[inline]
    pub(crate) fn root(&self) -> f64 {
        self.root
    }

    /// The same energy and sliding, and nothing remembered of how the contact began.
    pub(crate) fn without_memory(&self) -> Self {
        Self { root: self.root, sliding: self.sliding, ..Self::default() }
    }

    /// Energy stored in the contact, in J.
    #[inline]
    pub fn energy(&self) -> f64 {
        0.5 * self.root * self.root
    }
}

impl Contact {
    /// A contact with this law, stepped by this rule.
    pub fn new(law: Law, rule: Rule, aiming: Aiming) -> Self {
        let surface = law.surface().unwrap_or(f64::NEG_INFINITY);
        let closed = if rule.aims() { ClosedForm::of(&law) } else { None };
        let friction = matches!(law, Law::BowFriction(_));
        Self { law, rule, aiming, surface, closed, damping: 0.0, extended: false, friction }
    }

    /// The same with a constant resistance (N s/m) beside the law's: a damper in parallel.
    pub fn with_damping(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// The same for bodies that are not free masses: waves return to them during the contact. Closed forms hold only while it is so
    /// short that they meet as local masses.
    pub fn between_extended(self) -> Self {
        Self { extended: true, ..self }
    }

    /// The same contact with another law.
    pub(crate) fn with_law(&self, law: Law) -> Self {
        let fresh = Self::new(law, self.rule, self.aiming).with_damping(self.damping);
        if self.extended { fresh.between_extended() } else { fresh }
    }

    /// The same contact stepped by another rule.
    pub(crate) fn with_rule(&self, rule: Rule) -> Self {
        let fresh = Self::new(self.law, rule, self.aiming).with_damping(self.damping);
        if self.extended { fresh.between_extended() } else { fresh }
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The law.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// The state of a contact that has been at this compression (m) for a while.
    pub fn state_at(&self, compression: f64) -> ContactState {
        ContactState { root: self.law.root(compression), ..ContactState::default() }
    }

    /// The compression in m at which a one-sided law stores what is stored; `None` for an empty contact and for other laws.
    pub(crate) fn compression_of(&self, state: &ContactState) -> Option<f64> {
        if !self.is_one_sided() || state.root <= 0.0 {
            return None;
        }
        let stores = |depth: f64| self.law.root(self.surface + depth) >= state.root;
        // ψ rises with the depth: enclose it, then halve the interval to rounding.
        let mut deep = 1e-3;
        while !stores(deep) && deep < 1e6 {
            deep *= 8.0;
        }
        let mut shallow = 0.0;
        for _ in 0..80 {
            let middle = 0.5 * (shallow + deep);
            *(if stores(middle) { &mut deep } else { &mut shallow }) = middle;
        }
        Some(self.surface + deep)
    }

    /// Whether a contact by this law and rule can store this: friction nothing, and what only pushes no tension (but for the two published
    /// rules that may pull).
    pub(crate) fn holds(&self, state: &ContactState) -> bool {
        let pulls = matches!(self.rule, Rule::Basic | Rule::Release);
        if self.friction { state.root == 0.0 } else { state.root >= 0.0 || pulls || !self.is_one_sided() }
    }

    /// Whether the points of a one-sided contact are apart at this compression in m.
    pub(crate) fn is_apart(&self, compression: f64) -> bool {
        compression <= self.surface
    }

    /// Advances the contact by one sample.
    #[inline(always)]
    pub fn advance(&self, state: &mut ContactState, motion: &Motion) -> Solved {
        if self.is_idle(state, motion) {
            return Solved { step: motion.free_step, force: 0.0, dissipated: 0.0 };
        }
        if let Law::BowFriction(law) = &self.law {
            return self.advance_sliding(law, state, motion);
        }
        if self.rule.aims() { self.advance_aiming(state, motion) } else { self.advance_as_published(state, motion) }
    }

    /// Friction has no ψ, so no rule for g either.
    fn advance_sliding(&self, law: &BowFriction, state: &mut ContactState, motion: &Motion) -> Solved {
        let resistance = self.sliding_resistance(law, state, motion, motion.free_step);
        let step = motion.step(0.0, 0.0, resistance);
        finish(state, motion, Terms { slope: 0.0, resistance }, step)
    }

    /// The resistance of friction and damper for a step that would be `free_step` without them. The damper is no friction: what it
    /// leaves of step and admittance is what friction acts on.
    fn sliding_resistance(&self, law: &BowFriction, state: &mut ContactState, motion: &Motion, free_step: f64) -> f64 {
        let Motion { admittance, rate, .. } = *motion;
        let before = if state.sliding == 0.0 { motion.velocity() } else { state.sliding };
        let damped = 1.0 + 0.5 * admittance * self.damping * rate;
        let resistance =
            friction::resistance(law, free_step / damped, admittance / damped, rate, before) + self.damping;
        state.sliding = 0.5 * rate * free_step / (1.0 + 0.5 * admittance * resistance * rate);
        resistance
    }

    /// Whether nothing is stored and nothing will touch in this step.
    #[inline]
    fn is_idle(&self, state: &ContactState, motion: &Motion) -> bool {
        if state.root != 0.0 {
            return false;
        }
        if !self.rule.aims() {
            return motion.now <= self.surface;
        }
        let twice_middle = motion.previous + motion.now + motion.free_step;
        let outside =
            if self.aiming.early_touch { twice_middle <= 2.0 * self.surface } else { motion.now <= self.surface };
        // A released body is left alone on its way out.
        outside || motion.free_step <= 0.0 && self.is_one_sided()
    }

    fn advance_as_published(&self, state: &mut ContactState, motion: &Motion) -> Solved {
        let Terms { slope, resistance } = self.predictor(state, motion);
        let slope = self.published_slope(state.root, slope, resistance, motion);
        let step = motion.step(state.root, slope, resistance);
        finish(state, motion, Terms { slope, resistance }, step)
    }

    /// g by the rules of 2019, 2021 and 2024.
    fn published_slope(&self, root: f64, slope: f64, resistance: f64, motion: &Motion) -> f64 {
        if !self.is_one_sided() {
            return slope;
        }
        let inside = motion.now > self.surface;
        match self.rule {
            Rule::Release if inside => slope * if root < 0.0 { -1.0 } else { 1.0 },
            Rule::Release => {
                let slope = -2.0 * root / motion.free_step;
                // A point that hardly moves cannot empty it: forces would be differences of numbers too large to be told apart.
                if motion.admittance * slope * slope < STEEPEST_RELEASE { slope } else { 0.0 }
            }
            Rule::NonAdhesive if inside => slope.min(motion.emptying_slope(root, resistance)),
            Rule::NonAdhesive if motion.free_step < 0.0 => motion.emptying_slope(root, resistance),
            Rule::NonAdhesive => 0.0,
            _ => slope,
        }
    }

    pub(crate) fn is_one_sided(&self) -> bool {
        self.surface > f64::NEG_INFINITY
    }
}

/// What a rule chooses for a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Terms {
    /// g in √J/m.
    pub slope: f64,
    /// R in N s/m.
    pub resistance: f64,
}

/// Takes the step that g and R lead to.
#[inline]
fn finish(state: &mut ContactState, motion: &Motion, terms: Terms, step: f64) -> Solved {
    let Terms { slope, resistance } = terms;
    let force = (0.25 * slope * slope + 0.5 * resistance * motion.rate) * step + state.root * slope;
    state.root = audible(state.root + 0.5 * slope * step);
    Solved { step, force, dissipated: loss(motion, resistance, step) }
}

/// 0 for a ψ whose square is no longer a number to reckon with.
#[inline]
fn audible(root: f64) -> f64 {
    if root.abs() < SMALLEST_ROOT { 0.0 } else { root }
}

/// Energy that the resistance takes in a step, R (δt·η)² k, in J.
#[inline]
fn loss(motion: &Motion, resistance: f64, step: f64) -> f64 {
    0.25 * resistance * step * step * motion.rate
}
