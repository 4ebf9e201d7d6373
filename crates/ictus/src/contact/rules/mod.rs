//! The rules for g: one file for each, and its name in `rules!`.
//!
//! All rules solve the same linear equation and keep the energy balance for any g, so a rule only decides how true the contact is. The
//! first three are published and look at the current sample; those that aim (`super::rule`) look half a step ahead.

mod basic;
mod non_adhesive;
mod release;
mod secant;
mod secant_plain;

use super::Motion;
use crate::impact::Scheme;
use basic::Basic;
use non_adhesive::NonAdhesive;
use release::Release;
use secant::Secant;
use secant_plain::SecantPlain;

/// What a rule tells about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleInfo {
    /// Name in scenes, in kebab-case.
    pub name: &'static str,
    /// Name as a scheme for one mass and one wall.
    pub scheme: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Source and equation number.
    pub source: &'static str,
    /// Whether it aims ψ at its true value half a step ahead.
    pub aims: bool,
    /// Whether it leaves with the velocity of the closed form where that is known.
    pub releases: bool,
    /// Whether a contact that only pushes may pull by this rule.
    pub pulls: bool,
    /// Whether it leaves a ψ that is off its curve as it is.
    pub drifts: bool,
}

/// What a published rule chooses g from.
pub(super) struct Given<'a> {
    /// ψ at the last half step, in √J.
    pub root: f64,
    /// ψ' at the current sample, in √J/m.
    pub slope: f64,
    /// Whether the current sample is inside the contact.
    pub inside: bool,
    /// The step.
    pub motion: &'a Motion,
}

/// What the list asks of a rule.
trait Choice {
    /// What it tells about itself.
    const INFO: RuleInfo;

    /// g in √J/m of a contact that only pushes, for a rule that does not aim. Springs that also pull have `g = ψ'(η)` by every rule.
    fn slope(given: &Given<'_>) -> f64 {
        given.slope
    }
}

macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident),* $(,)?) => {
        /// How g is chosen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// Every rule, in the order of their age.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),*];

            /// Their names in scenes, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($rule::INFO.name),*];

            /// The rules as schemes for one mass and one wall.
            pub(crate) const SCHEMES: &'static [Scheme] = &[$(
                Scheme {
                    name: $rule::INFO.scheme,
                    summary: $rule::INFO.summary,
                    order: 2,
                    implicit: false,
                    source: $rule::INFO.source,
                    start: |problem, settings| crate::impact::start_with_rule(problem, settings, Rule::$rule),
                },
            )*];

            /// What it tells about itself.
            #[inline]
            pub const fn info(self) -> &'static RuleInfo {
                match self { $(Rule::$rule => &$rule::INFO,)* }
            }

            /// g in √J/m of a contact that only pushes, by a rule that does not aim.
            #[inline]
            pub(super) fn slope(self, given: &Given<'_>) -> f64 {
                match self { $(Rule::$rule => $rule::slope(given),)* }
            }

            #[inline]
            pub(super) fn aims(self) -> bool {
                match self { $(Rule::$rule => $rule::INFO.aims,)* }
            }

            #[inline]
            pub(super) fn pulls(self) -> bool {
                match self { $(Rule::$rule => $rule::INFO.pulls,)* }
            }
        }
    };
}

rules! {
    /// `g = ψ'(η)` (W19 (11)). Lets ψ drift off its curve; may pull and keep energy.
    Basic,
    /// `g = sgn(ψ) ψ'(η)` in contact, `g = -2ψ/s0` out of it (2021): empties ψ, but may still pull.
    Release,
    /// `g = min(ψ'(η), g_r)` in contact and g_r in the step after (2024), g_r being the g that empties ψ.
    NonAdhesive,
    /// Aims ψ at its true value half a step ahead; two solves.
    SecantPlain,
    /// The same, leaving with the velocity of the closed form.
    Secant,
}

impl Rule {
    /// The rule of that name in scenes, if there is one.
    pub fn named(name: &str) -> Option<Rule> {
        Self::ALL.iter().copied().find(|rule| rule.info().name == name)
    }
}

impl Default for Rule {
    /// The most accurate rule known.
    fn default() -> Self {
        Rule::Secant
    }
}

/// A rule is its name in scenes, as a law is.
#[cfg(feature = "serde")]
mod serialised {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use super::Rule;

    impl Serialize for Rule {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(self.info().name)
        }
    }

    impl<'de> Deserialize<'de> for Rule {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let name = String::deserialize(deserializer)?;
            let unknown = || format!("there is no rule \"{name}\"; rules: {}", Rule::NAMES.join(", "));
            Rule::named(&name).ok_or_else(|| D::Error::custom(unknown()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_found_by_its_name_and_no_two_share_one() {
        for rule in Rule::ALL {
            assert_eq!(Rule::named(rule.info().name), Some(*rule));
            let scheme = crate::impact::scheme(rule.info().scheme).map(|scheme| scheme.summary);
            assert_eq!(scheme, Some(rule.info().summary));
        }
        assert_eq!(Rule::named("secants"), None);
    }
}
