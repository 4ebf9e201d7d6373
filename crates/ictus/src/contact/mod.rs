//! Contacts: one linear equation a sample, no iteration, and the rules for its free coefficient g.
//!
//! With admittance q (displacement over one step per unit force, `k²/m` for a mass), free step `s0 = η* - η⁻` and
//! stored root ψ, every contact solves
//!
//! ```text
//! s = (s0 - qψg)/(1 + qD),   f = D s + ψ g,   ψ⁺ = ψ + g s/2,   D = g²/4 + R/2k
//! ```
//!
//! for its step `s = η⁺ - η⁻` (W19 (10)-(18), generalised). The balance `Δ(ψ²/2) + R s²/4k = f s/2` holds for any g and
//! any R ≥ 0, so stability is never at stake: a [`Rule`] only decides how true the contact is. Contacts that move each other within
//! a step form an island and are solved together; `step.rs` has the step of an island of any size, one included, and
//! `rule.rs` the choice of g and R.
//!
//! The secant rule aims ψ at its true value half a step ahead. On extended bodies it asks the law at means over two samples and more, never at
//! a single one, and aims twice: near half the rate the points of a grid alternate from sample to sample, and a rule
//! that believes each of them chatters. What alternates already it cannot stop: there `s = 0`, and a force does no work, whatever g and R are.
//! A contact far stiffer than its bodies within a sample (`q ψ'² > 4`) would begin with such a swing, which only the bodies can take away: a law goes no
//! steeper than that (`tangent.rs`). Three things known in closed form make it truer still; each keeps the balance, none iterates, and docs/secant.md has the measurements:
//!
//! - **early touch**: a contact counts from the step whose middle lies inside, not from the first sample inside;
//! - **stiffening**: a contact lasts too long on the grid, by `tan(θ/2)/(θ/2)` with θ = c(α)k/τ (C14 (15) for α = 1, where c = π).
//!   The law is stiffened by that to the power α + 1 for the length of the contact, τ being the closed contact time. A string, bar or plate is met as
//!   the mass that it is over that time; where it is mostly waves running off, nothing is stiffened;
//! - **release**: μ and the approach velocity alone say how fast a free mass leaves a Hunt-Crossley wall. The loss is never
//!   allowed to exceed what that leaves, no velocity beyond it is allowed, and the step that leaves takes it: while the two bodies
//!   are alone with each other. What other forces and other contacts do to their velocity is summed up, and ends that trust.
//!   Without resistance there is nothing to know: what is stored goes back into the motion, to the last bit.
//!   Bodies that are not free meet as local masses while the contact lasts less than about four samples: there it holds too,
//!   unless other forces have their say in it.
//!
//! Rejected: all the loss at the turning point (rebound exact, contact time of damped contacts ruined); a release that
//! is kept whenever its R ≥ 0 (it may pull, and a few phases in a hundred cannot reach it); resistance taken at the
//! predicted middle (no better than at η, one power more); energy of a ψ that cannot be emptied thrown away (a sixth of a lossless
//! chain's); a local correction of the aim, `φ + qφ'²/8 + φ''d²/24`, in place of stiffening (right for two bodies, twice as far off in chains,
//! where the uncorrected errors of neighbouring contacts cancel in part); g averaged with the last one where q g² > 4 (bolts on strings swing for 16 samples
//! instead of 10, and felt-struck strings are 25 % off).

mod bristle;
mod closed;
mod felt;
mod friction;
mod motion;
mod rule;
mod rules;
mod spring;
mod state;
pub(crate) mod step;
mod tangent;

use crate::laws::{ContactLaw, Law};
use crate::objects::Accelerance;
use closed::ClosedForm;
pub use motion::Motion;
pub use rules::{Rule, RuleInfo};
pub use state::ContactState;
pub(crate) use step::Member;
use tangent::Tangent;

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

/// What touches in a contact, from the simplest body on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Between {
    /// Masses that nothing holds, or walls: nothing they do in the contact comes back to them.
    #[default]
    FreeMasses,
    /// Masses on springs, and bodies of a few low modes: their motion is smooth from sample to sample.
    Oscillators,
    /// Bodies whose waves return, up to the highest frequencies there are. Closed forms hold only while the contact is so short that they
    /// meet as local masses.
    Extended,
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
    /// What touches in it, and whether it is one of the points of a spread contact.
    between: Between,
    is_spread: bool,
    /// How that gives way to a force that lasts, if it is known.
    accelerance: Option<Accelerance>,
    /// Samples in which the waves run off from where a wall presses; `None` if it is no wall, or no waves.
    pressed: Option<f64>,
    /// Displacement of η over one step per newton, in m/N, and the law beyond what that can follow.
    admittance: f64,
    tangent: Option<Tangent>,
    /// Whether the law is friction: what it does follows the velocity, and it has no potential.
    friction: bool,
    /// Whether the law has no resistance.
    lossless: bool,
    /// ψ' in √J/m of a linear spring.
    spring: Option<f64>,
}

/// Part of ψ that rounding may leave of one that a step has emptied, either way.
const EMPTY: f64 = 8.0 * f64::EPSILON;

/// ψ in √J below which a contact is empty.
const SMALLEST_ROOT: f64 = 1e-100;

