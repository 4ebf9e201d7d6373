//! `g = min(ψ'(η), g_r)` in contact and g_r in the step after, the rule of 2024: g_r is the g that empties ψ, so the spring never pulls.
//!
//! A contact that may not pull is limited to g_r by the step itself (`super::super::step`), which also serves the rules that aim.

use super::{Choice, RuleInfo};

pub(super) struct NonAdhesive;

impl Choice for NonAdhesive {
    const INFO: RuleInfo = RuleInfo {
        name: "non-adhesive",
        scheme: "psi-nonadhesive",
        summary: "quadratised, g limited so that its spring part never pulls",
        source: "W19, rule of 2024",
        aims: false,
        releases: false,
        pulls: false,
        drifts: false,
    };
}
