//! Aims ψ at its true value half a step ahead and leaves with the velocity of the closed form where that is known.

use super::{Choice, RuleInfo};

pub(super) struct Secant;

impl Choice for Secant {
    const INFO: RuleInfo = RuleInfo {
        name: "secant",
        scheme: "secant",
        summary: "the same, released with the closed-form velocity",
        source: "ictus, docs/secant.md",
        aims: true,
        releases: true,
        pulls: false,
        drifts: false,
    };
}
