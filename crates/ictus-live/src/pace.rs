//! How much a page may say: buckets of messages, of their bytes, and of all bytes, that fill at a steady rate and are emptied by what comes in.

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

/// Bytes of the frame around a short message.
const BYTES_OF_FRAME: f64 = 16.0;

/// What fills at a steady rate and is emptied by use.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    level: f64,
    per_second: f64,
    at_once: f64,
    last: Instant,
}

impl Bucket {
    fn new(per_second: f64, at_once: f64) -> Self {
        Self { level: at_once, per_second, at_once, last: Instant::now() }
    }

    /// Takes so much out at this time; `false` if there was not enough.
    fn take(&mut self, amount: f64, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.level = (self.level + passed * self.per_second).min(self.at_once) - amount;
        self.level >= 0.0
    }
}

/// The allowance of one page.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    messages: Bucket,
    bytes: Bucket,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            messages: Bucket::new(MESSAGES_PER_SECOND, MESSAGES_AT_ONCE),
            bytes: Bucket::new(BYTES_PER_SECOND, BYTES_AT_ONCE),
        }
    }
}

impl Pace {
    /// Counts a message of so many bytes at this time; `false` if it is one too many.
    pub fn allows(&mut self, bytes: usize, now: Instant) -> bool {
        let [one_more, as_long] = [self.messages.take(1.0, now), self.bytes.take(bytes as f64, now)];
        one_more && as_long
    }
}

/// The same for the bytes below the messages: frames that belong to no whole message are none, and take time all the same.
#[derive(Clone, Copy, Debug)]
pub struct RawPace(Bucket);

impl Default for RawPace {
    fn default() -> Self {
        Self(Bucket::new(
            BYTES_PER_SECOND + BYTES_OF_FRAME * MESSAGES_PER_SECOND,
            BYTES_AT_ONCE + BYTES_OF_FRAME * MESSAGES_AT_ONCE,
        ))
    }
}

impl RawPace {
    /// Counts so many bytes at this time; `false` if they are too many.
    pub fn allows(&mut self, bytes: usize, now: Instant) -> bool {
        self.0.take(bytes as f64, now)
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
