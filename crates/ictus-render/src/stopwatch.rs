//! How long the processor works for this thread.
//!
//! Not how long it takes: on a machine that does other things too, the time on the wall varied 25-fold for the same scene.

use std::time::Duration;

/// Started when it is made.
pub struct Stopwatch {
    begin: Duration,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self { begin: worked() }
    }

    /// Time of the processor since the start. To be asked on the thread that started it.
    pub fn elapsed(&self) -> Duration {
        worked().saturating_sub(self.begin)
    }
}

/// Time of the processor that this thread has had.
#[cfg(unix)]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Where the system is not asked for it: the time on the wall.
#[cfg(not(unix))]
fn worked() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_no_work() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(300));
        assert!(watch.elapsed() < Duration::from_millis(100), "{:?}", watch.elapsed());
        let mut sum = 0u64;
        while watch.elapsed() < Duration::from_millis(2) {
            sum = std::hint::black_box(sum.wrapping_mul(3) + 1);
        }
    }
}
