//! The choice of g and R: what a contact expects of its step, and what it aims at. See the module above for what and why.

use super::closed::ClosedForm;
use super::rules::Given;
use super::{Between, Contact, ContactState, Member, Motion, Terms, friction};
use crate::impact::exact::output_velocity;
use crate::laws::{BowFriction, Bristles, ContactLaw};

/// How much of the approach velocity other forces may add in a contact of a sample before the closed rebound is no longer trusted; over n samples, 1/n² of it.
const LARGEST_DRIFT: f64 = 0.1;

/// Longest contact in samples in which extended bodies may meet as local masses, before their waves return.
const LONGEST_LOCAL: f64 = 4.0;

/// How many closed contact times a contact may last before it is taken to stay, and how slowly it then loses its stiffening, in samples: what rests
/// sinks as deep as the law says.
const STAY: f64 = 1.5;
const SOFTENING: f64 = 1.0 / 128.0;

/// Part of what gives way that must be mass for a contact to be stiffened at all, and wholly.
const INERT: [f64; 2] = [0.25, 0.5];

/// What is left of a body's give after so many samples is mass.
const LATE: f64 = 128.0;

/// Step, as a fraction of the depth, below which ψ' at the current sample is taken for the slope.
const RESTING: f64 = 1e-3;

/// How much steeper than its curve a contact may be to get back on it.
const STEEPEST: f64 = 2.0;

impl Contact {
    /// Takes down how a contact begins: the velocity at the surface, and what follows from it.
    #[cold]
    pub(super) fn begin(&self, state: &mut ContactState, motion: &Motion) {
        *state = ContactState::default();
        let Some(closed) = &self.closed else { return };
        let velocity = motion.velocity();
        let middle = 0.5 * (motion.previous + motion.now);
        let at_surface = velocity * velocity + 2.0 * motion.free_acceleration() * (self.surface - middle);
        if velocity > 0.0 && at_surface > 0.0 {
            let approach = at_surface.sqrt();
            let (mass, samples) = self.meeting(closed, approach, motion);
            if self.aiming.stiffening && !self.is_conservative() {
                state.stiffening = 1.0 + self.inertia(samples) * (closed.stiffening(samples) - 1.0);
                state.expected = STAY * samples;
            }
            // Without loss the rebound is exact as it is; with it, bodies that are extended must be alone with each other.
            let extended = self.between != Between::FreeMasses;
            if extended && (closed.dissipation == 0.0 || samples > LONGEST_LOCAL) {
                return;
            }
            state.approach = approach;
            // The closed form knows of no other force: the longer a contact, the less it needs it, and the more another force has done.
            state.allowed_drift = LARGEST_DRIFT * approach / (samples * samples).max(1.0);
            state.release = output_velocity(closed.dissipation, state.approach);
            state.allowance = 0.5 * mass * (at_surface - state.release * state.release);
        }
    }

    /// The mass in kg as which two bodies meet that come together with a velocity in m/s, and how many samples they will stay.
    ///
    /// What is extended is the heavier the longer the contact, and the contact the longer the heavier it is: three rounds settle it, since the
    /// time goes with the root of the mass at most, and the mass with the time.
    fn meeting(&self, closed: &ClosedForm, approach: f64, motion: &Motion) -> (f64, f64) {
        let rate = motion.rate;
        let mass_of = |admittance: f64| 1.0 / (admittance * rate * rate);
        let mut mass = mass_of(motion.admittance);
        let mut samples = closed.time(mass, approach) * rate;
        if let (Between::Extended | Between::Oscillators, Some(accelerance)) = (self.between, &self.accelerance) {
            for _ in 0..3 {
                mass = mass_of(accelerance.over(samples));
                samples = closed.time(mass, approach) * rate;
            }
        }
        (mass, samples)
    }

    /// Counts a sample of a contact that was stiffened.
    #[inline]
    pub(super) fn outlast(state: &mut ContactState) {
        if state.stiffening != 1.0 {
            state.expected -= 1.0;
            if state.expected < 0.0 {
                state.stiffening -= SOFTENING * (state.stiffening - 1.0);
            }
        }
    }

    /// How far a contact of so many samples is one of masses, which swing it back, from 0 to 1. Waves that run off along a string do not, and
    /// stiffening would be wrong: what is left of the give after a long while is mass.
    fn inertia(&self, samples: f64) -> f64 {
        match (self.between, &self.accelerance) {
            (Between::FreeMasses, _) => 1.0,
            (_, None) => 0.0,
            (_, Some(accelerance)) => {
                let left = accelerance.over(LATE) / accelerance.over(samples);
                // What gives way to nothing makes this no number, and is no mass.
                if left.is_nan() { 0.0 } else { ((left - INERT[0]) / (INERT[1] - INERT[0])).clamp(0.0, 1.0) }
            }
        }
    }

