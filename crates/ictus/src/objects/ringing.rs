//! The frequency at which a mode of a grid rings, sample rate and loss included.
//!
//! A mode of the grid with eigenvalue λ (stiffness over mass, 1/s²) and squared wave number β² steps as
//!
//! ```text
//! (1 + a) z² - (2 - e - 2s) z + (1 - a - 2s) = 0,     e = k²λ,   a = σ0k,   s = σ1kβ²,   z = r e^(iφ),   φ = ωk
//! e = 2 (a + s)²/(1 - s + g) + 4g sin²(φ/2),          g = √((1 - s)² - (a + s)²)
//! ```
//!
//! Without loss this is `2 sin(ωk/2)/k = √λ`. Everything that is tuned to a frequency is tuned through it.

/// Largest decay rate, as a part of ω, that tuning allows for: a heavily damped object keeps the tension or stiffness it would
/// have with less loss, instead of being stretched until its damped motion has the pitch.
const HEAVIEST: f64 = 0.1;

/// How a mode loses its energy over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ModeLoss {
    /// a = σ0k.
    uniform: f64,
    /// s = σ1kβ².
    viscous: f64,
}

impl ModeLoss {
    /// The loss of a mode that rings at phase φ = ωk, with a = σ0k and s = σ1kβ²; at most [`HEAVIEST`] of it.
    pub(crate) fn new(uniform: f64, viscous: f64, phase: f64) -> Self {
        let share = (HEAVIEST * phase / (uniform + viscous)).min(1.0);
        Self { uniform: share * uniform, viscous: share * viscous }
    }

    /// g, and the part of e that only makes up for the loss.
    fn terms(&self) -> (f64, f64) {
        let Self { uniform, viscous } = *self;
        let rate = uniform + viscous;
        let g = ((1.0 - viscous) * (1.0 - viscous) - rate * rate).sqrt();
        (g, 2.0 * rate * rate / (1.0 - viscous + g))
    }

    /// The e = k²λ of a mode that rings at phase φ = ωk, up to π.
    pub(crate) fn eigenvalue(&self, phase: f64) -> f64 {
        let (g, lost) = self.terms();
        let sine = libm::sin(0.5 * phase.min(std::f64::consts::PI));
        lost + 4.0 * g * sine * sine
    }

    /// The phase φ = ωk at which a mode of e = k²λ rings.
    pub(crate) fn phase(&self, eigenvalue: f64) -> f64 {
        let (g, lost) = self.terms();
        2.0 * libm::asin((0.25 * (eigenvalue - lost) / g).clamp(0.0, 1.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_of_that_eigenvalue_rings_at_that_phase() {
        for (uniform, viscous) in [(0.0, 0.0), (1e-4, 0.0), (0.0, 1e-4), (2e-4, 3e-4)] {
            for phase in [0.01, 0.3, 1.7, 3.0] {
                let loss = ModeLoss::new(uniform, viscous, phase);
                let e = loss.eigenvalue(phase);
                // Two samples of a decaying sine of that phase, then the step: the third must be on it too.
                let radius = ((1.0 - uniform - 2.0 * viscous) / (1.0 + uniform)).sqrt();
                let [previous, now, next] = [0.0, 1.0, 2.0].map(|n: f64| radius.powf(n) * (phase * n + 0.4).sin());
                let stepped =
                    ((2.0 - e - 2.0 * viscous) * now - (1.0 - uniform - 2.0 * viscous) * previous) / (1.0 + uniform);
                assert!((stepped - next).abs() < 1e-14, "{uniform} {viscous} {phase}: {stepped} {next}");
                assert!((loss.phase(e) / phase - 1.0).abs() < 1e-12);
            }
        }
    }
}
