//! The step of an island: contacts that move each other within a sample, solved together. An island of one is a contact alone.
//!
//! With W the admittances between the contacts, `s = s0 - W f` and `f = D s + ψ g` give one linear system,
//!
//! ```text
//! (I + W D) s = s0 - W ψ g
//! ```
//!
//! and one for the forces, `(I + D W) f = D s0 + ψ g`: in a stiff contact `D s` and `ψ g` are large and cancel.
//!
//! It is solved with the terms that every contact expects, then with those it aims at, and on extended bodies once more where that aim has led. What one contact cannot do shows in the
//! solution: it would pull, empty more than it holds, lose or leave more than the closed form allows. Seen from that contact the island is one
//! free step ŝ0 and one admittance q̂, all others keeping their terms, so whatever is known of a contact alone applies: it does what it can
//! instead, and the system is solved again. Each contact changes its mind a few times at most, so the work is bounded.
//!
//! Nothing is lost without resistance. A ψ that a neighbour has carried a little below 0 in the same step is the same energy with the other
//! sign: it is turned round and emptied in the next step. (Its force is `g (ψ + ψ⁺)/2`, so it has not pulled.)

use super::{Contact, ContactState, EMPTY, Motion, SMALLEST_ROOT, Solved, Terms, bristle};
use crate::laws::ContactLaw;

/// Part of the approach energy that the sums over a contact may be off by.
const ROUNDING: f64 = 1e-13;

/// Largest admittance times g² with which ψ is emptied: beyond it, forces are differences of numbers too large to be told apart.
const STEEPEST: f64 = 1e14;

/// Largest energy, beside what there is, by which the force that empties ψ would stir its bodies if no neighbour held them. Two contacts that hold
/// each other could push with 1e12 N and cancel: what rounding leaves of that is 1e-16 of this energy.
const STRONGEST: f64 = 1e6;

/// How often contacts on extended bodies aim; others do so once. A third time changes little.
const AIMS: usize = 2;

/// Most rounds in which contacts of an island change their minds.
const ROUNDS: usize = 6;

/// One contact of an island in the step under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub motion: Motion,
    pub terms: Terms,
    /// Resistance at the half sample the step leads to, in N s/m.
    pub resistance: f64,
    /// What stands in place of the terms, if anything does.
    outcome: Outcome,
    /// Whether g was chosen to empty ψ, given the resistance; and whether that was put to 0.
    emptied: bool,
    lossless: bool,
    /// Whether the closed release was tried.
    tried_release: bool,
    /// How often friction has looked for its place on the curve.
    slid: u8,
    /// `η⁺ - η⁻` in m, and the force in N.
    pub step: f64,
    pub force: f64,
    /// The step in m that the other contacts would make it take.
    pub felt: f64,
}

/// How a contact ends its step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// By g and R.
    ByTerms,
    /// It lets go and exerts no force.
    Free,
    /// It leaves by the closed form, with this force in N and an empty ψ.
    Released(f64),
    /// It slips off, having pushed with this force in N; what it stored is lost.
    Slipped(f64),
    /// Friction with its largest force in N, beside its damper.
    Sliding(f64),
}

impl Member {
    pub(crate) fn new(motion: Motion) -> Self {
        Self {
            motion,
            terms: Terms::default(),
            resistance: 0.0,
            outcome: Outcome::ByTerms,
            emptied: false,
            lossless: false,
            tried_release: false,
            slid: 0,
            step: motion.free_step,
            force: 0.0,
            felt: motion.free_step,
        }
    }

    /// D and ψg of the linear system: how its force depends on its step, `f = D s + ψg`.
    #[inline]
    pub(crate) fn line(&self, root: f64) -> (f64, f64) {
        match self.outcome {
            Outcome::ByTerms => self.terms.line(root, self.motion.rate),
            Outcome::Free => (0.0, 0.0),
            Outcome::Released(force) | Outcome::Slipped(force) => (0.0, force),
            Outcome::Sliding(force) => (self.terms.line(0.0, self.motion.rate).0, force),
        }
    }

