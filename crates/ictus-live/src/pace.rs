//! How much a page may say: two buckets, of messages and of bytes, that fill at a steady rate and are emptied by messages.

use std::time::Instant;

/// Messages per second in the long run. Playing with ten fingers and turning every knob stays well below.
const MESSAGES_PER_SECOND: f64 = 3000.0;

/// Messages at once.
const MESSAGES_AT_ONCE: f64 = 6000.0;

/// Bytes per second in the long run: that many messages of the usual length. All pages are read by one thread, and reading takes time by
/// the byte.
const BYTES_PER_SECOND: f64 = (512 << 10) as f64;

/// Bytes at once.
const BYTES_AT_ONCE: f64 = (1 << 20) as f64;

/// The allowance of one page.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    messages: f64,
    bytes: f64,
    last: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Self { messages: MESSAGES_AT_ONCE, bytes: BYTES_AT_ONCE, last: Instant::now() }
    }
}

impl Pace {
    /// Counts a message of so many bytes at this time; `false` if it is one too many.
    pub fn allows(&mut self, bytes: usize, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.messages = (self.messages + passed * MESSAGES_PER_SECOND).min(MESSAGES_AT_ONCE) - 1.0;
        self.bytes = (self.bytes + passed * BYTES_PER_SECOND).min(BYTES_AT_ONCE) - bytes as f64;
        self.messages >= 0.0 && self.bytes >= 0.0
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
        assert!((0..20_000).all(|n| pace.allows(150, start + Duration::from_millis(n))));
    }

    #[test]
    fn a_flood_is_not() {
        let mut pace = Pace::default();
        let now = Instant::now();
        assert!((0..20_000).any(|_| !pace.allows(20, now)));
    }

    #[test]
    fn a_flood_of_long_messages_is_not_either() {
        let mut pace = Pace::default();
        let start = Instant::now();
        let allowed = (0..1000).filter(|n| pace.allows(16 << 10, start + Duration::from_millis(*n))).count();
        assert!((64..200).contains(&allowed), "{allowed}");
    }
}