    /// Whether two bodies that lose energy in this contact have been alone with each other, `change` (m/s) of this step included: then the
    /// closed rebound is theirs.
    #[inline]
    pub(super) fn trusts_release(&self, state: &ContactState, change: f64) -> bool {
        self.rule.info().releases
            && state.approach > 0.0
            && self.closed.is_some_and(|closed| closed.dissipation > 0.0)
            && state.drift + change.abs() <= state.allowed_drift
    }

    /// g and R of the first solve: ψ' and the resistance at the current sample, or what the published rules make of them.
    #[inline(always)]
    pub(super) fn predict(&self, state: &ContactState, motion: &Motion) -> Terms {
        if let Some(bristles) = self.law.bristles() {
            let root = bristles.stiffness.sqrt();
            let leak = bristles.leak(state.sliding, state.root / root) / motion.rate;
            return Terms { slope: root, resistance: self.damping, leak };
        }
        if self.friction {
            return Terms { resistance: state.resistance + self.damping, ..Terms::default() };
        }
        if self.law.felt().is_some() {
            let mut member = Member::new(*motion);
            self.aim(state, &mut member);
            return member.terms;
        }
        let (slope, resistance) = self.slope_and_resistance_at(state, motion.now, motion.velocity());
        let hardening = state.stiffening * state.stiffening;
        let resistance = hardening * resistance + self.damping;
        let terms = Terms { slope: state.stiffening * slope, resistance, leak: 0.0 };
        if self.rule.aims() { terms } else { Terms { slope: self.published_slope(state.root, slope, motion), ..terms } }
    }

    /// g by a published rule.
    fn published_slope(&self, root: f64, slope: f64, motion: &Motion) -> f64 {
        if !self.is_one_sided() {
            return slope;
        }
        self.rule.slope(&Given { root, slope, inside: motion.now > self.surface, motion })
    }

    /// Whether it aims, having done so a number of times in this step.
    #[inline]
    pub(super) fn aims(&self, before: usize) -> bool {
        // What a felt loses depends on where the step leads: with one aim it chatters on light modes.
        let felt = self.law.felt().is_some();
        (self.rule.aims() || felt) && !self.friction && (before == 0 || felt || self.between == Between::Extended)
    }

    /// The g that brings ψ to its curve in the middle of the next half step, given where the terms so far lead; and the mean
    /// resistance `¼ (R⁻ + 2R + R⁺)` of the centre of the step and the half samples beside it: the loss of a step in which the
    /// contact begins or ends is in none of the three alone.
    #[inline(always)]
    pub(super) fn aim(&self, state: &ContactState, member: &mut Member) {
        let Member { motion, step, felt, .. } = *member;
        let before = motion.now - motion.previous;
        let after = step - before;
        let middle = motion.now + 0.5 * after;
        // Where η may alternate, the mean of the middles of this step and the last, which does not. Elsewhere η itself is nearer the truth.
        let alternates = self.between == Between::Extended;
        let centre = if alternates { motion.now + 0.25 * (after - before) } else { motion.now };
        let (target, slope_at_centre);
        let mut limit = self.steepest_slope(state);
        if let Some(felt) = self.law.felt() {
            let (root, slope, steepest) = self.felt_target(felt, state, &motion, [centre, middle]);
            (target, slope_at_centre) = (root, slope);
            limit = STEEPEST * steepest;
            (member.resistance, member.terms.resistance) = (self.damping, self.damping);
        } else if self.is_conservative() {
            target = self.conservative_target(middle, after, felt - 2.0 * before, motion.admittance);
            slope_at_centre = self.law.root_slope(centre);
            member.terms.resistance = 0.0;
        } else {
            let hardening = state.stiffening * state.stiffening;
            let (root, at_middle) = self.root_and_resistance_at(state, middle, after * motion.rate);
            let (slope, at_centre) = self.slope_and_resistance_at(state, centre, 0.5 * step * motion.rate);
            target = state.stiffening * root;
            slope_at_centre = state.stiffening * slope;
            member.resistance = hardening * at_middle + self.damping;
            let twice_centre = 2.0 * (hardening * at_centre + self.damping);
            member.terms.resistance = 0.25 * (state.resistance + twice_centre + member.resistance);
        }

        let depth = if self.is_one_sided() { motion.now - self.surface } else { motion.now };
        // A step far below the depth cannot tell the slope from what rounding has done to ψ: a body coming to rest.
        let doubt = self.aiming.trust * (before * before + after * after) + RESTING * RESTING * depth * depth;
        let aim = target - state.root;
        let slope = (2.0 * aim * step + doubt * slope_at_centre) / (step * step + doubt);
        let slope = if slope.is_finite() { slope } else { slope_at_centre };
        // Pressed on waves, g is ψ' itself (`tangent.rs`).
        let deepest = motion.previous.min(motion.now).min(middle);
        let pressed = self.tangent_at(state, deepest).filter(|_| self.pressed.is_some());
        let slope = pressed.map_or(slope, |tangent| tangent.slope());
        member.terms.slope = slope.max(0.0).min(limit);
        if self.is_one_sided() || slope <= STEEPEST * slope_at_centre {
            return;
        }
        // No secant of the curve is steeper than the curve. One that is comes of a ψ far off it, after the law or the place was
        // changed or the contact switched on; taken, it would hold the point where it is.
        let ends = [motion.now + 0.5 * after, 0.5 * (motion.previous + motion.now)];
        let steepest = ends.map(|end| self.law.root_slope(end)).into_iter().fold(slope_at_centre, f64::max);
        member.terms.slope = slope.min(STEEPEST * steepest);
    }