    /// Slips off in this step, with this force in N.
    pub(crate) fn slip(&mut self, force: f64) {
        self.outcome = Outcome::Slipped(force);
    }

    pub(crate) fn has_slipped(&self) -> bool {
        matches!(self.outcome, Outcome::Slipped(_))
    }

    /// ψ that the terms lead to.
    #[inline]
    pub(super) fn next_root(&self, root: f64) -> f64 {
        let gained = 0.5 * self.terms.slope * self.step;
        if self.terms.leak == 0.0 { root + gained } else { bristle::next_root(self.terms.leak, root, gained) }
    }

    /// Energy that the resistance takes in the step, R (δt·η)² k, and what leaks away of a ψ, in J.
    #[inline]
    fn loss(&self, root: f64) -> f64 {
        let resisted = 0.25 * self.terms.resistance * self.step * self.step * self.motion.rate;
        let leaked =
            if self.terms.leak == 0.0 { 0.0 } else { bristle::loss(self.terms.leak, root, self.next_root(root)) };
        resisted + leaked
    }

    /// Chooses the g that empties ψ; 0 where there is nothing to empty, or the others hold the point so fast that it cannot be emptied into it.
    fn empty(&mut self, root: f64, seen: &Motion) {
        self.emptied = true;
        let slope = seen.emptying_slope(root, self.terms.resistance);
        let Motion { admittance, free_step, .. } = self.motion;
        let steps = [free_step, seen.free_step, slope * root * admittance].map(|step| step * step / admittance);
        let possible = root > 0.0
            && admittance * slope * slope < STEEPEST
            && 0.25 * steps[2] <= STRONGEST * (steps[0].max(steps[1]) + root * root);
        self.terms.slope = if possible { slope } else { 0.0 };
    }

    /// What the others leave it to do alone.
    #[inline]
    fn felt_motion(&self) -> Motion {
        Motion { free_step: self.felt, ..self.motion }
    }
}

/// Contacts that move each other.
pub(crate) trait Island {
    /// How many take part.
    fn count(&self) -> usize;

    /// One of them.
    fn parts(&mut self, index: usize) -> (&Contact, &mut ContactState, &mut Member);

    /// Solves for the steps and forces of all.
    fn solve(&mut self);

    /// How one of them would move without its own force, all others keeping their terms.
    fn seen_by(&mut self, index: usize) -> Motion;

    /// Lets contacts hand energy to each other that belongs to the other, before anything else.
    fn exchange(&mut self) {}

    /// Lets those take part that the others press together within this step.
    fn wake(&mut self) {}
}

/// Works out the step of all members.
#[inline(always)]
pub(crate) fn advance(island: &mut impl Island) {
    island.exchange();
    for index in 0..island.count() {
        let (contact, state, member) = island.parts(index);
        contact.enter(state, member);
    }
    island.solve();
    island.wake();
    for aim in 0..AIMS {
        let mut aimed = false;
        for index in 0..island.count() {
            let (contact, state, member) = island.parts(index);
            if contact.aims(aim) {
                contact.aim(state, member);
                aimed = true;
            }
        }
        if aimed {
            island.solve();
        }
    }
    for _ in 0..ROUNDS {
        if !mend(island) {
            break;
        }
    }
}

/// Lets every member that cannot do what the solution asks of it do what it can. Returns whether there was one.
#[inline(always)]
fn mend(island: &mut impl Island) -> bool {
    let mut mended = false;
    for index in 0..island.count() {
        let (contact, state, member) = island.parts(index);
        let Some(fault) = contact.fault(state, member) else { continue };
        let seen = island.seen_by(index);
        let (contact, state, member) = island.parts(index);
        contact.mend(fault, state, member, &seen);
        island.solve();
        mended = true;
    }
    mended
}

/// What the solution asks of a contact that it cannot do.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// To give more than it stores, or to keep it when it has opened.
    Overdrawn,
    /// To lose more than the closed form leaves to lose.
    Lossy,
    /// To leave otherwise than the closed form does.
    Leaves,
    /// To pull.
    Pulls,
    /// To leave with more energy than there is.
    Created,
    /// To slide off the curve of its friction, or with more than its largest force.
    OffCurve,
    Grips,
}

