//! `g = sgn(ψ) ψ'(η)` in contact and `g = -2ψ/s0` out of it, the rule of 2021: it empties ψ, but may still pull.

use super::{Choice, Given, RuleInfo};

/// Largest admittance times g² where it empties ψ: the balance then closes to 1e-16.
const STEEPEST: f64 = 1e14;

pub(super) struct Release;

impl Choice for Release {
    const INFO: RuleInfo = RuleInfo {
        name: "release",
        scheme: "psi-release",
        summary: "quadratised, ψ emptied when out of contact",
        source: "W19, release rule of 2021",
        aims: false,
        releases: false,
        pulls: true,
        drifts: false,
    };

    fn slope(given: &Given<'_>) -> f64 {
        let Given { root, slope, inside, motion } = *given;
        if inside {
            return slope * if root < 0.0 { -1.0 } else { 1.0 };
        }
        let slope = -2.0 * root / motion.free_step;
        // A point that hardly moves cannot empty it: forces would be differences of numbers too large to be told apart.
        if motion.admittance * slope * slope < STEEPEST { slope } else { 0.0 }
    }
}
