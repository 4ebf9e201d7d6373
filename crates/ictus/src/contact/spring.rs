//! A linear spring with a damper: g = √K and R never change, and ψ = √K η stays on its curve by itself.

use super::{Contact, ContactState, Solved};

/// How far ψ may be off its curve for a spring to be taken as one: in parts of what it moves, and in √J, of which the square is no energy at all.
const ON_CURVE: f64 = 1e-6;
const NOTHING: f64 = 1e-13;

impl Contact {
    /// D in N/m, if this is a linear spring whose ψ is where it should be between two compressions in m. After a change of its law or place it is not, and the
    /// rule must bring it back.
    #[inline]
    pub(crate) fn spring_conductance(&self, state: &ContactState, previous: f64, now: f64, rate: f64) -> Option<f64> {
        let slope = self.spring?;
        let off = (state.root - 0.5 * slope * (previous + now)).abs();
        let reach = slope * ((previous + now).abs() + (now - previous).abs());
        let on_curve = self.rule.info().drifts || off <= ON_CURVE * reach || off <= NOTHING;
        on_curve.then_some(0.25 * slope * slope + 0.5 * self.damping * rate)
    }

    /// Whether this is a linear spring, on its curve or not.
    pub(crate) fn is_spring(&self) -> bool {
        self.spring.is_some()
    }

    /// ψg in N.
    #[inline]
    pub(crate) fn spring_offset(&self, state: &ContactState) -> f64 {
        state.root * self.spring.unwrap_or(0.0)
    }

    /// Takes a step in m under a force in N.
    #[inline]
    pub(crate) fn spring(&self, state: &mut ContactState, step: f64, force: f64, rate: f64) -> Solved {
        state.root += 0.5 * self.spring.unwrap_or(0.0) * step;
        state.resistance = self.damping;
        Solved { step, force, dissipated: 0.25 * self.damping * step * step * rate }
    }
}
