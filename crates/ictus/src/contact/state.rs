//! The state of a contact: the energy that it stores, and what is known of how it began.

/// What a contact remembers from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState {
    /// ψ at the last half step, in √J; the stored energy is ψ²/2.
    pub(super) root: f64,
    /// Factor on ψ and ψ' while the contact lasts; its square stiffens the law.
    pub(super) stiffening: f64,
    /// Samples that it should last from here on; below 0, by how many it has outlasted that.
    pub(super) expected: f64,
    /// Velocity at which the surface was reached, in m/s.
    pub(super) approach: f64,
    /// Velocity of the free release that belongs to it, in m/s.
    pub(super) release: f64,
    /// Velocity that other forces have given since, in m/s, summed without sign.
    pub(super) drift: f64,
    /// How much of that leaves the release to be trusted, in m/s.
    pub(super) allowed_drift: f64,
    /// Resistance at the last half step, in N s/m.
    pub(super) resistance: f64,
    /// Energy that may still be dissipated before the release would be too slow, in J.
    pub(super) allowance: f64,
    /// Elastic force one sample ago in N, in an island of conservative contacts.
    pub(super) elastic: f64,
    /// Velocity of a sliding contact over the last step, in m/s; 0 before its first.
    pub(super) sliding: f64,
    /// What a felt remembers, z in m^α.
    pub(super) memory: f64,
}

impl Default for ContactState {
    fn default() -> Self {
        Self {
            root: 0.0,
            stiffening: 1.0,
            expected: 0.0,
            approach: 0.0,
            release: 0.0,
            drift: 0.0,
            allowed_drift: 0.0,
            resistance: 0.0,
            allowance: 0.0,
            elastic: 0.0,
            sliding: 0.0,
            memory: 0.0,
        }
    }
}

impl ContactState {
    /// ψ in √J.
    #[inline]
    pub(crate) fn root(&self) -> f64 {
        self.root
    }

    /// The same energy, sliding and memory of the law, and nothing known of how the contact began.
    pub(crate) fn begun_unknown(&self) -> Self {
        Self { root: self.root, sliding: self.sliding, memory: self.memory, ..Self::default() }
    }

    /// The elastic force of this sample in N, and that of the sample before.
    pub(crate) fn follow_elastic(&mut self, force: f64) -> [f64; 2] {
        [force, std::mem::replace(&mut self.elastic, force)]
    }

    /// Takes energy in J from another contact, or gives it; never more than half of what is there.
    pub(crate) fn take_from(&mut self, other: &mut Self, energy: f64) {
        let taken = energy.clamp(-0.5 * self.energy(), 0.5 * other.energy());
        self.root = (self.root * self.root + 2.0 * taken).sqrt();
        other.root = (other.root * other.root - 2.0 * taken).sqrt();
    }

    /// Energy stored in the contact, in J.
    #[inline]
    pub fn energy(&self) -> f64 {
        0.5 * self.root * self.root
    }
}
