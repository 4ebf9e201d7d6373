//! `g = ψ'(η)`, W19 (11): ψ drifts off its curve, and the contact may pull and keep energy.

use super::{Choice, RuleInfo};

pub(super) struct Basic;

impl Choice for Basic {
    const INFO: RuleInfo = RuleInfo {
        name: "basic",
        scheme: "psi",
        summary: "quadratised energy, g = ψ'(η)",
        source: "W19 (10)-(18)",
        aims: false,
        releases: false,
        pulls: true,
        drifts: true,
    };
}
