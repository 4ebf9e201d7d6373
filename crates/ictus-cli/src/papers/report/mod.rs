//! The report on a run: a page for the browser, a page for the repository, and the files they link to.

mod html;
mod markdown;

pub use html::page;
pub use markdown::validation;

use super::{Item, Outcome, Source, Verdict};

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

/// How many checks ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Statements that hold.
    pub passed: usize,
    /// Differences with a reason.
    pub noted: usize,
    /// Statements that do not hold.
    pub failed: usize,
}

impl Tally {
    /// Of some items together.
    pub fn of<'a>(finished: impl IntoIterator<Item = &'a Finished>) -> Self {
        let mut tally = Self::default();
        for check in finished.into_iter().flat_map(|finished| &finished.outcome.checks) {
            match check.verdict {
                Verdict::Pass => tally.passed += 1,
                Verdict::Noted => tally.noted += 1,
                Verdict::Fail => tally.failed += 1,
            }
        }
        tally
    }

    /// All checks.
    pub fn total(&self) -> usize {
        self.passed + self.noted + self.failed
    }

    /// In words: `24 of 25 hold, 1 noted difference`.
    pub fn words(&self) -> String {
        let mut text = format!("{} of {} hold", self.passed, self.total());
        match self.noted {
            0 => {}
            1 => text.push_str(", 1 noted difference"),
            noted => text.push_str(&format!(", {noted} noted differences")),
        }
        if self.failed > 0 {
            text.push_str(&format!(", {} failed", self.failed));
        }
        text
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
