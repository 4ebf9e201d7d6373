//! What is compared: published rules, ours, ours without one of its parts, ours with another c².

use ictus::contact::{Aiming, Rule};
use ictus::impact::{Scheme, Settings, scheme};

use crate::trials::{self, Case, Errors};

/// The values of c² tried.
pub const TRUSTS: [f64; 7] = [0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0];

/// A rule with its settings.
pub struct Variant {
    /// Name in the tables.
    pub name: String,
    /// The scheme.
    pub scheme: &'static Scheme,
    /// Its settings.
    pub settings: Settings,
}

impl Variant {
    /// Its errors in every case, in the order of the cases.
    pub fn measure(&self, cases: &[Case]) -> Vec<Errors> {
        trials::measure(self.scheme, &self.settings, cases)
    }
}

/// The variants of one table.
pub struct Group {
    /// Heading of the table.
    pub title: &'static str,
    /// Its rows.
    pub variants: Vec<Variant>,
}

/// A scheme with what the secant rule may use.
pub fn variant(name: impl Into<String>, scheme_name: &'static str, secant: Aiming) -> Variant {
    let scheme = scheme(scheme_name).expect("the scheme is listed");
    Variant { name: name.into(), scheme, settings: Settings { secant, ..Settings::default() } }
}

/// The rules as they are, in the order of their age.
pub fn rules() -> Group {
    let names = Rule::ALL.iter().map(|rule| rule.info().scheme);
    let variants = names.map(|name| variant(name, name, Aiming::default())).collect();
    Group { title: "Rules", variants }
}

/// The secant rules without one or both of the parts that can be left out.
pub fn ablations() -> Group {
    let full = Aiming::default();
    let parts = [
        ("early touch", Aiming { early_touch: false, ..full }),
        ("stiffening", Aiming { stiffening: false, ..full }),
        ("both", Aiming { early_touch: false, stiffening: false, ..full }),
    ];
    let variants = ["secant-plain", "secant"].into_iter().flat_map(|name| {
        parts.iter().map(move |(part, aiming)| variant(format!("{name} without {part}"), name, *aiming))
    });
    Group { title: "Parts left out", variants: variants.collect() }
}

/// One secant rule over c².
pub fn trusts(title: &'static str, name: &'static str) -> Group {
    let variants = TRUSTS.iter().map(|trust| {
        let aiming = Aiming { trust: *trust, ..Aiming::default() };
        variant(format!("{name}, c² = {trust}"), name, aiming)
    });
    Group { title, variants: variants.collect() }
}