impl Contact {
    /// A contact with this law, stepped by this rule.
    pub fn new(law: Law, rule: Rule, aiming: Aiming) -> Self {
        let surface = law.surface().unwrap_or(f64::NEG_INFINITY);
        let closed = if rule.aims() { ClosedForm::of(&law) } else { None };
        let friction = law.is_friction();
        let spring = law.spring_stiffness().map(f64::sqrt);
        let lossless = law.power_law().is_some_and(|(_, _, dissipation)| dissipation == 0.0);
        Self {
            law,
            rule,
            aiming,
            surface,
            closed,
            damping: 0.0,
            between: Between::FreeMasses,
            is_spread: false,
            pressed: None,
            accelerance: None,
            admittance: 0.0,
            tangent: None,
            friction,
            lossless,
            spring,
        }
    }

    /// The same with a constant resistance (N s/m) beside the law's: a damper in parallel.
    pub fn with_damping(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// The same for other bodies than free masses.
    pub fn between(self, between: Between) -> Self {
        Self { between, ..self }
    }

    /// The same as one of the points of a spread contact.
    pub(crate) fn spread(self) -> Self {
        Self { is_spread: true, ..self }
    }

    /// The same where a wall presses on a point from which waves run off in so many samples.
    pub(crate) fn pressed(self, samples: f64) -> Self {
        Self { pressed: Some(samples), between: Between::Extended, ..self }.with_tangent()
    }

    /// The same contact with another law.
    pub(crate) fn with_law(&self, law: Law) -> Self {
        self.like(law, self.rule)
    }

    /// The same contact stepped by another rule.
    pub(crate) fn with_rule(&self, rule: Rule) -> Self {
        self.like(self.law, rule)
    }

    /// A contact of the same bodies and damper.
    fn like(&self, law: Law, rule: Rule) -> Self {
        let Self { aiming, damping, between, is_spread, pressed, accelerance, admittance, .. } = *self;
        Self { damping, between, is_spread, pressed, accelerance, admittance, ..Self::new(law, rule, aiming) }
            .with_tangent()
    }

    /// The same between points that give way like this over one step, in m/N, and over more, if that is known.
    pub(crate) fn meeting_at(self, admittance: f64, accelerance: Option<Accelerance>) -> Self {
        Self { admittance, accelerance, ..self }.with_tangent()
    }

    fn with_tangent(self) -> Self {
        Self { tangent: self.steepness().and_then(|slope| Tangent::of(&self.law, slope)), ..self }
    }

    /// The resistance beside the law's, in N s/m.
    pub(crate) fn damping(&self) -> f64 {
        self.damping
    }

    /// Compression in m at which the law begins to push; -∞ for laws that always act.
    pub(crate) fn surface(&self) -> f64 {
        self.surface
    }

    /// The largest elastic force in N with which an energy in J can be stored; infinite where that is not known.
    pub(crate) fn force_at_energy(&self, energy: f64) -> f64 {
        if energy == 0.0 {
            return 0.0;
        }
        match (self.spring, self.law.power_law()) {
            (Some(slope), _) => slope * (2.0 * energy).sqrt(),
            (_, Some((stiffness, exponent, _))) => {
                let order = exponent + 1.0;
                stiffness * libm::pow(order * energy / stiffness, exponent / order)
            }
            _ => f64::INFINITY,
        }
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
        match self.law.felt() {
            None => ContactState { root: self.root_at(compression), ..ContactState::default() },
            Some(felt) => {
                let memory = felt.power(compression);
                let energy = felt.stored_energy(compression, memory);
                ContactState { root: (2.0 * energy).sqrt(), memory, ..ContactState::default() }
            }
        }
    }

    /// The compression in m at which a one-sided law stores what is stored; `None` for an empty contact and for other laws.
    pub(crate) fn compression_of(&self, state: &ContactState) -> Option<f64> {
        let withheld = (2.0 * self.withheld(state)).sqrt();
        if !self.is_one_sided() || state.root <= withheld * (1.0 + 1e-9) {
            return None;
        }
        let stores = |depth: f64| match self.law.felt() {
            None => self.root_at(self.surface + depth) >= state.root,
            Some(felt) => (2.0 * felt.stored_energy(depth, state.memory)).sqrt() >= state.root,
        };
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
        if self.friction {
            state.root == 0.0 || self.law.bristles().is_some()
        } else {
            state.root >= 0.0 || !self.only_pushes()
        }
    }

    /// Whether the points of a one-sided contact are apart at this compression in m.
    pub(crate) fn is_apart(&self, compression: f64) -> bool {
        compression <= self.surface
    }

    /// Advances the contact by one sample, alone.
    #[inline(always)]
    pub fn advance(&self, state: &mut ContactState, motion: &Motion) -> Solved {
        if self.rests(state, motion) {
            return Solved { step: motion.free_step, force: 0.0, dissipated: 0.0 };
        }
        step::alone(self, state, motion)
    }

    /// Whether nothing is stored and nothing will touch in this step.
    #[inline]
    pub(crate) fn rests(&self, state: &ContactState, motion: &Motion) -> bool {
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

    /// Whether neither its law nor its rule lets it pull.
    #[inline]
    pub(super) fn only_pushes(&self) -> bool {
        self.is_one_sided() && !self.rule.pulls()
    }

    /// Whether its law only pushes.
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
    /// x = kβ: how fast what bristles store leaks away (`bristle.rs`); 0 for all else.
    pub leak: f64,
}

impl Terms {
    /// D = g²/4 + R/2k in N/m, and ψg in N.
    #[inline]
    pub(crate) fn line(&self, root: f64, rate: f64) -> (f64, f64) {
        let (elastic, offset) = if self.leak == 0.0 {
            (0.25 * self.slope * self.slope, root * self.slope)
        } else {
            bristle::line(self.slope, self.leak, root)
        };
        (elastic + 0.5 * self.resistance * rate, offset)
    }
}