/// Most times that friction looks for its place on the curve in one step; once, where nothing else moves it.
const SLIDES: u8 = 3;

/// Part by which rounding may bring friction beyond its largest force.
const GRIP: f64 = 1e-13;

impl Contact {
    /// Prepares a contact that takes part: how it begins, and what it expects.
    #[inline(always)]
    pub(crate) fn enter(&self, state: &mut ContactState, member: &mut Member) {
        if state.root == 0.0 && self.is_one_sided() && self.rule.aims() {
            self.begin(state, &member.motion);
        }
        member.terms = self.predict(state, &member.motion);
    }

    #[inline(always)]
    fn fault(&self, state: &ContactState, member: &Member) -> Option<Fault> {
        if self.friction {
            let friction = self.friction_in(member);
            let grips = friction.abs() > (1.0 + GRIP) * self.largest_friction();
            return match member.slid {
                _ if member.outcome != Outcome::ByTerms => None,
                0 => Some(Fault::OffCurve),
                1 if self.law.bristles().is_some() => Some(Fault::OffCurve),
                SLIDES => grips.then_some(Fault::Grips),
                _ => grips.then_some(Fault::OffCurve),
            };
        }
        let limited = self.only_pushes();
        if !limited || member.outcome == Outcome::Free {
            return None;
        }
        if let Outcome::Released(force) = member.outcome {
            let created = 0.5 * force * member.step + state.energy() < -ROUNDING * self.approach_energy(state, member);
            return created.then_some(Fault::Created);
        }
        let next_root = member.next_root(state.root);
        if !member.emptied && (next_root < 0.0 || self.is_leaving(state, &member.motion)) {
            return Some(Fault::Overdrawn);
        }
        if !self.rule.aims() {
            // The slope that was to empty it was chosen before a neighbour chose its own: with that it would pull, and be paid for it.
            return (member.emptied && member.force < 0.0).then_some(Fault::Pulls);
        }
        if !member.tried_release && self.trusts_release(state, member.felt_motion().free_change()) {
            if !member.lossless && member.loss(state.root) > state.allowance {
                return Some(Fault::Lossy);
            }
            let next_velocity = member.step * member.motion.rate - member.motion.velocity();
            let leaves = member.motion.previous + member.step <= self.surface
                || next_velocity <= state.release
                || next_root <= EMPTY * state.root;
            if leaves {
                return Some(Fault::Leaves);
            }
        }
        (member.force < 0.0).then_some(Fault::Pulls)
    }

    /// Friction in N without the damper beside it.
    #[inline]
    fn friction_in(&self, member: &Member) -> f64 {
        member.force - 0.5 * self.damping * member.motion.rate * member.step
    }

    /// Does what can be done instead, `seen` being how the contact would move without its own force.
    #[inline(always)]
    fn mend(&self, fault: Fault, state: &ContactState, member: &mut Member, seen: &Motion) {
        match fault {
            Fault::Overdrawn => member.empty(state.root, seen),
            Fault::Lossy => {
                (member.lossless, member.emptied) = (true, false);
                member.terms.resistance = 0.0;
            }
            Fault::Leaves => {
                member.tried_release = true;
                if let Some(force) = self.release(state, member, seen) {
                    member.outcome = Outcome::Released(force);
                }
            }
            Fault::Pulls => member.outcome = Outcome::Free,
            Fault::OffCurve => {
                member.slid += 1;
                match self.law.bristles() {
                    None => member.terms.resistance = self.sliding_resistance(state, seen) + self.damping,
                    Some(bristles) => member.terms.leak = self.leak(bristles, state, member),
                }
            }
            Fault::Grips => {
                member.outcome = Outcome::Sliding(self.largest_friction().copysign(self.friction_in(member)));
                member.terms = Terms { resistance: self.damping, ..Terms::default() };
            }
            Fault::Created => {
                member.outcome = Outcome::ByTerms;
                member.empty(state.root, seen);
            }
        }
    }

