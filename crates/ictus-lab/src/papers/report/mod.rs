//! The report on a run: a page for the browser, a page for the repository, and the files they link to.

mod html;
mod markdown;

pub use html::page;
pub use markdown::validation;

use super::{Check, Item, Outcome, Provenance, Source, Verdict};

/// One item, computed.
pub struct Finished {
    /// The source it belongs to.
    pub source: &'static Source,
    /// What was computed.
    pub item: &'static Item,
    /// What came out.
    pub outcome: Outcome,
    /// The pictures as SVG text, in the order of the outcome's.
    pub drawings: Vec<String>,
}

/// How many checks ended how, those of the sources' statements apart from our own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Statements of the sources.
    pub stated: Count,
    /// Our own checks.
    pub own: Count,
}

/// How many checks of one kind ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that hold.
    pub passed: usize,
    /// Differences with a reason.
    pub noted: usize,
    /// Those that do not hold.
    pub failed: usize,
}

impl Tally {
    /// Of some items together.
    pub fn of<'a>(finished: impl IntoIterator<Item = &'a Finished>) -> Self {
        Self::of_checks(finished.into_iter().flat_map(|finished| &finished.outcome.checks))
    }

    fn of_checks<'a>(checks: impl IntoIterator<Item = &'a Check>) -> Self {
        let mut tally = Self::default();
        for check in checks {
            let count = match check.provenance {
                Provenance::Source => &mut tally.stated,
                Provenance::Own => &mut tally.own,
            };
            match check.verdict {
                Verdict::Pass => count.passed += 1,
                Verdict::Noted => count.noted += 1,
                Verdict::Fail => count.failed += 1,
            }
        }
        tally
    }

    /// All that do not hold.
    pub fn failed(&self) -> usize {
        self.stated.failed + self.own.failed
    }

    /// All checks.
    pub fn total(&self) -> usize {
        self.stated.total() + self.own.total()
    }

    /// In words: `24 of 25 statements of the sources hold, 1 noted difference; own checks: 7 of 7 hold`.
    pub fn words(&self) -> String {
        let stated = format!("{} of {} statements of the sources hold", self.stated.passed, self.stated.total());
        let own = format!("own checks: {} of {} hold", self.own.passed, self.own.total());
        let parts = [(self.stated, stated), (self.own, own)];
        let told = parts.into_iter().filter(|(count, _)| count.total() > 0);
        let told: Vec<String> = told.map(|(count, words)| format!("{words}{}", count.differences())).collect();
        if told.is_empty() { "nothing to check".to_owned() } else { told.join("; ") }
    }
}

impl Count {
    /// All of this kind.
    pub fn total(&self) -> usize {
        self.passed + self.noted + self.failed
    }

    fn differences(&self) -> String {
        let noted = match self.noted {
            0 => String::new(),
            1 => ", 1 noted difference".to_owned(),
            noted => format!(", {noted} noted differences"),
        };
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        noted + &failed
    }
}

/// The name of an item's file: `P09-fig-4.svg`, or `P09-fig-4-energy.svg` with a suffix.
pub fn file_name(item: &Item, suffix: &str, ending: &str) -> String {
    if suffix.is_empty() { format!("{}.{ending}", item.id) } else { format!("{}-{suffix}.{ending}", item.id) }
}

/// Consecutive items of the same source together.
fn by_source(finished: &[Finished]) -> impl Iterator<Item = (&'static Source, &[Finished])> {
    finished
        .chunk_by(|one, next| one.source.id == next.source.id)
        .filter_map(|items| Some((items.first()?.source, items)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::Deviation;

    #[test]
    fn statements_of_the_sources_are_counted_apart_from_our_own() {
        let holds = |holds| Check::holds("", "", holds);
        let noted = holds(false).noted(Deviation::that("seen", true), "a reason");
        let checks = [holds(true), noted, holds(true).own(), holds(false).own()];
        let tally = Tally::of_checks(&checks);
        assert_eq!((tally.total(), tally.failed()), (4, 1));
        assert_eq!(
            tally.words(),
            "1 of 2 statements of the sources hold, 1 noted difference; own checks: 1 of 2 hold, 1 failed"
        );
        assert_eq!(Tally::of_checks(&checks[2..3]).words(), "own checks: 1 of 1 hold");
        assert_eq!(Tally::default().words(), "nothing to check");
    }
}
