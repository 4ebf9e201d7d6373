//! How much a search has computed, and when it is enough.
//!
//! Whatever a search does comes down to strikes. They are counted in samples, since a strike costs by its samples; so the bound is the same on
//! every machine, and so is the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The work of a search; clones count together.
#[derive(Clone, Debug)]
pub struct Work {
    /// Samples computed so far.
    spent: Arc<AtomicU64>,
    /// Samples after which a search gives up.
    most: u64,
}

/// Without a bound.
impl Default for Work {
    fn default() -> Self {
        Self::at_most(u64::MAX)
    }
}

/// Two settings are the same whatever has been computed for them.
impl PartialEq for Work {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Work {
    /// For a search that gives up after so many samples of strikes.
    pub fn at_most(samples: u64) -> Self {
        Self { spent: Arc::default(), most: samples }
    }

    /// Part of the work that may be done which has been done, from 0 to 1.
    pub fn done(&self) -> f64 {
        (self.spent.load(Ordering::Relaxed) as f64 / self.most as f64).min(1.0)
    }

    /// Whether there is no more to be spent.
    pub fn is_over(&self) -> bool {
        self.spent.load(Ordering::Relaxed) >= self.most
    }

    /// Counts a strike of so many samples; false if there is no more to be spent.
    pub(super) fn spend(&self, samples: usize) -> bool {
        self.spent.fetch_add(samples as u64, Ordering::Relaxed) < self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_spend_together_until_it_is_over() {
        let work = Work::at_most(1000);
        assert!(work.spend(500) && (0.4..0.6).contains(&work.done()));
        assert!(work.clone().spend(500) && work.is_over());
        assert!(!work.spend(1));
        assert!(Work::default().spend(usize::MAX / 2));
    }
}
