//! All that is missing of a sweep, on the cores of this machine.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::chunk::{ChunkReport, run_chunk};
use crate::error::SweepError;
use crate::folder::Folder;
use crate::plan::Plan;

/// Time between two reports of the progress.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Asks a sweep to stop after the chunks under way.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for it.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Points that are done, those of earlier runs included.
    pub done: u64,
    /// All points.
    pub total: u64,
    /// Points per second of this run.
    pub rate: f64,
}

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Points computed by this run.
    pub points: u64,
    /// Points that were there before.
    pub before: u64,
    /// How many of this run failed.
    pub failed: u64,
    /// Number and message of the first that did.
    pub first_failure: Option<(u64, String)>,
    /// How long it took in s.
    pub seconds: f64,
}

/// Computes the missing chunks on so many threads; `progress` is called about ten times a second.
///
/// # Errors
/// A file cannot be written. Chunks under way are finished if they can be; those that are whole stay.
pub fn run(
    plan: &Plan,
    folder: &Folder,
    threads: usize,
    stop: &Stop,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Tally, SweepError> {
    let start = Instant::now();
    let missing: Vec<u32> = folder.missing().map(|chunk| chunk as u32).collect();
    let points = |chunk: &u32| folder.manifest().points_of(u64::from(*chunk)).count() as u64;
    let before = plan.count - missing.iter().map(points).sum::<u64>();
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let reports: Mutex<Vec<ChunkReport>> = Mutex::default();
    let failure: Mutex<Option<SweepError>> = Mutex::default();
    let failed = AtomicBool::new(false);
    let worker = || {
        while !stop.is_requested() && !failed.load(Ordering::Relaxed) {
            let Some(chunk) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) else { return };
            match run_chunk(plan, folder, u64::from(*chunk), &done) {
                Ok(report) => reports.lock().unwrap_or_else(PoisonError::into_inner).push(report),
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            }
        }
    };
    let report = || {
        let computed = done.load(Ordering::Relaxed);
        let rate = computed as f64 / start.elapsed().as_secs_f64().max(1e-9);
        progress(Progress { done: before + computed, total: plan.count, rate });
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            report();
            thread::sleep(REPORT_EVERY.min(start.elapsed() / 4 + Duration::from_millis(1)));
        }
    });
    report();
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    if folder.missing().next().is_none() {
        folder.finish();
    }
    let mut tally = Tally { before, seconds: start.elapsed().as_secs_f64(), ..Tally::default() };
    for report in reports.into_inner().unwrap_or_else(PoisonError::into_inner) {
        tally.points += report.points;
        tally.failed += report.failed;
        let first = tally.first_failure.take().into_iter().chain(report.first_failure);
        tally.first_failure = first.min_by_key(|(index, _)| *index);
    }
    Ok(tally)
}
