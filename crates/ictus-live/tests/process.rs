//! What this process holds: memory, threads, open files. And how to be alone in it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::Command;
use std::time::Duration;

/// What a process holds at one time.
#[derive(Clone, Copy, Debug)]
pub struct Holdings {
    /// Memory in use, in MB.
    pub megabytes: f64,
    pub threads: usize,
    pub files: usize,
}

/// Threads of this process.
pub fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// Time that this thread has computed, whatever else the machine did meanwhile.
pub fn computed() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(told.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(0))
}

/// Time that each thread of this name has computed that is there now, by its number.
pub fn computed_by(name: &str) -> BTreeMap<OsString, Duration> {
    let computed = |thread: std::fs::DirEntry| -> Option<(OsString, Duration)> {
        let path = thread.path();
        let read = |file: &str| std::fs::read_to_string(path.join(file)).ok();
        let time = (read("comm")?.trim_end() == name).then(|| read("schedstat"))??;
        Some((thread.file_name(), Duration::from_nanos(time.split_whitespace().next()?.parse().ok()?)))
    };
    std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten().filter_map(computed).collect()
}

impl Holdings {
    /// As of now.
    pub fn now() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kilobytes =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
        let files = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        Self { megabytes: kilobytes.unwrap_or(0.0) / 1000.0, threads: threads(), files }
    }

    /// Waits until threads and files are no more than this again: what has ended is cleared away a little later.
    pub async fn settled(self) -> Self {
        for _ in 0..100 {
            let now = Self::now();
            if now.threads <= self.threads && now.files <= self.files {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Self::now()
    }
}

/// Seconds that a test shall take: what the variable of the environment says, or else so many.
pub fn seconds(variable: &str, otherwise: f64) -> f64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Whether the calling test has this process for itself. If not, runs it in a process of its own, and fails if it fails there: other tests
/// in the same process have threads and files too.
pub fn is_alone(test: &str) -> bool {
    const MARK: &str = "ICTUS_ALONE";
    if std::env::var_os(MARK).is_some() {
        return true;
    }
    let program = std::env::current_exe().expect("tests are a program");
    let child = Command::new(program).args(["--exact", test, "--nocapture"]).env(MARK, "1").output().expect("runs");
    let said = String::from_utf8_lossy(&child.stdout);
    println!("{said}");
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
    assert!(said.contains("1 passed"), "there is no test called {test}");
    false
}
