//! Aims ψ at its true value half a step ahead and knows nothing about closed results; `super::super::rule` has the aim.

use super::{Choice, RuleInfo};

pub(super) struct SecantPlain;

impl Choice for SecantPlain {
    const INFO: RuleInfo = RuleInfo {
        name: "secant-plain",
        scheme: "secant-plain",
        summary: "quadratised, ψ aimed at its curve",
        source: "ictus, docs/secant.md",
        aims: true,
        releases: false,
        pulls: false,
        drifts: false,
    };
}