    /// The resistance of friction without the damper's, for a contact that would move like this without either. The damper is no friction:
    /// what it leaves of step and admittance is what friction acts on.
    pub(super) fn sliding_resistance(&self, state: &ContactState, seen: &Motion) -> f64 {
        let Some(law) = self.law.friction() else { return 0.0 };
        let Motion { free_step, admittance, rate, .. } = *seen;
        let before = if state.sliding == 0.0 { seen.velocity() } else { state.sliding };
        let damped = 1.0 + 0.5 * admittance * self.damping * rate;
        friction::resistance(law, free_step / damped, admittance / damped, rate, before)
    }

    /// Largest force of friction in N.
    pub(super) fn largest_friction(&self) -> f64 {
        let bristles = self.law.bristles().map(Bristles::largest);
        bristles.or(self.law.friction().map(BowFriction::normal_force)).unwrap_or(f64::INFINITY)
    }

    /// Whether it only pushes and has no resistance, so that energy alone decides how it goes on.
    #[inline]
    pub(crate) fn is_conservative(&self) -> bool {
        self.lossless
            && self.damping == 0.0
            && self.between != Between::Extended
            && self.rule.aims()
            && self.aiming.stiffening
    }

    /// ψ half a step ahead, `η` going straight on from here by `after` (m) through `middle`.
    ///
    /// The bodies' kinetic energy is counted by their mean velocity over a step, which leaves out `½ m Var v`; so what is stored must be
    /// the mean of φ over the step and that, or the contact lasts too long. With the second difference A of η (`bend` by everything else, less
    /// what the contact itself does) this is `<φ> - φ'A/8`, right to fourth order for any exponent, in any network.
    #[inline]
    fn conservative_target(&self, middle: f64, after: f64, bend: f64, admittance: f64) -> f64 {
        // Two points of Gauss give the mean along the step.
        let reach = after * (0.5 / 3.0_f64.sqrt());
        let mean = 0.5 * (self.law.potential(middle - reach) + self.law.potential(middle + reach));
        let force = self.law.force(middle);
        (2.0 * mean - 0.25 * force * (bend - admittance * force)).max(0.0).sqrt()
    }

    /// Whether a contact that stores something is open and opening: the rules then empty it.
    #[inline]
    pub(super) fn is_leaving(&self, state: &ContactState, motion: &Motion) -> bool {
        // What a felt keeps then, its memory has.
        self.is_one_sided()
            && self.law.felt().is_none()
            && state.root > 0.0
            && motion.now <= self.surface
            && motion.free_step < 0.0
    }

    /// Velocity in m/s with which the closed form leaves, other forces on the way from the surface included.
    pub(super) fn release_velocity(&self, state: &ContactState, motion: &Motion) -> f64 {
        let middle = motion.now + 0.5 * state.release / motion.rate;
        let beyond_surface = 2.0 * motion.free_acceleration() * (middle - self.surface);
        -(state.release * state.release + beyond_surface).max(0.0).sqrt()
    }
}