    /// The force in N with which it leaves at the closed form's velocity, `s = k v + (η - η⁻)`; what energy is left over is lost in its
    /// resistance. Not where that would take energy from nowhere, or pull.
    #[cold]
    fn release(&self, state: &ContactState, member: &Member, seen: &Motion) -> Option<f64> {
        let velocity = self.release_velocity(state, &member.felt_motion());
        let step = velocity / seen.rate + (seen.now - seen.previous);
        let force = (seen.free_step - step) / seen.admittance;
        let dissipated = 0.5 * force * step + state.energy();
        (force >= 0.0 && dissipated >= -ROUNDING * self.approach_energy(state, member)).then_some(force)
    }

    /// Energy in J with which the bodies met.
    fn approach_energy(&self, state: &ContactState, member: &Member) -> f64 {
        let Motion { admittance, rate, .. } = member.motion;
        0.5 * state.approach * state.approach / (admittance * rate * rate)
    }

    /// Takes the step that was found.
    #[inline(always)]
    pub(crate) fn take(&self, state: &mut ContactState, member: &Member) -> Solved {
        let (step, force, stored) = (member.step, member.force, state.energy());
        let (root, mut dissipated) = (state.root, member.loss(state.root));
        let next_root = member.next_root(root);
        match member.outcome {
            Outcome::Released(_) | Outcome::Slipped(_) => {
                state.root = 0.0;
                dissipated = 0.5 * force * step + stored;
            }
            // A resistance that would have pulled takes from ψ what ψ would have done; all of it if the bodies are apart. Without one it stays.
            Outcome::Free if member.terms.resistance > 0.0 => {
                let apart = member.motion.previous + step <= self.surface;
                state.root = if apart { 0.0 } else { next_root.min(root).max(0.0) };
                dissipated = stored - state.energy();
            }
            Outcome::Free => {}
            Outcome::Sliding(friction) => dissipated += self.slide(state, friction, step),
            Outcome::ByTerms => {
                let limited = self.only_pushes();
                let next_root = if limited { next_root.abs() } else { next_root };
                let empty = limited && next_root <= EMPTY * root || next_root.abs() < SMALLEST_ROOT;
                state.root = if empty { 0.0 } else { next_root };
            }
        }
        state.resistance = member.resistance;
        if state.memory != 0.0 || state.root != 0.0 {
            dissipated += self.fade(state, &member.motion, step);
        }
        Self::outlast(state);
        if self.friction {
            state.sliding = 0.5 * step * member.motion.rate;
            state.resistance = member.terms.resistance - self.damping;
        }
        if state.approach > 0.0 {
            state.drift += member.felt_motion().free_change().abs();
            state.allowance = (state.allowance - dissipated).max(0.0);
        }
        Solved { step, force, dissipated }
    }
}

/// An island of one.
struct Single<'a> {
    contact: &'a Contact,
    state: &'a mut ContactState,
    member: Member,
}

impl Island for Single<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn parts(&mut self, _index: usize) -> (&Contact, &mut ContactState, &mut Member) {
        (self.contact, self.state, &mut self.member)
    }

    #[inline(always)]
    fn solve(&mut self) {
        let Motion { free_step, admittance, .. } = self.member.motion;
        let (conductance, offset) = self.member.line(self.state.root);
        let stiffness = 1.0 + admittance * conductance;
        self.member.step = (free_step - admittance * offset) / stiffness;
        self.member.force = (conductance * free_step + offset) / stiffness;
    }

    #[inline(always)]
    fn seen_by(&mut self, _index: usize) -> Motion {
        self.member.motion
    }
}

/// The step of a contact that no other moves.
#[inline(always)]
pub(super) fn alone(contact: &Contact, state: &mut ContactState, motion: &Motion) -> Solved {
    let mut island = Single { contact, state, member: Member::new(*motion) };
    advance(&mut island);
    let Single { contact, state, member } = island;
    contact.take(state, &member)
}

#[cfg(test)]
mod tests;
