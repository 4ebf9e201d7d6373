//! Who takes part: every scheme of the registry, and D17's with its other parameter.

use ictus::impact::{FailureKind, Problem, SCHEMES, Scheme, Settings};

/// A scheme with its settings.
pub struct Contestant {
    /// Name in tables and pictures.
    pub name: String,
    /// The scheme.
    pub scheme: &'static Scheme,
    /// Its settings.
    pub settings: Settings,
}

impl Contestant {
    /// Why it cannot take these impacts, if it cannot take any like this one.
    pub fn excuse(&self, problem: &Problem) -> Option<&'static str> {
        match (self.scheme.start)(problem, &self.settings) {
            Err(FailureKind::NotApplicable(reason)) => Some(reason),
            _ => None,
        }
    }
}

/// Everyone, in the order of the registry.
pub fn contestants() -> Vec<Contestant> {
    let mut all = Vec::new();
    for scheme in SCHEMES {
        if scheme.name == "quadratic" {
            for (name, quadratic_s) in [("quadratic, s = 1/2", 0.5), ("quadratic, s = 1", 1.0)] {
                all.push(Contestant {
                    name: name.to_owned(),
                    scheme,
                    settings: Settings { quadratic_s, ..Settings::default() },
                });
            }
        } else {
            all.push(Contestant { name: scheme.name.to_owned(), scheme, settings: Settings::default() });
        }
    }
    all
}
