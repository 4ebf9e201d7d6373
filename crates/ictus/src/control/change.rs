//! What can be changed while the engine runs.

use crate::contact::Rule;
use crate::id::{ContactId, ForceId, ObjectId, PickupId};
use crate::laws::Law;
use crate::objects::Place;

/// Which end of an interaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum End {
    /// The point below.
    From,
    /// The point above.
    To,
}

/// A change of something that runs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// Another law for an interaction. What is stored stays, unless the law cannot hold it, as a wall no tension: then it is dissipated.
    Law {
        /// Which interaction.
        contact: ContactId,
        /// The law; of a spread interaction its stiffness is per metre.
        law: Law,
    },
    /// Another resistance in parallel with the law.
    Damping {
        /// Which interaction.
        contact: ContactId,
        /// Resistance in N s/m, ≥ 0.
        damping: f64,
    },
    /// Another rule for g. ψ stays, and with it the stored energy, unless the rule cannot hold it: then it is dissipated.
    Rule {
        /// Which interaction.
        contact: ContactId,
        /// The rule.
        rule: Rule,
    },
    /// Another travel over an interaction's [`roughness`](crate::model::Interaction::roughness).
    Travel {
        /// Which interaction.
        contact: ContactId,
        /// Velocity in m/s.
        velocity: f64,
    },
    /// Switches an interaction on or off; what it stored when switched off is dissipated.
    Active {
        /// Which interaction.
        contact: ContactId,
        /// Whether it acts.
        active: bool,
    },
    /// Another gap.
    Gap {
        /// Which interaction.
        contact: ContactId,
        /// Gap in m, at most 10 either way.
        gap: f64,
    },
    /// Another place for one end of an interaction.
    Move {
        /// Which interaction.
        contact: ContactId,
        /// Which of its ends.
        end: End,
        /// Where on the same object.
        place: Place,
    },
    /// Sets displacement and velocity of a mass or a barrier. An interaction with it that is on feels the jump.
    Throw {
        /// Which mass or barrier.
        object: ObjectId,
        /// Displacement in m, at most 1e3 either way.
        displacement: f64,
        /// Velocity in m/s, at most 1e4 either way.
        velocity: f64,
    },
    /// Velocity of a barrier: a bow, a moving surface.
    Velocity {
        /// Which barrier.
        object: ObjectId,
        /// Velocity in m/s, at most 1e4 either way.
        velocity: f64,
    },
    /// Height of a barrier, reached at the next sample.
    Height {
        /// Which barrier.
        object: ObjectId,
        /// Height in m, at most 1e3 either way.
        height: f64,
    },
    /// Level of a force.
    Level {
        /// Which force.
        force: ForceId,
        /// Level in N, or the factor of its signal.
        level: f64,
    },
    /// Starts a force's signal from its beginning.
    Trigger {
        /// Which force.
        force: ForceId,
    },
    /// Bends the pitch of a string: its lowest mode then rings at this ratio to the frequency it was built with; exactly with simply supported
    /// ends, within a cent over an octave with others. The tension changes, the motion does not; the energy that takes is booked as supplied. For
    /// a glide, change it a little every few samples. Like all that was changed, it stays so when the engine is reset.
    Bend {
        /// Which string.
        object: ObjectId,
        /// Ratio of frequencies, from 0.25 to the [`bend`](crate::objects::StringSpec::bend) it was built for.
        ratio: f64,
    },
    /// Multiplies all decay rates that an object in modes was built with: 2 halves every T60. The motion does not change; the little energy
    /// that takes is booked as supplied. It stays so when the engine is reset.
    Decay {
        /// Which object.
        object: ObjectId,
        /// Factor, from 0 to 1e6.
        factor: f64,
    },
    /// Adds a raised cosine to a string or bar at rest.
    Pluck {
        /// Which string or bar.
        object: ObjectId,
        /// Its centre, a fraction of the length.
        centre: f64,
        /// Its half-width, a fraction of the length.
        half_width: f64,
        /// Its height in m.
        height: f64,
    },
    /// Another point for a pickup.
    MovePickup {
        /// Which pickup.
        pickup: PickupId,
        /// Where on the same object.
        place: Place,
    },
    /// Gain of a pickup in a channel.
    Gain {
        /// Which pickup.
        pickup: PickupId,
        /// Which channel, from 0.
        channel: usize,
        /// Factor.
        gain: f64,
    },
}
