//! How often a page may speak: a bucket that fills at a steady rate and is emptied by messages.

use std::time::Instant;

/// Messages per second in the long run. Playing with ten fingers and turning every knob stays well below.
const PER_SECOND: f64 = 3000.0;

/// Messages at once.
const AT_ONCE: f64 = 6000.0;

/// The allowance of one page.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    left: f64,
    last: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Self { left: AT_ONCE, last: Instant::now() }
    }
}

impl Pace {
    /// Counts a message at this time; `false` if it is one too many.
    pub fn allows(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.left = (self.left + passed * PER_SECOND).min(AT_ONCE);
        self.left -= 1.0;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_thousand_messages_per_second_are_always_allowed() {
        let mut pace = Pace::default();
        let start = Instant::now();
        assert!((0..20_000).all(|n| pace.allows(start + Duration::from_millis(n))));
    }

    #[test]
    fn a_flood_is_not() {
        let mut pace = Pace::default();
        let now = Instant::now();
        assert!((0..20_000).any(|_| !pace.allows(now)));
    }
}
